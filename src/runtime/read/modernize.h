/* Replaces the layers of an IR of version 2 to 7 by ops of the opsets. */
#ifndef IR_MODERNIZE_H
#define IR_MODERNIZE_H

#include "runtime/model/model.h"

/* Expands every layer of the model's graph and of its bodies by its row (ops/legacy), adds a Result for each output
 * that nobody reads, and sets the dialect to IR_OPENVINO. Ids, names and places stay those of the old layers. Reports
 * faults of edges and attributes. Returns IR_NO_MEMORY if memory is out. */
ir_code ir_modernize(irrun_model *model);

#endif
