/* What the plan of a program and the plan of its constants share. */
#ifndef IR_EMIT_H
#define IR_EMIT_H

#include "program/program.h"

/* A slot for each value. False when memory is out (reported). */
bool ir_emit_slots(const ir_program *program, ir_plan *plan);
/* Appends the steps of an operation; `in` is room for its inputs. */
ir_code ir_emit_operation(ir_program *program, int32_t at, ir_plan *plan, const ir_value **in);
/* Appends those of all operations that are not made before the plan is executed; n_done[i] becomes the number of steps
 * up to operation i. */
ir_code ir_emit_operations(ir_program *program, ir_plan *plan, size_t *n_done);
/* Notes where in the plan somebody looks at what layers compute. */
ir_code ir_emit_visits(const ir_program *program, ir_plan *plan, const size_t *n_done);
/* Bytes that the plan is going to take beside those that its place has. */
size_t ir_emit_bytes(const ir_plan *plan);
/* After the last step: how many workers it is worth, where tensors lie, and whether the run may take that. */
ir_code ir_emit_end(const ir_program_request *request, ir_plan *plan);

#endif
