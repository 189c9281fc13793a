/* Tests features of the op table with the test op of test_op.c: two outputs, a variadic input, and a shape that
 * depends on an input's contents. */
#include "model_run.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Joins a and b to 6 elements and splits them by the constant sizes 2 and 3 (layer 2). The Results are `first` and
 * `second`. */
static const char model_text[] =
    "<net name=\"cut\" version=\"11\"><layers>"
    "<layer id=\"0\" name=\"a\" type=\"Parameter\" version=\"opset1\"><data shape=\"2\" element_type=\"f32\"/>"
    "<output><port id=\"0\" precision=\"FP32\"><dim>2</dim></port></output></layer>"
    "<layer id=\"1\" name=\"b\" type=\"Parameter\" version=\"opset1\"><data shape=\"2,2\" element_type=\"f32\"/>"
    "<output><port id=\"0\" precision=\"FP32\"><dim>2</dim><dim>2</dim></port></output></layer>"
    "<layer id=\"2\" name=\"sizes\" type=\"Const\" version=\"opset1\">"
    "<data element_type=\"i64\" shape=\"2\" offset=\"0\" size=\"16\"/>"
    "<output><port id=\"0\" precision=\"I64\"><dim>2</dim></port></output></layer>"
    "<layer id=\"3\" name=\"cut\" type=\"zTestCut\" version=\"opset1\">"
    "<input><port id=\"0\"><dim>2</dim></port><port id=\"1\"><dim>2</dim></port><port "
    "id=\"2\"><dim>2</dim><dim>2</dim></port></input>"
    "<output><port id=\"3\" precision=\"FP32\"><dim>2</dim></port><port id=\"4\" "
    "precision=\"FP32\"><dim>3</dim></port></output></layer>"
    "<layer id=\"4\" name=\"first\" type=\"Result\" version=\"opset1\"><input><port "
    "id=\"0\"><dim>2</dim></port></input></layer>"
    "<layer id=\"5\" name=\"second\" type=\"Result\" version=\"opset1\"><input><port "
    "id=\"0\"><dim>3</dim></port></input></layer>"
    "</layers><edges>"
    "<edge from-layer=\"2\" from-port=\"0\" to-layer=\"3\" to-port=\"0\"/>"
    "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"3\" to-port=\"1\"/>"
    "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"3\" to-port=\"2\"/>"
    "<edge from-layer=\"3\" from-port=\"3\" to-layer=\"4\" to-port=\"0\"/>"
    "<edge from-layer=\"3\" from-port=\"4\" to-layer=\"5\" to-port=\"0\"/>"
    "</edges></net>";

static int setup(void **state) {
  static model_run cut;
  scratch_model files = scratch_model_make();
  const int64_t sizes[2] = {2, 3};
  scratch_write(files.xml, model_text, strlen(model_text));
  scratch_write(files.bin, sizes, sizeof sizes);
  cut = model_run_read(files.xml, IRRUN_TO_RUN, NULL);
  assert_int_equal(cut.status, IRRUN_OK);
  assert_int_equal(irrun_run_create(cut.model, &cut.run), IRRUN_OK);
  scratch_model_remove(&files);
  *state = &cut;
  return 0;
}

static int teardown(void **state) {
  model_run_end(*state);
  return 0;
}

static void shape_comes_from_contents(void **state) {
  const model_run *cut = *state;
  irrun_value value = {.size = sizeof value};
  assert_true(irrun_model_get_layer_output(cut->model, 3, 0, &value));
  assert_int_equal(value.shape.dims[0].lo, 2);
  assert_true(irrun_model_get_layer_output(cut->model, 3, 1, &value));
  assert_int_equal(value.shape.dims[0].lo, 3);
  assert_int_equal(value.shape.dims[0].hi, 3);
}

static void set_inputs(const model_run *cut) {
  const float a[2] = {1, 2}, b[4] = {3, 4, 5, 6};
  assert_int_equal(model_run_input(cut, 0, IR_F32, 1, (int64_t[]){2}, a), IRRUN_OK);
  assert_int_equal(model_run_input(cut, 1, IR_F32, 2, (int64_t[]){2, 2}, b), IRRUN_OK);
}

static void both_outputs_are_computed(void **state) {
  const model_run *cut = *state;
  set_inputs(cut);
  assert_int_equal(irrun_run_execute(cut->run), IRRUN_OK);
  const float first[2] = {1, 2}, second[3] = {3, 4, 5};
  assert_memory_equal(irrun_tensor_get_info(irrun_run_output(cut->run, 0)).data, first, sizeof first);
  assert_memory_equal(irrun_tensor_get_info(irrun_run_output(cut->run, 1)).data, second, sizeof second);
}

static void an_output_that_nothing_reads_is_left_out(void **state) {
  const model_run *cut = *state;
  set_inputs(cut);
  assert_int_equal(irrun_run_request_output(cut->run, 1), IRRUN_OK);
  assert_int_equal(irrun_run_execute(cut->run), IRRUN_OK);
  const float second[3] = {3, 4, 5};
  assert_null(irrun_run_output(cut->run, 0));
  assert_memory_equal(irrun_tensor_get_info(irrun_run_output(cut->run, 1)).data, second, sizeof second);
}

static void a_run_can_be_repeated(void **state) {
  const model_run *cut = *state;
  set_inputs(cut);
  for (int i = 0; i < 3; i++) {
    const float a[2] = {(float)i, 0};
    assert_int_equal(model_run_input(cut, 0, IR_F32, 1, (int64_t[]){2}, a), IRRUN_OK);
    assert_int_equal(irrun_run_execute(cut->run), IRRUN_OK);
    assert_memory_equal(irrun_tensor_get_info(irrun_run_output(cut->run, 0)).data, a, sizeof a);
  }
}

/* A refused tensor also unsets the input's previous tensor. */
static void a_refused_input_is_not_set(void **state) {
  const model_run *cut = *state;
  set_inputs(cut);
  const float too_many[3] = {1, 2, 3};
  assert_int_equal(model_run_input(cut, 0, IR_F32, 1, (int64_t[]){3}, too_many), IRRUN_BAD_DATA);
  assert_int_equal(irrun_run_execute(cut->run), IRRUN_BAD_DATA);
  assert_string_equal(model_run_rules(cut), "IR503 IR501");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(shape_comes_from_contents, setup, teardown),
      cmocka_unit_test_setup_teardown(both_outputs_are_computed, setup, teardown),
      cmocka_unit_test_setup_teardown(an_output_that_nothing_reads_is_left_out, setup, teardown),
      cmocka_unit_test_setup_teardown(a_run_can_be_repeated, setup, teardown),
      cmocka_unit_test_setup_teardown(a_refused_input_is_not_set, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
