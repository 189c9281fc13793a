/* The conversions from NV12 and I420 and those to NV12 share this. */
#ifndef IR_CONVERT_COLOR_H
#define IR_CONVERT_COLOR_H

#include "ops/op.h"

/* Whether the height (axis 1) or width (axis 2) of the picture [N, H, W, C] can be even. If not, reports IR322 at
 * input 0. */
bool ir_check_even(const ir_node *node, const ir_shape *picture, int axis, ir_scope *scope);
/* Clamps a luma or colour to [0, 255]. NaN stays NaN. */
static inline double ir_color_held(double x) {
  return x < 0 ? 0 : x > 255 ? 255 : x;
}

#endif
