/* The pools and reductions as their pages describe them, without any of irrun's code: for every output, a walk over all
 * of its taps. A number is a long double, which holds every value of every element type. */
#ifndef NAIVE_POOL_H
#define NAIVE_POOL_H

#include "base/dtype.h"

#define NAIVE_MAX_RANK 16 /* an IR's pools end at 5 */

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

/* A window on one axis. */
typedef struct naive_window {
  int64_t kernel, stride, dilation, pad_begin, pad_end;
} naive_window;

typedef struct naive_layer {
  naive_op op;
  ir_type type;
  int rank;
  int64_t in[NAIVE_MAX_RANK]; /* pools: [N, C, D..] */
  /* AvgPool and MaxPool: one window a spatial axis, with the pads of the file, and naive_shape puts those in force. */
  naive_window windows[NAIVE_MAX_RANK - 2];
  naive_auto_pad auto_pad;
  naive_rounding rounding;
  bool exclude_pad;
  bool ngraph;  /* AvgPool and MaxPool of nGraph: valid keeps the pads, the average of nothing is NaN, and what is not
                   excluded is divided by the whole window */
  int64_t axis; /* MaxPool: indices count from it on; AdaptiveMaxPool: 2 */
  int64_t sizes[3];                        /* adaptive pools */
  bool reduced[NAIVE_MAX_RANK], keep_dims; /* reductions */
  int out_rank;
  int64_t out[NAIVE_MAX_RANK]; /* naive_shape fills both */
} naive_layer;

/* The pads that auto_pad puts in force for input size n. */
naive_window naive_pads(naive_window window, naive_auto_pad auto_pad, int64_t n);
/* Output size on an axis, pads in force; -1 when no window fits. */
int64_t naive_out_size(naive_window window, naive_rounding rounding, int64_t n);

/* Fills out_rank and `out`, and the windows' pads. False when the page refuses the layer. */
bool naive_shape(naive_layer *layer);
/* Of a layer of nGraph with a shape: some window that holds an element ends past the padded input. */
bool naive_past_pads(const naive_layer *layer);

typedef struct naive_mean {
  long double mean;  /* of integers rounded as the op has it, of floats as exact as a long double sum is */
  long double total; /* the sum of |x| over the finite x */
  int64_t taps, divisor;
} naive_mean;

/* Writes one mean an output. */
void naive_average(const naive_layer *layer, const long double *x, naive_mean *y);
/* Writes one maximum an output and where it was found; `indices` may be NULL. */
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
