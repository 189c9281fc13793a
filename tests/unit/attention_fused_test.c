/* Attention that is written out as products and a softmax becomes one step, with the results of the layers. */
#include "irrun_debug.h"
#include "irrun_program.h"
#include "irrun_state.h"
#include "passes_net.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Builds attention with a scale and a mask, with a mask and a key that lies as [E, S], and without both. The weights of
 * the last one have a second reader, so it stays as it is. */
static void build_attention(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int first = net_conv(n, x, 32, 32, 3, 1);
  const int b = net_op(n, "MatMul", "", first, net_weights(n, "24,24", 576, 24));
  const int scaled =
      net_op(n, "Multiply", "", net_op(n, "MatMul", "transpose_b='true'", b, x), net_weights(n, "1", 1, 1));
  const int masked = net_op(n, "Add", "", net_weights(n, "1,32,24,24", 18432, 1), scaled);
  const int c = net_op(n, "MatMul", "", net_op(n, "SoftMax-8", "axis='-1'", masked), x);
  const int biased = net_op(n, "Add", "", net_op(n, "MatMul", "", c, x), net_weights(n, "1,1,24", 24, 1));
  const int d = net_op(n, "MatMul", "", net_op(n, "SoftMax", "axis='3'", biased), b);
  const int e =
      net_op(n, "MatMul", "", net_op(n, "SoftMax", "axis='3'", net_op(n, "MatMul", "transpose_b='true'", d, x)), x);
  const int weights = net_op(n, "SoftMax", "axis='3'", net_op(n, "MatMul", "transpose_b='true'", e, x));
  net_result(n, d);
  net_result(n, weights);
  net_result(n, net_op(n, "MatMul", "", weights, b));
}

/* Builds layers that look like attention: a softmax along another axis, a value that is transposed, a scale for each
 * source, and scores that are an output. */
static void build_others(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int a = net_conv(n, x, 32, 32, 3, 1);
  const int b = net_op(n, "MatMul", "", net_op(n, "SoftMax", "axis='2'", net_op(n, "MatMul", "", a, x)), x);
  const int c =
      net_op(n, "MatMul", "transpose_b='true'", net_op(n, "SoftMax", "axis='3'", net_op(n, "MatMul", "", b, x)), x);
  const int scaled = net_op(n, "Multiply", "", net_op(n, "MatMul", "", c, x), net_weights(n, "1,1,1,24", 24, 1));
  const int d = net_op(n, "MatMul", "", net_op(n, "SoftMax", "axis='3'", scaled), x);
  const int scores = net_op(n, "MatMul", "", d, x);
  net_result(n, scores);
  net_result(n, net_op(n, "MatMul", "", net_op(n, "SoftMax", "axis='3'", scores), x));
}

static int count_attention(irrun_run *run) {
  int n = 0;
  irrun_step step = {.size = sizeof step};
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++)
    n += strcmp(step.kernel, "attention") == 0;
  return n;
}

static int64_t sum_macs(irrun_run *run) {
  int64_t sum = 0;
  irrun_step step = {.size = sizeof step};
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++)
    sum += irrun_run_get_step_macs(run, i);
  assert_int_equal(irrun_run_get_step_macs(run, -1), 0);
  return sum;
}

/* Runs the network with and without the pass "fuse". The first run has to have `n_fused` steps of attention. */
static void check(void (*build)(net *n), irrun_element_type type, int n_fused, double error) {
  static net_fixture f;
  static net_outcome outcomes[2];
  irrun_sizes sizes = {.size = sizeof sizes};
  if (irrun_fast_library() == NULL)
    skip();
  net_begin(&f, type, build);
  assert_true(irrun_model_get_sizes(f.model, &sizes) && sizes.macs > 0);
  for (int i = 0; i < 2; i++) {
    irrun_run *run;
    irrun_context_skip_passes(f.context, i == 0 ? 0 : IRRUN_PASS_FUSE);
    assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
    irrun_run_profile(run, true);
    net_execute(&f, run, 0, &outcomes[i]);
    assert_int_equal(count_attention(run), i == 0 ? n_fused : 0);
    assert_int_equal(sum_macs(run), sizes.macs);
    irrun_run_free(run);
  }
  assert_int_equal(outcomes[0].n, outcomes[1].n);
  for (int64_t i = 0; i < outcomes[0].n; i++)
    if (!(fabs((double)outcomes[0].elements[i] - (double)outcomes[1].elements[i]) <= error))
      fail_msg("element %lld is %g, and %g by its layers", (long long)i, (double)outcomes[0].elements[i],
               (double)outcomes[1].elements[i]);
  net_end(&f);
}

/* Elements are at most 1 in magnitude. */
static void attention_is_one_step(void **state) {
  (void)state;
  check(build_attention, IRRUN_F32, 3, 1e-6);
  check(build_attention, IRRUN_F16, 3, 0x1p-11);
  check(build_attention, IRRUN_BF16, 3, 0x1p-8);
}

static void other_layers_stay(void **state) {
  (void)state;
  check(build_others, IRRUN_F32, 0, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(attention_is_one_step), cmocka_unit_test(other_layers_stay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
