/* Checks the <attribute> elements in the <rt_info> of a layer or port. OpenVINO reads them in IR version 11, and
 * refuses the model if an attribute is repeated or malformed. */
#ifndef IR_RT_INFO_H
#define IR_RT_INFO_H

#include "ir_reader_state.h"

/* Checks a child of <rt_info>; its own children are ignored. A code other than IR_OK ends the reading of the file. */
ir_code ir_begin_rt_attribute(ir_reader *reader, const ir_tag *tag);

#endif
