/* Slice-8 copies start:stop:step of the listed axes; without a list, of the first axes. SliceScatter-15 copies `data`
 * and replaces such a slice by `updates`. */
#include "ops/axes.h"
#include "ops/movement/slicing.h"

/* Reads the axes of the entries of start, stop and step. If the axes are unknown, out->n is 0. */
static bool read_axes(const ir_node *node, const ir_shape *data, const ir_value *const *in, int first,
                      int64_t n_entries, ir_axes *out, ir_scope *scope) {
  const int port = first + 3, rank = data->rank;
  char shape[IR_SHAPE_TEXT];
  *out = (ir_axes){.n = 0};
  if (n_entries > rank) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, first, -1),
              "'%s' holds %lld numbers: %s%s has %d axes", ir_op_input(node->op, first)->name, (long long)n_entries,
              ir_type_name(in[0]->type), ir_shape_text(data, shape, sizeof shape), rank);
    return false;
  }
  if (node->n_inputs <= port)
    for (int i = 0; i < n_entries; i++)
      out->items[out->n++] = i;
  else if (in[port]->contents != NULL)
    return ir_axes_read(node, port, in[port]->contents, (ir_axes_rule){.rank = rank}, scope, out);
  return true;
}

/* Reads start, stop, step and axes from input `first` on. If the axes are unknown, all sizes are open. */
static bool read_slicing(const ir_node *node, const ir_shape *data, const ir_value *const *in, int first, ir_dim count,
                         ir_slicing *out, ir_scope *scope) {
  const int rank = data->rank;
  const ir_sliced_axis open = {.start = ir_range_any(), .stop = ir_range_any()}, whole = {.is_whole = true};
  ir_axes axes;
  if (!read_axes(node, data, in, first, count.lo, &axes, scope))
    return false;
  const bool is_known = ir_dim_known(count) && axes.n == count.lo;
  out->n = rank;
  for (int i = 0; i < rank; i++)
    out->axes[i] = is_known ? whole : open;
  for (int i = 0; i < axes.n && is_known; i++) {
    ir_sliced_axis *axis = &out->axes[axes.items[i]];
    *axis = (ir_sliced_axis){.start = ir_slice_end(in[first], i), .stop = ir_slice_end(in[first + 1], i)};
    if (!ir_slice_step(node, first + 2, in[first + 2], i, &axis->step, scope))
      return false;
  }
  return true;
}

/* Computes the shape of the slice of `data`. If the rank of `data` is unknown, the slice's rank is unknown. Returns
 * false after a report. */
static bool sliced_shape(const ir_node *node, const ir_shape *data, const ir_value *const *in, int first, ir_shape *out,
                         ir_scope *scope) {
  ir_dim count;
  ir_slicing slicing;
  *out = ir_shape_unknown();
  if (!ir_movement_count(node, in, first, first + 3, &count, scope))
    return false;
  return data->rank == IR_RANK_UNKNOWN || (read_slicing(node, data, in, first, count, &slicing, scope) &&
                                           ir_slicing_shape(node, &slicing, data, out, scope));
}

static ir_code infer_slice(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (ir_movement_begin(node, in, out))
    out->poisoned = !sliced_shape(node, &in[0]->shape, in, 1, &out->shape, scope);
  return IR_OK;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_slicing slicing;
  if (!ir_ranges_pass(in[0], out) || !read_slicing(node, &in[0]->shape, in, 1, ir_axes_count(in[1]), &slicing, scope))
    return IR_OK;
  return ir_slicing_ranges(&slicing, in[0], out, scope);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_slicing slicing;
  if (!read_slicing(node, &in[0]->shape, in, 1, ir_axes_count(in[1]), &slicing, scope))
    return IR_INVALID;
  return ir_slicing_step(&slicing, node, in[0], plan, scope);
}

static ir_code infer_scatter(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  char texts[2][IR_SHAPE_TEXT];
  ir_shape slice;
  if (!ir_movement_same(node, in, out))
    return IR_OK;
  if (out->shape.rank == IR_RANK_UNKNOWN && in[1]->shape.rank != IR_RANK_UNKNOWN)
    out->shape = ir_shape_of_rank(in[1]->shape.rank);
  out->poisoned = !sliced_shape(node, &out->shape, in, 2, &slice, scope);
  if (out->poisoned || ir_shapes_meet(&slice, &in[1]->shape))
    return IR_OK;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'updates' is %s, the slice of 'data' %s", ir_shape_text(&in[1]->shape, texts[0], sizeof texts[0]),
            ir_shape_text(&slice, texts[1], sizeof texts[1]));
  out->poisoned = true;
  return IR_OK;
}

static ir_code prepare_scatter(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_slicing slicing;
  if (in[1]->type != in[0]->type)
    return ir_report_no_kernel(scope, ir_input_where(scope, node, 1, -1), in[1]->type);
  if (!read_slicing(node, &in[0]->shape, in, 2, ir_axes_count(in[2]), &slicing, scope))
    return IR_INVALID;
  return ir_slicing_replace_step(&slicing, node, in, plan, scope);
}

/* ---- the rows ---- */

#define LISTS                                                                                                          \
  {IR_WHOLE_NUMBERS("start", "T_IND", 1, 1), .contents = true},                                                        \
      {IR_WHOLE_NUMBERS("stop", "T_IND", 1, 1), .contents = true},                                                     \
      {IR_WHOLE_NUMBERS("step", "T_IND", 1, 1), .contents = true}, {                                                   \
    IR_WHOLE_NUMBERS("axes", "T_AXIS", 1, 1), .contents = true, .optional = true                                       \
  }

const ir_op ir_op_slice_8 = {
    .dialect = IR_OPENVINO,
    .type = "Slice",
    .version = 8,
    .spec = IR_SPEC_PAGE("movement/slice-8"),
    .inputs = IR_PORTS({.name = "data",
                        .type_var = "T",
                        .types = IR_SET_STORED,
                        .rank_min = 1,
                        .rank_max = IR_MAX_RANK,
                        .ranges = true},
                       LISTS),
    .outputs =
        IR_PORTS({.name = "output", .type_var = "T", .types = IR_SET_STORED, .rank_min = 1, .rank_max = IR_MAX_RANK}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer_slice,
    .ranges = ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .function = IR_FUNCTION_MOVE,
    .takes_channels_last = ir_always_channels_last,
};

#define SCATTERED(port)                                                                                                \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN) | IR_SET(IR_STRING),     \
    .types_may_differ = true, .rank_min = 1, .rank_max = IR_MAX_RANK                                                   \
  }

const ir_op ir_op_slice_scatter_15 = {
    .dialect = IR_OPENVINO,
    .type = "SliceScatter",
    .version = 15,
    .spec = IR_SPEC_PAGE("movement/slice-scatter-15"),
    .inputs = IR_PORTS(SCATTERED("data"), SCATTERED("updates"), LISTS),
    .outputs = IR_PORTS(SCATTERED("output")),
    .infer = infer_scatter,
    .run = {IR_RUN_PREPARED, .prepare = prepare_scatter},
};
