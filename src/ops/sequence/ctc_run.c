/* Runs connectionist temporal classification (CTC): each time step of a sequence has a class or is blank. */
#include "ops/sequence/ctc_run.h"
#include "base/stop.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/index_input.h"
#include <math.h>
#include <string.h>

/* Sizes and strides of the logits. The n_classes logits of an item of the batch and a time step are contiguous. */
typedef struct ctc_state {
  const ir_ctc_params *params;
  int64_t n_batch, n_steps, n_classes;
  int64_t batch_step, time_step; /* distance between items of the batch, and between time steps, in logits */
  bool is_masked;                /* input 1 is a mask [n_steps, n_batch], not a list of lengths */
  int blank;                     /* index of the input with the blank class */
  bool has_blank;
  ir_index_input lengths, labels, label_lengths, blanks; /* for reports of bad elements */
} ctc_state;

typedef struct ctc_work {
  const ctc_state *state;
  const ir_tensor *const *in;
  ir_tensor *const *out;
  const ir_exec *exec;
} ctc_work;

static int64_t blank_of(const ctc_work *work) {
  return work->state->has_blank ? ir_index_at(work->in[work->state->blank], 0) : work->state->n_classes - 1;
}

static ir_code check_lengths(const ctc_state *state, const ir_tensor *lengths) {
  for (int64_t i = 0; i < state->n_batch; i++) {
    const int64_t length = ir_index_at(lengths, i);
    if (length < 0 || length > state->n_steps)
      return ir_index_report(&state->lengths, i, length, 0, state->n_steps + 1);
  }
  return IR_OK;
}

/* ---- the greedy decoders ---- */

static int64_t length_of(const ctc_work *work, int64_t batch, int worker) {
  const ctc_state *state = work->state;
  if (!state->is_masked)
    return ir_index_at(work->in[1], batch);
  int64_t length = 0, since = 0;
  while (length < state->n_steps && ir_number_at(work->in[1], length * state->n_batch + batch) != 0 &&
         !ir_stop_asked_after(work->exec->stop, worker, 1, &since))
    length++;
  return length;
}

/* Returns the class with the largest logit of a time step; among equal logits the first. */
static int64_t best_class(const ctc_work *work, int64_t at, int worker) {
  ir_piece piece;
  double most = -INFINITY;
  int64_t best = 0, since = 0;
  for (int64_t i = 0, n; i < work->state->n_classes; i += n) {
    n = work->state->n_classes - i < IR_PIECE ? work->state->n_classes - i : IR_PIECE;
    ir_compute_load(work->in[0]->type, ir_tensor_at(work->in[0], at + i), IR_COMPUTE_F64, &piece, n);
    for (int64_t k = 0; k < n; k++)
      if (piece.f64[k] > most) {
        most = piece.f64[k];
        best = i + k;
      }
    if (ir_stop_asked_after(work->exec->stop, worker, n, &since))
      break;
  }
  return best;
}

static void put(int64_t value, ir_tensor *out, int64_t at) {
  if (out != NULL)
    ir_index_store(&value, 1, out, at);
}

static void decode(void *user, int64_t begin, int64_t end, int worker) {
  const ctc_work *work = user;
  ir_stop *stop = work->exec->stop;
  const ctc_state *state = work->state;
  const int64_t blank = blank_of(work);
  for (int64_t batch = begin; batch < end; batch++) {
    const int64_t length = state->n_classes > 0 ? length_of(work, batch, worker) : 0, first = batch * state->n_steps;
    int64_t n = 0, last = -1, since = 0;
    for (int64_t time = 0; time < length && !ir_stop_asked_after(stop, worker, state->n_classes, &since); time++) {
      const int64_t best = best_class(work, batch * state->batch_step + time * state->time_step, worker);
      if (best != blank && !(state->params->merge_repeated && best == last))
        put(best, work->out[0], first + n++);
      last = best;
    }
    if (!state->is_masked)
      put(n, work->out[1], batch);
    for (; n < state->n_steps && !ir_stop_asked_after(stop, worker, 1, &since); n++)
      put(-1, work->out[0], first + n);
  }
}

static ir_code run_greedy(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ctc_state *state = step->state;
  ctc_work work = {state, in, out, exec};
  const ir_code code = state->is_masked ? IR_OK : check_lengths(state, in[1]);
  if (code == IR_OK)
    exec->share(exec, state->n_batch, (int64_t)in[0]->bytes, decode, &work);
  return code;
}

static const ir_kernel greedy_kernel = {.name = "ctc_greedy", .isa = "any", .run = run_greedy};

/* ---- the loss ---- */

/* Returns ln(exp(a) + exp(b)). */
static double sum_of_logs(double a, double b) {
  const double most = a > b ? a : b, least = a > b ? b : a;
  return least == -INFINITY ? most : most + log1p(exp(least - most));
}

/* Returns ln of the sum of exp(logit) over all classes of a time step. */
static double log_sum(const ctc_work *work, int64_t at, int worker) {
  ir_piece piece;
  double sum = -INFINITY;
  int64_t since = 0;
  for (int64_t i = 0, n; i < work->state->n_classes; i += n) {
    double most = -INFINITY, of_piece = 0;
    n = work->state->n_classes - i < IR_PIECE ? work->state->n_classes - i : IR_PIECE;
    ir_compute_load(work->in[0]->type, ir_tensor_at(work->in[0], at + i), IR_COMPUTE_F64, &piece, n);
    for (int64_t k = 0; k < n; k++)
      most = fmax(most, piece.f64[k]);
    for (int64_t k = 0; k < n && most > -INFINITY; k++)
      of_piece += exp(piece.f64[k] - most);
    sum = sum_of_logs(sum, most + log(of_piece));
    if (ir_stop_asked_after(work->exec->stop, worker, n, &since))
      break;
  }
  return sum;
}

/* Reads the labels of an item and returns the number of labels. `unique` drops all repetitions of a label.
 * collapse_repeated drops only repetitions that directly follow the label. */
static int64_t read_labels(const ctc_work *work, int64_t batch, int64_t *labels, int worker) {
  const ir_ctc_params *params = work->state->params;
  const int64_t length = ir_index_at(work->in[3], batch);
  int64_t n = 0, since = 0;
  for (int64_t i = 0; i < length && !ir_stop_asked_after(work->exec->stop, worker, n + 1, &since); i++) {
    const int64_t label = ir_index_at(work->in[2], batch * work->state->n_steps + i);
    bool is_there = false;
    if (params->unique)
      for (int64_t k = 0; k < n && !is_there; k++)
        is_there = labels[k] == label;
    else
      is_there = params->collapse_repeated && n > 0 && labels[n - 1] == label;
    if (!is_there)
      labels[n++] = label;
  }
  return n;
}

/* Returns the class at position s of the sequence [blank, label, blank, label, .., blank]. */
static int64_t class_at(int64_t s, const int64_t *labels, int64_t blank) {
  return s % 2 == 1 ? labels[s / 2] : blank;
}

/* Returns -ln of the probability of the labels, which is summed over all class sequences that decode to the labels.
 * After each time step, sums[s] is ln of the probability of all sequences that have reached position s (see
 * class_at). */
static double loss_of(const ctc_work *work, int64_t batch, int64_t blank, const int64_t *labels, int64_t n_labels,
                      double *sums, int worker) {
  const ctc_state *state = work->state;
  const bool merges = state->params->merge_repeated;
  const int64_t n = 2 * n_labels + 1, length = ir_index_at(work->in[1], batch);
  for (int64_t s = 0; s < n; s++)
    sums[s] = -INFINITY;
  sums[0] = 0; /* before time step 0, position 0 has probability 1 */
  for (int64_t time = 0; time < length && !ir_stop_asked_of(work->exec->stop, worker); time++) {
    const int64_t at = batch * state->batch_step + time * state->time_step;
    const double all = log_sum(work, at, worker);
    for (int64_t s = n - 1; s >= 0; s--) {
      const int64_t here = class_at(s, labels, blank), before = s > 1 ? class_at(s - 2, labels, blank) : blank;
      double sum = here == blank || merges ? sums[s] : -INFINITY;
      if (s > 0)
        sum = sum_of_logs(sum, sums[s - 1]);
      if (before != blank && (here != before || !merges))
        sum = sum_of_logs(sum, sums[s - 2]);
      sums[s] = sum + ir_number_at(work->in[0], at + here) - all;
    }
  }
  const double found = n > 1 ? sum_of_logs(sums[n - 1], sums[n - 2]) : sums[0];
  return found == 0 ? 0 : -found;
}

static void find_losses(void *user, int64_t begin, int64_t end, int worker) {
  const ctc_work *work = user;
  int64_t *labels = ir_exec_scratch(work->exec, worker);
  double *sums = (double *)(labels + work->state->n_steps);
  for (int64_t batch = begin; batch < end; batch++) {
    const int64_t n = read_labels(work, batch, labels, worker);
    const double loss = loss_of(work, batch, blank_of(work), labels, n, sums, worker);
    ir_compute_store(IR_COMPUTE_F64, &loss, work->out[0]->type, ir_tensor_at(work->out[0], batch), 1);
  }
}

static ir_code check_labels(const ctc_state *state, const ir_tensor *const *in) {
  for (int64_t batch = 0; batch < state->n_batch; batch++) {
    const int64_t most = ir_index_at(in[1], batch), length = ir_index_at(in[3], batch);
    if (length < 0 || length > most)
      return ir_index_report(&state->label_lengths, batch, length, 0, most + 1);
    for (int64_t i = batch * state->n_steps; i < batch * state->n_steps + length; i++) {
      const int64_t label = ir_index_at(in[2], i);
      if (label < 0 || label >= state->n_classes)
        return ir_index_report(&state->labels, i, label, 0, state->n_classes);
    }
  }
  return IR_OK;
}

static ir_code run_loss(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ctc_state *state = step->state;
  ctc_work work = {state, in, out, exec};
  const int64_t blank = blank_of(&work);
  ir_code code = check_lengths(state, in[1]);
  if (code == IR_OK)
    code = check_labels(state, in);
  if (code == IR_OK && (blank < 0 || blank >= state->n_classes))
    code = ir_index_report(&state->blanks, 0, blank, 0, state->n_classes);
  if (code == IR_OK)
    exec->share(exec, state->n_batch, (int64_t)in[0]->bytes, find_losses, &work);
  return code;
}

static const ir_kernel loss_kernel = {.name = "ctc_loss", .isa = "any", .run = run_loss};

/* ---- preparing ---- */

/* Makes the state. `blank` is the index of the input with the blank class; the node can lack this input. */
static ctc_state *make_state(const ir_node *node, const ir_value *const *in, bool is_masked, int blank,
                             const ir_plan *plan, const ir_scope *scope) {
  const ir_dim *dims = in[0]->shape.dims;
  ctc_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return NULL;
  *state = (ctc_state){.params = node->params,
                       .n_batch = dims[is_masked].lo,
                       .n_steps = dims[!is_masked].lo,
                       .n_classes = dims[2].lo,
                       .is_masked = is_masked,
                       .blank = blank,
                       .has_blank = node->n_inputs > blank,
                       .lengths = ir_index_input_of(plan, node, 1, scope)};
  state->batch_step = state->n_classes * (is_masked ? 1 : state->n_steps);
  state->time_step = state->n_classes * (is_masked ? state->n_batch : 1);
  return state;
}

ir_code ir_ctc_greedy_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ctc_state *state = make_state(node, in, in[1]->shape.rank == 2, 2, plan, scope);
  return state == NULL ? ir_out_of_memory(scope->diags) : ir_plan_step(plan, node, &greedy_kernel, state, 0);
}

ir_code ir_ctc_loss_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ctc_state *state = make_state(node, in, false, 4, plan, scope);
  int64_t numbers;
  if (state == NULL || !ir_mul(state->n_steps, 3 * (int64_t)sizeof(double), &numbers))
    return ir_out_of_memory(scope->diags);
  if (state->n_classes == 0)
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_input_where(scope, node, 0, 2),
                          "the logits are of 0 classes, of which none is the blank");
  state->labels = ir_index_input_of(plan, node, 2, scope);
  state->label_lengths = ir_index_input_of(plan, node, 3, scope);
  if (state->has_blank)
    state->blanks = ir_index_input_of(plan, node, 4, scope);
  return ir_plan_step(plan, node, &loss_kernel, state, (size_t)numbers + sizeof(double));
}

/* Implements ir_op.cost: counts logits. A decoder compares each logit once; a loss computes an exponential of each
 * logit. */
int64_t ir_ctc_cost(const ir_node *node, const ir_value *const *in) {
  (void)node;
  int64_t elements;
  return !in[0]->poisoned && ir_shape_known(&in[0]->shape) && ir_shape_elements(&in[0]->shape, &elements) ? elements
                                                                                                          : -1;
}
