/* Vector kernels of LSTM, GRU and RNN for f32.
 *
 * A line is one sequence of the batch in one direction. A block is several lines of one direction that advance
 * together, so that each weight is read once for all of them. A panel is the weights of `panel` columns, term by term.
 * The products with inputs are computed for many time steps at once, as many as fit the cache. */
#include "base/stop.h"
#include "ops/kernels/numbers.h"
#include "ops/sequence/rnn_state.h"
#include "ops/sequence/rnn_vectors.h"
#include <string.h>

/* Most lines of a block, and most floats of its sums (256 KiB). A block has sums of at least one time step, even if
 * these exceed SUMS. */
enum { MOST_LINES = 16, SUMS = 1 << 16 };

const ir_rnn_vectors *const ir_rnn_vectors_list[] = {
#if defined(__x86_64__)
    &ir_rnn_vectors_avx512, &ir_rnn_vectors_avx2,
#endif
    &ir_rnn_vectors_any, NULL};

typedef struct fast_state {
  ir_kernel kernel;
  const ir_rnn_state *rnn;
  const ir_rnn_vectors *vectors;
  /* A row of `columns` floats has the sums of all gates for one line at one time step. [0, first): all gates except the
   * last gate of a GRU; [first, columns): that last gate. Each part is padded to a multiple of vectors->panel columns.
   */
  int64_t first, columns;
  int64_t n_lines, n_steps; /* n_lines: most lines in a block; n_steps: time steps whose sums are in memory at once */
  int64_t n_state;          /* floats of a line's state, rounded up to whole vectors */
} fast_state;

typedef struct fast_work {
  const fast_state *state;
  const ir_tensor *const *in;
  ir_tensor *const *out;
  const ir_exec *exec;
  int64_t n_blocks; /* blocks of one direction */
} fast_work;

typedef struct block {
  const fast_work *work;
  int64_t direction, line, n; /* the block has lines [line, line + n) of the batch */
  int64_t lengths[MOST_LINES], longest;
  const float *w, *r;       /* weights of the direction, in panels */
  float *biases;            /* biases of the columns, then the separate recurrent biases of a GRU's last gate */
  float *sums;              /* [n][n_steps][columns] */
  float *h, *c, *recurrent; /* [n][n_state], [n][n_state], [n][columns - first] */
} block;

static bool is_gru(const ir_rnn_state *rnn) {
  return rnn->shapes->gates == 3;
}

/* Returns the number of weight rows that belong to columns [0, first). */
static int64_t first_rows(const ir_rnn_state *rnn) {
  return (is_gru(rnn) ? 2 : rnn->shapes->gates) * rnn->hidden;
}

/* ---- a block ---- */

static void load_biases(block *b) {
  const fast_state *state = b->work->state;
  const ir_rnn_state *rnn = state->rnn;
  const int64_t n = first_rows(rnn), at = b->direction * rnn->n_biases;
  memset(b->biases, 0, (size_t)(2 * state->columns - state->first) * sizeof(float));
  if (!rnn->has_biases)
    return;
  const ir_tensor *biases = b->work->in[rnn->weights + 2];
  ir_compute_load(biases->type, ir_tensor_at(biases, at), IR_COMPUTE_F32, b->biases, n);
  for (int64_t i = n, to = state->first; i < rnn->n_biases; i += rnn->hidden, to = state->columns)
    ir_compute_load(biases->type, ir_tensor_at(biases, at + i), IR_COMPUTE_F32, b->biases + to, rnn->hidden);
}

static void load_states(const block *b, int port, float *to) {
  const ir_rnn_state *rnn = b->work->state->rnn;
  const ir_tensor *from = b->work->in[port];
  for (int64_t i = 0; i < b->n; i++)
    ir_compute_load(from->type, ir_tensor_at(from, ((b->line + i) * rnn->n_directions + b->direction) * rnn->hidden),
                    IR_COMPUTE_F32, to + i * b->work->state->n_state, rnn->hidden);
}

/* Returns the size of a worker's scratch, in floats. */
static int64_t scratch_floats(const fast_state *state) {
  const int64_t last = state->columns - state->first;
  return state->columns + last + state->n_lines * (state->n_steps * state->columns + 2 * state->n_state + last);
}

static block begin_block(const fast_work *work, int64_t item, int worker) {
  const fast_state *state = work->state;
  const ir_rnn_state *rnn = state->rnn;
  const int64_t i = item % work->n_blocks, direction = item / work->n_blocks;
  block b = {.work = work, .direction = direction, .line = rnn->batch * i / work->n_blocks};
  b.n = rnn->batch * (i + 1) / work->n_blocks - b.line;
  b.w = (const float *)work->in[rnn->weights]->data + direction * state->columns * rnn->input;
  b.r = (const float *)work->in[rnn->weights + 1]->data + direction * state->columns * rnn->hidden;
  b.h = ir_exec_scratch(work->exec, worker);
  b.c = b.h + state->n_lines * state->n_state;
  b.recurrent = b.c + state->n_lines * state->n_state;
  b.biases = b.recurrent + state->n_lines * (state->columns - state->first);
  b.sums = b.biases + 2 * state->columns - state->first;
  load_biases(&b);
  memset(b.h, 0, 2 * (size_t)(state->n_lines * state->n_state) * sizeof(float));
  load_states(&b, 1, b.h);
  if (rnn->has_cell)
    load_states(&b, 2, b.c);
  for (int64_t j = 0; j < b.n; j++) {
    b.lengths[j] = ir_rnn_length(rnn, work->in, b.line + j);
    b.longest = b.lengths[j] > b.longest ? b.lengths[j] : b.longest;
  }
  return b;
}

/* Computes the sums of time steps [begin, end): biases plus products with inputs. */
static void multiply_inputs(const block *b, int64_t begin, int64_t end) {
  const fast_state *state = b->work->state;
  const ir_rnn_state *rnn = state->rnn;
  const ir_tensor *x = b->work->in[0];
  ir_rnn_product product = {.n_panels = 1, .n_terms = rnn->input, .from = b->biases, .to_step = state->columns};
  const int64_t panel = state->vectors->panel;
  for (int64_t column = 0; column < state->columns; column += panel)
    for (int64_t i = 0; i < b->n; i++) {
      const int64_t last = b->lengths[i] < end ? b->lengths[i] : end;
      const int64_t time = ir_rnn_time(rnn, b->direction, b->lengths[i], begin);
      product.n_rows = last - begin;
      if (product.n_rows <= 0)
        continue;
      product.panels = b->w + column * rnn->input;
      product.from = b->biases + column;
      product.to = b->sums + i * state->n_steps * state->columns + column;
      product.x = (const float *)x->data + ((b->line + i) * rnn->length + time) * rnn->input;
      product.x_step = (ir_rnn_time(rnn, b->direction, b->lengths[i], begin + 1) - time) * rnn->input;
      state->vectors->multiply(&product);
    }
}

/* Adds the products with the states `x` to the sums of time step `step`: if is_last, to columns [first, columns),
 * otherwise to columns [0, first). */
static void multiply_states(const block *b, int64_t step, bool is_last, const float *x) {
  const fast_state *state = b->work->state;
  const ir_rnn_state *rnn = state->rnn;
  const int64_t line_step = state->n_steps * state->columns, at = is_last ? state->first : 0;
  float *sums = b->sums + step * state->columns + at;
  ir_rnn_product product = {.panels = b->r + at * rnn->hidden,
                            .n_panels = (is_last ? state->columns - at : state->first) / state->vectors->panel,
                            .n_terms = rnn->hidden,
                            .n_rows = b->n,
                            .x = x,
                            .x_step = state->n_state,
                            .from = sums,
                            .from_step = line_step,
                            .to = sums,
                            .to_step = line_step};
  if (is_last && rnn->linear_before_reset) {
    product.from = b->biases + state->columns;
    product.from_step = 0;
    product.to = b->recurrent;
    product.to_step = state->columns - state->first;
  }
  state->vectors->multiply(&product);
}

static ir_rnn_gates gates_of(const block *b, int64_t line, int64_t step) {
  const fast_state *state = b->work->state;
  const ir_rnn_state *rnn = state->rnn;
  const float *sums = b->sums + (line * state->n_steps + step) * state->columns;
  ir_rnn_gates gates = {
      .h = b->h + line * state->n_state, .c = b->c + line * state->n_state, .n = rnn->hidden, .clip = (float)rnn->clip};
  for (int i = 0; i < rnn->shapes->gates; i++)
    gates.sums[i] = sums + i * rnn->hidden;
  if (is_gru(rnn)) {
    gates.sums[2] = sums + state->first;
    if (rnn->linear_before_reset)
      gates.sums[3] = b->recurrent + line * (state->columns - state->first);
  }
  return gates;
}

/* Stores `n` numbers as elements of an output. If `out` is NULL, nothing reads the output. */
static void put(const float *values, int64_t n, const ir_tensor *out, int64_t at) {
  if (out != NULL)
    ir_compute_store(IR_COMPUTE_F32, values, out->type, ir_tensor_at(out, at), n);
}

/* Computes time step `i`. Its sums are row `step` of the block's sums. */
static void run_step(const block *b, int64_t i, int64_t step) {
  const fast_state *state = b->work->state;
  const ir_rnn_state *rnn = state->rnn;
  const ir_rnn_vectors *vectors = state->vectors;
  void (*make)(const ir_rnn_gates *) = is_gru(rnn) ? vectors->gru : rnn->has_cell ? vectors->lstm : vectors->rnn;
  multiply_states(b, step, false, b->h);
  for (int64_t j = 0; j < b->n && is_gru(rnn) && !rnn->linear_before_reset; j++) {
    const ir_rnn_gates gates = gates_of(b, j, step);
    vectors->gru_reset(&gates);
  }
  if (is_gru(rnn))
    multiply_states(b, step, true, rnn->linear_before_reset ? b->h : b->c);
  for (int64_t j = 0; j < b->n; j++) {
    const ir_rnn_gates gates = gates_of(b, j, step);
    if (i >= b->lengths[j])
      continue;
    make(&gates);
    if (rnn->is_sequence)
      put(gates.h, rnn->hidden, b->work->out[0],
          (((b->line + j) * rnn->n_directions + b->direction) * rnn->length +
           ir_rnn_time(rnn, b->direction, b->lengths[j], i)) *
              rnn->hidden);
  }
}

/* Writes the last states of line `j`, and zeros to the outputs after the sequence's end. The last states of an empty
 * sequence are 0. */
static void end_line(const block *b, int64_t j) {
  const fast_state *state = b->work->state;
  const ir_rnn_state *rnn = state->rnn;
  ir_tensor *const *out = b->work->out;
  const int64_t n = rnn->hidden, at = (b->line + j) * rnn->n_directions + b->direction;
  float *h = b->h + j * state->n_state, *c = b->c + j * state->n_state;
  if (b->lengths[j] == 0) {
    memset(h, 0, (size_t)n * sizeof *h);
    memset(c, 0, (size_t)n * sizeof *c);
  }
  if (rnn->is_sequence && out[0] != NULL)
    memset(ir_tensor_at(out[0], (at * rnn->length + b->lengths[j]) * n), 0,
           (size_t)((rnn->length - b->lengths[j]) * n) * ir_type_size(out[0]->type));
  put(h, n, out[rnn->is_sequence], at * n);
  if (rnn->has_cell)
    put(c, n, out[rnn->is_sequence + 1], at * n);
}

static void run_blocks(void *user, int64_t begin, int64_t end, int worker) {
  const fast_work *work = user;
  const int64_t n_steps = work->state->n_steps;
  for (; begin < end; begin++) {
    const block b = begin_block(work, begin, worker);
    for (int64_t first = 0; first < b.longest && !ir_stop_asked_of(work->exec->stop, worker); first += n_steps) {
      const int64_t behind = b.longest - first < n_steps ? b.longest : first + n_steps;
      multiply_inputs(&b, first, behind);
      for (int64_t i = first; i < behind; i++)
        run_step(&b, i, i - first);
    }
    for (int64_t j = 0; j < b.n; j++)
      end_line(&b, j);
  }
}

/* Makes one block for each worker if there are enough lines, and more if a block would exceed MOST_LINES. */
static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const fast_state *state = step->state;
  const ir_rnn_state *rnn = state->rnn;
  const ir_code code = ir_rnn_check_lengths(rnn, in);
  if (code != IR_OK || rnn->batch == 0)
    return code;
  const int64_t wanted = ir_ceil_div(exec->n_workers, rnn->n_directions);
  fast_work work = {state, in, out, exec, most(least(wanted, rnn->batch), ir_ceil_div(rnn->batch, MOST_LINES))};
  /* Estimates the work as bytes to read: multiplying by a weight costs about as much as reading a byte. */
  int64_t bytes;
  if (!ir_mul((int64_t)(in[rnn->weights]->bytes + in[rnn->weights + 1]->bytes) / 4, rnn->batch * rnn->length, &bytes))
    bytes = INT64_MAX;
  exec->share(exec, rnn->n_directions * work.n_blocks, bytes, run_blocks, &work);
  return IR_OK;
}

/* ---- panels ---- */

/* Transposes rows of n_terms weights into columns of panels. */
static void lay_out(const float *rows, int64_t n_rows, int64_t n_terms, int64_t panel, float *to, ir_stop *stop) {
  if (n_rows % panel != 0) /* clears the unused columns of the last panel */
    memset(to + n_rows / panel * panel * n_terms, 0, (size_t)(panel * n_terms) * sizeof *to);
  for (int64_t row = 0; row < n_rows && !ir_stop_asked_of(stop, 0); row++, rows += n_terms) {
    float *column = to + row / panel * panel * n_terms + row % panel;
    for (int64_t i = 0; i < n_terms; i++)
      column[i * panel] = rows[i];
  }
}

static ir_code run_lay_out(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const fast_state *state = step->state;
  const ir_rnn_state *rnn = state->rnn;
  const int64_t n_rows = rnn->shapes->gates * rnn->hidden, n_first = first_rows(rnn);
  const int64_t n_terms = out[0]->dims[2], panel = state->vectors->panel;
  for (int64_t i = 0; i < rnn->n_directions; i++) {
    const float *from = (const float *)in[0]->data + i * n_rows * n_terms;
    float *to = (float *)out[0]->data + i * state->columns * n_terms;
    lay_out(from, n_first, n_terms, panel, to, exec->stop);
    lay_out(from + n_first * n_terms, n_rows - n_first, n_terms, panel, to + state->first * n_terms, exec->stop);
  }
  return IR_OK;
}

static const ir_kernel lay_out_kernel = {.name = "recurrent_weights", .isa = "any", .run = run_lay_out};

/* ---- preparing ---- */

/* Non-constant weights are copied into panels in each run, which costs as much as a few time steps. */
bool ir_rnn_is_worth_it(const ir_rnn_state *rnn, const ir_value *const *in) {
  enum { LEAST_STEPS = 8 };
  return rnn->batch * rnn->length >= LEAST_STEPS ||
         (in[rnn->weights]->is_constant && in[rnn->weights + 1]->is_constant);
}

static const ir_rnn_vectors *choose(void) {
  const ir_rnn_vectors *const *vectors = ir_rnn_vectors_list;
  while (!(*vectors)->available())
    vectors++;
  return *vectors;
}

static fast_state state_of(const ir_rnn_state *rnn) {
  fast_state state = {.rnn = rnn, .vectors = choose()};
  const int64_t panel = state.vectors->panel, n_last = rnn->shapes->gates * rnn->hidden - first_rows(rnn);
  state.kernel = (ir_kernel){
      .name = "recurrent.panels", .isa = state.vectors->isa, .run = run, .why = "f32, and large enough for vectors"};
  state.first = round_up(first_rows(rnn), panel);
  state.columns = state.first + round_up(n_last, panel);
  state.n_state = round_up(rnn->hidden, IR_RNN_MOST_LANES);
  state.n_lines = least(rnn->batch, MOST_LINES);
  state.n_steps = state.n_lines == 0 ? 1 : SUMS / (state.n_lines * state.columns);
  state.n_steps = most(1, least(state.n_steps, rnn->length));
  return state;
}

ir_code ir_rnn_fast_step(const ir_rnn_state *rnn, const ir_node *node, ir_plan *plan, int32_t *in, int32_t n_in,
                         const int32_t *out, int32_t n_out) {
  fast_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  const int64_t terms[] = {rnn->input, rnn->hidden};
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  *state = state_of(rnn);
  for (int i = 0; i < 2; i++) {
    const ir_shape shape = ir_shape_of(3, (const int64_t[]){rnn->n_directions, state->columns, terms[i]});
    const int32_t laid_out = ir_plan_make(plan, &lay_out_kernel, state, in[rnn->weights + i], IR_F32, &shape);
    if (laid_out < 0)
      return IR_NO_MEMORY;
    in[rnn->weights + i] = laid_out;
  }
  return ir_plan_step_on(plan, node, &state->kernel, state, (size_t)scratch_floats(state) * sizeof(float), in, n_in,
                         out, n_out);
}
