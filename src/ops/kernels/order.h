/* Elements by size: keys that stand for them, and those that come first. */
#ifndef IR_ORDER_H
#define IR_ORDER_H

#include "base/tensor.h"
#include <string.h>

/* The place of a number in the order of all doubles, 0 for 0.0: the bits of one without a sign rise with it, those of
 * one with a sign fall. */
static inline int64_t ir_order_of(double number) {
  int64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

/* Keys of `n` elements that lie `step` elements apart: they rise with the elements, and are equal where those are. NaN
 * is above all numbers. */
void ir_order_keys(ir_type type, const void *elements, int64_t step, int64_t n, int64_t *keys);

/* Of `n` things the `k` with the least keys, in their order; of equal ones the first. */
void ir_order_first(const int64_t *keys, int64_t n, int64_t k, int64_t *first);
/* Things in the order of their keys, equal ones in that of their numbers. */
void ir_order_sort(const int64_t *keys, int64_t *things, int64_t n);

#endif
