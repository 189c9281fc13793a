/* Numbers that plans of pools are made of. */
#ifndef IR_POOL_NUMBERS_H
#define IR_POOL_NUMBERS_H

#include <stdint.h>

static inline int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

static inline int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

#endif
