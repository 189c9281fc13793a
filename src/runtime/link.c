/* Layer ids, ports and edges -> which output feeds which input. One fault, one report: what merely follows from another
 * is left out. */
#include "runtime/index_map.h"
#include "runtime/model.h"
#include <stdio.h>
#include <string.h>

typedef struct linker {
  irrun_model *model;
  ir_diags *diags;
  ir_index_map ids;
  const ir_edge **edge_of; /* of every input port, the edge that feeds it */
  size_t *first_port;      /* of node i in edge_of */
  int64_t n_lost;          /* edges that lead to no layer */
  const ir_edge **lost;
} linker;

static bool same_id(const void *key, int32_t value, const void *user) {
  return ((const ir_layer *)user)[value].id == *(const int64_t *)key;
}

static bool same_name(const void *key, int32_t value, const void *user) {
  return strcmp(((const ir_layer *)user)[value].name, key) == 0;
}

static ir_where layer_where(const linker *l, const ir_layer *layer, ir_at at) {
  return ir_layer_where(&l->model->graph, layer, at);
}

static void note_first(linker *l, const ir_layer *first, ir_at at, const char *what) {
  ir_note(l->diags, (ir_where){.source = l->model->graph.source, .at = ir_span_of(at)}, "%s '%s' (id %lld)", what,
          first->name, (long long)first->id);
}

/* ---- ids and names ---- */

static void index_ids(linker *l) {
  ir_graph *graph = &l->model->graph;
  for (size_t i = 0; i < graph->n_layers; i++) {
    ir_layer *layer = &graph->layers[i];
    if (layer->id < 0) {
      l->model->links_faulty = true;
      continue;
    }
    int32_t before =
        ir_index_map_add(&l->ids, ir_hash_number(layer->id), &layer->id, (int32_t)i, same_id, graph->layers);
    if (before < 0)
      continue;
    ir_report(l->diags, IR101_DUPLICATE_LAYER_ID, layer_where(l, layer, layer->id_at), "layer id %lld is already taken",
              (long long)layer->id);
    note_first(l, &graph->layers[before], graph->layers[before].id_at, "first by layer");
    l->model->links_faulty = true;
    l->model->nodes[before].broken = l->model->nodes[i].broken = true;
  }
}

static ir_code check_names(linker *l) {
  ir_graph *graph = &l->model->graph;
  ir_index_map names;
  if (!ir_index_map_init(&names, graph->memory, graph->n_layers))
    return ir_out_of_memory(l->diags);
  for (size_t i = 0; i < graph->n_layers; i++) {
    const ir_layer *layer = &graph->layers[i];
    if (layer->name[0] == '\0')
      continue;
    int32_t before =
        ir_index_map_add(&names, ir_hash_text(layer->name), layer->name, (int32_t)i, same_name, graph->layers);
    if (before < 0)
      continue;
    ir_report(l->diags, IR102_DUPLICATE_LAYER_NAME, layer_where(l, layer, layer->name_at),
              "layer name '%s' is already taken; --input and --output cannot tell the two apart", layer->name);
    note_first(l, &graph->layers[before], graph->layers[before].name_at, "first by layer");
  }
  ir_index_map_reset(&names);
  return IR_OK;
}

/* ---- tensor names ---- */

typedef struct tensor_name {
  const char *name;
  int32_t layer, port;
} tensor_name;

static bool same_tensor_name(const void *key, int32_t value, const void *user) {
  return strcmp(((const tensor_name *)user)[value].name, key) == 0;
}

static size_t count_tensor_names(const ir_graph *graph) {
  size_t n = 0;
  for (size_t i = 0; i < graph->n_layers; i++)
    for (int32_t p = 0; p < graph->layers[i].n_outputs; p++) {
      const char *names = graph->layers[i].outputs[p].names;
      for (const char *c = names; c != NULL && *c != '\0'; c++)
        n += *c == ',';
      n += names != NULL;
    }
  return n;
}

static void add_port_names(linker *l, ir_index_map *map, tensor_name *list, int32_t *n, int32_t layer_index,
                           int32_t port) {
  const ir_layer *layer = &l->model->graph.layers[layer_index];
  const ir_port *declared = &layer->outputs[port];
  const char *cursor = declared->names;
  char name[IR_MAX_MESSAGE];
  while (ir_next_tensor_name(&cursor, name, sizeof name)) {
    char *copy = ir_arena_text(&l->model->arena, name, strlen(name));
    if (copy == NULL)
      return;
    list[*n] = (tensor_name){copy, layer_index, port};
    int32_t before = ir_index_map_add(map, ir_hash_text(copy), copy, *n, same_tensor_name, list);
    if (before < 0) {
      ++*n;
      continue;
    }
    const tensor_name *first = &list[before];
    if (first->layer == layer_index && first->port == port)
      continue;
    ir_report(l->diags, IR112_TENSOR_NAME_REPEATED, layer_where(l, layer, declared->names_at),
              "tensor name '%s' is already taken", copy);
    const ir_layer *other = &l->model->graph.layers[first->layer];
    note_first(l, other, other->outputs[first->port].names_at, "first by an output of layer");
  }
}

static ir_code check_tensor_names(linker *l) {
  const ir_graph *graph = &l->model->graph;
  size_t n_names = count_tensor_names(graph);
  if (n_names == 0)
    return IR_OK;
  ir_index_map map = {.cells = NULL};
  tensor_name *list = ir_arena_array(&l->model->arena, n_names, sizeof *list);
  if (list == NULL || !ir_index_map_init(&map, graph->memory, n_names))
    return ir_out_of_memory(l->diags);
  int32_t n = 0;
  for (size_t i = 0; i < graph->n_layers; i++)
    for (int32_t p = 0; p < graph->layers[i].n_outputs; p++)
      if (graph->layers[i].outputs[p].names != NULL)
        add_port_names(l, &map, list, &n, (int32_t)i, p);
  ir_index_map_reset(&map);
  return IR_OK;
}

/* ---- ports ---- */

static int32_t port_of(const ir_port *ports, int32_t n, int64_t id) {
  for (int32_t i = 0; i < n; i++)
    if (ports[i].id == id)
      return i;
  return -1;
}

static int32_t n_specs(const ir_port_spec *specs) {
  int32_t n = 0;
  while (n < IR_MAX_OP_PORTS && specs[n].name != NULL)
    n++;
  return n;
}

static void check_port_counts(linker *l, int32_t index) {
  ir_node *node = &l->model->nodes[index];
  const ir_layer *layer = node->layer;
  if (node->op == NULL || layer->broken || node->broken)
    return;
  int32_t n_in = n_specs(node->op->inputs), n_out = n_specs(node->op->outputs);
  bool variadic = n_in > 0 && node->op->inputs[n_in - 1].variadic;
  if (layer->n_inputs < n_in || (layer->n_inputs > n_in && !variadic)) {
    ir_report(l->diags, IR110_PORT_COUNT_DIFFERS, layer_where(l, layer, layer->at),
              "the layer has %d input%s, %s-%d has %s%d", layer->n_inputs, layer->n_inputs == 1 ? "" : "s",
              node->op->type, node->op->version, variadic ? "at least " : "", n_in);
    node->broken = true;
  }
  if (layer->n_outputs > n_out) {
    ir_report(l->diags, IR110_PORT_COUNT_DIFFERS, layer_where(l, layer, layer->outputs[n_out].at),
              "the layer has %d outputs, %s-%d has %d", layer->n_outputs, node->op->type, node->op->version, n_out);
    node->broken = true;
  }
}

/* ---- edges ---- */

static ir_where edge_where(const linker *l, ir_at at) {
  return (ir_where){.source = l->model->graph.source, .at = ir_span_of(at)};
}

static int32_t layer_of(const linker *l, int64_t id) {
  return ir_index_map_find(&l->ids, ir_hash_number(id), &id, same_id, l->model->graph.layers);
}

/* An id that no layer has may be the one that a faulty layer should have. */
static void report_unknown_layer(linker *l, ir_at at, int64_t id, const char *preposition) {
  if (l->model->links_faulty)
    return;
  const ir_graph *graph = &l->model->graph;
  int64_t last = -1;
  for (size_t i = 0; i < graph->n_layers; i++)
    last = graph->layers[i].id > last ? graph->layers[i].id : last;
  ir_report(l->diags, IR103_EDGE_UNKNOWN_LAYER, edge_where(l, at),
            "edge %s layer %lld, which does not exist; last id is %lld", preposition, (long long)id, (long long)last);
}

static void list_ports(const ir_port *ports, int32_t n, char *buffer, size_t size) {
  size_t used = 0;
  snprintf(buffer, size, "none");
  for (int32_t i = 0; i < n && i < 16 && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld", i > 0 ? ", " : "", (long long)ports[i].id);
}

static void report_unknown_port(linker *l, const ir_edge *edge, const ir_layer *layer, bool output) {
  const ir_port *ports = output ? layer->outputs : layer->inputs;
  const ir_port *others = output ? layer->inputs : layer->outputs;
  int32_t n = output ? layer->n_outputs : layer->n_inputs, n_others = output ? layer->n_inputs : layer->n_outputs;
  int64_t id = output ? edge->from_port : edge->to_port;
  char list[256];
  list_ports(ports, n, list, sizeof list);
  ir_report(l->diags, IR104_EDGE_UNKNOWN_PORT, layer_where(l, layer, output ? edge->from_port_at : edge->to_port_at),
            "edge %s port %lld of layer '%s' (id %lld), which is no %s port; it has: %s", output ? "from" : "to",
            (long long)id, layer->name, (long long)layer->id, output ? "output" : "input", list);
  if (port_of(others, n_others, id) >= 0)
    ir_hint(l->diags, "port %lld is one of its %s", (long long)id, output ? "inputs" : "outputs");
}

/* The output that the edge begins at; layer IR_LINK_FAULTY when there is none, reported unless it follows from another
 * fault. */
static ir_link resolve_from(linker *l, const ir_edge *edge, int32_t from) {
  ir_link faulty = {IR_LINK_FAULTY, 0};
  const ir_node *node = &l->model->nodes[from];
  if (node->op != NULL && node->op->role == IR_ROLE_OUTPUT) {
    ir_report(l->diags, IR113_RESULT_HAS_CONSUMERS, layer_where(l, node->layer, edge->from_layer_at),
              "edge from the Result '%s' (id %lld); a Result ends the model", node->layer->name,
              (long long)node->layer->id);
    ir_hint(l->diags, "take the edge from the layer that feeds '%s'", node->layer->name);
    return faulty;
  }
  int32_t port = port_of(node->layer->outputs, node->layer->n_outputs, edge->from_port);
  if (port < 0 && !node->layer->broken)
    report_unknown_port(l, edge, node->layer, true);
  if (port < 0 || node->broken || port >= node->n_outputs)
    return faulty;
  return (ir_link){from, port};
}

static void connect(linker *l, const ir_edge *edge) {
  int32_t from = layer_of(l, edge->from_layer), to = layer_of(l, edge->to_layer);
  if (from < 0)
    report_unknown_layer(l, edge->from_layer_at, edge->from_layer, "from");
  else if (to < 0)
    report_unknown_layer(l, edge->to_layer_at, edge->to_layer, "to");
  if (to < 0) {
    l->lost[l->n_lost++] = edge;
    return;
  }
  ir_link link = from < 0 ? (ir_link){IR_LINK_FAULTY, 0} : resolve_from(l, edge, from);
  ir_node *node = &l->model->nodes[to];
  int32_t port = port_of(node->layer->inputs, node->layer->n_inputs, edge->to_port);
  if (port < 0) {
    if (!node->broken && !node->layer->broken)
      report_unknown_port(l, edge, node->layer, false);
    node->broken = true;
    return;
  }
  const ir_edge **taken = &l->edge_of[l->first_port[to] + (size_t)port];
  if (*taken != NULL && link.layer == IR_LINK_FAULTY)
    return; /* the edge was reported already */
  if (*taken != NULL) {
    ir_report(l->diags, IR106_INPUT_CONNECTED_TWICE, layer_where(l, node->layer, edge->at),
              "a second edge into port %lld of layer '%s' (id %lld)", (long long)edge->to_port, node->layer->name,
              (long long)node->layer->id);
    ir_note(l->diags, edge_where(l, (*taken)->at), "the first one, from layer %lld", (long long)(*taken)->from_layer);
    return;
  }
  *taken = edge;
  node->inputs[port] = link;
}

/* A lost edge may be the one that a port misses. */
static bool excused(linker *l, int64_t port_id) {
  for (int64_t i = 0; i < l->n_lost; i++)
    if (l->lost[i] != NULL && l->lost[i]->to_port == port_id) {
      l->lost[i] = NULL;
      return true;
    }
  return false;
}

static void check_connected(linker *l, int32_t index) {
  ir_node *node = &l->model->nodes[index];
  const ir_layer *layer = node->layer;
  if (node->broken || layer->broken || l->model->graph.edges_incomplete)
    return;
  int32_t last = -1;
  for (int32_t p = 0; p < layer->n_inputs; p++)
    if (node->inputs[p].layer != IR_LINK_NONE)
      last = p;
  for (int32_t p = 0; p < layer->n_inputs; p++) {
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
  index_ids(l);
  ir_code code = make_inputs(l);
  if (code == IR_OK)
    code = check_names(l);
  if (code == IR_OK)
    code = check_tensor_names(l);
  if (code != IR_OK)
    return code;
  for (size_t i = 0; i < graph->n_layers; i++)
    check_port_counts(l, (int32_t)i);
  for (size_t i = 0; i < graph->n_edges; i++)
    connect(l, &graph->edges[i]);
  for (size_t i = 0; i < graph->n_layers && !model->links_faulty; i++)
    check_connected(l, (int32_t)i);
  if (l->diags->n_errors > errors_before || graph->edges_incomplete)
    model->links_faulty = true;
  return IR_OK;
}

ir_code ir_model_link(irrun_model *model) {
  const ir_memory *memory = model->graph.memory;
  linker l = {.model = model, .diags = &model->context->diags};
  ir_code code = IR_IO;
  l.first_port = ir_alloc_zero(memory, model->graph.n_layers + 1, sizeof *l.first_port);
  l.lost = ir_alloc_zero(memory, model->graph.n_edges + 1, sizeof *l.lost);
  if (l.first_port != NULL && l.lost != NULL && ir_index_map_init(&l.ids, memory, model->graph.n_layers))
    code = link_all(&l);
  else
    ir_out_of_memory(l.diags);
  ir_index_map_reset(&l.ids);
  ir_free(memory, l.lost);
  ir_free(memory, l.first_port);
  ir_free(memory, l.edge_of);
  return code;
}
