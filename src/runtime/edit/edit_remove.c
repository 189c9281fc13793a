/* Removes outputs, and the layers that nothing needs without them. */
#include "runtime/edit/editing.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Returns the ids of layers that added layers read, sorted; NULL if memory is out. */
static const int64_t *ids_read_by_added(ir_editing *e) {
  const ir_graph *added = &e->scope->added;
  int64_t *ids = ir_arena_array(&e->arena, added->n_edges + 1, sizeof *ids);
  for (size_t i = 0; i < added->n_edges && ids != NULL; i++)
    ids[i] = added->edges[i].from_layer;
  if (ids != NULL)
    qsort(ids, added->n_edges, sizeof *ids, by_id);
  return ids;
}

/* Sets is_dropped of the layers that were live and are needed no more. Inputs stay: they are the model's interface. */
static bool find_dropped(ir_editing *e) {
  const irrun_model *model = e->scope->model;
  const size_t n = model->graph.n_layers;
  const int64_t *read = ids_read_by_added(e);
  bool *needed = ir_arena_array(&e->arena, n + 1, sizeof *needed);
  int32_t *stack = ir_arena_array(&e->arena, n + 1, sizeof *stack), n_stack = 0;
  if (read == NULL || needed == NULL || stack == NULL)
    return false;
  for (size_t i = 0; i < n; i++) {
    const ir_node *node = &model->nodes[i];
    const bool ends = node->n_outputs == 0 || ir_op_is(node->op, IR_RUN_OUTPUT) || ir_op_is(node->op, IR_RUN_INPUT) ||
                      strcmp(node->layer->type, "Assign") == 0;
    if ((ends && !e->scope->is_dropped[i]) ||
        bsearch(&node->layer->id, read, e->scope->added.n_edges, sizeof *read, by_id) != NULL)
      stack[n_stack++] = (int32_t)i;
  }
  ir_mark_needed(model->nodes, stack, n_stack, NULL, needed);
  for (size_t i = 0; i < n; i++)
    e->scope->is_dropped[i] = e->scope->is_dropped[i] || (model->nodes[i].live && !needed[i]);
  return true;
}

/* Reports if no output is left. */
static ir_code check_outputs(const ir_editing *e) {
  for (int32_t i = 0; i < e->scope->model->n_outputs; i++)
    if (!e->scope->is_dropped[e->scope->model->outputs[i]])
      return IR_OK;
  for (size_t i = 0; i < e->scope->added.n_layers; i++)
    if (strcmp(e->scope->added.layers[i].type, "Result") == 0)
      return IR_OK;
  ir_code code = ir_report(e->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                           "the edits drop every output, and a model needs one");
  ir_hint(e->diags, "make another tensor an output: --edit 'NAME: output'");
  return code;
}

ir_code ir_remove_dropped(ir_editing *e) {
  const ir_graph *graph = &e->scope->model->graph;
  bool any = false;
  for (size_t i = 0; i < graph->n_layers; i++)
    any = any || e->scope->is_dropped[i];
  if (!any)
    return IR_OK;
  int64_t *ids = ir_arena_array(&e->arena, graph->n_layers, sizeof *ids), *sources = NULL;
  size_t n = 0, n_sources = 0;
  if (ids != NULL)
    sources = ir_arena_array(&e->arena, graph->n_layers, sizeof *sources);
  if (sources == NULL || !find_dropped(e))
    return ir_out_of_memory(e->diags);
  ir_code code = e->scope != e->scopes || e->scope->model->n_outputs == 0 ? IR_OK : check_outputs(e);
  for (size_t i = 0; i < graph->n_layers && code == IR_OK; i++) {
    if (!e->scope->is_dropped[i])
      continue;
    ids[n++] = graph->layers[i].id;
    if (!e->scope->is_replaced[i])
      sources[n_sources++] = graph->layers[i].id;
    code = ir_remove_element(e, graph->layers[i].at);
  }
  qsort(ids, n, sizeof *ids, by_id);
  qsort(sources, n_sources, sizeof *sources, by_id);
  for (size_t i = 0; i < graph->n_edges && code == IR_OK; i++) {
    const ir_edge *edge = &graph->edges[i];
    if (bsearch(&edge->from_layer, sources, n_sources, sizeof *sources, by_id) != NULL ||
        bsearch(&edge->to_layer, ids, n, sizeof *ids, by_id) != NULL)
      code = ir_remove_element(e, edge->at);
  }
  return code;
}
