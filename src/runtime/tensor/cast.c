#include "runtime/tensor/cast.h"
#include "base/low_bit_types.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- integers ---- */

typedef struct whole {
  bool negative;
  uint64_t magnitude;
} whole;

static whole whole_of(ir_number number) {
  if (number.kind == IR_NUMBER_UNSIGNED)
    return (whole){false, number.u};
  return number.i < 0 ? (whole){true, 0 - (uint64_t)number.i} : (whole){false, (uint64_t)number.i};
}

static void put_bits(ir_tensor *tensor, int64_t index, uint64_t bits) {
  const uint8_t bits8 = (uint8_t)bits;
  const uint16_t bits16 = (uint16_t)bits;
  const uint32_t bits32 = (uint32_t)bits;
  const size_t size = ir_type_size(tensor->type);
  if (ir_type_in(tensor->type, IR_SET_NARROW)) {
    ir_narrow_set_bits(tensor->type, tensor->data, index, (unsigned)bits);
    return;
  }
  const void *element = size == 1   ? (const void *)&bits8
                        : size == 2 ? (const void *)&bits16
                        : size == 4 ? (const void *)&bits32
                                    : &bits;
  memcpy((unsigned char *)tensor->data + (size_t)index * size, element, size);
}

static ir_fit put_whole(ir_tensor *tensor, int64_t index, whole value) {
  const int bits = tensor->type == IR_BOOLEAN ? 1 : ir_type_bits(tensor->type);
  const bool has_sign = ir_type_in(tensor->type, IR_SET_SIGNED | IR_SET(IR_I4));
  const uint64_t most = has_sign ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);
  const uint64_t limit = !value.negative ? most : has_sign ? most + 1 : 0;
  if (value.magnitude > limit)
    return IR_NO_FIT;
  put_bits(tensor, index, value.negative ? 0 - value.magnitude : value.magnitude);
  return IR_FITS;
}

static ir_fit put_truncated(ir_tensor *tensor, int64_t index, double value) {
  const double kept = trunc(value);
  if (!(fabs(kept) < 0x1p64)) /* also for NaN */
    return IR_NO_FIT;
  ir_fit fit = put_whole(tensor, index, (whole){kept < 0, (uint64_t)fabs(kept)});
  return fit == IR_FITS && kept != value ? IR_ROUNDED : fit;
}

/* ---- floats ---- */

static ir_fit put_float(ir_tensor *tensor, int64_t index, double value) {
  double kept = value;
  uint64_t bits = 0;
  float narrow;
  uint16_t half;
  switch (tensor->type) {
  case IR_F32:
    narrow = (float)value;
    kept = (double)narrow;
    bits = ir_f32_bits(narrow);
    break;
  case IR_F16:
    bits = half = ir_f64_to_f16(value);
    kept = (double)ir_f16_to_f32(half);
    break;
  case IR_BF16:
    bits = half = ir_f64_to_bf16(value);
    kept = (double)ir_bf16_to_f32(half);
    break;
  case IR_F64:
    memcpy(&bits, &value, sizeof bits);
    break;
  default:
    bits = ir_narrow_of(tensor->type, value);
    kept = ir_narrow_number(tensor->type, (unsigned)bits);
    break;
  }
  if (!isfinite(kept) && isfinite(value))
    return IR_NO_FIT;
  put_bits(tensor, index, bits);
  return kept == value || isnan(value) ? IR_FITS : IR_ROUNDED;
}

static ir_fit put_whole_as_float(ir_tensor *tensor, int64_t index, whole value) {
  const double odd = ir_u64_to_odd_f64(value.magnitude);
  if (tensor->type != IR_F64)
    return put_float(tensor, index, value.negative ? -odd : odd);
  const double nearest = value.negative ? -(double)value.magnitude : (double)value.magnitude;
  put_float(tensor, index, nearest);
  const int width = value.magnitude == 0 ? 0 : 64 - __builtin_clzll(value.magnitude) - __builtin_ctzll(value.magnitude);
  return width <= 53 ? IR_FITS : IR_ROUNDED;
}

ir_fit ir_tensor_set(ir_tensor *tensor, int64_t index, ir_number number) {
  const bool to_float = ir_type_in(tensor->type, IR_SET_ALL_FLOATS);
  if (number.kind == IR_NUMBER_FLOAT)
    return to_float ? put_float(tensor, index, number.f) : put_truncated(tensor, index, number.f);
  return to_float ? put_whole_as_float(tensor, index, whole_of(number)) : put_whole(tensor, index, whole_of(number));
}

/* ---- tensors ---- */

static const char *index_text(const ir_tensor *tensor, int64_t index, char *buffer, size_t size) {
  int64_t at[IR_MAX_RANK];
  for (int axis = tensor->rank - 1; axis >= 0; axis--) {
    at[axis] = index % tensor->dims[axis];
    index /= tensor->dims[axis];
  }
  ir_shape shape = ir_shape_of(tensor->rank, at);
  return ir_shape_text(&shape, buffer, size);
}

static const char *element_text(const ir_tensor *tensor, int64_t index, char *buffer, size_t size) {
  return ir_number_text(tensor->type, ir_tensor_get(tensor, index), buffer, size);
}

static ir_code report_no_fit(ir_diags *diags, ir_rule rule, const ir_tensor *from, ir_type to, int64_t index,
                             ir_where where) {
  char at[IR_SHAPE_TEXT], value[IR_NUMBER_TEXT];
  index_text(from, index, at, sizeof at);
  element_text(from, index, value, sizeof value);
  ir_code code = ir_report(diags, rule, where, "%s value %s at %s has no %s to be cast to", ir_type_name(from->type),
                           value, at, ir_type_name(to));
  ir_hint(diags, "only values that %s can hold are cast; %s", ir_type_name(to),
          ir_type_in(to, IR_SET_ALL_FLOATS) ? "scale them first" : "clip or scale them first");
  return code;
}

static ir_code report_rounded(ir_diags *diags, ir_rule rule, const ir_tensor *from, const ir_tensor *to, int64_t first,
                              int64_t n_rounded, ir_where where) {
  char at[IR_SHAPE_TEXT], old[IR_NUMBER_TEXT], new[IR_NUMBER_TEXT];
  index_text(from, first, at, sizeof at);
  return ir_report_as(diags, rule, IR_WARNING, where,
                      "the cast from %s to %s rounds %" PRId64 " of %" PRId64
                      " values; the first, at %s, from %s to %s",
                      ir_type_name(from->type), ir_type_name(to->type), n_rounded, ir_tensor_elements(from), at,
                      element_text(from, first, old, sizeof old), element_text(to, first, new, sizeof new));
}

ir_code ir_tensor_cast(ir_diags *diags, const ir_memory *memory, ir_rule rule, const ir_tensor *from, ir_type to,
                       ir_where where, ir_tensor *out_tensor) {
  *out_tensor = (ir_tensor){.data = NULL};
  if (!ir_type_in(from->type, IR_SET_HELD) || !ir_type_in(to, IR_SET_HELD))
    return ir_report(diags, rule, where, "there is no cast from %s to %s", ir_type_name(from->type), ir_type_name(to));
  const int64_t n = ir_tensor_elements(from);
  int64_t n_rounded = 0, first = 0;
  ir_code code = IR_OK;
  ir_shape shape = ir_tensor_shape(from);
  if (ir_tensor_is_outline(from)) {
    *out_tensor = ir_tensor_outline(to, &shape);
    return IR_OK;
  }
  if (!ir_tensor_alloc(out_tensor, memory, to, &shape))
    return ir_out_of_memory(diags);
  for (int64_t i = 0; i < n && code == IR_OK; i++) {
    ir_fit fit = ir_tensor_set(out_tensor, i, ir_tensor_get(from, i));
    if (fit == IR_NO_FIT)
      code = report_no_fit(diags, rule, from, to, i, where);
    else if (fit == IR_ROUNDED && n_rounded++ == 0)
      first = i;
  }
  if (code == IR_OK && n_rounded > 0)
    code = report_rounded(diags, rule, from, out_tensor, first, n_rounded, where);
  if (code != IR_OK)
    ir_tensor_release(out_tensor);
  return code;
}
