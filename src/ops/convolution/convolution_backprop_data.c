/* ConvolutionBackpropData-1 and GroupConvolutionBackpropData-1. Shapes without and with groups:
 *   data [N, C_IN, D..], kernel [C_IN, C_OUT, D..], output [N, C_OUT, D..]
 *   data [N, GROUPS * C_IN, D..], kernel [GROUPS, C_IN, C_OUT, D..], output [N, GROUPS * C_OUT, D..]
 * The optional input `output_shape` has the spatial sizes of the output. Without it, computed_size computes them. */
#include "ops/convolution/convolution_run.h"
#include "ops/ranges.h"
#include <stdio.h>

static ir_wide size_of(const ir_conv_params *params, int axis, int64_t n, int64_t kernel) {
  const ir_wide stride = ir_spatial_item(params->strides, axis, 1);
  const ir_window_axis window = {.kernel = kernel, .dilation = ir_spatial_item(params->dilations, axis, 1)};
  ir_wide size = (n - 1) * stride + ir_window_extent(window) + ir_spatial_item(params->output_padding, axis, 0);
  if (params->auto_pad == IR_PAD_EXPLICIT)
    size -= (ir_wide)ir_spatial_item(params->pads_begin, axis, 0) + ir_spatial_item(params->pads_end, axis, 0);
  return size;
}

/* Computes the output's size on a spatial axis. For n data elements (at least 1) and the dilated kernel's size K:
 * size = stride * (n - 1) + K - pads_begin - pads_end + output_padding; pads count only if auto_pad is explicit.
 * Reports a negative size and an overflow. */
static bool computed_size(const ir_conv_facts *facts, int axis, ir_dim *out) {
  const ir_dim n = ir_conv_dim(facts->data, 2 + axis), kernel = ir_conv_kernel_dim(facts, axis);
  const bool is_open = n.hi == IR_DIM_MAX || kernel.hi == IR_DIM_MAX;
  const ir_wide least = size_of(facts->params, axis, n.lo > 1 ? n.lo : 1, kernel.lo);
  const ir_wide most = is_open ? INT64_MAX : size_of(facts->params, axis, n.hi > 1 ? n.hi : 1, kernel.hi);
  char name[IR_AXIS_NAME], wide[IR_WIDE_TEXT];
  ir_axis_name(facts->n_spatial, axis, name, sizeof name);
  if (most < 0) {
    ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT,
              ir_attr_item_where(facts->scope, facts->node, "pads_begin", axis), "the pads leave a size of %s on %s",
              ir_wide_text(most, wide, sizeof wide), name);
    return false;
  }
  if (least >= INT64_MAX) {
    ir_report(facts->scope->diags, IR308_SIZE_OVERFLOW, ir_attr_item_where(facts->scope, facts->node, "strides", axis),
              "the output size on %s does not fit 64 bits", name);
    return false;
  }
  *out = (ir_dim){least < 0 ? 0 : (int64_t)least, most >= INT64_MAX ? IR_DIM_MAX : (int64_t)most};
  return true;
}

/* Reads the size on spatial axis `axis` from output_shape. Reports a negative size. */
static bool given_size(const ir_conv_facts *facts, const ir_value *given, int axis, ir_dim *out) {
  *out = ir_has_ranges(given) ? ir_range_at(given, axis) : ir_dim_any();
  if (out->hi < 0) {
    ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(facts->scope, facts->node, 2, -1),
              "element %d of 'output_shape' is %lld; a size is at least 0", axis, (long long)out->hi);
    return false;
  }
  out->lo = out->lo > 0 ? out->lo : 0;
  return true;
}

/* Checks that output_shape has one size for each spatial axis. */
static bool check_given(const ir_conv_facts *facts, const ir_value *given) {
  char text[IR_DIM_TEXT];
  if (given->shape.rank != 1 ||
      (given->shape.dims[0].lo <= facts->n_spatial && facts->n_spatial <= given->shape.dims[0].hi))
    return true;
  ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(facts->scope, facts->node, 2, 0),
            "'output_shape' has %s elements, expected %d: one for each spatial axis",
            ir_dim_text(given->shape.dims[0], text, sizeof text), facts->n_spatial);
  return false;
}

/* Whether infer sets the output's shape. If the length of output_shape is open, OpenVINO declares an output without
 * spatial axes, so infer leaves the shape unknown. */
static bool tells_rank(const ir_value *given) {
  return given == NULL || (given->shape.rank == 1 && ir_dim_known(given->shape.dims[0]));
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_value *given = node->n_inputs > 2 ? in[2] : NULL;
  ir_conv_facts facts;
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned || (given != NULL && given->poisoned) ||
                  node->attrs_at_fault != 0 || !ir_conv_facts_of(node, in, scope, &facts);
  if (out->poisoned || facts.n_spatial == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_shape shape = ir_shape_of_rank(facts.n_spatial + 2);
  shape.dims[0] = ir_conv_dim(facts.data, 0);
  bool fine = ir_conv_channels(&facts, &shape.dims[1]);
  fine = (given == NULL || check_given(&facts, given)) && fine;
  for (int i = 0; i < facts.n_spatial && fine && tells_rank(given); i++)
    fine =
        given != NULL ? given_size(&facts, given, i, &shape.dims[2 + i]) : computed_size(&facts, i, &shape.dims[2 + i]);
  out->poisoned = !fine;
  if (fine && tells_rank(given))
    out->shape = shape;
  return IR_OK;
}

/* Sets the pads at the begin of each axis. If auto_pad is same_upper or same_lower, the pads of both ends add up to
 * `over`: the size without pads, minus the output's size. For same_upper, the larger half is at the begin. */
static void find_pads(const ir_conv_facts *facts, int64_t *begin) {
  const ir_conv_params *params = facts->params;
  for (int i = 0; i < facts->n_spatial; i++) {
    const int64_t n = facts->data->dims[2 + i].lo;
    const ir_wide size = size_of(params, i, n > 1 ? n : 1, ir_conv_kernel_dim(facts, i).lo);
    const ir_wide over = size - facts->node->outputs[0].shape.dims[2 + i].lo;
    begin[i] = 0;
    if (params->auto_pad == IR_PAD_EXPLICIT)
      begin[i] = ir_spatial_item(params->pads_begin, i, 0);
    else if (ir_pool_is_same(params->auto_pad) && over > 0)
      begin[i] = (int64_t)(params->auto_pad == IR_PAD_SAME_UPPER ? over - over / 2 : over / 2);
  }
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_conv_facts facts;
  int64_t begin[IR_CONV_AXES];
  if (!ir_conv_facts_of(node, in, scope, &facts))
    return IR_INVALID;
  find_pads(&facts, begin);
  return ir_conv_step(&facts, begin, plan);
}

static bool contraction(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_fast_desc *out) {
  ir_conv_facts facts;
  int64_t begin[IR_CONV_AXES];
  if (!ir_conv_facts_of(node, in, scope, &facts))
    return false;
  find_pads(&facts, begin);
  return ir_conv_product(&facts, begin, out);
}

static const ir_attr_spec attrs[] = {
    IR_CONV_ROWS, IR_CONV_LIST("output_padding", output_padding, 0, .fallback = "0"), {.name = NULL}};

static const ir_conv_layout plain = {.port = 1, .in_axis = 0, .out_axis = 1, .n_channel_axes = 2};
static const ir_conv_layout grouped = {.port = 1, .has_groups = true, .in_axis = 1, .out_axis = 2, .n_channel_axes = 3};

#define BACKPROP(text, page, layout, kernel_least, kernel_most)                                                        \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = text, .version = 1, .spec = IR_SPEC_PAGE("convolution/" page),                     \
    .params_size = sizeof(ir_conv_params), .attrs = attrs, .family = &layout, .infer = infer,                          \
    .run = {IR_RUN_PREPARED, .prepare = prepare}, .contraction = contraction, .cost = ir_conv_cost,                    \
    .multiplies = true,                                                                                                \
    .inputs = IR_PORTS(IR_CONV_PORT("data", "T1", 3, 5), IR_CONV_PORT("kernel", "T1", kernel_least, kernel_most),      \
                       {.name = "output_shape",                                                                        \
                        .type_var = "T2",                                                                              \
                        .types = IR_SET_INTEGERS,                                                                      \
                        .rank_min = 1,                                                                                 \
                        .rank_max = 1,                                                                                 \
                        .ranges = true,                                                                                \
                        .optional = true}),                                                                            \
    .outputs = IR_PORTS(IR_CONV_PORT("output", "T1", 3, 5))                                                            \
  }

const ir_op ir_op_convolution_backprop_data_1 =
    BACKPROP("ConvolutionBackpropData", "convolution-backprop-data-1", plain, 3, 5);
const ir_op ir_op_group_convolution_backprop_data_1 =
    BACKPROP("GroupConvolutionBackpropData", "group-convolution-backprop-data-1", grouped, 4, 6);
