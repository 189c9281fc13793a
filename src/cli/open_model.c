/* Reading a model as the command line wants it. */
#include "cli.h"
#include "irrun_debug.h"

#include <stdlib.h>

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

irrun_status cli_check_assertions(cli *c, irrun_model *model, const irrun_run *run) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  for (int at = 0; (text = cli_options_next(&c->options, CLI_OPTION_ASSERT_OUTPUT, &at)) != NULL;)
    worst = irrun_worse(worst, irrun_assert_output(model, run, text));
  return worst;
}
