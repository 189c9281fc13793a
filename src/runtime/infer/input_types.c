#include "runtime/infer/input_types.h"
#include <string.h>

/* ---- types that a port accepts ---- */

typedef struct taken_types {
  uint64_t plain, noted, if_allowed;
} taken_types;

static bool has_all(uint64_t set, uint64_t all) {
  return (set & all) == all;
}

/* The types without kernels that an op's page allows. "Any type" allows all; "any float" allows low-bit floats, and
 * "any integer" low-bit integers. */
static uint64_t carried_on_page(uint64_t types) {
  if (has_all(types, IR_SET_STORED))
    return IR_SET_CARRIED;
  return (has_all(types, IR_SET_FLOATS) ? IR_SET_SMALL_FLOATS : 0) |
         (has_all(types, IR_SET_INTEGERS) ? IR_SET_SMALL_INTEGERS : 0);
}

/* The types without kernels that OpenVINO accepts for a float (is_real) or an integer (is_integral). OpenVINO counts
 * every type that is no float as an integer, even nf4 and strings. Strings are accepted only if the page says "any
 * type", because no kernel computes numbers from them. */
static uint64_t carried_in_openvino(const ir_port_spec *spec) {
  const uint64_t types = spec->types | spec->types_noted;
  return (has_all(types, IR_SET_FLOATS) ? IR_SET_SMALL_FLOATS : 0) |
         (has_all(types, IR_SET_INTEGERS) ? IR_SET_SMALL_INTEGERS | IR_SET(IR_NF4) : 0) |
         (has_all(spec->types, IR_SET_STORED) ? IR_SET(IR_STRING) : 0);
}

static taken_types types_of(const ir_port_spec *spec) {
  uint64_t carried = spec->types_carried != 0 ? spec->types_carried : carried_in_openvino(spec);
  return (taken_types){.plain = spec->types | (carried & carried_on_page(spec->types)),
                       .noted = spec->types_noted | carried,
                       .if_allowed = spec->types_if_allowed};
}

bool ir_check_input_type(const ir_node *node, int32_t i, const ir_value *value, ir_scope *scope) {
  const ir_port_spec *spec = ir_op_input(node->op, i);
  const taken_types taken = types_of(spec);
  if (value->type == IR_DYNAMIC || ir_type_in(value->type, taken.plain))
    return true;
  ir_rule rule = spec->fault != 0 ? spec->fault : IR306_ELEMENT_TYPE_NOT_ALLOWED;
  ir_where where = ir_input_where(scope, node, i, -1);
  char types[256];
  ir_type_set_text(spec->types, types, sizeof types);
  static const char format[] = "input %d ('%s') is %s; %s-%d takes %s";
#define ARGUMENTS i, spec->name, ir_type_name(value->type), node->op->type, node->op->version, types
  if (ir_type_in(value->type, taken.noted)) {
    ir_report_as(scope->diags, rule, IR_NOTE, where, format, ARGUMENTS);
    ir_note(scope->diags, (ir_where){0}, "OpenVINO takes it all the same, and so does irrun");
    return true;
  }
  if (ir_type_in(value->type, taken.if_allowed)) {
    ir_code code = ir_report(scope->diags, rule, where, format, ARGUMENTS);
    if (code != IR_OK)
      ir_hint(scope->diags, "--allow=%s: %s", ir_rule_rows[rule].id, ir_rule_rows[rule].allow);
    return code == IR_OK;
  }
  ir_report_firm(scope->diags, rule, where, format, ARGUMENTS);
#undef ARGUMENTS
  return false;
}

/* ---- type variables ---- */

/* The type variable of an input. NULL: it has none, or its type is unknown or not accepted. */
static const char *variable_of(const ir_node *node, int32_t i, const ir_value *value) {
  const ir_port_spec *spec = ir_op_input(node->op, i);
  if (spec == NULL || spec->type_var[0] == '\0' || value->poisoned || value->type == IR_DYNAMIC)
    return NULL;
  const taken_types taken = types_of(spec);
  return ir_type_in(value->type, taken.plain | taken.noted | taken.if_allowed) ? spec->type_var : NULL;
}

static bool same_variable(const char *a, const char *b) {
  return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Compares the types of all inputs with the type variable `variable`. False, with a report, if a type differs from the
 * first input's. */
static bool check_variable(const ir_node *node, const ir_value *const *in, const char *variable, ir_scope *scope) {
  int32_t first = -1, wrong = -1, noted = -1, n_wrong = 0, n_inputs = 0;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    if (!same_variable(variable, variable_of(node, i, in[i])))
      continue;
    n_inputs++;
    if (first < 0)
      first = i;
    if (in[i]->type == in[first]->type)
      continue;
    bool may_differ = ir_op_input(node->op, i)->types_may_differ;
    int32_t *at = may_differ ? &noted : &wrong;
    *at = *at < 0 ? i : *at;
    n_wrong += !may_differ;
  }
  static const char format[] = "input %d ('%s') is %s, input %d ('%s') is %s; %s-%d takes one type";
#define ARGUMENTS(i)                                                                                                   \
  i, ir_op_input(node->op, i)->name, ir_type_name(in[i]->type), first, ir_op_input(node->op, first)->name,             \
      ir_type_name(in[first]->type), node->op->type, node->op->version
  if (noted >= 0) {
    ir_report_as(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, IR_NOTE, ir_input_where(scope, node, noted, -1), format,
                 ARGUMENTS(noted));
    ir_note(scope->diags, (ir_where){0}, "OpenVINO takes it all the same, and so does irrun");
  }
  if (n_wrong == 0)
    return true;
  ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, wrong, -1), format,
                 ARGUMENTS(wrong));
#undef ARGUMENTS
  if (n_wrong > 1)
    ir_note(scope->diags, (ir_where){0}, "%d of the %d inputs have another type than input %d", n_wrong, n_inputs,
            first);
  return false;
}

bool ir_check_type_variables(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  bool fine = true;
  const ir_port_spec *ports = node->op->inputs;
  for (int32_t i = 0; i < ir_op_n_inputs(node->op); i++) {
    bool seen = ports[i].type_var[0] == '\0';
    for (int32_t before = 0; before < i && !seen; before++)
      seen = same_variable(ports[i].type_var, ports[before].type_var);
    if (!seen)
      fine = check_variable(node, in, ports[i].type_var, scope) && fine;
  }
  return fine;
}
