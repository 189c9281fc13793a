/* The pooling kernels of every instruction set. */
#ifndef IR_POOL_KERNELS_H
#define IR_POOL_KERNELS_H

#include "ops/pool/pool_places.h"
#include "ops/pool/pool_plan.h"
#include <stdatomic.h>

typedef struct ir_pool_job {
  const ir_pool_plan *plan;
  ir_type type; /* of the elements */
  const void *in;
  void *out;
  bool in_is_far, out_is_far; /* too large for the caches */
  /* Becomes true where an average may have to be repaired, or the sign of a zero. */
  atomic_bool *wants_repair;
} ir_pool_job;

/* Units [begin, end) of plan->n_units. `scratch` has plan->n_scratch floats, from the begin of a line of the cache on.
 */
typedef void ir_pool_units(const ir_pool_job *job, float *scratch, int64_t begin, int64_t end);

/* A pool of f32 tensors that lie as [N, D.., C]. Axes that are not there have one window of one element, in front. */
enum { IR_POOL_LAST_AXES = 3 };
typedef struct ir_pool_last {
  ir_windows_axis axes[IR_POOL_LAST_AXES];
  int64_t channels;
  bool is_average, nan_if_empty;
  int64_t divisor; /* 0: the number of taps in the input */
} ir_pool_last;

/* Rows [begin, end) of the output, along its last axis of windows. */
typedef void ir_pool_last_rows(const ir_pool_last *pool, const float *in, float *out, int64_t begin, int64_t end);

/* The list that dispatch, tests and benchmarks walk: the best first. */
typedef struct ir_pool_kernel {
  ir_type type;
  ir_pool_op op;
  const char *isa;
  bool (*available)(void);
  ir_pool_units *units;
  ir_places_units *places; /* of maxima */
  ir_pool_last_rows *last; /* of f32 */
  int64_t most_taps;       /* of a window */
} ir_pool_kernel;

extern const ir_pool_kernel ir_pool_kernels[]; /* units NULL at the end */

/* The first that this machine has; NULL when there is none for the type. */
const ir_pool_kernel *ir_pool_kernel_for(ir_type type, ir_pool_op op);

#endif
