/* GatherElements-6 copies one element of `data` for each index. GatherND-5 and -8 copy one slice for each index; an
 * index has several numbers. GatherTree-1 follows the beams of a beam search back through their time steps. */
#include "base/stop.h"
#include "ops/axes.h"
#include "ops/kernels/gather_scatter.h"
#include "ops/kernels/index_input.h"
#include "ops/movement/movement.h"
#include "ops/op.h"
#include <string.h>

typedef struct gather_params {
  int64_t axis, batch_dims;
} gather_params;

/* Intersects *dim, axis i of input `port`, with axis i of input 0. Reports an empty intersection. */
static bool join_axis(const ir_node *node, const ir_value *const *in, int port, int i, ir_dim *dim, ir_scope *scope) {
  const ir_dim other = in[0]->shape.dims[i];
  char texts[2][IR_SHAPE_TEXT];
  if (ir_dims_meet(*dim, other)) {
    *dim = ir_dims_common(*dim, other);
    return true;
  }
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, i),
            "'%s' is %s, '%s' %s: they differ on axis %d", ir_op_input(node->op, port)->name,
            ir_shape_text(&in[port]->shape, texts[0], sizeof texts[0]), ir_op_input(node->op, 0)->name,
            ir_shape_text(&in[0]->shape, texts[1], sizeof texts[1]), i);
  return false;
}

static bool same_ranks(const ir_node *node, const ir_value *const *in, int port, ir_scope *scope) {
  const int rank = in[0]->shape.rank, other = in[port]->shape.rank;
  if (rank == other || rank == IR_RANK_UNKNOWN || other == IR_RANK_UNKNOWN)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' has rank %d, '%s' rank %d; expected one rank", ir_op_input(node->op, port)->name, other,
            ir_op_input(node->op, 0)->name, rank);
  return false;
}

/* ---- GatherElements ---- */

static ir_code infer_elements(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *indices = &in[1]->shape;
  const int rank = data->rank != IR_RANK_UNKNOWN ? data->rank : indices->rank;
  int axis;
  if (!ir_movement_begin(node, in, out) || rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = !ir_axis_attr(node, "axis", ((const gather_params *)node->params)->axis, rank, &axis, scope) ||
                  !same_ranks(node, in, 1, scope);
  if (out->poisoned)
    return IR_OK;
  out->shape = indices->rank != IR_RANK_UNKNOWN ? *indices : *data;
  if (indices->rank == IR_RANK_UNKNOWN)
    out->shape.dims[axis] = ir_dim_any();
  for (int i = 0; i < rank && data->rank != IR_RANK_UNKNOWN && !out->poisoned; i++)
    out->poisoned = i != axis && !join_axis(node, in, 1, i, &out->shape.dims[i], scope);
  return IR_OK;
}

static ir_code prepare_elements(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const int axis = ir_axis_from_front(((const gather_params *)node->params)->axis, in[0]->shape.rank);
  const ir_slices slices = ir_slices_of_elements(&in[0]->shape, &in[1]->shape, axis);
  return ir_gather_step(plan, node, &slices, IR_OUTSIDE_REFUSED, scope);
}

/* ---- GatherND ---- */

/* Checks that `data` and `indices` have more axes than batch_dims. */
static bool check_batch(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const int64_t n_batch = ((const gather_params *)node->params)->batch_dims;
  for (int port = 0; port < 2; port++) {
    const int rank = in[port]->shape.rank;
    if (rank == IR_RANK_UNKNOWN || n_batch < rank)
      continue;
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, ir_attr_where(scope, node, "batch_dims"),
              "batch_dims is %lld; '%s' has rank %d, expected more axes than are common", (long long)n_batch,
              ir_op_input(node->op, port)->name, rank);
    return false;
  }
  return true;
}

/* Checks that an index has at most as many numbers as `data` has axes after the batch. */
static bool check_index(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const int data = in[0]->shape.rank, indices = in[1]->shape.rank;
  const int64_t n_batch = ((const gather_params *)node->params)->batch_dims;
  const ir_dim length = in[1]->shape.dims[indices - 1];
  char text[IR_DIM_TEXT];
  if (length.lo <= data - n_batch)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, indices - 1),
            "an index of 'indices' has %s numbers; 'data' has %lld axes for them",
            ir_dim_text(length, text, sizeof text), (long long)(data - n_batch));
  return false;
}

/* Infers the output [batch axes.., axes of `indices` between batch and last.., axes of `data` that an index does not
 * cover..]. Version 5 merges the batch axes into one. */
static ir_code infer_nd(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *indices = &in[1]->shape;
  const int n_batch = (int)((const gather_params *)node->params)->batch_dims;
  ir_shape joined = {.rank = 0};
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->poisoned = !check_batch(node, in, scope);
  if (out->poisoned || data->rank == IR_RANK_UNKNOWN || indices->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = !check_index(node, in, scope);
  for (int i = 0; i < indices->rank - 1 && !out->poisoned; i++) {
    ir_dim dim = indices->dims[i];
    out->poisoned = i < n_batch && !join_axis(node, in, 1, i, &dim, scope);
    if (node->op->version == 5 && i > 0 && i < n_batch)
      joined.dims[0] = ir_size_of_range(ir_range_multiply(joined.dims[0], dim));
    else
      joined.dims[joined.rank++] = dim;
  }
  const ir_dim length = indices->dims[indices->rank - 1];
  if (out->poisoned || !ir_dim_known(length))
    return IR_OK;
  const int first = n_batch + (int)length.lo;
  out->poisoned = !ir_rank_fits(node, joined.rank + data->rank - first, scope);
  if (out->poisoned)
    return IR_OK;
  for (int i = first; i < data->rank; i++)
    joined.dims[joined.rank++] = data->dims[i];
  out->shape = joined;
  return IR_OK;
}

/* An index out of range is an error. OpenVINO reads out of bounds. */
static ir_code prepare_nd(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_slices slices =
      ir_slices_nd(&in[0]->shape, &in[1]->shape, (int)((const gather_params *)node->params)->batch_dims);
  return ir_gather_step(plan, node, &slices, IR_OUTSIDE_REFUSED, scope);
}

/* ---- GatherTree ---- */

static ir_code infer_tree(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (!ir_movement_same(node, in, out))
    return IR_OK;
  if (out->shape.rank == IR_RANK_UNKNOWN)
    out->shape = in[1]->shape;
  else if (in[1]->shape.rank != IR_RANK_UNKNOWN)
    for (int i = 0; i < 3 && !out->poisoned; i++) {
      ir_dim dim = in[1]->shape.dims[i];
      out->poisoned = !join_axis(node, in, 1, i, &dim, scope);
      out->shape.dims[i] = dim;
    }
  if (out->poisoned || out->shape.rank == IR_RANK_UNKNOWN || in[2]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  char texts[2][IR_DIM_TEXT];
  const ir_dim lengths = in[2]->shape.dims[0];
  if (ir_dims_meet(lengths, out->shape.dims[1])) {
    out->shape.dims[1] = ir_dims_common(lengths, out->shape.dims[1]);
    return IR_OK;
  }
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, 0),
            "'max_seq_len' has %s lengths, the batch, axis 1 of 'step_ids', is %s",
            ir_dim_text(lengths, texts[0], sizeof texts[0]),
            ir_dim_text(out->shape.dims[1], texts[1], sizeof texts[1]));
  out->poisoned = true;
  return IR_OK;
}

enum { STEP_IDS, PARENT_IDS, LENGTHS, END_TOKEN };

typedef struct tree_state {
  ir_index_input parents;
} tree_state;

/* Writes one beam of `batch`, from the last time step to the first. parent_ids has the beam of the time step before.
 * Elements after the length of the beam, and after the first end token, become end tokens. */
static ir_code trace_beam(const ir_tensor *const *in, int64_t batch, int64_t beam, ir_tensor *out,
                          const tree_state *state, ir_stop *stop, int64_t *since) {
  const int64_t n_batches = out->dims[1], n_beams = out->dims[2], next = n_batches * n_beams;
  const int64_t first = batch * n_beams, length = ir_index_at(in[LENGTHS], batch);
  const size_t size = ir_type_size(out->type);
  const char *end = in[END_TOKEN]->data;
  int64_t step = out->dims[0] - 1, from = beam;
  bool has_ended = false;
  for (; step >= 0 && step >= length; step--)
    memcpy(ir_tensor_at(out, step * next + first + beam), end, size);
  for (; step >= 0 && !ir_stop_asked_after(stop, 0, 1, since); step--) {
    const int64_t row = step * next + first;
    if (from < 0 || from >= n_beams)
      return ir_index_report(&state->parents, row + next, from, 0, n_beams);
    memcpy(ir_tensor_at(out, row + beam), ir_tensor_at(in[STEP_IDS], row + from), size);
    from = ir_index_at(in[PARENT_IDS], row + from);
  }
  for (step = 0; step < out->dims[0]; step++) {
    char *made = ir_tensor_at(out, step * next + first + beam);
    if (has_ended)
      memcpy(made, end, size);
    has_ended = has_ended || memcmp(made, end, size) == 0;
  }
  return IR_OK;
}

static ir_code run_tree(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const int64_t elements = ir_tensor_elements(out[0]), n = elements > 0 ? elements / out[0]->dims[0] : 0;
  const int64_t n_beams = out[0]->dims[2];
  int64_t since = 0;
  ir_code code = IR_OK;
  for (int64_t i = 0; i < n && code == IR_OK && !ir_stop_asked_after(exec->stop, 0, 1, &since); i++)
    code = trace_beam(in, i / n_beams, i % n_beams, out[0], step->state, exec->stop, &since);
  return code;
}

static ir_code prepare_tree(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "gather_tree", .isa = "any", .run = run_tree};
  (void)in;
  tree_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (tree_state){ir_index_input_of(plan, node, PARENT_IDS, scope)};
  return ir_plan_step(plan, node, &kernel, state, 0);
}

/* ---- the rows ---- */

static const ir_attr_spec axis_attrs[] = {{.name = "axis",
                                           .kind = IR_ATTR_INT,
                                           .offset = offsetof(gather_params, axis),
                                           .min = -IR_MAX_RANK,
                                           .max = IR_MAX_RANK - 1,
                                           .required = true},
                                          {.name = NULL}};
static const ir_attr_spec nd_attrs[] = {{.name = "batch_dims",
                                         .kind = IR_ATTR_INT,
                                         .offset = offsetof(gather_params, batch_dims),
                                         .max = IR_MAX_RANK,
                                         .fallback = "0"},
                                        {.name = NULL}};

#define PORT(port, var, set, least, most)                                                                              \
  { .name = port, .type_var = var, .types = set, .rank_min = least, .rank_max = most }

const ir_op ir_op_gather_elements_6 = {
    .dialect = IR_OPENVINO,
    .type = "GatherElements",
    .version = 6,
    .spec = IR_SPEC_PAGE("movement/gather-elements-6"),
    .params_size = sizeof(gather_params),
    .attrs = axis_attrs,
    .inputs = IR_PORTS(PORT("data", "T", IR_SET_STORED, 1, IR_MAX_RANK),
                       {IR_INDEX_NUMBERS("indices", "T_IND", 1, IR_MAX_RANK)}),
    .outputs = IR_PORTS(PORT("output", "T", IR_SET_STORED, 1, IR_MAX_RANK)),
    .narrow = IR_SET_NARROW_BYTES,
    .infer = infer_elements,
    .run = {IR_RUN_PREPARED, .prepare = prepare_elements},
};

#define GATHER_ND(number)                                                                                              \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "GatherND", .version = number,                                                     \
    .spec = IR_SPEC_PAGE("movement/gather-nd-" #number), .params_size = sizeof(gather_params), .attrs = nd_attrs,      \
    .inputs = IR_PORTS(PORT("data", "T", IR_SET_STORED, 1, IR_MAX_RANK),                                               \
                       PORT("indices", "T_IND", IR_SET_INTEGERS, 1, IR_MAX_RANK)),                                     \
    .outputs = IR_PORTS({IR_ANY_TYPE("output", "T")}), .narrow = IR_SET_NARROW_BYTES, .infer = infer_nd, .run = {      \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = prepare_nd                                                                                            \
    }                                                                                                                  \
  }

const ir_op ir_op_gather_nd_5 = GATHER_ND(5);
const ir_op ir_op_gather_nd_8 = GATHER_ND(8);

const ir_op ir_op_gather_tree_1 = {
    .dialect = IR_OPENVINO,
    .type = "GatherTree",
    .version = 1,
    .spec = IR_SPEC_PAGE("movement/gather-tree-1"),
    .inputs = IR_PORTS(PORT("step_ids", "T", IR_SET_NUMBERS, 3, 3), PORT("parent_ids", "T", IR_SET_NUMBERS, 3, 3),
                       PORT("max_seq_len", "T", IR_SET_NUMBERS, 1, 1), PORT("end_token", "T", IR_SET_NUMBERS, 0, 0)),
    .outputs = IR_PORTS(PORT("final_ids", "T", IR_SET_NUMBERS, 3, 3)),
    .infer = infer_tree,
    .run = {IR_RUN_PREPARED, .prepare = prepare_tree},
};
