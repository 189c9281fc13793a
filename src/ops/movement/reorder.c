/* Implements ops that permute elements and keep the shape: ShuffleChannels-1, Reverse-1, ReverseSequence-1, Roll-7. */
#include "base/stop.h"
#include "ops/axes.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/sections.h"
#include "ops/kernels/strided_copy.h"
#include "ops/movement/movement.h"
#include "ops/op.h"

typedef struct reorder_params {
  int64_t axis, group, batch_axis, seq_axis;
  int mode;
} reorder_params;

static ir_code infer_shuffle(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const reorder_params *params = node->params;
  const ir_shape *shape = &in[0]->shape;
  char text[IR_SHAPE_TEXT], size[IR_DIM_TEXT];
  int axis;
  if (!ir_movement_same(node, in, out) || shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = !ir_axis_attr(node, "axis", params->axis, shape->rank, &axis, scope);
  if (out->poisoned)
    return IR_OK;
  const ir_dim dim = shape->dims[axis];
  if (dim.hi == IR_DIM_MAX || ir_ceil_div(dim.lo, params->group) <= dim.hi / params->group)
    return IR_OK;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(scope, node, "group"),
            "group is %lld; axis %d of %s%s has the size %s, which is no multiple", (long long)params->group, axis,
            ir_type_name(in[0]->type), ir_shape_text(shape, text, sizeof text), ir_dim_text(dim, size, sizeof size));
  out->poisoned = true;
  return IR_OK;
}

enum { MODE_INDEX, MODE_MASK };

/* Checks the type and length of input 1. If mode is "mask", the input has a boolean for each axis; if mode is "index",
 * it has axes. */
static bool check_reversed(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const bool is_mask = ((const reorder_params *)node->params)->mode == MODE_MASK;
  const int rank = in[0]->shape.rank;
  const ir_dim count = ir_axes_count(in[1]);
  char text[IR_DIM_TEXT];
  ir_axes axes;
  if (in[1]->type != IR_DYNAMIC && is_mask != (in[1]->type == IR_BOOLEAN)) {
    ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, 1, -1),
                   "'axis' is %s; mode=\"%s\" takes %s", ir_type_name(in[1]->type), is_mask ? "mask" : "index",
                   is_mask ? "booleans" : "integers");
    return false;
  }
  if (rank == IR_RANK_UNKNOWN)
    return true;
  if (is_mask && !ir_dims_meet(count, ir_dim_of(rank))) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
              "the mask has %s entries, 'data' rank %d", ir_dim_text(count, text, sizeof text), rank);
    return false;
  }
  if (is_mask || in[1]->contents == NULL)
    return is_mask || ir_axes_fit(node, 1, count, rank, scope);
  return ir_axes_read(node, 1, in[1]->contents, (ir_axes_rule){.rank = rank, .repeats = IR_REPEATS_TAKEN}, scope,
                      &axes);
}

static ir_code infer_reverse(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (ir_movement_same(node, in, out))
    out->poisoned = !check_reversed(node, in, scope);
  return IR_OK;
}

static ir_code infer_sequence(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const reorder_params *params = node->params;
  const int rank = in[0]->shape.rank;
  const ir_dim count = ir_axes_count(in[1]);
  char texts[2][IR_DIM_TEXT];
  int batch, seq;
  if (!ir_movement_same(node, in, out) || rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = !ir_axis_attr(node, "batch_axis", params->batch_axis, rank, &batch, scope) ||
                  !ir_axis_attr(node, "seq_axis", params->seq_axis, rank, &seq, scope);
  if (out->poisoned)
    return IR_OK;
  if (ir_dims_meet(count, out->shape.dims[batch])) {
    out->shape.dims[batch] = ir_dims_common(count, out->shape.dims[batch]);
    return IR_OK;
  }
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'seq_lengths' holds %s lengths; the batch, axis %d, has the size %s",
            ir_dim_text(count, texts[0], sizeof texts[0]), batch,
            ir_dim_text(out->shape.dims[batch], texts[1], sizeof texts[1]));
  out->poisoned = true;
  return IR_OK;
}

static ir_code infer_roll(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_dim shifts = ir_axes_count(in[1]), n_axes = ir_axes_count(in[2]);
  char texts[2][IR_DIM_TEXT];
  ir_axes axes;
  if (!ir_movement_same(node, in, out))
    return IR_OK;
  if (in[1]->shape.rank == 1 && in[2]->shape.rank == 0) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
              "'axes' is a scalar, 'shift' a list; expected a list of as many axes");
    out->poisoned = true;
  } else if (in[1]->shape.rank != 0 && !ir_dims_meet(shifts, n_axes)) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
              "'axes' holds %s axes, 'shift' %s numbers; expected one for each, or a scalar for all",
              ir_dim_text(n_axes, texts[0], sizeof texts[0]), ir_dim_text(shifts, texts[1], sizeof texts[1]));
    out->poisoned = true;
  } else if (in[2]->contents != NULL && out->shape.rank != IR_RANK_UNKNOWN) {
    const ir_axes_rule rule = {.rank = out->shape.rank, .repeats = IR_REPEATS_TAKEN};
    out->poisoned = !ir_axes_read(node, 2, in[2]->contents, rule, scope, &axes);
  }
  return IR_OK;
}

/* ---- running ---- */

/* Transposes the axis, seen as [group, rest], to [rest, group]. */
static ir_code prepare_shuffle(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const reorder_params *params = node->params;
  const ir_shape *shape = &in[0]->shape;
  const int rank = shape->rank, axis = ir_axis_from_front(params->axis, rank);
  const int64_t group = params->group, rest = shape->dims[axis].lo / group;
  int64_t dims[IR_MAX_RANK + 1], from[IR_MAX_RANK + 1], to[IR_MAX_RANK + 1];
  (void)scope;
  ir_laid_steps(node->outputs[0].layout, shape, from);
  for (int i = 0; i < rank; i++) {
    dims[i] = shape->dims[i].lo;
    to[i] = from[i];
  }
  dims[axis] = rest;
  dims[rank] = rest > 0 ? group : 0;
  from[rank] = rest * from[axis];
  to[rank] = to[axis];
  to[axis] *= rest > 0 ? group : 0;
  const ir_strided_copy copy = ir_strided_copy_of(rank + 1, dims, from, to);
  return ir_strided_copy_step(plan, node, &copy);
}

static void read_reversed(const ir_node *node, const ir_value *const *in, bool *is_reversed, ir_scope *scope) {
  const int rank = in[0]->shape.rank;
  ir_axes axes = {.n = 0};
  if (((const reorder_params *)node->params)->mode == MODE_INDEX)
    ir_axes_read(node, 1, in[1]->contents, (ir_axes_rule){.rank = rank, .repeats = IR_REPEATS_TAKEN}, scope, &axes);
  for (int i = 0; i < rank; i++)
    is_reversed[i] = in[1]->type == IR_BOOLEAN ? ir_tensor_get(in[1]->contents, i).u != 0 : ir_axes_hold(&axes, i);
}

static ir_code prepare_reverse(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  int64_t dims[IR_MAX_RANK], from[IR_MAX_RANK], to[IR_MAX_RANK], first = 0;
  bool is_reversed[IR_MAX_RANK];
  read_reversed(node, in, is_reversed, scope);
  ir_nd_iter_steps(shape, 0, shape->rank, to);
  for (int i = 0; i < shape->rank; i++) {
    dims[i] = shape->dims[i].lo;
    from[i] = is_reversed[i] ? -to[i] : to[i];
    first += is_reversed[i] ? (dims[i] - 1) * to[i] : 0;
  }
  ir_strided_copy copy = ir_strided_copy_of(shape->rank, dims, from, to);
  copy.from_first = first;
  return ir_strided_copy_step(plan, node, &copy);
}

/* State of ReverseSequence and Roll, whose copies depend on elements of input 1. */
typedef struct reorder_state {
  int rank;
  int64_t dims[IR_MAX_RANK], steps[IR_MAX_RANK]; /* shape and strides of input and output */
  int batch, seq;                                /* axes of ReverseSequence */
  const int *rolled;                             /* axes of Roll */
  int64_t n_rolled;
  ir_diags *diags;
  ir_where where; /* place of input 1 */
} reorder_state;

static reorder_state *make_state(const ir_node *node, const ir_shape *shape, ir_plan *plan, ir_scope *scope) {
  reorder_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return NULL;
  *state = (reorder_state){.rank = shape->rank, .diags = plan->diags, .where = ir_input_where(scope, node, 1, -1)};
  ir_nd_iter_steps(shape, 0, shape->rank, state->steps);
  for (int i = 0; i < shape->rank; i++)
    state->dims[i] = shape->dims[i].lo;
  return state;
}

/* Returns sections that copy every axis unchanged. */
static ir_sections sections_of(const reorder_state *state) {
  ir_sections sections = {.n_axes = state->rank};
  for (int i = 0; i < state->rank; i++)
    ir_sections_add_line(&sections.axes[i], state->dims[i], 0, state->steps[i], 0, state->steps[i]);
  return sections;
}

/* Adds a section that copies `n` elements of an axis; step -1 reverses them. */
static void add_section(const reorder_state *state, int axis, int64_t n, int64_t from, int64_t step, int64_t to,
                        ir_sections *sections) {
  const int64_t own = state->steps[axis];
  ir_sections_add_line(&sections->axes[axis], n, from * own, step * own, to * own, own);
}

/* ---- ReverseSequence ---- */

typedef struct sequence_work {
  const reorder_state *state;
  const ir_tensor *in, *lengths, *out;
  ir_exec *exec; /* shares each copy; NULL: the copies are shared as a whole */
} sequence_work;

/* Reads element i of `lengths`; a float is truncated toward zero. Returns false if the length is not in [0, most]. */
static bool read_length(const ir_tensor *lengths, int64_t i, int64_t most, int64_t *out) {
  const ir_number number = ir_tensor_get(lengths, i);
  if (number.kind == IR_NUMBER_UNSIGNED)
    *out = number.u <= (uint64_t)most ? (int64_t)number.u : -1;
  else
    *out = number.kind == IR_NUMBER_SIGNED ? number.i : ir_f64_to_i64(number.f);
  return *out >= 0 && *out <= most;
}

static void reverse_sequences(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const sequence_work *work = user;
  const reorder_state *state = work->state;
  const size_t element = ir_type_size(work->in->type);
  const int64_t size = state->dims[state->seq];
  ir_sections sections = sections_of(state);
  for (int64_t i = begin; i < end; i++) {
    int64_t length = 0;
    read_length(work->lengths, i, size, &length);
    sections.axes[state->batch].n = sections.axes[state->seq].n = 0;
    add_section(state, state->batch, 1, i, 1, i, &sections);
    add_section(state, state->seq, length, length - 1, -1, 0, &sections);
    add_section(state, state->seq, size - length, length, 1, length, &sections);
    ir_sections_copy(&sections, element, work->in->data, work->out->data, work->exec);
  }
}

static ir_code run_sequence(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const reorder_state *state = step->state;
  const int64_t n = ir_tensor_elements(in[1]), most = state->dims[state->seq];
  char text[IR_NUMBER_TEXT];
  int64_t length, since = 0;
  for (int64_t i = 0; i < n && !ir_stop_asked_after(exec->stop, 0, 1, &since); i++)
    if (!read_length(in[1], i, most, &length)) {
      ir_report_firm(state->diags, IR322_SHAPES_DO_NOT_FIT, state->where,
                     "'seq_lengths' holds %s at %lld, expected 0 to %lld, the size of axis %d",
                     ir_number_text(in[1]->type, ir_tensor_get(in[1], i), text, sizeof text), (long long)i,
                     (long long)most, state->seq);
      return IR_BAD_DATA;
    }
  if (out[0]->bytes == 0 || ir_stop_asked(exec->stop)) /* after a stop, some lengths are not checked */
    return IR_OK;
  sequence_work work = {state, in[0], in[1], out[0], ir_strided_copy_exec(out[0], n, exec)};
  if (work.exec != NULL)
    reverse_sequences(&work, 0, n, 0);
  else
    exec->share(exec, n, (int64_t)(in[0]->bytes + out[0]->bytes), reverse_sequences, &work);
  return IR_OK;
}

static ir_code prepare_sequence(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "reverse_sequence", .isa = "any", .run = run_sequence};
  const reorder_params *params = node->params;
  reorder_state *state = make_state(node, &in[0]->shape, plan, scope);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  state->batch = ir_axis_from_front(params->batch_axis, state->rank);
  state->seq = ir_axis_from_front(params->seq_axis, state->rank);
  if (state->batch == state->seq)
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(scope, node),
                          "batch_axis and seq_axis are both %d: there is nothing to reverse", state->seq);
  return ir_plan_step(plan, node, &kernel, state, 0);
}

/* ---- Roll ---- */

/* Shifts of a repeated axis add up. A single shift applies to all axes. */
static ir_code run_roll(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const reorder_state *state = step->state;
  const bool has_one = ir_tensor_elements(in[1]) == 1;
  ir_sections sections = {.n_axes = state->rank};
  int64_t shifts[IR_MAX_RANK] = {0};
  if (ir_tensor_elements(out[0]) == 0)
    return IR_OK;
  for (int64_t i = 0; i < state->n_rolled; i++) {
    const int axis = state->rolled[i];
    const int64_t size = state->dims[axis], shift = ir_tensor_get(in[1], has_one ? 0 : i).i % size;
    shifts[axis] = (shifts[axis] + shift + size) % size;
  }
  for (int i = 0; i < state->rank; i++) {
    add_section(state, i, state->dims[i] - shifts[i], 0, 1, shifts[i], &sections);
    add_section(state, i, shifts[i], state->dims[i] - shifts[i], 1, 0, &sections);
  }
  ir_sections_copy(&sections, ir_type_size(out[0]->type), in[0]->data, out[0]->data, exec);
  return IR_OK;
}

static ir_code prepare_roll(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "roll", .isa = "any", .run = run_roll};
  const int64_t n = ir_tensor_elements(in[2]->contents);
  reorder_state *state = make_state(node, &in[0]->shape, plan, scope);
  int *rolled = ir_arena_array(plan->arena, (size_t)n, sizeof *rolled);
  if (state == NULL || rolled == NULL)
    return ir_out_of_memory(scope->diags);
  for (int64_t i = 0; i < n; i++)
    rolled[i] = ir_axis_from_front(ir_tensor_get(in[2]->contents, i).i, state->rank);
  state->n_rolled = n;
  state->rolled = rolled;
  const int32_t ins[] = {ir_plan_input_slot(plan, 0), ir_plan_input_slot(plan, 1)};
  const int32_t out_slot = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &kernel, state, 0, ins, 2, &out_slot, 1);
}

/* ---- the rows ---- */

#define AXIS(field, absent)                                                                                            \
  {                                                                                                                    \
    .name = #field, .kind = IR_ATTR_INT, .offset = offsetof(reorder_params, field), .min = -IR_MAX_RANK,               \
    .max = IR_MAX_RANK - 1, .fallback = absent                                                                         \
  }
#define FROM_RANK(port, var, set, least)                                                                               \
  { .name = port, .type_var = var, .types = set, .rank_min = least, .rank_max = IR_MAX_RANK }

static const char *const modes[] = {"index", "mask", NULL};
static const ir_attr_spec shuffle_attrs[] = {AXIS(axis, "1"),
                                             {.name = "group",
                                              .kind = IR_ATTR_INT,
                                              .offset = offsetof(reorder_params, group),
                                              .min = 1,
                                              .max = INT64_MAX,
                                              .fallback = "1"},
                                             {.name = NULL}};
static const ir_attr_spec reverse_attrs[] = {
    {.name = "mode", .kind = IR_ATTR_ENUM, .offset = offsetof(reorder_params, mode), .names = modes, .required = true},
    {.name = NULL}};
static const ir_attr_spec sequence_attrs[] = {AXIS(batch_axis, "0"), AXIS(seq_axis, "1"), {.name = NULL}};

/* Since opset3, OpenVINO's op tables have ShuffleChannels as version 3. The specification has one page for both
 * versions. */
#define SHUFFLE_CHANNELS(number)                                                                                       \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "ShuffleChannels", .version = number,                                              \
    .spec = IR_SPEC_PAGE("movement/shuffle-channels-1"), .params_size = sizeof(reorder_params),                        \
    .attrs = shuffle_attrs,                                                                                            \
    .inputs = IR_PORTS({.name = "data",                                                                                \
                        .type_var = "T",                                                                               \
                        .types = IR_SET_NUMBERS,                                                                       \
                        .types_noted = IR_SET(IR_BOOLEAN),                                                             \
                        .rank_min = 1,                                                                                 \
                        .rank_max = IR_MAX_RANK}),                                                                     \
    .outputs = IR_PORTS(FROM_RANK("output", "T", IR_SET_NUMBERS, 1)), .infer = infer_shuffle,                          \
    .run = {IR_RUN_PREPARED, .prepare = prepare_shuffle}, .function = IR_FUNCTION_MOVE,                                \
    .takes_channels_last = ir_always_channels_last                                                                     \
  }

const ir_op ir_op_shuffle_channels_1 = SHUFFLE_CHANNELS(1);
const ir_op ir_op_shuffle_channels_3 = SHUFFLE_CHANNELS(3);

const ir_op ir_op_reverse_1 = {
    .dialect = IR_OPENVINO,
    .type = "Reverse",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/reverse-1"),
    .params_size = sizeof(reorder_params),
    .attrs = reverse_attrs,
    .inputs = IR_PORTS({IR_ANY_TYPE("data", "T1")}, {.name = "axis",
                                                     .types = IR_SET_INTEGERS | IR_SET(IR_BOOLEAN),
                                                     .rank_min = 1,
                                                     .rank_max = 1,
                                                     .contents = true}),
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T1")}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer_reverse,
    .run = {IR_RUN_PREPARED, .prepare = prepare_reverse},
};

const ir_op ir_op_reverse_sequence_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReverseSequence",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/reverse-sequence-1"),
    .params_size = sizeof(reorder_params),
    .attrs = sequence_attrs,
    .inputs = IR_PORTS(FROM_RANK("data", "T1", IR_SET_STORED, 2), {.name = "seq_lengths",
                                                                   .type_var = "T2",
                                                                   .types = IR_SET_NUMBERS,
                                                                   .rank_min = 1,
                                                                   .rank_max = 1,
                                                                   .checked = true}),
    .outputs = IR_PORTS(FROM_RANK("output", "T1", IR_SET_STORED, 2)),
    .infer = infer_sequence,
    .run = {IR_RUN_PREPARED, .prepare = prepare_sequence},
};

const ir_op ir_op_roll_7 = {
    .dialect = IR_OPENVINO,
    .type = "Roll",
    .version = 7,
    .spec = IR_SPEC_PAGE("movement/roll-7"),
    .inputs = IR_PORTS({IR_ANY_TYPE("data", "T")}, {IR_INDEX_NUMBERS("shift", "T_IND_1", 0, 1)},
                       {IR_INDEX_NUMBERS("axes", "T_IND_2", 0, 1), .contents = true}),
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T")}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer_roll,
    .run = {IR_RUN_PREPARED, .prepare = prepare_roll},
};
