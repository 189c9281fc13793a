/* Parts of messages: texts from a file or the command line, shortened, and counts with nouns. */
#ifndef IR_MESSAGE_TEXT_H
#define IR_MESSAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limit of the bytes of a shown text. A longer text is cut between characters and ends in "...". */
#define IR_MOST_SHOWN 60

/* A short text, returned by value. ir_count(n, "byte").text lives until the end of the full expression. */
typedef struct ir_words {
  char text[IR_MOST_SHOWN + 4];
} ir_words;

/* Whether the byte is not the first of a UTF-8 character. */
static inline bool ir_utf8_continues(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Returns "1 byte", "2 bytes". */
ir_words ir_count(int64_t n, const char *noun);
ir_words ir_shown(const char *text, size_t length);
/* Shortens a NUL-terminated text, like ir_shown. */
ir_words ir_shown_text(const char *text);

#endif
