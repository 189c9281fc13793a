/* Reads the parts that only IR versions 2 to 7 have: <data> under other names, blobs, and the contents of
 * <pre-process>. A code other than IR_OK ends the reading of the file. */
#ifndef IR_LEGACY_H
#define IR_LEGACY_H

#include "ir_attributes.h"

/* Whether an element of this name has the attributes of the open layer: "data", or a name that version 2 had for the
 * type, such as <convolution_data>. */
bool ir_is_legacy_data(const ir_reader *reader, const ir_text *name);
ir_code ir_begin_blob(ir_reader *reader, const ir_tag *tag);
/* Reads <crop axis="1" offset="2" dim="3"/>. The attributes of several become lists. */
ir_code ir_begin_crop(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_pre_process(ir_reader *reader, const ir_tag *tag);
ir_code ir_begin_channel(ir_reader *reader, const ir_tag *tag);
/* Reads <mean> or <scale> of a channel. */
ir_code ir_begin_mean(ir_reader *reader, ir_element element, const ir_tag *tag);

#endif
