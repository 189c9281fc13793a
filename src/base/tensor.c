#include "base/tensor.h"
#include "base/available_memory.h"
#include "base/low_bit_types.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TENSOR_ALIGNMENT = 64, SMALL_TENSOR = 1024 * 1024 };

int64_t ir_tensor_elements(const ir_tensor *tensor) {
  int64_t elements = 1;
  for (int i = 0; i < tensor->rank; i++)
    if (tensor->dims[i] == 0)
      return 0;
  for (int i = 0; i < tensor->rank; i++)
    if (!ir_mul(elements, tensor->dims[i], &elements))
      return 0;
  return elements;
}

bool ir_tensor_meets(const ir_tensor *tensor, const ir_shape *shape) {
  bool meets = shape->rank == IR_RANK_UNKNOWN || shape->rank == tensor->rank;
  for (int i = 0; i < shape->rank && meets; i++)
    meets = shape->dims[i].lo <= tensor->dims[i] && tensor->dims[i] <= shape->dims[i].hi;
  return meets;
}

ir_shape ir_tensor_shape(const ir_tensor *tensor) {
  return ir_shape_of(tensor->rank, tensor->dims);
}

bool ir_tensor_bytes(ir_type type, const ir_shape *shape, size_t *out_bytes) {
  *out_bytes = 0;
  int64_t elements, bytes;
  if (ir_type_bits(type) == 0 || !ir_shape_elements(shape, &elements) || !ir_packed_bytes(type, elements, &bytes))
    return false;
  *out_bytes = (size_t)bytes;
  return true;
}

static void set_dims(ir_tensor *tensor, ir_type type, const ir_shape *shape) {
  tensor->type = type;
  tensor->rank = shape->rank;
  for (int i = 0; i < shape->rank; i++)
    tensor->dims[i] = shape->dims[i].lo;
}

static void release_block(ir_tensor *tensor) {
  ir_free(tensor->memory, tensor->base);
}

/* Allocates the memory of a tensor whose other members are set. */
static bool take_block(ir_tensor *tensor, const ir_memory *memory, size_t bytes) {
  size_t padded;
  if (__builtin_add_overflow(bytes, TENSOR_ALIGNMENT, &padded))
    return false;
  if (padded > SMALL_TENSOR && padded > ir_available_memory(""))
    return false;
  unsigned char *base = ir_alloc(memory, padded);
  if (base == NULL)
    return false;
  tensor->data = base + (TENSOR_ALIGNMENT - (uintptr_t)base % TENSOR_ALIGNMENT) % TENSOR_ALIGNMENT;
  tensor->bytes = bytes;
  tensor->memory = memory;
  tensor->base = base;
  tensor->base_bytes = padded;
  tensor->release = release_block;
  return true;
}

bool ir_tensor_alloc(ir_tensor *tensor, const ir_memory *memory, ir_type type, const ir_shape *shape) {
  *tensor = (ir_tensor){.data = NULL};
  size_t bytes;
  if (!ir_tensor_bytes(type, shape, &bytes) || !take_block(tensor, memory, bytes))
    return false;
  set_dims(tensor, type, shape);
  if (ir_type_in(type, IR_SET_NARROW))
    memset(tensor->data, 0, bytes); /* the padding bits after the last element must be 0 */
  return true;
}

ir_tensor ir_tensor_outline(ir_type type, const ir_shape *shape) {
  return ir_tensor_borrow(type, shape, NULL, 0);
}

bool ir_tensor_is_outline(const ir_tensor *tensor) {
  return tensor->bytes == 0 && ir_tensor_elements(tensor) > 0;
}

ir_tensor ir_tensor_borrow(ir_type type, const ir_shape *shape, void *data, size_t bytes) {
  ir_tensor tensor = {.data = data, .bytes = bytes};
  set_dims(&tensor, type, shape);
  return tensor;
}

bool ir_tensor_is_aligned(const ir_tensor *tensor) {
  const size_t element = ir_type_size(tensor->type);
  return element == 0 || (uintptr_t)tensor->data % element == 0;
}

bool ir_tensor_align(const ir_memory *memory, ir_tensor *tensor) {
  ir_tensor from = *tensor;
  if (ir_tensor_is_aligned(tensor))
    return true;
  *tensor = (ir_tensor){.data = NULL};
  const bool is_copied = ir_tensor_copy(memory, &from, tensor);
  ir_tensor_release(&from);
  return is_copied;
}

void ir_tensor_release(ir_tensor *tensor) {
  if (tensor == NULL)
    return;
  if (tensor->release != NULL)
    tensor->release(tensor);
  *tensor = (ir_tensor){.data = NULL};
}

static ir_number float_number(double value) {
  return (ir_number){.kind = IR_NUMBER_FLOAT, .f = value};
}

static ir_number signed_number(int64_t value) {
  return (ir_number){.kind = IR_NUMBER_SIGNED, .i = value};
}

static ir_number unsigned_number(uint64_t value) {
  return (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = value};
}

static ir_number narrow_number(ir_type type, unsigned bits) {
  const double number = ir_narrow_number(type, bits);
  if (ir_type_in(type, IR_SET_NARROW_FLOATS))
    return float_number(number);
  return type == IR_I4 ? signed_number((int64_t)number) : unsigned_number(bits);
}

/* The element is copied, because mapped bytes can be unaligned. */
ir_number ir_tensor_get(const ir_tensor *tensor, int64_t index) {
  union {
    float f32;
    double f64;
    uint16_t bits16;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
  } element = {.u64 = 0};
  size_t size = ir_type_size(tensor->type);
  if (ir_type_in(tensor->type, IR_SET_NARROW))
    return narrow_number(tensor->type, ir_narrow_bits(tensor->type, tensor->data, index));
  if (size > 0)
    memcpy(&element, (const unsigned char *)tensor->data + (size_t)index * size, size);
  switch (tensor->type) {
  case IR_F32:
    return float_number((double)element.f32);
  case IR_F64:
    return float_number(element.f64);
  case IR_F16:
    return float_number((double)ir_f16_to_f32(element.bits16));
  case IR_BF16:
    return float_number((double)ir_bf16_to_f32(element.bits16));
  case IR_I8:
    return signed_number(element.i8);
  case IR_I16:
    return signed_number(element.i16);
  case IR_I32:
    return signed_number(element.i32);
  case IR_I64:
    return signed_number(element.i64);
  case IR_U8:
    return unsigned_number(element.u8);
  case IR_U16:
    return unsigned_number(element.u16);
  case IR_U32:
    return unsigned_number(element.u32);
  case IR_U64:
    return unsigned_number(element.u64);
  case IR_BOOLEAN:
    return unsigned_number(element.u8 != 0);
  default: /* unreachable: no tensor has strings */
    return unsigned_number(0);
  }
}

double ir_number_as_double(ir_number number) {
  switch (number.kind) {
  case IR_NUMBER_SIGNED:
    return (double)number.i;
  case IR_NUMBER_UNSIGNED:
    return (double)number.u;
  default:
    return number.f;
  }
}

/* Replaces the locale's decimal point, which can have several bytes, by '.'. */
static void use_plain_point(char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0'; from++) {
    bool is_plain = strchr("0123456789+-e", *from) != NULL;
    if (is_plain)
      *to++ = *from;
    else if (to == text || to[-1] != '.')
      *to++ = '.';
  }
  *to = '\0';
}

const char *ir_number_text(ir_type type, ir_number number, char *buffer, size_t size) {
  char text[IR_NUMBER_TEXT];
  if (number.kind == IR_NUMBER_SIGNED) {
    snprintf(text, sizeof text, "%lld", (long long)number.i);
  } else if (number.kind == IR_NUMBER_UNSIGNED) {
    snprintf(text, sizeof text, "%llu", (unsigned long long)number.u);
  } else if (isnan(number.f) || isinf(number.f)) {
    snprintf(text, sizeof text, "%s", isnan(number.f) ? "nan" : number.f < 0 ? "-inf" : "inf");
  } else {
    snprintf(text, sizeof text, "%.*g", type == IR_F64 ? 17 : 9, number.f);
    use_plain_point(text);
  }
  snprintf(buffer, size, "%s", text);
  return buffer;
}

/* ---- booleans ---- */

bool ir_booleans_are_clean(const void *data, size_t n) {
  const unsigned char *bytes = data;
  unsigned char all = 0;
  for (size_t i = 0; i < n; i++)
    all |= bytes[i];
  return all <= 1;
}

void ir_clean_booleans(void *data, size_t n) {
  unsigned char *bytes = data;
  for (size_t i = 0; i < n; i++)
    bytes[i] = bytes[i] != 0;
}

bool ir_tensor_copy(const ir_memory *memory, const ir_tensor *from, ir_tensor *out) {
  ir_tensor_release(out);
  *out = (ir_tensor){.data = NULL};
  if (!take_block(out, memory, from->bytes))
    return false;
  out->type = from->type;
  out->rank = from->rank;
  memcpy(out->dims, from->dims, (size_t)from->rank * sizeof *out->dims);
  if (from->bytes > 0)
    memcpy(out->data, from->data, from->bytes);
  return true;
}

const ir_tensor *ir_tensor_copy_to_arena(ir_arena *arena, const ir_tensor *from) {
  const ir_shape shape = ir_tensor_shape(from);
  ir_tensor *copy = ir_arena_alloc(arena, sizeof *copy);
  void *data = ir_arena_alloc(arena, from->bytes + 1);
  if (copy == NULL || data == NULL)
    return NULL;
  if (from->bytes > 0)
    memcpy(data, from->data, from->bytes);
  *copy = ir_tensor_borrow(from->type, &shape, data, from->bytes);
  return copy;
}
