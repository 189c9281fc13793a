/* What ops share that make each element of their output of one element of their input. */
#ifndef IR_ELEMENTWISE_INFER_H
#define IR_ELEMENTWISE_INFER_H

#include "ops/op.h"

/* The output has the input's type and shape. */
ir_code ir_elementwise_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Elements of the output, also of a broadcast: each is computed once. */
int64_t ir_elementwise_cost(const ir_node *node, const ir_value *const *in);

/* An input of arithmetic. */
#define IR_PORT_OF_NUMBERS(port)                                                                                       \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_carried = IR_CARRIED_WIDENED,                       \
    .rank_max = IR_MAX_RANK                                                                                            \
  }

#endif
