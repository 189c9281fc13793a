/* Counts and sums over the elements of a tensor: what its statistics are made of. */
#ifndef IR_TALLY_H
#define IR_TALLY_H

#include "base/tensor.h"

enum {
  /* A bin of the histogram has the numbers whose first 12 bits, as f32, are its index: a sign, an exponent, and an
   * eighth of the numbers with that exponent. */
  IR_TALLY_BINS = 4096,
  IR_TALLY_BIN_SHIFT = 20,
  IR_TALLY_TURNS = 4 /* successive numbers are counted in different arrays: equal ones would wait for each other */
};

typedef struct ir_tally {
  int64_t finite, nans, infinities;
  int64_t negative_infinities; /* `infinities` counts them too */
  int64_t zeros;
  int64_t subnormals;    /* of f16, bf16, f32 and f64 */
  int64_t f16_overflows; /* finite numbers that rounding to f16 makes infinite: from 65520 */
  int64_t f16_vanishes;  /* numbers but 0 that rounding to f16 makes 0: to 2^-25 */
  double min, max;       /* of finite numbers, as `mean` and `squares` */
  double mean, squares;  /* squares: the sum of (x - mean)^2 */
} ir_tally;

typedef struct ir_tally_bins {
  uint32_t counts[IR_TALLY_TURNS][IR_TALLY_BINS];
} ir_tally_bins;

/* Adds the numbers of `of` to those of `io`. */
void ir_tally_merge(const ir_tally *of, ir_tally *io);
/* Adds elements [begin, end) of a tensor of a type in IR_SET_HELD. `begin` is a multiple of 8. `io_bins` counts the
 * finite ones; NULL: nobody needs them. */
void ir_tally_elements(const ir_tensor *tensor, int64_t begin, int64_t end, ir_tally *io_tally, ir_tally_bins *io_bins);
/* Adds up all counts of n bins into bins[0].counts[0]. Lists the indices of those that are not 0, in ascending order of
 * their numbers, in `out`, which has room for IR_TALLY_BINS. Returns how many they are. */
int32_t ir_tally_list_bins(ir_tally_bins *bins, int n, int32_t *out);

#endif
