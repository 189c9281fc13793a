/* Shared by ops that move elements: their ports and the start of their shape rules. */
#ifndef IR_MOVEMENT_H
#define IR_MOVEMENT_H

#include "ops/ranges.h"

#define IR_SET_I32_I64 (IR_SET(IR_I32) | IR_SET(IR_I64))

/* Ports of any type and rank; integers; both accept more fields. */
#define IR_ANY_TYPE(port, var)                                                                                         \
  .name = port, .type_var = var, .types = IR_SET_STORED, .rank_min = 0, .rank_max = IR_MAX_RANK
/* The page allows numbers; OpenVINO also moves booleans. */
#define IR_ANY_NUMBER(port, var)                                                                                       \
  .name = port, .type_var = var, .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 0,            \
  .rank_max = IR_MAX_RANK
/* OpenVINO does not compare the types of an op's lists. */
#define IR_WHOLE_NUMBERS(port, var, least_rank, most_rank)                                                             \
  .name = port, .type_var = var, .types = IR_SET_INTEGERS, .types_may_differ = true, .rank_min = least_rank,           \
  .rank_max = most_rank
#define IR_INDEX_NUMBERS(port, var, least_rank, most_rank)                                                             \
  .name = port, .type_var = var, .types = IR_SET_I32_I64, .rank_min = least_rank, .rank_max = most_rank

/* Sets the output's type to input 0's. False, with poisoned outputs, if an input or attribute is at fault. */
bool ir_movement_begin(const ir_node *node, const ir_value *const *in, ir_value *out);

/* Sets one output to input 0's type and shape; false as above. */
bool ir_movement_same(const ir_node *node, const ir_value *const *in, ir_value *out);

/* Length of the list inputs `from` to `to`, absent ones skipped: all must agree, since a list has one axis. Reports
 * that they do not. */
bool ir_movement_count(const ir_node *node, const ir_value *const *in, int from, int to, ir_dim *out_count,
                       ir_scope *scope);

/* A range of an element as a size of a tensor: clamped to 0 below. */
static inline ir_dim ir_size_of_range(ir_dim range) {
  return (ir_dim){range.lo > 0 ? range.lo : 0, range.hi > 0 ? range.hi : 0};
}

/* Reads the list of sizes in input `port` as a shape: only its rank if the elements are unknown, IR_RANK_UNKNOWN if the
 * rank is too. -1 is open, as in OpenVINO. False, after a report, for lower numbers and for more than irrun's tensors
 * can have. */
bool ir_shape_input(const ir_node *node, int port, const ir_value *value, ir_shape *out, ir_scope *scope);

#endif
