/* Parses the bytes of a start tag: its name, its attributes and their places. */
#ifndef IR_TAG_H
#define IR_TAG_H

#include "graph/graph.h"
#include <string.h>

/* A part of a text, not NUL-terminated, and its place. */
typedef struct ir_text {
  const char *text; /* NULL: absent */
  size_t length;
  ir_at at;
} ir_text;

typedef struct ir_tag {
  const char *bytes; /* the tag without its closing: `<layer id="1"` */
  size_t length;
  ir_text name;
  ir_at at;             /* place of the whole tag, including `>` */
  const char *rest_end; /* end of the available bytes after the tag */
} ir_tag;

typedef struct ir_tag_attr {
  ir_text name, value; /* the value is the raw text between the quotes */
  bool plain;          /* needs no decoding: it has no reference and no white space but blanks */
} ir_tag_attr;

/* Sets the tag; `bytes` begin with `<`. */
void ir_tag_set(ir_tag *tag, const char *bytes, size_t length, ir_at at);
/* Reads the next attribute; `*cursor` begins at 0. False after the last one. */
bool ir_tag_next(const ir_tag *tag, size_t *cursor, ir_tag_attr *out_attr);
/* Decodes a value: replaces the five predefined and the numeric references; a tab or line end becomes a blank. Writes
 * at most `length` bytes without a NUL and returns their number. */
size_t ir_tag_decode(const char *value, size_t length, char *out);

/* XML allows four characters up to the blank, and all of them are blanks. */
static inline bool ir_is_blank(char c) {
  return (unsigned char)c <= ' ';
}

static inline bool ir_text_is(const ir_text *text, const char *word, size_t length) {
  return text->length == length && text->text[0] == word[0] && memcmp(text->text, word, length) == 0;
}

#endif
