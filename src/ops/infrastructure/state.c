/* ReadValue reads a variable, Assign sets it. A run keeps the variable's value until the next execution.
 * runtime/infer/variables.c compares a variable's ReadValue and Assign. Pages: operation-specs/infrastructure. */
#include "ops/agree.h"
#include "ops/op.h"

typedef struct state_params {
  ir_type variable_type;
  ir_shape variable_shape;
} state_params;

/* Infers ReadValue-3 and Assign: the output has the input's type and shape. */
static ir_code infer_same(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  if (node->n_outputs > 0)
    *out = (ir_value){.type = in[0]->type, .shape = in[0]->shape, .poisoned = in[0]->poisoned};
  return IR_OK;
}

/* Whether `wide` includes every possible shape of `shape`. */
static bool lies_within(const ir_shape *shape, const ir_shape *wide) {
  if (wide->rank == IR_RANK_UNKNOWN)
    return true;
  if (shape->rank != wide->rank)
    return false;
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i].lo < wide->dims[i].lo || shape->dims[i].hi > wide->dims[i].hi)
      return false;
  return true;
}

/* Checks that variable_type and variable_shape include the type and shape of `first`, the variable's first value. */
static bool check_first_value(const ir_node *node, const ir_value *first, ir_scope *scope) {
  const state_params *params = node->params;
  const ir_where where = ir_input_where(scope, node, 0, -1);
  char found[IR_SHAPE_TEXT], expected[IR_SHAPE_TEXT];
  const bool type_fits =
      params->variable_type == IR_DYNAMIC || first->type == IR_DYNAMIC || first->type == params->variable_type;
  const bool shape_fits = lies_within(&first->shape, &params->variable_shape);
  if (!type_fits)
    ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, where,
                   "input 0 ('init_value') is %s; the variable is %s", ir_type_name(first->type),
                   ir_type_name(params->variable_type));
  if (!shape_fits)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, where,
              "input 0 ('init_value') has the shape %s, which variable_shape %s does not hold",
              ir_shape_text(&first->shape, found, sizeof found),
              ir_shape_text(&params->variable_shape, expected, sizeof expected));
  return type_fits && shape_fits;
}

static ir_code infer_read_6(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const state_params *params = node->params;
  const bool has_first = node->n_inputs > 0 && !in[0]->poisoned;
  out->type = params->variable_type;
  out->shape = params->variable_shape;
  out->poisoned = node->attrs_at_fault != 0 || (has_first && !check_first_value(node, in[0], scope));
  /* If both attributes are missing, the first value determines the variable's type and shape. */
  if (!out->poisoned && has_first && out->type == IR_DYNAMIC && out->shape.rank == IR_RANK_UNKNOWN) {
    out->type = in[0]->type;
    out->shape = in[0]->shape;
  }
  return IR_OK;
}

/* Whether variable_type and variable_shape are missing, so that input 0, the first value, determines type and shape. */
static bool first_value_tells(const ir_node *node) {
  return node->n_inputs > 0 && ir_layer_attr(node->layer, "variable_type") == NULL &&
         ir_layer_attr(node->layer, "variable_shape") == NULL;
}

static void check_read_6(const ir_node *node, ir_scope *scope) {
  if (first_value_tells(node))
    ir_report_as(scope->diags, IR204_MISSING_REQUIRED_ATTRIBUTE, IR_WARNING,
                 ir_attr_where(scope, node, "variable_type"),
                 "ReadValue-6 needs the attributes 'variable_type' and 'variable_shape'; without both, the variable is "
                 "as input 0 ('init_value') is, as in OpenVINO");
}

#define ID_ROW                                                                                                         \
  { .name = "variable_id", .kind = IR_ATTR_TEXT, .required = true }
static const ir_attr_spec id_attrs[] = {ID_ROW, {.name = NULL}};
static const ir_attr_spec read_attrs_6[] = {ID_ROW,
                                            {.name = "variable_type",
                                             .kind = IR_ATTR_TYPE,
                                             .offset = offsetof(state_params, variable_type),
                                             .required = true,
                                             .is_needless = first_value_tells,
                                             .fallback = "dynamic",
                                             .fallback_if_allowed = true},
                                            {.name = "variable_shape",
                                             .kind = IR_ATTR_SHAPE,
                                             .offset = offsetof(state_params, variable_shape),
                                             .required = true,
                                             .is_needless = first_value_tells,
                                             .fallback = "...",
                                             .fallback_if_allowed = true},
                                            {.name = NULL}};

#define FIRST_VALUE(may_be_absent)                                                                                     \
  {                                                                                                                    \
    .name = "init_value", .type_var = "T", .types = IR_SET_ANY, .rank_min = 0, .rank_max = IR_MAX_RANK,                \
    .optional = may_be_absent                                                                                          \
  }
#define STATE(how, name, number, page, schema, check, rule, ...)                                                       \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = number, .spec = IR_SPEC_PAGE("infrastructure/" page),             \
    .run.kind = how, .is_impure = true, .params_size = sizeof(state_params), .attrs = schema,                          \
    .check_attributes = check, .infer = rule, .inputs = IR_PORTS(__VA_ARGS__),                                         \
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_ANY))                                                \
  }
#define NEW_VALUE IR_PORT_OF_ANY_RANK("new_value", "T", IR_SET_ANY)

const ir_op ir_op_assign_3 = STATE(IR_RUN_ASSIGNS, "Assign", 3, "assign-3", id_attrs, NULL, infer_same, NEW_VALUE);
const ir_op ir_op_assign_6 = STATE(IR_RUN_ASSIGNS, "Assign", 6, "assign-6", id_attrs, NULL, infer_same, NEW_VALUE);
const ir_op ir_op_read_value_3 =
    STATE(IR_RUN_READS, "ReadValue", 3, "read-value-3", id_attrs, NULL, infer_same, FIRST_VALUE(false));
const ir_op ir_op_read_value_6 =
    STATE(IR_RUN_READS, "ReadValue", 6, "read-value-6", read_attrs_6, check_read_6, infer_read_6, FIRST_VALUE(true));
