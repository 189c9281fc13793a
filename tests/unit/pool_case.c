#include "pool_case.h"
#include "draw.h"
#include "ops/pool/pool_repair.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- windows ---- */

static void empty(pool_case *c) {
  ir_arena_reset(&c->arena);
  c->windows = (ir_windows){.n_planes = 0};
  c->divisor = 0;
  c->nan_if_empty = false;
}

/* Aborts if a condition about the test's own memory or draws does not hold. */
static void demand(bool true_always) {
  if (!true_always)
    abort();
}

static void take_ranges(pool_case *c, ir_windows_axis *axis) {
  axis->ranges = ir_arena_array(&c->arena, (size_t)axis->n_out, sizeof *axis->ranges);
  demand(axis->ranges != NULL);
}

static void set_axis(pool_case *c, ir_windows_axis *axis, int64_t n, ir_window_axis window) {
  *axis = (ir_windows_axis){.n_in = n,
                            .step = window.dilation,
                            .kernel = window.kernel,
                            .stride = window.stride,
                            .pad_begin = window.pad_begin};
  demand(ir_window_count(window, IR_ROUND_CEIL, n, &axis->n_out));
  take_ranges(c, axis);
  for (int64_t o = 0; o < axis->n_out; o++)
    axis->ranges[o] = ir_window_range(window, n, o);
  ir_windows_settle(axis);
}

static void set_bins(pool_case *c, ir_windows_axis *axis, int64_t n, int64_t out) {
  *axis = (ir_windows_axis){.n_in = n, .n_out = out, .step = 1};
  take_ranges(c, axis);
  for (int64_t o = 0; o < out; o++)
    axis->ranges[o] = ir_window_bin(n, out, o);
}

static int64_t draw_kernel(int64_t n) {
  const int64_t most = one_in(8) ? 300 : 70, kernel = between(1, n < most ? n : most);
  int64_t ones = 1;
  if (!one_in(4))
    return kernel;
  while (2 * ones + 1 <= kernel)
    ones = 2 * ones + 1;
  return ones; /* binary ones: a window whose sum consists of all lower powers of two */
}

/* Draws windows for which kernels have special code: short ones of stride 2, and windows of stride 1 with as many
 * outputs as elements. */
static ir_window_axis draw_short(int64_t n) {
  ir_window_axis window = {.kernel = between(1, n < 8 ? n : 8), .stride = 1, .dilation = 1};
  if (one_in(2)) {
    window.kernel = n == 1 ? 1 : between(2, n < 3 ? n : 3);
    window.stride = 2;
    window.pad_begin = between(0, window.kernel - 1);
    window.pad_end = between(0, window.kernel - 1);
  } else {
    window.pad_begin = between(0, window.kernel - 1);
    window.pad_end = window.kernel - 1 - window.pad_begin;
  }
  return window;
}

/* Draws an axis of one kind: windows, an adaptive pool's bins, reduced, or unchanged. */
static void draw_axis(pool_case *c, ir_windows_axis *axis, int64_t most) {
  const int64_t n = between(1, most), kind = between(0, 10);
  if (kind > 7) {
    set_axis(c, axis, n, draw_short(n));
  } else if (kind <= 4) {
    ir_window_axis window = {.kernel = draw_kernel(n)};
    const int64_t k = window.kernel;
    window.stride = between(1, one_in(2) ? 2 : k + 2);
    window.dilation = k == 1 || (k - 1) * 2 + 1 > n ? 1 : between(1, 2);
    window.pad_begin = between(0, k - 1);
    window.pad_end = between(0, k - 1);
    set_axis(c, axis, n, window);
  } else {
    set_bins(c, axis, n, kind == 5 ? between(1, n + 2) : kind == 6 ? 1 : n);
  }
}

static bool make(pool_case *c) {
  ir_plan plan = {.arena = &c->arena, .memory = &c->memory, .diags = &c->diags};
  for (int op = IR_POOL_SUM; op <= IR_POOL_MAX; op++)
    for (int route = 0; route <= IR_POOL_ROUTES; route++)
      demand(ir_pool_make_plan(&plan, &c->windows, (ir_pool_op)op, c->divisor, c->nan_if_empty, (ir_pool_route)route,
                               &c->plans[op][route]) &&
             ir_pool_ready(&c->plans[op][route], NULL));
  return c->windows.n_planes > 0;
}

/* Allocates memory full of 0xa5, since code that reads uninitialized memory must not see zeros. */
static void *alloc(void *user, size_t bytes) {
  (void)user;
  void *block = malloc(bytes);
  return block == NULL ? NULL : memset(block, 0xa5, bytes);
}

static void release(void *user, void *block) {
  (void)user;
  free(block);
}

const char *windows_text(const ir_windows *windows, char *buffer, size_t size) {
  size_t used = (size_t)snprintf(buffer, size, "%lld planes of", (long long)windows->n_planes);
  for (int a = 0; a < windows->n_axes && used < size; a++) {
    const ir_windows_axis *axis = &windows->axes[a];
    used += (size_t)snprintf(buffer + used, size - used, "%s %lld by %lld at %lld (%lld apart, pad %lld)",
                             a > 0 ? "," : "", (long long)axis->n_in, (long long)axis->kernel, (long long)axis->stride,
                             (long long)axis->step, (long long)axis->pad_begin);
  }
  return buffer;
}

void pool_case_init(pool_case *c) {
  *c = (pool_case){.memory = {.alloc = alloc, .release = release}};
  ir_diags_init(&c->diags, &c->memory);
  ir_arena_init(&c->arena, &c->memory, (size_t)1 << 30);
}

void pool_case_reset(pool_case *c) {
  ir_arena_reset(&c->arena);
  ir_diags_reset(&c->diags);
}

/* Longest kernels of windows that are equal on all axes: short windows, windows that share rows, windows apart from
 * each other. */
enum { SQUARE = 5, SHARING = 12, APART = 16 };

static ir_window_axis draw_sharing(void) {
  ir_window_axis window = {.kernel = between(2, one_in(2) ? 8 : SHARING), .stride = between(1, 3), .dilation = 1};
  window.pad_begin = between(0, window.kernel - 1);
  window.pad_end = between(0, window.kernel - 1);
  return window;
}

static ir_window_axis draw_apart(void) {
  ir_window_axis window = {.kernel = between(2, APART), .dilation = 1};
  window.stride = between(window.kernel < 6 ? 4 : (2 * window.kernel + 2) / 3, window.kernel + 2);
  window.pad_begin = between(0, window.kernel - 1);
  window.pad_end = between(0, window.kernel - 1);
  return window;
}

/* Draws an adaptive pool's bins, of a few elements each. */
static void draw_small_bins(pool_case *c, ir_windows_axis *axis, int64_t most) {
  const int64_t n = between(1, most);
  set_bins(c, axis, n, between(n / 12 + 1, n + 1));
}

/* Draws short rows with one window, which covers most columns. */
static void draw_alone(pool_case *c, ir_windows_axis *axis) {
  const int64_t n = between(2, 12), kernel = between(n / 2 + 1, n);
  const ir_window_axis window = {
      .kernel = kernel, .stride = n + 2, .pad_begin = between(0, kernel - 1), .dilation = one_in(8) ? 2 : 1};
  if (one_in(4) || (kernel - 1) * window.dilation >= n)
    set_bins(c, axis, n, 1);
  else
    set_axis(c, axis, n, window);
}

bool pool_case_draw(pool_case *c) {
  static const int64_t most[] = {3000, 120, 32, 10}, small[] = {600, 30, 12, 6};
  empty(c);
  c->windows.n_planes = between(1, one_in(3) ? 40 : 5);
  c->windows.n_axes = (int)between(1, 4);
  const bool are_small = one_in(4); /* planes that a kernel computes side by side */
  if (are_small)
    c->windows.n_planes = between(16, 40);
  const bool is_flat = are_small && one_in(2); /* whose rows have one line each */
  if (is_flat)
    c->windows.n_axes = 2;
  const bool is_alone = are_small && !is_flat && one_in(2); /* whose rows have one window each */
  const int last = c->windows.n_axes - 1;
  const bool is_wide = one_in(4); /* rows of several tiles */
  const bool is_square = !are_small && one_in(3), is_binned = !are_small && !is_square && one_in(4);
  static const int64_t sides[] = {SQUARE, SHARING, APART};
  const int64_t side = sides[is_square ? between(0, 2) : 0];
  const int64_t reach = is_flat ? between(1, 2) : 0;
  const ir_window_axis same = {
      .kernel = 2 * reach + 1, .stride = 1, .pad_begin = reach, .pad_end = reach, .dilation = 1};
  const ir_window_axis window = is_flat           ? same
                                : side == APART   ? draw_apart()
                                : side == SHARING ? draw_sharing()
                                                  : draw_short(SQUARE);
  for (int a = 0; a <= last && is_flat; a++)
    set_axis(c, &c->windows.axes[a], between(1, 40), window);
  for (int a = 0; a <= last && is_square; a++)
    set_axis(c, &c->windows.axes[a], between(side, side + (is_wide && a < last ? most[3] : most[last])), window);
  for (int a = 0; a <= last && is_binned; a++)
    draw_small_bins(c, &c->windows.axes[a], is_wide && a < last ? most[3] : most[last]);
  const int drawn = is_alone ? last - 1 : last;
  for (int a = 0; a <= drawn && !is_flat && !is_square && !is_binned; a++)
    draw_axis(c, &c->windows.axes[a], are_small ? small[last] : is_wide ? (a == last ? most[0] : most[3]) : most[last]);
  if (is_alone)
    draw_alone(c, &c->windows.axes[last]);
  c->nan_if_empty = one_in(2);
  c->divisor = one_in(2) ? 0 : between(1, 4000);
  return pool_case_inputs(c) * 4 <= SWEEP_CASE_BYTES && pool_case_outputs(c) * 4 <= SWEEP_CASE_BYTES && make(c);
}

bool pool_case_windows(pool_case *c, int64_t n_planes, int n_axes, const int64_t *sizes, const ir_window_axis *windows,
                       int64_t divisor) {
  empty(c);
  c->windows.n_planes = n_planes;
  c->windows.n_axes = n_axes;
  c->divisor = divisor;
  for (int a = 0; a < n_axes; a++)
    set_axis(c, &c->windows.axes[a], sizes[a], windows[a]);
  return pool_case_inputs(c) * 4 <= SWEEP_CASE_BYTES && pool_case_outputs(c) * 4 <= SWEEP_CASE_BYTES && make(c);
}

bool pool_case_planes(pool_case *c, int64_t n_planes, int64_t n_rows, int64_t n_columns, ir_window_axis window,
                      int64_t divisor) {
  return pool_case_windows(c, n_planes, 2, (const int64_t[]){n_rows, n_columns},
                           (const ir_window_axis[]){window, window}, divisor);
}

bool pool_case_in_turn(pool_case *c, int n_axes, int64_t n) {
  empty(c);
  c->windows.n_planes = 1;
  c->windows.n_axes = n_axes;
  for (int a = 0; a < n_axes; a++)
    set_bins(c, &c->windows.axes[a], a % 2 == 0 ? n : 2, a % 2 == 0 ? 1 : 2);
  return make(c);
}

int64_t pool_case_inputs(const pool_case *c) {
  return c->windows.n_planes * ir_windows_plane_in(&c->windows);
}

int64_t pool_case_outputs(const pool_case *c) {
  return c->windows.n_planes * ir_windows_plane_out(&c->windows);
}

/* ---- elements ---- */

/* limit of taps that are repaired: kernels compute a sum with an infinity or NaN again, which is slow */
enum { MOST_REPAIRS = 1 << 18 };

void pool_case_fill(const pool_case *c, ir_type type, void *in) {
  const int64_t n = pool_case_inputs(c);
  const size_t size = ir_type_size(type);
  const bool is_float = type == IR_F32 || type == IR_F16 || type == IR_BF16;
  const bool any_bits = one_in(2) && pool_case_outputs(c) * c->plans[IR_POOL_SUM][IR_POOL_ROUTES].taps <= MOST_REPAIRS;
  const float unit = !one_in(4) ? 0x1p-20f : type == IR_F16 ? 0x1p-36f : 0x1p-144f; /* numbers are up to 2^20 units */
  const uint32_t minus_zero = UINT32_C(1) << (8 * size - 1);
  for (int64_t i = 0; i < n; i++) {
    const uint64_t drawn = draw();
    const float number = (float)((int64_t)(drawn >> 43) - (1 << 20)) * unit;
    uint32_t bits = drawn % 4 > 0 ? (uint32_t)(drawn >> 32) : drawn % 8 > 0 ? 0 : minus_zero;
    if (is_float && !any_bits) {
      memcpy(&bits, &number, sizeof bits);
      bits = type == IR_F16 ? ir_f32_to_f16(number) : type == IR_BF16 ? ir_f32_to_bf16(number) : bits;
    }
    memcpy((unsigned char *)in + (size_t)i * size, &bits, size);
  }
}

bool pool_case_has(const pool_case *c, ir_pool_op op, ir_pool_route route) {
  return c->plans[op][route].route == route;
}

void pool_case_run_route(const pool_case *c, const ir_pool_kernel *kernel, ir_pool_route route, const void *in,
                         void *out, int64_t piece) {
  const ir_pool_plan *plan = &c->plans[kernel->op][route];
  atomic_bool wants_repair = false;
  const ir_pool_job job = {.plan = plan,
                           .type = kernel->type,
                           .in = in,
                           .out = out,
                           .in_is_far = c->is_far,
                           .out_is_far = c->is_far,
                           .wants_repair = &wants_repair};
  const size_t bytes = plan->n_scratch * sizeof(float);
  float *scratch = aligned_alloc(64, (bytes + 63) / 64 * 64);
  demand(scratch != NULL);
  memset(scratch, 0xff, bytes);
  piece = piece == 0 ? plan->n_units : piece;
  /* Runs the last units first. A unit must neither depend on another unit nor write its outputs. */
  for (int64_t p = (plan->n_units - 1) / piece * piece; p >= 0; p -= piece)
    kernel->units(&job, scratch, p, p + piece < plan->n_units ? p + piece : plan->n_units);
  if (wants_repair)
    ir_pool_repair(&job, 0, plan->n_lines);
  free(scratch);
}

void pool_case_run(const pool_case *c, const ir_pool_kernel *kernel, const void *in, void *out, int64_t piece) {
  pool_case_run_route(c, kernel, IR_POOL_ROUTES, in, out, piece);
}

bool pool_case_is_nan(ir_type type, const void *element) {
  uint16_t half;
  float single;
  if (type == IR_F32) {
    memcpy(&single, element, sizeof single);
    return isnan(single) != 0;
  }
  if (type != IR_F16 && type != IR_BF16)
    return false;
  memcpy(&half, element, sizeof half);
  return (half & 0x7fff) > (type == IR_F16 ? 0x7c00 : 0x7f80);
}
