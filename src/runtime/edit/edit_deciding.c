/* Finds what weights=f16 leaves: quantized models, and constants whose elements decide shapes: the scale 1.6667 would
 * become 1.667. As in OpenVINO's save_model, all layers that such elements come from count, up to a ShapeOf. Here the
 * search also goes into bodies, and from bodies to their layers. */
#include "ops/const.h"
#include "runtime/edit/editing.h"
#include "runtime/infer/contents.h"
#include "runtime/model/body_models.h"
#include "runtime/model/node_values.h"
#include "runtime/model/weight_parts.h"

#include <string.h>

/* An output to go on from. */
typedef struct found {
  irrun_model *model;
  ir_link output;
  struct found *next;
} found;

typedef struct search {
  ir_editing *e;
  found *list;
  bool out_of_memory;
} search;

static ir_edit_scope *scope_of(const search *s, const irrun_model *model) {
  return &s->e->scopes[model->outer == NULL ? 0 : model->graph.index + 1];
}

/* Marks an output. Outputs of a layer with bodies are found one by one, those of others together. */
static void mark(search *s, irrun_model *model, ir_link output) {
  if (output.layer < 0)
    return;
  uint64_t *decides = &scope_of(s, model)->decides[output.layer];
  const uint64_t before = *decides;
  *decides |= ir_port_bit(output.port);
  if (*decides == before || (before != 0 && model->nodes[output.layer].bodies == NULL))
    return;
  found *item = ir_arena_alloc(&s->e->arena, sizeof *item);
  s->out_of_memory = s->out_of_memory || item == NULL;
  if (item == NULL)
    return;
  *item = (found){model, output, s->list};
  s->list = item;
}

/* Whether the port's elements decide shapes. Which branch runs is no shape, and neither do the elements before a
 * NonZero count: whole networks can be there. */
static bool decides_shape(const ir_op *op, const ir_port_spec *port) {
  return port != NULL && ir_contents_decide(op, port) && (port->types & IR_SET_NUMBERS) != 0 &&
         strcmp(op->type, "NonZero") != 0;
}

/* Marks what feeds a Result of a body. */
static void mark_result(search *s, irrun_model *body, int32_t result) {
  mark(s, body, ir_node_source(&body->nodes[body->outputs[result]]));
}

/* Marks what feeds a Parameter of a body: at first, and from one iteration to the next. */
static void mark_before_body(search *s, irrun_model *body, int32_t param) {
  const ir_node *owner = body->owner;
  const ir_body_param *source = &owner->bodies[body->graph.number].params[param];
  if (source->port >= 0)
    mark(s, body->outer, owner->inputs[source->port]);
  if (source->next >= 0)
    mark_result(s, body, source->next);
}

static void mark_sources(search *s, irrun_model *model, ir_link output) {
  const ir_node *node = &model->nodes[output.layer];
  const int32_t param = ir_model_input_number(model, output.layer);
  if (param >= 0 && model->outer != NULL && model->owner->bodies != NULL)
    mark_before_body(s, model, param);
  for (int b = 0; node->bodies != NULL && b < node->op->run.bodies->n_bodies; b++)
    for (int32_t i = 0; i < node->bodies[b].n_outputs; i++)
      if (ir_port_bit(node->bodies[b].outputs[i].port) == ir_port_bit(output.port))
        mark_result(s, ir_body_model(model, node, b), node->bodies[b].outputs[i].inner);
  for (int32_t p = 0; p < node->n_inputs && node->bodies == NULL && strcmp(node->layer->type, "ShapeOf") != 0; p++)
    mark(s, model, node->inputs[p]);
}

bool ir_find_deciding(ir_editing *e) {
  search s = {.e = e};
  for (size_t i = 0; i < e->n_scopes; i++) {
    const size_t n = e->scopes[i].model->graph.n_layers;
    e->scopes[i].decides = ir_arena_array(&e->arena, n + 1, sizeof *e->scopes[i].decides);
    if (e->scopes[i].decides == NULL)
      return false;
  }
  for (size_t i = 0; i < e->n_scopes; i++)
    for (size_t k = 0; k < e->scopes[i].model->graph.n_layers; k++) {
      const ir_node *node = &e->scopes[i].model->nodes[k];
      for (int32_t p = 0; p < node->n_inputs && node->op != NULL; p++)
        if (decides_shape(node->op, ir_op_input(node->op, p)))
          mark(&s, e->scopes[i].model, node->inputs[p]);
    }
  while (s.list != NULL) {
    const found *item = s.list;
    s.list = item->next;
    mark_sources(&s, item->model, item->output);
  }
  return !s.out_of_memory;
}

/* The layer that feeds `node`, if that is of a type; else `node`. */
static const ir_node *before(const irrun_model *model, const ir_node *node, const char *type) {
  const ir_link source = ir_node_source(node);
  return strcmp(node->layer->type, type) == 0 && source.layer >= 0 ? &model->nodes[source.layer] : node;
}

/* Whether the node is weights of few bits, converted to floats, perhaps without their zero points. */
static bool has_few_bits(const irrun_model *model, const ir_node *node) {
  const ir_node *converted = before(model, node, "Subtract"), *from = before(model, converted, "Convert");
  return from != converted && ir_op_is(from->op, IR_RUN_CONSTANT) &&
         ir_type_in(((const ir_const_params *)from->params)->element_type, IR_FEW_BITS);
}

const ir_node *ir_find_quantized(const irrun_model *model) {
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[i];
    const char *type = node->layer->type;
    if (strcmp(type, "FakeQuantize") == 0 || strcmp(type, "FakeConvert") == 0)
      return node;
    for (int32_t p = 0; p < 2 && node->n_inputs == 2 && strcmp(type, "Multiply") == 0; p++)
      if (node->inputs[0].layer >= 0 && node->inputs[1].layer >= 0 &&
          ir_op_is(model->nodes[node->inputs[1 - p].layer].op, IR_RUN_CONSTANT) &&
          has_few_bits(model, &model->nodes[node->inputs[p].layer]))
        return node;
  }
  return NULL;
}
