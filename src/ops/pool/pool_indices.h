/* Infers output 1 of MaxPool-8, MaxPool-14 and AdaptiveMaxPool-8: the index of each maximum's element. An index is the
 * element's row-major position in the input, modulo the product of dims[axis] and all later dims. With axis 0 it counts
 * in the whole tensor, with axis 2 in one channel. */
#ifndef IR_POOL_INDICES_H
#define IR_POOL_INDICES_H

#include "ops/op.h"

extern const char *const ir_index_type_names[]; /* i64, i32 */
/* Schema row of the attribute that selects the type of the indices. */
#define IR_INDEX_TYPE_ROW(text, params, field)                                                                         \
  {                                                                                                                    \
    .name = text, .kind = IR_ATTR_ENUM, .offset = offsetof(params, field), .names = ir_index_type_names,               \
    .fallback = "i64"                                                                                                  \
  }
/* Port row of the output of indices. Converters often declare the type of the values here, a float: types_misdeclared
 * tolerates it. */
#define IR_INDICES_PORT                                                                                                \
  {                                                                                                                    \
    .name = "indices", .type_var = "T_IND", .types = IR_SET(IR_I32) | IR_SET(IR_I64),                                  \
    .types_misdeclared = IR_SET_FLOATS, .rank_min = 3, .rank_max = 5                                                   \
  }
ir_type ir_index_type(int position);

/* Computes the modulus of indices: the product of dims[axis] and all later dims; 1 if the input is empty. An open dim
 * counts with its lower bound, but at least 1. Returns false if the product exceeds int64_t. */
bool ir_index_modulus(const ir_shape *in, int axis, int64_t *out);

static inline bool ir_index_fits_i32(int64_t modulus) {
  return modulus - 1 <= INT32_MAX;
}

/* Infers type and shape of output 1, out[1]; out[0] must be inferred already. If the indices are read and `type` is too
 * small for them, reports IR314 and poisons out[1]. */
void ir_indices_infer(const ir_node *node, const ir_value *in, int axis, ir_type type, ir_value *out, ir_scope *scope);

#endif
