/* The text of an attribute or a <dim> -> a number, a dim, a type. What cannot be read is reported. */
#ifndef IR_FIELDS_H
#define IR_FIELDS_H

#include "ir_tag.h"

typedef struct ir_field {
  const ir_graph *graph;
  const ir_layer *layer; /* NULL: of no layer */
  const char *attribute; /* NULL: a <dim> */
  const ir_text *text;
} ir_field;

/* Digits, and nothing else: IR206, and IR207 above INT64_MAX. */
ir_code ir_field_number(const ir_field *field, ir_diags *diags, int64_t *out);
/* IR206, and IR308 above 64 bits. An unreadable dim is read as an unknown one. */
ir_code ir_field_dim(const ir_field *field, ir_diags *diags, ir_dim *out);
/* The `precision` of a port: IR206. */
ir_code ir_field_precision(const ir_field *field, ir_diags *diags, ir_type *out);

#endif
