/* Sizes of an AdaptiveAvgPool that small ops compute, from constants or from an input of a run. */
#include "op_run.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
  char folder[64], xml[80], bin[80];
  irrun_context *context;
  irrun_model *model;
} fixture;

static const int64_t bin[8] = {1, 2, 1, 3, 1, 1, 1, 0}; /* i64[2,3] at 0: rows of maximum 2 and 3; axis 1 at 48 */

static void write_const(FILE *file, int id, const char *shape, int offset, int size) {
  fprintf(file,
          "<layer id=\"%d\" name=\"c%d\" type=\"Const\" version=\"opset1\"><data element_type=\"i64\" shape=\"%s\" "
          "offset=\"%d\" size=\"%d\"/><output><port id=\"0\" precision=\"I64\"/></output></layer>\n",
          id, id, shape, offset, size);
}

static void write_reduction(FILE *file, int id, int number) {
  fprintf(file,
          "<layer id=\"%d\" name=\"r%d\" type=\"ReduceMax\" version=\"opset1\"><data keep_dims=\"false\"/>"
          "<input><port id=\"0\"/><port id=\"1\"/></input><output><port id=\"2\" precision=\"I64\"/></output>"
          "</layer>\n",
          id, number);
}

static void write_edge(FILE *file, int from, int from_port, int to, int to_port) {
  fprintf(file, "<edge from-layer=\"%d\" from-port=\"%d\" to-layer=\"%d\" to-port=\"%d\"/>\n", from, from_port, to,
          to_port);
}

/* The head of the file, and the layers of every model: x (0), the reduction of rows (4), the pool (5) and y (6). */
static void write_frame(FILE *file) {
  fprintf(file, "<net name=\"contents\" version=\"11\"><layers>\n"
                "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"1,1,4,6\" "
                "element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\"/></output></layer>\n");
  write_reduction(file, 4, 0);
  fprintf(file,
          "<layer id=\"5\" name=\"pool\" type=\"AdaptiveAvgPool\" version=\"opset8\"><input><port id=\"0\"/>"
          "<port id=\"1\"/></input><output><port id=\"2\" precision=\"FP32\"/></output></layer>\n"
          "<layer id=\"6\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>\n");
}

/* Beside the frame rows (1), axis 1 (2), no axis (3), and `n` more reductions over no axis between 4 and 5. */
static void write_model(const char *path, bool rows_are_input, int n) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  write_frame(file);
  if (rows_are_input)
    fprintf(file, "<layer id=\"1\" name=\"rows\" type=\"Parameter\" version=\"opset1\"><data shape=\"2,3\" "
                  "element_type=\"i64\"/><output><port id=\"0\" precision=\"I64\"/></output></layer>\n");
  else
    write_const(file, 1, "2,3", 0, 48);
  write_const(file, 2, "1", 48, 8);
  write_const(file, 3, "0", 0, 1); /* nothing, in the byte that OpenVINO writes */
  for (int i = 1; i <= n; i++)
    write_reduction(file, 6 + i, i);
  fprintf(file, "</layers><edges>\n");
  write_edge(file, 0, 0, 5, 0);
  write_edge(file, 1, 0, 4, 0);
  write_edge(file, 2, 0, 4, 1);
  for (int i = 1; i <= n; i++) {
    write_edge(file, i == 1 ? 4 : 5 + i, 2, 6 + i, 0);
    write_edge(file, 3, 0, 6 + i, 1);
  }
  write_edge(file, n == 0 ? 4 : 6 + n, 2, 5, 1);
  write_edge(file, 5, 2, 6, 0);
  fprintf(file, "</edges></net>\n");
  assert_int_equal(fclose(file), 0);
}

static int setup(void **state) {
  static fixture f;
  f = (fixture){.context = irrun_context_create(NULL)};
  snprintf(f.folder, sizeof f.folder, "/tmp/irrun_contents_XXXXXX");
  assert_non_null(mkdtemp(f.folder));
  snprintf(f.xml, sizeof f.xml, "%s/m.xml", f.folder);
  snprintf(f.bin, sizeof f.bin, "%s/m.bin", f.folder);
  FILE *file = fopen(f.bin, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bin, 1, sizeof bin, file), sizeof bin);
  assert_int_equal(fclose(file), 0);
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

static irrun_shape pool_shape(const fixture *f) {
  irrun_value value;
  irrun_layer layer;
  int64_t pool = 0;
  while (irrun_get_layer(f->model, pool, &layer) && strcmp(layer.name, "pool") != 0)
    pool++;
  assert_true(irrun_get_layer_output(f->model, pool, 0, &value));
  assert_int_equal(value.shape.rank, 4);
  return value.shape;
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
  write_model(f->xml, false, 0);
  assert_int_equal(irrun_model_read(f->context, f->xml, NULL, IRRUN_TO_CHECK, &f->model), IRRUN_OK);
  assert_two_by_three(f);
}

static void a_long_chain_is_no_recursion(void **state) {
  fixture *f = *state;
  write_model(f->xml, false, 20000);
  assert_int_equal(irrun_model_read(f->context, f->xml, NULL, IRRUN_TO_CHECK, &f->model), IRRUN_OK);
  assert_two_by_three(f);
}

#define LARGE_ROW 65536 /* two of them are as much as is read at all */

/* Beside the frame rows of LARGE_ROW elements (1), axis 1 (2), and `n` times Abs between the rows and 4. */
static void write_large_model(const fixture *f, int n) {
  int64_t ones[512];
  for (int i = 0; i < 512; i++)
    ones[i] = 1;
  FILE *bytes = fopen(f->bin, "wb"), *file = fopen(f->xml, "w");
  assert_true(bytes != NULL && file != NULL);
  for (int i = 0; i < 2 * LARGE_ROW; i += 512)
    assert_int_equal(fwrite(ones, sizeof ones, 1, bytes), 1);
  assert_int_equal(fclose(bytes), 0);
  write_frame(file);
  write_const(file, 1, "2,65536", 0, 2 * LARGE_ROW * 8);
  write_const(file, 2, "1", 0, 8);
  for (int i = 1; i <= n; i++)
    fprintf(file,
            "<layer id=\"%d\" name=\"a%d\" type=\"Abs\" version=\"opset1\"><input><port id=\"0\"/></input>"
            "<output><port id=\"2\" precision=\"I64\"/></output></layer>\n",
            6 + i, i);
  fprintf(file, "</layers><edges>\n");
  write_edge(file, 0, 0, 5, 0);
  for (int i = 1; i <= n; i++)
    write_edge(file, i == 1 ? 1 : 5 + i, i == 1 ? 0 : 2, 6 + i, 0);
  write_edge(file, n == 0 ? 1 : 6 + n, n == 0 ? 0 : 2, 4, 0);
  write_edge(file, 2, 0, 4, 1);
  write_edge(file, 4, 2, 5, 1);
  write_edge(file, 5, 2, 6, 0);
  fprintf(file, "</edges></net>\n");
  assert_int_equal(fclose(file), 0);
}

/* Each step keeps a mebibyte: some are worth it, a thousand are not, and then the sizes stay open. */
static void the_work_for_contents_is_bounded(void **state) {
  fixture *f = *state;
  write_large_model(f, 20);
  assert_int_equal(irrun_model_read(f->context, f->xml, NULL, IRRUN_TO_CHECK, &f->model), IRRUN_OK);
  irrun_shape shape = pool_shape(f);
  assert_true(shape.dims[2].lo == 1 && shape.dims[2].hi == 1);
  irrun_model_free(f->model);
  write_large_model(f, 1000);
  assert_int_equal(irrun_model_read(f->context, f->xml, NULL, IRRUN_TO_CHECK, &f->model), IRRUN_OK);
  shape = pool_shape(f);
  assert_true(shape.dims[2].lo == 1 && shape.dims[2].hi == INT64_MAX);
}

static void a_constant_that_is_needed_has_to_be_there(void **state) {
  fixture *f = *state;
  write_model(f->xml, false, 3);
  unlink(f->bin);
  assert_int_equal(irrun_model_read(f->context, f->xml, NULL, IRRUN_TO_CHECK, &f->model), IRRUN_IO);
  irrun_diagnostic diagnostic;
  assert_true(irrun_get_diagnostic(f->context, 0, &diagnostic));
  assert_string_equal(diagnostic.rule, "IR401");
}

static void set_input(fixture *f, irrun_run *run, int64_t input, const char *type, int rank, const int64_t *dims,
                      const void *data, size_t bytes) {
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_create(f->context, type, rank, dims, data, bytes, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, input, tensor, false, NULL), IRRUN_OK);
}

/* Sizes stay open until a run, and each run has its own. */
static void a_run_computes_what_its_inputs_give(void **state) {
  fixture *f = *state;
  irrun_run *run;
  float x[24] = {0};
  x[0] = 24;
  write_model(f->xml, true, 2);
  assert_int_equal(irrun_model_read(f->context, f->xml, NULL, IRRUN_TO_RUN, &f->model), IRRUN_OK);
  irrun_shape shape = pool_shape(f);
  assert_true(shape.dims[2].lo == 1 && shape.dims[2].hi == INT64_MAX);
  assert_int_equal(irrun_run_create(f->model, &run), IRRUN_OK);
  set_input(f, run, 0, "f32", 4, (int64_t[]){1, 1, 4, 6}, x, sizeof x);
  for (int64_t n = 1; n <= 3; n++) {
    const int64_t rows[6] = {1, n, 1, 1, 1, n + 1};
    set_input(f, run, 1, "i64", 2, (int64_t[]){2, 3}, rows, sizeof rows);
    assert_int_equal(irrun_run_execute(run), IRRUN_OK);
    irrun_tensor_info info = irrun_get_tensor(irrun_run_output(run, 0));
    assert_int_equal(info.dims[2], n);
    assert_int_equal(info.dims[3], n + 1);
  }
  const int64_t wrong[6] = {0, 0, 0, 1, 1, 1};
  set_input(f, run, 1, "i64", 2, (int64_t[]){2, 3}, wrong, sizeof wrong);
  assert_int_equal(irrun_run_execute(run), IRRUN_INVALID);
  irrun_run_free(run);
}

/* The shape is the same whatever the order is; the order itself is wanted all the same. */
static void contents_of_a_run_that_no_shape_needs(void **state) {
  (void)state;
  const float x[4] = {1, 2, 3, 4}, turned[4] = {1, 3, 2, 4};
  for (int64_t reverse = 0; reverse < 2; reverse++) {
    const int64_t order[2] = {reverse, 1 - reverse};
    const op_case c = {.type = "Transpose",
                       .n_inputs = 2,
                       .inputs = {{.type = IR_F32, .rank = 2, .dims = {2, 2}, .data = x},
                                  {.type = IR_I64, .rank = 1, .dims = {2}, .data = order}}};
    op_run run = op_run_begin(&c);
    assert_int_equal(run.status, IRRUN_OK);
    assert_int_equal(run.out.bytes, sizeof x);
    assert_memory_equal(run.out.data, reverse ? turned : x, sizeof x);
    op_run_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_check_computes_what_constants_give, setup, teardown),
      cmocka_unit_test_setup_teardown(a_long_chain_is_no_recursion, setup, teardown),
      cmocka_unit_test_setup_teardown(the_work_for_contents_is_bounded, setup, teardown),
      cmocka_unit_test_setup_teardown(a_constant_that_is_needed_has_to_be_there, setup, teardown),
      cmocka_unit_test_setup_teardown(a_run_computes_what_its_inputs_give, setup, teardown),
      cmocka_unit_test(contents_of_a_run_that_no_shape_needs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
