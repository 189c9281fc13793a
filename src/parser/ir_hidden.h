/* Hides characters that XML forbids although OpenVINO reads and writes them: control characters, U+FFFE and U+FFFF, raw
 * or as references (&#27;). The XML parser gets substitutes of the same length, so positions do not change. Tags are
 * read from the file itself, so names keep the hidden characters. */
#ifndef IR_HIDDEN_H
#define IR_HIDDEN_H

#include "diag/diag.h"
#include "ir_window.h"

enum { IR_HIDDEN_MAX = 12 }; /* bytes of the longest reference that is hidden: &#x0000001b; */

typedef struct ir_hidden {
  int64_t n;
  ir_span at;      /* place of the first hidden character */
  uint32_t letter; /* code point of the first hidden character */
  /* The last bytes that were read, but not given to the parser: perhaps an incomplete character or reference. */
  char held[IR_HIDDEN_MAX];
  size_t n_held;
} ir_hidden;

/* Copies the next bytes of the window, at most `n`, to `buffer`, and hides characters in the copy. Returns the number
 * of bytes; 0 at the end of the file. */
size_t ir_hidden_feed(ir_hidden *hidden, ir_window *window, char *buffer, size_t n);
/* If the text has hidden characters, reports one warning, at the first hidden character. */
void ir_hidden_warn(const ir_hidden *hidden, ir_source *source, ir_diags *diags);

/* Returns whether `c` is a control character that XML forbids; false for NUL. */
static inline bool ir_is_hidden(unsigned char c) {
  return c < ' ' && c != '\0' && c != '\t' && c != '\n' && c != '\r';
}

#endif
