/* Strings, numbers and words of JSON. */
#ifndef NG_TOKEN_H
#define NG_TOKEN_H

#include "graph/graph.h"

typedef struct ng_text {
  const char *bytes; /* with a NUL behind them */
  int64_t size;
  int64_t begin; /* of the first byte in the source */
  ir_source *source;
} ng_text;

typedef struct ng_cursor {
  const ng_text *text;
  ir_diags *diags;
  const char *at, *end;
} ng_cursor;

ir_where ng_cursor_where(const ng_cursor *cursor, const char *begin, const char *end);
void ng_skip_blanks(ng_cursor *cursor);
/* The cursor is at the opening quote; it ends behind the closing one. What is not IR_OK was reported. */
ir_code ng_scan_string(ng_cursor *cursor);
/* The cursor is where a number, true, false or null has to be, and ends behind it. */
ir_code ng_scan_word(ng_cursor *cursor);
/* IR010 at the end of the file, inside `what`, which begins at `begin`. */
ir_code ng_report_end(ng_cursor *cursor, const char *what, const char *begin);
/* IR010: something else was expected at the cursor. */
ir_code ng_report_unexpected(ng_cursor *cursor, const char *expected);

#endif
