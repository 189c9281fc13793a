/* .npy files, versions 1.0 to 3.0. */
#ifndef IR_NPY_H
#define IR_NPY_H

#include "base/byte_stream.h"
#include "base/tensor.h"
#include "diag/diag.h"

#define IR_NPY_MAGIC "\x93NUMPY"

/* Elements that a file, or a part of it, holds, and how they lie there. */
typedef struct ir_stored {
  ir_type type;
  ir_shape shape;
  bool swapped;      /* not in this machine's byte order */
  bool column_major; /* the first axis runs fastest */
  int64_t offset;    /* of the first byte */
  size_t bytes;
} ir_stored;

/* Reads the header, and leaves the reader at the data, which are then all that is left. `wanted`: what the model has,
 * for bf16 and floats of 8 bits, or IR_DYNAMIC. Reports IR505 and IR506; places are bytes of where.source. */
ir_code ir_npy_read_header(ir_byte_reader reader, ir_type wanted, ir_diags *diags, const ir_memory *memory,
                           ir_where where, ir_stored *out_stored);

/* IR210 for a type of which .npy has no elements: one that shares bytes. */
ir_code ir_npy_check_type(ir_diags *diags, ir_type type);
/* Writes the bytes that numpy.save writes. */
bool ir_npy_write(const ir_tensor *tensor, ir_byte_sink sink);
/* How many ir_npy_write writes. */
uint64_t ir_npy_bytes(const ir_tensor *tensor);

#endif
