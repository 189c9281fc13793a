/* Tests with irrun_run_plans_made that a run makes one plan for inputs of the same types and shapes. */
#include "family.h"
#include "irrun_debug.h"
#include "model_text.h"
#include "scratch.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} fixture;

static void begin(fixture *f, const char *xml) {
  f->context = irrun_context_create(NULL);
  assert_non_null(f->context);
  assert_int_equal(irrun_context_set_threads(f->context, 1), IRRUN_OK);
  assert_int_equal(irrun_model_read(f->context, xml, NULL, IRRUN_TO_RUN, &f->model), IRRUN_OK);
  assert_int_equal(irrun_run_create(f->model, &f->run), IRRUN_OK);
}

static void end(fixture *f) {
  irrun_run_free(f->run);
  irrun_model_free(f->model);
  irrun_context_free(f->context);
}

static int64_t plans_of_a_run(const fixture *f) {
  const int64_t before = irrun_run_plans_made(f->run);
  assert_int_equal(irrun_run_execute(f->run), IRRUN_OK);
  return irrun_run_plans_made(f->run) - before;
}

/* ---- the families ---- */

static void set_inputs(fixture *f, const char *family, bool are_halved) {
  assert_true(family_set_inputs(f->context, f->model, f->run, family, are_halved));
}

/* Hashes the elements of all outputs. */
static uint64_t hash_elements(const irrun_run *run) {
  uint64_t hash = 1;
  const irrun_tensor *tensor;
  for (int64_t i = 0; (tensor = irrun_run_output(run, i)) != NULL; i++) {
    const irrun_tensor_info info = irrun_tensor_get_info(tensor);
    for (size_t b = 0; b < info.bytes; b++)
      hash = hash * 1000003 + ((const uint8_t *)info.data)[b] + 7;
  }
  return hash;
}

/* Other inputs give the results that they give in a new run: no plan holds on to earlier contents. */
static void other_contents_give_other_results(void **state) {
  (void)state;
  for (size_t i = 0; i < FAMILIES; i++) {
    char xml[FAMILY_PATH];
    fixture f, other;
    if (strcmp(families[i], "random") == 0) /* each run draws other numbers */
      continue;
    begin(&f, family_model(families[i], xml));
    begin(&other, xml);
    set_inputs(&f, families[i], false);
    plans_of_a_run(&f);
    irrun_run_reset_state(f.run);
    set_inputs(&f, families[i], true);
    plans_of_a_run(&f);
    set_inputs(&other, families[i], true);
    plans_of_a_run(&other);
    if (hash_elements(f.run) != hash_elements(other.run))
      fail_msg("%s: the second run differs from the first run of these inputs", families[i]);
    end(&other);
    end(&f);
  }
}

/* Hashes the shapes of all outputs. With halved inputs, ops such as NonMaxSuppression can give other shapes. */
static uint64_t hash_shapes(const fixture *f) {
  uint64_t hash = 1;
  const irrun_tensor *tensor;
  for (int64_t i = 0; (tensor = irrun_run_output(f->run, i)) != NULL; i++) {
    const irrun_tensor_info info = irrun_tensor_get_info(tensor);
    for (int a = 0; a < info.rank; a++)
      hash = hash * 1000003 + (uint64_t)info.dims[a] + 7;
  }
  return hash;
}

static void other_contents_need_no_plan(void **state) {
  (void)state;
  for (size_t i = 0; i < FAMILIES; i++) {
    char xml[FAMILY_PATH];
    fixture f;
    begin(&f, family_model(families[i], xml));
    set_inputs(&f, families[i], false);
    assert_true(plans_of_a_run(&f) > 0);
    const uint64_t shapes = hash_shapes(&f);
    set_inputs(&f, families[i], true);
    if (plans_of_a_run(&f) != 0 && hash_shapes(&f) == shapes)
      fail_msg("%s: a second run makes plans", families[i]);
    for (int again = 0; again < 2; again++) { /* both inputs were run before, so their plans exist */
      set_inputs(&f, families[i], again == 1);
      if (plans_of_a_run(&f) != 0)
        fail_msg("%s: a run that was there before makes plans", families[i]);
    }
    end(&f);
  }
}

/* ---- contents and the shapes that they decide ---- */

static void put(FILE *file, int id, const char *type, const char *data, int n_inputs, const char *precision) {
  fprintf(file, "<layer id=\"%d\" name=\"n%d\" type=\"%s\" version=\"opset8\"><data %s/><input>", id, id, type, data);
  for (int i = 0; i < n_inputs; i++)
    fprintf(file, "<port id=\"%d\"/>", i);
  fprintf(file, "</input><output><port id=\"%d\" precision=\"%s\"/></output></layer>\n", n_inputs, precision);
}

/* Writes two outputs. y = Reshape(Gather(table, ids), Concat(ShapeOf(ids)[0], -1)) depends on the shape of `ids`,
 * not on the contents. For z = Reshape(x, target), the contents of `target` decide the shape. */
static scratch_model write_model(void) {
  const scratch_model files = scratch_model_make();
  static const struct {
    float table[8 * 4];
    int64_t axis, first, minus[1];
  } constants = {.minus = {-1}};
  scratch_write(files.bin, &constants, sizeof constants);
  FILE *file = model_begin(files.xml);
  model_parameter(file, 0, "ids", IR_I64, "?,4");
  model_const(file, 1, "table", IR_F32, "8,4", 0, 128);
  model_const(file, 2, "axis", IR_I64, "", 128, 8);
  model_const(file, 3, "first", IR_I64, "1", 136, 8);
  model_const(file, 4, "minus", IR_I64, "1", 144, 8);
  put(file, 5, "Gather", "batch_dims=\"0\"", 3, "FP32");
  put(file, 6, "ShapeOf", "output_type=\"i64\"", 1, "I64");
  put(file, 7, "Gather", "batch_dims=\"0\"", 3, "I64");
  put(file, 8, "Concat", "axis=\"0\"", 2, "I64");
  put(file, 9, "Reshape", "special_zero=\"false\"", 2, "FP32");
  model_result(file, 10, "y");
  model_parameter(file, 11, "x", IR_F32, "12");
  model_parameter(file, 12, "target", IR_I64, "2");
  put(file, 13, "Reshape", "special_zero=\"false\"", 2, "FP32");
  model_result(file, 14, "z");
  model_edges(file);
  static const int edges[][4] = {{1, 0, 5, 0}, {0, 0, 5, 1},  {2, 0, 5, 2},   {0, 0, 6, 0},   {6, 1, 7, 0},
                                 {3, 0, 7, 1}, {2, 0, 7, 2},  {7, 3, 8, 0},   {4, 0, 8, 1},   {5, 3, 9, 0},
                                 {8, 2, 9, 1}, {9, 2, 10, 0}, {11, 0, 13, 0}, {12, 0, 13, 1}, {13, 2, 14, 0}};
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
    model_edge(file, edges[i][0], edges[i][1], edges[i][2], edges[i][3]);
  model_end(file);
  return files;
}

/* The mean, the PReLU and the cosines of numbers that come from an input. irrun knows their contents when it plans. */
static scratch_model write_numbers(void) {
  const scratch_model files = scratch_model_make();
  static const struct {
    int64_t axis;
    float slope;
  } constants = {.slope = 0.5F};
  scratch_write(files.bin, &constants, sizeof constants);
  FILE *file = model_begin(files.xml);
  model_parameter(file, 0, "ids", IR_I64, "?");
  model_const(file, 1, "axis", IR_I64, "", 0, 8);
  model_const(file, 2, "slope", IR_F32, "1", 8, 4);
  put(file, 3, "Convert", "destination_type=\"f32\"", 1, "FP32");
  put(file, 4, "ReduceMean", "keep_dims=\"true\"", 2, "FP32");
  model_result(file, 5, "mean");
  put(file, 6, "PRelu", "", 2, "FP32");
  model_result(file, 7, "prelu");
  put(file, 8, "Cos", "", 1, "FP32");
  model_result(file, 9, "cos");
  model_edges(file);
  static const int edges[][4] = {{0, 0, 3, 0}, {3, 1, 4, 0}, {1, 0, 4, 1}, {4, 2, 5, 0}, {3, 1, 6, 0},
                                 {2, 0, 6, 1}, {6, 2, 7, 0}, {3, 1, 8, 0}, {8, 1, 9, 0}};
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
    model_edge(file, edges[i][0], edges[i][1], edges[i][2], edges[i][3]);
  model_end(file);
  return files;
}

static void set(fixture *f, int64_t input, irrun_element_type type, int rank, const int64_t *dims, void *data,
                size_t bytes) {
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_borrow(f->context, type, rank, dims, data, bytes, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(f->run, input, tensor, false, NULL), IRRUN_OK);
}

static void gives(const fixture *f, int64_t output, float first) {
  assert_true(fabsf(((const float *)irrun_tensor_get_info(irrun_run_output(f->run, output)).data)[0] - first) < 1e-6F);
}

static void known_numbers_are_those_of_this_run(void **state) {
  (void)state;
  int64_t ids[2][2] = {{-2, 6}, {-4, 10}};
  fixture f;
  const scratch_model files = write_numbers();
  begin(&f, files.xml);
  for (int i = 0; i < 4; i++) {
    const float first = (float)ids[i % 2][0];
    set(&f, 0, IRRUN_I64, 1, (const int64_t[]){2}, ids[i % 2], sizeof ids[0]);
    plans_of_a_run(&f);
    gives(&f, 0, (first + (float)ids[i % 2][1]) / 2);
    gives(&f, 1, first / 2);
    gives(&f, 2, cosf(first));
  }
  end(&f);
  scratch_model_remove(&files);
}

static void contents_that_decide_are_told_apart(void **state) {
  (void)state;
  int64_t ids[8] = {0, 1, 2, 3, 4, 5, 6, 7}, target[2] = {3, 4};
  float x[12] = {0};
  fixture f;
  const scratch_model files = write_model();
  begin(&f, files.xml);
  set(&f, 0, IRRUN_I64, 2, (const int64_t[]){1, 4}, ids, 4 * sizeof *ids);
  set(&f, 1, IRRUN_F32, 1, (const int64_t[]){12}, x, sizeof x);
  set(&f, 2, IRRUN_I64, 1, (const int64_t[]){2}, target, sizeof target);
  assert_int_equal(plans_of_a_run(&f), 1);
  ids[0] = 5; /* changed contents of `ids` need no new plan, in the same memory or in other memory */
  assert_int_equal(plans_of_a_run(&f), 0);
  set(&f, 0, IRRUN_I64, 2, (const int64_t[]){1, 4}, ids + 2, 4 * sizeof *ids);
  assert_int_equal(plans_of_a_run(&f), 0);
  target[0] = 4;
  target[1] = 3;
  assert_int_equal(plans_of_a_run(&f), 1);
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 1)).dims[0], 4);
  target[0] = 3;
  target[1] = 4;
  assert_int_equal(plans_of_a_run(&f), 0);
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 1)).dims[0], 3);
  set(&f, 0, IRRUN_I64, 2, (const int64_t[]){2, 4}, ids, sizeof ids);
  assert_int_equal(plans_of_a_run(&f), 1);
  end(&f);
  scratch_model_remove(&files);
}

static void another_setting_makes_a_plan_at_the_next_execution(void **state) {
  (void)state;
  float x[] = {1};
  irrun_tensor_info info;
  irrun_step step = {.size = sizeof step};
  fixture f;
  const scratch_model files = scratch_model_make();
  FILE *file = model_begin(files.xml);
  model_parameter(file, 0, "x", IR_F32, "1");
  put(file, 1, "Relu", "", 1, "FP32");
  model_result(file, 2, "y");
  model_edges(file);
  model_edge(file, 0, 0, 1, 0);
  model_edge(file, 1, 1, 2, 0);
  model_end(file);
  begin(&f, files.xml);
  set(&f, 0, IRRUN_F32, 1, (const int64_t[]){1}, x, sizeof x);
  assert_int_equal(plans_of_a_run(&f), 1);
  assert_int_equal(irrun_context_set_threads(f.context, 2), IRRUN_OK);
  assert_true(irrun_run_output_info(f.run, 0, &info));
  assert_true(irrun_run_get_step(f.run, 0, &step)); /* the plan of the last execution is still there */
  assert_int_equal(plans_of_a_run(&f), 1);
  end(&f);
  scratch_write(files.bin, "", 0);
  scratch_model_remove(&files);
}

/* ---- constants that depend on shapes ---- */

/* RNNCell(x, 0, w, 0, 0) with w = [[Convert(ShapeOf(x)[0])]] and a column x, so the outputs are
 * tanh(x * batch). */
static scratch_model write_cell(void) {
  const scratch_model files = scratch_model_make();
  static const struct {
    int64_t first;
    float zero;
  } bin = {0, 0};
  scratch_write(files.bin, &bin, sizeof bin);
  FILE *file = model_begin(files.xml);
  model_parameter(file, 0, "x", IR_F32, "?,1");
  put(file, 1, "ShapeOf", "output_type=\"i64\"", 1, "I64");
  model_const(file, 2, "first", IR_I64, "1", 0, sizeof bin.first);
  model_const(file, 3, "axis", IR_I64, "", 0, sizeof bin.first);
  put(file, 4, "Gather", "batch_dims=\"0\"", 3, "I64");
  put(file, 5, "Convert", "destination_type=\"f32\"", 1, "FP32");
  model_const(file, 7, "zero", IR_F32, "1,1", sizeof bin.first, sizeof bin.zero);
  model_const(file, 8, "bias", IR_F32, "1", sizeof bin.first, sizeof bin.zero);
  put(file, 9, "Add", "", 2, "FP32");
  put(file, 10, "Multiply", "", 2, "FP32");
  put(file, 11, "RNNCell", "hidden_size=\"1\"", 5, "FP32");
  model_result(file, 12, "y");
  model_edges(file);
  static const int edges[][4] = {{0, 0, 1, 0},   {1, 1, 4, 0},  {2, 0, 4, 1},  {3, 0, 4, 2},  {4, 3, 5, 0},
                                 {5, 1, 9, 0},   {7, 0, 9, 1},  {0, 0, 10, 0}, {7, 0, 10, 1}, {0, 0, 11, 0},
                                 {10, 2, 11, 1}, {9, 2, 11, 2}, {7, 0, 11, 3}, {8, 0, 11, 4}, {11, 5, 12, 0}};
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
    model_edge(file, edges[i][0], edges[i][1], edges[i][2], edges[i][3]);
  model_end(file);
  return files;
}

static void weights_of_another_shape_are_computed_again(void **state) {
  (void)state;
  float x[] = {0.25F, 0.5F, 0.75F};
  fixture f;
  const scratch_model files = write_cell();
  begin(&f, files.xml);
  for (int64_t batch = 1; batch <= 3; batch++) {
    set(&f, 0, IRRUN_F32, 2, (const int64_t[]){batch, 1}, x, (size_t)batch * sizeof *x);
    assert_int_equal(plans_of_a_run(&f), 1);
    const float *y = irrun_tensor_get_info(irrun_run_output(f.run, 0)).data;
    for (int64_t i = 0; i < batch; i++)
      assert_float_equal(y[i], tanhf(x[i] * (float)batch), 1e-5F);
  }
  end(&f);
  scratch_model_remove(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contents_that_decide_are_told_apart),
      cmocka_unit_test(other_contents_need_no_plan),
      cmocka_unit_test(other_contents_give_other_results),
      cmocka_unit_test(known_numbers_are_those_of_this_run),
      cmocka_unit_test(another_setting_makes_a_plan_at_the_next_execution),
      cmocka_unit_test(weights_of_another_shape_are_computed_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
