/* The output of Identity-16 equals its input. Page: operation-specs/activation/identity-16. */
#include "ops/shape/same_elements.h"

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node, (void)scope;
  *out = (ir_value){.type = in[0]->type, .shape = in[0]->shape, .poisoned = in[0]->poisoned};
  return IR_OK;
}

const ir_op ir_op_identity_16 = {
    .dialect = IR_OPENVINO,
    .type = "Identity",
    .version = 16,
    .spec = IR_SPEC_PAGE("activation/identity-16"),
    .inputs = IR_PORTS({.name = "input",
                        .type_var = "T",
                        .types = IR_SET_ANY,
                        .rank_min = 0,
                        .rank_max = IR_MAX_RANK,
                        .ranges = true}),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_ANY)),
    .narrow = IR_SET_NARROW,
    .infer = infer,
    .ranges = ir_ranges_same,
    .run = {IR_RUN_PREPARED, .prepare = ir_same_elements_prepare},
};
