/* A file that is written whole or not at all. A regular file, or a new one, is first written unnamed (O_TMPFILE) in the
 * destination folder, so nothing remains if the process is killed, and is named at the commit; symbolic links are
 * followed and the old mode is kept. A file system without unnamed files gets a temporary name beside the destination.
 * Anything that is not a regular file is written in place. */
#ifndef IR_OUT_FILE_H
#define IR_OUT_FILE_H

#include "base/byte_stream.h"
#include "diag/diag.h"
#include "runtime/files/out_link.h"

/* Remembers the first failure: later writes do nothing, and the commit reports it. */
typedef struct ir_out_file {
  ir_diags *diags;
  ir_source *source; /* the file's name for diagnostics */
  int fd;            /* the open file, or -1 */
  int error;         /* errno of the first failure */
  char place[IR_MAX_PATH];
  bool unnamed;                /* `fd` is an unnamed file that still has to get the name `place` */
  char temporary[IR_MAX_PATH]; /* the file to rename to `place`; "": none to rename or delete */
} ir_out_file;

/* Opens the file; `path` "-" is stdout. After a failure there is nothing to discard. */
ir_code ir_out_file_open(ir_out_file *file, ir_diags *diags, const ir_memory *memory, const char *path);
bool ir_out_file_write(ir_out_file *file, const void *data, size_t bytes);
/* Records a failure of the writer itself. */
void ir_out_file_fail(ir_out_file *file, int error);
/* Moves the file to its place, or reports the first failure (IR702, IR703) and discards it. */
ir_code ir_out_file_commit(ir_out_file *file);
/* Commits several files: none is moved before all are complete. If the file system then refuses one, those already
 * moved stay. */
ir_code ir_out_files_commit(ir_out_file *const *files, size_t n);
/* Removes the unfinished file. Does nothing after a commit. */
void ir_out_file_discard(ir_out_file *file);

#endif
