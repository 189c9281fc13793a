/* Shared code of binary ops, such as Add or Less. The two inputs have the same type and are broadcast. */
#ifndef IR_BINARY_H
#define IR_BINARY_H

#include "ops/kernels/elementwise.h"
#include "ops/math/broadcast.h"
#include "ops/math/elementwise_infer.h"

typedef struct ir_binary_params {
  int auto_broadcast; /* ir_broadcast_mode */
  int64_t axis;       /* -1 if absent */
} ir_binary_params;

/* OpenVINO's name of the axis attribute; the specification has no name for it. */
#define IR_BROADCAST_AXIS "auto_broadcast.auto_broadcast_axis"
/* Schema rows of auto_broadcast and of the axis for mode "pdpd"; the params must begin with ir_binary_params. The
 * specification of some ops lacks "pdpd", but OpenVINO accepts it in every op. */
#define IR_BROADCAST_ROWS                                                                                              \
  {.name = "auto_broadcast",                                                                                           \
   .kind = IR_ATTR_ENUM,                                                                                               \
   .offset = offsetof(ir_binary_params, auto_broadcast),                                                               \
   .names = ir_broadcast_names,                                                                                        \
   .fallback = "numpy"},                                                                                               \
  {                                                                                                                    \
    .name = IR_BROADCAST_AXIS, .kind = IR_ATTR_INT, .offset = offsetof(ir_binary_params, axis), .min = -1,             \
    .max = IR_MAX_RANK, .fallback = "-1"                                                                               \
  }
extern const ir_attr_spec ir_binary_attrs[];

/* Reports the axis attribute (IR209) if auto_broadcast is not "pdpd", because only "pdpd" uses an axis. */
void ir_binary_check_attributes(const ir_node *node, ir_scope *scope);
/* Infers type and shape of the output. Reports IR316 if the input shapes cannot be broadcast. */
ir_code ir_binary_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* Rule that computes the range of an output element from the ranges of the input elements. */
typedef struct ir_binary_rule {
  ir_dim (*range)(ir_dim a, ir_dim b); /* for integers; with IR_FLOATS_BY_ORDER also for floats */
  enum { IR_FLOATS_NOT_TOLD, IR_FLOATS_BY_ORDER, IR_FLOATS_BY_RULE } floats;
  double (*of_floats)(double a, double b); /* float formula, an argument of ir_range_of_two */
  bool is_quotient;                        /* division: a float output has no range if the divisor can be 0 */
} ir_binary_rule;

extern const ir_binary_rule ir_rule_of_add, ir_rule_of_subtract, ir_rule_of_multiply, ir_rule_of_mod,
    ir_rule_of_floor_mod, ir_rule_of_maximum, ir_rule_of_minimum, ir_rule_of_equal, ir_rule_of_not_equal,
    ir_rule_of_less, ir_rule_of_less_equal, ir_rule_of_greater, ir_rule_of_greater_equal, ir_rule_of_and, ir_rule_of_or;
/* Applies the rule to the ranges of two input elements of type `type`. */
ir_dim ir_binary_range(const ir_binary_rule *rule, ir_type type, ir_dim a, ir_dim b);
/* Implements ir_op.ranges. The rule is the `family` of the op's row. ir_binary_ranges_by takes the rule as an argument
 * instead. */
ir_code ir_binary_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_binary_ranges_by(const ir_binary_rule *rule, const ir_node *node, const ir_value *const *in, ir_value *out,
                            ir_scope *scope);

/* Implements ir_op.prepare. The formula is the `elementwise` of the op's row. ir_binary_step takes the formula as an
 * argument instead. */
ir_code ir_binary_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
ir_code ir_binary_step(const ir_elementwise *elementwise, const ir_node *node, const ir_value *const *in, ir_plan *plan,
                       ir_scope *scope);
/* Implements ir_op.formula. Writes text such as "[2,3] and [3] by the rule 'numpy': [2,3]". */
void ir_binary_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);

/* Rows of Add-1, Multiply-1 and Subtract-1. Passes of src/program insert or recognize such operations. */
extern const ir_op ir_op_add_1, ir_op_multiply_1, ir_op_subtract_1;

/* Defines the row of a binary op. The further arguments set fields of ir_op: ports, infer, ranges, run. */
#define IR_BINARY_ROW(name, text, number, page, params, rows, ...)                                                     \
  const ir_op ir_op_##name = {.dialect = IR_OPENVINO,                                                                  \
                              .type = text,                                                                            \
                              .version = number,                                                                       \
                              .spec = IR_SPEC_PAGE(page),                                                              \
                              .params_size = sizeof(params),                                                           \
                              .attrs = rows,                                                                           \
                              .check_attributes = ir_binary_check_attributes,                                          \
                              .formula = ir_binary_formula,                                                            \
                              .cost = ir_elementwise_cost,                                                             \
                              __VA_ARGS__};

#endif
