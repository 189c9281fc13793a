#include "ops/bind.h"
#include "ops/attr_text.h"
#include "ops/registry.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_SCHEMA 64 /* number of bits of ir_node.attrs_at_fault */

static ir_floats *floats_field(const ir_node *node, const ir_attr_spec *spec) {
  return (ir_floats *)(void *)((char *)node->params + spec->offset);
}

static ir_ints *ints_field(const ir_node *node, const ir_attr_spec *spec) {
  return (ir_ints *)(void *)((char *)node->params + spec->offset);
}

static void set_fault(ir_node *node, int index) {
  node->attrs_at_fault |= UINT64_C(1) << index;
}

/* Index of the schema's attribute that `text` misspells: by one edit, or in case only. -1: none. */
static int misspelt_index(const ir_op *op, const char *text) {
  for (int i = 0; op->attrs != NULL && op->attrs[i].name != NULL; i++)
    if (ir_misspells(text, op->attrs[i].name))
      return i;
  return -1;
}

static void list_known(const ir_op *op, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 0; op->attrs != NULL && op->attrs[i].name != NULL && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s'%s'", i > 0 ? ", " : "", op->attrs[i].name);
  if (used == 0)
    snprintf(buffer, size, "none");
}

static bool has_word(const ir_attr_spec *spec, const char *word) {
  for (int i = 0; spec->names != NULL && spec->names[i] != NULL; i++)
    if (strcasecmp(spec->names[i], word) == 0 ||
        (spec->other_names != NULL && strcasecmp(spec->other_names[i], word) == 0))
      return true;
  return false;
}

/* Adds a hint that names another version of the op that has the attribute. If `word` is not NULL, the attribute must
 * accept that word. */
static void hint_at_version(const ir_op *op, const char *name, const char *word, ir_scope *scope) {
  const ir_op *other;
  for (size_t i = 0; (other = ir_op_at(i)) != NULL; i++) {
    int first, last, at = ir_op_attr_index(other, name);
    if (at < 0 || other->dialect != op->dialect || strcmp(other->type, op->type) != 0 ||
        (word != NULL && !has_word(&other->attrs[at], word)))
      continue;
    if (ir_op_opsets(other, &first, &last))
      ir_hint(scope->diags, "%s-%d has it: version=\"opset%d\"", other->type, other->version, first);
    else
      ir_hint(scope->diags, "%s-%d has it: \"op_version\": %d", other->type, other->version, other->version);
    return;
  }
}

static bool is_leftover(const ir_op *op, const ir_raw_attr *raw) {
  const size_t length = strlen(raw->name);
  for (int i = 0; op->ignored_attrs != NULL && op->ignored_attrs[i] != NULL; i++) {
    const char *ignored = op->ignored_attrs[i];
    if (strncmp(ignored, raw->name, length) != 0)
      continue;
    const char *rest = ignored + length;
    if (*rest == '\0' || (*rest == '=' && raw->value != NULL && strcmp(rest + 1, raw->value) == 0))
      return true;
  }
  return false;
}

/* Reports attributes that the schema lacks. If one is a misspelling of an absent attribute, marks the latter as
 * faulty, so that it is not reported as missing. */
static void report_unknown(ir_node *node, ir_scope *scope) {
  const ir_op *op = node->op;
  for (int32_t i = 0; i < node->layer->n_attrs; i++) {
    const ir_raw_attr *raw = &node->layer->attrs[i];
    if (ir_op_attr_index(op, raw->name) >= 0 || is_leftover(op, raw))
      continue;
    ir_where where = ir_layer_where(scope->graph, node->layer, raw->name_at);
    where.attribute = raw->name;
    /* the Model Optimizer of the time wrote what it knew, and the runtimes read only some of it */
    if (op->dialect == IR_LEGACY) {
      ir_report(scope->diags, IR216_OLD_ATTRIBUTE_UNREAD, where, "nothing reads the attribute '%s' of a %s", raw->name,
                op->type);
      continue;
    }
    int meant = misspelt_index(op, raw->name);
    if (meant >= 0 && ir_layer_attr(node->layer, op->attrs[meant].name) == NULL)
      set_fault(node, meant);
    if (meant >= 0) {
      ir_report(scope->diags, IR211_ATTRIBUTE_REFUSED, where, "unknown attribute '%s'; a runtime would ignore it",
                raw->name);
      ir_hint(scope->diags, "did you mean '%s'?", op->attrs[meant].name);
      continue;
    }
    char known[512];
    list_known(op, known, sizeof known);
    if (op->attrs_only_known)
      ir_report(scope->diags, IR211_ATTRIBUTE_REFUSED, where, "unknown attribute '%s'; a %s has no others than %s",
                raw->name, op->type, known);
    else
      ir_report(scope->diags, IR205_UNKNOWN_ATTRIBUTE, where, "unknown attribute '%s'; %s-%d has %s", raw->name,
                op->type, op->version, known);
    hint_at_version(op, raw->name, NULL, scope);
  }
}

/* ---- one attribute ---- */

/* Checks that a list has at most IR_MAX_ITEMS items. If it has more, reports it and returns false; *out_code is the
 * result of ir_report. */
static bool fits(const ir_text_value *value, ir_scope *scope, ir_code *out_code) {
  if (value->n_items <= IR_MAX_ITEMS)
    return true;
  *out_code =
      ir_report(scope->diags, IR004_LIMIT_EXCEEDED, value->where, "'%s' has %lld values; irrun reads up to %lld",
                value->name, (long long)value->n_items, (long long)IR_MAX_ITEMS);
  return false;
}

static ir_code bind_ints(ir_node *node, const ir_attr_spec *spec, const ir_text_value *value, ir_scope *scope) {
  const int64_t n = value->n_items;
  ir_code code;
  if (spec->count == IR_COUNT_ONE) {
    int64_t *field = (int64_t *)(void *)((char *)node->params + spec->offset);
    return ir_text_int(value, spec->min, spec->max, field, scope->diags);
  }
  if (!fits(value, scope, &code))
    return code;
  int64_t *items = ir_arena_array(scope->arena, (size_t)n + 1, sizeof *items);
  if (items == NULL)
    return ir_out_of_memory(scope->diags);
  bool readable;
  code = ir_text_ints(value, spec->min, spec->max, items, &readable, scope->diags);
  /* The length is right even if a value is out of range. */
  *ints_field(node, spec) = (ir_ints){code == IR_OK ? items : NULL, readable ? n : 0};
  return code;
}

static ir_code bind_floats(ir_node *node, const ir_attr_spec *spec, const ir_text_value *value, ir_scope *scope) {
  const int64_t n = value->n_items;
  ir_code code;
  if (spec->count == IR_COUNT_ONE)
    return ir_text_float(value, (double *)(void *)((char *)node->params + spec->offset), scope->diags);
  if (!fits(value, scope, &code))
    return code;
  double *items = ir_arena_array(scope->arena, (size_t)n + 1, sizeof *items);
  if (items == NULL)
    return ir_out_of_memory(scope->diags);
  code = ir_text_floats(value, items, scope->diags);
  *floats_field(node, spec) = (ir_floats){code == IR_OK ? items : NULL, code == IR_OK ? n : 0};
  return code;
}

static ir_code bind_word(ir_node *node, const ir_attr_spec *spec, const ir_text_value *value, ir_scope *scope) {
  int *field = (int *)(void *)((char *)node->params + spec->offset);
  ir_code code = ir_text_enum(value, spec->names, spec->other_names, field, scope->diags);
  if (code != IR_OK)
    hint_at_version(node->op, spec->name, value->text, scope);
  return code;
}

static ir_code bind_bool(ir_node *node, const ir_attr_spec *spec, const ir_text_value *value, ir_scope *scope) {
  bool *field = (bool *)((char *)node->params + spec->offset);
  ir_code code = ir_text_bool(value, field, scope->diags);
  if (code == IR_OK)
    *field = *field != spec->inverted;
  return code;
}

static ir_code bind_one(ir_node *node, const ir_attr_spec *spec, const ir_text_value *value, ir_scope *scope) {
  void *field = (char *)node->params + spec->offset;
  switch (spec->kind) {
  case IR_ATTR_INT:
    return bind_ints(node, spec, value, scope);
  case IR_ATTR_FLOAT:
    return bind_floats(node, spec, value, scope);
  case IR_ATTR_BOOL:
    return bind_bool(node, spec, value, scope);
  case IR_ATTR_ENUM:
    return bind_word(node, spec, value, scope);
  case IR_ATTR_TYPE:
    return ir_text_type(value, spec->c_names, field, scope->diags);
  case IR_ATTR_SHAPE:
    return ir_text_shape(value, true, field, scope->diags);
  case IR_ATTR_DIMS:
    return ir_text_shape(value, false, field, scope->diags);
  case IR_ATTR_TEXT:
    return IR_OK;
  }
  return IR_INTERNAL;
}

/* Binds the default of an absent attribute. The default of a SPATIAL list is one item, which ir_spatial_item uses
 * for every axis. */
static ir_code bind_fallback(ir_node *node, const ir_attr_spec *spec, ir_scope *scope) {
  /* an empty default is a list without items */
  ir_text_value value = {.name = spec->name,
                         .text = spec->fallback,
                         .where = ir_node_where(scope, node),
                         .n_items = spec->fallback[0] != '\0'};
  for (const char *at = strchr(spec->fallback, ','); at != NULL; at = strchr(at + 1, ','))
    value.n_items++;
  ir_code code = bind_one(node, spec, &value, scope);
  if (code == IR_OK && spec->count == IR_COUNT_SPATIAL)
    ints_field(node, spec)->n = IR_REPEATED;
  return code;
}

static int64_t usual_length(const ir_node *node);

/* Adds a hint that suggests the default. For a SPATIAL list, the hint repeats the default once per axis, if the
 * lengths of other lists show the number of axes. */
static void hint_at_fallback(const ir_node *node, const ir_attr_spec *spec, ir_scope *scope) {
  char text[64];
  size_t used = (size_t)snprintf(text, sizeof text, "%s", spec->fallback);
  int64_t n = spec->count == IR_COUNT_SPATIAL ? usual_length(node) : 1;
  for (int64_t i = 1; i < n && i < IR_MAX_RANK; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, ",%s", spec->fallback);
  ir_hint(scope->diags, "add %s=\"%s\", which is what OpenVINO takes, or use --allow=IR204", spec->name, text);
}

/* Whether the attribute is present and not empty. */
static bool has_items(const ir_node *node, const char *name, const ir_scope *scope) {
  const ir_raw_attr *raw = ir_layer_attr(node->layer, name);
  return raw != NULL && ir_text_value_of(scope->graph, node->layer, raw).n_items > 0;
}

static bool is_needed(const ir_node *node, const ir_attr_spec *spec, const ir_scope *scope) {
  if (spec->required_with != NULL)
    return has_items(node, spec->required_with, scope);
  if (spec->is_needless != NULL && spec->is_needless(node))
    return false;
  return spec->required && !(spec->fallback_if_empty && ir_layer_attr(node->layer, spec->name) != NULL);
}

/* Binds an attribute that is absent or an empty list. */
static ir_code bind_absent(ir_node *node, int index, ir_scope *scope) {
  const ir_attr_spec *spec = &node->op->attrs[index];
  if (node->attrs_at_fault >> index & 1)
    return IR_OK;
  if (is_needed(node, spec, scope)) {
    ir_where where =
        ir_layer_where(scope->graph, node->layer, node->layer->has_data ? node->layer->data_at : node->layer->at);
    where.attribute = spec->name;
    ir_code code;
    if (spec->fallback_if_allowed)
      code = ir_report(scope->diags, IR204_MISSING_REQUIRED_ATTRIBUTE, where, "%s-%d needs the attribute '%s'",
                       node->op->type, node->op->version, spec->name);
    else
      code = ir_report_firm(scope->diags, IR204_MISSING_REQUIRED_ATTRIBUTE, where, "%s-%d needs the attribute '%s'",
                            node->op->type, node->op->version, spec->name);
    if (spec->fallback_if_allowed && code != IR_OK)
      hint_at_fallback(node, spec, scope);
    if (spec->required_with != NULL)
      ir_note(scope->diags, (ir_where){0}, "'%s' is there; both or neither", spec->required_with);
    if (code != IR_OK) {
      set_fault(node, index);
      return IR_OK;
    }
  }
  return spec->fallback != NULL ? bind_fallback(node, spec, scope) : IR_OK;
}

/* For most attributes, OpenVINO reads only the leading integer of a text such as "2.0". It does not for the offset
 * and size of a Const. */
static bool reads_floats(const ir_op *op) {
  return op->dialect != IR_NGRAPH && !ir_op_is(op, IR_RUN_CONSTANT);
}

ir_code ir_bind_attributes(ir_node *node, ir_scope *scope) {
  const ir_op *op = node->op;
  int n = ir_op_n_attrs(op);
  if (n > MAX_SCHEMA)
    return ir_report(scope->diags, IR901_INTERNAL_ERROR, ir_node_where(scope, node), "op %s has too many attributes",
                     op->type);
  node->params = ir_arena_alloc(scope->arena, op->params_size > 0 ? op->params_size : 1);
  if (node->params == NULL)
    return ir_out_of_memory(scope->diags);
  report_unknown(node, scope);
  for (int i = 0; i < n; i++) {
    const ir_attr_spec *spec = &op->attrs[i];
    const ir_raw_attr *raw = ir_layer_attr(node->layer, spec->name);
    ir_code code;
    ir_text_value value = {.name = spec->name};
    if (raw != NULL && raw->value == NULL) {
      set_fault(node, i);
      continue;
    }
    if (raw != NULL)
      value = ir_text_value_of(scope->graph, node->layer, raw);
    value.floats_allowed = reads_floats(op);
    /* An empty list counts as absent. An empty shape does not, because it is the shape of a scalar. */
    bool empty = raw != NULL && value.n_items == 0 && spec->kind == IR_ATTR_INT && spec->count == IR_COUNT_SPATIAL;
    if (empty && !spec->required && !spec->fallback_if_empty && spec->fallback != NULL)
      ir_report(scope->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, value.where,
                "'%s' is empty, and taken as absent: %s on every axis", spec->name, spec->fallback);
    if (raw == NULL || empty)
      code = bind_absent(node, i, scope);
    else
      code = bind_one(node, spec, &value, scope);
    if (code == IR_NO_MEMORY)
      return code;
    if (code != IR_OK)
      set_fault(node, i);
  }
  if (op->check_attributes != NULL)
    op->check_attributes(node, scope);
  return IR_OK;
}

/* ---- lengths of the SPATIAL lists ---- */

/* The most frequent length of the lists. If two are equally frequent, the length of the first such list. */
static int64_t usual_length(const ir_node *node) {
  int64_t usual = -1, most = 0;
  for (const ir_attr_spec *a = node->op->attrs; a->name != NULL; a++) {
    if (a->count != IR_COUNT_SPATIAL || ints_field(node, a)->n <= 0)
      continue;
    int64_t count = 0;
    for (const ir_attr_spec *b = node->op->attrs; b->name != NULL; b++)
      if (b->count == IR_COUNT_SPATIAL && ints_field(node, b)->n == ints_field(node, a)->n)
        count++;
    if (count > most) {
      most = count;
      usual = ints_field(node, a)->n;
    }
  }
  return usual;
}

static bool all_have_length(const ir_node *node, int64_t n) {
  for (const ir_attr_spec *a = node->op->attrs; a->name != NULL; a++)
    if (a->count == IR_COUNT_SPATIAL && ints_field(node, a)->items != NULL && ints_field(node, a)->n != IR_REPEATED &&
        ints_field(node, a)->n != n)
      return false;
  return true;
}

bool ir_check_spatial_lengths(ir_node *node, int64_t n_spatial, ir_scope *scope) {
  if (node->op->attrs == NULL)
    return true;
  int64_t usual = usual_length(node);
  int64_t expected = n_spatial >= 0 ? n_spatial : usual;
  /* If all lists have the same wrong length, this is one fault, reported at the first list. */
  bool one_fault = usual >= 0 && usual != expected && all_have_length(node, usual);
  bool reported = false, fine = true;
  for (int i = 0; node->op->attrs[i].name != NULL; i++) {
    const ir_attr_spec *spec = &node->op->attrs[i];
    if (spec->count != IR_COUNT_SPATIAL)
      continue;
    const ir_ints *list = ints_field(node, spec);
    if (list->n <= 0 || list->n == expected)
      continue;
    if (!one_fault || !reported) {
      const char *basis = n_spatial >= 0 ? "one for each spatial axis of the input" : "as many as the other lists";
      ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, ir_attr_where(scope, node, spec->name),
                "'%s' has %lld value%s, expected %lld: %s", spec->name, (long long)list->n, list->n == 1 ? "" : "s",
                (long long)expected, basis);
      if (one_fault)
        ir_note(scope->diags, (ir_where){0},
                "all lists of this layer have %lld value%s, and the input has rank %lld: N, C and %lld spatial",
                (long long)usual, usual == 1 ? "" : "s", (long long)expected + 2, (long long)expected);
      reported = true;
    }
    fine = false;
    set_fault(node, i);
  }
  return fine;
}
