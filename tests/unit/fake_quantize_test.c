/* Tests which level FakeQuantize gives to numbers halfway between two levels, and to limits in any order. */
#include "op_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { INPUTS = 5, N = 40 };

/* Quantizes N copies of x with the limits {in_low, in_high, low, high}; checks that all results are alike. If `alike`
 * is false, the limits have N elements, too. */
static float quantized(float x, const float limits[4], int levels, bool alike) {
  char data[32];
  float elements[INPUTS][N];
  snprintf(data, sizeof data, "levels='%d'", levels);
  op_model c = {.type = "FakeQuantize", .data = data, .n_inputs = INPUTS};
  for (int i = 0; i < INPUTS; i++) {
    for (int j = 0; j < N; j++)
      elements[i][j] = i == 0 ? x : limits[i - 1];
    c.inputs[i] = (op_input){.type = IR_F32, .rank = 1, .dims = {i > 0 && alike ? 1 : N}, .data = elements[i]};
  }
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const float *made = irrun_tensor_get_info(run.values).data, first = made[0];
  for (int i = 1; i < N; i++)
    assert_memory_equal(&made[i], &first, sizeof first);
  model_run_end(&run);
  return first;
}

/* Quotients of the page's formula, rounded one after the other, would give the neighbour of each level. */
static void ties_are_those_of_openvino(void **state) {
  (void)state;
  static const struct {
    float x, in_low, in_high;
    int levels, level;
  } cases[] = {
      {0x1.e244a2p-1f, -0x1.ff2924p-1f, 0x1.0ce694p+0f, 256, 241},
      {-0x1.6bbddap-3f, -0x1.d4750ap-3f, 0x1.d0cc2p-3f, 255, 28},
      {-0x1.a37a96p-6f, -0x1.5b7544p-5f, 0x1.d9033cp-2f, 16, 1},
      {-0x1.56e89p-1f, -0x1.599e86p-1f, 0x1.56eb48p-1f, 128, 0},
      {0x1.269ebp+0f, -0x1.966718p-2f, 0x1.00d2fp+2f, 256, 90},
      {0x1.3de9d4p-19f, -0x1.3b1856p-3f, 0x1.38a226p-3f, 255, 127},
      {-0x1.142b5ep+0f, -0x1.48947ap+2f, 0x1.7b3ffcp+2f, 16, 6},
      {-0x1.2e77a4p+0f, -0x1.ac86bp+2f, 0x1.a92da2p+2f, 128, 52},
      {0x1.61c2c8p+1f, -0x1.0ae0fep+1f, 0x1.9dd2a2p+1f, 256, 232},
      {0x1.ec9404p+0f, -0x1.5ce396p+2f, 0x1.5a29cep+2f, 255, 172},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const float limits[4] = {cases[i].in_low, cases[i].in_high, 0, (float)(cases[i].levels - 1)};
    for (int alike = 0; alike < 2; alike++)
      assert_int_equal((int)quantized(cases[i].x, limits, cases[i].levels, alike), cases[i].level);
  }
}

static void limits_are_exact_in_any_order(void **state) {
  (void)state;
  const float up[4] = {-0.3f, 0.7f, -0.1f, 0.9f}, down[4] = {0.7f, -0.3f, -0.1f, 0.9f}, point[4] = {0.5f, 0.5f, 1, 2};
  for (int alike = 0; alike < 2; alike++) {
    assert_true(quantized(-0.3f, up, 256, alike) == -0.1f && quantized(-9, up, 256, alike) == -0.1f);
    assert_true(quantized(0.8f, up, 256, alike) == 0.9f && quantized(INFINITY, up, 256, alike) == 0.9f);
    assert_true(quantized(-0.3f, down, 256, alike) == -0.1f && quantized(0.8f, down, 256, alike) == 0.9f);
    assert_true(quantized(0.5f, point, 2, alike) == 1 && quantized(0.6f, point, 2, alike) == 2);
    assert_true(isnan(quantized(NAN, up, 256, alike)) && isnan(quantized(NAN, down, 2, alike)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ties_are_those_of_openvino),
      cmocka_unit_test(limits_are_exact_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
