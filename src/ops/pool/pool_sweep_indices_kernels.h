/* The sweeps for maxima and indices of every element type and instruction set. */
#ifndef IR_POOL_SWEEP_INDICES_KERNELS_H
#define IR_POOL_SWEEP_INDICES_KERNELS_H

#include "ops/pool/pool_sweep_indices.h"

typedef struct ir_indices_job {
  const ir_indices *plan;
  const void *in;
  int64_t n_in;  /* elements */
  void *out;     /* NULL: nobody reads the maxima */
  void *indices; /* i64 or i32 */
  bool is_i64;
  bool in_is_far; /* in no cache */
  ir_indices_way way;
} ir_indices_job;

/* Units [begin, end) of plan->n_units. */
typedef void ir_indices_units(const ir_indices_job *job, float *scratch, int64_t begin, int64_t end);

/* The list of kernels, which dispatch and tests walk: the best first. */
typedef struct ir_indices_kernel {
  ir_type type;
  const char *isa;
  bool (*available)(void);
  ir_indices_units *units;
} ir_indices_kernel;

extern const ir_indices_kernel ir_indices_kernels[]; /* units NULL at the end */

/* The first that this machine has; NULL when there is none for the type. */
const ir_indices_kernel *ir_indices_kernel_for(ir_type type);

#endif
