/* Eltwise: an operation of two or more inputs, which broadcast as in NumPy; `coeff` are factors of the inputs. */
#include "ops/legacy/legacy.h"
#include <string.h>

typedef enum kind { ARITHMETIC, COMPARISON, LOGIC } kind;

typedef struct operation {
  const char *word, *type;
  kind kind;
} operation;

/* In the order of `words`. "prod" and "" are other words for "mul" and "sum". */
static const operation operations[] = {{"sum", "Add", ARITHMETIC},
                                       {"mul", "Multiply", ARITHMETIC},
                                       {"sub", "Subtract", ARITHMETIC},
                                       {"div", "Divide", ARITHMETIC},
                                       {"max", "Maximum", ARITHMETIC},
                                       {"min", "Minimum", ARITHMETIC},
                                       {"squared_diff", "SquaredDifference", ARITHMETIC},
                                       {"floor_mod", "FloorMod", ARITHMETIC},
                                       {"pow", "Power", ARITHMETIC},
                                       {"mean", "Add", ARITHMETIC},
                                       {"equal", "Equal", COMPARISON},
                                       {"not_equal", "NotEqual", COMPARISON},
                                       {"less", "Less", COMPARISON},
                                       {"less_equal", "LessEqual", COMPARISON},
                                       {"greater", "Greater", COMPARISON},
                                       {"greater_equal", "GreaterEqual", COMPARISON},
                                       {"logical_and", "LogicalAnd", LOGIC},
                                       {"logical_or", "LogicalOr", LOGIC},
                                       {"logical_xor", "LogicalXor", LOGIC},
                                       {"logical_not", "LogicalNot", LOGIC}};
static const char *const words[] = {
    "sum",       "mul",           "sub",         "div",        "max",         "min",         "squared_diff",
    "floor_mod", "pow",           "mean",        "equal",      "not_equal",   "less",        "less_equal",
    "greater",   "greater_equal", "logical_and", "logical_or", "logical_xor", "logical_not", NULL};
static const char *const other_words[] = {
    "",          "prod",          "sub",         "div",        "max",         "min",         "squared_diff",
    "floor_mod", "pow",           "mean",        "equal",      "not_equal",   "less",        "less_equal",
    "greater",   "greater_equal", "logical_and", "logical_or", "logical_xor", "logical_not", NULL};

typedef struct params {
  int operation;
  ir_floats coeff;
} params;

static const ir_attr_spec attrs[] = {
    IR_LEGACY_ENUM("operation", params, operation, words, .other_names = other_words, .fallback = "sum"),
    IR_LEGACY_FLOATS("coeff", params, coeff), IR_LEGACY_END};

/* Input i in the common type, times its coefficient. */
static ir_wire operand(ir_expansion *x, int32_t i, ir_type type) {
  const params *p = x->node->params;
  const ir_wire wire = ir_new_convert(x, ir_old_input(x, i), ir_old_type(x, i), type);
  const bool has_coeff = p->coeff.items != NULL && i < p->coeff.n && p->coeff.items[i] != 1;
  return has_coeff ? IR_NEW(x, "Multiply", 1, wire, ir_new_number(x, type, p->coeff.items[i])) : wire;
}

static void expand_eltwise(ir_expansion *x) {
  const params *p = x->node->params;
  const operation *of = &operations[p->operation];
  const ir_type type = of->kind == LOGIC ? IR_BOOLEAN : ir_old_type(x, 0);
  const int32_t n = x->node->n_inputs;
  ir_wire made = operand(x, 0, type);
  if (strcmp(of->word, "logical_not") == 0)
    made = IR_NEW(x, of->type, 1, made);
  for (int32_t i = 1; i < n; i++)
    made = IR_NEW(x, of->type, 1, made, operand(x, i, type));
  if (strcmp(of->word, "mean") == 0)
    made = IR_NEW(x, "Multiply", 1, made, ir_new_number(x, type, 1.0 / n));
  ir_give_converted(x, 0, made, of->kind == ARITHMETIC ? type : IR_BOOLEAN);
}

IR_LEGACY_ROW(eltwise, "Eltwise", sizeof(params), attrs, IR_PORTS(IR_LEGACY_PORT("a"), IR_LEGACY_MANY("b")),
              IR_LEGACY_ONE_OUT, expand_eltwise);
