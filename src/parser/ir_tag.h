/* Parses the bytes of a start tag: its name, its attributes and their places. */
#ifndef IR_TAG_H
#define IR_TAG_H

#include "graph/graph.h"
#include <string.h>

/* ir_text is a text without a NUL at its end, and its place in the file. */
typedef struct ir_text {
  const char *text; /* NULL if the attribute is absent */
  size_t length;
  ir_at at;
} ir_text;

typedef struct ir_tag {
  const char *bytes; /* the tag without its end `>` or `/>`: `<layer id="1"` */
  size_t length;
  ir_text name;
  ir_at at;             /* place of the whole tag, including `>` */
  const char *rest_end; /* end of the bytes after the tag that are in memory */
} ir_tag;

typedef struct ir_tag_attr {
  ir_text name, value; /* the value is the raw text between the quotes */
  bool plain;          /* the value needs no decoding: it has no reference (&amp;), tab or line end */
} ir_tag_attr;

/* Sets `bytes`, `length`, `name` and `at`. The bytes begin with `<`. */
void ir_tag_set(ir_tag *tag, const char *bytes, size_t length, ir_at at);
/* Reads the next attribute. `*cursor` is 0 before the first call. Returns false after the last attribute. */
bool ir_tag_next(const ir_tag *tag, size_t *cursor, ir_tag_attr *out_attr);
/* Decodes an attribute's value: replaces references such as &amp; and &#38;, and turns a tab or line end into a blank.
 * Writes at most `length` bytes without a NUL and returns their number. */
size_t ir_tag_decode(const char *value, size_t length, char *out);

/* The only characters up to ' ' that XML allows are the blank, the tab, line feed and carriage return. */
static inline bool ir_is_blank(char c) {
  return (unsigned char)c <= ' ';
}

static inline bool ir_text_is(const ir_text *text, const char *word, size_t length) {
  return text->length == length && text->text[0] == word[0] && memcmp(text->text, word, length) == 0;
}

#endif
