/* Tests the memory of a run: its amount, its reuse, and views without copies. */
#include "failing_memory.h"
#include "irrun.h"
#include "model_text.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
  failing_memory counts;
  scratch_model files;
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} fixture;

static void layer(FILE *file, int id, const char *type, const char *data, int n_inputs) {
  fprintf(file, "<layer id=\"%d\" name=\"l%d\" type=\"%s\" version=\"opset1\">%s<input>", id, id, type, data);
  for (int i = 0; i < n_inputs; i++)
    fprintf(file, "<port id=\"%d\"/>", i);
  fprintf(file, "</input><output><port id=\"%d\" precision=\"FP32\"/></output></layer>\n", n_inputs);
}

#define POOL       "<data kernel=\"1,1\" strides=\"1,1\" pads_begin=\"0,0\" pads_end=\"0,0\" exclude-pad=\"true\"/>"
#define KEEP_ZEROS "<data special_zero=\"false\"/>"

/* The .bin: a target shape of one dim, and 4 floats. */
static const struct {
  int64_t flat[1];
  float four[4];
} bin = {{-1}, {4, 3, 2, 1}};

static void begin(fixture *f) {
  *f = (fixture){.files = scratch_model_make()};
  scratch_write(f->files.bin, &bin, sizeof bin);
}

static void read_model(fixture *f) {
  ir_memory memory = failing_memory_of(&f->counts);
  irrun_allocator allocator = {sizeof allocator, memory.alloc, memory.release, memory.user};
  f->context = irrun_context_create(&allocator);
  assert_int_equal(irrun_model_read(f->context, f->files.xml, NULL, IRRUN_TO_RUN, &f->model), IRRUN_OK);
  assert_int_equal(irrun_run_create(f->model, &f->run), IRRUN_OK);
}

static void end(fixture *f) {
  irrun_run_free(f->run);
  irrun_model_free(f->model);
  irrun_context_free(f->context);
  assert_int_equal(f->counts.n_alive, 0);
  scratch_model_remove(&f->files);
}

static void set_input(fixture *f, int64_t input, int64_t n, const float *x) {
  irrun_tensor *tensor;
  const int64_t dims[] = {1, 1, 1, n};
  assert_int_equal(irrun_tensor_create(f->context, IRRUN_F32, 4, dims, x, (size_t)n * sizeof *x, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(f->run, input, tensor, false, NULL), IRRUN_OK);
}

static const float *run(fixture *f, int64_t output, int64_t n) {
  assert_int_equal(irrun_run_execute(f->run), IRRUN_OK);
  irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(f->run, output));
  assert_int_equal(info.elements, n);
  return info.data;
}

/* ---- repeated runs ---- */

/* Writes x and a chain of n ReLU, which keep x because tests use no negative numbers. `size` is the size of x, or
 * "?". */
static void write_chain(fixture *f, const char *size, int n) {
  char shape[32];
  snprintf(shape, sizeof shape, "1,1,1,%s", size);
  FILE *file = model_begin(f->files.xml);
  model_parameter(file, 0, "x", IR_F32, shape);
  for (int i = 1; i <= n; i++)
    layer(file, i, "ReLU", "", 1);
  model_result(file, n + 1, "y");
  model_edges(file);
  for (int i = 0; i <= n; i++)
    model_edge(file, i, i > 0, i + 1, 0);
  model_end(file);
}

static void a_second_run_takes_no_memory(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  write_chain(&f, "?", 5);
  read_model(&f);
  set_input(&f, 0, 2, (float[]){1, 2});
  const float *y = run(&f, 0, 2);
  for (int i = 0; i < 3; i++) {
    const float x[] = {i == 0 ? 1 : 3, 2};
    if (i > 0)
      set_input(&f, 0, 2, x);
    const int64_t n_requests = f.counts.n_requests;
    assert_ptr_equal(run(&f, 0, 2), y);
    assert_int_equal(f.counts.n_requests, n_requests);
    assert_memory_equal(y, x, sizeof x);
  }
  end(&f);
}

static void another_shape_is_planned_anew(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  write_chain(&f, "?", 2);
  read_model(&f);
  for (int64_t n = 4; n >= 0; n -= 2) {
    const float x[] = {4, 3, 2, 1};
    set_input(&f, 0, n, x);
    assert_null(irrun_run_output(f.run, 0));
    assert_memory_equal(run(&f, 0, n), x, (size_t)n * sizeof *x);
  }
  end(&f);
}

/* A buffer has 1 MiB, and two buffers live at once. */
static void a_chain_takes_two_buffers(void **state) {
  (void)state;
  enum { N = 1 << 18 };
  static float x[N];
  fixture f;
  begin(&f);
  write_chain(&f, "?", 20);
  read_model(&f);
  set_input(&f, 0, N, x);
  f.counts.largest = 0;
  run(&f, 0, N);
  assert_in_range(f.counts.largest, 2 * sizeof x, 2 * sizeof x + 4096);
  end(&f);
}

static void an_output_that_is_asked_for_later_is_planned(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  FILE *file = model_begin(f.files.xml);
  model_parameter(file, 0, "x", IR_F32, "1,1,1,2");
  layer(file, 1, "AvgPool", POOL, 1);
  model_result(file, 2, "x");
  model_result(file, 3, "y");
  model_edges(file);
  model_edge(file, 0, 0, 1, 0);
  model_edge(file, 0, 0, 2, 0);
  model_edge(file, 1, 1, 3, 0);
  model_end(file);
  read_model(&f);
  const float x[] = {1, 2};
  set_input(&f, 0, 2, x);
  assert_int_equal(irrun_run_request_output(f.run, 0), IRRUN_OK);
  assert_memory_equal(run(&f, 0, 2), x, sizeof x);
  assert_null(irrun_run_output(f.run, 1));
  assert_int_equal(irrun_run_request_output(f.run, 1), IRRUN_OK);
  assert_memory_equal(run(&f, 1, 2), x, sizeof x);
  end(&f);
}

/* ---- views ---- */

/* Writes four outputs: a Reshape of x, a Reshape of a constant, a Squeeze of a Reshape of a pool, and the square of
 * x. */
static void write_views(fixture *f) {
  FILE *file = model_begin(f->files.xml);
  model_parameter(file, 0, "x", IR_F32, "1,1,1,?");
  model_const(file, 1, "flat", IR_I64, "1", offsetof(__typeof__(bin), flat), sizeof bin.flat);
  model_const(file, 2, "four", IR_F32, "2,2", offsetof(__typeof__(bin), four), sizeof bin.four);
  layer(file, 3, "Reshape", KEEP_ZEROS, 2);
  layer(file, 4, "Reshape", KEEP_ZEROS, 2);
  layer(file, 5, "AvgPool", POOL, 1);
  layer(file, 6, "Reshape", KEEP_ZEROS, 2);
  layer(file, 7, "Squeeze", "", 1);
  layer(file, 8, "Multiply", "", 2); /* would overwrite layer 5 if views did not prolong its lifetime */
  static const char *const names[] = {"of_x", "of_constant", "of_view", "square"};
  for (int i = 0; i < 4; i++)
    model_result(file, 9 + i, names[i]);
  model_edges(file);
  static const int edges[][4] = {{0, 0, 3, 0}, {1, 0, 3, 1},  {2, 0, 4, 0},  {1, 0, 4, 1}, {0, 0, 5, 0},
                                 {5, 1, 6, 0}, {1, 0, 6, 1},  {6, 2, 7, 0},  {0, 0, 8, 0}, {0, 0, 8, 1},
                                 {3, 2, 9, 0}, {4, 2, 10, 0}, {7, 1, 11, 0}, {8, 2, 12, 0}};
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
    model_edge(file, edges[i][0], edges[i][1], edges[i][2], edges[i][3]);
  model_end(file);
}

static const void *data_of(const fixture *f, int64_t output) {
  return irrun_tensor_get_info(irrun_run_output(f->run, output)).data;
}

static void views_show_what_they_are_of(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  write_views(&f);
  read_model(&f);
  for (int64_t n = 3; n > 0; n--)
    for (int i = 0; i < 2; i++) {
      const float x[] = {(float)i + 3, 2, 3}, squares[] = {x[0] * x[0], 4, 9};
      const size_t bytes = (size_t)n * sizeof *x;
      set_input(&f, 0, n, x);
      assert_memory_equal(run(&f, 0, n), x, bytes);
      assert_memory_equal(data_of(&f, 1), bin.four, sizeof bin.four);
      assert_memory_equal(data_of(&f, 2), x, bytes);
      assert_memory_equal(data_of(&f, 3), squares, bytes);
      assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 1)).rank, 1);
      assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 2)).rank, n > 1);
    }
  end(&f);
}

/* A chain of Reshapes takes no memory of its own. */
static void views_take_no_memory(void **state) {
  (void)state;
  enum { N = 1 << 18, N_LAYERS = 30 };
  static float x[N];
  fixture f;
  begin(&f);
  FILE *file = model_begin(f.files.xml);
  model_parameter(file, 0, "x", IR_F32, "1,1,1,?");
  model_const(file, 1, "flat", IR_I64, "1", offsetof(__typeof__(bin), flat), sizeof bin.flat);
  for (int i = 0; i < N_LAYERS; i++)
    layer(file, 2 + i, "Reshape", KEEP_ZEROS, 2);
  model_result(file, 2 + N_LAYERS, "y");
  model_edges(file);
  for (int i = 0; i <= N_LAYERS; i++) {
    model_edge(file, i == 0 ? 0 : 1 + i, i == 0 ? 0 : 2, 2 + i, 0);
    if (i < N_LAYERS)
      model_edge(file, 1, 0, 2 + i, 1);
  }
  model_end(file);
  read_model(&f);
  set_input(&f, 0, N, x);
  f.counts.largest = 0;
  run(&f, 0, N);
  assert_true(f.counts.largest < sizeof x);
  end(&f);
}

/* ---- limits ---- */

static void expect_too_large(fixture *f, irrun_status status, const char *message) {
  irrun_diagnostic fault = {.size = sizeof fault};
  int64_t i = 0;
  assert_int_equal(status, IRRUN_IO);
  do
    assert_true(irrun_context_get_diagnostic(f->context, i++, &fault));
  while (strcmp(fault.rule, "IR004") != 0);
  assert_non_null(strstr(fault.message, message));
}

/* x has 4096 bytes. Two more tensors of 4096 bytes live at once, and 2 KiB are reserved for scratch. */
static void a_run_is_refused_before_it_has_inputs(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  write_chain(&f, "1024", 2);
  read_model(&f);
  irrun_context_set_max_memory(f.context, 3 * 4096 - 1);
  expect_too_large(&f, irrun_run_plan(f.run), "with what this layer needs, the run takes ");
  irrun_context_set_max_memory(f.context, 3 * 4096 + 2048);
  assert_int_equal(irrun_run_plan(f.run), IRRUN_OK);
  end(&f);
}

static void a_plan_stays_when_inputs_come(void **state) {
  (void)state;
  fixture f;
  int64_t n_requests[2];
  for (int planned = 0; planned < 2; planned++) {
    begin(&f);
    write_chain(&f, "2", 5);
    read_model(&f);
    if (planned)
      assert_int_equal(irrun_run_plan(f.run), IRRUN_OK);
    const float x[] = {1, 2};
    set_input(&f, 0, 2, x);
    n_requests[planned] = f.counts.n_requests;
    assert_memory_equal(run(&f, 0, 2), x, sizeof x);
    n_requests[planned] = f.counts.n_requests - n_requests[planned];
    end(&f);
  }
  assert_true(n_requests[1] < n_requests[0]);
}

/* With a size of ?, irrun_run_plan can report a run that is too large only after the inputs are set. */
static void open_shapes_are_planned_with_their_inputs(void **state) {
  (void)state;
  static const float x[1024] = {0};
  fixture f;
  begin(&f);
  write_chain(&f, "?", 2);
  read_model(&f);
  irrun_context_set_max_memory(f.context, 2 * 4096);
  assert_int_equal(irrun_run_plan(f.run), IRRUN_OK);
  set_input(&f, 0, 1024, x);
  expect_too_large(&f, irrun_run_plan(f.run), "with what this layer needs, the run takes ");
  expect_too_large(&f, irrun_run_execute(f.run), "with what this layer needs, the run takes ");
  end(&f);
}

/* If an input's contents decide shapes, only the sizes of inputs can be checked before the run. */
static void inputs_alone_may_be_too_large(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  FILE *file = model_begin(f.files.xml);
  model_parameter(file, 0, "x", IR_F32, "1024..,4");
  model_parameter(file, 1, "target", IR_I64, "1");
  layer(file, 2, "Reshape", KEEP_ZEROS, 2);
  model_result(file, 3, "y");
  model_edges(file);
  model_edge(file, 0, 0, 2, 0);
  model_edge(file, 1, 0, 2, 1);
  model_edge(file, 2, 2, 3, 0);
  model_end(file);
  read_model(&f);
  irrun_context_set_max_memory(f.context, 1024 * 16 + 7);
  expect_too_large(&f, irrun_run_plan(f.run), "the inputs as far as this one take at least 16392 bytes");
  irrun_context_set_max_memory(f.context, 1024 * 16 + 8);
  assert_int_equal(irrun_run_plan(f.run), IRRUN_OK);
  end(&f);
}

/* A constant that is not aligned to its element size is copied, and the copy counts. */
static void a_constant_that_is_copied_counts(void **state) {
  (void)state;
  enum { BYTES = 2 << 20 };
  static const unsigned char bytes[BYTES + 1] = {0};
  fixture f;
  for (size_t offset = 0; offset < 2; offset++) {
    begin(&f);
    scratch_write(f.files.bin, bytes, sizeof bytes);
    FILE *file = model_begin(f.files.xml);
    model_const(file, 0, "x", IR_F32, "524288", offset, BYTES);
    model_result(file, 1, "y");
    model_edges(file);
    model_edge(file, 0, 0, 1, 0);
    model_end(file);
    read_model(&f);
    irrun_context_set_max_memory(f.context, BYTES / 2 - 1);
    if (offset > 0)
      expect_too_large(&f, irrun_run_plan(f.run), "with this constant and those before it, the run takes ");
    else
      assert_int_equal(irrun_run_plan(f.run), IRRUN_OK);
    end(&f);
  }
}

/* Gather reads its data byte by byte, so it needs no copy of them. */
static void a_constant_is_gathered_where_it_lies(void **state) {
  (void)state;
  enum { ROWS = 8192, ROW = 64, BYTES = ROWS * ROW * (int)sizeof(float) };
  static unsigned char bytes[16 + 1 + BYTES];
  const int64_t first[2] = {ROWS - 1, 0};
  for (int offset = 16; offset < 18; offset++) {
    fixture f;
    begin(&f);
    memcpy(bytes, first, sizeof first);
    for (int i = 0; i < ROWS * ROW; i++)
      memcpy(bytes + offset + 4 * i, &(float){(float)i}, sizeof(float));
    scratch_write(f.files.bin, bytes, sizeof bytes);
    FILE *file = model_begin(f.files.xml);
    model_const(file, 0, "table", IR_F32, "8192,64", (size_t)offset, BYTES);
    model_const(file, 1, "rows", IR_I64, "1", 0, 8);
    model_const(file, 2, "axis", IR_I64, "", 8, 8);
    model_parameter(file, 3, "x", IR_F32, "1,1,1,64");
    layer(file, 4, "Gather", "", 3);
    layer(file, 5, "Add", "", 2);
    model_result(file, 6, "y");
    model_edges(file);
    for (int i = 0; i < 3; i++)
      model_edge(file, i, 0, 4, i);
    model_edge(file, 3, 0, 5, 0);
    model_edge(file, 4, 3, 5, 1);
    model_edge(file, 5, 2, 6, 0);
    model_end(file);
    read_model(&f);
    irrun_context_set_max_memory(f.context, BYTES / 2);
    set_input(&f, 0, ROW, (float[ROW]){1});
    assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
    const float *y = irrun_tensor_get_info(irrun_run_output(f.run, 0)).data;
    assert_true(y[0] == (ROWS - 1) * ROW + 1 && y[ROW - 1] == ROWS * ROW - 1);
    end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_second_run_takes_no_memory),
      cmocka_unit_test(another_shape_is_planned_anew),
      cmocka_unit_test(a_chain_takes_two_buffers),
      cmocka_unit_test(an_output_that_is_asked_for_later_is_planned),
      cmocka_unit_test(views_show_what_they_are_of),
      cmocka_unit_test(views_take_no_memory),
      cmocka_unit_test(a_run_is_refused_before_it_has_inputs),
      cmocka_unit_test(a_plan_stays_when_inputs_come),
      cmocka_unit_test(open_shapes_are_planned_with_their_inputs),
      cmocka_unit_test(inputs_alone_may_be_too_large),
      cmocka_unit_test(a_constant_that_is_copied_counts),
      cmocka_unit_test(a_constant_is_gathered_where_it_lies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
