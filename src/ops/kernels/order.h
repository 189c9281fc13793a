/* Elements by size: keys that stand for them, and those that come first. */
#ifndef IR_ORDER_H
#define IR_ORDER_H

#include "base/tensor.h"

/* Keys of `n` elements that lie `step` elements apart: they rise with the elements, and are equal where those are. NaN
 * is above all numbers. */
void ir_order_keys(ir_type type, const void *elements, int64_t step, int64_t n, int64_t *keys);

/* Of `n` things the `k` with the least keys, in their order; of equal ones the first. */
void ir_order_first(const int64_t *keys, int64_t n, int64_t k, int64_t *first);
/* Things in the order of their keys, equal ones in that of their numbers. */
void ir_order_sort(const int64_t *keys, int64_t *things, int64_t n);

#endif
