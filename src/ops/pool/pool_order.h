/* The order in which elements of a window are added, which is part of what an average gives. It depends on the window
 * alone: on how many taps it has on each axis.
 *
 * R(n) adds n terms: R(n) = W(p) + R(n - p), where p is the greatest power of two up to n, W(2m) = W(m) + W(m), and
 * W(1) is one term. An axis at a time is added so: first the outermost, then the next one of what came out, the axis
 * along the rows last. Taps in the padding are terms of 0; an adaptive pool's windows have none.
 *
 * Nothing is kept from one window to the next but W of the same terms. So the instruction set, the route, the threads
 * and what lies around a window change no bit. Maxima may be taken in any order: see pool_repair.c for zeros. */
#ifndef IR_POOL_ORDER_H
#define IR_POOL_ORDER_H

#include <stdint.h>

/* R of 1 to 8 terms t[0], t[1], .. with OP(earlier, later). */
#define IR_R1(OP, t) ((t)[0])
#define IR_R2(OP, t) OP((t)[0], (t)[1])
#define IR_R3(OP, t) OP(IR_R2(OP, t), (t)[2])
#define IR_R4(OP, t) OP(IR_R2(OP, t), IR_R2(OP, (t) + 2))
#define IR_R5(OP, t) OP(IR_R4(OP, t), (t)[4])
#define IR_R6(OP, t) OP(IR_R4(OP, t), IR_R2(OP, (t) + 4))
#define IR_R7(OP, t) OP(IR_R4(OP, t), IR_R3(OP, (t) + 4))
#define IR_R8(OP, t) OP(IR_R4(OP, t), IR_R4(OP, (t) + 4))

/* The body of a function that returns R of n terms. */
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

/* W(1), W(2), .. up to the greatest within n, but for that one, which is made of its halves; n > 3. */
static inline int ir_order_levels(int64_t n) {
  int levels = 0;
  while (INT64_C(2) << levels <= n)
    levels++;
  return levels;
}

#endif
