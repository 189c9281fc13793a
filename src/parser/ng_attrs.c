/* Converts the op-specific fields of a node to attributes, whose values are spelled as in an IR. */
#include "base/limits.h"
#include "ng_reader.h"
#include <errno.h>
#include <string.h>

typedef struct ng_attr_list {
  ng_reader *reader;
  ng_node *node;
  /* is_visited: the node has "attribute_visitor": true. In such a node, the shape [-2] means unknown rank. */
  bool is_constant, is_visited;
  bool out_of_memory;
} ng_attr_list;

static bool is_word(const char *name, const char *const *words) {
  for (; *words != NULL; words++)
    if (strcmp(name, *words) == 0)
      return true;
  return false;
}

/* ---- values of attributes ---- */

static bool has_inner_text(const ng_value *field) {
  return (ng_kind_of(field) & (NG_STRING | NG_ARRAY)) != 0;
}

/* Returns the decoded text of a string; for any other field, its text in the file, which is at `at`. */
static const char *plain_text(const ng_attr_list *list, const ng_value *field, ir_at at) {
  if (ng_kind_of(field) == NG_STRING)
    return ir_intern_text(list->reader->intern, ng_string_of(field), strlen(ng_string_of(field)));
  return ir_intern_text(list->reader->intern, ng_bytes(list->reader->tree, at), at.length);
}

/* Converts a Parameter's shape to the spelling of an IR: a null dim becomes `?`, an unknown rank `...`. Blanks replace
 * the rest of `null`, so that the places of the items stay correct. */
static const char *shape_text(const ng_attr_list *list, const ng_value *shape, ir_at at) {
  const ng_tree *tree = list->reader->tree;
  if (ng_kind_of(shape) == NG_NULL)
    return "... ";
  const ng_value *first = ng_first(shape);
  if (list->is_visited && first != NULL && ng_next(first) == NULL && ng_at(tree, first).length == 2 &&
      memcmp(ng_bytes(tree, ng_at(tree, first)), "-2", 2) == 0)
    return "...";
  char *text = ir_arena_text(&list->reader->graph->arena, ng_bytes(tree, at), at.length);
  for (const ng_value *item = first; text != NULL && item != NULL; item = ng_next(item))
    if (ng_kind_of(item) == NG_NULL)
      memcpy(text + (ng_at(tree, item).begin - at.begin), "?   ", 4);
  return text;
}

/* Returns the string that names an element type: field "c_type_string" if `type` is an object, else `type` itself. */
static const ng_value *type_string(ng_attr_list *list, const ng_value *type) {
  bool at_fault = false;
  return ng_kind_of(type) == NG_OBJECT
             ? ng_field(list->reader, &list->node->layer, type, "c_type_string", true, &at_fault)
             : type;
}

static bool are_strings(ng_attr_list *list, const ng_value *values) {
  for (const ng_value *item = ng_first(values); item != NULL; item = ng_next(item))
    if (ng_kind_of(item) != NG_STRING) {
      ng_report_kind(list->reader, &list->node->layer, item, "an item of 'value'", "a string, as in \"1.5\"");
      return false;
    }
  return true;
}

/* ---- attributes ---- */

static void add_attr(ng_attr_list *list, const ng_value *field) {
  ng_reader *reader = list->reader;
  ir_layer *layer = &list->node->layer;
  const char *name = ng_name_of(field);
  ir_raw_attr *attr = &layer->attrs[layer->n_attrs++];
  attr->name = ir_intern_text(reader->intern, name, strlen(name));
  attr->name_at = ng_name_at(reader->tree, field);
  attr->at = ng_at(reader->tree, field);
  list->out_of_memory = list->out_of_memory || attr->name == NULL;
  const bool is_shape = list->node->is_parameter && strcmp(name, "shape") == 0;
  const bool is_type = strcmp(name, "element_type") == 0;
  const bool is_value = strcmp(name, "value") == 0; /* only a Constant's 'value' has a fixed kind */
  bool fine = (is_value && !list->is_constant) || ng_check_kind(reader, layer, field);
  if (fine && is_value && list->is_constant)
    fine = are_strings(list, field);
  if (fine && is_type)
    field = type_string(list, field);
  if (!fine || field == NULL)
    return;
  attr->at = has_inner_text(field) ? ng_inner_at(reader->tree, field) : ng_at(reader->tree, field);
  attr->value = is_shape ? shape_text(list, field, attr->at) : plain_text(list, field, attr->at);
  list->out_of_memory = list->out_of_memory || attr->value == NULL;
}

/* Adds the attributes 'element_type' and 'shape' from 'value_type', an object that old files have instead. */
static void add_value_type(ng_attr_list *list, const ng_value *value_type) {
  static const char *const names[] = {"element_type", "shape"};
  for (size_t i = 0; i < 2; i++) {
    bool at_fault = false;
    const ng_value *field = ng_kind_of(value_type) == NG_OBJECT ? ng_member(value_type, names[i]) : NULL;
    if (field != NULL) {
      add_attr(list, field);
      continue;
    }
    if (ng_kind_of(value_type) == NG_OBJECT)
      ng_field(list->reader, &list->node->layer, value_type, names[i], true, &at_fault);
    list->node->layer.attrs[list->node->layer.n_attrs++] =
        (ir_raw_attr){.name = names[i], .at = ng_at(list->reader->tree, value_type)};
  }
}

static void add_fields(ng_attr_list *list) {
  /* read: fields that are not op-specific. passed: fields without effect. types: fields that only a Constant or
   * Parameter needs, because other ops infer them. */
  static const char *const read[] = {"name",   "friendly_name", "op",           "op_version",
                                     "inputs", "outputs",       "control_deps", NULL};
  static const char *const passed[] = {"type_info", "provenance_tags", "attribute_visitor", NULL};
  static const char *const types[] = {"value_type", "element_type", "shape", NULL};
  const ng_value *object = list->node->object;
  const bool has_type = list->is_constant || list->node->is_parameter;
  const ng_value *value_type = ng_member(object, "value_type");
  const bool is_old = has_type && value_type != NULL && ng_member(object, "element_type") == NULL;
  for (const ng_value *field = ng_first(object); field != NULL; field = ng_next(field)) {
    const char *name = ng_name_of(field);
    if (is_word(name, read) || ng_member(object, name) != field)
      continue;
    const bool is_value_type = is_old && field == value_type;
    if (is_word(name, passed) || is_value_type)
      ng_check_kind(list->reader, &list->node->layer, field);
    if (is_value_type)
      add_value_type(list, field);
    else if (!is_word(name, passed) && (!is_word(name, types) || (has_type && !is_old && field != value_type)))
      add_attr(list, field);
  }
}

/* ---- elements of a Constant in an archive ---- */

static ir_code read_data(ng_reader *reader, ng_node *node) {
  ir_layer *layer = &node->layer;
  ng_record *record = reader->archive == NULL ? NULL : ng_archive_find(reader->archive, node->name);
  if (record == NULL) {
    ir_where where = ng_where(reader, layer, layer->at);
    where.attribute = "value";
    ir_report_firm(reader->diags, IR204_MISSING_REQUIRED_ATTRIBUTE, where,
                   reader->archive == NULL
                       ? "the Constant '%s' has no field 'value'"
                       : "the Constant '%s' has no field 'value', and the archive no record of its name",
                   layer->name);
    layer->broken = true;
    return IR_OK;
  }
  layer->data_bytes = record->size;
  layer->data = record->bytes;
  if (record->used) /* by another function's Constant of the same name, or a node whose name is repeated */
    return IR_OK;
  void *bytes = ir_arena_alloc(&reader->graph->arena, (size_t)record->size);
  if (bytes == NULL && record->size > 0)
    return ir_out_of_memory(reader->diags);
  const int64_t n = ir_source_read(reader->graph->source, record->begin, bytes, record->size);
  if (n != record->size)
    return ir_report(reader->diags, IR701_FILE_NOT_READABLE,
                     (ir_where){.source = reader->graph->source, .at = IR_NOWHERE}, "cannot read the record '%s': %s",
                     record->name, n < 0 ? strerror(errno) : "the file became shorter while it was read");
  record->used = true;
  layer->data = record->bytes = bytes;
  return IR_OK;
}

/* ---- all attributes of a node ---- */

static bool is_true(const ng_tree *tree, const ng_value *field) {
  return field != NULL && ng_kind_of(field) == NG_BOOL && *ng_bytes(tree, ng_at(tree, field)) == 't';
}

ir_code ng_read_attrs(ng_reader *reader, ng_node *node) {
  size_t n = 1; /* one more than the fields, because a 'value_type' becomes two attributes */
  for (const ng_value *field = ng_first(node->object); field != NULL; field = ng_next(field))
    n++;
  ng_attr_list list = {.reader = reader, .node = node};
  list.is_constant = strcmp(node->layer.type, "Constant") == 0;
  list.is_visited = is_true(reader->tree, ng_member(node->object, "attribute_visitor"));
  node->layer.attrs = ir_arena_array(&reader->graph->arena, n, sizeof *node->layer.attrs);
  if (node->layer.attrs == NULL)
    return ir_out_of_memory(reader->diags);
  add_fields(&list);
  if (list.out_of_memory)
    return ir_out_of_memory(reader->diags);
  return list.is_constant && ng_member(node->object, "value") == NULL ? read_data(reader, node) : IR_OK;
}
