/* Parts of messages: texts quoted from a file or the command line, and counts with nouns. */
#ifndef IR_MESSAGE_TEXT_H
#define IR_MESSAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes of a quoted text; a longer one is cut between characters and ends with "...". */
#define IR_MOST_SHOWN 60

/* A short text by value: ir_count(n, "byte").text lives until the end of the full expression. */
typedef struct ir_words {
  char text[IR_MOST_SHOWN + 4];
} ir_words;

/* Whether the byte continues a UTF-8 character. */
static inline bool ir_utf8_continues(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Makes "1 byte", "2 bytes". */
ir_words ir_count(int64_t n, const char *noun);
ir_words ir_shown(const char *text, size_t length);
/* Quotes a NUL-terminated text. */
ir_words ir_shown_text(const char *text);

#endif
