/* ir_weights is the .bin of an IR: a file that is mapped on first use and never read as a whole. */
#ifndef IR_WEIGHTS_H
#define IR_WEIGHTS_H

#include "base/file_type.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include <pthread.h>

typedef struct ir_weights {
  ir_source *source; /* of kind IR_SOURCE_BYTES, for diagnostics; the file is open if the .bin exists */
  char *path;
  bool given; /* the user named the file (--weights), so it must exist */
  bool tried;
  bool present;
  bool is_shifted;       /* all offsets are wrong by the same number, so no constant is read */
  bool missing_reported; /* a missing or unreadable file was reported, which happens once, not for each constant */
  int error;             /* errno of opening or mapping the file; 0 if that succeeded */
  const ir_file_type *file_type; /* file type that the first bytes show; NULL if they match none */
  int64_t size;                  /* of the file and the tail together */
  const unsigned char *tail;     /* bytes that follow the file's in memory, from tail_begin; NULL: none */
  int64_t tail_begin;            /* at least the file's size; the bytes between are no part of a constant */
  uint64_t used_end;             /* largest end offset of the constants seen so far; can exceed the file's size */
  int64_t n_outside;             /* number of constants that end beyond the file */
  ir_where outside;              /* place of the first constant that ends beyond the file */
  const unsigned char *bytes;    /* the mapped file, NULL before it is mapped; for weights in memory, their bytes */
  const ir_memory *memory;
  pthread_mutex_t lock; /* held while the file is opened and mapped: several threads can be the first to need it */
} ir_weights;

/* Makes weights from a path, which the user named (`given`) or ir_weights_path_beside made. Returns NULL if memory is
 * out. */
ir_weights *ir_weights_create(const ir_memory *memory, const char *path, bool given);
/* Makes weights from the file that `weights` have open, even if another file has replaced it since. Returns NULL if
 * memory is out. */
ir_weights *ir_weights_again(const ir_memory *memory, const ir_weights *weights);
/* Makes weights from `bytes`, which must outlive the weights, and sets `given`. Returns NULL if memory is out. */
ir_weights *ir_weights_of_bytes(const ir_memory *memory, const char *name, const void *bytes, size_t size);
/* Returns the path of a model file with its last extension replaced by `.bin`; NULL if memory is out. The caller frees
 * the path. */
char *ir_weights_path_beside(const ir_memory *memory, const char *model_path);
void ir_weights_free(ir_weights *weights);
/* Opens the file at the first call; reports nothing. Returns true if the file exists, is regular, and its first bytes
 * do not prove another file type. */
bool ir_weights_open(ir_weights *weights);
/* Opens the file, and adds bytes behind it, which must outlive the weights. A file that is absent counts as empty.
 * Returns false if memory is out. */
bool ir_weights_add_tail(ir_weights *weights, int64_t begin, const void *bytes, int64_t size);
static inline bool ir_weights_in_tail(const ir_weights *weights, int64_t offset) {
  return weights->tail != NULL && offset >= weights->tail_begin;
}
/* Returns whether the first bytes prove that the file is another kind of file, which counts as absent. */
bool ir_weights_are_other(const ir_weights *weights);
/* Returns words that describe why the file could not be opened or mapped, or a constant not be read. */
const char *ir_weights_fault(const ir_weights *weights);
/* Returns whether the file that was opened has bytes [offset, offset + size), or the tail has all of them. */
bool ir_weights_have(const ir_weights *weights, int64_t offset, int64_t size);
/* Returns bytes [offset, offset + size) of the file. The first call maps the file. Returns NULL if the file cannot be
 * mapped or lacks these bytes. */
const unsigned char *ir_weights_bytes(ir_weights *weights, int64_t offset, int64_t size);
/* Returns the memory of these bytes to the system, if they are mapped; a later access reads the file again. Does
 * nothing if the file lacks these bytes. */
void ir_weights_release(const ir_weights *weights, int64_t offset, int64_t size);

#endif
