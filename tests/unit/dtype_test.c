/* Tests element types: their names in files, and every number of the 16-bit floats. */
#include "base/dtype.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

typedef bool (*lookup)(const char *text, size_t length, ir_type *out_type);

static void assert_found(lookup from, const char *text, ir_type expected) {
  ir_type type;
  if (!from(text, strlen(text), &type) || type != expected)
    fail_msg("'%s' is not read as %s", text, ir_type_name(expected));
}

static void assert_refused(lookup from, const char *const *words) {
  for (; *words != NULL; words++) {
    ir_type type;
    if (from(*words, strlen(*words), &type))
      fail_msg("'%s' is read as %s", *words, ir_type_name(type));
    assert_int_equal(type, IR_DYNAMIC);
  }
}

static void make_upper(const char *text, char *out, size_t from) {
  size_t length = strlen(text);
  for (size_t i = 0; i <= length; i++)
    out[i] = i < from ? text[i] : (char)toupper((unsigned char)text[i]);
}

static void attributes_take_short_names_in_any_case(void **state) {
  (void)state;
  char word[16];
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    const char *name = ir_type_name((ir_type)i);
    assert_found(ir_type_from_name, name, (ir_type)i);
    make_upper(name, word, 0);
    assert_found(ir_type_from_name, word, (ir_type)i);
    make_upper(name, word, 1);
    assert_found(ir_type_from_name, word, (ir_type)i);
  }
  assert_found(ir_type_from_name, "undefined", IR_DYNAMIC);
  assert_refused(ir_type_from_name, (const char *const[]){"FP32", "fp16", "BOOL", "bool", "i2", "BIN", "UNSPECIFIED",
                                                          "", " f32", "f32 ", "f3", "f322", "float", "f8", NULL});
}

static void precisions_are_exact_words(void **state) {
  (void)state;
  char word[16];
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    assert_found(ir_type_from_precision, ir_type_name((ir_type)i), (ir_type)i);
    assert_found(ir_type_from_precision, ir_type_precision((ir_type)i), (ir_type)i);
    make_upper(ir_type_name((ir_type)i), word, 1);
    ir_type type;
    bool is_digits = strcmp(word, ir_type_name((ir_type)i)) == 0;
    assert_int_equal(ir_type_from_precision(word, strlen(word), &type), is_digits);
  }
  assert_found(ir_type_from_precision, "FP32", IR_F32);
  assert_found(ir_type_from_precision, "BF16", IR_BF16);
  assert_found(ir_type_from_precision, "BOOL", IR_BOOLEAN);
  assert_found(ir_type_from_precision, "BIN", IR_U1);
  assert_found(ir_type_from_precision, "U1", IR_U1);
  assert_found(ir_type_from_precision, "NF4", IR_NF4);
  assert_found(ir_type_from_precision, "undefined", IR_DYNAMIC);
  assert_found(ir_type_from_precision, "UNSPECIFIED", IR_DYNAMIC);
  assert_refused(ir_type_from_precision, (const char *const[]){"F32", "F16", "F64", "fp32", "Fp32", "Bf16", "BOOLEAN",
                                                               "bool", "Boolean", "DYNAMIC", "UNDEFINED", "unspecified",
                                                               "String", "I2", "", " FP32", "FP3", NULL});
}

static void a_text_need_not_end(void **state) {
  (void)state;
  ir_type type;
  assert_true(ir_type_from_name("f32,f64", 3, &type));
  assert_int_equal(type, IR_F32);
  assert_true(ir_type_from_precision("I64\"", 3, &type));
  assert_int_equal(type, IR_I64);
  assert_false(ir_type_from_precision("FP32", 3, &type));
}

static void sizes_are_whole_bytes_or_none(void **state) {
  (void)state;
  const struct {
    ir_type type;
    int bits;
    size_t size;
  } rows[] = {{IR_F32, 32, 4},   {IR_F64, 64, 8},   {IR_F16, 16, 2},   {IR_BF16, 16, 2},   {IR_I8, 8, 1},
              {IR_I16, 16, 2},   {IR_I32, 32, 4},   {IR_I64, 64, 8},   {IR_U8, 8, 1},      {IR_U16, 16, 2},
              {IR_U32, 32, 4},   {IR_U64, 64, 8},   {IR_I4, 4, 0},     {IR_BOOLEAN, 8, 1}, {IR_U1, 1, 0},
              {IR_U2, 2, 0},     {IR_U3, 3, 0},     {IR_U4, 4, 0},     {IR_U6, 6, 0},      {IR_NF4, 4, 0},
              {IR_F8E4M3, 8, 1}, {IR_F8E5M2, 8, 1}, {IR_F8E8M0, 8, 1}, {IR_F4E2M1, 4, 0},  {IR_STRING, 0, 0},
              {IR_DYNAMIC, 0, 0}};
  assert_int_equal(sizeof rows / sizeof rows[0], IR_TYPE_COUNT);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assert_int_equal(ir_type_bits(rows[i].type), rows[i].bits);
    assert_int_equal(ir_type_size(rows[i].type), rows[i].size);
  }
}

static void sets_are_printed_as_people_say_them(void **state) {
  (void)state;
  char text[256];
  assert_string_equal(ir_type_set_text(IR_SET(IR_F32), text, sizeof text), "f32");
  assert_string_equal(ir_type_set_text(IR_SET(IR_I32) | IR_SET(IR_I64), text, sizeof text), "i32 or i64");
  assert_string_equal(ir_type_set_text(IR_SET_FLOATS, text, sizeof text), "f32, f64, f16 or bf16");
  assert_string_equal(ir_type_set_text(IR_SET_ANY, text, sizeof text), "any type");
  assert_string_equal(ir_type_set_text(0, text, sizeof text), "no type");
  ir_type_set_text(IR_SET_ANY & ~IR_SET(IR_DYNAMIC), text, sizeof text);
  assert_string_equal(text + strlen(text) - 18, ", f4e2m1 or string");
  assert_string_equal(ir_type_set_text(IR_SET_FLOATS, text, 6), "f32, ");
  assert_true(ir_type_in(IR_F16, IR_SET_FLOATS));
  assert_false(ir_type_in(IR_BOOLEAN, IR_SET_NUMBERS));
}

/* ---- 16-bit floats ---- */

/* Computes the number of 16 bits from the definition of a float with `mantissa` bits of fraction. */
static double value_of(uint16_t bits, int mantissa) {
  int exponent_bits = 15 - mantissa, top = (1 << exponent_bits) - 1, bias = top >> 1;
  int exponent = bits >> mantissa & top, fraction = bits & ((1 << mantissa) - 1);
  double sign = bits >> 15 ? -1 : 1;
  if (exponent == top)
    return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0)
    return sign * ldexp(fraction, 1 - bias - mantissa);
  return sign * ldexp(fraction + (1 << mantissa), exponent - bias - mantissa);
}

static bool is_quiet_nan(uint16_t bits, int mantissa) {
  return isnan(value_of(bits, mantissa)) && (bits >> (mantissa - 1) & 1) != 0;
}

typedef struct format {
  int mantissa;
  float (*widen)(uint16_t);
  uint16_t (*from_f32)(float);
  uint16_t (*from_f64)(double);
} format;

static const format formats[] = {{10, ir_f16_to_f32, ir_f32_to_f16, ir_f64_to_f16},
                                 {7, ir_bf16_to_f32, ir_f32_to_bf16, ir_f64_to_bf16}};

static void all_values_widen_and_come_back(void **state) {
  (void)state;
  for (size_t f = 0; f < 2; f++) {
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
      double expected = value_of((uint16_t)bits, formats[f].mantissa);
      float wide = formats[f].widen((uint16_t)bits);
      if (isnan(expected)) {
        assert_true(isnan(wide));
        assert_true(is_quiet_nan(formats[f].from_f32(wide), formats[f].mantissa));
        continue;
      }
      assert_true((double)wide == expected && !signbit(wide) == !signbit(expected));
      assert_int_equal(formats[f].from_f32(wide), bits);
      assert_int_equal(formats[f].from_f64((double)wide), bits);
    }
  }
}

/* Between neighbours a and b, a number below the middle rounds to a, a number above the middle to b. The middle
 * rounds to the neighbour with even bits. */
static void halves_go_to_the_even_neighbour(void **state) {
  (void)state;
  for (size_t f = 0; f < 2; f++) {
    const format *form = &formats[f];
    uint32_t infinity = ((1u << (15 - form->mantissa)) - 1) << form->mantissa;
    for (uint32_t bits = 0; bits < infinity; bits++) {
      double a = value_of((uint16_t)bits, form->mantissa), b = value_of((uint16_t)(bits + 1), form->mantissa);
      if (bits + 1 == infinity)
        b = 2 * a - value_of((uint16_t)(bits - 1), form->mantissa);
      double middle = a / 2 + b / 2;
      uint32_t even = bits % 2 == 0 ? bits : bits + 1;
      for (uint32_t sign = 0; sign < 2; sign++) {
        double s = sign == 0 ? 1 : -1;
        uint32_t high = sign << 15;
        assert_int_equal(form->from_f64(s * middle), high | even);
        assert_int_equal(form->from_f64(s * nextafter(middle, a)), high | bits);
        assert_int_equal(form->from_f64(s * nextafter(middle, b)), high | (bits + 1));
        if ((double)(float)middle == middle) {
          assert_int_equal(form->from_f32((float)(s * middle)), high | even);
          assert_int_equal(form->from_f32((float)s * nextafterf((float)middle, (float)a)), high | bits);
          assert_int_equal(form->from_f32((float)s * nextafterf((float)middle, (float)INFINITY)), high | (bits + 1));
        }
      }
    }
  }
}

static void the_ends_of_the_range(void **state) {
  (void)state;
  assert_int_equal(ir_f64_to_f16(65504), 0x7bff);
  assert_int_equal(ir_f64_to_f16(65520), 0x7c00);
  assert_int_equal(ir_f64_to_f16(-1e300), 0xfc00);
  assert_int_equal(ir_f64_to_f16((double)INFINITY), 0x7c00);
  assert_int_equal(ir_f32_to_f16(-(float)INFINITY), 0xfc00);
  assert_int_equal(ir_f64_to_bf16(DBL_MAX), 0x7f80);
  assert_int_equal(ir_f32_to_bf16(FLT_MAX), 0x7f80);
  assert_int_equal(ir_f64_to_f16(DBL_MIN), 0);
  assert_int_equal(ir_f64_to_f16(-5e-324), 0x8000);
  assert_int_equal(ir_f64_to_bf16(-5e-324), 0x8000);
  assert_int_equal(ir_f64_to_f16(-0.0), 0x8000);
  assert_int_equal(ir_f32_to_bf16(FLT_TRUE_MIN), 0); /* 2^-149; the smallest positive bf16 is 2^-133 */
  assert_true(is_quiet_nan(ir_f64_to_f16((double)NAN), 10));
  assert_true(is_quiet_nan(ir_f64_to_bf16(-(double)NAN), 7));
}

/* A NaN whose payload has only low bits must not become an infinity when these bits are dropped. */
static void a_nan_keeps_being_one(void **state) {
  (void)state;
  uint64_t bits64 = UINT64_C(0x7ff0000000000001);
  uint32_t bits32 = 0x7f800001u;
  double wide;
  float single;
  memcpy(&wide, &bits64, sizeof wide);
  memcpy(&single, &bits32, sizeof single);
  assert_true(is_quiet_nan(ir_f64_to_f16(wide), 10));
  assert_true(is_quiet_nan(ir_f64_to_bf16(wide), 7));
  assert_true(is_quiet_nan(ir_f32_to_f16(single), 10));
  assert_true(is_quiet_nan(ir_f32_to_bf16(single), 7));
}

/* 1 + 2^-11 + 2^-40 is slightly above a tie of f16. Rounding to f32 first would give the tie, which rounds down. */
static void a_double_is_rounded_once(void **state) {
  (void)state;
  double above = 1 + 0x1p-11 + 0x1p-40;
  assert_int_equal(ir_f64_to_f16(above), 0x3c01);
  assert_int_equal(ir_f32_to_f16((float)above), 0x3c00);
  above = 1 + 0x1p-8 + 0x1p-40;
  assert_int_equal(ir_f64_to_bf16(above), 0x3f81);
  assert_int_equal(ir_f32_to_bf16((float)above), 0x3f80);
}

/* Returns the next bits of a linear congruential generator. Read as floats, the bits reach every exponent. */
static uint64_t next_random(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *seed ^ *seed >> 29;
}

static void a_float_is_rounded_as_a_double(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int i = 0; i < 1000000; i++) {
    const uint32_t bits = (uint32_t)(next_random(&seed) >> 32);
    float single;
    memcpy(&single, &bits, sizeof single);
    for (size_t f = 0; f < 2; f++)
      if (isnan(single))
        assert_true(is_quiet_nan(formats[f].from_f32(single), formats[f].mantissa));
      else
        assert_int_equal(formats[f].from_f32(single), formats[f].from_f64((double)single));
  }
}

static void it_agrees_with_the_compiler(void **state) {
  (void)state;
#ifdef __FLT16_MAX__
  uint64_t seed = 7;
  for (int i = 0; i < 200000; i++) {
    uint64_t bits = next_random(&seed);
    uint32_t low = (uint32_t)(bits >> 32);
    float single;
    memcpy(&single, &low, sizeof single);
    /* moves doubles into the range of f16 and beyond its ends: exponents -28 to 18 */
    bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (1023 - 28 + (bits >> 52 & 0x7ff) % 47) << 52;
    double wide;
    memcpy(&wide, &bits, sizeof wide);
    __extension__ _Float16 from_single = (_Float16)single;
    __extension__ _Float16 from_wide = (_Float16)wide;
    uint16_t expected;
    memcpy(&expected, &from_wide, sizeof expected);
    assert_int_equal(ir_f64_to_f16(wide), expected);
    memcpy(&expected, &from_single, sizeof expected);
    if (isnan(single))
      assert_true(is_quiet_nan(ir_f32_to_f16(single), 10));
    else
      assert_int_equal(ir_f32_to_f16(single), expected);
  }
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributes_take_short_names_in_any_case),
      cmocka_unit_test(precisions_are_exact_words),
      cmocka_unit_test(a_text_need_not_end),
      cmocka_unit_test(sizes_are_whole_bytes_or_none),
      cmocka_unit_test(sets_are_printed_as_people_say_them),
      cmocka_unit_test(all_values_widen_and_come_back),
      cmocka_unit_test(halves_go_to_the_even_neighbour),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(a_nan_keeps_being_one),
      cmocka_unit_test(a_double_is_rounded_once),
      cmocka_unit_test(a_float_is_rounded_as_a_double),
      cmocka_unit_test(it_agrees_with_the_compiler),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
