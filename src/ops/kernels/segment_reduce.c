#include "ops/kernels/segment_reduce.h"
#include "base/stop.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"
#include <math.h>
#include <string.h>

enum { MOST_INPUTS = 6 };

typedef struct segments_state {
  ir_segments segments;
  ir_index_input inputs[MOST_INPUTS];
} segments_state;

typedef struct segments_work {
  const ir_segments *segments;
  const ir_tensor *table, *indices, *offsets, *ids, *weights;
  const ir_tensor *out;
  int64_t n_positions, row; /* number of positions; elements of a row */
  ir_stop *stop;
  int64_t default_row; /* row that replaces an empty segment; -1: none */
  ir_compute_type compute;
} segments_work;

typedef struct stretch {
  int64_t from, to;
} stretch;

/* Returns the first position whose id is at least `id`. Ids are sorted. */
static int64_t first_of_id(const segments_work *work, int64_t id) {
  int64_t least = 0, most = work->n_positions;
  while (least < most) {
    const int64_t middle = least + (most - least) / 2;
    if (ir_index_at(work->ids, middle) < id)
      least = middle + 1;
    else
      most = middle;
  }
  return least;
}

static stretch positions_of(const segments_work *work, int64_t segment) {
  if (work->ids != NULL)
    return (stretch){first_of_id(work, segment), first_of_id(work, segment + 1)};
  if (work->offsets == NULL)
    return (stretch){segment * work->indices->dims[1], (segment + 1) * work->indices->dims[1]};
  const bool is_last = segment + 1 == work->offsets->dims[0];
  return (stretch){ir_index_at(work->offsets, segment),
                   is_last ? work->n_positions : ir_index_at(work->offsets, segment + 1)};
}

/* ---- a piece of a row ---- */

IR_LOOP void add_row_loop(ir_compute_type compute, const ir_piece *row, const ir_piece *weight, int64_t n,
                          ir_piece *sum) {
  const double factor = weight->f64[0];
  const uint64_t whole_factor = weight->u64[0];
  for (int64_t i = 0; compute == IR_COMPUTE_F64 && i < n; i++)
    sum->f64[i] += row->f64[i] * factor;
  for (int64_t i = 0; compute != IR_COMPUTE_F64 && i < n; i++)
    sum->u64[i] += row->u64[i] * whole_factor;
}
IR_EACH_ISA(add_row, (ir_compute_type compute, const ir_piece *row, const ir_piece *weight, int64_t n, ir_piece *sum),
            (compute, row, weight, n, sum))

static void add(const segments_work *work, const ir_piece *row, int64_t position, int64_t n, ir_piece *sum) {
  ir_piece weight;
  if (work->weights != NULL)
    ir_compute_load(work->weights->type, ir_tensor_at(work->weights, position), work->compute, &weight, 1);
  else if (work->compute == IR_COMPUTE_F64)
    weight.f64[0] = 1;
  else
    weight.u64[0] = 1;
  add_row(work->compute, row, &weight, n, sum);
}

IR_LOOP void take_most_loop(ir_compute_type compute, const ir_piece *row, int64_t n, ir_piece *most) {
  for (int64_t i = 0; compute == IR_COMPUTE_F64 && i < n; i++)
    most->f64[i] = IR_GREATER(row->f64[i], most->f64[i]);
  for (int64_t i = 0; compute == IR_COMPUTE_I64 && i < n; i++)
    most->i64[i] = IR_GREATER(row->i64[i], most->i64[i]);
  for (int64_t i = 0; compute == IR_COMPUTE_U64 && i < n; i++)
    most->u64[i] = IR_GREATER(row->u64[i], most->u64[i]);
}
IR_EACH_ISA(take_most, (ir_compute_type compute, const ir_piece *row, int64_t n, ir_piece *most),
            (compute, row, n, most))

/* Divides sums by their number of terms; means of integers are truncated. */
static void divide(const segments_work *work, int64_t count, int64_t n, ir_piece *sum) {
  for (int64_t i = 0; i < n; i++)
    if (work->compute == IR_COMPUTE_F64)
      sum->f64[i] /= (double)count;
    else if (work->compute == IR_COMPUTE_I64)
      sum->i64[i] /= count;
    else
      sum->u64[i] /= (uint64_t)count;
}

/* Fills `out` with the result of an empty segment: the type's lowest finite number if empty_is_lowest, else 0. */
static void fill_empty(const segments_work *work, int64_t n, ir_piece *out) {
  const int bits = ir_type_bits(work->out->type);
  memset(out, 0, sizeof *out);
  for (int64_t i = 0; i < n && work->segments->empty_is_lowest; i++)
    if (work->compute == IR_COMPUTE_F64)
      out->f64[i] = ir_lowest_number(work->out->type);
    else if (work->compute == IR_COMPUTE_I64)
      out->i64[i] = INT64_MIN >> (64 - bits);
}

/* Computes elements [at, at + n) of a segment's row of the output. */
static void make_piece(const segments_work *work, stretch positions, int64_t at, int64_t n, ir_piece *made,
                       int worker) {
  ir_piece row;
  int64_t since = 0;
  fill_empty(work, n, made);
  if (positions.from >= positions.to && work->default_row >= 0)
    ir_compute_load(work->table->type, ir_tensor_at(work->table, work->default_row * work->row + at), work->compute,
                    made, n);
  for (int64_t p = positions.from; p < positions.to && !ir_stop_asked_after(work->stop, worker, n, &since); p++) {
    const int64_t index = work->indices != NULL ? ir_index_at(work->indices, p) : p;
    const bool is_first = p == positions.from && work->segments->reduction == IR_SEGMENT_MOST;
    ir_compute_load(work->table->type, ir_tensor_at(work->table, index * work->row + at), work->compute,
                    is_first ? made : &row, n);
    if (work->segments->reduction != IR_SEGMENT_MOST)
      add(work, &row, p, n, made);
    else if (!is_first)
      take_most(work->compute, &row, n, made);
  }
  if (positions.to > positions.from && work->segments->reduction == IR_SEGMENT_MEAN)
    divide(work, positions.to - positions.from, n, made);
}

static void make_bags(void *user, int64_t begin, int64_t end, int worker) {
  const segments_work *work = user;
  ir_piece made;
  for (int64_t segment = begin; segment < end; segment++) {
    const stretch positions = positions_of(work, segment);
    for (int64_t at = 0, n; at < work->row; at += n) {
      n = work->row - at < IR_PIECE ? work->row - at : IR_PIECE;
      make_piece(work, positions, at, n, &made, worker);
      ir_compute_store(work->compute, &made, work->out->type, (void *)ir_tensor_at(work->out, segment * work->row + at),
                       n);
    }
  }
}

/* ---- running ---- */

/* Checks that all numbers lie in [0, limit) and, if is_rising, that they do not decrease. A stop ends the check. */
static ir_code check(const segments_state *state, int port, const ir_tensor *numbers, int64_t limit, bool is_rising,
                     ir_stop *stop) {
  int64_t least = 0, since = 0;
  for (int64_t i = 0, n = ir_tensor_elements(numbers); i < n && !ir_stop_asked_after(stop, 0, 1, &since); i++) {
    const int64_t number = ir_index_at(numbers, i);
    if (number < least || number >= limit)
      return ir_index_report(&state->inputs[port], i, number, least, limit);
    least = is_rising ? number : 0;
  }
  return IR_OK;
}

static ir_code check_inputs(const segments_state *state, const segments_work *work) {
  const int64_t n_rows = work->table->dims[0];
  ir_code code = IR_OK;
  if (work->indices != NULL)
    code = check(state, state->segments.indices, work->indices, n_rows, false, work->stop);
  if (code == IR_OK && work->offsets != NULL)
    code = check(state, state->segments.offsets, work->offsets, work->n_positions + 1, true, work->stop);
  if (code == IR_OK && work->ids != NULL)
    code = check(state, state->segments.ids, work->ids, INT64_MAX, true, work->stop);
  if (code == IR_OK && work->default_row >= n_rows)
    code = ir_index_report(&state->inputs[state->segments.default_index], 0, work->default_row, 0, n_rows);
  return code;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const segments_state *state = step->state;
  const ir_segments *segments = &state->segments;
  segments_work work = {
      .segments = segments, .table = in[0], .out = out[0], .stop = exec->stop, .default_row = -1, .row = 1};
  work.indices = segments->indices < 0 ? NULL : in[segments->indices];
  work.offsets = segments->offsets < 0 ? NULL : in[segments->offsets];
  work.ids = segments->ids < 0 ? NULL : in[segments->ids];
  work.weights = segments->weights < 0 ? NULL : in[segments->weights];
  work.n_positions = ir_tensor_elements(work.indices != NULL ? work.indices : work.ids);
  work.compute = ir_type_in(out[0]->type, IR_SET_FLOATS) ? IR_COMPUTE_F64 : ir_compute_type_of(out[0]->type);
  if (segments->default_index >= 0)
    work.default_row = ir_index_at(in[segments->default_index], 0);
  const ir_code code = check_inputs(state, &work);
  if (code != IR_OK || ir_tensor_elements(out[0]) == 0 || ir_stop_asked(exec->stop))
    return code;
  work.row = ir_tensor_elements(out[0]) / out[0]->dims[0];
  exec->share(exec, out[0]->dims[0], (int64_t)(in[0]->bytes + out[0]->bytes), make_bags, &work);
  return IR_OK;
}

ir_code ir_segment_reduce_step(ir_plan *plan, const ir_node *node, const ir_segments *segments, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "bags", .isa = "any", .run = run};
  segments_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (segments_state){.segments = *segments};
  for (int i = 0; i < node->n_inputs && i < MOST_INPUTS; i++)
    state->inputs[i] = ir_index_input_of(plan, node, i, scope);
  return ir_plan_step(plan, node, &kernel, state, 0);
}
