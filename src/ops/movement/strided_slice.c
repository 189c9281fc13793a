/* StridedSlice-1 copies begin:end:stride of each axis. Masks mark entries of these lists:
 * begin_mask, end_mask: the number is ignored, and the slice extends to that end of the axis;
 * new_axis_mask: the output has a new axis of size 1;
 * shrink_axis_mask: the slice is one element at `begin`, and the output lacks the axis;
 * ellipsis_mask: the entry is for all axes without another entry. */
#include "ops/axes.h"
#include "ops/movement/slicing.h"
#include "ops/op.h"

typedef struct strided_slice_params {
  ir_ints begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask;
} strided_slice_params;

static bool is_set(ir_ints mask, int64_t i) {
  return i < mask.n && mask.items[i] == 1;
}

/* Counts the entries that slice one axis of the input: all except an ellipsis and new axes. */
static int64_t count_axes(const strided_slice_params *params, int64_t n_entries) {
  int64_t n = 0;
  for (int64_t i = 0; i < n_entries; i++)
    n += !is_set(params->ellipsis_mask, i) && !is_set(params->new_axis_mask, i);
  return n;
}

static int64_t find_ellipsis(const strided_slice_params *params, int64_t n_entries) {
  int64_t i = 0;
  while (i < n_entries && !is_set(params->ellipsis_mask, i))
    i++;
  return i;
}

static bool check_ellipses(const ir_node *node, ir_scope *scope) {
  const strided_slice_params *params = node->params;
  int64_t n = 0;
  for (int64_t i = 0; i < params->ellipsis_mask.n; i++)
    n += params->ellipsis_mask.items[i] == 1;
  if (n > 1)
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, "ellipsis_mask"),
              "ellipsis_mask has %lld ones, expected one at most", (long long)n);
  return n <= 1;
}

/* Reports masks of different lengths; absent and empty masks are ignored. */
static void check_masks(const ir_node *node, ir_scope *scope) {
  const strided_slice_params *params = node->params;
  const ir_ints masks[] = {params->begin_mask, params->end_mask, params->new_axis_mask, params->shrink_axis_mask,
                           params->ellipsis_mask};
  int first = -1;
  for (int i = 0; i < 5; i++) {
    const char *name = node->op->attrs[i].name;
    if (masks[i].n == 0 || ir_layer_attr(node->layer, name) == NULL || !ir_attr_usable(node, name))
      continue;
    if (first < 0)
      first = i;
    if (masks[i].n != masks[first].n)
      ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, ir_attr_where(scope, node, name),
                "'%s' has %lld value%s, '%s' %lld; masks are as long as each other", name, (long long)masks[i].n,
                masks[i].n == 1 ? "" : "s", node->op->attrs[first].name, (long long)masks[first].n);
  }
}

/* Reports an error if more entries slice an axis than the input has axes. */
static bool check_entries(const ir_node *node, const ir_value *const *in, int64_t n_entries, ir_scope *scope) {
  /* A valid list has at most 2 * IR_MAX_RANK entries. For a longer list, skip the loop of count_axes. */
  const int64_t n_axes = n_entries > 2 * IR_MAX_RANK ? n_entries : count_axes(node->params, n_entries);
  char shape[IR_SHAPE_TEXT];
  if (n_axes <= in[0]->shape.rank && n_entries - n_axes <= IR_MAX_RANK)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'begin' holds %lld numbers, %lld of them for axes of the input: %s%s has %d", (long long)n_entries,
            (long long)n_axes, ir_type_name(in[0]->type), ir_shape_text(&in[0]->shape, shape, sizeof shape),
            in[0]->shape.rank);
  return false;
}

/* Reads entry i of the lists, the slice of one axis of the input. */
static bool read_entry(const ir_node *node, const ir_value *const *in, int64_t i, ir_sliced_axis *out,
                       ir_scope *scope) {
  const strided_slice_params *params = node->params;
  *out = (ir_sliced_axis){.is_removed = is_set(params->shrink_axis_mask, i), .step = 1};
  if (node->n_inputs > 3 && !out->is_removed && !ir_slice_step(node, 3, in[3], i, &out->step, scope))
    return false;
  out->start = ir_slice_end(in[1], i);
  out->stop = ir_slice_end(in[2], i);
  if (is_set(params->begin_mask, i))
    out->start = ir_dim_of(out->step < 0 ? IR_SLICE_BEHIND : 0);
  if (is_set(params->end_mask, i))
    out->stop = ir_dim_of(out->step < 0 ? IR_SLICE_BEFORE : IR_SLICE_BEHIND);
  return true;
}

static void add_whole(ir_slicing *slicing, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    slicing->axes[slicing->n++] = (ir_sliced_axis){.is_whole = true};
}

static bool read_slicing(const ir_node *node, const ir_value *const *in, int64_t n_entries, ir_slicing *out,
                         ir_scope *scope) {
  const strided_slice_params *params = node->params;
  const int64_t n_axes = count_axes(params, n_entries), ellipsis = find_ellipsis(params, n_entries);
  out->n = 0;
  for (int64_t i = 0; i < n_entries; i++)
    if (i == ellipsis)
      add_whole(out, in[0]->shape.rank - n_axes);
    else if (is_set(params->new_axis_mask, i))
      out->axes[out->n++] = (ir_sliced_axis){.is_new = true};
    else if (!read_entry(node, in, i, &out->axes[out->n++], scope))
      return false;
  if (ellipsis == n_entries)
    add_whole(out, in[0]->shape.rank - n_axes);
  return true;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim count;
  ir_slicing slicing;
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->poisoned = !check_ellipses(node, scope) || !ir_movement_count(node, in, 1, 3, &count, scope);
  if (out->poisoned || in[0]->shape.rank == IR_RANK_UNKNOWN || !ir_dim_known(count))
    return IR_OK;
  out->poisoned = !check_entries(node, in, count.lo, scope) || !read_slicing(node, in, count.lo, &slicing, scope) ||
                  !ir_slicing_shape(node, &slicing, &in[0]->shape, &out->shape, scope);
  return IR_OK;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim count;
  ir_slicing slicing;
  if (!ir_ranges_pass(in[0], out) || !ir_movement_count(node, in, 1, 3, &count, scope) ||
      !read_slicing(node, in, count.lo, &slicing, scope))
    return IR_OK;
  return ir_slicing_ranges(&slicing, in[0], out, scope);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_slicing slicing;
  if (!read_slicing(node, in, ir_axes_count(in[1]).lo, &slicing, scope))
    return IR_INVALID;
  return ir_slicing_step(&slicing, node, in[0], plan, scope);
}

/* Returns true if output axis i is input axis i for all i: no axis is new or dropped. */
static bool takes_channels_last(const ir_node *node) {
  const strided_slice_params *params = node->params;
  bool moves = false;
  for (int64_t i = 0; i < params->new_axis_mask.n; i++)
    moves = moves || is_set(params->new_axis_mask, i);
  for (int64_t i = 0; i < params->shrink_axis_mask.n; i++)
    moves = moves || is_set(params->shrink_axis_mask, i);
  return !moves;
}

#define MASK(mask, is_required, absent)                                                                                \
  {                                                                                                                    \
    .name = #mask, .kind = IR_ATTR_INT, .count = IR_COUNT_ANY, .offset = offsetof(strided_slice_params, mask),         \
    .max = 1, .required = is_required, .fallback = absent, .fallback_if_allowed = is_required                          \
  }

static const ir_attr_spec attrs[] = {MASK(begin_mask, true, ""),      MASK(end_mask, true, ""),
                                     MASK(new_axis_mask, false, "0"), MASK(shrink_axis_mask, false, "0"),
                                     MASK(ellipsis_mask, false, "0"), {.name = NULL}};

const ir_op ir_op_strided_slice_1 = {
    .dialect = IR_OPENVINO,
    .type = "StridedSlice",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/strided-slice-1"),
    .params_size = sizeof(strided_slice_params),
    .attrs = attrs,
    .check_attributes = check_masks,
    .inputs = IR_PORTS({IR_ANY_TYPE("data", "T"), .ranges = true},
                       {IR_WHOLE_NUMBERS("begin", "T_IND", 1, 1), .contents = true},
                       {IR_WHOLE_NUMBERS("end", "T_IND", 1, 1), .contents = true},
                       {IR_WHOLE_NUMBERS("stride", "T_IND", 1, 1), .contents = true, .optional = true}),
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T")}),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer,
    .ranges = ranges,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .function = IR_FUNCTION_MOVE,
    .takes_channels_last = takes_channels_last,
};
