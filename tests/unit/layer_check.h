/* Checks a single layer, with its expected outputs as text: "1 -0 nan inf -inf 11/3"; L is the type's lowest finite
 * number, G its greatest. A float type gets the nearest number. */
#ifndef LAYER_CHECK_H
#define LAYER_CHECK_H

#include "layer_run.h"

/* Sets of element types for layer_check. */
#define FLOAT_TYPES  IR_SET_FLOATS
#define ALL_TYPES    IR_SET_NUMBERS
#define SIGNED_TYPES (IR_SET_FLOATS | IR_SET_SIGNED)

/* Runs the layer in every type of the set. `rules`: expected reports, as from model_run_rules. `values` NULL: not
 * compared. `indices` NULL: not compared; else the layer runs once with each index type. */
void layer_check(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                 const char *rules);
/* Also checks ranks 3 to 5, by additional leading spatial axes of one element and one window. */
void layer_check_ranks(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                       const char *rules);
/* Adds such an axis to the layer. */
layer_case layer_with_axis(const layer_case *c);

#endif
