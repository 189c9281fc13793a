/* ScaledDotProductAttention-13: output [N.., L, EV] = softmax(scale * query x key^T + mask) x value. Inputs:
 *   query [N.., L, E], key [N.., S, E], value [N.., S, EV], mask: a scalar or [N.., L, S], sink [N.., L, 1]
 * The batch axes N.. broadcast by numpy's rules, and so do L and S of the mask and L of the sink. A sink is an
 * additional score of each row of the softmax; it has no value. Page:
 * operation-specs/sequence/scaled-dot-product-attention. */
#include "ops/kernels/contraction.h"
#include "ops/kernels/floats.h"
#include "ops/math/broadcast.h"
#include <math.h>

typedef struct attention_params {
  bool causal;
} attention_params;

enum { QUERY, KEY, VALUE, MASK, SCALE, SINK };

/* Possible sizes of the axes N.., L, S, E and EV. Each checked input narrows them. */
typedef struct attention_sizes {
  ir_shape batch;
  ir_dim l, s, e, ev;
} attention_sizes;

static const ir_broadcast numpy = {.mode = IR_BROADCAST_NUMPY};

/* Intersects `*dim` with a dim of input `port`, counted from the end (1: the last). Reports an empty intersection;
 * `what` names the axis. */
static bool join(const ir_node *node, const ir_value *const *in, int port, int from_end, const char *what, ir_dim *dim,
                 ir_scope *scope) {
  const ir_shape *shape = &in[port]->shape;
  const ir_dim own = shape->dims[shape->rank - from_end];
  if (ir_dims_meet(own, *dim)) {
    *dim = ir_dims_common(own, *dim);
    return true;
  }
  char texts[2][IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, shape->rank - from_end),
            "'%s' has %s %s, expected %s", node->op->inputs[port].name, ir_dim_text(own, texts[0], sizeof texts[0]),
            what, ir_dim_text(*dim, texts[1], sizeof texts[1]));
  return false;
}

/* Broadcasts `*dim` with a dim of the mask, counted from the end. Reports dims that do not broadcast. */
static bool stretch(const ir_node *node, const ir_value *const *in, int from_end, const char *what, ir_dim *dim,
                    ir_scope *scope) {
  const ir_shape *shape = &in[MASK]->shape;
  const ir_shape own = {.rank = 1, .dims = {shape->dims[shape->rank - from_end]}}, other = {.rank = 1, .dims = {*dim}};
  const ir_broadcast_result result = ir_broadcast_shapes(numpy, &other, &own);
  if (result.fit != IR_BROADCAST_FITS)
    return join(node, in, MASK, from_end, what, dim, scope);
  *dim = result.shape.dims[0];
  return true;
}

static bool join_batch(const ir_node *node, const ir_value *const *in, int port, attention_sizes *sizes,
                       ir_scope *scope) {
  ir_shape own = in[port]->shape;
  own.rank -= 2;
  const ir_broadcast_result result = ir_broadcast_shapes(numpy, &sizes->batch, &own);
  char texts[2][IR_SHAPE_TEXT];
  if (result.fit == IR_BROADCAST_FITS) {
    sizes->batch = result.shape;
    return true;
  }
  ir_report(scope->diags, IR316_SHAPES_NOT_BROADCASTABLE, ir_input_where(scope, node, port, -1),
            "the batch axes of '%s' are %s, which %s does not stretch to", node->op->inputs[port].name,
            ir_shape_text(&own, texts[0], sizeof texts[0]), ir_shape_text(&sizes->batch, texts[1], sizeof texts[1]));
  return false;
}

static bool join_inputs(const ir_node *node, const ir_value *const *in, attention_sizes *sizes, ir_scope *scope) {
  bool fine = true;
  for (int port = QUERY; port <= VALUE && fine; port++) {
    if (in[port]->shape.rank == IR_RANK_UNKNOWN) {
      sizes->batch = ir_shape_unknown();
      continue;
    }
    fine =
        join_batch(node, in, port, sizes, scope) &&
        join(node, in, port, 2, port == QUERY ? "places" : "sources", port == QUERY ? &sizes->l : &sizes->s, scope) &&
        join(node, in, port, 1, "features", port == VALUE ? &sizes->ev : &sizes->e, scope);
  }
  return fine;
}

static bool join_mask(const ir_node *node, const ir_value *const *in, attention_sizes *sizes, ir_scope *scope) {
  const ir_shape *shape = &in[MASK]->shape;
  if (shape->rank == 0 || shape->rank == IR_RANK_UNKNOWN)
    return true;
  if (shape->rank == 1) {
    char text[IR_SHAPE_TEXT];
    ir_report(scope->diags, IR303_RANK_NOT_ALLOWED, ir_input_where(scope, node, MASK, -1),
              "'attention_mask' has rank 1: %s; expected a scalar, or rank 2 and more",
              ir_shape_text(shape, text, sizeof text));
    return false;
  }
  return stretch(node, in, 2, "places", &sizes->l, scope) && stretch(node, in, 1, "sources", &sizes->s, scope) &&
         join_batch(node, in, MASK, sizes, scope);
}

/* A mask is boolean or has the query's type. */
static bool check_mask_type(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_type mask = in[MASK]->type, type = in[QUERY]->type;
  if (mask == IR_BOOLEAN || mask == IR_DYNAMIC || type == IR_DYNAMIC || mask == type)
    return true;
  ir_report(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, MASK, -1),
            "input %d ('attention_mask') is %s, expected boolean or %s, as input 0", MASK, ir_type_name(mask),
            ir_type_name(type));
  return false;
}

static bool check_scale(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_shape *shape = &in[SCALE]->shape;
  char text[IR_SHAPE_TEXT];
  if (shape->rank != 1 || ir_dims_meet(shape->dims[0], ir_dim_of(1)))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, SCALE, 0),
            "'scale' is %s, expected a scalar or one element", ir_shape_text(shape, text, sizeof text));
  return false;
}

/* Checks the sink: it has the query's rank. Its last dim is 1, each other dim is 1 or the query's dim. */
static bool check_sink(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_shape *sink = &in[SINK]->shape, *query = &in[QUERY]->shape;
  if (sink->rank == IR_RANK_UNKNOWN || query->rank == IR_RANK_UNKNOWN)
    return true;
  const ir_dim one = ir_dim_of(1);
  char texts[2][IR_SHAPE_TEXT];
  bool fits = sink->rank == query->rank;
  for (int i = 0; fits && i < sink->rank; i++)
    fits = ir_dims_meet(sink->dims[i], one) || (i < sink->rank - 1 && ir_dims_meet(sink->dims[i], query->dims[i]));
  if (!fits)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, SINK, -1),
              "'sink' is %s, expected the query's %s with 1 as its last dim; other dims may be 1 as well",
              ir_shape_text(sink, texts[0], sizeof texts[0]), ir_shape_text(query, texts[1], sizeof texts[1]));
  return fits;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool is_causal = ((const attention_params *)node->params)->causal;
  out->type = in[QUERY]->type;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  if (out->poisoned)
    return IR_OK;
  const ir_dim any = ir_dim_any();
  attention_sizes sizes = {ir_shape_of(0, NULL), any, any, any, any};
  bool fine = join_inputs(node, in, &sizes, scope);
  if (node->n_inputs > MASK)
    fine = check_mask_type(node, in, scope) && (is_causal || !fine || join_mask(node, in, &sizes, scope)) && fine;
  if (node->n_inputs > SCALE)
    fine = check_scale(node, in, scope) && fine;
  if (node->n_inputs > SINK)
    fine = check_sink(node, in, scope) && fine;
  out->poisoned = !fine;
  if (!fine || sizes.batch.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->shape = sizes.batch;
  out->shape.dims[out->shape.rank++] = sizes.l;
  out->shape.dims[out->shape.rank++] = sizes.ev;
  return IR_OK;
}

/* ---- running: scores = query x key^T, weights = softmax(scale * scores + mask), output = weights x value ---- */

enum { PLACES = IR_MAX_RANK, SOURCES, FEATURES, VALUES }; /* labels of L, S, E, EV; batch axis i has the label i */

/* State of the step that computes weights: a softmax along S of the scores [N.., L, S]. */
typedef struct weigh_state {
  bool is_causal, has_mask, has_scale, has_sink;
  int64_t places, sources, features;
  ir_nd_iter masks;  /* iterates over the mask's rows */
  int64_t mask_step; /* the mask's stride along S */
  ir_nd_iter sinks;  /* iterates over the sink's rows */
} weigh_state;

typedef struct weigh_call {
  const weigh_state *state;
  const ir_tensor *scores, *mask, *sink, *weights;
  double scale;
  ir_exec *exec;
} weigh_call;

/* Adds row `row` of the mask to the scores. In a boolean mask, true adds 0 and false adds -inf. */
static void add_mask(const weigh_call *call, int64_t row, double *scores) {
  const weigh_state *state = call->state;
  const ir_tensor *mask = call->mask;
  int64_t begin, at[IR_PIECE];
  double numbers[IR_PIECE];
  ir_nd_iter_offsets(&state->masks, 0, row, 1, 0, &begin);
  for (int64_t i = 0; i < state->sources; i += IR_PIECE) {
    const int64_t n = state->sources - i < IR_PIECE ? state->sources - i : IR_PIECE;
    for (int64_t j = 0; j < n; j++)
      at[j] = begin + (i + j) * state->mask_step;
    ir_compute_gather(mask, at, n, IR_COMPUTE_F64, numbers);
    for (int64_t j = 0; j < n; j++)
      scores[i + j] += mask->type != IR_BOOLEAN ? numbers[j] : numbers[j] != 0 ? 0 : -INFINITY;
  }
}

/* Returns the score of the row's sink. If there is no sink, returns -inf, which adds 0 to the softmax's sum. */
static double sink_score(const weigh_call *call, int64_t row) {
  int64_t at;
  if (call->sink == NULL)
    return -INFINITY;
  ir_nd_iter_offsets(&call->state->sinks, 0, row, 1, 0, &at);
  return ir_number_at(call->sink, at);
}

static void weigh(void *user, int64_t begin, int64_t end, int worker) {
  const weigh_call *call = user;
  const weigh_state *state = call->state;
  const int64_t n = state->sources;
  const size_t bytes = (size_t)n * ir_type_size(call->scores->type);
  double *row = ir_exec_scratch(call->exec, worker);
  for (; begin < end; begin++) {
    const double sink = sink_score(call, begin);
    double most = sink, sum = 0;
    ir_compute_load(call->scores->type, (const char *)call->scores->data + (size_t)begin * bytes, IR_COMPUTE_F64, row,
                    n);
    for (int64_t i = 0; i < n; i++)
      row[i] *= call->scale;
    if (call->mask != NULL)
      add_mask(call, begin, row);
    for (int64_t i = begin % state->places + 1; state->is_causal && i < n; i++)
      row[i] = -INFINITY;
    for (int64_t i = 0; i < n; i++)
      most = row[i] > most ? row[i] : most;
    for (int64_t i = 0; i < n; i++)
      sum += row[i] = exp(row[i] - most);
    if (call->sink != NULL)
      sum += exp(sink - most);
    for (int64_t i = 0; i < n; i++)
      row[i] /= sum;
    ir_compute_store(IR_COMPUTE_F64, row, call->weights->type, (char *)call->weights->data + (size_t)begin * bytes, n);
  }
}

/* The inputs are the scores, then mask, scale and sink: each of these three only if the state's has_* is set. */
static ir_code run_weights(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const weigh_state *state = step->state;
  const ir_tensor *const *next = in;
  weigh_call call = {.state = state, .scores = *next++, .weights = out[0], .exec = exec};
  call.mask = state->has_mask ? *next++ : NULL;
  call.scale = state->has_scale ? ir_number_at(*next++, 0) : 1 / sqrt((double)state->features);
  call.sink = state->has_sink ? *next : NULL;
  const int64_t elements = ir_tensor_elements(out[0]);
  if (elements > 0)
    exec->share(exec, elements / state->sources, elements < INT64_MAX / 64 ? elements * 64 : INT64_MAX, weigh, &call);
  return IR_OK;
}

/* Returns an iterator over the rows of `tensor`, broadcast to the scores [N.., L, S]. `*out_step` is the tensor's
 * stride along S. */
static ir_nd_iter rows_in(const ir_shape *tensor, const ir_shape *scores, int64_t *out_step) {
  const int rank = scores->rank;
  int64_t dims[IR_MAX_RANK], steps[1][IR_MAX_RANK];
  for (int i = 0; i < rank - 1; i++)
    dims[i] = scores->dims[i].lo;
  ir_nd_iter_steps(tensor, rank - tensor->rank, rank, steps[0]);
  *out_step = steps[0][rank - 1];
  return ir_nd_iter_of(rank - 1, dims, 1, steps);
}

static ir_code weights_step(const ir_node *node, const ir_value *const *in, const ir_labelled *scores,
                            const ir_labelled *weights, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "attention_weights", .isa = "any", .run = run_weights};
  const ir_shape *shape = &scores->shape;
  const int rank = shape->rank;
  weigh_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  int64_t scratch;
  if (state == NULL || !ir_mul(shape->dims[rank - 1].lo, sizeof(double), &scratch))
    return ir_out_of_memory(scope->diags);
  *state = (weigh_state){.is_causal = ((const attention_params *)node->params)->causal,
                         .has_scale = node->n_inputs > SCALE,
                         .has_sink = node->n_inputs > SINK};
  state->has_mask = node->n_inputs > MASK && !state->is_causal;
  state->places = shape->dims[rank - 2].lo;
  state->sources = shape->dims[rank - 1].lo;
  state->features = in[QUERY]->shape.dims[in[QUERY]->shape.rank - 1].lo;
  int32_t slots[4] = {scores->slot}, n = 1;
  if (state->has_mask) {
    state->masks = rows_in(&in[MASK]->shape, shape, &state->mask_step);
    slots[n++] = ir_plan_input_slot(plan, MASK);
  }
  if (state->has_scale)
    slots[n++] = ir_plan_input_slot(plan, SCALE);
  if (state->has_sink) {
    int64_t along_a_row;
    state->sinks = rows_in(&in[SINK]->shape, shape, &along_a_row);
    slots[n++] = ir_plan_input_slot(plan, SINK);
  }
  return ir_plan_step_on(plan, node, &kernel, state, (size_t)scratch, slots, n, &weights->slot, 1);
}

static void label(ir_labelled *labelled, int n_batch, int first, int second) {
  const int rank = labelled->shape.rank;
  for (int i = 0; i < rank - 2; i++)
    labelled->labels[i] = n_batch - (rank - 2) + i;
  labelled->labels[rank - 2] = first;
  labelled->labels[rank - 1] = second;
}

/* If inputs are f16 or bf16, scores and weights are f32. If a row without a sink is masked completely, its weights are
 * NaN, as in OpenVINO. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_labelled query = ir_labelled_input(plan, in, QUERY), key = ir_labelled_input(plan, in, KEY);
  ir_labelled value = ir_labelled_input(plan, in, VALUE), out = ir_labelled_output(plan, node);
  const int rank = out.shape.rank, n_batch = rank - 2;
  ir_labelled scores = {.type = out.type == IR_F64 ? IR_F64 : IR_F32, .shape = out.shape};
  scores.shape.dims[rank - 1] = key.shape.dims[key.shape.rank - 2];
  label(&query, n_batch, PLACES, FEATURES);
  label(&key, n_batch, SOURCES, FEATURES);
  label(&value, n_batch, SOURCES, VALUES);
  label(&out, n_batch, PLACES, VALUES);
  label(&scores, n_batch, PLACES, SOURCES);
  ir_labelled weights = scores;
  scores.slot = ir_plan_temporary(plan, scores.type, &scores.shape);
  weights.slot = ir_plan_temporary(plan, scores.type, &scores.shape);
  if (scores.slot < 0 || weights.slot < 0)
    return IR_NO_MEMORY;
  ir_code code = ir_contraction_step(plan, node, "attention_scores", &query, &key, &scores, scope);
  if (code == IR_OK)
    code = weights_step(node, in, &scores, &weights, plan, scope);
  return code != IR_OK ? code : ir_contraction_step(plan, node, "attention", &weights, &value, &out, scope);
}

static const ir_attr_spec attrs[] = {
    {.name = "causal", .kind = IR_ATTR_BOOL, .offset = offsetof(attention_params, causal), .required = true},
    {.name = NULL}};

#define T_FLOATS   .type_var = "T", .types = IR_SET_FLOATS, .types_carried = IR_CARRIED_NONE
#define PORT(text) .name = text, T_FLOATS, .rank_max = IR_MAX_RANK

const ir_op ir_op_scaled_dot_product_attention_13 = {
    .dialect = IR_OPENVINO,
    .type = "ScaledDotProductAttention",
    .version = 13,
    .spec = IR_SPEC_PAGE("sequence/scaled-dot-product-attention"),
    .params_size = sizeof(attention_params),
    .attrs = attrs,
    .inputs = IR_PORTS({PORT("query"), .rank_min = 3}, {PORT("key"), .rank_min = 3}, {PORT("value"), .rank_min = 3},
                       {.name = "attention_mask",
                        .type_var = "T_MASK",
                        .types = IR_SET_FLOATS | IR_SET(IR_BOOLEAN),
                        .types_carried = IR_CARRIED_NONE,
                        .rank_max = IR_MAX_RANK,
                        .optional = true},
                       {.name = "scale", T_FLOATS, .rank_max = 1, .optional = true},
                       {PORT("sink"), .rank_min = 3, .optional = true}),
    .outputs = IR_PORTS({PORT("output"), .rank_min = 3}),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
};
