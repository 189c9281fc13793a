#include "ops/kernels/packed_rows.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/products.h"
#include <string.h>

/* ---- groups ---- */

/* The function `name`: unpacks groups of one byte an element. */
#define UNPACK_BYTES(name, type)                                                                                       \
  IR_LOOP void name##_loop(const void *data, int64_t n_groups, int64_t group, const float *zeros, const float *scales, \
                           float *out) {                                                                               \
    const type *from = data;                                                                                           \
    for (int64_t g = 0; g < n_groups; g++, from += group, out += group) {                                              \
      const float zero = zeros[g], scale = scales[g];                                                                  \
      for (int64_t i = 0; i < group; i++)                                                                              \
        out[i] = ((float)from[i] - zero) * scale;                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(                                                                                                         \
      name, (const void *data, int64_t n_groups, int64_t group, const float *zeros, const float *scales, float *out),  \
      (data, n_groups, group, zeros, scales, out))

UNPACK_BYTES(unpack_u8, uint8_t)
UNPACK_BYTES(unpack_i8, int8_t)

/* Unpacks groups of u4: an even element has the low bits of a byte. With `flip` 8, of i4 plus 8. */
IR_LOOP void unpack_4_bits_loop(const uint8_t *from, int flip, int64_t n_groups, int64_t group, const float *zeros,
                                const float *scales, float *out) {
  for (int64_t g = 0; g < n_groups; g++, from += group / 2, out += group) {
    const float zero = zeros[g], scale = scales[g];
    for (int64_t i = 0; i < group / 2; i++) {
      const int byte = from[i] ^ (flip | flip << 4);
      out[2 * i] = ((float)(byte & 15) - zero) * scale;
      out[2 * i + 1] = ((float)(byte >> 4) - zero) * scale;
    }
  }
}
IR_EACH_ISA(unpack_4_bits,
            (const uint8_t *from, int flip, int64_t n_groups, int64_t group, const float *zeros, const float *scales,
             float *out),
            (from, flip, n_groups, group, zeros, scales, out))

IR_LOOP void scale_groups_loop(int64_t n_groups, int64_t group, const float *zeros, const float *scales, float *out) {
  for (int64_t g = 0; g < n_groups; g++, out += group) {
    const float zero = zeros[g], scale = scales[g];
    for (int64_t i = 0; i < group; i++)
      out[i] = (out[i] - zero) * scale;
  }
}
IR_EACH_ISA(scale_groups, (int64_t n_groups, int64_t group, const float *zeros, const float *scales, float *out),
            (n_groups, group, zeros, scales, out))

/* ---- products of groups ---- */

enum { WORDS = 16, WORD_BITS = 32 }; /* words of a block, in which neighbours lie from the low bits on */

/* Adds the products of groups of codes of `bits` bits and x to WORDS lanes. x is in the order of ir_packed_order. A
 * code is the number of a word's bits after `flip`. */
IR_LOOP void lanes_of_words(const unsigned char *from, const int bits, uint32_t flip, int64_t n_groups, int64_t group,
                            const float *zeros, const float *scales, const float *x, float *lanes) {
  enum { BYTES = WORDS * sizeof(uint32_t) };
  const int n = WORD_BITS / bits, mask = (1 << bits) - 1;
  for (int64_t g = 0; g < n_groups; g++) {
    const float zero = zeros[g], scale = scales[g];
    float sums[WORDS];
    for (int l = 0; l < WORDS; l++)
      sums[l] = 0;
    for (int64_t i = 0; i < group; i += n * WORDS, from += BYTES, x += n * WORDS) {
      uint32_t words[WORDS];
      memcpy(words, from, BYTES);
      for (int l = 0; l < WORDS; l++)
        words[l] ^= flip;
      IR_UNROLL for (int k = 0; k < n; k++) for (int l = 0; l < WORDS; l++) sums[l] +=
          ((float)(int)(words[l] >> bits * k & (unsigned)mask) - zero) * x[WORDS * k + l];
    }
    for (int l = 0; l < WORDS; l++)
      lanes[l] += sums[l] * scale;
  }
}

#define LANES_OF(name, bits)                                                                                           \
  IR_LOOP void name##_loop(const unsigned char *from, uint32_t flip, int64_t n_groups, int64_t group,                  \
                           const float *zeros, const float *scales, const float *x, float *lanes) {                    \
    lanes_of_words(from, bits, flip, n_groups, group, zeros, scales, x, lanes);                                        \
  }                                                                                                                    \
  IR_EACH_ISA(name,                                                                                                    \
              (const unsigned char *from, uint32_t flip, int64_t n_groups, int64_t group, const float *zeros,          \
               const float *scales, const float *x, float *lanes),                                                     \
              (from, flip, n_groups, group, zeros, scales, x, lanes))

LANES_OF(lanes_of_4_bits, 4)
LANES_OF(lanes_of_8_bits, 8)

/* ---- rows ---- */

/* Loads n elements from `begin` on, which need not be the first element of a pack. */
static void load(const ir_elements *elements, int64_t begin, int64_t n, float *out) {
  enum { MOST = IR_PIECE / IR_PACKED_MULTIPLE * IR_PACKED_MULTIPLE };
  const ir_type type = elements->type;
  if (!ir_type_in(type, IR_SET_NARROW)) {
    ir_compute_load(type, (const char *)elements->data + (size_t)begin * ir_type_size(type), IR_COMPUTE_F32, out, n);
    return;
  }
  float loaded[IR_PIECE];
  for (int64_t at = begin - begin % IR_PACKED_MULTIPLE; at < begin + n; at += MOST) {
    const int64_t count = least(MOST, begin + n - at), skipped = most(begin - at, 0);
    const float *from = ir_elements_load(elements, at, count, loaded);
    memcpy(out + (at + skipped - begin), from + skipped, (size_t)(count - skipped) * sizeof *out);
  }
}

static void load_numbers(const ir_group_numbers *numbers, int64_t row, int64_t n_groups, float *out) {
  load(&numbers->elements, row * numbers->row_step, numbers->group_step == 0 ? 1 : n_groups, out);
  for (int64_t g = 1; g < n_groups && numbers->group_step == 0; g++)
    out[g] = out[0];
}

void ir_packed_prefetch(const ir_packed_rows *rows, int64_t row) {
  enum { LINE = 64 };
  const int64_t bits = ir_type_bits(rows->weights.type), bytes = rows->k * bits / 8;
  const char *data = rows->weights.data;
  for (int64_t i = 0; i < bytes && row < rows->n; i += LINE)
    __builtin_prefetch(data + row * bytes + i);
}

const float *ir_packed_in_place(const ir_packed_rows *rows) {
  return ir_packed_are_plain(rows) && (uintptr_t)rows->weights.data % sizeof(float) == 0 ? rows->weights.data : NULL;
}

/* Loads the zero points and scales of a row's groups: 0 and 1 where there are none. Adds `more` to the zero points. */
static void load_groups(const ir_packed_rows *rows, int64_t row, float more, float *zeros, float *scales) {
  const int64_t n_groups = rows->k / rows->group;
  for (int64_t g = 0; g < n_groups; g++) {
    zeros[g] = 0;
    scales[g] = 1;
  }
  if (rows->has_zeros)
    load_numbers(&rows->zeros, row, n_groups, zeros);
  if (rows->has_scales)
    load_numbers(&rows->scales, row, n_groups, scales);
  for (int64_t g = 0; g < n_groups; g++)
    zeros[g] += more;
}

void ir_packed_row(const ir_packed_rows *rows, int64_t row, float *scratch, float *out) {
  const int64_t n_groups = rows->k / rows->group, group = rows->group, begin = row * rows->k;
  const ir_type type = rows->weights.type;
  const unsigned char *data = rows->weights.data;
  float *zeros = scratch, *scales = scratch + n_groups;
  load_groups(rows, row, type == IR_I4 ? 8 : 0, zeros, scales);
  switch (type) {
  case IR_U8:
    unpack_u8(data + begin, n_groups, group, zeros, scales, out);
    break;
  case IR_I8:
    unpack_i8(data + begin, n_groups, group, zeros, scales, out);
    break;
  case IR_U4:
  case IR_I4:
    unpack_4_bits(data + begin / 2, type == IR_I4 ? 8 : 0, n_groups, group, zeros, scales, out);
    break;
  default:
    load(&rows->weights, begin, rows->k, out);
    if (rows->has_zeros || rows->has_scales)
      scale_groups(n_groups, group, zeros, scales, out);
  }
}

/* ---- products of one row ---- */

/* Elements of a block of WORDS words. */
static int64_t block_of(const ir_packed_rows *rows) {
  return WORDS * WORD_BITS / ir_type_bits(rows->weights.type);
}

bool ir_packed_has_lanes(const ir_packed_rows *rows) {
  const uint64_t types = IR_SET(IR_U8) | IR_SET(IR_I8) | IR_SET(IR_U4) | IR_SET(IR_I4);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && ir_type_in(rows->weights.type, types) &&
         rows->group % block_of(rows) == 0;
}

void ir_packed_order(const ir_packed_rows *rows, const float *x, float *ordered) {
  const int64_t block = block_of(rows), n = block / WORDS;
  for (int64_t i = 0; i < rows->k; i += block)
    for (int64_t k = 0; k < n; k++)
      for (int64_t l = 0; l < WORDS; l++)
        ordered[i + k * WORDS + l] = x[i + l * n + k];
}

void ir_packed_lanes(const ir_packed_rows *rows, int64_t row, float *scratch, const float *ordered, float *lanes) {
  const ir_type type = rows->weights.type;
  const bool has_4_bits = ir_type_bits(type) == 4, has_sign = type == IR_I4 || type == IR_I8;
  const int64_t n_groups = rows->k / rows->group;
  const unsigned char *data = (const unsigned char *)rows->weights.data + row * rows->k / (has_4_bits ? 2 : 1);
  float *zeros = scratch, *scales = scratch + n_groups;
  const uint32_t signs = has_4_bits ? 0x88888888 : 0x80808080; /* without their signs, integers become codes */
  load_groups(rows, row, !has_sign ? 0 : has_4_bits ? 8 : 128, zeros, scales);
  memset(lanes, 0, IR_LANES * sizeof *lanes);
  (has_4_bits ? lanes_of_4_bits : lanes_of_8_bits)(data, has_sign ? signs : 0, n_groups, rows->group, zeros, scales,
                                                   ordered, lanes);
}
