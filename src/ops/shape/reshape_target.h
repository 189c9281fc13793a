/* Arithmetic of Reshape: finds the output shape for a target and an input shape whose sizes are intervals. */
#ifndef IR_RESHAPE_TARGET_H
#define IR_RESHAPE_TARGET_H

#include "base/shape.h"

/* Entries of ir_reshape_target.sizes that are not sizes. */
#define IR_RESHAPE_REST (-1) /* -1 in the file: the input's elements divided by the other sizes; at most one entry */
#define IR_RESHAPE_COPY (-2) /* copies the input's dim at the same position */

typedef struct ir_reshape_target {
  int n;
  int64_t sizes[IR_MAX_RANK];
  bool has_rest;
} ir_reshape_target;

typedef enum ir_reshape_fit {
  IR_RESHAPE_FITS,
  IR_RESHAPE_FITS_EMPTY, /* only an input without elements fits, but this input may have elements */
  IR_RESHAPE_NEVER,      /* no sizes of the input give the target's number of elements */
  IR_RESHAPE_TOO_LARGE   /* intermediate element counts exceed int64_t */
} ir_reshape_fit;

/* Computes the product of the target's sizes, without IR_RESHAPE_REST and IR_RESHAPE_COPY. Returns false if it exceeds
 * int64_t. */
bool ir_reshape_fixed(const ir_reshape_target *target, int64_t *out);

/* Finds the output shape. Input and output must have the same number of elements. Copied dims are left out on both
 * sides, even if 0: IR_RESHAPE_REST is the product of the input's other dims divided by the product of the target's
 * sizes. If a size of the target is 0, IR_RESHAPE_REST is 1, like in OpenVINO.
 *
 * The output's intervals have only sizes that the input can give. If trying all input sizes would take too long, the
 * intervals are wider. If the rank of `in` is known, the caller has checked that each copied dim exists. */
ir_reshape_fit ir_reshape_solve(const ir_reshape_target *target, const ir_shape *in, ir_shape *out);

#endif
