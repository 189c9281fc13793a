#include "runtime/model/body_models.h"
#include "base/index_map.h"
#include "graph/layer_ids.h"
#include "ops/bind.h"
#include "runtime/model/names.h"
#include <stdio.h>
#include <stdlib.h>

/* Maps ids of ports, Parameters or Results to their positions. */
typedef struct id_list {
  ir_index_map map;
  int64_t *ids;
  int32_t n;
} id_list;

static bool same_id(const void *key, int32_t value, const void *user) {
  return ((const int64_t *)user)[value] == *(const int64_t *)key;
}

static bool id_list_init(id_list *list, const ir_memory *memory, int32_t n) {
  *list = (id_list){.ids = ir_alloc_zero(memory, (size_t)n + 1, sizeof *list->ids)};
  return list->ids != NULL && ir_index_map_init(&list->map, memory, (size_t)n);
}

static void id_list_reset(id_list *list, const ir_memory *memory) {
  if (list->ids != NULL)
    ir_index_map_reset(&list->map);
  ir_free(memory, list->ids);
}

static void id_list_add(id_list *list, int64_t id) {
  list->ids[list->n] = id;
  ir_index_map_add(&list->map, ir_hash_number(id), &id, list->n, same_id, list->ids);
  list->n++;
}

static int32_t id_list_find(const id_list *list, int64_t id) {
  return ir_index_map_find(&list->map, ir_hash_number(id), &id, same_id, list->ids);
}

/* An item of a port map, or a back edge, as a node with bound attributes. */
typedef struct bound_line {
  ir_node node;
  ir_line_kind kind;
} bound_line;

/* The state of binding a body to its layer. */
typedef struct binder {
  irrun_model *outer, *inner;
  ir_node *node; /* the layer's node */
  int number;
  ir_body *body;
  ir_scope scope;   /* the layer's scope */
  ir_layer_ids ids; /* of the body */
  id_list ends[2];  /* layer ids of the body's Parameters and Results */
  bound_line *lines;
  size_t n_lines;
  id_list out_ids; /* external_port_id of the output items; position i belongs to output i of the layer */
  const ir_layer **given[2], **filled; /* item of each input and output (`given`), and of each Parameter (`filled`) */
  bool faulty;
} binder;

static bool binder_init(binder *b) {
  const ir_memory *memory = b->scope.memory;
  const int32_t n_ports[2] = {b->node->n_inputs, b->node->n_outputs};
  const int32_t n_ends[2] = {b->inner->n_inputs, b->inner->n_outputs};
  for (int side = 0; side < 2; side++) {
    b->given[side] = ir_alloc_zero(memory, (size_t)n_ports[side] + 1, sizeof *b->given[side]);
    if (b->given[side] == NULL || !id_list_init(&b->ends[side], memory, n_ends[side]))
      return false;
    const int32_t *nodes = side == IRRUN_INPUTS ? b->inner->inputs : b->inner->outputs;
    for (int32_t i = 0; i < n_ends[side]; i++)
      id_list_add(&b->ends[side], b->inner->nodes[nodes[i]].layer->id);
  }
  b->filled = ir_alloc_zero(memory, (size_t)n_ends[0] + 1, sizeof *b->filled);
  return b->filled != NULL && ir_layer_ids_init(&b->ids, &b->inner->graph);
}

static void binder_reset(binder *b) {
  for (int side = 0; side < 2; side++) {
    id_list_reset(&b->ends[side], b->scope.memory);
    ir_free(b->scope.memory, b->given[side]);
  }
  ir_layer_ids_reset(&b->ids);
  id_list_reset(&b->out_ids, b->scope.memory);
  ir_free(b->scope.memory, b->filled);
}

/* ---- reports ---- */

#define REPORT(b, where, ...)                                                                                          \
  ((b)->faulty = true, ir_report((b)->scope.diags, IR331_PORT_MAP_WRONG, where, __VA_ARGS__))

static void report_no_port(binder *b, const ir_node *line, bool output, int64_t id) {
  const ir_layer *layer = b->node->layer;
  const ir_port *ports = output ? layer->outputs : layer->inputs;
  const int32_t n = output ? layer->n_outputs : layer->n_inputs;
  char ids[128] = "none";
  size_t used = 0;
  for (int32_t i = 0; i < n && used + 24 < sizeof ids; i++)
    used += (size_t)snprintf(ids + used, sizeof ids - used, "%s%lld", i > 0 ? ", " : "",
                             output ? (long long)ports[i].id : (long long)i);
  REPORT(b, ir_attr_where(&b->scope, line, "external_port_id"), "the layer has no %s %lld; it has: %s",
         output ? "output port" : "input", (long long)id, ids);
}

/* Returns the position of the Parameter or Result whose layer id `id` is the value of `attribute`. If there is none,
 * reports it and returns -1. */
static int32_t find_end(binder *b, const ir_node *line, const char *attribute, bool result, int64_t id) {
  const int32_t at = id_list_find(&b->ends[result], id);
  if (at >= 0)
    return at;
  const int32_t found = ir_layer_ids_find(&b->ids, id);
  const ir_where where = ir_attr_where(&b->scope, line, attribute);
  const char *wanted = result ? "Result" : "Parameter", *name = b->node->op->run.bodies->names[b->number];
  if (found < 0)
    REPORT(b, where, "the %s has no layer %lld; expected a %s of it", name, (long long)id, wanted);
  else
    REPORT(b, where, "layer %lld of the %s is a %s, expected a %s", (long long)id, name,
           b->inner->graph.layers[found].type, wanted);
  return -1;
}

/* Records in `*taken` that the item `line` feeds a Parameter. Reports a second item for the same Parameter. */
static void take(binder *b, const ir_node *line, const ir_layer **taken, const char *what, const char *name) {
  if (*taken != NULL) {
    REPORT(b, ir_node_where(&b->scope, line), "a second line for %s '%s'", what, name);
    ir_note(b->scope.diags, ir_layer_where(&b->outer->graph, *taken, (*taken)->at), "the first one");
  }
  *taken = line->layer;
}

/* ---- items of port maps and back edges ---- */

/* Binds the attributes of all items and back edges of this body. */
static ir_code bind_lines(binder *b) {
  ir_code code = IR_OK;
  for (ir_line *line = b->node->layer->bodies->lines; line != NULL && code != IR_NO_MEMORY; line = line->next) {
    if (line->body != b->number)
      continue;
    bound_line *bound = &b->lines[b->n_lines++];
    line->layer.op_version = b->node->layer->op_version;
    line->layer.has_version = b->node->layer->has_version;
    bound->kind = line->kind;
    bound->node = (ir_node){.layer = &line->layer, .op = b->node->op->run.bodies->line_rows[line->kind]};
    code = ir_bind_attributes(&bound->node, &b->scope);
  }
  return code == IR_NO_MEMORY ? IR_NO_MEMORY : IR_OK;
}

static int compare_ids(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The external_port_id of an output item. -1 if the item is no output, is faulty or has no port of the layer. */
static int64_t output_id(const bound_line *line) {
  const bool usable = line->kind == IR_LINE_OUTPUT && line->node.attrs_at_fault == 0;
  return usable ? ((const ir_line_params *)line->node.params)->external_port_id : -1;
}

/* Sets out_ids. If all output items name ids of output ports, out_ids are the ports' ids. Otherwise output i gets the
 * i-th smallest number: OpenVINO uses only the order, and an example of If's page relies on that. */
static bool list_out_ids(binder *b) {
  const ir_layer *layer = b->node->layer;
  id_list ports;
  bool ok = id_list_init(&ports, b->scope.memory, layer->n_outputs), are_ports = true;
  int32_t n = 0;
  for (int32_t i = 0; ok && i < layer->n_outputs; i++)
    id_list_add(&ports, layer->outputs[i].id);
  int64_t *ids = ir_alloc_zero(b->scope.memory, b->n_lines + 1, sizeof *ids);
  ok = ok && ids != NULL;
  for (size_t i = 0; ok && i < b->n_lines; i++) {
    if (output_id(&b->lines[i]) < 0)
      continue;
    ids[n++] = output_id(&b->lines[i]);
    are_ports = are_ports && id_list_find(&ports, ids[n - 1]) >= 0;
  }
  if (ok && are_ports) {
    b->out_ids = ports;
  } else {
    id_list_reset(&ports, b->scope.memory);
    ok = ok && id_list_init(&b->out_ids, b->scope.memory, n);
    if (ok)
      qsort(ids, (size_t)n, sizeof *ids, compare_ids);
    for (int32_t i = 0; ok && i < n; i++)
      if (i == 0 || ids[i] != ids[i - 1])
        id_list_add(&b->out_ids, ids[i]);
  }
  ir_free(b->scope.memory, ids);
  return ok;
}

/* Returns the layer's port that external_port_id `id` names, or -1. An input's `id` is its position, as in OpenVINO. */
static int32_t find_port(const binder *b, bool output, int64_t id) {
  const int32_t port = output ? id_list_find(&b->out_ids, id) : (int32_t)(id < b->node->n_inputs ? id : -1);
  return port < (output ? b->node->n_outputs : b->node->n_inputs) ? port : -1;
}

/* Handles an item with external_port_id="-1", which connects no port of the layer. `purpose` says what the item
 * connects instead. */
static void take_purpose(binder *b, const ir_node *line, bool output, int32_t inner) {
  const ir_line_params *params = line->params;
  const bool has_purpose = ir_layer_attr(line->layer, "purpose") != NULL;
  const int expected = output ? IR_PURPOSE_EXECUTION_CONDITION : IR_PURPOSE_CURRENT_ITERATION;
  const char *name = output ? "execution_condition" : "current_iteration";
  if (!has_purpose || params->purpose != expected) {
    REPORT(b, ir_attr_where(&b->scope, line, has_purpose ? "purpose" : "external_port_id"),
           "an %s without a port of the layer, which is -1, has purpose=\"%s\"", output ? "output" : "input", name);
    return;
  }
  if (output && b->body->condition >= 0)
    REPORT(b, ir_node_where(&b->scope, line), "a second line with purpose=\"%s\"", name);
  if (output)
    b->body->condition = inner;
}

static void add_link(binder *b, const ir_node *line, bool output) {
  const ir_line_params *params = line->params;
  ir_body *body = b->body;
  if (line->attrs_at_fault != 0) {
    b->faulty = true;
    return;
  }
  const int32_t inner = find_end(b, line, "internal_layer_id", output, params->internal_layer_id);
  const bool has_port = params->external_port_id >= 0;
  const int32_t port = find_port(b, output, params->external_port_id);
  if (inner >= 0 && !output)
    take(b, line, &b->filled[inner], "Parameter", body->param_layers[inner]->name);
  if (has_port && port < 0)
    report_no_port(b, line, output, params->external_port_id);
  if (!has_port && inner >= 0)
    take_purpose(b, line, output, inner);
  if (port < 0 || inner < 0)
    return;
  if (output && b->given[true][port] != NULL)
    REPORT(b, ir_node_where(&b->scope, line), "a second line for output port %lld",
           (long long)params->external_port_id);
  b->given[output][port] = line->layer;
  const bool is_sliced = ir_layer_attr(line->layer, "axis") != NULL;
  if (is_sliced && params->stride == 0)
    REPORT(b, ir_attr_where(&b->scope, line, "stride"), "'stride' is 0: the same part again and again");
  const ir_body_link link = {.line = line, .port = port, .inner = inner, .is_sliced = is_sliced};
  if (output) {
    body->outputs[body->n_outputs++] = link;
  } else {
    body->inputs[body->n_inputs++] = link;
    body->params[inner].port = port;
  }
}

static void add_back_edge(binder *b, const ir_node *line) {
  const ir_back_edge_params *params = line->params;
  if (line->attrs_at_fault != 0) {
    b->faulty = true;
    return;
  }
  const int32_t from = find_end(b, line, "from-layer", true, params->from_layer);
  const int32_t to = find_end(b, line, "to-layer", false, params->to_layer);
  if (from < 0 || to < 0)
    return;
  ir_body_param *param = &b->body->params[to];
  const char *name = b->body->param_layers[to]->name;
  if (param->next >= 0)
    REPORT(b, ir_node_where(&b->scope, line), "a second back edge to Parameter '%s'", name);
  if (param->port >= 0 && ir_layer_attr(b->filled[to], "axis") != NULL)
    REPORT(b, ir_node_where(&b->scope, line),
           "a back edge to Parameter '%s', which gets another part of input %d in each iteration", name, param->port);
  param->next = from;
  param->back = line;
}

/* ---- ports and Parameters without items ---- */

/* The first Parameter, from position `at` on, that no item feeds; n_params if there is none. */
static int32_t next_unfilled(const binder *b, int32_t at) {
  while (at < b->body->n_params && b->filled[at] != NULL)
    at++;
  return at;
}

/* Reports inputs that no item uses, and Parameters that no item feeds. An input and a Parameter share one report,
 * because one missing item would connect both. */
static void check_inputs(binder *b) {
  const ir_body_rule *rule = b->node->op->run.bodies;
  const ir_layer *layer = b->node->layer;
  const char *map = rule->map_names[b->number];
  int32_t p = next_unfilled(b, 0);
  for (int32_t i = rule->n_own_inputs; rule->takes_all && i < b->node->n_inputs; i++) {
    if (b->given[false][i] != NULL)
      continue;
    REPORT(b, ir_layer_where(&b->outer->graph, layer, layer->inputs[i].at),
           "no line of the <%s> says what becomes of input %d (port %lld)", map, i, (long long)layer->inputs[i].id);
    if (p < b->body->n_params) {
      const ir_layer *parameter = b->body->param_layers[p];
      ir_note(b->scope.diags, ir_layer_where(&b->inner->graph, parameter, parameter->at),
              "Parameter '%s' of the body (id %lld) gets no value", parameter->name, (long long)parameter->id);
      p = next_unfilled(b, p + 1);
    }
  }
  for (; p < b->body->n_params; p = next_unfilled(b, p + 1)) {
    const ir_layer *parameter = b->body->param_layers[p];
    REPORT(b, ir_layer_where(&b->inner->graph, parameter, parameter->at),
           "no line of the <%s> gives this Parameter a value", map);
  }
}

static void check_outputs(binder *b) {
  const ir_body_rule *rule = b->node->op->run.bodies;
  const ir_layer *layer = b->node->layer;
  for (int32_t i = 0; i < b->node->n_outputs; i++)
    if (b->given[true][i] == NULL)
      REPORT(b, ir_layer_where(&b->outer->graph, layer, layer->outputs[i].at),
             "no line of the <%s> says where output %d (port %lld) comes from", rule->map_names[b->number], i,
             (long long)layer->outputs[i].id);
  if (rule->has_condition && b->body->condition < 0)
    REPORT(b, ir_layer_where(&b->outer->graph, layer, layer->bodies->map_at[0]),
           "no output line has purpose=\"execution_condition\": nothing says when the loop ends");
}

/* ---- one body ---- */

/* Binary search: `inputs` is sorted by node. */
int32_t ir_model_input_number(const irrun_model *model, int32_t index) {
  int32_t from = 0, to = model->n_inputs;
  while (from < to) {
    const int32_t middle = from + (to - from) / 2;
    if (model->inputs[middle] < index)
      from = middle + 1;
    else
      to = middle;
  }
  return from < model->n_inputs && model->inputs[from] == index ? from : -1;
}

static bool make_body(binder *b) {
  ir_arena *arena = &b->outer->arena;
  ir_body *body = b->body;
  size_t n_lines[3] = {0, 0, 0};
  for (const ir_line *line = b->node->layer->bodies->lines; line != NULL; line = line->next)
    n_lines[line->kind]++;
  b->lines = ir_arena_array(arena, n_lines[0] + n_lines[1] + n_lines[2] + 1, sizeof *b->lines);
  body->n_params = b->inner->n_inputs;
  body->n_results = b->inner->n_outputs;
  body->condition = -1;
  body->inputs = ir_arena_array(arena, n_lines[IR_LINE_INPUT] + 1, sizeof *body->inputs);
  body->outputs = ir_arena_array(arena, n_lines[IR_LINE_OUTPUT] + 1, sizeof *body->outputs);
  body->params = ir_arena_array(arena, (size_t)body->n_params + 1, sizeof *body->params);
  body->param_layers = ir_arena_array(arena, (size_t)body->n_params + 1, sizeof *body->param_layers);
  body->results = ir_arena_array(arena, (size_t)body->n_results + 1, sizeof *body->results);
  body->param_of = ir_arena_array(arena, (size_t)body->n_results + 1, sizeof *body->param_of);
  if (b->lines == NULL || body->inputs == NULL || body->outputs == NULL || body->params == NULL ||
      body->param_layers == NULL || body->results == NULL || body->param_of == NULL)
    return false;
  for (int32_t i = 0; i < body->n_params; i++) {
    body->params[i] = (ir_body_param){.port = -1, .next = -1};
    body->param_layers[i] = b->inner->nodes[b->inner->inputs[i]].layer;
  }
  for (int32_t i = 0; i < body->n_results; i++) {
    const ir_node *result = &b->inner->nodes[b->inner->outputs[i]];
    const int32_t from = result->n_inputs > 0 ? result->inputs[0].layer : -1;
    body->param_of[i] = from >= 0 ? ir_model_input_number(b->inner, from) : -1;
  }
  return true;
}

static void connect_lines(binder *b) {
  for (size_t i = 0; i < b->n_lines; i++)
    if (b->lines[i].kind == IR_LINE_BACK_EDGE)
      add_back_edge(b, &b->lines[i].node);
    else
      add_link(b, &b->lines[i].node, b->lines[i].kind == IR_LINE_OUTPUT);
}

static ir_code bind_body(irrun_model *outer, irrun_model *inner, ir_node *node, ir_body *body) {
  binder b = {.outer = outer,
              .inner = inner,
              .node = node,
              .number = inner->graph.number,
              .body = body,
              .scope = ir_model_scope(outer)};
  ir_code code = binder_init(&b) && make_body(&b) ? bind_lines(&b) : ir_out_of_memory(b.scope.diags);
  if (code == IR_OK && !list_out_ids(&b))
    code = ir_out_of_memory(b.scope.diags);
  if (code == IR_OK)
    connect_lines(&b);
  /* a faulty item can be the item that a port lacks: report no missing items */
  if (code == IR_OK && !b.faulty) {
    check_inputs(&b);
    check_outputs(&b);
  }
  node->broken = node->broken || b.faulty;
  binder_reset(&b);
  return code;
}

/* ---- all bodies ---- */

static irrun_model *model_of(const irrun_model *root, const ir_graph *graph) {
  return graph == &root->graph ? (irrun_model *)root : root->bodies[graph->index];
}

static ir_code make_model(irrun_model *root, size_t index) {
  irrun_context *context = root->context;
  irrun_model *body = root->bodies[index] = ir_alloc_zero(&context->memory, 1, sizeof *body);
  if (body == NULL)
    return ir_out_of_memory(&context->diags);
  body->context = context;
  body->purpose = IRRUN_TO_CHECK; /* faults that concern only a run are reported at the layer, not in its body */
  body->graph = *root->graph.bodies[index];
  const irrun_model *before = index == 0 ? root : root->bodies[index - 1];
  body->first_layer = before->first_layer + (int64_t)before->graph.n_layers;
  ir_arena_init(&body->arena, &context->memory, (size_t)IR_MAX_ARENA_BYTES);
  body->constants = ir_constants_create(&context->memory, root->constants, &body->graph.n_layers);
  if (body->constants == NULL)
    return ir_out_of_memory(&context->diags);
  irrun_model *outer = model_of(root, body->graph.outer);
  body->owner = &outer->nodes[body->graph.owner];
  body->outer = outer;
  ir_code (*const stages[])(irrun_model *) = {ir_model_lookup, ir_model_link, ir_model_order, ir_model_bind};
  ir_code code = IR_OK;
  for (size_t i = 0; i < sizeof stages / sizeof stages[0] && code != IR_NO_MEMORY; i++)
    code = stages[i](body);
  root->n_missing += body->n_missing;
  return code == IR_NO_MEMORY ? IR_NO_MEMORY : IR_OK;
}

/* Whether the layer has all its bodies and port maps. Reports missing ones. */
static bool is_whole(irrun_model *model, ir_node *node) {
  const ir_layer *layer = node->layer;
  const ir_body_rule *rule = node->op->run.bodies;
  ir_diags *diags = &model->context->diags;
  bool whole = true;
  for (int i = 0; i < rule->n_bodies; i++) {
    const bool has_body = layer->bodies != NULL && layer->bodies->graphs[i] != NULL;
    const bool has_map = layer->bodies != NULL && layer->bodies->has_map[i];
    if (!has_body || !has_map)
      ir_report(diags, IR331_PORT_MAP_WRONG, ir_layer_where(&model->graph, layer, layer->at), "the layer has no <%s>",
                has_body ? rule->map_names[i] : rule->names[i]);
    whole = whole && has_body && has_map;
  }
  node->broken = node->broken || !whole;
  return whole;
}

static ir_code bind_bodies(irrun_model *root, irrun_model *model) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < model->graph.n_layers && code == IR_OK; i++) {
    ir_node *node = &model->nodes[i];
    if (!ir_op_is(node->op, IR_RUN_BODIES) || node->layer->broken || !is_whole(model, node))
      continue;
    const int n = node->op->run.bodies->n_bodies;
    node->bodies = ir_arena_array(&model->arena, (size_t)n, sizeof *node->bodies);
    if (node->bodies == NULL)
      return ir_out_of_memory(&model->context->diags);
    for (int b = 0; b < n && code == IR_OK; b++)
      code = bind_body(model, model_of(root, node->layer->bodies->graphs[b]), node, &node->bodies[b]);
  }
  return code;
}

ir_code ir_model_make_bodies(irrun_model *model) {
  const size_t n = model->graph.n_bodies;
  bool is_numbered = ir_graph_number_lines(&model->graph, &model->arena);
  for (size_t i = 0; i < n && is_numbered; i++)
    is_numbered = ir_graph_number_lines(model->graph.bodies[i], &model->arena);
  if (!is_numbered)
    return ir_out_of_memory(&model->context->diags);
  model->bodies = ir_alloc_zero(&model->context->memory, n + 1, sizeof *model->bodies);
  if (model->bodies == NULL)
    return ir_out_of_memory(&model->context->diags);
  ir_code code = IR_OK;
  for (size_t i = 0; i < n && code == IR_OK; i++)
    code = make_model(model, i);
  if (code == IR_OK)
    code = bind_bodies(model, model);
  for (size_t i = 0; i < n && code == IR_OK; i++)
    code = bind_bodies(model, model->bodies[i]);
  return code;
}

irrun_model *ir_body_model(irrun_model *model, const ir_node *node, int number) {
  while (model->outer != NULL)
    model = model->outer;
  return model->bodies[node->layer->bodies->graphs[number]->index];
}

void ir_model_free_bodies(irrun_model *model) {
  for (size_t i = 0; model->bodies != NULL && i < model->graph.n_bodies && model->bodies[i] != NULL; i++) {
    ir_names_free(model->bodies[i]);
    ir_constants_free(model->bodies[i]->constants);
    ir_arena_reset(&model->bodies[i]->arena);
    ir_free(&model->context->memory, model->bodies[i]);
  }
  ir_free(&model->context->memory, model->bodies);
}
