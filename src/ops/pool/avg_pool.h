/* What all versions of AvgPool share, of every dialect: rows with ir_pool_params and `choices`. */
#ifndef IR_AVG_POOL_H
#define IR_AVG_POOL_H

#include "ops/pool/pool.h"

ir_code ir_avg_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_avg_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
/* Pads in force on any axis of an input of that rank, whose sizes are known where pads are of same_*. */
bool ir_avg_pool_has_pads(const ir_node *node, const ir_shape *in);

#endif
