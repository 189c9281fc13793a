/* Outputs that are made anew, tap by tap. */
#include "ops/pool/pool_repair.h"
#include <math.h>
#include <string.h>

static float load(ir_type type, const void *elements, int64_t i) {
  switch (type) {
  case IR_F16:
    return ir_f16_to_f32(((const uint16_t *)elements)[i]);
  case IR_BF16:
    return ir_bf16_to_f32(((const uint16_t *)elements)[i]);
  default:
    return ((const float *)elements)[i];
  }
}

static void store(ir_type type, void *elements, int64_t i, double value) {
  if (type == IR_F16)
    ((uint16_t *)elements)[i] = ir_f64_to_f16(value);
  else if (type == IR_BF16)
    ((uint16_t *)elements)[i] = ir_f64_to_bf16(value);
  else
    ((float *)elements)[i] = (float)value;
}

/* ---- taps ---- */

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

/* ---- repairs ---- */

/* A sum that is finite in double is divided; once it is not, neither is the mean. */
static void repair_mean(const ir_pool_job *job, int64_t at) {
  taps walk = taps_of(&job->plan->windows, at);
  double sum = 0;
  while (walk.left > 0 && isfinite(sum))
    sum += (double)load(job->type, job->in, next_tap(&walk));
  if (walk.count > 0 && isfinite(sum))
    store(job->type, job->out, at, sum / (double)(job->plan->divisor > 0 ? job->plan->divisor : walk.count));
}

static bool is_zero(const void *elements, int64_t i, size_t size) {
  if (size == 2)
    return (((const uint16_t *)elements)[i] & 0x7fff) == 0;
  return size == 4 ? ((const float *)elements)[i] == 0 : ((const double *)elements)[i] == 0;
}

void ir_pool_mend_zeros(const ir_windows *windows, const void *in, void *out, int64_t at, int64_t n, size_t size) {
  for (int64_t o = at; o < at + n; o++) {
    if (!is_zero(out, o, size))
      continue;
    taps walk = taps_of(windows, o);
    for (bool found = false; !found && walk.left > 0;) {
      const int64_t i = next_tap(&walk);
      found = is_zero(in, i, size);
      if (found)
        memcpy((char *)out + (size_t)o * size, (const char *)in + (size_t)i * size, size);
    }
  }
}

/* Whether there is a zero of which the sign has to be looked for: with none below no maximum has one. */
static bool has_minus_zero(const ir_pool_job *job, int64_t begin, int64_t n) {
  const uint32_t *wide = (const uint32_t *)job->in + begin;
  const uint16_t *narrow = (const uint16_t *)job->in + begin;
  uint32_t found = 0;
  if (job->type == IR_F32)
    for (int64_t i = 0; i < n; i++)
      found |= wide[i] == UINT32_C(1) << 31;
  else
    for (int64_t i = 0; i < n; i++)
      found |= narrow[i] == 1 << 15;
  return found != 0;
}

void ir_pool_repair(const ir_pool_job *job, int64_t begin, int64_t end) {
  const ir_pool_plan *plan = job->plan;
  const int64_t n_out = plan->windows.axes[plan->n_cross].n_out, n = (end - begin) * n_out;
  const int64_t plane = begin / plan->plane_lines, behind = (end - 1) / plan->plane_lines + 1;
  if (plan->op == IR_POOL_SUM) {
    for (int64_t at = begin * n_out; at < end * n_out; at++)
      if (!isfinite(load(job->type, job->out, at)))
        repair_mean(job, at);
  } else if (has_minus_zero(job, plane * plan->plane_in, (behind - plane) * plan->plane_in)) {
    ir_pool_mend_zeros(&plan->windows, job->in, job->out, begin * n_out, n, ir_type_size(job->type));
  }
}
