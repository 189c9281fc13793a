/* What writers are known to declare of a pool's output though the op computes another shape. */
#ifndef IR_POOL_DECLARED_H
#define IR_POOL_DECLARED_H

#include "ops/op.h"

/* True for a pool with rounding_type 'ceil' whose declared dims are those of output 0, or on some axes what
 * 'ceil_torch' counts: without a last window that begins in the end padding. */
bool ir_pool_declares_torch(const ir_node *node, const ir_value *const *in, const ir_shape *declared);

#endif
