/* .npz archives: zip files whose members are .npy files. */
#ifndef IR_NPZ_H
#define IR_NPZ_H

#include "base/byte_stream.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include "runtime/files/out_file.h"

typedef struct ir_npz ir_npz;

/* Whether these are the first bytes of a zip file, possibly one without members. */
bool ir_npz_begins(const unsigned char *bytes, int64_t n);

/* Reads the directory of `source`, which has to outlive the archive. Reports IR505 for archives that NumPy does not
 * write: members that are not .npy, duplicate names, encryption, compression other than deflate. */
ir_code ir_npz_open(ir_source *source, ir_diags *diags, const ir_memory *memory, ir_npz **out_npz);
void ir_npz_free(ir_npz *npz);
int64_t ir_npz_count(const ir_npz *npz);
/* A member's name without ".npy". */
const char *ir_npz_key(const ir_npz *npz, int64_t index);

/* Begins to read a member; only one may be open. `*out_where` names it ("in.npz:key") until the end. After a failure do
 * not call ir_npz_end. */
ir_code ir_npz_begin(ir_npz *npz, int64_t index, ir_byte_reader *out_reader, ir_where *out_where);
/* Reads the rest of the open member. False on failure, which ir_npz_end reports. */
bool ir_npz_pass(ir_npz *npz);
/* Ends the open member. Reports an error of the reader and, if `read_all` says that every byte was read, a wrong
 * checksum. */
ir_code ir_npz_end(ir_npz *npz, bool read_all);

/* An archive that is being written. Set `entries` to zero first. */
typedef struct ir_npz_writer {
  ir_out_file *file;
  struct ir_npz_entry *entries;
  size_t n, capacity;
  uint64_t end;
} ir_npz_writer;

/* Writes a tensor uncompressed, with a fixed date; keys must differ. The file remembers a failure; false if there was
 * one. */
bool ir_npz_add(ir_npz_writer *writer, const ir_tensor *tensor, const char *key);
/* Writes the directory that follows the tensors, and releases the writer. */
void ir_npz_end_writing(ir_npz_writer *writer);
/* Writes a whole archive of `n` tensors. */
void ir_npz_write(ir_out_file *file, int64_t n, const ir_tensor *const *tensors, const char *const *keys);

#endif
