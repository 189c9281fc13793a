/* If, Loop and TensorIterator. Their bodies are runs of their own, which keep their plans between iterations of equal
 * shapes. Specification pages: condition/if-8, infrastructure/loop-5 and tensor-iterator-1. */
#include "ops/bodies.h"
#include "ops/kernels/index_input.h"
#include "runtime/model/body_models.h"
#include "runtime/run/run_state.h"
#include <string.h>

/* The results of all iterations for one output, if it is concatenated. */
typedef struct part_list {
  ir_tensor whole; /* the output, into which parts of the same size are copied; no data: `parts` has them */
  ir_tensor *parts;
  size_t n, capacity;
} part_list;

/* A layer with bodies that is being run. */
typedef struct loop_run {
  irrun_run *run, *body_run;
  const ir_node *node;
  const ir_body *body;
  const ir_tensor *const *in;
  ir_tensor *out;
  size_t first_step; /* in run->steps: the steps of the body begin there */
  int64_t rounds;    /* iterations of a TensorIterator, upper bound of a Loop; negative: unlimited */
  ir_tensor *next;   /* one per Parameter: the value from its back edge */
  part_list *lists;  /* one per output */
} loop_run;

static const ir_line_params *params_of(const ir_body_link *link) {
  return link->line->params;
}

static ir_diags *diags_of(const irrun_run *run) {
  return &run->context->diags;
}

static const ir_memory *memory_of(const loop_run *l) {
  return ir_run_memory(l->run);
}

static ir_tensor borrowed(const ir_tensor *tensor) {
  ir_tensor same = *tensor;
  same.release = NULL;
  return same;
}

/* The run of a body, made on first use; it shares the context's threads, but has its own variables. NULL when memory is
 * out (reported). */
static irrun_run *body_run_of(irrun_run *run, const ir_node *node, int number) {
  irrun_run **body_run = &run->layers[node - run->nodes.nodes].bodies[number];
  if (*body_run == NULL)
    ir_run_create(ir_body_model(run->model, node, number), run->context, run, body_run);
  return *body_run;
}

void ir_run_reset_bodies(irrun_run *run) {
  for (size_t i = 0; i < run->model->graph.n_layers; i++)
    for (int b = 0; b < IR_MOST_BODIES; b++)
      if (run->layers[i].bodies[b] != NULL)
        irrun_run_reset_state(run->layers[i].bodies[b]);
}

void ir_run_free_bodies(irrun_run *run) {
  for (size_t i = 0; run->layers != NULL && i < run->model->graph.n_layers; i++)
    for (int b = 0; b < IR_MOST_BODIES; b++)
      irrun_run_free(run->layers[i].bodies[b]);
}

/* The tensor of the body's Result `number` after the last iteration. */
static const ir_tensor *result_of(const irrun_run *body_run, int32_t number) {
  const irrun_tensor *output = irrun_run_output(body_run, number);
  return output == NULL ? NULL : &output->tensor;
}

static bool is_true(const ir_tensor *tensor) {
  return ir_number_as_double(ir_tensor_get(tensor, 0)) != 0;
}

static ir_code report_round(const loop_run *l, int64_t round, const char *what) {
  const ir_scope scope = ir_run_scope(l->run);
  return ir_report_firm(scope.diags, IR322_SHAPES_DO_NOT_FIT, ir_node_where(&scope, l->node), "iteration %lld %s",
                        (long long)round, what);
}

/* Sets Parameter `p` of the body, and takes the tensor. The body was inferred for the type and shape that the Parameter
 * is known to get. */
static ir_code give(const loop_run *l, int64_t round, int32_t p, ir_tensor *tensor) {
  const irrun_model *model = l->body_run->model;
  const ir_value *value = &model->nodes[model->inputs[p]].outputs[0];
  if ((value->type != tensor->type && value->type != IR_DYNAMIC) || !ir_tensor_meets(tensor, &value->shape)) {
    ir_tensor_release(tensor);
    return report_round(l, round, "gives a Parameter of the body another type or shape than was inferred for it");
  }
  ir_run_give(l->body_run, p, tensor);
  return IR_OK;
}

/* ---- slices along an axis ---- */

/* Copies `n` elements along the axis. */
static void copy_part(const ir_tensor *from, int64_t from_at, ir_tensor *to, int64_t to_at, int axis, int64_t n) {
  const size_t element = ir_type_size(from->type);
  int64_t outer = 1, inner = (int64_t)element;
  for (int i = 0; i < axis; i++)
    outer *= from->dims[i];
  for (int i = axis + 1; i < from->rank; i++)
    inner *= from->dims[i];
  for (int64_t o = 0; o < outer && n * inner > 0; o++)
    memcpy((char *)to->data + (o * to->dims[axis] + to_at) * inner,
           (const char *)from->data + (o * from->dims[axis] + from_at) * inner, (size_t)(n * inner));
}

/* Finds where the slice of an iteration begins on an axis of `size`: forward or backward from `start`. False if the
 * axis has no such slice. */
static bool find_part(const ir_line_params *line, int64_t size, int64_t round, int64_t *out_begin) {
  const int64_t first = line->start < 0 ? line->start + size : line->start;
  int64_t before;
  if (line->part_size > size || !ir_mul(round, line->part_size, &before) || before > size)
    return false;
  if (line->stride < 0 ? first < before || first >= size : first < 0 || first > size - before)
    return false;
  *out_begin = line->stride < 0 ? first - before - line->part_size + 1 : first + before;
  return *out_begin >= 0 && *out_begin <= size - line->part_size;
}

static ir_code give_part(loop_run *l, const ir_body_link *link, int64_t round, ir_tensor *out) {
  const ir_tensor *from = l->in[link->port];
  const ir_line_params *line = params_of(link);
  const int axis = (int)line->axis;
  int64_t begin;
  ir_shape shape = ir_tensor_shape(from);
  if (line->axis >= from->rank || !find_part(line, from->dims[axis], round, &begin))
    return report_round(l, round, "needs a part that its input does not have");
  shape.dims[axis] = ir_dim_of(line->part_size);
  if (!ir_tensor_alloc(out, memory_of(l), from->type, &shape))
    return ir_out_of_memory(diags_of(l->run));
  copy_part(from, begin, out, 0, axis, line->part_size);
  return IR_OK;
}

/* ---- outputs that are concatenated ---- */

/* Whether no iteration can end the loop early. */
static bool is_sure(const loop_run *l) {
  const int32_t condition = l->body->condition;
  const ir_tensor *known = condition < 0 ? NULL : l->body->results[condition]->contents;
  return condition < 0 || (known != NULL && ir_tensor_elements(known) == 1 && is_true(known));
}

/* Whether both have the same type, and the same dims on all axes except `axis`. */
static bool can_join(const ir_tensor *a, const ir_tensor *b, int axis) {
  bool can = a->type == b->type && a->rank == b->rank;
  for (int i = 0; i < a->rank && can; i++)
    can = i == axis || a->dims[i] == b->dims[i];
  return can;
}

static ir_code append_part(const loop_run *l, part_list *list, const ir_tensor *part) {
  void *parts = list->parts;
  if (!ir_reserve(memory_of(l), &parts, list->n, &list->capacity, sizeof *list->parts))
    return ir_out_of_memory(diags_of(l->run));
  list->parts = parts;
  list->parts[list->n] = (ir_tensor){.data = NULL};
  if (!ir_tensor_copy(memory_of(l), part, &list->parts[list->n++]))
    return ir_out_of_memory(diags_of(l->run));
  return IR_OK;
}

/* Allocates the output for all iterations when the first part is there. Leaves it empty if the number of iterations is
 * not sure, or if the parts need not have the size that the port map says. */
static ir_code begin_whole(const loop_run *l, const ir_line_params *line, const ir_tensor *part, ir_tensor *whole) {
  ir_shape shape = ir_tensor_shape(part);
  int64_t size;
  if (!is_sure(l) || l->rounds < 0 || line->axis >= part->rank || part->dims[line->axis] != line->part_size ||
      !ir_mul(line->part_size, l->rounds, &size))
    return IR_OK;
  shape.dims[line->axis] = ir_dim_of(size);
  return ir_tensor_alloc(whole, memory_of(l), part->type, &shape) ? IR_OK : ir_out_of_memory(diags_of(l->run));
}

/* Returns where `n` parts from part `first` on begin on the axis. A negative stride reverses their order. */
static int64_t place_in_whole(const loop_run *l, const ir_line_params *line, int64_t first, int64_t n) {
  return line->part_size * (line->stride < 0 ? l->rounds - first - n : first);
}

/* Turns the first `n` parts of the whole into one part of the list, because the next part has another size. */
static ir_code split_whole(const loop_run *l, const ir_line_params *line, int64_t n, part_list *list) {
  ir_tensor whole = list->whole, part = {.data = NULL};
  ir_shape shape = ir_tensor_shape(&whole);
  shape.dims[line->axis] = ir_dim_of(n * line->part_size);
  list->whole = (ir_tensor){.data = NULL};
  ir_code code = IR_OK;
  if (ir_tensor_alloc(&part, memory_of(l), whole.type, &shape)) {
    copy_part(&whole, place_in_whole(l, line, 0, n), &part, 0, (int)line->axis, n * line->part_size);
    code = append_part(l, list, &part);
  } else {
    code = ir_out_of_memory(diags_of(l->run));
  }
  ir_tensor_release(&part);
  ir_tensor_release(&whole);
  return code;
}

static ir_code keep_part(const loop_run *l, int32_t number, int64_t round, const ir_tensor *result) {
  const ir_line_params *line = params_of(&l->body->outputs[number]);
  part_list *list = &l->lists[number];
  const int axis = (int)line->axis;
  ir_tensor part = borrowed(result);
  if (part.rank == 0) {
    part.rank = 1;
    part.dims[0] = 1;
  }
  ir_code code = round == 0 ? begin_whole(l, line, &part, &list->whole) : IR_OK;
  const bool has_whole = list->whole.data != NULL;
  if (code == IR_OK && round > 0 && !can_join(has_whole ? &list->whole : &list->parts[0], &part, axis))
    return report_round(l, round, "gives another shape than the first");
  if (code == IR_OK && has_whole && part.dims[axis] == line->part_size)
    copy_part(&part, 0, &list->whole, place_in_whole(l, line, round, 1), axis, line->part_size);
  else if (code == IR_OK && has_whole)
    code = split_whole(l, line, round, list);
  return code == IR_OK && list->whole.data == NULL ? append_part(l, list, &part) : code;
}

/* Concatenates the parts of all iterations, in reverse order if the stride is negative. */
static ir_code join_parts(loop_run *l, int32_t number) {
  const ir_body_link *link = &l->body->outputs[number];
  const ir_line_params *line = params_of(link);
  part_list *list = &l->lists[number];
  ir_tensor *out = &l->out[link->port];
  const int axis = (int)line->axis;
  int64_t size = 0, at = 0;
  ir_tensor_release(out);
  if (list->whole.data != NULL) {
    *out = list->whole;
    list->whole = (ir_tensor){.data = NULL};
    return IR_OK;
  }
  ir_shape shape = ir_tensor_shape(&list->parts[0]);
  if (line->axis >= shape.rank)
    return report_round(l, 0, "gives a part without the axis that parts are put together along");
  for (size_t i = 0; i < list->n; i++) {
    if (!ir_add(size, list->parts[i].dims[axis], &size))
      return ir_out_of_memory(diags_of(l->run));
  }
  shape.dims[axis] = ir_dim_of(size);
  if (!ir_tensor_alloc(out, memory_of(l), list->parts[0].type, &shape))
    return ir_out_of_memory(diags_of(l->run));
  for (size_t i = 0; i < list->n && out->bytes > 0; i++) {
    const ir_tensor *part = &list->parts[line->stride < 0 ? list->n - 1 - i : i];
    copy_part(part, 0, out, at, axis, part->dims[axis]);
    at += part->dims[axis];
  }
  return IR_OK;
}

/* ---- one iteration ---- */

/* Passes the iteration number to a Parameter that no input feeds. */
static ir_code give_number(const loop_run *l, int32_t p, int64_t round, ir_tensor *out) {
  const irrun_model *model = l->body_run->model;
  const ir_value *value = &model->nodes[model->inputs[p]].outputs[0];
  const ir_shape one = ir_shape_of(1, &(int64_t){1}), *shape = ir_shape_known(&value->shape) ? &value->shape : &one;
  int64_t elements;
  if (!ir_type_in(value->type, IR_SET(IR_I32) | IR_SET(IR_I64)) || !ir_shape_elements(shape, &elements) ||
      elements != 1)
    return report_round(l, round, "has its number in a Parameter that is not one integer of 32 or 64 bits");
  if (!ir_tensor_alloc(out, memory_of(l), value->type, shape))
    return ir_out_of_memory(diags_of(l->run));
  ir_index_store(&round, 1, out, 0);
  return IR_OK;
}

/* Sets the body's inputs for the iteration. */
static ir_code give_inputs(loop_run *l, int64_t round) {
  const ir_body *body = l->body;
  ir_code code = IR_OK;
  for (int32_t i = 0; i < body->n_inputs && code == IR_OK; i++) {
    const ir_body_link *link = &body->inputs[i];
    ir_tensor given = borrowed(l->in[link->port]);
    if (l->next[link->inner].data != NULL || (round > 0 && body->params[link->inner].next < 0 && !link->is_sliced))
      continue; /* a back edge sets it, or it is set already */
    if (link->is_sliced)
      code = give_part(l, link, round, &given);
    if (code == IR_OK)
      code = give(l, round, link->inner, &given);
  }
  for (int32_t p = 0; p < body->n_params && code == IR_OK; p++) {
    ir_tensor given;
    if (l->next[p].data != NULL) {
      given = l->next[p];
      l->next[p] = (ir_tensor){.data = NULL};
      code = give(l, round, p, &given);
    } else if (!body->params[p].is_given && body->params[p].next < 0) {
      code = give_number(l, p, round, &given);
      if (code == IR_OK)
        code = give(l, round, p, &given);
    }
  }
  return code;
}

/* Takes the body's results. */
static ir_code take_results(loop_run *l, int64_t round) {
  const ir_body *body = l->body;
  ir_code code = IR_OK;
  for (int32_t p = 0; p < body->n_params && code == IR_OK; p++)
    if (body->params[p].next >= 0 &&
        !ir_tensor_copy(memory_of(l), result_of(l->body_run, body->params[p].next), &l->next[p]))
      code = ir_out_of_memory(diags_of(l->run));
  for (int32_t i = 0; i < body->n_outputs && code == IR_OK; i++)
    if (body->outputs[i].is_sliced)
      code = keep_part(l, i, round, result_of(l->body_run, body->outputs[i].inner));
  return code;
}

/* Copies the outputs that have the results of the last execution of the body. */
static ir_code take_last_results(loop_run *l) {
  ir_code code = IR_OK;
  for (int32_t i = 0; i < l->body->n_outputs && code == IR_OK; i++) {
    const ir_body_link *link = &l->body->outputs[i];
    if (!link->is_sliced && !ir_tensor_copy(memory_of(l), result_of(l->body_run, link->inner), &l->out[link->port]))
      code = ir_out_of_memory(diags_of(l->run));
  }
  return code;
}

/* Whether there is another iteration. */
static ir_code read_condition(const loop_run *l, int64_t round, bool *out) {
  const int32_t condition = l->body->condition;
  const ir_tensor *result = condition < 0 ? NULL : result_of(l->body_run, condition);
  *out = true;
  if (result == NULL)
    return IR_OK;
  if (ir_tensor_elements(result) != 1)
    return report_round(l, round, "gives a condition that is not one element");
  *out = is_true(result);
  return IR_OK;
}

/* ---- all iterations ---- */

static int64_t scalar_of(const ir_tensor *tensor) {
  int64_t number;
  ir_index_load(tensor, 0, 1, &number);
  return number;
}

/* Sets the outputs after zero iterations: the initial values, empty concatenations, and zeros of the least sizes. */
static ir_code give_nothing(loop_run *l) {
  const ir_tensor **initial = ir_alloc_zero(memory_of(l), (size_t)l->body->n_results + 1, sizeof *initial);
  bool made = initial != NULL;
  for (int32_t p = 0; p < l->body->n_params && made; p++)
    if (l->body->params[p].next >= 0 && l->body->params[p].port >= 0)
      initial[l->body->params[p].next] = l->in[l->body->params[p].port];
  for (int32_t i = 0; i < l->body->n_outputs && made; i++) {
    const ir_body_link *link = &l->body->outputs[i];
    const ir_tensor *in = initial[link->inner];
    if (!link->is_sliced && in != NULL) {
      made = ir_tensor_copy(memory_of(l), in, &l->out[link->port]);
      continue;
    }
    const ir_value *result = l->body->results[link->inner];
    ir_shape shape = result->shape;
    if (shape.rank <= 0)
      shape = ir_shape_of(1, &(int64_t){0});
    for (int a = 0; a < shape.rank; a++)
      shape.dims[a] = ir_dim_of(link->is_sliced && a == params_of(link)->axis ? 0 : shape.dims[a].lo);
    made = ir_tensor_alloc(&l->out[link->port], memory_of(l), result->type, &shape);
    if (made && l->out[link->port].bytes > 0)
      memset(l->out[link->port].data, 0, l->out[link->port].bytes);
  }
  ir_free(memory_of(l), initial);
  return made ? IR_OK : ir_out_of_memory(diags_of(l->run));
}

/* Executes the body, and records its steps if the run is profiled. */
static ir_code execute_body(const loop_run *l, int64_t round) {
  const ir_code code = ir_run_execute(l->body_run);
  return code == IR_OK && l->run->timed ? ir_run_add_body_steps(l->run, l->first_step, l->body_run, round) : code;
}

/* Executes the body, and reports a stop even if the body has no step that checks for one. */
static ir_code execute_round(const loop_run *l, int64_t round) {
  const ir_scope scope = ir_run_scope(l->run);
  ir_code code = execute_body(l, round);
  if (!ir_stop_asked_of(l->run->stop, 0))
    return code;
  if (code == IR_OK)
    code = ir_run_report_stopped(l->run, l->node->layer, l->node->op->type, "");
  ir_note(scope.diags, ir_node_where(&scope, l->node), "that was in iteration %lld of its body", (long long)round);
  return code;
}

static ir_code report_rounds(const loop_run *l) {
  const ir_scope scope = ir_run_scope(l->run);
  return ir_report(scope.diags, IR004_LIMIT_EXCEEDED, ir_node_where(&scope, l->node),
                   "its body runs more than %lld times, which is as often as irrun runs one", (long long)IR_MAX_ROUNDS);
}

static ir_code run_rounds(loop_run *l) {
  ir_code code = is_sure(l) && (l->rounds < 0 || l->rounds > IR_MAX_ROUNDS) ? report_rounds(l) : IR_OK;
  int64_t round = 0;
  const ir_where where = l->run->account->where;
  for (bool more = true; code == IR_OK && more && (l->rounds < 0 || round < l->rounds); round++) {
    code = round < IR_MAX_ROUNDS ? give_inputs(l, round) : report_rounds(l);
    if (code == IR_OK)
      code = execute_round(l, round);
    l->run->account->where = where;
    if (code == IR_OK)
      code = read_condition(l, round, &more);
    if (code == IR_OK)
      code = take_results(l, round);
  }
  if (code == IR_OK && round == 0)
    return give_nothing(l);
  if (code == IR_OK)
    code = take_last_results(l);
  for (int32_t i = 0; i < l->body->n_outputs && code == IR_OK; i++)
    if (l->body->outputs[i].is_sliced)
      code = join_parts(l, i);
  return code;
}

/* The number of iterations by the sliced inputs, or else by the outputs; or 1. */
static int64_t sliced_rounds(const loop_run *l) {
  const ir_body *body = l->body;
  int64_t rounds = 1;
  for (int32_t i = 0; i < body->n_inputs; i++) {
    const ir_line_params *line = params_of(&body->inputs[i]);
    const ir_tensor *from = l->in[body->inputs[i].port];
    if (body->inputs[i].is_sliced && line->axis < from->rank)
      return ir_body_rounds(line, ir_dim_of(from->dims[line->axis])).lo;
  }
  for (int32_t i = 0; i < body->n_outputs; i++)
    if (body->outputs[i].is_sliced && ir_body_output_rounds(params_of(&body->outputs[i]), &rounds))
      return rounds;
  return rounds;
}

static void free_rounds(loop_run *l) {
  const ir_memory *memory = memory_of(l);
  for (int32_t p = 0; l->next != NULL && p < l->body->n_params; p++)
    ir_tensor_release(&l->next[p]);
  for (int32_t i = 0; l->lists != NULL && i < l->body->n_outputs; i++) {
    for (size_t n = 0; n < l->lists[i].n; n++)
      ir_tensor_release(&l->lists[i].parts[n]);
    ir_free(memory, l->lists[i].parts);
    ir_tensor_release(&l->lists[i].whole);
  }
  ir_free(memory, l->next);
  ir_free(memory, l->lists);
}

static ir_code run_loop(loop_run *l) {
  const bool is_loop = l->body->condition >= 0;
  l->rounds = is_loop ? scalar_of(l->in[0]) : sliced_rounds(l);
  if (is_loop && !is_true(l->in[1]))
    l->rounds = 0;
  const ir_memory *memory = memory_of(l);
  l->next = ir_alloc_zero(memory, (size_t)l->body->n_params + 1, sizeof *l->next);
  l->lists = ir_alloc_zero(memory, (size_t)l->body->n_outputs + 1, sizeof *l->lists);
  const ir_code code = l->next == NULL || l->lists == NULL ? ir_out_of_memory(diags_of(l->run)) : run_rounds(l);
  free_rounds(l);
  return code;
}

static ir_code run_if(loop_run *l) {
  ir_code code = IR_OK;
  for (int32_t i = 0; i < l->body->n_inputs && code == IR_OK; i++) {
    ir_tensor given = borrowed(l->in[l->body->inputs[i].port]);
    code = give(l, 0, l->body->inputs[i].inner, &given);
  }
  if (code == IR_OK)
    code = execute_body(l, 0);
  return code == IR_OK ? take_last_results(l) : code;
}

/* Unsets the inputs that were borrowed for the iterations. */
static void forget_inputs(irrun_run *body_run) {
  for (int32_t i = 0; i < body_run->model->n_inputs; i++)
    ir_run_take_away(body_run, i);
}

ir_code ir_run_bodies(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out) {
  const bool is_if = node->op->run.bodies->n_bodies > 1;
  const int number = is_if && !is_true(in[0]) ? 1 : 0;
  loop_run l = {
      .run = run, .node = node, .body = &node->bodies[number], .in = in, .out = out, .first_step = run->n_steps};
  l.body_run = body_run_of(run, node, number);
  if (l.body_run == NULL)
    return IR_NO_MEMORY;
  l.body_run->timed = run->timed;
  if (is_if) /* the layer's own step was noted last */
    run->steps[l.first_step - 1].step.kernel = number == 0 ? "If_then" : "If_else";
  const ir_code code = is_if ? run_if(&l) : run_loop(&l);
  forget_inputs(l.body_run);
  return code;
}
