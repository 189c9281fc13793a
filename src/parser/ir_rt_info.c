#include "ir_rt_info.h"
#include "base/limits.h"
#include "base/message_text.h"
#include "ir_attributes.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Describes the fault of an attribute's value; `text` is "" if the value has no fault. */
typedef struct fault {
  char text[128];
} fault;

/* ---- the attribute "layout" ---- */

enum { MOST_DIMS = 64 }; /* limit of dims in a layout: four times IR_MAX_RANK */

typedef struct layout_names {
  ir_text names[MOST_DIMS];
  int n;
} layout_names;

static bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static ir_text trimmed(ir_text text) {
  while (text.length > 0 && ir_is_blank(text.text[0])) {
    text.text++;
    text.length--;
  }
  while (text.length > 0 && ir_is_blank(text.text[text.length - 1]))
    text.length--;
  return text;
}

/* Returns the canonical name of a dim: "N" for "batch" and "B". */
static ir_text common_name(ir_text name) {
  static const char *const aliases[][2] = {{"BATCH", "N"},  {"B", "N"},     {"CHANNELS", "C"}, {"CHANNEL", "C"},
                                           {"HEIGHT", "H"}, {"WIDTH", "W"}, {"DEPTH", "D"}};
  for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
    if (strlen(aliases[i][0]) == name.length && strncasecmp(aliases[i][0], name.text, name.length) == 0)
      return (ir_text){.text = aliases[i][1], .length = 1};
  return name;
}

static void add_name(layout_names *known, ir_text name, fault *out) {
  const ir_words shown = ir_shown(name.text, name.length);
  const ir_text common = common_name(name);
  bool has_letter = false;
  for (size_t i = 0; i < name.length; i++) {
    has_letter = has_letter || is_letter_or_digit(name.text[i]);
    if (!is_letter_or_digit(name.text[i]) && name.text[i] != '_')
      snprintf(out->text, sizeof out->text, "'%.40s' is no name of a dim: letters, digits and '_'", shown.text);
  }
  if (!has_letter && out->text[0] == '\0')
    snprintf(out->text, sizeof out->text, "a dim has no name, and no '?' in its place");
  for (int i = 0; i < known->n && out->text[0] == '\0'; i++)
    if (known->names[i].length == common.length && strncasecmp(known->names[i].text, common.text, common.length) == 0)
      snprintf(out->text, sizeof out->text, "it names the dim '%.40s' twice", shown.text);
  if (known->n == MOST_DIMS)
    snprintf(out->text, sizeof out->text, "it names more than %d dims", MOST_DIMS);
  else
    known->names[known->n++] = common;
}

/* Parses a list of names, such as "N,C". The list can end with a comma. */
static void read_names(layout_names *known, ir_text list, fault *out) {
  size_t from = 0;
  if (list.length == 0)
    add_name(known, list, out);
  while (from < list.length && out->text[0] == '\0') {
    const char *comma = memchr(list.text + from, ',', list.length - from);
    const size_t end = comma == NULL ? list.length : (size_t)(comma - list.text);
    const ir_text name = trimmed((ir_text){.text = list.text + from, .length = end - from});
    if (!ir_text_is(&name, "?", 1))
      add_name(known, name, out);
    from = end + 1;
  }
}

/* Parses the text between the brackets of "[N,C,H,W]" or "[N,...,channels]". */
static void read_list(layout_names *known, ir_text inner, fault *out) {
  const char *dots = memmem(inner.text, inner.length, "...", 3);
  if (dots == NULL) {
    read_names(known, inner, out);
    return;
  }
  const char *end = inner.text + inner.length;
  ir_text left = trimmed((ir_text){.text = inner.text, .length = (size_t)(dots - inner.text)});
  ir_text right = trimmed((ir_text){.text = dots + 3, .length = (size_t)(end - dots - 3)});
  if ((left.length > 0 && left.text[left.length - 1] != ',') || (right.length > 0 && right.text[0] != ',')) {
    snprintf(out->text, sizeof out->text, "a comma is missing beside '...'");
    return;
  }
  if (left.length > 0)
    read_names(known, (ir_text){.text = left.text, .length = left.length - 1}, out);
  if (right.length > 0)
    read_names(known, (ir_text){.text = right.text + 1, .length = right.length - 1}, out);
}

/* Parses "NCHW", "NC?" or "N...C": a layout with one letter for each dim. */
static void read_letters(layout_names *known, ir_text text, fault *out) {
  bool has_dots = false;
  for (size_t i = 0; i < text.length && out->text[0] == '\0'; i++) {
    if (text.text[i] == '?')
      continue;
    const bool dots = text.length - i >= 3 && memcmp(text.text + i, "...", 3) == 0;
    if (dots && has_dots)
      snprintf(out->text, sizeof out->text, "'...' stands in it twice");
    else if (!dots)
      add_name(known, (ir_text){.text = text.text + i, .length = 1}, out);
    has_dots = has_dots || dots;
    i += dots ? 2 : 0;
  }
}

static void check_layout(const ir_text *value, fault *out) {
  const ir_text text = trimmed(*value);
  layout_names known = {.n = 0};
  if (value->length == 0 || ir_text_is(&text, "**SCALAR**", 10))
    return;
  if (text.length >= 2 && text.text[0] == '[' && text.text[text.length - 1] == ']')
    read_list(&known, (ir_text){.text = text.text + 1, .length = text.length - 2}, out);
  else if (text.length > 0)
    read_letters(&known, text, out);
  else
    snprintf(out->text, sizeof out->text, "it is nothing but blanks");
}

/* ---- old_api_map: order of axes and type of an input before the conversion ---- */

static void check_order(const ir_text *value, fault *out) {
  bool in_number = value->length == 0, after_comma = true;
  for (size_t i = 0; i < value->length; i++) {
    const char c = value->text[i];
    const bool digit = c >= '0' && c <= '9';
    if ((c == ',' && after_comma) || (!digit && c != ',' && !ir_is_blank(c)))
      snprintf(out->text, sizeof out->text, "it is no list of axes, as 0,3,1,2");
    after_comma = c == ',' || (after_comma && !digit);
    in_number = in_number || digit;
  }
  if (!in_number)
    snprintf(out->text, sizeof out->text, "it is no list of axes, as 0,3,1,2");
}

static void check_type(const ir_text *value, fault *out) {
  ir_type type;
  if (!ir_type_from_name(value->text, value->length, &type))
    snprintf(out->text, sizeof out->text, "it is no element type, as f16");
}

/* ---- all runtime attributes ---- */

/* These are the runtime attributes that OpenVINO registers; all have version 0. */
static const struct {
  const char *name, *field; /* field: the XML attribute that `check` examines; NULL if none is examined */
  void (*check)(const ir_text *value, fault *out);
} known_attributes[IR_RT_ATTRIBUTES] = {
    {"fused_names", NULL, NULL},
    {"primitives_priority", NULL, NULL},
    {"precise", NULL, NULL},
    {"decompression", NULL, NULL},
    {"preprocessing", NULL, NULL},
    {"memory_type", NULL, NULL},
    {"layout", "layout", check_layout},
    {"old_api_map_order", "value", check_order},
    {"old_api_map_element_type", "value", check_type},
};

static ir_where where_of(const ir_reader *reader, ir_at at, const char *attribute) {
  ir_where where = ir_reader_where(reader, at);
  where.attribute = attribute;
  return where;
}

/* Checks the value of known_attributes[index], and reports IR014 if the value is wrong. */
static ir_code check_value(ir_reader *reader, const ir_tag *tag, int index) {
  ir_tag_attr attr;
  fault found = {.text = ""};
  const char *field = known_attributes[index].field, *name = known_attributes[index].name;
  for (size_t cursor = 0; field != NULL && ir_tag_next(tag, &cursor, &attr);) {
    ir_text value;
    if (!ir_text_is(&attr.name, field, strlen(field)))
      continue;
    if (!ir_decode_value(reader, tag, &attr, &value))
      return ir_out_of_memory(reader->diags);
    known_attributes[index].check(&value, &found);
    if (found.text[0] != '\0')
      ir_report(reader->diags, IR014_RT_INFO_REFUSED, where_of(reader, attr.value.at, name),
                "the %s '%s' cannot be: %s", name, ir_shown(value.text, value.length).text, found.text);
  }
  return IR_OK;
}

static void check_repeated(ir_reader *reader, ir_at at, int index) {
  const char *name = known_attributes[index].name;
  ir_at *first = &reader->rt_attribute_at[index];
  if (first->length == 0) {
    *first = at;
    return;
  }
  ir_report(reader->diags, IR014_RT_INFO_REFUSED, where_of(reader, at, name), "'%s' stands twice in one <rt_info>",
            name);
  ir_note(reader->diags, (ir_where){.source = reader->graph->source, .at = ir_span_of(*first)}, "the first one");
}

/* Warns of an unknown "old_api_map.." attribute. Such an attribute describes the inputs that the model had before its
 * conversion. A runtime that ignores it would interpret the inputs differently. */
static void warn_of_unknown_map(ir_reader *reader, ir_at at, const ir_text *name, const ir_text *version) {
  static const char map[] = "old_api_map";
  if (name->length >= sizeof map - 1 && memcmp(name->text, map, sizeof map - 1) == 0)
    ir_report_as(reader->diags, IR014_RT_INFO_REFUSED, IR_WARNING, where_of(reader, at, map),
                 "OpenVINO does not know '%s' of version '%s', and passes over it",
                 ir_shown(name->text, name->length).text, ir_shown(version->text, version->length).text);
}

ir_code ir_begin_rt_attribute(ir_reader *reader, const ir_tag *tag) {
  ir_text name = {.text = NULL}, version = {.text = NULL};
  ir_tag_attr attr;
  reader->n_decoded = 0;
  for (size_t cursor = 0; ir_tag_next(tag, &cursor, &attr);) {
    if (ir_text_is(&attr.name, "name", 4))
      name = attr.value;
    else if (ir_text_is(&attr.name, "version", 7))
      version = attr.value;
  }
  if (name.text == NULL || version.text == NULL || !ir_text_is(&tag->name, "attribute", 9))
    return IR_OK;
  for (int i = 0; i < IR_RT_ATTRIBUTES && ir_text_is(&version, "0", 1); i++) {
    if (!ir_text_is(&name, known_attributes[i].name, strlen(known_attributes[i].name)))
      continue;
    check_repeated(reader, tag->at, i);
    return check_value(reader, tag, i);
  }
  warn_of_unknown_map(reader, tag->at, &name, &version);
  return IR_OK;
}
