#include "ng_tree.h"
#include "base/available_memory.h"
#include "base/index_map.h"
#include "base/limits.h"
#include "base/tensor.h"
#include "diag/memory_limit.h"
#include "ng_pointer.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>

/* ---- values ---- */

ng_kind ng_kind_of(const ng_value *value) {
  if (cJSON_IsString(value))
    return NG_STRING;
  if (cJSON_IsNumber(value))
    return NG_NUMBER;
  if (cJSON_IsArray(value))
    return NG_ARRAY;
  if (cJSON_IsObject(value))
    return NG_OBJECT;
  return cJSON_IsBool(value) ? NG_BOOL : NG_NULL;
}

const char *ng_kind_text(ng_kind kind) {
  switch (kind) {
  case NG_NULL:
    return "null";
  case NG_BOOL:
    return "true or false";
  case NG_NUMBER:
    return "a number";
  case NG_STRING:
    return "a string";
  case NG_ARRAY:
    return "an array";
  case NG_OBJECT:
    return "an object";
  }
  return "";
}

const ng_value *ng_first(const ng_value *value) {
  return value->child;
}

const ng_value *ng_next(const ng_value *value) {
  return value->next;
}

size_t ng_count(const ng_value *value) {
  size_t n = 0;
  for (const ng_value *item = ng_first(value); item != NULL; item = ng_next(item))
    n++;
  return n;
}

const ng_value *ng_member(const ng_value *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

const char *ng_name_of(const ng_value *field) {
  return field->string;
}

const char *ng_string_of(const ng_value *value) {
  return value->valuestring;
}

/* ---- places ---- */

ir_at ng_at(const ng_tree *tree, const ng_value *value) {
  return tree->places.at[value->valueint];
}

ir_at ng_inner_at(const ng_tree *tree, const ng_value *value) {
  ir_at at = ng_at(tree, value);
  if ((ng_kind_of(value) & (NG_STRING | NG_ARRAY | NG_OBJECT)) != 0) {
    at.begin++;
    at.length -= 2;
  }
  return at;
}

/* Scans backward from the value, over the colon, to the quotes around the name. A quote after an odd number of
 * backslashes is escaped, and belongs to the name. */
ir_at ng_name_at(const ng_tree *tree, const ng_value *field) {
  const char *const bytes = tree->text.bytes, *end = ng_bytes(tree, ng_at(tree, field)) - 1;
  while (*end != '"')
    end--;
  const char *begin = end;
  for (bool escaped = true; escaped;) {
    const char *quote = begin - 1;
    while (*quote != '"')
      quote--;
    int64_t backslashes = 0;
    while (quote[-1 - backslashes] == '\\')
      backslashes++;
    escaped = backslashes % 2 == 1;
    begin = quote;
  }
  begin++;
  return (ir_at){(uint32_t)(tree->text.begin + (begin - bytes)), (uint32_t)(end - begin)};
}

/* ---- the tree ---- */

static bool same_field(const void *key, int32_t value, const void *user) {
  return strcmp(((const ng_value *const *)user)[value]->string, key) == 0;
}

static void report_repeated(const ng_tree *tree, const ng_value *field, const ng_value *first, ir_diags *diags) {
  ir_report(diags, IR011_FIELD_REPEATED,
            (ir_where){.source = tree->text.source, .at = ir_span_of(ng_name_at(tree, field))},
            "the field '%s' stands twice in one object", field->string);
  ir_note(diags, (ir_where){.source = tree->text.source, .at = ir_span_of(ng_name_at(tree, first))}, "the first one");
}

static ir_code check_fields(const ng_tree *tree, const ng_value *object, ir_diags *diags) {
  const ng_value *fields[IR_MAX_ATTRIBUTES];
  ir_map_cell cells[2 * IR_MAX_ATTRIBUTES];
  int32_t n = 0;
  for (const ng_value *field = object->child; field != NULL; field = field->next) {
    if (n == IR_MAX_ATTRIBUTES)
      return ir_report(diags, IR004_LIMIT_EXCEEDED,
                       (ir_where){.source = tree->text.source, .at = ir_span_of(ng_at(tree, object))},
                       "more than %d fields in one object", IR_MAX_ATTRIBUTES);
    fields[n++] = field;
  }
  size_t n_cells = 4;
  while (n_cells < 2 * (size_t)n)
    n_cells *= 2;
  ir_index_map map = {.cells = cells, .mask = n_cells - 1};
  for (size_t i = 0; i < n_cells; i++)
    cells[i].value = -1;
  for (int32_t i = 0; i < n; i++) {
    const char *name = fields[i]->string;
    const int32_t before = ir_index_map_add(&map, ir_hash_text(name), name, i, same_field, fields);
    if (before >= 0)
      report_repeated(tree, fields[i], fields[before], diags);
  }
  return IR_OK;
}

/* An ng_walk visits all values in the order of the text. */
typedef struct ng_walk {
  ng_value *path[IR_MAX_DEPTH]; /* arrays and objects that contain the current value */
  int depth;
} ng_walk;

static ng_value *walk_on(ng_walk *walk, ng_value *value) {
  if (value->child != NULL && walk->depth < IR_MAX_DEPTH) {
    walk->path[walk->depth++] = value;
    return value->child;
  }
  while (value->next == NULL && walk->depth > 0)
    value = walk->path[--walk->depth];
  return value->next;
}

/* Stores each value's index in ng_places in cJSON's field `valueint`. The field is free, because irrun parses numbers
 * from the text. */
static ir_code number_values(ng_tree *tree, ir_diags *diags) {
  ng_walk walk = {.depth = 0};
  size_t n = 0;
  for (ng_value *value = tree->root; value != NULL; value = walk_on(&walk, value)) {
    if (n < tree->places.n)
      value->valueint = (int)n;
    n++;
  }
  if (n == tree->places.n)
    return IR_OK;
  return ir_report(diags, IR901_INTERNAL_ERROR, (ir_where){.source = tree->text.source, .at = IR_NOWHERE},
                   "%llu values in the text, %llu in the tree", (unsigned long long)tree->places.n,
                   (unsigned long long)n);
}

/* Checks that memory for cJSON's tree is available. cJSON calls malloc, which can succeed although the system has too
 * little memory. */
static ir_code check_memory(const ng_tree *tree, ir_diags *diags) {
  enum { BLOCK = 32 }; /* bytes; upper bound of the overhead of an allocation */
  const size_t bytes =
      tree->places.n * (sizeof(ng_value) + BLOCK) + tree->places.n_strings * BLOCK + (size_t)tree->text.size;
  if (bytes <= ir_available_memory("") / 2)
    return IR_OK;
  return ir_report(
      diags, IR004_LIMIT_EXCEEDED, (ir_where){.source = tree->text.source, .at = IR_NOWHERE},
      "the %llu values of the model take %llu MB while they are read, more than half of the memory that is available",
      (unsigned long long)tree->places.n, (unsigned long long)(bytes >> 20));
}

static ir_code parse(ng_tree *tree, ir_diags *diags) {
  const char *end = tree->text.bytes;
  errno = 0;
  tree->root = cJSON_ParseWithLengthOpts(tree->text.bytes, (size_t)tree->text.size, &end, 0);
  if (tree->root != NULL)
    return IR_OK;
  if (errno == ENOMEM)
    return ir_out_of_memory(diags);
  const int64_t at = tree->text.begin + (end - tree->text.bytes);
  return ir_report(diags, IR010_JSON_NOT_WELL_FORMED, (ir_where){.source = tree->text.source, .at = {at, at + 1}},
                   "cJSON cannot read on from here");
}

/* Checks that no object has a field twice or too many fields. number_values must have run before. */
static ir_code check_all_fields(const ng_tree *tree, ir_diags *diags) {
  ng_walk walk = {.depth = 0};
  for (ng_value *value = tree->root; value != NULL; value = walk_on(&walk, value)) {
    ir_code code = cJSON_IsObject(value) ? check_fields(tree, value, diags) : IR_OK;
    if (code != IR_OK && code != IR_INVALID)
      return code;
  }
  return IR_OK;
}

ir_code ng_tree_read(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_tree *out_tree) {
  *out_tree = (ng_tree){.text = *text};
  ir_code code = ng_scan(text, memory, diags, &out_tree->places);
  if (code == IR_OK)
    ng_name_places(text->source); /* JSON pointers exist only in a well-formed text */
  if (code == IR_OK)
    code = check_memory(out_tree, diags);
  if (code == IR_OK)
    code = parse(out_tree, diags);
  if (code == IR_OK)
    code = number_values(out_tree, diags);
  return code == IR_OK ? check_all_fields(out_tree, diags) : code;
}

void ng_tree_reset(ng_tree *tree, const ir_memory *memory) {
  cJSON_Delete(tree->root);
  ir_free(memory, tree->places.at);
  *tree = (ng_tree){.root = NULL};
}
