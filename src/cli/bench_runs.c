/* The timed runs of --bench: one after the other, or with --parallel several at once. Each thread ("runner") has a
 * context and a run of its own; all of them run one model. */
#include "bench.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MIN_RUNS     3  /* minimum number of timed runs of a runner, even if the time of --bench is over */
#define WARM_UP_PART 10 /* the warm-up gets a tenth of the time or of the runs */

/* The state that all runners share. */
typedef struct team {
  const cli_run *r;
  cli_bench *bench;
  int64_t start_ns;         /* when the warm-up began */
  pthread_mutex_t starting; /* locked until all threads are started, or one cannot be started */
  bool all_started;
  pthread_barrier_t is_warm; /* all runners are warm */
  atomic_bool failed;
} team;

typedef struct runner {
  team *team;
  pthread_t thread;
  irrun_context *context;
  irrun_run *run;
  int64_t *times;
  int64_t n_times;
  size_t capacity;
  int64_t sum_ns; /* of `times` */
  irrun_status status;
} runner;

/* ---- one run ---- */

static irrun_status set_inputs(irrun_context *context, irrun_run *run, const cli_bench *bench, int64_t n_inputs) {
  irrun_status status = IRRUN_OK;
  for (int64_t i = 0; i < n_inputs && status == IRRUN_OK; i++) {
    const irrun_tensor_info *info = &bench->inputs[i].info;
    const void *data = bench->inputs[i].data;
    irrun_tensor *tensor;
    if (data == NULL)
      continue;
    status = irrun_tensor_borrow(context, info->type, info->rank, info->dims, data, info->bytes, &tensor);
    if (status == IRRUN_OK)
      status = irrun_run_set_input(run, i, tensor, false, NULL);
  }
  return status;
}

static irrun_status time_run(irrun_context *context, irrun_run *run, const cli_bench *bench, int64_t n_inputs,
                             int64_t *out_ns) {
  irrun_run_reset_state(run);
  const int64_t start = cli_now_ns();
  irrun_status status = set_inputs(context, run, bench, n_inputs);
  if (status == IRRUN_OK)
    status = irrun_run_execute(run);
  *out_ns = cli_now_ns() - start;
  return status;
}

irrun_status cli_bench_run(const cli_run *r, const cli_bench *bench, int64_t *out_ns) {
  return time_run(r->c->context, r->run, bench, r->n_inputs, out_ns);
}

/* ---- a runner ---- */

/* The number of runs for each runner. */
static int64_t part_of(const team *t, int64_t runs) {
  return (runs + t->bench->n_parallel - 1) / t->bench->n_parallel;
}

static irrun_status run_once(runner *self, int64_t *out_ns) {
  const team *t = self->team;
  return time_run(self->context, self->run, t->bench, t->r->n_inputs, out_ns);
}

/* Makes the runner's context and run, with the settings of the program's context. */
static irrun_status prepare(runner *self) {
  irrun_context *own = irrun_context_create(NULL);
  self->context = own;
  if (own == NULL)
    return IRRUN_IO;
  const irrun_status status = cli_give_settings(self->team->r->c, self->team->bench->n_threads, own);
  return status == IRRUN_OK ? irrun_run_create_in(own, self->team->r->model, &self->run) : status;
}

static irrun_status warm_up(runner *self) {
  const cli_options *options = &self->team->r->c->options;
  const int64_t end = self->team->start_ns + options->bench_ns / WARM_UP_PART;
  const int64_t runs = part_of(self->team, options->bench_runs / WARM_UP_PART);
  const bool is_new = self->run != self->team->r->run; /* it has no plan yet */
  irrun_status status = IRRUN_OK;
  for (int64_t i = 0; status == IRRUN_OK && (i < runs || (i == 0 && is_new) || cli_now_ns() < end); i++)
    status = run_once(self, &(int64_t){0});
  return status;
}

static int64_t *next_time(runner *self) {
  self->times = cli_with_room(self->times, (size_t)self->n_times, &self->capacity, sizeof *self->times);
  return &self->times[self->n_times++];
}

static irrun_status time_runs(runner *self) {
  const cli_options *options = &self->team->r->c->options;
  const int64_t least = options->bench_runs > 0 ? part_of(self->team, options->bench_runs) : MIN_RUNS;
  const int64_t end = cli_now_ns() + options->bench_ns;
  irrun_status status = IRRUN_OK;
  for (int64_t i = 0; status == IRRUN_OK && !self->team->failed && (i < least || cli_now_ns() < end); i++) {
    int64_t *taken = next_time(self);
    status = run_once(self, taken);
    self->sum_ns += *taken;
  }
  return status;
}

static void *work(void *user) {
  runner *self = user;
  team *t = self->team;
  pthread_mutex_lock(&t->starting);
  pthread_mutex_unlock(&t->starting);
  if (!t->all_started)
    return NULL;
  self->status = self->run != NULL ? IRRUN_OK : prepare(self);
  if (self->status == IRRUN_OK)
    self->status = warm_up(self);
  if (self->status != IRRUN_OK)
    t->failed = true;
  pthread_barrier_wait(&t->is_warm);
  if (self->run == t->r->run)
    t->bench->peak_bytes = cli_peak_bytes();
  if (self->status == IRRUN_OK && !t->failed)
    self->status = time_runs(self);
  if (self->status != IRRUN_OK)
    t->failed = true;
  return NULL;
}

/* ---- all runners ---- */

/* Starts threads for all runners except the first, which works in this thread, and waits until all have ended. */
static irrun_status work_together(team *t, runner *runners) {
  const int n = t->bench->n_parallel;
  int n_started = 1;
  pthread_mutex_lock(&t->starting);
  while (n_started < n && pthread_create(&runners[n_started].thread, NULL, work, &runners[n_started]) == 0)
    n_started++;
  t->all_started = n_started == n;
  pthread_mutex_unlock(&t->starting);
  work(&runners[0]);
  for (int i = 1; i < n_started; i++)
    pthread_join(runners[i].thread, NULL);
  return t->all_started ? IRRUN_OK
                        : cli_fault(t->r->c->context, "IR703", NULL, "give --parallel a smaller number",
                                    "only %d of %d threads could be started", n_started, n);
}

/* Reports the errors of a runner in the program's context. */
static irrun_status report_errors(const team *t, const runner *from) {
  irrun_status status = from->status;
  irrun_diagnostic fault = {.size = sizeof fault};
  if (from->context == NULL)
    return cli_fault(t->r->c->context, "IR703", NULL, NULL, "no memory for another run");
  for (int64_t i = 0; irrun_context_get_diagnostic(from->context, i, &fault); i++) {
    const char *layer = fault.layer_name != NULL ? fault.layer_name : "";
    if (fault.severity == IRRUN_ERROR)
      status = irrun_status_worse(status, cli_fault(t->r->c->context, fault.rule, fault.file, fault.hint,
                                                    "%s%s%s%s, in one of %d runs at once", fault.message,
                                                    *layer != '\0' ? ", layer '" : "", layer, *layer != '\0' ? "'" : "",
                                                    t->bench->n_parallel));
  }
  return status;
}

/* Returns the status of the runs. If several runners failed, reports the errors of the first. */
static irrun_status judge(const team *t, const runner *runners) {
  int i = 0;
  while (i < t->bench->n_parallel && runners[i].status == IRRUN_OK)
    i++;
  if (i == t->bench->n_parallel)
    return IRRUN_OK;
  return runners[i].context == t->r->c->context ? runners[i].status : report_errors(t, &runners[i]);
}

/* Puts the times of all runners together. */
static void add_up(cli_bench *bench, const runner *runners) {
  for (int i = 0; i < bench->n_parallel; i++)
    bench->n_times += runners[i].n_times;
  bench->times = cli_allocate((size_t)bench->n_times, sizeof *bench->times);
  int64_t *at = bench->times;
  for (int i = 0; i < bench->n_parallel; at += runners[i++].n_times) {
    const runner *from = &runners[i];
    memcpy(at, from->times, (size_t)from->n_times * sizeof *from->times);
    bench->sum_ns = from->sum_ns > bench->sum_ns ? from->sum_ns : bench->sum_ns;
    bench->runs_per_s += (double)from->n_times * 1e9 / (double)from->sum_ns;
  }
}

irrun_status cli_bench_time(cli_run *r, cli_bench *bench, int64_t start_ns) {
  team t = {.r = r, .bench = bench, .start_ns = start_ns, .starting = PTHREAD_MUTEX_INITIALIZER};
  const int n = bench->n_parallel;
  runner *runners = cli_allocate((size_t)n, sizeof *runners);
  for (int i = 0; i < n; i++)
    runners[i] = (runner){.team = &t};
  runners[0].context = r->c->context;
  runners[0].run = r->run;
  pthread_barrier_init(&t.is_warm, NULL, (unsigned)n);
  irrun_status status = work_together(&t, runners);
  if (status == IRRUN_OK)
    status = judge(&t, runners);
  if (status == IRRUN_OK)
    add_up(bench, runners);
  pthread_barrier_destroy(&t.is_warm);
  for (int i = 0; i < n; i++) {
    free(runners[i].times);
    irrun_run_free(i > 0 ? runners[i].run : NULL);
    irrun_context_free(i > 0 ? runners[i].context : NULL);
  }
  free(runners);
  return status;
}
