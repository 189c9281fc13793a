#include "runtime/run/execute.h"
#include "runtime/run/clock.h"
#include "runtime/run/plan_memory.h"
#include "runtime/run/visit.h"
#include "runtime/run/workers.h"

static ir_code run_step(ir_plan *plan, const ir_step *step, ir_exec *exec) {
  for (int32_t i = 0; i < step->n_in; i++)
    plan->in[i] = &plan->slots[step->in[i]].tensor;
  for (int32_t i = 0; i < step->n_out; i++)
    plan->out[i] = step->out[i] < 0 ? NULL : &plan->slots[step->out[i]].tensor;
  return step->kernel->run(step, plan->in, plan->out, exec);
}

typedef struct shared_exec {
  ir_exec exec; /* first: what `share` is given */
  ir_workers *workers;
  ir_team *team;
  const ir_tensor *ending; /* a mapped input of the step that nobody needs afterwards; or NULL */
} shared_exec;

/* Work that is in the order of such an input: what was read of it is given back at once, so that it is never in memory
 * as a whole. Where the order is another, pages are read again. */
typedef struct ending_work {
  ir_work *work;
  void *user;
  const ir_tensor *ending;
  int64_t n;
} ending_work;

static size_t part_of(const ending_work *ending, int64_t items) {
  return (size_t)((double)ending->ending->bytes * ((double)items / (double)ending->n));
}

static void work_and_give_back(void *user, int64_t begin, int64_t end, int worker) {
  enum { PART_BYTES = 1 << 20 };
  const ending_work *ending = user;
  const int64_t n_parts = (int64_t)(part_of(ending, end - begin) / PART_BYTES) + 1;
  const int64_t items = (end - begin + n_parts - 1) / n_parts;
  for (int64_t at = begin; at < end; at += items) {
    const int64_t behind = end - at < items ? end : at + items;
    ending->work(ending->user, at, behind, worker);
    ir_give_back_pages((char *)ending->ending->data + part_of(ending, at),
                       part_of(ending, behind) - part_of(ending, at));
  }
}

static void share(ir_exec *exec, int64_t n, int64_t bytes, ir_work *work, void *user) {
  const shared_exec *shared = (const shared_exec *)exec;
  ending_work ending = {work, user, shared->ending, n};
  if (shared->ending != NULL && n > 0)
    ir_workers_share(shared->workers, shared->team, exec->n_workers, n, bytes, work_and_give_back, &ending);
  else
    ir_workers_share(shared->workers, shared->team, exec->n_workers, n, bytes, work, user);
}

ir_code ir_plan_execute(ir_plan *plan) {
  ir_code code = ir_plan_take_memory(plan);
  if (code != IR_OK)
    return code;
  ir_plan_bind(plan);
  shared_exec shared = {.exec = {.memory = plan->memory,
                                 .scratch = plan->scratch.data,
                                 .scratch_stride = plan->scratch_stride,
                                 .n_workers = plan->n_workers > 1 ? plan->n_workers : 1,
                                 .share = share},
                        .workers = plan->workers,
                        .team = plan->has_products ? ir_fast()->team : NULL};
  bool said = false;
  if (plan->visitor != NULL)
    code = ir_visit(plan, 0);
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    if (plan->steps[i].is_once && plan->was_run)
      continue;
    if (plan->on_step != NULL)
      plan->on_step(plan->on_step_user, (int64_t)i, (int64_t)plan->n_steps, plan->steps[i].node->layer->name);
    shared.ending = ir_plan_ending_input(plan, i);
    plan->steps[i].start_ns = plan->timed ? ir_now_ns() : 0;
    code = run_step(plan, &plan->steps[i], &shared.exec);
    plan->steps[i].end_ns = plan->timed ? ir_now_ns() : 0;
    if (plan->watched && !said && code == IR_OK && plan->steps[i].watch != NULL)
      code = plan->steps[i].watch(&plan->steps[i], plan->in[0], plan->out[0], plan->diags, &said);
    if (plan->visitor != NULL && code == IR_OK)
      code = ir_visit(plan, i + 1);
    ir_plan_end_step(plan, i);
  }
  plan->was_run = plan->was_run || code == IR_OK;
  return code;
}
