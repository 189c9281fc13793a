/* Tests the indices of MaxPool and AdaptiveMaxPool: the axis from which they count, and the limits of i32 indices. */
#include "layer_check.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Prints elements that ascend within each plane, so that the maximum of a window is its last tap. */
static const char *counted_planes(const layer_case *c, char *buffer, size_t size) {
  int64_t plane = naive_count(c->layer.in + 2, c->layer.rank - 2);
  size_t used = 0;
  for (int64_t i = 0; i < naive_count(c->layer.in, c->layer.rank); i++)
    used += (size_t)snprintf(buffer + used, size - used, "%lld ", (long long)(i % plane));
  return buffer;
}

/* ---- axis ---- */

static layer_case pool_of_arange(int64_t axis) {
  return (layer_case){.opset = 8,
                      .layer = {.op = NAIVE_MAX_POOL,
                                .rank = 4,
                                .in = {2, 3, 4, 4},
                                .windows = {{2, 2, 1, 0, 0}, {2, 2, 1, 0, 0}},
                                .axis = axis}};
}

/* `first` and `last` are the expected indices in the first and last of 2 x 3 channels of 4 x 4 elements. */
static void the_numbers_of_each_axis(void **state) {
  (void)state;
  static const struct {
    int64_t axis, first[4], last[4];
  } rows[] = {{0, {5, 7, 13, 15}, {85, 87, 93, 95}},
              {1, {5, 7, 13, 15}, {37, 39, 45, 47}},
              {2, {5, 7, 13, 15}, {5, 7, 13, 15}},
              {3, {1, 3, 1, 3}, {1, 3, 1, 3}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int from_the_end = 0; from_the_end <= 1; from_the_end++) {
      float x[96];
      for (int k = 0; k < 96; k++)
        x[k] = (float)k;
      layer_case c = pool_of_arange(rows[i].axis - 4 * from_the_end);
      c.layer.type = IR_F32;
      c.with_indices = true;
      model_run run = layer_run_begin(&c, x);
      assert_int_equal(run.status, IRRUN_OK);
      const int64_t *indices = irrun_tensor_get_info(run.indices).data;
      assert_memory_equal(indices, rows[i].first, sizeof rows[i].first);
      assert_memory_equal(indices + 20, rows[i].last, sizeof rows[i].last);
      model_run_end(&run);
    }
}

static void indices_within_a_channel(void **state) {
  (void)state;
  layer_case c = {.opset = 8,
                  .layer = {.op = NAIVE_MAX_POOL,
                            .rank = 4,
                            .in = {1, 2, 3, 3},
                            .windows = {{2, 1, 1, 0, 0}, {2, 1, 1, 0, 0}},
                            .axis = 2}};
  layer_check(c, ALL_TYPES, "1 2 3 4 5 6 7 8 9  10 11 12 13 14 15 16 17 18", "5 6 8 9  14 15 17 18", "4 5 7 8  4 5 7 8",
              "");
}

/* Writes each maximum and its index: the position in the input, modulo the number of elements from `axis` on. */
static void write_expected(const layer_case *c, char *values, char *indices, size_t size) {
  const naive_layer *layer = &c->layer;
  size_t used = 0, used_values = 0;
  int rank = layer->rank;
  int64_t from = layer->axis < 0 ? layer->axis + rank : layer->axis, n = naive_count(layer->in, rank);
  int64_t modulus = naive_count(layer->in + from, rank - (int)from), plane = naive_count(layer->in + 2, rank - 2);
  for (int64_t place = 0; place < n; place++) {
    bool last = true; /* the maximum of a 2-wide window has an odd position on every spatial axis */
    for (int64_t i = rank - 1, rest = place; i >= 2; rest /= layer->in[i--])
      last = last && rest % layer->in[i] % 2 == 1;
    if (!last)
      continue;
    used_values += (size_t)snprintf(values + used_values, size - used_values, "%lld ", (long long)(place % plane));
    used += (size_t)snprintf(indices + used, size - used, "%lld ", (long long)(place % modulus));
  }
}

static void every_axis_of_every_rank(void **state) {
  (void)state;
  static char x[4096], values[4096], indices[4096];
  for (int rank = 3; rank <= 5; rank++)
    for (int64_t axis = -rank; axis < rank; axis++) {
      layer_case c = {.opset = 14, .layer = {.op = NAIVE_MAX_POOL, .rank = rank, .in = {2, 3}, .axis = axis}};
      for (int a = 0; a < rank - 2; a++) {
        c.layer.in[a + 2] = a == 0 ? 4 : 2 * (a + 1); /* planes of 4, 4 x 4 or 4 x 4 x 6 elements */
        c.layer.windows[a] = (naive_window){2, 2, 1, 0, 0};
      }
      write_expected(&c, values, indices, sizeof values);
      layer_check(c, ALL_TYPES, counted_planes(&c, x, sizeof x), axis % 2 == 0 ? values : NULL, indices, "");
    }
}

/* Windows have more rows than a kernel keeps in a band, down to bands of one line. The last layer's windows have
 * more than 16384 rows. */
static void windows_of_many_rows(void **state) {
  (void)state;
  static const naive_layer layers[] = {
      {.rank = 4, .in = {1, 2, 150, 40}, .windows = {{100, 1, 1, 3, 2}, {5, 2, 1, 1, 1}}},
      {.rank = 4, .in = {1, 1, 300, 300}, .windows = {{90, 4, 3, 0, 0}, {9, 1, 2, 0, 0}}},
      {.rank = 5, .in = {1, 1, 30, 31, 9}, .windows = {{20, 2, 1, 1, 0}, {20, 3, 1, 0, 4}, {2, 1, 1, 0, 0}}},
      {.rank = 4, .in = {1, 2, 17005, 3}, .windows = {{17000, 1, 1, 0, 0}, {2, 1, 1, 0, 0}}}};
  static long double numbers[102030], maxima[60000];
  static double x[102030];
  static int64_t indices[60000];
  for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
    layer_case c = {.opset = 8, .with_indices = true, .layer = layers[i]};
    c.layer.op = NAIVE_MAX_POOL;
    c.layer.type = IR_F64;
    assert_in_range(naive_count(c.layer.in, c.layer.rank), 0, sizeof x / sizeof *x);
    for (int64_t k = 0; k < naive_count(c.layer.in, c.layer.rank); k++)
      numbers[k] = x[k] = (double)(k * 7919 % 1013); /* each number occurs often, so there are ties */
    assert_true(naive_shape(&c.layer));
    const int64_t n = naive_count(c.layer.out, c.layer.out_rank);
    assert_in_range(n, 1, sizeof indices / sizeof *indices);
    naive_maximum(&c.layer, numbers, maxima, indices);
    c.layer = (naive_layer){.op = NAIVE_MAX_POOL, .type = IR_F64, .rank = layers[i].rank};
    memcpy(c.layer.in, layers[i].in, sizeof c.layer.in);
    memcpy(c.layer.windows, layers[i].windows, sizeof c.layer.windows);
    model_run run = layer_run_begin(&c, x);
    assert_int_equal(run.status, IRRUN_OK);
    const double *values = irrun_tensor_get_info(run.values).data;
    assert_memory_equal(irrun_tensor_get_info(run.indices).data, indices, (size_t)n * sizeof *indices);
    for (int64_t k = 0; k < n; k++)
      assert_true((long double)values[k] == maxima[k]);
    model_run_end(&run);
  }
}

/* Threads share the work, because the input has enough planes. */
static void indices_are_the_same_for_any_number_of_threads(void **state) {
  (void)state;
  static double x[64 * 64 * 64];
  const size_t n = sizeof x / sizeof x[0];
  layer_case c = {.opset = 8,
                  .with_indices = true,
                  .layer = {.op = NAIVE_MAX_POOL,
                            .type = IR_F64,
                            .rank = 4,
                            .in = {4, 16, 64, 64},
                            .windows = {{2, 2, 1, 0, 0}, {2, 2, 1, 0, 0}}}};
  for (size_t i = 0; i < n; i++)
    x[i] = (double)i;
  model_run run = layer_run_begin(&c, x);
  for (int threads = 1; threads <= 3; threads++) {
    assert_int_equal(irrun_context_set_threads(run.context, threads), IRRUN_OK);
    layer_run_again(&run, &c, x);
    assert_int_equal(run.status, IRRUN_OK);
    const double *values = irrun_tensor_get_info(run.values).data;
    const int64_t *indices = irrun_tensor_get_info(run.indices).data;
    for (int64_t i = 0; i < (int64_t)n / 4; i++) {
      const int64_t last = (i / 32 * 2 + 1) * 64 + i % 32 * 2 + 1;
      if (indices[i] != last || values[i] != (double)last)
        fail_msg("%d threads: index %lld is %lld", threads, (long long)i, (long long)indices[i]);
    }
  }
  model_run_end(&run);
}

/* ---- indices that i32 cannot hold ---- */

/* Makes a pool with windows of one element. Tests check the model and do not run it. */
static layer_case large_pool(const char *shape, int64_t axis) {
  return (layer_case){
      .opset = 14,
      .shape = shape,
      .index_i32 = true,
      .with_indices = true,
      .layer = {
          .op = NAIVE_MAX_POOL, .type = IR_U8, .rank = 4, .windows = {{1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}}, .axis = axis}};
}

static void expect_reports(const layer_case *c, const char *rules) {
  model_run run = layer_run_begin(c, NULL);
  assert_string_equal(model_run_rules(&run), rules);
  assert_int_equal(run.status, *rules == '\0' ? IRRUN_OK : IRRUN_INVALID);
  model_run_end(&run);
}

static void check_large(const char *shape, int64_t axis, const char *rules) {
  layer_case c = large_pool(shape, axis);
  expect_reports(&c, rules);
}

/* 32768 * 65536 = 2^31 elements have indices up to 2^31 - 1, the largest i32. */
static void an_index_has_to_fit_i32(void **state) {
  (void)state;
  check_large("1,1,32768,65536", 0, "");
  check_large("1,2,32768,65536", 0, "IR314");
  check_large("1,1,32768,65537", 0, "IR314");
  check_large("3,1,32768,65536", 0, "IR314");
  check_large("3,1,32768,65536", 1, "");
  check_large("3,2,32768,65536", 1, "IR314");
  check_large("3,2,32768,65536", 2, "");
  check_large("3,2,32768,65536", -2, "");
  check_large("3,2,32768,65536", -3, "IR314");
  check_large("3,2,1,2147483649", -1, "IR314");
  check_large("3,2,2147483649,1", -1, "");
}

static void an_index_that_is_not_read_or_is_i64_has_room(void **state) {
  (void)state;
  layer_case c = large_pool("1,2,32768,65536", 0);
  c.with_indices = false;
  expect_reports(&c, "");
  c = large_pool("1,2,32768,65536", 0);
  c.index_i32 = false;
  expect_reports(&c, "");
}

/* If even the smallest shape is too large, the model is wrong. If only larger shapes are, the model is accepted. */
static void the_least_shape_of_an_interval_decides(void **state) {
  (void)state;
  check_large("1..,1,32768,65536", 0, "");
  check_large("2..,1,32768,65536", 0, "IR314");
  check_large("?,1,32768,65536", 0, "");
  check_large("?,2,32768,65536", 0, "IR314");
  check_large("1,2,32768..99999,65536..99999", 1, "IR314");
  check_large("1,2,1..99999,1..99999", 1, "");
  check_large("4294967296..,4294967296..,1,1", 0, "IR314");
  check_large("...", 0, "");
}

static void bins_count_within_a_channel(void **state) {
  (void)state;
  layer_case c = large_pool("3,2,32768,65536", 0);
  c.layer = (naive_layer){.op = NAIVE_ADAPTIVE_MAX_POOL, .type = IR_F16, .rank = 4, .sizes = {1, 1}};
  expect_reports(&c, "");
  c.shape = "1,1,32768,65537";
  expect_reports(&c, "IR314");
  c.shape = "1,1,32768..,65537..";
  expect_reports(&c, "IR314");
  c.shape = "1,1,?,65537";
  expect_reports(&c, "");
  c.shape = "1,1,32768,65537";
  c.with_indices = false;
  expect_reports(&c, "");
}

/* Makes a sparse file of 2^31 + 1 elements. Only its shape is read. */
static scratch_file make_sparse(void) {
  char header[128] =
      "\x93NUMPY\x01\x00\x76\x00{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 1, 2147483649), }";
  size_t n = 10 + strlen(header + 10);
  memset(header + n, ' ', sizeof header - n - 1);
  header[sizeof header - 1] = '\n';
  return scratch_file_make("x.npy", header, sizeof header);
}

static void a_run_whose_shape_exceeds_i32_is_refused(void **state) {
  (void)state;
  scratch_file sparse = make_sparse();
  if (truncate(sparse.path, 128 + INT64_C(2147483649)) != 0) {
    scratch_file_remove(&sparse);
    skip();
  }
  layer_case c = large_pool("1,1,1,?", 3);
  uint8_t x[1] = {0};
  c.layer.in[0] = c.layer.in[1] = c.layer.in[2] = c.layer.in[3] = 1;
  model_run run = layer_run_begin(&c, x);
  assert_int_equal(run.status, IRRUN_OK);
  irrun_tensor_file *file;
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_file_open(run.context, sparse.path, &file), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_DYNAMIC, NULL, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run.run, 0, tensor, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_run_execute(run.run), IRRUN_BAD_DATA);
  assert_string_equal(model_run_rules(&run), "IR314");
  irrun_tensor_file_free(file);
  model_run_end(&run);
  scratch_file_remove(&sparse);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_numbers_of_each_axis),
      cmocka_unit_test(indices_within_a_channel),
      cmocka_unit_test(every_axis_of_every_rank),
      cmocka_unit_test(windows_of_many_rows),
      cmocka_unit_test(indices_are_the_same_for_any_number_of_threads),
      cmocka_unit_test(an_index_has_to_fit_i32),
      cmocka_unit_test(an_index_that_is_not_read_or_is_i64_has_room),
      cmocka_unit_test(the_least_shape_of_an_interval_decides),
      cmocka_unit_test(bins_count_within_a_channel),
      cmocka_unit_test(a_run_whose_shape_exceeds_i32_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
