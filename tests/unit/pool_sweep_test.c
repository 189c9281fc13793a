/* Every sweep against the plain one: the same bits for the same windows, whatever the instruction set and however the
 * planes are split; and against exact sums. Says which kernels this machine lacks. */
#include "draw.h"
#include "sweep_case.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 400, FEW_CASES = 60, FEW_OUTPUTS = 2000 };

static sweep_case c;
static _Alignas(64) unsigned char input[SWEEP_CASE_BYTES], outputs[2][SWEEP_CASE_BYTES];

/* ---- every instruction set ---- */

static void fail_at(const ir_sweep_kernel *kernel, const char *what, int64_t i, const unsigned char *a,
                    const unsigned char *b) {
  char text[WINDOWS_TEXT], bits[2][16] = {"", ""};
  for (size_t byte = 0; byte < ir_type_size(kernel->type); byte++) {
    snprintf(bits[0] + 2 * byte, 3, "%02x", a[byte]);
    snprintf(bits[1] + 2 * byte, 3, "%02x", b[byte]);
  }
  fail_msg("%s of %s, %s: output %lld is %s and %s; %s", kernel->op == ir_sweep_average ? "average" : "maximum",
           ir_type_name(kernel->type), what, (long long)i, bits[0], bits[1],
           windows_text(&c.windows, text, sizeof text));
}

static void assert_same(const ir_sweep_kernel *kernel, const char *what) {
  const size_t size = ir_type_size(kernel->type);
  for (int64_t i = 0; i < sweep_case_outputs(&c); i++) {
    const unsigned char *a = outputs[0] + (size_t)i * size, *b = outputs[1] + (size_t)i * size;
    if (memcmp(a, b, size) != 0 && !(sweep_is_nan(kernel->type, a) && sweep_is_nan(kernel->type, b)))
      fail_at(kernel, what, i, a, b);
  }
}

static bool is_plain(const ir_sweep_kernel *kernel) {
  return strcmp(kernel->isa, "any") == 0;
}

static void compare_piecewise(const ir_sweep_kernel *kernel, int64_t piece, const char *what) {
  memset(outputs[1], 0xa5, sizeof outputs[1]);
  c.is_far = one_in(2);
  sweep_case_run(&c, kernel, input, outputs[1], piece);
  c.is_far = false;
  assert_same(kernel, what);
}

static void compare_with(const ir_sweep_kernel *plain) {
  sweep_case_fill(&c, plain->type, input);
  sweep_case_run(&c, plain, input, outputs[0], 0);
  for (const ir_sweep_kernel *kernel = ir_sweep_kernels; kernel->units != NULL; kernel++) {
    if (kernel->type != plain->type || kernel->op != plain->op || !kernel->available())
      continue;
    if (kernel != plain)
      compare_piecewise(kernel, 0, kernel->isa);
    if (sweep_case_units(&c, kernel) > 1)
      compare_piecewise(kernel, between(1, 3), "split");
  }
}

static void compare_all(void) {
  for (const ir_sweep_kernel *kernel = ir_sweep_kernels; kernel->units != NULL; kernel++)
    if (is_plain(kernel))
      compare_with(kernel);
}

static void every_kernel_gives_the_same_bits(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    while (!sweep_case_draw(&c))
      continue;
    compare_all();
  }
}

/* Of a window that is alone on its axis nothing depends on the stride, which may be any. */
static void windows_that_are_alone_have_any_stride(void **state) {
  (void)state;
  static const int64_t strides[] = {1, 3, 40, INT64_MAX / 64, INT64_MAX / 3, INT64_C(1) << 61, INT64_MAX};
  for (int64_t n = 2; n <= 40; n += n < 10 ? 1 : 15)
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
      if (!sweep_case_planes(&c, 20, n, n, (ir_window_axis){n, strides[i], 1, 0, 0}, 0))
        fail_msg("no sweep of one window of %lld at stride %lld", (long long)n, (long long)strides[i]);
      assert_int_equal(sweep_case_outputs(&c), 20);
      compare_all();
    }
}

/* By the window's elements one after the other: only a greater one takes the place of another. */
static float first_greatest(int64_t at) {
  const ir_windows *w = &c.windows;
  int64_t where[IR_MAX_RANK], tap[IR_MAX_RANK] = {0}, left = 1;
  const int64_t plane = at / ir_windows_plane_out(w);
  float best = -FLT_MAX;
  for (int a = w->n_axes - 1; a >= 0; a--) {
    where[a] = at % w->axes[a].n_out;
    at /= w->axes[a].n_out;
    left *= w->axes[a].ranges[where[a]].count;
  }
  for (; left > 0; left--) {
    int64_t i = plane;
    for (int a = 0; a < w->n_axes; a++)
      i = i * w->axes[a].n_in + w->axes[a].ranges[where[a]].begin + tap[a] * w->axes[a].step;
    const float x = ((const float *)(const void *)input)[i];
    best = x > best ? x : best;
    for (int a = w->n_axes - 1; a >= 0 && ++tap[a] == w->axes[a].ranges[where[a]].count; a--)
      tap[a] = 0;
  }
  return best;
}

static void axes_are_reduced_in_turn(void **state) {
  (void)state;
  for (int n_axes = 2; n_axes <= 8; n_axes++)
    for (int64_t n = 1; n <= 9; n++) {
      assert_true(sweep_case_in_turn(&c, n_axes, n));
      compare_all();
      sweep_case_fill(&c, IR_F32, input);
      sweep_case_run(&c, ir_sweep_kernel_for(IR_F32, ir_sweep_maximum), input, outputs[0], 0);
      for (int64_t o = 0; o < sweep_case_outputs(&c); o++) {
        const float expected = first_greatest(o);
        assert_memory_equal(&expected, outputs[0] + o * 4, 4);
      }
    }
}

/* Pads as wide as vectors, and windows of a single element: whole vectors of pads, and maxima of what is no number. */
static void draw_padded(void) {
  int64_t sizes[3];
  ir_window_axis windows[3];
  do {
    const int n_axes = (int)between(1, 3);
    const int64_t n_planes = one_in(2) ? between(1, 3) : between(16, 80), stride = between(1, 5),
                  kernel = between(1, 16);
    for (int a = 0; a < n_axes; a++) {
      const bool is_last = a == n_axes - 1, has_pads = is_last ? !one_in(3) : one_in(4);
      ir_window_axis *w = &windows[a];
      *w = (ir_window_axis){.kernel = one_in(4) ? between(1, 4) : kernel, .stride = one_in(4) ? between(1, 5) : stride};
      w->dilation = one_in(10) ? 2 : 1;
      w->pad_begin = has_pads ? between(0, one_in(2) ? 20 : 140) : 0;
      w->pad_end = has_pads ? between(0, one_in(2) ? 20 : 140) : 0;
      const int64_t extent = (w->kernel - 1) * w->dilation + 1, fewest = extent - w->pad_begin - w->pad_end;
      sizes[a] = between(fewest < 1 ? 1 : fewest, (fewest < 1 ? 1 : fewest) + (is_last ? 60 : 12));
    }
    if (sweep_case_windows(&c, n_planes, n_axes, sizes, windows, one_in(2) ? 0 : between(1, 300)))
      return;
  } while (true);
}

static void pads_are_as_wide_as_they_like(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    draw_padded();
    const ir_sweep_kernel *plain = ir_sweep_kernels;
    for (int64_t left = between(1, 10); left > 0 || !is_plain(plain); left -= is_plain(plain))
      plain = plain[1].units != NULL ? plain + 1 : ir_sweep_kernels;
    compare_with(plain);
    sweep_case_fill(&c, IR_F32, input);
    if (one_in(2))
      memset(input, 0xff, sizeof input);
    sweep_case_run(&c, ir_sweep_kernel_for(IR_F32, ir_sweep_maximum), input, outputs[0], 0);
    for (int64_t o = 0, step = sweep_case_outputs(&c) / FEW_OUTPUTS + 1; o < sweep_case_outputs(&c); o += step) {
      const float expected = first_greatest(o);
      char text[WINDOWS_TEXT];
      if (memcmp(&expected, outputs[0] + o * 4, 4) != 0)
        fail_msg("output %lld is not %a; %s", (long long)o, (double)expected,
                 windows_text(&c.windows, text, sizeof text));
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

/* ---- against their taps ---- */

static void maxima_are_those_of_their_taps(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    while (!sweep_case_draw(&c))
      continue;
    sweep_case_fill(&c, IR_F32, input);
    sweep_case_run(&c, ir_sweep_kernel_for(IR_F32, ir_sweep_maximum), input, outputs[0], 0);
    const int64_t n_outputs = sweep_case_outputs(&c), step = n_outputs / FEW_OUTPUTS + 1;
    for (int64_t o = between(0, step - 1); o < n_outputs; o += step) {
      const float expected = first_greatest(o);
      if (memcmp(&expected, outputs[0] + o * 4, 4) != 0)
        fail_msg("output %lld of case %d is not %a", (long long)o, n, (double)expected);
    }
  }
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

/* Averages of [rows, columns] with a window of k x k and pads; long double holds sums of so few floats exactly enough.
 */
static void check_error(int64_t n_rows, int64_t n_columns, int64_t k, int64_t pad, int kind) {
  assert_true(sweep_case_planes(&c, 1, n_rows, n_columns, (ir_window_axis){k, 1, 1, pad, pad}, 0));
  float *x = (float *)(void *)input;
  for (int64_t i = 0; i < n_rows * n_columns; i++)
    x[i] = kind_of_number(kind, i);
  sweep_case_run(&c, ir_sweep_kernel_for(IR_F32, ir_sweep_average), input, outputs[0], 1000);
  const ir_windows_axis *axes = c.windows.axes;
  for (int64_t o = 0; o < sweep_case_outputs(&c); o += 7) {
    const ir_range rows = axes[0].ranges[o / axes[1].n_out], columns = axes[1].ranges[o % axes[1].n_out];
    long double sum = 0, size = 0;
    for (int64_t r = rows.begin; r < rows.begin + rows.count; r++)
      for (int64_t i = columns.begin; i < columns.begin + columns.count; i++) {
        sum += x[r * n_columns + i];
        size += fabsl((long double)x[r * n_columns + i]);
      }
    const long double taps = (long double)(rows.count * columns.count);
    const float mean = (float)(size / taps), got = ((float *)(void *)outputs[0])[o];
    const float ulp = nextafterf(mean, INFINITY) - mean;
    if (!(fabsl(got - sum / taps) <= 4.0L * ulp))
      fail_msg("%lld x %lld of rows of %lld, kind %d, output %lld: %.3Lf ulp", (long long)k, (long long)k,
               (long long)n_columns, kind, (long long)o, fabsl(got - sum / taps) / ulp);
  }
}

static void averages_lie_within_four_ulp(void **state) {
  (void)state;
  static const int64_t kernels[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63};
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    for (int kind = 0; kind < 4; kind++) {
      check_error(70, 70, kernels[i], kernels[i] / 2, kind);
      check_error(kernels[i], kernels[i], kernels[i], 0, kind);
    }
}

/* Rows of several tiles, of which the first and the last have pads. */
static void averages_of_wide_rows_too(void **state) {
  (void)state;
  static const int64_t kernels[] = {2, 3, 8, 9, 15};
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
    check_error(20, 3000, kernels[i], kernels[i] / 2, 1);
    assert_true(c.sweeps[0].along.n_tiles > 1);
  }
}

/* Those that have masks make short windows straight from the rows, but for rows that are shorter than a vector. */
static void short_windows_are_fused(void **state) {
  (void)state;
  static const struct {
    int64_t n, kernel, stride;
    bool is_fused;
  } rows[] = {{40, 2, 1, true},   {40, 5, 1, true},   {40, 9, 1, false}, {9, 3, 1, false},  {40, 2, 2, true},
              {40, 3, 2, true},   {40, 17, 2, false}, {16, 2, 2, false}, {40, 3, 3, true},  {16, 3, 1, true},
              {40, 5, 5, true},   {46, 9, 9, true},   {40, 4, 4, true},  {14, 5, 5, false}, {100, 4, 4, false},
              {80, 16, 11, true}, {60, 9, 5, false},  {40, 8, 1, true},  {16, 7, 1, false}, {40, 8, 2, true},
              {40, 8, 3, true},   {40, 16, 3, true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const int64_t k = rows[i].kernel, pad = rows[i].stride == 1 ? k / 2 : 0;
    assert_true(sweep_case_planes(&c, 16, rows[i].n, rows[i].n, (ir_window_axis){k, rows[i].stride, 1, pad, pad}, 0));
    assert_int_equal(c.sweeps[1].fused.is_set, rows[i].is_fused);
    assert_false(c.sweeps[0].fused.is_set);
  }
}

/* Planes side by side of which rows, or slices, are joined first: of as many columns as vectors have, of fewer, and of
 * planes that are no multiple of their lanes. */
static void rows_are_joined_before_planes_are_turned(void **state) {
  (void)state;
  static const struct {
    int64_t n_planes, sizes[3], kernel[3], stride, pad;
    int n_axes;
    bool is_joined;
  } cases[] = {{40, {14, 10}, {3, 3}, 2, 0, 2, true},     {37, {14, 7}, {5, 3}, 3, 1, 2, true},
               {64, {44, 8}, {12, 2}, 4, 4, 2, true},     {40, {20, 16}, {10, 3}, 4, 2, 2, true},
               {40, {8, 9, 7}, {3, 3, 3}, 3, 1, 3, true}, {33, {6, 5, 20}, {4, 3, 5}, 1, 2, 3, true},
               {40, {13, 13}, {13, 13}, 1, 6, 2, false},  {48, {1, 40}, {1, 9}, 2, 0, 2, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_window_axis windows[3];
    for (int a = 0; a < cases[i].n_axes; a++) {
      const int64_t pad = cases[i].pad < cases[i].kernel[a] ? cases[i].pad : cases[i].kernel[a] - 1;
      windows[a] = (ir_window_axis){cases[i].kernel[a], cases[i].stride, 1, pad, pad};
    }
    assert_true(sweep_case_windows(&c, cases[i].n_planes, cases[i].n_axes, cases[i].sizes, windows, 0));
    bool is_joined = false;
    for (int plan = 0; plan < SWEEP_CASE_PLANS; plan++)
      is_joined = is_joined || (c.sweeps[plan].is_abreast && c.sweeps[plan].abreast.joins_first);
    assert_int_equal(is_joined, cases[i].is_joined);
    compare_all();
  }
}

/* Windows of 9 to 16 rows share no blocks where a row has few of them: the order is the same for any number of planes.
 */
static void tall_windows_of_narrow_rows_share_no_blocks(void **state) {
  (void)state;
  static const struct {
    int64_t n_planes, sizes[2], kernel[2], pads[2];
    bool by_blocks;
  } cases[] = {{20, {40, 8}, {13, 4}, {0, 0}, false},   {3, {40, 8}, {13, 4}, {0, 0}, false},
               {20, {40, 8}, {17, 4}, {0, 0}, true},    {2, {40, 28}, {13, 8}, {6, 4}, true},
               {17, {30, 19}, {16, 5}, {8, 2}, false},  {17, {30, 20}, {16, 5}, {8, 2}, true},
               {5, {40, 40}, {9, 3}, {4, 1}, false},    {5, {40, 41}, {9, 3}, {4, 1}, true},
               {16, {50, 9}, {11, 1}, {0, 0}, false},   {33, {41, 12}, {14, 2}, {3, 0}, false},
               {20, {28, 11}, {11, 11}, {5, 0}, false}, {3, {90, 16}, {16, 16}, {0, 0}, false},
               {3, {90, 16}, {17, 16}, {0, 0}, true},   {3, {90, 17}, {16, 17}, {0, 0}, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_window_axis windows[2];
    for (int a = 0; a < 2; a++)
      windows[a] = (ir_window_axis){cases[i].kernel[a], 1, 1, cases[i].pads[a], cases[i].pads[a]};
    assert_true(sweep_case_windows(&c, cases[i].n_planes, 2, cases[i].sizes, windows, 0));
    for (int plan = 0; plan < SWEEP_CASE_PLANS; plan++)
      assert_int_equal(c.sweeps[plan].by_blocks, cases[i].by_blocks);
    compare_all();
  }
}

/* Of 9 to 16 rows, in planes that are narrower than a vector: several planes are swept at a time. */
static void tall_windows_alone_in_rows_are_grouped(void **state) {
  (void)state;
  static const struct {
    int64_t sizes[2], rows, stride, pad;
  } cases[] = {
      {{20, 11}, 11, 11, 0}, {{40, 13}, 13, 13, 6}, {{14, 14}, 9, 9, 0}, {{33, 15}, 16, 16, 5}, {{27, 3}, 12, 13, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const ir_window_axis windows[] = {{cases[i].rows, cases[i].stride, 1, cases[i].pad, cases[i].pad},
                                      {cases[i].sizes[1], 1, 1, 0, 0}};
    /* Too few to go side by side. */
    assert_true(sweep_case_windows(&c, 15, 2, cases[i].sizes, windows, 0));
    for (int plan = 0; plan < SWEEP_CASE_PLANS; plan++)
      assert_true(c.sweeps[plan].group > 0);
    compare_all();
  }
}

static void long_windows_have_strides(void **state) {
  (void)state;
  static const int64_t kernels[] = {9, 16, 17, 25, 31, 32, 33, 47, 48, 63, 64};
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    for (int64_t stride = 1; stride <= 5; stride++)
      for (int64_t pad = 0; pad < kernels[i]; pad += kernels[i] / 2) {
        const ir_window_axis windows[] = {{2, 1, 1, 0, 0}, {kernels[i], stride, 1, pad, pad}};
        assert_true(sweep_case_windows(&c, 2, 2, (int64_t[]){3, 130 + stride * 17}, windows, 0));
        compare_all();
      }
}

/* Sums that no float holds, of which the means are floats. */
static void sums_beyond_the_type(void **state) {
  (void)state;
  assert_true(sweep_case_planes(&c, 2, 40, 40, (ir_window_axis){3, 1, 1, 1, 1}, 0));
  float *x = (float *)(void *)input, *y = (float *)(void *)outputs[0];
  for (int64_t i = 0; i < 3200; i++)
    x[i] = FLT_MAX;
  x[1600 + 40 * 20 + 20] = INFINITY;
  sweep_case_run(&c, ir_sweep_kernel_for(IR_F32, ir_sweep_average), input, y, 1000);
  for (int64_t i = 0; i < 3200; i++) {
    const int64_t row = i % 1600 / 40, column = i % 40;
    const bool near = i >= 1600 && llabs(row - 20) <= 1 && llabs(column - 20) <= 1;
    assert_true(y[i] == (near ? INFINITY : FLT_MAX));
  }
}

/* ---- maxima ---- */

/* Few different values, so that most windows have some twice, zeros of both signs and what is no number among them. */
static void fill_with_few(void) {
  static const float values[] = {0.0f, -0.0f, -0.0f, -1.0f, NAN, -INFINITY, -FLT_MAX, -1e-45f};
  for (int64_t i = 0; i < sweep_case_inputs(&c); i++)
    ((float *)(void *)input)[i] = values[between(one_in(2) ? 0 : 3, 7)];
}

static void compare_with_first_greatest(const ir_sweep_kernel *kernel) {
  sweep_case_run(&c, kernel, input, outputs[0], between(1, 3));
  for (int64_t o = 0; o < sweep_case_outputs(&c); o++) {
    const float expected = first_greatest(o), got = ((const float *)(const void *)outputs[0])[o];
    char text[WINDOWS_TEXT];
    if (memcmp(&expected, &got, sizeof got) != 0)
      fail_msg("%s: output %lld is %g, not %g; %s", kernel->isa, (long long)o, (double)got, (double)expected,
               windows_text(&c.windows, text, sizeof text));
  }
}

static void check_few_values(void) {
  fill_with_few();
  for (const ir_sweep_kernel *kernel = ir_sweep_kernels; kernel->units != NULL; kernel++)
    if (kernel->available() && kernel->type == IR_F32 && kernel->op == ir_sweep_maximum)
      compare_with_first_greatest(kernel);
}

static void the_first_of_equal_elements_stays(void **state) {
  (void)state;
  for (int n = 0; n < FEW_CASES;) {
    if (!sweep_case_draw(&c) || sweep_case_outputs(&c) > FEW_OUTPUTS)
      continue;
    n++;
    check_few_values();
  }
}

/* Of rows as they are: elements that no pass has compared with anything yet. */
static void windows_that_are_alone_in_rows_leave_out_nan(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 16; n++)
    for (int64_t stride = 1; stride <= 2; stride++) {
      assert_true(sweep_case_windows(&c, 20, 2, (int64_t[]){5, n},
                                     (ir_window_axis[]){{1, stride, 1, 0, 0}, {n, 1, 1, 0, 0}}, 0));
      check_few_values();
    }
}

/* The sign of a sum of -0, which does not depend on how many planes there are. */
static void averages_of_planes_are_those_of_one_plane(void **state) {
  (void)state;
  static float one[5];
  for (int64_t n = 1; n <= 16; n++)
    for (const ir_sweep_kernel *kernel = ir_sweep_kernels; kernel->units != NULL; kernel++) {
      if (!kernel->available() || kernel->type != IR_F32 || kernel->op != ir_sweep_average)
        continue;
      for (int64_t n_planes = 1; n_planes <= 20; n_planes += 19) {
        assert_true(sweep_case_windows(&c, n_planes, 2, (int64_t[]){5, n},
                                       (ir_window_axis[]){{1, 2, 1, 0, 0}, {n, 1, 1, 0, 0}}, 0));
        for (int64_t i = 0; i < sweep_case_inputs(&c); i++)
          ((float *)(void *)input)[i] = -0.0f;
        sweep_case_run(&c, kernel, input, n_planes == 1 ? (void *)one : outputs[0], 0);
      }
      assert_memory_equal(one, outputs[0], 3 * sizeof *one);
    }
}

static int set_up(void **state) {
  (void)state;
  sweep_case_init(&c);
  return draw_seed(NULL);
}

static int tear_down(void **state) {
  (void)state;
  sweep_case_reset(&c);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kernel_gives_the_same_bits),
      cmocka_unit_test(windows_that_are_alone_have_any_stride),
      cmocka_unit_test(axes_are_reduced_in_turn),
      cmocka_unit_test(pads_are_as_wide_as_they_like),
      cmocka_unit_test(kernels_that_this_machine_lacks),
      cmocka_unit_test(maxima_are_those_of_their_taps),
      cmocka_unit_test(averages_lie_within_four_ulp),
      cmocka_unit_test(averages_of_wide_rows_too),
      cmocka_unit_test(short_windows_are_fused),
      cmocka_unit_test(rows_are_joined_before_planes_are_turned),
      cmocka_unit_test(tall_windows_of_narrow_rows_share_no_blocks),
      cmocka_unit_test(tall_windows_alone_in_rows_are_grouped),
      cmocka_unit_test(long_windows_have_strides),
      cmocka_unit_test(sums_beyond_the_type),
      cmocka_unit_test(the_first_of_equal_elements_stays),
      cmocka_unit_test(windows_that_are_alone_in_rows_leave_out_nan),
      cmocka_unit_test(averages_of_planes_are_those_of_one_plane),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
