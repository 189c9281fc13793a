/* Links each input to the output that feeds it, by the layer ids and ports of the edges. A fault that follows from a
 * reported fault is not reported. */
#include "base/index_map.h"
#include "graph/layer_ids.h"
#include "runtime/model/model.h"
#include "runtime/model/name_checks.h"
#include "runtime/model/port_index.h"
#include <stdio.h>
#include <string.h>

/* Lost edges: edges that end at a layer that does not exist. A lost edge explains one unconnected input with the same
 * port id, which is then not reported. */
typedef struct lost_edges {
  ir_index_map map;        /* finds a port id in `ports` */
  int64_t *ports, *counts; /* port ids, and for each id the number of lost edges that explain no input yet */
  int32_t n;
  int64_t n_any; /* number of lost edges without a port id */
} lost_edges;

typedef struct linker {
  irrun_model *model;
  ir_diags *diags;
  ir_layer_ids ids;
  ir_port_index port_ids;
  const ir_edge **edge_of; /* for each input of each node: the edge that feeds it */
  size_t *first_port;      /* for each node: index in edge_of of its first input */
  lost_edges lost;
  bool out_of_memory;
  int64_t last_id;
} linker;

static ir_where layer_where(const linker *l, const ir_layer *layer, ir_at at) {
  return ir_layer_where(&l->model->graph, layer, at);
}

/* ---- ids ---- */

static void check_ids(linker *l) {
  ir_graph *graph = &l->model->graph;
  for (size_t i = 0; i < graph->n_layers; i++) {
    ir_layer *layer = &graph->layers[i];
    l->last_id = layer->id > l->last_id ? layer->id : l->last_id;
    if (layer->id < 0) {
      l->model->ids_unreliable = true;
      continue;
    }
    const int32_t before = ir_layer_ids_find(&l->ids, layer->id);
    if (before == (int32_t)i)
      continue;
    ir_report(l->diags, IR101_DUPLICATE_LAYER_ID, layer_where(l, layer, layer->id_at), "layer id %lld is already taken",
              (long long)layer->id);
    ir_note_layer(l->model, &graph->layers[before], graph->layers[before].id_at, "first by layer");
    l->model->ids_unreliable = true;
    l->model->nodes[before].broken = l->model->nodes[i].broken = true;
  }
}

/* ---- ports ---- */

static void check_port_counts(linker *l, int32_t index) {
  ir_node *node = &l->model->nodes[index];
  const ir_layer *layer = node->layer;
  if (node->op == NULL || ir_node_is_broken(node))
    return;
  int32_t n_in = ir_op_n_inputs(node->op), n_out = ir_op_n_outputs(node->op), least = ir_op_least_inputs(node->op);
  bool variadic = ir_op_any_inputs(node->op);
  if (layer->n_inputs < least || (layer->n_inputs > n_in && !variadic)) {
    char most[32] = "";
    if (least < n_in)
      snprintf(most, sizeof most, " or %d", n_in);
    ir_report(l->diags, IR110_PORT_COUNT_DIFFERS, layer_where(l, layer, layer->at),
              "the layer has %d input%s, %s-%d has %s%d%s", layer->n_inputs, layer->n_inputs == 1 ? "" : "s",
              node->op->type, node->op->version, variadic ? "at least " : "", least, most);
    node->broken = true;
  }
  if (layer->n_outputs > n_out && !ir_op_any_outputs(node->op)) {
    ir_report(l->diags, IR110_PORT_COUNT_DIFFERS, layer_where(l, layer, layer->outputs[n_out].at),
              "the layer has %d output%s, %s-%d has %d", layer->n_outputs, layer->n_outputs == 1 ? "" : "s",
              node->op->type, node->op->version, n_out);
    node->broken = true;
  }
}

/* ---- edges ---- */

static ir_where edge_where(const linker *l, ir_at at) {
  return (ir_where){.source = l->model->graph.source, .at = ir_span_of(at)};
}

/* Reports an edge with an unknown layer id. If ids are unreliable, reports nothing, because a layer with a faulty id
 * can be meant. */
static void report_unknown_layer(linker *l, ir_at at, int64_t id, const char *preposition) {
  if (l->model->ids_unreliable)
    return;
  ir_report(l->diags, IR103_EDGE_UNKNOWN_LAYER, edge_where(l, at),
            "edge %s layer %lld, which does not exist; last id is %lld", preposition, (long long)id,
            (long long)l->last_id);
}

static void list_ports(const ir_port *ports, int32_t n, char *buffer, size_t size) {
  size_t used = 0;
  snprintf(buffer, size, "none");
  for (int32_t i = 0; i < n && i < 16 && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld", i > 0 ? ", " : "", (long long)ports[i].id);
}

static void report_unknown_port(linker *l, const ir_edge *edge, const ir_layer *layer, bool output) {
  const ir_port *ports = output ? layer->outputs : layer->inputs;
  int32_t n = output ? layer->n_outputs : layer->n_inputs, number = (int32_t)(layer - l->model->graph.layers);
  int64_t id = output ? edge->from_port : edge->to_port;
  char list[256];
  list_ports(ports, n, list, sizeof list);
  if (l->model->graph.dialect == IR_NGRAPH) {
    ir_report(l->diags, IR104_EDGE_UNKNOWN_PORT, layer_where(l, layer, edge->from_port_at),
              "the input is output %lld of '%s', which has no such output; it has: %s", (long long)id, layer->name,
              list);
    return;
  }
  ir_report(l->diags, IR104_EDGE_UNKNOWN_PORT, layer_where(l, layer, output ? edge->from_port_at : edge->to_port_at),
            "edge %s port %lld of layer '%s' (id %lld), which is no %s port; it has: %s", output ? "from" : "to",
            (long long)id, layer->name, (long long)layer->id, output ? "output" : "input", list);
  if (ir_port_find(&l->port_ids, number, !output, id) >= 0)
    ir_hint(l->diags, "port %lld is one of its %s", (long long)id, output ? "inputs" : "outputs");
}

/* Returns the output where the edge begins. If there is no such output, returns IR_LINK_FAULTY, and reports the edge if
 * no earlier fault explains it. */
static ir_link resolve_from(linker *l, const ir_edge *edge, int32_t from) {
  ir_link faulty = {IR_LINK_FAULTY, 0};
  const ir_node *node = &l->model->nodes[from];
  if (ir_op_is(node->op, IR_RUN_OUTPUT)) {
    ir_report(l->diags, IR113_RESULT_HAS_CONSUMERS, layer_where(l, node->layer, edge->from_layer_at),
              "%s from the Result '%s' (id %lld); a Result ends the model",
              l->model->graph.dialect == IR_NGRAPH ? "input" : "edge", node->layer->name, (long long)node->layer->id);
    ir_hint(l->diags, "take it from the layer that feeds '%s'", node->layer->name);
    return faulty;
  }
  int32_t port = ir_port_find(&l->port_ids, from, true, edge->from_port);
  if (port < 0 && !node->layer->broken)
    report_unknown_port(l, edge, node->layer, true);
  if (port < 0 || node->broken || port >= node->n_outputs)
    return faulty;
  return (ir_link){from, port};
}

static bool same_port(const void *key, int32_t value, const void *user) {
  return ((const int64_t *)user)[value] == *(const int64_t *)key;
}

/* Allocates the tables of lost edges. Called at the first lost edge, because most models have none. */
static bool make_lost(linker *l) {
  const ir_graph *graph = &l->model->graph;
  lost_edges *lost = &l->lost;
  lost->ports = ir_alloc_zero(graph->memory, graph->n_edges, sizeof *lost->ports);
  lost->counts = ir_alloc_zero(graph->memory, graph->n_edges, sizeof *lost->counts);
  return lost->ports != NULL && lost->counts != NULL && ir_index_map_init(&lost->map, graph->memory, graph->n_edges);
}

static void lose(linker *l, const ir_edge *edge) {
  lost_edges *lost = &l->lost;
  l->out_of_memory = l->out_of_memory || (lost->ports == NULL && !make_lost(l));
  if (l->out_of_memory)
    return;
  if (edge->to_port < 0) {
    lost->n_any++;
    return;
  }
  lost->ports[lost->n] = edge->to_port;
  uint64_t hash = ir_hash_number(edge->to_port);
  int32_t before = ir_index_map_add(&lost->map, hash, &edge->to_port, lost->n, same_port, lost->ports);
  lost->counts[before < 0 ? lost->n : before]++;
  lost->n += before < 0;
}

/* Whether a lost edge can be the missing edge into a port with this id. Each lost edge counts for one port only. */
static bool excused(linker *l, int64_t port_id) {
  lost_edges *lost = &l->lost;
  if (lost->ports == NULL)
    return false;
  int32_t at = ir_index_map_find(&lost->map, ir_hash_number(port_id), &port_id, same_port, lost->ports);
  int64_t *count = at >= 0 && lost->counts[at] > 0 ? &lost->counts[at] : &lost->n_any;
  if (*count == 0)
    return false;
  --*count;
  return true;
}

/* Whether a number of the edge is missing (-1), which the reader reported. */
static bool is_told(const ir_edge *edge) {
  return edge->from_layer < 0 || edge->from_port < 0 || edge->to_layer < 0 || edge->to_port < 0;
}

static ir_link link_of(linker *l, const ir_edge *edge) {
  const ir_link faulty = {IR_LINK_FAULTY, 0};
  if (is_told(edge))
    return faulty;
  int32_t from = ir_layer_ids_find(&l->ids, edge->from_layer);
  if (from >= 0)
    return resolve_from(l, edge, from);
  report_unknown_layer(l, edge->from_layer_at, edge->from_layer, "from");
  return faulty;
}

/* Returns the input where the edge ends, and in `*out_taken` its entry in edge_of. If there is no such input, returns
 * NULL, and reports the edge if it has no fault yet. */
static ir_link *input_of(linker *l, const ir_edge *edge, bool faulty, const ir_edge ***out_taken) {
  int32_t to = ir_layer_ids_find(&l->ids, edge->to_layer);
  if (to < 0) {
    if (!faulty)
      report_unknown_layer(l, edge->to_layer_at, edge->to_layer, "to");
    lose(l, edge);
    return NULL;
  }
  ir_node *node = &l->model->nodes[to];
  int32_t port = ir_port_find(&l->port_ids, to, false, edge->to_port);
  if (port < 0) {
    if (!faulty && !ir_node_is_broken(node))
      report_unknown_port(l, edge, node->layer, false);
    node->broken = true;
    return NULL;
  }
  *out_taken = &l->edge_of[l->first_port[to] + (size_t)port];
  return &node->inputs[port];
}

static void connect(linker *l, const ir_edge *edge) {
  const ir_edge **taken;
  ir_link link = link_of(l, edge);
  bool faulty = link.layer == IR_LINK_FAULTY;
  l->model->links_faulty = l->model->links_faulty || faulty;
  ir_link *input = input_of(l, edge, faulty, &taken);
  if (input == NULL)
    return;
  /* if a faulty edge ends at a connected input, another input can be meant: ignore the edge */
  if (*taken != NULL && !faulty && input->layer != IR_LINK_FAULTY) {
    const ir_layer *layer = &l->model->graph.layers[ir_layer_ids_find(&l->ids, edge->to_layer)];
    ir_report(l->diags, IR106_INPUT_CONNECTED_TWICE, layer_where(l, layer, edge->at),
              "a second edge into port %lld of layer '%s' (id %lld)", (long long)edge->to_port, layer->name,
              (long long)layer->id);
    ir_note(l->diags, edge_where(l, (*taken)->at), "the first one, from layer %lld", (long long)(*taken)->from_layer);
    return;
  }
  if (*taken != NULL && faulty)
    return;
  *taken = edge;
  *input = link;
  if (!faulty && link.port < 64)
    l->model->nodes[link.layer].outputs_read |= UINT64_C(1) << link.port;
}

static bool is_linked(const ir_node *node) {
  return !ir_node_is_broken(node);
}

/* Index of the last connected input; -1 if there is none. */
static int32_t last_connected(const ir_node *node) {
  int32_t last = node->n_inputs - 1;
  while (last >= 0 && node->inputs[last].layer == IR_LINK_NONE)
    last--;
  return last;
}

/* Number of inputs that must be connected. If irrun lacks the op, unconnected inputs after the last connected one count
 * as optional. */
static int32_t needed_inputs(const ir_node *node, int32_t last) {
  return node->op == NULL && last >= 0 ? last : node->n_inputs;
}

static bool lacks_input(const ir_node *node) {
  const int32_t last = last_connected(node), n = needed_inputs(node, last);
  int32_t p = 0;
  while (p < n && node->inputs[p].layer != IR_LINK_NONE)
    p++;
  return is_linked(node) && p < n;
}

static void report_unconnected(linker *l, int32_t index) {
  ir_node *node = &l->model->nodes[index];
  const ir_layer *layer = node->layer;
  if (!is_linked(node))
    return;
  const int32_t last = last_connected(node), n = needed_inputs(node, last);
  for (int32_t p = 0; p < n; p++) {
    if (node->inputs[p].layer != IR_LINK_NONE || excused(l, layer->inputs[p].id))
      continue;
    if (p < last)
      ir_report(l->diags, IR110_PORT_COUNT_DIFFERS, layer_where(l, layer, layer->inputs[p].at),
                "input %d (port %lld) is left out, while input %d is connected", p, (long long)layer->inputs[p].id,
                last);
    else
      ir_report(l->diags, IR105_INPUT_NOT_CONNECTED, layer_where(l, layer, layer->inputs[p].at),
                "input %d (port %lld) of layer '%s' is not connected", p, (long long)layer->inputs[p].id, layer->name);
  }
}

/* Reports the unconnected inputs of all layers, if a live layer has an unconnected input, or if a link is faulty and
 * `live` is therefore unreliable. Otherwise only unneeded layers have unconnected inputs, and nothing is reported. */
static void check_connected(linker *l) {
  const irrun_model *model = l->model;
  bool matters = model->links_faulty;
  for (size_t i = 0; i < model->graph.n_layers && !matters; i++)
    matters = model->nodes[i].live && lacks_input(&model->nodes[i]);
  for (size_t i = 0; i < model->graph.n_layers && matters; i++)
    report_unconnected(l, (int32_t)i);
  l->model->links_faulty = l->model->links_faulty || matters;
}

static ir_code make_inputs(linker *l) {
  irrun_model *model = l->model;
  size_t n_ports = 0;
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    ir_node *node = &model->nodes[i];
    l->first_port[i] = n_ports;
    n_ports += (size_t)node->n_inputs;
    node->inputs = ir_arena_array(&model->arena, (size_t)node->n_inputs, sizeof *node->inputs);
    if (node->n_inputs > 0 && node->inputs == NULL)
      return ir_out_of_memory(l->diags);
    for (int32_t p = 0; p < node->n_inputs; p++)
      node->inputs[p] = (ir_link){IR_LINK_NONE, 0};
  }
  l->edge_of = ir_alloc_zero(model->graph.memory, n_ports + 1, sizeof *l->edge_of);
  return l->edge_of == NULL ? ir_out_of_memory(l->diags) : IR_OK;
}

static ir_code link_all(linker *l) {
  irrun_model *model = l->model;
  ir_graph *graph = &model->graph;
  int64_t errors_before = l->diags->n_errors;
  check_ids(l);
  ir_code code = make_inputs(l);
  if (code != IR_OK)
    return code;
  for (size_t i = 0; i < graph->n_layers; i++)
    check_port_counts(l, (int32_t)i);
  for (size_t i = 0; i < graph->n_edges; i++)
    connect(l, &graph->edges[i]);
  if (l->out_of_memory)
    return ir_out_of_memory(l->diags);
  model->links_faulty = model->links_faulty || model->ids_unreliable || l->diags->n_errors > errors_before ||
                        l->lost.n + l->lost.n_any > 0;
  for (size_t i = 0; i < graph->n_layers; i++)
    model->links_faulty = model->links_faulty || !is_linked(&model->nodes[i]);
  code = ir_model_find_live(model);
  if (code == IR_OK)
    check_connected(l);
  return code;
}

ir_code ir_model_link(irrun_model *model) {
  const ir_memory *memory = model->graph.memory;
  linker l = {.model = model, .diags = &model->context->diags, .last_id = -1};
  l.first_port = ir_alloc_zero(memory, model->graph.n_layers + 1, sizeof *l.first_port);
  bool room = l.first_port != NULL && ir_layer_ids_init(&l.ids, &model->graph) &&
              ir_port_index_init(&l.port_ids, &model->graph);
  ir_code code = room ? link_all(&l) : ir_out_of_memory(l.diags);
  ir_port_index_reset(&l.port_ids);
  ir_layer_ids_reset(&l.ids);
  ir_index_map_reset(&l.lost.map);
  ir_free(memory, l.lost.counts);
  ir_free(memory, l.lost.ports);
  ir_free(memory, l.first_port);
  ir_free(memory, l.edge_of);
  return code;
}
