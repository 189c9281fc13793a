/* Sorts elements by integer keys that have the same order. */
#ifndef IR_ORDER_H
#define IR_ORDER_H

#include "base/tensor.h"

/* Makes keys of `n` elements, `step` elements apart. Keys compare as the elements do; NaN is above all numbers. */
void ir_order_keys(ir_type type, const void *elements, int64_t step, int64_t n, int64_t *keys);

/* Indices of the `k` smallest of `n` keys, sorted; ties in index order. */
void ir_order_first(const int64_t *keys, int64_t n, int64_t k, int64_t *first);
/* Sorts `things` by their keys; ties in ascending order. */
void ir_order_sort(const int64_t *keys, int64_t *things, int64_t n);

#endif
