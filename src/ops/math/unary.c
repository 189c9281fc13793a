/* Implements ops that compute an output element from one element of input 0: activations, arithmetic functions,
 * rounding, tests of floats. Specification: operation-specs/activation, arithmetic, comparison, logical, bitwise. */
#include "ops/fast/fast.h"
#include "ops/float_ranges.h"
#include "ops/kernels/elementwise.h"
#include "ops/kernels/functions.h"
#include "ops/math/broadcast.h"
#include "ops/math/elementwise_infer.h"
#include "ops/math/unary_ranges.h"
#include "ops/op.h"
#include "ops/ranges.h"
#include <tgmath.h>

/* ---- shapes ---- */

/* Infers a boolean output of the input's shape. */
static ir_code infer_test(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_code code = ir_elementwise_infer(node, in, out, scope);
  out->type = IR_BOOLEAN;
  return code;
}

/* Returns true if PReLU's slope fits the data: [C] for data [N, C, D..], or a shape that numpy's rules broadcast to the
 * data. */
static bool slope_fits(const ir_shape *data, const ir_shape *slope) {
  if (data->rank == IR_RANK_UNKNOWN || slope->rank == IR_RANK_UNKNOWN)
    return true;
  if (slope->rank == 1 && data->rank > 1 && ir_dims_meet(slope->dims[0], data->dims[1]))
    return true;
  const ir_broadcast_result stretched = ir_broadcast_shapes((ir_broadcast){.mode = IR_BROADCAST_NUMPY}, data, slope);
  return stretched.fit == IR_BROADCAST_FITS && ir_shapes_meet(&stretched.shape, data);
}

/* Reports a slope that does not fit. OpenVINO reads such a model, but its CPU plugin cannot compile the model. */
static ir_code infer_prelu(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (!in[0]->poisoned && !in[1]->poisoned && !slope_fits(&in[0]->shape, &in[1]->shape)) {
    char data[IR_SHAPE_TEXT], slope[IR_SHAPE_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
              "a slope of shape %s; expected one for each channel of %s, or a shape that is broadcast to it",
              ir_shape_text(&in[1]->shape, slope, sizeof slope), ir_shape_text(&in[0]->shape, data, sizeof data));
  }
  return ir_elementwise_infer(node, in, out, scope);
}

/* ---- attributes ---- */

typedef struct unary_params {
  double min, max, alpha;
  int mode;
  bool detect_negative, detect_positive;
} unary_params;

#define NUMBER(text, field)                                                                                            \
  { .name = text, .kind = IR_ATTR_FLOAT, .offset = offsetof(unary_params, field), .required = true }
#define WORD(text, words, otherwise)                                                                                   \
  { .name = text, .kind = IR_ATTR_ENUM, .offset = offsetof(unary_params, mode), .names = words, .fallback = otherwise }
#define FLAG(text, field)                                                                                              \
  { .name = text, .kind = IR_ATTR_BOOL, .offset = offsetof(unary_params, field), .fallback = "true" }

/* Sets the ranges of Clamp. For integers, 'min' is rounded up and 'max' down. */
static ir_code clamp_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const unary_params *params = node->params;
  const int64_t n = ir_ranges_count(out);
  const bool are_floats = ir_type_in(out->type, IR_SET_FLOATS);
  const double min = are_floats ? params->min : ceil(params->min), max = are_floats ? params->max : floor(params->max);
  ir_dim ranges[IR_MAX_RANGES], limits = ir_range_of_interval((ir_interval){min, max});
  if (!ir_ranges_pass(in[0], out) || node->attrs_at_fault != 0 || !(min < 0x1p63 && max >= -0x1p63 && min <= max))
    return IR_OK;
  limits = ir_range_converted(limits, IR_F64, are_floats ? out->type : IR_I64);
  for (int64_t i = 0; i < n; i++) {
    const ir_dim range = ir_range_at(in[0], i);
    const bool may_be_nan = are_floats && range.lo == INT64_MIN;
    ranges[i] = may_be_nan ? range : ir_range_least(ir_range_most(range, ir_dim_of(limits.lo)), ir_dim_of(limits.hi));
  }
  return ir_ranges_set(out, ranges, scope);
}

static ir_code round_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return (((const unary_params *)node->params)->mode == 0 ? ir_round_to_even_ranges : ir_round_away_ranges)(node, in,
                                                                                                            out, scope);
}

static const char *const gelu_modes[] = {"erf", "tanh", NULL};
static const char *const round_modes[] = {"half_to_even", "half_away_from_zero", NULL};

static const ir_attr_spec clamp_attrs[] = {NUMBER("min", min), NUMBER("max", max), {.name = NULL}};
static const ir_attr_spec elu_attrs[] = {NUMBER("alpha", alpha), {.name = NULL}};
static const ir_attr_spec gelu_attrs[] = {WORD("approximation_mode", gelu_modes, "erf"), {.name = NULL}};
static const ir_attr_spec round_attrs[] = {WORD("mode", round_modes, "half_to_even"), {.name = NULL}};
static const ir_attr_spec inf_attrs[] = {
    FLAG("detect_negative", detect_negative), FLAG("detect_positive", detect_positive), {.name = NULL}};

static void check_clamp(const ir_node *node, ir_scope *scope) {
  const unary_params *params = node->params;
  if (node->attrs_at_fault == 0 && params->min > params->max)
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, "max"),
              "'max' is %g, and 'min' is %g; expected 'max' of at least that", params->max, params->min);
}

/* ---- formulas ---- */

#define ELEMENTWISE(kernel, ...)                                                                                       \
  static const ir_elementwise kernel##_elementwise = {.name = #kernel, .rows = __VA_ARGS__};
#define FLOAT_ROWS(name, ...)                                                                                          \
  IR_ELEMENTWISE_1(name##_f32, float, float, __VA_ARGS__) IR_ELEMENTWISE_1(name##_f64, double, double, __VA_ARGS__)
/* The macros treat integers differently. FLOATS and FLOATS_BY compute integers in f64, ROUNDING leaves integers
 * unchanged, and SIGNED has formulas for signed and for unsigned integers. FLOATS_BY has one formula for f32, with
 * functions of functions.h, and one for f64, with functions of the C library. */
#define FLOATS(name, ...) FLOAT_ROWS(name, __VA_ARGS__) ELEMENTWISE(name, {name##_f32, name##_f64})
#define FLOATS_BY(name, n, floats, ...)                                                                                \
  IR_ELEMENTWISE_##n(name##_f32, float, float, floats) IR_ELEMENTWISE_##n(name##_f64, double, double, __VA_ARGS__)     \
      ELEMENTWISE(name, {name##_f32, name##_f64})
#define ROUNDING(name, ...) FLOAT_ROWS(name, __VA_ARGS__) ELEMENTWISE(name, {name##_f32, name##_f64, stay, stay})
#define SIGNED(name, integers, unsigned_row, ...)                                                                      \
  FLOAT_ROWS(name, __VA_ARGS__)                                                                                        \
  IR_ELEMENTWISE_1(name##_i64, int64_t, int64_t, integers)                                                             \
  ELEMENTWISE(name, {name##_f32, name##_f64, name##_i64, unsigned_row})
#define TRUTHS(name, ...)                                                                                              \
  IR_ELEMENTWISE_1(name##_f32, float, bool, __VA_ARGS__)                                                               \
  IR_ELEMENTWISE_1(name##_f64, double, bool, __VA_ARGS__) ELEMENTWISE(name, {name##_f32, name##_f64}, .of_truths = true)
#define GIVEN                ((const unary_params *)call->params)
#define HELD(x, least, most) ((x) < (least) ? (least) : (x) > (most) ? (most) : (x))

/* Solves erf(y) = x. The first guess is by a formula of S. Winitzki (2008), with a relative error of 2e-3. Then each of
 * three steps of Halley's method cubes the error. If |x| >= 0.5, erf(y) - |x| would lose digits, so (1 - |x|) - erfc(y)
 * replaces it. */
static double inverse_of_erf(double x) {
  const double size = fabs(x), a = 0.147;
  if (!(size < 1))
    return size == 1 ? copysign(INFINITY, x) : NAN;
  const double log_rest = log1p(-size * size), half = M_2_PI / a + log_rest / 2;
  double y = sqrt(sqrt(half * half - log_rest / a) - half);
  for (int i = 0; i < 3; i++) {
    const double error = size < 0.5 ? erf(y) - size : (1 - size) - erfc(y);
    const double step = error / (M_2_SQRTPI * exp(-y * y));
    y -= step / (1 + y * step);
  }
  return copysign(y, x);
}

IR_ELEMENTWISE_1(stay, uint64_t, uint64_t, x)
IR_ELEMENTWISE_1(sign_u64, uint64_t, uint64_t, x > 0)
IR_ELEMENTWISE_1(negative_bits, uint64_t, uint64_t, 0 - x)
IR_ELEMENTWISE_1(flip_bits, uint64_t, uint64_t, call->type == IR_BOOLEAN ? x == 0 : ~x)
IR_ELEMENTWISE_1(is_0, uint64_t, uint64_t, x == 0)
IR_ELEMENTWISE_1(is_false, uint8_t, uint8_t, x == 0)

FLOATS(acos, acos(x))
FLOATS(acosh, acosh(x))
FLOATS(asin, asin(x))
FLOATS(asinh, asinh(x))
FLOATS(atan, atan(x))
FLOATS(atanh, atanh(x))
FLOATS(cos, cos(x))
FLOATS(cosh, cosh(x))
FLOATS_BY(erf, 1, ir_erf_f32(x), erf(x))
FLOATS(erf_inverse, inverse_of_erf(x))
FLOATS_BY(exp, 1, ir_exp_f32(x), exp(x))
FLOATS_BY(log, 1, ir_log_f32(x), log(x))
FLOATS(sin, sin(x))
FLOATS(sinh, sinh(x))
FLOATS(sqrt, sqrt(x))
FLOATS(tan, tan(x))
FLOATS_BY(tanh, 1, ir_tanh_f32(x), tanh(x))
ROUNDING(ceiling, ceil(x))
ROUNDING(floor, floor(x))
ROUNDING(round_to_even, rint(x))
ROUNDING(round_away, round(x))

/* Abs leaves the lowest number of a signed type unchanged, because its negation does not fit the type. OpenVINO's CPU
 * plugin returns 127 for -128 in i8; for wider types its result is the same. */
SIGNED(abs, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, stay, fabs(x))
SIGNED(sign, (x > 0) - (x < 0), sign_u64, x > 0 ? 1 : x < 0 ? -1 : x)
/* ReLU of -0 is 0, ReLU of NaN is NaN. OpenVINO's CPU plugin returns 0 for NaN. */
SIGNED(relu, x > 0 ? x : 0, stay, x <= 0 ? 0 : x)
FLOAT_ROWS(negative, -x)
ELEMENTWISE(negative, {negative_f32, negative_f64, negative_bits, negative_bits})
FLOAT_ROWS(logical_not, x == 0)
ELEMENTWISE(logical_not, {logical_not_f32, logical_not_f64, is_0, is_0, is_false})
ELEMENTWISE(bitwise_not, {[IR_COMPUTE_I64] = flip_bits, [IR_COMPUTE_U64] = flip_bits})

FLOATS_BY(sigmoid, 1, ir_sigmoid_f32(x), 1 / (1 + exp(-x)))
FLOATS_BY(soft_plus, 1, ir_soft_plus_f32(x), fmax(x, 0) + log1p(exp(-fabs(x))))
FLOATS(soft_sign, x / (1 + fabs(x)))
FLOATS_BY(mish, 1, ir_mish_f32(x), x *tanh(fmax(x, 0) + log1p(exp(-fabs(x)))))
FLOATS(hsigmoid, HELD((x + 3) / 6, 0, 1))
/* Divides x by 8 first, because x * 6 overflows for large x. */
FLOATS(hswish, x / 8 * HELD(x + 3, 0, 6) / 6 * 8)
FLOATS_BY(elu, 1, x > 0 ? x : (float)GIVEN->alpha * ir_expm1_f32(x), x > 0 ? x : GIVEN->alpha * expm1(x))
/* For negative x, 1 + erf(x) loses digits, so erfc(-x) replaces it. For the same reason 2 / (1 + exp(-2x)) replaces 1 +
 * tanh(x). The sum is halved before it is multiplied by x, because the product could overflow. */
FLOATS_BY(gelu_erf, 1, ir_gelu_f32(x), x *((x < -1 ? erfc(-x * M_SQRT1_2) : 1 + erf(x * M_SQRT1_2)) / 2))
FLOATS_BY(gelu_tanh, 1, ir_gelu_tanh_f32(x), x / (1 + exp(-2 * M_2_SQRTPI * M_SQRT1_2 * x * (1 + 0.044715 * x * x))))
FLOATS_BY(swish_1, 1, ir_sigmoid_times_f32(x, 0, x), x / (1 + exp(-x)))

TRUTHS(is_finite, isfinite(x))
TRUTHS(is_nan, isnan(x))
TRUTHS(is_inf, isinf(x) && (x > 0 ? GIVEN->detect_positive : GIVEN->detect_negative))

/* Converts a rounded limit of Clamp to int64_t or uint64_t; a limit outside the type's range becomes the nearest
 * number. */
static int64_t whole_limit(double limit) {
  return limit >= 0x1p63 ? INT64_MAX : limit < -0x1p63 ? INT64_MIN : (int64_t)limit;
}

static uint64_t unsigned_limit(double limit) {
  return limit >= 0x1p64 ? UINT64_MAX : limit < 0 ? 0 : (uint64_t)limit;
}

IR_LOOP void clamp_f32_loop(const ir_elementwise_call *call) {
  const float *xs = call->in[0], min = (float)GIVEN->min, max = (float)GIVEN->max;
  float *out = call->out;
  const int64_t n = call->n;
  for (int64_t i = 0; i < n; i++)
    out[i] = HELD(xs[i], min, max);
}
IR_EACH_ISA(clamp_f32, (const ir_elementwise_call *call), (call))
IR_ELEMENTWISE_1(clamp_f64, double, double, HELD(x, GIVEN->min, GIVEN->max))
IR_ELEMENTWISE_1(clamp_i64, int64_t, int64_t, HELD(x, whole_limit(ceil(GIVEN->min)), whole_limit(floor(GIVEN->max))))
IR_ELEMENTWISE_1(clamp_u64, uint64_t, uint64_t,
                 HELD(x, unsigned_limit(ceil(GIVEN->min)), unsigned_limit(floor(GIVEN->max))))
ELEMENTWISE(clamp, {clamp_f32, clamp_f64, clamp_i64, clamp_u64})

#define SLOPED(name, n, ...)                                                                                           \
  IR_ELEMENTWISE_##n(name##_f32, float, float, __VA_ARGS__)                                                            \
      IR_ELEMENTWISE_##n(name##_f64, double, double, __VA_ARGS__) ELEMENTWISE(name, {name##_f32, name##_f64})
/* A product of 200 is as good as a larger one: the quotient is 0 or a. */
IR_ELEMENTWISE_2(swish_of_products, float, float, ir_sigmoid_times_of_f64(HELD((double)a *b, -200, 200), a))
static void swish_2_f32(const ir_elementwise_call *call) {
  (call->repeats[1] && *(const float *)call->in[1] == 1 ? swish_1_f32 : swish_of_products)(call);
}
IR_ELEMENTWISE_2(swish_2_f64, double, double, a / (1 + exp(-a * b)))
ELEMENTWISE(swish_2, {swish_2_f32, swish_2_f64})
SLOPED(prelu, 2, a < 0 ? a * b : a)
SLOPED(hard_sigmoid, 3, HELD(a *b + c, 0, 1))
FLOATS_BY(selu, 3, c *(a > 0 ? a : b * ir_expm1_f32(a)), c *(a > 0 ? a : b * expm1(a)))

static ir_code prepare_swish(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const int offsets[] = {0, node->outputs[0].shape.rank};
  return ir_elementwise_step(plan, node, in, node->n_inputs == 1 ? &swish_1_elementwise : &swish_2_elementwise, offsets,
                             scope);
}

static ir_code prepare_prelu(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *slope = &in[1]->shape;
  const bool is_of_channels = slope->rank == 1 && data->rank > 1 && slope->dims[0].lo == data->dims[1].lo;
  const int offsets[] = {0, is_of_channels ? 1 : data->rank - slope->rank};
  return ir_elementwise_step(plan, node, in, &prelu_elementwise, offsets, scope);
}

static ir_code prepare_gelu(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const bool is_tanh = ((const unary_params *)node->params)->mode == 1;
  return ir_elementwise_step(plan, node, in, is_tanh ? &gelu_tanh_elementwise : &gelu_erf_elementwise, &(int){0},
                             scope);
}

static ir_code prepare_round(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const bool goes_away = ((const unary_params *)node->params)->mode == 1;
  return ir_elementwise_step(plan, node, in, goes_away ? &round_away_elementwise : &round_to_even_elementwise,
                             &(int){0}, scope);
}

/* ---- post-ops ---- */

/* Defines a function for ir_op.post_op. The caller checks that the op computes floats. */
#define POST_OP(name, of_kind, of_a, of_b)                                                                             \
  static bool name##_post_op(const ir_node *node, ir_post_op *out) {                                                   \
    const unary_params *params = node->params;                                                                         \
    (void)params;                                                                                                      \
    *out = (ir_post_op){.kind = of_kind, .a = (float)(of_a), .b = (float)(of_b)};                                      \
    return true;                                                                                                       \
  }
POST_OP(relu, IR_POST_RELU, 0, 0)
POST_OP(clamp, IR_POST_CLAMP, params->min, params->max)
POST_OP(sigmoid, IR_POST_SIGMOID, 0, 0)
POST_OP(tanh, IR_POST_TANH, 0, 0)
POST_OP(hswish, IR_POST_HSWISH, 0, 0)
POST_OP(elu, IR_POST_ELU, params->alpha, 0)

static bool swish_post_op(const ir_node *node, ir_post_op *out) {
  *out = (ir_post_op){.kind = IR_POST_SWISH, .a = 1};
  return node->n_inputs == 1;
}

static bool gelu_post_op(const ir_node *node, ir_post_op *out) {
  const bool is_tanh = ((const unary_params *)node->params)->mode == 1;
  *out = (ir_post_op){.kind = is_tanh ? IR_POST_GELU_TANH : IR_POST_GELU_ERF};
  return true;
}

/* ---- the rows ---- */

#define ROW(name, text, number, page, ...)                                                                             \
  const ir_op ir_op_##name = {.dialect = IR_OPENVINO,                                                                  \
                              .type = text,                                                                            \
                              .version = number,                                                                       \
                              .spec = IR_SPEC_PAGE(page),                                                              \
                              .cost = ir_elementwise_cost,                                                             \
                              __VA_ARGS__};
#define RUN_BY(formula)                                                                                                \
  .elementwise = &formula##_elementwise, .run = {IR_RUN_PREPARED, .prepare = ir_elementwise_prepare}
#define T(port, set) IR_PORT_OF_ANY_RANK(port, "T", set)
/* Port row of a float input. No kernel takes 8-bit or 4-bit floats. */
#define FLOAT_PORT(port, var)                                                                                          \
  { .name = port, .type_var = var, .types = IR_SET_FLOATS, .types_carried = IR_CARRIED_NONE, .rank_max = IR_MAX_RANK }
/* Port row with additional types `noted`: OpenVINO takes them, but the specification excludes them. */
#define NOTED(port, var, set, noted) NOTED_OF(port, var, set, noted, IR_CARRIED_WIDENED)
#define NOTED_OF(port, var, set, noted, carried)                                                                       \
  {                                                                                                                    \
    .name = port, .type_var = var, .types = set, .types_noted = noted, .types_carried = carried,                       \
    .rank_max = IR_MAX_RANK, .ranges = true                                                                            \
  }
#define SCALAR(port, noted)                                                                                            \
  { .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_noted = noted, .types_carried = IR_CARRIED_NONE }
#define NOT_FLOATS (IR_SET_INTEGERS | IR_SET(IR_BOOLEAN))
#define BOOLEAN    IR_SET(IR_BOOLEAN)

/* Row of an op with one float input and without attributes. */
#define FUNCTION(name, formula, text, number, page)                                                                    \
  ROW(name, text, number, page, .inputs = IR_PORTS(FLOAT_PORT("data", "T")),                                           \
      .outputs = IR_PORTS(T("output", IR_SET_FLOATS)), .infer = ir_elementwise_infer, RUN_BY(formula))
/* Row of an op with one input of any numbers. OpenVINO has no optimized kernel for the op, so OpenVINO also computes
 * the op for low-bit types. */
#define ARITHMETIC(name, formula, text, number, page, port)                                                            \
  ARITHMETIC_OF(name, formula, text, number, page, port, IR_SET_NUMBERS, 0, IR_CARRIED_NUMBERS, NULL)
/* Row of an op with an optimized kernel in OpenVINO. That kernel accepts only i4 and u4 of the low-bit types. `...` is
 * the value of .ranges (or NULL), then further fields of ir_op. */
#define ARITHMETIC_TOLD(name, formula, text, number, page, port, set, noted, ...)                                      \
  ARITHMETIC_OF(name, formula, text, number, page, port, set, noted, IR_CARRIED_WIDENED, __VA_ARGS__)
#define ARITHMETIC_OF(name, formula, text, number, page, port, set, noted, carried, ...)                               \
  ROW(name, text, number, page, .inputs = IR_PORTS(NOTED_OF(port, "T", set, noted, carried)),                          \
      .outputs = IR_PORTS(NOTED("output", "T", set, noted)), .infer = ir_elementwise_infer, RUN_BY(formula),           \
      .ranges = __VA_ARGS__)

ARITHMETIC(acos_1, acos, "Acos", 1, "arithmetic/acos-1", "a")
ARITHMETIC(acosh_3, acosh, "Acosh", 3, "arithmetic/acosh-3", "a")
ARITHMETIC(asin_1, asin, "Asin", 1, "arithmetic/asin-1", "a")
ARITHMETIC(asinh_3, asinh, "Asinh", 3, "arithmetic/asinh-3", "a")
ARITHMETIC(atan_1, atan, "Atan", 1, "arithmetic/atan-1", "a")
ARITHMETIC(atanh_3, atanh, "Atanh", 3, "arithmetic/atanh-3", "a")
ARITHMETIC_TOLD(ceiling_1, ceiling, "Ceiling", 1, "arithmetic/ceiling-1", "a", IR_SET_NUMBERS, 0, ir_ceiling_ranges)
ARITHMETIC(cos_1, cos, "Cos", 1, "arithmetic/cos-1", "a")
ARITHMETIC(cosh_1, cosh, "Cosh", 1, "arithmetic/cosh-1", "a")
ARITHMETIC_TOLD(erf_1, erf, "Erf", 1, "arithmetic/erf-1", "data", IR_SET_NUMBERS, 0, NULL)
ARITHMETIC_TOLD(floor_1, floor, "Floor", 1, "arithmetic/floor-1", "a", IR_SET_NUMBERS, 0, ir_floor_ranges)
ARITHMETIC(log_1, log, "Log", 1, "arithmetic/log-1", "a")
ARITHMETIC(sign_1, sign, "Sign", 1, "arithmetic/sign-1", "a")
ARITHMETIC(sin_1, sin, "Sin", 1, "arithmetic/sin-1", "a")
ARITHMETIC(sinh_1, sinh, "Sinh", 1, "arithmetic/sinh-1", "a")
ARITHMETIC_TOLD(sqrt_1, sqrt, "Sqrt", 1, "arithmetic/sqrt-1", "a", IR_SET_NUMBERS, 0, ir_sqrt_ranges)
ARITHMETIC(tan_1, tan, "Tan", 1, "arithmetic/tan-1", "a")
ARITHMETIC_TOLD(tanh_1, tanh, "Tanh", 1, "arithmetic/tanh-1", "data", IR_SET_NUMBERS, 0, NULL, .post_op = tanh_post_op)
FUNCTION(erf_inv_17, erf_inverse, "ErfInv", 17, "arithmetic/erfinv-17")
FUNCTION(gelu_2, gelu_erf, "Gelu", 2, "activation/gelu-2")
FUNCTION(mish_4, mish, "Mish", 4, "activation/mish-4")
FUNCTION(soft_plus_4, soft_plus, "SoftPlus", 4, "activation/softplus-4")
FUNCTION(soft_sign_9, soft_sign, "SoftSign", 9, "activation/softsign-9")
ROW(bitwise_not_13, "BitwiseNot", 13, "bitwise/bitwise-not-13",
    .inputs = IR_PORTS({.name = "data",
                        .type_var = "T",
                        .types = NOT_FLOATS,
                        .types_carried = IR_CARRIED_WIDENED,
                        .rank_max = IR_MAX_RANK}),
    .outputs = IR_PORTS(T("output", NOT_FLOATS)), .infer = ir_elementwise_infer, RUN_BY(bitwise_not))
ARITHMETIC_TOLD(exp_1, exp, "Exp", 1, "activation/exp-1", "data", IR_SET_FLOATS, IR_SET_INTEGERS, NULL)
ARITHMETIC_TOLD(hsigmoid_5, hsigmoid, "HSigmoid", 5, "activation/hsigmoid-5", "data", IR_SET_FLOATS, IR_SET_INTEGERS,
                NULL)
ARITHMETIC_TOLD(hswish_4, hswish, "HSwish", 4, "activation/hswish-4", "data", IR_SET_FLOATS, IR_SET_INTEGERS, NULL,
                .post_op = hswish_post_op)
ARITHMETIC_TOLD(sigmoid_1, sigmoid, "Sigmoid", 1, "activation/sigmoid-1", "x", IR_SET_FLOATS, IR_SET_INTEGERS, NULL,
                .post_op = sigmoid_post_op, .function = IR_FUNCTION_SIGMOID)
ARITHMETIC_TOLD(negative_1, negative, "Negative", 1, "arithmetic/negative-1", "a", IR_SET_FLOATS | IR_SET_SIGNED,
                IR_SET_UNSIGNED, ir_negative_ranges)
ROW(logical_not_1, "LogicalNot", 1, "logical/logical-not-1",
    .inputs = IR_PORTS(NOTED("a", "T_BOOL", BOOLEAN, IR_SET_NUMBERS)),
    .outputs = IR_PORTS(NOTED("output", "T_BOOL", BOOLEAN, IR_SET_NUMBERS)), .infer = ir_elementwise_infer,
    .ranges = ir_not_ranges, RUN_BY(logical_not))

ROW(clamp_1, "Clamp", 1, "activation/clamp-1", .params_size = sizeof(unary_params), .attrs = clamp_attrs,
    .inputs = IR_PORTS(NOTED("x", "T", IR_SET_NUMBERS, 0)), .outputs = IR_PORTS(T("output", IR_SET_NUMBERS)),
    .infer = ir_elementwise_infer, .ranges = clamp_ranges, .check_attributes = check_clamp, RUN_BY(clamp),
    .post_op = clamp_post_op)
ROW(elu_1, "Elu", 1, "activation/elu-1", .params_size = sizeof(unary_params), .attrs = elu_attrs,
    .inputs = IR_PORTS(NOTED("data", "T", IR_SET_FLOATS, NOT_FLOATS)),
    .outputs = IR_PORTS(NOTED("output", "T", IR_SET_FLOATS, NOT_FLOATS)), .infer = ir_elementwise_infer, RUN_BY(elu),
    .post_op = elu_post_op)
ROW(gelu_7, "Gelu", 7, "activation/gelu-7", .params_size = sizeof(unary_params), .attrs = gelu_attrs,
    .inputs = IR_PORTS(FLOAT_PORT("data", "T")), .outputs = IR_PORTS(T("output", IR_SET_FLOATS)),
    .infer = ir_elementwise_infer, .run = {IR_RUN_PREPARED, .prepare = prepare_gelu}, .post_op = gelu_post_op,
    .takes_channels_last = ir_always_channels_last)
ROW(round_5, "Round", 5, "arithmetic/round-5", .params_size = sizeof(unary_params), .attrs = round_attrs,
    .inputs = IR_PORTS(NOTED("data", "T", IR_SET_NUMBERS, BOOLEAN)),
    .outputs = IR_PORTS(NOTED("output", "T", IR_SET_NUMBERS, BOOLEAN)), .infer = ir_elementwise_infer,
    .ranges = round_ranges, .run = {IR_RUN_PREPARED, .prepare = prepare_round},
    .takes_channels_last = ir_always_channels_last)
ROW(hard_sigmoid_1, "HardSigmoid", 1, "activation/hard-sigmoid-1",
    .inputs = IR_PORTS(NOTED("data", "T", IR_SET_FLOATS, NOT_FLOATS), SCALAR("alpha", NOT_FLOATS),
                       SCALAR("beta", NOT_FLOATS)),
    .outputs = IR_PORTS(NOTED("output", "T", IR_SET_FLOATS, NOT_FLOATS)), .infer = ir_elementwise_infer,
    RUN_BY(hard_sigmoid))
/* In the specification alpha and lambda have shape [1]. OpenVINO ignores their shapes. */
ROW(selu_1, "Selu", 1, "activation/selu-1",
    .inputs = IR_PORTS(FLOAT_PORT("data", "T"), FLOAT_PORT("alpha", "T"), FLOAT_PORT("lambda", "T")),
    .outputs = IR_PORTS(T("output", IR_SET_FLOATS)), .infer = ir_elementwise_infer, RUN_BY(selu))
ROW(swish_4, "Swish", 4, "activation/swish-4",
    .inputs = IR_PORTS(
        FLOAT_PORT("data", "T"),
        {.name = "beta", .type_var = "T", .types = IR_SET_FLOATS, .types_carried = IR_CARRIED_NONE, .optional = true}),
    .outputs = IR_PORTS(T("output", IR_SET_FLOATS)), .infer = ir_elementwise_infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare_swish}, .post_op = swish_post_op,
    .takes_channels_last = ir_always_channels_last)
#define PRELU_PORT(port, var)                                                                                          \
  {                                                                                                                    \
    .name = port, .type_var = var, .types = IR_SET_FLOATS, .types_noted = NOT_FLOATS,                                  \
    .types_carried = IR_CARRIED_WIDENED, .rank_max = IR_MAX_RANK                                                       \
  }
/* Slope and data can have different types: OpenVINO writes f32 slopes for f16 data. */
ROW(prelu_1, "PReLU", 1, "activation/prelu-1", .inputs = IR_PORTS(PRELU_PORT("data", "T"), PRELU_PORT("slope", "")),
    .outputs = IR_PORTS(PRELU_PORT("output", "T")), .infer = infer_prelu,
    .run = {IR_RUN_PREPARED, .prepare = prepare_prelu}, .takes_channels_last = ir_always_channels_last)

#define TEST(name, formula, text, page, var, ...)                                                                      \
  ROW(name, text, 10, page, .inputs = IR_PORTS(FLOAT_PORT("data", var)),                                               \
      .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "", BOOLEAN)), .infer = infer_test, RUN_BY(formula),           \
      __VA_ARGS__)

TEST(is_finite_10, is_finite, "IsFinite", "comparison/isfinite-10", "T", .attrs = NULL)
TEST(is_inf_10, is_inf, "IsInf", "comparison/isinf-10", "T_IN", .params_size = sizeof(unary_params), .attrs = inf_attrs)
TEST(is_nan_10, is_nan, "IsNaN", "comparison/isnan-10", "T_IN", .attrs = NULL)

ROW(abs_1, "Abs", 1, "arithmetic/abs-1",
    .inputs = IR_PORTS(IR_PORT_WITH_RANGES("a", "T", IR_SET_NUMBERS, IR_CARRIED_WIDENED)),
    .outputs = IR_PORTS(T("output", IR_SET_NUMBERS)), .infer = ir_elementwise_infer, .ranges = ir_abs_ranges,
    RUN_BY(abs))
ROW(relu_1, "ReLU", 1, "activation/relu-1",
    .inputs = IR_PORTS(IR_PORT_WITH_RANGES("x", "T", IR_SET_NUMBERS, IR_CARRIED_WIDENED)),
    .outputs = IR_PORTS(T("output", IR_SET_NUMBERS)), .infer = ir_elementwise_infer, .ranges = ir_relu_ranges,
    RUN_BY(relu), .post_op = relu_post_op)
