/* The pass "widen": a network of f16 or bf16 is computed in f32, as OpenVINO's CPU plugin does. */
#ifndef IR_WIDEN_H
#define IR_WIDEN_H

#include "runtime/run/plan_request.h"

/* Where a product that goes to the fast module is of f16 or bf16: gives `*request` nodes of its own, whose outputs of
 * these types are f32. Before the plan has slots. */
ir_code ir_widen_nodes(ir_plan_request *request, ir_plan *plan);
/* Appends the steps from what is given as f16 or bf16: inputs, constants (once), and what earlier plans computed.
 * Before all other steps. */
ir_code ir_widen_given(const ir_plan_request *request, ir_plan *plan);
/* The slot that an output of the request's nodes is read from, which outlives the plan: where the output was widened a
 * step behind all others rounds it. -1 when memory is out (reported). */
int32_t ir_narrow_taken(const ir_plan_request *request, ir_plan *plan, ir_link from);

#endif
