#include "runtime/tensor/number_read.h"
#include "base/message_text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ir_number_length(const char *text) {
  static const char digits[] = "0123456789";
  size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  size_t whole = strspn(text + at, digits);
  at += whole;
  size_t fraction = text[at] == '.' ? strspn(text + at + 1, digits) : 0;
  at += fraction > 0 ? fraction + 1 : 0;
  if (whole + fraction == 0)
    return 0;
  if (text[at] == 'e' || text[at] == 'E') {
    size_t sign = text[at + 1] == '-' || text[at + 1] == '+' ? 1 : 0;
    size_t exponent = strspn(text + at + 1 + sign, digits);
    at += exponent > 0 ? 1 + sign + exponent : 0;
  }
  return at;
}

/* Parses a double in the C locale. False when memory is out. */
static bool read_double(const char *text, double *out) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return false;
  *out = strtod_l(text, NULL, plain);
  freelocale(plain);
  return true;
}

static bool is_whole(const char *text, size_t length) {
  size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
  return strspn(text + sign, "0123456789") >= length - sign;
}

bool ir_read_digits(const char *text, size_t length, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < length; i++)
    if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(*out, 10, out) ||
        __builtin_add_overflow(*out, (uint64_t)(text[i] - '0'), out))
      return false;
  return length > 0;
}

ir_code ir_read_number(ir_diags *diags, const char *what, const char *text, size_t length, ir_number *out) {
  uint64_t magnitude;
  const size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
  const uint64_t most_negative = UINT64_C(1) << 63;
  if (is_whole(text, length) && ir_read_digits(text + sign, length - sign, &magnitude) &&
      (text[0] != '-' || (magnitude > 0 && magnitude <= most_negative))) {
    *out = text[0] == '-' ? (ir_number){.kind = IR_NUMBER_SIGNED, .i = (int64_t)(0 - magnitude)}
                          : (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = magnitude};
    return IR_OK;
  }
  *out = (ir_number){.kind = IR_NUMBER_FLOAT};
  if (!read_double(text, &out->f))
    return ir_out_of_memory(diags);
  return isfinite(out->f) ? IR_OK
                          : ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                                      "%s: no type holds a number as large as %s", what, ir_shown(text, length).text);
}

bool ir_read_number_word(const char *text, size_t length, ir_number *out) {
  static const struct {
    const char *word;
    double value;
  } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strlen(words[i].word) == length && strncmp(words[i].word, text, length) == 0) {
      *out = (ir_number){.kind = IR_NUMBER_FLOAT, .f = words[i].value};
      return true;
    }
  return false;
}
