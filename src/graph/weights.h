/* The .bin beside an IR: mapped when first needed, never read whole. */
#ifndef IR_WEIGHTS_H
#define IR_WEIGHTS_H

#include "base/file_type.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include <pthread.h>

typedef struct ir_weights {
  ir_source *source; /* IR_SOURCE_BYTES, for diagnostics; has a file behind it when present */
  char *path;
  bool given; /* by --weights: then it has to exist */
  bool tried;
  bool present;
  bool is_shifted;               /* all offsets are wrong by the same number: nothing is read */
  bool missing_reported;         /* one missing file is one fault, however many constants are in it */
  int error;                     /* errno when not present */
  const ir_file_type *file_type; /* what the file is, or looks like, by its first bytes; or NULL */
  int64_t size;
  uint64_t used_end;          /* end of the last constant seen so far, in the file or not */
  int64_t n_outside;          /* constants that do not lie in the file */
  ir_where outside;           /* the first of them */
  const unsigned char *bytes; /* the mapping, or NULL while not mapped; of weights in memory their own */
  const ir_memory *memory;
  pthread_mutex_t lock; /* for runs of several threads, which may be the first to need them */
} ir_weights;

/* `path` as given by the user, or made from the model's path: its last extension replaced by `.bin`. */
ir_weights *ir_weights_create(const ir_memory *memory, const char *path, bool given);
/* Weights in memory, which have to outlive them; as if given by the user. NULL when memory is out. */
ir_weights *ir_weights_of_bytes(const ir_memory *memory, const char *name, const void *bytes, size_t size);
/* The path beside a model file; NULL when memory is out. The caller frees it. */
char *ir_weights_path_beside(const ir_memory *memory, const char *model_path);
void ir_weights_free(ir_weights *weights);
/* Finds the file's size. True when it is there, is a regular file, and is not known by its first bytes as another one.
 * Reports nothing. */
bool ir_weights_open(ir_weights *weights);
/* True when it is another file for certain, which counts as not present. */
bool ir_weights_are_other(const ir_weights *weights);
/* Why it could not be opened or mapped. */
const char *ir_weights_fault(const ir_weights *weights);
/* Bytes [offset, offset + size) of the mapped file, or NULL when it cannot be mapped or they are not in it. */
const unsigned char *ir_weights_bytes(ir_weights *weights, int64_t offset, int64_t size);

#endif
