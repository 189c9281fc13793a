/* The averaging kernels: one algorithm for any number of spatial axes, windows given as ranges per axis, one variant
 * per element type. */
#ifndef IR_POOL_AVERAGE_H
#define IR_POOL_AVERAGE_H

#include "ops/plan.h"
#include "ops/pool_window.h"

typedef struct ir_average_axis {
  int64_t n_in, n_out;
  int64_t step;           /* between taps */
  const ir_range *ranges; /* of each of the n_out windows */
} ir_average_axis;

typedef struct ir_average {
  int64_t n_planes; /* N * C */
  int n_axes;
  ir_average_axis axes[IR_MAX_RANK];
  int64_t divisor; /* of every window; 0: the number of its taps in the input */
} ir_average;

/* The taps of window `o` on spatial axis `axis`, of n_in elements in n_out windows. */
typedef ir_range ir_range_rule(const ir_node *node, int axis, int64_t n_in, int64_t n_out, int64_t o);

/* Appends the step that averages input 0 of the node, of shape `in`, into its output 0: with the windows of `rule`, and
 * the kernel for their type. */
ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_shape *in, ir_range_rule *rule, int64_t divisor,
                        ir_scope *scope);

/* Kernel variants by number, for tests and benchmarks; NULL behind the last. */
const ir_kernel *ir_average_kernel_at(size_t index, ir_type *out_type);

/* round(sum / n) to nearest, ties to even; n > 0. */
ir_wide ir_round_half_even(ir_wide sum, ir_wide n);

#endif
