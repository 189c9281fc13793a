/* Broadcasts the shapes of two inputs by the rule of the attribute auto_broadcast. Sizes are intervals. Specification:
 * operation-sets/broadcast-rules. */
#ifndef IR_BROADCAST_H
#define IR_BROADCAST_H

#include "base/shape.h"

typedef enum ir_broadcast_mode {
  IR_BROADCAST_NONE,  /* the shapes must be equal */
  IR_BROADCAST_NUMPY, /* last axes align; an axis that is absent or of size 1 stretches to the other input's size */
  IR_BROADCAST_PDPD   /* PaddlePaddle's rule: axis 0 of the second input aligns with `axis` of the first; only axes of
                         size 1 of the second input stretch */
} ir_broadcast_mode;

extern const char *const ir_broadcast_names[]; /* "none", "numpy", "pdpd" */

typedef struct ir_broadcast {
  ir_broadcast_mode mode;
  int64_t axis; /* mode PDPD: axis 0 of the second input aligns with this axis of the first; -1: the last axes align */
} ir_broadcast;

typedef enum ir_broadcast_fit {
  IR_BROADCAST_FITS,
  IR_BROADCAST_RANKS_DIFFER, /* mode NONE only */
  IR_BROADCAST_RANK_GREATER, /* mode PDPD: the second input's rank is greater than the first input's */
  IR_BROADCAST_AXIS_OUTSIDE, /* mode PDPD: ir_broadcast.axis is greater than the first input's rank */
  IR_BROADCAST_SIZES_DIFFER  /* no sizes within the intervals fit on `axes` of the result */
} ir_broadcast_fit;

typedef struct ir_broadcast_result {
  ir_broadcast_fit fit;
  ir_shape shape; /* output shape if the inputs fit; each interval is the smallest with all possible sizes */
  uint32_t axes;  /* bit i: axis i of the output has no possible size */
  /* Output axis i is axis i - a_offset of the first input and axis i - b_offset of the second. If an input lacks that
   * axis, the input has size 1 there. */
  int a_offset, b_offset;
} ir_broadcast_result;

ir_broadcast_result ir_broadcast_shapes(ir_broadcast rule, const ir_shape *a, const ir_shape *b);

#endif
