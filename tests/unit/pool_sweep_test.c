/* Every sweep against the plain one: the same bits for the same windows, whatever the instruction set and however the
 * planes are split; and against exact sums. Says which kernels this machine lacks. */
#include "draw.h"
#include "ops/pool/pool_sweep_kernels.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 400, MAX_BYTES = 1 << 20 };

typedef struct sweep_case {
  ir_windows windows;
  ir_sweep sweep;
  ir_sweep_means means;
  int64_t divisor;
  bool nan_if_empty;
} sweep_case;

static ir_memory memory;
static ir_diags diags;
static ir_arena arena;
static _Alignas(64) unsigned char input[MAX_BYTES], outputs[2][MAX_BYTES];

/* ---- windows ---- */

static void set_axis(ir_windows_axis *axis, int64_t n, ir_window_axis window) {
  int64_t out = -1;
  if (!ir_window_count(window, IR_ROUND_CEIL, n, &out))
    fail_msg("a window that does not fit");
  *axis = (ir_windows_axis){.n_in = n,
                            .n_out = out,
                            .step = window.dilation,
                            .kernel = window.kernel,
                            .stride = window.stride,
                            .pad_begin = window.pad_begin};
  axis->ranges = ir_arena_array(&arena, (size_t)out, sizeof *axis->ranges);
  for (int64_t o = 0; o < out; o++)
    axis->ranges[o] = ir_window_range(window, n, o);
}

static void set_bins(ir_windows_axis *axis, int64_t n, int64_t out) {
  *axis = (ir_windows_axis){.n_in = n, .n_out = out, .step = 1};
  axis->ranges = ir_arena_array(&arena, (size_t)out, sizeof *axis->ranges);
  for (int64_t o = 0; o < out; o++)
    axis->ranges[o] = ir_window_bin(n, out, o);
}

/* A pool's axis, one of bins, one that is reduced or one on which nothing happens. */
static void draw_axis(ir_windows_axis *axis, int64_t most) {
  const int64_t n = between(1, most), kind = between(0, 7);
  if (kind <= 4) {
    const int64_t kernel = between(1, n < 70 ? n : 70),
                  dilation = kernel == 1 || (kernel - 1) * 2 + 1 > n ? 1 : between(1, 2);
    set_axis(axis, n,
             (ir_window_axis){kernel, between(1, one_in(2) ? 2 : kernel + 2), dilation, between(0, kernel - 1),
                              between(0, kernel - 1)});
  } else {
    set_bins(axis, n, kind == 5 ? between(1, n + 2) : kind == 6 ? 1 : n);
  }
}

static bool make(sweep_case *c) {
  ir_plan plan = {.arena = &arena, .memory = &memory, .diags = &diags};
  return ir_sweep_make(&plan, &c->windows, &c->sweep) &&
         ir_sweep_make_means(&plan, &c->sweep, c->divisor, c->nan_if_empty, &c->means);
}

static int64_t n_inputs(const sweep_case *c) {
  return c->windows.n_planes * ir_windows_plane_in(&c->windows);
}

static int64_t n_outputs(const sweep_case *c) {
  return c->windows.n_planes * ir_windows_plane_out(&c->windows);
}

static bool draw_case(sweep_case *c) {
  ir_arena_reset(&arena);
  *c = (sweep_case){.windows = {.n_planes = between(1, 5), .n_axes = (int)between(1, 3)}, .nan_if_empty = one_in(2)};
  for (int a = 0; a < c->windows.n_axes; a++)
    draw_axis(&c->windows.axes[a], c->windows.n_axes == 1 ? 3000 : c->windows.n_axes == 2 ? 120 : 24);
  c->divisor = one_in(2) ? 0 : between(1, 4000);
  return n_inputs(c) * 4 <= MAX_BYTES && n_outputs(c) * 4 <= MAX_BYTES && make(c);
}

/* ---- running ---- */

static void run_units(const sweep_case *c, const ir_sweep_kernel *kernel, void *out, int64_t piece) {
  const size_t bytes = c->sweep.n_scratch * sizeof(float);
  float *scratch = aligned_alloc(64, (bytes + 4095) / 4096 * 4096);
  assert_non_null(scratch);
  memset(scratch, 0xff, bytes); /* NaN */
  const ir_sweep_job job = {.sweep = &c->sweep, .windows = &c->windows, .means = &c->means, .in = input, .out = out};
  for (int64_t p = 0; p < c->sweep.n_units; p += piece)
    kernel->units(&job, scratch, p, p + piece < c->sweep.n_units ? p + piece : c->sweep.n_units);
  free(scratch);
}

static size_t bytes_of(const ir_sweep_kernel *kernel) {
  return ir_type_size(kernel->type);
}

static bool is_nan(ir_type type, const void *at) {
  uint16_t half;
  float single;
  memcpy(&half, at, sizeof half);
  if (type == IR_F32) {
    memcpy(&single, at, sizeof single);
    return isnan(single) != 0;
  }
  return (type == IR_F16 && (half & 0x7fff) > 0x7c00) || (type == IR_BF16 && (half & 0x7fff) > 0x7f80);
}

static void assert_same(const sweep_case *c, const ir_sweep_kernel *kernel, const char *what) {
  const size_t size = bytes_of(kernel);
  for (int64_t i = 0; i < n_outputs(c); i++) {
    const unsigned char *a = outputs[0] + (size_t)i * size, *b = outputs[1] + (size_t)i * size;
    if (memcmp(a, b, size) != 0 && !(is_nan(kernel->type, a) && is_nan(kernel->type, b)))
      fail_msg("%s of %s, %s: output %lld differs", kernel->op == ir_sweep_average ? "average" : "maximum",
               ir_type_name(kernel->type), what, (long long)i);
  }
}

/* Any bits: NaN, infinities, zeros of both signs; or numbers of one size, whose sums have something to round. */
static void draw_input(const sweep_case *c, ir_type type) {
  const int64_t n = n_inputs(c), kind = between(0, 2);
  for (int64_t i = 0; i < n; i++) {
    const float number = (float)between(-1000000, 1000000) / 999983.0f;
    uint32_t bits = (uint32_t)between(0, UINT32_MAX);
    if (kind > 0 && type == IR_F32)
      memcpy(&bits, &number, sizeof bits);
    else if (kind > 0 && (type == IR_F16 || type == IR_BF16))
      bits = type == IR_F16 ? ir_f32_to_f16(number) : ir_f32_to_bf16(number);
    else if (one_in(4))
      bits = one_in(2) ? 0 : UINT32_C(0x80008000);
    memcpy(input + (size_t)i * ir_type_size(type), &bits, ir_type_size(type));
  }
}

static const ir_sweep_kernel *plain_of(const ir_sweep_kernel *kernel) {
  const ir_sweep_kernel *plain = ir_sweep_kernels;
  while (plain->type != kernel->type || plain->op != kernel->op || strcmp(plain->isa, "any") != 0)
    plain++;
  return plain;
}

static void every_kernel_gives_the_same_bits(void **state) {
  (void)state;
  sweep_case c;
  for (int n = 0; n < CASES;) {
    if (!draw_case(&c))
      continue;
    n++;
    for (const ir_sweep_kernel *kernel = ir_sweep_kernels; kernel->units != NULL; kernel++) {
      if (!kernel->available())
        continue;
      draw_input(&c, kernel->type);
      run_units(&c, plain_of(kernel), outputs[0], c.sweep.n_units);
      run_units(&c, kernel, outputs[1], c.sweep.n_units);
      assert_same(&c, kernel, kernel->isa);
      run_units(&c, kernel, outputs[1], between(1, 3));
      assert_same(&c, kernel, "split");
    }
  }
}

static void kernels_that_this_machine_lacks(void **state) {
  (void)state;
  for (const ir_sweep_kernel *kernel = ir_sweep_kernels; kernel->units != NULL; kernel++)
    if (!kernel->available())
      printf("not tried here: %s of %s for %s\n", kernel->op == ir_sweep_average ? "average" : "maximum",
             ir_type_name(kernel->type), kernel->isa);
}

/* ---- against exact sums ---- */

static float kind_of_number(int kind, int64_t i) {
  const float random = (float)between(1, 1000000) / 999983.0f;
  switch (kind) {
  case 0:
    return random;
  case 1:
    return one_in(2) ? random : -random;
  case 2:
    return 0.1f;
  default:
    return i % 2 == 0 ? 1e6f + random : -1e6f;
  }
}

/* Averages of [n, n] with a window of k x k and pads; long double holds sums of so few floats exactly enough. */
static void check_error(int64_t n, int64_t k, int64_t pad, int kind) {
  sweep_case c = {.windows = {.n_planes = 1, .n_axes = 2}};
  ir_arena_reset(&arena);
  for (int a = 0; a < 2; a++)
    set_axis(&c.windows.axes[a], n, (ir_window_axis){k, 1, 1, pad, pad});
  assert_true(make(&c));
  float *x = (float *)(void *)input;
  for (int64_t i = 0; i < n * n; i++)
    x[i] = kind_of_number(kind, i);
  run_units(&c, ir_sweep_kernel_for(IR_F32, ir_sweep_average), outputs[0], 1000);
  const ir_windows_axis *axis = &c.windows.axes[0];
  for (int64_t o = 0; o < axis->n_out * axis->n_out; o += 7) {
    const ir_range rows = axis->ranges[o / axis->n_out], columns = axis->ranges[o % axis->n_out];
    long double sum = 0, size = 0;
    for (int64_t r = rows.begin; r < rows.begin + rows.count; r++)
      for (int64_t i = columns.begin; i < columns.begin + columns.count; i++) {
        sum += x[r * n + i];
        size += fabsl((long double)x[r * n + i]);
      }
    const long double taps = (long double)(rows.count * columns.count);
    const float mean = (float)(size / taps), got = ((float *)(void *)outputs[0])[o];
    const float ulp = nextafterf(mean, INFINITY) - mean;
    if (fabsl(got - sum / taps) > 4.0L * ulp)
      fail_msg("%lld x %lld, kind %d, output %lld: %.3Lf ulp", (long long)k, (long long)k, kind, (long long)o,
               fabsl(got - sum / taps) / ulp);
  }
}

static void averages_lie_within_four_ulp(void **state) {
  (void)state;
  static const int64_t kernels[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63};
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    for (int kind = 0; kind < 4; kind++) {
      check_error(70, kernels[i], kernels[i] / 2, kind);
      check_error(kernels[i], kernels[i], 0, kind);
    }
}

/* Sums that no float holds, of which the means are floats. */
static void sums_beyond_the_type(void **state) {
  (void)state;
  sweep_case c = {.windows = {.n_planes = 2, .n_axes = 2}};
  ir_arena_reset(&arena);
  for (int a = 0; a < 2; a++)
    set_axis(&c.windows.axes[a], 40, (ir_window_axis){3, 1, 1, 1, 1});
  assert_true(make(&c));
  float *x = (float *)(void *)input, *y = (float *)(void *)outputs[0];
  for (int64_t i = 0; i < 3200; i++)
    x[i] = FLT_MAX;
  x[1600 + 40 * 20 + 20] = INFINITY;
  run_units(&c, ir_sweep_kernel_for(IR_F32, ir_sweep_average), y, 1000);
  for (int64_t i = 0; i < 3200; i++) {
    const int64_t row = i % 1600 / 40, column = i % 40;
    const bool near = i >= 1600 && llabs(row - 20) <= 1 && llabs(column - 20) <= 1;
    assert_true(y[i] == (near ? INFINITY : FLT_MAX));
  }
}

static int set_up(void **state) {
  (void)state;
  memory = ir_memory_default();
  ir_diags_init(&diags, &memory);
  ir_arena_init(&arena, &memory, (size_t)1 << 30);
  draw_seed(NULL);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ir_arena_reset(&arena);
  ir_diags_reset(&diags);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kernel_gives_the_same_bits),
      cmocka_unit_test(kernels_that_this_machine_lacks),
      cmocka_unit_test(averages_lie_within_four_ulp),
      cmocka_unit_test(sums_beyond_the_type),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
