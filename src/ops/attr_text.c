#include "ops/attr_text.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

ir_text_value ir_text_value_of(const ir_graph *graph, const ir_layer *layer, const ir_raw_attr *raw) {
  ir_text_value value = {.name = raw->name, .text = raw->value == NULL ? "" : raw->value};
  value.where = ir_layer_where(graph, layer, raw->at);
  value.where.attribute = raw->name;
  value.exact = strlen(value.text) == raw->at.length;
  bool blank = true;
  int64_t commas = 0;
  for (const char *c = value.text; *c != '\0'; c++) {
    blank = blank && is_blank(*c);
    commas += *c == ',';
  }
  value.n_items = blank ? 0 : commas + 1;
  return value;
}

static const char *item_at(const ir_text_value *value, const char *begin, size_t *out_length, ir_where *out_where) {
  const char *end = begin + strcspn(begin, ",");
  while (begin < end && is_blank(*begin))
    begin++;
  while (end > begin && is_blank(end[-1]))
    end--;
  *out_length = (size_t)(end - begin);
  *out_where = value->where;
  if (value->exact) {
    out_where->at.begin = value->where.at.begin + (begin - value->text);
    out_where->at.end = out_where->at.begin + (end - begin);
  }
  return begin;
}

/* Returns the item at *next, without surrounding blanks, and advances *next to the following item. */
static const char *take_item(const ir_text_value *value, const char **next, size_t *out_length, ir_where *out_where) {
  const char *item = item_at(value, *next, out_length, out_where);
  *next += strcspn(*next, ",");
  *next += **next == ',';
  return item;
}

const char *ir_text_item(const ir_text_value *value, int64_t index, size_t *out_length, ir_where *out_where) {
  const char *begin = value->text;
  for (int64_t i = 0; i < index && *begin != '\0'; i++) {
    begin += strcspn(begin, ",");
    begin += *begin == ',';
  }
  return item_at(value, begin, out_length, out_where);
}

void ir_wrong_items_add(ir_wrong_items *wrong, const char *item, size_t length, ir_where where) {
  if (wrong->n++ == 0)
    wrong->where = where;
  if (wrong->used == sizeof wrong->text)
    return;
  static const char more[] = ", ...";
  const ir_words shown = ir_shown(item, length);
  const bool fits = wrong->used + strlen(shown.text) + sizeof ", ''" + sizeof more <= sizeof wrong->text;
  const char *between = wrong->n > 1 ? ", " : "";
  int n = fits ? snprintf(wrong->text + wrong->used, sizeof wrong->text - wrong->used, "%s'%s'", between, shown.text)
               : snprintf(wrong->text + wrong->used, sizeof wrong->text - wrong->used, "%s", more);
  wrong->used = fits ? wrong->used + (size_t)n : sizeof wrong->text;
}

static ir_code report_unreadable(const ir_text_value *value, const ir_wrong_items *wrong, const char *expected,
                                 ir_diags *diags) {
  return ir_report(diags, IR206_ATTRIBUTE_NOT_PARSABLE, wrong->where, "'%s' holds %s, expected %s", value->name,
                   wrong->text, expected);
}

static ir_code report_range(const ir_text_value *value, const ir_wrong_items *wrong, int64_t min, int64_t max,
                            bool list, ir_diags *diags) {
  const char *numbers = list ? "numbers" : "a number";
  if (max == INT64_MAX && !wrong->too_large)
    return ir_report(diags, IR207_ATTRIBUTE_OUT_OF_RANGE, wrong->where, "'%s' holds %s, expected %s of at least %lld",
                     value->name, wrong->text, numbers, (long long)min);
  return ir_report(diags, IR207_ATTRIBUTE_OUT_OF_RANGE, wrong->where, "'%s' holds %s, expected %s from %lld to %lld",
                   value->name, wrong->text, numbers, (long long)min, (long long)max);
}

/* Prints integers in the format of the specification, "1,1". If the buffer is too small, the text is empty. */
static void spell(const int64_t *items, int64_t n, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (int64_t i = 0; i < n && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld", i > 0 ? "," : "", (long long)items[i]);
  if (used >= size)
    buffer[0] = '\0';
}

static void warn_of_floats(const ir_text_value *value, const ir_wrong_items *floats, bool list, const int64_t *items,
                           ir_diags *diags) {
  char spelt[256];
  spell(items, value->n_items, spelt, sizeof spelt);
  ir_report_as(diags, IR206_ATTRIBUTE_NOT_PARSABLE, IR_WARNING, floats->where,
               "'%s' holds %s, which OpenVINO reads; the spec has %s", value->name, floats->text,
               list ? "whole numbers" : "a whole number");
  if (spelt[0] != '\0')
    ir_hint(diags, "write %s=\"%s\"", value->name, spelt);
}

/* Number of characters before the point of "2.0" or "2.", where only zeros follow. For any other item, its whole
 * length. */
static size_t whole_length(const char *item, size_t length) {
  const char *point = memchr(item, '.', length);
  if (point == NULL)
    return length;
  for (const char *c = point + 1; c < item + length; c++)
    if (*c != '0')
      return length;
  return (size_t)(point - item);
}

/* Faulty items of a list of integers, by kind. */
typedef struct int_faults {
  ir_wrong_items unreadable, outside, floats;
} int_faults;

static void read_int(const ir_text_value *value, const char *item, size_t length, ir_where where, int64_t min,
                     int64_t max, int64_t *out, int_faults *faults) {
  int64_t number = 0;
  const size_t whole = value->floats_allowed ? whole_length(item, length) : length;
  const ir_number_fault fault = ir_text_number(item, whole, &number);
  if (fault == IR_NUMBER_UNREADABLE)
    ir_wrong_items_add(&faults->unreadable, item, length, where);
  else if (fault == IR_NUMBER_TOO_LARGE || number < min || number > max)
    ir_wrong_items_add(&faults->outside, item, length, where);
  else
    *out = number;
  if (fault == IR_NUMBER_OK && whole < length)
    ir_wrong_items_add(&faults->floats, item, length, where);
  faults->outside.too_large = faults->outside.too_large || fault == IR_NUMBER_TOO_LARGE;
}

/* Reads all items. `list`: the attribute is a list of any length, not one number. */
static ir_code read_ints(const ir_text_value *value, int64_t min, int64_t max, bool list, int64_t *out_items,
                         bool *out_readable, ir_diags *diags) {
  int_faults faults = {.unreadable = {.n = 0}};
  const char *next = value->text;
  for (int64_t i = 0; i < value->n_items; i++) {
    size_t length;
    ir_where where;
    const char *item = take_item(value, &next, &length, &where);
    read_int(value, item, length, where, min, max, &out_items[i], &faults);
  }
  /* Report items out of range and unreadable items separately: they break different rules. */
  ir_code code = faults.outside.n > 0 ? report_range(value, &faults.outside, min, max, list, diags) : IR_OK;
  *out_readable = faults.unreadable.n == 0;
  if (faults.unreadable.n > 0)
    code = report_unreadable(value, &faults.unreadable, list ? "whole numbers separated by commas" : "a whole number",
                             diags);
  else if (faults.outside.n == 0 && faults.floats.n > 0)
    warn_of_floats(value, &faults.floats, list, out_items, diags);
  return code;
}

ir_code ir_text_ints(const ir_text_value *value, int64_t min, int64_t max, int64_t *out_items, bool *out_readable,
                     ir_diags *diags) {
  return read_ints(value, min, max, true, out_items, out_readable, diags);
}

static ir_code report_count(const ir_text_value *value, ir_diags *diags) {
  return ir_report(diags, IR208_ATTRIBUTE_WRONG_LENGTH, value->where, "'%s' has %lld values, expected one", value->name,
                   (long long)value->n_items);
}

ir_code ir_text_int(const ir_text_value *value, int64_t min, int64_t max, int64_t *out, ir_diags *diags) {
  bool readable;
  if (value->n_items != 1)
    return report_count(value, diags);
  return read_ints(value, min, max, false, out, &readable, diags);
}

ir_code ir_text_floats(const ir_text_value *value, double *out_items, ir_diags *diags) {
  ir_wrong_items unreadable = {.n = 0};
  const char *next = value->text;
  for (int64_t i = 0; i < value->n_items; i++) {
    size_t length;
    ir_where where;
    const char *item = take_item(value, &next, &length, &where);
    if (!ir_text_double(item, length, &out_items[i]))
      ir_wrong_items_add(&unreadable, item, length, where);
  }
  return unreadable.n == 0 ? IR_OK
                           : report_unreadable(value, &unreadable,
                                               value->n_items > 1 ? "numbers separated by commas" : "a number", diags);
}

ir_code ir_text_float(const ir_text_value *value, double *out, ir_diags *diags) {
  return value->n_items == 1 ? ir_text_floats(value, out, diags) : report_count(value, diags);
}

/* Whether the whole text is `word`, ignoring case. Surrounding blanks are not accepted, because OpenVINO accepts
 * none. */
static bool is_word(const ir_text_value *value, const char *word) {
  return strcasecmp(value->text, word) == 0;
}

ir_code ir_text_bool(const ir_text_value *value, bool *out, ir_diags *diags) {
  if (is_word(value, "true") || is_word(value, "1"))
    *out = true;
  else if (is_word(value, "false") || is_word(value, "0"))
    *out = false;
  else
    return ir_report(diags, IR207_ATTRIBUTE_OUT_OF_RANGE, value->where, "'%s' is '%s', expected 'true' or 'false'",
                     value->name, ir_shown_text(value->text).text);
  return IR_OK;
}

ir_code ir_text_enum(const ir_text_value *value, const char *const *names, const char *const *others, int *out,
                     ir_diags *diags) {
  char known[256];
  size_t used = 0, n = 0;
  for (; names[n] != NULL; n++) {
    if (is_word(value, names[n]) || (others != NULL && is_word(value, others[n]))) {
      *out = (int)n;
      return IR_OK;
    }
    if (used < sizeof known)
      used += (size_t)snprintf(known + used, sizeof known - used, "%s'%s'",
                               n == 0                 ? ""
                               : names[n + 1] == NULL ? " or "
                                                      : ", ",
                               names[n]);
    if (used < sizeof known && others != NULL)
      used += (size_t)snprintf(known + used, sizeof known - used, " (%s)", others[n]);
  }
  ir_code code = ir_report(diags, IR207_ATTRIBUTE_OUT_OF_RANGE, value->where, "'%s' is '%s', expected %s", value->name,
                           ir_shown_text(value->text).text, known);
  const char *meant = ir_did_you_mean(value->text, names, n);
  if (meant != NULL)
    ir_hint(diags, "did you mean '%s'?", meant);
  return code;
}

static ir_code report_no_c_name(const ir_text_value *value, ir_diags *diags) {
  ir_code code =
      ir_report(diags, IR206_ATTRIBUTE_NOT_PARSABLE, value->where, "'%s' is '%s', which is no element type of nGraph",
                value->name, ir_shown_text(value->text).text);
  ir_hint(diags, "element types are float, double, float16, bfloat16, int8_t to int64_t, uint8_t to uint64_t, char "
                 "for booleans, ...");
  return code;
}

ir_code ir_text_type(const ir_text_value *value, bool c_names, ir_type *out, ir_diags *diags) {
  if (c_names)
    return ir_type_from_c_name(value->text, strlen(value->text), out) ? IR_OK : report_no_c_name(value, diags);
  if (ir_type_from_name(value->text, strlen(value->text), out))
    return IR_OK;
  ir_code code = ir_report(diags, IR206_ATTRIBUTE_NOT_PARSABLE, value->where, "'%s' is '%s', which is no element type",
                           value->name, ir_shown_text(value->text).text);
  ir_type meant;
  if (ir_type_from_precision(value->text, strlen(value->text), &meant))
    ir_hint(diags, "did you mean '%s'? only a port's precision has the name '%s'", ir_type_name(meant),
            ir_shown_text(value->text).text);
  else
    ir_hint(diags, "element types are f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, boolean, ...");
  return code;
}

/* ---- shapes ---- */

/* Returns the value without its brackets, if it has any. */
static ir_text_value without_brackets(const ir_text_value *value, char *copy, size_t size) {
  ir_text_value inner = *value;
  size_t length = strlen(value->text);
  const char *begin = value->text, *end = value->text + length;
  while (begin < end && is_blank(*begin))
    begin++;
  while (end > begin && is_blank(end[-1]))
    end--;
  if (end - begin < 2 || *begin != '[' || end[-1] != ']' || length >= size)
    return inner;
  memcpy(copy, value->text, length + 1);
  copy[begin - value->text] = ' ';
  copy[end - 1 - value->text] = ' ';
  inner.text = copy;
  size_t blanks = strspn(copy, " \t\r\n");
  inner.n_items = copy[blanks] == '\0' ? 0 : value->n_items;
  return inner;
}

static ir_code read_dims(const ir_text_value *value, bool intervals, ir_shape *out, ir_diags *diags) {
  ir_wrong_items unreadable = {.n = 0}, outside = {.n = 0};
  for (int64_t i = 0; i < value->n_items; i++) {
    size_t length;
    ir_where where;
    const char *item = ir_text_item(value, i, &length, &where);
    ir_dim_fault fault = ir_text_dim(item, length, intervals ? IR_DIM_IN_SHAPE : IR_DIM_NUMBER, &out->dims[i]);
    if (fault == IR_DIM_UNREADABLE)
      ir_wrong_items_add(&unreadable, item, length, where);
    else if (fault != IR_DIM_OK)
      ir_wrong_items_add(&outside, item, length, where);
  }
  if (unreadable.n > 0)
    return report_unreadable(value, &unreadable, intervals ? "dims as 1,3,?,1..640" : "dims as 1,3,32,32", diags);
  if (outside.n > 0)
    return ir_report(diags, IR207_ATTRIBUTE_OUT_OF_RANGE, outside.where,
                     "'%s' holds %s, expected sizes from 0 to 9223372036854775806, lower bounds before upper ones",
                     value->name, outside.text);
  out->rank = (int)value->n_items;
  return IR_OK;
}

ir_code ir_text_shape(const ir_text_value *value, bool intervals, ir_shape *out, ir_diags *diags) {
  char copy[4096];
  ir_text_value inner = without_brackets(value, copy, sizeof copy);
  size_t length;
  ir_where where;
  const char *only = ir_text_item(&inner, 0, &length, &where);
  *out = ir_shape_unknown();
  if (intervals && inner.n_items == 1 && length == 3 && memcmp(only, "...", 3) == 0)
    return IR_OK;
  if (inner.n_items > IR_MAX_RANK)
    return ir_report(diags, IR004_LIMIT_EXCEEDED, value->where, "'%s' has %lld dims; irrun reads up to %d", value->name,
                     (long long)inner.n_items, IR_MAX_RANK);
  return read_dims(&inner, intervals, out, diags);
}
