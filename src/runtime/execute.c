#include "runtime/execute.h"
#include "runtime/workers.h"

enum { CACHE_LINE = 64 };

static ir_code run_step(ir_plan *plan, const ir_step *step, const ir_tensor **in, ir_tensor **out, ir_exec *exec) {
  for (int32_t i = 0; i < step->n_in; i++)
    in[i] = &plan->slots[step->in[i]].tensor;
  for (int32_t i = 0; i < step->n_out; i++) {
    out[i] = step->out[i] < 0 ? NULL : &plan->slots[step->out[i]].tensor;
    if (out[i] != NULL &&
        !ir_tensor_alloc(out[i], plan->memory, plan->slots[step->out[i]].type, &plan->slots[step->out[i]].shape))
      return ir_out_of_memory(plan->diags);
  }
  ir_code code = step->kernel->run(step, in, out, exec);
  for (int32_t i = 0; i < step->n_in; i++)
    if (--plan->slots[step->in[i]].n_readers == 0)
      ir_tensor_release(&plan->slots[step->in[i]].tensor);
  return code;
}

typedef struct shared_exec {
  ir_exec exec; /* first: what `share` is given */
  ir_workers *workers;
} shared_exec;

static void share(ir_exec *exec, int64_t n, int64_t bytes, ir_work *work, void *user) {
  ir_workers_share(((shared_exec *)exec)->workers, exec->n_workers, n, bytes, work, user);
}

size_t ir_plan_scratch(const ir_plan *plan, size_t *out_stride) {
  size_t stride, bytes;
  *out_stride = 0;
  if (__builtin_add_overflow(plan->scratch_bytes, CACHE_LINE - 1, &stride))
    return SIZE_MAX;
  *out_stride = stride / CACHE_LINE * CACHE_LINE;
  size_t n_workers = plan->n_workers > 1 ? (size_t)plan->n_workers : 1;
  return __builtin_mul_overflow(*out_stride, n_workers, &bytes) ? SIZE_MAX : bytes;
}

ir_code ir_plan_execute(ir_plan *plan, ir_arena *arena) {
  int32_t most = 0;
  for (size_t i = 0; i < plan->n_steps; i++) {
    most = plan->steps[i].n_in > most ? plan->steps[i].n_in : most;
    most = plan->steps[i].n_out > most ? plan->steps[i].n_out : most;
  }
  const ir_tensor **in = ir_arena_array(arena, (size_t)most + 1, sizeof *in);
  ir_tensor **out = ir_arena_array(arena, (size_t)most + 1, sizeof *out);
  ir_tensor scratch = {.data = NULL};
  size_t stride, scratch_bytes = ir_plan_scratch(plan, &stride);
  ir_shape scratch_shape = ir_shape_of(1, &(int64_t){(int64_t)scratch_bytes});
  ir_code code = IR_OK;
  if (in == NULL || out == NULL || scratch_bytes > INT64_MAX ||
      !ir_tensor_alloc(&scratch, plan->memory, IR_U8, &scratch_shape))
    code = ir_out_of_memory(plan->diags);
  shared_exec shared = {.exec = {.memory = plan->memory,
                                 .scratch = scratch.data,
                                 .scratch_stride = stride,
                                 .n_workers = plan->n_workers > 1 ? plan->n_workers : 1,
                                 .share = share},
                        .workers = plan->workers};
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++)
    code = run_step(plan, &plan->steps[i], in, out, &shared.exec);
  ir_tensor_release(&scratch);
  return code;
}
