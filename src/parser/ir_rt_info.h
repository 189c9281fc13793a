/* Checks the attributes in <rt_info> of a layer or port. OpenVINO reads them in version 11 and refuses a model if one
 * is repeated or malformed. */
#ifndef IR_RT_INFO_H
#define IR_RT_INFO_H

#include "ir_reader_state.h"

/* Checks an element in <rt_info>; its child elements are ignored. Returns IR_OK, or a code that ends the reading. */
ir_code ir_begin_rt_attribute(ir_reader *reader, const ir_tag *tag);

#endif
