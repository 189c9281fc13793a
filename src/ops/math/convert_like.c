/* ConvertLike-1 converts the elements of `data` to the type of `like`. The elements of `like` are ignored. */
#include "ops/math/convert_values.h"
#include "ops/math/elementwise_infer.h"
#include "ops/ranges.h"

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_code code = ir_elementwise_infer(node, in, out, scope);
  out->type = in[1]->type;
  out->poisoned = out->poisoned || in[1]->poisoned;
  return code;
}

const ir_op ir_op_convert_like_1 = {
    .dialect = IR_OPENVINO,
    .type = "ConvertLike",
    .version = 1,
    .spec = IR_SPEC_PAGE("type/convert-like-1"),
    .inputs = IR_PORTS(
        {.name = "data", .type_var = "T1", .types = IR_SET_ANY, .rank_min = 0, .rank_max = IR_MAX_RANK, .ranges = true},
        IR_PORT_OF_ANY_RANK("like", "T2", IR_SET_ANY)),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T2", IR_SET_ANY)),
    .narrow = IR_SET_NARROW,
    .infer = infer,
    .ranges = ir_ranges_same,
    .run = {IR_RUN_PREPARED, .prepare = ir_convert_prepare},
    .cost = ir_elementwise_cost,
};
