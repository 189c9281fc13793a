/* Draws random windows and inputs for tests of the pooling kernels (docs/kernels.md). A seed gives the same cases on
 * every machine: each draw is a statement of its own, because C does not define the order of calls within a statement.
 */
#ifndef POOL_CASE_H
#define POOL_CASE_H

#include "ops/pool/pool_kernels.h"

enum { SWEEP_CASE_BYTES = 1 << 20 }; /* limit for an input's or output's bytes */

/* Must stay at its address after pool_case_init, since its members point into it. */
typedef struct pool_case {
  ir_memory memory;
  ir_diags diags;
  ir_arena arena;
  ir_windows windows;
  int64_t divisor;
  bool nan_if_empty;
  bool is_far;                               /* tensors are declared larger than the caches */
  ir_pool_plan plans[2][IR_POOL_ROUTES + 1]; /* a plan for each possible route; the last one: for the best route */
} pool_case;

enum { WINDOWS_TEXT = 512 };
/* Writes the number of planes and each axis's window to `buffer`, for messages. Returns `buffer`. */
const char *windows_text(const ir_windows *windows, char *buffer, size_t size);

void pool_case_init(pool_case *c);
void pool_case_reset(pool_case *c);

/* Draws a case of 1 to 4 axes. Returns false if the case is too large or has no plan; the caller draws again. */
bool pool_case_draw(pool_case *c);
/* Makes a case whose axes alternate: n elements with one window, and 2 elements with 2 windows. Returns false if the
 * case has no plan. */
bool pool_case_in_turn(pool_case *c, int n_axes, int64_t n);
/* Makes a case of `sizes` and `windows`. Sums are divided by `divisor`, or by the number of taps if `divisor` is 0.
 * Returns false if the case is too large or has no plan. */
bool pool_case_windows(pool_case *c, int64_t n_planes, int n_axes, const int64_t *sizes, const ir_window_axis *windows,
                       int64_t divisor);
/* Makes a case of two axes with the same window. */
bool pool_case_planes(pool_case *c, int64_t n_planes, int64_t n_rows, int64_t n_columns, ir_window_axis window,
                      int64_t divisor);

/* Returns whether the route can compute the case. */
bool pool_case_has(const pool_case *c, ir_pool_op op, ir_pool_route route);
/* Return the number of elements of all planes. */
int64_t pool_case_inputs(const pool_case *c);
int64_t pool_case_outputs(const pool_case *c);

/* Fills `in` in one of three ways: arbitrary bits with NaN, infinities and signed zeros; numbers of one magnitude,
 * whose sums are rounded; or tiny numbers, whose means are rounded. */
void pool_case_fill(const pool_case *c, ir_type type, void *in);
/* Runs the units of the best route, `piece` at a time or, if `piece` is 0, all at once. The scratch is full of NaN.
 * Then runs the repairs. */
void pool_case_run(const pool_case *c, const ir_pool_kernel *kernel, const void *in, void *out, int64_t piece);
/* Does as pool_case_run, with another possible route. */
void pool_case_run_route(const pool_case *c, const ir_pool_kernel *kernel, ir_pool_route route, const void *in,
                         void *out, int64_t piece);

/* Returns whether the element is a NaN of a float type. */
bool pool_case_is_nan(ir_type type, const void *element);

#endif
