#include "ir_prolog.h"
#include "base/message_text.h"
#include "ir_tag.h"
#include <errno.h>
#include <string.h>
#include <strings.h>

int64_t ir_text_begin(const ir_source *source) {
  char bytes[4096];
  int64_t at = 0, n = ir_source_read(source, 0, bytes, sizeof bytes);
  int64_t i = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (n > 0) {
    for (; i < n; i++)
      if (memchr(" \t\r\n", bytes[i], 4) == NULL)
        return at + i;
    at += n;
    i = 0;
    n = ir_source_read(source, at, bytes, sizeof bytes);
  }
  return n < 0 ? -1 : at;
}

const char *ir_wide_encoding(const ir_source *source) {
  static const struct {
    const char *name, *bytes;
    int64_t n;
  } rows[] = {{"UTF-32", "\xff\xfe\0\0", 4}, {"UTF-32", "\0\0\xfe\xff", 4}, {"UTF-32", "<\0\0\0", 4},
              {"UTF-32", "\0\0\0<", 4},      {"UTF-16", "\xff\xfe", 2},     {"UTF-16", "\xfe\xff", 2},
              {"UTF-16", "<\0", 2},          {"UTF-16", "\0<", 2},          {"EBCDIC", "\x4c\x6f\xa7\x94", 4}};
  char bytes[4];
  int64_t n = ir_source_read(source, 0, bytes, sizeof bytes);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (n >= rows[i].n && memcmp(bytes, rows[i].bytes, (size_t)rows[i].n) == 0)
      return rows[i].name;
  return NULL;
}

static bool is_utf8_name(const ir_text *name) {
  static const char *const names[] = {"UTF-8", "UTF8", "US-ASCII", "ASCII"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (name->length == strlen(names[i]) && strncasecmp(name->text, names[i], name->length) == 0)
      return true;
  return false;
}

static ir_code report_encoding(ir_source *source, ir_diags *diags, ir_at at, const char *name, size_t length) {
  const ir_words shown = ir_shown(name, length);
  ir_code code = ir_report(diags, IR006_ENCODING_NOT_UTF8, (ir_where){.source = source, .at = ir_span_of(at)},
                           "the encoding of the file is %s; irrun reads UTF-8 only", shown.text);
  ir_hint(diags, "convert it with 'iconv -f %s -t UTF-8', and correct the XML declaration", shown.text);
  return code;
}

ir_code ir_check_encoding(ir_source *source, ir_diags *diags, int64_t *out_begin) {
  *out_begin = 0;
  const char *wide = ir_wide_encoding(source);
  if (wide != NULL)
    return report_encoding(source, diags, (ir_at){0, 2}, wide, strlen(wide));
  *out_begin = ir_text_begin(source);
  if (*out_begin < 0)
    return ir_report(diags, IR701_FILE_NOT_READABLE, (ir_where){.source = source, .at = IR_NOWHERE},
                     "cannot read the model: %s", strerror(errno));
  char bytes[2048];
  int64_t n = ir_source_read(source, *out_begin, bytes, sizeof bytes);
  if (n < 6 || memcmp(bytes, "<?xml", 5) != 0 || memchr(" \t\r\n", bytes[5], 4) == NULL)
    return IR_OK;
  const char *end = memmem(bytes, (size_t)n, "?>", 2);
  const size_t length = end == NULL ? (size_t)n : (size_t)(end - bytes);
  ir_tag declaration;
  ir_tag_set(&declaration, bytes, length, (ir_at){(uint32_t)*out_begin, (uint32_t)length});
  ir_tag_attr attr;
  for (size_t cursor = 0; ir_tag_next(&declaration, &cursor, &attr);)
    if (ir_text_is(&attr.name, "encoding", 8) && !is_utf8_name(&attr.value))
      return report_encoding(source, diags, attr.value.at, attr.value.text, attr.value.length);
  return IR_OK;
}
