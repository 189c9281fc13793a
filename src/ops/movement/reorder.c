/* Ops whose output has the input's shape, for elements change places within it: ShuffleChannels-1, Reverse-1,
 * ReverseSequence-1, Roll-7. */
#include "ops/axes.h"
#include "ops/bind.h"
#include "ops/movement/movement.h"

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
  out->unknown = !ir_axis_attr(node, "axis", params->axis, shape->rank, &axis, scope);
  if (out->unknown)
    return IR_OK;
  const ir_dim dim = shape->dims[axis];
  if (dim.hi == IR_DIM_MAX || ir_ceil_div(dim.lo, params->group) <= dim.hi / params->group)
    return IR_OK;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(scope, node, "group"),
            "group is %lld; axis %d of %s%s has the size %s, which is no multiple", (long long)params->group, axis,
            ir_type_name(in[0]->type), ir_shape_text(shape, text, sizeof text), ir_dim_text(dim, size, sizeof size));
  out->unknown = true;
  return IR_OK;
}

enum { MODE_INDEX, MODE_MASK };

/* Which types go with the mode, and how many entries. */
static bool check_reversed(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const bool is_mask = ((const reorder_params *)node->params)->mode == MODE_MASK;
  const int rank = in[0]->shape.rank;
  const ir_dim count = ir_axes_count(in[1]);
  char text[IR_DIM_TEXT];
  ir_axes axes;
  if (in[1]->type != IR_DYNAMIC && is_mask != (in[1]->type == IR_BOOLEAN)) {
    ir_report(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, 1, -1),
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
  if (is_mask || in[1]->known == NULL)
    return is_mask || ir_axes_fit(node, 1, count, rank, scope);
  return ir_axes_read(node, 1, in[1]->known, (ir_axes_rule){.rank = rank, .repeats = IR_REPEATS_TAKEN}, scope, &axes);
}

static ir_code infer_reverse(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (ir_movement_same(node, in, out))
    out->unknown = !check_reversed(node, in, scope);
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
  out->unknown = !ir_axis_attr(node, "batch_axis", params->batch_axis, rank, &batch, scope) ||
                 !ir_axis_attr(node, "seq_axis", params->seq_axis, rank, &seq, scope);
  if (out->unknown)
    return IR_OK;
  if (ir_dims_meet(count, out->shape.dims[batch])) {
    out->shape.dims[batch] = ir_dims_common(count, out->shape.dims[batch]);
    return IR_OK;
  }
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'seq_lengths' holds %s lengths; the batch, axis %d, has the size %s",
            ir_dim_text(count, texts[0], sizeof texts[0]), batch,
            ir_dim_text(out->shape.dims[batch], texts[1], sizeof texts[1]));
  out->unknown = true;
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
    out->unknown = true;
  } else if (in[1]->shape.rank != 0 && !ir_dims_meet(shifts, n_axes)) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
              "'axes' holds %s axes, 'shift' %s numbers; expected one for each, or a scalar for all",
              ir_dim_text(n_axes, texts[0], sizeof texts[0]), ir_dim_text(shifts, texts[1], sizeof texts[1]));
    out->unknown = true;
  } else if (in[2]->known != NULL && out->shape.rank != IR_RANK_UNKNOWN) {
    const ir_axes_rule rule = {.rank = out->shape.rank, .repeats = IR_REPEATS_TAKEN};
    out->unknown = !ir_axes_read(node, 2, in[2]->known, rule, scope, &axes);
  }
  return IR_OK;
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

/* OpenVINO's tables know the op from opset3 on as another one; it has one page. */
#define SHUFFLE_CHANNELS(number)                                                                                       \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "ShuffleChannels", .version = number,                                              \
    .spec = IR_SPEC_PAGE("movement/shuffle-channels-1"), .params_size = sizeof(reorder_params),                        \
    .attrs = shuffle_attrs,                                                                                            \
    .inputs = {{.name = "data",                                                                                        \
                .type_var = "T",                                                                                       \
                .types = IR_SET_NUMBERS,                                                                               \
                .types_noted = IR_SET(IR_BOOLEAN),                                                                     \
                .rank_min = 1,                                                                                         \
                .rank_max = IR_MAX_RANK}},                                                                             \
    .outputs = {FROM_RANK("output", "T", IR_SET_NUMBERS, 1)}, .infer = infer_shuffle                                   \
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
    .inputs = {{IR_ANY_TYPE("data", "T1")},
               {.name = "axis",
                .types = IR_SET_INTEGERS | IR_SET(IR_BOOLEAN),
                .rank_min = 1,
                .rank_max = 1,
                .contents = true}},
    .outputs = {{IR_ANY_TYPE("output", "T1")}},
    .infer = infer_reverse,
};

const ir_op ir_op_reverse_sequence_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReverseSequence",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/reverse-sequence-1"),
    .params_size = sizeof(reorder_params),
    .attrs = sequence_attrs,
    .inputs = {FROM_RANK("data", "T1", IR_SET_STORED, 2),
               {.name = "seq_lengths", .type_var = "T2", .types = IR_SET_NUMBERS, .rank_min = 1, .rank_max = 1}},
    .outputs = {FROM_RANK("output", "T1", IR_SET_STORED, 2)},
    .infer = infer_sequence,
};

const ir_op ir_op_roll_7 = {
    .dialect = IR_OPENVINO,
    .type = "Roll",
    .version = 7,
    .spec = IR_SPEC_PAGE("movement/roll-7"),
    .inputs = {{IR_ANY_TYPE("data", "T")},
               {IR_INDEX_NUMBERS("shift", "T_IND_1", 0, 1)},
               {IR_INDEX_NUMBERS("axes", "T_IND_2", 0, 1), .contents = true}},
    .outputs = {{IR_ANY_TYPE("output", "T")}},
    .infer = infer_roll,
};
