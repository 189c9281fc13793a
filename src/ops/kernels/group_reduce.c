#include "ops/kernels/group_reduce.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/numbers.h"
#include <math.h>
#include <string.h>

#define SHARED_ROWS(element, name)                                                                                     \
  IR_GROUP_REDUCE_EACH(sum_##name, element, double, double, a, 0, x, s + t)                                            \
  IR_GROUP_REDUCE_EACH(squares_##name, element, double, double, a, 0, x *x, s + t)                                     \
  IR_GROUP_REDUCE_EACH(deviations_##name, element, double, double, b, 0, (x - a) * (x - a), s + t)                     \
  void ir_group_reduce_sum_##name(const ir_group_reduce_call *call) {                                                  \
    sum_##name(call);                                                                                                  \
  }                                                                                                                    \
  void ir_group_reduce_squares_##name(const ir_group_reduce_call *call) {                                              \
    squares_##name(call);                                                                                              \
  }                                                                                                                    \
  void ir_group_reduce_deviations_##name(const ir_group_reduce_call *call) {                                           \
    deviations_##name(call);                                                                                           \
  }
SHARED_ROWS(float, f32)
SHARED_ROWS(double, f64)
IR_GROUP_REDUCE_THEN(mean, double, a, a / (double)call->n_terms)

void ir_group_reduce_mean(const ir_group_reduce_call *call) {
  mean(call);
}

ir_compute_type ir_group_reduce_compute(ir_type type) {
  return ir_compute_type_of(type) == IR_COMPUTE_F32 ? IR_COMPUTE_F32 : IR_COMPUTE_F64;
}

void ir_group_reduce_round(ir_type type, double *y, int64_t n) {
  for (int64_t i = 0; i < n && !ir_type_in(type, IR_SET_FLOATS); i++)
    y[i] = rint(y[i]);
}

enum {
  BLOCK = 4096,        /* most elements of a block that is converted; two blocks of floats fit the L1 cache */
  MOST_GROUPS = 512,   /* most groups of a tile */
  LEAST_ACROSS = 16,   /* fewest adjacent groups that are worth processing together: floats of a cache line */
  LONG_BLOCK = 1 << 20 /* most elements of a block that is not converted: of some ms */
};

typedef struct reduce_state {
  const ir_group_reduce *reduce;
  ir_compute_type compute, of_groups; /* types of the elements in rows, and of the groups' values */
  const void *params;
  ir_nd_iter groups, terms;     /* iterators in input 0: over all groups; over the elements of one group */
  int64_t n_terms, most_groups; /* elements of a group; most groups of a tile */
  bool is_across;               /* the last axis stays, so adjacent elements belong to different groups */
  bool is_direct;               /* rows read and write the tensors; otherwise blocks are converted */
  bool is_held;                 /* a tile is converted once for all passes */
  bool is_turned;               /* a tile is transposed, so that equal elements of its groups are adjacent */
} reduce_state;

typedef struct reduce_work {
  const reduce_state *state;
  const ir_tensor *const *in;
  const ir_tensor *out;
  ir_stop *stop;
} reduce_work;

/* A tile: several groups that are processed together. */
typedef struct reduce_tile {
  const reduce_work *work;
  ir_group_reduce_call call;
  int64_t n_groups, offset; /* groups of the tile; offset in input 0 of the first group's first element */
  bool is_loaded;           /* x has the elements of all blocks */
  int64_t since;            /* of ir_stop_asked_after */
  ir_piece a, b, x[BLOCK / IR_PIECE], y[BLOCK / IR_PIECE];
} reduce_tile;

/* Distance between neighbours on the iterator's last axis. */
static int64_t step_of(const ir_nd_iter *iter) {
  return iter->steps[0][iter->n_axes - 1];
}

/* ---- passes ---- */

#define TRANSPOSE(type)                                                                                                \
  for (int64_t r = 0; r < n_rows; r++)                                                                                 \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      ((type *)to)[i * n_rows + r] = ((const type *)from)[r * n + i];

static void transpose(size_t size, const void *from, void *to, int64_t n_rows, int64_t n) {
  if (size == sizeof(uint32_t)) {
    TRANSPOSE(uint32_t)
  } else {
    TRANSPOSE(uint64_t)
  }
}

/* Converts the call's block to the contiguous rows in `to`. If the tile is transposed, the block is the whole tile. */
static void load(reduce_tile *tile, void *to, int64_t step) {
  const reduce_work *work = tile->work;
  const ir_group_reduce_call *call = &tile->call;
  const ir_compute_type compute = work->state->compute;
  const size_t size = ir_compute_size(compute);
  if (work->state->is_turned) {
    ir_compute_load(work->in[0]->type, ir_tensor_at(work->in[0], call->offset), compute, tile->y,
                    call->n_rows * call->n);
    transpose(size, tile->y, to, call->n, call->n_rows);
    return;
  }
  for (int64_t r = 0; r < call->n_rows; r++)
    ir_compute_load(work->in[0]->type, ir_tensor_at(work->in[0], call->offset + r * step), compute,
                    (char *)to + (size_t)(r * call->n) * size, call->n);
}

/* Converts the rows in `from` to the output. */
static void store(reduce_tile *tile, char *from, int64_t step) {
  const reduce_work *work = tile->work;
  const ir_group_reduce_call *call = &tile->call;
  const ir_compute_type compute = work->state->compute;
  const int64_t n_all = call->n_rows * call->n;
  const size_t size = ir_compute_size(compute);
  if (compute == IR_COMPUTE_F64)
    ir_group_reduce_round(work->out->type, (double *)from, n_all);
  if (work->state->is_turned) {
    transpose(size, from, tile->x, call->n_rows, call->n);
    ir_compute_store(compute, tile->x, work->out->type, ir_tensor_at(work->out, call->offset), n_all);
    return;
  }
  for (int64_t r = 0; r < call->n_rows; r++)
    ir_compute_store(compute, from + (size_t)(r * call->n) * size, work->out->type,
                     ir_tensor_at(work->out, call->offset + r * step), call->n);
}

/* Calls `row` for a block of n terms of all groups of the tile. `at` terms of each group are in earlier blocks. */
static void call_block(reduce_tile *tile, ir_group_reduce_row *row, int64_t offset, int64_t at, int64_t n) {
  const reduce_work *work = tile->work;
  const reduce_state *state = work->state;
  const int64_t step = step_of(state->is_across ? &state->terms : &state->groups);
  const size_t skipped = state->is_held ? (size_t)(at * tile->n_groups) * ir_compute_size(state->compute) : 0;
  char *x = (char *)tile->x + skipped, *y = (char *)tile->y + skipped;
  ir_group_reduce_call *call = &tile->call;
  call->n_rows = state->is_across ? n : tile->n_groups;
  call->n = state->is_across ? tile->n_groups : n;
  call->offset = offset;
  call->x_step = call->y_step = state->is_direct ? step : call->n;
  if (!state->is_direct && !tile->is_loaded)
    load(tile, x, step);
  call->x = state->is_direct ? ir_tensor_at(work->in[0], offset) : x;
  call->y = state->is_direct && state->reduce->last != NULL ? ir_tensor_at(work->out, offset) : y;
  row(call);
  if (!state->is_direct && row == state->reduce->last)
    store(tile, y, step);
}

/* Returns the most terms of a block. A row that reduces a line is not cut, because that would change the order in which
 * its elements are added. */
static int64_t most_terms_of(const reduce_tile *tile, ir_group_reduce_row *row) {
  const reduce_state *state = tile->work->state;
  if (!state->is_direct)
    return BLOCK / tile->n_groups;
  return row == state->reduce->last || state->is_across ? LONG_BLOCK / tile->n_groups : INT64_MAX;
}

static void pass(reduce_tile *tile, ir_group_reduce_row *row) {
  const reduce_state *state = tile->work->state;
  const ir_nd_iter *terms = &state->terms;
  const int64_t length = ir_nd_iter_length(terms), most_terms = least(length, most_terms_of(tile, row));
  const int64_t n_blocks = length == 0 ? 0 : ir_ceil_div(length, most_terms), n_rows = ir_nd_iter_count(terms);
  ir_nd_iter_place place = {0};
  for (int64_t r = 0; r < n_rows; r++) {
    for (int64_t b = 0; b < n_blocks; b++) {
      const int64_t at = (state->reduce->backwards ? n_blocks - 1 - b : b) * most_terms,
                    n = least(length - at, most_terms);
      if (ir_stop_asked_after(tile->call.stop, tile->call.worker, n * tile->n_groups, &tile->since))
        return;
      call_block(tile, row, tile->offset + place.offset[0] + at * step_of(terms), r * length + at, n);
    }
    ir_nd_iter_next(terms, &place);
  }
  tile->is_loaded = state->is_held;
}

static void call_groups(reduce_tile *tile, ir_group_reduce_row *row) {
  tile->call.n = tile->n_groups;
  if (row != NULL)
    row(&tile->call);
}

/* Computes the tile whose first group is number `group`. */
static void reduce_groups(reduce_tile *tile, int64_t group) {
  const reduce_state *state = tile->work->state;
  const ir_group_reduce *reduce = state->reduce;
  const ir_tensor *out = tile->work->out;
  memset(&tile->a, 0, (size_t)tile->n_groups * sizeof *tile->a.u64);
  memset(&tile->b, 0, (size_t)tile->n_groups * sizeof *tile->b.u64);
  tile->is_loaded = false;
  call_groups(tile, reduce->begin);
  for (int i = 0; i < 2; i++) {
    if (reduce->each[i] != NULL)
      pass(tile, reduce->each[i]);
    call_groups(tile, reduce->then[i]);
  }
  if (reduce->last != NULL)
    pass(tile, reduce->last);
  else
    ir_compute_store(state->of_groups, &tile->a, out->type, ir_tensor_at(out, group), tile->n_groups);
}

static void work_groups(void *user, int64_t begin, int64_t end, int worker) {
  const reduce_work *work = user;
  const reduce_state *state = work->state;
  const ir_nd_iter *groups = &state->groups;
  const int64_t row = ir_nd_iter_length(groups);
  reduce_tile tile;
  tile.work = work;
  tile.since = 0;
  tile.call = (ir_group_reduce_call){.a = &tile.a,
                                     .b = &tile.b,
                                     .is_across = state->is_across,
                                     .n_terms = state->n_terms,
                                     .is_kept = state->reduce->keeps && (state->is_direct || state->is_held),
                                     .in = work->in,
                                     .params = state->params,
                                     .stop = work->stop,
                                     .worker = worker};
  ir_nd_iter_place place;
  ir_nd_iter_go(groups, begin / row, &place);
  for (int64_t at = begin % row; begin < end; begin += tile.n_groups) {
    tile.n_groups = least(least(row - at, end - begin), state->most_groups);
    tile.offset = place.offset[0] + at * step_of(groups);
    reduce_groups(&tile, begin);
    at += tile.n_groups;
    if (at == row) {
      at = 0;
      ir_nd_iter_next(groups, &place);
    }
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  reduce_work work = {step->state, in, out[0], exec->stop};
  const ir_nd_iter *groups = &work.state->groups;
  exec->share(exec, ir_nd_iter_count(groups) * ir_nd_iter_length(groups), (int64_t)(in[0]->bytes + out[0]->bytes),
              work_groups, &work);
  return IR_OK;
}

/* Sets the iterators for n_groups groups without elements. */
static void set_empty(reduce_state *state, int64_t n_groups) {
  int64_t steps[1][IR_MAX_RANK] = {{0}};
  state->groups = ir_nd_iter_of(1, &n_groups, 1, steps);
  state->terms = ir_nd_iter_of(1, &(int64_t){0}, 1, steps);
}

/* Returns an iterator over the axes in `axes` or, if `among` is false, over all other axes. */
static ir_nd_iter rows_along(const ir_shape *shape, const ir_axes *axes, bool among) {
  int64_t all[IR_MAX_RANK], dims[IR_MAX_RANK], steps[1][IR_MAX_RANK];
  int n = 0;
  ir_nd_iter_steps(shape, 0, shape->rank, all);
  for (int i = 0; i < shape->rank; i++)
    if (ir_axes_hold(axes, i) == among) {
      steps[0][n] = all[i];
      dims[n++] = shape->dims[i].lo;
    }
  return ir_nd_iter_of(n, dims, 1, steps);
}

/* Chooses how many groups to process together, and whether to convert their elements once. Several passes over a tile
 * find its elements in the cache. */
static void choose_tiles(reduce_state *state, ir_type type, int32_t n_in) {
  const ir_group_reduce *reduce = state->reduce;
  const int64_t n = most(state->n_terms, 1);
  const int n_passes = (reduce->each[0] != NULL) + (reduce->each[1] != NULL) + (reduce->last != NULL);
  state->is_turned = step_of(&state->groups) == n && n > 1 && n < IR_REDUCE_LANES && step_of(&state->terms) == 1 &&
                     ir_nd_iter_count(&state->terms) == 1 && n_in == 1;
  state->is_across = step_of(&state->groups) == 1 || state->is_turned;
  state->is_direct = ir_compute_type_is(state->compute, type) && !state->is_turned;
  state->most_groups = n_passes == 1 && (state->is_direct || state->is_across) && !state->is_turned
                           ? MOST_GROUPS
                           : least(most(BLOCK / n, state->is_across ? LEAST_ACROSS : 1), MOST_GROUPS);
  state->is_held = !state->is_direct && n * state->most_groups <= BLOCK;
}

ir_code ir_group_reduce_step(ir_plan *plan, const ir_node *node, const ir_group_reduce *reduce, ir_compute_type compute,
                             const ir_shape *shape, const ir_axes *axes, int32_t n_in, ir_scope *scope) {
  reduce_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  const ir_kernel *kernel = ir_plan_kernel(plan, reduce->name, node->outputs[0].type, run);
  int32_t slots[IR_MAX_OP_PORTS];
  int64_t n, n_out;
  if (state == NULL || kernel == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (reduce_state){.reduce = reduce, .compute = compute, .params = node->params};
  state->of_groups = compute == IR_COMPUTE_F32 ? IR_COMPUTE_F64 : compute;
  if (!ir_shape_elements(shape, &n) || !ir_shape_elements(&node->outputs[0].shape, &n_out))
    return ir_out_of_memory(scope->diags);
  if (n == 0) { /* the product of the other dims can overflow */
    set_empty(state, reduce->last == NULL ? n_out : 0);
  } else {
    const ir_shape laid = ir_laid_shape(node->outputs[0].layout, shape);
    const ir_axes laid_axes = ir_laid_axes(node->outputs[0].layout, axes, shape->rank);
    state->groups = rows_along(&laid, &laid_axes, false);
    state->terms = rows_along(&laid, &laid_axes, true);
  }
  state->n_terms = ir_nd_iter_count(&state->terms) * ir_nd_iter_length(&state->terms);
  choose_tiles(state, node->outputs[0].type, n_in);
  for (int32_t i = 0; i < n_in; i++)
    slots[i] = ir_plan_input_slot(plan, i);
  const int32_t out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, kernel, state, 0, slots, n_in, &out, 1);
}
