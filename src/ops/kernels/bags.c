#include "ops/kernels/bags.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/wide.h"
#include <math.h>
#include <string.h>

enum { MOST_INPUTS = 6 };

typedef struct bags_state {
  ir_bags bags;
  ir_index_input inputs[MOST_INPUTS];
} bags_state;

typedef struct bags_work {
  const ir_bags *bags;
  const ir_tensor *table, *indices, *offsets, *ids, *weights;
  const ir_tensor *out;
  int64_t n_positions, row; /* elements of a row */
  int64_t default_row;      /* or -1 */
  ir_wide_type wide;
} bags_work;

typedef struct stretch {
  int64_t from, to;
} stretch;

/* The first position whose id is `id` or more. */
static int64_t first_of_id(const bags_work *work, int64_t id) {
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

static stretch positions_of(const bags_work *work, int64_t bag) {
  if (work->ids != NULL)
    return (stretch){first_of_id(work, bag), first_of_id(work, bag + 1)};
  if (work->offsets == NULL)
    return (stretch){bag * work->indices->dims[1], (bag + 1) * work->indices->dims[1]};
  const bool is_last = bag + 1 == work->offsets->dims[0];
  return (stretch){ir_index_at(work->offsets, bag), is_last ? work->n_positions : ir_index_at(work->offsets, bag + 1)};
}

/* ---- a piece of a row ---- */

static void add(const bags_work *work, const ir_piece *row, int64_t position, int64_t n, ir_piece *sum) {
  double weight = 1;
  uint64_t whole_weight = 1;
  if (work->weights != NULL)
    ir_wide_load(work->weights->type, ir_tensor_at(work->weights, position), work->wide,
                 work->wide == IR_WIDE_F64 ? (void *)&weight : &whole_weight, 1);
  for (int64_t i = 0; i < n; i++)
    if (work->wide == IR_WIDE_F64)
      sum->f64[i] += row->f64[i] * weight;
    else
      sum->u64[i] += row->u64[i] * whole_weight;
}

static void take_most(const bags_work *work, const ir_piece *row, int64_t n, ir_piece *most) {
  for (int64_t i = 0; i < n; i++)
    if (work->wide == IR_WIDE_F64)
      most->f64[i] = IR_GREATER(row->f64[i], most->f64[i]);
    else if (work->wide == IR_WIDE_I64)
      most->i64[i] = IR_GREATER(row->i64[i], most->i64[i]);
    else
      most->u64[i] = IR_GREATER(row->u64[i], most->u64[i]);
}

/* Sums to means, of integers cut toward zero. */
static void divide(const bags_work *work, int64_t count, int64_t n, ir_piece *sum) {
  for (int64_t i = 0; i < n; i++)
    if (work->wide == IR_WIDE_F64)
      sum->f64[i] /= (double)count;
    else if (work->wide == IR_WIDE_I64)
      sum->i64[i] /= count;
    else
      sum->u64[i] /= (uint64_t)count;
}

/* The lowest finite number of the type, or 0. */
static void fill_empty(const bags_work *work, int64_t n, ir_piece *out) {
  static const double lowest[IR_TYPE_COUNT] = {
      [IR_F32] = -0x1.fffffep127, [IR_F64] = -0x1.fffffffffffffp1023, [IR_F16] = -65504, [IR_BF16] = -0x1.fep127};
  const int bits = ir_type_bits(work->out->type);
  memset(out, 0, sizeof *out);
  for (int64_t i = 0; i < n && work->bags->empty_is_lowest; i++)
    if (work->wide == IR_WIDE_F64)
      out->f64[i] = lowest[work->out->type];
    else if (work->wide == IR_WIDE_I64)
      out->i64[i] = INT64_MIN >> (64 - bits);
}

/* Elements [at, at + n) of a bag. */
static void make_piece(const bags_work *work, stretch positions, int64_t at, int64_t n, ir_piece *made) {
  ir_piece row;
  fill_empty(work, n, made);
  if (positions.from >= positions.to && work->default_row >= 0)
    ir_wide_load(work->table->type, ir_tensor_at(work->table, work->default_row * work->row + at), work->wide, made, n);
  for (int64_t p = positions.from; p < positions.to; p++) {
    const int64_t index = work->indices != NULL ? ir_index_at(work->indices, p) : p;
    const bool is_first = p == positions.from && work->bags->reduction == IR_BAG_MOST;
    ir_wide_load(work->table->type, ir_tensor_at(work->table, index * work->row + at), work->wide,
                 is_first ? made : &row, n);
    if (work->bags->reduction != IR_BAG_MOST)
      add(work, &row, p, n, made);
    else if (!is_first)
      take_most(work, &row, n, made);
  }
  if (positions.to > positions.from && work->bags->reduction == IR_BAG_MEAN)
    divide(work, positions.to - positions.from, n, made);
}

static void make_bags(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const bags_work *work = user;
  ir_piece made;
  for (int64_t bag = begin; bag < end; bag++) {
    const stretch positions = positions_of(work, bag);
    for (int64_t at = 0, n; at < work->row; at += n) {
      n = work->row - at < IR_PIECE ? work->row - at : IR_PIECE;
      make_piece(work, positions, at, n, &made);
      ir_wide_store(work->wide, &made, work->out->type, (void *)ir_tensor_at(work->out, bag * work->row + at), n);
    }
  }
}

/* ---- running ---- */

/* Numbers from `least` to below `limit`; a list that may not fall, too. */
static ir_code check(const bags_state *state, int port, const ir_tensor *numbers, int64_t limit, bool is_rising) {
  int64_t least = 0;
  for (int64_t i = 0, n = ir_tensor_elements(numbers); i < n; i++) {
    const int64_t number = ir_index_at(numbers, i);
    if (number < least || number >= limit)
      return ir_index_report(&state->inputs[port], i, number, least, limit);
    least = is_rising ? number : 0;
  }
  return IR_OK;
}

static ir_code check_inputs(const bags_state *state, const bags_work *work) {
  const int64_t n_rows = work->table->dims[0];
  ir_code code = IR_OK;
  if (work->indices != NULL)
    code = check(state, state->bags.indices, work->indices, n_rows, false);
  if (code == IR_OK && work->offsets != NULL)
    code = check(state, state->bags.offsets, work->offsets, work->n_positions + 1, true);
  if (code == IR_OK && work->ids != NULL)
    code = check(state, state->bags.ids, work->ids, INT64_MAX, true);
  if (code == IR_OK && work->default_row >= n_rows)
    code = ir_index_report(&state->inputs[state->bags.default_index], 0, work->default_row, 0, n_rows);
  return code;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const bags_state *state = step->state;
  const ir_bags *bags = &state->bags;
  bags_work work = {.bags = bags, .table = in[0], .out = out[0], .default_row = -1, .row = 1};
  work.indices = bags->indices < 0 ? NULL : in[bags->indices];
  work.offsets = bags->offsets < 0 ? NULL : in[bags->offsets];
  work.ids = bags->ids < 0 ? NULL : in[bags->ids];
  work.weights = bags->weights < 0 ? NULL : in[bags->weights];
  work.n_positions = ir_tensor_elements(work.indices != NULL ? work.indices : work.ids);
  work.wide = ir_type_in(out[0]->type, IR_SET_FLOATS) ? IR_WIDE_F64 : ir_wide_of(out[0]->type);
  if (bags->default_index >= 0)
    work.default_row = ir_index_at(in[bags->default_index], 0);
  const ir_code code = check_inputs(state, &work);
  if (code != IR_OK || ir_tensor_elements(out[0]) == 0)
    return code;
  work.row = ir_tensor_elements(out[0]) / out[0]->dims[0];
  exec->share(exec, out[0]->dims[0], (int64_t)(in[0]->bytes + out[0]->bytes), make_bags, &work);
  return IR_OK;
}

ir_code ir_bags_step(ir_plan *plan, const ir_node *node, const ir_bags *bags, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "bags", .isa = "any", .run = run};
  bags_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (bags_state){.bags = *bags};
  for (int i = 0; i < node->n_inputs && i < MOST_INPUTS; i++)
    state->inputs[i] = ir_index_input_of(plan, node, i, scope);
  return ir_plan_step(plan, node, &kernel, state, 0);
}
