#include "ops/pool/adaptive_pool.h"
#include <stdio.h>

#define MAX_OUTPUT INT32_MAX /* OpenVINO reads the sizes through int32 */

static ir_where size_where(const ir_node *node, const ir_scope *scope) {
  return ir_input_where(scope, node, 1, -1);
}

/* Rank and length of the second input: a list with one size for each spatial axis that the first input has, or may
 * have. */
static bool check_size_shape(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_shape *size = &in[1]->shape;
  const ir_port_spec *data = &node->op->inputs[0];
  if (in[1]->poisoned)
    return false;
  ir_dim expected = {data->rank_min - 2, data->rank_max - 2};
  if (!in[0]->poisoned && in[0]->shape.rank != IR_RANK_UNKNOWN)
    expected = ir_dim_of(in[0]->shape.rank - 2);
  if (size->rank == IR_RANK_UNKNOWN || (size->rank == 1 && ir_dims_meet(size->dims[0], expected)))
    return true;
  char found[IR_SHAPE_TEXT], length[IR_DIM_TEXT];
  ir_report(scope->diags, IR313_OUTPUT_SIZE_UNUSABLE, size_where(node, scope),
            "the output size has shape %s, expected [%s]", ir_shape_text(size, found, sizeof found),
            ir_dim_text(expected, length, sizeof length));
  ir_note(scope->diags, (ir_where){0}, "it is a list with one size for each spatial axis of the input");
  return false;
}

static bool check_sizes(const ir_node *node, const ir_tensor *sizes, ir_scope *scope) {
  char wrong[256] = "";
  size_t used = 0;
  for (int64_t i = 0; i < ir_tensor_elements(sizes); i++) {
    char text[IR_NUMBER_TEXT];
    ir_number number = ir_tensor_get(sizes, i);
    double size = ir_number_as_double(number);
    if (size >= 1 && size <= MAX_OUTPUT)
      continue;
    if (used < sizeof wrong)
      used += (size_t)snprintf(wrong + used, sizeof wrong - used, "%s%s for axis %lld", used > 0 ? ", " : "",
                               ir_number_text(sizes->type, number, text, sizeof text), (long long)i);
  }
  if (used > 0)
    ir_report(scope->diags, IR313_OUTPUT_SIZE_UNUSABLE, size_where(node, scope),
              "the output size is %s, expected 1 to %d", wrong, MAX_OUTPUT);
  return used == 0;
}

/* Bins of an empty axis would have nothing in them; N and C may well be 0. */
static bool check_input(const ir_node *node, const ir_value *in, ir_scope *scope) {
  char axes[256];
  size_t used = 0;
  int first = -1;
  for (int i = 2; i < in->shape.rank; i++) {
    if (in->shape.dims[i].hi > 0)
      continue;
    first = first < 0 ? i : first;
    used += (size_t)snprintf(axes + used, sizeof axes - used, "%s%d", used > 0 ? ", " : "", i);
  }
  if (first >= 0)
    ir_report(scope->diags, IR307_DIMENSION_NOT_POSITIVE, ir_input_where(scope, node, 0, first),
              "dim %s of the input is 0; an adaptive pool needs at least 1 on every spatial axis", axes);
  return first < 0;
}

/* That of the input, or else as many spatial axes as there are sizes: a number that was checked. */
static int rank_of(const ir_value *const *in) {
  const ir_shape *size = &in[1]->shape;
  if (in[0]->shape.rank == IR_RANK_UNKNOWN && size->rank == 1 && ir_dim_known(size->dims[0]))
    return (int)size->dims[0].lo + 2;
  return in[0]->shape.rank;
}

ir_code ir_adaptive_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  out->type = in[0]->type;
  bool fine = check_size_shape(node, in, scope);
  const ir_tensor *sizes = fine ? in[1]->contents : NULL;
  fine = (sizes == NULL || check_sizes(node, sizes, scope)) && fine;
  fine = (in[0]->poisoned || check_input(node, in[0], scope)) && fine;
  out->poisoned = !fine || in[0]->poisoned;
  if (out->poisoned)
    return IR_OK;
  out->shape.rank = rank_of(in);
  for (int i = 0; i < out->shape.rank; i++) {
    if (i < 2)
      out->shape.dims[i] = shape->rank == IR_RANK_UNKNOWN ? ir_dim_any() : shape->dims[i];
    else if (sizes != NULL)
      out->shape.dims[i] = ir_dim_of((int64_t)ir_number_as_double(ir_tensor_get(sizes, i - 2)));
    else
      out->shape.dims[i] = (ir_dim){1, IR_DIM_MAX};
  }
  return IR_OK;
}

static ir_tap_range bin_of(const ir_windows_axis *windows, int64_t o) {
  return ir_window_bin(windows->n_in, windows->n_out, o);
}

const ir_windows_rule ir_adaptive_windows = {.range = bin_of};

void ir_adaptive_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size) {
  const ir_shape *out = &node->outputs[0].shape;
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 2; i < out->rank && used < size && in[0]->shape.rank == out->rank; i++) {
    char n[IR_DIM_TEXT], o[IR_DIM_TEXT];
    used += (size_t)snprintf(buffer + used, size - used, "%s%s in %s bins", used > 0 ? "; " : "",
                             ir_dim_text(in[0]->shape.dims[i], n, sizeof n), ir_dim_text(out->dims[i], o, sizeof o));
  }
}

int64_t ir_adaptive_cost(const ir_node *node, const ir_value *const *in) {
  const ir_shape *shape = &in[0]->shape, *out = &node->outputs[0].shape;
  if (node->outputs[0].poisoned || !ir_shape_known(shape) || !ir_shape_known(out))
    return -1;
  int64_t total = 1;
  for (int i = 0; i < out->rank; i++) {
    int64_t n = shape->dims[i].lo, bins = out->dims[i].lo, elements = n;
    /* Neighbouring bins overlap by one element wherever a boundary is no whole number: bins - gcd(n, bins) times. */
    int64_t a = n, b = bins;
    while (i >= 2 && b != 0) {
      int64_t rest = a % b;
      a = b;
      b = rest;
    }
    if (i >= 2)
      elements = n + bins - a;
    if (!ir_mul(total, elements, &total))
      return -1;
  }
  return total;
}
