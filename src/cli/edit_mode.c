/* --edit: changes a model and writes it as a model of its own. */
#include "cli.h"
#include "diff_pair.h"
#include "generate.h"
#include "irrun_edit.h"
#include "oom_report.h"
#include "report_json.h"
#include "report_text.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

void cli_print_edit_words(cli *c) {
  irrun_edit_word word = {.size = sizeof word};
  for (int64_t i = 0; irrun_edit_get_word(i, &word); i++) {
    cli_string line = {0};
    cli_add(&line, "%s%s%s", word.word, word.argument == NULL ? "" : "=", word.argument == NULL ? "" : word.argument);
    fprintf(c->results, "%-18s %-28s %s\n", cli_text(&line), word.subjects, word.help);
    cli_reset(&line);
  }
}

/* Prints "out.xml: written, 2 edits, 6 ports corrected; out.bin, 60 bytes". */
static void print_written(cli *c, const char *path, int n_edits, const irrun_conversion *written) {
  cli_string line = {0};
  cli_add_written(&line, c, path);
  cli_add(&line, ", ");
  cli_add_count(&line, n_edits, "edit");
  if (written->n_ports > 0) {
    cli_add(&line, ", ");
    cli_add_count(&line, written->n_ports, "port");
    cli_add(&line, " of ");
    cli_add_count(&line, written->n_layers, "layer");
    cli_add(&line, " follow");
  }
  cli_add_written_weights(&line, written);
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

/* ---- weights ---- */

typedef enum column { CONSTANT, FROM, TO, BYTES, ERROR, N_COLUMNS } column;

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  irrun_edit_constant constant = {.size = sizeof constant};
  (void)details;
  if (!irrun_edit_get_constant(user, index, &constant))
    return false;
  cli_add_name(&cells[CONSTANT], constant.name);
  cli_add(&cells[FROM], "%s", irrun_type_name(constant.from));
  cli_add(&cells[TO], "%s", constant.from == constant.to ? "kept" : irrun_type_name(constant.to));
  cli_add(&cells[BYTES], "%lld", (long long)constant.bytes_after);
  cli_add(&cells[ERROR], "%.2g %%", 100 * constant.error);
  return true;
}

/* Prints "weights  4 constants in 26 kB, before 102 kB; error 0.5 % ...", with -v a line for each constant before. */
static void print_weights(cli *c, irrun_edit *edit) {
  static const cli_column columns[N_COLUMNS] = {[CONSTANT] = {"constant", false, CLI_CUT_MIDDLE},
                                                [FROM] = {"from", false},
                                                [TO] = {"to", false},
                                                [BYTES] = {"bytes", true},
                                                [ERROR] = {"error", true}};
  irrun_edit_weights weights = {.size = sizeof weights};
  cli_string line = {0};
  if (!irrun_edit_get_weights(edit, &weights))
    return;
  if (c->options.verbose)
    cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_row, edit);
  cli_add(&line, "   weights  ");
  cli_add_count(&line, weights.n_constants, "constant");
  cli_add(&line, " in ");
  cli_add_bytes(&line, (double)weights.bytes_after);
  cli_add(&line, ", before ");
  cli_add_bytes(&line, (double)weights.bytes_before);
  if (weights.worst != NULL) {
    cli_add(&line, "; error %.2g %% of their root mean square, at most %.2g %%: '", 100 * weights.error,
            100 * weights.worst_error);
    cli_add_name(&line, weights.worst);
    cli_add(&line, "'");
  }
  if (weights.n_kept > 0) {
    cli_add(&line, "; ");
    cli_add_count(&line, weights.n_kept, "constant");
    cli_add(&line, " kept, whose elements the type cannot hold");
  }
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

/* ---- JSON ---- */

static void add_constants(cli_node *node, irrun_edit *edit) {
  cli_node *list = cli_node_array(node, "constants");
  irrun_edit_constant constant = {.size = sizeof constant};
  for (int64_t i = 0; irrun_edit_get_constant(edit, i, &constant); i++) {
    cli_node *item = cli_node_object(list, NULL);
    cli_node_text(item, "name", constant.name);
    cli_node_text(item, "from", irrun_type_name(constant.from));
    cli_node_text(item, "to", irrun_type_name(constant.to));
    cli_node_integer(item, "bytes_before", constant.bytes_before);
    cli_node_integer(item, "bytes", constant.bytes_after);
    cli_node_number(item, "error", constant.error);
  }
}

/* Adds what was written; after --dry-run `path` is NULL. */
static void add_edited(cli_node *model, const char *path, const irrun_conversion *written, irrun_edit *edit) {
  cli_node *node = cli_node_object(model, "edited");
  irrun_edit_weights weights = {.size = sizeof weights};
  if (path == NULL)
    cli_node_null(node, "path");
  else
    cli_node_printable(node, "path", path);
  if (written->weights == NULL)
    cli_node_null(node, "weights");
  else
    cli_node_printable(node, "weights", written->weights);
  cli_node_integer(node, "weight_bytes", written->bin_bytes);
  cli_node_integer(node, "layers", written->n_layers);
  cli_node_integer(node, "ports", written->n_ports);
  if (!irrun_edit_get_weights(edit, &weights))
    return;
  cli_node_number(node, "error", weights.error);
  add_constants(node, edit);
}

/* ---- the mode ---- */

/* Lists the values of --edit. Returns their number. */
static int list_edits(const cli *c, const char **out_edits) {
  int n = 0, at = 0;
  for (const char *edit; (edit = cli_options_next(&c->options, CLI_OPTION_EDIT, &at)) != NULL;)
    out_edits[n++] = edit;
  return n;
}

/* Says if the model is faulty without the edits, too. */
static void print_own_faults(cli *c) {
  const char *path = c->options.models[0], *weights = cli_options_next(&c->options, CLI_OPTION_WEIGHTS, &(int){0});
  irrun_context *context = irrun_context_create(NULL); /* whose diagnostics are not shown */
  irrun_model *model = NULL;
  if (context != NULL && cli_give_settings(c, 1, context) == IRRUN_OK &&
      irrun_model_read(context, path, weights, IRRUN_TO_CHECK, &model) == IRRUN_INVALID)
    cli_print_verdict(c, model, path, IRRUN_INVALID);
  irrun_model_free(model);
  irrun_context_free(context);
}

static void print_failure(cli *c, const char *name) {
  cli_string line = {0};
  cli_add_name(&line, name);
  fprintf(c->results, "%s: %snot written%s\n", cli_text(&line), cli_paint(c->color_results, CLI_RED),
          cli_paint(c->color_results, CLI_PLAIN));
  cli_reset(&line);
}

/* Reports on an edit that was written to `path`; NULL: on one of --dry-run. */
static irrun_status report(cli *c, irrun_model *model, const char *path, irrun_edit *edit, int n_edits,
                           const irrun_conversion *written) {
  irrun_status status = IRRUN_OK;
  if (path == NULL)
    status = cli_diff_edited(c, model, c->options.models[0], irrun_edit_get_model(edit), "the edited model");
  else if (c->json == NULL)
    print_written(c, path, n_edits, written);
  if (c->json == NULL && !c->options.quiet)
    print_weights(c, edit);
  return status == IRRUN_DIFFERS ? IRRUN_OK : status;
}

/* Applies the edits, and writes the result or shows what differs. */
static irrun_status edit_model(cli *c, irrun_model *model, const char *path) {
  const char **edits = cli_allocate((size_t)c->options.n_given + 1, sizeof *edits);
  const int n = list_edits(c, edits);
  const char *name = path != NULL ? path : "the edited model";
  irrun_conversion written = {.size = sizeof written};
  irrun_edit *edit = NULL;
  cli_node *node = NULL;
  irrun_status status = path == NULL ? IRRUN_OK : cli_check_kept_model(c, CLI_OPTION_OUTPUT, path);
  if (status == IRRUN_OK)
    status = irrun_edit_create(model, edits, (size_t)n, name, &edit);
  if (status == IRRUN_OK && path != NULL)
    status = irrun_edit_write(edit, path, &written);
  if (status == IRRUN_OK)
    cli_choose_oom_report(c, true);
  if (c->json == NULL)
    cli_show_diagnostics(c);
  else
    node = cli_json_next_model(c->json);
  if (node != NULL)
    cli_json_model(c, node, model, c->options.models[0], IRRUN_OK);
  if (node != NULL && status == IRRUN_OK)
    add_edited(node, path, &written, edit);
  if (status == IRRUN_OK)
    status = report(c, model, path, edit, n, &written);
  else if (c->json == NULL)
    print_failure(c, name);
  if (status == IRRUN_INVALID && c->json == NULL && strcmp(c->options.models[0], "-") != 0)
    print_own_faults(c);
  irrun_edit_free(edit);
  free(edits);
  return status;
}

irrun_status cli_edit_mode(cli *c) {
  const bool dry = cli_options_have(&c->options, CLI_OPTION_DRY_RUN);
  const char *path = dry ? NULL : cli_options_next(&c->options, CLI_OPTION_OUTPUT, &(int){0});
  const char *from = c->options.models[0];
  irrun_model *model;
  irrun_context_set_max_memory(c->context, c->options.max_memory);
  irrun_status status = cli_read_model(c, from, IRRUN_TO_CONVERT, &model);
  if (status == IRRUN_OK || (status == IRRUN_INVALID && model != NULL)) {
    /* the edited model is checked too, and finds again what the edits leave */
    irrun_context_clear_diagnostics(c->context);
    status = edit_model(c, model, path);
  } else if (c->json != NULL) {
    cli_json_model(c, cli_json_next_model(c->json), model, from, status);
  } else {
    cli_show_diagnostics(c);
    cli_print_verdict(c, model, from, status);
  }
  irrun_model_free(model);
  return status;
}
