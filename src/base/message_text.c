#include "base/message_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ir_words ir_count(int64_t n, const char *noun) {
  ir_words words;
  snprintf(words.text, sizeof words.text, "%" PRId64 " %s%s", n, noun, n == 1 ? "" : "s");
  return words;
}

ir_words ir_shown(const char *text, size_t length) {
  enum { MOST_CONTINUED = 3 };
  ir_words words;
  size_t n = length <= IR_MOST_SHOWN ? length : IR_MOST_SHOWN;
  for (int i = 0; i < MOST_CONTINUED && n < length && n > 0 && ir_utf8_continues(text[n]); i++)
    n--;
  if (n < length && ir_utf8_continues(text[n]))
    n = IR_MOST_SHOWN; /* the text is not UTF-8: cut anywhere */
  snprintf(words.text, sizeof words.text, "%.*s%s", (int)n, text, n < length ? "..." : "");
  return words;
}

ir_words ir_shown_text(const char *text) {
  return ir_shown(text, strnlen(text, IR_MOST_SHOWN + 1));
}
