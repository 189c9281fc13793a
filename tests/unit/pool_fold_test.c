/* Every fold against its windows taken element by element: integers and maxima are equal, averages of floats lie near;
 * and the same bits for every instruction set and however the rows are split. */
#include "draw.h"
#include "naive_number.h"
#include "ops/pool/pool_fold_kernels.h"
#include "sweep_case.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef __int128 naive_wide;

enum { CASES = 120, FEW_CASES = 20, MOST_ELEMENTS = SWEEP_CASE_BYTES / 4, MOST_VISITS = 1 << 21 };

static sweep_case c;
static ir_fold fold;
static _Alignas(64) unsigned char input[8 * MOST_ELEMENTS], outputs[2][8 * MOST_ELEMENTS];

/* ---- elements ---- */

typedef enum element_kind { SMALL, ANY, FEW_LARGE, SPECIAL, N_KINDS } element_kind;

static long double draw_special(ir_type type) {
  const int64_t which = between(0, 7);
  if (which == 0)
    return naive_lowest(type);
  if (which == 1 || !naive_is_float(type))
    return which == 1 ? naive_greatest(type) : 0;
  return which < 4 ? -0.0L : which < 6 ? 0 : which == 6 ? (long double)NAN : -(long double)INFINITY;
}

static long double draw_any(ir_type type) {
  const uint64_t bits = draw();
  return naive_is_float(type) ? naive_round(type, ldexpl((long double)(int64_t)bits, (int)between(-70, -50)))
         : type == IR_BOOLEAN ? (long double)(bits & 1)
                              : naive_load(type, &bits, 0);
}

static void fill(ir_type type, element_kind kind) {
  const int64_t n = sweep_case_inputs(&c);
  for (int64_t i = 0; i < n; i++) {
    const long double small = (long double)between(0, type == IR_BOOLEAN ? 1 : 9);
    naive_store(type, input, i,
                kind == SPECIAL                                     ? draw_special(type)
                : kind == ANY || (kind == FEW_LARGE && one_in(300)) ? draw_any(type)
                                                                    : small);
  }
}

/* ---- a window ---- */

typedef struct window_facts {
  int64_t taps;
  naive_wide sum; /* of integers */
  long double mean, size, greatest;
} window_facts;

static void take(ir_type type, int64_t at, window_facts *facts) {
  const long double x = naive_load(type, input, at);
  facts->greatest = x > facts->greatest ? x : facts->greatest;
  facts->taps++;
  facts->mean += x;
  facts->size += fabsl(x);
  if (!naive_is_float(type))
    facts->sum += (naive_wide)x;
}

static window_facts facts_of(ir_type type, int64_t at) {
  const ir_windows *w = &c.windows;
  int64_t where[IR_MAX_RANK], tap[IR_MAX_RANK] = {0}, left = 1;
  const int64_t plane = at / ir_windows_plane_out(w);
  window_facts facts = {.greatest = naive_lowest(type)};
  for (int a = w->n_axes - 1; a >= 0; a--) {
    where[a] = at % w->axes[a].n_out;
    at /= w->axes[a].n_out;
    left *= w->axes[a].ranges[where[a]].count;
  }
  for (; left > 0; left--) {
    int64_t i = plane;
    for (int a = 0; a < w->n_axes; a++)
      i = i * w->axes[a].n_in + w->axes[a].ranges[where[a]].begin + tap[a] * w->axes[a].step;
    take(type, i, &facts);
    for (int a = w->n_axes - 1; a >= 0 && ++tap[a] == w->axes[a].ranges[where[a]].count; a--)
      tap[a] = 0;
  }
  return facts;
}

static naive_wide half_even(naive_wide sum, naive_wide n) {
  naive_wide floor = sum / n - (sum % n < 0), rest = sum - floor * n;
  return floor + (2 * rest > n || (2 * rest == n && floor % 2 != 0));
}

/* Within 4 ulp of the mean of |x|, in which the sum stays where it does. */
static bool mean_is_near(ir_type type, long double got, const window_facts *facts, long double n) {
  const long double mean = facts->mean / n;
  if (isnan(mean) || facts->size > naive_greatest(IR_F64))
    return !isnan(mean) || isnan(got);
  return isinf(mean) ? got == mean : fabsl(got - mean) <= 4 * naive_ulp(type, facts->size / n);
}

static bool is_right(const ir_fold_kernel *kernel, long double got, const window_facts *facts) {
  const ir_type type = kernel->type;
  const int64_t n = facts->taps > 0 && c.divisor > 0 ? c.divisor : facts->taps;
  if (kernel->op == ir_fold_maximum)
    return naive_equal(got, facts->greatest);
  if (n == 0)
    return naive_is_float(type) && c.nan_if_empty ? isnan(got) != 0 : got == 0;
  if (type == IR_BOOLEAN)
    return got == (facts->sum != 0);
  return naive_is_float(type) ? mean_is_near(type, got, facts, (long double)n)
                              : got == naive_wrap(type, (naive_bits)half_even(facts->sum, n));
}

/* ---- running ---- */

static void run(const ir_fold_kernel *kernel, unsigned char *out, int64_t piece) {
  const ir_fold_job job = {.fold = &fold, .in = input, .out = out};
  const size_t bytes = (ir_fold_scratch(&fold, kernel->term_bytes) + 63) / 64 * 64;
  unsigned char *scratch = aligned_alloc(64, bytes + 64);
  assert_non_null(scratch);
  memset(scratch, 0xff, bytes + 64);
  memset(out, 0xa5, sizeof outputs[0]);
  for (int64_t u = 0; u < fold.n_rows; u += piece)
    kernel->units(&job, scratch, u, u + piece < fold.n_rows ? u + piece : fold.n_rows);
  for (int i = 0; i < 64; i++)
    assert_int_equal(scratch[bytes + (size_t)i], 0xff);
  free(scratch);
}

static void describe(const ir_fold_kernel *kernel, const char *what, int64_t at) {
  fail_msg("%s of %s, %s, %s: output %lld", kernel->op == ir_fold_average ? "average" : "maximum",
           ir_type_name(kernel->type), kernel->isa, what, (long long)at);
}

/* Not every output where that takes long. */
static void check_values(const ir_fold_kernel *kernel) {
  const int64_t n = sweep_case_outputs(&c), each = 1 + n * fold.most_taps / (MOST_VISITS / 64);
  for (int64_t i = between(0, each - 1); i < n; i += each) {
    const window_facts facts = facts_of(kernel->type, i);
    if (!is_right(kernel, naive_load(kernel->type, outputs[0], i), &facts))
      describe(kernel, "not what its window has", i);
  }
}

static void check_bits(const ir_fold_kernel *kernel, const char *what) {
  const size_t size = ir_type_size(kernel->type);
  for (int64_t i = 0; i < sweep_case_outputs(&c); i++)
    if (memcmp(outputs[0] + (size_t)i * size, outputs[1] + (size_t)i * size, size) != 0 &&
        !isnan(naive_load(kernel->type, outputs[0], i)))
      describe(kernel, what, i);
}

static void check_kernel(const ir_fold_kernel *kernel) {
  fold.nan_if_empty = c.nan_if_empty && naive_is_float(kernel->type);
  fill(kernel->type, (element_kind)between(0, N_KINDS - 1));
  run(kernel, outputs[0], fold.n_rows);
  check_values(kernel);
  run(kernel, outputs[1], between(1, 5));
  check_bits(kernel, "split");
  for (const ir_fold_kernel *other = ir_fold_kernels; other->units != NULL; other++)
    if (other->type == kernel->type && other->op == kernel->op && other->available() &&
        other->most_taps >= fold.most_taps) {
      run(other, outputs[1], fold.n_rows);
      check_bits(other, "unlike the first kernel");
    }
}

static void make_fold(void) {
  ir_plan plan = {.arena = &c.arena, .memory = &c.memory, .diags = &c.diags};
  assert_true(ir_fold_make(&plan, &c.windows, c.divisor, c.nan_if_empty, &fold));
}

static void check_all(void) {
  for (int type = 0; type < IR_TYPE_COUNT; type++)
    for (int op = ir_fold_average; op <= ir_fold_maximum; op++) {
      const ir_fold_kernel *kernel = ir_fold_kernel_for((ir_type)type, (ir_fold_op)op, fold.most_taps);
      if (kernel != NULL)
        check_kernel(kernel);
    }
}

static void every_kernel_has_what_windows_have(void **state) {
  (void)state;
  for (int n = 0; n < CASES; n++) {
    while (!sweep_case_draw(&c))
      continue;
    make_fold();
    check_all();
  }
}

/* Strides and pads that leave some of what windows share out. */
static void windows_that_share_rows(void **state) {
  (void)state;
  for (int n = 0; n < FEW_CASES; n++) {
    const int64_t kernel = between(16, 66), pad = between(0, kernel - 1);
    const ir_window_axis window = {kernel, between(1, kernel / 4), 1, pad, pad};
    assert_true(sweep_case_planes(&c, between(1, 3), between(kernel, 90), between(kernel, 90), window, 0));
    make_fold();
    assert_true(fold.n_levels > 0);
    check_all();
  }
}

/* ---- long rows ---- */

static void one_window(int64_t n, int64_t divisor) {
  static ir_range range;
  range = (ir_range){0, n};
  c.windows = (ir_windows){.n_planes = 1, .n_axes = 1};
  c.windows.axes[0] = (ir_windows_axis){.n_in = n, .n_out = 1, .step = 1, .ranges = &range};
  c.divisor = divisor;
  make_fold();
}

/* Sums of f64 that rounding errors would spoil, were they made from one end. */
static void a_long_mean_is_near(void **state) {
  (void)state;
  const int64_t n = MOST_ELEMENTS - 5;
  one_window(n, 0);
  for (int64_t i = 0; i < n; i++)
    ((double *)(void *)input)[i] = 0.1;
  run(ir_fold_kernel_for(IR_F64, ir_fold_average, fold.most_taps), outputs[0], 1);
  const double got = *(double *)(void *)outputs[0];
  assert_true(fabs(got - 0.1) <= 4 * 0x1p-56);
}

/* Halves, whichever way the quotient is made, of sums up to the greatest. */
static void halves_go_to_the_even(void **state) {
  (void)state;
  static const ir_type types[] = {IR_I16, IR_U16, IR_I32, IR_U32, IR_I64, IR_U64};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
    for (int n = 0; n < 400; n++) {
      const int64_t taps = between(1, 8), divisor = 2 * between(1, one_in(2) ? 20 : INT64_C(1) << 40);
      one_window(taps, divisor);
      for (int64_t i = 0; i < taps; i++) {
        const naive_wide half = ((naive_wide)between(-1000, 1000) * 2 + 1) * (divisor / 2);
        const long double x = (long double)(i == 0 ? half : divisor * between(-5, 5));
        const bool fits = x >= naive_lowest(types[t]) && x <= naive_greatest(types[t]);
        naive_store(types[t], input, i, fits ? x : 1);
      }
      for (const ir_fold_kernel *kernel = ir_fold_kernels; kernel->units != NULL; kernel++)
        if (kernel->type == types[t] && kernel->op == ir_fold_average && kernel->available()) {
          run(kernel, outputs[0], 1);
          check_values(kernel);
        }
    }
}

static void long_windows_have_kernels_that_hold_their_sums(void **state) {
  (void)state;
  static const ir_type types[] = {IR_I16, IR_U16, IR_I32, IR_U32, IR_I64, IR_U64};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
    const long double largest = fmaxl(naive_greatest(types[t]), -naive_lowest(types[t]));
    for (int64_t taps = 1; taps < INT64_C(1) << 46; taps *= 2) {
      const ir_fold_kernel *kernel = ir_fold_kernel_for(types[t], ir_fold_average, taps);
      const bool fits = largest * (long double)taps <= 0x1p51L;
      assert_non_null(kernel);
      assert_true(kernel->term_bytes == 16 || (kernel->term_bytes == 8 && fits) ||
                  (kernel->term_bytes == 4 && largest * (long double)taps <= 0x1p31L));
    }
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
      cmocka_unit_test(every_kernel_has_what_windows_have),
      cmocka_unit_test(windows_that_share_rows),
      cmocka_unit_test(a_long_mean_is_near),
      cmocka_unit_test(halves_go_to_the_even),
      cmocka_unit_test(long_windows_have_kernels_that_hold_their_sums),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
