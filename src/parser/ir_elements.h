/* Writes the elements of an IR to the graph. Each function returns IR_OK, or a code that ends the reading. */
#ifndef IR_ELEMENTS_H
#define IR_ELEMENTS_H

#include "ir_reader_state.h"

ir_code ir_begin_net(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_layer(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_data(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_edge(ir_reader *reader, const ir_tag *tag);
ir_code ir_end_layer(ir_reader *reader);
/* Adds an attribute of the tag to `reader->attrs`. False when memory is out. */
bool ir_add_attr(ir_reader *reader, const ir_tag *tag, const ir_tag_attr *attr);

#endif
