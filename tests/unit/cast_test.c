/* Tests casts between all pairs of stored types against exact arithmetic, and the reports of changed numbers. */
#include "element_types.h"
#include "io_fixture.h"
#include "runtime/tensor/cast.h"

#include <math.h>

/* A tensor of one element. */
typedef struct element {
  ir_tensor tensor;
  unsigned char bytes[8];
} element;

static void element_init(element *e, ir_type type) {
  *e = (element){.tensor = {.type = type, .bytes = ir_type_size(type)}};
  e->tensor.data = e->bytes;
}

static ir_number of_double(double value) {
  return (ir_number){.kind = IR_NUMBER_FLOAT, .f = value};
}

static ir_number of_signed(int64_t value) {
  return (ir_number){.kind = IR_NUMBER_SIGNED, .i = value};
}

static ir_number of_unsigned(uint64_t value) {
  return (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = value};
}

static const char *text_of(const element *e, char *buffer) {
  return ir_number_text(e->tensor.type, ir_tensor_get(&e->tensor, 0), buffer, IR_NUMBER_TEXT);
}

/* ---- one number ---- */

static void test_numbers(void **state) {
  const double two63 = 0x1p63, two64 = 0x1p64;
  const struct {
    ir_number number;
    ir_type type;
    ir_fit fit;
    const char *text;
  } cases[] = {
      {of_double(0.1), IR_F64, IR_FITS, "0.10000000000000001"},
      {of_double(0.1), IR_F32, IR_ROUNDED, "0.100000001"},
      {of_double(0.5), IR_BF16, IR_FITS, "0.5"},
      {of_double(1e300), IR_F32, IR_NO_FIT, "0"},
      {of_double(65519.9), IR_F16, IR_ROUNDED, "65504"},
      {of_double(65520), IR_F16, IR_NO_FIT, "0"},
      {of_double(-1e39), IR_BF16, IR_NO_FIT, "0"},
      {of_double(1e-60), IR_F32, IR_ROUNDED, "0"},
      {of_double(INFINITY), IR_F16, IR_FITS, "inf"},
      {of_double(-INFINITY), IR_BF16, IR_FITS, "-inf"},
      {of_double(NAN), IR_F32, IR_FITS, "nan"},
      {of_double(NAN), IR_F16, IR_FITS, "nan"},
      {of_double(NAN), IR_I32, IR_NO_FIT, "0"},
      {of_double(NAN), IR_BOOLEAN, IR_NO_FIT, "0"},
      {of_double(INFINITY), IR_U64, IR_NO_FIT, "0"},
      {of_double(-0.5), IR_U8, IR_ROUNDED, "0"},
      {of_double(464), IR_F8E4M3, IR_ROUNDED, "448"},
      {of_double(465), IR_F8E4M3, IR_NO_FIT, "0"},
      {of_double(NAN), IR_F8E4M3, IR_FITS, "nan"},
      {of_double(-61440), IR_F8E5M2, IR_NO_FIT, "0"},
      {of_unsigned(7), IR_F4E2M1, IR_ROUNDED, "6"},
      {of_signed(-8), IR_I4, IR_FITS, "-8"},
      {of_double(8), IR_I4, IR_NO_FIT, "0"},
      {of_signed(15), IR_U4, IR_FITS, "15"},
      {of_double(-1), IR_U8, IR_NO_FIT, "0"},
      {of_double(255.9), IR_U8, IR_ROUNDED, "255"},
      {of_double(256), IR_U8, IR_NO_FIT, "0"},
      {of_double(-128.9), IR_I8, IR_ROUNDED, "-128"},
      {of_double(-129), IR_I8, IR_NO_FIT, "0"},
      {of_double(two63), IR_I64, IR_NO_FIT, "0"},
      {of_double(-two63), IR_I64, IR_FITS, "-9223372036854775808"},
      {of_double(two63), IR_U64, IR_FITS, "9223372036854775808"},
      {of_double(two64), IR_U64, IR_NO_FIT, "0"},
      {of_double(nextafter(two64, 0)), IR_U64, IR_FITS, "18446744073709549568"},
      {of_double(1), IR_BOOLEAN, IR_FITS, "1"},
      {of_double(0.5), IR_BOOLEAN, IR_ROUNDED, "0"},
      {of_double(2), IR_BOOLEAN, IR_NO_FIT, "0"},
      {of_double(-0.0), IR_I16, IR_FITS, "0"},
      {of_signed(-1), IR_U64, IR_NO_FIT, "0"},
      {of_signed(-1), IR_BOOLEAN, IR_NO_FIT, "0"},
      {of_signed(INT64_MIN), IR_I64, IR_FITS, "-9223372036854775808"},
      {of_signed(INT64_MIN), IR_I32, IR_NO_FIT, "0"},
      {of_signed(INT64_MIN), IR_F16, IR_NO_FIT, "0"},
      {of_signed(INT64_MIN), IR_BF16, IR_FITS, "-9.22337204e+18"},
      {of_unsigned(UINT64_MAX), IR_I64, IR_NO_FIT, "0"},
      {of_unsigned(UINT64_MAX), IR_F64, IR_ROUNDED, "1.8446744073709552e+19"},
      {of_unsigned((UINT64_C(1) << 53) + 1), IR_F64, IR_ROUNDED, "9007199254740992"},
      {of_unsigned(UINT64_C(3) << 62), IR_F64, IR_FITS, "1.3835058055282164e+19"},
      {of_unsigned(16777217), IR_F32, IR_ROUNDED, "16777216"},
      {of_unsigned(2049), IR_F16, IR_ROUNDED, "2048"},
      {of_unsigned(65519), IR_F16, IR_ROUNDED, "65504"},
      {of_unsigned(65520), IR_F16, IR_NO_FIT, "0"},
      {of_unsigned(257), IR_BF16, IR_ROUNDED, "256"},
      {of_unsigned(0), IR_F32, IR_FITS, "0"},
      /* The number is a tie of the target type plus one much lower bit. Rounding to double first would lose that
       * bit. */
      {of_unsigned((UINT64_C(1) << 63) + (UINT64_C(1) << 39) + 1), IR_F32, IR_ROUNDED, "9.22337314e+18"},
      {of_signed(-(INT64_C(1) << 62) - (INT64_C(1) << 54) - 1), IR_BF16, IR_ROUNDED, "-4.64771482e+18"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    element e;
    char text[IR_NUMBER_TEXT];
    element_init(&e, cases[i].type);
    ir_fit fit = ir_tensor_set(&e.tensor, 0, cases[i].number);
    if (fit != cases[i].fit || strcmp(text_of(&e, text), cases[i].text) != 0)
      fail_msg("case %zu: fit %d, %s; expected %d, %s", i, fit, text, cases[i].fit, cases[i].text);
  }
}

/* ---- every pair of types ---- */

/* Numbers at the limits of all types, and some others. */
static const double probes[] = {
    0,      1,       -1,     2,        0.5,         -0.75,       100,          127,          128,         -128,
    -129,   255,     256,    257,      2049,        32767,       32768,        -32768,       -32769,      65504,
    65520,  65535,   65536,  16777217, 2147483647., 2147483648., -2147483648., -2147483649., 4294967295., 4294967296.,
    0x1p62, -0x1p63, 0x1p63, 0x1p64,   1e30,        -1e300,      INFINITY,     NAN};

static bool is_same(ir_number a, ir_number b) {
  long double x = a.kind == IR_NUMBER_FLOAT    ? (long double)a.f
                  : a.kind == IR_NUMBER_SIGNED ? (long double)a.i
                                               : (long double)a.u;
  long double y = b.kind == IR_NUMBER_FLOAT    ? (long double)b.f
                  : b.kind == IR_NUMBER_SIGNED ? (long double)b.i
                                               : (long double)b.u;
  return x == y || (x != x && y != y);
}

/* Casting a representable number keeps it. If the number is between two numbers of the type, the cast gives the
 * nearest. If it exceeds the type's limits, the cast reports that it does not fit. */
static void test_every_pair(void **state) {
  (void)state;
  for (size_t from = 0; from < N_ELEMENT_TYPES; from++)
    for (size_t to = 0; to < N_ELEMENT_TYPES; to++)
      for (size_t p = 0; p < sizeof probes / sizeof probes[0]; p++) {
        element a, b, back;
        element_init(&a, element_types[from]);
        element_init(&b, element_types[to]);
        element_init(&back, element_types[from]);
        if (ir_tensor_set(&a.tensor, 0, of_double(probes[p])) != IR_FITS)
          continue;
        ir_number number = ir_tensor_get(&a.tensor, 0);
        ir_fit fit = ir_tensor_set(&b.tensor, 0, number);
        ir_number got = ir_tensor_get(&b.tensor, 0);
        if (fit == IR_FITS && !is_same(got, number))
          fail_msg("%s to %s changes %g", ir_type_name(element_types[from]), ir_type_name(element_types[to]),
                   probes[p]);
        if (fit == IR_ROUNDED && is_same(got, number))
          fail_msg("%s to %s keeps %g", ir_type_name(element_types[from]), ir_type_name(element_types[to]), probes[p]);
        if (fit == IR_ROUNDED)
          assert_true(fabs(ir_number_as_double(got) - probes[p]) <= fmax(1, fabs(probes[p]) / 256));
        if (fit == IR_FITS) {
          assert_int_equal(ir_tensor_set(&back.tensor, 0, got), IR_FITS);
          assert_true(is_same(ir_tensor_get(&back.tensor, 0), number));
        }
        if (from == to)
          assert_int_equal(fit, IR_FITS);
      }
}

/* ---- tensors ---- */

static ir_code cast_floats(io_fixture *f, const float *values, int64_t n, ir_type to, ir_tensor *out) {
  ir_shape shape = ir_shape_of(2, (int64_t[]){n / 2, 2});
  ir_tensor from = ir_tensor_borrow(IR_F32, &shape, (void *)(uintptr_t)values, (size_t)n * sizeof *values);
  return ir_tensor_cast(&f->diags, &f->memory, IR504_INPUT_TYPE_DIFFERS, &from, to, (ir_where){.at = IR_NOWHERE}, out);
}

static void test_silent(void **state) {
  io_fixture f;
  ir_tensor out;
  (void)state;
  io_begin(&f);
  assert_int_equal(cast_floats(&f, (float[]){1, -2, 3, 0}, 4, IR_I8, &out), IR_OK);
  io_expect_nothing(&f);
  assert_int_equal(out.type, IR_I8);
  assert_int_equal(out.rank, 2);
  assert_memory_equal(out.data, "\x01\xfe\x03\x00", 4);
  ir_tensor_release(&out);
  io_end(&f);
}

static void test_warns(void **state) {
  io_fixture f;
  ir_tensor out;
  const float values[] = {1, 2, 3, 1.75f, -0.5f, 6};
  (void)state;
  io_begin(&f);
  assert_int_equal(cast_floats(&f, values, 6, IR_I32, &out), IR_OK);
  assert_int_equal(f.diags.first->severity, IR_WARNING);
  assert_int_equal(ir_tensor_get(&out, 3).i, 1);
  io_expect(&f, IR504_INPUT_TYPE_DIFFERS, "rounds 2 of 6 values; the first, at [1,1], from 1.75 to 1");
  ir_tensor_release(&out);
  /* --strict makes the change an error */
  f.diags.strict = true;
  assert_int_equal(cast_floats(&f, values, 6, IR_I32, &out), IR_BAD_DATA);
  assert_null(out.data);
  io_end(&f);
}

static void test_refuses(void **state) {
  io_fixture f;
  ir_tensor out;
  const float values[] = {1, 2.5f, 300, NAN};
  (void)state;
  io_begin(&f);
  assert_int_equal(cast_floats(&f, values, 4, IR_U8, &out), IR_BAD_DATA);
  assert_null(out.data);
  io_expect(&f, IR504_INPUT_TYPE_DIFFERS, "f32 value 300 at [1,0] has no u8");
  assert_int_equal(cast_floats(&f, values, 4, IR_I32, &out), IR_BAD_DATA);
  io_expect(&f, IR504_INPUT_TYPE_DIFFERS, "f32 value nan at [1,1] has no i32");
  assert_int_equal(cast_floats(&f, values, 4, IR_U4, &out), IR_BAD_DATA);
  io_expect(&f, IR504_INPUT_TYPE_DIFFERS, "f32 value 300 at [1,0] has no u4");
  assert_int_equal(cast_floats(&f, values, 4, IR_STRING, &out), IR_BAD_DATA);
  io_expect(&f, IR504_INPUT_TYPE_DIFFERS, "no cast from f32 to string");
  f.state.refuse_at = f.state.n_requests;
  assert_int_equal(cast_floats(&f, values, 4, IR_F64, &out), IR_NO_MEMORY);
  io_expect(&f, IR703_OUT_OF_MEMORY, "");
  io_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers), cmocka_unit_test(test_every_pair), cmocka_unit_test(test_silent),
      cmocka_unit_test(test_warns),   cmocka_unit_test(test_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
