/* Maxima with indices as a step. */
#ifndef IR_POOL_PLACES_STEP_H
#define IR_POOL_PLACES_STEP_H

#include "ops/pool/pool_max.h"

/* Appends the step; *out_done is false, and nothing appended, where plain loops have to do it. */
ir_code ir_places_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                       int64_t modulus, ir_scope *scope, bool *out_done);

#endif
