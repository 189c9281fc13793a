/* Scans strings, numbers and words of JSON. */
#ifndef NG_TOKEN_H
#define NG_TOKEN_H

#include "graph/graph.h"

typedef struct ng_text {
  const char *bytes; /* followed by a NUL */
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
/* Scans a string: the cursor moves from its opening quote to after its closing quote. Reports a code other than
 * IR_OK. */
ir_code ng_scan_string(ng_cursor *cursor);
/* Scans a number, true, false or null; the cursor moves from its start to its end. */
ir_code ng_scan_word(ng_cursor *cursor);
/* Reports IR010: the file ends inside `what`, which begins at `begin`. */
ir_code ng_report_end(ng_cursor *cursor, const char *what, const char *begin);
/* Reports IR010: something else was expected at the cursor. */
ir_code ng_report_unexpected(ng_cursor *cursor, const char *expected);

#endif
