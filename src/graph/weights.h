/* The .bin of an IR: mapped on first use, never read whole. */
#ifndef IR_WEIGHTS_H
#define IR_WEIGHTS_H

#include "base/file_type.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include <pthread.h>

typedef struct ir_weights {
  ir_source *source; /* IR_SOURCE_BYTES, for diagnostics; has a file if the .bin exists */
  char *path;
  bool given; /* by --weights: then it must exist */
  bool tried;
  bool present;
  bool is_shifted;               /* all offsets are wrong by the same number: no constant is read */
  bool missing_reported;         /* a missing file is reported once, however many constants it has */
  int error;                     /* errno if it could not be opened */
  const ir_file_type *file_type; /* recognized by its first bytes; or NULL */
  int64_t size;
  uint64_t used_end;          /* end of the last constant so far, even beyond the file */
  int64_t n_outside;          /* number of constants beyond the file */
  ir_where outside;           /* the first of them */
  const unsigned char *bytes; /* the mapping, or NULL before it is mapped; for weights in memory, their bytes */
  const ir_memory *memory;
  pthread_mutex_t lock; /* held while a constant opens and maps the file: several threads may need it first */
} ir_weights;

/* Makes weights from `path`: the user's, or the model's path with its last extension replaced by `.bin`. */
ir_weights *ir_weights_create(const ir_memory *memory, const char *path, bool given);
/* Makes weights from memory, which has to outlive them; they count as given by the user. NULL when memory is out. */
ir_weights *ir_weights_of_bytes(const ir_memory *memory, const char *name, const void *bytes, size_t size);
/* Makes the path of the .bin beside a model file; NULL when memory is out. The caller frees it. */
char *ir_weights_path_beside(const ir_memory *memory, const char *model_path);
void ir_weights_free(ir_weights *weights);
/* Finds the file's size. True if it exists, is a regular file, and its first bytes match no other file type. Reports
 * nothing. */
bool ir_weights_open(ir_weights *weights);
/* Whether it is certainly another kind of file, which counts as absent. */
bool ir_weights_are_other(const ir_weights *weights);
/* Describes why it could not be opened or mapped. */
const char *ir_weights_fault(const ir_weights *weights);
/* Bytes [offset, offset + size) of the mapped file; NULL if it cannot be mapped or does not have them. */
const unsigned char *ir_weights_bytes(ir_weights *weights, int64_t offset, int64_t size);

#endif
