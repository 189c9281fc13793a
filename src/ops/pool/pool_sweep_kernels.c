#include "ops/pool/pool_sweep_kernels.h"
#include <math.h>
#include <string.h>

/* ---- the list ---- */

#if defined(__x86_64__)
static bool has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

static bool has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && has_avx2();
}

#define SWEEP(op, name, type, taps) extern ir_sweep_units ir_##op##_##name##_avx512, ir_##op##_##name##_avx2;
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP
#endif

static bool has_any(void) {
  return true;
}

#define SWEEP(op, name, type, taps) extern ir_sweep_units ir_##op##_##name##_any;
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP

#define ROW(what, name, of, taps, set)                                                                                 \
  {.type = of,                                                                                                         \
   .op = ir_sweep_##what,                                                                                              \
   .isa = #set,                                                                                                        \
   .available = has_##set,                                                                                             \
   .units = ir_##what##_##name##_##set,                                                                                \
   .most_taps = taps},

const ir_sweep_kernel ir_sweep_kernels[] = {
#if defined(__x86_64__)
#define SWEEP(op, name, type, taps) ROW(op, name, type, taps, avx512)
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP
#define SWEEP(op, name, type, taps) ROW(op, name, type, taps, avx2)
#include "ops/pool/pool_sweep_list.inc"
#undef SWEEP
#endif
#define SWEEP(op, name, type, taps) ROW(op, name, type, taps, any)
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

/* ---- sums beyond the type ---- */

/* The mean of the window of element `at` of the output. */
static double mean_at(const ir_sweep_job *job, int64_t at, double (*load)(const void *in, int64_t i)) {
  const ir_windows *windows = job->windows;
  const int n = windows->n_axes;
  int64_t where[IR_MAX_RANK], tap[IR_MAX_RANK] = {0}, taps = 1;
  const int64_t plane = at / ir_windows_plane_out(windows);
  for (int a = n - 1; a >= 0; a--) {
    where[a] = at % windows->axes[a].n_out;
    at /= windows->axes[a].n_out;
    taps *= windows->axes[a].ranges[where[a]].count;
  }
  double sum = 0;
  for (int64_t t = 0; t < taps; t++) {
    int64_t i = plane;
    for (int a = 0; a < n; a++) {
      const ir_windows_axis *axis = &windows->axes[a];
      i = i * axis->n_in + axis->ranges[where[a]].begin + tap[a] * axis->step;
    }
    sum += load(job->in, i);
    for (int a = n - 1; a >= 0 && ++tap[a] == windows->axes[a].ranges[where[a]].count; a--)
      tap[a] = 0;
  }
  const ir_sweep_means *means = job->means;
  return taps == 0 ? (means->nan_if_empty ? (double)NAN : 0)
                   : sum / (double)(means->divisor > 0 ? means->divisor : taps);
}

void ir_sweep_repair(const ir_sweep_job *job, int64_t at, int64_t n, double (*load)(const void *in, int64_t i),
                     bool (*is_finite)(const void *out, int64_t i), void (*store)(void *out, int64_t i, double mean)) {
  for (int64_t i = at; i < at + n; i++)
    if (!is_finite(job->out, i))
      store(job->out, i, mean_at(job, i, load));
}
