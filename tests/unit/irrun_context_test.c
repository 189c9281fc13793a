/* Tests contexts through the public header: versions, names of statuses, the last error, and the environment. */
#include "failing_memory.h"
#include "irrun_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void versions(void **state) {
  (void)state;
  int major, minor, patch;
  assert_string_equal(irrun_version(), IRRUN_VERSION);
  assert_int_equal(sscanf(irrun_version(), "%d.%d.%d", &major, &minor, &patch), 3);
  assert_int_equal(irrun_version_number(), 10000 * major + 100 * minor + patch);
}

static void names_of_statuses(void **state) {
  (void)state;
  static const char *const names[] = {"ok", "differs", "usage", "invalid", "unsupported", "bad-data", "io"};
  for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
    assert_string_equal(irrun_status_name((irrun_status)i), names[i]);
  assert_string_equal(irrun_status_name(IRRUN_INTERNAL), "internal");
  assert_null(irrun_status_name((irrun_status)69));
  assert_null(irrun_status_name((irrun_status)-1));
}

/* ---- the last error ---- */

static void is_the_last(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  assert_string_equal(irrun_context_last_error(context), "");
  assert_int_equal(irrun_context_report(context, "IR701", "a", "the first", NULL), IRRUN_IO);
  assert_string_equal(irrun_context_last_error(context), "a: error: the first [IR701 file-not-readable]");
  assert_int_equal(irrun_context_report(context, "IR801", NULL, "the second", NULL), IRRUN_USAGE);
  assert_string_equal(irrun_context_last_error(context), "error: the second [IR801 command-line]");
  assert_int_equal(irrun_context_report(context, "IR407", "m.xml", "a warning", NULL), IRRUN_OK);
  assert_string_equal(irrun_context_last_error(context), "error: the second [IR801 command-line]");
  assert_int_equal(irrun_model_read(context, "no/such.xml", NULL, IRRUN_TO_CHECK, &model), IRRUN_IO);
  assert_non_null(strstr(irrun_context_last_error(context), "no/such.xml: error: "));
  irrun_context_clear_diagnostics(context);
  assert_string_equal(irrun_context_last_error(context), "");
  irrun_context_free(context);
}

/* Diagnostics are sorted by place, but the last error is the latest in time. */
static void is_the_last_in_time(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  irrun_diagnostic first = {.size = sizeof first};
  assert_int_equal(irrun_context_report(context, "IR701", "b", "the first", NULL), IRRUN_IO);
  assert_int_equal(irrun_context_report(context, "IR701", NULL, "the second", NULL), IRRUN_IO);
  assert_true(irrun_context_get_diagnostic(context, 0, &first));
  assert_string_equal(irrun_context_last_error(context), "error: the second [IR701 file-not-readable]");
  irrun_context_free(context);
}

static void memory_that_is_out_is_one(void **state) {
  (void)state;
  failing_memory memory = {.refuse_at = -1};
  irrun_allocator allocator = {
      .size = sizeof allocator, .alloc = failing_alloc, .release = failing_release, .user = &memory};
  irrun_context *context = irrun_context_create(&allocator);
  irrun_tensor *tensor;
  for (int i = 0; i < 2; i++) { /* the second out-of-memory error is counted, but not reported again */
    memory.refuse_at = -1;
    assert_int_equal(irrun_context_report(context, "IR701", "a", "another", NULL), IRRUN_IO);
    memory.refuse_at = 0;
    assert_int_equal(irrun_tensor_create(context, IRRUN_F32, 0, NULL, &(float){1}, sizeof(float), &tensor), IRRUN_IO);
    assert_string_equal(irrun_context_last_error(context), "error: out of memory [IR703 out-of-memory]");
  }
  irrun_rule rule = {.size = sizeof rule};
  assert_int_equal(irrun_context_worst(context), IRRUN_IO);
  assert_true(irrun_rule_find("IR703", &rule));
  assert_int_equal(rule.status, IRRUN_IO);
  irrun_context_free(context);
}

/* A message that exceeds the buffer of the last error ends in "...". */
static void may_be_long(void **state) {
  (void)state;
  static char message[5000];
  memset(message, 'x', sizeof message - 1);
  irrun_context *context = irrun_context_create(NULL);
  assert_int_equal(irrun_context_report(context, "IR701", NULL, message, NULL), IRRUN_IO);
  const char *text = irrun_context_last_error(context);
  assert_string_equal(text + strlen(text) - 3, "...");
  irrun_context_free(context);
}

/* What a body cannot compute is reported to the context of the run, not to that of the model. */
static void a_run_has_its_own(void **state) {
  (void)state;
#define PARAMETER                                                                                                      \
  "<layers><layer id='0' name='x' type='Parameter' version='opset1'><data shape='1,1,4,4' element_type='u4'/>"         \
  "<output><port id='0' precision='U4'/></output></layer>"
#define END                                                                                                            \
  "<layer id='2' name='y' type='Result' version='opset1'><input><port id='0'/></input></layer></layers><edges>"        \
  "<edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>"                                                      \
  "<edge from-layer='1' from-port='1' to-layer='2' to-port='0'/></edges>"
  static const char text[] =
      "<net name='m' version='11'>" PARAMETER "<layer id='1' name='each' type='TensorIterator' version='opset1'>"
      "<port_map><input external_port_id='0' internal_layer_id='0'/><output external_port_id='1' "
      "internal_layer_id='2'/>"
      "</port_map><input><port id='0'/></input><output><port id='1' precision='U4'/></output><body>" PARAMETER
      "<layer id='1' name='pool' type='MaxPool' version='opset1'>"
      "<data kernel='1,1' strides='1,1' pads_begin='0,0' pads_end='0,0'/>"
      "<input><port id='0'/></input><output><port id='1' precision='U4'/></output></layer>" END "</body></layer>" END
      "</net>";
#undef PARAMETER
#undef END
  irrun_context *of_model = irrun_context_create(NULL), *of_run = irrun_context_create(NULL);
  irrun_model *model;
  irrun_run *run;
  assert_int_equal(irrun_model_read_memory(of_model, "m.xml", (irrun_buffer){text, sizeof text - 1}, NULL, IRRUN_TO_RUN,
                                           NULL, 0, &model),
                   IRRUN_OK);
  assert_int_equal(irrun_run_create_in(of_run, model, &run), IRRUN_OK);
  assert_int_equal(irrun_run_plan(run), IRRUN_UNSUPPORTED);
  assert_non_null(strstr(irrun_context_last_error(of_run), "irrun does not compute with elements of type u4"));
  assert_string_equal(irrun_context_last_error(of_model), "");
  irrun_run_free(run);
  irrun_model_free(model);
  irrun_context_free(of_run);
  irrun_context_free(of_model);
}

/* ---- the environment ---- */

/* irrun sets GOMP_SPINCOUNT while it loads the module and restores it afterwards. */
static void the_environment_stays(void **state) {
  (void)state;
  assert_int_equal(unsetenv("OMP_WAIT_POLICY"), 0);
  assert_int_equal(unsetenv("GOMP_SPINCOUNT"), 0);
  irrun_fast_library();
  assert_null(getenv("GOMP_SPINCOUNT"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(versions),
      cmocka_unit_test(names_of_statuses),
      cmocka_unit_test(is_the_last),
      cmocka_unit_test(is_the_last_in_time),
      cmocka_unit_test(memory_that_is_out_is_one),
      cmocka_unit_test(may_be_long),
      cmocka_unit_test(a_run_has_its_own),
      cmocka_unit_test(the_environment_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
