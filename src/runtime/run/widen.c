#include "runtime/run/widen.h"
#include "ops/math/convert_values.h"
#include "runtime/infer/infer.h"
#include <string.h>

static bool is_half(ir_type type) {
  return type == IR_F16 || type == IR_BF16;
}

static bool has_half_product(const ir_plan_request *request) {
  for (size_t i = 0; i < request->n_nodes; i++) {
    const ir_node *node = &request->nodes[i];
    if (request->needed[i] && node->op != NULL && node->op->contraction != NULL && is_half(node->outputs[0].type))
      return true;
  }
  return false;
}

ir_code ir_widen_nodes(ir_plan_request *request, ir_plan *plan) {
  const size_t n = request->n_nodes;
  request->given_nodes = request->nodes;
  if (!request->is_fast || ir_lacks_pass(request, IRRUN_PASS_WIDEN) || !has_half_product(request))
    return IR_OK;
  ir_node *nodes = ir_arena_array(plan->arena, n + 1, sizeof *nodes);
  if (nodes == NULL)
    return ir_out_of_memory(plan->diags);
  memcpy(nodes, request->nodes, n * sizeof *nodes);
  for (size_t i = 0; i < n; i++) {
    if (nodes[i].n_outputs > 0 && !ir_own_outputs(&nodes[i], plan->arena))
      return ir_out_of_memory(plan->diags);
    for (int32_t p = 0; p < nodes[i].n_outputs; p++)
      if (is_half(nodes[i].outputs[p].type)) {
        nodes[i].outputs[p].type = IR_F32;
        plan->counts.widened += request->needed[i];
      }
  }
  request->nodes = nodes;
  return IR_OK;
}

static bool is_widened(const ir_plan_request *request, ir_link from) {
  return request->nodes[from.layer].outputs[from.port].type != request->given_nodes[from.layer].outputs[from.port].type;
}

/* A slot of the type that the output had. */
static int32_t make_outside(const ir_plan_request *request, ir_plan *plan, ir_link from) {
  const ir_value *given = &request->given_nodes[from.layer].outputs[from.port];
  int32_t *slot = &plan->outside_of[plan->first_slot[from.layer] + from.port];
  return *slot = ir_plan_temporary(plan, given->type, &given->shape);
}

ir_code ir_widen_given(const ir_plan_request *request, ir_plan *plan) {
  ir_code code = IR_OK;
  if (request->nodes == request->given_nodes)
    return IR_OK;
  plan->outside_of = ir_arena_array(plan->arena, plan->n_outputs + 1, sizeof *plan->outside_of);
  if (plan->outside_of == NULL)
    return ir_out_of_memory(plan->diags);
  for (size_t i = 0; i < plan->n_outputs; i++)
    plan->outside_of[i] = -1;
  for (size_t i = 0; i < request->n_nodes && code == IR_OK; i++) {
    const ir_node *node = &request->nodes[i];
    const bool is_given = node->op != NULL && (!request->needed[i] || node->op->role != IR_ROLE_COMPUTED);
    for (int32_t p = 0; p < node->n_outputs && is_given && code == IR_OK; p++) {
      const ir_link link = {(int32_t)i, p};
      const int32_t wide = ir_plan_output_slot(plan, node, p);
      if (wide < 0 || !is_widened(request, link))
        continue;
      const int32_t slot = make_outside(request, plan, link);
      if (slot < 0)
        return IR_IO;
      plan->slots[slot].node = &request->given_nodes[i]; /* the constant that is bound, the input that is counted */
      plan->slots[wide].node = NULL;
      code = ir_convert_step_on(plan, node, slot, wide);
    }
  }
  return code;
}

int32_t ir_narrow_taken(const ir_plan_request *request, ir_plan *plan, ir_link from) {
  const int32_t outside = ir_plan_outside_slot(plan, from);
  const ir_node *node = &request->nodes[from.layer];
  const int32_t wide = ir_plan_output_slot(plan, node, from.port);
  if (outside != wide || !is_widened(request, from))
    return outside;
  const int32_t slot = make_outside(request, plan, from);
  return slot >= 0 && ir_convert_step_on(plan, node, wide, slot) == IR_OK ? slot : -1;
}
