/* The averaging kernels: one algorithm for any number of spatial axes, windows given as ranges per axis, one variant
 * per element type. */
#ifndef IR_POOL_AVERAGE_H
#define IR_POOL_AVERAGE_H

#include "ops/plan.h"
#include "ops/pool_window.h"

typedef struct ir_average_axis {
  int64_t n_in, n_out;
  int64_t step;           /* between taps: the dilation */
  const ir_range *ranges; /* of each of the n_out windows */
} ir_average_axis;

typedef struct ir_average {
  int64_t n_planes; /* N * C */
  int n_axes;
  ir_average_axis axes[IR_MAX_RANK];
  int64_t divisor; /* of every window; 0: the number of its taps in the input */
} ir_average;

/* Appends the step that averages input 0 of the node into its output 0, with the kernel for their type. `average` lies
 * in plan->arena. */
ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope);
/* Kernel variants by number, for tests and benchmarks; NULL behind the last. */
const ir_kernel *ir_average_kernel_at(size_t index, ir_type *out_type);

/* round(sum / n) to nearest, ties to even; n > 0. */
ir_wide ir_round_half_even(ir_wide sum, ir_wide n);

#endif
