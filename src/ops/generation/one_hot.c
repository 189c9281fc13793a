/* OneHot-1 and -16: a new axis of `depth` sizes, at which one element is `on_value` and the others are `off_value`. */
#include "ops/axes.h"
#include "ops/bind.h"
#include "ops/movement/movement.h"

typedef struct one_hot_params {
  int64_t axis;
  int negative_indices_mode;
} one_hot_params;

static bool check_depth(const ir_node *node, const ir_value *depth, ir_scope *scope) {
  const ir_dim n = ir_part_at(depth, 0);
  if (!ir_has_parts(depth) || n.hi >= 0)
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
  out->unknown = !is_known || !check_depth(node, in[1], scope);
  if (out->unknown || shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const int rank = shape->rank + 1;
  out->unknown = !ir_rank_fits(node, rank, scope) ||
                 !ir_axis_attr(node, "axis", ((const one_hot_params *)node->params)->axis, rank, &axis, scope);
  if (out->unknown)
    return IR_OK;
  out->shape.rank = rank;
  for (int i = 0, from = 0; i < rank; i++)
    out->shape.dims[i] = i != axis             ? shape->dims[from++]
                         : ir_has_parts(in[1]) ? ir_size_of_part(ir_part_at(in[1], 0))
                                               : ir_dim_any();
  return IR_OK;
}

/* ---- the rows ---- */

/* OpenVINO's writer has an underscore where the page has a dash. */
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
    .inputs = {{IR_INDEX_NUMBERS("indices", "T1", 0, IR_MAX_RANK), .types_noted = IR_SET_INTEGERS},                    \
               {.name = "depth",                                                                                       \
                .types = IR_SET_I32_I64,                                                                               \
                .types_noted = IR_SET_INTEGERS,                                                                        \
                .rank_min = 0,                                                                                         \
                .rank_max = 0,                                                                                         \
                .contents = true},                                                                                     \
               SCALAR("on_value"),                                                                                     \
               SCALAR("off_value")},                                                                                   \
    .outputs = {{.name = "output", .type_var = "T2", .types = IR_SET_STORED, .rank_min = 1, .rank_max = IR_MAX_RANK}}, \
    .infer = infer                                                                                                     \
  }

const ir_op ir_op_one_hot_1 = ONE_HOT(1, attrs_1);
const ir_op ir_op_one_hot_16 = ONE_HOT(16, attrs_16);
