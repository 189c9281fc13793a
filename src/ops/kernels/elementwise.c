#include "ops/kernels/elementwise.h"
#include "ops/kernels/numbers.h"
#include <math.h>
#include <string.h>

/* Rows with fewer elements are copied to a piece: to begin a row takes as long as to copy some fifty elements. */
enum { SHORT_ROW = 64 };

typedef struct elementwise_state {
  const ir_elementwise *elementwise;
  ir_elementwise_row *row;
  const void *params;
  ir_compute_type compute[IR_ELEMENTWISE_MOST]; /* compute type of each input */
  bool in_place[IR_ELEMENTWISE_MOST];           /* the row reads the input without conversion */
  bool repeats[IR_ELEMENTWISE_MOST];            /* the input has step 0 along the row */
  ir_compute_type made;                         /* compute type of the row's output */
  bool makes_truths;                            /* the row writes booleans, one byte each */
  ir_nd_iter rows;                              /* iterates over the inputs and, as the last tensor, the output */
} elementwise_state;

typedef struct elementwise_work {
  const elementwise_state *state;
  const ir_tensor *const *in;
  const ir_tensor *out;
} elementwise_work;

#define REPEAT(type)                                                                                                   \
  {                                                                                                                    \
    type *to = elements;                                                                                               \
    const type first = to[0];                                                                                          \
    for (int64_t i = 1; i < n; i++)                                                                                    \
      to[i] = first;                                                                                                   \
  }

/* Copies the first of n elements, which have `size` bytes, to the others. */
static void repeat(void *elements, size_t size, int64_t n) {
  if (size == sizeof(uint8_t))
    memset(elements, *(const uint8_t *)elements, (size_t)n);
  else if (size == sizeof(uint32_t))
    REPEAT(uint32_t)
  else
    REPEAT(uint64_t)
}

/* Returns n elements of an input from `offset` on: in place, or converted into `piece`. If the input has step 0 along
 * the row, fills `piece` with copies of one element; *n_alike counts the copies already there. */
static const void *load(const elementwise_work *work, int port, int64_t offset, int64_t n, ir_piece *piece,
                        int64_t *n_alike) {
  const elementwise_state *state = work->state;
  const ir_type type = work->in[port]->type;
  const ir_compute_type compute = state->compute[port];
  const char *from = (const char *)work->in[port]->data + (size_t)offset * ir_type_size(type);
  const bool repeats = state->repeats[port];
  if (state->in_place[port] && !repeats)
    return from;
  if (*n_alike >= n)
    return piece;
  if (state->in_place[port])
    memcpy(piece, from, ir_type_size(type));
  else
    ir_compute_load(type, from, compute, piece, repeats ? 1 : n);
  if (repeats) {
    repeat(piece, state->in_place[port] ? ir_type_size(type) : ir_compute_size(compute), n);
    *n_alike = n;
  }
  return piece;
}

/* Computes n output elements from element `at` on; the call has their inputs. */
static void compute(const elementwise_work *work, ir_elementwise_call *call, int64_t at, ir_piece *made) {
  const elementwise_state *state = work->state;
  const ir_type type = work->out->type;
  const bool stays = state->makes_truths || ir_compute_type_is(state->made, type);
  const bool rounds =
      !stays && !state->elementwise->cuts && state->made == IR_COMPUTE_F64 && !ir_type_in(type, IR_SET_FLOATS);
  char *to = (char *)work->out->data + (size_t)at * ir_type_size(type);
  call->params = state->params;
  call->type = work->in[state->elementwise->chosen_by]->type;
  call->out = stays ? (void *)to : made;
  state->row(call);
  if (rounds)
    for (int64_t i = 0; i < call->n; i++)
      made->f64[i] = rint(made->f64[i]);
  if (!stays)
    ir_compute_store(state->made, call->out, type, to, call->n);
}

/* Computes elements [at, behind) of the row at `place`. */
static void elementwise_row(const elementwise_work *work, const ir_nd_iter_place *place, int64_t at, int64_t behind,
                            ir_piece *pieces) {
  const elementwise_state *state = work->state;
  const int n_in = state->rows.n_tensors - 1, row = state->rows.n_axes - 1;
  ir_elementwise_call call;
  int64_t n_alike[IR_ELEMENTWISE_MOST] = {0};
  memcpy(call.repeats, state->repeats, sizeof call.repeats);
  for (; at < behind; at += call.n) {
    call.n = behind - at < IR_PIECE ? behind - at : IR_PIECE;
    for (int i = 0; i < n_in; i++)
      call.in[i] = load(work, i, place->offset[i] + at * state->rows.steps[i][row], call.n, &pieces[i], &n_alike[i]);
    compute(work, &call, place->offset[n_in] + at, &pieces[n_in]);
  }
}

/* Computes elements [begin, end) of the output. The first and the last row can be partial. */
static void map_elements(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const elementwise_work *work = user;
  const ir_nd_iter *rows = &work->state->rows;
  const int64_t row = ir_nd_iter_length(rows);
  ir_piece pieces[IR_ND_ITER_MOST];
  ir_nd_iter_place place;
  ir_nd_iter_go(rows, begin / row, &place);
  for (int64_t at = begin % row; begin < end; at = 0) {
    const int64_t n = row - at < end - begin ? row - at : end - begin;
    elementwise_row(work, &place, at, at + n, pieces);
    begin += n;
    ir_nd_iter_next(rows, &place);
  }
}

/* ---- short rows ---- */

#define COPY_ROWS(type)                                                                                                \
  for (int64_t r = 0; r < n_rows; r++)                                                                                 \
    for (int64_t i = 0; i < length; i++)                                                                               \
  ((type *)to)[r * length + i] = ((const type *)from)[r * row_step + i * step]

/* Copies n rows of `length` elements, which have `size` bytes. */
static void copy_rows(const void *from, int64_t row_step, int64_t step, int64_t n_rows, int64_t length, size_t size,
                      void *to) {
  if (step == 1 && row_step == length)
    memcpy(to, from, (size_t)(n_rows * length) * size);
  else if (size == sizeof(uint8_t))
    COPY_ROWS(uint8_t);
  else if (size == sizeof(uint16_t))
    COPY_ROWS(uint16_t);
  else if (size == sizeof(uint32_t))
    COPY_ROWS(uint32_t);
  else
    COPY_ROWS(uint64_t);
}

/* Copies n rows of each input, one row after the other, to stored[i], and goes on to the next place. */
static void gather_rows(const elementwise_work *work, ir_nd_iter_place *place, int64_t n, ir_piece *stored) {
  const ir_nd_iter *rows = &work->state->rows;
  const int axis = rows->n_axes - 2;
  const int64_t length = ir_nd_iter_length(rows);
  for (int64_t done = 0, run; done < n; done += run) {
    run = least(n - done, rows->dims[axis] - place->at[axis]);
    for (int i = 0; i < rows->n_tensors - 1; i++) {
      const size_t size = ir_type_size(work->in[i]->type);
      copy_rows((const char *)work->in[i]->data + (size_t)place->offset[i] * size, rows->steps[i][axis],
                rows->steps[i][axis + 1], run, length, size, (char *)&stored[i] + (size_t)(done * length) * size);
    }
    place->at[axis] += run - 1;
    for (int t = 0; t < rows->n_tensors; t++)
      place->offset[t] += (run - 1) * rows->steps[t][axis];
    ir_nd_iter_next(rows, place);
  }
}

/* Computes rows [begin, end) of the output. A piece has the elements of many rows. */
static void map_short_rows(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const elementwise_work *work = user;
  const elementwise_state *state = work->state;
  const int n_in = state->rows.n_tensors - 1;
  const int64_t length = ir_nd_iter_length(&state->rows);
  ir_piece stored[IR_ELEMENTWISE_MOST], pieces[IR_ND_ITER_MOST];
  ir_elementwise_call call = {.repeats = {false}};
  ir_nd_iter_place place;
  ir_nd_iter_go(&state->rows, begin, &place);
  for (int64_t n; begin < end; begin += n) {
    n = least(IR_PIECE / length, end - begin);
    call.n = n * length;
    gather_rows(work, &place, n, stored);
    for (int i = 0; i < n_in; i++) {
      if (!state->in_place[i])
        ir_compute_load(work->in[i]->type, &stored[i], state->compute[i], &pieces[i], call.n);
      call.in[i] = state->in_place[i] ? &stored[i] : &pieces[i];
    }
    compute(work, &call, begin * length, &pieces[n_in]);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  elementwise_work work = {step->state, in, out[0]};
  size_t bytes = out[0]->bytes;
  for (int32_t i = 0; i < step->n_in; i++)
    bytes += in[i]->bytes;
  const ir_nd_iter *rows = &work.state->rows;
  if (rows->n_axes > 1 && ir_nd_iter_length(rows) < SHORT_ROW)
    exec->share(exec, ir_nd_iter_count(rows), (int64_t)bytes, map_short_rows, &work);
  else
    exec->share(exec, ir_tensor_elements(out[0]), (int64_t)bytes, map_elements, &work);
  return IR_OK;
}

/* Returns the formula for the type of input chosen_by, and sets the compute types. If other inputs have another compute
 * type, all are computed in f64, as which any type can be loaded. */
static ir_elementwise_row *choose(const ir_elementwise *elementwise, const ir_value *const *in, int32_t n_in,
                                  elementwise_state *state) {
  const ir_type type = in[elementwise->chosen_by]->type;
  const bool are_truths = type == IR_BOOLEAN && elementwise->rows[IR_ELEMENTWISE_TRUTHS] != NULL;
  const int32_t first = elementwise->has_condition ? 1 : 0;
  ir_compute_type chosen = ir_compute_type_of(type);
  if (elementwise->rows[chosen] == NULL && !ir_type_in(type, IR_SET_FLOATS))
    chosen = IR_COMPUTE_F64;
  for (int32_t i = first; i < n_in; i++)
    if (ir_compute_type_of(in[i]->type) != chosen)
      chosen = IR_COMPUTE_F64;
  for (int32_t i = 0; i < n_in; i++) {
    state->compute[i] = chosen;
    state->in_place[i] =
        i < first || (are_truths && in[i]->type == IR_BOOLEAN) || ir_compute_type_is(chosen, in[i]->type);
  }
  state->made = chosen;
  state->makes_truths = elementwise->of_truths || are_truths;
  return elementwise->rows[are_truths ? (int)IR_ELEMENTWISE_TRUTHS : (int)chosen];
}

/* Checks that each input broadcasts to the output. Inference of some ops does not check the shapes of small inputs. */
static bool check_stretch(const ir_node *node, const ir_value *const *in, const int *offsets, ir_scope *scope) {
  const ir_shape *shape = &node->outputs[0].shape;
  for (int32_t i = 0; i < node->n_inputs; i++)
    for (int a = 0; a < in[i]->shape.rank; a++) {
      const int64_t size = in[i]->shape.dims[a].lo;
      const int to = a + offsets[i];
      if (size == 1 || (to >= 0 && to < shape->rank && shape->dims[to].lo == size))
        continue;
      char texts[2][IR_SHAPE_TEXT];
      ir_report(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_input_where(scope, node, i, -1),
                "irrun cannot stretch input %d, %s, to the output's %s", i,
                ir_shape_text(&in[i]->shape, texts[0], sizeof texts[0]),
                ir_shape_text(shape, texts[1], sizeof texts[1]));
      return false;
    }
  return true;
}

/* Returns the input's shape, extended to `rank` by axes of size 1, in channels-last order. */
static ir_shape channels_last_of_rank(const ir_shape *shape, int offset, int rank) {
  ir_shape whole = ir_shape_of_rank(rank);
  for (int i = 0; i < rank; i++) {
    const int own = i - offset;
    whole.dims[i] = own >= 0 && own < shape->rank ? shape->dims[own] : ir_dim_of(1);
  }
  return ir_channels_last_shape(&whole);
}

ir_code ir_elementwise_step(ir_plan *plan, const ir_node *node, const ir_value *const *in,
                            const ir_elementwise *elementwise, const int *offsets, ir_scope *scope) {
  const ir_shape *shape = &node->outputs[0].shape;
  int64_t dims[IR_MAX_RANK], steps[IR_ND_ITER_MOST][IR_MAX_RANK];
  if (!check_stretch(node, in, offsets, scope))
    return IR_UNSUPPORTED;
  elementwise_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  const ir_kernel *kernel = ir_plan_kernel(plan, elementwise->name, in[elementwise->chosen_by]->type, run);
  if (state == NULL || kernel == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (elementwise_state){.elementwise = elementwise, .params = node->params};
  state->row = choose(elementwise, in, node->n_inputs, state);
  const bool is_channels_last = node->outputs[0].layout == IR_LAYOUT_CHANNELS_LAST;
  const ir_shape laid = is_channels_last ? ir_channels_last_shape(shape) : *shape;
  for (int i = 0; i < shape->rank; i++)
    dims[i] = laid.dims[i].lo;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_shape from =
        is_channels_last ? channels_last_of_rank(&in[i]->shape, offsets[i], shape->rank) : in[i]->shape;
    ir_nd_iter_steps(&from, is_channels_last ? 0 : offsets[i], shape->rank, steps[i]);
  }
  ir_nd_iter_steps(&laid, 0, shape->rank, steps[node->n_inputs]);
  state->rows = ir_nd_iter_of(shape->rank, dims, node->n_inputs + 1, steps);
  for (int32_t i = 0; i < node->n_inputs; i++)
    state->repeats[i] = state->rows.steps[i][state->rows.n_axes - 1] == 0;
  return ir_plan_step(plan, node, kernel, state, 0);
}

ir_code ir_elementwise_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  int offsets[IR_ELEMENTWISE_MOST] = {0};
  for (int32_t i = 0; i < node->n_inputs && i < IR_ELEMENTWISE_MOST; i++)
    offsets[i] = node->outputs[0].shape.rank - in[i]->shape.rank;
  return ir_elementwise_step(plan, node, in, node->op->elementwise, offsets, scope);
}
