/* A tensor: element type, dims, and bytes that it owns or borrows. */
#ifndef IR_TENSOR_H
#define IR_TENSOR_H

#include "base/arena.h"
#include "base/dtype.h"
#include "base/shape.h"

typedef struct ir_tensor {
  ir_type type;
  int rank;
  int64_t dims[IR_MAX_RANK];
  void *data; /* row-major, native byte order. Aligned to 64 bytes if ir_tensor_alloc allocated it. A constant in its
               * file can be unaligned (ir_tensor_is_aligned) */
  size_t bytes;
  bool is_mapped; /* `data` is mapped from a file, so its pages can be released and read again */
  /* Releases `data`. NULL: the tensor borrows `data`. */
  void (*release)(struct ir_tensor *tensor);
  const ir_memory *memory; /* the allocator that `release` uses */
  void *base;              /* for `release`: the allocated block, or the start of the mapping */
  size_t base_bytes;
} ir_tensor;

/* Address of element `index`. The type must fill whole bytes. */
static inline void *ir_tensor_at(const ir_tensor *tensor, int64_t index) {
  return (char *)tensor->data + (size_t)index * ir_type_size(tensor->type);
}

/* Number of elements, 0 if a dim is 0. It fits, because the dims were checked when the tensor was made. */
int64_t ir_tensor_elements(const ir_tensor *tensor);
/* Whether the dims of the tensor lie in the shape. */
bool ir_tensor_meets(const ir_tensor *tensor, const ir_shape *shape);
ir_shape ir_tensor_shape(const ir_tensor *tensor);
/* Bytes of a tensor of this type and known shape. False if they exceed 64 bits, or no tensor can have the type. */
bool ir_tensor_bytes(ir_type type, const ir_shape *shape, size_t *out_bytes);
/* Makes a tensor with memory of its own, aligned to 64 bytes. Its elements are uninitialised, but 0 for a low-bit
 * type. Returns false and an empty tensor if memory is out, or if the size overflows or exceeds the available
 * memory. */
bool ir_tensor_alloc(ir_tensor *tensor, const ir_memory *memory, ir_type type, const ir_shape *shape);
/* Makes a tensor that borrows `data`. */
ir_tensor ir_tensor_borrow(ir_type type, const ir_shape *shape, void *data, size_t bytes);
/* Makes an outline: a tensor with type and shape, but without elements. */
ir_tensor ir_tensor_outline(ir_type type, const ir_shape *shape);
/* Whether the tensor is an outline: its shape has elements, but `data` has none. */
bool ir_tensor_is_outline(const ir_tensor *tensor);
/* Releases `out`, which can be empty, and makes it a copy of `from`. If ir_tensor_alloc fails, returns false and
 * leaves `out` empty. */
bool ir_tensor_copy(const ir_memory *memory, const ir_tensor *from, ir_tensor *out);
/* Copies the tensor and its elements into the arena. NULL if memory is out. */
const ir_tensor *ir_tensor_copy_to_arena(ir_arena *arena, const ir_tensor *from);
/* Whether `data` has the alignment of its type. A constant in its file can be unaligned. */
bool ir_tensor_is_aligned(const ir_tensor *tensor);
/* Replaces unaligned data by a copy. If ir_tensor_alloc fails, returns false and leaves an empty tensor. */
bool ir_tensor_align(const ir_memory *memory, ir_tensor *tensor);
/* Releases the tensor and makes it empty. Does nothing for NULL or an empty tensor. */
void ir_tensor_release(ir_tensor *tensor);

/* Booleans are bytes. ir_booleans_are_clean: whether every byte is 0 or 1. ir_clean_booleans: replaces other bytes
 * by 1. */
bool ir_booleans_are_clean(const void *data, size_t n);
void ir_clean_booleans(void *data, size_t n);

/* One element, for printing, comparing and casting. Each float type becomes a double, signed integers int64_t, and
 * unsigned integers and booleans uint64_t. */
typedef struct ir_number {
  enum { IR_NUMBER_FLOAT, IR_NUMBER_SIGNED, IR_NUMBER_UNSIGNED } kind;
  union {
    double f;
    int64_t i;
    uint64_t u;
  };
} ir_number;
ir_number ir_tensor_get(const ir_tensor *tensor, int64_t index);
double ir_number_as_double(ir_number number);
/* Prints a number so that it reads back exactly: %.17g for f64, %.9g for other floats, or an integer; "nan", "inf",
 * "-inf". Booleans are 0 and 1. */
const char *ir_number_text(ir_type type, ir_number number, char *buffer, size_t size);
#define IR_NUMBER_TEXT 40

#endif
