/* The bytes of one start tag: its name, its attributes and where each stands. */
#ifndef IR_TAG_H
#define IR_TAG_H

#include "graph/graph.h"
#include <string.h>

/* A piece of text, not NUL-terminated, and where it stands. */
typedef struct ir_text {
  const char *text; /* NULL: there is none */
  size_t length;
  ir_at at;
} ir_text;

typedef struct ir_tag {
  const char *bytes; /* `<layer id="1"`, without what closes it */
  size_t length;
  ir_text name;
  ir_at at;             /* of the whole tag, up to and with its `>` */
  const char *rest_end; /* what stands behind the tag, as far as it is at hand, ends here */
} ir_tag;

typedef struct ir_tag_attr {
  ir_text name, value; /* the value as it stands between the quotes */
  bool plain;          /* it reads as it stands: no reference and no white space but blanks */
} ir_tag_attr;

/* `bytes` begin with `<`. */
void ir_tag_set(ir_tag *tag, const char *bytes, size_t length, ir_at at);
/* The next attribute; `*cursor` begins at 0. False behind the last one. */
bool ir_tag_next(const ir_tag *tag, size_t *cursor, ir_tag_attr *out_attr);
/* What a value says: the five predefined and the numeric references are replaced, a tab or line end is a blank. Writes
 * at most `length` bytes and returns how many; no NUL. */
size_t ir_tag_decode(const char *value, size_t length, char *out);

/* Of the characters up to the blank XML allows four, all of them blanks. */
static inline bool ir_is_blank(char c) {
  return (unsigned char)c <= ' ';
}

static inline bool ir_text_is(const ir_text *text, const char *word, size_t length) {
  return text->length == length && text->text[0] == word[0] && memcmp(text->text, word, length) == 0;
}

#endif
