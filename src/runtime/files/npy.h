/* .npy files, versions 1.0 to 3.0. */
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
  bool swapped;      /* not in this machine's byte order */
  bool column_major; /* Fortran order: the first axis is contiguous */
  int64_t offset;    /* offset of the first byte */
  size_t bytes;
} ir_stored;

/* Reads the header and leaves the reader at the data, which is then all that remains. `wanted`: the type that the model
 * has (it decides bf16 and 8-bit floats), or IR_DYNAMIC. Reports IR505 and IR506; places are bytes of where.source. */
ir_code ir_npy_read_header(ir_byte_reader reader, ir_type wanted, ir_diags *diags, const ir_memory *memory,
                           ir_where where, ir_stored *out_stored);

/* Reports IR210 for a type that .npy cannot store: one whose elements share bytes. */
ir_code ir_npy_check_type(ir_diags *diags, ir_type type);
/* Writes the same bytes as numpy.save. */
bool ir_npy_write(const ir_tensor *tensor, ir_byte_sink sink);
/* Number of bytes that ir_npy_write writes. */
uint64_t ir_npy_bytes(const ir_tensor *tensor);

#endif
