/* Scans the tokens of JSON that are values: strings, numbers, true, false and null. */
#ifndef NG_TOKEN_H
#define NG_TOKEN_H

#include "graph/graph.h"

typedef struct ng_text {
  const char *bytes; /* the text, followed by a NUL */
  int64_t size;
  int64_t begin; /* offset of the first byte in the source */
  ir_source *source;
} ng_text;

typedef struct ng_cursor {
  const ng_text *text;
  ir_diags *diags;
  const char *at, *end;
} ng_cursor;

ir_where ng_cursor_where(const ng_cursor *cursor, const char *begin, const char *end);
void ng_skip_blanks(ng_cursor *cursor);
/* Scans a string and moves the cursor from its opening quote to the byte after its closing quote. Returns IR_OK, or the
 * code of the fault that was reported. */
ir_code ng_scan_string(ng_cursor *cursor);
/* Scans a number, true, false or null, and moves the cursor to its end. Returns IR_OK, or the code of the fault that
 * was reported. */
ir_code ng_scan_word(ng_cursor *cursor);
/* Reports IR010: the text ends `what`, for example "inside a string". A note shows `begin`, the start of the incomplete
 * value, if it is not NULL. */
ir_code ng_report_end(ng_cursor *cursor, const char *what, const char *begin);
/* Reports IR010: the text at the cursor is not `expected`. Reports IR006 if that text is not UTF-8. */
ir_code ng_report_unexpected(ng_cursor *cursor, const char *expected);

#endif
