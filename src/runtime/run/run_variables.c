/* The variables of ReadValue and Assign. */
#include "runtime/run/run_state.h"
#include <string.h>

static bool has_id(const void *key, int32_t value, const void *user) {
  const irrun_run *run = user;
  return strcmp(run->variables[value].id, key) == 0;
}

/* Lists the variables of ReadValues, or of Assigns that no ReadValue has. */
static void list_variables(irrun_run *run, bool of_readers) {
  for (size_t i = 0; i < run->model->graph.n_layers; i++) {
    const ir_node *node = &run->model->nodes[i];
    const char *id = ir_variable_of(node);
    if (id == NULL || ir_op_is(node->op, IR_RUN_READS) != of_readers)
      continue;
    run->variables[run->n_variables] = (ir_variable){.id = id};
    if (ir_index_map_add(&run->variables_by_id, ir_hash_text(id), id, (int32_t)run->n_variables, has_id, run) >= 0)
      continue;
    run->n_variables++;
    if (of_readers)
      run->readers[run->n_readers++] = (int32_t)i;
  }
}

bool ir_run_list_variables(irrun_run *run) {
  const irrun_model *model = run->model;
  ir_arena *arena = &run->view.arena;
  size_t n = 1; /* list_variables writes one behind the last */
  for (size_t i = 0; i < model->graph.n_layers; i++)
    n += ir_variable_of(&model->nodes[i]) != NULL;
  run->readers = ir_arena_array(arena, n, sizeof *run->readers);
  run->values_read = ir_arena_array(arena, n, sizeof *run->values_read);
  run->variables = ir_arena_array(arena, n, sizeof *run->variables);
  if (run->readers == NULL || run->values_read == NULL || run->variables == NULL ||
      (n > 1 && !ir_index_map_init(&run->variables_by_id, ir_run_memory(run), n)))
    return false;
  list_variables(run, true);
  list_variables(run, false);
  return true;
}

/* The number of the variable `id`; -1: no layer reads or assigns it. */
static int32_t number_of(const irrun_run *run, const char *id) {
  return run->n_variables == 0 ? -1 : ir_index_map_find(&run->variables_by_id, ir_hash_text(id), id, has_id, run);
}

ir_variable *ir_run_find_variable(const irrun_run *run, const char *id) {
  const int32_t number = number_of(run, id);
  return number < 0 ? NULL : &run->variables[number];
}

static ir_variable *variable_of(const irrun_run *run, const ir_node *node) {
  return &run->variables[number_of(run, ir_variable_of(node))];
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
  if (variable->is_set)
    return ir_tensor_copy(ir_run_memory(run), &variable->value, out);
  return node->n_inputs > 0 ? ir_tensor_copy(ir_run_memory(run), in[0], out) : make_zeros(run, node, out);
}

/* Stores the value for the end of the execution: every ReadValue of this execution reads the old one. */
static bool assign_variable(irrun_run *run, const ir_node *node, const ir_tensor *in, ir_tensor *out) {
  ir_variable *variable = variable_of(run, node);
  if (!ir_tensor_copy(ir_run_memory(run), in, &variable->next))
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

void ir_run_reset_variables(irrun_run *run) {
  for (size_t i = 0; i < run->n_variables; i++) {
    ir_variable *variable = &run->variables[i];
    ir_tensor_release(&variable->value);
    ir_tensor_release(&variable->next);
    *variable = (ir_variable){.id = variable->id};
  }
}
