/* Pad-1 and Pad-12 add elements at both ends of axes. Negative pads remove elements. */
#include "ops/axes.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/sections.h"
#include "ops/movement/movement.h"

typedef enum pad_mode { CONSTANT, EDGE, REFLECT, SYMMETRIC } pad_mode;

typedef struct pad_params {
  int pad_mode;
} pad_params;

static const char *const modes[] = {"constant", "edge", "reflect", "symmetric", NULL};

/* Returns how many elements the mode can add at one end of a dim. */
static int64_t most_pads(pad_mode mode, ir_dim dim) {
  return mode == CONSTANT || !ir_dim_known(dim) || (mode == EDGE && dim.hi > 0) ? IR_DIM_MAX
         : mode == REFLECT                                                      ? dim.hi - 1
                                                                                : dim.hi;
}

static bool check_pads(const ir_node *node, const ir_value *const *in, int port, int axis, ir_scope *scope) {
  const pad_mode mode = (pad_mode)((const pad_params *)node->params)->pad_mode;
  const ir_dim pad = ir_range_at(in[port], axis);
  const int64_t most = most_pads(mode, in[0]->shape.dims[axis]);
  char shape[IR_SHAPE_TEXT];
  if (pad.lo <= (most > 0 ? most : 0))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' holds %lld for axis %d of %s%s; pad_mode=\"%s\" makes up to %lld there",
            ir_op_input(node->op, port)->name, (long long)pad.lo, axis, ir_type_name(in[0]->type),
            ir_shape_text(&in[0]->shape, shape, sizeof shape), modes[mode], (long long)(most > 0 ? most : 0));
  return false;
}

/* Whether the pads leave a size of at least 0. `size` is that of the output. */
static bool check_size(const ir_node *node, const ir_value *const *in, int axis, ir_dim size, ir_scope *scope) {
  char shape[IR_SHAPE_TEXT];
  if (size.hi >= 0)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'pads_begin' and 'pads_end' remove more than axis %d of %s%s has: its size would be %lld", axis,
            ir_type_name(in[0]->type), ir_shape_text(&in[0]->shape, shape, sizeof shape), (long long)size.hi);
  return false;
}

static ir_dim pads_at(const ir_value *list, int axis) {
  return ir_has_ranges(list) ? ir_range_at(list, axis) : ir_range_any();
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_shape shape = in[0]->shape;
  ir_dim count;
  char counts[IR_DIM_TEXT];
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->poisoned = !ir_movement_count(node, in, 1, 2, &count, scope) || !ir_rank_fits(node, count.lo, scope);
  if (!out->poisoned && shape.rank != IR_RANK_UNKNOWN && !ir_dims_meet(count, ir_dim_of(shape.rank))) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
              "'pads_begin' holds %s numbers, expected one for each of the %d axes of 'data'",
              ir_dim_text(count, counts, sizeof counts), shape.rank);
    out->poisoned = true;
  }
  if (shape.rank == IR_RANK_UNKNOWN && ir_dim_known(count))
    shape = ir_shape_of_rank((int)count.lo);
  if (out->poisoned || shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->shape.rank = shape.rank;
  for (int i = 0; i < shape.rank && !out->poisoned; i++) {
    const ir_dim pads = ir_range_add(pads_at(in[1], i), pads_at(in[2], i));
    out->poisoned = ir_dim_known(pads) && in[0]->shape.rank != IR_RANK_UNKNOWN &&
                    (!check_pads(node, in, 1, i, scope) || !check_pads(node, in, 2, i, scope));
    const ir_dim size = ir_range_add(shape.dims[i], pads);
    out->poisoned = out->poisoned || !check_size(node, in, i, size, scope);
    out->shape.dims[i] = ir_size_of_range(size);
  }
  return IR_OK;
}

/* ---- elements ---- */

/* Returns the coordinate of the data that is copied to `coordinate`, which lies outside the axis; -1 for mode
 * constant. */
static int64_t copied(pad_mode mode, int64_t coordinate, int64_t size) {
  const bool is_before = coordinate < 0;
  switch (mode) {
  case EDGE:
    return is_before ? 0 : size - 1;
  case REFLECT:
    return is_before ? -coordinate : 2 * (size - 1) - coordinate;
  case SYMMETRIC:
    return is_before ? -1 - coordinate : 2 * size - 1 - coordinate;
  default:
    return -1;
  }
}

/* Returns the index of the data element that becomes output element `at`; -1 if that is the pad value. */
static int64_t source_of(pad_mode mode, const ir_value *const *in, const ir_shape *out, int64_t at) {
  const ir_shape *shape = &in[0]->shape;
  int64_t index = 0, step = 1;
  for (int i = out->rank - 1; i >= 0; i--) {
    const int64_t size = shape->dims[i].lo;
    int64_t coordinate = ir_range_subtract(ir_dim_of(at % out->dims[i].lo), ir_range_at(in[1], i)).lo;
    at /= out->dims[i].lo;
    if (coordinate < 0 || coordinate >= size)
      coordinate = copied(mode, coordinate, size);
    if (coordinate < 0 || coordinate >= size)
      return -1;
    index += coordinate * step;
    step *= size;
  }
  return index;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t n = ir_ranges_count(out);
  const bool has_value = node->n_inputs > 3;
  ir_dim padded[IR_MAX_RANGES];
  const pad_mode mode = (pad_mode)((const pad_params *)node->params)->pad_mode;
  if (!ir_ranges_pass(in[0], out) || in[1]->contents == NULL || (has_value && ir_ranges_count(in[3]) != 1))
    return IR_OK;
  const ir_dim added = has_value ? ir_range_at(in[3], 0) : ir_dim_of(0);
  for (int64_t i = 0; i < n; i++) {
    const int64_t source = source_of(mode, in, &out->shape, i);
    padded[i] = source >= 0 ? ir_range_at(in[0], source) : added;
  }
  return ir_ranges_set(out, padded, scope);
}

/* ---- running ---- */

/* Sets sections for the output's coordinates [begin, end) on an axis; coordinate 0 is the data's first element. */
static void set_sections(pad_mode mode, int64_t size, int64_t begin, int64_t end, int64_t from_step, int64_t to_step,
                         ir_axis_sections *out) {
  const int64_t first[] = {begin, begin > 0 ? begin : 0, begin > size ? begin : size};
  const int64_t behind[] = {end < 0 ? end : 0, end < size ? end : size, end};
  for (int i = 0; i < 3; i++) {
    const bool is_inside = i == 1;
    if (behind[i] <= first[i] || (!is_inside && mode == CONSTANT))
      continue;
    const int64_t source = is_inside ? first[i] : copied(mode, first[i], size);
    const int64_t step = is_inside ? 1 : mode == EDGE ? 0 : -1;
    ir_sections_add_line(out, behind[i] - first[i], source * from_step, step * from_step, (first[i] - begin) * to_step,
                         to_step);
  }
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const pad_mode mode = (pad_mode)((const pad_params *)node->params)->pad_mode;
  const ir_shape *shape = &in[0]->shape, *to_shape = &node->outputs[0].shape;
  const int64_t most = INT64_MAX / 4; /* larger than any size, without overflow in sums */
  int64_t from[IR_MAX_RANK], to[IR_MAX_RANK];
  ir_sections sections = {.n_axes = shape->rank};
  bool adds = false;
  (void)scope;
  ir_laid_steps(node->outputs[0].layout, shape, from);
  ir_laid_steps(node->outputs[0].layout, to_shape, to);
  for (int i = 0; i < shape->rank; i++) {
    const int64_t size = shape->dims[i].lo, pad = ir_range_at(in[1], i).lo;
    const int64_t begin = pad > most ? -most : pad < -most ? most : -pad, end = begin + to_shape->dims[i].lo;
    set_sections(mode, size, begin, end, from[i], to[i], &sections.axes[i]);
    adds = adds || begin < 0 || end > size;
  }
  const ir_fill fill = mode != CONSTANT || !adds ? IR_FILL_NONE : node->n_inputs > 3 ? IR_FILL_INPUT : IR_FILL_ZERO;
  return ir_sections_step(plan, node, &sections, fill);
}

/* ---- the rows ---- */

static const ir_attr_spec attrs[] = {{.name = "pad_mode",
                                      .kind = IR_ATTR_ENUM,
                                      .offset = offsetof(pad_params, pad_mode),
                                      .names = modes,
                                      .required = true},
                                     {.name = NULL}};

static const char *const ignored_attrs[] = {"pad_value=0.0", NULL};

#define PAD(number)                                                                                                    \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "Pad", .version = number, .spec = IR_SPEC_PAGE("movement/pad-" #number),           \
    .params_size = sizeof(pad_params), .attrs = attrs, .ignored_attrs = ignored_attrs,                                 \
    .inputs = IR_PORTS({IR_ANY_NUMBER("data", "T"), .types_carried = IR_CARRIED_NUMBERS, .ranges = true},              \
                       {IR_WHOLE_NUMBERS("pads_begin", "T_INT", 1, 1), .contents = true},                              \
                       {IR_WHOLE_NUMBERS("pads_end", "T_INT", 1, 1), .contents = true},                                \
                       {.name = "pad_value",                                                                           \
                        .type_var = "T",                                                                               \
                        .types = IR_SET_NUMBERS,                                                                       \
                        .types_noted = IR_SET(IR_BOOLEAN),                                                             \
                        .types_carried = IR_CARRIED_NUMBERS,                                                           \
                        .ranges = true,                                                                                \
                        .optional = true}),                                                                            \
    .outputs = IR_PORTS({IR_ANY_NUMBER("output", "T")}), .infer = infer, .ranges = ranges,                             \
    .run = {IR_RUN_PREPARED, .prepare = prepare}, .takes_channels_last = ir_always_channels_last                       \
  }

const ir_op ir_op_pad_1 = PAD(1);
const ir_op ir_op_pad_12 = PAD(12);
