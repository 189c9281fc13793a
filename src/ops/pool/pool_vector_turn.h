/* Rows of vectors that become columns. Included behind the vectors of an instruction set. */
#ifndef IR_POOL_VECTOR_TURN_H
#define IR_POOL_VECTOR_TURN_H

/* In each fourth of a vector: of each pair of vectors the values at even places, and those at odd ones. */
#define EXCHANGE(v, n, apart, even, odd)                                                                               \
  for (int i_ = 0; i_ < (n); i_++)                                                                                     \
    if ((i_ & (apart)) == 0) {                                                                                         \
      const vf a_ = (v)[i_], b_ = (v)[i_ + (apart)];                                                                   \
      (v)[i_] = __builtin_shuffle(a_, b_, (vi){even});                                                                 \
      (v)[i_ + (apart)] = __builtin_shuffle(a_, b_, (vi){odd});                                                        \
    }

/* VL rows of VL into VL columns. */
static ALWAYS_INLINE void turn(vf v[VL]) {
  EXCHANGE(v, VL, 1, PAIRS_EVEN, PAIRS_ODD)
  EXCHANGE(v, VL, 2, PAIRS_EVEN, PAIRS_ODD)
#if VL >= 8
  EXCHANGE(v, VL, 4, LOW_4, HIGH_4)
#endif
#if VL >= 16
  EXCHANGE(v, VL, 8, LOW_4, HIGH_4)
#endif
}

#endif
