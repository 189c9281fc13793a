/* Converts <net>, <layer>, <data> and <edge> of an IR to entries of the graph. A code other than IR_OK ends the reading
 * of the file. */
#ifndef IR_ELEMENTS_H
#define IR_ELEMENTS_H

#include "ir_reader_state.h"

ir_code ir_begin_net(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_layer(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_data(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_edge(ir_reader *reader, const ir_tag *tag);
ir_code ir_end_layer(ir_reader *reader);
/* Appends an attribute of the tag to `reader->attrs`. Returns false if memory is out. */
bool ir_add_attr(ir_reader *reader, const ir_tag *tag, const ir_tag_attr *attr);

#endif
