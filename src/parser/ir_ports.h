/* Reads the ports of a layer and their dims. */
#ifndef IR_PORTS_H
#define IR_PORTS_H

#include "ir_reader_state.h"

/* Reads the start tag of a port. A code other than IR_OK ends the reading of the file. */
ir_code ir_begin_port(ir_reader *reader, const ir_tag *tag);
ir_code ir_end_port(ir_reader *reader);
/* Reads the end tag of a <dim>. `at` is the place of the text between <dim> and </dim>. */
ir_code ir_end_dim(ir_reader *reader, ir_at at);
/* Reports equal port ids in the open layer. Two inputs or two outputs with one id are an error; an input and an output
 * with one id are a warning. Returns false if memory is out. */
bool ir_check_port_ids(ir_reader *reader);
/* Copies all ports of `list` to an array in the graph's arena. Returns false if memory is out. */
bool ir_take_ports(ir_reader *reader, const ir_port_list *list, ir_port **out_ports, int32_t *out_n);

#endif
