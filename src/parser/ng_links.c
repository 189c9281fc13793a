/* Finds the nodes that names mean, and the nodes that belong to the model. */
#include "ng_reader.h"
#include <string.h>

static bool same_node(const void *key, int32_t value, const void *user) {
  return strcmp(((const ng_node *)user)[value].name, key) == 0;
}

static ir_code index_names(ng_reader *reader) {
  if (!ir_index_map_init(&reader->names, reader->graph->memory, reader->n_nodes))
    return ir_out_of_memory(reader->diags);
  for (size_t i = 0; i < reader->n_nodes; i++) {
    ng_node *node = &reader->nodes[i];
    if (*node->name == '\0')
      continue;
    const int32_t before =
        ir_index_map_add(&reader->names, ir_hash_text(node->name), node->name, (int32_t)i, same_node, reader->nodes);
    if (before < 0)
      continue;
    ir_report(reader->diags, IR114_NODE_NAME_REPEATED, ng_where(reader, &node->layer, node->layer.id_at),
              "the node name '%s' is already taken; inputs find nodes by it", node->name);
    ir_note(reader->diags, ng_where(reader, NULL, reader->nodes[before].layer.id_at), "first by this node");
    node->layer.broken = reader->nodes[before].layer.broken = true;
  }
  return IR_OK;
}

static int32_t find_node(const ng_reader *reader, const char *name) {
  return ir_index_map_find(&reader->names, ir_hash_text(name), name, same_node, reader->nodes);
}

/* ---- inputs ---- */

/* Adds the hint "did you mean" with the name of the first node before index `end` that is similar to `name`. */
static void hint_at_name(ng_reader *reader, const char *name, size_t end) {
  const char *near = NULL;
  if (reader->n_guesses++ >= IR_MAX_GUESSES)
    return;
  for (size_t i = 0; i < end && near == NULL; i++)
    near = ir_did_you_mean(name, &reader->nodes[i].name, 1);
  if (near != NULL)
    ir_hint(reader->diags, "did you mean '%s'?", near);
}

static void report_unknown(ng_reader *reader, const ir_layer *layer, ir_at at, const char *name, size_t end) {
  if (reader->names_unreliable)
    return;
  ir_report(reader->diags, IR103_EDGE_UNKNOWN_LAYER, ng_where(reader, layer, at), "no node is named '%s'", name);
  hint_at_name(reader, name, end);
}

/* Returns the node `name`, which must be before node `index` in the file. If there is no such node, reports the fault
 * and returns -1. */
static int32_t find_earlier(ng_reader *reader, int32_t index, const char *name, ir_at at) {
  const ir_layer *layer = &reader->nodes[index].layer;
  const int32_t from = find_node(reader, name);
  if (from < 0) {
    report_unknown(reader, layer, at, name, (size_t)index);
  } else if (from == index) {
    ir_report(reader->diags, IR107_CYCLE, ng_where(reader, layer, at), "node '%s' feeds itself", name);
  } else if (from > index) {
    ir_report(reader->diags, IR115_NODE_NAMED_TOO_EARLY, ng_where(reader, layer, at),
              "'%s' stands further down: a node may only name nodes before it", name);
    ir_note(reader->diags, ng_where(reader, NULL, reader->nodes[from].layer.id_at), "it is this node");
    ir_hint(reader->diags, "move it up; where nodes feed each other in a cycle, that is the fault");
  }
  return from < index ? from : -1;
}

static void link_inputs(ng_reader *reader, int32_t index) {
  ng_node *node = &reader->nodes[index];
  for (int32_t i = 0; i < node->n_inputs; i++) {
    ng_input *input = &reader->inputs[node->first_input + (size_t)i];
    input->from = input->name == NULL ? -1 : find_earlier(reader, index, input->name, input->node_at);
    node->layer.broken = node->layer.broken || input->from < 0;
  }
}

/* Checks that control dependencies name earlier nodes. irrun does not use the dependencies: nodes have no side effects,
 * so their order does not matter. */
static void check_control_deps(ng_reader *reader, int32_t index) {
  ng_node *node = &reader->nodes[index];
  bool at_fault = false;
  const ng_value *deps = ng_field(reader, &node->layer, node->object, "control_deps", false, &at_fault);
  const bool is_list = deps != NULL && ng_kind_of(deps) == NG_ARRAY;
  for (const ng_value *item = is_list ? ng_first(deps) : NULL; item != NULL; item = ng_next(item)) {
    if (ng_kind_of(item) == NG_STRING)
      find_earlier(reader, index, ng_string_of(item), ng_inner_at(reader->tree, item));
    else
      ng_report_kind(reader, &node->layer, item, "a control dependency", "the name of a node");
  }
}

/* ---- `parameters` and `result` ---- */

static ir_code read_list(ng_reader *reader, const ng_value *list, ng_list *out_list) {
  const size_t n = ng_count(list);
  out_list->nodes = ir_alloc_zero(reader->graph->memory, n + 1, sizeof *out_list->nodes);
  out_list->items = ir_alloc_zero(reader->graph->memory, n + 1, sizeof *out_list->items);
  if (out_list->nodes == NULL || out_list->items == NULL)
    return ir_out_of_memory(reader->diags);
  for (const ng_value *item = ng_first(list); item != NULL; item = ng_next(item)) {
    if (ng_kind_of(item) != NG_STRING) {
      ng_report_kind(reader, NULL, item, "an item of the list", "the name of a node");
      reader->lists_at_fault = true;
      out_list->nodes[out_list->n] = -1;
      out_list->items[out_list->n++] = item;
      continue;
    }
    const int32_t node = find_node(reader, ng_string_of(item));
    if (node < 0) {
      report_unknown(reader, NULL, ng_inner_at(reader->tree, item), ng_string_of(item), reader->n_nodes);
      reader->lists_at_fault = true;
    }
    out_list->nodes[out_list->n] = node;
    out_list->items[out_list->n++] = item;
  }
  return IR_OK;
}

static ir_at item_at(const ng_reader *reader, const ng_list *list, size_t i) {
  return ng_inner_at(reader->tree, list->items[i]);
}

/* Returns whether the node's op is missing or a misspelt `op`. If so, the fault is in the node, not in the list that
 * names the node. */
static bool may_be_meant(const ng_node *node, const char *op) {
  return *node->layer.type == '\0' || ir_misspells(node->layer.type, op);
}

/* Reports and removes items of `parameters` that are no Parameters, and repeated items. */
static void check_parameters(ng_reader *reader) {
  ng_list *list = &reader->parameters;
  size_t n = 0;
  for (size_t i = 0; i < list->n; i++) {
    if (list->nodes[i] < 0)
      continue;
    ng_node *node = &reader->nodes[list->nodes[i]];
    const ir_where where = ng_where(reader, &node->layer, item_at(reader, list, i));
    if (!node->is_parameter && !may_be_meant(node, "Parameter"))
      ir_report(reader->diags, IR116_PARAMETER_LIST_WRONG, where,
                "'parameters' names '%s', which is no Parameter but a %s", node->name, node->layer.type);
    else if (node->listed)
      ir_report(reader->diags, IR116_PARAMETER_LIST_WRONG, where, "'parameters' names '%s' a second time", node->name);
    if (!node->is_parameter || node->listed)
      continue;
    node->listed = true;
    list->nodes[n] = list->nodes[i];
    list->items[n++] = list->items[i];
  }
  list->n = n;
}

/* Checks that either all items of `result` are Results, or none is. */
static void check_results(ng_reader *reader) {
  const ng_list *list = &reader->results;
  const ng_node *first = NULL;
  bool reported = false;
  for (size_t i = 0; i < list->n; i++) {
    if (list->nodes[i] < 0)
      continue;
    ng_node *node = &reader->nodes[list->nodes[i]];
    if (!node->is_result && may_be_meant(node, "Result"))
      continue;
    first = first == NULL ? node : first;
    node->listed = node->listed || node->is_result;
    if (node->is_result == first->is_result || reported)
      continue;
    ir_report(reader->diags, IR117_RESULT_LIST_MIXED, ng_where(reader, &node->layer, item_at(reader, list, i)),
              "'result' names '%s', which is %s Result, and '%s' before it, which is %s", node->name,
              node->is_result ? "a" : "no", first->name, first->is_result ? "one" : "none");
    ir_hint(reader->diags, "name Results only, or nodes of other ops only");
    reported = true;
  }
}

/* ---- nodes that belong to the model ---- */

static void need_inputs(ng_reader *reader, const ng_node *node, bool taken) {
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const int32_t from = reader->inputs[node->first_input + (size_t)i].from;
    if (from < 0)
      continue;
    if (taken)
      reader->nodes[from].is_taken = true;
    else
      reader->nodes[from].needed = true;
  }
}

/* Marks the nodes on which an item of `result` depends. Inputs come from earlier nodes only, so one pass from the last
 * node to the first is enough. */
static void mark_needed(ng_reader *reader) {
  for (size_t i = 0; i < reader->results.n; i++)
    if (reader->results.nodes[i] >= 0)
      reader->nodes[reader->results.nodes[i]].needed = true;
  for (size_t i = reader->n_nodes; i-- > 0;)
    if (reader->nodes[i].needed)
      need_inputs(reader, &reader->nodes[i], false);
}

static void mark_unfed(ng_reader *reader) {
  for (size_t i = 0; i < reader->n_nodes; i++) {
    ng_node *node = &reader->nodes[i];
    node->unfed = node->is_parameter && !node->listed;
    for (int32_t k = 0; k < node->n_inputs; k++) {
      const int32_t from = reader->inputs[node->first_input + (size_t)k].from;
      node->unfed = node->unfed || (from >= 0 && reader->nodes[from].unfed);
    }
  }
}

static void mark_taken(ng_reader *reader) {
  for (size_t i = reader->n_nodes; i-- > 0;) {
    ng_node *node = &reader->nodes[i];
    const bool own = node->function == reader->last && !node->unfed && (!node->is_result || node->listed);
    node->is_taken = node->is_taken || node->needed || node->listed || own;
    if (node->is_taken)
      need_inputs(reader, node, true);
  }
}

static void report_left_out(ng_reader *reader) {
  int64_t n_others = 0;
  const ng_node *first = NULL;
  for (size_t i = 0; i < reader->n_nodes; i++) {
    const ng_node *node = &reader->nodes[i];
    const ir_where where = ng_where(reader, &node->layer, node->layer.id_at);
    if (node->is_parameter && node->unfed && node->needed) {
      if (!reader->lists_at_fault)
        ir_report(reader->diags, IR116_PARAMETER_LIST_WRONG, where,
                  "a result depends on the Parameter '%s', which is not listed in 'parameters'", node->name);
    } else if (node->function != reader->last && !node->is_taken) {
      first = n_others++ == 0 ? node : first;
    } else if (!node->is_taken && (node->is_parameter || node->is_result) && !reader->lists_at_fault) {
      ir_report(reader->diags, IR109_DEAD_LAYER, where, "the %s '%s' is not listed in '%s', and is left out",
                node->layer.type, node->name, node->is_parameter ? "parameters" : "result");
    }
  }
  if (first != NULL)
    ir_report(reader->diags, IR109_DEAD_LAYER, ng_where(reader, &first->layer, first->layer.id_at),
              "%lld node%s of functions that the last one, which is the model, does not need: the first is '%s'",
              (long long)n_others, n_others == 1 ? "" : "s", first->name);
}

ir_code ng_link(ng_reader *reader, const ng_value *model) {
  ir_code code = index_names(reader);
  if (code != IR_OK)
    return code;
  for (size_t i = 0; i < reader->n_nodes; i++) {
    link_inputs(reader, (int32_t)i);
    check_control_deps(reader, (int32_t)i);
  }
  code = read_list(reader, ng_member(model, "parameters"), &reader->parameters);
  if (code == IR_OK)
    code = read_list(reader, ng_member(model, "result"), &reader->results);
  if (code != IR_OK)
    return code;
  check_parameters(reader);
  check_results(reader);
  mark_needed(reader);
  mark_unfed(reader);
  mark_taken(reader);
  report_left_out(reader);
  return IR_OK;
}
