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

/* Unpacks groups of u4: an even element has the low bits of a byte. With `flip` 8, of i4. */
IR_LOOP void unpack_4_bits_loop(const uint8_t *from, int flip, int64_t n_groups, int64_t group, const float *zeros,
                                const float *scales, float *out) {
  for (int64_t g = 0; g < n_groups; g++, from += group / 2, out += group) {
    const float zero = zeros[g], scale = scales[g];
    for (int64_t i = 0; i < group / 2; i++) {
      const int byte = from[i] ^ (flip | flip << 4);
      out[2 * i] = ((float)((byte & 15) - flip) - zero) * scale;
      out[2 * i + 1] = ((float)((byte >> 4) - flip) - zero) * scale;
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

/* ---- rows ---- */

void ir_packed_load(const ir_elements *elements, int64_t begin, int64_t n, float *out) {
  enum { PACK = 8 }; /* a multiple of the elements of each type's pack */
  const ir_type type = elements->type;
  if (!ir_type_in(type, IR_SET_NARROW)) {
    ir_compute_load(type, (const char *)elements->data + (size_t)begin * ir_type_size(type), IR_COMPUTE_F32, out, n);
    return;
  }
  float loaded[IR_PIECE];
  for (int64_t at = begin - begin % PACK; at < begin + n; at += IR_PIECE) {
    const int64_t count = least(IR_PIECE, begin + n - at), skipped = most(begin - at, 0);
    const float *from = ir_elements_load(elements, at, count, loaded);
    memcpy(out + (at + skipped - begin), from + skipped, (size_t)(count - skipped) * sizeof *out);
  }
}

static void load_numbers(const ir_group_numbers *numbers, int64_t row, int64_t n_groups, float *out) {
  ir_packed_load(&numbers->elements, row * numbers->row_step, numbers->group_step == 0 ? 1 : n_groups, out);
  for (int64_t g = 1; g < n_groups && numbers->group_step == 0; g++)
    out[g] = out[0];
}

void ir_packed_set_data(ir_packed_rows *rows, const ir_tensor *const *in) {
  rows->weights.data = in[0]->data;
  rows->zeros.elements.data = rows->has_zeros ? in[1]->data : NULL;
  rows->scales.elements.data = rows->has_scales ? in[1 + rows->has_zeros]->data : NULL;
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

void ir_packed_groups(const ir_packed_rows *rows, int64_t row, float *zeros, float *scales) {
  const int64_t n_groups = rows->k / rows->group;
  if (rows->has_zeros)
    load_numbers(&rows->zeros, row, n_groups, zeros);
  else
    memset(zeros, 0, (size_t)n_groups * sizeof *zeros);
  if (rows->has_scales)
    load_numbers(&rows->scales, row, n_groups, scales);
  for (int64_t g = 0; g < n_groups && !rows->has_scales; g++)
    scales[g] = 1;
}

/* Unpacks n_groups groups of integers. */
static void unpack_integers(ir_type type, const unsigned char *from, int64_t n_groups, int64_t group,
                            const float *zeros, const float *scales, float *out) {
  if (type == IR_U8)
    unpack_u8(from, n_groups, group, zeros, scales, out);
  else if (type == IR_I8)
    unpack_i8(from, n_groups, group, zeros, scales, out);
  else
    unpack_4_bits(from, type == IR_I4 ? 8 : 0, n_groups, group, zeros, scales, out);
}

void ir_packed_row(const ir_packed_rows *rows, int64_t row, float *scratch, float *out) {
  enum { SMALL = 128 }; /* a vector of bytes, twice: loops over groups of fewer elements would have few vectors */
  const int64_t n_groups = rows->k / rows->group, group = rows->group, begin = row * rows->k;
  const ir_type type = rows->weights.type;
  const bool are_integers = ir_type_in(type, IR_SET(IR_U8) | IR_SET(IR_I8) | IR_SET(IR_U4) | IR_SET(IR_I4));
  const unsigned char *from = (const unsigned char *)rows->weights.data + begin * ir_type_bits(type) / 8;
  float *zeros = scratch, *scales = scratch + n_groups;
  ir_packed_groups(rows, row, zeros, scales);
  if (are_integers && group >= SMALL) {
    unpack_integers(type, from, n_groups, group, zeros, scales, out);
    return;
  }
  if (are_integers)
    unpack_integers(type, from, 1, rows->k, &(float){0}, &(float){1}, out);
  else
    ir_packed_load(&rows->weights, begin, rows->k, out);
  if (rows->has_zeros || rows->has_scales)
    scale_groups(n_groups, group, zeros, scales, out);
}
