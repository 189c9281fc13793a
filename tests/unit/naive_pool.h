/* Pools and reductions as their pages describe them, independent of irrun's code: a walk over all taps of every output.
 * A long double represents every value of every element type. */
#ifndef NAIVE_POOL_H
#define NAIVE_POOL_H

#include "base/dtype.h"

#define NAIVE_MAX_RANK 16 /* an IR's pools have at most 5 */

typedef enum naive_op {
  NAIVE_AVG_POOL,
  NAIVE_MAX_POOL,
  NAIVE_ADAPTIVE_AVG_POOL,
  NAIVE_ADAPTIVE_MAX_POOL,
  NAIVE_REDUCE_MEAN,
  NAIVE_REDUCE_MAX
} naive_op;

typedef enum naive_auto_pad { NAIVE_EXPLICIT, NAIVE_SAME_UPPER, NAIVE_SAME_LOWER, NAIVE_VALID } naive_auto_pad;
typedef enum naive_rounding { NAIVE_FLOOR, NAIVE_CEIL, NAIVE_CEIL_TORCH } naive_rounding;

/* The window on one axis. */
typedef struct naive_window {
  int64_t kernel, stride, dilation, pad_begin, pad_end;
} naive_window;

typedef struct naive_layer {
  naive_op op;
  ir_type type;
  int rank;
  int64_t in[NAIVE_MAX_RANK]; /* pools: [N, C, D..] */
  /* AvgPool and MaxPool: one window a spatial axis, with the file's pads; naive_shape replaces them by the effective
   * pads. */
  naive_window windows[NAIVE_MAX_RANK - 2];
  naive_auto_pad auto_pad;
  naive_rounding rounding;
  bool exclude_pad;
  bool ngraph;      /* as in nGraph: VALID keeps pads, an empty average is NaN, included padding counts in full */
  int64_t axis;     /* MaxPool: the first axis that indices count; AdaptiveMaxPool: 2 */
  int64_t sizes[3]; /* adaptive pools */
  bool reduced[NAIVE_MAX_RANK], keep_dims; /* reductions */
  int out_rank;
  int64_t out[NAIVE_MAX_RANK]; /* set by naive_shape */
} naive_layer;

/* The effective pads of auto_pad for input size n. */
naive_window naive_pads(naive_window window, naive_auto_pad auto_pad, int64_t n);
/* Output size of an axis with effective pads; -1 if no window fits. */
int64_t naive_out_size(naive_window window, naive_rounding rounding, int64_t n);

/* Sets out_rank, `out` and the windows' effective pads. False if the page forbids the layer. */
bool naive_shape(naive_layer *layer);
/* Whether in an nGraph layer with a shape a nonempty window ends past the padded input. */
bool naive_past_pads(const naive_layer *layer);

typedef struct naive_mean {
  long double mean;  /* for integers rounded as by the op, for floats a long double sum, divided */
  long double total; /* the sum of |x| over the finite x */
  int64_t taps, divisor;
} naive_mean;

/* Computes one mean for each output. */
void naive_average(const naive_layer *layer, const long double *x, naive_mean *y);
/* Computes the maximum and its index for each output; `indices` may be NULL. */
void naive_maximum(const naive_layer *layer, const long double *x, long double *y, int64_t *indices);

int64_t naive_count(const int64_t *dims, int rank);
static inline bool naive_is_maximum(naive_op op) {
  return op == NAIVE_MAX_POOL || op == NAIVE_ADAPTIVE_MAX_POOL || op == NAIVE_REDUCE_MAX;
}
static inline bool naive_is_adaptive(naive_op op) {
  return op == NAIVE_ADAPTIVE_AVG_POOL || op == NAIVE_ADAPTIVE_MAX_POOL;
}
static inline bool naive_is_reduction(naive_op op) {
  return op == NAIVE_REDUCE_MEAN || op == NAIVE_REDUCE_MAX;
}

#endif
