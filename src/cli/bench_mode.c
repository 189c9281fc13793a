/* --bench: reads a model, times its first run, and lets bench_runs.c warm up and time more runs, or bench_llm.c prompts
 * and tokens. Prints and writes nothing between the first and the last timed run. */
#include "bench.h"
#include "report_text.h"

#include <stdlib.h>
#include <string.h>

#define PROFILED_PART     10 /* profiled runs get a tenth of the time of the timed ones */
#define MOST_PROFILED     100
#define MOST_FLOOR_NS     500000000
#define VALUES_OF_A_BENCH "random:1"

/* Copies the elements of the inputs. The copies are set again before every run, because callers usually have new inputs
 * for each run. */
static void keep_inputs(cli_run *r, cli_bench *bench) {
  bench->inputs = cli_allocate((size_t)r->n_inputs + 1, sizeof *bench->inputs);
  memset(bench->inputs, 0, ((size_t)r->n_inputs + 1) * sizeof *bench->inputs);
  for (int64_t i = 0; i < r->n_inputs; i++) {
    const irrun_tensor *tensor = irrun_run_input(r->run, i);
    if (tensor == NULL)
      continue;
    const irrun_tensor_info info = irrun_tensor_get_info(tensor);
    bench->inputs[i] = (cli_bench_input){info, cli_allocate(info.bytes + 1, 1)};
    memcpy(bench->inputs[i].data, info.data, info.bytes);
  }
}

/* Profiles separate runs, because reading the clock between steps takes time too. */
static irrun_status profile_runs(cli_run *r, cli_bench *bench) {
  const int64_t n_runs = bench->n_times < MOST_PROFILED ? bench->n_times : MOST_PROFILED;
  const int64_t end = cli_now_ns() + bench->sum_ns / PROFILED_PART;
  irrun_status status = IRRUN_OK;
  irrun_run_profile(r->run, true);
  for (int64_t i = 0; status == IRRUN_OK && i < n_runs && (i == 0 || cli_now_ns() < end); i++) {
    status = cli_bench_run(r, bench, &(int64_t){0});
    if (status == IRRUN_OK)
      cli_profile_take(&bench->profile, r->run);
  }
  irrun_run_profile(r->run, false);
  return status == IRRUN_OK ? cli_profile_write(r, &bench->profile) : status;
}

static irrun_status measure_floor(cli_run *r, cli_bench *bench) {
  cli_profile run = {.steps = NULL};
  int64_t budget = bench->sum_ns / 2 < MOST_FLOOR_NS ? bench->sum_ns / 2 : MOST_FLOOR_NS;
  irrun_status status = IRRUN_OK;
  cli_profile_take(&run, r->run);
  bench->n_steps = run.n_steps;
  for (int64_t i = 0; i < run.n_steps; i++)
    bench->bytes += run.steps[i].read_bytes + run.steps[i].written_bytes;
  if (bench->bytes > 0)
    status = irrun_floor_measure(r->c->context, run.steps, run.n_steps, bench->n_threads, budget, &bench->floor_ns);
  cli_profile_reset(&run);
  return status;
}

static irrun_status measure(cli_run *r, cli_bench *bench) {
  const int64_t start = cli_now_ns();
  keep_inputs(r, bench);
  irrun_status status = cli_bench_run(r, bench, &bench->first_ns);
  if (status == IRRUN_OK) {
    irrun_run_forget_plans(r->run);
    status = cli_bench_run(r, bench, &bench->new_shapes_ns);
  }
  if (status == IRRUN_OK)
    status = cli_bench_time(r, bench, start);
  if (status == IRRUN_OK)
    status = measure_floor(r, bench);
  if (status != IRRUN_OK)
    return status;
  cli_bench_sort(bench);
  bench->measured = true;
  status = cli_bench_check_limit(r, bench, "run");
  return cli_options_have(&r->c->options, CLI_OPTION_PROFILE) ? irrun_status_worse(status, profile_runs(r, bench))
                                                              : status;
}

static irrun_status prepare(cli_run *r, cli_bench *bench) {
  const int64_t start = cli_now_ns();
  irrun_status status = cli_read_model(r->c, r->path, IRRUN_TO_RUN, &r->model);
  bench->load_ns = cli_now_ns() - start;
  if (status == IRRUN_OK)
    status = irrun_run_create(r->model, &r->run);
  if (status != IRRUN_OK)
    return status;
  irrun_model_info info = cli_model_info(r->model);
  r->n_inputs = info.n_inputs;
  r->n_outputs = info.n_outputs;
  cli_claim_stdin_for_model(r);
  status = cli_bind_inputs(r);
  return status == IRRUN_OK ? cli_plan_trace(r) : status;
}

static void report(cli_run *r, const cli_bench *bench, irrun_status status) {
  if (r->c->json != NULL) {
    cli_node *node = cli_json_next_model(r->c->json);
    cli_json_model(r->c, node, r->model, r->path, status);
    if (bench->measured)
      cli_json_bench(r, node, bench);
    return;
  }
  cli_show_diagnostics(r->c);
  if (status == IRRUN_UNSUPPORTED && r->model != NULL)
    cli_show_missing_ops(r->model);
  if (bench->measured)
    cli_print_bench(r, bench);
}

/* Measures the model with the --shape options of the current turn. */
static irrun_status bench_once(cli *c) {
  cli_run r = {.c = c, .path = c->options.models[0], .default_fill = VALUES_OF_A_BENCH};
  cli_bench bench = {.n_parallel = c->options.parallel,
                     .n_threads = irrun_context_get_threads(c->context),
                     .precision = irrun_type_name(irrun_context_get_precision(c->context))};
  irrun_status status = prepare(&r, &bench);
  if (status == IRRUN_OK && cli_has_llm(&r)) {
    status = cli_bench_llm(&r, &bench);
  } else {
    if (status == IRRUN_OK)
      status = measure(&r, &bench);
    report(&r, &bench, status);
  }
  cli_profile_reset(&bench.profile);
  free(bench.times);
  for (int64_t i = 0; bench.inputs != NULL && i < r.n_inputs; i++)
    free(bench.inputs[i].data);
  free(bench.inputs);
  cli_free_run(&r);
  return status;
}

/* Divides the threads among the runs of --parallel. */
static irrun_status share_threads(cli *c) {
  irrun_status status = irrun_context_set_threads(c->context, c->options.threads);
  const int each = irrun_context_get_threads(c->context) / c->options.parallel;
  if (status == IRRUN_OK && c->options.parallel > 1)
    status = irrun_context_set_threads(c->context, each > 1 ? each : 1);
  return status;
}

irrun_status cli_bench_mode(cli *c) {
  int n_shapes;
  irrun_status status = irrun_status_worse(cli_check_fills(c), cli_count_shapes(c, &n_shapes));
  if (status == IRRUN_OK)
    status = share_threads(c);
  irrun_context_set_max_memory(c->context, c->options.max_memory);
  irrun_context_set_max_time(c->context, c->options.max_ns);
  if (status == IRRUN_OK && cli_options_have(&c->options, CLI_OPTION_LLM) && c->options.parallel > 1)
    status =
        cli_fault(c->context, "IR801", NULL, "leave one of them out", "'--bench --llm' measures one run at a time");
  if (status == IRRUN_OK && n_shapes > 1 && strcmp(c->options.models[0], "-") == 0)
    status = cli_fault(c->context, "IR801", NULL, "give the model's file",
                       "several shapes read the model several times, and '-' is stdin");
  if (status == IRRUN_OK && n_shapes > 1 && cli_options_next(&c->options, CLI_OPTION_PROFILE, &(int){0}) != NULL)
    status =
        cli_fault(c->context, "IR801", NULL, "leave the file out", "a trace is of one shape, and here are several");
  if (status != IRRUN_OK)
    return status;
  for (c->turn = 0; c->turn < n_shapes; c->turn++)
    status = irrun_status_worse(status, bench_once(c));
  return status;
}
