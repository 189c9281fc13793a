/* Result-1: an output of the model. */
#include "ops/result.h"

ir_code ir_result_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node, (void)in, (void)out, (void)scope;
  return IR_OK;
}

const ir_op ir_op_result_1 = {
    .dialect = IR_OPENVINO,
    .type = "Result",
    .version = 1,
    .spec = IR_SPEC_PAGE("infrastructure/result-1"),
    .inputs = IR_PORTS(IR_PORT_OF_ANY_RANK("input", "T", IR_SET_ANY)),
    .infer = ir_result_infer,
    .run.kind = IR_RUN_OUTPUT,
};
