/* A file that is written whole or not at all. A regular file, or a new name, is written without a name in the folder of
 * its final place (a symbolic link is followed first, the old file's mode is kept), so that nothing is left of it when
 * the process is killed, and then named; where the file system has no such files, under a temporary name beside it.
 * Anything else is written in place. */
#ifndef IR_OUT_FILE_H
#define IR_OUT_FILE_H

#include "base/byte_stream.h"
#include "diag/diag.h"
#include "runtime/files/out_link.h"

/* The first failure stays: what is written after it does nothing, and the commit reports it. */
typedef struct ir_out_file {
  ir_diags *diags;
  ir_source *source; /* for diagnostics */
  int fd;            /* that is written to, or -1 */
  int error;         /* errno of the first failure */
  char place[IR_MAX_PATH];
  bool unnamed;                /* `fd` is a file that still has to get the name `place` */
  char temporary[IR_MAX_PATH]; /* what is renamed to `place`; "" when there is nothing to rename or delete */
} ir_out_file;

/* `path` "-" is stdout. On failure there is nothing to discard. */
ir_code ir_out_file_open(ir_out_file *file, ir_diags *diags, const ir_memory *memory, const char *path);
bool ir_out_file_write(ir_out_file *file, const void *data, size_t bytes);
/* A failure that the writer met elsewhere. */
void ir_out_file_fail(ir_out_file *file, int error);
/* Puts the file in its place, or reports the first failure (IR702, IR703) and discards it. */
ir_code ir_out_file_commit(ir_out_file *file);
/* The same of several: none is put in its place before all are complete. When the file system refuses a place after
 * that, the files before keep theirs. */
ir_code ir_out_files_commit(ir_out_file *const *files, size_t n);
/* Leaves no file behind. Does nothing after a commit. */
void ir_out_file_discard(ir_out_file *file);

#endif
