/* Parses the text of an attribute or a <dim> to a number, a dim or a type; reports unreadable text. */
#ifndef IR_FIELDS_H
#define IR_FIELDS_H

#include "ir_tag.h"

typedef struct ir_field {
  const ir_graph *graph;
  const ir_layer *layer; /* NULL: outside of layers */
  const char *attribute; /* NULL: a <dim> */
  const ir_text *text;
} ir_field;

/* Parses digits only: reports IR206, and IR207 above INT64_MAX. */
ir_code ir_field_number(const ir_field *field, ir_diags *diags, int64_t *out);
/* Parses a dim: reports IR206, and IR308 above 64 bits. An unreadable dim becomes an unknown one. */
ir_code ir_field_dim(const ir_field *field, ir_diags *diags, ir_dim *out);
/* Parses the `precision` of a port: reports IR206. */
ir_code ir_field_precision(const ir_field *field, ir_diags *diags, ir_type *out);

#endif
