/* Tests memory that the caller owns: inputs and outputs without copies, models in memory, and contexts that outlive
 * many models. */
#include "irrun.h"
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 2048 }; /* several pages of floats, since irrun can release only whole pages */

#define LAYER(id, name, type, inside)                                                                                  \
  "<layer id=\"" #id "\" name=\"" name "\" type=\"" type "\" version=\"opset1\">" inside "</layer>"
#define TWO_IN  "<input><port id=\"0\"/><port id=\"1\"/></input>"
#define ONE_IN  "<input><port id=\"0\"/></input>"
#define OUT(id) "<output><port id=\"" #id "\" precision=\"FP32\"/></output>"
#define EDGE(from, port, to, to_port)                                                                                  \
  "<edge from-layer=\"" #from "\" from-port=\"" #port "\" to-layer=\"" #to "\" to-port=\"" #to_port "\"/>"

/* Outputs: `sum` = x + c, `again` = x + c, `same` = x, `constant` = c, `relu` = relu(x + c), `made` = relu(c) = c. */
static const char sums[] = "<net name=\"sums\" version=\"11\"><layers>" LAYER(
    0, "x", "Parameter", "<data shape=\"2048\" element_type=\"f32\"/>" OUT(0))
    LAYER(1, "c", "Const", "<data element_type=\"f32\" shape=\"2048\" offset=\"0\" size=\"8192\"/>" OUT(0))
        LAYER(2, "add", "Add", TWO_IN OUT(2)) LAYER(3, "r", "ReLU", ONE_IN OUT(1)) LAYER(4, "sum", "Result", ONE_IN)
            LAYER(5, "again", "Result", ONE_IN) LAYER(6, "same", "Result", ONE_IN)
                LAYER(7, "constant", "Result", ONE_IN) LAYER(8, "relu", "Result", ONE_IN)
                    LAYER(9, "m", "ReLU", ONE_IN OUT(1))
                        LAYER(10, "made", "Result", ONE_IN) "</layers><edges>" EDGE(0, 0, 2, 0) EDGE(1, 0, 2, 1)
                            EDGE(2, 2, 3, 0) EDGE(2, 2, 4, 0) EDGE(2, 2, 5, 0) EDGE(0, 0, 6, 0) EDGE(1, 0, 7, 0)
                                EDGE(3, 1, 8, 0) EDGE(1, 0, 9, 0) EDGE(9, 1, 10, 0) "</edges></net>";
enum { SUM, AGAIN, SAME, CONSTANT, RELU, MADE, N_OUTPUTS };

static alignas(4096) float constant[N];
static alignas(4096) float x[N];
static float out[N_OUTPUTS][N + 1];

typedef struct fixture {
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} fixture;

static void read_text(fixture *f, const char *text, const irrun_buffer *weights) {
  f->context = irrun_context_create(NULL);
  f->run = NULL;
  assert_int_equal(irrun_model_read_memory(f->context, "in memory", (irrun_buffer){text, strlen(text)}, weights,
                                           IRRUN_TO_RUN, NULL, 0, &f->model),
                   IRRUN_OK);
  assert_int_equal(irrun_run_create(f->model, &f->run), IRRUN_OK);
}

static void begin(fixture *f) {
  for (int i = 0; i < N; i++) {
    constant[i] = (float)i;
    x[i] = (float)(-2 * i);
  }
  read_text(f, sums, &(irrun_buffer){constant, sizeof constant});
}

static void end(fixture *f) {
  irrun_run_free(f->run);
  irrun_model_free(f->model);
  irrun_context_free(f->context);
}

static void set_floats(fixture *f, const float *data, int64_t n) {
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_borrow(f->context, IRRUN_F32, 1, &n, data, (size_t)n * sizeof *data, &tensor),
                   IRRUN_OK);
  assert_ptr_equal(irrun_tensor_get_info(tensor).data, data);
  assert_int_equal(irrun_run_set_input(f->run, 0, tensor, false, NULL), IRRUN_OK);
}

static void expect(fixture *f, const char *rule, const char *message) {
  irrun_diagnostic fault = {.size = sizeof fault};
  assert_true(irrun_context_get_diagnostic(f->context, irrun_context_count(f->context).kept - 1, &fault));
  assert_string_equal(fault.rule, rule);
  if (strstr(fault.message, message) == NULL)
    fail_msg("expected \"%s\", got \"%s\"", message, fault.message);
}

/* ---- inputs and outputs ---- */

static const void *data_of(fixture *f, int64_t output) {
  return irrun_tensor_get_info(irrun_run_output(f->run, output)).data;
}

static void outputs_lie_where_they_are_wanted(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  for (int i = 0; i < N_OUTPUTS; i++)
    assert_int_equal(irrun_run_set_output(f.run, i, out[i], sizeof x), IRRUN_OK);
  set_floats(&f, x, N);
  for (int again = 0; again < 3; again++) {
    memset(out, 0x55, sizeof out);
    x[1] = (float)again; /* the run reads the changed x, without a new call of irrun_run_set_input */
    assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
    for (int i = 0; i < N_OUTPUTS; i++)
      assert_ptr_equal(data_of(&f, i), out[i]);
    assert_memory_equal(out[SUM], out[AGAIN], sizeof x);
    assert_memory_equal(out[SAME], x, sizeof x);
    assert_memory_equal(out[CONSTANT], constant, sizeof x);
    assert_memory_equal(out[MADE], constant, sizeof x);
    for (int i = 0; i < N; i++) {
      const float sum = x[i] + (float)i;
      assert_true(out[SUM][i] == sum && out[RELU][i] == (sum > 0 ? sum : 0) && constant[i] == (float)i);
    }
  }
  /* NULL puts the outputs back into the run's own memory. */
  for (int i = 0; i < N_OUTPUTS; i++)
    assert_int_equal(irrun_run_set_output(f.run, i, NULL, 0), IRRUN_OK);
  memset(out, 0x55, sizeof out);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
  assert_true(((const float *)data_of(&f, SUM))[1] == 3);
  assert_true(out[SUM][1] != 3 && out[SAME][1] != 2);
  end(&f);
}

/* The caller moves an output to another array between executions. The earlier array is not written. */
static void a_place_may_change(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  set_floats(&f, x, N);
  for (int i = 0; i < 2; i++) {
    memset(out, 0x55, sizeof out);
    assert_int_equal(irrun_run_set_output(f.run, RELU, out[i], sizeof x), IRRUN_OK);
    assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
    assert_true(out[i][0] == 0 && out[1 - i][0] != 0);
  }
  end(&f);
}

static void a_place_has_to_fit(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  set_floats(&f, x, N);
  assert_int_equal(irrun_run_set_output(f.run, N_OUTPUTS, out[0], sizeof x), IRRUN_USAGE);
  assert_int_equal(irrun_run_set_output(f.run, RELU, out[0], sizeof x - 1), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_USAGE);
  expect(&f, "IR801", "output 'relu' has 8192 bytes at multiples of 4, and the place for it 8191 at ");
  assert_int_equal(irrun_run_set_output(f.run, RELU, (char *)out[0] + 1, sizeof x), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_USAGE);
  assert_null(irrun_run_output(f.run, RELU));
  assert_int_equal(irrun_run_set_output(f.run, RELU, out[0], sizeof x), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
  end(&f);
}

static void expect_overlap(fixture *f, int64_t output, void *place, const char *message) {
  assert_int_equal(irrun_run_set_output(f->run, output, place, sizeof x), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f->run), IRRUN_USAGE);
  expect(f, "IR801", message);
  assert_null(irrun_run_output(f->run, RELU));
}

static void a_place_is_no_other_s(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  assert_int_equal(irrun_run_set_output(f.run, RELU, out[0], sizeof x), IRRUN_OK);
  set_floats(&f, x, N);
  expect_overlap(&f, SUM, out[0], "overlaps the place for output '");
  expect_overlap(&f, SUM, (char *)out[0] + sizeof x - 4, "overlaps the place for output '");
  expect_overlap(&f, SUM, x, "overlaps input 'x'");
  expect_overlap(&f, SUM, (void *)((uintptr_t)x - sizeof x + 4), "overlaps input 'x'");
  assert_int_equal(irrun_run_set_output(f.run, SUM, (char *)out[0] + sizeof x, sizeof x), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
  set_floats(&f, out[0], N); /* sets the input after the output's array, which it overlaps */
  assert_int_equal(irrun_run_execute(f.run), IRRUN_USAGE);
  expect(&f, "IR801", "overlaps input 'x'");
  /* An output that is not requested is not written, so its array can overlap. */
  set_floats(&f, x, N);
  assert_int_equal(irrun_run_request_output(f.run, RELU), IRRUN_OK);
  assert_int_equal(irrun_run_set_output(f.run, SUM, out[0], sizeof x), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
  end(&f);
}

static void what_is_borrowed_has_to_fit(void **state) {
  (void)state;
  fixture f;
  irrun_tensor *tensor;
  const int64_t one = 1, two = 2;
  begin(&f);
  assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_F32, 1, &two, x, 4, &tensor), IRRUN_USAGE);
  expect(&f, "IR801", "a tensor of 8 bytes is made of 4");
  assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_F32, 1, &one, (char *)x + 2, 4, &tensor), IRRUN_USAGE);
  expect(&f, "IR801", "do not lie at multiples of their size");
  assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_BOOLEAN, 1, &two, "\1\2", 2, &tensor), IRRUN_USAGE);
  expect(&f, "IR801", "other bytes than 0 and 1");
  assert_int_equal(irrun_tensor_borrow(f.context, (irrun_element_type)99, 1, &one, x, 4, &tensor), IRRUN_USAGE);
  assert_null(tensor);
  assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_BOOLEAN, 1, &two, "\1\0", 2, &tensor), IRRUN_OK);
  irrun_tensor_free(tensor);
  end(&f);
}

/* ---- executions that fail ---- */

/* y = c[place] + relu(c[1]). The relu depends on constants only: the first execution computes it. */
static const char place[] = "<net name=\"place\" version=\"11\"><layers>" LAYER(
    0, "place", "Parameter",
    "<data shape=\"1\" element_type=\"i32\"/>"
    "<output><port id=\"0\" precision=\"I32\"/></output>")
    LAYER(
        1, "c", "Const",
        "<data element_type=\"f32\" shape=\"2048\" offset=\"0\" size=\"8192\"/>" OUT(
            0)) "<layer id=\"2\" name=\"element\" type=\"GatherElements\" version=\"opset6\"><data axis=\"0\"/>" TWO_IN
        OUT(2) "</layer>" LAYER(3, "one", "Const",
                                "<data element_type=\"f32\" shape=\"1\" offset=\"4\" size=\"4\"/>" OUT(0))
            LAYER(4, "r", "ReLU", ONE_IN OUT(1)) LAYER(5, "add", "Add", TWO_IN OUT(2))
                LAYER(6, "y", "Result", ONE_IN) "</layers><edges>" EDGE(1, 0, 2, 0) EDGE(0, 0, 2, 1) EDGE(3, 0, 4, 0)
                    EDGE(2, 2, 5, 0) EDGE(4, 1, 5, 1) EDGE(5, 2, 6, 0) "</edges></net>";

/* The first execution fails before it computes the relu. The next execution has to compute it. */
static void an_execution_that_failed_is_followed_by_a_whole_one(void **state) {
  (void)state;
  fixture f;
  irrun_tensor *tensor;
  int32_t at = N;
  for (int i = 0; i < N; i++)
    constant[i] = (float)i;
  read_text(&f, place, &(irrun_buffer){constant, sizeof constant});
  assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_I32, 1, &(int64_t){1}, &at, sizeof at, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(f.run, 0, tensor, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_BAD_DATA);
  for (at = 5; at < 7; at++) {
    assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
    assert_true(*(const float *)data_of(&f, 0) == (float)at + 1);
  }
  end(&f);
}

/* ---- shapes ---- */

/* The output is x reshaped to the contents of input `shape`. */
static const char reshape[] = "<net name=\"reshape\" version=\"11\"><layers>" LAYER(
    0, "x", "Parameter", "<data shape=\"4\" element_type=\"f32\"/>" OUT(0))
    LAYER(1, "shape", "Parameter",
          "<data shape=\"2\" element_type=\"i64\"/>"
          "<output><port id=\"0\" precision=\"I64\"/></output>")
        LAYER(2, "r", "Reshape", "<data special_zero=\"false\"/>" TWO_IN OUT(2))
            LAYER(3, "y", "Result", ONE_IN) "</layers><edges>" EDGE(0, 0, 2, 0) EDGE(1, 0, 2, 1)
                EDGE(2, 2, 3, 0) "</edges></net>";

static void outputs_are_foreseen(void **state) {
  (void)state;
  fixture f;
  irrun_tensor_info info;
  irrun_tensor *tensor;
  int64_t shape[] = {4, 1};
  read_text(&f, reshape, NULL);
  set_floats(&f, (const float[]){1, 2, 3, 4}, 4);
  assert_false(irrun_run_output_info(f.run, 0, &info));
  for (int i = 0; i < 2; i++) {
    assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_I64, 1, &(int64_t){2}, shape, sizeof shape, &tensor),
                     IRRUN_OK);
    assert_int_equal(irrun_run_set_input(f.run, 1, tensor, false, NULL), IRRUN_OK);
    assert_int_equal(irrun_run_plan(f.run), IRRUN_OK);
    assert_false(irrun_run_output_info(f.run, 1, &info));
    assert_true(irrun_run_output_info(f.run, 0, &info));
    assert_int_equal(info.type, IRRUN_F32);
    assert_true(info.rank == 2 && info.dims[0] == shape[0] && info.dims[1] == shape[1] && info.bytes == 16);
    assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
    assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 0)).dims[0], shape[0]);
    /* the same array with other contents needs another plan */
    shape[0] = 1;
    shape[1] = 4;
  }
  end(&f);
}

/* ---- models and contexts ---- */

static void faults_in_memory_have_a_place(void **state) {
  (void)state;
  static const char text[] = "<net name=\"n\" version=\"11\">\n <layers>\n  <layer/>\n </layers>\n <edges/></net>";
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  irrun_diagnostic fault = {.size = sizeof fault};
  assert_int_equal(irrun_model_read_memory(context, "it", (irrun_buffer){text, sizeof text - 1}, NULL, IRRUN_TO_CHECK,
                                           NULL, 0, &model),
                   IRRUN_INVALID);
  assert_true(irrun_context_get_diagnostic(context, 0, &fault));
  assert_string_equal(fault.file, "it");
  assert_int_equal(fault.line, 3);
  assert_string_equal(fault.excerpt, "  <layer/>");
  irrun_model_free(model);
  assert_int_equal(
      irrun_model_read_memory(context, "it", (irrun_buffer){NULL, 0}, NULL, IRRUN_TO_CHECK, NULL, 0, &model),
      IRRUN_INVALID);
  assert_null(model);
  irrun_context_free(context);
}

static void weights_in_memory_may_be_too_short(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  const irrun_buffer weights = {constant, sizeof constant - 4};
  assert_int_equal(irrun_model_read_memory(context, "it", (irrun_buffer){sums, sizeof sums - 1}, &weights,
                                           IRRUN_TO_CHECK, NULL, 0, &model),
                   IRRUN_INVALID);
  irrun_diagnostic fault = {.size = sizeof fault};
  assert_true(irrun_context_get_diagnostic(context, 0, &fault));
  assert_string_equal(fault.rule, "IR402");
  irrun_model_free(model);
  irrun_context_free(context);
}

static void diagnostics_can_be_cleared(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  irrun_diagnostic fault = {.size = sizeof fault};
  assert_int_equal(irrun_context_deny(context, "IR209"), IRRUN_OK);
  for (int64_t i = 0; i < 3; i++) {
    assert_int_equal(irrun_context_report(context, i == 0 ? "IR701" : "IR209", NULL, "a fault", NULL),
                     i == 0 ? IRRUN_IO : IRRUN_INVALID);
    assert_true(irrun_context_get_diagnostic(context, 0, &fault));
    assert_string_equal(fault.message, "a fault");
    assert_int_equal(fault.number, 0);
    assert_int_equal(irrun_context_count(context).errors, 1);
    irrun_context_clear_diagnostics(context);
    assert_false(irrun_context_get_diagnostic(context, 0, &fault));
    assert_int_equal(irrun_context_count(context).errors + irrun_context_count(context).kept, 0);
    assert_int_equal(irrun_context_worst(context), IRRUN_IO);
  }
  irrun_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_lie_where_they_are_wanted),
      cmocka_unit_test(a_place_may_change),
      cmocka_unit_test(a_place_has_to_fit),
      cmocka_unit_test(a_place_is_no_other_s),
      cmocka_unit_test(what_is_borrowed_has_to_fit),
      cmocka_unit_test(an_execution_that_failed_is_followed_by_a_whole_one),
      cmocka_unit_test(outputs_are_foreseen),
      cmocka_unit_test(faults_in_memory_have_a_place),
      cmocka_unit_test(weights_in_memory_may_be_too_short),
      cmocka_unit_test(diagnostics_can_be_cleared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
