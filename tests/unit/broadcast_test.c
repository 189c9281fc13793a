/* Tests the broadcast of all small intervals, and every element of small shapes, against the specification's rules. */
#include "ops/kernels/nd_iter.h"
#include "ops/math/broadcast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

enum { SIZES = 6, MAX_TEST_RANK = 3 };

/* ---- the rules for known sizes ---- */

/* Returns the broadcast size, or -1 if the sizes do not fit. */
static int64_t naive_size(ir_broadcast_mode mode, int64_t a, int64_t b) {
  if (a == b || (b == 1 && mode != IR_BROADCAST_NONE))
    return a;
  return a == 1 && mode == IR_BROADCAST_NUMPY ? b : -1;
}

typedef struct naive_shape {
  int rank; /* -1: the shapes cannot be broadcast */
  int64_t dims[2 * MAX_TEST_RANK];
  int b_begin; /* output axis of b's first axis; a's last axis is the output's last */
} naive_shape;

static int64_t size_or_1(const naive_shape *shape, int axis) {
  return axis >= 0 && axis < shape->rank ? shape->dims[axis] : 1;
}

static naive_shape naive_broadcast(ir_broadcast rule, const naive_shape *a, const naive_shape *b) {
  naive_shape out = {.rank = a->rank > b->rank ? a->rank : b->rank}, none = {.rank = -1};
  out.b_begin = out.rank - b->rank;
  if (rule.mode == IR_BROADCAST_NONE && a->rank != b->rank)
    return none;
  if (rule.mode == IR_BROADCAST_PDPD) {
    if (b->rank > a->rank || rule.axis > a->rank)
      return none;
    out.b_begin = rule.axis < 0 ? a->rank - b->rank : (int)rule.axis;
    for (int i = out.rank - out.b_begin; i < b->rank; i++)
      if (b->dims[i] != 1) /* sizes of 1 beyond a's last axis are ignored */
        return none;
  }
  for (int i = 0; i < out.rank; i++) {
    out.dims[i] = naive_size(rule.mode, size_or_1(a, i - (out.rank - a->rank)), size_or_1(b, i - out.b_begin));
    if (out.dims[i] < 0)
      return none;
  }
  return out;
}

static ir_shape shape_of(const naive_shape *shape) {
  return ir_shape_of(shape->rank, shape->dims);
}

/* ---- intervals ---- */

typedef struct found_sizes {
  bool any;
  int64_t least, greatest;
} found_sizes;

static found_sizes try_every_size(ir_broadcast_mode mode, ir_dim a, ir_dim b, int64_t most) {
  found_sizes found = {.any = false};
  for (int64_t i = a.lo; i <= a.hi && i <= most; i++)
    for (int64_t j = b.lo; j <= b.hi && j <= most; j++) {
      int64_t size = naive_size(mode, i, j);
      if (size < 0)
        continue;
      found.least = !found.any || size < found.least ? size : found.least;
      found.greatest = !found.any || size > found.greatest ? size : found.greatest;
      found.any = true;
    }
  return found;
}

static void check_interval(ir_broadcast_mode mode, ir_dim a, ir_dim b) {
  const int64_t most = 2 * SIZES; /* the largest size that is tried if an interval is open */
  ir_shape x = {.rank = 1, .dims = {a}}, y = {.rank = 1, .dims = {b}};
  ir_broadcast_result result = ir_broadcast_shapes((ir_broadcast){mode, -1}, &x, &y);
  found_sizes found = try_every_size(mode, a, b, most);
  ir_dim out = result.shape.dims[0];
  bool fits = result.fit == IR_BROADCAST_FITS;
  if (fits != found.any || result.axes != (fits ? 0u : 1u))
    fail_msg("mode %d: %lld..%lld with %lld..%lld fits %d", (int)mode, (long long)a.lo, (long long)a.hi,
             (long long)b.lo, (long long)b.hi, fits);
  int64_t greatest = out.hi == IR_DIM_MAX ? most : out.hi;
  if (fits && (out.lo != found.least || greatest != found.greatest))
    fail_msg("mode %d: %lld..%lld with %lld..%lld is %lld..%lld, tried %lld..%lld", (int)mode, (long long)a.lo,
             (long long)a.hi, (long long)b.lo, (long long)b.hi, (long long)out.lo, (long long)out.hi,
             (long long)found.least, (long long)found.greatest);
}

/* Maps SIZES, the end of the loops below, to an open upper bound. */
static int64_t end_of(int64_t hi) {
  return hi == SIZES ? IR_DIM_MAX : hi;
}

static void intervals_are_sound_and_tight(void **state) {
  (void)state;
  for (ir_broadcast_mode mode = IR_BROADCAST_NONE; mode <= IR_BROADCAST_PDPD; mode++)
    for (int64_t a = 0; a <= SIZES; a++)
      for (int64_t a_hi = a; a_hi <= SIZES; a_hi++)
        for (int64_t b = 0; b <= SIZES; b++)
          for (int64_t b_hi = b; b_hi <= SIZES; b_hi++)
            check_interval(mode, (ir_dim){a, end_of(a_hi)}, (ir_dim){b, end_of(b_hi)});
}

static void unknown_ranks_tell_what_they_can(void **state) {
  (void)state;
  const ir_shape unknown = ir_shape_unknown(), known = ir_shape_of(2, (int64_t[]){2, 3});
  const struct {
    ir_broadcast_mode mode;
    bool a_tells, b_tells; /* whether a's or b's shape alone determines the output's shape */
  } cases[] = {{IR_BROADCAST_NONE, true, true}, {IR_BROADCAST_NUMPY, false, false}, {IR_BROADCAST_PDPD, true, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_broadcast rule = {cases[i].mode, -1};
    ir_broadcast_result first = ir_broadcast_shapes(rule, &known, &unknown);
    ir_broadcast_result second = ir_broadcast_shapes(rule, &unknown, &known);
    ir_broadcast_result neither = ir_broadcast_shapes(rule, &unknown, &unknown);
    assert_int_equal(first.fit, IR_BROADCAST_FITS);
    assert_true(ir_shapes_equal(&first.shape, cases[i].a_tells ? &known : &unknown));
    assert_int_equal(second.fit, IR_BROADCAST_FITS);
    assert_true(ir_shapes_equal(&second.shape, cases[i].b_tells ? &known : &unknown));
    assert_int_equal(neither.fit, IR_BROADCAST_FITS);
    assert_true(ir_shapes_equal(&neither.shape, &unknown));
  }
}

/* ---- iteration over rows ---- */

/* Returns which input element is broadcast to the output's element `index`. */
static int64_t naive_element(const naive_shape *in, const naive_shape *out, int begin, int64_t index) {
  int64_t at[MAX_TEST_RANK] = {0}, element = 0;
  for (int i = out->rank - 1; i >= 0; i--) {
    at[i] = index % out->dims[i];
    index /= out->dims[i];
  }
  for (int i = 0; i < in->rank; i++) {
    int axis = i + begin;
    element = element * in->dims[i] + (axis < out->rank && in->dims[i] != 1 ? at[axis] : 0);
  }
  return element;
}

static int64_t count_elements(const naive_shape *shape) {
  int64_t n = 1;
  for (int i = 0; i < shape->rank; i++)
    n *= shape->dims[i];
  return n;
}

/* Makes an iterator over the rows of a, b and the output. */
static ir_nd_iter rows_of(ir_broadcast rule, const ir_shape *a, const ir_shape *b) {
  const ir_broadcast_result result = ir_broadcast_shapes(rule, a, b);
  const int rank = result.shape.rank;
  int64_t dims[IR_MAX_RANK], steps[3][IR_MAX_RANK];
  for (int i = 0; i < rank; i++)
    dims[i] = result.shape.dims[i].lo;
  ir_nd_iter_steps(a, result.a_offset, rank, steps[0]);
  ir_nd_iter_steps(b, result.b_offset, rank, steps[1]);
  ir_nd_iter_steps(&result.shape, 0, rank, steps[2]);
  return ir_nd_iter_of(rank, dims, 3, steps);
}

static void check_rows(ir_broadcast rule, const naive_shape *a, const naive_shape *b, const naive_shape *out) {
  ir_shape x = shape_of(a), y = shape_of(b);
  const ir_nd_iter rows = rows_of(rule, &x, &y);
  const int64_t n = count_elements(out), length = ir_nd_iter_length(&rows), n_rows = ir_nd_iter_count(&rows);
  const int last = rows.n_axes - 1;
  ir_nd_iter_place place, same;
  assert_in_range(rows.n_axes, 1, IR_MAX_RANK);
  assert_int_equal(n_rows * length, n);
  ir_nd_iter_go(&rows, 0, &place);
  for (int64_t index = 0; index < n; index++) {
    const int64_t at = index % length;
    assert_int_equal(place.offset[0] + at * rows.steps[0][last], naive_element(a, out, out->rank - a->rank, index));
    assert_int_equal(place.offset[1] + at * rows.steps[1][last], naive_element(b, out, out->b_begin, index));
    assert_int_equal(place.offset[2] + at * rows.steps[2][last], index);
    if (at < length - 1 || index == n - 1)
      continue;
    ir_nd_iter_next(&rows, &place);
    ir_nd_iter_go(&rows, index / length + 1, &same);
    assert_memory_equal(&place, &same, sizeof place);
  }
}

/* ---- all pairs of small shapes ---- */

/* Makes the number-th shape of ranks 0 to MAX_TEST_RANK and sizes 0 to 3. Returns false after the last shape. */
static bool shape_number(int number, naive_shape *out) {
  int of_rank = 1;
  for (out->rank = 0; out->rank <= MAX_TEST_RANK; out->rank++, of_rank *= 4) {
    if (number < of_rank) {
      for (int i = 0; i < out->rank; i++, number /= 4)
        out->dims[i] = number % 4;
      return true;
    }
    number -= of_rank;
  }
  return false;
}

static int check_pair(ir_broadcast rule, const naive_shape *a, const naive_shape *b) {
  ir_shape x = shape_of(a), y = shape_of(b);
  naive_shape expected = naive_broadcast(rule, a, b);
  ir_broadcast_result result = ir_broadcast_shapes(rule, &x, &y);
  assert_int_equal(result.fit == IR_BROADCAST_FITS, expected.rank >= 0);
  if (expected.rank < 0)
    return 0;
  ir_shape out = shape_of(&expected);
  assert_true(ir_shapes_equal(&result.shape, &out));
  check_rows(rule, a, b, &expected);
  return 1;
}

static void small_shapes_are_gone_through_as_the_rules_say(void **state) {
  (void)state;
  naive_shape a, b;
  int n_fitting = 0, n = 0;
  for (int i = 0; shape_number(i, &a); i++)
    for (int j = 0; shape_number(j, &b); j++) {
      n_fitting += check_pair((ir_broadcast){IR_BROADCAST_NONE, -1}, &a, &b);
      n_fitting += check_pair((ir_broadcast){IR_BROADCAST_NUMPY, -1}, &a, &b);
      for (int64_t axis = -1; axis <= MAX_TEST_RANK + 1; axis++)
        n_fitting += check_pair((ir_broadcast){IR_BROADCAST_PDPD, axis}, &a, &b);
      n++;
    }
  assert_int_equal(n, 85 * 85);
  assert_true(n_fitting > 2000);
}

static void axes_that_are_gone_through_alike_are_one(void **state) {
  (void)state;
  const struct {
    naive_shape a, b;
    int n_axes;
  } cases[] = {
      {{3, {2, 3, 4}, 0}, {3, {2, 3, 4}, 0}, 1}, {{3, {2, 3, 4}, 0}, {0, {0}, 0}, 1},
      {{0, {0}, 0}, {3, {2, 3, 4}, 0}, 1},       {{3, {2, 3, 4}, 0}, {1, {4}, 0}, 2},
      {{3, {2, 3, 4}, 0}, {2, {3, 1}, 0}, 3},    {{3, {2, 3, 4}, 0}, {3, {2, 1, 1}, 0}, 2},
      {{3, {2, 1, 4}, 0}, {3, {1, 3, 1}, 0}, 3}, {{0, {0}, 0}, {0, {0}, 0}, 1},
      {{3, {1, 1, 1}, 0}, {2, {1, 1}, 0}, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_shape a = shape_of(&cases[i].a), b = shape_of(&cases[i].b);
    assert_int_equal(rows_of((ir_broadcast){IR_BROADCAST_NUMPY, -1}, &a, &b).n_axes, cases[i].n_axes);
  }
}

static void every_axis_at_fault_is_told(void **state) {
  (void)state;
  const ir_shape a = ir_shape_of(4, (int64_t[]){2, 3, 4, 5}), b = ir_shape_of(3, (int64_t[]){7, 4, 6});
  ir_broadcast_result result = ir_broadcast_shapes((ir_broadcast){IR_BROADCAST_NUMPY, -1}, &a, &b);
  assert_int_equal(result.fit, IR_BROADCAST_SIZES_DIFFER);
  assert_int_equal(result.axes, 1u << 1 | 1u << 3);
  result = ir_broadcast_shapes((ir_broadcast){IR_BROADCAST_NONE, -1}, &a, &b);
  assert_int_equal(result.fit, IR_BROADCAST_RANKS_DIFFER);
  result = ir_broadcast_shapes((ir_broadcast){IR_BROADCAST_PDPD, -1}, &b, &a);
  assert_int_equal(result.fit, IR_BROADCAST_RANK_GREATER);
  result = ir_broadcast_shapes((ir_broadcast){IR_BROADCAST_PDPD, 5}, &a, &b);
  assert_int_equal(result.fit, IR_BROADCAST_AXIS_OUTSIDE);
  /* b has two axes after a's last axis. */
  result = ir_broadcast_shapes((ir_broadcast){IR_BROADCAST_PDPD, 3}, &a, &b);
  assert_int_equal(result.axes, 1u << 3 | 1u << 4 | 1u << 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_are_sound_and_tight),
      cmocka_unit_test(unknown_ranks_tell_what_they_can),
      cmocka_unit_test(small_shapes_are_gone_through_as_the_rules_say),
      cmocka_unit_test(axes_that_are_gone_through_alike_are_one),
      cmocka_unit_test(every_axis_at_fault_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
