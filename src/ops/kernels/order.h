/* Sorts elements by integer keys, which have the order of the elements. */
#ifndef IR_ORDER_H
#define IR_ORDER_H

#include "base/tensor.h"

/* Makes the keys of n elements, `step` elements apart. Keys have the order of the elements; NaN is above all numbers.
 */
void ir_order_keys(ir_type type, const void *elements, int64_t step, int64_t n, int64_t *keys);

/* Reverses the order of n keys. */
void ir_order_reverse(int64_t *keys, int64_t n);

/* Writes the indices of the k smallest of n keys, sorted by key, then by index. */
void ir_order_first(const int64_t *keys, int64_t n, int64_t k, int64_t *first);
/* Sorts n indices, `things`, by their keys keys[things[i]]; equal keys by index. */
void ir_order_sort(const int64_t *keys, int64_t *things, int64_t n);

#endif
