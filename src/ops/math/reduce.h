/* Shared by reductions: data [D..], the axes as the contents of the second input, keep_dims. ReduceMean and ReduceMax
 * are pools of one plane whose windows cover the reduced axes and one element of the others; the other reductions use
 * ops/kernels/group_reduce.h. */
#ifndef IR_REDUCE_H
#define IR_REDUCE_H

#include "ops/axes.h"
#include "ops/pool/pool_windows.h"

typedef struct ir_reduce_params {
  bool keep_dims;
} ir_reduce_params;

extern const ir_attr_spec ir_reduce_attrs[];

#define IR_REDUCE_INPUTS                                                                                               \
  IR_PORT_WITH_RANGES("data", "T", IR_SET_NUMBERS, IR_CARRIED_NUMBERS), {                                              \
    .name = "axes", .type_var = "T_IND", .types = IR_SET_INTEGERS, .rank_min = 0, .rank_max = 1, .contents = true      \
  }

/* Infers type and shape of the output; warns if nothing is reduced. */
ir_code ir_reduce_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Reads the known axes; false if they are wrong, which ir_reduce_infer reported. */
bool ir_reduce_axes(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_axes *axes);
/* ir_op.ranges of sums, products, minima and maxima, of numbers or booleans. */
ir_code ir_reduce_sum_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_reduce_product_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_reduce_least_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_reduce_most_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Describes the reduction as a pool, for a run: one window covers a reduced axis, and each element of another axis. */
ir_code ir_reduce_windows(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope,
                          ir_windows *windows);
/* Number of input elements: each is added or compared once. */
int64_t ir_reduce_cost(const ir_node *node, const ir_value *const *in);

#endif
