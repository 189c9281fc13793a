/* Places of a node's parts, for diagnostics. */
#include "ops/attr_text.h"
#include "ops/op.h"
#include <string.h>

ir_where ir_node_where(const ir_scope *scope, const ir_node *node) {
  return ir_layer_where(scope->graph, node->layer, node->layer->at);
}

ir_where ir_attr_where(const ir_scope *scope, const ir_node *node, const char *name) {
  return ir_attr_item_where(scope, node, name, -1);
}

ir_where ir_attr_item_where(const ir_scope *scope, const ir_node *node, const char *name, int64_t item) {
  const ir_raw_attr *raw = ir_layer_attr(node->layer, name);
  if (raw == NULL) {
    ir_where where =
        ir_layer_where(scope->graph, node->layer, node->layer->has_data ? node->layer->data_at : node->layer->at);
    where.attribute = name;
    return where;
  }
  ir_text_value value = ir_text_value_of(scope->graph, node->layer, raw);
  if (item < 0 || item >= value.n_items)
    return value.where;
  size_t length;
  ir_where where;
  ir_text_item(&value, item, &length, &where);
  return where;
}

ir_where ir_input_where(const ir_scope *scope, const ir_node *node, int port, int dim) {
  const ir_layer *layer = node->layer;
  if (port >= layer->n_inputs)
    return ir_node_where(scope, node);
  const ir_port *declared = &layer->inputs[port];
  bool has_dim = dim >= 0 && dim < declared->rank;
  return ir_layer_where(scope->graph, layer, has_dim ? declared->dims_at[dim] : declared->at);
}
