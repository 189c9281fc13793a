#include "base/dtype.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct type_row {
  const char *name, *precision;
  const char *more_name; /* another accepted name, or NULL */
  const char *more_precision;
  int bits;
  const char *c_name; /* the name in nGraph; NULL: nGraph lacks the type */
} type_row;

static const type_row rows[] = {
    [IR_DYNAMIC] = {"dynamic", "UNSPECIFIED", "undefined", "undefined", 0, "dynamic"},
    [IR_F32] = {"f32", "FP32", NULL, NULL, 32, "float"},
    [IR_F64] = {"f64", "FP64", NULL, NULL, 64, "double"},
    [IR_F16] = {"f16", "FP16", NULL, NULL, 16, "float16"},
    [IR_BF16] = {"bf16", "BF16", NULL, NULL, 16, "bfloat16"},
    [IR_I8] = {"i8", "I8", NULL, NULL, 8, "int8_t"},
    [IR_I16] = {"i16", "I16", NULL, NULL, 16, "int16_t"},
    [IR_I32] = {"i32", "I32", NULL, NULL, 32, "int32_t"},
    [IR_I64] = {"i64", "I64", NULL, NULL, 64, "int64_t"},
    [IR_U8] = {"u8", "U8", NULL, NULL, 8, "uint8_t"},
    [IR_U16] = {"u16", "U16", NULL, NULL, 16, "uint16_t"},
    [IR_U32] = {"u32", "U32", NULL, NULL, 32, "uint32_t"},
    [IR_U64] = {"u64", "U64", NULL, NULL, 64, "uint64_t"},
    [IR_BOOLEAN] = {"boolean", "BOOL", NULL, NULL, 8, "char"},
    [IR_I4] = {"i4", "I4", NULL, NULL, 4, NULL},
    [IR_U1] = {"u1", "BIN", NULL, "U1", 1, "uint1_t"},
    [IR_U2] = {"u2", "U2", NULL, NULL, 2, NULL},
    [IR_U3] = {"u3", "U3", NULL, NULL, 3, NULL},
    [IR_U4] = {"u4", "U4", NULL, NULL, 4, NULL},
    [IR_U6] = {"u6", "U6", NULL, NULL, 6, NULL},
    [IR_NF4] = {"nf4", "NF4", NULL, NULL, 4, NULL},
    [IR_F8E4M3] = {"f8e4m3", "F8E4M3", NULL, NULL, 8, NULL},
    [IR_F8E5M2] = {"f8e5m2", "F8E5M2", NULL, NULL, 8, NULL},
    [IR_F8E8M0] = {"f8e8m0", "F8E8M0", NULL, NULL, 8, NULL},
    [IR_F4E2M1] = {"f4e2m1", "F4E2M1", NULL, NULL, 4, NULL},
    [IR_STRING] = {"string", "STRING", NULL, NULL, 0, NULL},
};
_Static_assert(sizeof rows / sizeof rows[0] == IR_TYPE_COUNT, "the last type has a row");
_Static_assert(IR_TYPE_COUNT < 64, "a set of types has 64 bits");

const char *ir_type_name(ir_type type) {
  return rows[type].name;
}

const char *ir_type_precision(ir_type type) {
  return rows[type].precision;
}

int ir_type_bits(ir_type type) {
  return rows[type].bits;
}

size_t ir_type_size(ir_type type) {
  return rows[type].bits % 8 == 0 ? (size_t)rows[type].bits / 8 : 0;
}

size_t ir_type_alignment(ir_type type) {
  const size_t size = ir_type_size(type);
  return size > 0 ? size : 1;
}

static bool is_word(const char *word, const char *text, size_t length) {
  return word != NULL && strlen(word) == length && memcmp(word, text, length) == 0;
}

bool ir_type_from_name(const char *text, size_t length, ir_type *out_type) {
  *out_type = IR_DYNAMIC;
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    bool is_name = strlen(rows[i].name) == length && strncasecmp(rows[i].name, text, length) == 0;
    if (is_name || is_word(rows[i].more_name, text, length)) {
      *out_type = (ir_type)i;
      return true;
    }
  }
  return false;
}

bool ir_type_from_c_name(const char *text, size_t length, ir_type *out_type) {
  *out_type = IR_DYNAMIC;
  for (int i = 0; i < IR_TYPE_COUNT; i++)
    if (is_word(rows[i].c_name, text, length) || (rows[i].c_name != NULL && is_word(rows[i].name, text, length))) {
      *out_type = (ir_type)i;
      return true;
    }
  return false;
}

bool ir_type_from_precision(const char *text, size_t length, ir_type *out_type) {
  *out_type = IR_DYNAMIC;
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    const type_row *row = &rows[i];
    if (is_word(row->name, text, length) || is_word(row->precision, text, length) ||
        is_word(row->more_precision, text, length)) {
      *out_type = (ir_type)i;
      return true;
    }
  }
  return false;
}

const char *ir_type_set_text(uint64_t set, char *buffer, size_t size) {
  if ((set & IR_SET_ANY) == IR_SET_ANY || set == 0) {
    snprintf(buffer, size, "%s", set == 0 ? "no type" : "any type");
    return buffer;
  }
  char text[256] = "";
  size_t length = 0;
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    if (!ir_type_in((ir_type)i, set))
      continue;
    bool is_last = (set & IR_SET_ANY) >> i == 1;
    int n = snprintf(text + length, sizeof text - length, "%s%s",
                     length == 0 ? ""
                     : is_last   ? " or "
                                 : ", ",
                     rows[i].name);
    length += (size_t)n;
  }
  snprintf(buffer, size, "%s", text);
  return buffer;
}

/* Rounds to the nearest float with 1 + exponent_bits + mantissa_bits bits, ties to even. The significand is shifted
 * so that 1 is a unit in the last place of the result. A carry from rounding increments the exponent, which turns
 * the largest number into infinity. */
static uint16_t narrow(double value, int exponent_bits, int mantissa_bits) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t top = (1u << exponent_bits) - 1, infinity = top << mantissa_bits;
  const uint32_t sign = (uint32_t)(bits >> 63) << 15;
  const int wide_exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t significand = bits & ((UINT64_C(1) << 52) - 1);
  if (wide_exponent == 0x7ff)
    return (uint16_t)(sign | infinity | (significand != 0 ? 1u << (mantissa_bits - 1) : 0));
  const int exponent = wide_exponent - 1023 + (int)(top >> 1);
  if (exponent >= (int)top)
    return (uint16_t)(sign | infinity);
  /* a subnormal has the scale of exponent 1, but no hidden bit */
  const int shift = 52 - mantissa_bits + (exponent <= 0 ? 1 - exponent : 0);
  if (shift > 53)
    return (uint16_t)sign;
  significand |= UINT64_C(1) << 52;
  uint32_t kept = (uint32_t)(significand >> shift);
  const uint64_t rest = significand & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1) != 0);
  return (uint16_t)(sign | (kept + (exponent > 0 ? (uint32_t)(exponent - 1) << mantissa_bits : 0)));
}

uint16_t ir_f64_to_f16(double value) {
  return narrow(value, 5, 10);
}

uint16_t ir_f64_to_bf16(double value) {
  return narrow(value, 8, 7);
}

/* Rounds to odd: cuts bits beyond 53, and sets the last bit if any bit that was cut is 1. */
double ir_odd_double(bool negative, uint64_t magnitude) {
  const int excess = magnitude >> 53 == 0 ? 0 : 11 - __builtin_clzll(magnitude);
  const uint64_t cut = magnitude & ((UINT64_C(1) << excess) - 1);
  const double value = ldexp((double)(magnitude >> excess | (cut != 0)), excess);
  return negative ? -value : value;
}

int32_t ir_f64_to_i32(double value) {
  return value >= -0x1p31 && value < 0x1p31 ? (int32_t)value : INT32_MIN;
}

int64_t ir_f64_to_i64(double value) {
  return value >= -0x1p63 && value < 0x1p63 ? (int64_t)value : INT64_MIN;
}
