#include "ops/kernels/group_reduce.h"
#include "ops/kernels/nd_iter.h"
#include <math.h>
#include <string.h>

IR_GROUP_REDUCE_EACH_ROW(ir_group_reduce_sum, double, a, s + x)
IR_GROUP_REDUCE_EACH_ROW(ir_group_reduce_squares, double, a, s + x * x)
IR_GROUP_REDUCE_THEN_ROW(ir_group_reduce_mean, double, a, a / (double)call->n_terms)
IR_GROUP_REDUCE_EACH_ROW(ir_group_reduce_deviations, double, b, s + (x - a) * (x - a))

void ir_group_reduce_round(ir_type type, double *y, int64_t n) {
  for (int64_t i = 0; i < n && !ir_type_in(type, IR_SET_FLOATS); i++)
    y[i] = rint(y[i]);
}

/* Most elements of a tile that is loaded once for all passes. They take half of the L1 cache. */
enum { HELD = 4 * IR_PIECE };
/* Fewest adjacent groups that are worth processing together. */
enum { LEAST_ACROSS = 16 };

typedef struct reduce_state {
  const ir_group_reduce *reduce;
  ir_compute_type compute;
  const void *params;
  ir_nd_iter groups, terms;     /* iterators in input 0: over all groups; over the elements of one group */
  int64_t n_terms, most_groups; /* elements of a group; most groups of a tile */
  bool goes_across;             /* the last axis stays, so adjacent elements belong to different groups */
  bool is_held, is_turned; /* is_held: a tile is loaded once; is_turned: it is also transposed, so that equal elements
                              of its groups are adjacent */
} reduce_state;

typedef struct reduce_work {
  const reduce_state *state;
  const ir_tensor *const *in;
  const ir_tensor *out;
} reduce_work;

/* A tile: one group, or several adjacent groups that are processed together. `held` has the loaded elements in the
 * order in which a pass visits them. */
typedef struct reduce_tile {
  const reduce_work *work;
  ir_group_reduce_call call;
  int64_t n_groups, offset; /* groups of the tile; offset in input 0 of the first group's first element */
  ir_piece a, b, x, y, held[HELD / IR_PIECE];
} reduce_tile;

static void *held_at(reduce_tile *tile, int64_t at) {
  return (char *)tile->held + (size_t)at * ir_compute_size(tile->work->state->compute);
}

static const void *load(const reduce_work *work, int64_t offset, int64_t n, ir_piece *piece) {
  const ir_type type = work->in[0]->type;
  const char *from = (const char *)work->in[0]->data + (size_t)offset * ir_type_size(type);
  if (ir_compute_type_is(work->state->compute, type))
    return from;
  ir_compute_load(type, from, work->state->compute, piece, n);
  return piece;
}

static void store(const reduce_work *work, void *y, int64_t offset, int64_t n) {
  const ir_compute_type compute = work->state->compute;
  if (compute == IR_COMPUTE_F64)
    ir_group_reduce_round(work->out->type, y, n);
  ir_compute_store(compute, y, work->out->type, ir_tensor_at(work->out, offset), n);
}

/* ---- transposed groups ---- */

/* Distances between neighbours in a group (term), and between equal elements of neighbouring groups (group). */
typedef struct turn_steps {
  int64_t term, group;
} turn_steps;

static void turn(const uint64_t *from, turn_steps from_steps, uint64_t *to, turn_steps to_steps, int64_t n_groups,
                 int64_t n_terms) {
  for (int64_t t = 0; t < n_terms; t++)
    for (int64_t g = 0; g < n_groups; g++)
      to[t * to_steps.term + g * to_steps.group] = from[t * from_steps.term + g * from_steps.group];
}

/* Transposes the tile from input 0 into `held` or, if `back`, from `held` to the output. Takes as many groups at a time
 * as fit a piece. */
static void pass_turned(reduce_tile *tile, bool back) {
  const int64_t length = tile->work->state->n_terms, most = IR_PIECE / length;
  const turn_steps lying = {1, length}, held = {tile->n_groups, 1};
  for (int64_t at = 0, n; at < tile->n_groups; at += n) {
    const int64_t left = tile->n_groups - at, offset = tile->offset + at * length;
    n = left < most ? left : most;
    if (back) {
      turn(held_at(tile, at), held, tile->y.u64, lying, n, length);
      store(tile->work, &tile->y, offset, n * length);
    } else {
      turn(load(tile->work, offset, n * length, &tile->x), lying, held_at(tile, at), held, n, length);
    }
  }
}

/* ---- passes ---- */

/* Calls `row` for n contiguous elements: from held_at(tile, at) if the tile is held, else from `offset` in input 0. If
 * `row` is NULL, loads the elements into held_at(tile, at). */
static void call_row(reduce_tile *tile, ir_group_reduce_row *row, int64_t offset, int64_t at, int64_t n) {
  const reduce_state *state = tile->work->state;
  const reduce_work *work = tile->work;
  const size_t bytes = (size_t)n * ir_compute_size(state->compute);
  const bool is_last = row == state->reduce->last;
  ir_group_reduce_call *call = &tile->call;
  call->x = state->is_held ? held_at(tile, at) : load(work, offset, n, &tile->x);
  call->y = &tile->y;
  call->n = n;
  call->offset = offset;
  if (row == NULL) {
    ir_compute_load(work->in[0]->type, ir_tensor_at(work->in[0], offset), state->compute, held_at(tile, at), n);
    return;
  }
  if (is_last && !state->is_turned && ir_compute_type_is(state->compute, work->out->type))
    call->y = ir_tensor_at(work->out, offset);
  row(call);
  if (is_last ? state->is_turned : call->is_kept && row == state->reduce->each[1])
    memcpy(held_at(tile, at), call->y, bytes);
  else if (is_last && call->y == &tile->y)
    store(work, call->y, offset, n);
}

static void pass(reduce_tile *tile, ir_group_reduce_row *row) {
  const reduce_state *state = tile->work->state;
  const ir_nd_iter *terms = &state->terms;
  const bool across = state->goes_across || state->is_turned;
  const int64_t length = ir_nd_iter_length(terms), step = terms->steps[0][terms->n_axes - 1];
  const int64_t piece = across ? 1 : IR_PIECE, n_pieces = ir_ceil_div(length, piece), n_rows = ir_nd_iter_count(terms);
  ir_nd_iter_place place = {0};
  for (int64_t r = 0; r < n_rows; r++) {
    for (int64_t p = 0; p < n_pieces; p++) {
      const int64_t at = (state->reduce->backwards ? n_pieces - 1 - p : p) * piece;
      const int64_t n = length - at < piece ? length - at : piece;
      call_row(tile, row, tile->offset + place.offset[0] + at * step, (r * length + at) * (across ? tile->n_groups : 1),
               across ? tile->n_groups : n);
    }
    ir_nd_iter_next(terms, &place);
  }
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
  const size_t bytes = (size_t)tile->n_groups * ir_compute_size(state->compute);
  memset(&tile->a, 0, bytes);
  memset(&tile->b, 0, bytes);
  call_groups(tile, reduce->begin);
  if (state->is_turned)
    pass_turned(tile, false);
  else if (state->is_held)
    pass(tile, NULL);
  if (reduce->begins_with_term && state->n_terms > 0)
    memcpy(&tile->a, state->is_held ? tile->held : load(tile->work, tile->offset, tile->n_groups, &tile->x), bytes);
  for (int i = 0; i < 2; i++) {
    if (reduce->each[i] != NULL)
      pass(tile, reduce->each[i]);
    call_groups(tile, reduce->then[i]);
  }
  if (reduce->last != NULL)
    pass(tile, reduce->last);
  else
    ir_compute_store(state->compute, &tile->a, out->type, ir_tensor_at(out, group), tile->n_groups);
  if (reduce->last != NULL && state->is_turned)
    pass_turned(tile, true);
}

static void work_groups(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const reduce_work *work = user;
  const reduce_state *state = work->state;
  const ir_nd_iter *groups = &state->groups;
  const int64_t row = ir_nd_iter_length(groups), step = groups->steps[0][groups->n_axes - 1];
  reduce_tile tile;
  tile.work = work;
  tile.call = (ir_group_reduce_call){.a = &tile.a,
                                     .b = &tile.b,
                                     .step = state->goes_across || state->is_turned,
                                     .n_terms = state->n_terms,
                                     .is_kept = state->is_held && state->reduce->keeps,
                                     .in = work->in,
                                     .params = state->params};
  ir_nd_iter_place place;
  ir_nd_iter_go(groups, begin / row, &place);
  for (int64_t at = begin % row; begin < end; begin += tile.n_groups) {
    const int64_t left = row - at < end - begin ? row - at : end - begin;
    tile.n_groups = left < state->most_groups ? left : state->most_groups;
    tile.offset = place.offset[0] + at * step;
    reduce_groups(&tile, begin);
    at += tile.n_groups;
    if (at == row) {
      at = 0;
      ir_nd_iter_next(groups, &place);
    }
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  reduce_work work = {step->state, in, out[0]};
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

/* Chooses how many groups to process together, and whether to load their elements once. */
static void choose_tiles(reduce_state *state, int32_t n_in) {
  const ir_group_reduce *reduce = state->reduce;
  const ir_nd_iter *groups = &state->groups;
  const int64_t step = groups->steps[0][groups->n_axes - 1], n = state->n_terms;
  const int n_passes = (reduce->each[0] != NULL) + (reduce->each[1] != NULL) + (reduce->last != NULL);
  state->goes_across = step == 1;
  state->is_turned = !state->goes_across && n_in == 1 && n > 1 && n <= HELD / LEAST_ACROSS && step == n &&
                     ir_nd_iter_count(&state->terms) == 1 && ir_compute_size(state->compute) == sizeof(uint64_t);
  state->is_held = state->is_turned || (n > 0 && n_passes > 1 && n <= HELD / (state->goes_across ? LEAST_ACROSS : 1));
  state->most_groups = !state->goes_across && !state->is_turned ? 1 : IR_PIECE;
  if (state->is_held && state->most_groups > HELD / n)
    state->most_groups = HELD / n;
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
  choose_tiles(state, n_in);
  for (int32_t i = 0; i < n_in; i++)
    slots[i] = ir_plan_input_slot(plan, i);
  const int32_t out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, kernel, state, 0, slots, n_in, &out, 1);
}
