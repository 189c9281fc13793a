#include "ops/pool/pool_max_first.h"
#include <string.h>

/* The bits of a type: of an integer all are numbers. */
typedef struct extreme_bits {
  size_t size;
  uint64_t infinity, lowest, lowest_infinity;
} extreme_bits;

static bool extreme_bits_of(ir_type type, extreme_bits *out) {
  static const extreme_bits f64 = {8, UINT64_C(0x7FF) << 52, 0xFFEFFFFFFFFFFFFF, UINT64_C(0xFFF) << 52},
                            f32 = {4, 0x7F800000, 0xFF7FFFFF, 0xFF800000}, f16 = {2, 0x7C00, 0xFBFF, 0xFC00},
                            bf16 = {2, 0x7F80, 0xFF7F, 0xFF80}, i8 = {1, UINT64_MAX, 0x80, UINT64_MAX},
                            u8 = {1, UINT64_MAX, 0, UINT64_MAX};
  switch (type) {
  case IR_F64:
    return *out = f64, true;
  case IR_F32:
    return *out = f32, true;
  case IR_F16:
    return *out = f16, true;
  case IR_BF16:
    return *out = bf16, true;
  case IR_I8:
    return *out = i8, true;
  case IR_U8:
    return *out = u8, true;
  default:
    return false;
  }
}

/* Once for each size, which then is known. */
#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t bits_at(const void *elements, int64_t i, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)elements + (size_t)i * size, size);
  return bits;
}

typedef struct first_row {
  const ir_windows *windows;
  const ir_windows_axis *axis;
  const void *plane;
  ir_row_walk *walk;
  extreme_bits bits;
  bool keeps_nan; /* wherever in the window it is */
  const ir_first_indices *indices;
  int64_t plane_at; /* its first element in the input */
} first_row;

INLINE bool is_nan(const first_row *row, uint64_t bits) {
  return (bits & ~(row->bits.lowest_infinity ^ row->bits.infinity)) > row->bits.infinity;
}

/* Position in the plane of the first lowest number of the window, or of its first NaN; -1: there is none. */
static int64_t find(const first_row *row, ir_tap_range range, bool finds_nan) {
  for (int64_t left = ir_walk_taps(row->windows, row->walk); left > 0; left--) {
    const int64_t at = ir_walk_row(row->windows, row->walk) * row->axis->n_in + range.begin;
    for (int64_t t = 0; t < range.count; t++) {
      const uint64_t bits = bits_at(row->plane, at + t * row->axis->step, row->bits.size);
      if (finds_nan ? is_nan(row, bits) : bits == row->bits.lowest)
        return at + t * row->axis->step;
    }
    ir_walk_next_tap(row->windows, row->walk);
  }
  return -1;
}

static void put_index(const ir_first_indices *indices, int64_t at, int64_t place) {
  const int64_t index = place % indices->modulus;
  if (indices->is_i64)
    ((int64_t *)indices->data)[at] = index;
  else
    ((int32_t *)indices->data)[at] = (int32_t)index;
}

INLINE void mend_row(const first_row *row, void *out, int64_t at, size_t size) {
  if (ir_walk_taps(row->windows, row->walk) == 0)
    return;
  const int64_t first_at = ir_walk_row(row->windows, row->walk) * row->axis->n_in;
  for (int64_t o = 0; o < row->axis->n_out; o++) {
    const ir_tap_range range = ir_windows_range(row->axis, o);
    if (range.count == 0)
      continue;
    const int64_t nan_at = row->keeps_nan ? find(row, range, true) : -1;
    int64_t place = nan_at < 0 ? first_at + range.begin : nan_at;
    uint64_t mended = bits_at(row->plane, place, size);
    if (!is_nan(row, mended)) {
      if (bits_at(out, at + o, size) != row->bits.lowest)
        continue;
      const int64_t lowest_at = mended == row->bits.lowest ? place : find(row, range, false);
      mended = lowest_at < 0 ? row->bits.lowest_infinity : row->bits.lowest;
      place = lowest_at < 0 ? place : lowest_at;
    }
    memcpy((char *)out + (size_t)(at + o) * size, &mended, size);
    if (row->indices != NULL)
      put_index(row->indices, at + o, row->plane_at + place);
  }
}

/* ---- planes of numbers ---- */

/* Whether none of n elements is a NaN and none of n_out maxima is the lowest number: then there is nothing to mend.
 * Without their sign numbers are ordered as signed integers, which vectors compare. */
#define PLAIN(type, ordered)                                                                                           \
  static bool is_plain_##type(const extreme_bits *bits, const char *x, int64_t n, const char *out, int64_t n_out) {    \
    const type sign = (type)(bits->lowest_infinity ^ bits->infinity), infinity = (type)bits->infinity;                 \
    const type lowest = (type)bits->lowest;                                                                            \
    type found = 0, e;                                                                                                 \
    for (int64_t i = 0; i < n_out; i++) {                                                                              \
      memcpy(&e, out + i * (int64_t)sizeof e, sizeof e);                                                               \
      found |= (type)(e == lowest);                                                                                    \
    }                                                                                                                  \
    for (int64_t i = 0; i < n && bits->infinity != UINT64_MAX; i++) {                                                  \
      memcpy(&e, x + i * (int64_t)sizeof e, sizeof e);                                                                 \
      found |= (type)((ordered)(e & (type)~sign) > (ordered)infinity);                                                 \
    }                                                                                                                  \
    return found == 0;                                                                                                 \
  }
PLAIN(uint8_t, int8_t)
PLAIN(uint16_t, int16_t)
PLAIN(uint32_t, int32_t)
PLAIN(uint64_t, int64_t)

static bool is_plain(const first_row *row, int64_t n, const void *out, int64_t at, int64_t n_out) {
  const extreme_bits *bits = &row->bits;
  const char *first = (const char *)out + (size_t)at * bits->size;
  return bits->size == 1   ? is_plain_uint8_t(bits, row->plane, n, first, n_out)
         : bits->size == 2 ? is_plain_uint16_t(bits, row->plane, n, first, n_out)
         : bits->size == 4 ? is_plain_uint32_t(bits, row->plane, n, first, n_out)
                           : is_plain_uint64_t(bits, row->plane, n, first, n_out);
}

void ir_max_from_first(const ir_windows *windows, ir_type type, ir_max_start start, const void *in, void *out,
                       const ir_first_indices *indices, int64_t begin, int64_t end) {
  const ir_windows_axis *axis = &windows->axes[windows->n_axes - 1];
  const int64_t plane_in = ir_windows_plane_in(windows), plane_rows = ir_windows_plane_out(windows) / axis->n_out;
  ir_row_walk walk = {.at = {0}};
  first_row row = {
      .windows = windows, .axis = axis, .walk = &walk, .indices = indices, .keeps_nan = start == IR_MAX_OR_NAN};
  if (!extreme_bits_of(type, &row.bits) || (indices == NULL && row.bits.infinity == UINT64_MAX))
    return;
  for (int64_t a = windows->n_axes - 2, unit = begin; a >= 0; a--) {
    walk.at[a] = unit % windows->axes[a].n_out;
    unit /= windows->axes[a].n_out;
  }
  const int64_t plane_out = plane_rows * axis->n_out;
  for (int64_t u = begin; u < end;) {
    row.plane_at = u / plane_rows * plane_in;
    row.plane = (const char *)in + (size_t)row.plane_at * row.bits.size;
    /* A few windows are looked at one by one, unless all their elements have to be read. */
    if (u % plane_rows == 0 && u + plane_rows <= end && (row.keeps_nan || 4 * plane_out >= plane_in) &&
        is_plain(&row, plane_in, out, u * axis->n_out, plane_out)) {
      u += plane_rows;
      continue;
    }
    if (row.bits.size == 1)
      mend_row(&row, out, u * axis->n_out, 1);
    else if (row.bits.size == 2)
      mend_row(&row, out, u * axis->n_out, 2);
    else if (row.bits.size == 4)
      mend_row(&row, out, u * axis->n_out, 4);
    else
      mend_row(&row, out, u * axis->n_out, 8);
    u++;
    ir_walk_next(windows, &walk);
  }
}
