/* Lets a language model continue a sequence of ids: --greedy. */
#include "irrun_state.h"
#include "report_text.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_IDS 10000000

typedef struct greedy {
  cli_run r;
  int64_t input, output; /* numbers of the input with the ids and of the output with the logits */
  int64_t *ids, n, most;
  const char *written, *expected; /* the arguments of --output and --expect, or NULL */
  irrun_comparison comparison;
} greedy;

/* ---- before the run ---- */

/* Reads the only argument of an option. */
static irrun_status read_once(const cli *c, cli_option option, const char **out) {
  int at = 0;
  *out = cli_options_next(&c->options, option, &at);
  if (cli_options_next(&c->options, option, &at) == NULL)
    return IRRUN_OK;
  return cli_fault(c->context, "IR801", NULL, "the ids are one tensor: give it once", "'--%s' is given twice",
                   cli_option_rows[option].name);
}

static irrun_status read_options(greedy *g) {
  cli *c = g->r.c;
  const char *count = cli_options_next(&c->options, CLI_OPTION_GREEDY, &(int){0});
  irrun_status status = irrun_status_worse(cli_check_fills(c), read_once(c, CLI_OPTION_OUTPUT, &g->written));
  status = irrun_status_worse(status, read_once(c, CLI_OPTION_EXPECT, &g->expected));
  if (!cli_parse_count(count, &g->most) || g->most < 1 || g->most > MOST_IDS)
    status = cli_fault(c->context, "IR801", NULL, NULL, "'--greedy %s': needs a number of ids from 1 to %d", count,
                       MOST_IDS);
  if (g->written != NULL && (irrun_output_form(g->written) == IRRUN_FORM_NONE || strcmp(g->written, "-") == 0))
    status = cli_fault(c->context, "IR801", NULL, "use .npy, .npz, .raw or .bin",
                       "'--output %s': the name does not say which form to write", g->written);
  return status;
}

/* Finds the output "logits", or the only output. */
static irrun_status find_output(greedy *g) {
  cli_run *r = &g->r;
  const char *rest;
  irrun_status status = irrun_model_match_name(r->model, IRRUN_OUTPUTS, "logits=", &g->output, &rest);
  if (status == IRRUN_OK && g->output < 0 && r->n_outputs != 1)
    return cli_fault(r->c->context, "IR801", NULL, NULL, "'--greedy': the model has %lld outputs, and none is 'logits'",
                     (long long)r->n_outputs);
  g->output = g->output < 0 ? 0 : g->output;
  return status == IRRUN_OK ? irrun_run_request_output(r->run, g->output) : status;
}

/* Checks that the ids are one sequence, and that all inputs that grow are filled. */
static irrun_status check_inputs(greedy *g) {
  cli_run *r = &g->r;
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_input(r->run, g->input));
  if (info.rank != 2 || info.dims[0] != 1 || info.elements == 0)
    return cli_fault(r->c->context, "IR801", NULL, "give one sequence of at least one id, [1,n]",
                     "'--greedy' continues one sequence of ids, and input_ids has %lld elements in %lld rows",
                     (long long)info.elements, (long long)(info.rank > 0 ? info.dims[0] : 1));
  return cli_check_filled(r, "--greedy");
}

/* Lists the file of --output among the files of the run, so that no other option writes it. */
static irrun_status plan_output(greedy *g) {
  cli_run *r = &g->r;
  char place[IRRUN_PLACE_TEXT];
  cli_string path = {0};
  irrun_status status = cli_plan_side_file(r, CLI_OPTION_OUTPUT, g->written);
  irrun_output_place(g->written, place, sizeof place);
  cli_add(&path, "%s", g->written);
  r->out_files = cli_allocate(1, sizeof *r->out_files);
  cli_add_file_of_run(r, -1, path.text, place);
  return status;
}

static irrun_status prepare(greedy *g) {
  cli_run *r = &g->r;
  const irrun_model_info info = cli_model_info(r->model);
  r->n_inputs = info.n_inputs;
  r->n_outputs = info.n_outputs;
  cli_claim_stdin_for_model(r);
  irrun_status status = irrun_run_create(r->model, &r->run);
  if (status == IRRUN_OK)
    status = find_output(g);
  if (status == IRRUN_OK)
    status = cli_check_variables(r, "--greedy");
  if (status == IRRUN_OK && g->written != NULL)
    status = plan_output(g);
  if (status == IRRUN_OK)
    status = cli_plan_state(r);
  if (status == IRRUN_OK)
    status = cli_load_state(r);
  if (status == IRRUN_OK && g->expected != NULL)
    status = cli_claim_stdin(r, CLI_OPTION_EXPECT, g->expected);
  if (status == IRRUN_OK)
    status = cli_bind_inputs(r);
  g->input = cli_find_ids(r);
  return status == IRRUN_OK ? check_inputs(g) : status;
}

/* ---- the run ---- */

/* Finds the largest logit of the last position, the first one if several are equal. */
static irrun_status choose(greedy *g, int64_t *out_id) {
  cli_run *r = &g->r;
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(r->run, g->output));
  const int64_t n = info.rank > 0 ? info.dims[info.rank - 1] : 1;
  *out_id = 0;
  if (info.type != IRRUN_F32 || info.elements == 0)
    return cli_fault(r->c->context, "IR801", NULL, NULL, "'--greedy' needs logits of f32, and here are %lld of %s",
                     (long long)info.elements, irrun_type_name(info.type));
  const float *logits = (const float *)info.data + info.elements - n;
  for (int64_t i = 0; i < n; i++) {
    if (isnan(logits[i]))
      return cli_fault(r->c->context, "IR604", NULL, NULL, "id number %lld: the logit of id %lld is NaN",
                       (long long)g->n, (long long)i);
    *out_id = logits[i] > logits[*out_id] ? i : *out_id;
  }
  return IRRUN_OK;
}

/* Gives the last id to the next execution. */
static irrun_status set_last_id(greedy *g) {
  cli_run *r = &g->r;
  irrun_tensor *tensor;
  irrun_status status =
      irrun_tensor_create(r->c->context, IRRUN_I64, 2, (int64_t[]){1, 1}, &g->ids[g->n - 1], sizeof *g->ids, &tensor);
  if (status == IRRUN_OK)
    status = irrun_run_set_input(r->run, g->input, tensor, true, "--greedy");
  return status == IRRUN_OK ? cli_fill_llm(r) : status;
}

static irrun_status generate(greedy *g) {
  cli *c = g->r.c;
  irrun_status status = IRRUN_OK;
  while (g->n < g->most && status == IRRUN_OK) {
    if (g->n > 0)
      status = set_last_id(g);
    if (status == IRRUN_OK)
      status = irrun_run_execute(g->r.run);
    if (status == IRRUN_OK)
      status = choose(g, &g->ids[g->n]);
    if (status != IRRUN_OK)
      break;
    if (c->json == NULL)
      fprintf(c->results, "%s%lld", g->n > 0 ? "," : "ids  ", (long long)g->ids[g->n]);
    g->n++;
    cli_flush_results(c);
  }
  if (c->json == NULL && g->n > 0)
    fputc('\n', c->results);
  return status;
}

/* ---- after the run ---- */

static irrun_status read_expected(greedy *g, const irrun_tensor *got, irrun_tensor **out) {
  irrun_context *context = g->r.c->context;
  irrun_value value = {.size = sizeof value, .type = IRRUN_I64, .known = true, .shape = {.rank = 2}};
  irrun_tensor_file *file = NULL;
  value.shape.dims[0].lo = value.shape.dims[0].hi = value.shape.dims[1].lo = 1;
  value.shape.dims[1].hi = MOST_IDS;
  if (irrun_tensor_is_literal(g->expected))
    return irrun_tensor_literal(context, g->expected, "ids", &value, out);
  irrun_status status = irrun_tensor_file_open_as(context, g->expected, g->r.c->options.form, &file);
  if (status == IRRUN_OK && irrun_tensor_file_count(file) > 1)
    status = cli_fault(context, "IR508", g->expected, NULL, "the ids are one tensor, and this file has several keys");
  if (status == IRRUN_OK)
    status = cli_read_expected(file, 0, got, out);
  irrun_tensor_file_free(file);
  return status;
}

static irrun_status compare(greedy *g, const irrun_tensor *got) {
  irrun_tensor *expected = NULL;
  irrun_status status = read_expected(g, got, &expected);
  if (status == IRRUN_OK)
    status = irrun_tensor_compare(g->r.c->context, "ids", g->expected, got, expected, g->r.c->options.cast,
                                  (irrun_tolerance){0, 0, -1}, &g->comparison);
  irrun_tensor_free(expected);
  return status;
}

static irrun_status finish(greedy *g) {
  irrun_context *context = g->r.c->context;
  irrun_tensor *ids;
  irrun_status status =
      irrun_tensor_create(context, IRRUN_I64, 2, (int64_t[]){1, g->n}, g->ids, (size_t)g->n * sizeof *g->ids, &ids);
  if (status != IRRUN_OK)
    return status;
  if (g->expected != NULL)
    status = compare(g, ids);
  if (g->written != NULL)
    status = irrun_status_worse(status, irrun_tensor_write(context, ids, "ids", g->written));
  irrun_tensor_free(ids);
  return irrun_status_worse(status, cli_save_state(&g->r));
}

static void report(greedy *g, irrun_status status) {
  cli *c = g->r.c;
  if (c->json == NULL) {
    cli_show_diagnostics(c);
    if (status == IRRUN_UNSUPPORTED && g->n == 0 && g->r.model != NULL)
      cli_show_missing_ops(g->r.model);
    if (g->comparison.comparable)
      fprintf(c->results, "%s: the ids %s\n", g->r.path, g->comparison.match ? "match" : "differ");
    return;
  }
  cli_node *node = cli_json_next_model(c->json);
  cli_json_model(c, node, g->r.model, g->r.path, status);
  if (g->n == 0)
    return;
  cli_json_llm(&g->r, node);
  cli_node *list = cli_node_array(node, "ids");
  for (int64_t i = 0; i < g->n; i++)
    cli_node_integer(list, NULL, g->ids[i]);
  if (g->expected != NULL) {
    cli_node *comparison = cli_node_object(cli_node_array(node, "compare"), NULL);
    cli_node_text(comparison, "name", "ids");
    cli_json_comparison(comparison, g->expected, &g->comparison);
  }
}

irrun_status cli_greedy_mode(cli *c) {
  greedy g = {.r = {.c = c, .path = c->options.models[0]}, .comparison = {.size = sizeof g.comparison}};
  irrun_status status = read_options(&g);
  if (status == IRRUN_OK)
    status = irrun_context_set_threads(c->context, c->options.threads);
  irrun_context_set_max_memory(c->context, c->options.max_memory);
  irrun_context_set_max_time(c->context, c->options.max_ns);
  if (status == IRRUN_OK)
    status = cli_read_model(c, g.r.path, IRRUN_TO_RUN, &g.r.model);
  cli_release_library_pages();
  if (status == IRRUN_OK)
    status = prepare(&g);
  if (status == IRRUN_OK) {
    g.ids = cli_allocate((size_t)g.most, sizeof *g.ids);
    if (c->json == NULL && !c->options.quiet)
      cli_print_llm(&g.r);
    status = generate(&g);
  }
  if (status == IRRUN_OK)
    status = finish(&g);
  report(&g, status);
  free(g.ids);
  cli_free_run(&g.r);
  return status;
}
