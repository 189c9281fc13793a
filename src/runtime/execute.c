#include "runtime/execute.h"
#include "runtime/plan_memory.h"

static ir_code run_step(ir_plan *plan, const ir_step *step, ir_exec *exec) {
  for (int32_t i = 0; i < step->n_in; i++)
    plan->in[i] = &plan->slots[step->in[i]].tensor;
  for (int32_t i = 0; i < step->n_out; i++)
    plan->out[i] = step->out[i] < 0 ? NULL : &plan->slots[step->out[i]].tensor;
  return step->kernel->run(step, plan->in, plan->out, exec);
}

static void do_all(ir_exec *exec, int64_t n, int64_t bytes, ir_work *work, void *user) {
  (void)exec, (void)bytes;
  work(user, 0, n, 0);
}

ir_code ir_plan_execute(ir_plan *plan) {
  ir_code code = ir_plan_take_memory(plan);
  if (code != IR_OK)
    return code;
  ir_plan_bind_views(plan);
  ir_exec exec = {.memory = plan->memory,
                  .scratch = plan->scratch.data,
                  .scratch_stride = plan->scratch_bytes,
                  .n_workers = 1,
                  .share = do_all};
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    code = run_step(plan, &plan->steps[i], &exec);
    ir_plan_end_step(plan, i);
  }
  plan->was_run = true;
  return code;
}
