/* Files of tensors, recognized by their first bytes: .npy, .npz, or else raw. */
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
  const ir_file_type *file_type; /* recognized by its first bytes; or NULL */
  ir_source *source;
  ir_npz *npz; /* if it is an .npz */
} ir_tensor_file;

/* Opens a file; "-" is stdin. Reports IR701 for an unreadable file, IR505 for a Git LFS pointer and for a file named
 * .npy or .npz that is none. After a failure there is nothing to reset. */
ir_code ir_tensor_file_open(ir_tensor_file *file, ir_diags *diags, const ir_memory *memory, const char *path);
void ir_tensor_file_reset(ir_tensor_file *file);

/* Reads a tensor; `index` selects one of an .npz. Raw bytes have `type` (IR_DYNAMIC: not known) and `shape`; `type`
 * also decides what "<V2" (bf16) and "<V1" (an 8-bit float) mean; other files state their own type and shape. If the
 * file's shape does not match `shape`, the tensor is an outline: no elements are read, and the caller refuses it. The
 * tensor outlives the file. If the elements are row-major in this machine's byte order it maps the file and must not be
 * written; else it is a copy. */
ir_code ir_tensor_file_read(ir_tensor_file *file, int64_t index, ir_type type, const ir_shape *shape,
                            ir_tensor *out_tensor);

/* Whether `path` ends in a suffix such as ".npy". */
bool ir_has_suffix(const char *path, const char *suffix);

#endif
