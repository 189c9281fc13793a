#include "runtime/model/work.h"
#include "runtime/model/node_values.h"

/* A tensor that a layer computes, or a view of another one. */
typedef struct tensor {
  int64_t bytes; /* 0: a view, or memory that is no longer needed; -1: unknown */
  size_t shown;  /* index of the tensor that has the elements: its own, or that of which it is a view */
  size_t last;   /* place in the running order of the last layer that reads the elements */
} tensor;

typedef struct work {
  const irrun_model *model;
  size_t *first;       /* one per layer: the index in `tensors` of its output 0 */
  tensor *tensors;     /* one per output */
  const ir_value **in; /* the inputs of a layer */
  irrun_sizes *out;
} work;

int64_t ir_bytes_with_ones(const ir_value *value) {
  ir_shape shape = value->shape;
  size_t bytes;
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = ir_dim_of(ir_dim_known(shape.dims[i]) || shape.dims[i].lo > 1 ? shape.dims[i].lo : 1);
  return !value->poisoned && shape.rank >= 0 && ir_tensor_bytes(value->type, &shape, &bytes) ? (int64_t)bytes : -1;
}

/* ---- operations ---- */

static void add(int64_t n, int64_t *io_sum) {
  if (!ir_add(*io_sum, n, io_sum))
    *io_sum = INT64_MAX;
}

/* Adds the operations of a layer: its multiplications with the additions that follow them, or its other operations. */
static void count_operations(work *w, const ir_node *node) {
  const bool has_bodies = ir_op_is(node->op, IR_RUN_BODIES);
  if (has_bodies || !ir_is_inferred(w->model, node) || node->op->cost == NULL) {
    w->out->uncounted += has_bodies || node->op == NULL;
    return;
  }
  ir_gather_inputs(w->model->nodes, node, w->in);
  const int64_t cost = node->op->cost(node, w->in);
  w->out->uncounted += cost < 0;
  if (cost < 0)
    return;
  add(cost, &w->out->flops);
  if (node->op->multiplies) {
    add(cost, &w->out->flops);
    add(cost, &w->out->macs);
  }
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
    sum += bytes > 0 ? bytes : 0;
  }
  for (int32_t i = 0; i < node->n_outputs; i++) {
    const int64_t bytes = ir_bytes_with_ones(&node->outputs[i]);
    sum += bytes > 0 ? bytes : 0;
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

bool ir_sum_work(const irrun_model *model, ir_arena *arena, irrun_sizes *out) {
  const size_t n = model->graph.n_layers;
  size_t n_tensors = 0;
  work w = {.model = model, .out = out};
  w.first = ir_arena_array(arena, n + 1, sizeof *w.first);
  w.in = ir_arena_array(arena, ir_most_inputs(model->nodes, n) + 1, sizeof *w.in);
  if (w.first == NULL || w.in == NULL)
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
    if (!node->live)
      continue;
    count_operations(&w, node);
    list_tensors(&w, at);
  }
  out->peak_bytes = find_peak(&w);
  return true;
}
