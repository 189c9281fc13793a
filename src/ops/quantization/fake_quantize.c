/* FakeQuantize-1 and FakeConvert-13 round elements to numbers that a narrower type can represent. The output has the
 * type and shape of input 0. Pages: operation-specs/quantization. */
#include "ops/math/binary.h"
#include "ops/quantization/quantize.h"
#include <tgmath.h>

typedef struct quantize_params {
  ir_binary_params broadcast;
  int64_t levels;
  int destination_type;
} quantize_params;

static bool begin(const ir_node *node, const ir_value *const *in, ir_value *out) {
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  return !out->poisoned;
}

static void report(const ir_node *node, const ir_value *const *in, int port, const char *rule, ir_scope *scope) {
  char texts[2][IR_SHAPE_TEXT];
  ir_report(scope->diags, IR316_SHAPES_NOT_BROADCASTABLE, ir_input_where(scope, node, port, -1),
            "'%s' %s cannot be broadcast to the input %s by the rule '%s'", node->op->inputs[port].name,
            ir_shape_text(&in[port]->shape, texts[0], sizeof texts[0]),
            ir_shape_text(&in[0]->shape, texts[1], sizeof texts[1]), rule);
}

/* ---- FakeQuantize ---- */

/* Returns the rule by which inputs 1 to 4 broadcast to input 0. If pdpd has no axis, the axis is 0, as in OpenVINO. */
static ir_broadcast rule_of(const ir_node *node) {
  const ir_binary_params *params = &((const quantize_params *)node->params)->broadcast;
  const bool gives_axis = ir_layer_attr(node->layer, IR_BROADCAST_AXIS) != NULL;
  return (ir_broadcast){(ir_broadcast_mode)params->auto_broadcast, gives_axis ? params->axis : 0};
}

/* Reports inputs that do not broadcast. The output has the shape of input 0, even if the broadcast shape is larger, as
 * in OpenVINO. */
static ir_code infer_quantize(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (!begin(node, in, out))
    return IR_OK;
  const ir_broadcast rule = rule_of(node);
  ir_shape joined = in[0]->shape;
  for (int port = 1; port < node->n_inputs; port++) {
    const ir_broadcast_result result = ir_broadcast_shapes(rule, &joined, &in[port]->shape);
    if (result.fit == IR_BROADCAST_FITS) {
      joined = result.shape;
      continue;
    }
    report(node, in, port, ir_broadcast_names[rule.mode], scope);
    out->poisoned = true;
  }
  return IR_OK;
}

/* The specification's formula is round((x - in_low) / (in_high - in_low) * (levels - 1)) / (levels - 1) * (high - low)
 * + low. The code computes the quotients of the limits first, as OpenVINO's CPU plugin does, so `round` gets the same
 * ties. Only the last digit of a result can differ from the plugin's. Ties are rounded to even, and NaN stays NaN. */
#define QUANTIZE_ROW(name, type)                                                                                       \
  typedef struct name##_limits {                                                                                       \
    type least, most, low, high; /* x up to `least` becomes `low`; x above `most` becomes `high` */                    \
    type scale, shift;           /* level = round(x * scale + shift) */                                                \
    type step;                   /* result = level * step + low */                                                     \
  } name##_limits;                                                                                                     \
  static inline name##_limits name##_limits_of(type in_low, type in_high, type low, type high, type last) {            \
    const type scale = last / (in_high - in_low);                                                                      \
    return (name##_limits){.least = in_low < in_high ? in_low : in_high,                                               \
                           .most = in_low < in_high ? in_high : in_low,                                                \
                           .low = low,                                                                                 \
                           .high = high,                                                                               \
                           .scale = scale,                                                                             \
                           .shift = -in_low * scale,                                                                   \
                           .step = (high - low) / last};                                                               \
  }                                                                                                                    \
  static inline type name##_of(type x, name##_limits limits) {                                                         \
    const type level = rint(x * limits.scale + limits.shift), inside = level * limits.step + limits.low;               \
    return x <= limits.least ? limits.low : x > limits.most ? limits.high : inside;                                    \
  }                                                                                                                    \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const type *x = call->in[0], *in_low = call->in[1], *in_high = call->in[2];                                        \
    const type *low = call->in[3], *high = call->in[4];                                                                \
    const type last = (type)(((const quantize_params *)call->params)->levels - 1);                                     \
    type *out = call->out;                                                                                             \
    if (call->repeats[1] && call->repeats[2] && call->repeats[3] && call->repeats[4]) {                                \
      const name##_limits limits = name##_limits_of(*in_low, *in_high, *low, *high, last);                             \
      for (int64_t i = 0; i < call->n; i++)                                                                            \
        out[i] = name##_of(x[i], limits);                                                                              \
    } else {                                                                                                           \
      for (int64_t i = 0; i < call->n; i++)                                                                            \
        out[i] = name##_of(x[i], name##_limits_of(in_low[i], in_high[i], low[i], high[i], last));                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))
QUANTIZE_ROW(quantize_f32, float)
QUANTIZE_ROW(quantize_f64, double)

int64_t ir_fake_quantize_levels(const ir_node *node) {
  return ((const quantize_params *)node->params)->levels;
}

static ir_code prepare_quantize(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_elementwise elementwise = {
      .name = "fake_quantize", .rows = {quantize_f32, quantize_f64}, .cuts = true};
  const ir_broadcast rule = rule_of(node);
  const bool at_axis = rule.mode == IR_BROADCAST_PDPD && rule.axis >= 0;
  int offsets[5] = {0};
  for (int i = 1; i < 5; i++) {
    offsets[i] = at_axis ? (int)rule.axis : in[0]->shape.rank - in[i]->shape.rank;
    if (!ir_type_in(in[i]->type, IR_SET_FLOATS) && in[i]->type != in[0]->type)
      return ir_report_no_kernel(scope, ir_input_where(scope, node, i, -1), in[i]->type);
  }
  return ir_elementwise_step(plan, node, in, &elementwise, offsets, scope);
}

/* ---- FakeConvert ---- */

enum { F8E4M3 };
static const char *const destination_names[] = {[F8E4M3] = "f8e4m3", "f8e5m2", NULL};

/* Whether `shape` broadcasts to the shape of `data`: each dim is 1 or equals the dim of `data`. Narrows open dims of
 * `data`. */
static bool stretch(const ir_shape *shape, ir_shape *data) {
  if (shape->rank == IR_RANK_UNKNOWN || data->rank == IR_RANK_UNKNOWN)
    return true;
  if (shape->rank > data->rank)
    return false;
  for (int i = 1; i <= shape->rank; i++) {
    const ir_dim dim = shape->dims[shape->rank - i];
    ir_dim *to = &data->dims[data->rank - i];
    if (dim.lo <= 1 && dim.hi >= 1)
      continue;
    if (!ir_dims_meet(dim, *to))
      return false;
    *to = ir_dims_common(dim, *to);
  }
  return true;
}

static ir_code infer_convert(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (!begin(node, in, out))
    return IR_OK;
  for (int port = 1; port < node->n_inputs; port++)
    if (!stretch(&in[port]->shape, &out->shape)) {
      report(node, in, port, "numpy", scope);
      out->poisoned = true;
    }
  if (node->n_inputs > 2 && !ir_shapes_meet(&in[1]->shape, &in[2]->shape)) {
    char texts[2][IR_SHAPE_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
              "'shift' is %s, 'scale' is %s; expected one shape",
              ir_shape_text(&in[2]->shape, texts[0], sizeof texts[0]),
              ir_shape_text(&in[1]->shape, texts[1], sizeof texts[1]));
    out->poisoned = true;
  }
  return IR_OK;
}

/* Rounds to the nearest number of the destination type, ties to even. NaN stays NaN. An overflow becomes the largest
 * number of the type, as in OpenVINO. (By the specification of Convert, it would be infinity or NaN.) */
static float narrowed(float x, int destination_type) {
  const bool is_e4m3 = destination_type == F8E4M3;
  const float most = is_e4m3 ? 448 : 57344;
  const int bits = is_e4m3 ? 3 : 2, least = is_e4m3 ? -6 : -14;
  int exponent;
  if (!(fabs(x) < most))
    return x > 0 ? most : x < 0 ? -most : x;
  frexp(x, &exponent); /* 2^(exponent - 1) <= |x| < 2^exponent */
  const float step = ldexp(1.0F, (exponent - 1 > least ? exponent - 1 : least) - bits);
  return rint(x / step) * step;
}

/* Rounds x, the scaled and shifted element, to the data's type. The specification requires this rounding, because it
 * decides ties of the next rounding. */
static float as_type(float x, ir_type type) {
  return type == IR_F16 ? ir_f16_to_f32(ir_f32_to_f16(x)) : type == IR_BF16 ? ir_bf16_to_f32(ir_f32_to_bf16(x)) : x;
}

#define OF_TYPE(x)  as_type(x, call->type)
#define NARROWED(x) narrowed(x, ((const quantize_params *)call->params)->destination_type)
IR_ELEMENTWISE_2(scaled, float, float, NARROWED(OF_TYPE(a *b)) / b)
IR_ELEMENTWISE_3(scaled_and_shifted, float, float, (NARROWED(OF_TYPE(a * b - c)) + c) / b)

static ir_code prepare_convert(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_elementwise elementwise[] = {{.name = "fake_convert", .rows = {scaled}},
                                               {.name = "fake_convert", .rows = {scaled_and_shifted}}};
  int offsets[3] = {0};
  for (int i = 1; i < node->n_inputs; i++)
    offsets[i] = in[0]->shape.rank - in[i]->shape.rank;
  return ir_elementwise_step(plan, node, in, &elementwise[node->n_inputs - 2], offsets, scope);
}

/* ---- rows of the op table ---- */

static const ir_attr_spec quantize_attrs[] = {{.name = "levels",
                                               .kind = IR_ATTR_INT,
                                               .offset = offsetof(quantize_params, levels),
                                               .min = 2,
                                               .max = INT64_MAX,
                                               .required = true},
                                              IR_BROADCAST_ROWS,
                                              {.name = NULL}};
static const ir_attr_spec convert_attrs[] = {{.name = "destination_type",
                                              .kind = IR_ATTR_ENUM,
                                              .offset = offsetof(quantize_params, destination_type),
                                              .names = destination_names,
                                              .required = true},
                                             {.name = NULL}};

#define PORT(text, ...)                                                                                                \
  { .name = text, .type_var = "T_F", .rank_max = IR_MAX_RANK, __VA_ARGS__ }
#define QUANTIZED(text)                                                                                                \
  PORT(text, .types = IR_SET_FLOATS, .types_noted = IR_SET_INTEGERS, .types_carried = IR_CARRIED_NONE,                 \
       .types_may_differ = true)
const ir_op ir_op_fake_quantize_1 = {
    .dialect = IR_OPENVINO,
    .type = "FakeQuantize",
    .version = 1,
    .spec = IR_SPEC_PAGE("quantization/fake-quantize-1"),
    .params_size = sizeof(quantize_params),
    .attrs = quantize_attrs,
    .inputs = IR_PORTS(QUANTIZED("data"), QUANTIZED("input_low"), QUANTIZED("input_high"), QUANTIZED("output_low"),
                       QUANTIZED("output_high")),
    .outputs = IR_PORTS(QUANTIZED("output")),
    .check_attributes = ir_binary_check_attributes,
    .infer = infer_quantize,
    .run = {IR_RUN_PREPARED, .prepare = prepare_quantize},
    .function = IR_FUNCTION_FAKE_QUANTIZE,
    .cost = ir_elementwise_cost,
};

#define NARROW (IR_SET(IR_F16) | IR_SET(IR_BF16) | IR_SET(IR_F32))
const ir_op ir_op_fake_convert_13 = {
    .dialect = IR_OPENVINO,
    .type = "FakeConvert",
    .version = 13,
    .spec = IR_SPEC_PAGE("quantization/fake-convert-13"),
    .params_size = sizeof(quantize_params),
    .attrs = convert_attrs,
    .inputs = IR_PORTS(PORT("data", .types = NARROW), PORT("scale", .types = NARROW),
                       PORT("shift", .types = NARROW, .optional = true)),
    .outputs = IR_PORTS(PORT("output", .types = NARROW)),
    .infer = infer_convert,
    .run = {IR_RUN_PREPARED, .prepare = prepare_convert},
    .cost = ir_elementwise_cost,
};
