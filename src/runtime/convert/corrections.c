#include "runtime/convert/corrections.h"
#include "runtime/infer/declared.h"
#include "runtime/infer/infer.h"
#include <stdio.h>

/* Computes the type and shape that a port should declare. Parts of its declaration that agree with `value` are kept. */
static void correct(const ir_port *port, const ir_value *value, ir_type *out_type, ir_shape *out_shape) {
  const ir_value declared = ir_port_value(port);
  *out_type = ir_port_type_agrees(port, value) ? port->type : value->type;
  *out_shape = ir_port_shape_agrees(port, value) ? declared.shape : value->shape;
  for (int i = 0; i < out_shape->rank; i++) {
    ir_dim *dim = &out_shape->dims[i];
    if (out_shape->rank == port->rank && ir_dims_meet(port->dims[i], *dim))
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
                           int64_t *n_corrected) {
  ir_code code = IR_OK;
  for (int32_t p = 0; p < n && code == IR_OK; p++) {
    ir_type type;
    ir_shape shape;
    if (ir_port_agrees(&ports[p], values[p]))
      continue;
    correct(&ports[p], values[p], &type, &shape);
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
  int64_t n_inputs = 0, n_outputs = 0;
  ir_gather_inputs(model->nodes, node, values);
  ir_code code = visit_ports(m, layer->inputs, node->n_inputs, values, &n_inputs);
  const int32_t n = node->n_outputs < layer->n_outputs ? node->n_outputs : layer->n_outputs;
  for (int32_t p = 0; p < n; p++)
    values[p] = &node->outputs[p];
  if (code == IR_OK)
    code = visit_ports(m, layer->outputs, n, values, &n_outputs);
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

ir_code ir_find_corrections(irrun_model *model, ir_correction_visitor visit, void *user, ir_corrections *out) {
  const ir_memory *memory = &model->context->memory;
  const search m = {visit, user, out};
  *out = (ir_corrections){0};
  const size_t n = ir_most_inputs(model->nodes, model->graph.n_layers) + most_outputs(model) + 1;
  const ir_value **values = ir_alloc_zero(memory, n, sizeof *values);
  ir_code code = values == NULL ? ir_out_of_memory(&model->context->diags) : IR_OK;
  for (size_t i = 0; i < model->graph.n_layers && code == IR_OK; i++)
    code = visit_node(model, &m, &model->nodes[i], values);
  ir_free(memory, values);
  return code;
}
