/* Random windows and inputs for the tests of the pooling kernels. The same on every machine for one seed, so no two
 * draws stand where C leaves their order open. */
#ifndef POOL_CASE_H
#define POOL_CASE_H

#include "ops/pool/pool_kernels.h"

enum { SWEEP_CASE_BYTES = 1 << 20 }; /* the most that an input or an output has */

/* Stays where it was initialized. */
typedef struct pool_case {
  ir_memory memory;
  ir_diags diags;
  ir_arena arena;
  ir_windows windows;
  int64_t divisor;
  bool nan_if_empty;
  bool is_far; /* as if tensors were too large for the caches */
  ir_pool_plan plans[2]
                    [IR_POOL_ROUTES + 1]; /* of each operation and route, where it can be taken; the last: the best */
} pool_case;

enum { WINDOWS_TEXT = 512 };
/* Planes, and of each axis what a failure is made again from. */
const char *windows_text(const ir_windows *windows, char *buffer, size_t size);

void pool_case_init(pool_case *c);
void pool_case_reset(pool_case *c);

/* A case of 1 to 4 axes. False when it is too large or there is no sweep of it: then one draws again. */
bool pool_case_draw(pool_case *c);
/* Axes of n elements and one window, and of 2 of each, in turn. */
bool pool_case_in_turn(pool_case *c, int n_axes, int64_t n);
/* Axes of such sizes with such windows, whose sums are divided by `divisor`, or by their taps where that is 0. False
 * when it is too large or there is no sweep of it. */
bool pool_case_windows(pool_case *c, int64_t n_planes, int n_axes, const int64_t *sizes, const ir_window_axis *windows,
                       int64_t divisor);
/* Planes with the same windows on both axes. */
bool pool_case_planes(pool_case *c, int64_t n_planes, int64_t n_rows, int64_t n_columns, ir_window_axis window,
                      int64_t divisor);

/* Whether the route can be taken. */
bool pool_case_has(const pool_case *c, ir_pool_op op, ir_pool_route route);
/* Elements. */
int64_t pool_case_inputs(const pool_case *c);
int64_t pool_case_outputs(const pool_case *c);

/* Any bits: NaN, infinities, zeros of both signs; or numbers of one size, whose sums have something to round, or the
 * smallest, whose means have. */
void pool_case_fill(const pool_case *c, ir_type type, void *in);
/* All units of the best route, `piece` of them at a time or, of 0, all at once, with NaN in the scratch; then repairs.
 */
void pool_case_run(const pool_case *c, const ir_pool_kernel *kernel, const void *in, void *out, int64_t piece);
/* The same of a route that can be taken. */
void pool_case_run_route(const pool_case *c, const ir_pool_kernel *kernel, ir_pool_route route, const void *in,
                         void *out, int64_t piece);

/* Of floats alone. */
bool pool_case_is_nan(ir_type type, const void *element);

#endif
