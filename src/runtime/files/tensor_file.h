/* Files of tensors, known by their first bytes: .npy, .npz, or else raw. */
#ifndef IR_TENSOR_FILE_H
#define IR_TENSOR_FILE_H

#include "base/file_type.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include "runtime/files/npz.h"

typedef enum ir_tensor_form { IR_FORM_RAW, IR_FORM_NPY, IR_FORM_NPZ } ir_tensor_form;

typedef struct ir_tensor_file {
  ir_diags *diags;
  const ir_memory *memory;
  ir_tensor_form form;
  const ir_file_type *file_type; /* by its first bytes; or NULL */
  ir_source *source;
  ir_npz *npz; /* of an .npz */
} ir_tensor_file;

/* "-" is stdin. IR701 for what cannot be read, IR505 for a .npy or .npz by name that is none, and for a Git LFS
 * pointer. On failure there is nothing to reset. */
ir_code ir_tensor_file_open(ir_tensor_file *file, ir_diags *diags, const ir_memory *memory, const char *path);
void ir_tensor_file_reset(ir_tensor_file *file);

/* Reads the tensor, of an .npz the one with number `index`. `type` (IR_DYNAMIC: not known) and `shape` are what raw
 * bytes are, and `type` says that "<V2" is bf16 and "<V1" a float of 8 bits; another file tells its own. When its shape
 * cannot be `shape` the tensor is an outline: whoever asked refuses it, and nothing was read or taken for it. The
 * tensor outlives the file. It is mapped and must not be written where the file has its elements row-major in this
 * machine's order, else a copy.
 */
ir_code ir_tensor_file_read(ir_tensor_file *file, int64_t index, ir_type type, const ir_shape *shape,
                            ir_tensor *out_tensor);

/* True when `path` ends in the suffix, ".npy". */
bool ir_has_suffix(const char *path, const char *suffix);

#endif
