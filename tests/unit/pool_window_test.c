/* Tests the rules of windows against brute force on a grid of small layers, and with worked examples. */
#include "ops/kernels/numbers.h"
#include "ops/pool/pool_windows.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Calls `check` for each axis of a small grid of windows and sizes. */
static void for_all_axes(void (*check)(ir_window_axis axis, int64_t n)) {
  for (int64_t n = 1; n <= 7; n++)
    for (int64_t k = 1; k <= 4; k++)
      for (int64_t s = 1; s <= 4; s++)
        for (int64_t d = 1; d <= 3; d++)
          for (int64_t pb = 0; pb <= 3; pb++)
            for (int64_t pe = 0; pe <= 3; pe++)
              check((ir_window_axis){.kernel = k, .stride = s, .dilation = d, .pad_begin = pb, .pad_end = pe}, n);
}

/* Counts the taps of window o that lie in the input, and finds the first. */
static int64_t count_taps(ir_window_axis axis, int64_t n, int64_t o, int64_t *out_first) {
  int64_t taps = 0;
  for (int64_t i = 0; i < axis.kernel; i++) {
    int64_t at = o * axis.stride - axis.pad_begin + i * axis.dilation;
    if (at < 0 || at >= n)
      continue;
    if (taps++ == 0)
      *out_first = at;
  }
  return taps;
}

static void check_axis(ir_window_axis axis, int64_t n) {
  int64_t extent = (axis.kernel - 1) * axis.dilation + 1, count, empty = -1;
  bool fits = extent <= n + axis.pad_begin + axis.pad_end;
  assert_int_equal(ir_window_count(axis, IR_ROUND_CEIL, n, &count), fits);
  for (int64_t o = 0; fits && o < count; o++) {
    int64_t first = 0, taps = count_taps(axis, n, o, &first);
    ir_tap_range range = ir_window_range(axis, n, o);
    assert_int_equal(range.count, taps);
    if (taps > 0)
      assert_int_equal(range.begin, first);
    if (taps == 0 && empty < 0)
      empty = o;
  }
  if (fits)
    assert_int_equal(ir_window_first_empty(axis, n, count), empty);
}

static void ranges_hold_the_taps_inside_the_input(void **state) {
  (void)state;
  for_all_axes(check_axis);
}

/* Windows have taps on both sides of an input that is shorter than the dilation, and none in it. */
static void windows_that_step_over_the_input_are_found(void **state) {
  (void)state;
  for (int64_t n = 0; n <= 4; n++)
    for (int64_t k = 1; k <= 4; k++)
      for (int64_t s = 1; s <= 12; s++)
        for (int64_t d = 1; d <= 11; d++)
          for (int64_t pad = 0; pad <= 27; pad += 3)
            check_axis((ir_window_axis){.kernel = k, .stride = s, .dilation = d, .pad_begin = pad, .pad_end = pad}, n);
}

/* The search takes constant time, regardless of the number of windows and of the dilation. */
static void empty_windows_are_found_at_once(void **state) {
  (void)state;
  const int64_t n = INT64_C(1000000000000), d = 10 * n;
  ir_window_axis axis = {.kernel = 2, .stride = 1, .dilation = d, .pad_begin = d};
  assert_int_equal(ir_window_first_empty(axis, n, n), -1);
  assert_int_equal(ir_window_first_empty(axis, n, n + 1), n);
  /* window o begins at o * (d + 1) - 900 * d, so its taps move by one element relative to the multiples of d */
  axis = (ir_window_axis){.kernel = 1000, .stride = d + 1, .dilation = d, .pad_begin = 900 * d};
  assert_int_equal(ir_window_first_empty(axis, 890, 900), 890);
  assert_int_equal(ir_window_first_empty(axis, 900, 900), -1);
  axis = (ir_window_axis){.kernel = INT64_MAX, .stride = INT64_MAX - 5, .dilation = INT64_MAX, .pad_begin = INT64_MAX};
  assert_int_equal(ir_window_first_empty(axis, 3, INT64_MAX - 1), 1);
}

/* floor counts the windows that fit. ceil adds one if the last window that fits does not end at the padded end.
 * ceil_torch drops the last window if it begins in the end padding. */
static void check_counts(ir_window_axis axis, int64_t n) {
  int64_t room = n + axis.pad_begin + axis.pad_end - ((axis.kernel - 1) * axis.dilation + 1), floor = 0, ceil, torch;
  if (room < 0)
    return;
  while (floor * axis.stride <= room)
    floor++;
  ceil = floor + (room % axis.stride != 0);
  torch = ceil - ((ceil - 1) * axis.stride >= n + axis.pad_begin);
  const int64_t expected[] = {floor, ceil, torch};
  for (int rounding = 0; rounding < 3; rounding++) {
    int64_t count;
    assert_true(ir_window_count(axis, (ir_rounding)rounding, n, &count));
    assert_int_equal(count, expected[rounding]);
  }
}

static void counts_are_those_of_stepping(void **state) {
  (void)state;
  for_all_axes(check_counts);
}

static void same_pads_differ_by_at_most_one(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 9; n++)
    for (int64_t k = 1; k <= 5; k++)
      for (int64_t s = 1; s <= 5; s++) {
        ir_window_axis axis = {.kernel = k, .stride = s, .dilation = 1, .pad_begin = 9, .pad_end = 9};
        ir_window_axis upper = ir_window_resolve(axis, IR_PAD_SAME_UPPER, n),
                       lower = ir_window_resolve(axis, IR_PAD_SAME_LOWER, n);
        int64_t count;
        assert_true(upper.pad_end - upper.pad_begin == 0 || upper.pad_end - upper.pad_begin == 1);
        assert_int_equal(upper.pad_end, lower.pad_begin);
        assert_int_equal(upper.pad_begin, lower.pad_end);
        assert_true(ir_window_count(upper, IR_ROUND_FLOOR, n, &count));
        assert_int_equal(count, (n + s - 1) / s);
      }
}

static void bins_cover_the_axis(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 20; n++)
    for (int64_t out = 1; out <= 25; out++)
      for (int64_t o = 0; o < out; o++) {
        ir_tap_range bin = ir_window_bin(n, out, o);
        assert_true(bin.count >= 1);
        assert_true(bin.begin * out <= o * n && (bin.begin + 1) * out > o * n);
        assert_true((bin.begin + bin.count) * out >= (o + 1) * n && (bin.begin + bin.count - 1) * out < (o + 1) * n);
      }
}

/* Long rows of bins have no list. */
static void bins_need_no_list(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 40; n++)
    for (int64_t out = 1; out <= 50; out++) {
      const ir_windows_axis axis = {.n_in = n, .n_out = out, .step = 1};
      int64_t most_taps = 0;
      for (int64_t o = 0; o < out; o++) {
        const ir_tap_range range = ir_windows_range(&axis, o), bin = ir_window_bin(n, out, o);
        assert_true(range.begin == bin.begin && range.count == bin.count);
        most_taps = most(most_taps, bin.count);
      }
      assert_int_equal(ir_windows_most_taps(&axis), most_taps);
      assert_int_equal(ir_windows_is_identity(&axis), n == out);
      for (int64_t tile = 1; tile <= out; tile++) {
        int64_t longest = 0;
        for (int64_t o = 0; o < out; o += tile)
          longest = most(longest, ir_windows_span(&axis, o, least(o + tile, out)).count);
        assert_in_range(ir_windows_longest_span(&axis, tile), longest, longest + 1);
      }
    }
}

/* A product of bin number and size that exceeds int64_t is computed in 128 bits. */
static void bins_of_long_axes_are_exact(void **state) {
  (void)state;
  const ir_tap_range bin = ir_window_bin(INT64_C(1) << 60, 1 << 20, (1 << 20) - 1);
  assert_true(bin.begin == (INT64_C(1) << 60) - (INT64_C(1) << 40) && bin.count == INT64_C(1) << 40);
}

/* In float32, 4095 * 8191 / 4096 is rounded down and the bin would lose an element. */
static void bins_are_exact_beyond_float(void **state) {
  (void)state;
  ir_tap_range bin = ir_window_bin(8191, 4096, 4094);
  assert_int_equal(bin.begin, 8187);
  assert_int_equal(bin.begin + bin.count, 8190);
}

static void clipped_windows_end_with_the_padding(void **state) {
  (void)state;
  ir_window_axis axis = {.kernel = 3, .stride = 2, .dilation = 1, .pad_begin = 1, .pad_end = 1};
  assert_int_equal(ir_window_clipped(axis, 6, 0), 3);
  assert_int_equal(ir_window_clipped(axis, 6, 3), 2);
}

static void huge_attributes_do_not_overflow(void **state) {
  (void)state;
  const int64_t huge = INT64_MAX;
  int64_t count;
  ir_window_axis axis = {.kernel = huge, .stride = 1, .dilation = huge, .pad_begin = huge, .pad_end = huge};
  assert_false(ir_window_count(axis, IR_ROUND_CEIL, 1, &count));
  axis.dilation = 1;
  assert_false(ir_window_count(axis, IR_ROUND_FLOOR, huge - 1, &count));
  axis.stride = huge;
  assert_true(ir_window_count(axis, IR_ROUND_CEIL, huge - 1, &count));
  assert_int_equal(count, 3);
  axis = ir_window_resolve(axis, IR_PAD_SAME_LOWER, huge - 1);
  assert_true(axis.pad_begin >= 0 && axis.pad_end >= 0);
}

static void wide_numbers_are_printed(void **state) {
  (void)state;
  char text[IR_WIDE_TEXT];
  const ir_wide huge = (ir_wide)INT64_MAX * INT64_MAX, highest = (ir_wide)(~(ir_uwide)0 >> 1);
  assert_string_equal(ir_wide_text(0, text, sizeof text), "0");
  assert_string_equal(ir_wide_text(INT64_MIN, text, sizeof text), "-9223372036854775808");
  assert_string_equal(ir_wide_text(huge, text, sizeof text), "85070591730234615847396907784232501249");
  assert_string_equal(ir_wide_text(highest, text, sizeof text), "170141183460469231731687303715884105727");
  assert_string_equal(ir_wide_text(-highest - 1, text, sizeof text), "-170141183460469231731687303715884105728");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_hold_the_taps_inside_the_input),
      cmocka_unit_test(windows_that_step_over_the_input_are_found),
      cmocka_unit_test(empty_windows_are_found_at_once),
      cmocka_unit_test(counts_are_those_of_stepping),
      cmocka_unit_test(same_pads_differ_by_at_most_one),
      cmocka_unit_test(bins_cover_the_axis),
      cmocka_unit_test(bins_need_no_list),
      cmocka_unit_test(bins_of_long_axes_are_exact),
      cmocka_unit_test(bins_are_exact_beyond_float),
      cmocka_unit_test(clipped_windows_end_with_the_padding),
      cmocka_unit_test(huge_attributes_do_not_overflow),
      cmocka_unit_test(wide_numbers_are_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
