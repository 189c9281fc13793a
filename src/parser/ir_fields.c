#include "ir_fields.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include <stdio.h>
#include <string.h>

static ir_where where_of(const ir_field *field) {
  ir_where where = {.source = field->graph->source, .at = ir_span_of(field->text->at), .layer = field->layer};
  where.attribute = field->attribute;
  return where;
}

enum { QUOTED = sizeof(ir_words) + 2 };

/* Quotes a text, such as "'4x'", and shortens a long one. An empty text becomes "empty", without quotes. */
static const char *quoted(const ir_text *text, char buffer[QUOTED]) {
  const char *mark = text->length == 0 ? "" : "'";
  snprintf(buffer, QUOTED, "%s%s%s", mark, text->length == 0 ? "empty" : ir_shown(text->text, text->length).text, mark);
  return buffer;
}

ir_code ir_field_number(const ir_field *field, ir_diags *diags, int64_t *out) {
  const ir_text *text = field->text;
  ir_number_fault fault = ir_text_number(text->text, text->length, out);
  if (fault == IR_NUMBER_OK && text->text[0] != '-')
    return IR_OK;
  char shown[QUOTED];
  *out = -1;
  quoted(text, shown);
  if (fault == IR_NUMBER_TOO_LARGE && text->text[0] != '-')
    return ir_report(diags, IR207_ATTRIBUTE_OUT_OF_RANGE, where_of(field),
                     "'%s' is %s, expected a number up to 9223372036854775807", field->attribute, shown);
  return ir_report(diags, IR206_ATTRIBUTE_NOT_PARSABLE, where_of(field), "'%s' is %s, expected digits only",
                   field->attribute, shown);
}

ir_code ir_field_dim(const ir_field *field, ir_diags *diags, ir_dim *out) {
  char shown[QUOTED];
  ir_dim_fault fault = ir_text_dim(field->text->text, field->text->length, IR_DIM_IN_PORT, out);
  if (fault == IR_DIM_OK)
    return IR_OK;
  *out = ir_dim_any();
  quoted(field->text, shown);
  if (fault == IR_DIM_TOO_LARGE)
    return ir_report(diags, IR308_SIZE_OVERFLOW, where_of(field),
                     "the dim %s does not fit 64 bits; the largest is 9223372036854775806", shown);
  if (fault == IR_DIM_REVERSED)
    return ir_report(diags, IR206_ATTRIBUTE_NOT_PARSABLE, where_of(field),
                     "the dim is %s, with its lower bound above the upper one", shown);
  ir_code code = ir_report(diags, IR206_ATTRIBUTE_NOT_PARSABLE, where_of(field),
                           "the dim is %s, expected digits, or -1 for any size", shown);
  if (field->text->length == 1 && field->text->text[0] == '?')
    ir_hint(diags, "write -1: '?' is for the shape of a Parameter alone");
  return code;
}

/* Lists all values that a `precision` can have, and returns their number. */
static size_t list_precisions(const char **names) {
  size_t n = 0;
  for (int type = 0; type < IR_TYPE_COUNT; type++) {
    names[n++] = ir_type_precision((ir_type)type);
    names[n++] = ir_type_name((ir_type)type);
  }
  return n;
}

ir_code ir_field_precision(const ir_field *field, ir_diags *diags, ir_type *out) {
  if (ir_type_from_precision(field->text->text, field->text->length, out))
    return IR_OK;
  char shown[QUOTED];
  const ir_words text = ir_shown(field->text->text, field->text->length);
  const char *names[2 * IR_TYPE_COUNT];
  ir_code code = ir_report(diags, IR206_ATTRIBUTE_NOT_PARSABLE, where_of(field), "'%s' is %s, which is no element type",
                           field->attribute, quoted(field->text, shown));
  const char *meant = ir_did_you_mean(text.text, names, list_precisions(names));
  if (meant != NULL)
    ir_hint(diags, "did you mean '%s'?", meant);
  else
    ir_hint(diags, "element types are FP32, FP64, FP16, BF16, I8, I16, I32, I64, U8, U16, U32, U64, BOOL, ...");
  return code;
}
