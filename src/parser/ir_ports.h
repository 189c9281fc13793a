/* The ports of a layer and their dims. */
#ifndef IR_PORTS_H
#define IR_PORTS_H

#include "ir_reader.h"

/* IR_OK, or what ends the reading. */
ir_code ir_begin_port(ir_reader *reader, const ir_tag *tag);
ir_code ir_end_port(ir_reader *reader);
/* `at`: what stands between <dim> and </dim>. */
ir_code ir_end_dim(ir_reader *reader, ir_at at);
/* Copies a whole list to the graph, and reports ids that stand in it twice. False when memory is out. */
bool ir_take_ports(ir_reader *reader, const ir_port_list *list, ir_port **out_ports, int32_t *out_n);

#endif
