/* Reads and writes .npz archives: zip files whose members are .npy files. */
#ifndef IR_NPZ_H
#define IR_NPZ_H

#include "base/byte_stream.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include "runtime/files/out_file.h"

typedef struct ir_npz ir_npz;

/* Whether a file with these first bytes is a zip file. True for an empty zip file too. */
bool ir_npz_begins(const unsigned char *bytes, int64_t n);

/* Reads the directory of the archive. `source` must outlive the archive. Reports IR505 for archives that NumPy does not
 * write: members that are not .npy, duplicate names, encryption, compression other than deflate. */
ir_code ir_npz_open(ir_source *source, ir_diags *diags, const ir_memory *memory, ir_npz **out_npz);
void ir_npz_free(ir_npz *npz);
int64_t ir_npz_count(const ir_npz *npz);
/* The member's name without ".npy". */
const char *ir_npz_key(const ir_npz *npz, int64_t index);

/* Opens a member for reading; only one can be open. Until ir_npz_end, `*out_where` names the member ("in.npz:key"). If
 * this function fails, do not call ir_npz_end. */
ir_code ir_npz_begin(ir_npz *npz, int64_t index, ir_byte_reader *out_reader, ir_where *out_where);
/* Reads the open member to its end, and drops the bytes; of a member that inflates to more, 64 MiB. Returns whether it
 * came to the end. If a read failed, ir_npz_end reports the fault. */
bool ir_npz_pass(ir_npz *npz);
/* Closes the open member. Reports a fault that its reader met. If `read_all` is true, all bytes were read, and a wrong
 * checksum is reported too. */
ir_code ir_npz_end(ir_npz *npz, bool read_all);

/* An archive that is being written. Set `file`, and set all other members to 0, before the first ir_npz_add. */
typedef struct ir_npz_writer {
  ir_out_file *file;
  struct ir_npz_entry *entries;
  size_t n, capacity;
  uint64_t end;
} ir_npz_writer;

/* Writes a tensor uncompressed, with a fixed date. Keys must differ. False if a write failed; `file` keeps the error.
 */
bool ir_npz_add(ir_npz_writer *writer, const ir_tensor *tensor, const char *key);
/* Writes the directory, which follows the tensors, and frees the writer's memory. */
void ir_npz_end_writing(ir_npz_writer *writer);
/* Writes a complete archive of `n` tensors. */
void ir_npz_write(ir_out_file *file, int64_t n, const ir_tensor *const *tensors, const char *const *keys);

#endif
