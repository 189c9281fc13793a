/* Finds the attributes of an IR element in its tag; reports missing, unknown and repeated ones. */
#ifndef IR_ATTRIBUTES_H
#define IR_ATTRIBUTES_H

#include "ir_reader_state.h"

enum { IR_MAX_FIELDS = 5 };

/* Indices of each element's attributes in the result of ir_find_fields. */
enum { IR_NET_NAME, IR_NET_VERSION };
enum { IR_LAYER_ID, IR_LAYER_NAME, IR_LAYER_TYPE, IR_LAYER_OPSET, IR_LAYER_OUTPUT_NAMES };
enum { IR_PORT_ID, IR_PORT_PRECISION, IR_PORT_NAMES };
enum { IR_EDGE_FROM_LAYER, IR_EDGE_FROM_PORT, IR_EDGE_TO_LAYER, IR_EDGE_TO_PORT };

/* Decoded attributes; `text` is NULL for an absent one. A misspelt attribute counts as the intended one. */
typedef struct ir_fields {
  ir_text at[IR_MAX_FIELDS];
  bool has_unknown; /* or misspelt ones; they are reported when the layer is known */
} ir_fields;

/* Finds the element's attributes. Returns IR_OK, or a code that ends the reading. */
ir_code ir_find_fields(ir_reader *reader, const ir_tag *tag, ir_element element, ir_fields *out_fields);
void ir_report_unknown(ir_reader *reader, const ir_tag *tag, ir_element element);
/* Reports IR204 if the attribute is absent. True if it was reported. */
bool ir_report_missing(ir_reader *reader, const ir_tag *tag, ir_element element, const ir_fields *fields, int index);
const char *ir_attribute_name(ir_element element, int index);

/* Decodes a value, in memory that is valid until the next tag. False when memory is out. */
bool ir_decode_value(ir_reader *reader, const ir_tag *tag, const ir_tag_attr *attr, ir_text *out_text);

/* Reports IR007 for a second `<name>`; the first one is at `first`. If `allowed`, --allow turns it into a warning. */
void ir_report_repeated(ir_reader *reader, const ir_tag *tag, const char *name, ir_at first, bool allowed);
/* Reports IR004. */
ir_code ir_report_limit(ir_reader *reader, ir_at at, const char *what, int64_t most);

#endif
