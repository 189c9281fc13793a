/* Computes the ranges (ops/ranges.h) of outputs of reductions. Exported models count the elements of a shape with
 * ReduceProd. */
#include "ops/float_ranges.h"
#include "ops/math/binary.h"
#include "ops/math/reduce.h"
#include "ops/ranges.h"

/* Returns the index of the output element into which input element `at` is reduced. The index is the same with and
 * without keep_dims, which only adds dims of size 1. */
static int64_t target_of(const ir_shape *in, const ir_axes *axes, int64_t at) {
  int64_t index = 0, step = 1;
  for (int i = in->rank - 1; i >= 0; i--) {
    const int64_t size = in->dims[i].lo;
    if (!ir_axes_hold(axes, i)) {
      index += at % size * step;
      step *= size;
    }
    at /= size;
  }
  return index;
}

/* Sets the output's ranges. Each range starts as `first`; `rule` combines it with the range of every input element that
 * is reduced into the output element. */
static ir_code fold(const ir_node *node, const ir_value *const *in, ir_value *out, ir_dim first,
                    const ir_binary_rule *rule, ir_scope *scope) {
  const int64_t n = ir_ranges_count(in[0]), n_out = ir_ranges_count(out);
  ir_dim made[IR_MAX_RANGES];
  ir_axes axes = {.n = 0};
  if (n < 0 || n_out < 0 || !ir_has_ranges(in[0]))
    return IR_OK;
  /* A single output element depends on all input elements, so the axes are not needed. */
  if (n_out > 1 && (in[1]->contents == NULL || !ir_reduce_axes(node, in, scope, &axes)))
    return IR_OK;
  for (int64_t i = 0; i < n_out; i++)
    made[i] = first;
  for (int64_t i = 0; i < n; i++) {
    ir_dim *to = &made[n_out > 1 ? target_of(&in[0]->shape, &axes, i) : 0];
    *to = ir_binary_range(rule, in[0]->type, *to, ir_range_at(in[0], i));
  }
  return ir_ranges_set(out, made, scope);
}

/* Float sums have no range, because a float sum depends on the order of additions. */
ir_code ir_reduce_sum_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool are_floats = ir_type_in(in[0]->type, IR_SET_FLOATS);
  return are_floats ? IR_OK : fold(node, in, out, ir_dim_of(0), &ir_rule_of_add, scope);
}

ir_code ir_reduce_product_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return fold(node, in, out, ir_range_converted(ir_dim_of(1), IR_I64, in[0]->type), &ir_rule_of_multiply, scope);
}

ir_code ir_reduce_least_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_dim most = {INT64_MAX, INT64_MAX};
  return ir_ranges_count(in[0]) > 0 ? fold(node, in, out, most, &ir_rule_of_minimum, scope) : IR_OK;
}

ir_code ir_reduce_most_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_dim least = {INT64_MIN, INT64_MIN};
  return ir_ranges_count(in[0]) > 0 ? fold(node, in, out, least, &ir_rule_of_maximum, scope) : IR_OK;
}
