/* Converts nodes to layers and edges of the graph, in the order that ng_file.h states. */
#include "base/limits.h"
#include "ng_reader.h"

static ir_code add_layer(ng_reader *reader, const ir_layer *layer) {
  if (reader->graph->n_layers >= (size_t)IR_MAX_LAYERS)
    return ir_report(reader->diags, IR004_LIMIT_EXCEEDED, ng_where(reader, NULL, layer->at), "more than %lld layers",
                     (long long)IR_MAX_LAYERS);
  ir_layer *added = ir_graph_add_layer(reader->graph);
  if (added == NULL)
    return ir_out_of_memory(reader->diags);
  *added = *layer;
  return IR_OK;
}

static ir_code add_edge(ng_reader *reader, const ng_input *input, int64_t to_layer, ir_at to_layer_at,
                        int64_t to_port) {
  ir_graph *graph = reader->graph;
  if (graph->n_edges >= (size_t)IR_MAX_EDGES)
    return ir_report(reader->diags, IR004_LIMIT_EXCEEDED, ng_where(reader, NULL, input->at), "more than %lld inputs",
                     (long long)IR_MAX_EDGES);
  ir_edge *edge = ir_graph_add_edge(graph);
  if (edge == NULL)
    return ir_out_of_memory(reader->diags);
  *edge = (ir_edge){.from_layer = input->from < 0 ? -1 : reader->nodes[input->from].layer.id,
                    .from_port = input->port,
                    .to_layer = to_layer,
                    .to_port = to_port,
                    .at = input->at,
                    .from_layer_at = input->node_at,
                    .from_port_at = input->port_at,
                    .to_layer_at = to_layer_at,
                    .to_port_at = input->at};
  return IR_OK;
}

/* Adds `layer`, which is the node's own or a copy of that with another id, and an edge for each input. */
static ir_code add_node(ng_reader *reader, const ng_node *node, const ir_layer *layer) {
  ir_code code = add_layer(reader, layer);
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++)
    code = add_edge(reader, &reader->inputs[node->first_input + (size_t)i], layer->id, layer->id_at, i);
  return code;
}

/* Adds a Result for an item of `result` that names a node of another op. If the item names no node, `from` is -1, and
 * the Result is broken. */
static ir_code make_result(ng_reader *reader, int32_t from, const ng_value *item, int64_t id) {
  const ng_input input = {.from = from,
                          .at = ng_at(reader->tree, item),
                          .node_at = ng_inner_at(reader->tree, item),
                          .port_at = ng_inner_at(reader->tree, item)};
  ir_layer layer = {.id = id, .made = true, .n_inputs = 1, .broken = from < 0};
  layer.at = input.at;
  layer.id_at = layer.name_at = layer.type_at = layer.opset_at = input.node_at;
  layer.name = from < 0 ? "" : reader->nodes[from].layer.name;
  if (from >= 0 && reader->nodes[from].layer.outputs[0].names == NULL &&
      (layer.output_names = ng_name_list(reader, layer.name)) == NULL)
    return ir_out_of_memory(reader->diags);
  layer.type = ir_intern_text(reader->intern, "Result", 6);
  layer.opset = ir_intern_text(reader->intern, "0", 1);
  layer.inputs = ir_arena_array(&reader->graph->arena, 1, sizeof *layer.inputs);
  if (layer.type == NULL || layer.opset == NULL || layer.inputs == NULL)
    return ir_out_of_memory(reader->diags);
  layer.inputs[0] = (ir_port){.type = IR_DYNAMIC, .rank = IR_RANK_UNKNOWN, .at = input.at};
  ir_code code = add_layer(reader, &layer);
  return code == IR_OK ? add_edge(reader, &input, id, layer.id_at, 0) : code;
}

static ir_code add_results(ng_reader *reader) {
  const ng_list *list = &reader->results;
  int64_t id = (int64_t)reader->n_nodes;
  ir_code code = IR_OK;
  for (size_t i = 0; i < list->n && code == IR_OK; i++) {
    ng_node *node = list->nodes[i] < 0 ? NULL : &reader->nodes[list->nodes[i]];
    if (node == NULL || !node->is_result) {
      code = make_result(reader, list->nodes[i], list->items[i], id++);
      continue;
    }
    ir_layer layer = node->layer;
    /* A Result with several inputs is a fault, which is reported for its first layer. It gets no further layers, so
     * that a short list cannot create many edges. */
    if (!node->is_taken && node->n_inputs > 1)
      continue;
    if (!node->is_taken) { /* an earlier item of `result` has added the node's own layer */
      layer.made = true;
      layer.id = id++;
    }
    node->is_taken = false;
    code = add_node(reader, node, &layer);
  }
  return code;
}

ir_code ng_add_layers(ng_reader *reader) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < reader->parameters.n && code == IR_OK; i++) {
    const ng_node *node = &reader->nodes[reader->parameters.nodes[i]];
    code = add_node(reader, node, &node->layer);
  }
  for (size_t i = 0; i < reader->n_nodes && code == IR_OK; i++) {
    const ng_node *node = &reader->nodes[i];
    if (node->is_taken && !(node->listed && (node->is_parameter || node->is_result)))
      code = add_node(reader, node, &node->layer);
  }
  return code == IR_OK ? add_results(reader) : code;
}
