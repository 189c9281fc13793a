/* Tests sorting: the sort keys of every type have the order of the elements, and sorted lists equal those of a naive
 * search. */
#include "ops/kernels/order.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_rising(ir_type type, const void *elements, int64_t n) {
  int64_t keys[8];
  ir_order_keys(type, elements, 1, n, keys);
  for (int64_t i = 1; i < n; i++)
    assert_true(keys[i - 1] < keys[i]);
}

static void test_keys_rise(void **state) {
  (void)state;
  const float floats[] = {-INFINITY, -1, -0x1p-149F, 0, 0x1p-149F, 2, INFINITY, NAN};
  const int8_t bytes[] = {-128, -1, 0, 127};
  const uint64_t words[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX};
  expect_rising(IR_F32, floats, 8);
  expect_rising(IR_I8, bytes, 4);
  expect_rising(IR_U64, words, 4);
}

static void test_keys_of_equals(void **state) {
  (void)state;
  const double zeros[] = {-0.0, 1, 0.0};
  int64_t keys[2];
  ir_order_keys(IR_F64, zeros, 2, 2, keys);
  assert_int_equal(keys[0], keys[1]);
}

/* Returns how many items precede item `i` in sorted order. */
static int64_t place_of(const int64_t *keys, int64_t n, int64_t i) {
  int64_t place = 0;
  for (int64_t j = 0; j < n; j++)
    place += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
  return place;
}

static void test_first(void **state) {
  (void)state;
  int64_t keys[40], first[40];
  unsigned seed = 1;
  for (int64_t n = 1; n <= 40; n++)
    for (int64_t k = 0; k <= n; k++) {
      for (int64_t i = 0; i < n; i++)
        keys[i] = (int64_t)((seed = seed * 1103515245U + 12345U) >> 16) % 7 - 3;
      ir_order_first(keys, n, k, first, NULL, 0);
      for (int64_t i = 0; i < k; i++)
        assert_int_equal(place_of(keys, n, first[i]), i);
    }
}

/* A stopped sort returns at once, with indices of existing keys. */
static void test_stopped(void **state) {
  (void)state;
  enum { N = 100000 };
  static int64_t keys[N], indices[N];
  ir_stop stop = {.why = IR_CANCELLED};
  for (int64_t i = 0; i < N; i++) {
    keys[i] = -i;
    indices[i] = i;
  }
  ir_order_sort(keys, indices, N, &stop, 0);
  int64_t n_falling = 0, sum = 0;
  for (int64_t i = 0; i < N; i++) {
    n_falling += i > 0 && indices[i] < indices[i - 1];
    sum += indices[i];
  }
  assert_in_range(n_falling, 0, N - 2);
  assert_int_equal(sum, (int64_t)N * (N - 1) / 2);
  ir_order_first(keys, N, N / 2, indices, &stop, 0);
  for (int64_t i = 0; i < N / 2; i++)
    assert_in_range(indices[i], 0, N - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys_rise), cmocka_unit_test(test_keys_of_equals),
                                     cmocka_unit_test(test_first), cmocka_unit_test(test_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
