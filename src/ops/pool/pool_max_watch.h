/* Whether a maximum of a MaxPool has a number to come from. */
#ifndef IR_POOL_MAX_WATCH_H
#define IR_POOL_MAX_WATCH_H

#include "ops/pool/pool_windows.h"

/* Lets the step that was appended last, of a MaxPool of floats, be watched for IR321. Reports when memory is out. */
ir_code ir_max_watch(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_scope *scope);

#endif
