#include "ops/convolution/convolution_facts.h"
#include <stdio.h>

static int spatial_axes(const ir_conv_facts *facts) {
  const int64_t listed = facts->params->strides.n;
  if (facts->data->rank != IR_RANK_UNKNOWN)
    return facts->data->rank - 2;
  if (facts->kernel->rank != IR_RANK_UNKNOWN)
    return facts->kernel->rank - facts->layout->n_channel_axes;
  return listed >= 1 && listed <= 3 ? (int)listed : IR_RANK_UNKNOWN;
}

/* Checks that `strides` has one item for each spatial axis of the kernel. The binder already compared the lengths of
 * the lists with each other and with the data's rank. */
static bool check_lists(const ir_conv_facts *facts) {
  const int64_t n = facts->params->strides.n;
  if (facts->n_spatial == IR_RANK_UNKNOWN || n == facts->n_spatial)
    return true;
  ir_report(facts->scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, ir_attr_where(facts->scope, facts->node, "strides"),
            "'strides' has %lld value%s, expected %d: one for each spatial axis of the kernel", (long long)n,
            n == 1 ? "" : "s", facts->n_spatial);
  return false;
}

/* Reports a kernel of size 0 on a spatial axis. */
static bool check_kernel(const ir_conv_facts *facts) {
  const int first = facts->layout->n_channel_axes;
  for (int i = first; i < facts->kernel->rank; i++)
    if (facts->kernel->dims[i].hi == 0) {
      ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT,
                ir_input_where(facts->scope, facts->node, facts->layout->port, i),
                "the kernel has no elements on spatial axis %d", i - first);
      return false;
    }
  return true;
}

bool ir_conv_facts_of(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_conv_facts *facts) {
  const ir_conv_layout *layout = node->op->family;
  *facts = (ir_conv_facts){.node = node,
                           .params = node->params,
                           .layout = layout,
                           .data = &in[0]->shape,
                           .kernel = &in[layout->port]->shape,
                           .scope = scope};
  facts->n_spatial = spatial_axes(facts);
  const int rank = facts->n_spatial + layout->n_channel_axes;
  if (facts->n_spatial != IR_RANK_UNKNOWN && facts->kernel->rank != IR_RANK_UNKNOWN && facts->kernel->rank != rank) {
    char texts[2][IR_SHAPE_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, layout->port, -1),
              "the kernel %s has rank %d, expected %d: the input %s has %d spatial ax%s",
              ir_shape_text(facts->kernel, texts[0], sizeof texts[0]), facts->kernel->rank, rank,
              ir_shape_text(facts->data, texts[1], sizeof texts[1]), facts->n_spatial,
              facts->n_spatial == 1 ? "is" : "es");
    return false;
  }
  return check_kernel(facts) && check_lists(facts);
}

ir_dim ir_conv_kernel_dim(const ir_conv_facts *facts, int axis) {
  ir_dim dim = ir_conv_dim(facts->kernel, facts->layout->n_channel_axes + axis);
  dim.lo = dim.lo > 1 ? dim.lo : 1;
  return dim;
}

/* ---- channels ---- */

static bool report_channels(const ir_conv_facts *facts, int axis, const char *fault) {
  char texts[2][IR_SHAPE_TEXT];
  ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT,
            ir_input_where(facts->scope, facts->node, facts->layout->port, axis), "%s: input %s, kernel %s", fault,
            ir_shape_text(facts->data, texts[0], sizeof texts[0]),
            ir_shape_text(facts->kernel, texts[1], sizeof texts[1]));
  return false;
}

/* Sets `*groups` to the number of groups: axis 0 of the kernel. If the kernel's channels per group are known, the
 * data's channels narrow the interval; reports a contradiction. */
static bool group_count(const ir_conv_facts *facts, ir_dim *groups) {
  const ir_dim channels = ir_conv_dim(facts->data, 1), each = facts->kernel->dims[facts->layout->in_axis];
  *groups = facts->kernel->dims[0];
  if (!ir_dim_known(each) || (each.lo == 0 && channels.lo == 0))
    return true;
  const int64_t size = each.lo > 0 ? each.lo : 1;
  const ir_dim counted = {ir_ceil_div(channels.lo, size), each.lo == 0                ? -1
                                                          : channels.hi == IR_DIM_MAX ? IR_DIM_MAX
                                                                                      : channels.hi / size};
  char fault[192], dims[2][IR_DIM_TEXT];
  if (counted.lo <= counted.hi && ir_dims_meet(counted, *groups)) {
    *groups = ir_dims_common(counted, *groups);
    return true;
  }
  snprintf(fault, sizeof fault, "the input has %s channels, the kernel takes %s groups of %lld",
           ir_dim_text(channels, dims[0], sizeof dims[0]), ir_dim_text(*groups, dims[1], sizeof dims[1]),
           (long long)each.lo);
  return report_channels(facts, facts->layout->in_axis, fault);
}

bool ir_conv_channels(const ir_conv_facts *facts, ir_dim *out) {
  const ir_conv_layout *layout = facts->layout;
  *out = ir_dim_any();
  if (facts->kernel->rank == IR_RANK_UNKNOWN)
    return true;
  *out = facts->kernel->dims[layout->out_axis];
  if (layout->has_groups) {
    ir_dim groups;
    const bool fine = group_count(facts, &groups);
    *out = ir_dims_product(groups, *out);
    return fine;
  }
  const ir_dim channels = ir_conv_dim(facts->data, 1);
  const int64_t group = facts->params->group > 1 ? facts->params->group : 1;
  const ir_dim taken = ir_dims_product(facts->kernel->dims[layout->in_axis], ir_dim_of(group));
  if (ir_dims_meet(channels, taken))
    return true;
  char fault[192], dims[2][IR_DIM_TEXT], groups[48] = "";
  if (group > 1)
    snprintf(groups, sizeof groups, " in %lld groups", (long long)group);
  snprintf(fault, sizeof fault, "the input has %s channels, the kernel takes %s%s",
           ir_dim_text(channels, dims[0], sizeof dims[0]), ir_dim_text(taken, dims[1], sizeof dims[1]), groups);
  return report_channels(facts, layout->in_axis, fault);
}

/* ---- spatial sizes ---- */

static ir_window_axis window_of(const ir_conv_facts *facts, int axis, int64_t kernel) {
  const ir_conv_params *params = facts->params;
  return (ir_window_axis){.kernel = kernel,
                          .stride = ir_spatial_item(params->strides, axis, 1),
                          .dilation = ir_spatial_item(params->dilations, axis, 1),
                          .pad_begin = ir_spatial_item(params->pads_begin, axis, 0),
                          .pad_end = ir_spatial_item(params->pads_end, axis, 0)};
}

ir_window_axis ir_conv_axis(const ir_conv_facts *facts, int axis, int64_t n) {
  const ir_window_axis window = window_of(facts, axis, ir_conv_kernel_dim(facts, axis).lo);
  return ir_window_resolve(window, (ir_auto_pad)facts->params->auto_pad, n);
}

static bool report_window(const ir_conv_facts *facts, int axis, ir_window_axis window, ir_dim n) {
  char name[IR_AXIS_NAME], wide[2][IR_WIDE_TEXT], spans[64] = "";
  const ir_wide extent = ir_window_extent(window), padded = ir_window_padded(window, n.hi);
  const int port = facts->layout->port;
  const ir_where where = ir_input_where(facts->scope, facts->node, port, facts->layout->n_channel_axes + axis);
  ir_axis_name(facts->n_spatial, axis, name, sizeof name);
  if (n.hi == IR_DIM_MAX || extent <= padded) {
    ir_report(facts->scope->diags, IR308_SIZE_OVERFLOW, where, "the output size on %s does not fit 64 bits", name);
    return false;
  }
  if (window.dilation > 1)
    snprintf(spans, sizeof spans, ", dilated to %s,", ir_wide_text(extent, wide[0], sizeof wide[0]));
  ir_report(facts->scope->diags, IR304_KERNEL_EXCEEDS_INPUT, where,
            "the kernel's %lld%s exceeds the padded input%s %s%s on %s", (long long)window.kernel, spans,
            ir_dim_known(n) ? "" : ", at most", ir_wide_text(padded, wide[1], sizeof wide[1]),
            ir_dim_known(n) ? "" : ",", name);
  return false;
}

/* If the kernel's size is an interval, the largest kernel has the fewest positions: out->lo of them. If the largest
 * kernel does not fit into the input, out->lo is 1, because a smaller kernel can fit. */
bool ir_conv_window(const ir_conv_facts *facts, int axis, ir_dim *out) {
  const ir_auto_pad auto_pad = (ir_auto_pad)facts->params->auto_pad;
  const ir_dim n = ir_conv_dim(facts->data, 2 + axis), kernel = ir_conv_kernel_dim(facts, axis);
  ir_window_axis window = window_of(facts, axis, kernel.lo);
  if (ir_pool_is_same(auto_pad)) {
    *out =
        (ir_dim){ir_ceil_div(n.lo, window.stride), n.hi == IR_DIM_MAX ? IR_DIM_MAX : ir_ceil_div(n.hi, window.stride)};
    return true;
  }
  window = ir_window_resolve(window, auto_pad, 0);
  if (!ir_window_count_interval(window, IR_PAD_EXPLICIT, IR_ROUND_FLOOR, n, out))
    return report_window(facts, axis, window, n);
  window.kernel = kernel.hi;
  int64_t fewest;
  if (!ir_dim_known(kernel))
    out->lo = kernel.hi != IR_DIM_MAX && ir_window_count(window, IR_ROUND_FLOOR, n.lo, &fewest) ? fewest : 1;
  return true;
}
