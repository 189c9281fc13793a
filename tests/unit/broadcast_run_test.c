/* Runs models that broadcast random shapes, with constant, fixed and open inputs. Compares the sums with index
 * arithmetic for each element. */
#include "draw.h"
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { CASES = 300, MOST_RANK = 5, MOST_ELEMENTS = 65536 };

static int64_t count(const int64_t *dims, int rank) {
  int64_t n = 1;
  for (int i = 0; i < rank; i++)
    n *= dims[i];
  return n;
}

/* Returns which input element is broadcast to the output's element `index`. The input's axis 0 is the output's axis
 * `begin`. */
static int64_t element_of(const op_input *in, int begin, const int64_t *dims, int rank, int64_t index) {
  int64_t at[IRRUN_MAX_RANK], element = 0;
  for (int i = rank - 1; i >= 0; i--) {
    at[i] = index % dims[i];
    index /= dims[i];
  }
  for (int i = 0; i < in->rank; i++)
    element = element * in->dims[i] + (in->dims[i] == 1 ? 0 : at[i + begin]);
  return element;
}

/* Input a has its element numbers, input b has a million times its element numbers. Each sum therefore identifies
 * both elements. */
static void check_sum(const op_model *c, const int64_t *dims, int rank, int b_begin) {
  model_run run = op_model_run(c);
  if (run.status != IRRUN_OK)
    fail_msg("ends with %d, %s", (int)run.status, model_run_rules(&run));
  assert_string_equal(model_run_rules(&run), "");
  irrun_tensor_info out = irrun_tensor_get_info(run.values);
  assert_int_equal(out.rank, rank);
  assert_memory_equal(out.dims, dims, (size_t)rank * sizeof *dims);
  for (int64_t i = 0; i < out.elements; i++) {
    int64_t a = element_of(&c->inputs[0], rank - c->inputs[0].rank, dims, rank, i);
    int64_t b = element_of(&c->inputs[1], b_begin, dims, rank, i);
    assert_int_equal(((const int64_t *)out.data)[i], a + INT64_C(1000000) * b);
  }
  model_run_end(&run);
}

/* Sets element i to i * `factor`. */
static const int64_t *numbers(int64_t *buffer, int64_t n, int64_t factor) {
  assert_true(n <= MOST_ELEMENTS);
  for (int64_t i = 0; i < n; i++)
    buffer[i] = i * factor;
  return buffer;
}

/* Draws an input with the last `rank` dims of the output, some replaced by 1. */
static op_input draw_input(const int64_t *dims, int rank, int64_t *buffer, int64_t factor) {
  op_input in = {
      .type = IR_I64, .rank = (int)between(0, rank), .constant = between(0, 3) == 0, .open = between(0, 2) == 0};
  for (int i = 0; i < in.rank; i++)
    in.dims[i] = between(0, 2) == 0 ? 1 : dims[rank - in.rank + i];
  in.data = numbers(buffer, count(in.dims, in.rank), factor);
  return in;
}

static void random_shapes_are_broadcast(void **state) {
  (void)state;
  static int64_t a[MOST_ELEMENTS], b[MOST_ELEMENTS];
  for (int i = 0; i < CASES; i++) {
    int64_t dims[MOST_RANK], out[MOST_RANK];
    int rank = (int)between(0, MOST_RANK), out_rank;
    for (int axis = 0; axis < rank; axis++)
      dims[axis] = between(0, 19) == 0 ? 0 : between(1, 4);
    if (rank > 0) /* rows of up to 63 elements have a loop of their own, over pieces of 512 elements */
      dims[between(0, rank - 1)] = between(1, 200);
    op_model c = {.type = "Add", .n_inputs = 2};
    c.inputs[0] = draw_input(dims, rank, a, 1);
    c.inputs[1] = draw_input(dims, rank, b, 1000000);
    out_rank = c.inputs[0].rank > c.inputs[1].rank ? c.inputs[0].rank : c.inputs[1].rank;
    for (int axis = 0; axis < out_rank; axis++) {
      out[axis] = 1;
      for (int k = 0; k < 2; k++) {
        int own = axis - (out_rank - c.inputs[k].rank);
        if (own >= 0 && c.inputs[k].dims[own] != 1)
          out[axis] = c.inputs[k].dims[own];
      }
    }
    check_sum(&c, out, out_rank, out_rank - c.inputs[1].rank);
  }
}

static void sixteen_axes_alternate(void **state) {
  (void)state;
  static int64_t a[MOST_ELEMENTS], b[MOST_ELEMENTS];
  op_model c = {.type = "Add", .n_inputs = 2};
  int64_t dims[IRRUN_MAX_RANK];
  for (int i = 0; i < IRRUN_MAX_RANK; i++) {
    c.inputs[0].dims[i] = i % 2 == 0 ? 2 : 1;
    c.inputs[1].dims[i] = i % 2 == 0 ? 1 : 2;
    dims[i] = 2;
  }
  c.inputs[0].type = c.inputs[1].type = IR_I64;
  c.inputs[0].rank = c.inputs[1].rank = IRRUN_MAX_RANK;
  c.inputs[0].data = numbers(a, 256, 1);
  c.inputs[1].data = numbers(b, 256, 1000000);
  check_sum(&c, dims, IRRUN_MAX_RANK, 0);
}

static void pdpd_begins_at_its_axis(void **state) {
  (void)state;
  static int64_t a[MOST_ELEMENTS], b[MOST_ELEMENTS];
  static const struct {
    const char *axis;
    int begin, rank;
    int64_t dims[3];
  } cases[] = {{"0", 0, 1, {3}}, {"1", 1, 1, {3}},       {"2", 2, 1, {3}}, {"-1", 2, 1, {3}},
               {"0", 0, 2, {3}}, {"1", 1, 2, {3, 1}},    {"1", 1, 0, {0}}, {"0", 0, 3, {1, 3, 1}},
               {"3", 3, 0, {0}}, {"-1", 0, 3, {3, 3, 3}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char data[96];
    op_model c = {.type = "Add", .data = data, .n_inputs = 2};
    sprintf(data, "auto_broadcast=\"pdpd\" auto_broadcast.auto_broadcast_axis=\"%s\"", cases[i].axis);
    c.inputs[0] = (op_input){.type = IR_I64, .rank = 3, .dims = {3, 3, 3}, .data = numbers(a, 27, 1)};
    c.inputs[1] = (op_input){.type = IR_I64, .rank = cases[i].rank};
    for (int axis = 0; axis < cases[i].rank; axis++)
      c.inputs[1].dims[axis] = cases[i].dims[axis] == 0 ? 1 : cases[i].dims[axis];
    c.inputs[1].data = numbers(b, count(c.inputs[1].dims, cases[i].rank), 1000000);
    check_sum(&c, c.inputs[0].dims, 3, cases[i].begin);
  }
}

/* A check cannot see that open shapes do not fit. The run reports the mismatch when it gets its tensors. */
static void open_shapes_that_do_not_fit_end_the_run(void **state) {
  (void)state;
  const float x[6] = {0};
  op_model c = {.type = "Multiply", .n_inputs = 2};
  c.inputs[0] = (op_input){.type = IR_F32, .rank = 1, .dims = {2}, .data = x, .open = true};
  c.inputs[1] = (op_input){.type = IR_F32, .rank = 2, .dims = {2, 3}, .data = x, .open = true};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_BAD_DATA);
  assert_string_equal(model_run_rules(&run), "IR316");
  model_run_end(&run);
  c.inputs[0].dims[0] = 3;
  run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  model_run_end(&run);
  c.data = "auto_broadcast=\"none\"";
  run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_INVALID);
  assert_string_equal(model_run_rules(&run), "IR316");
  model_run_end(&run);
}

static void a_default_that_differs_is_told_once(void **state) {
  (void)state;
  const float x[6] = {0};
  op_model c = {.type = "Add", .data = "auto_broadcast=\"pdpd\"", .n_inputs = 2};
  c.inputs[0] = (op_input){.type = IR_F32, .rank = 2, .dims = {2, 3}, .data = x, .open = true};
  c.inputs[1] = (op_input){.type = IR_F32, .rank = 1, .dims = {3}, .data = x, .open = true};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  assert_string_equal(model_run_rules(&run), "IR212");
  model_run_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_shapes_are_broadcast),
      cmocka_unit_test(sixteen_axes_alternate),
      cmocka_unit_test(pdpd_begins_at_its_axis),
      cmocka_unit_test(open_shapes_that_do_not_fit_end_the_run),
      cmocka_unit_test(a_default_that_differs_is_told_once),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
