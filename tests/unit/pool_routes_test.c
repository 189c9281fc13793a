/* Tests every pooling kernel against the plain one. Equal windows give equal bits for every instruction set, route,
 * neighbourhood and split of planes. Also compares with exact sums, and prints the kernels that this machine lacks. */
#include "draw.h"
#include "pool_case.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 200, FEW_CASES = 60, FEW_OUTPUTS = 2000, CROPS = 10000 };

static pool_case c;
static _Alignas(64) unsigned char input[SWEEP_CASE_BYTES], outputs[2][SWEEP_CASE_BYTES];

/* ---- every instruction set ---- */

static void fail_at(const ir_pool_kernel *kernel, const char *what, int64_t i, const unsigned char *a,
                    const unsigned char *b) {
  char text[WINDOWS_TEXT], bits[2][16] = {"", ""};
  for (size_t byte = 0; byte < ir_type_size(kernel->type); byte++) {
    snprintf(bits[0] + 2 * byte, 3, "%02x", a[byte]);
    snprintf(bits[1] + 2 * byte, 3, "%02x", b[byte]);
  }
  fail_msg("%s of %s, %s: output %lld is %s and %s; %s", kernel->op == IR_POOL_SUM ? "average" : "maximum",
           ir_type_name(kernel->type), what, (long long)i, bits[0], bits[1],
           windows_text(&c.windows, text, sizeof text));
}

static void assert_same(const ir_pool_kernel *kernel, const char *what) {
  const size_t size = ir_type_size(kernel->type);
  for (int64_t i = 0; i < pool_case_outputs(&c); i++) {
    const unsigned char *a = outputs[0] + (size_t)i * size, *b = outputs[1] + (size_t)i * size;
    if (memcmp(a, b, size) != 0 && !(pool_case_is_nan(kernel->type, a) && pool_case_is_nan(kernel->type, b)))
      fail_at(kernel, what, i, a, b);
  }
}

static bool is_plain(const ir_pool_kernel *kernel) {
  return strcmp(kernel->isa, "any") == 0;
}

/* Counts the cases of each route, since the tests have to reach all of them. */
static int n_taken[IR_POOL_ROUTES];

static void compare_routes(const ir_pool_kernel *kernel) {
  char what[64];
  for (int route = 0; route < IR_POOL_ROUTES; route++) {
    if (!pool_case_has(&c, kernel->op, (ir_pool_route)route))
      continue;
    const int64_t piece = one_in(2) ? 0 : between(1, 3);
    n_taken[route]++;
    snprintf(what, sizeof what, "%s %s%s", kernel->isa, ir_pool_route_names[route], piece > 0 ? ", split" : "");
    memset(outputs[1], 0xa5, sizeof outputs[1]);
    c.is_far = one_in(2);
    pool_case_run_route(&c, kernel, (ir_pool_route)route, input, outputs[1], piece);
    c.is_far = false;
    assert_same(kernel, what);
  }
}

static void compare_with(const ir_pool_kernel *plain) {
  pool_case_fill(&c, plain->type, input);
  pool_case_run(&c, plain, input, outputs[0], 0);
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    if (kernel->type == plain->type && kernel->op == plain->op && kernel->available())
      compare_routes(kernel);
}

static void compare_all(void) {
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    if (is_plain(kernel))
      compare_with(kernel);
}

static void every_kernel_gives_the_same_bits(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    while (!pool_case_draw(&c))
      continue;
    compare_all();
  }
  for (int route = 0; route < IR_POOL_ROUTES; route++)
    if (n_taken[route] < CASES)
      fail_msg("%s: taken %d times only", ir_pool_route_names[route], n_taken[route]);
}

/* If an axis has a single window, its stride has no effect, so any stride is allowed. */
static void windows_that_are_alone_have_any_stride(void **state) {
  (void)state;
  static const int64_t strides[] = {1, 3, 40, INT64_MAX / 64, INT64_MAX / 3, INT64_C(1) << 61, INT64_MAX};
  for (int64_t n = 2; n <= 40; n += n < 10 ? 1 : 15)
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
      if (!pool_case_planes(&c, 20, n, n, (ir_window_axis){n, strides[i], 1, 0, 0}, 0))
        fail_msg("no sweep of one window of %lld at stride %lld", (long long)n, (long long)strides[i]);
      assert_int_equal(pool_case_outputs(&c), 20);
      compare_all();
    }
}

/* Returns a window's maximum by a loop over its taps. Only a greater element replaces an earlier one. */
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
      assert_true(pool_case_in_turn(&c, n_axes, n));
      compare_all();
      pool_case_fill(&c, IR_F32, input);
      pool_case_run(&c, ir_pool_kernel_for(IR_F32, IR_POOL_MAX), input, outputs[0], 0);
      for (int64_t o = 0; o < pool_case_outputs(&c); o++) {
        const float expected = first_greatest(o);
        assert_memory_equal(&expected, outputs[0] + o * 4, 4);
      }
    }
}

/* Draws pads wider than a vector and windows of few elements. Some vectors then have only padding. */
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
    if (pool_case_windows(&c, n_planes, n_axes, sizes, windows, one_in(2) ? 0 : between(1, 300)))
      return;
  } while (true);
}

static void pads_are_as_wide_as_they_like(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    draw_padded();
    const ir_pool_kernel *plain = ir_pool_kernels;
    for (int64_t left = between(1, 10); left > 0 || !is_plain(plain); left -= is_plain(plain))
      plain = plain[1].units != NULL ? plain + 1 : ir_pool_kernels;
    compare_with(plain);
    pool_case_fill(&c, IR_F32, input);
    if (one_in(2))
      memset(input, 0xff, sizeof input);
    pool_case_run(&c, ir_pool_kernel_for(IR_F32, IR_POOL_MAX), input, outputs[0], 0);
    for (int64_t o = 0, step = pool_case_outputs(&c) / FEW_OUTPUTS + 1; o < pool_case_outputs(&c); o += step) {
      const float expected = first_greatest(o);
      char text[WINDOWS_TEXT];
      if (memcmp(&expected, outputs[0] + o * 4, 4) != 0)
        fail_msg("output %lld is not %a; %s", (long long)o, (double)expected,
                 windows_text(&c.windows, text, sizeof text));
    }
  }
}

/* Windows are longer than a kernel takes at once, and so far apart that some lie only in the padding, on both axes. */
static void long_windows_lie_in_the_padding(void **state) {
  (void)state;
  const int64_t sizes[] = {3, 700};
  const ir_window_axis windows[] = {{2, 2, 3, 3, 4}, {600, 5000, 1, 5000, 5000}};
  for (int64_t divisor = 0; divisor <= 1200; divisor += 1200) {
    assert_true(pool_case_windows(&c, 20, 2, sizes, windows, divisor));
    compare_all();
  }
}

static void kernels_that_this_machine_lacks(void **state) {
  (void)state;
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    if (!kernel->available())
      printf("not tried here: %s of %s for %s\n", kernel->op == IR_POOL_SUM ? "average" : "maximum",
             ir_type_name(kernel->type), kernel->isa);
}

/* ---- comparison with taps ---- */

static void maxima_are_those_of_their_taps(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    while (!pool_case_draw(&c))
      continue;
    pool_case_fill(&c, IR_F32, input);
    pool_case_run(&c, ir_pool_kernel_for(IR_F32, IR_POOL_MAX), input, outputs[0], 0);
    const int64_t n_outputs = pool_case_outputs(&c), step = n_outputs / FEW_OUTPUTS + 1;
    for (int64_t o = between(0, step - 1); o < n_outputs; o += step) {
      const float expected = first_greatest(o);
      if (memcmp(&expected, outputs[0] + o * 4, 4) != 0)
        fail_msg("output %lld of case %d is %a not %a; route %d", (long long)o, n,
                 (double)((float *)(void *)outputs[0])[o], (double)expected, (int)c.plans[1][4].route);
    }
  }
}

/* ---- comparison with exact sums ---- */

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

/* Checks averages of [n_rows, n_columns] with k x k windows and pads. A long double sum of so few floats is exact
 * enough. */
static void check_error(int64_t n_rows, int64_t n_columns, int64_t k, int64_t pad, int kind) {
  assert_true(pool_case_planes(&c, 1, n_rows, n_columns, (ir_window_axis){k, 1, 1, pad, pad}, 0));
  float *x = (float *)(void *)input;
  for (int64_t i = 0; i < n_rows * n_columns; i++)
    x[i] = kind_of_number(kind, i);
  pool_case_run(&c, ir_pool_kernel_for(IR_F32, IR_POOL_SUM), input, outputs[0], 1000);
  const ir_windows_axis *axes = c.windows.axes;
  for (int64_t o = 0; o < pool_case_outputs(&c); o += 7) {
    const ir_tap_range rows = axes[0].ranges[o / axes[1].n_out], columns = axes[1].ranges[o % axes[1].n_out];
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

/* Rows have several tiles. Only the first and the last tile have pads. */
static void averages_of_wide_rows_too(void **state) {
  (void)state;
  static const int64_t kernels[] = {2, 3, 8, 9, 15};
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    check_error(20, 3000, kernels[i], kernels[i] / 2, 1);
}

/* Computes averages over an image and over a part of it, with the same kernel and stride. A window inside the part
 * has to give the same bits in both. */
static void what_lies_around_a_window_changes_nothing(void **state) {
  (void)state;
  static float image[64 * 64], part[64 * 64], of_image[64 * 64], of_part[64 * 64];
  const ir_pool_kernel *kernel = ir_pool_kernel_for(IR_F32, IR_POOL_SUM);
  for (int n = 0; n < CROPS; n++) {
    const int64_t rows = between(1, 40), columns = between(1, 64), height = between(1, rows),
                  width = between(1, columns);
    const int64_t kh = between(1, height), kw = between(1, width), s = between(1, 3);
    const int64_t top = s * between(0, (rows - height) / s), left = s * between(0, (columns - width) / s);
    const ir_window_axis windows[] = {{kh, s, 1, 0, 0}, {kw, s, 1, 0, 0}};
    const ir_pool_route route = (ir_pool_route)between(0, IR_POOL_ROUTES);
    for (int64_t i = 0; i < rows * columns; i++)
      image[i] = kind_of_number(1, i);
    for (int64_t i = 0; i < height * width; i++)
      part[i] = image[(top + i / width) * columns + left + i % width];
    assert_true(pool_case_windows(&c, 1, 2, (int64_t[]){rows, columns}, windows, 0));
    pool_case_run_route(&c, kernel, route, image, of_image, 0);
    const int64_t image_row = c.windows.axes[1].n_out;
    assert_true(pool_case_windows(&c, 1, 2, (int64_t[]){height, width}, windows, 0));
    pool_case_run(&c, kernel, part, of_part, 0);
    const int64_t n_rows = c.windows.axes[0].n_out, n_row = c.windows.axes[1].n_out;
    for (int64_t o = 0; o < n_rows * n_row; o++) {
      const int64_t row = o / n_row, column = o % n_row;
      if (row * s + kh > height || column * s + kw > width)
        continue; /* a window that only rounding up adds */
      const float *whole = &of_image[(top / s + row) * image_row + left / s + column];
      if (memcmp(whole, &of_part[o], sizeof *whole) != 0)
        fail_msg("%lldx%lld at %lld, %lldx%lld of %lldx%lld: output %lld is %a in the image and %a in its part",
                 (long long)kh, (long long)kw, (long long)s, (long long)height, (long long)width, (long long)rows,
                 (long long)columns, (long long)o, (double)*whole, (double)of_part[o]);
    }
  }
}

static void long_windows_have_strides(void **state) {
  (void)state;
  static const int64_t kernels[] = {9, 16, 17, 25, 31, 32, 33, 47, 48, 63, 64};
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    for (int64_t stride = 1; stride <= 5; stride++)
      for (int64_t pad = 0; pad < kernels[i]; pad += kernels[i] / 2) {
        const ir_window_axis windows[] = {{2, 1, 1, 0, 0}, {kernels[i], stride, 1, pad, pad}};
        assert_true(pool_case_windows(&c, 2, 2, (int64_t[]){3, 130 + stride * 17}, windows, 0));
        compare_all();
      }
}

/* The first window already exceeds the input of n elements. */
static void windows_are_larger_than_planes(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 6; n++)
    for (int64_t kernel = n + 1; kernel <= 8; kernel++)
      for (int64_t stride = 1; stride <= 4; stride++) {
        assert_true(pool_case_planes(&c, 3, n, n, (ir_window_axis){kernel, stride, 1, 0, kernel - n + stride}, 0));
        assert_int_equal(pool_case_outputs(&c), 12);
        compare_all();
      }
}

/* The sums exceed the greatest float, but their means do not. */
static void sums_beyond_the_type(void **state) {
  (void)state;
  assert_true(pool_case_planes(&c, 2, 40, 40, (ir_window_axis){3, 1, 1, 1, 1}, 0));
  float *x = (float *)(void *)input, *y = (float *)(void *)outputs[0];
  for (int64_t i = 0; i < 3200; i++)
    x[i] = FLT_MAX;
  x[1600 + 40 * 20 + 20] = INFINITY;
  pool_case_run(&c, ir_pool_kernel_for(IR_F32, IR_POOL_SUM), input, y, 1000);
  for (int64_t i = 0; i < 3200; i++) {
    const int64_t row = i % 1600 / 40, column = i % 40;
    const bool near = i >= 1600 && llabs(row - 20) <= 1 && llabs(column - 20) <= 1;
    assert_true(y[i] == (near ? INFINITY : FLT_MAX));
  }
}

/* ---- maxima ---- */

/* Fills the input with few different values, so that most windows have ties, signed zeros or NaN. */
static void fill_with_few(void) {
  static const float values[] = {0.0f, -0.0f, -0.0f, -1.0f, NAN, -INFINITY, -FLT_MAX, -1e-45f};
  for (int64_t i = 0; i < pool_case_inputs(&c); i++)
    ((float *)(void *)input)[i] = values[between(one_in(2) ? 0 : 3, 7)];
}

static void compare_with_first_greatest(const ir_pool_kernel *kernel) {
  pool_case_run(&c, kernel, input, outputs[0], between(1, 3));
  for (int64_t o = 0; o < pool_case_outputs(&c); o++) {
    const float expected = first_greatest(o), got = ((const float *)(const void *)outputs[0])[o];
    char text[WINDOWS_TEXT];
    if (memcmp(&expected, &got, sizeof got) != 0)
      fail_msg("%s: output %lld is %g, not %g; %s", kernel->isa, (long long)o, (double)got, (double)expected,
               windows_text(&c.windows, text, sizeof text));
  }
}

static void check_few_values(void) {
  fill_with_few();
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    if (kernel->available() && kernel->type == IR_F32 && kernel->op == IR_POOL_MAX)
      compare_with_first_greatest(kernel);
}

static void the_first_of_equal_elements_stays(void **state) {
  (void)state;
  for (int n = 0; n < FEW_CASES;) {
    if (!pool_case_draw(&c) || pool_case_outputs(&c) > FEW_OUTPUTS)
      continue;
    n++;
    check_few_values();
  }
}

/* Each window is a whole row. Its elements are not compared with others before. */
static void windows_that_are_alone_in_rows_leave_out_nan(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 16; n++)
    for (int64_t stride = 1; stride <= 2; stride++) {
      assert_true(pool_case_windows(&c, 20, 2, (int64_t[]){5, n},
                                    (ir_window_axis[]){{1, stride, 1, 0, 0}, {n, 1, 1, 0, 0}}, 0));
      check_few_values();
    }
}

/* The sign of a zero sum must not depend on the number of planes, which decides the route. */
static void averages_of_planes_are_those_of_one_plane(void **state) {
  (void)state;
  static float one[5];
  for (int64_t n = 1; n <= 16; n++)
    for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++) {
      if (!kernel->available() || kernel->type != IR_F32 || kernel->op != IR_POOL_SUM)
        continue;
      for (int64_t n_planes = 1; n_planes <= 20; n_planes += 19) {
        assert_true(pool_case_windows(&c, n_planes, 2, (int64_t[]){5, n},
                                      (ir_window_axis[]){{1, 2, 1, 0, 0}, {n, 1, 1, 0, 0}}, 0));
        for (int64_t i = 0; i < pool_case_inputs(&c); i++)
          ((float *)(void *)input)[i] = -0.0f;
        pool_case_run(&c, kernel, input, n_planes == 1 ? (void *)one : outputs[0], 0);
      }
      assert_memory_equal(one, outputs[0], 3 * sizeof *one);
    }
}

static int set_up(void **state) {
  (void)state;
  pool_case_init(&c);
  return draw_seed(NULL);
}

static int tear_down(void **state) {
  (void)state;
  pool_case_reset(&c);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kernel_gives_the_same_bits),
      cmocka_unit_test(windows_that_are_alone_have_any_stride),
      cmocka_unit_test(axes_are_reduced_in_turn),
      cmocka_unit_test(pads_are_as_wide_as_they_like),
      cmocka_unit_test(long_windows_lie_in_the_padding),
      cmocka_unit_test(kernels_that_this_machine_lacks),
      cmocka_unit_test(maxima_are_those_of_their_taps),
      cmocka_unit_test(averages_lie_within_four_ulp),
      cmocka_unit_test(averages_of_wide_rows_too),
      cmocka_unit_test(what_lies_around_a_window_changes_nothing),
      cmocka_unit_test(long_windows_have_strides),
      cmocka_unit_test(windows_are_larger_than_planes),
      cmocka_unit_test(sums_beyond_the_type),
      cmocka_unit_test(the_first_of_equal_elements_stays),
      cmocka_unit_test(windows_that_are_alone_in_rows_leave_out_nan),
      cmocka_unit_test(averages_of_planes_are_those_of_one_plane),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
