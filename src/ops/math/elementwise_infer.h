/* Shared functions of elementwise ops: each output element depends on the input elements at its position. */
#ifndef IR_ELEMENTWISE_INFER_H
#define IR_ELEMENTWISE_INFER_H

#include "ops/op.h"

/* Implements ir_op.infer: the output gets the type and shape of input 0. */
ir_code ir_elementwise_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Implements ir_op.cost: counts each output element once, -1 if the output shape is not known. */
int64_t ir_elementwise_cost(const ir_node *node, const ir_value *const *in);

/* Port row of an input that accepts numbers of any rank. */
#define IR_PORT_OF_NUMBERS(port)                                                                                       \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_carried = IR_CARRIED_WIDENED,                       \
    .rank_max = IR_MAX_RANK                                                                                            \
  }

#endif
