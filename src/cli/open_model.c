/* Reading a model as the command line wants it. */
#include "cli.h"
#include "irrun_debug.h"

#include <stdlib.h>

irrun_status cli_apply_rules(irrun_context *context, const cli_options *options) {
  irrun_status worst = IRRUN_OK;
  const char *rules;
  for (int at = 0; (rules = cli_options_next(options, CLI_OPTION_ALLOW, &at)) != NULL;)
    worst = irrun_worse(worst, irrun_allow(context, rules));
  for (int at = 0; (rules = cli_options_next(options, CLI_OPTION_DENY, &at)) != NULL;)
    worst = irrun_worse(worst, irrun_deny(context, rules));
  irrun_set_strict(context, options->strict);
  irrun_set_detail(context, options->verbose || options->format == CLI_JSON || options->format == CLI_SARIF ||
                                cli_options_have(options, CLI_OPTION_BASELINE) ||
                                cli_options_have(options, CLI_OPTION_WRITE_BASELINE));
  return worst;
}

irrun_status cli_read_model(cli *c, const char *path, irrun_purpose purpose, irrun_model **out_model) {
  int at = 0, n_shapes = 0;
  const char *weights = cli_options_next(&c->options, CLI_OPTION_WEIGHTS, &at), *shape;
  const char **shapes = cli_allocate((size_t)c->options.n_given + 1, sizeof *shapes);
  at = 0;
  while ((shape = cli_options_next(&c->options, CLI_OPTION_SHAPE, &at)) != NULL)
    shapes[n_shapes++] = shape;
  irrun_status status =
      irrun_model_read_shaped(c->context, path, weights, purpose, shapes, (size_t)n_shapes, out_model);
  free(shapes);
  return status;
}

irrun_model_info cli_model_info(const irrun_model *model) {
  irrun_model_info info = {.size = sizeof info};
  irrun_get_model(model, &info);
  return info;
}

irrun_status cli_check_assertions(cli *c, irrun_model *model, const irrun_run *run) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  for (int at = 0; (text = cli_options_next(&c->options, CLI_OPTION_ASSERT_OUTPUT, &at)) != NULL;)
    worst = irrun_worse(worst, irrun_assert_output(model, run, text));
  return worst;
}
