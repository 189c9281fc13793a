/* Products of one row of floats and rows of packed weights, whose elements are unpacked in registers. */
#ifndef IR_PACKED_LANES_H
#define IR_PACKED_LANES_H

#include "ops/kernels/packed_rows.h"

/* Whether ir_packed_lanes suits products of m rows: integers of 2, 4 and 8 bits, f4e2m1 and f8 without zero points, in
 * groups that fill whole words of 32 bits; for one row also nf4, f16, bf16 and f32. Elements are unpacked again for
 * each row.
 */
bool ir_packed_has_lanes(const ir_packed_rows *rows, int64_t m);
/* Number of floats of the ordered row, and of the scratch of ir_packed_lanes. */
int64_t ir_packed_ordered(const ir_packed_rows *rows);
int64_t ir_packed_lanes_scratch(const ir_packed_rows *rows);
/* Copies x[k] to the order in which ir_packed_lanes reads it. */
void ir_packed_order(const ir_packed_rows *rows, const float *x, float *ordered);
/* Computes lanes[IR_LANES], whose sum is the product of the row and x. The terms of a group are added before they are
 * multiplied by the scale. */
void ir_packed_lanes(const ir_packed_rows *rows, int64_t row, float *scratch, const float *ordered, float *lanes);

#endif
