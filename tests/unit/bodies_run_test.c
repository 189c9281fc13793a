/* Runs a model with variables, an If in a Loop and a NonZero. Tests the variables over several executions, and lets
 * each allocation fail. */
#include "failing_memory.h"
#include "irrun_state.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define LAYER(id, name, type, opset, data, inputs)                                                                     \
  "<layer id='" id "' name='" name "' type='" type "' version='opset" opset "'>" data inputs
#define DATA(text)      "<data " text "/>"
#define NONE            ""
#define IN_1            "<input><port id='0'/></input>"
#define IN_2            "<input><port id='0'/><port id='1'/></input>"
#define IN_3            "<input><port id='0'/><port id='1'/><port id='2'/></input>"
#define OUT(port, type) "<output><port id='" port "' precision='" type "'/></output></layer>"
#define OUT_0           "</layer>"
#define PARAMETER(id, name, shape, type)                                                                               \
  LAYER(id, name, "Parameter", "1", DATA("shape='" shape "' element_type='" type "'"), NONE) OUT("0", type)
#define RESULT(id, name) LAYER(id, name, "Result", "1", NONE, IN_1) OUT_0
#define EDGE(from, from_port, to, to_port)                                                                             \
  "<edge from-layer='" from "' from-port='" from_port "' to-layer='" to "' to-port='" to_port "'/>"
#define IN_LINE(port, layer, more)  "<input external_port_id='" port "' internal_layer_id='" layer "' " more "/>"
#define OUT_LINE(port, layer, more) "<output external_port_id='" port "' internal_layer_id='" layer "' " more "/>"

/* `sum` adds up x over all executions (variable v). The Loop starts from `sum`. Iteration 0 adds the Loop's start value
 * of the previous execution (variable w). Later iterations square. y is the value after n iterations, `all` the value
 * after each iteration, `where` the positions of nonzeros in `sum`. */
static const char *const text[] = {
    "<net name='all' version='11'><layers>",
    PARAMETER("0", "x", "2", "f32") PARAMETER("1", "n", "", "i64"),
    PARAMETER("2", "go", "", "boolean"),
    LAYER("3", "before", "ReadValue", "6", DATA("variable_id='v' variable_type='f32' variable_shape='2'"), NONE)
        OUT("0", "f32"),
    LAYER("4", "sum", "Add", "1", NONE, IN_2) OUT("2", "f32"),
    LAYER("5", "keep", "Assign", "6", DATA("variable_id='v'"), IN_1) OUT("1", "f32"),
    LAYER("6", "found", "NonZero", "3", NONE, IN_1) OUT("1", "i64"),
    LAYER("7", "loop", "Loop", "5", NONE, IN_3),
    "<output><port id='3' precision='f32'/><port id='4' precision='f32'/></output>",
    "<port_map>" IN_LINE("2", "0", "") IN_LINE("-1", "1", "purpose='current_iteration'"),
    IN_LINE("1", "2", "") OUT_LINE("-1", "6", "purpose='execution_condition'"),
    OUT_LINE("3", "5", "") OUT_LINE("4", "5", "axis='0'") "</port_map>",
    "<back_edges><edge from-layer='5' to-layer='0'/></back_edges><body><layers>",
    PARAMETER("0", "p", "2", "f32") PARAMETER("1", "i", "1", "i64"),
    PARAMETER("2", "again", "", "boolean"),
    LAYER("3", "later", "Convert", "1", DATA("destination_type='boolean'"), IN_1),
    OUT("1", "boolean"),
    LAYER("4", "either", "If", "8", NONE, IN_2),
    "<then_port_map>" IN_LINE("1", "0", "") OUT_LINE("0", "2", "") "</then_port_map>",
    "<else_port_map>" IN_LINE("1", "0", "") OUT_LINE("0", "2", "") "</else_port_map>",
    "<then_body><layers>" PARAMETER("0", "a", "2", "f32"),
    LAYER("1", "square", "Multiply", "1", NONE, IN_2) OUT("2", "f32") RESULT("2", "r"),
    "</layers><edges>" EDGE("0", "0", "1", "0") EDGE("0", "0", "1", "1"),
    EDGE("1", "2", "2", "0") "</edges></then_body>",
    "<else_body><layers>" PARAMETER("0", "b", "2", "f32"),
    LAYER("1", "add", "Add", "1", NONE, IN_2) OUT("2", "f32") RESULT("2", "r"),
    LAYER("3", "last", "ReadValue", "6", DATA("variable_id='w' variable_type='f32' variable_shape='2'"), NONE),
    OUT("0", "f32") LAYER("4", "hold", "Assign", "6", DATA("variable_id='w'"), IN_1) OUT("1", "f32"),
    "</layers><edges>" EDGE("0", "0", "1", "0") EDGE("3", "0", "1", "1") EDGE("0", "0", "4", "0"),
    EDGE("1", "2", "2", "0") "</edges></else_body>",
    OUT("2", "f32") RESULT("5", "q") RESULT("6", "more"),
    "</layers><edges>" EDGE("1", "0", "3", "0") EDGE("3", "1", "4", "0"),
    EDGE("0", "0", "4", "1") EDGE("4", "2", "5", "0") EDGE("2", "0", "6", "0"),
    "</edges></body></layer>" RESULT("8", "y") RESULT("9", "all") RESULT("10", "where"),
    "</layers><edges>" EDGE("3", "0", "4", "0") EDGE("0", "0", "4", "1"),
    EDGE("4", "2", "5", "0") EDGE("4", "2", "6", "0") EDGE("1", "0", "7", "0"),
    EDGE("2", "0", "7", "1") EDGE("4", "2", "7", "2") EDGE("7", "3", "8", "0"),
    EDGE("7", "4", "9", "0") EDGE("6", "1", "10", "0") "</edges></net>"};

static void join(char *to, size_t size, const char *const *parts, size_t n) {
  to[0] = '\0';
  for (size_t i = 0; i < n; i++) {
    assert_true(strlen(to) + strlen(parts[i]) < size);
    strcat(to, parts[i]);
  }
}

typedef struct fixture {
  failing_memory counts;
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} fixture;

static irrun_status set_input(const fixture *f, int64_t input, irrun_element_type type, int64_t n, void *data,
                              size_t bytes) {
  irrun_tensor *tensor;
  const irrun_status status = irrun_tensor_borrow(f->context, type, n > 1, &n, data, bytes, &tensor);
  return status == IRRUN_OK ? irrun_run_set_input(f->run, input, tensor, false, NULL) : status;
}

static irrun_status execute(const fixture *f, float *x, int64_t n) {
  bool go = true;
  irrun_status status = set_input(f, 0, IRRUN_F32, 2, x, 2 * sizeof *x);
  if (status == IRRUN_OK)
    status = set_input(f, 1, IRRUN_I64, 1, &n, sizeof n);
  if (status == IRRUN_OK)
    status = set_input(f, 2, IRRUN_BOOLEAN, 1, &go, sizeof go);
  return status == IRRUN_OK ? irrun_run_execute(f->run) : status;
}

/* `refuse_at` is the number of the first allocation that fails. */
static irrun_status begin(fixture *f, int64_t refuse_at) {
  char xml[8192];
  *f = (fixture){.model = NULL};
  join(xml, sizeof xml, text, sizeof text / sizeof text[0]);
  const ir_memory memory = failing_memory_of(&f->counts);
  const irrun_allocator allocator = {sizeof allocator, memory.alloc, memory.release, memory.user};
  f->counts.refuse_at = refuse_at;
  f->context = irrun_context_create(&allocator);
  if (f->context == NULL)
    return IRRUN_IO;
  const irrun_status status = irrun_model_read_memory(f->context, "all.xml", (irrun_buffer){xml, strlen(xml)}, NULL,
                                                      IRRUN_TO_RUN, NULL, 0, &f->model);
  return status == IRRUN_OK ? irrun_run_create(f->model, &f->run) : status;
}

static void end(fixture *f) {
  irrun_run_free(f->run);
  irrun_model_free(f->model);
  irrun_context_free(f->context);
  assert_int_equal(f->counts.n_alive, 0);
}

static void gives(const fixture *f, int64_t output, int64_t n, const float *expected) {
  const irrun_tensor_info y = irrun_tensor_get_info(irrun_run_output(f->run, output));
  assert_int_equal(y.type, IRRUN_F32);
  assert_int_equal(y.elements, n);
  assert_memory_equal(y.data, expected, (size_t)n * sizeof *expected);
}

static void variables_last_until_they_are_reset(void **state) {
  (void)state;
  fixture f;
  assert_int_equal(begin(&f, -1), IRRUN_OK);
  assert_int_equal(execute(&f, (float[]){3, 0}, 2), IRRUN_OK);
  gives(&f, 0, 2, (float[]){9, 0});
  gives(&f, 1, 4, (float[]){3, 0, 9, 0});
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 2)).elements, 1);
  assert_int_equal(execute(&f, (float[]){1, 5}, 1), IRRUN_OK);
  gives(&f, 0, 2, (float[]){7, 5});
  gives(&f, 1, 2, (float[]){7, 5});
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 2)).elements, 2);
  irrun_run_reset_state(f.run);
  assert_int_equal(execute(&f, (float[]){5, 0}, 0), IRRUN_OK);
  gives(&f, 0, 2, (float[]){5, 0});
  gives(&f, 1, 0, (float[]){0});
  irrun_run_reset_state(f.run);
  assert_int_equal(execute(&f, (float[]){6, 2}, 1), IRRUN_OK);
  gives(&f, 0, 2, (float[]){6, 2});
  end(&f);
}

static irrun_status set_variable(const fixture *f, const char *id, irrun_element_type type, int64_t n, void *data) {
  irrun_tensor *tensor;
  const irrun_status status = irrun_tensor_borrow(f->context, type, 1, &n, data, (size_t)n * 4, &tensor);
  return status == IRRUN_OK ? irrun_run_set_variable(f->run, id, tensor, "s.npz") : status;
}

static const irrun_tensor *value_of_v(const fixture *f) {
  irrun_variable variable = {.size = sizeof variable};
  assert_true(irrun_run_get_variable(f->run, 0, &variable));
  assert_string_equal(variable.id, "v");
  return irrun_run_read_variable(f->run, 0);
}

/* The variable w of a body is no variable of the run. */
static void variables_are_read_and_set(void **state) {
  (void)state;
  fixture f;
  irrun_variable none = {.size = sizeof none};
  float v[] = {10, 20};
  assert_int_equal(begin(&f, -1), IRRUN_OK);
  assert_null(value_of_v(&f));
  assert_false(irrun_run_get_variable(f.run, 1, &none));
  assert_false(irrun_run_get_variable(f.run, -1, &none));
  assert_int_equal(set_variable(&f, "v", IRRUN_F32, 2, v), IRRUN_OK);
  v[0] = 0; /* the run has a copy */
  assert_int_equal(execute(&f, (float[]){1, 2}, 0), IRRUN_OK);
  gives(&f, 0, 2, (float[]){11, 22});
  assert_memory_equal(irrun_tensor_get_info(value_of_v(&f)).data, ((float[]){11, 22}), 8);
  irrun_run_reset_state(f.run);
  assert_null(value_of_v(&f));
  assert_int_equal(execute(&f, (float[]){1, 2}, 0), IRRUN_OK);
  gives(&f, 0, 2, (float[]){1, 2});
  end(&f);
}

static void variables_are_checked(void **state) {
  (void)state;
  fixture f;
  int32_t integers[2] = {0};
  assert_int_equal(begin(&f, -1), IRRUN_OK);
  assert_int_equal(set_variable(&f, "w", IRRUN_F32, 2, (float[2]){0}), IRRUN_BAD_DATA);
  assert_int_equal(set_variable(&f, "v", IRRUN_F32, 3, (float[3]){0}), IRRUN_BAD_DATA);
  assert_int_equal(set_variable(&f, "v", IRRUN_I32, 2, integers), IRRUN_BAD_DATA);
  static const char *const messages[] = {"the model has no variable 'w'",
                                         "the tensor for variable 'v' has shape [3], expected [2]",
                                         "the tensor for variable 'v' is i32, expected f32"};
  for (int64_t i = 0; i < 3; i++) {
    irrun_diagnostic fault = {.size = sizeof fault};
    assert_true(irrun_context_get_diagnostic(f.context, i, &fault));
    assert_string_equal(fault.message, messages[i]);
    assert_string_equal(fault.file, "s.npz");
  }
  assert_null(value_of_v(&f));
  end(&f);
}

static void memory_may_be_out_anywhere(void **state) {
  (void)state;
  irrun_status status = IRRUN_IO;
  for (int64_t n = 0; status != IRRUN_OK; n++) {
    fixture f;
    status = begin(&f, n);
    if (status == IRRUN_OK)
      status = set_variable(&f, "v", IRRUN_F32, 2, (float[]){1, 2});
    for (int i = 0; i < 2 && status == IRRUN_OK; i++)
      status = execute(&f, (float[]){1, 2}, 3);
    if (status != IRRUN_OK)
      assert_int_equal(status, IRRUN_IO);
    end(&f);
    assert_in_range(n, 0, 100000);
  }
}

/* A run in a context of its own reports there that an op of a body has no kernel. */
static void a_context_of_its_own_has_the_report(void **state) {
  (void)state;
  static const char *const parts[] = {
      "<net name='i' version='11'><layers>",
      PARAMETER("0", "c", "", "boolean") PARAMETER("1", "x", "2", "i4"),
      LAYER("2", "either", "If", "8", NONE, IN_2),
      "<then_port_map>" IN_LINE("1", "0", "") OUT_LINE("0", "2", "") "</then_port_map>",
      "<else_port_map>" IN_LINE("1", "0", "") OUT_LINE("0", "2", "") "</else_port_map>",
      "<then_body><layers>" PARAMETER("0", "a", "2", "i4"),
      LAYER("1", "inner", "Relu", "1", NONE, IN_1) OUT("1", "i4") RESULT("2", "r"),
      "</layers><edges>" EDGE("0", "0", "1", "0") EDGE("1", "1", "2", "0") "</edges></then_body>",
      "<else_body><layers>" PARAMETER("0", "b", "2", "i4") RESULT("2", "r"),
      "</layers><edges>" EDGE("0", "0", "2", "0") "</edges></else_body>",
      OUT("2", "i4") RESULT("3", "y"),
      "</layers><edges>" EDGE("0", "0", "2", "0") EDGE("1", "0", "2", "1") EDGE("2", "2", "3", "0"),
      "</edges></net>"};
  char xml[4096];
  join(xml, sizeof xml, parts, sizeof parts / sizeof parts[0]);
  fixture f = {.context = irrun_context_create(NULL)};
  irrun_context *reader = irrun_context_create(NULL);
  assert_int_equal(irrun_model_read_memory(reader, "if.xml", (irrun_buffer){xml, strlen(xml)}, NULL, IRRUN_TO_RUN, NULL,
                                           0, &f.model),
                   IRRUN_OK);
  assert_int_equal(irrun_run_create_in(f.context, f.model, &f.run), IRRUN_OK);
  assert_int_equal(set_input(&f, 0, IRRUN_BOOLEAN, 1, &(bool){true}, 1), IRRUN_OK);
  assert_int_equal(set_input(&f, 1, IRRUN_I4, 2, "\x21", 1), IRRUN_OK);
  assert_int_equal(irrun_run_execute(f.run), IRRUN_UNSUPPORTED);
  assert_non_null(strstr(irrun_context_last_error(f.context), "irrun does not compute with elements of type i4"));
  assert_string_equal(irrun_context_last_error(reader), "");
  end(&f);
  irrun_context_free(reader);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variables_last_until_they_are_reset),
      cmocka_unit_test(variables_are_read_and_set),
      cmocka_unit_test(variables_are_checked),
      cmocka_unit_test(memory_may_be_out_anywhere),
      cmocka_unit_test(a_context_of_its_own_has_the_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
