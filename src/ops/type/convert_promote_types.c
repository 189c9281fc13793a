/* ConvertPromoteTypes-14 converts two inputs to a common type. Specification:
 * operation-specs/type/convert-promote-types-14. */
#include "ops/math/convert_values.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"

typedef struct promote_params {
  bool promote_unsafe, pytorch_scalar_promotion;
  ir_type u64_target;
} promote_params;

typedef struct promotion {
  ir_type type; /* common type of the inputs; IR_DYNAMIC: unknown */
  bool is_unsafe;
} promotion;

#define LOW_FLOATS   (IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2))
#define LOW_UNSIGNED (IR_SET(IR_U1) | IR_SET(IR_U4))
#define PROMOTED     (IR_SET_STORED | LOW_FLOATS | LOW_UNSIGNED | IR_SET(IR_I4))

static bool is_float(ir_type type) {
  return ir_type_in(type, IR_SET_FLOATS | LOW_FLOATS);
}

static bool is_unsigned(ir_type type) {
  return ir_type_in(type, IR_SET_UNSIGNED | LOW_UNSIGNED);
}

/* Returns the rank of a kind of type: booleans are promoted to integers, integers to floats. */
static int priority_of(ir_type type) {
  return is_float(type) ? 2 : type == IR_BOOLEAN ? 0 : 1;
}

static promotion of_floats(ir_type a, ir_type b) {
  const int bits_a = ir_type_bits(a), bits_b = ir_type_bits(b);
  if (bits_a == bits_b)
    return (promotion){bits_a == 16 ? IR_F32 : IR_F16, true};
  return (promotion){bits_a > bits_b ? a : b, false};
}

/* Returns the signed type with twice the bits. For u64, returns `u64_target`. */
static ir_type wider_signed(ir_type type, ir_type u64_target) {
  switch (type) {
  case IR_U4:
    return IR_I8;
  case IR_U8:
    return IR_I16;
  case IR_U16:
    return IR_I32;
  case IR_U32:
    return IR_I64;
  default:
    return u64_target;
  }
}

static promotion of_integers(ir_type a, ir_type b, ir_type u64_target) {
  const int bits_a = ir_type_bits(a), bits_b = ir_type_bits(b);
  if (is_unsigned(a) == is_unsigned(b))
    return (promotion){bits_a > bits_b ? a : b, false};
  const ir_type with_sign = is_unsigned(a) ? b : a, without = is_unsigned(a) ? a : b;
  if (ir_type_bits(with_sign) > ir_type_bits(without))
    return (promotion){with_sign, false};
  return (promotion){wider_signed(without, u64_target), true};
}

/* Promotes a scalar to the type of a tensor with axes. The promotion is unsafe if that type lacks a sign, or has too
 * few bits for the scalar's type. */
static promotion of_scalar(ir_type scalar, ir_type tensor) {
  const int scalar_bits = ir_type_bits(scalar), bits = ir_type_bits(tensor);
  const bool sign_goes = !is_float(scalar) && !is_unsigned(scalar) && is_unsigned(tensor);
  const bool sign_comes = is_unsigned(scalar) && !is_unsigned(tensor);
  return (promotion){tensor, sign_goes || (sign_comes ? scalar_bits / 2 > bits : scalar_bits > bits)};
}

/* Promotes different types. `scalar` is the index of an input that is a scalar beside a tensor with axes, or -1. */
static promotion promote(ir_type a, ir_type b, int scalar, ir_type u64_target) {
  if (priority_of(a) != priority_of(b)) {
    const ir_type high = priority_of(a) > priority_of(b) ? a : b, low = high == a ? b : a;
    return (promotion){high, is_float(high) && low != IR_BOOLEAN && ir_type_bits(high) < 2 * ir_type_bits(low)};
  }
  if (scalar >= 0)
    return scalar == 0 ? of_scalar(a, b) : of_scalar(b, a);
  return is_float(a) ? of_floats(a, b) : of_integers(a, b, u64_target);
}

static int scalar_input(const ir_value *const *in) {
  const bool first = in[0]->shape.rank == 0, second = in[1]->shape.rank == 0;
  return first == second ? -1 : first ? 0 : 1;
}

static bool check_promotion(const ir_node *node, const ir_value *const *in, promotion to, ir_scope *scope) {
  const promote_params *params = node->params;
  if (!to.is_unsafe || params->promote_unsafe || !ir_attr_usable(node, "promote_unsafe"))
    return true;
  ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, 1, -1),
                 "input 0 is %s, input 1 is %s; %s does not hold all of both, and promote_unsafe is false",
                 ir_type_name(in[0]->type), ir_type_name(in[1]->type), ir_type_name(to.type));
  return false;
}

/* Finds the type of both outputs; IR_DYNAMIC if it is unknown. Returns false if an input is at fault or there is no
 * common type. */
static bool set_type(const ir_node *node, const ir_value *const *in, ir_type *out, ir_scope *scope) {
  const promote_params *params = node->params;
  const ir_type a = in[0]->type, b = in[1]->type;
  const bool ranks_told = in[0]->shape.rank != IR_RANK_UNKNOWN && in[1]->shape.rank != IR_RANK_UNKNOWN;
  *out = IR_DYNAMIC;
  if (in[0]->poisoned || in[1]->poisoned || node->attrs_at_fault != 0)
    return false;
  for (int i = 0; i < 2; i++)
    if (in[i]->type != IR_DYNAMIC && !ir_type_in(in[i]->type, PROMOTED)) {
      ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, i, -1),
                     "input %d is %s, which has no promotion", i, ir_type_name(in[i]->type));
      return false;
    }
  if (a == b || a == IR_DYNAMIC || b == IR_DYNAMIC) {
    *out = a == b ? a : IR_DYNAMIC;
    return true;
  }
  if (params->pytorch_scalar_promotion && !ranks_told && priority_of(a) == priority_of(b))
    return true;
  const promotion to = promote(a, b, params->pytorch_scalar_promotion ? scalar_input(in) : -1, params->u64_target);
  *out = to.type;
  return check_promotion(node, in, to, scope);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_type type;
  const bool fine = set_type(node, in, &type, scope);
  for (int32_t p = 0; p < node->n_outputs && p < 2; p++)
    out[p] = (ir_value){.type = type, .poisoned = !fine, .shape = in[p]->shape};
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in, (void)scope;
  const ir_code code = ir_convert_step(plan, node, 0);
  return code == IR_OK ? ir_convert_step(plan, node, 1) : code;
}

static const ir_attr_spec attrs[] = {{.name = "promote_unsafe",
                                      .kind = IR_ATTR_BOOL,
                                      .offset = offsetof(promote_params, promote_unsafe),
                                      .fallback = "false"},
                                     {.name = "pytorch_scalar_promotion",
                                      .kind = IR_ATTR_BOOL,
                                      .offset = offsetof(promote_params, pytorch_scalar_promotion),
                                      .fallback = "false"},
                                     {.name = "u64_integer_promotion_target",
                                      .kind = IR_ATTR_TYPE,
                                      .offset = offsetof(promote_params, u64_target),
                                      .fallback = "f32"},
                                     {.name = NULL}};

const ir_op ir_op_convert_promote_types_14 = {
    .dialect = IR_OPENVINO,
    .type = "ConvertPromoteTypes",
    .version = 14,
    .spec = IR_SPEC_PAGE("type/convert-promote-types-14"),
    .params_size = sizeof(promote_params),
    .attrs = attrs,
    .inputs =
        IR_PORTS(IR_PORT_OF_ANY_RANK("input_0", "T1", IR_SET_ANY), IR_PORT_OF_ANY_RANK("input_1", "T2", IR_SET_ANY)),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output_0", "T_OUT", IR_SET_ANY),
                        IR_PORT_OF_ANY_RANK("output_1", "T_OUT", IR_SET_ANY)),
    .narrow = IR_SET_NARROW,
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .cost = ir_elementwise_cost,
};
