/* Broadcast-1 and Broadcast-3 repeat `data` to the shape that `target_shape` lists. */
#include "ops/axes.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/strided_copy.h"
#include "ops/math/broadcast.h"
#include "ops/movement/movement.h"
#include "ops/op.h"

typedef enum broadcast_mode { NUMPY, EXPLICIT, BIDIRECTIONAL } broadcast_mode;

typedef struct broadcast_params {
  int mode;
} broadcast_params;

static const char *const modes_1[] = {"numpy", "explicit", NULL};
/* For version 1, OpenVINO writes "none" instead of "explicit". */
static const char *const other_modes_1[] = {"numpy", "none", NULL};
static const char *const modes_3[] = {"numpy", "explicit", "bidirectional", NULL};

static bool report(const ir_node *node, const ir_value *const *in, const ir_shape *target, ir_scope *scope) {
  char texts[2][IR_SHAPE_TEXT];
  ir_report(scope->diags, IR316_SHAPES_NOT_BROADCASTABLE, ir_input_where(scope, node, 1, -1),
            "'data' is %s, 'target_shape' %s: it does not stretch to that",
            ir_shape_text(&in[0]->shape, texts[0], sizeof texts[0]), ir_shape_text(target, texts[1], sizeof texts[1]));
  return false;
}

/* Checks that a dim of the data is 1 or can equal the target's dim; in the second case intersects *target with it. */
static bool stretch(ir_dim dim, ir_dim *target) {
  if (ir_dims_meet(dim, ir_dim_of(1)))
    return true;
  if (!ir_dims_meet(dim, *target))
    return false;
  *target = ir_dims_common(dim, *target);
  return true;
}

/* Checks mode "numpy": the last axes align. */
static bool fit_numpy(const ir_node *node, const ir_value *const *in, ir_shape *out, ir_scope *scope) {
  const ir_shape target = *out;
  const int missing = target.rank - in[0]->shape.rank;
  if (in[0]->shape.rank == IR_RANK_UNKNOWN || target.rank == IR_RANK_UNKNOWN)
    return true;
  bool fits = missing >= 0;
  for (int i = 0; i < in[0]->shape.rank && fits; i++)
    fits = stretch(in[0]->shape.dims[i], &out->dims[missing + i]);
  return fits || report(node, in, &target, scope);
}

static bool fit_bidirectional(const ir_node *node, const ir_value *const *in, ir_shape *out, ir_scope *scope) {
  const ir_shape target = *out;
  const ir_broadcast_result result =
      ir_broadcast_shapes((ir_broadcast){.mode = IR_BROADCAST_NUMPY}, &in[0]->shape, &target);
  *out = result.shape;
  return result.fit == IR_BROADCAST_FITS || report(node, in, &target, scope);
}

/* Checks mode "explicit": `axes_mapping` has an axis of the target for each axis of the data, in rising order. */
static bool fit_explicit(const ir_node *node, const ir_value *const *in, ir_shape *out, ir_scope *scope) {
  const ir_shape target = *out;
  const int rank = in[0]->shape.rank;
  const ir_dim count = ir_axes_count(in[2]);
  char n[IR_DIM_TEXT];
  ir_axes axes;
  if (rank == IR_RANK_UNKNOWN)
    return true;
  if (!ir_dims_meet(count, ir_dim_of(rank)) && !(rank == 0 && count.lo == 1)) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
              "'axes_mapping' holds %s axes, expected one for each of the %d of 'data'",
              ir_dim_text(count, n, sizeof n), rank);
    return false;
  }
  if (in[2]->contents == NULL || target.rank == IR_RANK_UNKNOWN)
    return true;
  if (!ir_axes_read(node, 2, in[2]->contents, (ir_axes_rule){.rank = target.rank, .front_only = true}, scope, &axes))
    return false;
  for (int i = 0; i < axes.n && i < rank; i++) {
    if (i > 0 && axes.items[i] < axes.items[i - 1]) {
      ir_report(scope->diags, IR315_AXES_UNUSABLE, ir_input_where(scope, node, 2, -1),
                "'axes_mapping' holds %d behind %d; the axes rise, for nothing is transposed", axes.items[i],
                axes.items[i - 1]);
      return false;
    }
    if (!stretch(in[0]->shape.dims[i], &out->dims[axes.items[i]]))
      return report(node, in, &target, scope);
  }
  /* A scalar with an axis in `axes_mapping` does not stretch: the target's size on that axis must be 1. */
  if (rank == 0 && axes.n == 1 && !ir_dims_meet(target.dims[axes.items[0]], ir_dim_of(1)))
    return report(node, in, &target, scope);
  return true;
}

static bool check_inputs(const ir_node *node, ir_scope *scope) {
  const bool is_explicit = ((const broadcast_params *)node->params)->mode == EXPLICIT;
  /* In every mode of version 1, OpenVINO writes a scalar as `axes_mapping`. */
  if (is_explicit == (node->n_inputs > 2) || (!is_explicit && node->op->version == 1))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(scope, node, "mode"),
            is_explicit ? "mode is explicit, and input 2, 'axes_mapping', is missing"
                        : "input 2, 'axes_mapping', goes with mode=\"explicit\" alone");
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (node->op->version == 1)
    ir_warn_of_default(node, "mode", "numpy", "explicit", scope);
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->poisoned = !check_inputs(node, scope) || !ir_shape_input(node, 1, in[1], &out->shape, scope);
  if (out->poisoned)
    return IR_OK;
  const int mode = ((const broadcast_params *)node->params)->mode;
  out->poisoned = mode == NUMPY      ? !fit_numpy(node, in, &out->shape, scope)
                  : mode == EXPLICIT ? !fit_explicit(node, in, &out->shape, scope)
                                     : !fit_bidirectional(node, in, &out->shape, scope);
  return IR_OK;
}

/* Finds the strides of the data along the axes of the output; repeated axes have stride 0. Returns false if the
 * contents of `axes_mapping` are unknown. */
static bool find_steps(const ir_node *node, const ir_value *const *in, int rank, int64_t *steps, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  int64_t own_steps[IR_MAX_RANK];
  ir_axes axes = {.n = 0};
  for (int i = 0; i < shape->rank; i++)
    axes.items[i] = rank - shape->rank + i;
  if (((const broadcast_params *)node->params)->mode == EXPLICIT &&
      (in[2]->contents == NULL || !ir_axes_read(node, 2, in[2]->contents, (ir_axes_rule){.rank = rank}, scope, &axes)))
    return false;
  ir_nd_iter_steps(shape, 0, shape->rank, own_steps);
  for (int i = 0; i < rank; i++)
    steps[i] = 0;
  for (int i = 0; i < shape->rank; i++)
    steps[axes.items[i]] = own_steps[i];
  return true;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  int64_t steps[IR_MAX_RANK];
  if (!ir_ranges_pass(in[0], out) || !find_steps(node, in, out->shape.rank, steps, scope))
    return IR_OK;
  return ir_ranges_strided(in[0], 0, steps, out, scope);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *shape = &node->outputs[0].shape;
  int64_t dims[IR_MAX_RANK], from[IR_MAX_RANK], to[IR_MAX_RANK];
  if (!find_steps(node, in, shape->rank, from, scope))
    return IR_INVALID;
  ir_nd_iter_steps(shape, 0, shape->rank, to);
  for (int i = 0; i < shape->rank; i++)
    dims[i] = shape->dims[i].lo;
  const ir_strided_copy copy = ir_strided_copy_of(shape->rank, dims, from, to);
  return ir_strided_copy_step(plan, node, &copy);
}

#define MODE(words, other_words)                                                                                       \
  {                                                                                                                    \
    {.name = "mode",                                                                                                   \
     .kind = IR_ATTR_ENUM,                                                                                             \
     .offset = offsetof(broadcast_params, mode),                                                                       \
     .names = words,                                                                                                   \
     .other_names = other_words,                                                                                       \
     .fallback = "numpy"},                                                                                             \
    {                                                                                                                  \
      .name = NULL                                                                                                     \
    }                                                                                                                  \
  }

static const ir_attr_spec attrs_1[] = MODE(modes_1, other_modes_1), attrs_3[] = MODE(modes_3, NULL);

#define BROADCAST(number, schema, DATA, axes_rank)                                                                     \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "Broadcast", .version = number,                                                    \
    .spec = IR_SPEC_PAGE("movement/broadcast-" #number), .params_size = sizeof(broadcast_params), .attrs = schema,     \
    .inputs = IR_PORTS(                                                                                                \
        {DATA("data", "T"), .ranges = true}, {IR_WHOLE_NUMBERS("target_shape", "T_SHAPE", 1, 1), .contents = true},    \
        {IR_WHOLE_NUMBERS("axes_mapping", "T_SHAPE", axes_rank, 1), .contents = true, .optional = true}),              \
    .outputs = IR_PORTS({DATA("output", "T")}), .narrow = IR_SET_NARROW_BYTES, .infer = infer, .ranges = ranges,       \
    .run = {                                                                                                           \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = prepare                                                                                               \
    }                                                                                                                  \
  }

const ir_op ir_op_broadcast_1 = BROADCAST(1, attrs_1, IR_ANY_TYPE, 0);
const ir_op ir_op_broadcast_3 = BROADCAST(3, attrs_3, IR_ANY_NUMBER, 1);
