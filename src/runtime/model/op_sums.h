/* The work and the weights of a model by op. */
#ifndef IR_OP_SUMS_H
#define IR_OP_SUMS_H

#include "base/arena.h"
#include "irrun_state.h"
#include "ops/op.h"

typedef struct ir_op_sums {
  irrun_op_sizes *items; /* one per op that was asked for */
  const ir_op **ops;     /* of the items */
  size_t n;
} ir_op_sums;

/* Makes empty sums in the arena. Returns false if memory is out. */
bool ir_op_sums_init(ir_op_sums *sums, ir_arena *arena);
/* The item of an op. */
irrun_op_sizes *ir_op_sums_of(ir_op_sums *sums, const ir_op *op);
/* Sorts the items: the most multiplications first, then the most operations, then the most bytes. Drops items without
 * any of these. */
void ir_op_sums_end(ir_op_sums *sums);

#endif
