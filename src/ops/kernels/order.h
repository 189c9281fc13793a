/* Sorts elements by integer keys, which have the order of the elements. */
#ifndef IR_ORDER_H
#define IR_ORDER_H

#include "base/stop.h"
#include "base/tensor.h"

/* Makes the keys of n elements, `step` elements apart. Keys have the order of the elements; NaN is above all numbers.
 */
void ir_order_keys(ir_type type, const void *elements, int64_t step, int64_t n, int64_t *keys);

/* Reverses the order of n keys. */
void ir_order_reverse(int64_t *keys, int64_t n);

/* Writes the indices of the k smallest of n keys, sorted by key, then by index. If it is stopped, the indices are any
 * of the n. */
void ir_order_first(const int64_t *keys, int64_t n, int64_t k, int64_t *first, ir_stop *stop, int worker);
/* Sorts n indices, `things`, by their keys keys[things[i]]; equal keys by index. If it is stopped, their order is any.
 */
void ir_order_sort(const int64_t *keys, int64_t *things, int64_t n, ir_stop *stop, int worker);

enum { IR_ORDER_LANES = 64, IR_ORDER_MOST = 16 };
/* Finds the k <= IR_ORDER_MOST smallest, or greatest, floats of each of up to IR_ORDER_LANES lines side by side:
 * element i of line j is values[i * step + j]. Writes the index of number s of line j to first[s * IR_ORDER_LANES + j].
 * Equal floats are sorted by index; NaN is above all numbers. */
void ir_order_first_of_lanes(const float *values, int64_t step, int n_lanes, int32_t n, int k, bool of_greatest,
                             int32_t *first);

#endif
