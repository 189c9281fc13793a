/* Writes files that appear complete or not at all. Until the commit, a file lies in the destination folder without a
 * name (O_TMPFILE), so a killed process leaves nothing behind. On file systems without O_TMPFILE, it has a temporary
 * name. Symbolic links are followed, and the old mode is kept; devices and FIFOs are written directly. */
#ifndef IR_OUT_FILE_H
#define IR_OUT_FILE_H

#include "base/byte_stream.h"
#include "diag/diag.h"
#include "runtime/files/out_link.h"

/* Keeps the first error; after it, writes do nothing, and the commit reports it. */
typedef struct ir_out_file {
  ir_diags *diags;
  ir_source *source;           /* names the file in diagnostics */
  int fd;                      /* the open file, or -1 */
  int error;                   /* errno of the first failure */
  char place[IR_MAX_PATH];     /* the path of the destination */
  bool unnamed;                /* `fd` is an unnamed file, which gets a name at the commit */
  char temporary[IR_MAX_PATH]; /* path of the temporary file; "": none */
} ir_out_file;

/* Opens the file; `path` "-" is stdout. If this fails, reports the error; do not discard the file. */
ir_code ir_out_file_open(ir_out_file *file, ir_diags *diags, const ir_memory *memory, const char *path);
bool ir_out_file_write(ir_out_file *file, const void *data, size_t bytes);
/* Sets the error that the commit reports, an errno, unless an earlier error is set. */
void ir_out_file_fail(ir_out_file *file, int error);
/* Moves the file to its destination. If a step failed, reports the first error (IR702, IR703) and discards the file. */
ir_code ir_out_file_commit(ir_out_file *file);
/* Commits several files. No file is moved to its destination before all are complete. If a move fails, files that were
 * already moved stay. */
ir_code ir_out_files_commit(ir_out_file *const *files, size_t n);
/* Removes the unfinished file. Does nothing after a commit. */
void ir_out_file_discard(ir_out_file *file);

#endif
