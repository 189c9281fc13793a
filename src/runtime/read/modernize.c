#include "runtime/read/modernize.h"
#include "graph/layer_ids.h"
#include "ops/bind.h"
#include "ops/legacy/expansion.h"
#include "ops/registry.h"
#include "runtime/read/legacy_bodies.h"
#include <string.h>
#include <strings.h>

/* The state of modernizing one graph. */
typedef struct modernizer {
  irrun_model *model; /* the model that is read */
  irrun_model old;    /* a model of the old layers, for its nodes and links */
  ir_graph *graph;    /* gets the new layers */
  ir_expansion x;
  ir_scope scope;
} modernizer;

/* A repeated id was reported. Without it, the layer that takes the place is not reported again. */
static bool drop_repeated_ids(ir_graph *graph) {
  ir_layer_ids ids;
  if (!ir_layer_ids_init(&ids, graph))
    return false;
  for (size_t i = 0; i < graph->n_layers; i++) {
    ir_layer *layer = &graph->layers[i];
    if (layer->id >= 0 && ir_layer_ids_find(&ids, layer->id) != (int32_t)i)
      layer->id = -1;
  }
  ir_layer_ids_reset(&ids);
  return true;
}

/* Looks up, links and binds the old layers. The layers and edges move to `old`. */
static ir_code make_nodes(modernizer *m) {
  irrun_context *context = m->model->context;
  m->old = (irrun_model){.context = context, .purpose = m->model->purpose, .graph = *m->graph};
  ir_arena_init(&m->old.arena, &context->memory, (size_t)IR_MAX_ARENA_BYTES);
  m->graph->layers = NULL;
  m->graph->edges = NULL;
  m->graph->n_layers = m->graph->layers_capacity = m->graph->n_edges = m->graph->edges_capacity = 0;
  ir_code code = ir_model_lookup(&m->old);
  if (code != IR_NO_MEMORY)
    code = ir_model_link(&m->old);
  if (code != IR_NO_MEMORY && m->old.ids_unreliable && !drop_repeated_ids(&m->old.graph))
    code = ir_out_of_memory(&context->diags);
  m->scope = ir_model_scope(&m->old);
  for (size_t i = 0; i < m->old.graph.n_layers && code != IR_NO_MEMORY; i++)
    if (m->old.nodes[i].op != NULL)
      code = ir_bind_attributes(&m->old.nodes[i], &m->scope);
  return code == IR_NO_MEMORY ? code : IR_OK;
}

/* Makes a layer of the old type, which gives all outputs. Without an opset, its fault was reported and nothing is
 * concluded from it. With the opset "legacy", it counts as a layer of an extension: its declarations are believed. */
static void stand_in(ir_expansion *x, const char *opset) {
  const ir_layer *old = x->node->layer;
  const ir_wire made = ir_new_op(x, old->type, 1, old->n_outputs, x->node->n_inputs, ir_old_inputs(x));
  if (x->failed)
    return;
  x->graph->layers[made.layer].opset = opset;
  x->graph->layers[made.layer].broken = old->broken || x->node->broken;
  for (int32_t p = 0; p < old->n_outputs; p++)
    ir_give_output(x, p, ir_port_of(made, p));
}

/* Whether the type misspells one that old IRs have; then reports it. */
static bool is_misspelt(const modernizer *m, const ir_node *node) {
  const ir_op_match match = ir_op_find(IR_LEGACY, node->layer->type, "");
  if (match.result != IR_OP_UNKNOWN_TYPE)
    return false;
  ir_report(m->scope.diags, IR201_UNKNOWN_OP, ir_layer_where(&m->old.graph, node->layer, node->layer->type_at),
            "no layer of IR versions 2 to 7 has the type '%s'", node->layer->type);
  ir_hint(m->scope.diags, "did you mean '%s'?", match.meant);
  return true;
}

/* Moves the bodies of the old layer to the layer that was made first for it. */
static void move_bodies(ir_expansion *x) {
  const ir_layer *old = x->node->layer;
  if (x->failed || old->bodies == NULL || x->first == x->graph->n_layers)
    return;
  x->graph->layers[x->first].bodies = old->bodies;
  for (int i = 0; i < IR_MOST_BODIES; i++)
    if (old->bodies->graphs[i] != NULL)
      old->bodies->graphs[i]->owner = x->first;
}

/* Reports an output for which the expansion makes nothing, such as the counts of a Unique without return_counts. An
 * expansion that makes no output at all has refused the layer. */
static void check_outputs(const modernizer *m, const ir_node *node) {
  const ir_wire *made = m->x.outputs[node - m->old.nodes];
  const ir_layer *layer = node->layer;
  int32_t n = 0;
  while (n < layer->n_outputs && made[n].layer >= 0)
    n++;
  if (n > 0 && n < layer->n_outputs && !m->x.failed)
    ir_report(m->scope.diags, IR110_PORT_COUNT_DIFFERS, ir_layer_where(&m->old.graph, layer, layer->outputs[n].at),
              "the layer has %d outputs; the attributes of %s give %d", layer->n_outputs, layer->type, n);
}

static void expand(modernizer *m, const ir_node *node) {
  ir_expansion *x = &m->x;
  ir_expansion_begin(x, node);
  const int64_t before = m->scope.diags->n_errors;
  const size_t n_edges = x->n_edges;
  const bool is_misnamed = node->op == NULL && is_misspelt(m, node);
  const bool is_faulty = is_misnamed || ir_node_is_broken(node) || node->attrs_at_fault != 0;
  if (is_faulty || node->op == NULL) {
    stand_in(x, is_faulty ? "" : IR_OLD_OPSET);
  } else {
    node->op->expand(x);
    if (m->scope.diags->n_errors == before)
      check_outputs(m, node);
    /* an expansion that reported a fault can leave outputs without a layer */
    if (m->scope.diags->n_errors > before) {
      x->graph->n_layers = x->first;
      x->n_edges = n_edges;
      ir_expansion_begin(x, node);
      stand_in(x, "");
    }
  }
  move_bodies(x);
}

/* Whether each output of the old layers is read: is_read[i][p] of output p of layer i; NULL if memory is out. */
static bool **find_read(modernizer *m) {
  const size_t n = m->old.graph.n_layers;
  bool **is_read = ir_arena_array(&m->old.arena, n + 1, sizeof *is_read);
  for (size_t i = 0; i < n && is_read != NULL; i++) {
    is_read[i] = ir_arena_array(&m->old.arena, (size_t)m->old.graph.layers[i].n_outputs + 1, sizeof **is_read);
    if (is_read[i] == NULL)
      return NULL;
  }
  for (size_t i = 0; i < n && is_read != NULL; i++)
    for (int32_t k = 0; k < m->old.nodes[i].n_inputs; k++)
      if (m->old.nodes[i].inputs[k].layer >= 0)
        is_read[m->old.nodes[i].inputs[k].layer][m->old.nodes[i].inputs[k].port] = true;
  return is_read;
}

/* Adds a Result for each output that nobody reads, as the tools of the time did. */
static void add_results(modernizer *m) {
  bool **is_read = find_read(m);
  m->x.failed = m->x.failed || is_read == NULL;
  for (size_t i = 0; i < m->old.graph.n_layers && !m->x.failed; i++) {
    const ir_node *node = &m->old.nodes[i];
    ir_expansion_begin(&m->x, node);
    for (int32_t p = 0; p < node->layer->n_outputs; p++)
      if (!is_read[i][p])
        ir_new_op(&m->x, "Result", 1, 0, 1, &(ir_wire){(int32_t)i, p, true});
  }
}

/* The output of a new layer that a wire leads to; `layer` is -1 if there is none. */
static ir_wire resolve(const modernizer *m, ir_wire wire) {
  for (size_t n = 0; wire.layer >= 0 && wire.is_old; n++)
    wire = n <= m->old.graph.n_layers ? m->x.outputs[wire.layer][wire.port] : (ir_wire){.layer = -1};
  return wire;
}

static bool write_edges(modernizer *m) {
  for (size_t i = 0; i < m->x.n_edges; i++) {
    const ir_made_edge *made = &m->x.edges[i];
    const ir_wire from = resolve(m, made->from);
    ir_layer *to = &m->graph->layers[made->layer];
    if (from.layer < 0) {
      to->broken = true;
      continue;
    }
    ir_edge *edge = ir_graph_add_edge(m->graph);
    if (edge == NULL)
      return false;
    const ir_layer *source = &m->graph->layers[from.layer];
    *edge = (ir_edge){.from_layer = source->id, .to_layer = to->id, .at = to->at};
    edge->from_port = source->outputs[from.port].id;
    edge->to_port = to->inputs[made->port].id;
  }
  return true;
}

/* Makes room for what takes the place of each old output. */
static bool make_outputs(modernizer *m) {
  const size_t n = m->old.graph.n_layers;
  m->x.outputs = ir_arena_array(&m->old.arena, n + 1, sizeof *m->x.outputs);
  for (size_t i = 0; m->x.outputs != NULL && i < n; i++) {
    const int32_t n_outputs = m->old.graph.layers[i].n_outputs;
    ir_wire *outputs = m->x.outputs[i] = ir_arena_array(&m->old.arena, (size_t)n_outputs + 1, sizeof *outputs);
    if (outputs == NULL)
      return false;
    for (int32_t p = 0; p < n_outputs; p++)
      outputs[p] = (ir_wire){.layer = -1};
  }
  return m->x.outputs != NULL;
}

/* The Input that <pre-process> changes: the one that it names, else the first with four dims, else the first. */
static const ir_layer *find_preprocessed(const ir_graph *graph) {
  const ir_layer *first = NULL;
  for (size_t i = 0; i < graph->n_layers; i++) {
    const ir_layer *layer = &graph->layers[i];
    if (strcasecmp(layer->type, "Input") != 0 || layer->n_outputs == 0)
      continue;
    if (graph->pre_processed != NULL && strcmp(layer->name, graph->pre_processed) == 0)
      return layer;
    if (graph->pre_processed == NULL && layer->outputs[0].rank == 4)
      return layer;
    first = first == NULL ? layer : first;
  }
  return graph->pre_processed == NULL ? first : NULL;
}

/* Reports what the file says beside its layers. */
static void report_parts(modernizer *m) {
  const ir_graph *graph = &m->old.graph;
  const ir_where at = {.source = graph->source, .at = ir_span_of(graph->pre_process_at)};
  if (graph->statistics_at.length > 0)
    ir_report(m->scope.diags, IR218_OLD_STATISTICS,
              (ir_where){.source = graph->source, .at = ir_span_of(graph->statistics_at)},
              "<statistics> of an INT8 network are not used; it is computed in the types of its layers");
  if (!graph->has_pre_process)
    return;
  const ir_layer *input = find_preprocessed(graph);
  if (input == NULL) {
    if (graph->pre_processed != NULL)
      ir_report_as(m->scope.diags, IR217_OLD_PREPROCESS, IR_ERROR, at,
                   "<pre-process> changes '%s', which is no Input of the model", graph->pre_processed);
    else
      ir_report_as(m->scope.diags, IR217_OLD_PREPROCESS, IR_ERROR, at,
                   "<pre-process> changes an input, and the model has none");
    return;
  }
  if (m->model->context->embeds_preprocess) {
    m->x.preprocessed = input;
    return;
  }
  ir_report(m->scope.diags, IR217_OLD_PREPROCESS, at,
            "<pre-process> changes input '%s' before the first layer; irrun takes the input as it is", input->name);
  ir_hint(m->scope.diags, "irrun --embed-preprocess makes it a part of the model");
}

static ir_code modernize_nodes(modernizer *m) {
  if (!make_outputs(m))
    return ir_out_of_memory(m->scope.diags);
  m->x.graph = m->graph;
  m->x.old = &m->old.graph;
  m->x.nodes = m->old.nodes;
  m->x.scope = &m->scope;
  m->x.next_id = ir_graph_next_id(&m->old.graph);
  report_parts(m);
  for (size_t i = 0; i < m->old.graph.n_layers && !m->x.failed; i++)
    expand(m, &m->old.nodes[i]);
  if (m->graph->outer == NULL)
    add_results(m);
  const bool done = !m->x.failed && write_edges(m);
  return done ? IR_OK : ir_out_of_memory(m->scope.diags);
}

static ir_code modernize_graph(irrun_model *model, ir_graph *graph) {
  modernizer m = {.model = model, .graph = graph};
  ir_code code = make_nodes(&m);
  if (code == IR_OK)
    code = modernize_nodes(&m);
  graph->dialect = IR_OPENVINO;
  model->links_faulty = model->links_faulty || m.old.links_faulty;
  model->ids_unreliable = model->ids_unreliable || m.old.ids_unreliable;
  ir_free(graph->memory, m.x.edges);
  ir_free(graph->memory, m.old.graph.layers);
  ir_free(graph->memory, m.old.graph.edges);
  ir_arena_reset(&m.old.arena);
  return code;
}

ir_code ir_modernize(irrun_model *model) {
  ir_graph *graph = &model->graph;
  bool done = ir_add_body_ends(graph);
  for (size_t i = 0; i < graph->n_bodies && done; i++)
    done = ir_add_body_ends(graph->bodies[i]);
  ir_code code = done ? IR_OK : ir_out_of_memory(&model->context->diags);
  if (code == IR_OK)
    code = modernize_graph(model, graph);
  for (size_t i = 0; i < graph->n_bodies && code == IR_OK; i++)
    code = modernize_graph(model, graph->bodies[i]);
  return code;
}
