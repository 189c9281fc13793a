/* Tests contexts through the public header: versions, names of statuses, the last error, and the environment. */
#include "failing_memory.h"
#include "irrun_program.h"
#include "runtime/run/run_state.h"

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

/* A muted report stands for one that was forgotten. */
static void a_run_without_a_report_is_internal(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  irrun_run *run;
  assert_int_equal(irrun_model_read(context, IRRUN_SOURCE_DIR "/models/demo/pool.xml", NULL, IRRUN_TO_RUN, &model),
                   IRRUN_OK);
  assert_int_equal(irrun_run_create(model, &run), IRRUN_OK);
  assert_int_equal(irrun_run_execute(run), IRRUN_BAD_DATA); /* without an input */
  context->diags.muted = 1;
  assert_int_equal(irrun_run_execute(run), IRRUN_INTERNAL);
  context->diags.muted = 0;
  assert_int_equal(irrun_run_execute(run), IRRUN_BAD_DATA);
  irrun_run_free(run);
  irrun_model_free(model);
  irrun_context_free(context);
}

/* ---- numbers outside of their enums ---- */

static void numbers_outside_of_enums_are_refused(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  irrun_tensor_file *file;
  irrun_io io = {.size = sizeof io};
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic, .severity = (irrun_severity)9, .message = ""};
  int64_t index;
  const char *rest;
  char text[80];
  assert_int_equal(irrun_model_read(context, IRRUN_SOURCE_DIR "/models/demo/pool.xml", NULL, IRRUN_TO_RUN, &model),
                   IRRUN_OK);
  for (int i = -1; i <= 1000; i += i < 2 ? 3 : 998) {
    const irrun_side side = (irrun_side)i;
    assert_false(irrun_model_get_io(model, side, 0, &io));
    assert_null(irrun_model_get_key(model, side, 0));
    assert_int_equal(irrun_model_match_name(model, side, "x=1", &index, &rest), IRRUN_USAGE);
    assert_int_equal(irrun_model_find_name(model, side, "x", NULL, &index), IRRUN_USAGE);
    assert_int_equal(irrun_tensor_file_open_as(context, "x.npy", (irrun_form)(i < 0 ? i : i + 2), &file), IRRUN_USAGE);
  }
  assert_null(irrun_diagnostic_text(&diagnostic, text, sizeof text));
  irrun_model_free(model);
  irrun_context_free(context);
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
      cmocka_unit_test(a_run_without_a_report_is_internal),
      cmocka_unit_test(numbers_outside_of_enums_are_refused),
      cmocka_unit_test(the_environment_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
