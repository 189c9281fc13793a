/* The work of an execution: multiplications, other operations, and the memory of tensors. */
#ifndef IR_WORK_H
#define IR_WORK_H

#include "base/arena.h"
#include "irrun_state.h"
#include "runtime/model/model.h"
#include "runtime/model/op_sums.h"

/* The bytes of a value whose open sizes are 1; -1: they are unknown. */
int64_t ir_bytes_with_ones(const ir_value *value);
/* Sets `macs`, `flops`, `uncounted`, `peak_bytes` and `step_bytes` of `out`, and `layers`, `macs` and `flops` of the
 * ops. Returns false if memory is out. */
bool ir_sum_work(const irrun_model *model, ir_arena *arena, irrun_sizes *out, ir_op_sums *ops);

#endif
