/* Reads the array of functions; the last function is the model. */
#include "base/limits.h"
#include "ng_reader.h"
#include <string.h>

/* Returns whether nGraph's functions have a field of this name. The last three fields have no effect, and irrun does
 * not read them. */
static bool is_function_field(const char *name) {
  static const char *const names[] = {"name",        "parameters",   "result",    "ops",
                                      "result_type", "result_shape", "value_type"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

static void report_unknown_fields(ng_reader *reader, const ng_value *function) {
  for (const ng_value *field = ng_first(function); field != NULL; field = ng_next(field)) {
    if (is_function_field(ng_name_of(field)))
      continue;
    ir_where where = ng_where(reader, NULL, ng_name_at(reader->tree, field));
    where.attribute = ng_name_of(field);
    ir_report(reader->diags, IR205_UNKNOWN_ATTRIBUTE, where,
              "unknown field '%s'; a function has 'name', 'parameters', 'result' and 'ops'", where.attribute);
  }
}

/* ---- nodes ---- */

/* Allocates `reader->nodes` for all items of all `ops`. If an item is no node, an entry of `reader->nodes` stays
 * unused. */
static ir_code make_nodes(ng_reader *reader) {
  size_t n = 0;
  for (const ng_value *function = ng_first(reader->tree->root); function != NULL; function = ng_next(function)) {
    const ng_value *ops = ng_kind_of(function) == NG_OBJECT ? ng_member(function, "ops") : NULL;
    n += ops != NULL && ng_kind_of(ops) == NG_ARRAY ? ng_count(ops) : 0;
  }
  if (n > (size_t)IR_MAX_LAYERS)
    return ir_report(reader->diags, IR004_LIMIT_EXCEEDED,
                     ng_where(reader, NULL, ng_at(reader->tree, reader->tree->root)), "more than %lld nodes",
                     (long long)IR_MAX_LAYERS);
  reader->nodes = ir_alloc_zero(reader->graph->memory, n, sizeof *reader->nodes);
  return reader->nodes == NULL ? ir_out_of_memory(reader->diags) : IR_OK;
}

static ir_code add_node(ng_reader *reader, const ng_value *object, int32_t function) {
  ng_node *node = &reader->nodes[reader->n_nodes];
  *node = (ng_node){.object = object, .name = "", .function = function};
  node->layer.id = (int64_t)reader->n_nodes++;
  return ng_read_node(reader, node);
}

static ir_code add_nodes(ng_reader *reader, const ng_value *ops, int32_t function) {
  for (const ng_value *item = ng_first(ops); item != NULL; item = ng_next(item)) {
    if (ng_kind_of(item) != NG_OBJECT) {
      ng_report_kind(reader, NULL, item, "a node", "an object");
      reader->names_unreliable = true;
      continue;
    }
    ir_code code = add_node(reader, item, function);
    if (code != IR_OK)
      return code;
  }
  return IR_OK;
}

/* If a function has `parameters`, `result` or `ops` twice, the second list is not read. A name that seems to be unknown
 * can be in the second list, so unknown names are not reported. */
static void distrust_repeated(ng_reader *reader, const ng_value *function) {
  static const char *const lists[] = {"parameters", "result", "ops"};
  for (const ng_value *field = ng_first(function); field != NULL; field = ng_next(field))
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
      if (strcmp(ng_name_of(field), lists[i]) == 0 && ng_member(function, lists[i]) != field)
        reader->names_unreliable = reader->lists_at_fault = true;
}

static ir_code read_function(ng_reader *reader, const ng_value *function, int32_t number, bool *at_fault) {
  if (ng_kind_of(function) != NG_OBJECT) {
    ng_report_kind(reader, NULL, function, "a function", "an object");
    *at_fault = true;
    return IR_OK;
  }
  const ng_value *name = ng_field(reader, NULL, function, "name", true, at_fault);
  if (name != NULL)
    reader->graph->name = ir_intern_text(reader->intern, ng_string_of(name), strlen(ng_string_of(name)));
  reader->graph->at = ng_at(reader->tree, function);
  ng_field(reader, NULL, function, "parameters", true, at_fault);
  ng_field(reader, NULL, function, "result", true, at_fault);
  const ng_value *ops = ng_field(reader, NULL, function, "ops", true, at_fault);
  report_unknown_fields(reader, function);
  distrust_repeated(reader, function);
  if (reader->graph->name == NULL)
    return ir_out_of_memory(reader->diags);
  return ops == NULL ? IR_OK : add_nodes(reader, ops, number);
}

/* ---- all functions ---- */

static ir_code report_top(ng_reader *reader, const char *found) {
  ir_code code = ir_report(reader->diags, IR012_FIELD_OF_WRONG_KIND,
                           ng_where(reader, NULL, ng_at(reader->tree, reader->tree->root)),
                           "the model is %s, expected an array of functions", found);
  ir_hint(reader->diags, "a function is an object with 'name', 'parameters', 'result' and 'ops'");
  return code;
}

static ir_code read_all(ng_reader *reader) {
  const ng_value *root = reader->tree->root;
  if (ng_kind_of(root) != NG_ARRAY)
    return report_top(reader, ng_kind_text(ng_kind_of(root)));
  if (ng_first(root) == NULL)
    return report_top(reader, "an empty array");
  ir_code made = make_nodes(reader);
  if (made != IR_OK)
    return made;
  bool at_fault = false;
  const ng_value *model = NULL;
  for (const ng_value *function = ng_first(root); function != NULL; function = ng_next(function)) {
    reader->last = model == NULL ? 0 : reader->last + 1;
    model = function;
    ir_code code = read_function(reader, function, reader->last, &at_fault);
    if (code != IR_OK)
      return code;
  }
  if (at_fault)
    return IR_INVALID;
  ir_code code = ng_link(reader, model);
  return code == IR_OK ? ng_add_layers(reader) : code;
}

ir_code ng_read_functions(ir_graph *graph, const ng_tree *tree, ng_archive *archive, ir_diags *diags) {
  const ir_memory *memory = graph->memory;
  ng_reader reader = {.graph = graph, .diags = diags, .tree = tree, .archive = archive};
  reader.intern = ir_alloc_zero(memory, 1, sizeof *reader.intern);
  ir_code code;
  if (reader.intern != NULL) {
    reader.intern->arena = &graph->arena;
    code = read_all(&reader);
  } else {
    code = ir_out_of_memory(diags);
  }
  ir_index_map_reset(&reader.names);
  ir_free(memory, reader.parameters.nodes);
  ir_free(memory, reader.parameters.items);
  ir_free(memory, reader.results.nodes);
  ir_free(memory, reader.results.items);
  ir_free(memory, reader.inputs);
  ir_free(memory, reader.nodes);
  ir_free(memory, reader.intern);
  return code;
}
