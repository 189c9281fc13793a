/* Registers AvgPool: the mean over a window [D..] of an input [N, C, D..]. Pages: operation-specs/pooling/avg-pool-*.
 *
 * If exclude-pad is true or there are no pads, the divisor is the window's number of taps in the input. Otherwise the
 * divisor is the kernel's volume, which includes taps past the end padding (OpenVINO does the same). A window without
 * taps gives 0. nGraph's rows are in ops/ngraph and have other ir_pool_rules. */
#include "ops/pool/pool.h"
#include "ops/pool/pool_notes.h"
#include "ops/pool/pool_step.h"
#include <stdio.h>

bool ir_avg_pool_has_pads(const ir_node *node, const ir_shape *in) {
  const ir_auto_pad auto_pad = ir_pool_auto_pad(node, true);
  for (int i = 0; i < in->rank - 2; i++) {
    ir_window_axis axis = ir_pool_resolved_axis(node->params, auto_pad, i, in->dims[2 + i].lo);
    if (axis.pad_begin > 0 || axis.pad_end > 0)
      return true;
  }
  return false;
}

/* Computes the kernel's volume. Returns false if it exceeds 64 bits. */
static bool volume_of(const ir_pool_params *params, int n_spatial, int64_t *out) {
  *out = 1;
  for (int i = 0; i < n_spatial; i++)
    if (!ir_mul(*out, ir_pool_axis(params, i).kernel, out))
      return false;
  return true;
}

/* Returns the divisor of all windows; 0 if each window divides by its own number of taps. */
static int64_t divisor_of(const ir_node *node, const ir_shape *in) {
  const ir_pool_params *params = node->params;
  int64_t volume = 0;
  bool own = params->exclude_pad || !(ir_pool_rules_of(node)->whole_window_always || ir_avg_pool_has_pads(node, in));
  return !own && volume_of(params, in->rank - 2, &volume) ? volume : 0;
}

/* PyTorch and ONNX drop a last window that begins in the end padding (IR310). Returns the last window that remains. */
static int64_t last_window(ir_window_axis axis, int64_t n, int64_t n_out) {
  int64_t theirs;
  return ir_window_count(axis, IR_ROUND_CEIL_TORCH, n, &theirs) && theirs < n_out ? theirs - 1 : n_out - 1;
}

/* Reports IR312 if windows reach past the end padding: PyTorch and ONNX do not count the positions after it in the
 * divisor. */
static void note_overhang(const ir_node *node, const ir_shape *in, const ir_shape *out, ir_scope *scope) {
  int64_t clipped = 1;
  int overhanging = -1;
  bool news = false;
  for (int i = 0; i < in->rank - 2; i++) {
    int64_t n = in->dims[2 + i].lo;
    ir_window_axis axis = ir_pool_resolved_axis(node->params, ir_pool_auto_pad(node, true), i, n);
    if (!ir_dim_known(in->dims[2 + i]))
      return;
    int64_t taps = ir_window_clipped(axis, n, last_window(axis, n, out->dims[2 + i].lo));
    if (taps < axis.kernel && overhanging < 0)
      overhanging = i;
    clipped *= taps;
    news = news || ir_pool_is_news(scope, in, i);
  }
  if (!news || overhanging < 0 || divisor_of(node, in) == 0)
    return;
  char name[IR_AXIS_NAME];
  ir_report(scope->diags, IR312_DIVISOR_COUNTS_OVERHANG,
            ir_attr_where(scope, node, ir_op_field_name(node->op, offsetof(ir_pool_params, exclude_pad))),
            "the last window divides by %lld, PyTorch and ONNX by %lld: it reaches past the end padding on %s",
            (long long)divisor_of(node, in), (long long)clipped,
            ir_axis_name(in->rank - 2, overhanging, name, sizeof name));
}

ir_code ir_avg_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_code code = ir_pool_infer(node, in[0], out, true, scope);
  if (code != IR_OK || out->poisoned)
    return code;
  int64_t volume;
  if (!volume_of(node->params, out->shape.rank - 2, &volume)) {
    out->poisoned = true;
    return ir_report(scope->diags, IR308_SIZE_OVERFLOW,
                     ir_attr_where(scope, node, ir_op_field_name(node->op, offsetof(ir_pool_params, kernel))),
                     "the number of elements in a window does not fit 64 bits");
  }
  if (ir_pool_rules_of(node)->compared_with_torch)
    note_overhang(node, &in[0]->shape, &out->shape, scope);
  return IR_OK;
}

ir_code ir_avg_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  ir_average average = {.divisor = divisor_of(node, shape), .nan_if_empty = ir_pool_average_is_nan(node)};
  ir_code code = ir_windows_make(plan, node, shape, &node->outputs[0].shape, 2, ir_pool_set_windows, &average.windows);
  if (code == IR_OK && node->outputs[0].layout == IR_LAYOUT_CHANNELS_LAST)
    return ir_pool_channels_last_step(plan, node, &average.windows, &average);
  return code == IR_OK ? ir_average_step(plan, node, &average, scope) : code;
}

static const ir_attr_spec attrs_1[] = {IR_POOL_WINDOW_ROWS,
                                       IR_POOL_EXCLUDE_PAD_ROW,
                                       IR_POOL_ROUNDING_ROW(ir_rounding_names),
                                       IR_POOL_AUTO_PAD_ROW,
                                       {.name = NULL}};
static const ir_attr_spec attrs_14[] = {IR_POOL_WINDOW_ROWS,
                                        IR_POOL_EXCLUDE_PAD_ROW,
                                        IR_POOL_ROUNDING_ROW(ir_rounding_torch_names),
                                        IR_POOL_AUTO_PAD_ROW,
                                        {.name = NULL}};
static const ir_attr_spec attrs_16[] = {IR_POOL_WINDOW_ROWS,     IR_POOL_DILATIONS_ROW,
                                        IR_POOL_EXCLUDE_PAD_ROW, IR_POOL_ROUNDING_ROW(ir_rounding_torch_names),
                                        IR_POOL_AUTO_PAD_ROW,    {.name = NULL}};

#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_carried = IR_CARRIED_WIDENED, .rank_min = 3,        \
    .rank_max = 5                                                                                                      \
  }
#define AVG_POOL(number, schema)                                                                                       \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "AvgPool", .version = number, .spec = IR_SPEC_PAGE("pooling/avg-pool-" #number),   \
    .params_size = sizeof(ir_pool_params), .attrs = schema, .inputs = IR_PORTS(T_PORT("data")),                        \
    .outputs = IR_PORTS(T_PORT("output")), .family = &ir_pool_rules_openvino,                                          \
    .check_attributes = ir_pool_check_attributes, .infer = ir_avg_pool_infer,                                          \
    .run = {IR_RUN_PREPARED, .prepare = ir_avg_pool_prepare}, .takes_channels_last = ir_pool_takes_channels_last,      \
    .formula = ir_pool_formula, .cost = ir_pool_cost                                                                   \
  }

const ir_op ir_op_avg_pool_1 = AVG_POOL(1, attrs_1);
const ir_op ir_op_avg_pool_14 = AVG_POOL(14, attrs_14);
const ir_op ir_op_avg_pool_16 = AVG_POOL(16, attrs_16);
