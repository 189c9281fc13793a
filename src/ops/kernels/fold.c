#include "ops/kernels/fold.h"
#include "ops/kernels/rows.h"
#include <math.h>
#include <string.h>

IR_FOLD_EACH_ROW(ir_fold_sum, double, a, s + x)
IR_FOLD_EACH_ROW(ir_fold_squares, double, a, s + x * x)
IR_FOLD_THEN_ROW(ir_fold_mean, double, a, a / (double)call->n_terms)
IR_FOLD_EACH_ROW(ir_fold_deviations, double, b, s + (x - a) * (x - a))

void ir_fold_round(ir_type type, double *y, int64_t n) {
  for (int64_t i = 0; i < n && !ir_type_in(type, IR_SET_FLOATS); i++)
    y[i] = rint(y[i]);
}

typedef struct fold_state {
  const ir_fold *fold;
  ir_wide_type wide;
  const void *params;
  ir_rows groups, terms; /* the axes that stay, and those that groups lie along: of the input alone */
  int64_t n_terms;
} fold_state;

/* Groups that are gone through together: one, or as many as lie side by side in the input. */
typedef struct fold_work {
  const fold_state *state;
  const ir_tensor *const *in;
  const ir_tensor *out;
} fold_work;

typedef struct fold_tile {
  const fold_work *work;
  ir_fold_call call;
  int64_t n_groups, offset; /* offset: of the first group's first element */
  ir_piece a, b, x, y;
} fold_tile;

/* True where the last axis stays, so that elements side by side are of different groups. */
static bool goes_across(const fold_state *state) {
  return state->groups.steps[0][state->groups.n_axes - 1] == 1;
}

static const void *load(const fold_work *work, int64_t offset, int64_t n, ir_piece *piece) {
  const ir_type type = work->in[0]->type;
  const char *from = (const char *)work->in[0]->data + (size_t)offset * ir_type_size(type);
  if (ir_wide_is(work->state->wide, type))
    return from;
  ir_wide_load(type, from, work->state->wide, piece, n);
  return piece;
}

/* A row of elements that lie side by side, of which `last` makes others. */
static void call_row(fold_tile *tile, ir_fold_row *row, int64_t offset, int64_t n) {
  const fold_state *state = tile->work->state;
  const ir_tensor *out = tile->work->out;
  ir_fold_call *call = &tile->call;
  call->x = load(tile->work, offset, n, &tile->x);
  call->n = n;
  call->offset = offset;
  if (row != state->fold->last) {
    row(call);
    return;
  }
  const bool stays = ir_wide_is(state->wide, out->type);
  char *to = ir_tensor_at(out, offset);
  call->y = stays ? (void *)to : &tile->y;
  row(call);
  if (state->wide == IR_WIDE_F64)
    ir_fold_round(out->type, call->y, n);
  if (!stays)
    ir_wide_store(state->wide, call->y, out->type, to, n);
}

static void pass(fold_tile *tile, ir_fold_row *row) {
  const fold_state *state = tile->work->state;
  const ir_rows *terms = &state->terms;
  const bool across = goes_across(state);
  const int64_t length = ir_rows_length(terms), step = terms->steps[0][terms->n_axes - 1];
  const int64_t piece = across ? 1 : IR_PIECE, n_pieces = ir_ceil_div(length, piece);
  ir_rows_place place = {0};
  for (int64_t r = ir_rows_count(terms); r > 0; r--) {
    for (int64_t p = 0; p < n_pieces; p++) {
      const int64_t at = (state->fold->backwards ? n_pieces - 1 - p : p) * piece;
      const int64_t n = length - at < piece ? length - at : piece;
      call_row(tile, row, tile->offset + place.offset[0] + at * step, across ? tile->n_groups : n);
    }
    ir_rows_next(terms, &place);
  }
}

static void call_groups(fold_tile *tile, ir_fold_row *row) {
  tile->call.n = tile->n_groups;
  if (row != NULL)
    row(&tile->call);
}

/* Computes the tile whose first group is number `group`. */
static void fold_groups(fold_tile *tile, int64_t group) {
  const fold_state *state = tile->work->state;
  const ir_fold *fold = state->fold;
  const ir_tensor *out = tile->work->out;
  const size_t bytes = (size_t)tile->n_groups * ir_wide_size(state->wide);
  memset(&tile->a, 0, bytes);
  memset(&tile->b, 0, bytes);
  call_groups(tile, fold->begin);
  if (fold->begins_with_term && state->n_terms > 0)
    memcpy(&tile->a, load(tile->work, tile->offset, tile->n_groups, &tile->x), bytes);
  for (int i = 0; i < 2; i++) {
    if (fold->each[i] != NULL)
      pass(tile, fold->each[i]);
    call_groups(tile, fold->then[i]);
  }
  if (fold->last != NULL)
    pass(tile, fold->last);
  else
    ir_wide_store(state->wide, &tile->a, out->type, ir_tensor_at(out, group), tile->n_groups);
}

static void work_groups(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const fold_work *work = user;
  const fold_state *state = work->state;
  const ir_rows *groups = &state->groups;
  const bool across = goes_across(state);
  const int64_t row = ir_rows_length(groups), step = groups->steps[0][groups->n_axes - 1];
  fold_tile tile = {.work = work};
  tile.call = (ir_fold_call){
      .a = &tile.a, .b = &tile.b, .step = across, .n_terms = state->n_terms, .in = work->in, .params = state->params};
  ir_rows_place place;
  ir_rows_go(groups, begin / row, &place);
  for (int64_t at = begin % row; begin < end; begin += tile.n_groups) {
    const int64_t left = row - at < end - begin ? row - at : end - begin;
    tile.n_groups = !across ? 1 : left < IR_PIECE ? left : IR_PIECE;
    tile.offset = place.offset[0] + at * step;
    fold_groups(&tile, begin);
    at += tile.n_groups;
    if (at == row) {
      at = 0;
      ir_rows_next(groups, &place);
    }
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  fold_work work = {step->state, in, out[0]};
  const ir_rows *groups = &work.state->groups;
  exec->share(exec, ir_rows_count(groups) * ir_rows_length(groups), (int64_t)(in[0]->bytes + out[0]->bytes),
              work_groups, &work);
  return IR_OK;
}

/* As many groups of nothing. */
static void set_empty(fold_state *state, int64_t n_groups) {
  static int64_t steps[1][IR_MAX_RANK];
  state->groups = ir_rows_of(1, &n_groups, 1, steps);
  state->terms = ir_rows_of(1, &(int64_t){0}, 1, steps);
}

/* The axes that are among `axes`, or those that are not. */
static ir_rows rows_along(const ir_shape *shape, const ir_axes *axes, bool among) {
  int64_t all[IR_MAX_RANK], dims[IR_MAX_RANK], steps[1][IR_MAX_RANK];
  int n = 0;
  ir_rows_steps(shape, 0, shape->rank, all);
  for (int i = 0; i < shape->rank; i++)
    if (ir_axes_hold(axes, i) == among) {
      steps[0][n] = all[i];
      dims[n++] = shape->dims[i].lo;
    }
  return ir_rows_of(n, dims, 1, steps);
}

ir_code ir_fold_step(ir_plan *plan, const ir_node *node, const ir_fold *fold, ir_wide_type wide, const ir_shape *shape,
                     const ir_axes *axes, int32_t n_in, ir_scope *scope) {
  fold_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  const ir_kernel *kernel = ir_plan_kernel(plan, fold->name, node->outputs[0].type, run);
  int32_t slots[IR_MAX_OP_PORTS];
  int64_t n, n_out;
  if (state == NULL || kernel == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (fold_state){.fold = fold, .wide = wide, .params = node->params};
  if (!ir_shape_elements(shape, &n) || !ir_shape_elements(&node->outputs[0].shape, &n_out))
    return ir_out_of_memory(scope->diags);
  if (n == 0) { /* the product of other dims may not fit */
    set_empty(state, fold->last == NULL ? n_out : 0);
  } else {
    state->groups = rows_along(shape, axes, false);
    state->terms = rows_along(shape, axes, true);
  }
  state->n_terms = ir_rows_count(&state->terms) * ir_rows_length(&state->terms);
  for (int32_t i = 0; i < n_in; i++)
    slots[i] = ir_plan_input_slot(plan, node, i);
  const int32_t out = ir_plan_output_slot(plan, node, 0);
  return ir_plan_step_on(plan, node, kernel, state, 0, slots, n_in, &out, 1);
}
