/* Broadcasts the shapes of two inputs by the rules of the attribute auto_broadcast, with sizes as intervals. Page:
 * operation-sets/broadcast-rules. */
#ifndef IR_BROADCAST_H
#define IR_BROADCAST_H

#include "base/shape.h"

typedef enum ir_broadcast_mode {
  IR_BROADCAST_NONE,  /* the shapes are equal */
  IR_BROADCAST_NUMPY, /* aligned at the last axis; axes of size 1, or absent ones, stretch to the other input's size */
  IR_BROADCAST_PDPD   /* the second input's axes align with the first's from `axis` on; only the second's axes of size 1
                         stretch */
} ir_broadcast_mode;

extern const char *const ir_broadcast_names[]; /* "none", "numpy", "pdpd" */

typedef struct ir_broadcast {
  ir_broadcast_mode mode;
  int64_t axis; /* PDPD: axis of the first input where the second's axes begin; -1: both end together */
} ir_broadcast;

typedef enum ir_broadcast_fit {
  IR_BROADCAST_FITS,
  IR_BROADCAST_RANKS_DIFFER, /* NONE */
  IR_BROADCAST_RANK_GREATER, /* PDPD: the second input's rank is greater */
  IR_BROADCAST_AXIS_OUTSIDE, /* PDPD: `axis` is above the first input's rank */
  IR_BROADCAST_SIZES_DIFFER  /* on `axes`, for all sizes in the intervals */
} ir_broadcast_fit;

typedef struct ir_broadcast_result {
  ir_broadcast_fit fit;
  ir_shape shape; /* output shape, if the inputs fit: the smallest intervals with all possible sizes */
  uint32_t axes;  /* bit i: axis i of the output has no possible size */
  /* Axis i of the output is axis i - offset of an input; an absent axis counts as size 1. */
  int a_offset, b_offset;
} ir_broadcast_result;

ir_broadcast_result ir_broadcast_shapes(ir_broadcast rule, const ir_shape *a, const ir_shape *b);

#endif
