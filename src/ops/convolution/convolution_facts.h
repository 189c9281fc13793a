/* Shared by all convolutions: attributes, channels, and the spatial sizes of a kernel [D..] that slides over an input
 * [N, C, D..]. Pages: operation-specs/convolution. */
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

/* Axes of the kernel: the `family` of the rows. */
typedef struct ir_conv_layout {
  int port;           /* port of the kernel */
  bool has_groups;    /* axis 0 counts groups; the next two belong to one group */
  int in_axis;        /* input channels */
  int out_axis;       /* output channels */
  int n_channel_axes; /* 2 or 3; spatial axes follow */
} ir_conv_layout;

#define IR_CONV_LIST(text, field, least, ...)                                                                          \
  {                                                                                                                    \
    .name = text, .kind = IR_ATTR_INT, .count = IR_COUNT_SPATIAL, .offset = offsetof(ir_conv_params, field),           \
    .min = least, .max = INT64_MAX, __VA_ARGS__                                                                        \
  }
/* Rows of a schema. Some pages allow strides and dilations of 0; OpenVINO refuses them. */
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
  int n_spatial; /* IR_RANK_UNKNOWN: neither inputs nor attributes give it */
} ir_conv_facts;

/* False, after a report, if the ranks and the lists do not agree. */
bool ir_conv_facts_of(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_conv_facts *facts);

/* Dim `axis` of a shape; open if its rank is unknown. */
static inline ir_dim ir_conv_dim(const ir_shape *shape, int axis) {
  return shape->rank == IR_RANK_UNKNOWN ? ir_dim_any() : shape->dims[axis];
}
/* Kernel size on spatial axis `axis`. */
ir_dim ir_conv_kernel_dim(const ir_conv_facts *facts, int axis);

/* The window on a spatial axis of known sizes, n in the input, with the resolved pads. */
ir_window_axis ir_conv_axis(const ir_conv_facts *facts, int axis, int64_t n);

/* The output channels. False, after a report, if the kernel and the data disagree on input channels. */
bool ir_conv_channels(const ir_conv_facts *facts, ir_dim *out);
/* Number of positions of the kernel on a spatial axis. False, after a report, if it has none. */
bool ir_conv_window(const ir_conv_facts *facts, int axis, ir_dim *out);

#endif
