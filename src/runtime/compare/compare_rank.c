#include "runtime/compare/compare_rank.h"
#include "runtime/tensor/tensor_block.h"

#include <string.h>

#define DIGIT_BITS 11
#define N_BINS     (1 << DIGIT_BITS)

typedef enum measure { GAP, STEPS } measure;

/* The search for one percentile. The radix search finds one digit, of DIGIT_BITS bits, in each pass. */
typedef struct rank {
  measure of;
  int64_t place; /* rank of the result, from 1, among unequal pairs that begin with `prefix`; below 1: an equal pair */
  uint64_t prefix; /* digits of the result that are known, at their positions; the other digits are 0 */
  int64_t bins[N_BINS];
} rank;

#define N_RANKS 5

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void count_pair(rank *ranks, const uint64_t measures[2], int shift) {
  for (int i = 0; i < N_RANKS; i++) {
    if (ranks[i].place < 1)
      continue;
    uint64_t x = measures[ranks[i].of];
    bool same_prefix = shift + DIGIT_BITS >= 64 || (x ^ ranks[i].prefix) >> (shift + DIGIT_BITS) == 0;
    if (same_prefix)
      ranks[i].bins[x >> shift & (N_BINS - 1)]++;
  }
}

static void count_block(const ir_pair_block *block, int64_t n, rank *ranks, int shift) {
  for (int64_t i = 0; i < n; i++) {
    /* the bits of non-negative doubles sort like the doubles */
    uint64_t measures[2] = {[GAP] = bits_of(block->gap[i]), [STEPS] = block->steps[i]};
    if (block->finite[i] && block->steps[i] != 0)
      count_pair(ranks, measures, shift);
  }
}

/* Finds the next digit of the result: the bin that contains rank `place`. */
static void take_digit(rank *r, int shift) {
  uint64_t digit = 0;
  while (r->place > 0 && r->place > r->bins[digit])
    r->place -= r->bins[digit++];
  r->prefix |= digit << shift;
  memset(r->bins, 0, sizeof r->bins);
}

/* ceil(n * percent / 100) without overflow. */
static int64_t nearest_rank(int64_t n, int64_t percent) {
  return n / 100 * percent + ir_ceil_div(n % 100 * percent, 100);
}

static void count_digits(const ir_tensor *got, const ir_tensor *expected, int64_t n_elements, rank *ranks, int shift) {
  ir_pair_block block;
  for (int64_t first = 0; first < n_elements; first += IR_BLOCK) {
    int64_t n = ir_block_size(n_elements, first);
    if (ir_block_same_bytes(got, expected, first, n))
      continue;
    ir_pair_block_load(got, expected, first, n, &block);
    count_block(&block, n, ranks, shift);
  }
}

void ir_compare_ranks(const ir_tensor *got, const ir_tensor *expected, int64_t n_finite, int64_t n_equal,
                      irrun_comparison *out) {
  static const struct {
    measure of;
    int64_t percent;
  } wanted[N_RANKS] = {{GAP, 50}, {GAP, 90}, {GAP, 99}, {STEPS, 50}, {STEPS, 99}};
  rank ranks[N_RANKS] = {{.of = GAP}};
  bool all_equal = true;
  for (int i = 0; i < N_RANKS; i++) {
    ranks[i].of = wanted[i].of;
    ranks[i].place = nearest_rank(n_finite, wanted[i].percent) - n_equal;
    all_equal = all_equal && ranks[i].place < 1;
  }
  for (int shift = (64 - 1) / DIGIT_BITS * DIGIT_BITS; shift >= 0 && !all_equal; shift -= DIGIT_BITS) {
    count_digits(got, expected, out->count, ranks, shift);
    for (int i = 0; i < N_RANKS; i++)
      take_digit(&ranks[i], shift);
  }
  double *const gaps[] = {&out->abs_p50, &out->abs_p90, &out->abs_p99};
  for (int i = 0; i < 3; i++)
    memcpy(gaps[i], &ranks[i].prefix, sizeof *gaps[i]);
  out->ulp_p50 = ranks[3].prefix > INT64_MAX ? INT64_MAX : (int64_t)ranks[3].prefix;
  out->ulp_p99 = ranks[4].prefix > INT64_MAX ? INT64_MAX : (int64_t)ranks[4].prefix;
}
