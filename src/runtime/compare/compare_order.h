/* Finds out whether two tensors that differ have the same rows, or the same elements of each row, in another order. */
#ifndef IR_COMPARE_ORDER_H
#define IR_COMPARE_ORDER_H

#include "base/tensor.h"

typedef enum ir_other_order { IR_ORDER_NOT, IR_ORDER_OF_ROWS, IR_ORDER_IN_ROWS } ir_other_order;

/* Compares two tensors of one type and shape. A row is a line along the last axis, or an element of a tensor of rank 1.
 * Elements agree as in ir_compare, without ulps.
 *   IR_ORDER_OF_ROWS  `got` has the rows of `expected`, in another order, and at most 1,024 rows are out of place
 *   IR_ORDER_IN_ROWS  each row of `got` has the elements of the same row of `expected`, in another order
 *   IR_ORDER_NOT      neither, or rows of more than 512 elements, which are not compared */
ir_other_order ir_compare_order(const ir_tensor *got, const ir_tensor *expected, double atol, double rtol);

#endif
