/* Registers AdaptiveAvgPool-8, the mean of each bin of an input [N, C, D..], and AdaptiveMaxPool-8, the maximum of
 * each bin and its index within the channel. The second input has the number of bins on each spatial axis.
 *
 * If an axis has n elements in `out` bins, bin i covers positions floor(i * n / out) up to, but excluding, ceil((i +
 * 1) * n / out). `out` can exceed n. */
#include "ops/pool/pool.h"
#include "ops/pool/pool_indices.h"
#include "ops/pool/pool_step.h"
#include <stdio.h>

#define MAX_OUTPUT INT32_MAX /* OpenVINO reads the sizes through int32 */

static ir_where size_where(const ir_node *node, const ir_scope *scope) {
  return ir_input_where(scope, node, 1, -1);
}

/* Checks the shape of the second input: a list with one size for each spatial axis. If the first input's rank is
 * unknown, the list fits any rank that the input's port accepts. */
static bool check_size_shape(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_shape *size = &in[1]->shape;
  const ir_port_spec *data = &node->op->inputs[0];
  if (in[1]->poisoned)
    return false;
  ir_dim expected = {data->rank_min - 2, data->rank_max - 2};
  if (!in[0]->poisoned && in[0]->shape.rank != IR_RANK_UNKNOWN)
    expected = ir_dim_of(in[0]->shape.rank - 2);
  if (size->rank == IR_RANK_UNKNOWN || (size->rank == 1 && ir_dims_meet(size->dims[0], expected)))
    return true;
  char found[IR_SHAPE_TEXT], length[IR_DIM_TEXT];
  ir_report(scope->diags, IR313_OUTPUT_SIZE_UNUSABLE, size_where(node, scope),
            "the output size has shape %s, expected [%s]", ir_shape_text(size, found, sizeof found),
            ir_dim_text(expected, length, sizeof length));
  ir_note(scope->diags, (ir_where){0}, "it is a list with one size for each spatial axis of the input");
  return false;
}

static bool check_sizes(const ir_node *node, const ir_tensor *sizes, ir_scope *scope) {
  char wrong[256] = "";
  size_t used = 0;
  for (int64_t i = 0; i < ir_tensor_elements(sizes); i++) {
    char text[IR_NUMBER_TEXT];
    ir_number number = ir_tensor_get(sizes, i);
    double size = ir_number_as_double(number);
    if (size >= 1 && size <= MAX_OUTPUT)
      continue;
    if (used < sizeof wrong)
      used += (size_t)snprintf(wrong + used, sizeof wrong - used, "%s%s for axis %lld", used > 0 ? ", " : "",
                               ir_number_text(sizes->type, number, text, sizeof text), (long long)i);
  }
  if (used > 0)
    ir_report(scope->diags, IR313_OUTPUT_SIZE_UNUSABLE, size_where(node, scope),
              "the output size is %s, expected 1 to %d", wrong, MAX_OUTPUT);
  return used == 0;
}

/* Checks that no spatial axis is empty, because its bins would be empty, too. N and C can be 0. */
static bool check_input(const ir_node *node, const ir_value *in, ir_scope *scope) {
  char axes[256];
  size_t used = 0;
  int first = -1;
  for (int i = 2; i < in->shape.rank; i++) {
    if (in->shape.dims[i].hi > 0)
      continue;
    first = first < 0 ? i : first;
    used += (size_t)snprintf(axes + used, sizeof axes - used, "%s%d", used > 0 ? ", " : "", i);
  }
  if (first >= 0)
    ir_report(scope->diags, IR307_DIMENSION_NOT_POSITIVE, ir_input_where(scope, node, 0, first),
              "dim %s of the input is 0; an adaptive pool needs at least 1 on every spatial axis", axes);
  return first < 0;
}

/* Returns the rank of the input. If the rank is unknown, returns the number of sizes plus 2, if that is known. */
static int rank_of(const ir_value *const *in) {
  const ir_shape *size = &in[1]->shape;
  if (in[0]->shape.rank == IR_RANK_UNKNOWN && size->rank == 1 && ir_dim_known(size->dims[0]))
    return (int)size->dims[0].lo + 2;
  return in[0]->shape.rank;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  out->type = in[0]->type;
  bool fine = check_size_shape(node, in, scope);
  const ir_tensor *sizes = fine ? in[1]->contents : NULL;
  fine = (sizes == NULL || check_sizes(node, sizes, scope)) && fine;
  fine = (in[0]->poisoned || check_input(node, in[0], scope)) && fine;
  out->poisoned = !fine || in[0]->poisoned;
  if (out->poisoned)
    return IR_OK;
  out->shape.rank = rank_of(in);
  for (int i = 0; i < out->shape.rank; i++) {
    if (i < 2)
      out->shape.dims[i] = shape->rank == IR_RANK_UNKNOWN ? ir_dim_any() : shape->dims[i];
    else if (sizes != NULL)
      out->shape.dims[i] = ir_dim_of((int64_t)ir_number_as_double(ir_tensor_get(sizes, i - 2)));
    else
      out->shape.dims[i] = (ir_dim){1, IR_DIM_MAX};
  }
  return IR_OK;
}

static void formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size) {
  const ir_shape *out = &node->outputs[0].shape;
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 2; i < out->rank && used < size && in[0]->shape.rank == out->rank; i++) {
    char n[IR_DIM_TEXT], o[IR_DIM_TEXT];
    used += (size_t)snprintf(buffer + used, size - used, "%s%s in %s bins", used > 0 ? "; " : "",
                             ir_dim_text(in[0]->shape.dims[i], n, sizeof n), ir_dim_text(out->dims[i], o, sizeof o));
  }
}

static int64_t cost(const ir_node *node, const ir_value *const *in) {
  const ir_shape *shape = &in[0]->shape, *out = &node->outputs[0].shape;
  if (node->outputs[0].poisoned || !ir_shape_known(shape) || !ir_shape_known(out))
    return -1;
  int64_t total = 1;
  for (int i = 0; i < out->rank; i++) {
    int64_t n = shape->dims[i].lo, bins = out->dims[i].lo, elements = n;
    /* The bins of an axis have n + bins - gcd(n, bins) elements in total. Two neighbours share an element if the
     * boundary between them is not an integer. */
    int64_t a = n, b = bins;
    while (i >= 2 && b != 0) {
      int64_t rest = a % b;
      a = b;
      b = rest;
    }
    if (i >= 2)
      elements = n + bins - a;
    if (!ir_mul(total, elements, &total))
      return -1;
  }
  return total;
}

/* ---- rows ---- */

/* `output_type` is in an example on both pages. It is checked, but has no effect. */
typedef struct adaptive_params {
  int index_type, output_type;
} adaptive_params;

#define OUTPUT_TYPE_ROW IR_INDEX_TYPE_ROW("output_type", adaptive_params, output_type)

static const ir_attr_spec average_attrs[] = {OUTPUT_TYPE_ROW, {.name = NULL}};
static const ir_attr_spec max_attrs[] = {
    IR_INDEX_TYPE_ROW("index_element_type", adaptive_params, index_type), OUTPUT_TYPE_ROW, {.name = NULL}};

static ir_code prepare_average(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_average average = {.divisor = 0};
  ir_code code = ir_windows_make(plan, node, &in[0]->shape, &node->outputs[0].shape, 2, NULL, &average.windows);
  return code == IR_OK ? ir_average_step(plan, node, &average, scope) : code;
}

/* The first spatial axis. AdaptiveMaxPool's indices count from it, so within a channel. */
#define FIRST_SPATIAL 2

static ir_code infer_both(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const adaptive_params *params = node->params;
  ir_code code = infer(node, in, out, scope);
  ir_indices_infer(node, in[0], FIRST_SPATIAL, ir_index_type(params->index_type), out, scope);
  out[1].poisoned = out[1].poisoned || !ir_attr_usable(node, "index_element_type");
  return code;
}

/* A maximum starts with the bin's first element. So a NaN stays if it is the first element; any later NaN is ignored.
 */
static ir_code prepare_max(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_windows windows;
  int64_t modulus;
  ir_code code = ir_windows_make(plan, node, &in[0]->shape, &node->outputs[0].shape, 2, NULL, &windows);
  if (code != IR_OK)
    return code;
  ir_index_modulus(&in[0]->shape, FIRST_SPATIAL, &modulus);
  return ir_maximum_step(plan, node, &windows, IR_MAX_FROM_FIRST, modulus, scope);
}

#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_if_allowed = IR_SET_INTEGERS,                        \
    .types_carried = IR_CARRIED_NONE, .rank_min = 3, .rank_max = 5                                                     \
  }
#define SIZES_PORT                                                                                                     \
  {                                                                                                                    \
    .name = "output_shape", .type_var = "T_SHAPE", .types = IR_SET(IR_I32) | IR_SET(IR_I64),                           \
    .types_noted = IR_SET_INTEGERS, .fault = IR313_OUTPUT_SIZE_UNUSABLE, .rank_min = 0, .rank_max = IR_MAX_RANK,       \
    .contents = true                                                                                                   \
  }
#define ADAPTIVE_POOL(name, page, schema, infer_rule, prepare_rule, ...)                                               \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = 8, .spec = IR_SPEC_PAGE("pooling/" page),                         \
    .params_size = sizeof(adaptive_params), .attrs = schema, .inputs = IR_PORTS(T_PORT("data"), SIZES_PORT),           \
    .outputs = IR_PORTS(__VA_ARGS__), .infer = infer_rule, .run = {IR_RUN_PREPARED, .prepare = prepare_rule},          \
    .formula = formula, .cost = cost                                                                                   \
  }

const ir_op ir_op_adaptive_avg_pool_8 =
    ADAPTIVE_POOL("AdaptiveAvgPool", "adaptive-avg-pool-8", average_attrs, infer, prepare_average, T_PORT("output"));
const ir_op ir_op_adaptive_max_pool_8 = ADAPTIVE_POOL("AdaptiveMaxPool", "adaptive-max-pool-8", max_attrs, infer_both,
                                                      prepare_max, T_PORT("output"), IR_INDICES_PORT);
