/* Arithmetic of Reshape: the shape that a target gives an input whose sizes are intervals. */
#ifndef IR_RESHAPE_TARGET_H
#define IR_RESHAPE_TARGET_H

#include "base/shape.h"

/* Entries of a target that are not sizes. */
#define IR_RESHAPE_REST (-1) /* takes what the other sizes leave; at most one */
#define IR_RESHAPE_COPY (-2) /* copies the input's dim at the same position */

typedef struct ir_reshape_target {
  int n;
  int64_t sizes[IR_MAX_RANK];
  bool has_rest;
} ir_reshape_target;

typedef enum ir_reshape_fit {
  IR_RESHAPE_FITS,
  IR_RESHAPE_FITS_EMPTY, /* only an empty input fits, and this one may have elements */
  IR_RESHAPE_NEVER,      /* no sizes of the input give the target's number of elements */
  IR_RESHAPE_TOO_LARGE   /* intermediate element counts exceed int64_t */
} ir_reshape_fit;

/* Product of the target's sizes, without other entries; false if it exceeds int64_t. */
bool ir_reshape_fixed(const ir_reshape_target *target, int64_t *out);

/* Finds the output's shape. Copied dims drop out of both sides of the equation, even if 0: as in OpenVINO, -1 is the
 * product of the input's other dims divided by that of the target's sizes, and 1 if a size is 0. Intervals have only
 * sizes that the input can give, unless trying them would take too long. Copies lie within the input's rank, which may
 * be unknown. */
ir_reshape_fit ir_reshape_solve(const ir_reshape_target *target, const ir_shape *in, ir_shape *out);

#endif
