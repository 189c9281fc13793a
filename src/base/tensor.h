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
  void *data; /* row-major, native byte order; 64-byte aligned when ir_tensor_alloc made it */
  size_t bytes;
  bool is_mapped; /* from a file: pages that are given back are read again */
  /* Ends the tensor's hold on `data`; NULL when it is borrowed. */
  void (*release)(struct ir_tensor *tensor);
  const ir_memory *memory; /* for `release` */
  void *base;              /* what `release` gives back: the block, or the start of a mapping */
  size_t base_bytes;
} ir_tensor;

/* Where element `index` lies, of a type of whole bytes. */
static inline void *ir_tensor_at(const ir_tensor *tensor, int64_t index) {
  return (char *)tensor->data + (size_t)index * ir_type_size(tensor->type);
}

/* Elements of the dims; the dims of a tensor are checked when it is made. A dim of 0 gives 0, whatever the others. */
int64_t ir_tensor_elements(const ir_tensor *tensor);
ir_shape ir_tensor_shape(const ir_tensor *tensor);
/* Bytes of a tensor of that type and (known) shape; false when they do not fit a size_t or the type has no byte size.
 */
bool ir_tensor_bytes(ir_type type, const ir_shape *shape, size_t *out_bytes);
/* Sets type, dims and bytes and takes 64-byte aligned memory (uninitialised; of a narrow type 0). False when memory is
 * out, the size overflows, or it is more than is available; then the tensor is empty. */
bool ir_tensor_alloc(ir_tensor *tensor, const ir_memory *memory, ir_type type, const ir_shape *shape);
/* Borrows `data`. */
ir_tensor ir_tensor_borrow(ir_type type, const ir_shape *shape, void *data, size_t bytes);
/* Type and shape alone, of a tensor whose elements nobody will want. */
ir_tensor ir_tensor_outline(ir_type type, const ir_shape *shape);
/* True when the tensor has a shape with elements, but not the elements. */
bool ir_tensor_is_outline(const ir_tensor *tensor);
/* Releases `out`, which is empty or a tensor, and makes it a copy of `from` in memory of its own; false, and then it is
 * empty, where ir_tensor_alloc is. */
bool ir_tensor_copy(const ir_memory *memory, const ir_tensor *from, ir_tensor *out);
/* Accepts NULL and empty tensors; leaves an empty one. */
void ir_tensor_release(ir_tensor *tensor);

/* The bytes of booleans: whether every one is 0 or 1; making 1 of every one that is not 0. */
bool ir_booleans_are_clean(const void *data, size_t n);
void ir_clean_booleans(void *data, size_t n);

/* One element as double (f64 and what fits it exactly), int64_t or uint64_t: for printing, comparing and casting. */
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
/* Prints so that it reads back exactly: %.9g, %.17g, or an integer; "nan", "inf", "-inf". Booleans are 0 and 1. */
const char *ir_number_text(ir_type type, ir_number number, char *buffer, size_t size);
#define IR_NUMBER_TEXT 40

#endif
