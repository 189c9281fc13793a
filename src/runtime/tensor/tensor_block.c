#include "runtime/tensor/tensor_block.h"
#include "base/low_bit_types.h"

#include <math.h>
#include <string.h>

/* Sets out[i] to `expression` of each element `item`. Loads by memcpy, because data can be unaligned, and floats are
 * read as integers too. */
#define EACH(item_type, out, expression)                                                                               \
  do {                                                                                                                 \
    const unsigned char *bytes = (const unsigned char *)tensor->data + (size_t)first * sizeof(item_type);              \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      item_type item;                                                                                                  \
      memcpy(&item, bytes + (size_t)i * sizeof item, sizeof item);                                                     \
      (out)[i] = (expression);                                                                                         \
    }                                                                                                                  \
  } while (0)

void ir_block_values(const ir_tensor *tensor, int64_t first, int64_t n, double *out_values) {
  switch (tensor->type) {
  case IR_F32:
    EACH(float, out_values, (double)item);
    break;
  case IR_F64:
    EACH(double, out_values, item);
    break;
  case IR_F16:
    EACH(uint16_t, out_values, (double)ir_f16_to_f32(item));
    break;
  case IR_BF16:
    EACH(uint16_t, out_values, (double)ir_bf16_to_f32(item));
    break;
  case IR_I8:
    EACH(int8_t, out_values, (double)item);
    break;
  case IR_I16:
    EACH(int16_t, out_values, (double)item);
    break;
  case IR_I32:
    EACH(int32_t, out_values, (double)item);
    break;
  case IR_I64:
    EACH(int64_t, out_values, (double)item);
    break;
  case IR_U8:
    EACH(uint8_t, out_values, (double)item);
    break;
  case IR_U16:
    EACH(uint16_t, out_values, (double)item);
    break;
  case IR_U32:
    EACH(uint32_t, out_values, (double)item);
    break;
  case IR_U64:
    EACH(uint64_t, out_values, (double)item);
    break;
  case IR_BOOLEAN:
    EACH(uint8_t, out_values, item != 0 ? 1.0 : 0.0);
    break;
  default:
    for (int64_t i = 0; i < n; i++)
      out_values[i] = ir_narrow_number(tensor->type, ir_narrow_bits(tensor->type, tensor->data, first + i));
    break;
  }
}

/* Converts sign and magnitude, as in IEEE floats, to a signed integer; `sign` is the mask of the sign bit. */
static int64_t key_of(uint64_t bits, uint64_t sign) {
  int64_t magnitude = (int64_t)(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

/* The key (see load_keys) of an element of a low-bit type. Without the sign, its codes sort like its numbers. */
static int64_t narrow_key(ir_type type, unsigned bits) {
  const bool has_sign = ir_type_in(type, IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2) | IR_SET(IR_F4E2M1));
  return has_sign        ? key_of(bits, UINT64_C(1) << (ir_type_bits(type) - 1))
         : type == IR_I4 ? (int64_t)ir_narrow_number(type, bits)
                         : (int64_t)bits;
}

/* Loads elements as keys: integers that sort like the values, where neighbouring representable values differ by 1. Keys
 * of u64 are 2^63 less than the values. */
static void load_keys(const ir_tensor *tensor, int64_t first, int64_t n, int64_t *out_keys) {
  const uint64_t top = UINT64_C(1) << 63;
  switch (tensor->type) {
  case IR_F32:
    EACH(uint32_t, out_keys, key_of(item, UINT64_C(1) << 31));
    break;
  case IR_F64:
    EACH(uint64_t, out_keys, key_of(item, top));
    break;
  case IR_F16:
  case IR_BF16:
    EACH(uint16_t, out_keys, key_of(item, UINT64_C(1) << 15));
    break;
  case IR_I8:
    EACH(int8_t, out_keys, item);
    break;
  case IR_I16:
    EACH(int16_t, out_keys, item);
    break;
  case IR_I32:
    EACH(int32_t, out_keys, item);
    break;
  case IR_I64:
    EACH(int64_t, out_keys, item);
    break;
  case IR_U8:
    EACH(uint8_t, out_keys, item);
    break;
  case IR_U16:
    EACH(uint16_t, out_keys, item);
    break;
  case IR_U32:
    EACH(uint32_t, out_keys, item);
    break;
  case IR_U64:
    EACH(uint64_t, out_keys, (int64_t)(item ^ top));
    break;
  case IR_BOOLEAN:
    EACH(uint8_t, out_keys, item != 0);
    break;
  default:
    for (int64_t i = 0; i < n; i++)
      out_keys[i] = narrow_key(tensor->type, ir_narrow_bits(tensor->type, tensor->data, first + i));
    break;
  }
}

bool ir_block_same_bytes(const ir_tensor *a, const ir_tensor *b, int64_t first, int64_t n) {
  const unsigned char *x = a->data, *y = b->data;
  int64_t begin, bytes;
  ir_packed_bytes(a->type, first, &begin);
  ir_packed_bytes(a->type, n, &bytes);
  return n == 0 || x == y || memcmp(x + begin, y + begin, (size_t)bytes) == 0;
}

static uint64_t distance(int64_t a, int64_t b) {
  return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static double double_not_below(uint64_t x) {
  double rounded = (double)x;
  return rounded < 0x1p64 && (uint64_t)rounded < x ? nextafter(rounded, INFINITY) : rounded;
}

void ir_pair_block_load(const ir_tensor *got, const ir_tensor *expected, int64_t first, int64_t n,
                        ir_pair_block *out_block) {
  int64_t got_keys[IR_BLOCK], expected_keys[IR_BLOCK];
  load_keys(got, first, n, got_keys);
  load_keys(expected, first, n, expected_keys);
  ir_block_values(got, first, n, out_block->got);
  ir_block_values(expected, first, n, out_block->expected);
  bool floats = ir_type_in(got->type, IR_SET_ALL_FLOATS);
  for (int64_t i = 0; i < n; i++) {
    double a = out_block->got[i], b = out_block->expected[i];
    uint64_t steps = distance(got_keys[i], expected_keys[i]);
    out_block->finite[i] = isfinite(a) && isfinite(b);
    out_block->steps[i] = steps;
    out_block->gap[i] = floats ? fabs(a - b) : double_not_below(steps);
  }
}
