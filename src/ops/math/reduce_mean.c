/* ReduceMean-1: the mean over the axes that the second input lists, computed as a pool's average: integers are rounded
 * half to even, and the mean of nothing is 0. */
#include "ops/math/reduce.h"
#include "ops/pool/pool_average.h"

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_windows windows;
  ir_code code = ir_reduce_windows(node, in, plan, scope, &windows);
  return code == IR_OK ? ir_average_step(plan, node, &(ir_average){.windows = windows}, scope) : code;
}

const ir_op ir_op_reduce_mean_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReduceMean",
    .version = 1,
    .spec = IR_SPEC_PAGE("reduction/reduce-mean-1"),
    .params_size = sizeof(ir_reduce_params),
    .attrs = ir_reduce_attrs,
    .inputs = {IR_REDUCE_INPUTS},
    .outputs = {IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)},
    .infer = ir_reduce_infer,
    .prepare = prepare,
    .cost = ir_reduce_cost,
};
