/* Finds ports whose types and shapes follow from the edits. All other ports keep their declarations; the check reports
 * wrong ones, which --convert corrects. */
#include "runtime/edit/editing.h"

#include <string.h>

typedef struct port_search {
  const irrun_model *old, *new;
  ir_edits *edits;
  int64_t n_ports, n_layers;
} port_search;

static ir_code declare(port_search *s, const ir_port *port, const ir_value *before, const ir_value *value, int64_t *n) {
  if (value->poisoned || (before->type == value->type && ir_shapes_equal(&before->shape, &value->shape)))
    return IR_OK;
  ++*n;
  return ir_mend_port(s->edits, port, value->type, &value->shape);
}

static const ir_value *value_at(const irrun_model *model, ir_link link) {
  return link.layer < 0 ? NULL : &model->nodes[link.layer].outputs[link.port];
}

/* Sets the attribute `shape` of a Parameter of a body, which gets its value from outside. */
static ir_code declare_given(port_search *s, const ir_node *before, const ir_node *node) {
  const ir_value *value = &node->outputs[0];
  const ir_raw_attr *attr = ir_layer_attr(node->layer, "shape");
  if (value->poisoned || attr == NULL || ir_shapes_equal(&before->outputs[0].shape, &value->shape))
    return IR_OK;
  const char *dims = ir_dims_attribute(s->edits->arena, &value->shape);
  const int64_t begin = attr->at.begin;
  return dims == NULL ? ir_out_of_memory(s->edits->diags)
                      : ir_add_edit(s->edits, begin, begin + attr->at.length, dims, strlen(dims));
}

static ir_code declare_node(port_search *s, const ir_node *before, const ir_node *node) {
  int64_t n_inputs = 0, n_outputs = 0;
  ir_code code = IR_OK;
  for (int32_t p = 0; p < node->n_inputs && p < before->n_inputs && code == IR_OK; p++) {
    const ir_value *from = value_at(s->old, before->inputs[p]), *to = value_at(s->new, node->inputs[p]);
    if (from != NULL && to != NULL)
      code = declare(s, &node->layer->inputs[p], from, to, &n_inputs);
  }
  for (int32_t p = 0; p < node->n_outputs && p < before->n_outputs && p < node->layer->n_outputs && code == IR_OK; p++)
    code = declare(s, &node->layer->outputs[p], &before->outputs[p], &node->outputs[p], &n_outputs);
  if (code == IR_OK && s->new->outer != NULL &&ir_op_is(node->op, IR_RUN_INPUT))
    code = declare_given(s, before, node);
  if (node->assumed && n_inputs > 0 && code == IR_OK) {
    code = ir_report_as(s->edits->diags, IR210_NOT_RUNNABLE_HERE, IR_WARNING,
                        ir_layer_where(&s->new->graph, node->layer, node->layer->type_at),
                        "irrun does not have %s: its inputs change, and its outputs stay as they are declared",
                        node->layer->type);
    ir_hint(s->edits->diags, "look at them: what they declare may follow from the inputs");
  }
  s->n_ports += n_inputs + n_outputs;
  s->n_layers += n_inputs + n_outputs > 0;
  return code;
}

/* Declares the ports of an added layer, whose inputs another edit may have changed. */
static ir_code declare_added(port_search *s, const ir_node *node) {
  ir_code code = IR_OK;
  for (int32_t p = 0; p < node->n_inputs && code == IR_OK; p++) {
    const ir_value *value = value_at(s->new, node->inputs[p]);
    if (value != NULL && !value->poisoned)
      code = ir_mend_port(s->edits, &node->layer->inputs[p], value->type, &value->shape);
  }
  for (int32_t p = 0; p < node->n_outputs && p < node->layer->n_outputs && code == IR_OK; p++)
    if (!node->outputs[p].poisoned)
      code = ir_mend_port(s->edits, &node->layer->outputs[p], node->outputs[p].type, &node->outputs[p].shape);
  return code;
}

static ir_code declare_graph(port_search *s, const irrun_model *old, const irrun_model *new) {
  ir_code code = IR_OK;
  s->old = old;
  s->new = new;
  /* edits keep the order of layers, so each layer's partner follows that of the layer before */
  size_t j = 0;
  for (size_t i = 0; i < old->graph.n_layers && j < new->graph.n_layers &&code == IR_OK; i++)
    if (old->graph.layers[i].id == new->graph.layers[j].id) /* otherwise it was removed */
      code = declare_node(s, &old->nodes[i], &new->nodes[j++]);
  for (; j < new->graph.n_layers &&code == IR_OK; j++)
    code = declare_added(s, &new->nodes[j]);
  return code;
}

/* Whether `new` is the body `old` of the edited model. `partners[i]` is the partner of body i of the edited model. */
static bool is_partner(const irrun_model *old, const irrun_model *new, const irrun_model *const *partners) {
  const irrun_model *outer = new->outer->outer == NULL ? NULL : partners[new->outer->graph.index];
  return (old->outer->outer == NULL ? outer == NULL : old->outer == outer) &&
         old->owner->layer->id == new->owner->layer->id && old->graph.number == new->graph.number;
}

ir_code ir_declare_changed(const irrun_model *old, irrun_model *new, ir_edits *edits, int64_t *out_ports,
                           int64_t *out_layers) {
  port_search s = {.edits = edits};
  const irrun_model **partners = ir_arena_array(&new->arena, new->graph.n_bodies + 1, sizeof *partners);
  ir_code code = partners == NULL ? ir_out_of_memory(edits->diags) : declare_graph(&s, old, new);
  for (size_t j = 0; j < new->graph.n_bodies &&code == IR_OK; j++) /* outer bodies come before inner ones */
    for (size_t i = 0; i < old->graph.n_bodies && code == IR_OK && partners[j] == NULL; i++)
      if (is_partner(old->bodies[i], new->bodies[j], partners)) {
        partners[j] = old->bodies[i];
        code = declare_graph(&s, old->bodies[i], new->bodies[j]);
      }
  *out_ports = s.n_ports;
  *out_layers = s.n_layers;
  return code;
}
