/* Shared by ops that map each element of their input to one of their output. */
#ifndef IR_ELEMENTWISE_INFER_H
#define IR_ELEMENTWISE_INFER_H

#include "ops/op.h"

/* The output has the input's type and shape. */
ir_code ir_elementwise_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Number of output elements, broadcast or not: each is computed once. */
int64_t ir_elementwise_cost(const ir_node *node, const ir_value *const *in);

/* An arithmetic input. */
#define IR_PORT_OF_NUMBERS(port)                                                                                       \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_carried = IR_CARRIED_WIDENED,                       \
    .rank_max = IR_MAX_RANK                                                                                            \
  }

#endif
