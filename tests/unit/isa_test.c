/* Kernels compute the same bits with each instruction set. */
#include "draw.h"
#include "op_model.h"
#include "ops/kernels/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* `sizes` are the dims of each input; 1037 elements fill no whole number of vectors. */
#define LINE                                                                                                           \
  { 1, 1037 }
#define PLANES                                                                                                         \
  { 2, 8, 9, 13 }
#define HEADS                                                                                                          \
  { 2, 39, 43 }

typedef struct isa_case {
  const char *type;
  int opset;
  const char *data;
  int n_inputs, rank;
  int64_t dims[IRRUN_MAX_RANK];
  int n_constants; /* of the inputs behind `n_inputs`, f32 scalars of `constants` */
  float constants[4];
} isa_case;

static const isa_case cases[] = {
    {"Abs", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Add", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Divide", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Maximum", 1, NULL, 2, 2, LINE, 0, {0}},
    {"SquaredDifference", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Exp", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Erf", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Tanh", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Sigmoid", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Swish", 4, NULL, 1, 2, LINE, 0, {0}},
    {"Gelu", 7, "approximation_mode='erf'", 1, 2, LINE, 0, {0}},
    {"Gelu", 7, "approximation_mode='tanh'", 1, 2, LINE, 0, {0}},
    {"HSwish", 4, NULL, 1, 2, LINE, 0, {0}},
    {"Mish", 4, NULL, 1, 2, LINE, 0, {0}},
    {"SoftPlus", 4, NULL, 1, 2, LINE, 0, {0}},
    {"Sqrt", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Power", 1, "auto_broadcast='numpy'", 1, 2, LINE, 1, {2}},
    {"Clamp", 1, "min='-1' max='1'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='f16'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='i8'", 1, 2, LINE, 0, {0}},
    {"FakeQuantize", 1, "levels='256'", 1, 4, PLANES, 4, {-2, 2, -1, 1}},
    {"SoftMax", 1, "axis='1'", 1, 2, LINE, 0, {0}},
    {"SoftMax", 1, "axis='1'", 1, 4, PLANES, 0, {0}},
    {"ScaledDotProductAttention", 13, "causal='false'", 3, 3, HEADS, 0, {0}},
    {"ScaledDotProductAttention", 13, "causal='true'", 3, 3, HEADS, 0, {0}},
    {"MatMul", 1, "transpose_b='true'", 2, 3, HEADS, 0, {0}},
    {"MatMul", 1, "transpose_b='true'", 2, 2, {5, 323}, 0, {0}},
    {"MatMul", 1, NULL, 2, 2, {43, 43}, 0, {0}},
};

enum { MOST_ELEMENTS = 4096 };

/* Runs the case on `x` and copies the bytes of the output. Returns their number. */
static size_t run_case(const isa_case *c, const float *x, unsigned char *bytes) {
  op_model model = {
      .type = c->type, .opset = c->opset, .data = c->data, .n_inputs = c->n_inputs + c->n_constants, .plain = true};
  for (int i = 0; i < c->n_inputs; i++) {
    model.inputs[i] = (op_input){.type = IR_F32, .rank = c->rank, .data = x + i * MOST_ELEMENTS};
    memcpy(model.inputs[i].dims, c->dims, sizeof c->dims);
  }
  for (int i = 0; i < c->n_constants; i++)
    model.inputs[c->n_inputs + i] = (op_input){.type = IR_F32, .data = &c->constants[i], .constant = true};
  model_run run = op_model_run(&model);
  const irrun_tensor_info info = irrun_tensor_get_info(run.values);
  assert_true(info.bytes > 0 && info.bytes <= MOST_ELEMENTS * sizeof(float));
  memcpy(bytes, info.data, info.bytes);
  model_run_end(&run);
  return info.bytes;
}

static void all_sets_compute_the_same_bits(void **state) {
  (void)state;
  static float x[3 * MOST_ELEMENTS];
  static unsigned char bytes[3][MOST_ELEMENTS * sizeof(float)];
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    x[i] = (float)between(-1000000, 1000000) / 100000.0f;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t n = 0;
    for (ir_isa isa = IR_ISA_ANY; isa <= IR_ISA_AVX512; isa++) {
      ir_isa_limit(isa);
      n = run_case(&cases[i], x, bytes[isa]);
      if (memcmp(bytes[isa], bytes[0], n) != 0)
        fail_msg("%s with set %d has other bits", cases[i].type, (int)isa);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_sets_compute_the_same_bits)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
