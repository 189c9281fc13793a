/* Handles characters that XML forbids although OpenVINO reads and writes them: control characters, U+FFFE and U+FFFF,
 * raw or as references. The XML parser sees substitutes of the same length, so positions do not change; tags are read
 * from the file itself. */
#ifndef IR_HIDDEN_H
#define IR_HIDDEN_H

#include "diag/diag.h"
#include "ir_window.h"

enum { IR_HIDDEN_MAX = 12 }; /* bytes of the longest hidden reference, with leading zeros */

typedef struct ir_hidden {
  int64_t n;
  ir_span at;               /* place of the first hidden character */
  uint32_t letter;          /* the first hidden character */
  char held[IR_HIDDEN_MAX]; /* last bytes of the window, which the next ones may complete */
  size_t n_held;
} ir_hidden;

/* Copies the next `n` bytes of the window or fewer to `buffer`, with substitutes for hidden characters. 0 at the
 * end. */
size_t ir_hidden_feed(ir_hidden *hidden, ir_window *window, char *buffer, size_t n);
/* Warns once of all hidden characters, at the first. */
void ir_hidden_warn(const ir_hidden *hidden, ir_source *source, ir_diags *diags);

/* Whether it is a control character that XML forbids, other than NUL. */
static inline bool ir_is_hidden(unsigned char c) {
  return c < ' ' && c != '\0' && c != '\t' && c != '\n' && c != '\r';
}

#endif
