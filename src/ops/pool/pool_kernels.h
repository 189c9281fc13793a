/* Lists the vector kernels of pools for each instruction set. */
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
  bool in_is_far, out_is_far; /* whether the tensor is larger than the caches */
  /* Kernels set the flag if an average is not finite or a maximum is 0: ir_pool_repair has to check the outputs. */
  atomic_bool *wants_repair;
  ir_stop *stop; /* looked at within long units; NULL: nothing stops the kernel */
  int worker;    /* number of the worker that computes the units */
} ir_pool_job;

/* Computes units of work [begin, end) of the plan->n_units. `scratch` has plan->n_scratch floats, aligned to a cache
 * line. */
typedef void ir_pool_units(const ir_pool_job *job, float *scratch, int64_t begin, int64_t end);

/* A pool of f32 tensors, or a maximum of bytes, in channels-last layout. If the pool has fewer than three spatial axes,
 * the first axes have one element. */
enum { IR_POOL_LAST_AXES = 3 };
typedef struct ir_pool_last {
  ir_windows_axis axes[IR_POOL_LAST_AXES];
  int64_t channels;
  bool is_average, nan_if_empty;
  int64_t divisor; /* divisor of every window; 0: the window's number of taps in the input */
  ir_stop *stop;   /* as in ir_pool_job */
  int worker;
} ir_pool_last;

/* Computes rows [begin, end) of the output; a row runs along the last spatial axis. */
typedef void ir_pool_last_rows(const ir_pool_last *pool, const void *in, void *out, int64_t begin, int64_t end);
ir_pool_last_rows ir_pool_last_rows_u8, ir_pool_last_rows_i8;

/* The kernels of one type, operation and instruction set. */
typedef struct ir_pool_kernel {
  ir_type type;
  ir_pool_op op;
  const char *isa;
  bool (*available)(void);
  ir_pool_units *units;
  ir_places_units *places; /* computes maxima with indices; NULL for averages */
  ir_pool_last_rows *last; /* computes f32 tensors in channels-last layout */
  int64_t most_taps;       /* most taps of a window that the kernels support */
} ir_pool_kernel;

extern const ir_pool_kernel ir_pool_kernels[]; /* fastest instruction set first; ends with a row whose units are NULL */

/* Returns the first row of ir_pool_kernels for the type and operation that this machine supports; NULL if there is
 * none. */
const ir_pool_kernel *ir_pool_kernel_for(ir_type type, ir_pool_op op);

#endif
