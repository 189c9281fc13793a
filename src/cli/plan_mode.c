/* --show-plan: prints the steps of a plan, or the operations of a program after a pass. Prints a table or JSON, or
 * draws the plan's memory. */
#include "plan_picture.h"
#include "report_text.h"
#include "table.h"

#include <string.h>

typedef enum column { STEP, LAYER, OP, KERNEL, WRITES, OFFSET, BYTES, MOVED, N_COLUMNS } column;

enum { MOST_AWAITED = 4 }; /* maximum number of layers that print_stages names */

/* ---- text ---- */

static void add_layer(cli_string *string, irrun_model *model, int64_t number) {
  irrun_layer layer = {.size = sizeof layer};
  if (irrun_model_get_layer(model, number, &layer))
    cli_add_name(string, layer.name);
}

static void add_outputs(const cli_run *r, int64_t index, const irrun_plan_row *row, cli_string *cells) {
  irrun_plan_tensor tensor = {.size = sizeof tensor};
  const char *between = "";
  for (int p = 0; p < row->n_outputs && irrun_run_get_plan_tensor(r->run, index, true, p, &tensor); p++) {
    if (tensor.number < 0)
      continue;
    cli_add(&cells[WRITES], "%s", between);
    cli_add_plan_tensor(&cells[WRITES], &tensor);
    if (tensor.offset >= 0)
      cli_add(&cells[OFFSET], "%s%lld", between, (long long)tensor.offset);
    cli_add(&cells[BYTES], "%s%lld", between, (long long)tensor.bytes);
    between = ", ";
  }
}

static void add_inputs(const cli_run *r, int64_t index, const irrun_plan_row *row, cli_string *details) {
  irrun_plan_tensor tensor = {.size = sizeof tensor};
  for (int p = 0; p < row->n_inputs && irrun_run_get_plan_tensor(r->run, index, false, p, &tensor); p++) {
    cli_add(details, "%s", p == 0 ? "        reads: " : ", ");
    if (tensor.layer >= 0) {
      add_layer(details, r->model, tensor.layer);
      cli_add(details, " ");
    }
    cli_add_plan_tensor(details, &tensor);
  }
  cli_add(details, "%s", row->n_inputs > 0 ? "\n" : "");
}

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  const cli_run *r = user;
  irrun_plan_row row = {.size = sizeof row};
  if (!irrun_run_get_plan_row(r->run, index, &row))
    return false;
  if (row.step >= 0)
    cli_add(&cells[STEP], "%lld", (long long)row.step);
  add_layer(&cells[LAYER], r->model, row.layer);
  cli_add(&cells[OP], "%s", row.op);
  if (row.kernel != NULL) {
    cli_add(&cells[KERNEL], "%s (%s)", row.kernel, row.isa);
    cli_add(&cells[MOVED], "%lld", (long long)row.moved_bytes);
  }
  add_outputs(r, index, &row, cells);
  if (r->c->options.quiet)
    return true;
  if (row.fused != NULL)
    cli_add(details, "        fused: %s\n", row.fused);
  if (row.why != NULL) {
    cli_add(details, "        why: ");
    cli_add_printable(details, row.why);
    cli_add(details, "\n");
  }
  if (r->c->options.verbose)
    add_inputs(r, index, &row, details);
  return true;
}

static void print_rows(cli_run *r, bool is_program) {
  cli_column columns[N_COLUMNS] = {
      [STEP] = {"step", true},
      [LAYER] = {"layer", false, CLI_CUT_MIDDLE},
      [OP] = {"op", false},
      [KERNEL] = {"kernel", false},
      [WRITES] = {"writes", false, CLI_CUT_LIST},
      [OFFSET] = {"offset", true},
      [BYTES] = {"bytes", true},
      [MOVED] = {"moved", true},
  };
  if (is_program)
    columns[STEP].title = columns[KERNEL].title = columns[OFFSET].title = columns[MOVED].title = "";
  cli_print_table(r->c->results, cli_results_width(r->c), columns, N_COLUMNS, fill_row, r);
}

/* Prints a summary: the plan's steps and memory, or if `after` is a pass, the number of operations after this pass. */
static void print_sum(const cli_run *r, const irrun_plan_info *info, const char *after) {
  cli_string line = {0};
  irrun_plan_row row = {.size = sizeof row};
  double moved = 0;
  for (int64_t i = 0; irrun_run_get_plan_row(r->run, i, &row); i++)
    moved += (double)row.moved_bytes;
  cli_add_name(&line, r->path);
  cli_add(&line, ": ");
  if (after != NULL) {
    cli_add_count(&line, info->n_rows, "operation");
    cli_add(&line, " after %s", after);
  } else {
    cli_add_count(&line, info->n_steps, "step");
    cli_add(&line, ", block ");
    cli_add_bytes(&line, (double)info->block_bytes);
    cli_add(&line, ", scratch ");
    cli_add_bytes(&line, (double)info->scratch_bytes);
    cli_add(&line, " a thread, moves ");
    cli_add_bytes(&line, moved);
  }
  if (info->why_plain != NULL)
    cli_add(&line, "\nwithout oneDNN and the passes for it: %s", info->why_plain);
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void print_stages(const cli_run *r, const irrun_plan_info *info) {
  cli_string line = {0};
  if (info->n_awaited == 0)
    return;
  cli_add(&line, "%s",
          info->needs_contents
              ? "this is a part of the plan: elements of an input, which --input or --fill gives, decide shapes of "
              : "the run has several stages, and this is the first: the next one waits for ");
  for (int64_t i = 0; i < info->n_awaited && i < MOST_AWAITED; i++) {
    irrun_layer layer = {.size = sizeof layer};
    irrun_model_get_layer(r->model, irrun_run_get_awaited(r->run, i), &layer);
    cli_add(&line, "%s", i > 0 ? ", " : "");
    cli_add_name(&line, layer.type);
    cli_add(&line, " '");
    cli_add_name(&line, layer.name);
    cli_add(&line, "'");
  }
  if (info->n_awaited > MOST_AWAITED)
    cli_add(&line, " and %lld more", (long long)(info->n_awaited - MOST_AWAITED));
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

/* ---- the mode ---- */

static irrun_status plan(cli_run *r, const char *after, const char *picture) {
  irrun_model_info info = cli_model_info(r->model);
  r->n_inputs = info.n_inputs;
  r->n_outputs = info.n_outputs;
  r->may_lack_inputs = true;
  cli_claim_stdin_for_model(r);
  irrun_status status = irrun_run_create(r->model, &r->run);
  if (status == IRRUN_OK)
    status = cli_bind_inputs(r);
  if (status == IRRUN_OK && picture != NULL)
    status = cli_plan_side_file(r, CLI_OPTION_SHOW_PLAN, picture);
  if (status == IRRUN_OK)
    status = irrun_run_show(r->run, after);
  return status == IRRUN_OK && picture != NULL ? cli_write_plan_picture(r, picture) : status;
}

static void print_written(const cli *c, const char *picture) {
  cli_string line = {0};
  cli_add_written(&line, c, picture);
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void report(cli_run *r, irrun_status status, const char *after, const char *picture) {
  irrun_plan_info info = {.size = sizeof info};
  const bool is_shown = r->run != NULL && irrun_run_get_plan_info(r->run, &info);
  if (r->c->json != NULL) {
    cli_node *node = cli_json_next_model(r->c->json);
    cli_json_model(r->c, node, r->model, r->path, status);
    if (is_shown)
      cli_json_plan(r, node, after, picture);
    return;
  }
  cli_show_diagnostics(r->c);
  if (status == IRRUN_UNSUPPORTED && r->model != NULL)
    cli_show_missing_ops(r->model);
  if (!is_shown)
    return;
  if (picture == NULL)
    print_rows(r, after != NULL);
  else if (status == IRRUN_OK)
    print_written(r->c, picture);
  print_sum(r, &info, after);
  print_stages(r, &info);
}

irrun_status cli_show_plan_mode(cli *c) {
  cli_run r = {.c = c, .path = c->options.models[0]};
  const char *value = cli_options_next(&c->options, CLI_OPTION_SHOW_PLAN, &(int){0});
  const char *after = cli_shown_after(value), *picture = after == NULL ? value : NULL;
  irrun_status status = cli_check_fills(c);
  if (status == IRRUN_OK)
    status = irrun_context_set_threads(c->context, c->options.threads);
  irrun_context_set_max_memory(c->context, c->options.max_memory);
  if (status == IRRUN_OK)
    status = cli_read_model(c, r.path, IRRUN_TO_RUN, &r.model);
  if (status == IRRUN_OK)
    status = plan(&r, after, picture);
  report(&r, status, after, picture);
  cli_free_run(&r);
  return status;
}
