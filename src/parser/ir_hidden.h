/* Characters that XML does not allow and OpenVINO reads and writes all the same: control characters, U+FFFE and U+FFFF,
 * raw or as references. The XML parser is shown others of the same length in their place, so that every position holds;
 * tags are read from the file itself. */
#ifndef IR_HIDDEN_H
#define IR_HIDDEN_H

#include "diag/diag.h"
#include "ir_window.h"

enum { IR_HIDDEN_MAX = 12 }; /* bytes of the longest such reference, with zeros before its digits */

typedef struct ir_hidden {
  int64_t n;
  ir_span at;               /* of the first */
  uint32_t letter;          /* what it is */
  char held[IR_HIDDEN_MAX]; /* the last bytes of the window, which may belong together with the next ones */
  size_t n_held;
} ir_hidden;

/* Copies the next bytes of the window to `buffer`, `n` or fewer, with nothing in them of what is hidden. 0 at the end.
 */
size_t ir_hidden_feed(ir_hidden *hidden, ir_window *window, char *buffer, size_t n);
/* One warning for all that was hidden, at the first. */
void ir_hidden_warn(const ir_hidden *hidden, ir_source *source, ir_diags *diags);

/* A control character that XML does not allow, but for NUL. */
static inline bool ir_is_hidden(unsigned char c) {
  return c < ' ' && c != '\0' && c != '\t' && c != '\n' && c != '\r';
}

#endif
