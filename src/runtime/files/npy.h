/* Reads and writes .npy files, versions 1.0 to 3.0. */
#ifndef IR_NPY_H
#define IR_NPY_H

#include "base/byte_stream.h"
#include "base/tensor.h"
#include "diag/diag.h"

#define IR_NPY_MAGIC "\x93NUMPY"

/* How elements are stored in a file, or in a part of it. */
typedef struct ir_stored {
  ir_type type;
  ir_shape shape;
  bool swapped;      /* the byte order is not this machine's */
  bool column_major; /* Fortran order: the first axis is contiguous */
  int64_t offset;    /* offset of the first element's first byte */
  size_t bytes;
} ir_stored;

/* Reads the header, leaves the reader at the first element, and checks that nothing follows the elements. `wanted` is
 * the tensor's type in the model, or IR_DYNAMIC; `wanted` decides whether "V2" is bf16 and "V1" an 8-bit float. Reports
 * IR505 and IR506 at bytes of where.source. */
ir_code ir_npy_read_header(ir_byte_reader reader, ir_type wanted, ir_diags *diags, const ir_memory *memory,
                           ir_where where, ir_stored *out_stored);

/* Reports IR210 if .npy cannot store the type, because its elements share bytes. */
ir_code ir_npy_check_type(ir_diags *diags, ir_type type);
/* Writes the same bytes as numpy.save. */
bool ir_npy_write(const ir_tensor *tensor, ir_byte_sink sink);
/* Number of bytes that ir_npy_write writes. */
uint64_t ir_npy_bytes(const ir_tensor *tensor);

#endif
