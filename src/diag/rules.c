#include "diag/rules.h"
#include <string.h>
#include <strings.h>

const ir_rule_row ir_rule_rows[IR_RULE_COUNT] = {
#define IR_RULE(number, name, slug, severity, status, say, ...)                                                        \
  [IR##number##_##name] = {"IR" #number, slug, severity, status, say, .allow = __VA_ARGS__},
#include "diag/rules.inc"
#undef IR_RULE
};

/* Returns the index of the code in an order from the best to the worst. */
static int badness(ir_code code) {
  static const ir_code order[] = {IR_OK, IR_DIFFERS,   IR_BAD_DATA, IR_UNSUPPORTED, IR_INVALID,
                                  IR_IO, IR_NO_MEMORY, IR_USAGE,    IR_INTERNAL};
  _Static_assert(sizeof order / sizeof order[0] == IR_NO_MEMORY + 2, "each code has a place, and IR_INTERNAL");
  int n = (int)(sizeof order / sizeof order[0]), i = 0;
  while (i < n && order[i] != code)
    i++;
  return i;
}

ir_code ir_code_worse(ir_code a, ir_code b) {
  return badness(a) >= badness(b) ? a : b;
}

unsigned ir_rule_severities(ir_rule rule) {
  return 1u << ir_rule_rows[rule].severity | ir_rule_rows[rule].also;
}

bool ir_rule_can_be_allowed(ir_rule rule) {
  return ir_rule_rows[rule].allow != NULL || ir_rule_severities(rule) != IR_SOME_ERRORS;
}

bool ir_rule_find(const char *text, size_t length, ir_rule *out_rule) {
  *out_rule = IR_RULE_COUNT;
  for (int i = 0; i < IR_RULE_COUNT; i++) {
    const ir_rule_row *row = &ir_rule_rows[i];
    bool is_id = strlen(row->id) == length && strncasecmp(row->id, text, length) == 0;
    if (is_id || (strlen(row->slug) == length && memcmp(row->slug, text, length) == 0)) {
      *out_rule = (ir_rule)i;
      return true;
    }
  }
  return false;
}
