#include "exec/execute.h"
#include "base/clock.h"
#include "base/denormals.h"
#include "base/stop.h"
#include "exec/plan_memory.h"
#include "exec/workers.h"
#include <math.h>

static ir_code run_step(ir_plan *plan, const ir_step *step, ir_exec *exec) {
  for (int32_t i = 0; i < step->n_in; i++)
    plan->in[i] = &plan->slots[step->in[i]].tensor;
  for (int32_t i = 0; i < step->n_out; i++)
    plan->out[i] = step->out[i] < 0 ? NULL : &plan->slots[step->out[i]].tensor;
  if (!step->kernel->flushes)
    return step->kernel->run(step, plan->in, plan->out, exec);
  const uint64_t before = ir_denormals_flush();
  const ir_code code = step->kernel->run(step, plan->in, plan->out, exec);
  ir_denormals_restore(before);
  return code;
}

typedef struct shared_exec {
  ir_exec exec; /* must be first: `share` gets a pointer to it */
  ir_workers *workers;
  ir_omp_pool *omp_pool;
  const ir_tensor *ending; /* a mapped input whose last reader is this step; or NULL */
} shared_exec;

/* Runs work in parts, so that a run can be stopped between them. After each part the pages of an input that no later
 * step reads are released, so it is never in memory as a whole. A kernel that reads in another order reads such pages
 * again. */
typedef struct work_in_parts {
  ir_work *work;
  void *user;
  const ir_tensor *ending; /* or NULL */
  ir_stop *stop;           /* or NULL */
  int64_t n, bytes;
} work_in_parts;

static double part_of(const work_in_parts *all, double bytes, int64_t items) {
  return bytes * ((double)items / (double)all->n);
}

static int64_t items_of_part(const work_in_parts *all, int64_t items) {
  enum { PART_BYTES = 1 << 20, ALIGNED = 64 /* ALIGNED as in workers.c */ };
  const int64_t ending = all->ending != NULL ? (int64_t)all->ending->bytes : 0;
  const int64_t bytes = all->bytes > ending ? all->bytes : ending;
  if (bytes <= PART_BYTES)
    return items;
  const double n_parts = ceil(part_of(all, (double)bytes, items) / PART_BYTES);
  const int64_t part = n_parts < (double)items ? (int64_t)ceil((double)items / n_parts) : 1;
  return part > ALIGNED * 16 ? (part + ALIGNED - 1) / ALIGNED * ALIGNED : part;
}

static void do_parts(void *user, int64_t begin, int64_t end, int worker) {
  const work_in_parts *all = user;
  const int64_t items = items_of_part(all, end - begin);
  for (int64_t at = begin; at < end && !ir_stop_asked_of(all->stop, worker); at += items) {
    const int64_t behind = end - at < items ? end : at + items;
    all->work(all->user, at, behind, worker);
    if (all->ending != NULL) {
      const size_t from = (size_t)part_of(all, (double)all->ending->bytes, at);
      const size_t bytes = (size_t)part_of(all, (double)all->ending->bytes, behind - at);
      ir_release_pages((char *)all->ending->data + from, bytes);
    }
  }
}

static void share(ir_exec *exec, int64_t n, int64_t bytes, ir_work *work, void *user) {
  const shared_exec *shared = (const shared_exec *)exec;
  work_in_parts all = {
      .work = work, .user = user, .ending = shared->ending, .stop = exec->stop, .n = n, .bytes = bytes};
  ir_workers_share(shared->workers, shared->omp_pool, exec->n_workers, n, bytes, do_parts, &all);
}

/* Visits the outputs that exist after `n_done` steps. The visitor must not write to views and mapped files. */
static ir_code visit(ir_plan *plan, size_t n_done, size_t *n_visited) {
  ir_code code = IR_OK;
  for (; plan->visit != NULL && *n_visited < plan->n_visits && code == IR_OK; (*n_visited)++) {
    const ir_visit_point *point = &plan->visits[*n_visited];
    ir_slot *slot = &plan->slots[point->slot];
    if (point->n_done > n_done)
      break;
    code = plan->visit(plan->visit_user, point, &slot->tensor, slot->is_made);
  }
  return code;
}

/* ---- denormals in OpenMP threads ---- */

static void flush_thread(void *user, int thread) {
  (void)user, (void)thread;
  ir_denormals_flush();
}

static void restore_thread(void *user, int thread) {
  (void)thread;
  ir_denormals_restore(*(const uint64_t *)user);
}

/* Returns the mode of the calling thread, which does not change. */
static uint64_t flush_team(const ir_plan *plan) {
  const uint64_t own = ir_denormals_flush();
  plan->omp_pool(plan->n_workers, flush_thread, NULL);
  ir_denormals_restore(own);
  return own;
}

/* ---- executing ---- */

static ir_code execute_steps(ir_plan *plan) {
  shared_exec shared = {.exec = {.memory = plan->memory,
                                 .scratch = plan->place->scratch.data,
                                 .scratch_stride = plan->scratch_stride,
                                 .n_workers = plan->n_workers > 1 ? plan->n_workers : 1,
                                 .is_watched = plan->watched,
                                 .stop = plan->stop,
                                 .share = share},
                        .workers = plan->workers,
                        .omp_pool = plan->omp_pool};
  size_t n_visited = 0;
  ir_code code = visit(plan, 0, &n_visited);
  for (size_t i = 0; i < plan->n_steps && code == IR_OK; i++) {
    if (plan->on_step != NULL)
      plan->on_step(plan->on_step_user, (int64_t)i, (int64_t)plan->n_steps, plan->steps[i].layer->name);
    shared.ending = ir_plan_ending_input(plan, i);
    plan->steps[i].start_ns = plan->timed ? ir_now_ns() : 0;
    ir_stop_attend(plan->stop);
    code = run_step(plan, &plan->steps[i], &shared.exec);
    plan->steps[i].end_ns = plan->timed ? ir_now_ns() : 0;
    if (code == IR_OK && ir_stop_asked(plan->stop)) {
      plan->stopped_at = &plan->steps[i];
      return IR_IO;
    }
    if (code == IR_OK)
      code = visit(plan, i + 1, &n_visited);
    ir_plan_end_step(plan, i);
  }
  return code;
}

ir_code ir_plan_execute(ir_plan *plan) {
  /* Primitives give their OpenMP threads work directly, so those threads have the mode of `flushes` from the first step
   * to the last. ir_workers_share gives them the caller's mode for shared work. */
  const bool has_team = plan->omp_pool != NULL && plan->n_workers > 1;
  plan->stopped_at = NULL;
  ir_code code = ir_plan_take_memory(plan);
  if (code != IR_OK)
    return code;
  ir_plan_bind(plan);
  uint64_t own = has_team ? flush_team(plan) : 0;
  code = execute_steps(plan);
  if (has_team)
    plan->omp_pool(plan->n_workers, restore_thread, &own);
  plan->keeps_pages = plan->keeps_pages || code == IR_OK;
  return code;
}
