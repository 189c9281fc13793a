#include "ops/pool/pool_sweep_kernels.h"
#include "ops/pool/pool_sweep_isa.h"
#include <math.h>
#include <string.h>

/* ---- the list ---- */

#if defined(__x86_64__)
#define SWEEP(op, name, type, taps, wide, narrow)                                                                      \
  extern ir_sweep_units ir_##op##_##name##_avx512, ir_##op##_##name##_avx2;
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP
#endif

#define SWEEP(op, name, type, taps, wide, narrow) extern ir_sweep_units ir_##op##_##name##_any;
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP

/* Each way, of windows for which planes may lie flat. Of averages the order of five rows is another where some are
 * missing. */
enum { flat_average = 3, flat_maximum = 5 };

#define ROW(what, name, of, taps, wide, narrow, set)                                                                   \
  {.type = of,                                                                                                         \
   .op = ir_sweep_##what,                                                                                              \
   .isa = #set,                                                                                                        \
   .vectors = {.bits = IR_BITS_##set,                                                                                  \
               .lanes = IR_FUSED_##set(wide, narrow),                                                                  \
               .flat_taps = IR_BITS_##set > 0 ? flat_##what : 0,                                                       \
               .widens_dearly = IR_BITS_##set == 0 && (of) == IR_F16},                                                 \
   .available = has_##set,                                                                                             \
   .units = ir_##what##_##name##_##set,                                                                                \
   .most_taps = taps},

const ir_sweep_kernel ir_sweep_kernels[] = {
#if defined(__x86_64__)
#define SWEEP(op, name, type, taps, wide, narrow) ROW(op, name, type, taps, wide, narrow, avx512)
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP
#define SWEEP(op, name, type, taps, wide, narrow) ROW(op, name, type, taps, wide, narrow, avx2)
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP
#endif
#define SWEEP(op, name, type, taps, wide, narrow) ROW(op, name, type, taps, wide, narrow, any)
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP
    {.units = NULL},
};

const ir_sweep_kernel *ir_sweep_kernel_for(ir_type type, ir_sweep_op op) {
  type = type == IR_BOOLEAN && op == ir_sweep_maximum ? IR_U8 : type; /* of 0 and 1: whether one is 1 */
  for (const ir_sweep_kernel *kernel = ir_sweep_kernels; kernel->units != NULL; kernel++)
    if (kernel->type == type && kernel->op == op && kernel->available())
      return kernel;
  return NULL;
}

/* ---- windows, tap by tap ---- */

typedef struct taps {
  const ir_windows *windows;
  int64_t plane, where[IR_MAX_RANK], tap[IR_MAX_RANK];
  int64_t count, left;
} taps;

/* The window of element `at` of the output. */
static taps taps_of(const ir_windows *windows, int64_t at) {
  taps walk = {.windows = windows, .plane = at / ir_windows_plane_out(windows), .count = 1};
  for (int a = windows->n_axes - 1; a >= 0; a--) {
    walk.where[a] = at % windows->axes[a].n_out;
    at /= windows->axes[a].n_out;
    walk.count *= ir_windows_range(&windows->axes[a], walk.where[a]).count;
  }
  walk.left = walk.count;
  return walk;
}

/* The next element of the input. */
static int64_t next_tap(taps *walk) {
  const int n = walk->windows->n_axes;
  int64_t i = walk->plane;
  for (int a = 0; a < n; a++) {
    const ir_windows_axis *axis = &walk->windows->axes[a];
    i = i * axis->n_in + ir_windows_range(axis, walk->where[a]).begin + walk->tap[a] * axis->step;
  }
  for (int a = n - 1; a >= 0 && ++walk->tap[a] == ir_windows_range(&walk->windows->axes[a], walk->where[a]).count; a--)
    walk->tap[a] = 0;
  walk->left--;
  return i;
}

/* ---- sums beyond the type ---- */

static double mean_at(const ir_sweep_job *job, int64_t at, double (*load)(const void *in, int64_t i)) {
  const ir_sweep_means *means = job->means;
  taps walk = taps_of(job->windows, at);
  double sum = 0;
  while (walk.left > 0)
    sum += load(job->in, next_tap(&walk));
  return walk.count == 0 ? (means->nan_if_empty ? (double)NAN : 0)
                         : sum / (double)(means->divisor > 0 ? means->divisor : walk.count);
}

void ir_sweep_repair(const ir_sweep_job *job, int64_t at, int64_t n, double (*load)(const void *in, int64_t i),
                     bool (*is_finite)(const void *out, int64_t i), void (*store)(void *out, int64_t i, double mean)) {
  for (int64_t i = at; i < at + n; i++)
    if (!is_finite(job->out, i))
      store(job->out, i, mean_at(job, i, load));
}

/* ---- zeros ---- */

static bool is_zero(const void *elements, int64_t i, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)elements + (size_t)i * size, size);
  return (bits & ~(UINT64_C(1) << (8 * size - 1))) == 0;
}

void ir_sweep_mend_zeros(const ir_sweep_job *job, int64_t at, int64_t n, size_t size) {
  for (int64_t o = at; o < at + n; o++) {
    taps walk = taps_of(job->windows, o);
    for (bool found = !is_zero(job->out, o, size); !found && walk.left > 0;) {
      const int64_t i = next_tap(&walk);
      found = is_zero(job->in, i, size);
      if (found)
        memcpy((char *)job->out + (size_t)o * size, (const char *)job->in + (size_t)i * size, size);
    }
  }
}
