/* The variables of ReadValue and Assign. */
#include "runtime/run/run_state.h"
#include <string.h>

ir_variable *ir_run_find_variable(irrun_run *run, const char *id) {
  void *variables = run->variables;
  for (size_t i = 0; i < run->n_variables; i++)
    if (strcmp(run->variables[i].id, id) == 0)
      return &run->variables[i];
  if (!ir_reserve(ir_run_memory(run), &variables, run->n_variables, &run->variables_capacity, sizeof *run->variables))
    return NULL;
  run->variables = variables;
  run->variables[run->n_variables] = (ir_variable){.id = id};
  return &run->variables[run->n_variables++];
}

/* The node's variable; NULL when memory is out. */
static ir_variable *variable_of(irrun_run *run, const ir_node *node) {
  return ir_run_find_variable(run, ir_variable_of(node));
}

/* Makes the initial value of a variable that has none: zeros; open axes get size 0, as in OpenVINO. */
static bool make_zeros(irrun_run *run, const ir_node *node, ir_tensor *out) {
  ir_shape shape = node->outputs[0].shape;
  for (int i = 0; i < shape.rank; i++)
    if (!ir_dim_known(shape.dims[i]))
      shape.dims[i] = ir_dim_of(0);
  if (shape.rank == IR_RANK_UNKNOWN)
    shape = ir_shape_of(1, &(int64_t){0});
  if (!ir_tensor_alloc(out, ir_run_memory(run), node->outputs[0].type, &shape))
    return false;
  if (out->bytes > 0)
    memset(out->data, 0, out->bytes);
  return true;
}

static bool read_variable(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out) {
  const ir_variable *variable = variable_of(run, node);
  if (variable == NULL)
    return false;
  if (variable->is_set)
    return ir_tensor_copy(ir_run_memory(run), &variable->value, out);
  return node->n_inputs > 0 ? ir_tensor_copy(ir_run_memory(run), in[0], out) : make_zeros(run, node, out);
}

/* Stores the value for the end of the execution: every ReadValue of this execution reads the old one. */
static bool assign_variable(irrun_run *run, const ir_node *node, const ir_tensor *in, ir_tensor *out) {
  ir_variable *variable = variable_of(run, node);
  if (variable == NULL || !ir_tensor_copy(ir_run_memory(run), in, &variable->next))
    return false;
  variable->is_assigned = true;
  return node->n_outputs == 0 || ir_tensor_copy(ir_run_memory(run), in, out);
}

bool ir_run_variable(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out) {
  return ir_op_is(node->op, IR_RUN_READS) ? read_variable(run, node, in, out) : assign_variable(run, node, in[0], out);
}

void ir_run_keep_variables(irrun_run *run) {
  for (size_t i = 0; i < run->n_variables; i++) {
    ir_variable *variable = &run->variables[i];
    if (!variable->is_assigned)
      continue;
    ir_tensor_release(&variable->value);
    variable->value = variable->next;
    variable->next = (ir_tensor){.data = NULL};
    variable->is_set = true;
    variable->is_assigned = false;
  }
}

void ir_run_free_variables(irrun_run *run) {
  for (size_t i = 0; i < run->n_variables; i++) {
    ir_tensor_release(&run->variables[i].value);
    ir_tensor_release(&run->variables[i].next);
  }
  ir_free(ir_run_memory(run), run->variables);
  run->variables = NULL;
  run->n_variables = run->variables_capacity = 0;
}
