#include "ops/ngraph/constant_text.h"
#include "ops/attr_text.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

/* ---- one item ---- */

typedef struct text_item {
  const char *begin; /* if is_string, after the quote */
  size_t length;
  bool is_string;
} text_item;

/* Reads the next item of the JSON array without brackets; returns false at its end. The parser checked that the text is
 * JSON. */
static bool next_item(const char **cursor, text_item *item) {
  const char *at = *cursor + strspn(*cursor, BLANKS);
  if (*at == '\0')
    return false;
  item->is_string = *at == '"';
  item->begin = at + item->is_string;
  if (item->is_string) {
    at++;
    while (*at != '\0' && *at != '"')
      at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    item->length = (size_t)(at - item->begin);
    at += *at == '"';
    at += strcspn(at, ",");
  } else {
    at += strcspn(at, ",");
    item->length = (size_t)(at - item->begin);
    while (item->length > 0 && strchr(BLANKS, item->begin[item->length - 1]) != NULL)
      item->length--;
  }
  *cursor = at + (*at == ',');
  return true;
}

typedef enum element_fault { ELEMENT_OK, ELEMENT_CUT, ELEMENT_OUTSIDE, ELEMENT_UNREADABLE } element_fault;

/* An element or a fault. The value of the element is in the low bits of `bits`. */
typedef struct text_element {
  uint64_t bits;
  element_fault fault;
} text_element;

/* ---- numbers ---- */

static uint64_t bits_of_f64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Reads f64 by strtod and f32 by strtof; f16 and bf16 are rounded from f32. A finite number that becomes infinite is
 * ELEMENT_OUTSIDE. */
static text_element read_float(const text_item *item, ir_type type, locale_t plain) {
  char *end;
  text_element element = {.fault = ELEMENT_OK};
  errno = 0;
  bool is_double = type == IR_F64, infinite;
  double wide = is_double ? strtod_l(item->begin, &end, plain) : (double)strtof_l(item->begin, &end, plain);
  const float narrow = is_double ? 0 : (float)wide;
  if (item->length == 0 || end != item->begin + item->length)
    return (text_element){.fault = ELEMENT_UNREADABLE};
  infinite = isinf(wide) && errno != ERANGE; /* the text says infinity */
  if (type == IR_F16)
    element.bits = ir_f32_to_f16(narrow);
  else if (type == IR_BF16)
    element.bits = ir_f32_to_bf16(narrow);
  else
    element.bits = is_double ? bits_of_f64(wide) : ir_f32_bits(narrow);
  bool stored_infinite = isinf(wide) || (type == IR_F16 && isinf(ir_f16_to_f32((uint16_t)element.bits))) ||
                         (type == IR_BF16 && isinf(ir_bf16_to_f32((uint16_t)element.bits)));
  if (stored_infinite && !infinite)
    element.fault = ELEMENT_OUTSIDE;
  return element;
}

/* Reads a sign and digits; a magnitude of 2^64 or more is ELEMENT_OUTSIDE. */
static element_fault read_digits(const text_item *item, bool *negative, uint64_t *magnitude) {
  size_t i = item->length > 0 && (item->begin[0] == '-' || item->begin[0] == '+');
  bool fits = true;
  *negative = i > 0 && item->begin[0] == '-';
  *magnitude = 0;
  if (i == item->length)
    return ELEMENT_UNREADABLE;
  for (; i < item->length; i++) {
    const char digit = item->begin[i];
    if (digit < '0' || digit > '9')
      return ELEMENT_UNREADABLE;
    fits = fits && !__builtin_mul_overflow(*magnitude, 10, magnitude) &&
           !__builtin_add_overflow(*magnitude, (uint64_t)(digit - '0'), magnitude);
  }
  return fits ? ELEMENT_OK : ELEMENT_OUTSIDE;
}

/* Returns the largest magnitude of a negative or positive number of the type. */
static uint64_t greatest(ir_type type, bool negative) {
  if (type == IR_BOOLEAN)
    return !negative;
  const uint64_t all = UINT64_MAX >> (64 - ir_type_bits(type));
  if (!ir_type_in(type, IR_SET_SIGNED))
    return negative ? 0 : all;
  return all / 2 + negative;
}

static text_element read_integer(const text_item *item, ir_type type, bool may_cut) {
  bool negative;
  uint64_t magnitude;
  text_element element = {.fault = read_digits(item, &negative, &magnitude)};
  element.bits = negative ? 0 - magnitude : magnitude;
  if (element.fault == ELEMENT_OK && magnitude > greatest(type, negative))
    element.fault = may_cut ? ELEMENT_CUT : ELEMENT_OUTSIDE;
  return element;
}

/* ---- all items ---- */

typedef struct text_reader {
  ir_type type;
  bool may_cut; /* a number that does not fit is cut to its low bits, like in nGraph; see begin_reading */
  locale_t plain;
} text_reader;

static text_element read_element(const text_reader *reader, const text_item *item) {
  if (!item->is_string)
    return (text_element){.fault = ELEMENT_UNREADABLE};
  if (ir_type_in(reader->type, IR_SET_FLOATS))
    return read_float(item, reader->type, reader->plain);
  return read_integer(item, reader->type, reader->may_cut);
}

static int64_t count_items(const char *text) {
  text_item item;
  int64_t n = 0;
  while (next_item(&text, &item))
    n++;
  return n;
}

static bool begin_reading(text_reader *reader, ir_type type, int64_t n_items, int64_t n_elements) {
  *reader = (text_reader){.type = type, .plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  reader->may_cut = type == IR_I8 || type == IR_U8 || (type != IR_BOOLEAN && n_items == 1 && n_elements != 1);
  return reader->plain != (locale_t)0;
}

static void end_reading(text_reader *reader) {
  freelocale(reader->plain);
}

bool ir_constant_text_has(ir_type type) {
  return ir_type_in(type, IR_SET_STORED);
}

/* Returns the place of the item in the file, without its quotes. */
static ir_where where_of(const ir_text_value *value, const text_item *item) {
  ir_where where = value->where;
  if (value->exact) {
    where.at.begin += item->begin - value->text;
    where.at.end = where.at.begin + (int64_t)item->length;
  }
  return where;
}

static const char *range_text(ir_type type, char *buffer, size_t size) {
  if (ir_type_in(type, IR_SET_FLOATS))
    snprintf(buffer, size, "numbers that %s holds", ir_type_name(type));
  else
    snprintf(buffer, size, "numbers from %s%llu to %llu", greatest(type, true) > 0 ? "-" : "",
             (unsigned long long)greatest(type, true), (unsigned long long)greatest(type, false));
  return buffer;
}

static bool check_count(const ir_text_value *value, int64_t n, const ir_value *out, ir_scope *scope) {
  int64_t expected;
  char shape[IR_SHAPE_TEXT];
  if (!ir_shape_elements(&out->shape, &expected) || n == expected || n == 1)
    return true;
  ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, value->where,
            "'value' has %lld value%s, expected %lld for %s%s, or one for all", (long long)n, n == 1 ? "" : "s",
            (long long)expected, ir_type_name(out->type), ir_shape_text(&out->shape, shape, sizeof shape));
  return false;
}

bool ir_constant_text_check(const ir_node *node, const ir_raw_attr *value, const ir_value *out, ir_scope *scope) {
  ir_text_value text = ir_text_value_of(scope->graph, node->layer, value);
  ir_wrong_items wrong[ELEMENT_UNREADABLE + 1] = {{.n = 0}};
  int64_t n = count_items(text.text), n_elements = 0;
  text_reader reader;
  text_item item;
  char range[64];
  ir_shape_elements(&out->shape, &n_elements);
  if (!begin_reading(&reader, out->type, n, n_elements)) {
    ir_out_of_memory(scope->diags);
    return false;
  }
  for (const char *next = text.text; next_item(&next, &item);) {
    element_fault fault = read_element(&reader, &item).fault;
    if (fault != ELEMENT_OK)
      ir_wrong_items_add(&wrong[fault], item.begin, item.length, where_of(&text, &item));
  }
  end_reading(&reader);
  if (wrong[ELEMENT_UNREADABLE].n > 0)
    ir_report(scope->diags, IR206_ATTRIBUTE_NOT_PARSABLE, wrong[ELEMENT_UNREADABLE].where,
              "'value' holds %s, expected strings with one %s each", wrong[ELEMENT_UNREADABLE].text,
              ir_type_in(out->type, IR_SET_FLOATS) ? "number" : "whole number");
  if (wrong[ELEMENT_OUTSIDE].n > 0)
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, wrong[ELEMENT_OUTSIDE].where, "'value' holds %s, expected %s",
              wrong[ELEMENT_OUTSIDE].text, range_text(out->type, range, sizeof range));
  if (wrong[ELEMENT_CUT].n > 0)
    ir_report_as(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, IR_WARNING, wrong[ELEMENT_CUT].where,
                 "'value' holds %s, expected %s: the low %d bits are taken, as nGraph does", wrong[ELEMENT_CUT].text,
                 range_text(out->type, range, sizeof range), ir_type_bits(out->type));
  return check_count(&text, n, out, scope) && wrong[ELEMENT_UNREADABLE].n + wrong[ELEMENT_OUTSIDE].n == 0;
}

/* ---- storing ---- */

static void store(ir_tensor *tensor, int64_t index, uint64_t bits) {
  const uint8_t in8 = (uint8_t)bits;
  const uint16_t in16 = (uint16_t)bits;
  const uint32_t in32 = (uint32_t)bits;
  const size_t size = ir_type_size(tensor->type);
  memcpy((char *)tensor->data + (size_t)index * size,
         size == 1   ? (const void *)&in8
         : size == 2 ? (const void *)&in16
         : size == 4 ? (const void *)&in32
                     : (const void *)&bits,
         size);
}

bool ir_constant_text_read(const ir_raw_attr *value, ir_tensor *tensor) {
  const int64_t n = count_items(value->value), n_elements = ir_tensor_elements(tensor);
  const char *next = value->value;
  text_reader reader;
  text_item item;
  if ((n != n_elements && n != 1) || !begin_reading(&reader, tensor->type, n, n_elements))
    return false;
  bool fine = true;
  for (int64_t i = 0; fine && i < n && next_item(&next, &item); i++) {
    text_element element = read_element(&reader, &item);
    fine = element.fault == ELEMENT_OK || element.fault == ELEMENT_CUT;
    for (int64_t k = i; fine && k < (n == 1 ? n_elements : i + 1); k++)
      store(tensor, k, element.bits);
  }
  end_reading(&reader);
  return fine;
}
