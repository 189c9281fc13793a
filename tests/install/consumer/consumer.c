/* Checks a model and prints its faults, as a program that needs only what irrun installs. */
#include <inttypes.h>
#include <irrun.h>
#include <stdio.h>

int main(int argc, char **argv) {
  irrun_context *context = irrun_context_create(NULL);
  if (argc != 2 || context == NULL)
    return IRRUN_USAGE;

  irrun_model *model;
  irrun_status status = irrun_model_read(context, argv[1], NULL, IRRUN_TO_CHECK, &model);

  irrun_diagnostic fault;
  for (int64_t i = 0; irrun_get_diagnostic(context, i, &fault); i++)
    printf("%s:%" PRId64 ":%" PRId64 ": %s [%s]\n", fault.file, fault.line, fault.column, fault.message, fault.rule);

  irrun_io output;
  char shape[512];
  for (int64_t i = 0; model != NULL && irrun_get_io(model, IRRUN_OUTPUTS, i, &output); i++)
    printf("%s: %s\n", output.name, irrun_shape_text(&output.value.shape, shape, sizeof shape));

  irrun_model_free(model);
  irrun_context_free(context);
  return status;
}
