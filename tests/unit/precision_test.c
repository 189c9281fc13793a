/* Tests products of bf16 and f16, which a run computes if it is asked to: which tensors have 16 bits, how exact results
 * are, and that a run warns if it computes in f32 instead. */
#include "irrun_debug.h"
#include "irrun_program.h"
#include "ops/fast/fast.h"
#include "passes_net.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static net_fixture f;
static net_outcome exact, got, again;

/* Builds one convolution. Its operands are numbers of bf16, so that only its sums are rounded. */
static void build_one(net *n) {
  net_result(n, net_conv(n, net_parameter(n, "1,32,12,12"), 32, 32, 3, 1));
}

/* Builds products behind each other, with ops between them that move elements, and ops that compute. */
static void build_many(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int a = net_op(n, "ReLU", "", net_bias(n, net_conv(n, x, 32, 32, 3, 1), 32));
  const int b = net_op(n, "Add", "", a, net_bias(n, net_conv(n, a, 32, 32, 3, 1), 32));
  const int split =
      net_add(n, "Split", "num_splits='2'", 2, NET_ITEMS(int, net_conv(n, b, 32, 64, 1, 1), net_axis(n, 1)));
  const int both = net_op(n, "Concat", "axis='1'", net_port(split, 1), net_port(split, 0));
  const int c = net_op(n, "SoftMax", "axis='1'", net_conv(n, both, 64, 32, 1, 1));
  const int rows = net_op(n, "Reshape", "special_zero='false'", c, net_integers(n, 32, 576));
  const int turned = net_op(n, "Transpose", "", rows, net_integers(n, 1, 0));
  const int d = net_op(n, "MatMul", "", turned, net_weights(n, "32,24", 768, 32));
  const int e =
      net_op(n, "MatMul", "transpose_a='true'", d, net_op(n, "MatMul", "", turned, net_weights(n, "32,16", 512, 32)));
  net_result(n, net_op(n, "Tanh", "", e));
}

static bool has(ir_fast_type type) {
  return ir_fast() != NULL && ir_fast()->has_type(type);
}

/* Runs the network of `f` with plain kernels if `is_plain`, twice. Both executions must have the same bits. */
static void run(irrun_element_type precision, bool is_plain, net_outcome *out) {
  irrun_run *run;
  irrun_context_set_kernels(f.context, is_plain ? IRRUN_KERNELS_PLAIN : IRRUN_KERNELS_FAST);
  assert_int_equal(irrun_context_set_precision(f.context, precision), IRRUN_OK);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  net_execute(&f, run, 0, out);
  net_execute(&f, run, 0, &again);
  assert_memory_equal(again.elements, out->elements, (size_t)out->n * sizeof *out->elements);
  irrun_run_free(run);
}

/* Returns the greatest difference between `got` and `exact`. */
static double difference(void) {
  double most = 0;
  assert_int_equal(got.n, exact.n);
  for (int64_t i = 0; i < got.n; i++)
    most = fmax(most, fabs((double)got.elements[i] - (double)exact.elements[i]));
  return most;
}

/* Returns the number of warnings of the rule, which all have `text` in their messages. */
static int count_warnings(const char *rule, const char *text) {
  irrun_diagnostic d = {.size = sizeof d};
  int n = 0;
  for (int64_t i = 0; irrun_context_get_diagnostic(f.context, i, &d); i++) {
    if (strcmp(d.rule, rule) != 0 || d.severity != IRRUN_WARNING)
      continue;
    if (strstr(d.message, text) == NULL)
      fail_msg("'%s' lacks '%s'", d.message, text);
    n++;
  }
  irrun_context_clear_diagnostics(f.context);
  return n;
}

static void operands_are_rounded_and_sums_are_not(void **state) {
  (void)state;
  if (!has(IR_FAST_BF16))
    skip();
  net_begin(&f, IRRUN_F32, build_one);
  run(IRRUN_F32, true, &exact);
  run(IRRUN_BF16, false, &got);
  assert_true(difference() <= 32 * 0x1p-24);
  assert_int_equal(count_warnings("IR706", ""), 0);
  net_end(&f);
}

static void results_are_near_those_of_f32(void **state) {
  (void)state;
  if (!has(IR_FAST_BF16))
    skip();
  net_begin(&f, IRRUN_F32, build_many);
  run(IRRUN_F32, false, &exact);
  run(IRRUN_BF16, false, &got);
  assert_true(difference() > 0x1p-20 && difference() < 4 * 0x1p-8);
  run(IRRUN_F32, false, &got);
  assert_true(difference() == 0);
  net_end(&f);
}

/* A row of the plan, "Split bf16 > bf16 bf16": the op, then the types of what it reads and writes. */
static void describe(irrun_run *run, int64_t row, const char *op, char *text, size_t size) {
  irrun_plan_tensor tensor = {.size = sizeof tensor};
  int used = snprintf(text, size, "%s", op);
  for (int output = 0; output < 2; output++) {
    used += snprintf(text + used, size - (size_t)used, "%s", output ? " >" : "");
    for (int p = 0; irrun_run_get_plan_tensor(run, row, output != 0, p, &tensor); p++)
      if (!tensor.is_constant)
        used += snprintf(text + used, size - (size_t)used, " %s", irrun_type_name(tensor.type));
  }
}

static void only_what_products_read_has_16_bits(void **state) {
  static const char *const expected[] = {"Convert f32 > bf16",
                                         "Contraction bf16 > f32", /* the addition reads the result, too */
                                         "Convert f32 > bf16",
                                         "Contraction bf16 f32 > bf16",
                                         "Contraction bf16 > bf16",
                                         "Split bf16 > bf16 bf16",
                                         "Concat bf16 bf16 > bf16",
                                         "Contraction bf16 > f32",
                                         "SoftMax f32 > f32",
                                         "Convert f32 > bf16",
                                         "Reshape bf16 > bf16",
                                         "Contraction bf16 > bf16",
                                         "Contraction bf16 > bf16",
                                         "Contraction bf16 bf16 > f32",
                                         NULL};
  irrun_plan_row row = {.size = sizeof row};
  char text[128];
  int n = 0;
  irrun_run *run;
  (void)state;
  if (!has(IR_FAST_BF16))
    skip();
  net_begin(&f, IRRUN_F32, build_many);
  assert_int_equal(irrun_context_set_precision(f.context, IRRUN_BF16), IRRUN_OK);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  assert_int_equal(irrun_run_show(run, "fuse"), IRRUN_OK);
  for (int64_t i = 0; irrun_run_get_plan_row(run, i, &row); i++) {
    if (row.is_constant)
      continue;
    describe(run, i, row.op, text, sizeof text);
    if (expected[n] == NULL || strcmp(expected[n++], text) != 0)
      fail_msg("operation %d is '%s'", n - 1, text);
  }
  assert_null(expected[n]);
  irrun_run_free(run);
  net_end(&f);
}

static void what_is_computed_in_f32_instead_is_said(void **state) {
  static const irrun_element_type types[] = {IRRUN_BF16, IRRUN_F16};
  (void)state;
  net_begin(&f, IRRUN_F32, build_many);
  for (int i = 0; i < 2; i++) {
    const bool is_there = has(i == 0 ? IR_FAST_BF16 : IR_FAST_F16);
    run(IRRUN_F32, false, &exact);
    assert_int_equal(count_warnings("IR706", ""), 0);
    run(types[i], false, &got);
    assert_true((difference() == 0) == !is_there);
    assert_int_equal(
        count_warnings("IR706", ir_fast() == NULL ? "the module of oneDNN is missing" : "has no such products"),
        !is_there);
    run(types[i], true, &got);
    assert_int_equal(count_warnings("IR706", "plain kernels were asked for"), 1);
  }
  net_end(&f);
}

/* Builds a product of numbers of up to 2^17. */
static void build_large(net *n) {
  const int x = net_parameter(n, "128,64");
  const int large = net_op(n, "Divide", "", x, net_floats(n, 1, 0x1p-17F));
  const int rows = net_op(n, "Reshape", "special_zero='false'", large, net_integers(n, 64, 128));
  net_result(n, net_op(n, "MatMul", "transpose_b='true'", rows, net_weights(n, "64,128", 8192, 128)));
}

static void numbers_beyond_f16_are_said(void **state) {
  (void)state;
  if (!has(IR_FAST_F16))
    skip();
  net_begin(&f, IRRUN_F32, build_large);
  run(IRRUN_F16, false, &got);
  assert_int_equal(count_warnings("IR706", "numbers that are multiplied exceed 65504, the largest of f16"), 1);
  net_end(&f);
}

static void other_types_are_refused(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  assert_int_equal(irrun_context_get_precision(context), IRRUN_F32);
  assert_int_equal(irrun_context_set_precision(context, IRRUN_F64), IRRUN_USAGE);
  assert_int_equal(irrun_context_set_precision(context, IRRUN_F16), IRRUN_OK);
  assert_int_equal(irrun_context_get_precision(context), IRRUN_F16);
  irrun_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operands_are_rounded_and_sums_are_not),
      cmocka_unit_test(results_are_near_those_of_f32),
      cmocka_unit_test(only_what_products_read_has_16_bits),
      cmocka_unit_test(what_is_computed_in_f32_instead_is_said),
      cmocka_unit_test(numbers_beyond_f16_are_said),
      cmocka_unit_test(other_types_are_refused),
  };
  if (!has(IR_FAST_BF16))
    print_message("products of bf16 are not tested: the processor, or oneDNN, has none\n");
  if (!has(IR_FAST_F16))
    print_message("products of f16 are not tested: the processor, or oneDNN, has none\n");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
