/* Tests maxima of AdaptiveMaxPool, which start from the window's first element, and of ReduceMax, with 1 to 3 threads:
 * NaN, windows without finite numbers, and signed zeros. */
#include "draw.h"
#include "layer_run.h"
#include "naive_number.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST_ELEMENTS = 1 << 20 };

static long double x[MOST_ELEMENTS], maxima[MOST_ELEMENTS];
static uint64_t bytes[MOST_ELEMENTS];
static int64_t places[MOST_ELEMENTS];

/* Draws an element. Few elements of floats are finite, so many windows have no finite number. For a reduction NaN is
 * rare, because one NaN makes the result NaN. */
static long double draw_element(ir_type type, naive_op op) {
  const int64_t which = between(0, 199);
  if (which == 0)
    return naive_lowest(type);
  if (which < 4)
    return which == 3 ? 1 : which == 2 && naive_is_float(type) ? -0.0L : 0.0L;
  return naive_is_float(type)
             ? (which % (op == NAIVE_REDUCE_MAX ? 40 : 2) == 0 ? (long double)NAN : -(long double)INFINITY)
             : (long double)(which % 3);
}

static void fill(const naive_layer *layer) {
  for (int64_t i = 0; i < naive_count(layer->in, layer->rank); i++) {
    x[i] = draw_element(layer->type, layer->op);
    naive_store(layer->type, bytes, i, x[i]);
  }
}

static void check_layer(layer_case c) {
  assert_true(naive_shape(&c.layer));
  assert_true(naive_count(c.layer.in, c.layer.rank) <= MOST_ELEMENTS);
  fill(&c.layer);
  naive_maximum(&c.layer, x, maxima, c.with_indices ? places : NULL);
  model_run run = layer_run_begin(&c, bytes);
  for (int threads = 1; threads <= 3; threads++) {
    assert_int_equal(irrun_context_set_threads(run.context, threads), IRRUN_OK);
    layer_run_again(&run, &c, bytes);
    assert_int_equal(run.status, IRRUN_OK);
    const irrun_tensor_info got = irrun_tensor_get_info(run.values);
    assert_int_equal(got.elements, naive_count(c.layer.out, c.layer.out_rank));
    for (int64_t i = 0; i < got.elements; i++) {
      const long double y = naive_load(c.layer.type, got.data, i);
      if (!naive_equal(y, maxima[i]))
        fail_msg("%s, %d threads: output %lld is %Lg, not %Lg", ir_type_name(c.layer.type), threads, (long long)i, y,
                 maxima[i]);
    }
    const int64_t *indices = c.with_indices ? irrun_tensor_get_info(run.indices).data : NULL;
    for (int64_t i = 0; indices != NULL && i < got.elements; i++)
      if (indices[i] != places[i])
        fail_msg("%s, %d threads: index %lld is %lld, not %lld", ir_type_name(c.layer.type), threads, (long long)i,
                 (long long)indices[i], (long long)places[i]);
  }
  model_run_end(&run);
}

static void check_types(layer_case c) {
  static const ir_type types[] = {IR_F64, IR_F32, IR_F16, IR_BF16, IR_I8, IR_U8, IR_I32};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
    c.layer.type = types[t];
    check_layer(c);
  }
}

/* In some layers threads share the rows of a plane, in others the planes. */
static void adaptive_maxima(void **state) {
  (void)state;
  const naive_layer layers[] = {
      {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 4, .in = {1, 1, 1000, 1000}, .sizes = {333, 200}},
      {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 4, .in = {2, 50, 100, 100}, .sizes = {7, 7}},
      {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 3, .in = {1, 20, 50000}, .sizes = {9973}},
      {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 5, .in = {1, 2, 60, 90, 90}, .sizes = {31, 30, 29}}};
  for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
    for (int with_indices = 0; with_indices <= 1; with_indices++)
      check_types((layer_case){.opset = 8, .layer = layers[i], .allow = "IR306", .with_indices = with_indices != 0});
}

/* Axes that are not reduced lie before, between and after the reduced ones. */
static void reduced_maxima(void **state) {
  (void)state;
  const naive_layer layers[] = {
      {.op = NAIVE_REDUCE_MAX, .rank = 3, .in = {100, 10, 1000}, .reduced = {[1] = true}},
      {.op = NAIVE_REDUCE_MAX, .rank = 2, .in = {20000, 50}, .reduced = {[1] = true}},
      {.op = NAIVE_REDUCE_MAX, .rank = 4, .in = {50, 5, 80, 50}, .reduced = {[1] = true, [3] = true}}};
  const int64_t axes[][2] = {{1}, {1}, {1, 3}};
  for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
    layer_case c = {.opset = 1, .layer = layers[i], .n_axes = i == 2 ? 2 : 1};
    c.axes[0] = axes[i][0];
    c.axes[1] = axes[i][1];
    check_types(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(adaptive_maxima), cmocka_unit_test(reduced_maxima)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
