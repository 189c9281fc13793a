/* The order of additions within a window, which an average's result depends on. It follows from the window's number of
 * taps on each axis alone.
 *
 * R(n) adds n terms: R(n) = W(p) + R(n - p), where p is the greatest power of two up to n, W(2m) = W(m) + W(m), and
 * W(1) is one term. Axes are added one at a time: first the outermost, then the next one over those results, last the
 * axis along the rows. Taps in the padding are terms of 0; windows of an adaptive pool have none.
 *
 * Windows share only W of the same terms. So the instruction set, the route, the threads and a window's surroundings do
 * not change a bit. Maxima may be taken in any order; pool_repair.c corrects the sign of zeros. */
#ifndef IR_POOL_ORDER_H
#define IR_POOL_ORDER_H

#include <stdint.h>

/* R of 1 to 8 terms t[0], t[1], .. by OP(earlier, later). */
#define IR_R1(OP, t) ((t)[0])
#define IR_R2(OP, t) OP((t)[0], (t)[1])
#define IR_R3(OP, t) OP(IR_R2(OP, t), (t)[2])
#define IR_R4(OP, t) OP(IR_R2(OP, t), IR_R2(OP, (t) + 2))
#define IR_R5(OP, t) OP(IR_R4(OP, t), (t)[4])
#define IR_R6(OP, t) OP(IR_R4(OP, t), IR_R2(OP, (t) + 4))
#define IR_R7(OP, t) OP(IR_R4(OP, t), IR_R3(OP, (t) + 4))
#define IR_R8(OP, t) OP(IR_R4(OP, t), IR_R4(OP, (t) + 4))

/* Body of a function that returns R of n terms. */
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

/* The greatest power of two up to n; n > 0. */
static inline int64_t ir_order_half(int64_t n) {
  int64_t p = 1;
  while (2 * p <= n)
    p *= 2;
  return p;
}

/* Number of W(1), W(2), .. that are kept: up to the greatest within n, which is made from its halves; n > 3. */
static inline int ir_order_levels(int64_t n) {
  int levels = 0;
  while (INT64_C(2) << levels <= n)
    levels++;
  return levels;
}

#endif
