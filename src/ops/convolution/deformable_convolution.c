/* DeformableConvolution-1 and -8 convolve [N, C, Y, X] with displaced taps; a tap is an element that the kernel covers.
 * The input `offsets` has a displacement (y, x) for each tap and output position. In version 8, the input `mask` also
 * has a weight for each tap and output position. */
#include "ops/convolution/convolution_run.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/plane_taps.h"
#include "ops/op.h"
#include <math.h>
#include <stdio.h>

static bool divides(const ir_conv_facts *facts, const char *attribute, int64_t groups, ir_dim channels,
                    const char *what) {
  int64_t multiple;
  char text[IR_DIM_TEXT];
  if (ir_mul(ir_ceil_div(channels.lo, groups), groups, &multiple) && multiple <= channels.hi)
    return true;
  ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(facts->scope, facts->node, attribute),
            "the %s channels of %s are no multiple of %s, which is %lld", ir_dim_text(channels, text, sizeof text),
            what, attribute, (long long)groups);
  return false;
}

/* Checks the shape of `offsets` or `mask`: [N, numbers * taps * deformable_group, Y, X], with the output's Y and X. */
static bool check_taps(const ir_conv_facts *facts, const ir_value *const *in, int port, int64_t numbers,
                       const ir_shape *out) {
  const ir_shape *shape = &in[port]->shape;
  if (shape->rank == IR_RANK_UNKNOWN)
    return true;
  const ir_dim taps = ir_dims_product(ir_conv_dim(facts->kernel, 2), ir_conv_dim(facts->kernel, 3));
  ir_dim expected[4] = {out->dims[0], ir_dims_product(taps, ir_dim_of(facts->params->deformable_group)), out->dims[2],
                        out->dims[3]};
  expected[1] = ir_dims_product(expected[1], ir_dim_of(numbers));
  for (int i = 0; i < 4; i++) {
    if (ir_dims_meet(shape->dims[i], expected[i]))
      continue;
    char text[IR_SHAPE_TEXT], dims[2][IR_DIM_TEXT];
    ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(facts->scope, facts->node, port, i),
              "'%s' %s has %s on axis %d, expected %s: %s", facts->node->op->inputs[port].name,
              ir_shape_text(shape, text, sizeof text), ir_dim_text(shape->dims[i], dims[0], sizeof dims[0]), i,
              ir_dim_text(expected[i], dims[1], sizeof dims[1]),
              i == 0         ? "N of the input"
              : i > 1        ? "the output's size"
              : numbers == 2 ? "2 for each tap of the kernel and deformable group"
                             : "1 for each tap of the kernel and deformable group");
    return false;
  }
  return divides(facts, "deformable_group", facts->params->deformable_group, shape->dims[1],
                 facts->node->op->inputs[port].name);
}

static void check_groups(const ir_node *node, ir_scope *scope) {
  ir_warn_of_default(node, "group", "1", "refused", scope);
  ir_warn_of_default(node, "deformable_group", "1", "refused", scope);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_conv_facts facts;
  out->type = in[0]->type;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  if (out->poisoned || !ir_conv_facts_of(node, in, scope, &facts)) {
    out->poisoned = true;
    return IR_OK;
  }
  facts.n_spatial = 2;
  out->shape = ir_shape_of_rank(4);
  out->shape.dims[0] = ir_conv_dim(facts.data, 0);
  bool fine = ir_conv_channels(&facts, &out->shape.dims[1]);
  fine = fine && divides(&facts, "group", facts.params->group, ir_conv_dim(facts.data, 1), "the input") &&
         divides(&facts, "group", facts.params->group, ir_conv_dim(facts.kernel, 0), "the kernel");
  for (int i = 0; i < 2; i++)
    fine = ir_conv_window(&facts, i, &out->shape.dims[2 + i]) && fine;
  fine = fine && check_taps(&facts, in, 1, 2, &out->shape);
  fine = fine && (node->n_inputs < 4 || check_taps(&facts, in, 3, 1, &out->shape));
  if (fine && in[1]->shape.rank != IR_RANK_UNKNOWN)
    out->shape.dims[0] = ir_dims_common(out->shape.dims[0], in[1]->shape.dims[0]);
  out->poisoned = !fine;
  return IR_OK;
}

/* ---- running ---- */

typedef struct deformable_state {
  ir_conv_run conv;
  int64_t parts; /* number of deformable groups: channels of a group share their offsets */
  bool interpolates_pad;
} deformable_state;

typedef struct deformable_call {
  const deformable_state *state;
  const ir_tensor *offsets, *mask; /* mask: NULL if the node has none */
} deformable_call;

enum { N_TABLES = IR_TILE_N / IR_PLANE_TAPS_PLACES };

/* Input elements of a tile's columns at one tap of the kernel: each column is the weighted sum of four elements. In
 * scratch, this struct lies after the ir_tile. */
typedef struct deformable_taps {
  int64_t part; /* the deformable group that the tables belong to; -1: they are not set yet */
  ir_plane_taps tables[N_TABLES];
} deformable_taps;

/* Finds the two elements beside position `place` on an axis of n elements, and the distance from the first. If
 * is_padded, elements beyond the edge are 0. Otherwise the edge element is repeated. False: the sample is 0. */
static bool next_to(double place, int64_t n, bool is_padded, int64_t *at, double *distance) {
  if (!(is_padded ? place > -1 : place >= 0) || !(place < (double)n))
    return false;
  at[0] = (int64_t)floor(place);
  at[1] = is_padded ? at[0] + 1 : (int64_t)ceil(place) < n ? (int64_t)ceil(place) : n - 1;
  *distance = place - (double)at[0];
  return true;
}

/* Sets the four elements and weights of a column. If a coordinate of `place` is NaN, one weight becomes NaN, so that
 * the sum is NaN. */
static void set_column(const ir_conv_run *conv, bool is_padded, const double *place, double weight,
                       deformable_taps *taps, int64_t column) {
  ir_plane_taps *table = &taps->tables[column / IR_PLANE_TAPS_PLACES];
  int64_t y[2], x[2];
  double to_y, to_x;
  const bool is_there =
      next_to(place[0], conv->n_in[0], is_padded, y, &to_y) && next_to(place[1], conv->n_in[1], is_padded, x, &to_x);
  for (int i = 0; i < 4; i++) {
    const int is_low = i / 2, is_right = i % 2;
    ir_plane_taps_set(table, i, column % IR_PLANE_TAPS_PLACES, -1, 0);
    if (!is_there || y[is_low] < 0 || y[is_low] >= conv->n_in[0] || x[is_right] < 0 || x[is_right] >= conv->n_in[1])
      continue;
    ir_plane_taps_set(table, i, column % IR_PLANE_TAPS_PLACES, y[is_low] * conv->n_in[1] + x[is_right],
                      weight * (is_low ? to_y : 1 - to_y) * (is_right ? to_x : 1 - to_x));
  }
  if ((isnan(place[0]) || isnan(place[1])) && conv->n_in[0] > 0 && conv->n_in[1] > 0)
    ir_plane_taps_set(table, 0, column % IR_PLANE_TAPS_PLACES, 0, NAN);
}

static void load_line(const ir_tensor *tensor, int64_t at, int64_t n, double *to) {
  ir_compute_load(tensor->type, ir_tensor_at(tensor, at), IR_COMPUTE_F64, to, n);
}

/* Sets `taps` for deformable group `part`: the position of the tap for each column of the tile, displaced by the
 * offsets. */
static void place_columns(const ir_tile *tile, int64_t part, deformable_taps *taps) {
  const deformable_call *call = tile->contraction->user;
  const ir_conv_run *conv = &call->state->conv;
  const int64_t plane = conv->n_out[0] * conv->n_out[1];
  const int64_t line =
      (tile->batch / conv->groups * call->state->parts + part) * tile->contraction->n_turns + tile->turn;
  const int64_t tap[2] = {tile->turn / conv->windows[1].kernel, tile->turn % conv->windows[1].kernel};
  double moves[2][IR_TILE_N], weights[IR_TILE_N];
  load_line(call->offsets, 2 * line * plane + tile->column, tile->n_n, moves[0]);
  load_line(call->offsets, (2 * line + 1) * plane + tile->column, tile->n_n, moves[1]);
  if (call->mask != NULL)
    load_line(call->mask, line * plane + tile->column, tile->n_n, weights);
  for (int64_t j = 0; j < tile->n_n; j++) {
    const int64_t column = tile->column + j, at[2] = {column / conv->n_out[1], column % conv->n_out[1]};
    double place[2];
    for (int i = 0; i < 2; i++) {
      const ir_window_axis window = conv->windows[i];
      place[i] = (double)((ir_wide)at[i] * window.stride + (ir_wide)tap[i] * window.dilation - window.pad_begin);
      place[i] += moves[i][j];
    }
    set_column(conv, call->state->interpolates_pad, place, call->mask != NULL ? weights[j] : 1, taps, j);
  }
  for (int i = 0; i < N_TABLES; i++) {
    taps->tables[i].n_taps = 4;
    taps->tables[i].n_places = least(IR_PLANE_TAPS_PLACES, most(0, tile->n_n - i * IR_PLANE_TAPS_PLACES));
  }
  taps->part = part;
}

static bool take_tap(ir_tile *tile, int64_t *a_begin) {
  ((deformable_taps *)(tile + 1))->part = -1;
  *a_begin = tile->turn;
  return true;
}

static void load_columns(ir_tile *tile, int64_t k) {
  const deformable_call *call = tile->contraction->user;
  const ir_conv_run *conv = &call->state->conv;
  const int64_t channels = conv->groups * conv->group_channels;
  const ir_compute_type compute = tile->contraction->compute;
  char *to = (char *)&tile->right;
  deformable_taps *taps = (deformable_taps *)(tile + 1);
  for (int64_t i = 0; i < tile->n_k; i++, to += IR_TILE_N * ir_compute_size(compute)) {
    const int64_t channel = tile->batch % conv->groups * conv->group_channels + k + i;
    const int64_t part = channel / (channels / call->state->parts);
    double sums[IR_TILE_N] = {0};
    if (part != taps->part)
      place_columns(tile, part, taps);
    for (int t = 0; t < N_TABLES && ir_tensor_elements(tile->b) > 0; t++)
      ir_plane_taps_add(&taps->tables[t], tile->b, tile->b_at + tile->b_k[i], sums + t * IR_PLANE_TAPS_PLACES);
    ir_compute_store(IR_COMPUTE_F64, sums, compute == IR_COMPUTE_F32 ? IR_F32 : IR_F64, to, tile->n_n);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const deformable_state *state = step->state;
  const deformable_call call = {state, in[1], step->n_in > 3 ? in[3] : NULL};
  ir_contraction contraction = state->conv.contraction;
  contraction.user = &call;
  ir_contraction_run(&contraction, in[2], in[0], out[0], exec);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "deformable_convolution", .isa = "any", .run = run};
  const ir_conv_params *params = node->params;
  ir_conv_facts facts;
  if (!ir_type_in(node->outputs[0].type, IR_SET_FLOATS))
    return ir_report_no_kernel(scope, ir_node_where(scope, node), node->outputs[0].type);
  if (!ir_conv_facts_of(node, in, scope, &facts))
    return IR_INVALID;
  const int64_t channels = facts.data->dims[1].lo;
  if (channels % params->deformable_group != 0) {
    ir_report(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_attr_where(scope, node, "deformable_group"),
              "irrun cannot split the %lld channels of the input into %lld deformable groups", (long long)channels,
              (long long)params->deformable_group);
    return IR_UNSUPPORTED;
  }
  deformable_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (deformable_state){.parts = params->deformable_group, .interpolates_pad = params->interpolates_pad};
  ir_conv_run_of(&facts, &state->conv);
  state->conv.contraction.take = take_tap;
  state->conv.contraction.load = load_columns;
  const int32_t data = ir_widened(plan, node, ir_plan_input_slot(plan, 0)), out = ir_plan_output_slot(plan, 0);
  const int32_t from[4] = {data, ir_plan_input_slot(plan, 1), ir_plan_input_slot(plan, 2),
                           node->n_inputs > 3 ? ir_plan_input_slot(plan, 3) : -1};
  const ir_code code = ir_plane_taps_check(node, 0, &in[0]->shape, scope);
  if (code != IR_OK || data < 0)
    return code != IR_OK ? code : IR_NO_MEMORY;
  return ir_plan_step_on(plan, node, &kernel, state, sizeof(ir_tile) + sizeof(deformable_taps), from, node->n_inputs,
                         &out, 1);
}

#define GROUP_ROW(text, field)                                                                                         \
  {                                                                                                                    \
    .name = text, .kind = IR_ATTR_INT, .offset = offsetof(ir_conv_params, field), .min = 1, .max = INT64_MAX,          \
    .fallback = "1"                                                                                                    \
  }
#define GROUP_ROWS GROUP_ROW("group", group), GROUP_ROW("deformable_group", deformable_group)

static const ir_attr_spec attrs_1[] = {IR_CONV_ROWS, GROUP_ROWS, {.name = NULL}};
static const ir_attr_spec attrs_8[] = {IR_CONV_ROWS,
                                       GROUP_ROWS,
                                       {.name = "bilinear_interpolation_pad",
                                        .kind = IR_ATTR_BOOL,
                                        .offset = offsetof(ir_conv_params, interpolates_pad),
                                        .fallback = "false"},
                                       {.name = NULL}};

static const ir_conv_layout layout = {.port = 2, .out_axis = 0, .in_axis = 1, .n_channel_axes = 2};

#define PORT(text) IR_CONV_PORT(text, "T", 4, 4)
#define DEFORMABLE(number, schema, ...)                                                                                \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "DeformableConvolution", .version = number,                                        \
    .spec = IR_SPEC_PAGE("convolution/deformable-convolution-" #number), .params_size = sizeof(ir_conv_params),        \
    .attrs = schema, .family = &layout, .check_attributes = check_groups, .infer = infer,                              \
    .run = {IR_RUN_PREPARED, .prepare = prepare}, .cost = ir_conv_cost, .multiplies = true,                            \
    .inputs = IR_PORTS(__VA_ARGS__), .outputs = IR_PORTS(PORT("output"))                                               \
  }

const ir_op ir_op_deformable_convolution_1 = DEFORMABLE(1, attrs_1, PORT("data"), PORT("offsets"), PORT("kernel"));
const ir_op ir_op_deformable_convolution_8 = DEFORMABLE(8, attrs_8, PORT("data"), PORT("offsets"), PORT("kernel"),
                                                        {.name = "mask",
                                                         .type_var = "T",
                                                         .types = IR_SET_NUMBERS,
                                                         .types_may_differ = true,
                                                         .rank_min = 4,
                                                         .rank_max = 4,
                                                         .optional = true});
