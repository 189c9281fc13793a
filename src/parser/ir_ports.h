/* The ports of a layer and their dims. */
#ifndef IR_PORTS_H
#define IR_PORTS_H

#include "ir_reader_state.h"

/* IR_OK, or what ends the reading. */
ir_code ir_begin_port(ir_reader *reader, const ir_tag *tag);
ir_code ir_end_port(ir_reader *reader);
/* `at`: what stands between <dim> and </dim>. */
ir_code ir_end_dim(ir_reader *reader, ir_at at);
/* Reports ids of the open layer that stand twice: an error within inputs or outputs, a warning between them. False when
 * memory is out. */
bool ir_check_port_ids(ir_reader *reader);
/* Copies a whole list to the graph. False when memory is out. */
bool ir_take_ports(ir_reader *reader, const ir_port_list *list, ir_port **out_ports, int32_t *out_n);

#endif
