/* The window of Convolution, Deconvolution and Pooling. Version 2 spells the attributes for the axes X and Y, later
 * versions as lists, with one item for each spatial axis. */
#ifndef IR_LEGACY_WINDOWS_H
#define IR_LEGACY_WINDOWS_H

#include "ops/legacy/legacy.h"

typedef struct ir_legacy_window {
  ir_ints kernel, strides, pads_begin, pads_end, dilations;
  /* of version 2; -1: absent */
  int64_t kernel_x, kernel_y, stride_x, stride_y, pad_x, pad_y, pad_r, pad_b, dilation_x, dilation_y;
  int auto_pad;
} ir_legacy_window;

typedef enum ir_legacy_auto_pad {
  IR_LEGACY_PAD_EXPLICIT,
  IR_LEGACY_PAD_SAME_UPPER,
  IR_LEGACY_PAD_SAME_LOWER,
  IR_LEGACY_PAD_VALID,
} ir_legacy_auto_pad;

extern const char *const ir_legacy_auto_pads[];

/* Schema rows of a window in field `window` of `params`. */
#define IR_LEGACY_XY(text, params, field) IR_LEGACY_INT(text, params, window.field, .fallback = "-1")
#define IR_LEGACY_WINDOW_ROWS(params)                                                                                  \
  IR_LEGACY_SPATIAL("kernel", params, window.kernel, 1), IR_LEGACY_SPATIAL("strides", params, window.strides, 1),      \
      IR_LEGACY_SPATIAL("pads_begin", params, window.pads_begin, 0),                                                   \
      IR_LEGACY_SPATIAL("pads_end", params, window.pads_end, 0),                                                       \
      IR_LEGACY_SPATIAL("dilations", params, window.dilations, 1), IR_LEGACY_XY("kernel-x", params, kernel_x),         \
      IR_LEGACY_XY("kernel-y", params, kernel_y), IR_LEGACY_XY("stride-x", params, stride_x),                          \
      IR_LEGACY_XY("stride-y", params, stride_y), IR_LEGACY_XY("pad-x", params, pad_x),                                \
      IR_LEGACY_XY("pad-y", params, pad_y), IR_LEGACY_XY("pad-r", params, pad_r),                                      \
      IR_LEGACY_XY("pad-b", params, pad_b), IR_LEGACY_XY("dilation-x", params, dilation_x),                            \
      IR_LEGACY_XY("dilation-y", params, dilation_y),                                                                  \
      IR_LEGACY_ENUM("auto_pad", params, window.auto_pad, ir_legacy_auto_pads, .fallback = "")

/* The window with all lists filled, for `n` spatial axes: the spelling of version 2 becomes lists, pads_end is
 * pads_begin if it is absent, strides and dilations are 1. */
typedef struct ir_legacy_full_window {
  int64_t kernel[IR_MAX_RANK], strides[IR_MAX_RANK], pads_begin[IR_MAX_RANK], pads_end[IR_MAX_RANK];
  int64_t dilations[IR_MAX_RANK];
  int n;
} ir_legacy_full_window;

ir_legacy_full_window ir_legacy_fill_window(const ir_legacy_window *window, int n);
/* The dims of weights as Convolution-1 wants them: [first, second, kernel..], and for GroupConvolution-1, with more
 * than one group, [groups, first / groups, second, kernel..]. `dims` has room for IR_MAX_RANK; returns the rank. */
int ir_legacy_weight_dims(int64_t groups, int64_t first, int64_t second, const ir_legacy_full_window *window,
                          int64_t *dims);
/* Sets strides, pads_begin, pads_end and auto_pad of a made layer; dilations with `has_dilations`. */
void ir_legacy_set_window(ir_expansion *x, ir_wire made, const ir_legacy_window *window,
                          const ir_legacy_full_window *full, bool has_dilations);

#endif
