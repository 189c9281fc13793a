#include "program/program.h"
#include <stdio.h>
#include <string.h>

ir_scope ir_program_scope(const ir_program *program) {
  return (ir_scope){.graph = program->request->graph,
                    .diags = program->diags,
                    .arena = program->arena,
                    .memory = &program->request->account->memory,
                    .running = true};
}

/* ---- building ---- */

/* Makes room for one more element: doubles the array. The old array stays in the program's arena. */
static bool reserve(ir_program *program, void **array, size_t n, size_t *capacity, size_t size) {
  if (n < *capacity)
    return true;
  const size_t more = *capacity == 0 ? 8 : 2 * *capacity;
  void *grown = ir_arena_array(program->arena, more, size);
  if (grown == NULL || n >= INT32_MAX) {
    ir_out_of_memory(program->diags);
    return false;
  }
  if (n > 0)
    memcpy(grown, *array, n * size);
  *array = grown;
  *capacity = more;
  return true;
}

int32_t ir_program_add_value(ir_program *program, const ir_program_value *value) {
  void *values = program->values;
  if (!reserve(program, &values, program->n_values, &program->values_capacity, sizeof *program->values))
    return -1;
  program->values = values;
  program->values[program->n_values] = *value;
  return (int32_t)program->n_values++;
}

static void link_before(ir_program *program, int32_t before, int32_t added) {
  ir_operation *operation = &program->operations[added];
  operation->next = before;
  if (before >= 0 && program->first != before) {
    int32_t at = program->first;
    while (program->operations[at].next != before)
      at = program->operations[at].next;
    program->operations[at].next = added;
  } else if (before < 0 && program->last >= 0) {
    program->operations[program->last].next = added;
  } else {
    program->first = added;
  }
  if (before < 0)
    program->last = added;
}

bool ir_program_is_foldable(const ir_program *program, const ir_operation *operation) {
  bool all = ir_op_folds(operation->node.op);
  for (int32_t i = 0; i < operation->n_in && all; i++)
    all = ir_program_value_of(program, operation->in[i])->is_constant;
  return all;
}

bool ir_program_makes_constants(const ir_program *program, const ir_operation *operation) {
  bool all = operation->n_out > 0;
  for (int32_t p = 0; p < operation->n_out && all; p++)
    all = operation->out[p] < 0 || ir_program_value_of(program, operation->out[p])->is_constant;
  return all;
}

void ir_program_mark_outputs(ir_program *program, const ir_operation *operation) {
  const bool is_constant = program->folds && ir_program_is_foldable(program, operation);
  bool is_local = false;
  for (int32_t i = 0; i < operation->n_in; i++)
    is_local = is_local || program->values[operation->in[i]].is_local;
  for (int32_t p = 0; p < operation->n_out; p++)
    if (operation->out[p] >= 0) {
      program->values[operation->out[p]].value.is_constant = is_constant;
      program->values[operation->out[p]].is_local = is_constant && is_local;
    }
}

int32_t ir_program_add(ir_program *program, int32_t before, const ir_op *op, const void *params, const ir_node *of,
                       int32_t layer, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out) {
  void *operations = program->operations;
  int32_t *ports = ir_arena_array(program->arena, (size_t)n_in + (size_t)n_out + 1, sizeof *ports);
  ir_value *outputs = ir_arena_array(program->arena, (size_t)n_out + 1, sizeof *outputs);
  if (ports == NULL || outputs == NULL)
    ir_out_of_memory(program->diags);
  if (ports == NULL || outputs == NULL ||
      !reserve(program, &operations, program->n_operations, &program->operations_capacity, sizeof *program->operations))
    return -1;
  program->operations = operations;
  const int32_t added = (int32_t)program->n_operations++;
  ir_operation *operation = &program->operations[added];
  *operation =
      (ir_operation){.node = *of, .in = ports, .out = ports + n_in, .n_in = n_in, .n_out = n_out, .layer = layer};
  operation->node.op = op;
  operation->node.params = (void *)(uintptr_t)params;
  for (int32_t p = 0; p < n_out; p++) {
    outputs[p] = p < of->n_outputs ? of->outputs[p] : (ir_value){.type = IR_DYNAMIC};
    outputs[p].contents = NULL;
    outputs[p].ranges = NULL;
  }
  operation->node.outputs = outputs;
  operation->node.n_inputs = n_in;
  operation->node.n_outputs = n_out;
  if (n_in > 0)
    memcpy(operation->in, in, (size_t)n_in * sizeof *in);
  if (n_out > 0)
    memcpy(operation->out, out, (size_t)n_out * sizeof *out);
  for (int32_t p = 0; p < n_out; p++)
    if (out[p] >= 0)
      program->values[out[p]].producer = added;
  ir_program_mark_outputs(program, operation);
  link_before(program, before, added);
  return added;
}

int32_t ir_program_convert(ir_program *program, int32_t before, const ir_op *op, int32_t from, const ir_value *value) {
  const ir_program_value source = program->values[from];
  ir_program_value made = {.value = *value,
                           .producer = -1,
                           .layer = source.layer,
                           .port = source.port,
                           .node = source.node,
                           .key = source.key};
  made.value.contents = NULL; /* they are those of the source: of another type, or another shape */
  made.key.type = value->type;
  made.key.layout = value->layout;
  const int32_t to = ir_program_add_value(program, &made);
  return to < 0 || ir_program_add(program, before, op, NULL, source.node, source.layer, &from, 1, &to, 1) < 0 ? -1 : to;
}

void ir_program_replace(ir_program *program, int32_t from, int32_t to, int32_t but) {
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next)
    for (int32_t i = 0; i < program->operations[at].n_in && at != but; i++)
      if (program->operations[at].in[i] == from)
        program->operations[at].in[i] = to;
}

void ir_program_gather(const ir_program *program, ir_operation *operation, const ir_value **in) {
  for (int32_t i = 0; i < operation->n_in; i++)
    in[i] = &program->values[operation->in[i]].value;
  for (int32_t p = 0; p < operation->n_out; p++)
    if (operation->out[p] >= 0)
      operation->node.outputs[p] = program->values[operation->out[p]].value;
}

const ir_value **ir_program_room(const ir_program *program) {
  int32_t most = 0;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next)
    most = program->operations[at].n_in > most ? program->operations[at].n_in : most;
  const ir_value **in = ir_arena_array(program->arena, (size_t)most + 1, sizeof *in);
  if (in == NULL)
    ir_out_of_memory(program->diags);
  return in;
}

int32_t ir_count_moved(const ir_operation *operation) {
  const ir_port_spec *port = ir_op_input(operation->node.op, operation->n_in - 1);
  return port != NULL && port->variadic ? operation->n_in : 1;
}

void ir_program_lay_last(ir_program *program, int32_t value) {
  program->values[value].value.layout = IR_LAYOUT_CHANNELS_LAST;
  program->values[value].key.layout = IR_LAYOUT_CHANNELS_LAST;
}

/* ---- uses ---- */

bool ir_program_find_uses(ir_program *program) {
  size_t n = 0;
  for (size_t i = 0; i < program->n_values; i++)
    program->values[i].n_uses = 0;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next)
    for (int32_t i = 0; i < program->operations[at].n_in && !program->operations[at].is_dead; i++, n++)
      program->values[program->operations[at].in[i]].n_uses++;
  program->uses = ir_arena_array(program->arena, n + 1, sizeof *program->uses);
  if (program->uses == NULL) {
    ir_out_of_memory(program->diags);
    return false;
  }
  int32_t first = 0;
  for (size_t i = 0; i < program->n_values; i++) {
    program->values[i].first_use = first;
    first += program->values[i].n_uses;
    program->values[i].n_uses = 0;
  }
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next)
    for (int32_t i = 0; i < program->operations[at].n_in && !program->operations[at].is_dead; i++) {
      ir_program_value *value = &program->values[program->operations[at].in[i]];
      program->uses[value->first_use + value->n_uses++] = (ir_use){at, i};
    }
  return true;
}

/* Walks from the last operation to the first. An operation is dead if its outputs are not kept and all their readers
 * are dead; the inputs of a dead operation lose a use. */
bool ir_program_prune(ir_program *program) {
  int32_t *order = ir_arena_array(program->arena, program->n_operations + 1, sizeof *order);
  size_t n = 0;
  if (order == NULL) {
    ir_out_of_memory(program->diags);
    return false;
  }
  if (!ir_program_find_uses(program))
    return false;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next)
    order[n++] = at;
  while (n-- > 0) {
    ir_operation *operation = &program->operations[order[n]];
    bool is_read = false;
    for (int32_t p = 0; p < operation->n_out; p++)
      is_read = is_read || (operation->out[p] >= 0 && (program->values[operation->out[p]].n_uses > 0 ||
                                                       program->values[operation->out[p]].is_kept));
    if (is_read || operation->is_dead)
      continue;
    operation->is_dead = true;
    for (int32_t i = 0; i < operation->n_in; i++)
      program->values[operation->in[i]].n_uses--;
  }
  int32_t *link = &program->first;
  program->last = -1;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    if (program->operations[at].is_dead)
      continue;
    *link = at;
    link = &program->operations[at].next;
    program->last = at;
  }
  *link = -1;
  return ir_program_find_uses(program);
}

/* ---- checking ---- */

static bool is_there(const ir_program *program, const bool *made, int32_t value) {
  const ir_program_value *v = &program->values[value];
  return v->is_given || made[value] || (v->producer < 0 && v->value.is_constant);
}

static const char *find_problem(const ir_program *program, const ir_operation *operation, int32_t at, bool *made) {
  for (int32_t i = 0; i < operation->n_in; i++) {
    if (operation->in[i] < 0 || (size_t)operation->in[i] >= program->n_values)
      return "reads a value that is not the program's";
    if (!is_there(program, made, operation->in[i]))
      return "reads a value before it is made";
  }
  for (int32_t p = 0; p < operation->n_out; p++) {
    if (operation->out[p] < 0)
      continue;
    const ir_program_value *value = &program->values[operation->out[p]];
    if (value->producer != at)
      return "makes a value that names another producer";
    if (made[operation->out[p]] || value->is_given)
      return "makes a value that is there";
    if (!ir_shape_known(&value->value.shape) || value->value.type == IR_DYNAMIC)
      return "makes a value without a type or shape";
    if (value->value.is_constant && !ir_program_is_foldable(program, operation))
      return "makes a constant of what is none";
    made[operation->out[p]] = true;
  }
  return !ir_op_is(operation->node.op, IR_RUN_PREPARED) ? "has no op that is run" : NULL;
}

bool ir_program_check(const ir_program *program, char *problem, size_t size) {
  const ir_memory *memory = program->arena->memory;
  bool *made = ir_alloc_zero(memory, program->n_values + 1, sizeof *made);
  const char *found = NULL;
  if (made == NULL)
    return true; /* the next allocation reports it */
  for (int32_t at = program->first; at >= 0 && found == NULL; at = program->operations[at].next) {
    const ir_operation *operation = &program->operations[at];
    found = operation->is_dead ? NULL : find_problem(program, operation, at, made);
    if (found != NULL)
      snprintf(problem, size, "operation %d (%s of layer '%s') %s", (int)at, operation->node.op->type,
               operation->node.layer->name, found);
  }
  for (size_t i = 0; i < program->n_values && found == NULL; i++)
    if (program->values[i].is_kept && !is_there(program, made, (int32_t)i)) {
      found = "is kept and never made";
      snprintf(problem, size, "value %zu %s", i, found);
    }
  ir_free(memory, made);
  return found == NULL;
}
