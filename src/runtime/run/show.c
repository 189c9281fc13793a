/* irrun_run_show: a plan or a program as rows, without executing anything. */
#include "program/fast_contraction.h"
#include "program/passes.h"
#include "runtime/model/names.h"
#include "runtime/run/run_state.h"
#include <stdio.h>
#include <string.h>

/* ---- inputs ---- */

static bool is_pass(const char *name) {
  bool found = strcmp(name, "lower") == 0;
  for (int i = 0; ir_passes[i].name != NULL; i++)
    found = found || strcmp(ir_passes[i].name, name) == 0;
  return found;
}

/* An example for a hint: a shape that the input accepts, such as "1,3,224,1". If the rank is unknown, the shape of an
 * image. */
static const char *example(const ir_value *value, char *buffer, size_t size) {
  const bool has_type = value->type != IR_DYNAMIC;
  size_t used = (size_t)snprintf(buffer, size, "%s%s", has_type ? "" : "f32[",
                                 value->shape.rank == IR_RANK_UNKNOWN ? "1,3,224,224" : "");
  for (int i = 0; i < value->shape.rank && used < size; i++) {
    const ir_dim dim = value->shape.dims[i];
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld", i > 0 ? "," : "",
                             (long long)(dim.lo > 0 || dim.hi == 0 ? dim.lo : 1));
  }
  if (used < size)
    snprintf(buffer + used, size - used, "%s", has_type ? "" : "]");
  return buffer;
}

static ir_code check_inputs_known(irrun_run *run) {
  irrun_model *model = run->model;
  ir_diags *diags = &run->context->diags;
  ir_code worst = IR_OK;
  for (int32_t i = 0; i < model->n_inputs; i++) {
    const ir_node *node = &model->nodes[model->inputs[i]];
    const ir_value *value = &node->outputs[0];
    const bool is_known = ir_shape_known(&value->shape), has_type = value->type != IR_DYNAMIC;
    if (run->inputs[i].is_set || !irrun_run_needs(run, i) || (is_known && has_type))
      continue;
    const ir_where where = ir_layer_where(&model->graph, node->layer, node->layer->at);
    const char *name = ir_name_shown(model, IRRUN_INPUTS, i);
    char shape[IR_SHAPE_TEXT];
    const ir_code code = is_known ? ir_report(diags, IR210_NOT_RUNNABLE_HERE, where,
                                              "the element type of input '%s' is open, and a plan needs it", name)
                                  : ir_report(diags, IR309_SHAPE_UNKNOWN, where,
                                              "the shape %s of input '%s' is open, and a plan needs it",
                                              ir_shape_text(&value->shape, shape, sizeof shape), name);
    ir_hint(diags, "name one: --shape '%s=%s', or give a tensor: --input '%s=FILE'", name,
            example(value, shape, sizeof shape), name);
    worst = ir_code_worse(worst, code);
  }
  return worst;
}

/* ---- rows ---- */

static bool makes_view(const ir_compiled *of, const ir_operation *operation) {
  return operation->n_out > 0 && operation->out[0] >= 0 && of->plan.slots[operation->out[0]].view_of >= 0;
}

/* The kernel's reason, else the reason of the pass that made the operation. */
static const char *explain(const ir_shown *shown, const ir_shown_row *row) {
  const ir_program *program = &shown->of->program;
  const ir_operation *operation = &program->operations[row->operation];
  const ir_kernel *kernel = row->step >= 0 ? shown->of->plan.steps[row->step].kernel : NULL;
  if (kernel == NULL && ir_program_makes_constants(program, operation))
    return "computed once for the model: it depends on constants alone";
  if (kernel == NULL && makes_view(shown->of, operation))
    return "no step: its output shows the elements of its input in another shape";
  if (kernel == NULL)
    return "no step: nothing has to be computed";
  if (kernel->why != NULL)
    return kernel->why;
  return operation->why != NULL
             ? operation->why
             : "irrun's own kernel for these types; oneDNN computes only convolutions and matrix products";
}

static ir_code make_rows(irrun_run *run) {
  ir_shown *shown = &run->shown;
  const ir_program *program = &shown->of->program;
  const ir_plan *plan = &shown->of->plan;
  const bool is_plan = shown->of != &shown->own;
  size_t step = 0;
  shown->rows = ir_arena_array(&shown->arena, program->n_operations + plan->n_steps + 1, sizeof *shown->rows);
  if (shown->rows == NULL)
    return ir_out_of_memory(&run->context->diags);
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    const size_t first = shown->n_rows;
    for (; is_plan && step < plan->n_steps && plan->steps[step].operation == at; step++)
      shown->rows[shown->n_rows++] = (ir_shown_row){.operation = at, .step = (int32_t)step};
    if (shown->n_rows == first)
      shown->rows[shown->n_rows++] = (ir_shown_row){.operation = at, .step = -1};
    for (size_t i = first; i < shown->n_rows; i++)
      shown->rows[i].why = is_plan ? explain(shown, &shown->rows[i]) : program->operations[at].why;
  }
  return IR_OK;
}

static ir_code show(irrun_run *run, const char *after) {
  ir_shown *shown = &run->shown;
  ir_kept_plan *plan = run->last != NULL ? run->last : shown->stage;
  if (after == NULL) {
    shown->of = &plan->compiled;
    return make_rows(run);
  }
  ir_program_request request = ir_run_request(run, plan, false);
  request.arena = &shown->arena;
  const ir_code code = ir_compile_program(&request, after, &shown->own);
  shown->of = &shown->own;
  return code == IR_OK ? make_rows(run) : code;
}

irrun_status irrun_run_show(irrun_run *run, const char *after) {
  ir_run_forget_shown(run);
  if (after != NULL && !is_pass(after))
    return (irrun_status)ir_report(&run->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                                   "there is no pass '%s' after which a program could be shown", after);
  const ir_code known = check_inputs_known(run);
  if (known != IR_OK)
    return ir_status(known);
  run->shown.is_asked = true;
  irrun_status status = irrun_run_plan(run);
  run->shown.is_asked = false;
  if (status == IRRUN_OK)
    status = ir_status(show(run, after));
  if (status != IRRUN_OK)
    ir_run_forget_shown(run);
  return status;
}

/* ---- reading the shown plan ---- */

int64_t irrun_run_get_awaited(const irrun_run *run, int64_t index) {
  const ir_layer_list *lists[] = {&run->nodes.alone, &run->nodes.later};
  for (int i = 0; i < 2 && index >= 0 && run->shown.stage != NULL; i++) {
    if ((size_t)index < lists[i]->n)
      return lists[i]->layers[index];
    index -= (int64_t)lists[i]->n;
  }
  return -1;
}

bool irrun_run_get_plan_info(const irrun_run *run, irrun_plan_info *out) {
  const ir_compiled *of = run->shown.of;
  if (of == NULL)
    return false;
  const irrun_plan_info info = {.n_rows = (int64_t)run->shown.n_rows,
                                .n_steps = (int64_t)of->plan.n_steps,
                                .block_bytes = (int64_t)of->plan.block_bytes,
                                .scratch_bytes = (int64_t)of->plan.scratch_bytes,
                                .n_awaited =
                                    run->shown.stage == NULL ? 0 : (int64_t)(run->nodes.alone.n + run->nodes.later.n),
                                .needs_contents = run->shown.stage != NULL && run->nodes.alone.n == 0,
                                .why_plain = of->program.why_plain};
  return ir_give_struct(&run->context->diags, &info, sizeof info, out) == IR_OK;
}

/* The row with that number; NULL if there is none. */
static const ir_shown_row *row_of(const irrun_run *run, int64_t index) {
  return run->shown.of != NULL && index >= 0 && (size_t)index < run->shown.n_rows ? &run->shown.rows[index] : NULL;
}

bool irrun_run_get_plan_row(const irrun_run *run, int64_t index, irrun_plan_row *out) {
  const ir_shown_row *shown = row_of(run, index);
  if (shown == NULL)
    return false;
  const ir_compiled *of = run->shown.of;
  const ir_operation *operation = &of->program.operations[shown->operation];
  irrun_plan_row row = {.layer = operation->layer,
                        .op = operation->node.op->type,
                        .step = shown->step,
                        .why = shown->why,
                        .fused = operation->fused,
                        .is_constant = shown->step < 0 && ir_program_makes_constants(&of->program, operation),
                        .n_inputs = operation->n_in,
                        .n_outputs = operation->n_out};
  if (shown->step >= 0) {
    const ir_step *step = &of->plan.steps[shown->step];
    const irrun_step facts = ir_run_step(&of->plan, (size_t)shown->step);
    row.kernel = facts.kernel;
    row.isa = facts.isa;
    row.n_inputs = step->n_in;
    row.n_outputs = step->n_out;
    row.moved_bytes = facts.read_bytes + facts.written_bytes;
  }
  return ir_give_struct(&run->context->diags, &row, sizeof row, out) == IR_OK;
}

/* A slot without a value is a tensor between steps of one operation: only the operation knows its layout. */
static irrun_plan_tensor tensor_of(const irrun_run *run, int32_t number) {
  const ir_program *program = &run->shown.of->program;
  const ir_plan *plan = &run->shown.of->plan;
  irrun_plan_tensor tensor = {.number = number, .layer = -1, .offset = -1, .first_step = -1, .last_step = -1};
  ir_shape shape;
  size_t bytes;
  if ((size_t)number < program->n_values) {
    const ir_program_value *value = &program->values[number];
    tensor.layer = value->layer;
    tensor.port = value->port;
    tensor.type = (irrun_element_type)value->value.type;
    shape = value->value.shape;
    tensor.has_channels_last = value->value.layout == IR_LAYOUT_CHANNELS_LAST && !ir_lies_alike(&shape);
    tensor.is_constant = value->value.is_constant;
    tensor.is_input = value->is_given;
    tensor.is_output = value->is_kept;
  } else {
    tensor.type = (irrun_element_type)plan->slots[number].type;
    shape = plan->slots[number].shape;
    tensor.is_constant = plan->slots[number].is_constant;
  }
  tensor.shape.rank = shape.rank;
  for (int axis = 0; axis < shape.rank; axis++)
    tensor.shape.dims[axis].lo = tensor.shape.dims[axis].hi = shape.dims[axis].lo;
  tensor.bytes = ir_tensor_bytes((ir_type)tensor.type, &shape, &bytes) ? (int64_t)bytes : -1;
  if ((size_t)number < plan->n_slots) {
    const ir_slot *owner = ir_plan_owner(plan, number);
    tensor.is_view = plan->slots[number].view_of >= 0;
    if (owner->is_made && !owner->is_placed) {
      tensor.offset = (int64_t)owner->offset;
      tensor.first_step = (int64_t)owner->first;
      tensor.last_step = (int64_t)(owner->last < plan->n_steps ? owner->last : plan->n_steps - 1);
    }
  }
  return tensor;
}

bool irrun_run_get_plan_tensor(const irrun_run *run, int64_t row, bool output, int port, irrun_plan_tensor *out) {
  const ir_shown_row *shown = row_of(run, row);
  if (shown == NULL || port < 0)
    return false;
  const ir_operation *operation = &run->shown.of->program.operations[shown->operation];
  const int32_t *numbers = output ? operation->out : operation->in;
  int32_t n = output ? operation->n_out : operation->n_in;
  if (shown->step >= 0) {
    const ir_step *step = &run->shown.of->plan.steps[shown->step];
    numbers = output ? step->out : step->in;
    n = output ? step->n_out : step->n_in;
  }
  if (port >= n)
    return false;
  const irrun_plan_tensor tensor =
      numbers[port] >= 0
          ? tensor_of(run, numbers[port])
          : (irrun_plan_tensor){.number = -1, .layer = -1, .offset = -1, .first_step = -1, .last_step = -1};
  return ir_give_struct(&run->context->diags, &tensor, sizeof tensor, out) == IR_OK;
}
