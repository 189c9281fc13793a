/* Bucketize-3 and SearchSorted-15 find the position of each value in a sorted sequence. Specification:
 * operation-specs/condition/bucketize-3, sort/search-sorted-15. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/order.h"
#include "ops/op.h"
#include "ops/pool/pool_indices.h"
#include "ops/prepare.h"

typedef struct buckets_params {
  int output_type;
  ir_other_attrs other;
} buckets_params;

#define AT(field) offsetof(buckets_params, field)
#define T_IND     IR_SET(IR_I32) | IR_SET(IR_I64)
#define TYPE_ROW  IR_ENUM_ROW("output_type", AT(output_type), ir_index_type_names, .fallback = "i64")

static ir_type type_of(const ir_node *node) {
  return ir_index_type(((const buckets_params *)node->params)->output_type);
}

/* ---- running ---- */

/* A line is `length` values along the last axis. Line i is searched in sequence i, which has `n_sorted` elements. */
typedef struct buckets_state {
  int values, sorted; /* input ports */
  int64_t length, n_sorted;
  bool has_one;     /* all lines are searched in the same sequence */
  bool behind_like; /* the position of a value is after equal elements, otherwise before them */
} buckets_state;

typedef struct buckets_work {
  const buckets_state *state;
  const ir_tensor *values, *sorted;
  ir_tensor *out;
} buckets_work;

/* Returns true if element `at` of the sequences is less than the value, or equal if or_like. Integers of the same type
 * are compared as integers, other types as doubles. Comparisons with NaN are false. */
static bool is_before(const buckets_work *work, int64_t at, int64_t value, bool or_like) {
  const ir_tensor *sorted = work->sorted, *values = work->values;
  if (sorted->type == values->type && !ir_type_in(values->type, IR_SET_FLOATS)) {
    const size_t size = ir_type_size(values->type);
    int64_t a, b;
    ir_order_keys(sorted->type, (const char *)sorted->data + (size_t)at * size, 1, 1, &a);
    ir_order_keys(values->type, (const char *)values->data + (size_t)value * size, 1, 1, &b);
    return or_like ? a <= b : a < b;
  }
  const double a = ir_number_at(sorted, at), b = ir_number_at(values, value);
  return or_like ? a <= b : a < b;
}

static void find_places(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const buckets_work *work = user;
  const buckets_state *state = work->state;
  for (int64_t value = begin; value < end; value++) {
    const int64_t first = state->has_one ? 0 : value / state->length * state->n_sorted;
    int64_t least = 0, most = state->n_sorted;
    while (least < most) {
      const int64_t middle = least + (most - least) / 2;
      if (is_before(work, first + middle, value, state->behind_like))
        least = middle + 1;
      else
        most = middle;
    }
    ir_index_store(&least, 1, work->out, value);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const buckets_state *state = step->state;
  buckets_work work = {state, in[state->values], in[state->sorted], out[0]};
  exec->share(exec, ir_tensor_elements(out[0]), 8 * (int64_t)out[0]->bytes, find_places, &work);
  return IR_OK;
}

static ir_code add_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, buckets_state state,
                        ir_scope *scope) {
  static const ir_kernel kernel = {.name = "buckets", .isa = "any", .run = run};
  const ir_shape *sorted = &in[state.sorted]->shape, *values = &in[state.values]->shape;
  buckets_state *kept = ir_arena_alloc(plan->arena, sizeof *kept);
  if (kept == NULL)
    return ir_out_of_memory(scope->diags);
  *kept = state;
  kept->length = values->rank > 0 ? values->dims[values->rank - 1].lo : 1;
  kept->n_sorted = sorted->dims[sorted->rank - 1].lo;
  kept->has_one = sorted->rank == 1;
  return ir_plan_step(plan, node, &kernel, kept, 0);
}

/* ---- Bucketize ---- */

static ir_code infer_buckets(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  ir_warn_of_default(node, "output_type", "i64", "refused", scope);
  out->type = type_of(node);
  out->shape = in[0]->shape;
  return IR_OK;
}

static ir_code prepare_buckets(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const bool has_right_bound = ((const buckets_params *)node->params)->other.flag[0];
  return add_step(plan, node, in, (buckets_state){.sorted = 1, .behind_like = !has_right_bound}, scope);
}

static const ir_attr_spec bucket_attrs[] = {
    TYPE_ROW, IR_BOOL_ROW("with_right_bound", AT(other.flag[0]), "true"), {.name = NULL}};

const ir_op ir_op_bucketize_3 = {
    .dialect = IR_OPENVINO,
    .type = "Bucketize",
    .version = 3,
    .spec = IR_SPEC_PAGE("condition/bucketize-3"),
    .params_size = sizeof(buckets_params),
    .attrs = bucket_attrs,
    .inputs = IR_PORTS(IR_PORT_OF_ANY_RANK("data", "T", IR_SET_NUMBERS),
                       IR_PORT("buckets", "T_BOUNDARIES", IR_SET_NUMBERS, 1)),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T_IND", T_IND)),
    .infer = infer_buckets,
    .run = {IR_RUN_PREPARED, .prepare = prepare_buckets},
};

/* ---- SearchSorted ---- */

enum { SORTED, VALUES };

/* Checks the shape of the sequences: a single sequence for all values, or a sequence for each line of values. In the
 * second case all axes except the last must agree. */
static bool fits(const ir_node *node, const ir_value *const *in, ir_shape *out, ir_scope *scope) {
  const ir_shape *sorted = &in[SORTED]->shape, *values = &in[VALUES]->shape;
  *out = *values;
  if (sorted->rank == IR_RANK_UNKNOWN || sorted->rank == 1)
    return true;
  if (values->rank == IR_RANK_UNKNOWN) {
    *out = *sorted;
    out->dims[out->rank - 1] = ir_dim_any();
    return true;
  }
  if (sorted->rank != values->rank) {
    char texts[2][IR_SHAPE_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, VALUES, -1),
              "the sorted sequences %s have rank %d, the values %s rank %d; expected one sequence, or one rank",
              ir_shape_text(sorted, texts[0], sizeof texts[0]), sorted->rank,
              ir_shape_text(values, texts[1], sizeof texts[1]), values->rank);
    return false;
  }
  for (int i = 0; i + 1 < sorted->rank; i++) {
    ir_size size = ir_size_of("the size there");
    if (!ir_size_join(node, in, SORTED, i, &size, scope) || !ir_size_join(node, in, VALUES, i, &size, scope))
      return false;
    out->dims[i] = size.dim;
  }
  return true;
}

static ir_code infer_search(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out->type = type_of(node);
  out->poisoned = !fits(node, in, &out->shape, scope);
  return IR_OK;
}

static ir_code prepare_search(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const bool is_right = ((const buckets_params *)node->params)->other.flag[1];
  const buckets_state state = {.sorted = SORTED, .values = VALUES, .behind_like = is_right};
  return add_step(plan, node, in, state, scope);
}

/* OpenVINO writes and reads right_mode and output_type. The specification calls right_mode `right`, and lacks
 * output_type. */
static const ir_attr_spec search_attrs[] = {
    IR_BOOL_ROW("right_mode", AT(other.flag[1]), "false"), TYPE_ROW, {.name = NULL}};

const ir_op ir_op_search_sorted_15 = {
    .dialect = IR_OPENVINO,
    .type = "SearchSorted",
    .version = 15,
    .spec = IR_SPEC_PAGE("sort/search-sorted-15"),
    .params_size = sizeof(buckets_params),
    .attrs = search_attrs,
    .inputs = IR_PORTS({.name = "sorted_sequence",
                        .type_var = "T",
                        .types = IR_SET_NUMBERS,
                        .types_noted = IR_SET(IR_BOOLEAN),
                        .rank_min = 1,
                        .rank_max = IR_MAX_RANK},
                       {.name = "values",
                        .type_var = "T",
                        .types = IR_SET_NUMBERS,
                        .types_noted = IR_SET(IR_BOOLEAN),
                        .rank_max = IR_MAX_RANK}),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "TOut", T_IND)),
    .infer = infer_search,
    .run = {IR_RUN_PREPARED, .prepare = prepare_search},
};
