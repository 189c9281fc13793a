/* The pools as their pages describe them, without any of irrun's code: for every output, a walk over all taps. */
#ifndef NAIVE_POOL_H
#define NAIVE_POOL_H

#include <stdbool.h>
#include <stdint.h>

#define NAIVE_MAX_RANK 5

typedef struct naive_pool {
  bool adaptive;
  int rank;
  int64_t in[NAIVE_MAX_RANK], out[NAIVE_MAX_RANK]; /* [N, C, D..]; `out` is an input for adaptive pools, else filled */
  int64_t kernel[3], strides[3], pads_begin[3], pads_end[3];
  int auto_pad; /* 0 explicit, 1 same_upper, 2 same_lower, 3 valid */
  bool ceil, exclude_pad;
} naive_pool;

/* Fills `out` (and the pads of auto_pad). False when the page refuses the layer. */
bool naive_shape(naive_pool *pool);
/* Writes one mean an output; `x` is row-major. */
void naive_average(const naive_pool *pool, const double *x, double *y);
int64_t naive_count(const int64_t *dims, int rank);

#endif
