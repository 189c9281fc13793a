#include "runtime/execute.h"
#include "runtime/clock.h"

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

static void do_all(ir_exec *exec, int64_t n, int64_t bytes, ir_work *work, void *user) {
  (void)exec, (void)bytes;
  work(user, 0, n, 0);
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
  ir_shape scratch_shape = ir_shape_of(1, &(int64_t){(int64_t)plan->scratch_bytes});
  ir_code code = IR_OK;
  if (in == NULL || out == NULL || !ir_tensor_alloc(&scratch, plan->memory, IR_U8, &scratch_shape))
    code = ir_out_of_memory(plan->diags);
  ir_exec exec = {.memory = plan->memory,
                  .scratch = scratch.data,
                  .scratch_stride = plan->scratch_bytes,
                  .n_workers = 1,
                  .share = do_all};
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    plan->steps[i].start_ns = plan->timed ? ir_now_ns() : 0;
    code = run_step(plan, &plan->steps[i], in, out, &exec);
    plan->steps[i].end_ns = plan->timed ? ir_now_ns() : 0;
  }
  ir_tensor_release(&scratch);
  return code;
}
