#include "profile.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

void cli_profile_take(cli_profile *profile, const irrun_run *run) {
  irrun_step step = {.size = sizeof step};
  int64_t n_steps = 0, start = 0, end = 0;
  size_t length = 0;
  for (; irrun_run_get_step(run, n_steps, &step); n_steps++) {
    start = n_steps == 0 ? step.start_ns : start;
    end = step.depth == 0 ? step.start_ns + step.duration_ns : end;
    length += strlen(step.kernel) + 1;
  }
  if (profile->steps != NULL && profile->total_ns <= end - start)
    return;
  cli_profile_reset(profile);
  profile->steps = cli_allocate((size_t)n_steps + 1, sizeof *profile->steps);
  profile->macs = cli_allocate((size_t)n_steps + 1, sizeof *profile->macs);
  profile->kernels = cli_allocate(length + 1, 1);
  profile->n_steps = n_steps;
  profile->total_ns = end - start;
  char *at = profile->kernels;
  for (int64_t i = 0; i < n_steps; i++) {
    profile->steps[i].size = sizeof profile->steps[i];
    irrun_run_get_step(run, i, &profile->steps[i]);
    profile->macs[i] = irrun_run_get_step_macs(run, i);
    profile->steps[i].kernel = strcpy(at, profile->steps[i].kernel);
    at += strlen(at) + 1;
  }
}

void cli_profile_reset(cli_profile *profile) {
  free(profile->kernels);
  free(profile->steps);
  free(profile->macs);
  *profile = (cli_profile){.steps = NULL};
}

static void add_op(cli_string *string, const irrun_layer *layer) {
  cli_add_name(string, layer->type);
  cli_add(string, "-%d", layer->version);
}

static double share_of(const cli_profile *profile, const irrun_step *step) {
  return profile->total_ns > 0 ? (double)step->duration_ns / (double)profile->total_ns : 0;
}

/* ---- the trace: the "JSON array format" of chrome://tracing; without steps of bodies, whose times are sums ---- */

static void add_event(cli_node *list, const cli_run *r, const cli_profile *profile, int64_t index) {
  const irrun_step *step = &profile->steps[index];
  irrun_layer layer = {.size = sizeof layer};
  cli_string op = {0};
  irrun_model_get_layer(r->model, step->layer, &layer);
  add_op(&op, &layer);
  cli_node *event = cli_node_object(list, NULL);
  cli_node_text(event, "name", layer.name);
  cli_node_text(event, "cat", cli_text(&op));
  cli_node_text(event, "ph", "X");
  cli_node_number(event, "ts", (double)(step->start_ns - profile->steps[0].start_ns) / 1e3);
  cli_node_number(event, "dur", (double)step->duration_ns / 1e3);
  cli_node_integer(event, "pid", 1);
  cli_node_integer(event, "tid", 1);
  cli_node *arguments = cli_node_object(event, "args");
  cli_node_scalar(arguments, "id", layer.id);
  cli_node_text(arguments, "kernel", step->kernel);
  cli_node_text(arguments, "isa", step->isa);
  cli_node_integer(arguments, "read_bytes", step->read_bytes);
  cli_node_integer(arguments, "written_bytes", step->written_bytes);
  cli_node_integer(arguments, "macs", profile->macs[index]);
  cli_reset(&op);
}

irrun_status cli_profile_write(cli_run *r, const cli_profile *profile) {
  int at = 0;
  const char *path = cli_options_next(&r->c->options, CLI_OPTION_PROFILE, &at);
  if (path == NULL)
    return IRRUN_OK;
  cli_node *list = cli_node_list();
  for (int64_t i = 0; i < profile->n_steps; i++)
    if (profile->steps[i].depth == 0)
      add_event(list, r, profile, i);
  irrun_status status = cli_node_write(r->c, list, path);
  cli_node_free(list);
  return status;
}

/* ---- the table ---- */

typedef enum column { ID, LAYER, OP, KERNEL, TIME, SHARE, SPEED, RATE, N_COLUMNS } column;

/* Multiplications in a second; 0: the step computes no product, or took no time. */
static double rate_of(const cli_profile *profile, int64_t index) {
  const double ns = (double)profile->steps[index].duration_ns;
  return ns > 0 ? (double)profile->macs[index] * 1e9 / ns : 0;
}

typedef struct profile_rows {
  const cli_run *r;
  const cli_profile *profile;
} profile_rows;

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  const profile_rows *rows = user;
  (void)details;
  if (index >= rows->profile->n_steps)
    return false;
  const irrun_step *step = &rows->profile->steps[index];
  irrun_layer layer = {.size = sizeof layer};
  irrun_model_get_layer(rows->r->model, step->layer, &layer);
  cli_add_name(&cells[ID], layer.id);
  cli_add_layer_path(&cells[LAYER], &layer);
  add_op(&cells[OP], &layer);
  cli_add(&cells[KERNEL], "%s (%s)", step->kernel, step->isa);
  if (step->calls > 1)
    cli_add(&cells[KERNEL], " %lld times", (long long)step->calls);
  cli_add_time(&cells[TIME], (double)step->duration_ns);
  cli_add(&cells[SHARE], "%.1f %%", 100 * share_of(rows->profile, step));
  if (step->duration_ns > 0) {
    cli_add_bytes(&cells[SPEED], (double)(step->read_bytes + step->written_bytes) * 1e9 / (double)step->duration_ns);
    cli_add(&cells[SPEED], "/s");
  }
  if (rate_of(rows->profile, index) > 0)
    cli_add(&cells[RATE], "%.2f GMAC/s", rate_of(rows->profile, index) / 1e9);
  return true;
}

void cli_print_profile(cli_run *r, const cli_profile *profile) {
  static const cli_column columns[N_COLUMNS] = {
      [ID] = {"id", true},       [LAYER] = {"layer", false, CLI_CUT_MIDDLE},
      [OP] = {"op", false},      [KERNEL] = {"kernel", false},
      [TIME] = {"time", true},   [SHARE] = {"share", true},
      [SPEED] = {"speed", true}, [RATE] = {"products", true},
  };
  profile_rows rows = {r, profile};
  bool has_products = false;
  for (int64_t i = 0; i < profile->n_steps; i++)
    has_products = has_products || rate_of(profile, i) > 0;
  cli_print_table(r->c->results, cli_results_width(r->c), columns, has_products ? N_COLUMNS : RATE, fill_row, &rows);
}

void cli_json_profile(cli_run *r, cli_node *model, const cli_profile *profile) {
  cli_node *list = cli_node_array(model, "profile");
  for (int64_t i = 0; i < profile->n_steps; i++) {
    const irrun_step *step = &profile->steps[i];
    irrun_layer layer = {.size = sizeof layer};
    irrun_model_get_layer(r->model, step->layer, &layer);
    cli_node *node = cli_node_object(list, NULL);
    cli_node_scalar(node, "id", layer.id);
    cli_node_text(node, "name", layer.name);
    cli_node *inside = cli_node_array(node, "inside");
    for (int outer = 0; outer < layer.n_inside; outer++)
      cli_node_text(inside, NULL, layer.inside[outer]);
    cli_node_text(node, "op", layer.type);
    cli_node_text(node, "kernel", step->kernel);
    cli_node_text(node, "isa", step->isa);
    cli_node_integer(node, "start_ns", step->start_ns - profile->steps[0].start_ns);
    cli_node_integer(node, "duration_ns", step->duration_ns);
    cli_node_integer(node, "calls", step->calls);
    cli_node_number(node, "share", share_of(profile, step));
    cli_node_integer(node, "read_bytes", step->read_bytes);
    cli_node_integer(node, "written_bytes", step->written_bytes);
    cli_node_integer(node, "macs", profile->macs[i]);
    cli_node_number(node, "macs_per_s", rate_of(profile, i));
  }
}

/* Prints "passes: fuse 96 layers, layout 71 tensors". Omits passes that changed nothing. */
static void print_passes(const cli_run *r) {
  const char *between = "passes: ";
  for (unsigned pass = 1; irrun_pass_name((irrun_pass)pass) != NULL; pass *= 2) {
    const long long n = irrun_run_pass_count(r->run, (irrun_pass)pass);
    if (n == 0)
      continue;
    fprintf(r->c->results, "%s%s %lld %s", between, irrun_pass_name((irrun_pass)pass), n,
            irrun_pass_counts((irrun_pass)pass));
    between = ", ";
  }
  if (between[0] == ',')
    fputc('\n', r->c->results);
}

/* Number of products whose kernels have the text in their names. */
static int count_products(const cli_run *r, const char *text) {
  irrun_step step = {.size = sizeof step};
  int n = 0;
  for (int64_t i = 0; irrun_run_get_step(r->run, i, &step); i++)
    n += step.depth == 0 && strcmp(step.isa, "onednn") == 0 && strstr(step.kernel, text) != NULL;
  return n;
}

void cli_print_products(const cli_run *r) {
  static const char *const types[] = {"_bf16", "_f16", "_i8"};
  irrun_step step = {.size = sizeof step};
  const int products = count_products(r, ""), biases = count_products(r, "+bias"),
            additions = count_products(r, "+add");
  int parts = 0;
  for (int64_t i = 0; irrun_run_get_step(r->run, i, &step); i++)
    for (const char *at = strchr(step.kernel, '+'); at != NULL && step.depth == 0 && strcmp(step.isa, "onednn") == 0;
         at = strchr(at + 1, '+'))
      parts++;
  if (products > 0)
    fprintf(r->c->results, "products by oneDNN: %d", products);
  for (int i = 0; i < 3; i++)
    if (count_products(r, types[i]) > 0)
      fprintf(r->c->results, ", %d of them in %s", count_products(r, types[i]), types[i] + 1);
  if (products > 0)
    fprintf(r->c->results, ", denormals count as 0; done with them: biases %d, additions %d, functions %d\n", biases,
            additions, parts - biases - additions);
  print_passes(r);
}
