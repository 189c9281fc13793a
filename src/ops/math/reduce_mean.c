/* ReduceMean-1 computes the mean over the axes in the second input; the mean of no elements is 0. Floats are summed in
 * f64, divided and rounded once. Integers are summed exactly, and the quotient is truncated toward zero, like in
 * OpenVINO, onnxruntime and ONNX's reference. */
#include "ops/kernels/group_reduce.h"
#include "ops/math/reduce.h"
#include "ops/pool/pool_plain.h"

IR_GROUP_REDUCE_THEN(mean, double, a, call->n_terms == 0 ? 0 : a / (double)call->n_terms)

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_group_reduce reduces[] = {
      [IR_COMPUTE_F32] = {.name = "mean", .each = {ir_group_reduce_sum_f32}, .then = {mean}},
      [IR_COMPUTE_F64] = {.name = "mean", .each = {ir_group_reduce_sum_f64}, .then = {mean}}};
  const ir_type type = node->outputs[0].type;
  const ir_compute_type compute = ir_group_reduce_compute(type);
  ir_axes axes = {.n = 0};
  ir_windows windows;
  if (ir_type_in(type, IR_SET_INTEGERS)) {
    const ir_code code = ir_reduce_windows(node, in, plan, scope, &windows);
    const ir_plain_what what = {.op = IR_PLAIN_QUOTIENT, .type = type};
    return code == IR_OK ? ir_plain_step(plan, node, &windows, &what, scope) : code;
  }
  if (in[0]->shape.rank > 0 && !ir_reduce_axes(node, in, scope, &axes))
    return IR_INVALID;
  return ir_group_reduce_step(plan, node, &reduces[compute], compute, &in[0]->shape, &axes, 1, scope);
}

const ir_op ir_op_reduce_mean_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReduceMean",
    .version = 1,
    .spec = IR_SPEC_PAGE("reduction/reduce-mean-1"),
    .params_size = sizeof(ir_reduce_params),
    .attrs = ir_reduce_attrs,
    .inputs = IR_PORTS({.name = "data",
                        .type_var = "T",
                        .types = IR_SET_NUMBERS,
                        .types_carried = IR_CARRIED_NUMBERS,
                        .rank_max = IR_MAX_RANK},
                       IR_REDUCE_AXES),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)),
    .infer = ir_reduce_infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .takes_channels_last = ir_always_channels_last,
    .cost = ir_reduce_cost,
};
