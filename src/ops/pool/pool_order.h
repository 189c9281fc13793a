/* Defines the order of additions within a window, which decides the bits of an average. The order depends only on the
 * number of taps (the elements that a window covers) on each axis.
 *
 * W(p) is the sum of p terms, for a power of two p: W(1) is one term, and W(2m) = W(m) + W(m). R(n) is the sum of n
 * terms: R(n) = W(n) if n is a power of two; else R(n) = W(p) + R(n - p), with p the greatest power of two below n.
 *
 * Axes are summed one at a time: first the outermost axis, last the axis along the rows. Taps in the padding are terms
 * of 0; windows of an adaptive pool have no padding.
 *
 * Two windows share a W only if all its terms are in both. So the instruction set, the route, the threads and a
 * window's surroundings do not change a bit of a sum. Maxima are taken in any order; pool_repair.c corrects the sign of
 * a zero maximum. */
#ifndef IR_POOL_ORDER_H
#define IR_POOL_ORDER_H

#include <stdint.h>

/* Combine 1 to 8 terms t[0], t[1], .. in the order R(n) that is defined above. OP(earlier, later) adds two terms, or
 * takes their maximum. */
#define IR_R1(OP, t) ((t)[0])
#define IR_R2(OP, t) OP((t)[0], (t)[1])
#define IR_R3(OP, t) OP(IR_R2(OP, t), (t)[2])
#define IR_R4(OP, t) OP(IR_R2(OP, t), IR_R2(OP, (t) + 2))
#define IR_R5(OP, t) OP(IR_R4(OP, t), (t)[4])
#define IR_R6(OP, t) OP(IR_R4(OP, t), IR_R2(OP, (t) + 4))
#define IR_R7(OP, t) OP(IR_R4(OP, t), IR_R3(OP, (t) + 4))
#define IR_R8(OP, t) OP(IR_R4(OP, t), IR_R4(OP, (t) + 4))

/* Body of a function that combines the terms t[0], .. t[n - 1] in the order R(n); n is 1 to 8. */
#define IR_RETURN_R(OP, t, n)                                                                                          \
  switch (n) {                                                                                                         \
  case 1:                                                                                                              \
    return IR_R1(OP, t);                                                                                               \
  case 2:                                                                                                              \
    return IR_R2(OP, t);                                                                                               \
  case 3:                                                                                                              \
    return IR_R3(OP, t);                                                                                               \
  case 4:                                                                                                              \
    return IR_R4(OP, t);                                                                                               \
  case 5:                                                                                                              \
    return IR_R5(OP, t);                                                                                               \
  case 6:                                                                                                              \
    return IR_R6(OP, t);                                                                                               \
  case 7:                                                                                                              \
    return IR_R7(OP, t);                                                                                               \
  default:                                                                                                             \
    return IR_R8(OP, t);                                                                                               \
  }

enum { IR_FEW_TERMS = 8 };

/* Returns the greatest power of two up to n; n > 0. */
static inline int64_t ir_order_half(int64_t n) {
  int64_t p = 1;
  while (2 * p <= n)
    p *= 2;
  return p;
}

/* Returns the number of lengths 1, 2, 4, .. whose partial results have to be stored to combine n > 3 terms. The
 * greatest power of two up to n is no such length: its partial result is combined from two stored ones. */
static inline int ir_order_levels(int64_t n) {
  int levels = 0;
  while (INT64_C(2) << levels <= n)
    levels++;
  return levels;
}

#endif
