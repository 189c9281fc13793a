#include "ops/convolution/convolution_run.h"
#include "base/stop.h"

/* Input positions on an axis. For column c (an output position) and tap t (a kernel element), the position is
 * c * step + (first + t * each) / divisor. If the division leaves a remainder, tap t reads no element. */
typedef struct tap_map {
  int64_t n_columns, n_taps, n_in, step, divisor;
  ir_wide first, each;
} tap_map;

typedef struct tap_maps {
  int n_axes;
  tap_map axes[IR_CONV_AXES];
} tap_maps;

/* Sets tile->b_n[j], the input element of column j, for the tap of tile->turn. Positions are computed modulo 2^64.
 * Exact positions are at least -2^63 and less than 2^63 + n_in, so no position outside of the input wraps into [0,
 * n_in). */
static bool take_tap(ir_tile *tile, int64_t *a_begin) {
  const tap_maps *maps = tile->contraction->user;
  uint64_t from[IR_CONV_AXES];
  int64_t at[IR_CONV_AXES], last[IR_CONV_AXES], inner = 1;
  bool any = false, is_one = true; /* is_one: on each axis before i, all columns of the tile have the same position */
  *a_begin = tile->turn;
  for (int64_t i = maps->n_axes - 1, first = tile->column, behind = first + tile->n_n - 1; i >= 0; i--) {
    at[i] = first % maps->axes[i].n_columns;
    last[i] = behind % maps->axes[i].n_columns;
    first /= maps->axes[i].n_columns;
    behind /= maps->axes[i].n_columns;
    inner *= maps->axes[i].n_taps;
  }
  for (int i = 0; i < maps->n_axes; i++) {
    const tap_map *map = &maps->axes[i];
    inner /= map->n_taps;
    const bool is_divided = map->divisor != 1; /* a 128-bit division by 1 would dominate the run time */
    const ir_wide taps = map->first + tile->turn / inner % map->n_taps * map->each;
    const ir_wide place = is_divided ? taps / map->divisor : taps;
    const ir_wide lowest = place + (ir_wide)(is_one ? at[i] : 0) * map->step;
    const ir_wide highest = place + (ir_wide)(is_one ? last[i] : map->n_columns - 1) * map->step;
    if ((is_divided && taps % map->divisor != 0) || place != (int64_t)place || highest < 0 || lowest >= map->n_in) {
      tile->turn += inner - 1 - tile->turn % inner; /* skip all taps of the inner axes: none is in the input */
      return false;
    }
    from[i] = (uint64_t)place;
    is_one = is_one && at[i] == last[i];
  }
  for (int64_t j = 0; j < tile->n_n; j++) {
    uint64_t offset = 0;
    bool is_inside = true;
    for (int i = 0; i < maps->n_axes; i++) {
      const tap_map *map = &maps->axes[i];
      const uint64_t place = (uint64_t)at[i] * (uint64_t)map->step + from[i];
      is_inside = is_inside && place < (uint64_t)map->n_in;
      offset = offset * (uint64_t)map->n_in + place;
    }
    tile->b_n[j] = is_inside ? tile->b_at + (int64_t)offset : -1;
    any = any || is_inside;
    for (int i = maps->n_axes - 1; i >= 0 && ++at[i] == maps->axes[i].n_columns; i--)
      at[i] = 0;
  }
  return any;
}

static int64_t plane(int n_axes, const int64_t *sizes) {
  int64_t n = 1;
  for (int i = 0; i < n_axes; i++)
    n *= sizes[i];
  return n;
}

static ir_code run_forward(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_conv_run *state = step->state;
  ir_contraction contraction = state->contraction;
  tap_maps maps = {.n_axes = state->n_axes};
  for (int i = 0; i < state->n_axes; i++) {
    const ir_window_axis window = state->windows[i];
    maps.axes[i] = (tap_map){.n_columns = state->n_out[i],
                             .n_taps = window.kernel,
                             .n_in = state->n_in[i],
                             .step = window.stride,
                             .divisor = 1,
                             .first = -(ir_wide)window.pad_begin,
                             .each = window.dilation};
  }
  contraction.user = &maps;
  ir_contraction_run(&contraction, in[1], in[0], out[0], exec);
  return IR_OK;
}

/* Input position i contributes to output position o through tap t if o + pad_begin = i * stride + t * dilation. So all
 * output positions first + c * stride, with first < stride, use the same taps. They are the columns c of one
 * contraction, which this function runs. */
static void run_phase(const ir_conv_run *state, const int64_t *first, const ir_tensor *const *in, ir_tensor *out,
                      ir_exec *exec) {
  ir_contraction contraction = state->contraction;
  tap_maps maps = {.n_axes = state->n_axes};
  int64_t dims[IR_CONV_AXES], steps[2][IR_MAX_RANK] = {{0}}, step = 1;
  for (int i = state->n_axes - 1; i >= 0; i--) {
    const ir_window_axis window = state->windows[i];
    dims[i] = ir_ceil_div(state->n_out[i] - first[i], window.stride);
    maps.axes[i] = (tap_map){.n_columns = dims[i],
                             .n_taps = window.kernel,
                             .n_in = state->n_in[i],
                             .step = 1,
                             .divisor = window.stride,
                             .first = (ir_wide)first[i] + window.pad_begin,
                             .each = -(ir_wide)window.dilation};
    steps[1][i] = dims[i] > 1 ? window.stride * step : 0;
    contraction.out_begin += first[i] * step;
    step *= state->n_out[i];
  }
  contraction.n = ir_nd_iter_of(state->n_axes, dims, 2, steps);
  contraction.user = &maps;
  ir_contraction_run(&contraction, in[1], in[0], out, exec);
}

static ir_code run_backward(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_conv_run *state = step->state;
  int64_t first[IR_CONV_AXES] = {0}, since = 0;
  if (ir_tensor_elements(out[0]) == 0)
    return IR_OK;
  for (int axis = 0; axis >= 0 && !ir_stop_asked_after(exec->stop, 0, IR_TILE_N, &since);) {
    run_phase(state, first, in, out[0], exec);
    for (axis = state->n_axes - 1; axis >= 0; axis--) {
      if (++first[axis] < state->windows[axis].stride && first[axis] < state->n_out[axis])
        break;
      first[axis] = 0;
    }
  }
  return IR_OK;
}

/* ---- preparing steps ---- */

static bool is_empty(const ir_shape *shape) {
  bool any = false;
  for (int i = 0; i < shape->rank; i++)
    any = any || shape->dims[i].lo == 0;
  return any;
}

/* Sets the strides and sizes of run->contraction. If a tensor is empty, its strides are 0, because the product of its
 * other sizes can overflow. */
static void set_product(const ir_conv_facts *facts, ir_conv_run *run) {
  const ir_conv_layout *layout = facts->layout;
  const ir_shape *kernel = facts->kernel, *out = &facts->node->outputs[0].shape;
  const int64_t groups = run->groups, terms = run->group_channels;
  const int64_t rows = layout->has_groups ? kernel->dims[layout->out_axis].lo : out->dims[1].lo / groups;
  const int64_t in_plane = is_empty(facts->data) ? 0 : plane(run->n_axes, run->n_in);
  const int64_t out_plane = plane(run->n_axes, run->n_out);
  int64_t taps = is_empty(kernel) ? 0 : 1;
  for (int i = 0; i < run->n_axes && taps > 0; i++)
    taps *= run->windows[i].kernel;
  const bool is_out_first = layout->out_axis < layout->in_axis;
  const int64_t row_step = is_out_first ? terms * taps : taps, term_step = is_out_first ? taps : rows * taps;
  int64_t batch[3][IR_MAX_RANK] = {{0, rows * terms * taps},
                                   {groups * terms * in_plane, terms * in_plane},
                                   {groups * rows * out_plane, rows * out_plane}};
  int64_t m[2][IR_MAX_RANK] = {{row_step}, {out_plane}}, k[2][IR_MAX_RANK] = {{term_step}, {in_plane}};
  ir_contraction *contraction = &run->contraction;
  contraction->batch = ir_nd_iter_of(2, (int64_t[]){out->dims[0].lo, groups}, 3, batch);
  contraction->m = ir_nd_iter_of(1, &rows, 2, m);
  contraction->k = ir_nd_iter_of(1, &terms, 2, k);
  contraction->n = ir_nd_iter_of(1, &out_plane, 2, (int64_t[2][IR_MAX_RANK]){{0}, {1}});
  contraction->n_turns = in_plane > 0 ? taps : 0;
}

void ir_conv_run_of(const ir_conv_facts *facts, ir_conv_run *run) {
  const ir_conv_layout *layout = facts->layout;
  const ir_shape *kernel = facts->kernel, *out = &facts->node->outputs[0].shape;
  *run = (ir_conv_run){.n_axes = facts->n_spatial, .group_channels = kernel->dims[layout->in_axis].lo};
  run->groups = layout->has_groups ? kernel->dims[0].lo : facts->params->group > 1 ? facts->params->group : 1;
  for (int i = 0; i < run->n_axes; i++) {
    run->n_in[i] = facts->data->dims[2 + i].lo;
    run->n_out[i] = out->dims[2 + i].lo;
    run->windows[i] = ir_conv_axis(facts, i, run->n_in[i]);
  }
  run->contraction.compute = ir_compute_type_of(facts->node->outputs[0].type);
  if (!is_empty(out))
    set_product(facts, run);
}

static const ir_kernel forward = {.name = "convolution", .isa = "any", .run = run_forward};
static const ir_kernel backward = {.name = "convolution_backprop", .isa = "any", .run = run_backward};

ir_code ir_conv_step(const ir_conv_facts *facts, const int64_t *pads_begin, ir_plan *plan) {
  const ir_node *node = facts->node;
  ir_conv_run *run = ir_arena_alloc(plan->arena, sizeof *run);
  if (run == NULL)
    return ir_out_of_memory(facts->scope->diags);
  ir_conv_run_of(facts, run);
  run->contraction.take = take_tap;
  for (int i = 0; i < run->n_axes && pads_begin != NULL; i++)
    run->windows[i].pad_begin = pads_begin[i];
  const int32_t in[] = {ir_plan_input_slot(plan, 0), ir_plan_input_slot(plan, 1)};
  const int32_t out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, pads_begin == NULL ? &forward : &backward, run, sizeof(ir_tile), in, 2, &out, 1);
}

/* Computes the pads at the end from the sizes. If no window covers the last elements of the input, those pads are
 * negative. */
bool ir_conv_product(const ir_conv_facts *facts, const int64_t *pads_begin, ir_fast_desc *out) {
  ir_conv_run run;
  ir_conv_run_of(facts, &run);
  const bool is_backprop = pads_begin != NULL;
  if (run.contraction.compute != IR_COMPUTE_F32 || run.n_axes > IR_FAST_AXES ||
      is_empty(&facts->node->outputs[0].shape) || is_empty(facts->kernel) || is_empty(facts->data))
    return false;
  *out = (ir_fast_desc){.kind = is_backprop ? IR_FAST_BACKPROP : IR_FAST_CONVOLUTION,
                        .n_axes = run.n_axes,
                        .batch = facts->data->dims[0].lo,
                        .groups = run.groups,
                        .channels_in = facts->data->dims[1].lo / run.groups,
                        .channels_out = facts->node->outputs[0].shape.dims[1].lo / run.groups,
                        .b_is_weights = true};
  for (int i = 0; i < run.n_axes; i++) {
    const ir_window_axis window = run.windows[i];
    const int64_t begin = is_backprop ? pads_begin[i] : window.pad_begin;
    const ir_wide few = is_backprop ? run.n_in[i] : run.n_out[i], many = is_backprop ? run.n_out[i] : run.n_in[i];
    const ir_wide end = (few - 1) * window.stride + ir_window_extent(window) - many - begin;
    if (end > INT32_MAX || end < INT32_MIN || begin > INT32_MAX || window.stride > INT32_MAX ||
        window.dilation > INT32_MAX)
      return false;
    out->in[i] = run.n_in[i];
    out->out[i] = run.n_out[i];
    out->kernel[i] = window.kernel;
    out->strides[i] = window.stride;
    out->dilations[i] = window.dilation;
    out->pads_begin[i] = begin;
    out->pads_end[i] = (int64_t)end;
  }
  return true;
}

int64_t ir_conv_cost(const ir_node *node, const ir_value *const *in) {
  const ir_conv_layout *layout = node->op->family;
  const ir_shape *kernel = &in[layout->port]->shape, *out = &node->outputs[0].shape;
  /* A convolution multiplies each kernel element once per output position, a backprop once per input position. */
  const ir_shape *places = layout->out_axis < layout->in_axis ? out : &in[0]->shape;
  int64_t products;
  if (node->outputs[0].poisoned || !ir_shape_known(kernel) || !ir_shape_known(out) || !ir_shape_known(places) ||
      !ir_shape_elements(kernel, &products) || !ir_mul(products, places->dims[0].lo, &products))
    return -1;
  for (int i = 2; i < places->rank; i++)
    if (!ir_mul(products, places->dims[i].lo, &products))
      return -1;
  return products;
}
