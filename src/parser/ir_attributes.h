/* Finds the attributes of an XML element in its start tag. Reports missing and unknown attributes, and repeated
 * elements. */
#ifndef IR_ATTRIBUTES_H
#define IR_ATTRIBUTES_H

#include "ir_reader_state.h"

enum { IR_MAX_FIELDS = 5 };

/* The enumerators are indices into ir_fields.at, for <net>, <layer>, <port> and <edge>. */
enum { IR_NET_NAME, IR_NET_VERSION, IR_NET_PRECISION, IR_NET_BATCH }; /* the last two in old IRs */
enum { IR_LAYER_ID, IR_LAYER_NAME, IR_LAYER_TYPE, IR_LAYER_OPSET, IR_LAYER_OUTPUT_NAMES };
enum { IR_LAYER_PRECISION = IR_LAYER_OPSET }; /* in old IRs; behind it the opset, which version 7 can have */
enum { IR_BLOB_OFFSET, IR_BLOB_SIZE, IR_BLOB_PRECISION };
enum { IR_MEAN_VALUE, IR_MEAN_OFFSET, IR_MEAN_SIZE };
enum { IR_PRE_PROCESS_LAYER, IR_PRE_PROCESS_PRECISION };
enum { IR_PORT_ID, IR_PORT_PRECISION, IR_PORT_NAMES };
enum { IR_EDGE_FROM_LAYER, IR_EDGE_FROM_PORT, IR_EDGE_TO_LAYER, IR_EDGE_TO_PORT };

/* ir_fields has the decoded attributes of one tag; `text` is NULL if an attribute is absent. If a tag has no "name" but
 * a misspelt "nmae", the entry of "name" has the value of "nmae". */
typedef struct ir_fields {
  ir_text at[IR_MAX_FIELDS];
  bool has_unknown; /* the tag has unknown or misspelt attributes; ir_report_unknown reports them */
} ir_fields;

/* Finds and decodes the attributes of `tag`. A code other than IR_OK ends the reading of the file: out of memory, or
 * too many attributes. */
ir_code ir_find_fields(ir_reader *reader, const ir_tag *tag, ir_element element, ir_fields *out_fields);
void ir_report_unknown(ir_reader *reader, const ir_tag *tag, ir_element element);
/* If the attribute is absent, reports IR204 (missing attribute) and returns true. */
bool ir_report_missing(ir_reader *reader, const ir_tag *tag, ir_element element, const ir_fields *fields, int index);
const char *ir_attribute_name(ir_element element, int index);

/* Decodes an attribute's value. The result is valid until the attributes of another tag are read. Returns false if
 * memory is out. */
bool ir_decode_value(ir_reader *reader, const ir_tag *tag, const ir_tag_attr *attr, ir_text *out_text);

/* Reports IR007: `tag` is the second <name> of its parent, and the first is at `first`. If `allowed` is true, --allow
 * turns the error into a warning. */
void ir_report_repeated(ir_reader *reader, const ir_tag *tag, const char *name, ir_at first, bool allowed);
/* Reports IR004 with the message "more than `most` `what`", where `what` is, for example, "ports in one layer". */
ir_code ir_report_limit(ir_reader *reader, ir_at at, const char *what, int64_t most);

#endif
