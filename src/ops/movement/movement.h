/* What ops share that move elements: their ports, and what all of them begin with. */
#ifndef IR_MOVEMENT_H
#define IR_MOVEMENT_H

#include "ops/ranges.h"

#define IR_SET_I32_I64 (IR_SET(IR_I32) | IR_SET(IR_I64))

/* Ports: any type and rank; integers; both with more fields behind. */
#define IR_ANY_TYPE(port, var)                                                                                         \
  .name = port, .type_var = var, .types = IR_SET_STORED, .rank_min = 0, .rank_max = IR_MAX_RANK
/* Numbers say the page; OpenVINO moves booleans as well. */
#define IR_ANY_NUMBER(port, var)                                                                                       \
  .name = port, .type_var = var, .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 0,            \
  .rank_max = IR_MAX_RANK
/* OpenVINO does not compare the types of an op's lists. */
#define IR_WHOLE_NUMBERS(port, var, least_rank, most_rank)                                                             \
  .name = port, .type_var = var, .types = IR_SET_INTEGERS, .types_may_differ = true, .rank_min = least_rank,           \
  .rank_max = most_rank
#define IR_INDEX_NUMBERS(port, var, least_rank, most_rank)                                                             \
  .name = port, .type_var = var, .types = IR_SET_I32_I64, .rank_min = least_rank, .rank_max = most_rank

/* An output of input 0's type; unknown, and false, when an input or an attribute is. */
bool ir_movement_begin(const ir_node *node, const ir_value *const *in, ir_value *out);

/* One output of input 0's type and shape; false as above. */
bool ir_movement_same(const ir_node *node, const ir_value *const *in, ir_value *out);

/* How many elements a list input has, all inputs `from` to `to` (left out ones passed over) agreeing: a list has one
 * axis. Reports that they do not agree. */
bool ir_movement_count(const ir_node *node, const ir_value *const *in, int from, int to, ir_dim *out_count,
                       ir_scope *scope);

/* Elements of a dim as a size of a tensor: none below 0. */
static inline ir_dim ir_size_of_range(ir_dim range) {
  return (ir_dim){range.lo > 0 ? range.lo : 0, range.hi > 0 ? range.hi : 0};
}

/* The list of sizes that input `port` holds, as a shape; of its rank alone where nothing is told, IR_RANK_UNKNOWN where
 * not even that. -1 is open, as OpenVINO reads it. False, and reported, for lower ones and more than a tensor of irrun
 * has.
 */
bool ir_shape_input(const ir_node *node, int port, const ir_value *value, ir_shape *out, ir_scope *scope);

#endif
