/* Tests the fast kernels of LSTM, GRU and RNN of each instruction set against double precision. */
#include "draw.h"
#include "naive_number.h"
#include "ops/sequence/rnn_vectors.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_ROWS = 13, MOST_TERMS = 40, MOST_PANELS = 2, MOST_PANEL = 64, MOST_COLUMNS = MOST_PANELS * MOST_PANEL };

static const ir_rnn_vectors *vectors;

static void each_set(void (*test)(void)) {
  for (const ir_rnn_vectors *const *v = ir_rnn_vectors_list; *v != NULL; v++)
    if ((*v)->available()) {
      vectors = *v;
      test();
    }
}

static float number(void) {
  return (float)between(-1000, 1000) / 1000;
}

/* ---- products ---- */

static float panels[MOST_COLUMNS * MOST_TERMS], x[MOST_ROWS * MOST_TERMS], from[MOST_ROWS * MOST_COLUMNS];
static float to[MOST_ROWS * MOST_COLUMNS], one[MOST_COLUMNS];

/* Returns whether a sum is within the error bound of float additions in any order: each addition rounds by at most
 * 2^-24 of the sum of all magnitudes. */
static bool is_sum(const ir_rnn_product *p, int64_t row, int64_t column) {
  double sum = (double)p->from[row * p->from_step + column], size = fabs(sum);
  for (int64_t i = 0; i < p->n_terms; i++) {
    const double term =
        (double)p->x[row * p->x_step + i] *
        (double)p->panels[(column / vectors->panel * p->n_terms + i) * vectors->panel + column % vectors->panel];
    sum += term;
    size += fabs(term);
  }
  return fabs((double)to[row * p->to_step + column] - sum) <= (double)(p->n_terms + 1) * 0x1p-24 * size;
}

/* Compares a row with sums in double. Multiplying the row alone must also result in the same bits. */
static void compare_row(const ir_rnn_product *p, int64_t row) {
  const int64_t n = p->n_panels * vectors->panel;
  for (int64_t column = 0; column < n; column++)
    if (!is_sum(p, row, column))
      fail_msg("%s: row %lld of %lld, column %lld", vectors->isa, (long long)row, (long long)p->n_rows,
               (long long)column);
  ir_rnn_product alone = *p;
  alone.n_rows = 1;
  alone.x += row * p->x_step;
  alone.from += row * p->from_step;
  alone.to = one;
  vectors->multiply(&alone);
  assert_memory_equal(one, to + row * p->to_step, (size_t)n * sizeof *one);
}

static void multiply_drawn(void) {
  for (int64_t n_rows = 1; n_rows <= MOST_ROWS; n_rows++)
    for (int64_t n_terms = 0; n_terms <= MOST_TERMS; n_terms += n_terms < 3 ? 1 : 37) {
      const bool is_reverse = one_in(2), has_one = one_in(2);
      const ir_rnn_product p = {.panels = panels,
                                .n_panels = between(1, MOST_PANELS),
                                .n_terms = n_terms,
                                .n_rows = n_rows,
                                .x = is_reverse ? x + (MOST_ROWS - 1) * MOST_TERMS : x,
                                .x_step = is_reverse ? -MOST_TERMS : MOST_TERMS,
                                .from = from,
                                .from_step = has_one ? 0 : MOST_COLUMNS,
                                .to = to,
                                .to_step = MOST_COLUMNS};
      vectors->multiply(&p);
      for (int64_t row = 0; row < n_rows; row++)
        compare_row(&p, row);
    }
}

static void test_products(void **state) {
  (void)state;
  for (int i = 0; i < MOST_COLUMNS * MOST_TERMS; i++)
    panels[i] = number();
  for (int i = 0; i < MOST_ROWS * MOST_TERMS; i++)
    x[i] = number();
  for (int i = 0; i < MOST_ROWS * MOST_COLUMNS; i++)
    from[i] = number();
  each_set(multiply_drawn);
}

/* ---- gates ---- */

enum { N = 37, ROOM = N + IR_RNN_MOST_LANES };

static float sums[4][ROOM], h[ROOM], c[ROOM], old_h[ROOM], old_c[ROOM];

/* Draws a tiny, small, large or infinite sum. */
static float sum_drawn(void) {
  static const float scales[] = {1e-30F, 1e-3F, 1, 10, 300, INFINITY};
  const float x_drawn = number() * scales[between(0, 5)];
  return isnan(x_drawn) ? 0 : x_drawn;
}

static ir_rnn_gates draw_gates(float clip, bool has_fourth) {
  for (int i = 0; i < N; i++) {
    for (int gate = 0; gate < 4; gate++)
      sums[gate][i] = sum_drawn();
    if (has_fourth && isinf(sums[3][i]))
      sums[3][i] = 0;
    old_h[i] = h[i] = number();
    old_c[i] = c[i] = 3 * number();
  }
  return (ir_rnn_gates){
      .sums = {sums[0], sums[1], sums[2], has_fourth ? sums[3] : NULL}, .h = h, .c = c, .n = N, .clip = clip};
}

static double clipped(double sum, float clip) {
  return fmax(-(double)clip, fmin((double)clip, sum));
}

static double sigmoid(double sum) {
  return 1 / (1 + exp(-sum));
}

/* The bound is 8 ulp of `scale`, the magnitude of the largest term. 4 * exp(-87) is added because kernels give no
 * sigmoid below exp(-87), and multiply sigmoids by up to 3. */
static void is_near(float got, double expected, double scale) {
  if (!(fabs((double)got - expected) <= 8 * (double)naive_ulp(IR_F32, (long double)scale) + 4 * exp(-87)))
    fail_msg("%s: %.9g, not %.9g", vectors->isa, (double)got, expected);
}

static void compare_gates(float clip) {
  ir_rnn_gates g = draw_gates(clip, true);
  vectors->rnn(&g);
  for (int i = 0; i < N; i++) {
    const double expected = tanh(clipped((double)sums[0][i], clip));
    is_near(h[i], expected, fabs(expected));
  }
  g = draw_gates(clip, true);
  vectors->lstm(&g);
  for (int i = 0; i < N; i++) {
    double gates[4];
    for (int gate = 0; gate < 4; gate++)
      gates[gate] = clipped((double)sums[gate][i], clip);
    const double kept = sigmoid(gates[0]) * (double)old_c[i], added = sigmoid(gates[1]) * tanh(gates[2]);
    is_near(c[i], kept + added, fabs(kept) + fabs(added));
    const double expected = sigmoid(gates[3]) * tanh((double)c[i]);
    is_near(h[i], expected, fabs(expected));
  }
}

static void compare_gru(float clip, bool is_reset_behind) {
  const ir_rnn_gates g = draw_gates(clip, is_reset_behind);
  vectors->gru_reset(&g);
  vectors->gru(&g);
  for (int i = 0; i < N; i++) {
    const double z = sigmoid(clipped((double)sums[0][i], clip)), r = sigmoid(clipped((double)sums[1][i], clip));
    const double term = is_reset_behind ? r * (double)sums[3][i] : 0;
    const double candidate = tanh(clipped((double)sums[2][i] + term, clip));
    is_near(c[i], r * (double)old_h[i], r * fabs((double)old_h[i]));
    is_near(h[i], (1 - z) * candidate + z * (double)old_h[i], 1 + fabs(term));
  }
}

static void compare_all(void) {
  for (int i = 0; i < 200; i++) {
    const float clip = one_in(2) ? INFINITY : 0.75F;
    compare_gates(clip);
    compare_gru(clip, false);
    compare_gru(clip, true);
  }
}

static void test_gates(void **state) {
  (void)state;
  each_set(compare_all);
}

static void keep_zeros_and_nan(void) {
  ir_rnn_gates g = draw_gates(INFINITY, false);
  sums[0][0] = NAN;
  sums[0][1] = 0.0F;
  sums[0][2] = -0.0F;
  vectors->rnn(&g);
  assert_true(isnan(h[0]));
  assert_true(h[1] == 0 && !signbit(h[1]));
  assert_true(h[2] == 0 && signbit(h[2]));
  g = draw_gates(1, false);
  sums[1][0] = NAN;
  vectors->gru_reset(&g);
  assert_true(isnan(c[0]));
}

static void test_zeros_and_nan(void **state) {
  (void)state;
  each_set(keep_zeros_and_nan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_gates),
      cmocka_unit_test(test_zeros_and_nan),
  };
  return cmocka_run_group_tests_name("rnn vectors", tests, draw_seed, NULL);
}
