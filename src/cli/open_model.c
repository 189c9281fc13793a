/* Reads the models of the command line, with the options for reading. */
#include "cli.h"
#include "irrun_debug.h"

#include <stdlib.h>
#include <string.h>

irrun_status cli_apply_rules(irrun_context *context, const cli_options *options) {
  irrun_status worst = IRRUN_OK;
  const char *rules;
  for (int at = 0; (rules = cli_options_next(options, CLI_OPTION_ALLOW, &at)) != NULL;)
    worst = irrun_status_worse(worst, irrun_context_allow(context, rules));
  for (int at = 0; (rules = cli_options_next(options, CLI_OPTION_DENY, &at)) != NULL;)
    worst = irrun_status_worse(worst, irrun_context_deny(context, rules));
  irrun_context_set_strict(context, options->strict);
  const bool compares = options->format == CLI_SARIF || cli_options_have(options, CLI_OPTION_BASELINE) ||
                        cli_options_have(options, CLI_OPTION_WRITE_BASELINE);
  irrun_context_set_each_place(context, compares);
  irrun_context_set_detail(context, options->verbose || (options->format == CLI_JSON && !compares));
  return worst;
}

irrun_status cli_give_settings(const cli *c, int n_threads, irrun_context *to) {
  irrun_context_set_max_memory(to, c->options.max_memory);
  irrun_context_set_max_time(to, c->options.max_ns);
  irrun_context_set_kernels(to, irrun_context_get_kernels(c->context));
  irrun_context_skip_passes(to, irrun_context_get_skipped_passes(c->context));
  const irrun_status status =
      irrun_status_worse(irrun_context_set_threads(to, n_threads),
                         irrun_context_set_precision(to, irrun_context_get_precision(c->context)));
  return irrun_status_worse(status, cli_apply_rules(to, &c->options));
}

/* Counts the --shape options for the same input as `text`, among the first `end` options. Options for the same input
 * have the same "NAME="; the last '=' ends NAME, because sizes contain no '='. */
static int count_shapes(const cli_options *options, int end, const char *text) {
  const char *equals = strrchr(text, '=');
  const size_t length = equals != NULL ? (size_t)(equals - text) + 1 : 0;
  int n = 0;
  for (int i = 0; i < end; i++) {
    const char *other = options->given[i].value;
    n += options->given[i].option == CLI_OPTION_SHAPE && strncmp(other, text, length) == 0 &&
         strchr(other + length, '=') == NULL;
  }
  return n;
}

irrun_status cli_count_shapes(cli *c, int *out_n) {
  const cli_options *options = &c->options;
  const char *shape;
  *out_n = 1;
  for (int at = 0; (shape = cli_options_next(options, CLI_OPTION_SHAPE, &at)) != NULL;) {
    const int n = count_shapes(options, options->n_given, shape);
    if (n > 1 && *out_n > 1 && n != *out_n)
      return cli_fault(c->context, "IR801", NULL, "give each the same number of times, or once",
                       "'--shape' is given %d times for one input, and %d times for another", *out_n, n);
    *out_n = n > *out_n ? n : *out_n;
  }
  return IRRUN_OK;
}

/* Chooses the --shape values for the next reading of the model, and returns their number. If --bench has several shapes
 * for an input, chooses number c->turn of them. */
static int choose_shapes(const cli *c, const char **out_shapes) {
  const cli_options *options = &c->options;
  int n = 0;
  for (int i = 0; i < options->n_given; i++) {
    const char *shape = options->given[i].value;
    if (options->given[i].option == CLI_OPTION_SHAPE &&
        (options->mode != CLI_BENCH || count_shapes(options, options->n_given, shape) == 1 ||
         count_shapes(options, i, shape) == c->turn))
      out_shapes[n++] = shape;
  }
  return n;
}

irrun_status cli_read_model(cli *c, const char *path, irrun_purpose purpose, irrun_model **out_model) {
  int at = 0;
  const char *weights = cli_options_next(&c->options, CLI_OPTION_WEIGHTS, &at);
  const char **shapes = cli_allocate((size_t)c->options.n_given + 1, sizeof *shapes);
  const int n_shapes = choose_shapes(c, shapes);
  irrun_status status =
      irrun_model_read_shaped(c->context, path, weights, purpose, shapes, (size_t)n_shapes, out_model);
  free(shapes);
  return status;
}

irrun_model_info cli_model_info(const irrun_model *model) {
  irrun_model_info info = {.size = sizeof info};
  irrun_model_get_info(model, &info);
  return info;
}

const char *cli_find_attribute(irrun_model *model, int64_t layer, const char *name) {
  const char *found, *value;
  for (int i = 0; irrun_model_get_layer_attribute(model, layer, i, &found, &value); i++)
    if (strcmp(found, name) == 0)
      return value != NULL ? value : "";
  return NULL;
}

irrun_status cli_check_assertions(cli *c, irrun_model *model, const irrun_run *run) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  for (int at = 0; (text = cli_options_next(&c->options, CLI_OPTION_ASSERT_OUTPUT, &at)) != NULL;)
    worst = irrun_status_worse(worst, irrun_model_assert_output(model, run, text));
  return worst;
}
