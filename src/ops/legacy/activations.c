/* Functions of one tensor: Activation with a word for the function, and layers that are such a function. */
#include "ops/legacy/legacy.h"
#include <math.h>
#include <string.h>

/* ---- functions ---- */

typedef struct params {
  int function;
  double alpha, beta, gamma, negative_slope, min, max;
  bool channel_shared;
} params;

#define NUMBER(text, field, otherwise) IR_LEGACY_FLOAT(text, params, field, .fallback = otherwise)

/* PRelu of a slope for all elements: x if x >= 0, else slope * x. */
static ir_wire relu(ir_expansion *x, double slope) {
  if (slope == 0)
    return IR_NEW(x, "ReLU", 1, ir_old_input(x, 0));
  return IR_NEW(x, "PReLU", 1, ir_old_input(x, 0), ir_new_floats(x, ir_old_type(x, 0), 1, &slope));
}

static ir_wire clamp(ir_expansion *x, double min, double max) {
  const ir_wire made = IR_NEW(x, "Clamp", 1, ir_old_input(x, 0));
  ir_set_float(x, made, "min", min);
  ir_set_float(x, made, "max", max);
  return made;
}

static ir_wire elu(ir_expansion *x) {
  const params *p = x->node->params;
  const ir_wire made = IR_NEW(x, "Elu", 1, ir_old_input(x, 0));
  ir_set_float(x, made, "alpha", p->alpha);
  return made;
}

static ir_wire prelu(ir_expansion *x) {
  const ir_blob *weights = ir_old_blob(x, "weights");
  const int64_t n = ir_blob_elements(x, weights);
  if (weights == NULL && !ir_has_old_input(x, 1)) {
    ir_refuse_layer(x, "it has no weights");
    return (ir_wire){.layer = -1};
  }
  return IR_NEW(x, "PReLU", 1, ir_old_input(x, 0),
                weights != NULL ? ir_new_blob(x, weights, 1, &n) : ir_old_input(x, 1));
}

/* An op with parameters as inputs: HardSigmoid (alpha, beta) and Selu (alpha, lambda). */
static ir_wire with_numbers(ir_expansion *x, const char *type, double first, double second) {
  const ir_type number = ir_old_type(x, 0);
  return IR_NEW(x, type, 1, ir_old_input(x, 0), ir_new_number(x, number, first), ir_new_number(x, number, second));
}

static ir_wire plain(ir_expansion *x, const char *type, int opset) {
  return IR_NEW(x, type, opset, ir_old_input(x, 0));
}

/* ---- Activation ---- */

static const char *const functions[] = {"relu",    "relu6", "prelu", "clamp", "elu",
                                        "sigmoid", "tanh",  "exp",   "not",   NULL};
enum { RELU, RELU6, PRELU, CLAMP, ELU, SIGMOID, TANH, EXP, NOT };

static const ir_attr_spec attrs[] = {IR_LEGACY_ENUM("type", params, function, functions, .required = true),
                                     NUMBER("alpha", alpha, "1"),
                                     NUMBER("negative_slope", negative_slope, "0"),
                                     NUMBER("min", min, "-inf"),
                                     NUMBER("max", max, "inf"),
                                     NUMBER("n", beta, "6"),
                                     IR_LEGACY_BOOL("channel_shared", params, channel_shared, .fallback = "false"),
                                     IR_LEGACY_END};

static ir_wire make_function(ir_expansion *x) {
  const params *p = x->node->params;
  switch (p->function) {
  case RELU:
    return relu(x, p->negative_slope);
  case RELU6:
    return clamp(x, 0, p->beta);
  case PRELU:
    return prelu(x);
  case CLAMP:
    return clamp(x, p->min, p->max);
  case ELU:
    return elu(x);
  case SIGMOID:
    return plain(x, "Sigmoid", 1);
  case TANH:
    return plain(x, "Tanh", 1);
  case EXP:
    return plain(x, "Exp", 1);
  default:
    return IR_NEW(x, "LogicalNot", 1, ir_new_convert(x, ir_old_input(x, 0), ir_old_type(x, 0), IR_BOOLEAN));
  }
}

static void expand_activation(ir_expansion *x) {
  const params *p = x->node->params;
  ir_give_converted(x, 0, make_function(x), p->function == NOT ? IR_BOOLEAN : ir_old_output_type(x, 0));
}

/* ---- layers that are a function ---- */

static const ir_attr_spec relu_attrs[] = {NUMBER("negative_slope", negative_slope, "0"), IR_LEGACY_END};
static const ir_attr_spec relu6_attrs[] = {NUMBER("n", beta, "6"), IR_LEGACY_END};
static const ir_attr_spec prelu_attrs[] = {
    IR_LEGACY_BOOL("channel_shared", params, channel_shared, .fallback = "false"), IR_LEGACY_END};
static const ir_attr_spec clamp_attrs[] = {IR_LEGACY_FLOAT("min", params, min, .required = true),
                                           IR_LEGACY_FLOAT("max", params, max, .required = true), IR_LEGACY_END};
static const ir_attr_spec elu_attrs[] = {NUMBER("alpha", alpha, "1"), IR_LEGACY_END};
static const ir_attr_spec hard_sigmoid_attrs[] = {NUMBER("alpha", alpha, "0.2"), NUMBER("beta", beta, "0.5"),
                                                  IR_LEGACY_END};
static const ir_attr_spec selu_attrs[] = {NUMBER("alpha", alpha, "1.67326319217681884765625"),
                                          NUMBER("gamma", gamma, "1.05070102214813232421875"), IR_LEGACY_END};

static void expand_relu(ir_expansion *x) {
  ir_give_output(x, 0, relu(x, ((const params *)x->node->params)->negative_slope));
}

static void expand_relu6(ir_expansion *x) {
  ir_give_output(x, 0, clamp(x, 0, ((const params *)x->node->params)->beta));
}

static void expand_prelu(ir_expansion *x) {
  ir_give_output(x, 0, prelu(x));
}

static void expand_clamp(ir_expansion *x) {
  const params *p = x->node->params;
  ir_give_output(x, 0, clamp(x, p->min, p->max));
}

static void expand_elu(ir_expansion *x) {
  ir_give_output(x, 0, elu(x));
}

static void expand_hard_sigmoid(ir_expansion *x) {
  const params *p = x->node->params;
  ir_give_output(x, 0, with_numbers(x, "HardSigmoid", p->alpha, p->beta));
}

/* `gamma` is the op's lambda. */
static void expand_selu(ir_expansion *x) {
  const params *p = x->node->params;
  ir_give_output(x, 0, with_numbers(x, "Selu", p->alpha, p->gamma));
}

/* 1 / x. */
static void expand_reciprocal(ir_expansion *x) {
  ir_give_output(x, 0, IR_NEW(x, "Power", 1, ir_old_input(x, 0), ir_new_number(x, ir_old_type(x, 0), -1)));
}

/* An op that does the same: the family of a row. */
typedef struct same_op {
  const char *type;
  int opset;
} same_op;

static void expand_same(ir_expansion *x) {
  const same_op *same = x->node->op->family;
  ir_give_output(x, 0, plain(x, same->type, same->opset));
}

#define FUNCTION(name, text, schema, function)                                                                         \
  IR_LEGACY_ROW(name, text, sizeof(params), schema, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, function)
#define SAME(name, text, type, opset)                                                                                  \
  IR_LEGACY_ROW(name, text, 0, NULL, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_same,                                 \
                .family = &(const same_op){type, opset})

IR_LEGACY_ROW(activation, "Activation", sizeof(params), attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("slope")), IR_LEGACY_ONE_OUT, expand_activation);
IR_LEGACY_ROW(prelu, "PReLU", sizeof(params), prelu_attrs, IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("slope")),
              IR_LEGACY_ONE_OUT, expand_prelu);
FUNCTION(relu, "ReLU", relu_attrs, expand_relu);
FUNCTION(relu6, "ReLU6", relu6_attrs, expand_relu6);
FUNCTION(clamp, "Clamp", clamp_attrs, expand_clamp);
FUNCTION(elu, "ELU", elu_attrs, expand_elu);
FUNCTION(hard_sigmoid, "HardSigmoid", hard_sigmoid_attrs, expand_hard_sigmoid);
FUNCTION(selu, "Selu", selu_attrs, expand_selu);
FUNCTION(reciprocal, "Reciprocal", NULL, expand_reciprocal);
SAME(abs, "Abs", "Abs", 1);
SAME(acos, "Acos", "Acos", 1);
SAME(acosh, "Acosh", "Acosh", 4);
SAME(asin, "Asin", "Asin", 1);
SAME(asinh, "Asinh", "Asinh", 4);
SAME(atan, "Atan", "Atan", 1);
SAME(atanh, "Atanh", "Atanh", 4);
SAME(ceil, "Ceil", "Ceiling", 1);
SAME(cos, "Cos", "Cos", 1);
SAME(cosh, "Cosh", "Cosh", 1);
SAME(erf, "Erf", "Erf", 1);
SAME(exp, "Exp", "Exp", 1);
SAME(floor, "Floor", "Floor", 1);
SAME(hswish, "HSwish", "HSwish", 4);
SAME(log, "Log", "Log", 1);
SAME(mish, "Mish", "Mish", 4);
SAME(neg, "Neg", "Negative", 1);
SAME(sigmoid, "Sigmoid", "Sigmoid", 1);
SAME(sign, "Sign", "Sign", 1);
SAME(sin, "Sin", "Sin", 1);
SAME(sinh, "Sinh", "Sinh", 1);
SAME(softplus, "Softplus", "SoftPlus", 4);
SAME(softsign, "Softsign", "SoftSign", 9);
SAME(sqrt, "Sqrt", "Sqrt", 1);
SAME(tan, "Tan", "Tan", 1);
SAME(tanh, "TanH", "Tanh", 1);
