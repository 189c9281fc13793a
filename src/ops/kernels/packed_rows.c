#include "ops/kernels/packed_rows.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/products.h"
#include <string.h>

/* ---- groups ---- */

/* Elements of a group that are unpacked by a loop of constant length: it needs no instructions for a part of a vector.
 */
enum { STRETCH = 32 };

/* The function `name`: unpacks groups by unpack(from, begin, n, zero, scale, out), the elements [begin, begin + n) of a
 * group at `from`. Groups are `group_bytes` bytes apart. */
#define UNPACK_GROUPS(name, unpack)                                                                                    \
  IR_LOOP void name##_loop(const void *data, int64_t group_bytes, int64_t n_groups, int64_t group, const float *zeros, \
                           const float *scales, float *out) {                                                          \
    const char *from = data;                                                                                           \
    for (int64_t g = 0; g < n_groups; g++, from += group_bytes, out += group) {                                        \
      int64_t i = 0;                                                                                                   \
      for (; i + STRETCH <= group; i += STRETCH)                                                                       \
        unpack(from, i, STRETCH, zeros[g], scales[g], out);                                                            \
      unpack(from, i, group - i, zeros[g], scales[g], out);                                                            \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name,                                                                                                    \
              (const void *data, int64_t group_bytes, int64_t n_groups, int64_t group, const float *zeros,             \
               const float *scales, float *out),                                                                       \
              (data, group_bytes, n_groups, group, zeros, scales, out))

#define UNPACK_BYTES(name, type)                                                                                       \
  IR_LOOP void name##_part(const void *group, int64_t begin, int64_t n, float zero, float scale, float *out) {         \
    const type *restrict from = (const type *)group + begin;                                                           \
    float *restrict to = out + begin;                                                                                  \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = ((float)from[i] - zero) * scale;                                                                         \
  }                                                                                                                    \
  UNPACK_GROUPS(name, name##_part)

UNPACK_BYTES(unpack_u8, uint8_t)
UNPACK_BYTES(unpack_i8, int8_t)

/* An even element has the low bits of a byte. With `flip` 8, i4 becomes i4 plus 8. */
IR_LOOP void unpack_4_bits(const void *group, int64_t begin, int64_t n, int flip, float zero, float scale, float *out) {
  const uint8_t *restrict from = (const uint8_t *)group + begin / 2;
  float *restrict to = out + begin;
  for (int64_t i = 0; i < n / 2; i++) {
    const int byte = from[i] ^ (flip | flip << 4);
    to[2 * i] = ((float)(byte & 15) - zero) * scale;
    to[2 * i + 1] = ((float)(byte >> 4) - zero) * scale;
  }
}

IR_LOOP void unpack_u4_part(const void *group, int64_t begin, int64_t n, float zero, float scale, float *out) {
  unpack_4_bits(group, begin, n, 0, zero, scale, out);
}
IR_LOOP void unpack_i4_part(const void *group, int64_t begin, int64_t n, float zero, float scale, float *out) {
  unpack_4_bits(group, begin, n, 8, zero, scale, out);
}
UNPACK_GROUPS(unpack_u4, unpack_u4_part)
UNPACK_GROUPS(unpack_i4, unpack_i4_part)

/* Scales groups that are unpacked in place. */
IR_LOOP void scale_part(const void *group, int64_t begin, int64_t n, float zero, float scale, float *out) {
  (void)group;
  for (int64_t i = begin; i < begin + n; i++)
    out[i] = (out[i] - zero) * scale;
}
UNPACK_GROUPS(scale_groups, scale_part)

/* ---- rows ---- */

/* Loads n elements from `begin` on, which need not be the first element of a pack. */
static void load(const ir_elements *elements, int64_t begin, int64_t n, float *out) {
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

void ir_packed_row(const ir_packed_rows *rows, int64_t row, float *scratch, float *out) {
  const int64_t n_groups = rows->k / rows->group, group = rows->group, begin = row * rows->k;
  const ir_type type = rows->weights.type;
  const unsigned char *data = rows->weights.data;
  float *zeros = scratch, *scales = scratch + n_groups;
  ir_packed_groups(rows, row, zeros, scales);
  for (int64_t g = 0; g < n_groups && type == IR_I4; g++)
    zeros[g] += 8; /* unpack_i4 computes integers plus 8 */
  switch (type) {
  case IR_U8:
    unpack_u8(data + begin, group, n_groups, group, zeros, scales, out);
    break;
  case IR_I8:
    unpack_i8(data + begin, group, n_groups, group, zeros, scales, out);
    break;
  case IR_U4:
    unpack_u4(data + begin / 2, group / 2, n_groups, group, zeros, scales, out);
    break;
  case IR_I4:
    unpack_i4(data + begin / 2, group / 2, n_groups, group, zeros, scales, out);
    break;
  default:
    load(&rows->weights, begin, rows->k, out);
    if (rows->has_zeros || rows->has_scales)
      scale_groups(NULL, 0, n_groups, group, zeros, scales, out);
  }
}
