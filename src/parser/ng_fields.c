/* Checks the kind of value, such as string or number, of each field that nGraph's format has. */
#include "base/limits.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include "ng_reader.h"
#include <string.h>

typedef struct ng_field_row {
  const char *name;
  int kinds;
  const char *expected;
} ng_field_row;

/* A field has the same kinds in all ops. If nGraph reads null as an absent field, the row allows null. */
static const ng_field_row rows[] = {
    {"name", NG_STRING, "a string"},
    {"parameters", NG_ARRAY, "an array of node names"},
    {"result", NG_ARRAY, "an array of node names"},
    {"ops", NG_ARRAY, "an array of nodes"},
    {"friendly_name", NG_STRING, "a string"},
    {"op", NG_STRING, "a string"},
    {"op_version", NG_NUMBER, "a number"},
    {"inputs", NG_ARRAY | NG_NULL, "an array of node names"},
    {"outputs", NG_ARRAY | NG_NULL, "an array of strings"},
    {"control_deps", NG_ARRAY | NG_NULL, "an array of node names"},
    {"provenance_tags", NG_ARRAY | NG_NULL, "an array of strings"},
    {"attribute_visitor", NG_BOOL, "true or false"},
    {"type_info", NG_OBJECT, "an object"},
    {"value_type", NG_OBJECT, "an object with 'element_type' and 'shape'"},
    {"element_type", NG_STRING | NG_OBJECT, "a string"},
    {"c_type_string", NG_STRING, "a string"},
    {"shape", NG_ARRAY | NG_NULL, "an array of numbers"},
    {"node", NG_STRING, "the name of a node"},
    {"index", NG_NUMBER, "a number"},
    {"value", NG_ARRAY, "an array of strings"},
    {"cacheable", NG_BOOL, "true or false"},
    {"needs_default_layout", NG_BOOL, "true or false"},
    {"n", NG_NUMBER, "a number"},
    {"window_shape", NG_ARRAY, "an array of numbers"},
    {"window_movement_strides", NG_ARRAY, "an array of numbers"},
    {"padding_below", NG_ARRAY, "an array of numbers"},
    {"padding_above", NG_ARRAY, "an array of numbers"},
    {"kernel", NG_ARRAY, "an array of numbers"},
    {"strides", NG_ARRAY, "an array of numbers"},
    {"pads_begin", NG_ARRAY, "an array of numbers"},
    {"pads_end", NG_ARRAY, "an array of numbers"},
    {"include_padding_in_avg_computation", NG_BOOL, "true or false"},
    {"exclude_pad", NG_BOOL, "true or false"},
    {"ceil_mode", NG_BOOL, "true or false"},
    {"pad_type", NG_NUMBER, "a number"},
    {"auto_pad", NG_STRING | NG_NUMBER, "a string"},
    {"rounding_type", NG_STRING | NG_NUMBER, "a string"},
};

static const ng_field_row *find_row(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  return NULL;
}

bool ng_check_kind(ng_reader *reader, const ir_layer *layer, const ng_value *field) {
  const ng_field_row *row = find_row(ng_name_of(field));
  const ng_kind kind = ng_kind_of(field);
  if (row == NULL || (row->kinds & (int)kind) != 0)
    return true;
  ir_where where = ng_where(reader, layer, ng_at(reader->tree, field));
  where.attribute = row->name;
  ir_report(reader->diags, IR012_FIELD_OF_WRONG_KIND, where, "'%s' is %s, expected %s", row->name, ng_kind_text(kind),
            row->expected);
  return false;
}

void ng_report_kind(ng_reader *reader, const ir_layer *layer, const ng_value *item, const char *what,
                    const char *expected) {
  ir_report(reader->diags, IR012_FIELD_OF_WRONG_KIND, ng_where(reader, layer, ng_at(reader->tree, item)),
            "%s is %s, expected %s", what, ng_kind_text(ng_kind_of(item)), expected);
}

const ng_value *ng_field(ng_reader *reader, const ir_layer *layer, const ng_value *object, const char *name,
                         bool required, bool *at_fault) {
  const ng_value *field = ng_member(object, name);
  if (field == NULL && required) {
    ir_where where = ng_where(reader, layer, ng_at(reader->tree, object));
    where.attribute = name;
    ir_report_firm(reader->diags, IR204_MISSING_REQUIRED_ATTRIBUTE, where, "there is no field '%s' in this object",
                   name);
    for (const ng_value *other = ng_first(object); other != NULL; other = ng_next(other))
      if (ir_misspells(ng_name_of(other), name)) {
        ir_hint(reader->diags, "did you mean it with '%s'?", ng_name_of(other));
        break;
      }
    *at_fault = true;
  }
  if (field == NULL || ng_check_kind(reader, layer, field))
    return field;
  *at_fault = true;
  return NULL;
}

bool ng_field_number(ng_reader *reader, const ir_layer *layer, const ng_value *field, int64_t *out) {
  const ir_at at = ng_at(reader->tree, field);
  const char *text = ng_bytes(reader->tree, at);
  const ir_number_fault fault = ir_text_number(text, at.length, out);
  if (fault == IR_NUMBER_OK && *out >= 0)
    return true;
  ir_where where = ng_where(reader, layer, at);
  where.attribute = ng_name_of(field);
  *out = -1;
  if (fault == IR_NUMBER_UNREADABLE)
    ir_report(reader->diags, IR206_ATTRIBUTE_NOT_PARSABLE, where, "'%s' is %s, expected a whole number",
              where.attribute, ir_shown(text, at.length).text);
  else
    ir_report(reader->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, where,
              "'%s' is %s, expected a number from 0 to 9223372036854775807", where.attribute,
              ir_shown(text, at.length).text);
  return false;
}
