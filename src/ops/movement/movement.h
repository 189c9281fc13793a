/* Shared code of ops that move elements: port rows and the first checks of shape inference. */
#ifndef IR_MOVEMENT_H
#define IR_MOVEMENT_H

#include "ops/ranges.h"

#define IR_SET_I32_I64 (IR_SET(IR_I32) | IR_SET(IR_I64))

/* Fields of a port row of any type and rank; further fields can follow. */
#define IR_ANY_TYPE(port, var)                                                                                         \
  .name = port, .type_var = var, .types = IR_SET_STORED, .rank_min = 0, .rank_max = IR_MAX_RANK
/* Fields of a port row for numbers. OpenVINO also takes booleans, which the specification excludes. */
#define IR_ANY_NUMBER(port, var)                                                                                       \
  .name = port, .type_var = var, .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 0,            \
  .rank_max = IR_MAX_RANK
/* Fields of a port row for integers. OpenVINO does not compare the types of these inputs, so their types can differ. */
#define IR_WHOLE_NUMBERS(port, var, least_rank, most_rank)                                                             \
  .name = port, .type_var = var, .types = IR_SET_INTEGERS, .types_may_differ = true, .rank_min = least_rank,           \
  .rank_max = most_rank
#define IR_INDEX_NUMBERS(port, var, least_rank, most_rank)                                                             \
  .name = port, .type_var = var, .types = IR_SET_I32_I64, .rank_min = least_rank, .rank_max = most_rank

/* Sets the type of the output to that of input 0. Returns false, with a poisoned output, if an input or an attribute is
 * at fault. */
bool ir_movement_begin(const ir_node *node, const ir_value *const *in, ir_value *out);

/* Sets the type and shape of the output to those of input 0. Returns false in the same cases as ir_movement_begin. */
bool ir_movement_same(const ir_node *node, const ir_value *const *in, ir_value *out);

/* Sets *out_count to the common length of the lists in inputs `from` to `to`; absent inputs are skipped. Returns false,
 * after a report, if the lengths differ. */
bool ir_movement_count(const ir_node *node, const ir_value *const *in, int from, int to, ir_dim *out_count,
                       ir_scope *scope);

/* Converts the range of an element to a size of a tensor: negative ends become 0. */
static inline ir_dim ir_size_of_range(ir_dim range) {
  return (ir_dim){range.lo > 0 ? range.lo : 0, range.hi > 0 ? range.hi : 0};
}

/* Reads the list of sizes in input `port` as a shape. If the elements are unknown, all dims are open; if the length is
 * unknown too, the rank is IR_RANK_UNKNOWN. -1 is an open size, like in OpenVINO. Returns false, after a report, for a
 * size below -1 or a rank above IR_MAX_RANK. */
bool ir_shape_input(const ir_node *node, int port, const ir_value *value, ir_shape *out, ir_scope *scope);

#endif
