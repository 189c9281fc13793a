/* How the shapes of two inputs become one: the rules that an attribute auto_broadcast names, on intervals. Page:
 * operation-sets/broadcast-rules. */
#ifndef IR_BROADCAST_H
#define IR_BROADCAST_H

#include "base/shape.h"

typedef enum ir_broadcast_mode {
  IR_BROADCAST_NONE,  /* the shapes are equal */
  IR_BROADCAST_NUMPY, /* aligned at the last axis; a size of 1 stretches to the other's, an axis that is not there too
                       */
  IR_BROADCAST_PDPD /* the second input is laid onto the first from an axis on; only the second's sizes of 1 stretch */
} ir_broadcast_mode;

extern const char *const ir_broadcast_names[]; /* "none", "numpy", "pdpd" */

typedef struct ir_broadcast {
  ir_broadcast_mode mode;
  int64_t axis; /* PDPD: of the first input, where the second one's axes begin; -1: so that both end together */
} ir_broadcast;

typedef enum ir_broadcast_fit {
  IR_BROADCAST_FITS,
  IR_BROADCAST_RANKS_DIFFER, /* NONE */
  IR_BROADCAST_RANK_GREATER, /* PDPD: the second input's rank is */
  IR_BROADCAST_AXIS_OUTSIDE, /* PDPD: `axis` is above the first input's rank */
  IR_BROADCAST_SIZES_DIFFER  /* on `axes`, whatever the sizes in the intervals */
} ir_broadcast_fit;

typedef struct ir_broadcast_result {
  ir_broadcast_fit fit;
  ir_shape shape; /* of the output, when it fits; the least intervals that hold every size there can be */
  uint32_t axes;  /* bit i: axis i of the output has no size */
  /* Axis i of the output is axis i - offset of an input; where that has no such axis, its size counts as 1. */
  int a_offset, b_offset;
} ir_broadcast_result;

ir_broadcast_result ir_broadcast_shapes(ir_broadcast rule, const ir_shape *a, const ir_shape *b);

#endif
