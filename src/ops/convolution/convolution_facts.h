/* All convolutions share these attributes and the rules for channels and spatial sizes. A kernel with spatial axes D..
 * slides over data [N, C, D..]. Pages: operation-specs/convolution. */
#ifndef IR_CONVOLUTION_FACTS_H
#define IR_CONVOLUTION_FACTS_H

#include "ops/attr_text.h"
#include "ops/op.h"
#include "ops/pool/pool.h"

typedef struct ir_conv_params {
  ir_ints strides, pads_begin, pads_end, dilations, output_padding;
  int auto_pad; /* ir_auto_pad */
  int64_t group, deformable_group;
  bool interpolates_pad;
  int mode;
  double pad_value;
} ir_conv_params;

/* Describes the axes of the kernel. An op's row in the op table points to its layout by ir_op.family. */
typedef struct ir_conv_layout {
  int port;           /* input port of the kernel */
  bool has_groups;    /* axis 0 counts groups; axes 1 and 2 are the channels of one group */
  int in_axis;        /* axis of the input channels */
  int out_axis;       /* axis of the output channels */
  int n_channel_axes; /* axes before the spatial axes: 2, or 3 with groups */
} ir_conv_layout;

#define IR_CONV_LIST(text, field, least, ...)                                                                          \
  {                                                                                                                    \
    .name = text, .kind = IR_ATTR_INT, .count = IR_COUNT_SPATIAL, .offset = offsetof(ir_conv_params, field),           \
    .min = least, .max = INT64_MAX, __VA_ARGS__                                                                        \
  }
/* Attributes of every convolution. For some ops, the specification allows strides and dilations of 0, but OpenVINO and
 * irrun refuse 0. */
#define IR_CONV_ROWS                                                                                                   \
  IR_CONV_LIST("strides", strides, 1, .required = true), IR_CONV_LIST("pads_begin", pads_begin, 0, IR_NEEDED_PADS),    \
      IR_CONV_LIST("pads_end", pads_end, 0, IR_NEEDED_PADS),                                                           \
      IR_CONV_LIST("dilations", dilations, 1, .required = true), {                                                     \
    .name = "auto_pad", .kind = IR_ATTR_ENUM, .offset = offsetof(ir_conv_params, auto_pad),                            \
    .names = ir_auto_pad_names, .fallback = "explicit"                                                                 \
  }
#define IR_CONV_PORT(port, var, least, most)                                                                           \
  { .name = port, .type_var = var, .types = IR_SET_NUMBERS, .rank_min = least, .rank_max = most }

typedef struct ir_conv_facts {
  const ir_node *node;
  const ir_conv_params *params;
  const ir_conv_layout *layout;
  const ir_shape *data, *kernel;
  ir_scope *scope;
  int n_spatial; /* number of spatial axes; IR_RANK_UNKNOWN: unknown from the inputs' ranks and from `strides` */
} ir_conv_facts;

/* Fills `facts`. If ranks and attribute lists contradict each other, or the kernel is empty on a spatial axis, reports
 * that and returns false. */
bool ir_conv_facts_of(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_conv_facts *facts);

/* Dim `axis` of a shape; open if the rank is unknown. */
static inline ir_dim ir_conv_dim(const ir_shape *shape, int axis) {
  return shape->rank == IR_RANK_UNKNOWN ? ir_dim_any() : shape->dims[axis];
}
/* Kernel size on spatial axis `axis`, at least 1. */
ir_dim ir_conv_kernel_dim(const ir_conv_facts *facts, int axis);

/* Returns the window on spatial axis `axis`, with auto_pad resolved to pads. The input has n elements on that axis, and
 * the kernel's size is known. */
ir_window_axis ir_conv_axis(const ir_conv_facts *facts, int axis, int64_t n);

/* Sets `*out` to the output channels. If kernel and data disagree on the input channels, reports that and returns
 * false. */
bool ir_conv_channels(const ir_conv_facts *facts, ir_dim *out);
/* Sets `*out` to the output's size on a spatial axis: the number of kernel positions. If no position fits into the
 * padded input, or the number exceeds 64 bits, reports that and returns false. */
bool ir_conv_window(const ir_conv_facts *facts, int axis, ir_dim *out);

#endif
