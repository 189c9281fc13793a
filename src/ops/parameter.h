/* Parameters: the inputs of a model, in an IR or in nGraph. */
#ifndef IR_PARAMETER_H
#define IR_PARAMETER_H

#include "ops/op.h"

typedef struct ir_parameter_params {
  ir_shape shape;
  ir_type element_type;
  bool cacheable; /* only in nGraph; has no effect */
} ir_parameter_params;

ir_code ir_parameter_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

#endif
