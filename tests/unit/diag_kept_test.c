/* Tests which diagnostics are kept if their number exceeds the limit. */
#include "base/limits.h"
#include "diag/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static ir_memory memory;
static ir_diags diags;
static const ir_where nowhere;

static int setup(void **state) {
  (void)state;
  memory = ir_memory_default();
  ir_diags_init(&diags, &memory);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  ir_diags_reset(&diags);
  return 0;
}

static void only_so_many_are_kept(void **state) {
  (void)state;
  for (int i = 0; i < IR_MAX_DIAGNOSTICS; i++)
    ir_report(&diags, IR109_DEAD_LAYER, nowhere, "x");
  assert_int_equal(diags.n_kept, IR_MAX_DIAGNOSTICS);
  ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, nowhere, "x");
  ir_report(&diags, IR109_DEAD_LAYER, nowhere, "x");
  assert_null(diags.open);
  ir_note(&diags, nowhere, "x");
  ir_hint(&diags, "x");
  assert_int_equal(diags.n_kept, IR_MAX_DIAGNOSTICS);
  assert_int_equal(diags.n_warnings, IR_MAX_DIAGNOSTICS + 1);
  assert_int_equal(ir_diags_counted(&diags), IR_MAX_DIAGNOSTICS + 2);
}

static void report_many(ir_rule rule, int n) {
  for (int i = 0; i < n; i++)
    ir_report(&diags, rule, nowhere, "x");
}

static void check_kept(int64_t n_errors, int64_t n_warnings, int64_t n_notes) {
  int64_t n[3] = {0};
  const ir_diag *last = NULL;
  for (const ir_diag *d = diags.first; d != NULL; last = d, d = d->next)
    n[d->severity]++;
  assert_int_equal(n[IR_ERROR], n_errors);
  assert_int_equal(n[IR_WARNING], n_warnings);
  assert_int_equal(n[IR_NOTE], n_notes);
  assert_int_equal(n_errors + n_warnings + n_notes, diags.n_kept);
  assert_ptr_equal(last, diags.last);
}

/* Above the limit, an error replaces the last note, or the last warning if no note is kept. A warning replaces a
 * note. */
static void the_weightiest_are_kept(void **state) {
  (void)state;
  report_many(IR109_DEAD_LAYER, IR_MAX_DIAGNOSTICS - 2);
  report_many(IR209_ATTRIBUTE_WITHOUT_EFFECT, 2);
  assert_int_equal(ir_report(&diags, IR103_EDGE_UNKNOWN_LAYER, nowhere, "an error"), IR_INVALID);
  ir_hint(&diags, "mend it");
  check_kept(1, IR_MAX_DIAGNOSTICS - 2, 1);
  assert_string_equal(diags.last->message, "an error");
  assert_string_equal(diags.last->hint, "mend it");
  assert_int_equal(diags.last->number, IR_MAX_DIAGNOSTICS);
  report_many(IR109_DEAD_LAYER, 2);
  check_kept(1, IR_MAX_DIAGNOSTICS - 1, 0);
  report_many(IR103_EDGE_UNKNOWN_LAYER, 1);
  check_kept(2, IR_MAX_DIAGNOSTICS - 2, 0);
  report_many(IR103_EDGE_UNKNOWN_LAYER, IR_MAX_DIAGNOSTICS + 5);
  check_kept(IR_MAX_DIAGNOSTICS, 0, 0);
  assert_string_equal(diags.first->message, "an error");
  assert_int_equal(diags.n_errors, IR_MAX_DIAGNOSTICS + 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_so_many_are_kept, setup, teardown),
      cmocka_unit_test_setup_teardown(the_weightiest_are_kept, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
