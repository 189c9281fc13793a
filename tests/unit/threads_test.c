/* Tests runs with several threads: the same bytes for any number of threads, separate scratch, and the public calls. */
#include "base/tensor.h"
#include "exec/plan_memory.h"
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 12 * 1024 * 1024 };

/* Fills with bytes that have no repeating pattern. Read as f32, the numbers have small exponents. */
static void fill(unsigned char *bytes, uint32_t seed) {
  for (size_t i = 0; i < MOST_BYTES; i++) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = (unsigned char)(i % 4 == 3 ? (seed >> 24 & 0x80) | 0x3f : seed >> 24);
  }
}

static void outputs_are_the_same_for_any_number(void **state) {
  (void)state;
  static unsigned char a[MOST_BYTES], b[MOST_BYTES];
  fill(a, 1);
  fill(b, 2);
  op_model cases[] = {
      {.type = "ReLU", .inputs = {{.type = IR_F32, .rank = 2, .dims = {1999, 501}}}},
      {.type = "Abs", .inputs = {{.type = IR_I8, .rank = 1, .dims = {5000001}}}},
      {.type = "Add",
       .inputs = {{.type = IR_F32, .rank = 1, .dims = {700001}}, {.type = IR_F32, .rank = 1, .dims = {700001}}}},
      {.type = "Add",
       .inputs = {{.type = IR_F32, .rank = 4, .dims = {17, 1, 131, 211}},
                  {.type = IR_F32, .rank = 2, .dims = {131, 1}}}},
      {.type = "Add",
       .inputs = {{.type = IR_F32, .rank = 4, .dims = {17, 1, 131, 211}},
                  {.type = IR_F32, .rank = 4, .dims = {1, 5, 131, 1}}}},
      {.type = "Multiply",
       .inputs = {{.type = IR_I16, .rank = 3, .dims = {100003, 1, 3}}, {.type = IR_I16, .rank = 2, .dims = {5, 1}}}},
      {.type = "Multiply", .inputs = {{.type = IR_I32, .rank = 0}, {.type = IR_I32, .rank = 2, .dims = {1003, 1009}}}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    op_model *c = &cases[i];
    c->n_inputs = c->inputs[1].type == IR_DYNAMIC ? 1 : 2;
    c->inputs[0].data = a;
    c->inputs[1].data = b;
    c->threads = 1;
    model_run alone = op_model_run(c);
    assert_int_equal(alone.status, IRRUN_OK);
    irrun_tensor_info expected = irrun_tensor_get_info(alone.values);
    for (size_t t = 0; t < 3; t++) {
      c->threads = ((const int[]){2, 3, 7})[t];
      model_run run = op_model_run(c);
      assert_int_equal(run.status, IRRUN_OK);
      irrun_tensor_info got = irrun_tensor_get_info(run.values);
      assert_int_equal(got.bytes, expected.bytes);
      if (memcmp(got.data, expected.data, got.bytes) != 0)
        fail_msg("case %zu differs with %d threads", i, c->threads);
      model_run_end(&run);
    }
    model_run_end(&alone);
  }
}

static void every_worker_has_scratch(void **state) {
  (void)state;
  static const struct {
    size_t wanted;
    int n_workers;
    size_t stride, bytes;
  } cases[] = {{0, 4, 0, 0},
               {1, 0, 64, 64},
               {64, 1, 64, 64},
               {65, 3, 128, 384},
               {SIZE_MAX / 2, 4, SIZE_MAX / 2 + 1, SIZE_MAX},
               {SIZE_MAX, 1, 0, SIZE_MAX}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t stride;
    ir_plan plan = {.scratch_bytes = cases[i].wanted, .n_workers = cases[i].n_workers};
    assert_int_equal(ir_plan_scratch(&plan, &stride), cases[i].bytes);
    assert_int_equal(stride, cases[i].stride);
  }
}

static void threads_are_set_and_told(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  int most = irrun_context_get_threads(context);
  assert_in_range(most, 1, IRRUN_MAX_THREADS);
  assert_int_equal(irrun_context_set_threads(context, 3), IRRUN_OK);
  assert_int_equal(irrun_context_get_threads(context), 3);
  assert_int_equal(irrun_context_set_threads(context, IRRUN_MAX_THREADS), IRRUN_OK);
  assert_int_equal(irrun_context_set_threads(context, IRRUN_MAX_THREADS + 1), IRRUN_USAGE);
  assert_int_equal(irrun_context_set_threads(context, -1), IRRUN_USAGE);
  assert_int_equal(irrun_context_get_threads(context), IRRUN_MAX_THREADS);
  assert_int_equal(irrun_context_count(context).errors, 2);
  assert_int_equal(irrun_context_set_threads(context, 0), IRRUN_OK);
  assert_int_equal(irrun_context_get_threads(context), most);
  irrun_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_are_the_same_for_any_number),
      cmocka_unit_test(every_worker_has_scratch),
      cmocka_unit_test(threads_are_set_and_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
