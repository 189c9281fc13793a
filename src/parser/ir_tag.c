#include "ir_tag.h"

enum { NAME_END = 1, VALUE_STOP = 2 };

/* NAME_END: the character ends a name. VALUE_STOP: the character is a quote, or needs decoding in a value. */
static const unsigned char classes[256] = {
    ['\t'] = NAME_END | VALUE_STOP,
    ['\n'] = NAME_END | VALUE_STOP,
    ['\r'] = NAME_END | VALUE_STOP,
    [' '] = NAME_END,
    ['='] = NAME_END,
    ['"'] = NAME_END | VALUE_STOP,
    ['\''] = NAME_END | VALUE_STOP,
    ['&'] = VALUE_STOP,
};

static bool is_in(int class, char c) {
  return (classes[(unsigned char)c] & class) != 0;
}

static const char *find_name_end(const char *name, const char *end) {
  while (name < end && !is_in(NAME_END, *name))
    name++;
  return name;
}

static ir_text text_of(const ir_tag *tag, const char *begin, const char *end) {
  const ir_at at = {tag->at.begin + (uint32_t)(begin - tag->bytes), (uint32_t)(end - begin)};
  return (ir_text){begin, (size_t)(end - begin), at};
}

void ir_tag_set(ir_tag *tag, const char *bytes, size_t length, ir_at at) {
  tag->bytes = bytes;
  tag->length = length;
  tag->at = at;
  tag->name = text_of(tag, bytes + 1, find_name_end(bytes + 1, bytes + length));
}

bool ir_tag_next(const ir_tag *tag, size_t *cursor, ir_tag_attr *out_attr) {
  const char *const end = tag->bytes + tag->length;
  const char *c = tag->bytes + (*cursor == 0 ? 1 + tag->name.length : *cursor);
  while (c < end && ir_is_blank(*c))
    c++;
  const char *const name = c, *const name_end = c = find_name_end(c, end);
  while (c < end && *c != '"' && *c != '\'')
    c++;
  if (c >= end)
    return false;
  const char *const value = c + 1, *const quote = c;
  for (c = value; c < end && !is_in(VALUE_STOP, *c);)
    c++;
  out_attr->plain = c < end && *c == *quote;
  while (c < end && *c != *quote)
    c++;
  out_attr->name = text_of(tag, name, name_end);
  out_attr->value = text_of(tag, value, c);
  *cursor = (size_t)(c - tag->bytes) + 1;
  return true;
}

/* ---- decoding ---- */

static size_t put_utf8(uint32_t code, char *out) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--, code >>= 6)
    out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(0xf00u >> length | code);
  return length;
}

/* Decodes a reference; `text` is between `&` and `;`. Returns the number of bytes written; 0 if `text` is no valid
 * reference. */
static size_t put_reference(const char *text, size_t length, char *out) {
  static const struct {
    const char *name;
    char c;
  } predefined[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (size_t i = 0; i < sizeof predefined / sizeof predefined[0]; i++)
    if (strlen(predefined[i].name) == length && memcmp(predefined[i].name, text, length) == 0) {
      *out = predefined[i].c;
      return 1;
    }
  if (length < 2 || text[0] != '#')
    return 0;
  const bool hex = text[1] == 'x';
  uint32_t code = 0;
  for (size_t i = hex ? 2 : 1; i < length && code <= 0x10ffff; i++) {
    uint32_t c = (unsigned char)text[i];
    code = code * (hex ? 16 : 10) + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return code == 0 || code > 0x10ffff ? 0 : put_utf8(code, out);
}

size_t ir_tag_decode(const char *value, size_t length, char *out) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    const char c = value[i];
    const char *semicolon = c == '&' ? memchr(value + i, ';', length - i) : NULL;
    size_t written = 0;
    if (semicolon != NULL)
      written = put_reference(value + i + 1, (size_t)(semicolon - value) - i - 1, out + n);
    if (written > 0)
      i = (size_t)(semicolon - value);
    else if (c == '\r' && i + 1 < length && value[i + 1] == '\n')
      continue;
    else
      out[n] = c == '\t' || c == '\n' || c == '\r' ? ' ' : c, written = 1;
    n += written;
  }
  return n;
}
