#include "ops/pool/pool_max_first.h"
#include <string.h>

/* The bits of a float type. */
typedef struct float_bits {
  size_t size;
  uint64_t infinity, lowest, lowest_infinity;
} float_bits;

static bool float_bits_of(ir_type type, float_bits *out) {
  static const float_bits f64 = {8, UINT64_C(0x7FF) << 52, 0xFFEFFFFFFFFFFFFF, UINT64_C(0xFFF) << 52},
                          f32 = {4, 0x7F800000, 0xFF7FFFFF, 0xFF800000}, f16 = {2, 0x7C00, 0xFBFF, 0xFC00},
                          bf16 = {2, 0x7F80, 0xFF7F, 0xFF80};
  switch (type) {
  case IR_F64:
    return *out = f64, true;
  case IR_F32:
    return *out = f32, true;
  case IR_F16:
    return *out = f16, true;
  case IR_BF16:
    return *out = bf16, true;
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
  float_bits bits;
} first_row;

/* Whether the window has the lowest number itself. */
static bool has_lowest(const first_row *row, ir_range range) {
  for (int64_t left = ir_walk_taps(row->windows, row->walk); left > 0; left--) {
    const int64_t at = ir_walk_row(row->windows, row->walk) * row->axis->n_in + range.begin;
    for (int64_t t = 0; t < range.count; t++)
      if (bits_at(row->plane, at + t * row->axis->step, row->bits.size) == row->bits.lowest)
        return true;
    ir_walk_next_tap(row->windows, row->walk);
  }
  return false;
}

INLINE void mend_row(const first_row *row, void *out, int64_t at, size_t size) {
  const uint64_t sign = row->bits.lowest_infinity ^ row->bits.infinity;
  if (ir_walk_taps(row->windows, row->walk) == 0)
    return;
  const int64_t first_at = ir_walk_row(row->windows, row->walk) * row->axis->n_in;
  for (int64_t o = 0; o < row->axis->n_out; o++) {
    const ir_range range = ir_windows_range(row->axis, o);
    if (range.count == 0)
      continue;
    uint64_t mended = bits_at(row->plane, first_at + range.begin, size);
    if ((mended & ~sign) <= row->bits.infinity) {
      if (bits_at(out, at + o, size) != row->bits.lowest || has_lowest(row, range))
        continue;
      mended = row->bits.lowest_infinity;
    }
    memcpy((char *)out + (size_t)(at + o) * size, &mended, size);
  }
}

void ir_max_from_first(const ir_windows *windows, ir_type type, const void *in, void *out, int64_t begin, int64_t end) {
  const ir_windows_axis *axis = &windows->axes[windows->n_axes - 1];
  const int64_t plane_in = ir_windows_plane_in(windows), plane_rows = ir_windows_plane_out(windows) / axis->n_out;
  ir_row_walk walk = {.at = {0}};
  first_row row = {.windows = windows, .axis = axis, .walk = &walk};
  if (!float_bits_of(type, &row.bits))
    return;
  for (int64_t a = windows->n_axes - 2, unit = begin; a >= 0; a--) {
    walk.at[a] = unit % windows->axes[a].n_out;
    unit /= windows->axes[a].n_out;
  }
  for (int64_t u = begin; u < end; u++) {
    row.plane = (const char *)in + (size_t)(u / plane_rows * plane_in) * row.bits.size;
    if (row.bits.size == 2)
      mend_row(&row, out, u * axis->n_out, 2);
    else if (row.bits.size == 4)
      mend_row(&row, out, u * axis->n_out, 4);
    else
      mend_row(&row, out, u * axis->n_out, 8);
    ir_walk_next(windows, &walk);
  }
}
