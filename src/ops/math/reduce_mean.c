/* ReduceMean-1 computes the mean over the axes in the second input; the mean of no elements is 0. Floats are averaged
 * like in AvgPool. Integers are summed exactly, and the quotient is truncated toward zero, like in OpenVINO,
 * onnxruntime and ONNX's reference. */
#include "ops/math/reduce.h"
#include "ops/pool/pool_plain.h"
#include "ops/pool/pool_step.h"

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_windows windows;
  ir_code code = ir_reduce_windows(node, in, plan, scope, &windows);
  if (code != IR_OK)
    return code;
  const ir_type type = node->outputs[0].type;
  return ir_type_in(type, IR_SET_INTEGERS)
             ? ir_plain_step(plan, node, &windows, &(ir_plain_what){.op = IR_PLAIN_QUOTIENT, .type = type}, scope)
             : ir_average_step(plan, node, &(ir_average){.windows = windows}, scope);
}

const ir_op ir_op_reduce_mean_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReduceMean",
    .version = 1,
    .spec = IR_SPEC_PAGE("reduction/reduce-mean-1"),
    .params_size = sizeof(ir_reduce_params),
    .attrs = ir_reduce_attrs,
    .inputs = IR_PORTS(IR_REDUCE_INPUTS),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)),
    .infer = ir_reduce_infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .takes_channels_last = ir_always_channels_last,
    .cost = ir_reduce_cost,
};
