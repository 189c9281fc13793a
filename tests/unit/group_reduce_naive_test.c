/* Tests reductions, running sums and SoftMax against naive loops. Random shapes and axes reach groups that the
 * kernels split into pieces and groups that they compute side by side. */
#include "draw.h"
#include "op_case.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_RANK = 5 };

/* Draws a tensor of random bits, or of floats from -8 to 8. An axis can exceed two pieces of work and the kernel's
 * buffer. */
static ir_tensor draw_tensor(const op_case *c, ir_type type) {
  const int rank = (int)between(1, MOST_RANK);
  int64_t dims[MOST_RANK];
  for (int i = 0; i < rank; i++)
    dims[i] = one_in(30) ? 0 : between(1, 4);
  if (one_in(3))
    dims[between(0, rank - 1)] = one_in(4) ? between(2000, 2200) : between(500, 1100);
  const ir_shape shape = ir_shape_of(rank, dims);
  ir_tensor tensor;
  assert_true(ir_tensor_alloc(&tensor, &c->memory, type, &shape));
  for (int64_t i = 0; i < ir_tensor_elements(&tensor); i++)
    if (type == IR_F64)
      ((double *)tensor.data)[i] = (double)between(-800, 800) / 100;
    else if (type == IR_F32)
      ((float *)tensor.data)[i] = (float)between(-800, 800) / 100;
    else
      ((uint32_t *)tensor.data)[i] = (uint32_t)draw();
  return tensor;
}

/* Returns the group of element `index`: elements of a group differ only in the reduced (`folded`) axes. */
static int64_t group_of(const ir_tensor *in, const bool *folded, int64_t index) {
  int64_t group = 0, step = 1;
  for (int i = in->rank - 1; i >= 0; i--) {
    if (!folded[i]) {
      group += index % in->dims[i] * step;
      step *= in->dims[i];
    }
    index /= in->dims[i];
  }
  return group;
}

static void sums_over_any_axes(void **state) {
  (void)state;
  for (int i = 0; i < 400; i++) {
    op_case c;
    op_case_begin(&c, "ReduceSum", "opset1", (const char *const[]){"keep_dims", "true", NULL});
    ir_tensor in[2] = {draw_tensor(&c, IR_I32)};
    bool folded[MOST_RANK];
    int64_t axes[MOST_RANK], n = 0;
    for (int a = 0; a < in[0].rank; a++) {
      folded[a] = one_in(2);
      if (folded[a])
        axes[n++] = one_in(2) ? a : a - in[0].rank;
    }
    const ir_value list = op_case_list(&c, IR_I64, 1, axes, n);
    in[1] = *list.contents;
    const ir_tensor *out = op_case_run(&c, in, 2);
    const int64_t n_out = ir_tensor_elements(out);
    uint32_t *sums = calloc((size_t)n_out + 1, sizeof *sums);
    assert_non_null(sums);
    for (int64_t k = 0; k < ir_tensor_elements(&in[0]); k++)
      sums[group_of(&in[0], folded, k)] += ((const uint32_t *)in[0].data)[k];
    if (n_out > 0)
      assert_memory_equal(out->data, sums, (size_t)n_out * sizeof *sums);
    free(sums);
    ir_tensor_release(&in[0]);
    op_case_end(&c);
  }
}

/* A line along `axis`: `n` elements, `step` apart in memory. */
typedef struct line {
  int64_t n, step;
} line;

static line line_of(const ir_tensor *tensor, int64_t axis) {
  line found = {tensor->dims[axis], 1};
  for (int i = (int)axis + 1; i < tensor->rank; i++)
    found.step *= tensor->dims[i];
  return found;
}

static void check_sums(const ir_tensor *in, const ir_tensor *out, int64_t axis, bool exclusive, bool reverse) {
  const uint32_t *x = in->data, *y = out->data;
  const line along = line_of(in, axis);
  for (int64_t k = 0; k < ir_tensor_elements(in); k++) {
    const int64_t place = k / along.step % along.n, ahead = reverse ? place + 1 : place - 1;
    const bool is_first = ahead < 0 || ahead >= along.n;
    const int64_t before = k + (ahead - place) * along.step;
    const uint32_t expected = exclusive ? (is_first ? 0 : y[before] + x[before]) : (is_first ? 0 : y[before]) + x[k];
    assert_int_equal(y[k], expected);
  }
}

static double number_at(const ir_tensor *tensor, int64_t at) {
  return tensor->type == IR_F32 ? (double)((const float *)tensor->data)[at] : ((const double *)tensor->data)[at];
}

static void set_number(ir_tensor *tensor, int64_t at, double number) {
  if (tensor->type == IR_F32)
    ((float *)tensor->data)[at] = (float)number;
  else
    ((double *)tensor->data)[at] = number;
}

typedef struct float_case {
  const char *type;
  double start;
  double (*join)(double s, double x);
} float_case;

static double add(double s, double x) {
  return s + x;
}

static double add_square(double s, double x) {
  return s + x * x;
}

/* A NaN wins, and the first of equal elements stays. */
static double greater(double s, double x) {
  return x > s || isnan(x) ? x : s;
}

static double lesser(double s, double x) {
  return x < s || isnan(x) ? x : s;
}

static const float_case float_cases[] = {{"ReduceSum", 0, add},
                                         {"ReduceMean", 0, add},
                                         {"ReduceL2", 0, add_square},
                                         {"ReduceMax", -INFINITY, greater},
                                         {"ReduceMin", INFINITY, lesser}};

/* The elements are small integers, so that all sums are exact. Few are NaN, and many are zeros of both signs. */
static void draw_whole_numbers(ir_tensor *tensor, const char *type) {
  const bool has_nan = one_in(2), is_sum = strstr(type, "Sum") != NULL || strstr(type, "Mean") != NULL;
  const bool is_max = strcmp(type, "ReduceMax") == 0;
  for (int64_t k = 0; k < ir_tensor_elements(tensor); k++) {
    const double size = one_in(3) ? (double)between(0, 9) : 0;
    set_number(tensor, k, has_nan && one_in(500) ? NAN : is_sum ? size : is_max ? -size : one_in(2) ? size : 0 * -size);
  }
}

static void check_floats(const float_case *f, const ir_tensor *in, const bool *folded, const ir_tensor *out) {
  const int64_t n_out = ir_tensor_elements(out), n = ir_tensor_elements(in);
  double *made = calloc((size_t)n_out + 1, sizeof *made);
  assert_non_null(made);
  for (int64_t k = 0; k < n_out; k++)
    made[k] = f->start;
  for (int64_t k = 0; k < n; k++)
    made[group_of(in, folded, k)] = f->join(made[group_of(in, folded, k)], number_at(in, k));
  for (int64_t k = 0; k < n_out && n > 0; k++) {
    const double y = number_at(out, k);
    double expected = made[k];
    if (strcmp(f->type, "ReduceMean") == 0)
      expected /= (double)(n / n_out);
    if (strcmp(f->type, "ReduceL2") == 0)
      expected = sqrt(expected);
    if (in->type == IR_F32)
      expected = (double)(float)expected;
    assert_true(isnan(y) ? isnan(expected) : y == expected && signbit(y) == signbit(expected));
  }
  free(made);
}

static void floats_over_any_axes(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) {
    const float_case *f = &float_cases[i % (int)(sizeof float_cases / sizeof *float_cases)];
    op_case c;
    op_case_begin(&c, f->type, strcmp(f->type, "ReduceL2") == 0 ? "opset4" : "opset1",
                  (const char *const[]){"keep_dims", "true", NULL});
    ir_tensor in[2] = {draw_tensor(&c, one_in(3) ? IR_F64 : IR_F32)};
    draw_whole_numbers(&in[0], f->type);
    bool folded[MOST_RANK];
    int64_t axes[MOST_RANK], n = 0;
    for (int a = 0; a < in[0].rank; a++) {
      folded[a] = one_in(2);
      if (folded[a])
        axes[n++] = a;
    }
    const ir_value list = op_case_list(&c, IR_I64, 1, axes, n);
    in[1] = *list.contents;
    check_floats(f, &in[0], folded, op_case_run(&c, in, 2));
    ir_tensor_release(&in[0]);
    op_case_end(&c);
  }
}

static void running_sums(void **state) {
  (void)state;
  for (int i = 0; i < 400; i++) {
    const bool exclusive = one_in(2), reverse = one_in(2);
    op_case c;
    op_case_begin(
        &c, "CumSum", "opset3",
        (const char *const[]){"exclusive", exclusive ? "true" : "false", "reverse", reverse ? "true" : "false", NULL});
    ir_tensor in[2] = {draw_tensor(&c, IR_U32)};
    const int64_t axis = between(0, in[0].rank - 1);
    const ir_value list = op_case_list(&c, IR_I64, 0, &axis, 1);
    in[1] = *list.contents;
    check_sums(&in[0], op_case_run(&c, in, 2), axis, exclusive, reverse);
    ir_tensor_release(&in[0]);
    op_case_end(&c);
  }
}

/* Quotients of shares are exp(x[k] - x[first]). The differences are up to 16 and rounded by up to 8 * DBL_EPSILON. */
static void check_shares(const ir_tensor *in, const ir_tensor *out, int64_t axis) {
  const double *x = in->data, *y = out->data;
  const line along = line_of(in, axis);
  for (int64_t k = 0; k < ir_tensor_elements(in); k++) {
    const int64_t first = k - k / along.step % along.n * along.step;
    if (k != first) {
      assert_true(fabs(y[k] / y[first] - exp(x[k] - x[first])) <= 32 * DBL_EPSILON * exp(x[k] - x[first]));
      continue;
    }
    double sum = 0;
    for (int64_t i = 0; i < along.n; i++)
      sum += y[first + i * along.step];
    assert_true(fabs(sum - 1) <= (double)along.n * DBL_EPSILON);
  }
}

static void shares_of_one(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    op_case c;
    op_case_begin(&c, "SoftMax", "opset8", (const char *const[]){"axis", "-1", NULL});
    ir_tensor in = draw_tensor(&c, IR_F64);
    check_shares(&in, op_case_run(&c, &in, 1), in.rank - 1);
    op_case_end(&c);
    op_case_begin(&c, "SoftMax", "opset8", (const char *const[]){"axis", "0", NULL});
    check_shares(&in, op_case_run(&c, &in, 1), 0);
    ir_tensor_release(&in);
    op_case_end(&c);
  }
}

/* Exponentials of f32 have an error below 1.1 ulp, in the share and in the sum, and are rounded twice more. */
static void shares_of_floats(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    op_case c;
    op_case_begin(&c, "SoftMax", "opset8", (const char *const[]){"axis", i % 2 == 0 ? "-1" : "0", NULL});
    ir_tensor in = draw_tensor(&c, IR_F32);
    const ir_tensor *out = op_case_run(&c, &in, 1);
    const line along = line_of(&in, i % 2 == 0 ? in.rank - 1 : 0);
    const float *x = in.data, *y = out->data;
    for (int64_t k = 0; k < ir_tensor_elements(&in); k++) {
      const int64_t first = k - k / along.step % along.n * along.step;
      double sum = 0;
      if (k % 16 != 0) /* checks every 16th share, since each needs a sum over the line */
        continue;
      for (int64_t t = 0; t < along.n; t++)
        sum += exp((double)x[first + t * along.step] - (double)x[k]);
      const double between_floats = (double)nextafterf(y[k], INFINITY) - (double)y[k];
      assert_true(fabs((double)y[k] - 1 / sum) <= 4 * between_floats);
    }
    ir_tensor_release(&in);
    op_case_end(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_over_any_axes), cmocka_unit_test(floats_over_any_axes),
                                     cmocka_unit_test(running_sums), cmocka_unit_test(shares_of_one),
                                     cmocka_unit_test(shares_of_floats)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
