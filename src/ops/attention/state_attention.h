/* Attention that keeps its keys and values from one execution to the next. */
#ifndef IR_STATE_ATTENTION_H
#define IR_STATE_ATTENTION_H

#include "ops/attention/state_rows.h"

/* The rows that one attention of a run keeps. */
typedef struct ir_kept_rows {
  ir_state_rows key, value;
  const ir_tensor *beams; /* order of the matrices (ir_state_append); NULL: as it is. The run sets it each time */
} ir_kept_rows;

typedef struct ir_state_attention_params {
  ir_kept_rows *rows;
  int64_t repeats; /* r */
} ir_state_attention_params;

/* ScaledDotProductAttention-13 on kept rows. Inputs have its numbers:
 *   query [N, H * r, L, E], the new keys [N, H, n, E] and values [N, H, n, EV], mask, scale, sink
 * The new rows are appended to the kept ones, and attention reads them all: S kept and new rows. Each head of keys
 * serves r heads of queries. Shapes broadcast as in ScaledDotProductAttention-13. Query, keys and values have rank 4.
 * The step works for any S, which it learns when it runs. All are f32; the mask can be boolean. */
extern const ir_op ir_op_state_attention;

#endif
