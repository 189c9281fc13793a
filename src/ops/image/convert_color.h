/* A check shared by both directions: from NV12 and I420, and to NV12. */
#ifndef IR_CONVERT_COLOR_H
#define IR_CONVERT_COLOR_H

#include "ops/op.h"

/* Whether the height (axis 1) or width (axis 2) of the picture may be even. Reports IR322 at input 0 if not. */
bool ir_check_even(const ir_node *node, const ir_shape *picture, int axis, ir_scope *scope);

#endif
