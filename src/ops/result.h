/* Results: the outputs of a model, in an IR or in nGraph. */
#ifndef IR_RESULT_H
#define IR_RESULT_H

#include "ops/op.h"

/* Does nothing, because a Result has no outputs. */
ir_code ir_result_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

#endif
