/* What AdaptiveAvgPool and AdaptiveMaxPool share. Their windows are bins of an input [N, C, D..]; how many there are on
 * each spatial axis stands in the second input. Bin i of `out` covers floor(i * n / out) up to ceil((i + 1) * n / out),
 * all in integers; `out` may exceed n. */
#ifndef IR_ADAPTIVE_POOL_H
#define IR_ADAPTIVE_POOL_H

#include "ops/pool/pool.h"

/* Ports of both. */
#define IR_ADAPTIVE_T(port)                                                                                            \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_if_allowed = IR_SET_INTEGERS,                        \
    .types_carried = IR_CARRIED_NONE, .rank_min = 3, .rank_max = 5                                                     \
  }
#define IR_ADAPTIVE_INPUTS                                                                                             \
  IR_ADAPTIVE_T("data"), {                                                                                             \
    .name = "output_shape", .type_var = "T_SHAPE", .types = IR_SET(IR_I32) | IR_SET(IR_I64),                           \
    .types_noted = IR_SET_INTEGERS, .fault = IR313_OUTPUT_SIZE_UNUSABLE, .rank_min = 0, .rank_max = IR_MAX_RANK,       \
    .contents = true                                                                                                   \
  }

/* Type and shape of output 0. */
ir_code ir_adaptive_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* The bins. */
extern const ir_windows_rule ir_adaptive_windows;
void ir_adaptive_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
/* Elements of all bins, counted axis by axis. */
int64_t ir_adaptive_cost(const ir_node *node, const ir_value *const *in);

#endif
