/* Counts and sums over numbers: what statistics of tensors are made of. */
#ifndef IR_TALLY_H
#define IR_TALLY_H

#include <stdint.h>

enum {
  IR_TALLY_BLOCK = 1024, /* the most numbers of a call */
  /* A bin of the histogram has the numbers whose first 12 bits, as f32, are its index: a sign, an exponent, and an
   * eighth of the numbers with that exponent. Infinities and NaN have bins of their own. */
  IR_TALLY_BINS = 4096,
  IR_TALLY_BIN_SHIFT = 20,
  IR_TALLY_TURNS = 4 /* successive numbers are counted in different arrays, because equal ones would wait */
};

typedef struct ir_tally {
  int64_t finite, nans, infinities;
  int64_t negative_infinities; /* `infinities` counts them too */
  int64_t zeros, subnormals;
  int64_t f16_overflows; /* finite numbers that rounding to f16 makes infinite: from 65520 */
  int64_t f16_vanishes;  /* numbers but 0 that rounding to f16 makes 0: to 2^-25 */
  double min, max;       /* of finite numbers, as `mean` and `squares` */
  double mean, squares;  /* squares: the sum of (x - mean)^2 */
} ir_tally;

typedef uint32_t ir_tally_bins[IR_TALLY_TURNS][IR_TALLY_BINS];

/* Adds the numbers of `of` to those of `io`. */
void ir_tally_merge(const ir_tally *of, ir_tally *io);
/* Adds n numbers to `io_tally` and to `bins`. */
void ir_tally_floats(const float *x, int64_t n, ir_tally *io_tally, ir_tally_bins bins);
/* The same for doubles. Numbers below `least_normal` are subnormal. */
void ir_tally_doubles(const double *x, int64_t n, double least_normal, ir_tally *io_tally, ir_tally_bins bins);

#endif
