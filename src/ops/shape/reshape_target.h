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

/* Finds the output shape. Input and target must have equal products of dims; copied dims are left out of both products.
 * IR_RESHAPE_REST is the quotient of both products, and 1 if a size of the target is 0, like in OpenVINO.
 *
 * The output's intervals have only sizes that the input can give. If trying all input sizes would take too long, the
 * intervals are wider. If the rank of `in` is known, the caller has checked that each copied dim exists. */
ir_reshape_fit ir_reshape_solve(const ir_reshape_target *target, const ir_shape *in, ir_shape *out);

#endif
