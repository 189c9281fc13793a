/* StringTensorPack-15 makes strings of a list of bytes and of the positions at which each string begins and ends.
 * StringTensorUnpack-15 is the inverse. irrun checks both ops, but cannot run them. Specification:
 * operation-specs/type. */
#include "ops/agree.h"

static ir_code infer_pack(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_shape common;
  const bool fine = ir_shapes_agree(node, in, 0, 1, &common, scope);
  out->type = IR_STRING;
  out->shape = common;
  out->poisoned = !fine || in[0]->poisoned || in[1]->poisoned || in[2]->poisoned;
  return IR_OK;
}

static ir_code infer_unpack(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  for (int32_t p = 0; p < node->n_outputs; p++) {
    out[p].type = p < 2 ? IR_I32 : IR_U8;
    out[p].shape = p < 2 ? in[0]->shape : ir_shape_of_rank(1);
    out[p].poisoned = in[0]->poisoned;
  }
  return IR_OK;
}

#define INDEX_PORT(port) IR_PORT_OF_ANY_RANK(port, "T_IDX", IR_SET(IR_I32) | IR_SET(IR_I64))
#define I32_PORT(port)   IR_PORT_OF_ANY_RANK(port, "", IR_SET(IR_I32))
#define STRINGS(port)    IR_PORT_OF_ANY_RANK(port, "", IR_SET(IR_STRING))
#define SYMBOLS                                                                                                        \
  { .name = "symbols", .types = IR_SET(IR_U8), .rank_min = 1, .rank_max = 1 }

const ir_op ir_op_string_tensor_pack_15 = {
    .dialect = IR_OPENVINO,
    .type = "StringTensorPack",
    .version = 15,
    .spec = IR_SPEC_PAGE("type/string-tensor-pack-15"),
    .inputs = IR_PORTS(INDEX_PORT("begins"), INDEX_PORT("ends"), SYMBOLS),
    .outputs = IR_PORTS(STRINGS("output")),
    .infer = infer_pack,
};

const ir_op ir_op_string_tensor_unpack_15 = {
    .dialect = IR_OPENVINO,
    .type = "StringTensorUnpack",
    .version = 15,
    .spec = IR_SPEC_PAGE("type/string-tensor-unpack-15"),
    .inputs = IR_PORTS(STRINGS("data")),
    .outputs = IR_PORTS(I32_PORT("begins"), I32_PORT("ends"), SYMBOLS),
    .infer = infer_unpack,
};
