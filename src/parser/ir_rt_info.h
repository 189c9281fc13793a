/* The attributes in <rt_info> of a layer or a port, which OpenVINO reads of version 11: it refuses a model for one that
 * stands twice, or cannot be read. */
#ifndef IR_RT_INFO_H
#define IR_RT_INFO_H

#include "ir_reader_state.h"

/* One element in <rt_info>, whose own elements mean nothing. IR_OK, or what ends the reading. */
ir_code ir_begin_rt_attribute(ir_reader *reader, const ir_tag *tag);

#endif
