/* The sweeps of every element type and instruction set. */
#ifndef IR_POOL_SWEEP_KERNELS_H
#define IR_POOL_SWEEP_KERNELS_H

#include "ops/pool/pool_sweep.h"

typedef struct ir_sweep_job {
  const ir_sweep *sweep;
  const ir_sweep_means *means; /* of averages */
  const ir_windows *windows;
  const void *in;
  void *out;
  /* Whether the one comes from memory and the other goes there, being too large for the caches. */
  bool in_is_far, out_is_far;
} ir_sweep_job;

/* Units [begin, end) of sweep->n_units. */
typedef void ir_sweep_units(const ir_sweep_job *job, float *scratch, int64_t begin, int64_t end);

typedef enum ir_sweep_op { ir_sweep_average, ir_sweep_maximum } ir_sweep_op;

/* Of the list's elements of a vector of 512 bits and of one of 256 those of an instruction set; 0: none are fused. */
#define IR_FUSED_avx512(wide, narrow) (wide)
#define IR_FUSED_avx2(wide, narrow)   (narrow)
#define IR_FUSED_any(wide, narrow)    0
#define IR_BITS_avx512                512
#define IR_BITS_avx2                  256
#define IR_BITS_any                   0

/* The list of kernels, which dispatch, tests and benchmarks walk: the best first. */
typedef struct ir_sweep_kernel {
  ir_type type;
  ir_sweep_op op;
  const char *isa;
  ir_sweep_vectors vectors;
  bool (*available)(void);
  ir_sweep_units *units;
  int64_t most_taps; /* of a window whose sum is exact, or as near as the order of additions has it */
} ir_sweep_kernel;

extern const ir_sweep_kernel ir_sweep_kernels[]; /* units NULL at the end */

/* The first that this machine has; NULL when there is none for the type. */
const ir_sweep_kernel *ir_sweep_kernel_for(ir_type type, ir_sweep_op op);

/* Recomputes, in double, the averages [at, at + n) of the output that are not finite: sums of floats may be beyond the
 * type, and their mean is not. `load` reads element i of the input. */
void ir_sweep_repair(const ir_sweep_job *job, int64_t at, int64_t n, double (*load)(const void *in, int64_t i),
                     bool (*is_finite)(const void *out, int64_t i), void (*store)(void *out, int64_t i, double mean));

/* Gives those of the maxima [at, at + n) of the output that are zeros, floats of `size` bytes, the sign of the first
 * zero in their windows: of equal elements the first stays, and a sweep meets them in another order. */
void ir_sweep_mend_zeros(const ir_sweep_job *job, int64_t at, int64_t n, size_t size);

#endif
