/* Random windows and inputs for tests of the pooling kernels. Draws are in separate statements, because C leaves the
 * order within one open: a seed gives the same cases on every machine. */
#ifndef POOL_CASE_H
#define POOL_CASE_H

#include "ops/pool/pool_kernels.h"

enum { SWEEP_CASE_BYTES = 1 << 20 }; /* most bytes of an input or an output */

/* Must not be moved after initialization. */
typedef struct pool_case {
  ir_memory memory;
  ir_diags diags;
  ir_arena arena;
  ir_windows windows;
  int64_t divisor;
  bool nan_if_empty;
  bool is_far;                               /* as for tensors larger than the caches */
  ir_pool_plan plans[2][IR_POOL_ROUTES + 1]; /* plans of possible routes; last: the best */
} pool_case;

enum { WINDOWS_TEXT = 512 };
/* Writes the number of planes and the window of each axis to `buffer`: the message of a failed test. */
const char *windows_text(const ir_windows *windows, char *buffer, size_t size);

void pool_case_init(pool_case *c);
void pool_case_reset(pool_case *c);

/* Draws a case of 1 to 4 axes. False if it is too large or has no plan: draw again. */
bool pool_case_draw(pool_case *c);
/* Makes axes that alternate: n elements with one window, and 2 elements with 2 windows. */
bool pool_case_in_turn(pool_case *c, int n_axes, int64_t n);
/* Makes a case of these sizes and windows; sums are divided by `divisor`, or by the number of taps if that is 0. False
 * if it is too large or has no plan. */
bool pool_case_windows(pool_case *c, int64_t n_planes, int n_axes, const int64_t *sizes, const ir_window_axis *windows,
                       int64_t divisor);
/* Makes planes with the same windows on both axes. */
bool pool_case_planes(pool_case *c, int64_t n_planes, int64_t n_rows, int64_t n_columns, ir_window_axis window,
                      int64_t divisor);

/* Whether the route is possible. */
bool pool_case_has(const pool_case *c, ir_pool_op op, ir_pool_route route);
/* Number of elements. */
int64_t pool_case_inputs(const pool_case *c);
int64_t pool_case_outputs(const pool_case *c);

/* Fills with arbitrary bits (NaN, infinities, signed zeros), with numbers of one magnitude, whose sums need rounding,
 * or with the smallest, whose means do. */
void pool_case_fill(const pool_case *c, ir_type type, void *in);
/* Runs all units of the best route, `piece` at a time or, if 0, all at once, with NaN in the scratch; then the
 * repairs. */
void pool_case_run(const pool_case *c, const ir_pool_kernel *kernel, const void *in, void *out, int64_t piece);
/* Runs another possible route in the same way. */
void pool_case_run_route(const pool_case *c, const ir_pool_kernel *kernel, ir_pool_route route, const void *in,
                         void *out, int64_t piece);

/* Whether a float is NaN; false for other types. */
bool pool_case_is_nan(ir_type type, const void *element);

#endif
