/* Shared code of Reshape, Squeeze and Unsqueeze: the output has the input's elements in the same order, with another
 * shape. */
#ifndef IR_SAME_ELEMENTS_H
#define IR_SAME_ELEMENTS_H

#include "ops/prepare.h"
#include "ops/ranges.h"

/* Port row for numbers. OpenVINO also takes booleans and strings, which the specification excludes. */
#define IR_MOVED_T(port)                                                                                               \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN) | IR_SET(IR_STRING),     \
    .rank_min = 0, .rank_max = IR_MAX_RANK, .ranges = true                                                             \
  }

/* Implements ir_op.prepare: makes the output a view of input 0. */
ir_code ir_same_elements_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
