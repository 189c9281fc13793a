/* Runs one case of --test like a command line. The case's files and settings become --input, --expect and tolerance
 * options, which run like those of the default mode. */
#include "report_text.h"
#include "run.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct case_run {
  cli c;                      /* options and context of this case; the options are those of `run` */
  const cli_options *options; /* those of --test */
  cli_run *run;               /* the step that runs, or ran last; `before` are the steps before it */
  cli_case *test;
  const char *folder; /* the files of this step */
  cli_given *given;   /* the options of all steps */
  int n_given, first; /* `first`: index of the first option of this step */
  size_t capacity;
  cli_string command; /* the case as a command line for a shell */
  bool *compared;     /* one item per output: whether the data set has expected values for it */
  bool has_archive, has_expected, was_compared;
} case_run;

/* ---- the command line ---- */

/* Adds an option to the command line. If `index` is -1, the option has no NAME and is for all inputs or outputs. */
static void add_option(case_run *t, cli_option option, irrun_side side, int64_t index, const char *value) {
  char name[40];
  cli_string word = {0};
  cli_options *options = &t->c.options;
  const char *key = index >= 0 ? irrun_model_get_key(t->run->model, side, index) : NULL;
  cli_add(&word, "%s%s%s", key != NULL ? key : "", key != NULL ? "=" : "", value);
  t->given = cli_with_room(t->given, (size_t)t->n_given, &t->capacity, sizeof *t->given);
  t->given[t->n_given++] = (cli_given){option, word.text};
  options->given = t->given + t->first;
  options->n_given = t->n_given - t->first;
  cli_string text = {0};
  cli_option_name(option, name, sizeof name);
  if (key != NULL)
    cli_add_named_option(&text, t->run, name, side, index, value);
  else
    cli_add_option(&text, name, NULL, value);
  /* on a command line, an option that is not of a step is for all of them */
  if (cli_option_rows[option].is_of_step || strstr(cli_text(&t->command), cli_text(&text)) == NULL)
    cli_add(&t->command, " %s", cli_text(&text));
  cli_reset(&text);
}

/* Adds an io.npz. Keys that begin with "out/" are expected values, all others are inputs. */
static irrun_status add_archive(case_run *t, const char *path) {
  irrun_tensor_file *file;
  bool has_inputs = false;
  irrun_status status = irrun_tensor_file_open(t->c.context, path, &file);
  if (status != IRRUN_OK)
    return status;
  t->has_archive = true;
  for (int64_t i = 0; i < irrun_tensor_file_count(file); i++) {
    const bool is_output = strncmp(irrun_tensor_file_key(file, i), "out/", 4) == 0;
    has_inputs = has_inputs || !is_output;
    t->has_expected = t->has_expected || is_output;
  }
  irrun_tensor_file_free(file);
  if (has_inputs)
    add_option(t, CLI_OPTION_INPUT, IRRUN_INPUTS, -1, path);
  if (!t->has_expected)
    return IRRUN_OK;
  add_option(t, CLI_OPTION_EXPECT, IRRUN_OUTPUTS, -1, path);
  for (int64_t i = 0; i < cli_model_info(t->run->model).n_outputs; i++)
    t->compared[i] = true;
  return IRRUN_OK;
}

static irrun_status add_file(case_run *t, const char *name) {
  cli_data_file file;
  int64_t index;
  if (!cli_read_data_file(t->folder, name, &file))
    return IRRUN_OK;
  char *path = cli_join(t->folder, name);
  irrun_status status =
      file.is_archive ? add_archive(t, path) : cli_find_named(t->run->model, t->folder, &file, path, &index);
  if (status == IRRUN_OK && !file.is_archive) {
    if (file.side == IRRUN_OUTPUTS)
      t->compared[index] = t->has_expected = true;
    add_option(t, file.side == IRRUN_INPUTS ? CLI_OPTION_INPUT : CLI_OPTION_EXPECT, file.side, index, path);
  }
  free(path);
  return status;
}

static void set_tolerance(void *user, cli_option option, int64_t output, const char *number) {
  case_run *t = user;
  if (output < 0 || t->compared[output])
    add_option(t, option, IRRUN_OUTPUTS, output, number);
}

/* Makes the options of a step from the files in its folder. */
static irrun_status make_command(case_run *t) {
  char **names;
  int n;
  irrun_status worst = IRRUN_OK;
  if (!cli_list_folder(t->folder, &names, &n))
    return cli_fault(t->c.context, "IR701", t->folder, NULL, "cannot read the folder: %s", strerror(errno));
  for (int i = 0; i < n; i++)
    worst = irrun_status_worse(worst, add_file(t, names[i]));
  cli_free_names(names, n);
  if (worst == IRRUN_OK && !t->has_expected && !t->c.options.update)
    return cli_fault(t->c.context, "IR605", t->folder, NULL,
                     "no expected outputs are beside the inputs; --update writes what the model gives now");
  if (worst == IRRUN_OK && t->test->settings != NULL && t->has_expected)
    worst = cli_settings_apply(t->c.context, t->test->settings, t->test->name, t->run->model, set_tolerance, t);
  for (int i = 0; t->has_expected && i < t->options->n_given; i++) {
    const cli_given given = t->options->given[i];
    if (given.option == CLI_OPTION_FAIL_BELOW || given.option == CLI_OPTION_FAIL_ABOVE)
      add_option(t, given.option, IRRUN_OUTPUTS, -1, given.value);
  }
  return worst;
}

/* ---- the report ---- */

/* Returns the worst status of the rules of all errors, which can differ from test->status. */
static irrun_status worst_of_rules(const case_run *t) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  irrun_rule rule = {.size = sizeof rule};
  irrun_status worst = IRRUN_OK;
  for (int64_t i = 0; irrun_context_get_diagnostic(t->c.context, i, &diagnostic); i++)
    if (diagnostic.severity == IRRUN_ERROR && irrun_rule_find(diagnostic.rule, &rule))
      worst = irrun_status_worse(worst, rule.status);
  return worst;
}

/* Stores the first of the worst faults in test->fault, and how many others are equally bad. */
static void keep_fault(case_run *t) {
  const irrun_status worst = worst_of_rules(t);
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  irrun_rule rule = {.size = sizeof rule};
  cli_string *fault = &t->test->fault;
  int64_t n = 0;
  for (int64_t i = 0; irrun_context_get_diagnostic(t->c.context, i, &diagnostic); i++) {
    if (diagnostic.severity != IRRUN_ERROR || !irrun_rule_find(diagnostic.rule, &rule) || rule.status != worst ||
        n++ > 0)
      continue;
    cli_add_place(fault, &diagnostic);
    cli_add(fault, "%s%s [%s %s]", fault->length > 0 ? ": " : "", diagnostic.message, diagnostic.rule, diagnostic.slug);
    snprintf(t->test->rule, sizeof t->test->rule, "%s", diagnostic.rule);
  }
  if (n > 1)
    cli_add(fault, ", and %lld more", (long long)n - 1);
}

static void print_stats(cli_run *r) {
  cli_print_stats(r->stats);
}

/* Adds to the case's report what `print` prints, indented. */
static void add_printed(case_run *t, void (*print)(cli_run *r)) {
  char *text = NULL;
  size_t size;
  t->c.results = open_memstream(&text, &size);
  if (t->c.results == NULL)
    cli_out_of_memory();
  print(t->run);
  if (fclose(t->c.results) != 0)
    cli_out_of_memory();
  for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL && rest != NULL;)
    cli_add(&t->test->report, "   %s\n", line);
  free(text);
}

static void make_report(case_run *t, const cli *c) {
  cli_case *test = t->test;
  const bool is_ok = test->status == IRRUN_OK;
  if (is_ok && (c->options.quiet || c->options.update))
    return;
  const char *word = is_ok ? "ok" : test->differs ? "DIFFERS" : "ERROR";
  cli_add(&test->report, "%s%-7s%s  ", cli_paint(c->color_results, is_ok ? CLI_GREEN : CLI_RED), word,
          cli_paint(c->color_results, CLI_PLAIN));
  cli_add_name(&test->report, test->name);
  cli_add(&test->report, "%s%s\n", is_ok ? "" : "  ", cli_text(&test->fault));
  if (!is_ok && c->options.verbose)
    cli_add(&test->report, "   $ %s\n", cli_text(&t->command));
  if (test->differs && c->options.verbose)
    add_printed(t, cli_print_comparisons);
  add_printed(t, print_stats);
}

static const char *result_of(const cli_case *test) {
  if (test->status == IRRUN_OK)
    return test->updated ? "updated" : "ok";
  return test->differs ? "differs" : "error";
}

void cli_name_case(const cli_case *test, cli_node *node) {
  cli_node_printable(node, "name", test->name);
  cli_node_printable(node, "model", test->model);
  cli_node_printable(node, "folder", test->folder);
}

static void add_results(case_run *t, cli_node *node) {
  cli_node_text(node, "result", result_of(t->test));
  cli_node_integer(node, "exit", t->test->status);
  cli_json_diagnostics(&t->c, node);
  if (t->was_compared)
    cli_json_comparisons(t->run, node);
  cli_json_stats(t->run->stats, node);
}

/* ---- the run ---- */

/* Runs, compares and updates the step whose files are in `folder`. */
static irrun_status run_step(case_run *t, const char *folder) {
  t->folder = folder;
  t->has_archive = t->has_expected = t->was_compared = false;
  memset(t->compared, 0, (size_t)cli_model_info(t->run->model).n_outputs * sizeof *t->compared);
  irrun_status status = make_command(t);
  if (status == IRRUN_OK)
    status = cli_compute_run(t->run);
  t->was_compared = status == IRRUN_OK;
  if (status == IRRUN_OK)
    status = cli_compare_outputs(t->run);
  if ((status == IRRUN_OK || status == IRRUN_DIFFERS) && t->c.options.update)
    status = cli_update_case(t->run, t->options, t->test, folder, t->has_expected, t->has_archive);
  return status;
}

/* Runs the steps, the folders `names`, up to the first that differs or fails. */
static irrun_status run_steps(case_run *t, char *const *names, int n) {
  irrun_status status = IRRUN_OK;
  for (int i = 0; i < n && status == IRRUN_OK; i++) {
    char *folder = cli_join(t->test->folder, names[i]);
    if (i > 0) {
      cli_run *next = cli_allocate(1, sizeof *next);
      *next = (cli_run){.c = &t->c,
                        .path = t->run->path,
                        .model = t->run->model,
                        .run = t->run->run,
                        .stats = t->run->stats,
                        .before = t->run};
      t->run = next;
      t->first = t->n_given;
      t->c.options.n_given = 0;
      cli_add(&t->command, " --step");
    }
    t->run->step = i;
    t->run->n_steps = n;
    status = run_step(t, folder);
    free(folder);
  }
  return status;
}

static irrun_status run_data_set(case_run *t) {
  char **names;
  int n, n_steps = 0, n_files = 0;
  if (!cli_list_folder(t->test->folder, &names, &n))
    return cli_fault(t->c.context, "IR701", t->test->folder, NULL, "cannot read the folder: %s", strerror(errno));
  for (int i = 0; i < n; i++) {
    cli_data_file file;
    n_files += cli_read_data_file(t->test->folder, names[i], &file);
    if (!cli_is_step(t->test->folder, names[i]))
      continue;
    char *name = names[n_steps];
    names[n_steps++] = names[i];
    names[i] = name;
  }
  irrun_status status;
  if (n_steps > 0 && n_files > 0)
    status = cli_fault(t->c.context, "IR801", t->test->folder, "move them into the folder of their step",
                       "the data set has files beside its steps");
  else if (n_steps > 0)
    status = run_steps(t, names, n_steps);
  else
    status = run_step(t, t->test->folder);
  t->folder = NULL;
  cli_free_names(names, n);
  return status;
}

static irrun_status run(case_run *t, const cli *c, int n_threads) {
  cli *own = &t->c;
  irrun_status status = cli_give_settings(c, n_threads, own->context);
  status = irrun_status_worse(
      status, irrun_context_deny(
                  own->context, "IR510")); /* an unmatched key is a fault, because the data set belongs to this model */
  if (status == IRRUN_OK)
    status = irrun_model_read(own->context, t->test->model, NULL, IRRUN_TO_RUN, &t->run->model);
  if (status != IRRUN_OK)
    return status;
  if (cli_options_have(&c->options, CLI_OPTION_STATS))
    t->run->stats = cli_stats_begin(own, t->run->model);
  t->compared = cli_allocate((size_t)cli_model_info(t->run->model).n_outputs, sizeof *t->compared);
  cli_add(&t->command, "irrun ");
  cli_add_word(&t->command, t->test->model);
  if (irrun_context_get_precision(own->context) != IRRUN_F32)
    cli_add(&t->command, " --precision=%s", irrun_type_name(irrun_context_get_precision(own->context)));
  return run_data_set(t);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void cli_run_case(const cli *c, cli_case *test, int n_threads) {
  const double start = now();
  case_run t = {.test = test,
                .options = &c->options,
                .c = {.context = irrun_context_create(NULL),
                      .options = {.mode = CLI_RUN, .cast = c->options.cast, .update = c->options.update}},
                .run = cli_allocate(1, sizeof *t.run)};
  if (t.c.context == NULL)
    cli_out_of_memory();
  *t.run = (cli_run){.c = &t.c, .path = test->model};
  if (c->json != NULL) {
    test->node = cli_node_alone();
    cli_name_case(test, test->node);
    test->updates = c->options.update ? cli_node_array(test->node, "updated") : NULL;
  }
  test->status = run(&t, c, n_threads);
  test->status = irrun_status_worse(test->status, test->updated ? IRRUN_OK : irrun_context_worst(t.c.context));
  test->differs = test->status == IRRUN_DIFFERS && t.has_expected;
  keep_fault(&t);
  if (test->node != NULL)
    add_results(&t, test->node);
  else
    make_report(&t, c);
  cli_stats_free(t.run->stats);
  irrun_run_free(t.run->run);
  irrun_model_free(t.run->model);
  for (cli_run *before; t.run != NULL; t.run = before) {
    before = t.run->before;
    cli_free_step(t.run);
    free(t.run);
  }
  irrun_context_free(t.c.context);
  for (int i = 0; i < t.n_given; i++)
    free((char *)t.given[i].value);
  free(t.given);
  cli_reset(&t.command);
  free(t.compared);
  test->seconds = now() - start;
  if (test->node != NULL)
    cli_node_number(test->node, "seconds", test->seconds);
}
