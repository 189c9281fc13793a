/* Tests Abs, ReLU, Add, Multiply and Power in every element type against exact arithmetic. */
#include "element_list.h"
#include "element_types.h"
#include "naive_number.h"
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- expected results ---- */

/* Rounds as irrun computes 16-bit floats: to f32, then to the type. */
static long double in_f32(ir_type type, long double exact) {
  return naive_round(type, naive_round(IR_F32, exact));
}

static long double naive_abs(ir_type type, long double a, long double b) {
  (void)b;
  return naive_is_float(type) ? fabsl(a) : naive_wrap(type, naive_bits_of(fabsl(a)));
}

static long double naive_relu(ir_type type, long double a, long double b) {
  (void)type, (void)b;
  return a <= 0 ? 0 : a;
}

static long double naive_add(ir_type type, long double a, long double b) {
  if (!naive_is_float(type))
    return naive_wrap(type, naive_bits_of(a) + naive_bits_of(b));
  return type == IR_F64 ? (long double)((double)a + (double)b) : in_f32(type, a + b);
}

static long double naive_multiply(ir_type type, long double a, long double b) {
  if (!naive_is_float(type))
    return naive_wrap(type, naive_bits_of(a) * naive_bits_of(b));
  return type == IR_F64 ? (long double)((double)a * (double)b) : in_f32(type, a * b);
}

/* Returns 1 / a modulo 2^128 for an odd a, by Newton's iteration. Each iteration doubles the number of correct bits. */
static naive_bits inverse(naive_bits a) {
  naive_bits x = a;
  for (int i = 0; i < 8; i++)
    x *= 2 - a * x;
  return x;
}

/* Multiplies b times. If b is the type's greatest number, b + 1 is a multiple of the order of every odd a, so a^b is
 * 1 / a. An even a gives 0. */
static long double naive_whole_power(ir_type type, long double a, long double b) {
  naive_bits power = 1;
  if (b < 0 && a == 0)
    return type == IR_I32 ? INT32_MIN : type == IR_I64 ? (long double)INT64_MIN : 0;
  if (b < 0)
    return a == 1 || (a == -1 && fmodl(b, 2) == 0) ? 1 : a == -1 ? -1 : 0;
  if (b > 256 && fmodl(a, 2) == 0)
    return 0;
  if (b > 256) {
    assert_true(b == naive_greatest(type));
    return naive_wrap(type, inverse(naive_bits_of(a)));
  }
  for (int i = 0; i < (int)b; i++)
    power *= naive_bits_of(a);
  return naive_wrap(type, power);
}

static long double naive_power(ir_type type, long double a, long double b) {
  if (!naive_is_float(type))
    return naive_whole_power(type, a, b);
  return naive_round(type, powl(a, b));
}

static long double naive_mod(ir_type type, long double a, long double b) {
  if (naive_is_float(type))
    return fmodl(a, b);
  if (b != 0)
    return fmodl(a, b) + 0.0L; /* an integer has no -0 */
  return type == IR_I32 ? INT32_MIN : type == IR_I64 ? (long double)INT64_MIN : type == IR_U64 ? 0x1p63L : 0;
}

typedef struct op_row {
  const char *name;
  int n_inputs;
  long double (*naive)(ir_type type, long double a, long double b);
} op_row;

static const op_row ops[] = {{"Abs", 1, naive_abs},           {"ReLU", 1, naive_relu}, {"Add", 2, naive_add},
                             {"Multiply", 2, naive_multiply}, {"Mod", 2, naive_mod},   {"Power", 2, naive_power}};
enum { N_OPS = sizeof ops / sizeof ops[0] };

/* Returns whether a result is right. The last bit of an f64 power depends on the C library. Powers of other floats have
 * the documented error (docs/numbers.md). */
static bool agrees(const op_row *op, ir_type type, long double a, long double b, long double got) {
  const long double expected = op->naive(type, a, b);
  if (naive_equal(got, expected))
    return true;
  if (op->naive != naive_power || !naive_is_float(type) || !isfinite(got) || !isfinite(expected))
    return false;
  const long double most_ulp = type == IR_F64 ? 1 : b == -0.5L ? 1.5L : 0.51L;
  return fabsl(got - powl(a, b)) <= most_ulp * naive_ulp(type, expected);
}

/* ---- values ---- */

static element_list values_of(ir_type type) {
  element_list list = {.type = type};
  static const long double small[] = {0, 1, 2, 3, 7, 100};
  static const long double floats[] = {-0.0L, 0.5L, 1 / 3.0L, 1e-3L, 2.5L, 1e-20L, 1e-40L, INFINITY, -INFINITY, NAN};
  for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
    element_list_add(&list, small[i]);
    if (i > 0 && naive_lowest(type) < 0)
      element_list_add(&list, -small[i]);
  }
  element_list_add(&list, naive_lowest(type));
  element_list_add(&list, naive_greatest(type));
  if (naive_is_float(type))
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
      element_list_add(&list, floats[i]);
  else
    element_list_add(&list, naive_greatest(type) - 9);
  return list;
}

/* Makes the list of exponents that naive_whole_power can compute. */
static element_list exponents_of(ir_type type) {
  element_list all = values_of(type), list = {.type = type};
  for (int64_t i = 0; i < all.n; i++) {
    long double x = naive_load(type, all.data, i);
    if (naive_is_float(type) || x <= 256 || x == naive_greatest(type))
      element_list_add(&list, x);
  }
  return list;
}

/* ---- every op with every type ---- */

static void check_output(const model_run *run, const op_row *op, const op_model *c, const element_list *a,
                         const element_list *b) {
  ir_type type = a->type;
  if (run->status != IRRUN_OK)
    fail_msg("%s of %s ends with %d, %s", op->name, ir_type_name(type), (int)run->status, model_run_rules(run));
  irrun_tensor_info out = irrun_tensor_get_info(run->values);
  assert_string_equal(irrun_type_name(out.type), ir_type_name(type));
  int64_t n_b = b == NULL ? 1 : b->n;
  assert_int_equal(out.elements, a->n * n_b);
  for (int64_t i = 0; i < out.elements; i++) {
    long double x = naive_load(type, a->data, i / n_b), y = b == NULL ? 0 : naive_load(type, b->data, i % n_b);
    long double expected = op->naive(type, x, y), got = naive_load(type, out.data, i);
    if (!agrees(op, type, x, y, got))
      fail_msg("%s of %s: %.20Lg and %.20Lg give %.20Lg, expected %.20Lg", c->type, ir_type_name(type), x, y, got,
               expected);
  }
}

/* Inputs a (a column) and b (a row) are broadcast, so that every pair of numbers occurs. */
static void check_type(const op_row *op, ir_type type) {
  element_list a = values_of(type), b = op->naive == naive_power ? exponents_of(type) : a;
  op_model c = {.type = op->name, .n_inputs = op->n_inputs};
  c.inputs[0] = (op_input){.type = type, .rank = 2, .dims = {a.n, 1}, .data = a.data};
  c.inputs[1] = (op_input){.type = type, .rank = 1, .dims = {b.n}, .data = b.data};
  model_run run = op_model_run(&c);
  check_output(&run, op, &c, &a, op->n_inputs > 1 ? &b : NULL);
  model_run_end(&run);
}

static void every_op_computes_every_type(void **state) {
  (void)state;
  for (size_t i = 0; i < N_OPS; i++)
    for (size_t t = 0; t < N_NUMBER_TYPES; t++)
      check_type(&ops[i], element_types[t]);
}

/* A scalar exponent has kernels of its own. They have the errors of the general kernel, and its special cases. */
static void powers_with_one_exponent_have_the_same_errors(void **state) {
  (void)state;
  static const float exponents[] = {0,    1,    2,     3,      4,        5,         -1,  -2,
                                    -3,   0.5f, -0.5f, 1.5f,   -2.5f,    10,        64,  256,
                                    -256, 257,  1e10f, -1e-3f, INFINITY, -INFINITY, NAN, 0x1p-149f};
  const element_list a = values_of(IR_F32);
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    element_list b = {.type = IR_F32};
    element_list_add(&b, exponents[i]);
    op_model c = {.type = "Power", .n_inputs = 2};
    c.inputs[0] = (op_input){.type = IR_F32, .rank = 1, .dims = {a.n}, .data = a.data};
    c.inputs[1] = (op_input){.type = IR_F32, .data = b.data};
    model_run run = op_model_run(&c);
    check_output(&run, &ops[N_OPS - 1], &c, &a, &b);
    model_run_end(&run);
  }
}

/* ---- single rows, with vector and scalar inputs ---- */

/* Computes one row. An input that moves is a vector of N elements: 2, 3, 4.. for a and 1, 2, 3, 1, 2 for b. An input
 * that does not move is a scalar. */
static void check_moves(const op_row *op, ir_type type, bool a_moves, bool b_moves) {
  enum { N = 5 };
  unsigned char a[N * 8], b[N * 8];
  for (int i = 0; i < N; i++) {
    naive_store(type, a, i, i + 2);
    naive_store(type, b, i, (long double)(i % 3) + 1);
  }
  op_model c = {.type = op->name, .n_inputs = 2};
  c.inputs[0] = (op_input){.type = type, .rank = a_moves, .dims = {N}, .data = a};
  c.inputs[1] = (op_input){.type = type, .rank = b_moves, .dims = {N}, .data = b};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  irrun_tensor_info out = irrun_tensor_get_info(run.values);
  assert_int_equal(out.rank, a_moves || b_moves);
  assert_int_equal(out.elements, a_moves || b_moves ? N : 1);
  for (int64_t i = 0; i < out.elements; i++) {
    long double x = a_moves ? (long double)i + 2 : 2, y = b_moves ? (long double)(i % 3) + 1 : 1;
    assert_true(naive_load(type, out.data, i) == op->naive(type, x, y));
  }
  model_run_end(&run);
}

static void scalars_stand_on_either_side(void **state) {
  (void)state;
  for (size_t i = 0; i < N_OPS; i++)
    for (size_t t = 0; t < N_NUMBER_TYPES && ops[i].n_inputs > 1; t++)
      for (int moves = 0; moves < 4; moves++)
        check_moves(&ops[i], element_types[t], (moves & 1) != 0, (moves & 2) != 0);
}

/* ---- literal results ---- */

typedef struct literal {
  const char *op;
  ir_type type;
  long double a, b, expected;
} literal;

static void corners_are_as_written(void **state) {
  (void)state;
  static const literal literals[] = {
      {"Add", IR_I8, 127, 1, -128},
      {"Add", IR_U8, 255, 1, 0},
      {"Add", IR_I64, (long double)INT64_MAX, 1, (long double)INT64_MIN},
      {"Add", IR_F32, 16777216, 1, 16777216},
      {"Add", IR_F16, 65504, 16, INFINITY},
      {"Add", IR_F16, 2048, 1, 2048},
      {"Add", IR_BF16, 256, 3, 260},
      {"Add", IR_F32, INFINITY, -INFINITY, NAN},
      {"Multiply", IR_I16, 300, 300, 24464},
      {"Multiply", IR_U16, 65535, 65535, 1},
      {"Multiply", IR_U32, 65536, 65536, 0},
      {"Multiply", IR_I64, (long double)INT64_MIN, -1, (long double)INT64_MIN},
      {"Multiply", IR_F64, 1e-300L, 1e-300L, 0},
      {"Power", IR_I8, 2, 7, -128},
      {"Power", IR_I8, 0, 0, 1},
      {"Power", IR_I8, 0, -1, 0},
      {"Power", IR_I16, 0, -1, 0},
      {"Power", IR_I32, 0, -1, INT32_MIN},
      {"Power", IR_I64, 0, -1, (long double)INT64_MIN},
      {"Power", IR_I32, -1, -3, -1},
      {"Power", IR_I32, -1, INT32_MIN, 1},
      {"Power", IR_I32, 2, -1, 0},
      {"Power", IR_U8, 3, 7, 139},
      {"Power", IR_F32, 0, -1, INFINITY},
      {"Power", IR_F32, -0.0L, -1, -INFINITY},
      {"Power", IR_F32, -8, 0.5L, NAN},
      {"Power", IR_F32, NAN, 0, 1},
      {"Power", IR_F32, 1, NAN, 1},
      {"Power", IR_F16, 2, 16, INFINITY},
      {"Power", IR_BF16, 3, 5, 243},
      {"Abs", IR_I8, -128, 0, -128},
      {"Abs", IR_I32, -7, 0, 7},
      {"Abs", IR_F16, -INFINITY, 0, INFINITY},
      {"Abs", IR_F32, -0.0L, 0, 0},
      {"ReLU", IR_F32, NAN, 0, NAN},
      {"ReLU", IR_F32, -0.0L, 0, 0},
      {"ReLU", IR_BF16, -3, 0, 0},
      {"ReLU", IR_U64, 18446744073709551615.0L, 0, 18446744073709551615.0L},
  };
  for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++) {
    const literal *l = &literals[i];
    uint64_t a, b;
    naive_store(l->type, &a, 0, l->a);
    naive_store(l->type, &b, 0, l->b);
    op_model c = {.type = l->op, .n_inputs = strcmp(l->op, "Abs") == 0 || strcmp(l->op, "ReLU") == 0 ? 1 : 2};
    c.inputs[0] = (op_input){.type = l->type, .data = &a};
    c.inputs[1] = (op_input){.type = l->type, .data = &b};
    model_run run = op_model_run(&c);
    assert_int_equal(run.status, IRRUN_OK);
    const void *out = irrun_tensor_get_info(run.values).data;
    if (!naive_equal(naive_load(l->type, out, 0), l->expected))
      fail_msg("%s of %s: %Lg and %Lg give %.20Lg", l->op, ir_type_name(l->type), l->a, l->b,
               naive_load(l->type, out, 0));
    model_run_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_op_computes_every_type),
      cmocka_unit_test(powers_with_one_exponent_have_the_same_errors),
      cmocka_unit_test(scalars_stand_on_either_side),
      cmocka_unit_test(corners_are_as_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
