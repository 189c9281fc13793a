/* Plain kernels of LSTM, GRU and RNN. A line is one sequence of the batch in one direction, or one item of a cell's
 * batch. The time steps of a line are computed in order, each by a step function of the op, such as ir_gru_step. */
#include "base/stop.h"
#include "ops/attr_text.h"
#include "ops/sequence/rnn_fast.h"
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- functions ---- */

static double relu(double x, double alpha, double beta) {
  (void)alpha, (void)beta;
  return x <= 0 ? 0 : x;
}

static double sigmoid(double x, double alpha, double beta) {
  (void)alpha, (void)beta;
  return 1 / (1 + exp(-x));
}

static double hyperbolic(double x, double alpha, double beta) {
  (void)alpha, (void)beta;
  return tanh(x);
}

/* OpenVINO accepts "hardsigmoid", though the specification lacks it, and computes the op HardSigmoid. */
static double hard_sigmoid(double x, double alpha, double beta) {
  const double line = alpha * x + beta;
  return line < 0 ? 0 : line > 1 ? 1 : line;
}

static const struct {
  const char *name;
  ir_rnn_function function;
} functions[] = {{"relu", {relu, 0, 0}},
                 {"sigmoid", {sigmoid, 0, 0}},
                 {"tanh", {hyperbolic, 0, 0}},
                 {"hardsigmoid", {hard_sigmoid, 0.2, 0.5}}};

static ir_rnn_function function_named(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i].name) == length && strncasecmp(functions[i].name, name, length) == 0)
      return functions[i].function;
  return functions[0].function;
}

/* ---- a run ---- */

typedef struct rnn_work {
  const ir_rnn_state *state;
  const ir_tensor *const *in;
  ir_tensor *const *out;
  const ir_exec *exec;
} rnn_work;

/* State of a line at its current time step. */
struct ir_rnn_line {
  const ir_rnn_state *state;
  const char *x, *w, *r; /* input of the time step, W and R of the direction */
  double *biases, *sums; /* biases and sums of all gates */
  double *h, *c;         /* hidden state, and cell state of an LSTM */
  void *compute_h;       /* the state that is multiplied by R, in the compute type */
};

/* ---- products ---- */

/* Defines a dot product. The function has LANES separate sums, so that compilers can vectorize. */
#define DOT(name, type)                                                                                                \
  static double name(const void *row, const void *vector, int64_t n) {                                                 \
    enum { LANES = 16 };                                                                                               \
    const type *a = row, *b = vector;                                                                                  \
    type lanes[LANES] = {0};                                                                                           \
    int64_t i = 0;                                                                                                     \
    for (; i + LANES <= n; i += LANES)                                                                                 \
      for (int lane = 0; lane < LANES; lane++)                                                                         \
        lanes[lane] += a[i + lane] * b[i + lane];                                                                      \
    double sum = 0;                                                                                                    \
    for (int lane = 0; lane < LANES; lane++)                                                                           \
      sum += (double)lanes[lane];                                                                                      \
    for (; i < n; i++)                                                                                                 \
      sum += (double)a[i] * (double)b[i];                                                                              \
    return sum;                                                                                                        \
  }
DOT(dot_f32, float)
DOT(dot_f64, double)

/* Adds to `sums` the dot products of rows [row, row + n) of a matrix with `vector`, which has n_columns elements. */
static void add_products(const ir_rnn_line *line, const char *matrix, int64_t row, int64_t n, const void *vector,
                         int64_t n_columns, double *sums) {
  const bool is_f32 = line->state->compute == IR_COMPUTE_F32;
  const size_t row_bytes = (size_t)n_columns * ir_compute_size(line->state->compute);
  for (int64_t i = 0; i < n; i++) {
    const char *from = matrix + (size_t)(row + i) * row_bytes;
    sums[i] += is_f32 ? dot_f32(from, vector, n_columns) : dot_f64(from, vector, n_columns);
  }
}

/* Computes the sums of gates [first, behind): biases plus products with input and state. */
static void sum_gates(const ir_rnn_line *line, int first, int behind) {
  const ir_rnn_state *state = line->state;
  const int64_t row = first * state->hidden, n = (behind - first) * state->hidden;
  memcpy(line->sums + row, line->biases + row, (size_t)n * sizeof *line->sums);
  add_products(line, line->w, row, n, line->x, state->input, line->sums + row);
  add_products(line, line->r, row, n, line->compute_h, state->hidden, line->sums + row);
}

static void keep_computed(const ir_rnn_line *line, const double *values) {
  const ir_rnn_state *state = line->state;
  ir_compute_store(IR_COMPUTE_F64, values, state->compute == IR_COMPUTE_F32 ? IR_F32 : IR_F64, line->compute_h,
                   state->hidden);
}

/* ---- cells ---- */

static double apply(const ir_rnn_state *state, int function, double x) {
  const ir_rnn_function *f = &state->functions[function];
  return f->of(x, f->alpha, f->beta);
}

static double gate(const ir_rnn_line *line, int function, double sum) {
  const double clip = line->state->clip;
  return apply(line->state, function, sum > clip ? clip : sum < -clip ? -clip : sum);
}

void ir_rnn_step(ir_rnn_line *line) {
  sum_gates(line, 0, 1);
  for (int64_t i = 0; i < line->state->hidden; i++)
    line->h[i] = gate(line, 0, line->sums[i]);
}

/* Computes the gates f, i, c, o, then both states. */
void ir_lstm_step(ir_rnn_line *line) {
  const int64_t n = line->state->hidden;
  const double *f = line->sums, *i = f + n, *c = i + n, *o = c + n;
  sum_gates(line, 0, 4);
  for (int64_t j = 0; j < n; j++) {
    line->c[j] = gate(line, 0, f[j]) * line->c[j] + gate(line, 0, i[j]) * gate(line, 1, c[j]);
    line->h[j] = gate(line, 0, o[j]) * apply(line->state, 2, line->c[j]);
  }
}

/* Computes the gates z, r, h. Gate r multiplies the state before the recurrent product of gate h. If
 * linear_before_reset, gate r multiplies the product instead, and the product has biases of its own. */
void ir_gru_step(ir_rnn_line *line) {
  const ir_rnn_state *state = line->state;
  const int64_t n = state->hidden;
  double *z = line->sums, *r = z + n, *h = r + n, *recurrent = h + n;
  sum_gates(line, 0, 2);
  for (int64_t j = 0; j < n; j++) {
    r[j] = gate(line, 0, r[j]);
    h[j] = line->biases[2 * n + j];
    recurrent[j] = state->linear_before_reset ? line->biases[3 * n + j] : 0;
  }
  if (!state->linear_before_reset) {
    for (int64_t j = 0; j < n; j++)
      line->c[j] = r[j] * line->h[j];
    keep_computed(line, line->c);
  }
  add_products(line, line->w, 2 * n, n, line->x, state->input, h);
  add_products(line, line->r, 2 * n, n, line->compute_h, n, recurrent);
  for (int64_t j = 0; j < n; j++) {
    const double update = gate(line, 0, z[j]);
    const double candidate = gate(line, 1, h[j] + (state->linear_before_reset ? r[j] : 1) * recurrent[j]);
    line->h[j] = (1 - update) * candidate + update * line->h[j];
  }
}

/* ---- lines ---- */

/* Stores `n` numbers as elements of an output, from element `at` on. If `out` is NULL, nothing reads the output. */
static void put(const double *values, int64_t n, ir_tensor *out, int64_t at) {
  if (out != NULL)
    ir_compute_store(IR_COMPUTE_F64, values, out->type, ir_tensor_at(out, at), n);
}

/* Returns how many doubles a worker needs: biases, sums, both states, and `compute_h`. */
static int64_t scratch_numbers(const ir_rnn_state *state) {
  return state->n_biases + (state->shapes->gates + 1 + 3) * state->hidden;
}

static ir_rnn_line begin_line(const rnn_work *work, int64_t batch, int64_t direction, int worker) {
  const ir_rnn_state *state = work->state;
  const int64_t n = state->hidden, rows = state->shapes->gates * n;
  const ir_tensor *const *weights = work->in + state->weights;
  double *numbers = ir_exec_scratch(work->exec, worker);
  ir_rnn_line line = {.state = state, .biases = numbers, .sums = numbers + state->n_biases};
  line.h = line.sums + rows + n;
  line.c = line.h + n;
  line.compute_h = line.c + n;
  line.w = ir_tensor_at(weights[0], direction * rows * state->input);
  line.r = ir_tensor_at(weights[1], direction * rows * n);
  const int64_t first = (batch * state->n_directions + direction) * n;
  ir_compute_load(work->in[1]->type, ir_tensor_at(work->in[1], first), IR_COMPUTE_F64, line.h, n);
  if (state->has_cell)
    ir_compute_load(work->in[2]->type, ir_tensor_at(work->in[2], first), IR_COMPUTE_F64, line.c, n);
  memset(line.biases, 0, (size_t)state->n_biases * sizeof *line.biases);
  if (state->has_biases)
    ir_compute_load(weights[2]->type, ir_tensor_at(weights[2], direction * state->n_biases), IR_COMPUTE_F64,
                    line.biases, state->n_biases);
  return line;
}

/* Computes one line. Outputs after the sequence's end are 0, and the last states of an empty sequence are 0, like in
 * OpenVINO. */
static void run_line(const rnn_work *work, int64_t batch, int64_t direction, int worker) {
  const ir_rnn_state *state = work->state;
  const int64_t n = state->hidden, at = batch * state->n_directions + direction;
  const int64_t length = ir_rnn_length(state, work->in, batch);
  ir_rnn_line line = begin_line(work, batch, direction, worker);
  ir_tensor *y = state->is_sequence ? work->out[0] : NULL;
  for (int64_t i = 0; i < length && !ir_stop_asked_of(work->exec->stop, worker); i++) {
    const int64_t time = ir_rnn_time(state, direction, length, i);
    keep_computed(&line, line.h);
    line.x = ir_tensor_at(work->in[0], (batch * state->length + time) * state->input);
    state->shapes->step(&line);
    put(line.h, n, y, (at * state->length + time) * n);
  }
  if (length == 0)
    memset(line.h, 0, 2 * (size_t)n * sizeof *line.h);
  if (y != NULL)
    memset(ir_tensor_at(y, (at * state->length + length) * n), 0,
           (size_t)((state->length - length) * n) * ir_type_size(y->type));
  put(line.h, n, work->out[state->is_sequence], at * n);
  if (state->has_cell)
    put(line.c, n, work->out[state->is_sequence + 1], at * n);
}

static void run_lines(void *user, int64_t begin, int64_t end, int worker) {
  const rnn_work *work = user;
  for (int64_t i = begin; i < end; i++)
    run_line(work, i / work->state->n_directions, i % work->state->n_directions, worker);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_rnn_state *state = step->state;
  rnn_work work = {state, in, out, exec};
  int64_t bytes;
  const ir_code code = ir_rnn_check_lengths(state, in);
  if (code != IR_OK)
    return code;
  if (!ir_mul((int64_t)(in[state->weights]->bytes + in[state->weights + 1]->bytes), state->batch * state->length,
              &bytes))
    bytes = INT64_MAX;
  exec->share(exec, state->batch * state->n_directions, bytes, run_lines, &work);
  return IR_OK;
}

static const ir_kernel kernel = {
    .name = "recurrent",
    .isa = "any",
    .run = run,
    .why = "plain kernels were asked for, or the vector kernel lacks the type or gains nothing"};

/* ---- preparing ---- */

/* Converts a tensor to the compute type, once a run: f16 and bf16 to f32, or all types to f64 if an input is f64. */
static ir_code run_widen(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step, (void)exec;
  ir_compute_load(in[0]->type, in[0]->data, ir_compute_type_of(out[0]->type), out[0]->data, ir_tensor_elements(in[0]));
  return IR_OK;
}

static const ir_kernel widen_kernel = {.name = "widen", .isa = "any", .run = run_widen};

static ir_code widen(ir_plan *plan, const ir_node *node, const ir_value *in, ir_compute_type compute, int32_t *slot) {
  if (ir_compute_type_is(compute, in->type))
    return IR_OK;
  const int32_t from = *slot;
  *slot = ir_plan_temporary(plan, compute == IR_COMPUTE_F32 ? IR_F32 : IR_F64, &in->shape);
  return *slot < 0 ? ir_out_of_memory(plan->diags)
                   : ir_plan_step_on(plan, node, &widen_kernel, NULL, 0, &from, 1, slot, 1);
}

/* Reads the activation functions. The defaults are "sigmoid,tanh" of a GRU, "sigmoid,tanh,tanh" of an LSTM, "tanh" of
 * an RNN. */
static void read_functions(const ir_node *node, const ir_scope *scope, ir_rnn_state *state) {
  const ir_rnn_params *params = node->params;
  const ir_raw_attr *raw = ir_layer_attr(node->layer, "activations");
  ir_text_value value = {.n_items = 0};
  if (raw != NULL && raw->value != NULL)
    value = ir_text_value_of(scope->graph, node->layer, raw);
  for (int i = 0; i < state->shapes->activations; i++) {
    ir_rnn_function *function = &state->functions[i];
    size_t length;
    ir_where where;
    const char *word = i == 0 && state->shapes->activations > 1 ? "sigmoid" : "tanh";
    if (value.n_items > i)
      word = ir_text_item(&value, i, &length, &where);
    else
      length = strlen(word);
    *function = function_named(word, length);
    if (params->alpha.n > i)
      function->alpha = params->alpha.items[i];
    if (params->beta.n > i)
      function->beta = params->beta.items[i];
  }
}

static ir_rnn_state state_of(const ir_node *node, const ir_value *const *in, const ir_plan *plan,
                             const ir_scope *scope) {
  const ir_rnn_params *params = node->params;
  const ir_shape *x = &in[0]->shape, *h = &in[1]->shape;
  ir_rnn_state state = {.shapes = node->op->family, .linear_before_reset = params->linear_before_reset};
  state.is_sequence = x->rank == 3;
  state.has_cell = state.shapes->activations == 3;
  state.lengths = 2 + state.has_cell;
  state.weights = state.lengths + state.is_sequence;
  state.has_biases = node->n_inputs > state.weights + 2;
  state.clip = params->clip > 0 ? params->clip : INFINITY;
  state.direction = state.is_sequence ? params->direction : 0;
  state.batch = x->dims[0].lo;
  state.length = state.is_sequence ? x->dims[1].lo : 1;
  state.input = x->dims[x->rank - 1].lo;
  state.hidden = h->dims[h->rank - 1].lo;
  state.n_directions = state.is_sequence ? h->dims[1].lo : 1;
  state.n_biases = (state.shapes->gates + (state.shapes->gates == 3 && state.linear_before_reset)) * state.hidden;
  if (state.is_sequence)
    state.lengths_input = ir_index_input_of(plan, node, state.lengths, scope);
  for (int i = 0; i < 3; i++)
    if (in[i == 0 ? 0 : state.weights + i - 1]->type == IR_F64)
      state.compute = IR_COMPUTE_F64;
  read_functions(node, scope, &state);
  return state;
}

/* Returns true if the vector kernels can compute the op and are faster: f32 with the specification's default
 * functions. */
static bool is_fast(const ir_rnn_state *state, const ir_value *const *in, const ir_plan *plan) {
  for (int i = 0; i < state->shapes->activations; i++)
    if (state->functions[i].of != (i == 0 && state->shapes->activations > 1 ? sigmoid : hyperbolic))
      return false;
  return plan->is_fast && state->compute == IR_COMPUTE_F32 && ir_rnn_is_worth_it(state, in);
}

ir_code ir_rnn_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_rnn_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  int32_t slots[8], out[3];
  int64_t bytes;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = state_of(node, in, plan, scope);
  const int32_t n_in = state->weights + 2 + state->has_biases, n_out = state->is_sequence + 1 + state->has_cell;
  for (int32_t i = 0; i < n_in; i++)
    slots[i] = ir_plan_input_slot(plan, i);
  for (int32_t i = 0; i < n_out; i++)
    out[i] = i < node->n_outputs ? ir_plan_output_slot(plan, i) : -1;
  const int compute[] = {0, state->weights, state->weights + 1};
  for (int i = 0; i < 3; i++) {
    const ir_code code = widen(plan, node, in[compute[i]], state->compute, &slots[compute[i]]);
    if (code != IR_OK)
      return code;
  }
  if (is_fast(state, in, plan))
    return ir_rnn_fast_step(state, node, plan, slots, n_in, out, n_out);
  if (!ir_mul(scratch_numbers(state), (int64_t)sizeof(double), &bytes))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step_on(plan, node, &kernel, state, (size_t)bytes, slots, n_in, out, n_out);
}

/* Implements ir_op.cost: counts multiplications. */
int64_t ir_rnn_cost(const ir_node *node, const ir_value *const *in) {
  const ir_shape *x = &in[0]->shape, *out = &node->outputs[0].shape;
  const int gates = ((const ir_rnn_shapes *)node->op->family)->gates;
  int64_t states, terms, sums;
  if (in[0]->poisoned || node->outputs[0].poisoned || !ir_shape_known(x) || !ir_shape_known(out) ||
      !ir_shape_elements(out, &states) || !ir_add(x->dims[x->rank - 1].lo, out->dims[out->rank - 1].lo, &terms) ||
      !ir_mul(terms, gates, &terms) || !ir_mul(states, terms, &sums))
    return -1;
  return sums;
}
