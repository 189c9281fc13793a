/* The arithmetic of Reshape: which shape a target gives for an input whose dims are intervals. */
#ifndef IR_RESHAPE_TARGET_H
#define IR_RESHAPE_TARGET_H

#include "base/shape.h"

/* Entries of a target that are no sizes. */
#define IR_RESHAPE_REST (-1) /* what the other sizes leave; stands there once at most */
#define IR_RESHAPE_COPY (-2) /* the input's dim at the same place */

typedef struct ir_reshape_target {
  int n;
  int64_t sizes[IR_MAX_RANK];
  bool has_rest;
} ir_reshape_target;

typedef enum ir_reshape_fit {
  IR_RESHAPE_FITS,
  IR_RESHAPE_FITS_EMPTY, /* only an input without elements fits, and this one may have some */
  IR_RESHAPE_NEVER,      /* no sizes of the input give as many elements as the target has */
  IR_RESHAPE_TOO_LARGE   /* numbers of elements on the way do not fit int64_t */
} ir_reshape_fit;

/* The product of the target's sizes, entries that are none left out; false when it does not fit int64_t. */
bool ir_reshape_fixed(const ir_reshape_target *target, int64_t *out);

/* The output's shape. Copied dims leave both sides of the equation, a dim of 0 as well: as in OpenVINO, what is left
 * for -1 is the product of the other dims of the input through that of the target's sizes, and 1 beside a size of 0. No
 * dim is wider than what some sizes of the input give, except where trying them would take long. Copies lie within the
 * input's rank, which may be unknown. */
ir_reshape_fit ir_reshape_solve(const ir_reshape_target *target, const ir_shape *in, ir_shape *out);

#endif
