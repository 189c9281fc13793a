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
    {"Log", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Elu", 1, "alpha='0.3'", 1, 2, LINE, 0, {0}},
    {"Selu", 1, NULL, 1, 2, LINE, 2, {1.5f, 1.1f}},
    {"HSigmoid", 5, NULL, 1, 2, LINE, 0, {0}},
    {"PReLU", 1, NULL, 1, 2, LINE, 1, {0.3f}},
    {"Swish", 4, NULL, 1, 2, LINE, 1, {1.7f}},
    {"Swish", 4, NULL, 1, 2, LINE, 1, {1}},
    {"Floor", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Ceiling", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Round", 5, "mode='half_to_even'", 1, 2, LINE, 0, {0}},
    {"Round", 5, "mode='half_away_from_zero'", 1, 2, LINE, 0, {0}},
    {"Power", 1, "auto_broadcast='numpy'", 2, 2, LINE, 0, {0}},
    {"Power", 1, "auto_broadcast='numpy'", 1, 2, LINE, 1, {2}},
    {"Power", 1, "auto_broadcast='numpy'", 1, 2, LINE, 1, {3}},
    {"Power", 1, "auto_broadcast='numpy'", 1, 2, LINE, 1, {-5}},
    {"Power", 1, "auto_broadcast='numpy'", 1, 2, LINE, 1, {0.5f}},
    {"Power", 1, "auto_broadcast='numpy'", 1, 2, LINE, 1, {-0.5f}},
    {"Power", 1, "auto_broadcast='numpy'", 1, 2, LINE, 1, {-1}},
    {"Mod", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Greater", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Clamp", 1, "min='-1' max='1'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='f16'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='bf16'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='f64'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='i8'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='u64'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='u3'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='u4'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='nf4'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='f4e2m1'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='f8e4m3'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='f8e5m2'", 1, 2, LINE, 0, {0}},
    {"Convert", 1, "destination_type='f8e8m0'", 1, 2, LINE, 0, {0}},
    {"FakeQuantize", 1, "levels='256'", 1, 4, PLANES, 4, {-2, 2, -1, 1}},
    {"FakeQuantize", 1, "levels='255'", 5, 2, LINE, 0, {0}},
    {"SoftMax", 1, "axis='1'", 1, 2, LINE, 0, {0}},
    {"SoftMax", 1, "axis='1'", 1, 4, PLANES, 0, {0}},
    {"SoftMax", 1, "axis='3'", 1, 4, PLANES, 0, {0}},
    {"LogSoftmax", 5, "axis='1'", 1, 4, PLANES, 0, {0}},
    {"LogSoftmax", 5, "axis='1'", 1, 2, LINE, 0, {0}},
    {"MVN", 2, "eps='0.1' across_channels='false' normalize_variance='true'", 1, 4, PLANES, 0, {0}},
    {"MVN", 2, "eps='0.1' reduction_axes='1' normalize_variance='true'", 1, 4, PLANES, 0, {0}},
    {"MVN", 2, "eps='0.1' normalize_variance='false'", 1, 4, PLANES, 0, {0}},
    {"GRN", 1, "bias='1'", 1, 4, PLANES, 0, {0}},
    {"ScaledDotProductAttention", 13, "causal='false'", 3, 3, HEADS, 0, {0}},
    {"ScaledDotProductAttention", 13, "causal='true'", 3, 3, HEADS, 0, {0}},
    {"MatMul", 1, "transpose_b='true'", 2, 3, HEADS, 0, {0}},
    {"MatMul", 1, "transpose_b='true'", 2, 2, {5, 323}, 0, {0}},
    {"MatMul", 1, NULL, 2, 2, {43, 43}, 0, {0}},
};

/* Ops whose second input is the number of the axis; the test runs them with each axis of the data. */
static const isa_case axis_cases[] = {
    {"ReduceSum", 1, "keep_dims='true'", 1, 4, PLANES, 0, {0}},
    {"ReduceMean", 1, "keep_dims='true'", 1, 4, PLANES, 0, {0}},
    {"ReduceMax", 1, "keep_dims='true'", 1, 4, PLANES, 0, {0}},
    {"ReduceMin", 1, "keep_dims='true'", 1, 4, PLANES, 0, {0}},
    {"ReduceProd", 1, "keep_dims='true'", 1, 4, PLANES, 0, {0}},
    {"ReduceL1", 4, "keep_dims='true'", 1, 4, PLANES, 0, {0}},
    {"ReduceL2", 4, "keep_dims='true'", 1, 4, PLANES, 0, {0}},
    {"ReduceSum", 1, "keep_dims='true'", 1, 2, LINE, 0, {0}},
    {"ReduceMax", 1, "keep_dims='true'", 1, 2, LINE, 0, {0}},
    {"CumSum", 3, NULL, 1, 4, PLANES, 0, {0}},
    {"CumSum", 3, "exclusive='true' reverse='true'", 1, 4, PLANES, 0, {0}},
    {"MVN", 6, "eps='0.1' normalize_variance='true' eps_mode='inside_sqrt'", 1, 2, LINE, 0, {0}},
    {"NormalizeL2", 1, "eps='0.1' eps_mode='add'", 1, 4, PLANES, 0, {0}},
    {"LRN", 1, "alpha='0.1' beta='0.75' bias='1' size='5'", 1, 4, PLANES, 0, {0}},
    {"LRN", 1, "alpha='0.1' beta='0.6' bias='1' size='3'", 1, 4, PLANES, 0, {0}},
};

enum { MOST_ELEMENTS = 4096, MOST_INPUTS = 5 };

/* Runs the case on `x` and copies the bytes of the output. Returns their number. axis -1: the op has no input
 * for an axis. */
static size_t run_case(const isa_case *c, int64_t axis, const float *x, unsigned char *bytes) {
  op_model model = {
      .type = c->type, .opset = c->opset, .data = c->data, .n_inputs = c->n_inputs + c->n_constants, .plain = true};
  for (int i = 0; i < c->n_inputs; i++) {
    model.inputs[i] = (op_input){.type = IR_F32, .rank = c->rank, .data = x + i * MOST_ELEMENTS};
    memcpy(model.inputs[i].dims, c->dims, sizeof c->dims);
  }
  for (int i = 0; i < c->n_constants; i++)
    model.inputs[c->n_inputs + i] = (op_input){.type = IR_F32, .data = &c->constants[i], .constant = true};
  if (axis >= 0)
    model.inputs[model.n_inputs++] =
        (op_input){.type = IR_I64, .rank = 1, .dims = {1}, .data = &axis, .constant = true};
  model_run run = op_model_run(&model);
  const irrun_tensor_info info = irrun_tensor_get_info(run.values);
  assert_true(info.bytes > 0 && info.bytes <= MOST_ELEMENTS * sizeof(double));
  memcpy(bytes, info.data, info.bytes);
  model_run_end(&run);
  return info.bytes;
}

static void compare_sets(const isa_case *c, int64_t axis, const float *x) {
  static unsigned char bytes[3][MOST_ELEMENTS * sizeof(double)];
  for (ir_isa isa = IR_ISA_ANY; isa <= IR_ISA_AVX512; isa++) {
    ir_isa_limit(isa);
    const size_t n = run_case(c, axis, x, bytes[isa]);
    if (memcmp(bytes[isa], bytes[0], n) != 0)
      fail_msg("%s with set %d has other bits; axis %lld", c->type, (int)isa, (long long)axis);
  }
}

static void all_sets_compute_the_same_bits(void **state) {
  (void)state;
  static float x[MOST_INPUTS * MOST_ELEMENTS];
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    x[i] = (float)between(-1000000, 1000000) / 100000.0f;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    compare_sets(&cases[i], -1, x);
  for (size_t i = 0; i < sizeof axis_cases / sizeof *axis_cases; i++)
    for (int64_t axis = 0; axis < axis_cases[i].rank; axis++)
      compare_sets(&axis_cases[i], axis, x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_sets_compute_the_same_bits)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
