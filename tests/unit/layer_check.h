/* Checks a single layer. Expected outputs are a text of numbers such as "1 -0 nan inf -inf 11/3". L and G are the
 * lowest and greatest finite number of the type. In a float type, a number is rounded to the nearest. */
#ifndef LAYER_CHECK_H
#define LAYER_CHECK_H

#include "layer_run.h"

/* Sets of element types for layer_check. */
#define FLOAT_TYPES  IR_SET_FLOATS
#define ALL_TYPES    IR_SET_NUMBERS
#define SIGNED_TYPES (IR_SET_FLOATS | IR_SET_SIGNED)

/* Runs the layer in every type of the set. `rules` are the expected reports in the format of model_run_rules. If
 * `values` or `indices` is NULL, that output is not compared. Otherwise the layer runs once with each index type. */
void layer_check(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                 const char *rules);
/* Calls layer_check for the layer and for higher ranks up to 5. A higher rank adds leading spatial axes of one
 * element with one window. */
void layer_check_ranks(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                       const char *rules);
/* Returns the layer with one more leading spatial axis, of one element with one window. */
layer_case layer_with_axis(const layer_case *c);

#endif
