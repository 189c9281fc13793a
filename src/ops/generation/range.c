/* Range-1 and -4 output start, start + step, start + 2 * step, .. up to `stop`, exclusive. The number of elements is
 * max(0, ceil((stop - start) / step)). */
#include "ops/axes.h"
#include "ops/float_ranges.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/index_input.h"
#include "ops/movement/movement.h"
#include "ops/op.h"
#include "ops/prepare.h"
#include <math.h>

typedef struct range_params {
  ir_type output_type;
} range_params;

/* Interval of the number of elements, for integer intervals and a known step. */
static ir_dim whole_count(ir_dim start, ir_dim stop, ir_dim step) {
  const bool is_back = step.lo < 0;
  const ir_dim way = is_back ? ir_range_subtract(start, stop) : ir_range_subtract(stop, start);
  const int64_t stride = is_back ? -step.lo : step.lo;
  return (ir_dim){way.lo > 0 ? ir_ceil_div(way.lo, stride) : 0, way.hi == INT64_MAX ? IR_DIM_MAX
                                                                : way.hi > 0        ? ir_ceil_div(way.hi, stride)
                                                                                    : 0};
}

static bool is_float(ir_type type) {
  return ir_type_in(type, IR_SET_FLOATS);
}

/* Reads a scalar input. If the output's type is an integer type, truncates a float input, as OpenVINO does. */
static double number_of(const ir_value *value, ir_type type) {
  const double number = ir_number_as_double(ir_tensor_get(value->contents, 0));
  return is_float(type) ? number : trunc(number);
}

/* Interval of a scalar input, truncated like number_of's result. Unknown if the output's type is a float type. */
static ir_dim whole_range(const ir_value *value, ir_type type) {
  if (is_float(type) || !ir_has_ranges(value))
    return ir_range_any();
  return ir_range_converted(ir_range_at(value, 0), value->type, IR_I64);
}

static ir_dim count_of(const ir_value *const *in, ir_type type) {
  bool are_known = true;
  for (int i = 0; i < 3; i++)
    are_known = are_known && in[i]->contents != NULL;
  const ir_dim step = whole_range(in[2], type);
  if (ir_dim_known(step) && step.lo != 0 && step.lo != INT64_MIN)
    return whole_count(whole_range(in[0], type), whole_range(in[1], type), step);
  if (!are_known)
    return ir_dim_any();
  const double n = ceil((number_of(in[1], type) - number_of(in[0], type)) / number_of(in[2], type));
  return n <= 0 ? ir_dim_of(0) : n < 0x1p53 ? ir_dim_of((int64_t)n) : ir_dim_any();
}

static bool check_step(const ir_node *node, const ir_value *step, ir_type type, ir_scope *scope) {
  if (step->contents == NULL || number_of(step, type) != 0)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1), "'step' is 0%s",
            is_float(step->type) && !is_float(type) ? ", cut to a whole number" : "");
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool is_known = ir_movement_begin(node, in, out);
  if (node->op->version == 4)
    out->type = ((const range_params *)node->params)->output_type;
  out->shape = ir_shape_of_rank(1);
  out->poisoned = !is_known || !check_step(node, in[2], out->type, scope);
  if (!out->poisoned)
    out->shape.dims[0] = count_of(in, out->type);
  return IR_OK;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node;
  const int64_t n = ir_ranges_count(out);
  ir_dim numbers[IR_MAX_RANGES];
  if (n < 0 || is_float(out->type))
    return IR_OK;
  for (int64_t i = 0; i < n; i++)
    numbers[i] = i == 0 ? whole_range(in[0], out->type) : ir_range_add(numbers[i - 1], whole_range(in[2], out->type));
  return ir_ranges_set(out, numbers, scope);
}

/* ---- running ---- */

/* Reads a scalar input into `*number`. If is_whole, also reads it into `*whole`, truncated to an integer. */
static void load_number(const ir_tensor *from, bool is_whole, double *number, int64_t *whole) {
  *whole = is_whole ? ir_index_at(from, 0) : 0;
  *number = ir_number_at(from, 0);
}

/* Writes the elements start + i * step for i in [begin, end). Floats are computed in double. Integers wrap around: the
 * output gets the low bits of the exact result. */
static void write_numbers(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const ir_tensor *const *tensors = user, *out = tensors[2];
  const bool is_whole = !is_float(out->type);
  double start, step;
  int64_t whole_start, whole_step;
  ir_piece piece;
  load_number(tensors[0], is_whole, &start, &whole_start);
  load_number(tensors[1], is_whole, &step, &whole_step);
  for (int64_t at = begin, n; at < end; at += n) {
    n = end - at < IR_PIECE ? end - at : IR_PIECE;
    for (int64_t i = 0; i < n; i++)
      if (is_whole)
        piece.u64[i] = (uint64_t)whole_start + (uint64_t)(at + i) * (uint64_t)whole_step;
      else
        piece.f64[i] = start + (double)(at + i) * step;
    ir_compute_store(is_whole ? IR_COMPUTE_U64 : IR_COMPUTE_F64, &piece, out->type, ir_tensor_at(out, at), n);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  const ir_tensor *tensors[3] = {in[0], in[1], out[0]};
  exec->share(exec, ir_tensor_elements(out[0]), (int64_t)out[0]->bytes, write_numbers, tensors);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "range", .isa = "any", .run = run};
  (void)in, (void)scope;
  const int32_t from[2] = {ir_plan_input_slot(plan, 0), ir_plan_input_slot(plan, 2)};
  const int32_t to = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &kernel, NULL, 0, from, 2, &to, 1);
}

/* ---- rows of the op table ---- */

static const ir_attr_spec attrs_4[] = {
    {.name = "output_type", .kind = IR_ATTR_TYPE, .offset = offsetof(range_params, output_type), .required = true},
    {.name = NULL}};

#define NUMBER(port, var)                                                                                              \
  { .name = port, .type_var = var, .types = IR_SET_NUMBERS, .rank_min = 0, .rank_max = 0, .contents = true }
#define RANGE(number, schema, var_1, var_2, var_3, output)                                                             \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "Range", .version = number, .spec = IR_SPEC_PAGE("generation/range-" #number),     \
    .params_size = sizeof(range_params), .attrs = schema,                                                              \
    .inputs = IR_PORTS(NUMBER("start", var_1), NUMBER("stop", var_2), NUMBER("step", var_3)),                          \
    .outputs =                                                                                                         \
        IR_PORTS({.name = "output", .type_var = output, .types = IR_SET_NUMBERS, .rank_min = 1, .rank_max = 1}),       \
    .infer = infer, .ranges = ranges, .run = {                                                                         \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = prepare                                                                                               \
    }                                                                                                                  \
  }

const ir_op ir_op_range_1 = RANGE(1, NULL, "T", "T", "T", "T");
const ir_op ir_op_range_4 = RANGE(4, attrs_4, "T1", "T2", "T3", "");
