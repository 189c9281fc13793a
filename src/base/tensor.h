/* A tensor: element type, dims, and owned or borrowed bytes. */
#ifndef IR_TENSOR_H
#define IR_TENSOR_H

#include "base/arena.h"
#include "base/dtype.h"
#include "base/shape.h"

typedef struct ir_tensor {
  ir_type type;
  int rank;
  int64_t dims[IR_MAX_RANK];
  void *data; /* row-major, native byte order; 64-byte aligned if ir_tensor_alloc allocated it. A constant that lies in
               * its file may be unaligned (ir_tensor_is_aligned) */
  size_t bytes;
  bool is_mapped; /* mapped from a file: released pages can be read again */
  /* Releases `data`; NULL if it is borrowed. */
  void (*release)(struct ir_tensor *tensor);
  const ir_memory *memory; /* the allocator that `release` uses */
  void *base;              /* passed to `release`: the allocated block, or the start of the mapping */
  size_t base_bytes;
} ir_tensor;

/* Address of element `index`, for a type of whole bytes. */
static inline void *ir_tensor_at(const ir_tensor *tensor, int64_t index) {
  return (char *)tensor->data + (size_t)index * ir_type_size(tensor->type);
}

/* Number of elements; the dims were checked when the tensor was made. A dim of 0 gives 0. */
int64_t ir_tensor_elements(const ir_tensor *tensor);
ir_shape ir_tensor_shape(const ir_tensor *tensor);
/* Bytes of a tensor of that type and (known) shape; false if they do not fit a size_t or the type has no byte size. */
bool ir_tensor_bytes(ir_type type, const ir_shape *shape, size_t *out_bytes);
/* Sets type, dims and bytes and allocates 64-byte aligned memory (uninitialised, but 0 for a low-bit type). False when
 * memory is out, the size overflows, or it exceeds the available memory; then the tensor is empty. */
bool ir_tensor_alloc(ir_tensor *tensor, const ir_memory *memory, ir_type type, const ir_shape *shape);
/* Makes a tensor that borrows `data`. */
ir_tensor ir_tensor_borrow(ir_type type, const ir_shape *shape, void *data, size_t bytes);
/* Makes an outline: type and shape without elements. */
ir_tensor ir_tensor_outline(ir_type type, const ir_shape *shape);
/* Whether the tensor is an outline: its shape has elements, but there are no data. */
bool ir_tensor_is_outline(const ir_tensor *tensor);
/* Releases `out`, which is empty or a tensor, and copies `from` to it. On failure, as of ir_tensor_alloc, returns false
 * and leaves it empty. */
bool ir_tensor_copy(const ir_memory *memory, const ir_tensor *from, ir_tensor *out);
/* Whether the data have the alignment of their type. Constants in a file need not have it. */
bool ir_tensor_is_aligned(const ir_tensor *tensor);
/* Replaces data that are not aligned by a copy. On failure, as of ir_tensor_alloc, returns false and leaves an empty
 * tensor. */
bool ir_tensor_align(const ir_memory *memory, ir_tensor *tensor);
/* Releases the tensor and leaves an empty one. Accepts NULL and empty tensors. */
void ir_tensor_release(ir_tensor *tensor);

/* are_clean: whether every byte is 0 or 1; the other function turns every nonzero byte into 1. */
bool ir_booleans_are_clean(const void *data, size_t n);
void ir_clean_booleans(void *data, size_t n);

/* One element as double (f64 and narrower floats), int64_t or uint64_t, for printing, comparing and casting. */
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
/* Prints a number that reads back exactly: %.9g, %.17g, or an integer; "nan", "inf", "-inf". Booleans are 0 and 1. */
const char *ir_number_text(ir_type type, ir_number number, char *buffer, size_t size);
#define IR_NUMBER_TEXT 40

#endif
