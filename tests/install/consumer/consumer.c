/* Runs a model with one 4x4 input of floats. This program uses only installed files of irrun. */
#include <irrun.h>
#include <stdio.h>

int main(int argc, char **argv) {
  float x[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const int64_t dims[] = {1, 1, 4, 4};
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model = NULL;
  irrun_run *run = NULL;
  irrun_tensor *input;
  if (argc != 2 || context == NULL)
    return IRRUN_USAGE;

  irrun_status status = irrun_model_read(context, argv[1], NULL, IRRUN_TO_RUN, &model);
  if (status == IRRUN_OK)
    status = irrun_run_create(model, &run);
  if (status == IRRUN_OK)
    status = irrun_tensor_borrow(context, IRRUN_F32, 4, dims, x, sizeof x, &input);
  if (status == IRRUN_OK)
    status = irrun_run_set_input(run, 0, input, false, NULL);
  if (status == IRRUN_OK)
    status = irrun_run_execute(run);
  if (status == IRRUN_OK) {
    const irrun_tensor_info y = irrun_tensor_get_info(irrun_run_output(run, 0));
    for (int64_t i = 0; y.type == IRRUN_F32 && i < y.elements; i++)
      printf("%g\n", ((const float *)y.data)[i]);
  }

  irrun_diagnostic fault = {.size = sizeof fault};
  char text[1024];
  for (int64_t i = 0; irrun_context_get_diagnostic(context, i, &fault); i++)
    puts(irrun_diagnostic_text(&fault, text, sizeof text));

  irrun_run_free(run);
  irrun_model_free(model);
  irrun_context_free(context);
  return status;
}
