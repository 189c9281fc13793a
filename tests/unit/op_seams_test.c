/* The seams that ops to come stand on, tried with the test op: two outputs, a variadic input, a shape from an input's
 * contents. */
#include "irrun.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Sizes 2 and 3 (layer 2) cut the 6 elements of a and b; `first` and `second` are Results. */
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

typedef struct fixture {
  char folder[64], xml[80], bin[80];
  irrun_context *context;
  irrun_model *model;
} fixture;

static void write_file(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

static int setup(void **state) {
  static fixture f;
  snprintf(f.folder, sizeof f.folder, "/tmp/irrun_seams_XXXXXX");
  assert_non_null(mkdtemp(f.folder));
  snprintf(f.xml, sizeof f.xml, "%s/cut.xml", f.folder);
  snprintf(f.bin, sizeof f.bin, "%s/cut.bin", f.folder);
  const int64_t sizes[2] = {2, 3};
  write_file(f.xml, model_text, strlen(model_text));
  write_file(f.bin, sizes, sizeof sizes);
  f.context = irrun_context_create(NULL);
  assert_int_equal(irrun_model_read(f.context, f.xml, NULL, IRRUN_TO_RUN, &f.model), IRRUN_OK);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  irrun_model_free(f->model);
  irrun_context_free(f->context);
  unlink(f->xml);
  unlink(f->bin);
  return rmdir(f->folder);
}

static void shape_comes_from_contents(void **state) {
  fixture *f = *state;
  irrun_value value;
  assert_true(irrun_get_layer_output(f->model, 3, 0, &value));
  assert_int_equal(value.shape.dims[0].lo, 2);
  assert_true(irrun_get_layer_output(f->model, 3, 1, &value));
  assert_int_equal(value.shape.dims[0].lo, 3);
  assert_int_equal(value.shape.dims[0].hi, 3);
}

static irrun_run *run_with_inputs(fixture *f) {
  irrun_run *run;
  const float a[2] = {1, 2}, b[4] = {3, 4, 5, 6};
  irrun_tensor *tensor;
  assert_int_equal(irrun_run_create(f->model, &run), IRRUN_OK);
  assert_int_equal(irrun_tensor_create(f->context, "f32", 1, (int64_t[]){2}, a, sizeof a, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, 0, tensor, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_tensor_create(f->context, "f32", 2, (int64_t[]){2, 2}, b, sizeof b, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, 1, tensor, false, NULL), IRRUN_OK);
  return run;
}

static void both_outputs_are_computed(void **state) {
  fixture *f = *state;
  irrun_run *run = run_with_inputs(f);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  const float first[2] = {1, 2}, second[3] = {3, 4, 5};
  assert_memory_equal(irrun_get_tensor(irrun_run_output(run, 0)).data, first, sizeof first);
  assert_memory_equal(irrun_get_tensor(irrun_run_output(run, 1)).data, second, sizeof second);
  irrun_run_free(run);
}

static void an_output_that_nothing_reads_is_left_out(void **state) {
  fixture *f = *state;
  irrun_run *run = run_with_inputs(f);
  assert_int_equal(irrun_run_want(run, 1), IRRUN_OK);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  const float second[3] = {3, 4, 5};
  assert_null(irrun_run_output(run, 0));
  assert_memory_equal(irrun_get_tensor(irrun_run_output(run, 1)).data, second, sizeof second);
  irrun_run_free(run);
}

static void a_run_can_be_repeated(void **state) {
  fixture *f = *state;
  irrun_run *run = run_with_inputs(f);
  for (int i = 0; i < 3; i++) {
    const float a[2] = {(float)i, 0};
    irrun_tensor *tensor;
    assert_int_equal(irrun_tensor_create(f->context, "f32", 1, (int64_t[]){2}, a, sizeof a, &tensor), IRRUN_OK);
    assert_int_equal(irrun_run_set_input(run, 0, tensor, false, NULL), IRRUN_OK);
    assert_int_equal(irrun_run_execute(run), IRRUN_OK);
    assert_memory_equal(irrun_get_tensor(irrun_run_output(run, 0)).data, a, sizeof a);
  }
  irrun_run_free(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(shape_comes_from_contents, setup, teardown),
      cmocka_unit_test_setup_teardown(both_outputs_are_computed, setup, teardown),
      cmocka_unit_test_setup_teardown(an_output_that_nothing_reads_is_left_out, setup, teardown),
      cmocka_unit_test_setup_teardown(a_run_can_be_repeated, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
