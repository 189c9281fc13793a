/* Parts of messages: what they repeat of a file or of the command line, and numbers with their nouns. */
#ifndef IR_MESSAGE_TEXT_H
#define IR_MESSAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a text that a message repeats; a longer one is cut between two characters, and "..." tells so. */
#define IR_MOST_SHOWN 60

/* A short text by value: ir_count(n, "byte").text lives as long as the call that it is an argument of. */
typedef struct ir_words {
  char text[IR_MOST_SHOWN + 4];
} ir_words;

/* A byte of a UTF-8 character behind its first. */
static inline bool ir_utf8_continues(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

/* "1 byte", "2 bytes". */
ir_words ir_count(int64_t n, const char *noun);
ir_words ir_shown(const char *text, size_t length);
/* Of a text that a NUL ends. */
ir_words ir_shown_text(const char *text);

#endif
