#include "ng_scan.h"
#include "base/limits.h"
#include <string.h>

typedef enum ng_state {
  NG_AT_VALUE,
  NG_AT_FIRST_VALUE, /* expects a value or ']' */
  NG_AT_KEY,
  NG_AT_FIRST_KEY, /* expects a field's name or '}' */
  NG_BEHIND_VALUE
} ng_state;

/* An ng_level is an open array or object; `place` is its index in ng_places. */
typedef struct ng_level {
  size_t place;
  bool is_object;
} ng_level;

typedef struct ng_scanner {
  ng_cursor cursor;
  const ir_memory *memory;
  ng_places *places;
  ng_level open[IR_MAX_DEPTH];
  int depth;
  ng_state state;
} ng_scanner;

static const char *open_begin(const ng_scanner *s) {
  const ng_text *text = s->cursor.text;
  return text->bytes + (s->places->at[s->open[s->depth - 1].place].begin - text->begin);
}

static ir_code report_end(ng_scanner *s) {
  if (s->depth == 0)
    return ng_report_end(&s->cursor, "before there is a value", NULL);
  return ng_report_end(&s->cursor, s->open[s->depth - 1].is_object ? "inside an object" : "inside an array",
                       open_begin(s));
}

static ir_code add_place(ng_scanner *s) {
  ng_places *places = s->places;
  void *at = places->at;
  if (places->n >= (size_t)IR_MAX_JSON_VALUES)
    return ir_report(s->cursor.diags, IR004_LIMIT_EXCEEDED, ng_cursor_where(&s->cursor, s->cursor.at, s->cursor.at + 1),
                     "more than %lld values in one model", (long long)IR_MAX_JSON_VALUES);
  if (!ir_reserve(s->memory, &at, places->n, &places->capacity, sizeof *places->at))
    return ir_out_of_memory(s->cursor.diags);
  places->at = at;
  const int64_t begin = s->cursor.text->begin + (s->cursor.at - s->cursor.text->bytes);
  places->at[places->n++] = (ir_at){.begin = (uint32_t)begin};
  return IR_OK;
}

/* Sets the end of a value's place to the cursor. */
static void end_place(ng_scanner *s, size_t place) {
  const int64_t end = s->cursor.text->begin + (s->cursor.at - s->cursor.text->bytes);
  s->places->at[place].length = (uint32_t)(end - s->places->at[place].begin);
  s->state = NG_BEHIND_VALUE;
}

static ir_code open_level(ng_scanner *s) {
  if (s->depth == IR_MAX_DEPTH)
    return ir_report(s->cursor.diags, IR004_LIMIT_EXCEEDED, ng_cursor_where(&s->cursor, s->cursor.at, s->cursor.at + 1),
                     "more than %d arrays and objects inside each other", IR_MAX_DEPTH);
  const bool is_object = *s->cursor.at == '{';
  s->open[s->depth++] = (ng_level){s->places->n - 1, is_object};
  s->state = is_object ? NG_AT_FIRST_KEY : NG_AT_FIRST_VALUE;
  s->cursor.at++;
  return IR_OK;
}

static void close_level(ng_scanner *s) {
  s->cursor.at++;
  s->depth--;
  end_place(s, s->open[s->depth].place);
}

/* Reports that a value or a field's name is missing at the cursor. */
static ir_code report_missing(ng_scanner *s, const char *expected) {
  const char *begin = s->cursor.text->bytes, *behind = s->cursor.at;
  while (behind > begin && strchr(" \t\r\n", behind[-1]) != NULL)
    behind--;
  ir_code code = ng_report_unexpected(&s->cursor, expected);
  if (behind > begin && behind[-1] == ',' && (*s->cursor.at == ']' || *s->cursor.at == '}'))
    ir_hint(s->cursor.diags, "delete the ',' before it");
  return code;
}

static ir_code scan_value(ng_scanner *s) {
  const char c = *s->cursor.at;
  if (s->state == NG_AT_FIRST_VALUE && c == ']') {
    close_level(s);
    return IR_OK;
  }
  if (c == ']' || c == '}')
    return report_missing(s, "a value");
  ir_code code = add_place(s);
  if (code != IR_OK)
    return code;
  if (c == '[' || c == '{')
    return open_level(s);
  s->places->n_strings += c == '"';
  code = c == '"' ? ng_scan_string(&s->cursor) : ng_scan_word(&s->cursor);
  if (code == IR_OK)
    end_place(s, s->places->n - 1);
  return code;
}

static ir_code scan_key(ng_scanner *s) {
  const char c = *s->cursor.at;
  if (s->state == NG_AT_FIRST_KEY && c == '}') {
    close_level(s);
    return IR_OK;
  }
  if (c != '"')
    return report_missing(s, s->state == NG_AT_FIRST_KEY ? "a field's name in double quotes, or '}'"
                                                         : "a field's name in double quotes");
  ir_code code = ng_scan_string(&s->cursor);
  if (code != IR_OK)
    return code;
  s->places->n_strings++;
  ng_skip_blanks(&s->cursor);
  if (s->cursor.at == s->cursor.end)
    return report_end(s);
  if (*s->cursor.at != ':')
    return ng_report_unexpected(&s->cursor, "':' behind a field's name");
  s->cursor.at++;
  s->state = NG_AT_VALUE;
  return IR_OK;
}

static ir_code scan_behind(ng_scanner *s) {
  const char c = *s->cursor.at;
  const bool is_object = s->open[s->depth - 1].is_object;
  if (c == (is_object ? '}' : ']')) {
    close_level(s);
    return IR_OK;
  }
  if (c == ',') {
    s->cursor.at++;
    s->state = is_object ? NG_AT_KEY : NG_AT_VALUE;
    return IR_OK;
  }
  ir_code code = ng_report_unexpected(&s->cursor, is_object ? "',' or '}'" : "',' or ']'");
  ir_note(s->cursor.diags, ng_cursor_where(&s->cursor, open_begin(s), open_begin(s) + 1), "of the %s that begins here",
          is_object ? "object" : "array");
  return code;
}

static ir_code scan_step(ng_scanner *s) {
  switch (s->state) {
  case NG_AT_VALUE:
  case NG_AT_FIRST_VALUE:
    return scan_value(s);
  case NG_AT_KEY:
  case NG_AT_FIRST_KEY:
    return scan_key(s);
  case NG_BEHIND_VALUE:
    return scan_behind(s);
  }
  return IR_INTERNAL;
}

ir_code ng_scan(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_places *out_places) {
  *out_places = (ng_places){.at = NULL};
  ng_scanner s = {.cursor = {text, diags, text->bytes, text->bytes + text->size},
                  .memory = memory,
                  .places = out_places,
                  .state = NG_AT_VALUE};
  for (;;) {
    ng_skip_blanks(&s.cursor);
    const bool done = s.depth == 0 && s.state == NG_BEHIND_VALUE;
    if (s.cursor.at == s.cursor.end)
      return done ? IR_OK : report_end(&s);
    if (done)
      return ng_report_unexpected(&s.cursor, "the end of the text");
    ir_code code = scan_step(&s);
    if (code != IR_OK)
      return code;
  }
}
