/* ReduceMax-1 computes the maximum over the axes in the second input. If an element is NaN, the maximum is NaN. The
 * maximum of no elements is the type's lowest finite number. */
#include "ops/math/reduce.h"
#include "ops/pool/pool_step.h"

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_windows windows;
  ir_code code = ir_reduce_windows(node, in, plan, scope, &windows);
  return code == IR_OK ? ir_maximum_step(plan, node, &windows, IR_MAX_OR_NAN, 1, scope) : code;
}

const ir_op ir_op_reduce_max_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReduceMax",
    .version = 1,
    .spec = IR_SPEC_PAGE("reduction/reduce-max-1"),
    .params_size = sizeof(ir_reduce_params),
    .attrs = ir_reduce_attrs,
    .inputs = IR_PORTS(IR_REDUCE_INPUTS),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)),
    .infer = ir_reduce_infer,
    .ranges = ir_reduce_most_ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .takes_channels_last = ir_always_channels_last,
    .cost = ir_reduce_cost,
};
