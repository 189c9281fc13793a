/* The pooling kernels for each instruction set. */
#ifndef IR_POOL_KERNELS_H
#define IR_POOL_KERNELS_H

#include "ops/pool/pool_places.h"
#include "ops/pool/pool_plan.h"
#include <stdatomic.h>

typedef struct ir_pool_job {
  const ir_pool_plan *plan;
  ir_type type; /* type of the elements */
  const void *in;
  void *out;
  bool in_is_far, out_is_far; /* larger than the caches */
  /* Set if an average, or the sign of a zero, may need repair. */
  atomic_bool *wants_repair;
} ir_pool_job;

/* Computes units [begin, end) of plan->n_units. `scratch` has plan->n_scratch floats, aligned to a cache line. */
typedef void ir_pool_units(const ir_pool_job *job, float *scratch, int64_t begin, int64_t end);

/* A pool of f32 tensors in channels-last layout. Missing axes come first, with one window of one element. */
enum { IR_POOL_LAST_AXES = 3 };
typedef struct ir_pool_last {
  ir_windows_axis axes[IR_POOL_LAST_AXES];
  int64_t channels;
  bool is_average, nan_if_empty;
  int64_t divisor; /* 0: the number of taps in the input */
} ir_pool_last;

/* Computes rows [begin, end) of the output, along its last spatial axis. */
typedef void ir_pool_last_rows(const ir_pool_last *pool, const float *in, float *out, int64_t begin, int64_t end);

/* A kernel of the list for dispatch, tests and benchmarks: best first. */
typedef struct ir_pool_kernel {
  ir_type type;
  ir_pool_op op;
  const char *isa;
  bool (*available)(void);
  ir_pool_units *units;
  ir_places_units *places; /* for maxima with indices */
  ir_pool_last_rows *last; /* for f32, channels last */
  int64_t most_taps;       /* in a window */
} ir_pool_kernel;

extern const ir_pool_kernel ir_pool_kernels[]; /* units NULL at the end */

/* The first kernel that this machine supports; NULL if the type has none. */
const ir_pool_kernel *ir_pool_kernel_for(ir_type type, ir_pool_op op);

#endif
