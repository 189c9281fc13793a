/* One layer with the outputs that it has to have, written as text: "1 -0 nan inf -inf 11/3", L for the type's lowest
 * finite number and G for its greatest. A float type takes the number that is nearest to what is written. */
#ifndef LAYER_CHECK_H
#define LAYER_CHECK_H

#include "layer_run.h"

/* Sets of element types. */
#define FLOAT_TYPES  IR_SET_FLOATS
#define ALL_TYPES    IR_SET_NUMBERS
#define SIGNED_TYPES (IR_SET_FLOATS | IR_SET_SIGNED)

/* Runs the layer in every type of the set. `rules`: what is reported, as model_run_rules has it. `values` NULL: they
 * are not read. `indices` NULL: they are not read; else the layer is run once with each index type. */
void layer_check(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                 const char *rules);
/* The same for ranks 3 to 5: before the spatial axes stand ones that have one element and one window. */
void layer_check_ranks(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                       const char *rules);
/* The layer with such an axis more. */
layer_case layer_with_axis(const layer_case *c);

#endif
