/* Functions that both the plan of a program and the plan of its constants use. */
#ifndef IR_EMIT_H
#define IR_EMIT_H

#include "program/program.h"

/* Makes a slot for each value. False when memory is out (reported). */
bool ir_emit_slots(const ir_program *program, ir_plan *plan);
/* Appends the steps of an operation; `in` is room for its inputs. */
ir_code ir_emit_operation(ir_program *program, int32_t at, ir_plan *plan, const ir_value **in);
/* Appends the steps of all operations that are not computed before the plan is executed; n_done[i] becomes the number
 * of steps up to operation i. */
ir_code ir_emit_operations(ir_program *program, ir_plan *plan, size_t *n_done);
/* Lists the points of the plan at which a visitor looks at outputs of layers. */
ir_code ir_emit_visits(const ir_program *program, ir_plan *plan, const size_t *n_done);
/* Bytes that the plan needs in addition to the memory that plan->place has. */
size_t ir_emit_bytes(const ir_plan *plan);
/* Call this after the last step: chooses the number of workers, places the tensors in the block, and checks the memory
 * limit. */
ir_code ir_emit_end(const ir_program_request *request, ir_plan *plan);

#endif
