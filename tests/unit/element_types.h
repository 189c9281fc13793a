/* Lists all element types of tensors, for tests that loop over them: the number types, then boolean. */
#ifndef ELEMENT_TYPES_H
#define ELEMENT_TYPES_H

#include "base/dtype.h"

static const ir_type element_types[] = {IR_F32, IR_F64, IR_F16, IR_BF16, IR_I8,  IR_I16,    IR_I32,
                                        IR_I64, IR_U8,  IR_U16, IR_U32,  IR_U64, IR_BOOLEAN};
enum { N_ELEMENT_TYPES = sizeof element_types / sizeof element_types[0], N_NUMBER_TYPES = N_ELEMENT_TYPES - 1 };

#endif
