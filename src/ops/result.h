/* The outputs of a model, in each dialect. */
#ifndef IR_RESULT_H
#define IR_RESULT_H

#include "ops/op.h"

/* Infers nothing, since a Result has no output. */
ir_code ir_result_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

#endif
