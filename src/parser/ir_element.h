/* Finds the elements of an XML text in memory, which was parsed before and is well-formed. */
#ifndef IR_ELEMENT_H
#define IR_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Offsets in the text: the start tag is [begin, tag_end), the content [tag_end, content_end). If the element has no
 * content and no end tag, all three ends are equal. */
typedef struct ir_element {
  int64_t begin, tag_end, content_end, end;
} ir_element;

/* Returns the end of the comment or processing instruction that begins at `at`; NULL if none begins there. */
const char *ir_markup_end(const char *at, const char *end);
/* Finds the element whose start tag begins at `begin`. Returns false if none begins there, or if it has no end. */
bool ir_element_at(const char *text, int64_t size, int64_t begin, ir_element *out);
/* Finds the next child of `parent` with this name, behind `child`; if child->end is 0, the first. The name ends at a
 * '/' or the end of the text. Returns false if there is no such child. */
bool ir_next_child(const char *text, const ir_element *parent, const char *name, ir_element *child);
/* Finds an attribute in the start tag: sets the place of its raw text, between the quotes. */
bool ir_element_attribute(const char *text, const ir_element *element, const char *name, int64_t *out_begin,
                          int64_t *out_end);
/* Returns whether the raw text [begin, end) is `word`. */
bool ir_bytes_are(const char *text, int64_t begin, int64_t end, const char *word);

#endif
