/* Kernels compute the same bits with each instruction set, and the same numbers in each type. */
#include "draw.h"
#include "family.h"
#include "op_model.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"

#include <math.h>
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
    {"Subtract", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Multiply", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Minimum", 1, NULL, 2, 2, LINE, 0, {0}},
    {"FloorMod", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Equal", 1, NULL, 2, 2, LINE, 0, {0}},
    {"NotEqual", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Less", 1, NULL, 2, 2, LINE, 0, {0}},
    {"LessEqual", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Greater", 1, NULL, 2, 2, LINE, 0, {0}},
    {"GreaterEqual", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Acos", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Acosh", 4, NULL, 1, 2, LINE, 0, {0}},
    {"Asin", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Asinh", 4, NULL, 1, 2, LINE, 0, {0}},
    {"Atan", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Atanh", 4, NULL, 1, 2, LINE, 0, {0}},
    {"Cos", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Cosh", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Sin", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Sinh", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Tan", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Sign", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Negative", 1, NULL, 1, 2, LINE, 0, {0}},
    {"ReLU", 1, NULL, 1, 2, LINE, 0, {0}},
    {"SoftSign", 9, NULL, 1, 2, LINE, 0, {0}},
    {"HardSigmoid", 1, NULL, 1, 2, LINE, 2, {0.2f, 0.5f}},
    {"IsFinite", 10, NULL, 1, 2, LINE, 0, {0}},
    {"IsInf", 10, NULL, 1, 2, LINE, 0, {0}},
    {"IsNaN", 10, NULL, 1, 2, LINE, 0, {0}},
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

/* Ops on integers without a sign; I64 and U64 give the same bits for them. */
static const isa_case whole_cases[] = {
    {"Add", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Subtract", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Multiply", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Divide", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Divide", 1, "m_pythondiv='false'", 2, 2, LINE, 0, {0}},
    {"Maximum", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Minimum", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Mod", 1, NULL, 2, 2, LINE, 0, {0}},
    {"FloorMod", 1, NULL, 2, 2, LINE, 0, {0}},
    {"SquaredDifference", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Equal", 1, NULL, 2, 2, LINE, 0, {0}},
    {"NotEqual", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Less", 1, NULL, 2, 2, LINE, 0, {0}},
    {"LessEqual", 1, NULL, 2, 2, LINE, 0, {0}},
    {"Greater", 1, NULL, 2, 2, LINE, 0, {0}},
    {"GreaterEqual", 1, NULL, 2, 2, LINE, 0, {0}},
    {"BitwiseAnd", 13, NULL, 2, 2, LINE, 0, {0}},
    {"BitwiseOr", 13, NULL, 2, 2, LINE, 0, {0}},
    {"BitwiseXor", 13, NULL, 2, 2, LINE, 0, {0}},
    {"BitwiseLeftShift", 15, NULL, 2, 2, LINE, 0, {0}},
    {"BitwiseRightShift", 15, NULL, 2, 2, LINE, 0, {0}},
    {"Abs", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Sign", 1, NULL, 1, 2, LINE, 0, {0}},
    {"ReLU", 1, NULL, 1, 2, LINE, 0, {0}},
    {"Clamp", 1, "min='-1' max='1'", 1, 2, LINE, 0, {0}},
    {"Clamp", 1, "min='3.5' max='1e30'", 1, 2, LINE, 0, {0}},
};

enum { MOST_ELEMENTS = 4096, MOST_INPUTS = 5 };

/* The numbers x in each type; those of integers are whole and not negative. */
static float x_f32[MOST_INPUTS * MOST_ELEMENTS];
static double x_f64[MOST_INPUTS * MOST_ELEMENTS];
static int64_t x_i64[MOST_INPUTS * MOST_ELEMENTS];

static const void *numbers_of(ir_type type, size_t at) {
  return type == IR_F32 ? (const void *)(x_f32 + at) : type == IR_F64 ? (const void *)(x_f64 + at) : x_i64 + at;
}

/* Runs the case in a type and copies the bytes of the output. Returns their number. axis -1: the op has no input
 * for an axis. */
static size_t run_case(const isa_case *c, ir_type type, int64_t axis, unsigned char *bytes) {
  op_model model = {
      .type = c->type, .opset = c->opset, .data = c->data, .n_inputs = c->n_inputs + c->n_constants, .plain = true};
  for (int i = 0; i < c->n_inputs; i++) {
    model.inputs[i] = (op_input){.type = type, .rank = c->rank, .data = numbers_of(type, (size_t)i * MOST_ELEMENTS)};
    memcpy(model.inputs[i].dims, c->dims, sizeof c->dims);
  }
  double wide[4];
  for (int i = 0; i < c->n_constants; i++) {
    wide[i] = (double)c->constants[i];
    const void *data = type == IR_F32 ? (const void *)&c->constants[i] : &wide[i];
    model.inputs[c->n_inputs + i] = (op_input){.type = type, .data = data, .constant = true};
  }
  if (axis >= 0)
    model.inputs[model.n_inputs++] =
        (op_input){.type = IR_I64, .rank = 1, .dims = {1}, .data = &axis, .constant = true};
  model_run run = op_model_run(&model);
  const irrun_tensor_info info = irrun_tensor_get_info(run.values);
  if (run.status != IRRUN_OK)
    fail_msg("%s in %s: %s", c->type, ir_type_name(type), model_run_rules(&run));
  assert_true(info.bytes > 0 && info.bytes <= MOST_ELEMENTS * sizeof(double));
  memcpy(bytes, info.data, info.bytes);
  model_run_end(&run);
  return info.bytes;
}

static unsigned char bytes[3][MOST_ELEMENTS * sizeof(double)];

/* Leaves the output with each set in `bytes`, and returns its size. */
static size_t compare_sets(const isa_case *c, ir_type type, int64_t axis) {
  size_t n = 0;
  for (ir_isa isa = IR_ISA_ANY; isa <= IR_ISA_AVX512; isa++) {
    ir_isa_limit(isa);
    n = run_case(c, type, axis, bytes[isa]);
    if (memcmp(bytes[isa], bytes[0], n) != 0)
      fail_msg("%s in %s with set %d has other bits; axis %lld", c->type, ir_type_name(type), (int)isa,
               (long long)axis);
  }
  return n;
}

/* Compares the results in f64 and f32, which have the same bits if the output has a type of its own. A sum of 43
 * products of numbers up to 10 loses three of the seven digits of f32. */
static void compare_floats(const isa_case *c, int64_t axis) {
  static unsigned char narrow[MOST_ELEMENTS * sizeof(double)];
  const size_t n = compare_sets(c, IR_F32, axis);
  memcpy(narrow, bytes[0], n);
  if (compare_sets(c, IR_F64, axis) == n) {
    if (memcmp(narrow, bytes[0], n) != 0)
      fail_msg("%s of f64 differs from f32", c->type);
    return;
  }
  for (size_t i = 0; i < n / sizeof(float); i++) {
    const double y = (double)((const float *)narrow)[i], exact = ((const double *)bytes[0])[i];
    if (!(fabs(y - exact) <= 1e-4 * (1 + fabs(exact))) && !(isnan(y) && isnan(exact)) && y != exact)
      fail_msg("%s: element %zu is %g in f32 and %g in f64; axis %lld", c->type, i, y, exact, (long long)axis);
  }
}

static void all_sets_compute_the_same_bits(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof x_f32 / sizeof *x_f32; i++) {
    x_f32[i] = (float)between(-1000000, 1000000) / 100000.0f;
    x_f64[i] = (double)x_f32[i];
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    compare_floats(&cases[i], -1);
  for (size_t i = 0; i < sizeof axis_cases / sizeof *axis_cases; i++)
    for (int64_t axis = 0; axis < axis_cases[i].rank; axis++)
      compare_floats(&axis_cases[i], axis);
}

static void signs_make_no_difference_above_0(void **state) {
  (void)state;
  unsigned char with_sign[sizeof bytes[0]];
  for (size_t i = 0; i < sizeof x_i64 / sizeof *x_i64; i++)
    x_i64[i] = between(1, 70);
  for (size_t i = 0; i < sizeof whole_cases / sizeof *whole_cases; i++) {
    const size_t n = compare_sets(&whole_cases[i], IR_I64, -1);
    memcpy(with_sign, bytes[0], n);
    if (compare_sets(&whole_cases[i], IR_U64, -1) != n || memcmp(with_sign, bytes[0], n) != 0)
      fail_msg("%s: u64 differs from i64", whole_cases[i].type);
  }
}

/* ---- every type of elements ---- */

/* Input i has the type under test if typed[i], and its numbers are then converted from f64. */
typedef struct typed_case {
  const char *type;
  int opset;
  const char *data;
  int n_inputs;
  bool typed[5], is_float; /* is_float: the op takes no integers */
  op_input inputs[5];
} typed_case;

#define NUMBERS(...)                                                                                                   \
  {                                                                                                                    \
    .rank = 1, .dims = {sizeof((double[]){__VA_ARGS__}) / sizeof(double)}, .data = (double[]) {                        \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
  }
#define PLANE(...)                                                                                                     \
  {                                                                                                                    \
    .rank = 4, .dims = {1, 1, 4, 4}, .data = (double[]) {                                                              \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
  }
#define INDICES(...)                                                                                                   \
  {                                                                                                                    \
    .type = IR_I64, .rank = 1, .dims = {sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)},                           \
    .data = (int64_t[]){__VA_ARGS__}, .constant = true                                                                 \
  }
#define AXIS_0                                                                                                         \
  { .type = IR_I64, .rank = 0, .data = (int64_t[]){0}, .constant = true }
#define SCATTER(opset, reduction)                                                                                      \
  {                                                                                                                    \
    "ScatterElementsUpdate", opset, "reduction='" reduction "'", 4, {true, false, true}, false, {                      \
      NUMBERS(6, 5, 4, 3), INDICES(1, 3, 1), NUMBERS(2, 7, 1), AXIS_0                                                  \
    }                                                                                                                  \
  }
#define PLANE_NUMBERS PLANE(1, 2, 3, 4, 5, 6, 7, 8, 16, 15, 14, 13, 12, 11, 10, 9)
#define REGION                                                                                                         \
  {                                                                                                                    \
    .rank = 2, .dims = {1, 5}, .data = (double[]) {                                                                    \
      0, 0, 0, 3, 3                                                                                                    \
    }                                                                                                                  \
  }

static const typed_case typed_cases[] = {
    SCATTER(12, "none"),
    SCATTER(12, "sum"),
    SCATTER(12, "prod"),
    SCATTER(12, "min"),
    SCATTER(12, "max"),
    {"ScatterNDUpdate",
     15,
     "reduction='sub'",
     3,
     {true, false, true},
     false,
     {NUMBERS(60, 50, 40, 30),
      {.type = IR_I64, .rank = 2, .dims = {3, 1}, .data = (int64_t[]){1, 3, 1}},
      NUMBERS(2, 7, 1)}},
    {"Select",
     1,
     NULL,
     3,
     {false, true, true},
     false,
     {{.type = IR_BOOLEAN, .rank = 1, .dims = {4}, .data = (uint8_t[]){1, 0, 2, 0}},
      NUMBERS(1, 2, 3, 4),
      NUMBERS(5, 6, 7, 8)}},
    {"TopK",
     11,
     "axis='2' mode='max' sort='value' index_element_type='i64'",
     2,
     {true},
     false,
     {PLANE_NUMBERS, {.type = IR_I64, .data = (int64_t[]){2}, .constant = true}}},
    {"TopK",
     11,
     "axis='3' mode='min' sort='index' index_element_type='i64'",
     2,
     {true},
     false,
     {PLANE_NUMBERS, {.type = IR_I64, .data = (int64_t[]){3}, .constant = true}}},
    {"CumSum", 3, "exclusive='true'", 2, {true}, false, {NUMBERS(1, 2, 3, 4, 5), AXIS_0}},
    {"ReduceL1", 4, NULL, 2, {true}, false, {PLANE_NUMBERS, INDICES(2)}},
    {"ReduceMin", 1, NULL, 2, {true}, false, {PLANE_NUMBERS, INDICES(3)}},
    {"ReduceMax", 1, NULL, 2, {true}, false, {PLANE_NUMBERS, INDICES(2, 3)}},
    {"ReduceProd", 1, NULL, 2, {true}, false, {NUMBERS(1, 2, 3, 4), INDICES(0)}},
    {"Interpolate",
     11,
     "mode='nearest' shape_calculation_mode='sizes' coordinate_transformation_mode='asymmetric' nearest_mode='floor'",
     3,
     {true},
     false,
     {PLANE_NUMBERS, INDICES(7, 3), INDICES(2, 3)}},
    {"GridSample",
     9,
     "mode='nearest' padding_mode='zeros' align_corners='true'",
     2,
     {true},
     false,
     {PLANE_NUMBERS, {.type = IR_F32, .rank = 4, .dims = {1, 1, 3, 2}, .data = (float[]){-1, -1, 0.5f, 0.2f, 1, 9}}}},
    {"ROIPooling",
     2,
     "pooled_h='2' pooled_w='2' spatial_scale='1' method='max'",
     2,
     {true, true},
     true,
     {PLANE_NUMBERS, REGION}},
    {"ROIPooling",
     2,
     "pooled_h='3' pooled_w='2' spatial_scale='0.25' method='bilinear'",
     2,
     {true, true},
     true,
     {PLANE_NUMBERS, {.rank = 2, .dims = {1, 5}, .data = (double[]){0, 0.25, 0, 0.75, 1}}}},
};

static const ir_type all_types[] = {IR_F32, IR_F64, IR_F16, IR_BF16, IR_I8,  IR_U8,
                                    IR_I16, IR_U16, IR_I32, IR_U32,  IR_I64, IR_U64};

/* Runs the case in a type and returns its outputs as f64. */
static int64_t run_typed(const typed_case *c, ir_type type, double *out) {
  static double elements[5][16];
  op_model model = {.type = c->type, .opset = c->opset, .data = c->data, .n_inputs = c->n_inputs, .plain = true};
  for (int i = 0; i < c->n_inputs; i++) {
    model.inputs[i] = c->inputs[i];
    if (!c->typed[i])
      continue;
    int64_t n = 1;
    for (int axis = 0; axis < c->inputs[i].rank; axis++)
      n *= c->inputs[i].dims[axis];
    ir_compute_store(IR_COMPUTE_F64, c->inputs[i].data, type, elements[i], n);
    model.inputs[i].type = type;
    model.inputs[i].data = elements[i];
  }
  model_run run = op_model_run(&model);
  if (run.status != IRRUN_OK)
    fail_msg("%s of %s: %s", c->type, ir_type_name(type), model_run_rules(&run));
  const irrun_tensor_info info = irrun_tensor_get_info(run.values);
  assert_true(info.elements > 0 && info.elements <= MOST_ELEMENTS);
  ir_compute_load(type, info.data, IR_COMPUTE_F64, out, info.elements);
  const int64_t n = info.elements;
  model_run_end(&run);
  return n;
}

static void all_types_hold_the_same_numbers(void **state) {
  (void)state;
  static double expected[MOST_ELEMENTS], got[MOST_ELEMENTS];
  ir_isa_limit(IR_ISA_AVX512);
  for (size_t i = 0; i < sizeof typed_cases / sizeof *typed_cases; i++) {
    const typed_case *c = &typed_cases[i];
    const int64_t n = run_typed(c, IR_F32, expected);
    for (size_t t = 1; t < (c->is_float ? 3 : sizeof all_types / sizeof *all_types); t++) {
      assert_int_equal(run_typed(c, all_types[t], got), n);
      if (memcmp(got, expected, (size_t)n * sizeof *got) != 0)
        fail_msg("%s %s: %s differs from f32", c->type, c->data == NULL ? "" : c->data, ir_type_name(all_types[t]));
    }
  }
}

/* ---- families of ops ---- */

/* Runs a family's model with plain kernels and hashes its outputs. */
static uint64_t run_family(const char *family) {
  char xml[FAMILY_PATH];
  irrun_run *run;
  model_run read = model_run_read(family_model(family, xml), IRRUN_TO_RUN, NULL);
  irrun_context_set_kernels(read.context, IRRUN_KERNELS_PLAIN);
  assert_int_equal(irrun_run_create(read.model, &run), IRRUN_OK);
  assert_true(family_set_inputs(read.context, read.model, run, family, false));
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  uint64_t hash = 1;
  const irrun_tensor *tensor;
  for (int64_t i = 0; (tensor = irrun_run_output(run, i)) != NULL; i++) {
    const irrun_tensor_info info = irrun_tensor_get_info(tensor);
    for (size_t k = 0; k < info.bytes; k++)
      hash = hash * 1000003 + ((const unsigned char *)info.data)[k];
  }
  irrun_run_free(run);
  model_run_end(&read);
  return hash;
}

static void families_have_the_same_bits(void **state) {
  (void)state;
  for (size_t i = 0; i < FAMILIES; i++) {
    ir_isa_limit(IR_ISA_ANY);
    const uint64_t hash = run_family(families[i]);
    for (ir_isa isa = IR_ISA_AVX2; isa <= IR_ISA_AVX512; isa++) {
      ir_isa_limit(isa);
      if (run_family(families[i]) != hash)
        fail_msg("%s with set %d has other bits", families[i], (int)isa);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_sets_compute_the_same_bits),
      cmocka_unit_test(signs_make_no_difference_above_0),
      cmocka_unit_test(all_types_hold_the_same_numbers),
      cmocka_unit_test(families_have_the_same_bits),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
