/* OneHot-1 and -16 insert an axis of size `depth`. On this axis, the element at the index is `on_value`, and all others
 * are `off_value`. */
#include "base/stop.h"
#include "ops/axes.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/strided_copy.h"
#include "ops/movement/movement.h"
#include "ops/op.h"
#include "ops/prepare.h"
#include <string.h>

typedef struct one_hot_params {
  int64_t axis;
  int negative_indices_mode;
} one_hot_params;

static bool check_depth(const ir_node *node, const ir_value *depth, ir_scope *scope) {
  const ir_dim n = ir_range_at(depth, 0);
  if (!ir_has_ranges(depth) || n.hi >= 0)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'depth' is %lld, expected a number of classes", (long long)n.hi);
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  int axis;
  const bool is_known = ir_movement_begin(node, in, out);
  out->type = in[2]->type != IR_DYNAMIC ? in[2]->type : in[3]->type;
  out->poisoned = !is_known || !check_depth(node, in[1], scope);
  if (out->poisoned || shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const int rank = shape->rank + 1;
  out->poisoned = !ir_rank_fits(node, rank, scope) ||
                  !ir_axis_attr(node, "axis", ((const one_hot_params *)node->params)->axis, rank, &axis, scope);
  if (out->poisoned)
    return IR_OK;
  out->shape.rank = rank;
  for (int i = 0, from = 0; i < rank; i++)
    out->shape.dims[i] = i != axis              ? shape->dims[from++]
                         : ir_has_ranges(in[1]) ? ir_size_of_range(ir_range_at(in[1], 0))
                                                : ir_dim_any();
  return IR_OK;
}

/* ---- running ---- */

/* The kernel treats the output as [outer, depth, inner] and the indices as [outer, inner]: `outer` is the product of
 * the sizes before the new axis, `inner` of those after it. */
typedef struct one_hot_state {
  int64_t depth, inner;
  bool from_end; /* a negative index i selects element depth + i; false: it selects no element */
} one_hot_state;

enum { INDICES, ON, OFF, MADE };

typedef struct one_hot_work {
  const one_hot_state *state;
  const ir_tensor *tensors[4];
  ir_stop *stop;
} one_hot_work;

/* Writes the part [depth, inner] of the output at position `outer`. If an index is out of range, all `depth` elements
 * on its axis are `off_value`. */
static void write_plane(const one_hot_work *work, int64_t outer, int worker, int64_t *since) {
  const one_hot_state *state = work->state;
  const size_t size = ir_type_size(work->tensors[MADE]->type);
  char *to = (char *)work->tensors[MADE]->data + (size_t)(outer * state->depth * state->inner) * size;
  ir_fill_elements(size, work->tensors[OFF]->data, to, state->depth * state->inner);
  for (int64_t i = 0; i < state->inner && !ir_stop_asked_after(work->stop, worker, 1, since); i++) {
    int64_t index = ir_index_at(work->tensors[INDICES], outer * state->inner + i);
    if (index < 0 && state->from_end)
      index += state->depth;
    if (index >= 0 && index < state->depth)
      memcpy(to + (size_t)(index * state->inner + i) * size, work->tensors[ON]->data, size);
  }
}

static void write_planes(void *user, int64_t begin, int64_t end, int worker) {
  int64_t since = 0;
  for (int64_t outer = begin; outer < end; outer++)
    write_plane(user, outer, worker, &since);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const one_hot_state *state = step->state;
  one_hot_work work = {state, {in[0], in[1], in[2], out[0]}, exec->stop};
  const int64_t elements = ir_tensor_elements(out[0]);
  if (elements > 0)
    exec->share(exec, elements / (state->depth * state->inner), (int64_t)out[0]->bytes, write_planes, &work);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "one_hot", .isa = "any", .run = run};
  (void)in;
  const one_hot_params *params = node->params;
  const ir_shape *shape = &node->outputs[0].shape;
  const int axis = ir_axis_from_front(params->axis, shape->rank);
  const int32_t to = ir_plan_output_slot(plan, 0);
  int32_t from[3];
  int64_t elements;
  one_hot_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (one_hot_state){shape->dims[axis].lo, 1, params->negative_indices_mode == 1};
  ir_shape_elements(shape, &elements);
  for (int i = axis + 1; i < shape->rank && elements > 0; i++)
    state->inner *= shape->dims[i].lo;
  for (int i = 0; i < 3; i++)
    from[i] = ir_plan_input_slot(plan, i == 0 ? 0 : i + 1);
  return ir_plan_step_on(plan, node, &kernel, state, 0, from, 3, &to, 1);
}

/* ---- rows of the op table ---- */

/* OpenVINO writes "ignore_negative", but the specification has "ignore-negative". */
static const char *const negative_modes[] = {"ignore_negative", "normalize", NULL};
static const char *const other_negative_modes[] = {"ignore-negative", "normalize", NULL};

#define AXIS                                                                                                           \
  {                                                                                                                    \
    .name = "axis", .kind = IR_ATTR_INT, .offset = offsetof(one_hot_params, axis), .min = -IR_MAX_RANK,                \
    .max = IR_MAX_RANK - 1, .required = true                                                                           \
  }

static const ir_attr_spec attrs_1[] = {AXIS, {.name = NULL}};
static const ir_attr_spec attrs_16[] = {AXIS,
                                        {.name = "negative_indices_mode",
                                         .kind = IR_ATTR_ENUM,
                                         .offset = offsetof(one_hot_params, negative_indices_mode),
                                         .names = negative_modes,
                                         .other_names = other_negative_modes,
                                         .fallback = "ignore_negative"},
                                        {.name = NULL}};

#define SCALAR(port)                                                                                                   \
  { .name = port, .type_var = "T2", .types = IR_SET_STORED, .rank_min = 0, .rank_max = 0 }
#define ONE_HOT(number, schema)                                                                                        \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "OneHot", .version = number, .spec = IR_SPEC_PAGE("sequence/one-hot-" #number),    \
    .params_size = sizeof(one_hot_params), .attrs = schema,                                                            \
    .inputs = IR_PORTS({IR_INDEX_NUMBERS("indices", "T1", 0, IR_MAX_RANK), .types_noted = IR_SET_INTEGERS},            \
                       {.name = "depth",                                                                               \
                        .types = IR_SET_I32_I64,                                                                       \
                        .types_noted = IR_SET_INTEGERS,                                                                \
                        .rank_min = 0,                                                                                 \
                        .rank_max = 0,                                                                                 \
                        .contents = true},                                                                             \
                       SCALAR("on_value"), SCALAR("off_value")),                                                       \
    .outputs = IR_PORTS(                                                                                               \
        {.name = "output", .type_var = "T2", .types = IR_SET_STORED, .rank_min = 1, .rank_max = IR_MAX_RANK}),         \
    .infer = infer, .run = {                                                                                           \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = prepare                                                                                               \
    }                                                                                                                  \
  }

const ir_op ir_op_one_hot_1 = ONE_HOT(1, attrs_1);
const ir_op ir_op_one_hot_16 = ONE_HOT(16, attrs_16);
