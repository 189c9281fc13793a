#include "runtime/convert/corrections.h"
#include "runtime/infer/declared.h"
#include "runtime/infer/infer.h"
#include <stdio.h>

typedef bool dim_rule(ir_dim declared, ir_dim inferred);

/* Whether a port agrees with its value; `agrees` compares dims that are declared. */
static bool is_right(const ir_port *port, const ir_value *value, dim_rule *agrees) {
  bool right = ir_port_agrees(port, value);
  for (int i = 0; right && !value->poisoned && i < port->rank && i < value->shape.rank; i++)
    right = agrees(port->dims[i], value->shape.dims[i]);
  return right;
}

/* Computes the type and shape that a port should declare. Parts of its declaration that agree with `value` are kept. */
static void correct(const ir_port *port, const ir_value *value, dim_rule *agrees, ir_type *out_type,
                    ir_shape *out_shape) {
  const ir_value declared = ir_port_value(port);
  *out_type = ir_port_type_agrees(port, value) ? port->type : value->type;
  *out_shape = port->rank < 0 || value->shape.rank < 0 ? declared.shape : value->shape;
  for (int i = 0; i < out_shape->rank; i++) {
    ir_dim *dim = &out_shape->dims[i];
    if (out_shape->rank == port->rank && agrees(port->dims[i], *dim))
      *dim = port->dims[i];
    else if (!ir_dim_known(*dim))
      *dim = ir_dim_any(); /* a port cannot declare an interval, only -1 */
  }
}

typedef struct search {
  ir_correction_visitor visit;
  void *user;
  ir_corrections *found;
} search;

static ir_code visit_ports(const search *m, const ir_port *ports, int32_t n, const ir_value *const *values,
                           dim_rule *agrees, int64_t *n_corrected) {
  ir_code code = IR_OK;
  for (int32_t p = 0; p < n && code == IR_OK; p++) {
    ir_type type;
    ir_shape shape;
    if (is_right(&ports[p], values[p], agrees))
      continue;
    correct(&ports[p], values[p], agrees, &type, &shape);
    code = m->visit(m->user, &ports[p], type, &shape);
    ++*n_corrected;
  }
  return code;
}

static void warn_of_assumed(irrun_model *model, const ir_node *node) {
  const ir_layer *layer = node->layer;
  char version[16] = "";
  if (layer->has_version)
    snprintf(version, sizeof version, "-%d", layer->op_version);
  ir_report_as(&model->context->diags, IR210_NOT_RUNNABLE_HERE, IR_WARNING,
               ir_layer_where(&model->graph, layer, layer->type_at),
               "irrun does not have %s%s: its inputs are corrected, its outputs stay as they are declared", layer->type,
               version);
  ir_hint(&model->context->diags, "look at them: what they declare may follow from the wrong inputs");
}

static ir_code visit_node(irrun_model *model, const search *m, const ir_node *node, const ir_value **values) {
  const ir_layer *layer = node->layer;
  const bool is_input = ir_op_is(node->op, IR_RUN_INPUT) && model->owner == NULL;
  int64_t n_inputs = 0, n_outputs = 0;
  ir_gather_inputs(model->nodes, node, values);
  ir_code code = visit_ports(m, layer->inputs, node->n_inputs, values, ir_dims_meet, &n_inputs);
  const int32_t n = node->n_outputs < layer->n_outputs ? node->n_outputs : layer->n_outputs;
  for (int32_t p = 0; p < n; p++)
    values[p] = &node->outputs[p];
  if (code == IR_OK)
    code = visit_ports(m, layer->outputs, n, values, is_input ? ir_parameter_dim_agrees : ir_dims_meet, &n_outputs);
  if (node->assumed && n_inputs > 0)
    warn_of_assumed(model, node);
  m->found->n_ports += n_inputs + n_outputs;
  m->found->n_layers += n_inputs + n_outputs > 0;
  return code;
}

static size_t most_outputs(const irrun_model *model) {
  int32_t most = 0;
  for (size_t i = 0; i < model->graph.n_layers; i++)
    most = model->nodes[i].n_outputs > most ? model->nodes[i].n_outputs : most;
  return (size_t)most;
}

/* Leaves unneeded layers of a body alone, as the check does: OpenVINO's writer leaves wrong sizes there. */
static ir_code visit_graph(irrun_model *model, const search *m) {
  const ir_memory *memory = &model->context->memory;
  const size_t n = ir_most_inputs(model->nodes, model->graph.n_layers) + most_outputs(model) + 1;
  const ir_value **values = ir_alloc_zero(memory, n, sizeof *values);
  ir_code code = values == NULL ? ir_out_of_memory(&model->context->diags) : IR_OK;
  for (size_t i = 0; i < model->graph.n_layers && code == IR_OK; i++)
    if (model->owner == NULL || model->nodes[i].live)
      code = visit_node(model, m, &model->nodes[i], values);
  ir_free(memory, values);
  return code;
}

ir_code ir_find_corrections(irrun_model *model, ir_correction_visitor visit, void *user, ir_corrections *out) {
  const search m = {visit, user, out};
  *out = (ir_corrections){0};
  ir_code code = visit_graph(model, &m);
  for (size_t b = 0; b < model->graph.n_bodies && code == IR_OK; b++)
    code = visit_graph(model->bodies[b], &m);
  return code;
}
