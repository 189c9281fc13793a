/* The folds of every element type and instruction set. */
#ifndef IR_POOL_FOLD_KERNELS_H
#define IR_POOL_FOLD_KERNELS_H

#include "ops/pool/pool_fold.h"

typedef struct ir_fold_job {
  const ir_fold *fold;
  const void *in;
  void *out;
} ir_fold_job;

/* Units [begin, end) of fold->n_rows. */
typedef void ir_fold_units(const ir_fold_job *job, void *scratch, int64_t begin, int64_t end);

typedef enum ir_fold_op { ir_fold_average, ir_fold_maximum } ir_fold_op;

/* The list of kernels, which dispatch and tests walk: the best first. */
typedef struct ir_fold_kernel {
  ir_type type;
  ir_fold_op op;
  const char *isa;
  bool (*available)(void);
  ir_fold_units *units;
  size_t term_bytes;
  int64_t most_taps; /* of a window whose sum is exact, or as near as the order of additions has it */
} ir_fold_kernel;

extern const ir_fold_kernel ir_fold_kernels[]; /* units NULL at the end */

/* The first that this machine has for windows of `most_taps`; NULL when there is none for the type. */
const ir_fold_kernel *ir_fold_kernel_for(ir_type type, ir_fold_op op, int64_t most_taps);

#endif
