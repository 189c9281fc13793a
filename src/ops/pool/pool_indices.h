/* The second output of MaxPool-8 and later and of AdaptiveMaxPool: the position of each maximum. An index counts
 * elements of the input in row-major order, from the start of the slice that one position on the axes before `axis`
 * selects. */
#ifndef IR_POOL_INDICES_H
#define IR_POOL_INDICES_H

#include "ops/op.h"

extern const char *const ir_index_type_names[]; /* i64, i32 */
/* A row of a schema. */
#define IR_INDEX_TYPE_ROW(text, params, field)                                                                         \
  {                                                                                                                    \
    .name = text, .kind = IR_ATTR_ENUM, .offset = offsetof(params, field), .names = ir_index_type_names,               \
    .fallback = "i64"                                                                                                  \
  }
/* A port row of the indices; converters declare the type of the values for it. */
#define IR_INDICES_PORT                                                                                                \
  {                                                                                                                    \
    .name = "indices", .type_var = "T_IND", .types = IR_SET(IR_I32) | IR_SET(IR_I64),                                  \
    .types_misdeclared = IR_SET_FLOATS, .rank_min = 3, .rank_max = 5                                                   \
  }
ir_type ir_index_type(int position);

/* Computes the upper bound of indices: the product of in->dims[axis] and the dims after it; 1 for an empty input. False
 * if it exceeds int64_t. Intervals count with their lower ends, at least 1. */
bool ir_index_modulus(const ir_shape *in, int axis, int64_t *out);

static inline bool ir_index_fits_i32(int64_t modulus) {
  return modulus - 1 <= INT32_MAX;
}

/* Infers type and shape of output 1, after output 0. If the indices are read, reports that their type cannot hold
 * them. */
void ir_indices_infer(const ir_node *node, const ir_value *in, int axis, ir_type type, ir_value *out, ir_scope *scope);

#endif
