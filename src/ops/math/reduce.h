/* Shared code of reductions. Input 0 is the data [D..]; the contents of input 1 are the axes. ReduceMean of
 * integers runs as a pool: a window covers the reduced axes and one position on each other axis. The other reductions
 * use ops/kernels/group_reduce.h. */
#ifndef IR_REDUCE_H
#define IR_REDUCE_H

#include "ops/axes.h"
#include "ops/pool/pool_windows.h"

typedef struct ir_reduce_params {
  bool keep_dims;
} ir_reduce_params;

extern const ir_attr_spec ir_reduce_attrs[];

#define IR_REDUCE_AXES                                                                                                 \
  { .name = "axes", .type_var = "T_IND", .types = IR_SET_INTEGERS, .rank_min = 0, .rank_max = 1, .contents = true }

/* Infers type and shape of the output. Warns (IR305) if a reduced axis has size 0. */
ir_code ir_reduce_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Reads the axes from in[1]->contents, which must be known. Returns false, after a report, if an axis is wrong. */
bool ir_reduce_axes(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_axes *axes);
/* Implement ir_op.ranges of sums, products, minima and maxima. Logical AND is a minimum of booleans, OR a maximum. */
ir_code ir_reduce_sum_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_reduce_product_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_reduce_least_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_reduce_most_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Describes the reduction as windows of a pool; all sizes must be known. A reduced axis has one window, which covers
 * the whole axis. Any other axis has a window for each element. */
ir_code ir_reduce_windows(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope,
                          ir_windows *windows);
/* Implements ir_op.cost: counts each input element once, -1 if the input shape is not known. */
int64_t ir_reduce_cost(const ir_node *node, const ir_value *const *in);

#endif
