/* Reads files of tensors. Their first bytes decide whether they are .npy, .npz or raw. */
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
  const ir_file_type *file_type; /* the known file type with these first bytes; NULL: none */
  ir_source *source;
  ir_npz *npz; /* the open archive of an .npz; else NULL */
} ir_tensor_file;

/* Opens a file; "-" is stdin. Reports IR701 for an unreadable file, and IR505 for a Git LFS pointer or a file whose
 * suffix .npy or .npz is wrong. After a failure, do not reset `file`. */
ir_code ir_tensor_file_open(ir_tensor_file *file, ir_diags *diags, const ir_memory *memory, const char *path);
/* Opens a file of a given form. IR505: it does not begin as one. Any file can be raw. */
ir_code ir_tensor_file_open_as(ir_tensor_file *file, ir_diags *diags, const ir_memory *memory, const char *path,
                               ir_tensor_form form);
void ir_tensor_file_reset(ir_tensor_file *file);

/* Reads a tensor, which outlives the file; `index` selects a member of an .npz. If the stored elements can be used
 * directly, the tensor maps the file and must not be written; else it is a copy.
 *   `type`   type of a raw file; IR_DYNAMIC: unknown. In other files it decides whether "V2" is bf16 and "V1" an
 *            8-bit float
 *   `shape`  shape of a raw file; NULL: unknown. If another file has a different shape, the tensor is an outline
 *            (it has no elements), and the caller reports the difference */
ir_code ir_tensor_file_read(ir_tensor_file *file, int64_t index, ir_type type, const ir_shape *shape,
                            ir_tensor *out_tensor);

/* Whether `path` ends in `suffix`, such as ".npy", and has more before it. */
bool ir_has_suffix(const char *path, const char *suffix);

#endif
