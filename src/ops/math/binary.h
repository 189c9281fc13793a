/* Shared by all binary ops: two inputs of one type that are broadcast. */
#ifndef IR_BINARY_H
#define IR_BINARY_H

#include "ops/kernels/elementwise.h"
#include "ops/math/broadcast.h"
#include "ops/math/elementwise_infer.h"

typedef struct ir_binary_params {
  int auto_broadcast; /* ir_broadcast_mode */
  int64_t axis;       /* -1 if absent */
} ir_binary_params;

/* Rows of a schema whose params begin with ir_binary_params: auto_broadcast and the pdpd axis. The axis has the name
 * that OpenVINO writes; the pages give none. Some pages lack pdpd; OpenVINO accepts it in every op. */
#define IR_BROADCAST_AXIS "auto_broadcast.auto_broadcast_axis"
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

/* Notes an axis that has no effect. */
void ir_binary_check_attributes(const ir_node *node, ir_scope *scope);
/* Infers type and shape of the output; reports IR316 for shapes that do not fit. */
ir_code ir_binary_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* Range of an output element, from the ranges of the inputs' elements. */
typedef struct ir_binary_rule {
  ir_dim (*range)(ir_dim a, ir_dim b); /* for integers, and for functions that depend on order only */
  enum { IR_FLOATS_NOT_TOLD, IR_FLOATS_BY_ORDER, IR_FLOATS_BY_RULE } floats;
  double (*of_floats)(double a, double b); /* as ir_range_of_two calls it */
  bool is_quotient;                        /* division: floats have no range if the divisor may be 0 */
} ir_binary_rule;

extern const ir_binary_rule ir_rule_of_add, ir_rule_of_subtract, ir_rule_of_multiply, ir_rule_of_mod,
    ir_rule_of_floor_mod, ir_rule_of_maximum, ir_rule_of_minimum, ir_rule_of_equal, ir_rule_of_not_equal,
    ir_rule_of_less, ir_rule_of_less_equal, ir_rule_of_greater, ir_rule_of_greater_equal, ir_rule_of_and, ir_rule_of_or;
/* Applies the rule to elements of inputs of that type. */
ir_dim ir_binary_range(const ir_binary_rule *rule, ir_type type, ir_dim a, ir_dim b);
/* ir_op.ranges for a row with such a rule as its `family`; ir_binary_ranges_by takes the rule as an argument. */
ir_code ir_binary_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_binary_ranges_by(const ir_binary_rule *rule, const ir_node *node, const ir_value *const *in, ir_value *out,
                            ir_scope *scope);

/* ir_op.prepare for a row with an `elementwise`; the same with a given formula. */
ir_code ir_binary_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
ir_code ir_binary_step(const ir_elementwise *elementwise, const ir_node *node, const ir_value *const *in, ir_plan *plan,
                       ir_scope *scope);
/* "[2,3] and [3] ('numpy'): [2,3]". */
void ir_binary_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);

/* Multiply-1, which passes insert. */
extern const ir_op ir_op_multiply_1;

/* The row of a binary op. Further arguments: ports, infer, the range rule, and how it runs. */
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
