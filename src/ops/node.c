/* Reads rows of ops, and finds the places of a node's attributes and ports for diagnostics. */
#include "diag/memory_limit.h"
#include "ops/attr_text.h"
#include "ops/op.h"
#include <string.h>

int ir_op_n_attrs(const ir_op *op) {
  int n = 0;
  while (op->attrs != NULL && op->attrs[n].name != NULL)
    n++;
  return n;
}

int ir_op_attr_index(const ir_op *op, const char *name) {
  for (int i = 0; op->attrs != NULL && op->attrs[i].name != NULL; i++)
    if (strcmp(op->attrs[i].name, name) == 0)
      return i;
  return -1;
}

const ir_attr_spec *ir_op_attr_of_field(const ir_op *op, size_t offset) {
  for (int i = 0; op->attrs != NULL && op->attrs[i].name != NULL; i++)
    if (op->attrs[i].offset == offset && op->attrs[i].kind != IR_ATTR_TEXT)
      return &op->attrs[i];
  return NULL;
}

const char *ir_op_field_name(const ir_op *op, size_t offset) {
  const ir_attr_spec *spec = ir_op_attr_of_field(op, offset);
  return spec == NULL ? "" : spec->name;
}

static int32_t count_ports(const ir_port_spec *ports) {
  int32_t n = 0;
  while (ports != NULL && ports[n].name[0] != '\0')
    n++;
  return n;
}

int32_t ir_op_n_inputs(const ir_op *op) {
  return count_ports(op->inputs);
}

int32_t ir_op_n_outputs(const ir_op *op) {
  return count_ports(op->outputs);
}

int32_t ir_op_least_inputs(const ir_op *op) {
  const int32_t n_inputs = ir_op_n_inputs(op);
  int32_t n = 0;
  while (n < n_inputs && !op->inputs[n].optional)
    n++;
  return n;
}

static bool is_variadic(const ir_port_spec *ports) {
  const int32_t n = count_ports(ports);
  return n > 0 && ports[n - 1].variadic;
}

static const ir_port_spec *port_at(const ir_port_spec *ports, int32_t i) {
  const int32_t n = count_ports(ports);
  if (i < n)
    return &ports[i];
  return is_variadic(ports) ? &ports[n - 1] : NULL;
}

bool ir_op_any_inputs(const ir_op *op) {
  return is_variadic(op->inputs);
}

bool ir_op_any_outputs(const ir_op *op) {
  return is_variadic(op->outputs);
}

const ir_port_spec *ir_op_input(const ir_op *op, int32_t i) {
  return port_at(op->inputs, i);
}

const ir_port_spec *ir_op_output(const ir_op *op, int32_t i) {
  return port_at(op->outputs, i);
}

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

bool ir_attr_usable(const ir_node *node, const char *name) {
  if (node->attrs_at_fault == 0)
    return true;
  int i = ir_op_attr_index(node->op, name);
  return i < 0 || (node->attrs_at_fault >> i & 1) == 0;
}

bool ir_field_usable(const ir_node *node, size_t offset) {
  if (node->attrs_at_fault == 0)
    return true;
  const ir_attr_spec *spec = ir_op_attr_of_field(node->op, offset);
  return spec == NULL || (node->attrs_at_fault >> (spec - node->op->attrs) & 1) == 0;
}

void ir_warn_of_default(const ir_node *node, const char *name, const char *taken, const char *by_openvino,
                        ir_scope *scope) {
  if (scope->running || ir_layer_attr(node->layer, name) != NULL)
    return;
  ir_report(scope->diags, IR212_DEFAULT_DIFFERS, ir_attr_where(scope, node, name),
            "without '%s' it is %s, as the page says, but %s in OpenVINO", name, taken, by_openvino);
  ir_hint(scope->diags, "add %s=\"..\" to say which", name);
}

void ir_report_number(const ir_node *node, const char *name, double value, const char *expected, ir_scope *scope) {
  ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, name), "'%s' is %g, expected %s",
            name, value, expected);
}

bool ir_rank_fits(const ir_node *node, int64_t rank, ir_scope *scope) {
  if (rank <= IR_MAX_RANK)
    return true;
  ir_report(scope->diags, IR004_LIMIT_EXCEEDED, ir_node_where(scope, node),
            "the output has rank %lld; irrun has tensors of up to %d dims", (long long)rank, IR_MAX_RANK);
  return false;
}

void ir_poison_outputs(const ir_node *node, ir_value *out) {
  for (int32_t i = 0; i < node->n_outputs; i++)
    out[i].poisoned = true;
}

bool ir_outputs_poisoned(const ir_node *node, const ir_value *const *in, ir_value *out) {
  bool poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    poisoned = poisoned || in[i]->poisoned;
  if (poisoned)
    ir_poison_outputs(node, out);
  return poisoned;
}

ir_code ir_output_alloc(ir_type type, const ir_shape *shape, ir_scope *scope, ir_tensor *out) {
  return ir_tensor_alloc(out, scope->memory, type, shape) ? IR_OK : ir_out_of_memory(scope->diags);
}
