/* Tests sizes of an AdaptiveAvgPool that small ops compute, from constants or from a run's input. */
#include "model_text.h"
#include "op_model.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
  scratch_model files;
  model_run run; /* has the model that was read last */
} fixture;

static const int64_t bin[8] = {1, 2, 1, 3,
                               1, 1, 1, 0}; /* i64[2,3] at byte 0, whose row maxima are 2 and 3; axis 1 at byte 48 */

static void write_reduction(FILE *file, int id, int number) {
  fprintf(file,
          "<layer id=\"%d\" name=\"r%d\" type=\"ReduceMax\" version=\"opset1\"><data keep_dims=\"false\"/>"
          "<input><port id=\"0\"/><port id=\"1\"/></input><output><port id=\"2\" precision=\"I64\"/></output>"
          "</layer>\n",
          id, number);
}

/* Begins the file with the layers that all models share: x (layer 0), the reduction of `rows` (4), the pool (5), y
 * (6). */
static FILE *write_frame(const fixture *f) {
  FILE *file = model_begin(f->files.xml);
  model_parameter(file, 0, "x", IR_F32, "1,1,4,6");
  write_reduction(file, 4, 0);
  fprintf(file, "<layer id=\"5\" name=\"pool\" type=\"AdaptiveAvgPool\" version=\"opset8\"><input><port id=\"0\"/>"
                "<port id=\"1\"/></input><output><port id=\"2\" precision=\"FP32\"/></output></layer>\n");
  model_result(file, 6, "y");
  return file;
}

/* Adds the layers rows (1), axis 1 (2) and an empty list of axes (3). Inserts `n` reductions over no axis between
 * layers 4 and 5. */
static void write_model(const fixture *f, bool rows_are_input, int n) {
  FILE *file = write_frame(f);
  if (rows_are_input)
    model_parameter(file, 1, "rows", IR_I64, "2,3");
  else
    model_const(file, 1, "rows", IR_I64, "2,3", 0, 48);
  model_const(file, 2, "axis", IR_I64, "1", 48, 8);
  model_const(file, 3, "no_axis", IR_I64, "0", 0, 1); /* an empty constant; OpenVINO writes one byte for it */
  for (int i = 1; i <= n; i++)
    write_reduction(file, 6 + i, i);
  model_edges(file);
  model_edge(file, 0, 0, 5, 0);
  model_edge(file, 1, 0, 4, 0);
  model_edge(file, 2, 0, 4, 1);
  for (int i = 1; i <= n; i++) {
    model_edge(file, i == 1 ? 4 : 5 + i, 2, 6 + i, 0);
    model_edge(file, 3, 0, 6 + i, 1);
  }
  model_edge(file, n == 0 ? 4 : 6 + n, 2, 5, 1);
  model_edge(file, 5, 2, 6, 0);
  model_end(file);
}

static int setup(void **state) {
  static fixture f;
  f = (fixture){.files = scratch_model_make()};
  scratch_write(f.files.bin, bin, sizeof bin);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  model_run_end(&f->run);
  scratch_model_remove(&f->files);
  return 0;
}

/* Ends the current model and reads the file that was just written. */
static irrun_status read_model(fixture *f, irrun_purpose purpose) {
  model_run_end(&f->run);
  f->run = model_run_read(f->files.xml, purpose, NULL);
  return f->run.status;
}

static irrun_shape shape_of(const fixture *f, const char *name) {
  irrun_value value = {.size = sizeof value};
  irrun_layer layer = {.size = sizeof layer};
  int64_t pool = 0;
  while (irrun_model_get_layer(f->run.model, pool, &layer) && strcmp(layer.name, name) != 0)
    pool++;
  assert_true(irrun_model_get_layer_output(f->run.model, pool, 0, &value));
  assert_int_equal(value.shape.rank, 4);
  return value.shape;
}

static irrun_shape pool_shape(const fixture *f) {
  return shape_of(f, "pool");
}

static void assert_two_by_three(const fixture *f) {
  irrun_shape shape = pool_shape(f);
  assert_int_equal(shape.dims[2].lo, 2);
  assert_int_equal(shape.dims[2].hi, 2);
  assert_int_equal(shape.dims[3].lo, 3);
  assert_int_equal(shape.dims[3].hi, 3);
}

static void a_check_computes_what_constants_give(void **state) {
  fixture *f = *state;
  write_model(f, false, 0);
  assert_int_equal(read_model(f, IRRUN_TO_CHECK), IRRUN_OK);
  assert_two_by_three(f);
}

static void a_long_chain_is_no_recursion(void **state) {
  fixture *f = *state;
  write_model(f, false, 20000);
  assert_int_equal(read_model(f, IRRUN_TO_CHECK), IRRUN_OK);
  assert_two_by_three(f);
}

/* Inference computes the sizes from {2.5, 3.5} (layer 1) -> Floor (2) -> Convert to i64 (3). */
static void constants_go_through_ops_that_are_only_checked(void **state) {
  fixture *f = *state;
  const float sizes[2] = {2.5f, 3.5f};
  scratch_write(f->files.bin, sizes, sizeof sizes);
  FILE *file = model_begin(f->files.xml);
  model_parameter(file, 0, "x", IR_F32, "1,1,4,6");
  model_const(file, 1, "sizes", IR_F32, "2", 0, sizeof sizes);
  fprintf(file, "<layer id=\"2\" name=\"floor\" type=\"Floor\" version=\"opset1\"><input><port id=\"0\"/></input>"
                "<output><port id=\"1\" precision=\"FP32\"/></output></layer>\n"
                "<layer id=\"3\" name=\"convert\" type=\"Convert\" version=\"opset1\"><data destination_type=\"i64\"/>"
                "<input><port id=\"0\"/></input><output><port id=\"1\" precision=\"I64\"/></output></layer>\n"
                "<layer id=\"5\" name=\"pool\" type=\"AdaptiveAvgPool\" version=\"opset8\"><input><port id=\"0\"/>"
                "<port id=\"1\"/></input><output><port id=\"2\" precision=\"FP32\"/></output></layer>\n");
  model_result(file, 6, "y");
  model_edges(file);
  model_edge(file, 1, 0, 2, 0);
  model_edge(file, 2, 1, 3, 0);
  model_edge(file, 0, 0, 5, 0);
  model_edge(file, 3, 1, 5, 1);
  model_edge(file, 5, 2, 6, 0);
  model_end(file);
  assert_int_equal(read_model(f, IRRUN_TO_CHECK), IRRUN_OK);
  assert_two_by_three(f);
}

#define LARGE_ROW 65536 /* 2 rows of i64 have the most bytes of contents that inference keeps */

/* Adds the layers `rows` of 2 x LARGE_ROW elements (1) and axis 1 (2). Inserts `n` Abs layers between layers 1 and
 * 4. */
static void write_large_model(const fixture *f, int n) {
  int64_t ones[512];
  for (int i = 0; i < 512; i++)
    ones[i] = 1;
  FILE *bytes = fopen(f->files.bin, "wb"), *file = write_frame(f);
  assert_non_null(bytes);
  for (int i = 0; i < 2 * LARGE_ROW; i += 512)
    assert_int_equal(fwrite(ones, sizeof ones, 1, bytes), 1);
  assert_int_equal(fclose(bytes), 0);
  model_const(file, 1, "rows", IR_I64, "2,65536", 0, (size_t)2 * LARGE_ROW * 8);
  model_const(file, 2, "axis", IR_I64, "1", 0, 8);
  for (int i = 1; i <= n; i++)
    fprintf(file,
            "<layer id=\"%d\" name=\"a%d\" type=\"Abs\" version=\"opset1\"><input><port id=\"0\"/></input>"
            "<output><port id=\"2\" precision=\"I64\"/></output></layer>\n",
            6 + i, i);
  model_edges(file);
  model_edge(file, 0, 0, 5, 0);
  for (int i = 1; i <= n; i++)
    model_edge(file, i == 1 ? 1 : 5 + i, i == 1 ? 0 : 2, 6 + i, 0);
  model_edge(file, n == 0 ? 1 : 6 + n, n == 0 ? 0 : 2, 4, 0);
  model_edge(file, 2, 0, 4, 1);
  model_edge(file, 4, 2, 5, 1);
  model_edge(file, 5, 2, 6, 0);
  model_end(file);
}

/* Each Abs keeps a mebibyte of contents. 20 are within inference's limit. 1000 exceed the limit, so the sizes stay
 * open. */
static void the_work_for_contents_is_bounded(void **state) {
  fixture *f = *state;
  write_large_model(f, 20);
  assert_int_equal(read_model(f, IRRUN_TO_CHECK), IRRUN_OK);
  irrun_shape shape = pool_shape(f);
  assert_true(shape.dims[2].lo == 1 && shape.dims[2].hi == 1);
  write_large_model(f, 1000);
  assert_int_equal(read_model(f, IRRUN_TO_CHECK), IRRUN_OK);
  shape = pool_shape(f);
  assert_true(shape.dims[2].lo == 1 && shape.dims[2].hi == INT64_MAX);
}

enum { N_POOLS = 100 };

/* Writes x (0), axis 1 (1), and N_POOLS pools. The sizes of each pool reduce a constant of its own; all constants
 * have the same mebibyte. */
static void write_pools(const fixture *f) {
  write_large_model(f, 0);
  FILE *file = model_begin(f->files.xml);
  model_parameter(file, 0, "x", IR_F32, "1,1,4,6");
  model_const(file, 1, "axis", IR_I64, "1", 0, 8);
  for (int i = 0; i < N_POOLS; i++) {
    const int id = 2 + 4 * i;
    model_const(file, id, "rows", IR_I64, "2,65536", 0, (size_t)2 * LARGE_ROW * 8);
    write_reduction(file, id + 1, i);
    fprintf(file,
            "<layer id=\"%d\" name=\"pool%d\" type=\"AdaptiveAvgPool\" version=\"opset8\"><input><port id=\"0\"/>"
            "<port id=\"1\"/></input><output><port id=\"2\" precision=\"FP32\"/></output></layer>\n",
            id + 2, i);
    model_result(file, id + 3, "y");
  }
  model_edges(file);
  for (int i = 0; i < N_POOLS; i++) {
    const int id = 2 + 4 * i;
    model_edge(file, id, 0, id + 1, 0);
    model_edge(file, 1, 0, id + 1, 1);
    model_edge(file, 0, 0, id + 2, 0);
    model_edge(file, id + 1, 2, id + 2, 1);
    model_edge(file, id + 2, 2, id + 3, 0);
  }
  model_end(file);
}

/* The limit counts the bytes of each constant, even if constants share them. */
static void the_bytes_of_constants_are_bounded(void **state) {
  fixture *f = *state;
  write_pools(f);
  assert_int_equal(read_model(f, IRRUN_TO_CHECK), IRRUN_OK);
  assert_int_equal(shape_of(f, "pool50").dims[2].hi, 1);
  assert_int_equal(shape_of(f, "pool99").dims[2].hi, INT64_MAX);
}

static void a_constant_that_is_needed_has_to_be_there(void **state) {
  fixture *f = *state;
  write_model(f, false, 3);
  unlink(f->files.bin);
  assert_int_equal(read_model(f, IRRUN_TO_RUN), IRRUN_IO);
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  assert_true(irrun_context_get_diagnostic(f->run.context, 0, &diagnostic));
  assert_string_equal(diagnostic.rule, "IR401");
  assert_int_equal(irrun_context_count(f->run.context).errors, 1);
}

/* Sizes are open until a run's input determines them. The sizes differ between runs. */
static void a_run_computes_what_its_inputs_give(void **state) {
  fixture *f = *state;
  float x[24] = {0};
  x[0] = 24;
  write_model(f, true, 2);
  assert_int_equal(read_model(f, IRRUN_TO_RUN), IRRUN_OK);
  irrun_shape shape = pool_shape(f);
  assert_true(shape.dims[2].lo == 1 && shape.dims[2].hi == INT64_MAX);
  assert_int_equal(irrun_run_create(f->run.model, &f->run.run), IRRUN_OK);
  assert_int_equal(model_run_input(&f->run, 0, IR_F32, 4, (int64_t[]){1, 1, 4, 6}, x), IRRUN_OK);
  for (int64_t n = 1; n <= 3; n++) {
    const int64_t rows[6] = {1, n, 1, 1, 1, n + 1};
    assert_int_equal(model_run_input(&f->run, 1, IR_I64, 2, (int64_t[]){2, 3}, rows), IRRUN_OK);
    assert_int_equal(irrun_run_execute(f->run.run), IRRUN_OK);
    irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(f->run.run, 0));
    assert_int_equal(info.dims[2], n);
    assert_int_equal(info.dims[3], n + 1);
  }
  const int64_t wrong[6] = {0, 0, 0, 1, 1, 1};
  assert_int_equal(model_run_input(&f->run, 1, IR_I64, 2, (int64_t[]){2, 3}, wrong), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f->run.run), IRRUN_BAD_DATA);
}

/* The output's shape is the same for both orders, but Transpose's `prepare` reads the order. */
static void contents_of_a_run_that_no_shape_needs(void **state) {
  (void)state;
  const float x[4] = {1, 2, 3, 4}, turned[4] = {1, 3, 2, 4};
  for (int64_t reverse = 0; reverse < 2; reverse++) {
    const int64_t order[2] = {reverse, 1 - reverse};
    const op_model c = {.type = "Transpose",
                        .n_inputs = 2,
                        .inputs = {{.type = IR_F32, .rank = 2, .dims = {2, 2}, .data = x},
                                   {.type = IR_I64, .rank = 1, .dims = {2}, .data = order}}};
    model_run run = op_model_run(&c);
    assert_int_equal(run.status, IRRUN_OK);
    irrun_tensor_info out = irrun_tensor_get_info(run.values);
    assert_int_equal(out.bytes, sizeof x);
    assert_memory_equal(out.data, reverse ? turned : x, sizeof x);
    model_run_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_check_computes_what_constants_give, setup, teardown),
      cmocka_unit_test_setup_teardown(a_long_chain_is_no_recursion, setup, teardown),
      cmocka_unit_test_setup_teardown(constants_go_through_ops_that_are_only_checked, setup, teardown),
      cmocka_unit_test_setup_teardown(the_work_for_contents_is_bounded, setup, teardown),
      cmocka_unit_test_setup_teardown(the_bytes_of_constants_are_bounded, setup, teardown),
      cmocka_unit_test_setup_teardown(a_constant_that_is_needed_has_to_be_there, setup, teardown),
      cmocka_unit_test_setup_teardown(a_run_computes_what_its_inputs_give, setup, teardown),
      cmocka_unit_test(contents_of_a_run_that_no_shape_needs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
