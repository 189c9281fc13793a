/* Compares two tensors element by element. Reports nothing. */
#ifndef IR_COMPARE_H
#define IR_COMPARE_H

#include "base/tensor.h"
#include "irrun_compare.h"

/* Whether elements of the type can be compared. */
bool ir_type_comparable(ir_type type);

/* Compares two tensors of the same comparable type and the same shape, and fills `*out`. Finite elements agree if
 *   |got - expected| <= atol + rtol * |expected|, in double, from exact differences of integers,
 * or if they are at most `ulp` representable values apart. A NaN agrees only with a NaN, an infinity only with the same
 * infinity. `*out_got_not_finite` counts elements that are finite in `expected` but not in `got`. `see`, which can be
 * NULL, is called for each pair of unequal elements. Allocates nothing. */
void ir_compare(const ir_tensor *got, const ir_tensor *expected, irrun_tolerance tolerance, irrun_see_difference *see,
                void *user, irrun_comparison *out, int64_t *out_got_not_finite);

/* Counts NaNs, infinities and finite elements, and computes minimum, maximum and mean of the finite elements. */
irrun_statistics ir_statistics(const ir_tensor *tensor);

#endif
