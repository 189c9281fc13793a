#include "runtime/model/work.h"
#include "ops/bodies.h"
#include "runtime/model/node_values.h"

/* A tensor that a layer computes, or a view of another one. */
typedef struct tensor {
  int64_t bytes; /* 0: a view, or memory that is no longer needed; -1: unknown */
  size_t shown;  /* a view has here the index of the tensor whose elements it shows; another tensor has its own index */
  size_t last;   /* place in the running order of the last layer that reads the elements */
} tensor;

typedef struct work {
  const irrun_model *model;
  size_t *first;       /* one per layer: the index in `tensors` of its output 0 */
  tensor *tensors;     /* one per output */
  const ir_value **in; /* the inputs of a layer */
  irrun_sizes *out;
  ir_op_sums *ops;
} work;

int64_t ir_bytes_with_ones(const ir_value *value) {
  ir_shape shape = value->shape;
  size_t bytes;
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = ir_dim_of(ir_dim_known(shape.dims[i]) || shape.dims[i].lo > 1 ? shape.dims[i].lo : 1);
  return !value->poisoned && shape.rank >= 0 && ir_tensor_bytes(value->type, &shape, &bytes) ? (int64_t)bytes : -1;
}

/* ---- operations ---- */

/* Adds the operations of a layer of the model or of a body, which is executed `times` times: its multiplications with
 * the additions that follow them, or its other operations. */
static void count_operations(work *w, const irrun_model *of, const ir_node *node, int64_t times) {
  if (!node->varies || !node->live || ir_op_is(node->op, IR_RUN_BODIES))
    return;
  irrun_op_sizes *sums = node->op == NULL ? NULL : ir_op_sums_of(w->ops, node->op);
  if (sums == NULL) {
    w->out->uncounted++;
    return;
  }
  sums->layers++;
  if (!ir_is_inferred(node) || node->op->cost == NULL)
    return;
  ir_gather_inputs(of->nodes, node, w->in);
  int64_t cost = node->op->cost(node, w->in);
  w->out->uncounted += cost < 0;
  if (cost < 0)
    return;
  if (!ir_mul(cost, times, &cost))
    cost = INT64_MAX;
  for (int i = 0; i < (node->op->multiplies ? 2 : 1); i++) { /* a multiplication, and an addition */
    ir_add_to(cost, &w->out->flops);
    ir_add_to(cost, &sums->flops);
  }
  if (node->op->multiplies) {
    ir_add_to(cost, &w->out->macs);
    ir_add_to(cost, &sums->macs);
  }
}

/* The iterations of a body in one execution of its layer; -1: they are unknown. */
static int64_t count_rounds(work *w, const irrun_model *body) {
  const ir_node *owner = body->owner;
  const ir_body_rule *rule = owner->op->run.bodies;
  if (rule->rounds == NULL || owner->bodies == NULL || !ir_is_inferred(owner))
    return -1;
  ir_scope scope = ir_model_scope(body->outer);
  ir_gather_inputs(body->outer->nodes, owner, w->in);
  scope.diags->muted++;
  const ir_dim rounds = rule->rounds(owner, w->in, &scope);
  scope.diags->muted--;
  return ir_dim_known(rounds) ? rounds.lo : -1;
}

/* Adds the operations of body `number`. `times` has how often the bodies before it are executed, and gets its own
 * number; 0: never, or its layer, or one around it, is counted as unknown. */
static void count_body(work *w, size_t number, int64_t *times) {
  const irrun_model *body = w->model->bodies[number];
  int64_t outer_times = 1;
  for (size_t i = 0; i < number; i++)
    if (w->model->bodies[i] == body->outer)
      outer_times = times[i];
  /* the layer of an unknown op is counted itself */
  const bool is_run = outer_times > 0 && body->owner->op != NULL && body->owner->live && body->owner->varies;
  const int64_t rounds = is_run ? count_rounds(w, body) : 0;
  w->out->uncounted += rounds < 0 && body->graph.number == 0;
  if (rounds <= 0 || !ir_mul(outer_times, rounds, &times[number]))
    times[number] = rounds > 0 ? INT64_MAX : 0;
  for (size_t i = 0; i < body->graph.n_layers && times[number] > 0; i++)
    count_operations(w, body, &body->nodes[i], times[number]);
}

static bool count_all(work *w, ir_arena *arena) {
  const irrun_model *model = w->model;
  size_t most = ir_most_inputs(model->nodes, model->graph.n_layers);
  for (size_t i = 0; i < model->graph.n_bodies; i++) {
    const size_t n = ir_most_inputs(model->bodies[i]->nodes, model->bodies[i]->graph.n_layers);
    most = n > most ? n : most;
  }
  int64_t *times = ir_arena_array(arena, model->graph.n_bodies + 1, sizeof *times);
  w->in = ir_arena_array(arena, most + 1, sizeof *w->in);
  if (times == NULL || w->in == NULL)
    return false;
  for (size_t i = 0; i < model->graph.n_layers; i++)
    count_operations(w, model, &model->nodes[i], 1);
  for (size_t i = 0; i < model->graph.n_bodies; i++)
    count_body(w, i, times);
  return true;
}

/* ---- memory ---- */

/* The bytes of inputs and outputs of a layer that change from run to run. */
static int64_t step_bytes(const work *w, const ir_node *node) {
  int64_t sum = 0;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_link from = node->inputs[i];
    const int64_t bytes = from.layer >= 0 && w->model->nodes[from.layer].varies
                              ? ir_bytes_with_ones(&w->model->nodes[from.layer].outputs[from.port])
                              : 0;
    ir_add_to(bytes > 0 ? bytes : 0, &sum);
  }
  for (int32_t i = 0; i < node->n_outputs; i++) {
    const int64_t bytes = ir_bytes_with_ones(&node->outputs[i]);
    ir_add_to(bytes > 0 ? bytes : 0, &sum);
  }
  return sum;
}

/* The tensor that feeds input `i` of a node; NULL: a constant does, or nothing. */
static tensor *tensor_of(const work *w, const ir_node *node, int32_t i) {
  const ir_link from = node->inputs[i];
  if (from.layer < 0 || !w->model->nodes[from.layer].varies || node->in_cycle)
    return NULL;
  const tensor *direct = &w->tensors[w->first[from.layer] + (size_t)from.port];
  return &w->tensors[direct->shown];
}

/* Lists the outputs of the layer at place `at` of the running order, and notes what the layer reads. The elements of an
 * output of the model are needed until the end. */
static void list_tensors(work *w, size_t at) {
  const int32_t layer = w->model->order[at];
  const ir_node *node = &w->model->nodes[layer];
  const bool is_end = ir_op_is(node->op, IR_RUN_OUTPUT);
  for (int32_t i = 0; i < node->n_inputs; i++) {
    tensor *read = tensor_of(w, node, i);
    if (read != NULL)
      read->last = is_end ? w->model->graph.n_layers : at;
  }
  const tensor *viewed =
      node->op != NULL && node->op->function == IR_FUNCTION_VIEW && node->n_inputs > 0 ? tensor_of(w, node, 0) : NULL;
  for (int32_t i = 0; i < node->n_outputs; i++) {
    const size_t index = w->first[layer] + (size_t)i;
    const ir_value *value = &node->outputs[i];
    const bool is_known = !value->poisoned && ir_shape_known(&value->shape);
    w->tensors[index] = (tensor){.bytes = is_known ? ir_bytes_with_ones(value) : -1, .shown = index, .last = at};
    if (viewed != NULL)
      w->tensors[index] = (tensor){.shown = (size_t)(viewed - w->tensors)};
  }
}

/* Finds the largest sum of tensors that are needed at one time. */
static int64_t find_peak(work *w) {
  int64_t sum = 0, peak = 0;
  for (size_t at = 0; at < w->model->graph.n_layers; at++) {
    const int32_t layer = w->model->order[at];
    const ir_node *node = &w->model->nodes[layer];
    if (!node->varies || !node->live)
      continue;
    tensor *made = &w->tensors[w->first[layer]];
    for (int32_t i = 0; i < node->n_outputs; i++) {
      if (made[i].bytes < 0 || !ir_add(sum, made[i].bytes, &sum))
        return -1;
    }
    peak = sum > peak ? sum : peak;
    for (int32_t i = 0; i < node->n_inputs + node->n_outputs; i++) {
      tensor *done = i < node->n_inputs ? tensor_of(w, node, i) : &made[i - node->n_inputs];
      if (done != NULL && done->last == at) {
        sum -= done->bytes;
        done->bytes = 0;
      }
    }
  }
  return peak;
}

/* ---- the sums ---- */

bool ir_sum_work(const irrun_model *model, ir_arena *arena, irrun_sizes *out, ir_op_sums *ops) {
  const size_t n = model->graph.n_layers;
  size_t n_tensors = 0;
  work w = {.model = model, .out = out, .ops = ops};
  w.first = ir_arena_array(arena, n + 1, sizeof *w.first);
  if (w.first == NULL || !count_all(&w, arena))
    return false;
  for (size_t i = 0; i < n; i++) {
    w.first[i] = n_tensors;
    n_tensors += (size_t)model->nodes[i].n_outputs;
  }
  w.tensors = ir_arena_array(arena, n_tensors + 1, sizeof *w.tensors);
  if (w.tensors == NULL)
    return false;
  for (size_t at = 0; at < n; at++) {
    const ir_node *node = &model->nodes[model->order[at]];
    if (!node->varies)
      continue;
    const int64_t bytes = step_bytes(&w, node);
    out->step_bytes = bytes > out->step_bytes ? bytes : out->step_bytes;
    if (node->live)
      list_tensors(&w, at);
  }
  out->peak_bytes = find_peak(&w);
  return true;
}
