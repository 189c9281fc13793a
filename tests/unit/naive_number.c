#include "naive_number.h"
#include <math.h>
#include <string.h>

/* A binary float format: its significant bits, the exponent of the smallest subnormal, and the exponent above the
 * greatest number. */
typedef struct float_format {
  int precision, least, above;
} float_format;

static const float_format formats[IR_TYPE_COUNT] = {
    [IR_F64] = {53, -1074, 1024}, [IR_F32] = {24, -149, 128}, [IR_F16] = {11, -24, 16}, [IR_BF16] = {8, -133, 128}};

bool naive_is_float(ir_type type) {
  return formats[type].precision > 0;
}

static bool is_signed(ir_type type) {
  return type == IR_I8 || type == IR_I16 || type == IR_I32 || type == IR_I64;
}

long double naive_greatest(ir_type type) {
  if (type == IR_BOOLEAN)
    return 1;
  if (!naive_is_float(type))
    return ldexpl(1, ir_type_bits(type) - is_signed(type)) - 1;
  return ldexpl(1, formats[type].above) - ldexpl(1, formats[type].above - formats[type].precision);
}

long double naive_lowest(ir_type type) {
  if (naive_is_float(type))
    return -naive_greatest(type);
  return is_signed(type) ? -ldexpl(1, ir_type_bits(type) - 1) : 0;
}

#define LOAD(c_type)                                                                                                   \
  {                                                                                                                    \
    c_type value;                                                                                                      \
    memcpy(&value, (const char *)data + (size_t)index * sizeof value, sizeof value);                                   \
    return (long double)value;                                                                                         \
  }

long double naive_load(ir_type type, const void *data, int64_t index) {
  switch (type) {
  case IR_F32:
    LOAD(float)
  case IR_F64:
    LOAD(double)
  case IR_F16:
    return ir_f16_to_f32(((const uint16_t *)data)[index]);
  case IR_BF16:
    return ir_bf16_to_f32(((const uint16_t *)data)[index]);
  case IR_I8:
    LOAD(int8_t)
  case IR_I16:
    LOAD(int16_t)
  case IR_I32:
    LOAD(int32_t)
  case IR_I64:
    LOAD(int64_t)
  case IR_U16:
    LOAD(uint16_t)
  case IR_U32:
    LOAD(uint32_t)
  case IR_U64:
    LOAD(uint64_t)
  default:
    LOAD(uint8_t)
  }
}

#define STORE(c_type)                                                                                                  \
  {                                                                                                                    \
    c_type value = (c_type)x;                                                                                          \
    memcpy((char *)data + (size_t)index * sizeof value, &value, sizeof value);                                         \
    return;                                                                                                            \
  }

void naive_store(ir_type type, void *data, int64_t index, long double x) {
  switch (type) {
  case IR_F32:
    STORE(float)
  case IR_F64:
    STORE(double)
  case IR_F16:
    ((uint16_t *)data)[index] = ir_f32_to_f16((float)x);
    return;
  case IR_BF16:
    ((uint16_t *)data)[index] = ir_f32_to_bf16((float)x);
    return;
  case IR_I8:
    STORE(int8_t)
  case IR_I16:
    STORE(int16_t)
  case IR_I32:
    STORE(int32_t)
  case IR_I64:
    STORE(int64_t)
  case IR_U16:
    STORE(uint16_t)
  case IR_U32:
    STORE(uint32_t)
  case IR_U64:
    STORE(uint64_t)
  default:
    STORE(uint8_t)
  }
}

naive_bits naive_bits_of(long double x) {
  return x < 0 ? 0 - (naive_bits)-x : (naive_bits)x;
}

long double naive_wrap(ir_type type, naive_bits bits) {
  naive_bits above = (naive_bits)1 << ir_type_bits(type), kept = bits % above;
  return is_signed(type) && kept >= above / 2 ? -(long double)(above - kept) : (long double)kept;
}

/* Returns the exponent of the last significant bit of a number with the magnitude of x. */
static int last_bit(float_format format, long double x) {
  int exponent;
  frexpl(x, &exponent);
  return exponent - format.precision > format.least ? exponent - format.precision : format.least;
}

long double naive_round(ir_type type, long double x) {
  if (!isfinite(x) || x == 0)
    return x;
  int bit = last_bit(formats[type], x);
  long double nearest = ldexpl(rintl(ldexpl(x, -bit)), bit);
  return fabsl(nearest) > naive_greatest(type) ? copysignl(INFINITY, x) : nearest;
}

long double naive_ulp(ir_type type, long double x) {
  return ldexpl(1, x == 0 ? formats[type].least : last_bit(formats[type], x));
}

bool naive_equal(long double a, long double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  return a == b && signbit(a) == signbit(b);
}
