/* BatchNormInference-1 and -5, GroupNormalization-12: an input [N, C, ..] is normalized, and vectors [C] scale and
 * shift its channels. Specification: operation-specs/normalization. */
#include "ops/kernels/elementwise.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/group_reduce.h"
#include "ops/kernels/numbers.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include <string.h>
#include <tgmath.h>

typedef struct channel_params {
  double epsilon;
  int64_t num_groups;
} channel_params;

/* The `family` of a BatchNormInference row: the index of the data input. */
static const int data_first = 0, data_third = 2;

/* Intersects *channels with the length of a vector. Reports an empty intersection. */
static bool join_channels(const ir_node *node, const ir_value *vector, int port, ir_dim *channels, ir_scope *scope) {
  if (vector->shape.rank == IR_RANK_UNKNOWN)
    return true;
  if (ir_dims_meet(*channels, vector->shape.dims[0])) {
    *channels = ir_dims_common(*channels, vector->shape.dims[0]);
    return true;
  }
  char dims[2][IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, 0),
            "'%s' has %s elements, expected %s: one for each channel", node->op->inputs[port].name,
            ir_dim_text(vector->shape.dims[0], dims[0], sizeof dims[0]),
            ir_dim_text(*channels, dims[1], sizeof dims[1]));
  return false;
}

/* Sets *channels to the channel count that fits the data and all vectors. Returns false, after a report, if no count
 * fits. */
static bool common_channels(const ir_node *node, const ir_value *const *in, int data, ir_dim *channels,
                            ir_scope *scope) {
  bool fine = true;
  *channels = in[data]->shape.rank != IR_RANK_UNKNOWN ? in[data]->shape.dims[1] : ir_dim_any();
  for (int port = 0; port < node->n_inputs; port++)
    if (port != data)
      fine = join_channels(node, in[port], port, channels, scope) && fine;
  return fine;
}

static bool begin(const ir_node *node, const ir_value *const *in, int data, ir_value *out) {
  out->type = in[data]->type;
  out->shape = in[data]->shape;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  return !out->poisoned;
}

static void check_epsilon(const ir_node *node, ir_scope *scope) {
  const double epsilon = ((const channel_params *)node->params)->epsilon;
  if (node->attrs_at_fault == 0 && !(epsilon >= 0))
    ir_report_number(node, "epsilon", epsilon, "0 or more", scope);
}

static ir_code infer_batch(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int data = *(const int *)node->op->family;
  ir_dim channels;
  if (!begin(node, in, data, out))
    return IR_OK;
  out->poisoned = !common_channels(node, in, data, &channels, scope);
  if (!out->poisoned && channels.hi == 0) {
    ir_report(scope->diags, IR307_DIMENSION_NOT_POSITIVE, ir_input_where(scope, node, data, 1),
              "C (channels) of the input is 0; %s needs at least 1", node->op->type);
    out->poisoned = true;
  }
  if (out->shape.rank != IR_RANK_UNKNOWN)
    out->shape.dims[1] = channels;
  return IR_OK;
}

static ir_code infer_group(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t groups = ((const channel_params *)node->params)->num_groups;
  ir_dim channels;
  if (!begin(node, in, 0, out))
    return IR_OK;
  out->poisoned = !common_channels(node, in, 0, &channels, scope);
  if (out->poisoned || channels.hi == IR_DIM_MAX)
    return IR_OK;
  if (groups > channels.hi || (ir_dim_known(channels) && channels.lo % groups != 0)) {
    char text[IR_DIM_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(scope, node, "num_groups"),
              "%s channels cannot be divided into %lld groups", ir_dim_text(channels, text, sizeof text),
              (long long)groups);
    out->poisoned = true;
  }
  return IR_OK;
}

/* ---- running ---- */

#define EPSILON (((const channel_params *)call->params)->epsilon)

/* Defines the formula of a batch normalization. X, GAMMA, .. are indices of the inputs. */
#define BATCH_ROW(name, type, X, GAMMA, BETA, MEAN, VARIANCE)                                                          \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const type *x = call->in[X], *gamma = call->in[GAMMA], *beta = call->in[BETA], *mean = call->in[MEAN];             \
    const type *variance = call->in[VARIANCE], epsilon = (type)EPSILON;                                                \
    type *out = call->out;                                                                                             \
    for (int64_t i = 0; i < call->n; i++)                                                                              \
      out[i] = (x[i] - mean[i]) / sqrt(variance[i] + epsilon) * gamma[i] + beta[i];                                    \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))
BATCH_ROW(batch_1_f32, float, 2, 0, 1, 3, 4)
BATCH_ROW(batch_1_f64, double, 2, 0, 1, 3, 4)
BATCH_ROW(batch_5_f32, float, 0, 1, 2, 3, 4)
BATCH_ROW(batch_5_f64, double, 0, 1, 2, 3, 4)
static const ir_elementwise batch_elementwise_1 = {
    .name = "batch_norm", .rows = {batch_1_f32, batch_1_f64}, .chosen_by = 2};
static const ir_elementwise batch_elementwise_5 = {.name = "batch_norm", .rows = {batch_5_f32, batch_5_f64}};

static ir_code prepare_batch(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  int offsets[] = {1, 1, 1, 1, 1};
  offsets[*(const int *)node->op->family] = 0;
  return ir_elementwise_step(plan, node, in, node->op->elementwise, offsets, scope);
}

IR_GROUP_REDUCE_THEN(inverse, double, b, 1 / sqrt(b / (double)call->n_terms + EPSILON))

/* Normalizes, scales and shifts elements. `behind` adjacent elements have the same channel, and so the same scale and
 * bias. A row of several groups has one element of each. */
#define SCALED(name, type)                                                                                             \
  IR_LOOP void name##_row(const type *xs, type *ys, int64_t n, double mean, double factor, double bias) {              \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      ys[i] = (type)(((double)xs[i] - mean) * factor + bias);                                                          \
  }                                                                                                                    \
  IR_LOOP void name##_loop(const ir_group_reduce_call *call) {                                                         \
    const ir_tensor *data = call->in[0], *scale = call->in[1], *bias = call->in[2];                                    \
    const int64_t channels = data->dims[1], behind = ir_tensor_elements(data) / data->dims[0] / channels;              \
    for (int64_t r = 0; r < call->n_rows; r++)                                                                         \
      for (int64_t i = 0, n; i < call->n; i += n) {                                                                    \
        const int64_t at = call->offset + r * call->x_step + i, channel = at / behind % channels;                      \
        const int64_t group = call->is_across ? i : r;                                                                 \
        n = least(behind - at % behind, call->n - i);                                                                  \
        name##_row((const type *)call->x + r * call->x_step + i, (type *)call->y + r * call->y_step + i, n,            \
                   ((const double *)call->a)[group], ((const double *)call->b)[group] * ir_number_at(scale, channel),  \
                   ir_number_at(bias, channel));                                                                       \
      }                                                                                                                \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_group_reduce_call *call), (call))
SCALED(scaled_f32, float)
SCALED(scaled_f64, double)

/* Sees the data as [N, groups, channels of a group, elements of a channel], and normalizes along axes 2 and 3. */
static ir_code prepare_group(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
#define GROUP_NORM_OF(type)                                                                                            \
  {                                                                                                                    \
    .name = "group_normalization", .each = {ir_group_reduce_sum_##type, ir_group_reduce_deviations_##type},            \
    .then = {ir_group_reduce_mean, inverse}, .last = scaled_##type                                                     \
  }
  static const ir_group_reduce reduces[] = {
      [IR_COMPUTE_F32] = GROUP_NORM_OF(f32), [IR_COMPUTE_F64] = GROUP_NORM_OF(f64)};
  const ir_compute_type compute = ir_group_reduce_compute(in[0]->type);
  const ir_shape *shape = &in[0]->shape;
  const int64_t batch = shape->dims[0].lo, channels = shape->dims[1].lo;
  const int64_t groups = ((const channel_params *)node->params)->num_groups;
  int64_t elements;
  if (!ir_shape_elements(shape, &elements))
    return ir_out_of_memory(scope->diags);
  int64_t dims[4] = {0};
  if (elements > 0)
    memcpy(dims, (int64_t[]){batch, groups, channels / groups, elements / batch / channels}, sizeof dims);
  const ir_shape view = ir_shape_of(4, dims);
  return ir_group_reduce_step(plan, node, &reduces[compute], compute, &view, &(ir_axes){.n = 2, .items = {2, 3}}, 3,
                              scope);
}

/* ---- the rows ---- */

#define EPSILON_ROW                                                                                                    \
  { .name = "epsilon", .kind = IR_ATTR_FLOAT, .offset = offsetof(channel_params, epsilon), .required = true }
static const ir_attr_spec batch_attrs[] = {EPSILON_ROW, {.name = NULL}};
static const ir_attr_spec group_attrs[] = {{.name = "num_groups",
                                            .kind = IR_ATTR_INT,
                                            .offset = offsetof(channel_params, num_groups),
                                            .min = 1,
                                            .max = INT64_MAX,
                                            .required = true},
                                           EPSILON_ROW,
                                           {.name = NULL}};

#define PORT(text, least, most)                                                                                        \
  {                                                                                                                    \
    .name = text, .type_var = "T", .types = IR_SET_FLOATS, .types_carried = IR_CARRIED_NONE, .rank_min = least,        \
    .rank_max = most                                                                                                   \
  }
#define DATA(text)   PORT(text, 2, IR_MAX_RANK)
#define VECTOR(text) PORT(text, 1, 1)
#define BATCH_NORM(number, data, ...)                                                                                  \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "BatchNormInference", .version = number,                                           \
    .spec = IR_SPEC_PAGE("normalization/batch-norm-inference-" #number), .params_size = sizeof(channel_params),        \
    .attrs = batch_attrs, .family = &data, .check_attributes = check_epsilon, .infer = infer_batch,                    \
    .elementwise = &batch_elementwise_##number, .run = {IR_RUN_PREPARED, .prepare = prepare_batch},                    \
    .cost = ir_elementwise_cost, .inputs = IR_PORTS(__VA_ARGS__), .outputs = IR_PORTS(DATA("output"))                  \
  }

/* The specification of version 1 has the data as first input. OpenVINO writes and reads the data as third input. */
const ir_op ir_op_batch_norm_inference_1 =
    BATCH_NORM(1, data_third, VECTOR("gamma"), VECTOR("beta"), DATA("data"), VECTOR("mean"), VECTOR("variance"));
const ir_op ir_op_batch_norm_inference_5 =
    BATCH_NORM(5, data_first, DATA("data"), VECTOR("gamma"), VECTOR("beta"), VECTOR("mean"), VECTOR("variance"));

/* Port row of GroupNormalization. OpenVINO neither checks the types of the inputs nor compares them. */
#define NOTED(text, least, most)                                                                                       \
  {                                                                                                                    \
    .name = text, .type_var = "T", .types = IR_SET_FLOATS, .types_noted = IR_SET_INTEGERS,                             \
    .types_carried = IR_CARRIED_WIDENED, .types_may_differ = true, .rank_min = least, .rank_max = most                 \
  }
const ir_op ir_op_group_normalization_12 = {
    .dialect = IR_OPENVINO,
    .type = "GroupNormalization",
    .version = 12,
    .spec = IR_SPEC_PAGE("normalization/group-normalization-12"),
    .params_size = sizeof(channel_params),
    .attrs = group_attrs,
    .infer = infer_group,
    .run = {IR_RUN_PREPARED, .prepare = prepare_group},
    .cost = ir_elementwise_cost,
    .inputs = IR_PORTS(NOTED("data", 2, IR_MAX_RANK), NOTED("scale", 1, 1), NOTED("bias", 1, 1)),
    .outputs = IR_PORTS(NOTED("output", 2, IR_MAX_RANK)),
};
