/* Parses the text of an attribute or of a <dim>: to a number, a dim or an element type. Reports text that cannot be
 * parsed. */
#ifndef IR_FIELDS_H
#define IR_FIELDS_H

#include "ir_tag.h"

typedef struct ir_field {
  const ir_graph *graph;
  const ir_layer *layer; /* for the report; NULL outside of layers */
  const char *attribute; /* name of the attribute; NULL if `text` is that of a <dim> */
  const ir_text *text;
} ir_field;

/* Parses digits. Reports IR207 if the number exceeds INT64_MAX, IR206 if the text has anything but digits. After a
 * fault, `*out` is -1. */
ir_code ir_field_number(const ir_field *field, ir_diags *diags, int64_t *out);
/* Parses a dim. Reports IR308 if the number exceeds 64 bits, IR206 if the text is no dim. After a fault, `*out` is an
 * open dim of any size. */
ir_code ir_field_dim(const ir_field *field, ir_diags *diags, ir_dim *out);
/* Parses a port's `precision`, such as FP32. Reports IR206 if the text names no element type. */
ir_code ir_field_precision(const ir_field *field, ir_diags *diags, ir_type *out);

#endif
