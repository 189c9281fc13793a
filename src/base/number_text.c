#include "base/number_text.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { SAFE_DIGITS = 18 }; /* digits that always fit int64_t */

int ir_hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

ir_number_fault ir_text_number(const char *text, size_t length, int64_t *out) {
  *out = 0;
  bool negative = length > 0 && text[0] == '-';
  size_t i = negative;
  if (i == length)
    return IR_NUMBER_UNREADABLE;
  int64_t number = 0;
  bool too_large = false;
  for (; i < length; i++) {
    if (text[i] < '0' || text[i] > '9')
      return IR_NUMBER_UNREADABLE;
    const int64_t digit = negative ? '0' - text[i] : text[i] - '0';
    if (i < SAFE_DIGITS)
      number = 10 * number + digit;
    else
      too_large = too_large || !ir_mul(number, 10, &number) || !ir_add(number, digit, &number);
  }
  *out = number;
  return too_large ? IR_NUMBER_TOO_LARGE : IR_NUMBER_OK;
}

static ir_dim_fault read_bound(const char *text, size_t length, int64_t *out) {
  ir_number_fault fault = ir_text_number(text, length, out);
  if (fault == IR_NUMBER_UNREADABLE)
    return IR_DIM_UNREADABLE;
  if (text[0] == '-')
    return IR_DIM_NEGATIVE;
  /* IR_DIM_MAX means "unbounded", so no size can have that value */
  return fault == IR_NUMBER_TOO_LARGE || *out == IR_DIM_MAX ? IR_DIM_TOO_LARGE : IR_DIM_OK;
}

static ir_dim_fault read_interval(const char *text, size_t length, const char *dots, ir_dim *out) {
  size_t before = (size_t)(dots - text), after = length - before - 2;
  ir_dim_fault fault = before + after == 0 ? IR_DIM_UNREADABLE : IR_DIM_OK;
  *out = ir_dim_any();
  if (fault == IR_DIM_OK && before > 0)
    fault = read_bound(text, before, &out->lo);
  if (fault == IR_DIM_OK && after > 0)
    fault = read_bound(dots + 2, after, &out->hi);
  return fault == IR_DIM_OK && out->lo > out->hi ? IR_DIM_REVERSED : fault;
}

ir_dim_fault ir_text_dim(const char *text, size_t length, ir_dim_spelling spelling, ir_dim *out) {
  int64_t n;
  ir_dim_fault fault = read_bound(text, length, &n);
  *out = ir_dim_of(n);
  if (fault == IR_DIM_OK || spelling == IR_DIM_NUMBER)
    return fault;
  if (spelling == IR_DIM_IN_PORT && length > 0 && (text[0] == '?' || text[0] == '.'))
    return IR_DIM_UNREADABLE;
  if ((length == 1 && text[0] == '?') || (length == 2 && memcmp(text, "-1", 2) == 0)) {
    *out = ir_dim_any();
    return IR_DIM_OK;
  }
  const char *dots = memmem(text, length, "..", 2);
  return dots == NULL ? fault : read_interval(text, length, dots, out);
}

bool ir_text_double(const char *text, size_t length, double *out) {
  enum { LONGEST = 512 }; /* bytes, more than a double has digits */
  char copy[LONGEST], *end;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0 || length == 0 || length >= LONGEST || text[0] == ' ' ||
      (text[0] >= '\t' && text[0] <= '\r'))
    return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  *out = strtod_l(copy, &end, plain);
  freelocale(plain);
  return end == copy + length;
}
