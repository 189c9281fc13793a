/* Tests rules that are reported once per model, even if many layers break them. */
#include "diag/diag.h"
#include "graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static ir_memory memory;
static ir_diags diags;

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

static ir_where at_layer(const ir_layer *layer, const char *attribute) {
  return (ir_where){.layer = layer, .attribute = attribute};
}

static void the_same_of_other_layers_is_counted(void **state) {
  (void)state;
  static const ir_layer pool = {.id = 1, .name = "p", .type = "AvgPool"},
                        other = {.id = 2, .name = "q", .type = "MaxPool"};
  for (int i = 0; i < 5; i++)
    ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, at_layer(&pool, "pads_end"), "in vain: %d", i);
  assert_int_equal(diags.n_kept, 1);
  assert_int_equal(diags.n_notes, 1);
  assert_int_equal(diags.n_raised, 5);
  assert_int_equal(diags.first->n_more, 4);
  assert_string_equal(diags.first->message, "in vain: 0");
  /* A different layer type, attribute, message, severity or model makes a report of its own. */
  ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, at_layer(&other, "pads_end"), "in vain: %d", 5);
  ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, at_layer(&pool, "pads_begin"), "in vain: %d", 6);
  ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, at_layer(&pool, "pads_end"), "empty");
  ir_report_as(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, IR_WARNING, at_layer(&pool, "pads_end"), "empty");
  ir_diags_next_group(&diags);
  ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, at_layer(&pool, "pads_end"), "empty");
  assert_int_equal(diags.n_kept, 6);
}

static void faults_are_said_each(void **state) {
  (void)state;
  static const ir_layer layer = {.id = 1, .name = "p", .type = "AvgPool"};
  diags.policy[IR209_ATTRIBUTE_WITHOUT_EFFECT] = IR_POLICY_DENY;
  for (int i = 0; i < 3; i++) {
    ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, at_layer(&layer, NULL),
              "x");                                                          /* denied: an error for each layer */
    ir_report(&diags, IR210_NOT_RUNNABLE_HERE, at_layer(&layer, NULL), "x"); /* the model stays valid: reported once */
    ir_report(&diags, IR404_CONSTANT_MISALIGNED, at_layer(&layer, NULL), "x"); /* a note, reported only in detail */
  }
  assert_int_equal(diags.n_errors, 4);
  assert_int_equal(diags.n_kept, 4);
}

static void in_detail_all_are_said(void **state) {
  (void)state;
  static const ir_layer layer = {.id = 1, .name = "p", .type = "Const"};
  diags.in_detail = true;
  for (int i = 0; i < 3; i++)
    ir_report(&diags, IR404_CONSTANT_MISALIGNED, at_layer(&layer, NULL), "x");
  assert_int_equal(diags.n_kept, 3);
}

int main(void) {
#define WITH_DIAGS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
  const struct CMUnitTest tests[] = {
      WITH_DIAGS(the_same_of_other_layers_is_counted),
      WITH_DIAGS(faults_are_said_each),
      WITH_DIAGS(in_detail_all_are_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
