/* The attributes that an element of an IR has, found in its tag; what is missing, unknown or repeated is reported. */
#ifndef IR_ATTRIBUTES_H
#define IR_ATTRIBUTES_H

#include "ir_reader_state.h"

enum { IR_MAX_FIELDS = 5 };

/* Where the attributes of each element stand in what ir_find_fields gives. */
enum { IR_NET_NAME, IR_NET_VERSION };
enum { IR_LAYER_ID, IR_LAYER_NAME, IR_LAYER_TYPE, IR_LAYER_OPSET, IR_LAYER_OUTPUT_NAMES };
enum { IR_PORT_ID, IR_PORT_PRECISION, IR_PORT_NAMES };
enum { IR_EDGE_FROM_LAYER, IR_EDGE_FROM_PORT, IR_EDGE_TO_LAYER, IR_EDGE_TO_PORT };

/* Decoded; `text` is NULL for one that is not there. A misspelt one is taken for the one that it stands for. */
typedef struct ir_fields {
  ir_text at[IR_MAX_FIELDS];
  bool has_unknown; /* or misspelt ones, to be reported when the layer is known */
} ir_fields;

/* IR_OK, or what ends the reading. */
ir_code ir_find_fields(ir_reader *reader, const ir_tag *tag, ir_element element, ir_fields *out_fields);
void ir_report_unknown(ir_reader *reader, const ir_tag *tag, ir_element element);
/* IR204, when the attribute is not there. True when it was reported. */
bool ir_report_missing(ir_reader *reader, const ir_tag *tag, ir_element element, const ir_fields *fields, int index);
const char *ir_attribute_name(ir_element element, int index);

/* A value as it is meant, in memory that lasts until the next tag. False when memory is out. */
bool ir_decode_value(ir_reader *reader, const ir_tag *tag, const ir_tag_attr *attr, ir_text *out_text);

/* A second `<name>` beside the one at `first`: IR007, of which --allow makes a warning when `allowed`. */
void ir_report_repeated(ir_reader *reader, const ir_tag *tag, const char *name, ir_at first, bool allowed);
/* IR004. */
ir_code ir_report_limit(ir_reader *reader, ir_at at, const char *what, int64_t most);

#endif
