/* MVN-2 and -6, LRN-1, NormalizeL2-1 and GRN-1 scale an input by statistics along some axes. The output has the input's
 * shape. The ops compute in f64 and round once. LRN of f32, f16 and bf16 computes its powers in f32. Specification:
 * operation-specs/normalization. */
#include "base/stop.h"
#include "ops/kernels/group_reduce.h"
#include "ops/kernels/numbers.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include <string.h>
#include <tgmath.h>

typedef struct normalization_params {
  ir_ints reduction_axes;
  bool across_channels, normalize_variance;
  int eps_mode;
  double eps, alpha, beta, bias;
  int64_t size;
} normalization_params;

enum { OUTSIDE_SQRT = 1, EPS_ADDED = 0 }; /* values of eps_mode: OUTSIDE_SQRT of MVN, EPS_ADDED of NormalizeL2 */

static bool read_axes(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_axes *axes) {
  const ir_axes_rule rule = {.rank = in[0]->shape.rank, .repeats = IR_REPEATS_WARNED};
  return ir_axes_read(node, 1, in[1]->contents, rule, scope, axes);
}

static bool check_axes(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const int rank = in[0]->shape.rank;
  ir_axes axes;
  if (rank == IR_RANK_UNKNOWN)
    return true;
  if (!ir_axes_fit(node, 1, ir_axes_count(in[1]), rank, scope))
    return false;
  return in[1]->contents == NULL || read_axes(node, in, scope, &axes);
}

static void copy(const ir_node *node, const ir_value *const *in, ir_value *out) {
  out->type = in[0]->type;
  out->shape = in[0]->shape;
  out->poisoned = in[0]->poisoned || node->attrs_at_fault != 0;
}

static ir_code infer_alone(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  copy(node, in, out);
  return IR_OK;
}

/* Infers an op whose axes are the contents of input 1. */
static ir_code infer_with_axes(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  copy(node, in, out);
  out->poisoned = out->poisoned || in[1]->poisoned || !check_axes(node, in, scope);
  return IR_OK;
}

/* Infers MVN-2, whose axes are an attribute. */
static ir_code infer_mvn_2(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_ints axes = ((const normalization_params *)node->params)->reduction_axes;
  int axis;
  copy(node, in, out);
  for (int64_t i = 0; !out->poisoned && out->shape.rank != IR_RANK_UNKNOWN && i < axes.n; i++)
    out->poisoned = !ir_axis_attr(node, "reduction_axes", axes.items[i], out->shape.rank, &axis, scope);
  return IR_OK;
}

/* ---- MVN ---- */

#define GIVEN ((const normalization_params *)call->params)

/* MVN-2 has no eps_mode in the specification. MVN-2 adds eps inside the square root. */
static double deviation_of(const normalization_params *params, double variance) {
  return params->eps_mode == OUTSIDE_SQRT ? sqrt(variance) + params->eps : sqrt(variance + params->eps);
}

IR_GROUP_REDUCE_THEN(deviation, double, b, deviation_of(GIVEN, b / (double)call->n_terms))
IR_GROUP_REDUCE_THEN(scale, double, b, 1 / deviation_of(GIVEN, b / (double)call->n_terms))
IR_GROUP_REDUCE_LAST(centred_f32, float, x - a)
IR_GROUP_REDUCE_LAST(centred_f64, double, x - a)
IR_GROUP_REDUCE_LAST(scaled_f32, float, (x - a) * b)
IR_GROUP_REDUCE_LAST(scaled_f64, double, (x - a) / b)

/* `reduces` has the functions of f32 and f64. Elements of f32 are multiplied by an inverse, which is a double. */
static ir_code reduce_along(const ir_node *node, const ir_value *const *in, ir_plan *plan,
                            const ir_group_reduce *reduces, const ir_axes *axes, ir_scope *scope) {
  const ir_compute_type compute = ir_group_reduce_compute(in[0]->type);
  return ir_group_reduce_step(plan, node, &reduces[compute], compute, &in[0]->shape, axes, 1, scope);
}

static ir_code mvn_along(const ir_node *node, const ir_value *const *in, ir_plan *plan, const ir_axes *axes,
                         ir_scope *scope) {
#define CENTRING(type)                                                                                                 \
  { .name = "mvn", .each = {ir_group_reduce_sum_##type}, .then = {ir_group_reduce_mean}, .last = centred_##type }
#define SCALING(type, divisor)                                                                                         \
  {                                                                                                                    \
    .name = "mvn", .each = {ir_group_reduce_sum_##type, ir_group_reduce_deviations_##type},                            \
    .then = {ir_group_reduce_mean, divisor}, .last = scaled_##type                                                     \
  }
  static const ir_group_reduce centring[] = {[IR_COMPUTE_F32] = CENTRING(f32), [IR_COMPUTE_F64] = CENTRING(f64)};
  static const ir_group_reduce scaling[] = {
      [IR_COMPUTE_F32] = SCALING(f32, scale), [IR_COMPUTE_F64] = SCALING(f64, deviation)};
  const bool scales = ((const normalization_params *)node->params)->normalize_variance;
  return reduce_along(node, in, plan, scales ? scaling : centring, axes, scope);
}

/* Normalizes along reduction_axes. If the list is empty, normalizes along all axes after the batch (across_channels),
 * or all axes after the channels. */
static ir_code prepare_mvn_2(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const normalization_params *params = node->params;
  const int rank = in[0]->shape.rank;
  ir_axes axes = {.n = 0};
  for (int64_t i = 0; i < params->reduction_axes.n && axes.n < IR_MAX_RANK; i++)
    axes.items[axes.n++] = ir_axis_from_front(params->reduction_axes.items[i], rank);
  if (params->reduction_axes.n == 0)
    for (int i = params->across_channels ? 1 : 2; i < rank; i++)
      axes.items[axes.n++] = i;
  return mvn_along(node, in, plan, &axes, scope);
}

static ir_code prepare_mvn_6(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_axes axes;
  return read_axes(node, in, scope, &axes) ? mvn_along(node, in, plan, &axes, scope) : IR_INVALID;
}

/* ---- NormalizeL2, GRN ---- */

static double norm_of(const normalization_params *params, double squares) {
  if (params->eps_mode == EPS_ADDED)
    return sqrt(squares + params->eps);
  return sqrt(squares < params->eps ? params->eps : squares);
}

IR_GROUP_REDUCE_THEN(norm, double, a, norm_of(GIVEN, a))
IR_GROUP_REDUCE_THEN(inverse_norm, double, a, 1 / norm_of(GIVEN, a))
IR_GROUP_REDUCE_THEN(norm_with_bias, double, a, sqrt(a + GIVEN->bias))
IR_GROUP_REDUCE_THEN(inverse_norm_with_bias, double, a, 1 / sqrt(a + GIVEN->bias))
IR_GROUP_REDUCE_LAST(by_norm_f32, float, x *a)
IR_GROUP_REDUCE_LAST(by_norm_f64, double, x / a)
IR_GROUP_REDUCE_LAST(by_itself_f32, float, x == 0 ? 0 : x / x)
IR_GROUP_REDUCE_LAST(by_itself_f64, double, x == 0 ? 0 : x / x)
#define BY_NORM(text, type, divisor)                                                                                   \
  { .name = text, .each = {ir_group_reduce_squares_##type}, .then = {divisor}, .last = by_norm_##type }

/* Without axes, each element is divided by its own norm, and 0 stays 0, like in the specification and in OpenVINO. */
static ir_code prepare_l2(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_group_reduce alone[] = {[IR_COMPUTE_F32] = {.name = "normalize_l2", .last = by_itself_f32},
                                          [IR_COMPUTE_F64] = {.name = "normalize_l2", .last = by_itself_f64}};
  static const ir_group_reduce reduces[] = {[IR_COMPUTE_F32] = BY_NORM("normalize_l2", f32, inverse_norm),
                                            [IR_COMPUTE_F64] = BY_NORM("normalize_l2", f64, norm)};
  ir_axes axes;
  if (!read_axes(node, in, scope, &axes))
    return IR_INVALID;
  return reduce_along(node, in, plan, axes.n == 0 ? alone : reduces, &axes, scope);
}

static ir_code prepare_grn(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_group_reduce reduces[] = {[IR_COMPUTE_F32] = BY_NORM("grn", f32, inverse_norm_with_bias),
                                            [IR_COMPUTE_F64] = BY_NORM("grn", f64, norm_with_bias)};
  return reduce_along(node, in, plan, reduces, &(ir_axes){.n = 1, .items = {1}}, scope);
}

/* ---- LRN ----
 * LRN computes x / (bias + alpha / size^axes * squares)^beta. `axes` is the number of axes. `squares` is the sum of the
 * squares of all elements that are at most (size - 1) / 2 away from x on each axis. */

/* State of LRN; axes are in memory order. */
typedef struct lrn_state {
  const normalization_params *params;
  double alpha;            /* the attribute alpha / size^axes, the factor of a square */
  ir_compute_type compute; /* of the elements; their squares are added in f64 */
  int rank;                /* at least 1 */
  int64_t dims[IR_MAX_RANK], strides[IR_MAX_RANK], reach[IR_MAX_RANK];
} lrn_state;

typedef struct lrn_work {
  const lrn_state *state;
  const ir_tensor *in, *out;
  ir_stop *stop;
} lrn_work;

#define PLUS_SQUARES(name, type)                                                                                       \
  IR_LOOP void name##_loop(const type *x, double *sums, int64_t n) {                                                   \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      sums[i] += (double)x[i] * (double)x[i];                                                                          \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const type *x, double *sums, int64_t n), (x, sums, n))
PLUS_SQUARES(plus_squares_f32, float)
PLUS_SQUARES(plus_squares_f64, double)

/* Adds squares of elements of the row at `offset` to `sums`. sums[i] gets the squares at most `reach` away from element
 * column + i. */
static void add_squares(const lrn_work *work, int64_t offset, int64_t column, int64_t n, double *sums) {
  const lrn_state *state = work->state;
  const int64_t reach = state->reach[state->rank - 1];
  const int64_t end = least(state->dims[state->rank - 1], column + n + reach);
  const bool is_direct = ir_compute_type_is(state->compute, work->in->type);
  ir_piece loaded;
  for (int64_t from = most(0, column - reach), n_from; from < end; from += n_from) {
    const void *x = ir_tensor_at(work->in, offset + from);
    n_from = least(end - from, IR_PIECE);
    if (!is_direct)
      ir_compute_load(work->in->type, x, state->compute, &loaded, n_from);
    x = is_direct ? x : &loaded;
    const int64_t first = from - column, last = first + n_from - 1;
    for (int64_t shift = most(-reach, first - n + 1); shift <= least(reach, last); shift++) {
      const int64_t begin = most(0, first - shift), n_sums = least(n, last - shift + 1) - begin;
      const int64_t at = begin + shift - first;
      if (state->compute == IR_COMPUTE_F32)
        plus_squares_f32((const float *)x + at, sums + begin, n_sums);
      else
        plus_squares_f64((const double *)x + at, sums + begin, n_sums);
    }
  }
}

/* Divides x[i] by bases[i]^beta. For common values of beta, square roots take a tenth of the time of pow and
 * vectorize. */
#define DIVIDE(name, type)                                                                                             \
  IR_LOOP void name##_loop(type *restrict x, const double *restrict bases, double beta, int64_t n) {                   \
    if (beta == 0.75)                                                                                                  \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        x[i] /= sqrt((type)bases[i]) * sqrt(sqrt((type)bases[i]));                                                     \
    else if (beta == 0.5)                                                                                              \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        x[i] /= sqrt((type)bases[i]);                                                                                  \
    else if (beta == 1)                                                                                                \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        x[i] /= (type)bases[i];                                                                                        \
    else                                                                                                               \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        x[i] = (type)((double)x[i] / pow(bases[i], beta));                                                             \
  }                                                                                                                    \
  IR_EACH_ISA(name, (type * x, const double *bases, double beta, int64_t n), (x, bases, beta, n))
DIVIDE(divide_f32, float)
DIVIDE(divide_f64, double)

/* Makes the bases of n powers from sums of squares. Sets *are_floats to whether floats hold them and their powers. */
IR_LOOP void make_bases_loop(double *bases, double alpha, double bias, int64_t n, bool *are_floats) {
  uint32_t outside = 0;
  for (int64_t i = 0; i < n; i++) {
    bases[i] = bias + alpha * bases[i];
    outside |= bases[i] >= 0x1p-100 && bases[i] <= 0x1p100 ? 0 : 1;
  }
  *are_floats = outside == 0;
}
IR_EACH_ISA(make_bases, (double *bases, double alpha, double bias, int64_t n, bool *are_floats),
            (bases, alpha, bias, n, are_floats))

/* Normalizes n elements of a row; `at` has the coordinates of the first element. */
static void normalize_piece(const lrn_work *work, const int64_t *at, int64_t offset, int64_t n, int worker) {
  const lrn_state *state = work->state;
  const ir_type type = work->in->type;
  const int last = state->rank - 1;
  int64_t from[IR_MAX_RANK], to[IR_MAX_RANK], shift[IR_MAX_RANK];
  ir_piece bases, x;
  bool are_floats;
  for (int i = 0; i < last; i++) {
    shift[i] = from[i] = -least(state->reach[i], at[i]);
    to[i] = least(state->reach[i], state->dims[i] - 1 - at[i]);
  }
  memset(bases.f64, 0, (size_t)n * sizeof *bases.f64);
  for (int i = 0; i >= 0 && !ir_stop_asked_of(work->stop, worker);) {
    int64_t row = offset - at[last];
    for (i = 0; i < last; i++)
      row += shift[i] * state->strides[i];
    add_squares(work, row, at[last], n, bases.f64);
    for (i = last - 1; i >= 0 && ++shift[i] > to[i]; i--)
      shift[i] = from[i];
  }
  make_bases(bases.f64, state->alpha, state->params->bias, n, &are_floats);
  const ir_compute_type compute = are_floats ? state->compute : IR_COMPUTE_F64;
  ir_compute_load(type, ir_tensor_at(work->in, offset), compute, &x, n);
  if (compute == IR_COMPUTE_F32)
    divide_f32(x.f32, bases.f64, state->params->beta, n);
  else {
    divide_f64(x.f64, bases.f64, state->params->beta, n);
    ir_group_reduce_round(type, x.f64, n);
  }
  ir_compute_store(compute, &x, type, ir_tensor_at(work->out, offset), n);
}

static void normalize_elements(void *user, int64_t begin, int64_t end, int worker) {
  const lrn_work *work = user;
  const lrn_state *state = work->state;
  const int last = state->rank - 1;
  int64_t at[IR_MAX_RANK];
  for (int64_t n; begin < end; begin += n) {
    for (int i = 0; i < state->rank; i++)
      at[i] = begin / state->strides[i] % state->dims[i];
    n = least(least(end - begin, IR_PIECE), state->dims[last] - at[last]);
    normalize_piece(work, at, begin, n, worker);
  }
}

static ir_code run_lrn(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  lrn_work work = {step->state, in[0], out[0], exec->stop};
  exec->share(exec, ir_tensor_elements(out[0]), (int64_t)(in[0]->bytes + out[0]->bytes), normalize_elements, &work);
  return IR_OK;
}

/* Adds an axis of n elements. Merges axes along which LRN adds no squares. */
static void add_axis(lrn_state *state, int64_t n, int64_t reach) {
  if (state->rank > 0 && reach == 0 && state->reach[state->rank - 1] == 0) {
    state->dims[state->rank - 1] *= n;
    return;
  }
  state->dims[state->rank] = n;
  state->reach[state->rank++] = reach;
}

static ir_code prepare_lrn(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const normalization_params *params = node->params;
  const ir_shape shape = ir_laid_shape(node->outputs[0].layout, &in[0]->shape);
  const int32_t in_slot = ir_plan_input_slot(plan, 0), out_slot = ir_plan_output_slot(plan, 0);
  ir_axes axes;
  int64_t elements, stride = 1;
  if (!read_axes(node, in, scope, &axes))
    return IR_INVALID;
  lrn_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  const ir_kernel *kernel = ir_plan_kernel(plan, "lrn", in[0]->type, run_lrn);
  if (state == NULL || kernel == NULL || !ir_shape_elements(&shape, &elements))
    return ir_out_of_memory(scope->diags);
  *state = (lrn_state){.params = params, .alpha = params->alpha, .compute = ir_group_reduce_compute(in[0]->type)};
  axes = ir_laid_axes(node->outputs[0].layout, &axes, shape.rank);
  for (int i = 0; i < axes.n; i++)
    state->alpha /= (double)params->size;
  for (int i = 0; i < shape.rank && elements > 0; i++)
    add_axis(state, shape.dims[i].lo, ir_axes_hold(&axes, i) ? (params->size - 1) / 2 : 0);
  if (state->rank == 0) /* a scalar, or no elements */
    add_axis(state, 1, 0);
  for (int i = state->rank - 1; i >= 0; i--) {
    state->strides[i] = stride;
    stride *= state->dims[i];
  }
  return ir_plan_step_on(plan, node, kernel, state, 0, &in_slot, 1, &out_slot, 1);
}

/* ---- the rows ---- */

#define FIELD(text, field, type) .name = text, .kind = type, .offset = offsetof(normalization_params, field)
#define NEEDED(text, field, type)                                                                                      \
  { FIELD(text, field, type), .required = true }

static const char *const sqrt_names[] = {"inside_sqrt", "outside_sqrt", NULL};
static const char *const add_names[] = {"add", "max", NULL};

/* The specification requires only one of across_channels and reduction_axes. OpenVINO writes both. */
static const ir_attr_spec mvn_2_attrs[] = {
    NEEDED("eps", eps, IR_ATTR_FLOAT),
    {FIELD("across_channels", across_channels, IR_ATTR_BOOL), .fallback = "true"},
    NEEDED("normalize_variance", normalize_variance, IR_ATTR_BOOL),
    {FIELD("reduction_axes", reduction_axes, IR_ATTR_INT), .count = IR_COUNT_ANY, .min = -IR_MAX_RANK,
     .max = IR_MAX_RANK - 1, .fallback = ""},
    {.name = NULL}};
/* OpenVINO writes the values of eps_mode in capitals. */
static const ir_attr_spec mvn_6_attrs[] = {
    NEEDED("eps", eps, IR_ATTR_FLOAT),
    NEEDED("normalize_variance", normalize_variance, IR_ATTR_BOOL),
    {FIELD("eps_mode", eps_mode, IR_ATTR_ENUM), .names = sqrt_names, .required = true},
    {.name = NULL}};
static const ir_attr_spec lrn_attrs[] = {
    NEEDED("alpha", alpha, IR_ATTR_FLOAT),
    NEEDED("beta", beta, IR_ATTR_FLOAT),
    NEEDED("bias", bias, IR_ATTR_FLOAT),
    {FIELD("size", size, IR_ATTR_INT), .min = 1, .max = INT64_MAX, .required = true},
    {.name = NULL}};
static const ir_attr_spec normalize_l2_attrs[] = {
    NEEDED("eps", eps, IR_ATTR_FLOAT),
    {FIELD("eps_mode", eps_mode, IR_ATTR_ENUM), .names = add_names, .required = true},
    {.name = NULL}};
static const ir_attr_spec grn_attrs[] = {NEEDED("bias", bias, IR_ATTR_FLOAT), {.name = NULL}};

#define NORMALIZED(port, carried, least, most)                                                                         \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_noted = IR_SET_INTEGERS, .types_carried = carried,   \
    .rank_min = least, .rank_max = most                                                                                \
  }
#define AXES_PORT(least, set, ...)                                                                                     \
  { .name = "axes", .type_var = "T_IND", .types = set, .rank_min = least, .rank_max = 1, .contents = true, __VA_ARGS__ }
#define NORMALIZATION(text, number, page, schema, rule, run_by)                                                        \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("normalization/" page),                \
  .params_size = sizeof(normalization_params), .attrs = schema, .infer = rule,                                         \
  .run = {IR_RUN_PREPARED, .prepare = run_by}, .cost = ir_elementwise_cost,                                            \
  .takes_channels_last = ir_always_channels_last
#define WHOLE(port, carried) NORMALIZED(port, carried, 0, IR_MAX_RANK)

const ir_op ir_op_mvn_2 = {
    NORMALIZATION("MVN", 2, "mvn-1", mvn_2_attrs, infer_mvn_2, prepare_mvn_2),
    .inputs = IR_PORTS(WHOLE("data", IR_CARRIED_WIDENED)),
    .outputs = IR_PORTS(WHOLE("output", IR_CARRIED_WIDENED)),
};
const ir_op ir_op_mvn_6 = {
    NORMALIZATION("MVN", 6, "mvn-6", mvn_6_attrs, infer_with_axes, prepare_mvn_6),
    .inputs = IR_PORTS(WHOLE("data", IR_CARRIED_NONE), AXES_PORT(1, IR_SET(IR_I32) | IR_SET(IR_I64), IR_SET_INTEGERS)),
    .outputs = IR_PORTS(WHOLE("output", IR_CARRIED_NONE)),
};
const ir_op ir_op_lrn_1 = {
    NORMALIZATION("LRN", 1, "lrn-1", lrn_attrs, infer_with_axes, prepare_lrn),
    .inputs = IR_PORTS(WHOLE("data", 0), AXES_PORT(1, IR_SET_INTEGERS, 0)),
    .outputs = IR_PORTS(WHOLE("output", 0)),
};
const ir_op ir_op_normalize_l2_1 = {
    NORMALIZATION("NormalizeL2", 1, "normalize-l2-1", normalize_l2_attrs, infer_with_axes, prepare_l2),
    .inputs = IR_PORTS(WHOLE("data", IR_CARRIED_NONE), AXES_PORT(0, IR_SET_INTEGERS, 0)),
    .outputs = IR_PORTS(WHOLE("output", IR_CARRIED_NONE)),
};
const ir_op ir_op_grn_1 = {
    NORMALIZATION("GRN", 1, "grn-1", grn_attrs, infer_alone, prepare_grn),
    .inputs = IR_PORTS(NORMALIZED("data", 0, 2, 4)),
    .outputs = IR_PORTS(NORMALIZED("output", 0, 2, 4)),
};
