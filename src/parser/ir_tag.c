#include "ir_tag.h"

/* What a byte may end. */
enum { ENDS_NAME = 1, NOT_PLAIN = 2 };
static const unsigned char classes[256] = {
    ['\t'] = ENDS_NAME | NOT_PLAIN,
    ['\n'] = ENDS_NAME | NOT_PLAIN,
    ['\r'] = ENDS_NAME | NOT_PLAIN,
    [' '] = ENDS_NAME,
    ['='] = ENDS_NAME,
    ['&'] = NOT_PLAIN,
};

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *find_name_end(const char *name, const char *end) {
  while (name < end && (classes[(unsigned char)*name] & ENDS_NAME) == 0)
    name++;
  return name;
}

static ir_text text_of(const ir_tag *tag, const char *begin, const char *end) {
  const ir_at at = {tag->at.begin + (uint32_t)(begin - tag->bytes), (uint32_t)(end - begin)};
  return (ir_text){begin, (size_t)(end - begin), at};
}

ir_tag ir_tag_of(const char *bytes, size_t length, ir_at at) {
  ir_tag tag = {.bytes = bytes, .length = length, .at = at};
  tag.name = text_of(&tag, bytes + 1, find_name_end(bytes + 1, bytes + length));
  return tag;
}

bool ir_tag_next(const ir_tag *tag, size_t *cursor, ir_tag_attr *out_attr) {
  const char *const end = tag->bytes + tag->length;
  const char *c = tag->bytes + (*cursor == 0 ? 1 + tag->name.length : *cursor);
  while (c < end && is_blank(*c))
    c++;
  const char *const name = c, *const name_end = c = find_name_end(c, end);
  while (c < end && *c != '"' && *c != '\'')
    c++;
  if (c >= end)
    return false;
  const char quote = *c++;
  const char *const value = c;
  unsigned char seen = 0;
  for (; c < end && *c != quote; c++)
    seen |= classes[(unsigned char)*c];
  out_attr->name = text_of(tag, name, name_end);
  out_attr->value = text_of(tag, value, c);
  out_attr->plain = (seen & NOT_PLAIN) == 0;
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

/* `text` is what stands between `&` and `;`. Returns the bytes written; 0 for what is no reference. */
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
      out[n] = is_blank(c) ? ' ' : c, written = 1;
    n += written;
  }
  return n;
}
