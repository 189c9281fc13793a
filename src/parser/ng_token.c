#include "ng_token.h"
#include "base/limits.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include <string.h>

ir_where ng_cursor_where(const ng_cursor *cursor, const char *begin, const char *end) {
  const int64_t offset = cursor->text->begin;
  const ir_span at = {offset + (begin - cursor->text->bytes), offset + (end - cursor->text->bytes)};
  return (ir_where){.source = cursor->text->source, .at = at};
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void ng_skip_blanks(ng_cursor *cursor) {
  while (cursor->at < cursor->end && is_blank(*cursor->at))
    cursor->at++;
}

/* ---- reports ---- */

ir_code ng_report_end(ng_cursor *cursor, const char *what, const char *begin) {
  const char *end = cursor->end;
  while (end > cursor->text->bytes && is_blank(end[-1]))
    end--;
  ir_code code =
      ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, ng_cursor_where(cursor, end, end), "the text ends %s", what);
  if (begin != NULL)
    ir_note(cursor->diags, ng_cursor_where(cursor, begin, begin + 1), "which begins here");
  ir_hint(cursor->diags, "it seems to be cut short: copy or export it again");
  return code;
}

static ir_code report_encoding(ng_cursor *cursor) {
  return ir_report(cursor->diags, IR006_ENCODING_NOT_UTF8, ng_cursor_where(cursor, cursor->at, cursor->at + 1),
                   "these bytes are not UTF-8");
}

static ir_code report_control(ng_cursor *cursor) {
  const ir_where where = ng_cursor_where(cursor, cursor->at, cursor->at + 1);
  ir_code code;
  if (*cursor->at == '\0')
    return ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, where, "a NUL byte, which JSON does not allow");
  if (*cursor->at != '\n' && *cursor->at != '\r')
    return ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, where,
                     "a control character (0x%02x), which JSON does not allow", (unsigned char)*cursor->at);
  code = ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, where, "the line ends inside a string");
  ir_hint(cursor->diags, "a '\"' is missing before it, or one too many stands further up");
  return code;
}

ir_code ng_report_unexpected(ng_cursor *cursor, const char *expected) {
  if (cursor->at == cursor->end)
    return ng_report_end(cursor, "before it is complete", NULL);
  const size_t length = ir_utf8_length(cursor->at);
  if (length == 0)
    return report_encoding(cursor);
  if ((unsigned char)*cursor->at < ' ')
    return report_control(cursor);
  return ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, ng_cursor_where(cursor, cursor->at, cursor->at + length),
                   "'%.*s' where %s is expected", (int)length, cursor->at, expected);
}

/* ---- strings ---- */

/* Returns the code of the escape \uXXXX at `text`; -1 if it is invalid. */
static int unicode_escape(const char *text, const char *end) {
  int code = 0;
  if (end - text < 6 || text[0] != '\\' || text[1] != 'u')
    return -1;
  for (int i = 2; i < 6; i++) {
    if (ir_hex_digit(text[i]) < 0)
      return -1;
    code = code * 16 + ir_hex_digit(text[i]);
  }
  return code;
}

static ir_code scan_unicode_escape(ng_cursor *cursor) {
  const char *begin = cursor->at;
  const int code = unicode_escape(begin, cursor->end);
  if (code < 0)
    return ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, ng_cursor_where(cursor, begin, begin + 2),
                     "'\\u' without four hexadecimal digits behind it");
  const ir_where where = ng_cursor_where(cursor, begin, begin + 6);
  if (code < ' ' && code != '\t' && code != '\n' && code != '\r')
    return ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, where,
                     "the control character '%.6s', which irrun allows in no model", begin);
  cursor->at += 6;
  if (code < 0xd800 || code > 0xdfff)
    return IR_OK;
  const int low = unicode_escape(cursor->at, cursor->end);
  if (code >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
    return ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, where, "'%.6s' is half a character", begin);
  cursor->at += 6;
  return IR_OK;
}

static ir_code scan_escape(ng_cursor *cursor) {
  const char c = cursor->at[1];
  if (c == 'u')
    return scan_unicode_escape(cursor);
  const ir_where where = ng_cursor_where(cursor, cursor->at, cursor->at + 1);
  if (c == 'b' || c == 'f')
    return ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, where,
                     "the control character '\\%c', which irrun allows in no model", c);
  if (c == '\0' || strchr("\"\\/nrt", c) == NULL) {
    ir_code code = ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, where, "a backslash, and no escape of JSON");
    ir_hint(cursor->diags, "the character itself is written \\\\");
    return code;
  }
  cursor->at += 2;
  return IR_OK;
}

static bool is_blank_from(const ng_cursor *cursor) {
  const char *at = cursor->at;
  while (at < cursor->end && is_blank(*at))
    at++;
  return at == cursor->end;
}

ir_code ng_scan_string(ng_cursor *cursor) {
  const char *begin = cursor->at++;
  while (cursor->at < cursor->end && *cursor->at != '"') {
    const unsigned char c = (unsigned char)*cursor->at;
    if (c == '\\' && cursor->at + 1 < cursor->end) {
      ir_code code = scan_escape(cursor);
      if (code != IR_OK)
        return code;
      continue;
    }
    if (c < ' ')
      return is_blank_from(cursor) ? ng_report_end(cursor, "inside a string", begin) : report_control(cursor);
    const size_t length = c < 0x80 ? 1 : ir_utf8_length(cursor->at);
    if (length == 0)
      return report_encoding(cursor);
    cursor->at += length;
  }
  if (cursor->at >= cursor->end)
    return ng_report_end(cursor, "inside a string", begin);
  cursor->at++;
  return IR_OK;
}

/* ---- numbers and words ---- */

static const char *skip_digits(const char *text, const char *end) {
  while (text < end && is_digit(*text))
    text++;
  return text;
}

static bool is_number(const char *text, const char *end) {
  text += text < end && *text == '-';
  const char *digits = skip_digits(text, end);
  if (digits == text || (*text == '0' && digits > text + 1))
    return false;
  text = digits;
  if (text < end && *text == '.') {
    digits = skip_digits(text + 1, end);
    if (digits == text + 1)
      return false;
    text = digits;
  }
  if (text < end && (*text == 'e' || *text == 'E')) {
    text++;
    text += text < end && (*text == '-' || *text == '+');
    digits = skip_digits(text, end);
    if (digits == text)
      return false;
    text = digits;
  }
  return text == end;
}

static bool is_any_word(const char *begin, const char *end, const char *const *words) {
  for (; *words != NULL; words++)
    if (strlen(*words) == (size_t)(end - begin) && memcmp(*words, begin, (size_t)(end - begin)) == 0)
      return true;
  return false;
}

static ir_code report_word(ng_cursor *cursor, const char *begin, const char *end) {
  static const char *const python[] = {"True", "False", "None", NULL};
  static const char *const floats[] = {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", NULL};
  ir_code code = ir_report(cursor->diags, IR010_JSON_NOT_WELL_FORMED, ng_cursor_where(cursor, begin, end),
                           "'%s' is no value of JSON", ir_shown(begin, (size_t)(end - begin)).text);
  if (is_any_word(begin, end, python))
    ir_hint(cursor->diags, "JSON has true, false and null");
  else if (is_any_word(begin, end, floats))
    ir_hint(cursor->diags, "JSON has no such numbers; in a Constant they are strings: \"NAN\", \"INFINITY\"");
  else if (*begin == '/' || *begin == '#')
    ir_hint(cursor->diags, "JSON has no comments");
  else if (is_digit(*begin) || *begin == '-' || *begin == '+' || *begin == '.')
    ir_hint(cursor->diags, "a number is written as 12, -0.5 or 1e-3");
  else
    ir_hint(cursor->diags, "a string stands in double quotes");
  return code;
}

ir_code ng_scan_word(ng_cursor *cursor) {
  static const char *const words[] = {"true", "false", "null", NULL};
  const char *begin = cursor->at;
  while (cursor->at < cursor->end && (unsigned char)*cursor->at > ' ' && strchr(",:\"[]{}", *cursor->at) == NULL) {
    const size_t length = ir_utf8_length(cursor->at);
    if (length == 0)
      return report_encoding(cursor);
    cursor->at += length;
  }
  if (cursor->at == begin)
    return ng_report_unexpected(cursor, "a value");
  if (is_any_word(begin, cursor->at, words))
    return IR_OK;
  if (!is_number(begin, cursor->at))
    return report_word(cursor, begin, cursor->at);
  if (cursor->at - begin > IR_MAX_JSON_NUMBER)
    return ir_report(cursor->diags, IR004_LIMIT_EXCEEDED, ng_cursor_where(cursor, begin, cursor->at),
                     "a number of %lld characters; irrun reads up to %d", (long long)(cursor->at - begin),
                     IR_MAX_JSON_NUMBER);
  return IR_OK;
}
