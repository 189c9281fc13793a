/* Unsqueeze-1 inserts a dim of 1 at each axis of the output that `axes` lists. */
#include "ops/axes.h"
#include "ops/shape/same_elements.h"

static ir_shape unsqueezed_shape(const ir_shape *in, const ir_axes *axes) {
  ir_shape out = {.rank = in->rank + axes->n};
  for (int i = 0, from = 0; i < out.rank; i++)
    out.dims[i] = ir_axes_hold(axes, i) ? ir_dim_of(1) : in->dims[from++];
  return out;
}

/* Returns the output shape if the `n` axes are unknown: output dim i is 1 or one of the input's dims i - n to i. */
static ir_shape possible_shape(const ir_shape *in, int n) {
  ir_shape out = {.rank = in->rank + n};
  for (int i = 0; i < out.rank; i++) {
    int first = i > n ? i - n : 0, last = i < in->rank ? i : in->rank - 1;
    out.dims[i] = n > 0 ? ir_dim_of(1) : in->dims[i];
    for (int from = first; from <= last; from++)
      out.dims[i] = ir_dims_hull(out.dims[i], in->dims[from]);
  }
  return out;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned;
  if (out->poisoned || shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_dim count = ir_axes_count(in[1]);
  if (!ir_rank_fits(node, count.lo > IR_MAX_RANK ? count.lo : shape->rank + count.lo, scope)) {
    out->poisoned = true;
    return IR_OK;
  }
  if (count.hi == 0 && (scope->checked == NULL || ir_axes_count(scope->checked[1]).hi > 0))
    ir_report_as(scope->diags, IR315_AXES_UNUSABLE, IR_WARNING, ir_input_where(scope, node, 1, -1),
                 "'axes' is empty, so that nothing changes; OpenVINO refuses that");
  if (in[1]->contents == NULL) {
    if (ir_dim_known(count))
      out->shape = possible_shape(shape, (int)count.lo);
    return IR_OK;
  }
  ir_axes axes;
  ir_axes_rule rule = {.rank = shape->rank + (int)count.lo};
  out->poisoned = !ir_axes_read(node, 1, in[1]->contents, rule, scope, &axes);
  if (!out->poisoned)
    out->shape = unsqueezed_shape(shape, &axes);
  return IR_OK;
}

const ir_op ir_op_unsqueeze_1 = {
    .dialect = IR_OPENVINO,
    .type = "Unsqueeze",
    .version = 1,
    .spec = IR_SPEC_PAGE("shape/unsqueeze-1"),
    .inputs = IR_PORTS(IR_MOVED_T("data"), {.name = "axes",
                                            .type_var = "T_INT",
                                            .types = IR_SET_INTEGERS,
                                            .rank_min = 0,
                                            .rank_max = 1,
                                            .contents = true}),
    .outputs = IR_PORTS(IR_MOVED_T("output")),
    .narrow = IR_SET_NARROW,
    .infer = infer,
    .ranges = ir_ranges_same,
    .run = {IR_RUN_PREPARED, .prepare = ir_same_elements_prepare},
    .function = IR_FUNCTION_VIEW,
};
