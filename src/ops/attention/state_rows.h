/* The keys or values that attention keeps from one execution to the next. */
#ifndef IR_STATE_ROWS_H
#define IR_STATE_ROWS_H

#include "ops/kernels/index_input.h"

/* Rows [N, H, length, E] in memory with room for more: [N, H, capacity, E]. */
typedef struct ir_state_rows {
  ir_tensor room;      /* [N, H, capacity, E]; rank 0: there are no rows yet */
  int64_t length;      /* rows of each head in `room` */
  ir_tensor next_room; /* the room after the execution, if it reorders matrices; rank 0: `room` stays */
  int64_t next_length; /* the length after the execution; valid if is_appended */
  bool is_appended;    /* the execution has appended rows */
} ir_state_rows;

/* Appends `now` [N, H, n, E] behind the rows of earlier executions. `beams` [N]: matrix i continues the rows of matrix
 * beams[i], and zeros if there is none, as Gather-8 has it; NULL: its own. The rows before the execution stay as they
 * are until ir_state_end. Reports a batch that does not fit, and memory that is out. */
ir_code ir_state_append(ir_state_rows *rows, const ir_tensor *now, const ir_tensor *beams, const ir_index_input *input,
                        const ir_memory *memory);
/* The room that holds the appended rows. */
static inline const ir_tensor *ir_state_room(const ir_state_rows *rows) {
  return rows->next_room.rank > 0 ? &rows->next_room : &rows->room;
}
/* Ends an execution: keeps the appended rows, or if it failed, those before it. */
void ir_state_end(ir_state_rows *rows, bool is_kept);
/* Takes over a tensor [N, H, length, E] as the rows. */
void ir_state_take(ir_state_rows *rows, ir_tensor *tensor);
/* Moves the rows to a tensor [N, H, length, E] without room. False when memory is out: the rows stay. */
bool ir_state_move(ir_state_rows *rows, const ir_memory *memory, ir_tensor *out);
void ir_state_release(ir_state_rows *rows);

#endif
