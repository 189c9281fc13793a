/* The pass "widen": a network of f16 or bf16 is computed in f32, as OpenVINO's CPU plugin does. */
#ifndef IR_WIDEN_H
#define IR_WIDEN_H

#include "runtime/run/plan_request.h"

/* Gives `*request` nodes of its own, whose outputs of f16 and bf16 are f32, where the fast module computes a product of
 * these types. To be called before the plan has slots. */
ir_code ir_widen_nodes(ir_plan_request *request, ir_plan *plan);
/* Appends the steps that convert what is given as f16 or bf16: inputs, constants (once), and what earlier plans
 * computed. To be called before there are other steps. */
ir_code ir_widen_given(const ir_plan_request *request, ir_plan *plan);
/* The slot from which an output is taken that is asked for, or that a later plan reads. Of an output that was widened
 * it is made by a step that rounds it, which is appended: to be called behind all other steps. -1 when memory is out
 * (reported). */
int32_t ir_narrow_taken(const ir_plan_request *request, ir_plan *plan, ir_link from);

#endif
