/* Computes pools and reductions as a reference for tests. The code follows the specification and is independent of
 * irrun's code. Each output visits all of its taps. Numbers are long double, which represents every element type
 * exactly. */
#ifndef NAIVE_POOL_H
#define NAIVE_POOL_H

#include "base/dtype.h"

#define NAIVE_MAX_RANK 16 /* pools of an IR have at most rank 5 */

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

/* The window along one axis. */
typedef struct naive_window {
  int64_t kernel, stride, dilation, pad_begin, pad_end;
} naive_window;

typedef struct naive_layer {
  naive_op op;
  ir_type type;
  int rank;
  int64_t in[NAIVE_MAX_RANK]; /* the input's dims; for pools [N, C, D..] */
  /* AvgPool and MaxPool have one window for each spatial axis. The pads are those of the file until naive_shape
   * replaces them by the effective pads. */
  naive_window windows[NAIVE_MAX_RANK - 2];
  naive_auto_pad auto_pad;
  naive_rounding rounding;
  bool exclude_pad;
  bool ngraph;  /* nGraph's rules: VALID keeps pads, an empty average is NaN, and a divisor that includes padding is the
                   kernel size */
  int64_t axis; /* MaxPool: indices count from this axis on; AdaptiveMaxPool: 2 */
  int64_t sizes[3];                        /* output sizes of an adaptive pool */
  bool reduced[NAIVE_MAX_RANK], keep_dims; /* reductions: which axes are reduced, and whether they stay as 1 */
  int out_rank;
  int64_t out[NAIVE_MAX_RANK]; /* the output's dims, set by naive_shape */
} naive_layer;

/* Returns the window with the pads that auto_pad gives for an input size n. */
naive_window naive_pads(naive_window window, naive_auto_pad auto_pad, int64_t n);
/* Returns the output size of an axis for effective pads, or -1 if no window fits. */
int64_t naive_out_size(naive_window window, naive_rounding rounding, int64_t n);

/* Sets out_rank, `out` and the effective pads. Returns false if the specification forbids the layer. */
bool naive_shape(naive_layer *layer);
/* Returns whether a nonempty window of an nGraph layer ends past the padded input. The layer must have a shape. */
bool naive_past_pads(const naive_layer *layer);

typedef struct naive_mean {
  long double mean;  /* integers: rounded as the op rounds; floats: the long double sum, divided */
  long double total; /* sum of |x| over the finite x */
  int64_t taps, divisor;
} naive_mean;

/* Computes the mean of each output. */
void naive_average(const naive_layer *layer, const long double *x, naive_mean *y);
/* Computes the maximum and its index for each output. `indices` can be NULL. */
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
