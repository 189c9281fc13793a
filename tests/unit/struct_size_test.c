/* Tests public structs that begin with their size. A caller with an older header has a smaller struct, and must get
 * exactly the members of that struct. */
#include "irrun_debug.h"
#include "irrun_edit.h"
#include "irrun_program.h"
#include "irrun_state.h"
#include "irrun_stats.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MODEL  IRRUN_SOURCE_DIR "/models/demo/pool.xml"
#define DIGITS IRRUN_SOURCE_DIR "/models/networks/digits.xml"
#define STATES IRRUN_SOURCE_DIR "/models/networks/repeater.xml"
#define FAULTY IRRUN_SOURCE_DIR "/models/spec/P1.xml"

static irrun_context *context;
static irrun_model *model, *model_to_convert, *model_of_states, *model_of_weights;
static irrun_run *run, *run_of_states;
static irrun_tensor *tensor;
static int64_t index_with_notes;
static scratch_model written_to;

static void begin(void) {
  irrun_model *faulty;
  irrun_tensor *x;
  written_to = scratch_model_make();
  context = irrun_context_create(NULL);
  assert_int_equal(irrun_model_read(context, FAULTY, NULL, IRRUN_TO_CHECK, &faulty), IRRUN_INVALID);
  irrun_diagnostic note = {.size = sizeof note};
  for (index_with_notes = 0; !irrun_context_get_note(context, index_with_notes, 0, &note);)
    index_with_notes++;
  irrun_model_free(faulty);
  assert_int_equal(irrun_model_read(context, MODEL, NULL, IRRUN_TO_CONVERT, &model_to_convert), IRRUN_OK);
  assert_int_equal(irrun_model_read(context, DIGITS, NULL, IRRUN_TO_CONVERT, &model_of_weights), IRRUN_OK);
  assert_int_equal(irrun_model_read(context, MODEL, NULL, IRRUN_TO_RUN, &model), IRRUN_OK);
  assert_int_equal(irrun_run_create(model, &run), IRRUN_OK);
  assert_int_equal(irrun_model_read(context, STATES, NULL, IRRUN_TO_RUN, &model_of_states), IRRUN_OK);
  assert_int_equal(irrun_run_create(model_of_states, &run_of_states), IRRUN_OK);
  assert_int_equal(irrun_tensor_fill(context, "iota", IRRUN_F32, 4, (int64_t[]){1, 1, 4, 4}, &x), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, 0, x, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  assert_int_equal(irrun_run_show(run, NULL), IRRUN_OK);
  assert_int_equal(irrun_tensor_fill(context, "ones", IRRUN_F32, 1, (int64_t[]){3}, &tensor), IRRUN_OK);
}

static void end(void) {
  irrun_tensor_free(tensor);
  irrun_run_free(run);
  irrun_run_free(run_of_states);
  irrun_model_free(model_of_states);
  irrun_model_free(model);
  irrun_model_free(model_to_convert);
  irrun_model_free(model_of_weights);
  irrun_context_free(context);
  scratch_model_remove(&written_to);
}

/* ---- structs that a call fills ---- */

static const irrun_tolerance exact = {0, 0, -1};

static bool fill_diagnostic(void *out) {
  return irrun_context_get_diagnostic(context, index_with_notes, out);
}
static bool fill_note(void *out) {
  return irrun_context_get_note(context, index_with_notes, 0, out);
}
static bool fill_conversion(void *out) {
  return irrun_model_convert(model_to_convert, written_to.xml, out) == IRRUN_OK;
}
static bool fill_model_info(void *out) {
  return irrun_model_get_info(model, out);
}
static bool fill_layer(void *out) {
  return irrun_model_get_layer(model, 1, out);
}
static bool fill_input(void *out) {
  return irrun_model_get_layer_input(model, 1, 0, out);
}
static bool fill_output(void *out) {
  return irrun_model_get_layer_output(model, 1, 0, out);
}
static bool fill_io(void *out) {
  return irrun_model_get_io(model, IRRUN_OUTPUTS, 0, out);
}
static bool fill_variable(void *out) {
  return irrun_run_get_variable(run_of_states, 0, out);
}
static bool fill_weights(void *out) {
  return irrun_model_get_weights(model_of_states, 0, out);
}
static bool fill_sizes(void *out) {
  return irrun_model_get_sizes(model_of_states, out);
}
static bool fill_op_sizes(void *out) {
  return irrun_model_get_op_sizes(model_of_weights, 0, out);
}
static bool fill_stats(void *out) {
  irrun_stats *stats;
  const bool done = irrun_stats_create(context, &stats) == IRRUN_OK && irrun_stats_add(stats, tensor) == IRRUN_OK &&
                    irrun_stats_get(stats, out);
  irrun_stats_free(stats);
  return done;
}
static bool fill_step(void *out) {
  return irrun_run_get_step(run, 0, out);
}
static bool fill_comparison(void *out) {
  return irrun_tensor_compare(context, "y", NULL, tensor, tensor, false, exact, out) == IRRUN_OK;
}
static bool fill_layer_comparison(void *out) {
  return irrun_model_compare_layer(model, 1, 0, NULL, tensor, tensor, false, exact, NULL, NULL, out) == IRRUN_OK;
}
static bool fill_cut(void *out) {
  return irrun_model_find_cut(model, "pool", out) == IRRUN_OK;
}
static bool fill_written_cut(void *out) {
  irrun_cut cut = {.size = sizeof cut};
  return irrun_model_find_cut(model, "pool", &cut) == IRRUN_OK &&
         irrun_cut_write(model, &cut, written_to.xml, out) == IRRUN_OK;
}
static bool fill_written_edit(void *out) {
  irrun_edit *edit;
  bool ok =
      irrun_edit_create(model_to_convert, (const char *const[]){"x: rename=z"}, 1, "edited.xml", &edit) == IRRUN_OK &&
      irrun_edit_write(edit, written_to.xml, out) == IRRUN_OK;
  irrun_edit_free(edit);
  return ok;
}
static bool fill_edit_word(void *out) {
  return irrun_edit_get_word(0, out);
}
static bool fill_edit_weights(void *out) {
  irrun_edit *edit;
  bool ok = irrun_edit_create(model_of_weights, (const char *const[]){"model: weights=f16"}, 1, "edited.xml", &edit) ==
                IRRUN_OK &&
            irrun_edit_get_weights(edit, out);
  irrun_edit_free(edit);
  return ok;
}
static bool fill_edit_constant(void *out) {
  irrun_edit *edit;
  bool ok = irrun_edit_create(model_of_weights, (const char *const[]){"model: weights=f16"}, 1, "edited.xml", &edit) ==
                IRRUN_OK &&
            irrun_edit_get_constant(edit, 0, out);
  irrun_edit_free(edit);
  return ok;
}
static bool fill_remark(void *out) {
  irrun_edit *edit;
  bool ok = irrun_edit_create(model_to_convert, (const char *const[]){"model: rt_info/a=b"}, 1, "edited.xml", &edit) ==
                IRRUN_OK &&
            irrun_model_get_remark(irrun_edit_get_model(edit), 0, out);
  irrun_edit_free(edit);
  return ok;
}
static bool fill_rule(void *out) {
  return irrun_rule_find("IR304", out);
}
static bool fill_op(void *out) {
  return irrun_op_get(0, out);
}
static bool fill_op_port(void *out) {
  return irrun_op_get_port(context, 0, true, 0, out);
}
static bool fill_op_attribute(void *out) {
  int64_t op = 0;
  irrun_op row = {.size = sizeof row};
  while (irrun_op_get(op, &row) && row.n_attributes == 0)
    op++;
  return irrun_op_get_attribute(context, op, 0, out);
}

static bool fill_plan_info(void *out) {
  return irrun_run_get_plan_info(run, out);
}
static bool fill_plan_row(void *out) {
  return irrun_run_get_plan_row(run, 0, out);
}
static bool fill_plan_tensor(void *out) {
  return irrun_run_get_plan_tensor(run, 0, true, 0, out);
}

/* `first` is the first member after `size`. The smallest struct in this test ends with it. */
#define ROW(type, first, call)                                                                                         \
  { #call, sizeof(type), offsetof(type, first), sizeof(((type *)NULL)->first), call }

static const struct {
  const char *name;
  size_t size, first, first_bytes;
  bool (*fill)(void *out);
} rows[] = {
    ROW(irrun_diagnostic, rule, fill_diagnostic),
    ROW(irrun_diagnostic, rule, fill_note),
    ROW(irrun_conversion, weights, fill_conversion),
    ROW(irrun_model_info, path, fill_model_info),
    ROW(irrun_layer, id, fill_layer),
    ROW(irrun_value, type, fill_input),
    ROW(irrun_value, type, fill_output),
    ROW(irrun_io, name, fill_io),
    ROW(irrun_step, layer, fill_step),
    ROW(irrun_variable, id, fill_variable),
    ROW(irrun_weights, type, fill_weights),
    ROW(irrun_sizes, parameters, fill_sizes),
    ROW(irrun_op_sizes, type, fill_op_sizes),
    ROW(irrun_stats_info, type, fill_stats),
    ROW(irrun_plan_info, n_rows, fill_plan_info),
    ROW(irrun_plan_row, layer, fill_plan_row),
    ROW(irrun_plan_tensor, number, fill_plan_tensor),
    ROW(irrun_comparison, comparable, fill_comparison),
    ROW(irrun_comparison, comparable, fill_layer_comparison),
    ROW(irrun_cut, n_layers, fill_cut),
    ROW(irrun_conversion, weights, fill_written_cut),
    ROW(irrun_conversion, weights, fill_written_edit),
    ROW(irrun_edit_word, word, fill_edit_word),
    ROW(irrun_edit_weights, n_constants, fill_edit_weights),
    ROW(irrun_edit_constant, name, fill_edit_constant),
    ROW(irrun_remark, layer, fill_remark),
    ROW(irrun_rule, id, fill_rule),
    ROW(irrun_op, dialect, fill_op),
    ROW(irrun_op_port, name, fill_op_port),
    ROW(irrun_op_attribute, name, fill_op_attribute),
};

enum { UNTOUCHED = 0xa5, SPARE = 8 };
static _Alignas(max_align_t) unsigned char whole[4096], given[4096];

static void set_size(unsigned char *bytes, size_t size) {
  memset(bytes, UNTOUCHED, sizeof whole);
  memcpy(bytes, &size, sizeof size);
}

static void expect_untouched_from(const char *name, size_t size, size_t from) {
  for (size_t i = from; i < sizeof given; i++)
    if (given[i] != UNTOUCHED)
      fail_msg("%s with the size %zu writes at %zu", name, size, i);
  if (memcmp(given, &size, sizeof size) != 0)
    fail_msg("%s writes the size, which was %zu", name, size);
}

static void a_smaller_struct_is_filled_as_far_as_it_reaches(void **state) {
  (void)state;
  begin();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const size_t sizes[] = {rows[i].size, rows[i].first + rows[i].first_bytes, sizeof(size_t)};
    set_size(whole, rows[i].size);
    assert_true(rows[i].fill(whole));
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
      set_size(given, sizes[k]);
      if (!rows[i].fill(given))
        fail_msg("%s refuses the size %zu", rows[i].name, sizes[k]);
      expect_untouched_from(rows[i].name, sizes[k], sizes[k]);
      if (sizes[k] > rows[i].first && memcmp(whole + rows[i].first, given + rows[i].first, rows[i].first_bytes) != 0)
        fail_msg("%s with the size %zu fills in something else", rows[i].name, sizes[k]);
    }
  }
  assert_int_equal(irrun_context_count(context).errors, 1); /* the error of the faulty model */
  end();
}

static void any_other_size_is_refused(void **state) {
  (void)state;
  begin();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const size_t sizes[] = {0, sizeof(size_t) - 1, rows[i].size + 1, SIZE_MAX};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
      set_size(given, sizes[k]);
      if (rows[i].fill(given))
        fail_msg("%s takes the size %zu", rows[i].name, sizes[k]);
      expect_untouched_from(rows[i].name, sizes[k], sizeof(size_t));
    }
  }
  end();
}

static void a_refused_size_is_said(void **state) {
  (void)state;
  irrun_comparison none = {.size = 0};
  irrun_diagnostic fault = {.size = sizeof fault};
  begin();
  irrun_context_clear_diagnostics(context);
  assert_int_equal(irrun_tensor_compare(context, "y", NULL, tensor, tensor, false, exact, &none), IRRUN_USAGE);
  assert_true(irrun_context_get_diagnostic(context, 0, &fault));
  assert_string_equal(fault.rule, "IR801");
  assert_non_null(strstr(fault.message, "has the size 0"));
  assert_int_equal(irrun_context_worst(context), IRRUN_USAGE);
  end();
}

static void the_value_of_an_io_has_the_rest_of_its_size(void **state) {
  (void)state;
  begin();
  irrun_io io = {.size = sizeof io};
  assert_true(irrun_model_get_io(model, IRRUN_INPUTS, 0, &io));
  assert_int_equal(io.value.size, sizeof io.value);
  assert_int_equal(io.value.type, IRRUN_F32);
  io.size = offsetof(irrun_io, value) + offsetof(irrun_value, shape);
  assert_true(irrun_model_get_io(model, IRRUN_INPUTS, 0, &io));
  assert_int_equal(io.value.size, offsetof(irrun_value, shape));
  assert_true(irrun_model_get_layer_output(model, io.layer, 0, &io.value));
  end();
}

/* ---- structs that a call reads ---- */

static void *take(void *user, size_t bytes) {
  assert_null(user);
  return test_malloc(bytes);
}

static void give_back(void *user, void *block) {
  assert_null(user);
  if (block != NULL)
    test_free(block);
}

static void an_allocator_without_a_user_is_served(void **state) {
  (void)state;
  irrun_allocator allocator = {.alloc = take, .release = give_back, .user = &allocator};
  const size_t refused[] = {0, sizeof(size_t), offsetof(irrun_allocator, release), sizeof allocator + 1};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    allocator.size = refused[i];
    assert_null(irrun_context_create(&allocator));
  }
  allocator.size = offsetof(irrun_allocator, user);
  context = irrun_context_create(&allocator);
  assert_non_null(context);
  irrun_context_free(context);
}

static void a_diagnostic_without_its_last_members_has_a_text(void **state) {
  (void)state;
  char text[64];
  irrun_diagnostic fault = {.severity = IRRUN_ERROR, .message = "this"};
  assert_null(irrun_diagnostic_text(&fault, text, sizeof text));
  fault.size = offsetof(irrun_diagnostic, attribute);
  assert_string_equal(irrun_diagnostic_text(&fault, text, sizeof text), "error: this");
}

static void a_value_has_to_reach_to_its_shape(void **state) {
  (void)state;
  irrun_tensor *literal;
  begin();
  irrun_value value = {.size = offsetof(irrun_value, shape), .type = IRRUN_I8, .shape = {.rank = 0}};
  assert_int_equal(irrun_tensor_literal(context, "1", "x", &value, &literal), IRRUN_USAGE);
  assert_null(literal);
  value.size = offsetof(irrun_value, declared);
  assert_int_equal(irrun_tensor_literal(context, "1", "x", &value, &literal), IRRUN_OK);
  assert_int_equal(irrun_tensor_get_info(literal).type, IRRUN_I8);
  irrun_tensor_free(literal);
  end();
}

static void cuts_and_steps_have_to_be_whole(void **state) {
  (void)state;
  irrun_conversion written = {.size = sizeof written};
  irrun_cut cut = {.size = sizeof cut};
  irrun_step step = {.size = 0};
  int64_t ns;
  begin();
  assert_int_equal(irrun_model_find_cut(model, "pool", &cut), IRRUN_OK);
  cut.size = offsetof(irrun_cut, has_layer);
  assert_int_equal(irrun_cut_write(model, &cut, written_to.xml, &written), IRRUN_USAGE);
  assert_int_equal(irrun_floor_measure(context, &step, 1, 1, 0, &ns), IRRUN_USAGE);
  assert_int_equal(ns, 0);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_smaller_struct_is_filled_as_far_as_it_reaches),
      cmocka_unit_test(any_other_size_is_refused),
      cmocka_unit_test(a_refused_size_is_said),
      cmocka_unit_test(the_value_of_an_io_has_the_rest_of_its_size),
      cmocka_unit_test(an_allocator_without_a_user_is_served),
      cmocka_unit_test(a_diagnostic_without_its_last_members_has_a_text),
      cmocka_unit_test(a_value_has_to_reach_to_its_shape),
      cmocka_unit_test(cuts_and_steps_have_to_be_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
