/* Element types of IR versions 2 to 7. Ports and blobs that state none have that of their layer, and layers that of the
 * net. */
#ifndef IR_LEGACY_TYPES_H
#define IR_LEGACY_TYPES_H

#include "ir_attributes.h"

/* Reads a type; MIXED, UNSPECIFIED and an absent text give `fallback`, BIN one bit. Reports an unknown one. */
ir_type ir_legacy_precision(ir_reader *reader, const ir_text *text, const char *attribute, ir_type fallback);
/* Reads the attributes of <net>. */
ir_code ir_begin_legacy_net(ir_reader *reader, const ir_tag *tag);
/* Sets the open layer's precision: that of its attribute, else that of the net. */
void ir_take_layer_precision(ir_reader *reader, const ir_fields *fields);

#endif
