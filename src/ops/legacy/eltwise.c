/* Eltwise: an operation of two or more inputs, which broadcast as in NumPy; `coeff` are factors of the inputs. */
#include "ops/legacy/legacy.h"

typedef enum kind { ARITHMETIC, MEAN, COMPARISON, LOGIC, NOT } kind;

typedef struct operation {
  const char *type;
  kind kind;
} operation;

/* In the order of `words`. */
static const operation operations[] = {{"Add", ARITHMETIC},
                                       {"Multiply", ARITHMETIC},
                                       {"Subtract", ARITHMETIC},
                                       {"Divide", ARITHMETIC},
                                       {"Maximum", ARITHMETIC},
                                       {"Minimum", ARITHMETIC},
                                       {"SquaredDifference", ARITHMETIC},
                                       {"FloorMod", ARITHMETIC},
                                       {"Power", ARITHMETIC},
                                       {"Add", MEAN},
                                       {"Equal", COMPARISON},
                                       {"NotEqual", COMPARISON},
                                       {"Less", COMPARISON},
                                       {"LessEqual", COMPARISON},
                                       {"Greater", COMPARISON},
                                       {"GreaterEqual", COMPARISON},
                                       {"LogicalAnd", LOGIC},
                                       {"LogicalOr", LOGIC},
                                       {"LogicalXor", LOGIC},
                                       {"LogicalNot", NOT}};
static const char *const words[] = {
    "sum",       "mul",           "sub",         "div",        "max",         "min",         "squared_diff",
    "floor_mod", "pow",           "mean",        "equal",      "not_equal",   "less",        "less_equal",
    "greater",   "greater_equal", "logical_and", "logical_or", "logical_xor", "logical_not", NULL};
/* "" and "prod" are other words for "sum" and "mul". */
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
  const bool is_logic = of->kind == LOGIC || of->kind == NOT;
  const ir_type type = is_logic ? IR_BOOLEAN : ir_old_type(x, 0);
  const int32_t n = x->node->n_inputs;
  ir_wire made = operand(x, 0, type);
  if (of->kind == NOT)
    made = IR_NEW(x, of->type, 1, made);
  for (int32_t i = 1; i < n; i++)
    made = IR_NEW(x, of->type, 1, made, operand(x, i, type));
  if (of->kind == MEAN)
    made = IR_NEW(x, "Multiply", 1, made, ir_new_number(x, type, 1.0 / n));
  ir_give_converted(x, 0, made, of->kind == COMPARISON ? IR_BOOLEAN : type);
}

IR_LEGACY_ROW(eltwise, "Eltwise", sizeof(params), attrs, IR_PORTS(IR_LEGACY_PORT("a"), IR_LEGACY_MANY("b")),
              IR_LEGACY_ONE_OUT, expand_eltwise);
