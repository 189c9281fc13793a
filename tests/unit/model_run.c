#include "model_run.h"
#include "base/tensor.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

model_run model_run_read(const char *xml, irrun_purpose purpose, const char *allow) {
  model_run run = {.context = irrun_context_create(NULL)};
  assert_non_null(run.context);
  if (allow != NULL)
    assert_int_equal(irrun_context_allow(run.context, allow), IRRUN_OK);
  run.status = irrun_model_read(run.context, xml, NULL, purpose, &run.model);
  return run;
}

size_t model_run_bytes(ir_type type, int rank, const int64_t *dims) {
  ir_shape shape = ir_shape_of(rank, dims);
  size_t bytes;
  assert_true(ir_tensor_bytes(type, &shape, &bytes));
  return bytes;
}

irrun_status model_run_input(const model_run *run, int64_t input, ir_type type, int rank, const int64_t *dims,
                             const void *data) {
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_create(run->context, (irrun_element_type)type, rank, dims, data,
                                       model_run_bytes(type, rank, dims), &tensor),
                   IRRUN_OK);
  return irrun_run_set_input(run->run, input, tensor, false, NULL);
}

void model_run_end(model_run *run) {
  irrun_run_free(run->run);
  irrun_model_free(run->model);
  irrun_context_free(run->context);
}

const char *model_run_rules(const model_run *run) {
  static char rules[256];
  size_t used = 0;
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  rules[0] = '\0';
  for (int64_t i = 0; used < sizeof rules && irrun_context_get_diagnostic(run->context, i, &diagnostic); i++)
    used += (size_t)snprintf(rules + used, sizeof rules - used, "%s%s", i > 0 ? " " : "", diagnostic.rule);
  return rules;
}
