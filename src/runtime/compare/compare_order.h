/* Finds out whether two tensors that differ have the same rows, or the same elements of each row, in another order. */
#ifndef IR_COMPARE_ORDER_H
#define IR_COMPARE_ORDER_H

#include "base/tensor.h"

typedef enum ir_other_order { IR_ORDER_NOT, IR_ORDER_OF_ROWS, IR_ORDER_IN_ROWS } ir_other_order;

/* Compares two tensors of one type and shape. A row is a line along the last axis, or an element of a tensor of rank 1.
 * IR_ORDER_OF_ROWS: each row of `got` agrees with a row of `expected` that no other row of `got` agrees with first.
 * IR_ORDER_IN_ROWS: the elements of each row do. Elements agree as in ir_compare, without ulps. Returns IR_ORDER_NOT
 * if more than 1,024 rows are out of place, or a row is longer than 512 elements. */
ir_other_order ir_compare_order(const ir_tensor *got, const ir_tensor *expected, double atol, double rtol);

#endif
