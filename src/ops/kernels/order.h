/* Sorts elements by integer keys that have the same order. */
#ifndef IR_ORDER_H
#define IR_ORDER_H

#include "base/tensor.h"
#include <string.h>

/* The position of a number in the order of all doubles, 0 for 0.0: a positive number's bits grow with it, a negative
 * one's shrink. */
static inline int64_t ir_order_of(double number) {
  int64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

/* Makes keys of `n` elements, `step` elements apart. Keys compare as the elements do; NaN is above all numbers. */
void ir_order_keys(ir_type type, const void *elements, int64_t step, int64_t n, int64_t *keys);

/* Indices of the `k` smallest of `n` keys, sorted; ties in index order. */
void ir_order_first(const int64_t *keys, int64_t n, int64_t k, int64_t *first);
/* Sorts `things` by their keys; ties in ascending order. */
void ir_order_sort(const int64_t *keys, int64_t *things, int64_t n);

#endif
