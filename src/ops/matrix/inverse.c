/* Inverse-14: the inverse, or the adjugate, of square matrices [.., N, N]. Page: operation-specs/matrix/inverse-14. */
#include "ops/op.h"

typedef struct inverse_params {
  bool adjoint;
} inverse_params;

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  *out = (ir_value){.type = in[0]->type, .shape = in[0]->shape};
  out->unknown = in[0]->unknown || node->attrs_at_fault != 0;
  if (out->unknown || out->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const ir_dim rows = out->shape.dims[out->shape.rank - 2], columns = out->shape.dims[out->shape.rank - 1];
  if (!ir_dims_meet(rows, columns)) {
    char texts[2][IR_DIM_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, out->shape.rank - 1),
              "the matrices have %s rows and %s columns, expected square ones",
              ir_dim_text(rows, texts[0], sizeof texts[0]), ir_dim_text(columns, texts[1], sizeof texts[1]));
    out->unknown = true;
  }
  return IR_OK;
}

static const ir_attr_spec attrs[] = {
    {.name = "adjoint", .kind = IR_ATTR_BOOL, .offset = offsetof(inverse_params, adjoint), .fallback = "false"},
    {.name = NULL}};

#define MATRICES(port)                                                                                                 \
  { .name = port, .type_var = "T", .types = IR_SET_FLOATS, .rank_min = 2, .rank_max = IR_MAX_RANK }

const ir_op ir_op_inverse_14 = {
    .dialect = IR_OPENVINO,
    .type = "Inverse",
    .version = 14,
    .spec = IR_SPEC_PAGE("matrix/inverse-14"),
    .params_size = sizeof(inverse_params),
    .attrs = attrs,
    .inputs = {MATRICES("data")},
    .outputs = {MATRICES("output")},
    .infer = infer,
};
