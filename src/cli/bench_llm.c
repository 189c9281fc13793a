/* --bench --llm: measures a language model in rounds. A round resets the state, gives the model a prompt, then single
 * tokens. Measures also how fast this machine reads memory. */
#include "bench.h"
#include "irrun_state.h"
#include "report_text.h"

#include <stdlib.h>
#include <string.h>

#define TOKENS        16        /* of a round, after the prompt */
#define LEAST_TOKENS  3         /* of a round for which there is no time */
#define MOST_READ     536870912 /* bytes with which reading is measured: more than caches hold */
#define MOST_FLOOR_NS 500000000

typedef struct llm_bench {
  cli_run *r;
  cli_bench *prompt, token; /* `prompt` also has what is measured once */
  size_t prompt_capacity, token_capacity;
  int64_t input;             /* that has the ids */
  irrun_tensor_info info;    /* of the prompt's ids; `data` is a copy */
  int64_t n_rows, n_columns; /* sequences, and tokens of each */
  char *ids, *last;          /* of the prompt, and of a token: the last of the prompt */
  int64_t weight_bytes;      /* that a token reads: all but those of which rows are gathered */
  double read_speed;         /* bytes a second that this machine reads from memory */
  bool is_profiled;          /* the rounds are those of the profile */
} llm_bench;

/* ---- a round ---- */

/* Copies the prompt and its last position. */
static void keep_ids(llm_bench *b) {
  b->info = irrun_tensor_get_info(irrun_run_input(b->r->run, b->input));
  b->n_rows = b->info.dims[0];
  b->n_columns = b->info.dims[1];
  const size_t row = b->info.bytes / (size_t)b->n_rows, position = row / (size_t)b->n_columns;
  b->ids = cli_allocate(b->info.bytes, 1);
  b->last = cli_allocate((size_t)b->n_rows, position);
  memcpy(b->ids, b->info.data, b->info.bytes);
  for (size_t i = 0; i < (size_t)b->n_rows; i++)
    memcpy(b->last + i * position, b->ids + (i + 1) * row - position, position);
}

/* Gives the model ids and executes it. The time is that of a program's step: with all inputs. */
static irrun_status run_ids(const llm_bench *b, char *ids, int64_t n_columns, int64_t *out_ns) {
  cli_run *r = b->r;
  int64_t dims[IRRUN_MAX_RANK];
  irrun_tensor *tensor;
  memcpy(dims, b->info.dims, sizeof dims);
  dims[1] = n_columns;
  const int64_t start = cli_now_ns();
  irrun_status status = irrun_tensor_borrow(r->c->context, b->info.type, b->info.rank, dims, ids,
                                            b->info.bytes / (size_t)b->n_columns * (size_t)n_columns, &tensor);
  if (status == IRRUN_OK)
    status = irrun_run_set_input(r->run, b->input, tensor, false, NULL);
  if (status == IRRUN_OK)
    status = cli_fill_llm(r);
  if (status == IRRUN_OK)
    status = irrun_run_execute(r->run);
  *out_ns = cli_now_ns() - start;
  return status;
}

static void add_time(cli_bench *bench, size_t *io_capacity, int64_t ns) {
  bench->times = cli_with_room(bench->times, (size_t)bench->n_times, io_capacity, sizeof *bench->times);
  bench->times[bench->n_times++] = ns;
}

/* When a measurement that begins now is over; never, if --bench has a number of rounds. */
static int64_t end_of_time(const llm_bench *b) {
  const cli_options *options = &b->r->c->options;
  return options->bench_runs > 0 ? INT64_MAX : cli_now_ns() + options->bench_ns;
}

static irrun_status run_round(llm_bench *b) {
  const int64_t end = end_of_time(b);
  int64_t ns;
  irrun_run_reset_state(b->r->run);
  irrun_status status = run_ids(b, b->ids, b->n_columns, &ns);
  if (status == IRRUN_OK)
    add_time(b->prompt, &b->prompt_capacity, ns);
  for (int i = 0; i < TOKENS && status == IRRUN_OK && (i < LEAST_TOKENS || cli_now_ns() < end); i++) {
    status = run_ids(b, b->last, 1, &ns);
    if (status == IRRUN_OK && b->is_profiled)
      cli_profile_take(&b->prompt->profile, b->r->run);
    if (status == IRRUN_OK)
      add_time(&b->token, &b->token_capacity, ns);
  }
  return status;
}

/* ---- the measurement ---- */

static irrun_status run_rounds(llm_bench *b) {
  const int64_t n_rounds = b->r->c->options.bench_runs;
  irrun_status status = run_round(b); /* it makes the plans */
  if (status != IRRUN_OK)
    return status;
  b->prompt->first_ns = b->prompt->times[0];
  b->prompt->peak_bytes = cli_peak_bytes();
  b->prompt->n_times = b->token.n_times = 0;
  const int64_t end = end_of_time(b);
  for (int64_t i = 0; status == IRRUN_OK && (i == 0 || (i != n_rounds && cli_now_ns() < end)); i++)
    status = run_round(b);
  return status;
}

/* Measures how fast this machine reads as many bytes as the weights have. */
static irrun_status measure_reading(llm_bench *b) {
  irrun_sizes sizes = {.size = sizeof sizes};
  irrun_step step = {.size = sizeof step, .written_bytes = 64 * (int64_t)b->prompt->n_threads}; /* a line of each */
  const int64_t half = b->r->c->options.bench_ns / 2;
  int64_t ns = 0;
  irrun_status status = IRRUN_OK;
  if (!irrun_model_get_sizes(b->r->model, &sizes))
    return IRRUN_IO;
  b->weight_bytes = sizes.constant_bytes - sizes.gathered_bytes;
  step.read_bytes = b->weight_bytes < MOST_READ ? b->weight_bytes : MOST_READ;
  if (step.read_bytes > 0)
    status = irrun_floor_measure(b->r->c->context, &step, 1, b->prompt->n_threads,
                                 half > 0 && half < MOST_FLOOR_NS ? half : MOST_FLOOR_NS, &ns);
  b->read_speed = ns > 0 ? (double)step.read_bytes * 1e9 / (double)ns : 0;
  return status;
}

static irrun_status profile_tokens(llm_bench *b) {
  const int64_t n_prompts = b->prompt->n_times, n_tokens = b->token.n_times;
  b->is_profiled = true;
  irrun_run_profile(b->r->run, true);
  const irrun_status status = run_round(b);
  irrun_run_profile(b->r->run, false);
  b->prompt->n_times = n_prompts;
  b->token.n_times = n_tokens;
  return status == IRRUN_OK ? cli_profile_write(b->r, &b->prompt->profile) : status;
}

static irrun_status check_prompt(llm_bench *b) {
  irrun_context *context = b->r->c->context;
  const irrun_tensor *ids = irrun_run_input(b->r->run, b->input);
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(b->r->model, IRRUN_INPUTS, b->input, &io);
  if (ids == NULL || io.value.shape.rank < 2 || irrun_tensor_get_info(ids).elements == 0)
    return cli_fault(context, "IR801", NULL, "give sequences of at least one id, [1,n]",
                     "'--bench --llm': the ids of '%s' are no sequence", io.name);
  if (io.value.shape.dims[1].lo > 1)
    return cli_fault(context, "IR801", NULL, "with --shape, say from 1 on: 1,1..512 for a prompt of 512 ids",
                     "'--bench --llm': '%s' always has %lld ids or more, so that no single one can follow", io.name,
                     (long long)io.value.shape.dims[1].lo);
  return IRRUN_OK;
}

static irrun_status measure(llm_bench *b) {
  cli_run *r = b->r;
  irrun_status status = irrun_status_worse(cli_check_variables(r, "--bench --llm"), check_prompt(b));
  if (status == IRRUN_OK)
    status = cli_check_filled(r, "--bench --llm");
  if (status != IRRUN_OK)
    return status;
  keep_ids(b);
  status = run_rounds(b);
  if (status == IRRUN_OK)
    status = measure_reading(b);
  if (status == IRRUN_OK && cli_options_have(&r->c->options, CLI_OPTION_PROFILE))
    status = profile_tokens(b);
  if (status != IRRUN_OK)
    return status;
  cli_bench_sort(b->prompt);
  cli_bench_sort(&b->token);
  b->prompt->measured = true;
  return cli_bench_check_limit(r, &b->token, "token");
}

/* ---- the report ---- */

static double tokens_per_second(const llm_bench *b, const cli_bench *of, int64_t n_columns) {
  return (double)(b->n_rows * n_columns) * 1e9 / (double)cli_bench_percentile(of, 50);
}

static double weight_speed(const llm_bench *b) {
  return (double)b->weight_bytes * 1e9 / (double)b->token.times[0];
}

static void add_rate(cli_string *line, double rate) {
  cli_add(line, "%.*f tokens/s", rate < 10 ? 2 : rate < 100, rate);
}

static void add_speed(cli_string *line, const llm_bench *b) {
  const double percent = 100 * weight_speed(b) / b->read_speed;
  cli_add_bytes(line, weight_speed(b));
  cli_add(line, "/s, %.*f %% of the ", percent < 10, percent);
  cli_add_bytes(line, b->read_speed);
  cli_add(line, "/s that this machine reads");
}

static void add_times(cli_string *line, const llm_bench *b, const cli_bench *of, const char *name, int64_t n_columns) {
  cli_add(line, "\n   %s   ", name);
  cli_add_bench_times(line, of);
  cli_add(line, "   ");
  add_rate(line, tokens_per_second(b, of, n_columns));
}

static void add_input(cli_string *line, const llm_bench *b) {
  const char *source = b->r->sources[b->input];
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(b->r->model, IRRUN_INPUTS, b->input, &io);
  cli_add(line, "\n   input    ");
  cli_add_name(line, io.name);
  cli_add(line, " %s[", irrun_type_name(b->info.type));
  for (int axis = 0; axis < b->info.rank; axis++)
    cli_add(line, "%s%lld", axis > 0 ? "," : "", (long long)b->info.dims[axis]);
  cli_add(line, "] from ");
  cli_add_name(line, source);
  cli_add(line, ", then single tokens\n");
}

static void print(const llm_bench *b) {
  cli_string line = {0};
  const bool quiet = b->r->c->options.quiet;
  cli_add_name(&line, b->r->path);
  cli_add(&line, "  ");
  if (quiet) {
    cli_add(&line, "prompt ");
    add_rate(&line, tokens_per_second(b, b->prompt, b->n_columns));
    cli_add(&line, ", then ");
    add_rate(&line, tokens_per_second(b, &b->token, 1));
    cli_add(&line, ", ");
  } else {
    cli_add_bench_machine(&line, b->prompt);
    add_input(&line, b);
    cli_add_bench_start(&line, b->prompt);
    add_times(&line, b, b->prompt, "prompt", b->n_columns);
    add_times(&line, b, &b->token, "token ", 1);
    cli_add(&line, "\n   weights  ");
    cli_add_bytes(&line, (double)b->weight_bytes);
    cli_add(&line, " for a token, ");
  }
  add_speed(&line, b);
  fprintf(b->r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
  if (b->prompt->profile.steps != NULL)
    cli_print_profile(b->r, &b->prompt->profile);
}

static void add_json_times(cli_node *parent, const char *name, const llm_bench *b, const cli_bench *of,
                           int64_t n_columns) {
  cli_node *node = cli_node_object(parent, name);
  cli_node_integer(node, "tokens", b->n_rows * n_columns);
  cli_json_bench_times(node, of);
  cli_node_number(node, "tokens_per_s", tokens_per_second(b, of, n_columns));
}

static void add_json(cli_node *model, const llm_bench *b) {
  cli_node *node = cli_node_object(model, "llm_bench");
  cli_node_integer(node, "load_ns", b->prompt->load_ns);
  cli_node_integer(node, "first_ns", b->prompt->first_ns);
  add_json_times(node, "prompt", b, b->prompt, b->n_columns);
  add_json_times(node, "token", b, &b->token, 1);
  cli_node_integer(node, "weight_bytes", b->weight_bytes);
  cli_node_number(node, "weight_bytes_per_s", weight_speed(b));
  cli_node_number(node, "read_bytes_per_s", b->read_speed);
  cli_node_count(node, "peak_bytes", b->prompt->peak_bytes);
  cli_node_text(node, "precision", b->prompt->precision);
  cli_json_bench_machine(node, b->prompt);
  if (b->prompt->profile.steps != NULL)
    cli_json_profile(b->r, model, &b->prompt->profile);
}

irrun_status cli_bench_llm(cli_run *r, cli_bench *bench) {
  llm_bench b = {.r = r, .prompt = bench, .input = cli_find_ids(r)};
  const irrun_status status = measure(&b);
  if (r->c->json != NULL) {
    cli_node *node = cli_json_next_model(r->c->json);
    cli_json_model(r->c, node, r->model, r->path, status);
    if (bench->measured)
      add_json(node, &b);
  } else {
    cli_show_diagnostics(r->c);
    if (status == IRRUN_UNSUPPORTED)
      cli_show_missing_ops(r->model);
    if (bench->measured)
      print(&b);
  }
  free(b.token.times);
  free(b.ids);
  free(b.last);
  return status;
}
