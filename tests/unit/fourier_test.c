/* Tests Fourier transforms of random lines, of every short length and some long ones, against the defining sum. */
#include "draw.h"
#include "ops/kernels/fourier.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 700, UNITS = 8 /* UNITS: allowed error, in double epsilons times size_of() */ };

static ir_complex naive(const ir_complex *line, int64_t n, int64_t k, double sign) {
  ir_complex sum = {0, 0};
  for (int64_t j = 0; j < n; j++) {
    const double angle = sign * 2 * acos(-1.0) * (double)(j * k % n) / (double)n;
    sum.re += line[j].re * cos(angle) - line[j].im * sin(angle);
    sum.im += line[j].re * sin(angle) + line[j].im * cos(angle);
  }
  return sum;
}

/* Returns the sum of the magnitudes of a line's elements. */
static double size_of(const ir_complex *line, int64_t n) {
  double size = 0;
  for (int64_t i = 0; i < n; i++)
    size += fabs(line[i].re) + fabs(line[i].im);
  return size;
}

static bool is_near(ir_complex a, ir_complex b, double bound) {
  return fabs(a.re - b.re) <= bound && fabs(a.im - b.im) <= bound;
}

static double drawn(void) {
  return (double)between(-1000, 1000) / 1000;
}

static void check_length(int64_t n) {
  ir_arena arena;
  ir_complex line[MOST], given[MOST];
  const ir_memory memory = ir_memory_default();
  ir_arena_init(&arena, &memory, SIZE_MAX);
  ir_fft *fft = ir_fft_make(n, &arena);
  assert_non_null(fft);
  ir_complex *work = calloc((size_t)ir_fft_work(fft) + 1, sizeof *work);
  assert_true(ir_fft_ready(fft, NULL));
  for (int64_t i = 0; i < n; i++)
    line[i] = given[i] = (ir_complex){drawn(), drawn()};
  ir_fft_run(fft, false, line, work, NULL, 0);
  const double bound = UNITS * 0x1p-53 * size_of(given, n);
  for (int64_t k = 0; k < n; k++)
    assert_true(is_near(line[k], naive(given, n, k, -1), bound));
  ir_fft_run(fft, true, line, work, NULL, 0);
  for (int64_t i = 0; i < n; i++)
    assert_true(is_near(line[i], given[i], bound));
  free(work);
  ir_arena_reset(&arena);
}

static void test_lengths(void **state) {
  (void)state;
  static const int64_t long_ones[] = {127, 128, 243, 400, 509, 512, 625, 700};
  for (int64_t n = 1; n <= 40; n++)
    check_length(n);
  for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
    check_length(long_ones[i]);
}

/* For a real line, the first half of the spectrum determines the second half. */
static void test_mirror(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 9; n++) {
    ir_complex line[9], spectrum[9];
    for (int64_t i = 0; i < n; i++)
      line[i] = (ir_complex){drawn(), 0};
    for (int64_t k = 0; k < n; k++)
      spectrum[k] = k <= n / 2 ? naive(line, n, k, -1) : (ir_complex){0, 0};
    ir_fft_mirror(spectrum, n);
    for (int64_t k = 0; k < n; k++)
      assert_true(is_near(spectrum[k], naive(line, n, k, -1), UNITS * 0x1p-53 * size_of(line, n)));
  }
}

/* A stopped transform returns at once and leaves the output unchanged, since a long line can take seconds. */
static void test_stopped(void **state) {
  (void)state;
  for (int64_t n = 7; n <= 8; n++) {
    ir_arena arena;
    ir_complex line[8] = {{1, 0}}, work[16];
    const ir_memory memory = ir_memory_default();
    ir_stop stop = {.why = IR_CANCELLED};
    ir_arena_init(&arena, &memory, SIZE_MAX);
    ir_fft *fft = ir_fft_make(n, &arena);
    assert_true(fft != NULL && ir_fft_ready(fft, NULL));
    assert_in_range(ir_fft_work(fft), 0, 16);
    ir_fft_run(fft, false, line, work, &stop, 0);
    assert_true(line[n - 1].re == 0); /* a finished transform would give 1 */
    ir_arena_reset(&arena);
  }
}

/* Tables of millions of numbers take seconds: a stop ends their making early. A later attempt makes all numbers anew,
 * whatever the first one left. */
static void test_tables_stopped(void **state) {
  (void)state;
  const int64_t n = 40009;
  const ir_memory memory = ir_memory_default();
  ir_stop stop = {.why = IR_CANCELLED};
  ir_arena arena;
  ir_arena_init(&arena, &memory, SIZE_MAX);
  ir_fft *whole = ir_fft_make(n, &arena), *fft = ir_fft_make(n, &arena);
  assert_true(whole != NULL && fft != NULL && ir_fft_ready(whole, NULL));
  assert_false(ir_fft_ready(fft, &stop));
  assert_true(fft->chirp[n - 1].re == 0);
  memset(fft->filter, 1, (size_t)fft->power * sizeof *fft->filter); /* a stopped transform leaves any numbers */
  assert_true(ir_fft_ready(fft, NULL));
  assert_memory_equal(fft->roots, whole->roots, (size_t)(fft->power / 2) * sizeof *fft->roots);
  assert_memory_equal(fft->chirp, whole->chirp, (size_t)n * sizeof *fft->chirp);
  assert_memory_equal(fft->filter, whole->filter, (size_t)fft->power * sizeof *fft->filter);
  ir_arena_reset(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_mirror),
                                     cmocka_unit_test(test_stopped), cmocka_unit_test(test_tables_stopped)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
