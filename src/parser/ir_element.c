#include "ir_element.h"
#include "ir_tag.h"
#include <string.h>

static const char *find(const char *at, const char *end, const char *text) {
  return at >= end ? NULL : memmem(at, (size_t)(end - at), text, strlen(text));
}

/* Returns the end of the markup that begins with `open` and ends with `close`; NULL if none begins at `at`. */
static const char *markup_end(const char *at, const char *end, const char *open, const char *close) {
  const size_t length = strlen(open);
  if ((size_t)(end - at) < length || memcmp(at, open, length) != 0)
    return NULL;
  const char *last = find(at + length, end, close);
  return last == NULL ? end : last + strlen(close);
}

const char *ir_markup_end(const char *at, const char *end) {
  const char *behind = markup_end(at, end, "<!--", "-->");
  return behind != NULL ? behind : markup_end(at, end, "<?", "?>");
}

/* Returns the end of the tag that begins at `at`. */
static const char *tag_end(const char *at, const char *end) {
  char quote = '\0';
  for (; at < end; at++) {
    if (quote == '\0' && *at == '>')
      return at + 1;
    if (quote == '\0' && (*at == '"' || *at == '\''))
      quote = *at;
    else if (*at == quote)
      quote = '\0';
  }
  return end;
}

/* Finds the next tag at or after `at`, behind comments and CDATA; NULL if there is none. */
static const char *next_tag(const char *at, const char *end) {
  while ((at = at >= end ? NULL : memchr(at, '<', (size_t)(end - at))) != NULL) {
    const char *behind = ir_markup_end(at, end);
    if (behind == NULL)
      behind = markup_end(at, end, "<![CDATA[", "]]>");
    if (behind == NULL)
      return at;
    at = behind;
  }
  return NULL;
}

bool ir_element_at(const char *text, int64_t size, int64_t begin, ir_element *out) {
  const char *const end = text + size, *at = text + begin;
  if (begin < 0 || begin >= size || *at != '<')
    return false;
  at = tag_end(at, end);
  *out = (ir_element){.begin = begin, .tag_end = at - text, .content_end = at - text, .end = at - text};
  if (at[-2] == '/')
    return true;
  for (int64_t depth = 1; depth > 0;) {
    const char *tag = next_tag(at, end);
    if (tag == NULL)
      return false;
    at = tag_end(tag, end);
    depth += tag[1] == '/' ? -1 : at[-2] == '/' ? 0 : 1;
    out->content_end = tag - text;
  }
  out->end = at - text;
  return true;
}

bool ir_next_child(const char *text, const ir_element *parent, const char *name, ir_element *child) {
  const char *at = text + (child->end == 0 ? parent->tag_end : child->end);
  const size_t length = name == NULL ? 0 : strlen(name);
  while ((at = next_tag(at, text + parent->content_end)) != NULL) {
    if (!ir_element_at(text, parent->content_end, at - text, child))
      return false;
    if (name == NULL || (strncmp(at + 1, name, length) == 0 && strchr(" \t\r\n/>", at[1 + length]) != NULL))
      return true;
    at = text + child->end;
  }
  return false;
}

bool ir_element_attribute(const char *text, const ir_element *element, const char *name, int64_t *out_begin,
                          int64_t *out_end) {
  ir_tag tag;
  ir_tag_attr attr;
  ir_tag_set(&tag, text + element->begin, (size_t)(element->tag_end - element->begin - 1), (ir_at){0, 0});
  for (size_t cursor = 0; ir_tag_next(&tag, &cursor, &attr);) {
    if (!ir_text_is(&attr.name, name, strlen(name)))
      continue;
    *out_begin = attr.value.text - text;
    *out_end = *out_begin + (int64_t)attr.value.length;
    return true;
  }
  return false;
}

bool ir_bytes_are(const char *text, int64_t begin, int64_t end, const char *word) {
  return (int64_t)strlen(word) == end - begin && memcmp(text + begin, word, strlen(word)) == 0;
}
