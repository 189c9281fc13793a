/* TopK-1, -3 and -11 select the K largest or smallest elements of each line along `axis`, and their positions. K is the
 * contents of input 1. Specification: operation-specs/sort/top-k-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/axes.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/order.h"
#include "ops/pool/pool_indices.h"
#include "ops/prepare.h"
#include "ops/ranges.h"

typedef struct top_k_params {
  int64_t axis;
  int index_type;
  ir_other_attrs other;
} top_k_params;

/* Sets *line to the output's size on `axis`, K. Reports a negative K, and lines with fewer than K elements. If K is
 * unknown, any size up to the input's is possible. */
static bool line_of(const ir_node *node, const ir_value *const *in, int axis, ir_dim *line, ir_scope *scope) {
  const ir_dim k = ir_ranges_count(in[1]) == 1 ? ir_range_at(in[1], 0) : ir_range_any();
  if (k.hi >= 0 && k.lo <= line->hi) {
    *line = (ir_dim){k.lo > 0 ? k.lo : 0, k.hi < line->hi ? k.hi : line->hi};
    return true;
  }
  char found[IR_DIM_TEXT], expected[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "K is %s; axis %d of input 0 has %s elements: %s%s", ir_dim_text(k, found, sizeof found), axis,
            ir_dim_text(*line, expected, sizeof expected), ir_type_name(in[0]->type),
            ir_shape_text(&in[0]->shape, shape, sizeof shape));
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const top_k_params *params = node->params;
  int axis;
  out[0].type = in[0]->type;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out[1].type = ir_index_type(params->index_type);
  if (in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out[0].shape = in[0]->shape;
  if (!ir_axis_attr(node, "axis", params->axis, in[0]->shape.rank, &axis, scope) ||
      !line_of(node, in, axis, &out[0].shape.dims[axis], scope))
    ir_poison_outputs(node, out);
  out[1].shape = out[0].shape;
  return IR_OK;
}

/* ---- running ---- */

/* Sees the input as [outer, n, inner] and the outputs as [outer, k, inner]. */
typedef struct top_k_state {
  int64_t n, k, inner;
  bool of_greatest, by_index;
} top_k_state;

typedef struct top_k_work {
  const top_k_state *state;
  const ir_tensor *data;
  ir_tensor *const *out;
  const ir_exec *exec;
} top_k_work;

/* Writes the elements of a line at the selected positions `first`, and these positions. */
static void write_line(const top_k_work *work, int64_t outer, int64_t inner, const int64_t *first, int worker) {
  const top_k_state *state = work->state;
  const size_t size = ir_type_size(work->data->type);
  const char *from = (const char *)work->data->data + (size_t)(outer * state->n * state->inner + inner) * size;
  int64_t since = 0;
  for (int64_t i = 0; i < state->k && !ir_stop_asked_after(work->exec->stop, worker, 1, &since); i++) {
    const int64_t at = (outer * state->k + i) * state->inner + inner;
    if (work->out[0] != NULL)
      memcpy((char *)work->out[0]->data + (size_t)at * size, from + (size_t)(first[i] * state->inner) * size, size);
    if (work->out[1] != NULL)
      ir_index_store(&first[i], 1, work->out[1], at);
  }
}

/* Makes the keys of a line. Returns false if the run is stopped. */
static bool make_keys(const top_k_work *work, const char *from, int64_t *keys, int worker) {
  const top_k_state *state = work->state;
  const int64_t step = state->inner * (int64_t)ir_type_size(work->data->type);
  int64_t since = 0;
  for (int64_t i = 0, n; i < state->n; i += n) {
    n = state->n - i < IR_PIECE ? state->n - i : IR_PIECE;
    if (ir_stop_asked_after(work->exec->stop, worker, n, &since))
      return false;
    ir_order_keys(work->data->type, from + i * step, state->inner, n, keys + i);
    if (state->of_greatest)
      ir_order_reverse(keys + i, n);
  }
  return true;
}

static void select_lines(void *user, int64_t begin, int64_t end, int worker) {
  const top_k_work *work = user;
  const top_k_state *state = work->state;
  const size_t size = ir_type_size(work->data->type);
  int64_t *keys = ir_exec_scratch(work->exec, worker), *first = keys + state->n;
  for (int64_t line = begin; line < end; line++) {
    const int64_t outer = line / state->inner, inner = line % state->inner;
    const char *from = (const char *)work->data->data + (size_t)(outer * state->n * state->inner + inner) * size;
    if (!make_keys(work, from, keys, worker))
      return;
    ir_order_first(keys, state->n, state->k, first, work->exec->stop, worker);
    if (state->by_index) {
      memset(keys, 0, (size_t)state->n * sizeof *keys);
      ir_order_sort(keys, first, state->k, work->exec->stop, worker);
    }
    write_line(work, outer, inner, first, worker);
  }
}

/* Lines that begin in successive elements are selected side by side, if each of the few selected floats is enough work
 * for all lanes. */
static bool has_lanes(const top_k_state *state, ir_type type) {
  enum { LEAST = IR_ORDER_LANES / 4 };
  return type == IR_F32 && state->inner >= LEAST && state->k <= IR_ORDER_MOST && state->n < INT32_MAX &&
         !state->by_index;
}

static int64_t blocks_of(const top_k_state *state) {
  return (state->inner + IR_ORDER_LANES - 1) / IR_ORDER_LANES;
}

/* Selects in blocks [begin, end). A block has IR_ORDER_LANES lines of one outer index; the last can have fewer. */
static void select_blocks(void *user, int64_t begin, int64_t end, int worker) {
  const top_k_work *work = user;
  const top_k_state *state = work->state;
  int32_t first[IR_ORDER_MOST * IR_ORDER_LANES];
  (void)worker;
  for (int64_t block = begin; block < end; block++) {
    const int64_t outer = block / blocks_of(state), inner = block % blocks_of(state) * IR_ORDER_LANES;
    const int64_t left = state->inner - inner, n = left < IR_ORDER_LANES ? left : IR_ORDER_LANES;
    const float *from = (const float *)work->data->data + outer * state->n * state->inner + inner;
    ir_order_first_of_lanes(from, state->inner, (int)n, (int32_t)state->n, (int)state->k, state->of_greatest, first);
    for (int64_t i = 0; i < state->k; i++) {
      const int64_t at = (outer * state->k + i) * state->inner + inner;
      int64_t indices[IR_ORDER_LANES];
      for (int64_t j = 0; j < n; j++) {
        indices[j] = first[i * IR_ORDER_LANES + j];
        if (work->out[0] != NULL)
          ((float *)work->out[0]->data)[at + j] = from[indices[j] * state->inner + j];
      }
      if (work->out[1] != NULL)
        ir_index_store(indices, n, work->out[1], at);
    }
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const top_k_state *state = step->state;
  top_k_work work = {state, in[0], out, exec};
  if (state->k > 0 && has_lanes(state, in[0]->type)) {
    const int64_t n_outer = ir_tensor_elements(in[0]) / (state->n * state->inner);
    exec->share(exec, n_outer * blocks_of(state), (state->k + 1) * (int64_t)in[0]->bytes, select_blocks, &work);
    return IR_OK;
  }
  const int64_t n_lines = state->k > 0 ? ir_tensor_elements(in[0]) / state->n : 0;
  exec->share(exec, n_lines, 8 * (int64_t)in[0]->bytes, select_lines, &work);
  return IR_OK;
}

/* Adds the step. Equal elements keep their order, even without `stable`. NaN counts as largest. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "top_k", .isa = "any", .run = run};
  const top_k_params *params = node->params;
  const ir_shape *shape = &in[0]->shape;
  const int axis = ir_axis_from_front(params->axis, shape->rank);
  const int32_t from = ir_plan_input_slot(plan, 0);
  const int32_t to[2] = {ir_plan_output_slot(plan, 0), ir_plan_output_slot(plan, 1)};
  int64_t elements, scratch;
  top_k_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (top_k_state){.n = shape->dims[axis].lo,
                         .k = node->outputs[0].shape.dims[axis].lo,
                         .inner = 1,
                         .of_greatest = params->other.word[0] == 1,
                         .by_index = params->other.word[1] == 1};
  ir_shape_elements(shape, &elements);
  if (elements == 0)
    state->k = 0;
  for (int i = axis + 1; i < shape->rank && elements > 0; i++)
    state->inner *= shape->dims[i].lo;
  if (!ir_add(state->n, state->k, &scratch) || !ir_mul(scratch, sizeof(int64_t), &scratch))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step_on(plan, node, &kernel, state, elements > 0 ? (size_t)scratch : 0, &from, 1, to, 2);
}

/* ---- the rows ---- */

#define AT(field) offsetof(top_k_params, field)
static const char *const modes[] = {"min", "max", NULL};
static const char *const orders[] = {"value", "index", "none", NULL};
#define COMMON_ROWS                                                                                                    \
  IR_INT_ROW("axis", AT(axis), -IR_MAX_RANK, IR_MAX_RANK - 1, .required = true),                                       \
      IR_ENUM_ROW("mode", AT(other.word[0]), modes, .required = true),                                                 \
      IR_ENUM_ROW("sort", AT(other.word[1]), orders, .required = true),                                                \
      IR_ENUM_ROW("index_element_type", AT(index_type), ir_index_type_names, .fallback = "i32")
static const ir_attr_spec attrs[] = {COMMON_ROWS, {.name = NULL}};
static const ir_attr_spec attrs_11[] = {COMMON_ROWS, IR_BOOL_ROW("stable", AT(other.flag[0]), "false"), {.name = NULL}};

#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 1,          \
    .rank_max = IR_MAX_RANK                                                                                            \
  }
#define TOP_K(number, schema, k_types)                                                                                 \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "TopK", .version = number, .spec = IR_SPEC_PAGE("sort/top-k-" #number),            \
    .params_size = sizeof(top_k_params), .attrs = schema,                                                              \
    .inputs = IR_PORTS(T_PORT("data"), {.name = "k", .type_var = "T_K", .types = k_types, .ranges = true}),            \
    .outputs = IR_PORTS(T_PORT("values"), {.name = "indices",                                                          \
                                           .type_var = "T_IND",                                                        \
                                           .types = IR_SET(IR_I32) | IR_SET(IR_I64),                                   \
                                           .types_misdeclared = IR_SET_FLOATS,                                         \
                                           .rank_min = 1,                                                              \
                                           .rank_max = IR_MAX_RANK}),                                                  \
    .infer = infer, .run = {                                                                                           \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = prepare                                                                                               \
    }                                                                                                                  \
  }

/* The specification of version 1 lists no types for K. */
const ir_op ir_op_top_k_1 = TOP_K(1, attrs, IR_SET(IR_I8) | IR_SET(IR_I32) | IR_SET(IR_I64));
const ir_op ir_op_top_k_3 = TOP_K(3, attrs, IR_SET_INTEGERS);
const ir_op ir_op_top_k_11 = TOP_K(11, attrs_11, IR_SET_INTEGERS);
