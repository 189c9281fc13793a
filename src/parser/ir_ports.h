/* Reads the ports of a layer and their dims. */
#ifndef IR_PORTS_H
#define IR_PORTS_H

#include "ir_reader_state.h"

/* Begins a port. Returns IR_OK, or a code that ends the reading. */
ir_code ir_begin_port(ir_reader *reader, const ir_tag *tag);
ir_code ir_end_port(ir_reader *reader);
/* Ends a <dim>. `at`: the text between <dim> and </dim>. */
ir_code ir_end_dim(ir_reader *reader, ir_at at);
/* Reports duplicate port ids of the open layer: an error among inputs or among outputs, a warning between them. False
 * when memory is out. */
bool ir_check_port_ids(ir_reader *reader);
/* Copies a whole list of ports to the graph. False when memory is out. */
bool ir_take_ports(ir_reader *reader, const ir_port_list *list, ir_port **out_ports, int32_t *out_n);

#endif
