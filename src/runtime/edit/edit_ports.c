/* Finds ports that declare a shape of the model before the edits. A declared size within an inferred interval is no
 * fault, so ir_find_corrections leaves it; but after `batch=?` the old batch is no longer what the port means. */
#include "runtime/edit/editing.h"
#include "runtime/infer/declared.h"

static ir_code declare(ir_edits *edits, const ir_port *port, const ir_value *before, const ir_value *value,
                       int64_t *n) {
  if (!ir_port_agrees(port, value) || ir_shapes_equal(&before->shape, &value->shape) || value->shape.rank < 0 ||
      port->rank != value->shape.rank)
    return IR_OK;
  ++*n;
  return ir_mend_port(edits, port, port->type, &value->shape);
}

static const ir_value *value_at(const irrun_model *model, ir_link link) {
  return link.layer < 0 ? NULL : &model->nodes[link.layer].outputs[link.port];
}

static ir_code declare_node(ir_edits *edits, const irrun_model *old, const ir_node *before, const irrun_model *new,
                            const ir_node *node, int64_t *n) {
  ir_code code = IR_OK;
  for (int32_t p = 0; p < node->n_inputs && p < before->n_inputs && code == IR_OK; p++) {
    const ir_value *from = value_at(old, before->inputs[p]), *to = value_at(new, node->inputs[p]);
    if (from != NULL && to != NULL)
      code = declare(edits, &node->layer->inputs[p], from, to, n);
  }
  for (int32_t p = 0; p < node->n_outputs && p < before->n_outputs && p < node->layer->n_outputs && code == IR_OK; p++)
    code = declare(edits, &node->layer->outputs[p], &before->outputs[p], &node->outputs[p], n);
  return code;
}

ir_code ir_declare_changed(const irrun_model *old, const irrun_model *new, ir_edits *edits, int64_t *out_ports,
                           int64_t *out_layers) {
  ir_code code = IR_OK;
  /* edits keep the order of layers, so each layer's partner follows that of the layer before */
  for (size_t i = 0, j = 0; i < old->graph.n_layers && j < new->graph.n_layers && code == IR_OK; i++) {
    int64_t n = 0;
    if (old->graph.layers[i].id != new->graph.layers[j].id)
      continue; /* it was removed */
    code = declare_node(edits, old, &old->nodes[i], new, &new->nodes[j], &n);
    *out_ports += n;
    *out_layers += n > 0;
    j++;
  }
  return code;
}
