/* --edit: changes a model and writes it as a model of its own. */
#include "cli.h"
#include "diff_pair.h"
#include "generate.h"
#include "irrun_edit.h"
#include "oom_report.h"
#include "report_text.h"

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
  cli_add_name(&line, path);
  cli_add(&line, ": %swritten%s, ", cli_paint(c->color_results, CLI_GREEN), cli_paint(c->color_results, CLI_PLAIN));
  cli_add_count(&line, n_edits, "edit");
  if (written->n_ports > 0) {
    cli_add(&line, ", ");
    cli_add_count(&line, written->n_ports, "port");
    cli_add(&line, " of ");
    cli_add_count(&line, written->n_layers, "layer");
    cli_add(&line, " follow");
  }
  if (written->weights != NULL) {
    cli_add(&line, "; ");
    cli_add_name(&line, written->weights);
    cli_add(&line, ", ");
    cli_add_count(&line, written->bin_bytes, "byte");
  }
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

/* Prints "4 weights stored in 26 kB instead of 102 kB; error 0.5 %, at most 0.6 % ('w')". */
static void print_weights(cli *c, const irrun_edit *edit) {
  irrun_edit_weights weights = {.size = sizeof weights};
  cli_string line = {0};
  if (!irrun_edit_get_weights(edit, &weights))
    return;
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

/* Lists the values of --edit. Returns their number. */
static int list_edits(const cli *c, const char **out_edits) {
  int n = 0, at = 0;
  for (const char *edit; (edit = cli_options_next(&c->options, CLI_OPTION_EDIT, &at)) != NULL;)
    out_edits[n++] = edit;
  return n;
}

/* Applies the edits, and writes the result or shows what differs. */
static irrun_status edit_model(cli *c, irrun_model *model, const char *path) {
  const char **edits = cli_allocate((size_t)c->options.n_given + 1, sizeof *edits);
  const int n = list_edits(c, edits);
  const bool dry = cli_options_have(&c->options, CLI_OPTION_DRY_RUN);
  const char *name = path != NULL ? path : "the edited model";
  irrun_conversion written = {.size = sizeof written};
  irrun_edit *edit = NULL;
  irrun_status status = irrun_edit_create(model, edits, (size_t)n, name, &edit);
  if (status == IRRUN_OK && !dry)
    status = irrun_edit_write(edit, path, &written);
  if (status == IRRUN_OK)
    cli_choose_oom_report(c, true);
  cli_show_diagnostics(c);
  if (status == IRRUN_OK && dry) {
    status = cli_diff_edited(c, model, c->options.models[0], irrun_edit_get_model(edit), name);
    status = status == IRRUN_DIFFERS ? IRRUN_OK : status;
  } else if (status == IRRUN_OK) {
    print_written(c, path, n, &written);
    if (!c->options.quiet)
      print_weights(c, edit);
  } else {
    cli_string line = {0};
    cli_add_name(&line, name);
    fprintf(c->results, "%s: %snot written%s\n", cli_text(&line), cli_paint(c->color_results, CLI_RED),
            cli_paint(c->color_results, CLI_PLAIN));
    cli_reset(&line);
  }
  irrun_edit_free(edit);
  free(edits);
  return status;
}

irrun_status cli_edit_mode(cli *c) {
  const char *path = cli_options_next(&c->options, CLI_OPTION_OUTPUT, &(int){0}), *from = c->options.models[0];
  irrun_model *model;
  irrun_status status = cli_read_model(c, from, IRRUN_TO_CONVERT, &model);
  if (status != IRRUN_OK) {
    cli_show_diagnostics(c);
    cli_print_verdict(c, model, from, status);
  } else {
    /* the edited model is checked too, and its warnings and notes repeat those of the model */
    irrun_context_clear_diagnostics(c->context);
    status = edit_model(c, model, path);
  }
  irrun_model_free(model);
  return status;
}
