/* Tests diagnostics printed on one line, as callers of the library see them. */
#include "irrun.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const inside[] = {"loop", "each"};

static const irrun_diagnostic fault = {.size = sizeof fault,
                                       .rule = "IR301",
                                       .slug = "declared-shape-differs",
                                       .severity = IRRUN_ERROR,
                                       .message = "port 1 declares 32x32",
                                       .file = "m.xml",
                                       .line = 17,
                                       .column = 68,
                                       .layer_name = "pool",
                                       .layer_inside = inside,
                                       .n_inside = 2};

static void all_of_it(void **state) {
  (void)state;
  char text[256];
  assert_string_equal(
      irrun_diagnostic_text(&fault, text, sizeof text),
      "m.xml:17:68: error: port 1 declares 32x32 [IR301 declared-shape-differs], layer 'loop' > 'each' > 'pool'");
}

static void what_there_is_of_it(void **state) {
  (void)state;
  char text[256];
  irrun_diagnostic of_file = fault,
                   note = {.size = sizeof note, .severity = IRRUN_NOTE, .message = "the first one", .file = ""};
  of_file.line = 0;
  of_file.layer_name = NULL;
  of_file.severity = IRRUN_WARNING;
  assert_string_equal(irrun_diagnostic_text(&of_file, text, sizeof text),
                      "m.xml: warning: port 1 declares 32x32 [IR301 declared-shape-differs]");
  assert_string_equal(irrun_diagnostic_text(&note, text, sizeof text), "note: the first one");
}

static void as_much_as_fits(void **state) {
  (void)state;
  char text[64];
  for (size_t size = 0; size <= sizeof text; size++) {
    memset(text, '#', sizeof text);
    irrun_diagnostic_text(&fault, text, size);
    for (size_t i = size; i < sizeof text; i++)
      assert_int_equal(text[i], '#');
    if (size > 0)
      assert_true(strlen(text) < size);
    if (size > 3)
      assert_string_equal(text + size - 4, "...");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_it), cmocka_unit_test(what_there_is_of_it),
                                     cmocka_unit_test(as_much_as_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
