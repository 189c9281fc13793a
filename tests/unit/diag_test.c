/* Tests diagnostics: the contents of a report, effects of the policy, order, limits, and out of memory. */
#include "base/limits.h"
#include "diag/diag.h"
#include "failing_memory.h"
#include "graph/graph.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static failing_memory counts;
static ir_memory memory;
static ir_diags diags;

static int setup(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  ir_diags_init(&diags, &memory);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  ir_diags_reset(&diags);
  return counts.n_alive == 0 ? 0 : -1;
}

static ir_source *open_text(const char *name, const char *text) {
  scratch_file file = scratch_file_make(name, text, strlen(text));
  int error;
  ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, file.path, &error);
  scratch_file_remove(&file);
  assert_non_null(source);
  return source;
}

static const ir_where nowhere;

/* ---- contents ---- */

static void everything_is_copied(void **state) {
  (void)state;
  ir_source *source = open_text("m.xml", "<net>\n <layer id=\"3\"/>\n</net>");
  char name[] = "pool", attribute[] = "kernel", type[] = "AvgPool";
  ir_layer layer = {.id = 3, .name = name, .type = type, .opset = "opset1"};
  ir_where where = {.source = source, .at = {7, 13}, .layer = &layer, .attribute = attribute};
  assert_int_equal(ir_report(&diags, IR304_KERNEL_EXCEEDS_INPUT, where, "kernel %d", 64), IR_INVALID);
  char file[200];
  snprintf(file, sizeof file, "%s", source->name);
  ir_source_free(source);
  memset(name, 'x', 4);
  memset(type, 'x', 4);
  memset(attribute, 'x', 4);
  const ir_diag *d = diags.first;
  assert_ptr_equal(d, diags.last);
  assert_ptr_equal(d, diags.open);
  assert_int_equal(d->rule, IR304_KERNEL_EXCEEDS_INPUT);
  assert_int_equal(d->severity, IR_ERROR);
  assert_string_equal(d->message, "kernel 64");
  assert_string_equal(d->file, file);
  assert_int_equal(d->kind, IR_SOURCE_TEXT);
  assert_int_equal(d->line, 2);
  assert_int_equal(d->column, 2);
  assert_int_equal(d->end_column, 8);
  assert_int_equal(d->offset, -1);
  assert_string_equal(d->excerpt, " <layer id=\"3\"/>");
  assert_int_equal(d->excerpt_skipped, 0);
  assert_string_equal(d->lines_before, "<net>\n");
  assert_string_equal(d->lines_after, "</net>\n");
  assert_true(d->has_layer);
  assert_string_equal(d->layer_id, "3");
  assert_string_equal(d->layer_name, "pool");
  assert_string_equal(d->layer_op, "AvgPool (opset1)");
  assert_string_equal(d->attribute, "kernel");
  assert_null(d->hint);
  assert_null(d->notes);
}

static void what_is_unknown_stays_empty(void **state) {
  (void)state;
  ir_report(&diags, IR801_COMMAND_LINE, nowhere, "no model");
  const ir_diag *d = diags.first;
  assert_string_equal(d->file, "");
  assert_int_equal(d->kind, IR_SOURCE_COMMAND);
  assert_int_equal(d->line, 0);
  assert_int_equal(d->offset, -1);
  assert_null(d->excerpt);
  assert_false(d->has_layer);
  assert_null(d->layer_name);
  assert_null(d->attribute);
  ir_layer layer = {.id = -1};
  ir_report(&diags, IR204_MISSING_REQUIRED_ATTRIBUTE, (ir_where){.layer = &layer}, "no id");
  assert_true(diags.last->has_layer);
  assert_string_equal(diags.last->layer_id, "");
  assert_string_equal(diags.last->layer_name, "");
  assert_string_equal(diags.last->layer_op, "");
  ir_source *command = ir_source_create(&memory, IR_SOURCE_COMMAND, "command line");
  ir_report(&diags, IR801_COMMAND_LINE, (ir_where){.source = command, .at = IR_NOWHERE}, "x");
  assert_string_equal(diags.last->file, "");
  ir_source_free(command);
}

static void bytes_have_offsets_and_names_have_none(void **state) {
  (void)state;
  ir_source *bin = ir_source_create(&memory, IR_SOURCE_BYTES, "m.bin");
  ir_report(&diags, IR405_BIN_UNUSED_BYTES, (ir_where){.source = bin, .at = {4096, 5000}}, "tail");
  assert_int_equal(diags.last->offset, 4096);
  assert_int_equal(diags.last->line, 0);
  ir_report(&diags, IR405_BIN_UNUSED_BYTES, (ir_where){.source = bin, .at = IR_NOWHERE}, "file");
  assert_int_equal(diags.last->offset, -1);
  ir_source_free(bin);
  ir_source *member = ir_source_create(&memory, IR_SOURCE_NAME, "in.npz:x");
  ir_report(&diags, IR505_NPY_MALFORMED, (ir_where){.source = member, .at = {1, 2}}, "bad");
  assert_string_equal(diags.last->file, "in.npz:x");
  assert_int_equal(diags.last->offset, -1);
  ir_source_free(member);
}

static void text_of_files_is_escaped(void **state) {
  (void)state;
  ir_source *source = open_text("a\x1b[2J.xml", "\t<a \x01\xff x=\"\xc3\xa9\"/>");
  ir_layer layer = {.id = 1, .name = "p\x1b]0;x\x07", .type = "Av\ng", .opset = "op\xff"};
  ir_where where = {.source = source, .at = {3, 4}, .layer = &layer, .attribute = "k\r"};
  ir_report(&diags, IR205_UNKNOWN_ATTRIBUTE, where, "attribute '%s'", "a\tb\x7f\xc2\x9b");
  ir_hint(&diags, "not %s", "\x02");
  ir_note(&diags, where, "in %s", "\n");
  const ir_diag *d = diags.first;
  assert_string_equal(d->message, "attribute 'a\\tb\\x7f\\xc2\\x9b'");
  assert_non_null(strstr(d->file, "/a\\x1b[2J.xml"));
  assert_string_equal(d->layer_name, "p\\x1b]0;x\\x07");
  assert_string_equal(d->layer_op, "Av\\ng (op\\xff)");
  assert_string_equal(d->attribute, "k\\r");
  assert_string_equal(d->hint, "not \\x02");
  assert_string_equal(d->notes->message, "in \\n");
  /* Each invalid byte is replaced by one character, so that the caret keeps its column. */
  assert_string_equal(d->excerpt, " <a \xef\xbf\xbd\xef\xbf\xbd x=\"\xc3\xa9\"/>");
  ir_source_free(source);
}

static void long_messages_are_cut(void **state) {
  (void)state;
  char *text = malloc(100001);
  for (int i = 0; i < 100000; i += 2)
    memcpy(text + i, "\xc3\xa9", 3);
  for (int shift = 0; shift < 4; shift++) {
    ir_report(&diags, IR205_UNKNOWN_ATTRIBUTE, nowhere, "%.*s%s", shift, "...", text);
    const char *message = diags.last->message;
    size_t length = strlen(message);
    assert_true(length < IR_MAX_MESSAGE && length > IR_MAX_MESSAGE - 10);
    assert_string_equal(message + length - 5, "\xc3\xa9...");
  }
  ir_layer layer = {.id = 1, .name = text, .type = text, .opset = text};
  ir_report(&diags, IR205_UNKNOWN_ATTRIBUTE, (ir_where){.layer = &layer}, "x");
  assert_true(strlen(diags.last->layer_name) < IR_MAX_MESSAGE);
  free(text);
}

static void notes_and_hints_go_to_the_last(void **state) {
  (void)state;
  ir_note(&diags, nowhere, "to nothing");
  ir_hint(&diags, "to nothing");
  ir_report(&diags, IR103_EDGE_UNKNOWN_LAYER, nowhere, "a");
  ir_report(&diags, IR104_EDGE_UNKNOWN_PORT, nowhere, "b");
  ir_note(&diags, nowhere, "first");
  ir_note(&diags, nowhere, "second");
  ir_hint(&diags, "do this");
  ir_hint(&diags, "do %s", "that");
  assert_null(diags.first->notes);
  const ir_diag *note = diags.last->notes;
  assert_string_equal(note->message, "first");
  assert_int_equal(note->severity, IR_NOTE);
  assert_int_equal(note->rule, IR104_EDGE_UNKNOWN_PORT);
  assert_string_equal(note->next->message, "second");
  assert_null(note->next->next);
  assert_string_equal(diags.last->hint, "do that");
  assert_int_equal(diags.n_notes, 0); /* a note attached to a diagnostic is not counted */
  assert_int_equal(diags.n_kept, 2);
  ir_diags_next_group(&diags);
  ir_note(&diags, nowhere, "the model before is closed");
  assert_null(note->next->next);
}

static void causes_of_a_difference_are_notes(void **state) {
  (void)state;
  ir_layer layer = {.id = 3, .name = "pool", .type = "AvgPool", .opset = "opset1"};
  ir_where at_layer = {.layer = &layer};
  ir_report(&diags, IR310_CEIL_DIFFERS_FROM_TORCH, at_layer, "of another model");
  ir_diags_next_group(&diags);
  ir_note_causes(&diags, IR_OTHER_SHAPE); /* no diagnostic of this group exists: no effect */
  ir_report(&diags, IR312_DIVISOR_COUNTS_OVERHANG, at_layer, "by 9");
  ir_report(&diags, IR312_DIVISOR_COUNTS_OVERHANG, at_layer, "by 4");
  ir_report(&diags, IR602_EXPECTED_SHAPE_DIFFERS, nowhere, "shapes");
  ir_note_causes(&diags, IR_OTHER_SHAPE);
  assert_null(diags.last->notes);
  assert_null(diags.last->hint);
  ir_report(&diags, IR601_OUTPUT_DIFFERS, nowhere, "values");
  ir_note(&diags, nowhere, "first");
  ir_note_causes(&diags, IR_OTHER_VALUES);
  const ir_diag *cause = diags.last->notes->next;
  assert_string_equal(cause->message, "layer 'pool' may be why: by 9 [IR312 divisor-counts-overhang]");
  assert_int_equal(cause->severity, IR_NOTE);
  assert_null(cause->next);
  assert_non_null(strstr(diags.last->hint, "--explain=IR312"));
  assert_int_equal(diags.n_notes, 3);
}

/* ---- policy ---- */

static void severities_and_statuses_come_from_the_table(void **state) {
  (void)state;
  int64_t errors = 0, warnings = 0, notes = 0;
  ir_code worst = IR_OK;
  diags.in_detail = true;
  for (int i = 0; i < IR_RULE_COUNT; i++) {
    const ir_rule_row *row = &ir_rule_rows[i];
    bool is_error = row->severity == IR_ERROR;
    assert_int_equal(ir_report(&diags, (ir_rule)i, nowhere, "x"), is_error ? row->status : IR_OK);
    assert_int_equal(diags.last->severity, row->severity);
    errors += is_error;
    warnings += row->severity == IR_WARNING;
    notes += row->severity == IR_NOTE;
    worst = is_error ? ir_code_worse(worst, row->status) : worst;
  }
  assert_int_equal(diags.n_errors, errors);
  assert_int_equal(diags.n_warnings, warnings);
  assert_int_equal(diags.n_notes, notes);
  assert_int_equal(diags.status, worst);
  assert_int_equal(worst, IR_INTERNAL);
}

static void allowed_warnings_are_not_there(void **state) {
  (void)state;
  diags.policy[IR205_UNKNOWN_ATTRIBUTE] = diags.policy[IR209_ATTRIBUTE_WITHOUT_EFFECT] = IR_POLICY_ALLOW;
  ir_report(&diags, IR204_MISSING_REQUIRED_ATTRIBUTE, nowhere, "kept");
  assert_int_equal(ir_report(&diags, IR205_UNKNOWN_ATTRIBUTE, nowhere, "x"), IR_OK);
  ir_note(&diags, nowhere, "must not go to the one before");
  ir_hint(&diags, "nor this");
  assert_int_equal(ir_report(&diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, nowhere, "x"), IR_OK);
  assert_int_equal(diags.n_kept, 1);
  assert_int_equal(diags.n_warnings + diags.n_notes, 0);
  assert_null(diags.first->notes);
  assert_null(diags.first->hint);
  /* If ir_report_as raises the severity to error, the policy "allow" of the warning has no effect. */
  assert_int_equal(ir_report_as(&diags, IR205_UNKNOWN_ATTRIBUTE, IR_ERROR, nowhere, "x"), IR_INVALID);
}

static void allowed_errors_are_warnings(void **state) {
  (void)state;
  diags.strict = true;
  for (int i = 0; i < IR_RULE_COUNT; i++)
    diags.policy[i] = IR_POLICY_ALLOW;
  assert_int_equal(ir_report(&diags, IR301_DECLARED_SHAPE_DIFFERS, nowhere, "x"), IR_OK);
  assert_int_equal(diags.last->severity, IR_WARNING); /* the policy "allow" takes precedence over strict */
  assert_int_equal(ir_report(&diags, IR304_KERNEL_EXCEEDS_INPUT, nowhere, "x"),
                   IR_INVALID); /* the rule cannot be allowed */
  assert_int_equal(diags.last->severity, IR_ERROR);
  assert_int_equal(ir_report_firm(&diags, IR301_DECLARED_SHAPE_DIFFERS, nowhere, "x"), IR_INVALID);
  assert_int_equal(diags.last->severity, IR_ERROR);
  assert_int_equal(diags.n_warnings, 1);
  assert_int_equal(diags.n_errors, 2);
}

static void denied_and_strict_make_errors(void **state) {
  (void)state;
  diags.policy[IR405_BIN_UNUSED_BYTES] = IR_POLICY_DENY;
  assert_int_equal(ir_report(&diags, IR405_BIN_UNUSED_BYTES, nowhere, "x"), IR_INVALID);
  assert_int_equal(diags.last->severity, IR_ERROR);
  diags.strict = true;
  assert_int_equal(ir_report(&diags, IR109_DEAD_LAYER, nowhere, "x"), IR_INVALID);
  assert_int_equal(ir_report(&diags, IR310_CEIL_DIFFERS_FROM_TORCH, nowhere, "x"),
                   IR_OK); /* strict does not change a note */
  assert_int_equal(ir_report_as(&diags, IR201_UNKNOWN_OP, IR_WARNING, nowhere, "x"), IR_INVALID);
  diags.strict = false;
  assert_int_equal(ir_report_as(&diags, IR201_UNKNOWN_OP, IR_WARNING, nowhere, "x"), IR_OK);
  assert_int_equal(diags.last->severity, IR_WARNING);
  assert_int_equal(diags.n_errors, 3);
}

static void counts_start_anew_with_a_model(void **state) {
  (void)state;
  ir_report(&diags, IR103_EDGE_UNKNOWN_LAYER, nowhere, "x");
  ir_report(&diags, IR109_DEAD_LAYER, nowhere, "x");
  assert_int_equal(diags.n_errors_in_group, 1);
  assert_int_equal(diags.n_warnings_in_group, 1);
  ir_diags_next_group(&diags);
  assert_int_equal(diags.n_errors_in_group + diags.n_warnings_in_group, 0);
  ir_report(&diags, IR103_EDGE_UNKNOWN_LAYER, nowhere, "x");
  assert_int_equal(diags.n_errors_in_group, 1);
  assert_int_equal(diags.n_errors, 2);
  assert_int_equal(diags.first->group, 0);
  assert_int_equal(diags.last->group, 1);
}

/* ---- order ---- */

static void assert_order(const char *expected) {
  char found[64] = "";
  int64_t n = 0;
  for (const ir_diag *d = diags.first; d != NULL; d = d->next, n++) {
    strncat(found, d->message, sizeof found - 1 - strlen(found));
    assert_true(d->next != NULL || d == diags.last);
  }
  assert_string_equal(found, expected);
  assert_int_equal(n, diags.n_kept);
}

static void order_is_model_file_place(void **state) {
  (void)state;
  ir_diags_sort(&diags);
  assert_order("");
  ir_source *a = open_text("a.xml", "xxxxxx\nyyyyyy"), *b = open_text("b.xml", "xxxxxx\nyyyyyy");
  ir_source *bin = ir_source_create(&memory, IR_SOURCE_BYTES, "m.bin");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = b, .at = {8, 9}}, "d");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = a, .at = {1, 2}}, "g");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = b, .at = IR_NOWHERE}, "e");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = b, .at = {2, 3}}, "b");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = b, .at = {1, 3}}, "a");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = b, .at = {2, 2}}, "c");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = b, .at = IR_NOWHERE}, "f");
  ir_report(&diags, IR402_CONSTANT_OUTSIDE_BIN, (ir_where){.source = bin, .at = {90, 91}}, "i");
  ir_report(&diags, IR402_CONSTANT_OUTSIDE_BIN, (ir_where){.source = bin, .at = {9, 91}}, "h");
  ir_diags_next_group(&diags);
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = a, .at = {1, 2}}, "j");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = b, .at = {1, 2}}, "k");
  ir_diags_sort(&diags);
  assert_order("abcdefghijk");
  ir_diags_sort(&diags);
  assert_order("abcdefghijk");
  ir_report(&diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = a, .at = {0, 2}}, "!");
  ir_diags_sort(&diags); /* merges the new diagnostic into the order */
  assert_order("abcdefghi!jk");
  ir_source_free(a);
  ir_source_free(b);
  ir_source_free(bin);
}

static void many_sort_stably(void **state) {
  (void)state;
  static char text[2000];
  memset(text, '\n', sizeof text - 1);
  ir_source *source = open_text("a.xml", text);
  for (int i = 0; i < 3000; i++) {
    int64_t at = i * 7 % 50;
    ir_report(&diags, IR109_DEAD_LAYER, (ir_where){.source = source, .at = {at, at + 1}}, "%d", i);
  }
  ir_diags_sort(&diags);
  for (const ir_diag *d = diags.first; d->next != NULL; d = d->next) {
    assert_true(d->line <= d->next->line);
    if (d->line == d->next->line)
      assert_true(atoi(d->message) < atoi(d->next->message));
  }
  ir_source_free(source);
}

/* ---- limits ---- */

/* The text has no NUL within the limit of a message. Reading on would exceed its memory. */
static void long_texts_are_cut_unread(void **state) {
  (void)state;
  char *text = malloc(IR_MAX_MESSAGE);
  memset(text, 'n', IR_MAX_MESSAGE);
  ir_report(&diags, IR107_CYCLE, nowhere, "100 %% of '%s', %d", text, 3);
  assert_memory_equal(diags.first->message, "100 % of 'nnn", 13);
  assert_int_equal(strlen(diags.first->message), IR_MAX_MESSAGE - 1);
  free(text);
}

static void memory_that_is_out_is_a_diagnostic(void **state) {
  (void)state;
  counts.refuse_at = 0;
  assert_int_equal(ir_out_of_memory(&diags), IR_NO_MEMORY);
  assert_int_equal(ir_out_of_memory(&diags), IR_NO_MEMORY);
  ir_hint(&diags, "x");
  ir_note(&diags, nowhere, "x");
  assert_int_equal(diags.n_errors, 1); /* the second report is suppressed */
  assert_int_equal(diags.n_kept, 1);
  assert_int_equal(diags.first->rule, IR703_OUT_OF_MEMORY);
  assert_string_equal(diags.first->message, "out of memory");
  assert_string_equal(diags.first->file, "");
  assert_null(diags.first->notes);
  assert_int_equal(ir_report(&diags, IR103_EDGE_UNKNOWN_LAYER, nowhere, "lost"), IR_INVALID);
  assert_int_equal(diags.n_errors, 2);
  assert_int_equal(diags.n_kept, 1);
  ir_diags_next_group(&diags);
  ir_out_of_memory(&diags);
  assert_int_equal(diags.n_errors_in_group, 1);
  assert_int_equal(diags.n_kept, 1);
  assert_int_equal(diags.status, IR_NO_MEMORY);
  ir_diags_sort(&diags);
}

/* Lets each allocation fail: the counts and the status stay right, and no kept diagnostic is incomplete. */
static void every_allocation_can_fail(void **state) {
  (void)state;
  for (int64_t n = 0; n < 12; n++) {
    ir_diags_reset(&diags);
    memory = failing_memory_of(&counts);
    ir_diags_init(&diags, &memory);
    ir_source *source = open_text("m.xml", "<net>\n <layer id=\"3\"/>\n</net>");
    counts.n_requests = 0;
    counts.refuse_at = n;
    ir_layer layer = {.id = 3, .name = "pool", .type = "AvgPool", .opset = "opset1"};
    ir_where where = {.source = source, .at = {7, 13}, .layer = &layer, .attribute = "kernel"};
    for (int i = 0; i < 300; i++) {
      ir_report(&diags, IR304_KERNEL_EXCEEDS_INPUT, where, "kernel %d", 64);
      ir_note(&diags, where, "x");
      ir_hint(&diags, "y");
    }
    bool ran_out = diags.memory_is_out;
    assert_int_equal(diags.n_errors, 300 + ran_out);
    assert_int_equal(diags.status, ran_out ? IR_NO_MEMORY : IR_INVALID);
    assert_true(ran_out ? diags.n_kept < 301 : diags.n_kept == 300);
    for (const ir_diag *d = diags.first; d != NULL; d = d->next) {
      assert_non_null(d->message);
      assert_non_null(d->file);
      assert_true(d->rule == IR703_OUT_OF_MEMORY || d->excerpt != NULL);
    }
    ir_source_free(source);
  }
}

static void a_reset_list_is_new(void **state) {
  (void)state;
  ir_out_of_memory(&diags);
  ir_report(&diags, IR103_EDGE_UNKNOWN_LAYER, nowhere, "x");
  ir_diags_reset(&diags);
  assert_null(diags.first);
  assert_int_equal(diags.n_errors, 0);
  assert_int_equal(diags.status, IR_OK);
  assert_int_equal(counts.n_alive, 0);
}

#define WITH_DIAGS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DIAGS(everything_is_copied),
      WITH_DIAGS(what_is_unknown_stays_empty),
      WITH_DIAGS(bytes_have_offsets_and_names_have_none),
      WITH_DIAGS(text_of_files_is_escaped),
      WITH_DIAGS(long_messages_are_cut),
      WITH_DIAGS(notes_and_hints_go_to_the_last),
      WITH_DIAGS(causes_of_a_difference_are_notes),
      WITH_DIAGS(severities_and_statuses_come_from_the_table),
      WITH_DIAGS(allowed_warnings_are_not_there),
      WITH_DIAGS(allowed_errors_are_warnings),
      WITH_DIAGS(denied_and_strict_make_errors),
      WITH_DIAGS(counts_start_anew_with_a_model),
      WITH_DIAGS(order_is_model_file_place),
      WITH_DIAGS(many_sort_stably),
      WITH_DIAGS(long_texts_are_cut_unread),
      WITH_DIAGS(memory_that_is_out_is_a_diagnostic),
      WITH_DIAGS(every_allocation_can_fail),
      WITH_DIAGS(a_reset_list_is_new),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
