/* Compares two tensors element by element, for the report of --expect. Computes the result and reports nothing. */
#ifndef IR_COMPARE_H
#define IR_COMPARE_H

#include "base/tensor.h"
#include "irrun_compare.h"

/* Whether elements of the type can be compared. */
bool ir_type_comparable(ir_type type);

/* Fills all of `*out` for two tensors of one comparable type and one shape. An element agrees when
 *   |got - expected| <= atol + rtol * |expected|     (in double; integers' differences are exact) or when the two are
 *   at most `ulp` representable values apart; a NaN agrees with any NaN, an infinity with the same infinity, and
 *   neither with anything else. `*out_got_not_finite` counts elements that are finite in `expected` but not in `got`.
 *   Allocates nothing. `see`, which may be NULL, is called for unequal elements. */
void ir_compare(const ir_tensor *got, const ir_tensor *expected, irrun_tolerance tolerance, irrun_see_difference *see,
                void *user, irrun_comparison *out, int64_t *out_got_not_finite);

/* Counts the elements by kind; computes range and mean of the finite ones. */
irrun_statistics ir_statistics(const ir_tensor *tensor);

#endif
