/* Checks a model and prints its faults, as a program that needs only what irrun installs. */
#include <irrun.h>
#include <stdio.h>

int main(int argc, char **argv) {
  irrun_context *context = irrun_context_create(NULL);
  if (argc != 2 || context == NULL)
    return IRRUN_USAGE;

  irrun_model *model;
  irrun_status status = irrun_model_read(context, argv[1], NULL, IRRUN_TO_CHECK, &model);

  irrun_diagnostic fault;
  char text[1024];
  for (int64_t i = 0; irrun_get_diagnostic(context, i, &fault); i++)
    puts(irrun_diagnostic_text(&fault, text, sizeof text));

  irrun_io output;
  char shape[512];
  for (int64_t i = 0; model != NULL && irrun_get_io(model, IRRUN_OUTPUTS, i, &output); i++)
    printf("%s: %s\n", output.name, irrun_shape_text(&output.value.shape, shape, sizeof shape));

  irrun_model_free(model);
  irrun_context_free(context);
  return status;
}
