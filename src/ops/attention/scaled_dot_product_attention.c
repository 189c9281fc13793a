/* ScaledDotProductAttention-13: output [N.., L, EV] = softmax(scale * query x key^T + mask) x value. Inputs:
 *   query [N.., L, E], key [N.., S, E], value [N.., S, EV], mask: a scalar or [N.., L, S], sink [N.., L, 1]
 * The batch axes N.. broadcast by numpy's rules, and so do L and S of the mask and L of the sink. A sink is an
 * additional score of each row of the softmax; it has no value. Page:
 * operation-specs/sequence/scaled-dot-product-attention. */
#include "ops/attention/attention.h"
#include "ops/math/broadcast.h"

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
  const ir_shape *shape = &in[IR_MASK]->shape;
  const ir_shape own = {.rank = 1, .dims = {shape->dims[shape->rank - from_end]}}, other = {.rank = 1, .dims = {*dim}};
  const ir_broadcast_result result = ir_broadcast_shapes(numpy, &other, &own);
  if (result.fit != IR_BROADCAST_FITS)
    return join(node, in, IR_MASK, from_end, what, dim, scope);
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
  for (int port = IR_QUERY; port <= IR_VALUE && fine; port++) {
    if (in[port]->shape.rank == IR_RANK_UNKNOWN) {
      sizes->batch = ir_shape_unknown();
      continue;
    }
    fine = join_batch(node, in, port, sizes, scope) &&
           join(node, in, port, 2, port == IR_QUERY ? "places" : "sources", port == IR_QUERY ? &sizes->l : &sizes->s,
                scope) &&
           join(node, in, port, 1, "features", port == IR_VALUE ? &sizes->ev : &sizes->e, scope);
  }
  return fine;
}

static bool join_mask(const ir_node *node, const ir_value *const *in, attention_sizes *sizes, ir_scope *scope) {
  const ir_shape *shape = &in[IR_MASK]->shape;
  if (shape->rank == 0 || shape->rank == IR_RANK_UNKNOWN)
    return true;
  if (shape->rank == 1) {
    char text[IR_SHAPE_TEXT];
    ir_report(scope->diags, IR303_RANK_NOT_ALLOWED, ir_input_where(scope, node, IR_MASK, -1),
              "'attention_mask' has rank 1: %s; expected a scalar, or rank 2 and more",
              ir_shape_text(shape, text, sizeof text));
    return false;
  }
  return stretch(node, in, 2, "places", &sizes->l, scope) && stretch(node, in, 1, "sources", &sizes->s, scope) &&
         join_batch(node, in, IR_MASK, sizes, scope);
}

/* A mask is boolean or has the query's type. */
static bool check_mask_type(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_type mask = in[IR_MASK]->type, type = in[IR_QUERY]->type;
  if (mask == IR_BOOLEAN || mask == IR_DYNAMIC || type == IR_DYNAMIC || mask == type)
    return true;
  ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, IR_MASK, -1),
                 "input %d ('attention_mask') is %s, expected boolean or %s, as input 0", IR_MASK, ir_type_name(mask),
                 ir_type_name(type));
  return false;
}

static bool check_scale(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_shape *shape = &in[IR_SCALE]->shape;
  char text[IR_SHAPE_TEXT];
  if (shape->rank != 1 || ir_dims_meet(shape->dims[0], ir_dim_of(1)))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, IR_SCALE, 0),
            "'scale' is %s, expected a scalar or one element", ir_shape_text(shape, text, sizeof text));
  return false;
}

/* Checks the sink: it has the query's rank. Its last dim is 1, each other dim is 1 or the query's dim. */
static bool check_sink(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_shape *sink = &in[IR_SINK]->shape, *query = &in[IR_QUERY]->shape;
  if (sink->rank == IR_RANK_UNKNOWN || query->rank == IR_RANK_UNKNOWN)
    return true;
  const ir_dim one = ir_dim_of(1);
  char texts[2][IR_SHAPE_TEXT];
  bool fits = sink->rank == query->rank;
  for (int i = 0; fits && i < sink->rank; i++)
    fits = ir_dims_meet(sink->dims[i], one) || (i < sink->rank - 1 && ir_dims_meet(sink->dims[i], query->dims[i]));
  if (!fits)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, IR_SINK, -1),
              "'sink' is %s, expected the query's %s with 1 as its last dim; other dims may be 1 as well",
              ir_shape_text(sink, texts[0], sizeof texts[0]), ir_shape_text(query, texts[1], sizeof texts[1]));
  return fits;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool is_causal = ((const ir_attention_params *)node->params)->is_causal;
  out->type = in[IR_QUERY]->type;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  if (out->poisoned)
    return IR_OK;
  const ir_dim any = ir_dim_any();
  attention_sizes sizes = {ir_shape_of(0, NULL), any, any, any, any};
  bool fine = join_inputs(node, in, &sizes, scope);
  if (node->n_inputs > IR_MASK)
    fine = check_mask_type(node, in, scope) && (is_causal || !fine || join_mask(node, in, &sizes, scope)) && fine;
  if (node->n_inputs > IR_SCALE)
    fine = check_scale(node, in, scope) && fine;
  if (node->n_inputs > IR_SINK)
    fine = check_sink(node, in, scope) && fine;
  out->poisoned = !fine;
  if (!fine || sizes.batch.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->shape = sizes.batch;
  out->shape.dims[out->shape.rank++] = sizes.l;
  out->shape.dims[out->shape.rank++] = sizes.ev;
  return IR_OK;
}

/* If inputs are f16 or bf16, the softmax is f32. If a row without a sink is masked completely, it is NaN, as in
 * OpenVINO. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const ir_shape *out = &node->outputs[0].shape, *key = &in[IR_KEY]->shape;
  const int rank = out->rank;
  int64_t dims[IR_MAX_RANK], steps[IR_ATTENTION_INPUTS][IR_MAX_RANK] = {{0}};
  int32_t slots[IR_ATTENTION_INPUTS], n = 0;
  const ir_attention_params *params = node->params;
  const bool is_transposed = params->is_key_transposed;
  ir_attention attention = {.params = *params,
                            .places = out->dims[rank - 2].lo,
                            .sources = key->dims[key->rank - (is_transposed ? 1 : 2)].lo,
                            .features = key->dims[key->rank - (is_transposed ? 2 : 1)].lo,
                            .values = out->dims[rank - 1].lo};
  for (int i = 0; i < rank; i++)
    dims[i] = out->dims[i].lo;
  for (int i = 0, port = 0; i < IR_ATTENTION_INPUTS; i++) {
    bool is_used = port < node->n_inputs && (i != IR_MASK || !params->is_causal);
    if (params->is_written_out)
      is_used = i <= IR_VALUE || (i == IR_MASK && params->has_mask) || (i == IR_SCALE && params->has_scale);
    attention.input[i] = is_used ? n : -1;
    if (is_used)
      slots[n++] = ir_plan_input_slot(plan, port);
    if (is_used && i != IR_SCALE)
      ir_nd_iter_steps(&in[port]->shape, rank - in[port]->shape.rank, rank, steps[i]);
    port += is_used || !params->is_written_out;
  }
  attention.matrices = ir_nd_iter_of(rank - 2, dims, IR_ATTENTION_INPUTS, steps);
  attention.query_row = steps[IR_QUERY][rank - 2];
  attention.mask_row = steps[IR_MASK][rank - 2];
  attention.mask_source = steps[IR_MASK][rank - 1];
  attention.sink_row = steps[IR_SINK][rank - 2];
  return ir_attention_step(plan, node, &attention, slots, n, scope);
}

/* Implements ir_op.cost: counts the multiplications of both products, also for masked sources. */
static int64_t cost(const ir_node *node, const ir_value *const *in) {
  const ir_shape *out = &node->outputs[0].shape, *key = &in[IR_KEY]->shape;
  int64_t rows = 1, products, n;
  if (node->outputs[0].poisoned || !ir_shape_known(out) || !ir_shape_known(key))
    return -1;
  for (int i = 0; i < out->rank - 1; i++)
    if (!ir_mul(rows, out->dims[i].lo, &rows))
      return -1;
  const bool fits = ir_add(key->dims[key->rank - 1].lo, out->dims[out->rank - 1].lo, &n) &&
                    ir_mul(n, key->dims[key->rank - 2].lo, &n) && ir_mul(rows, n, &products);
  return fits ? products : -1;
}

static const ir_attr_spec attrs[] = {
    {.name = "causal", .kind = IR_ATTR_BOOL, .offset = offsetof(ir_attention_params, is_causal), .required = true},
    {.name = NULL}};

#define T_FLOATS   .type_var = "T", .types = IR_SET_FLOATS, .types_carried = IR_CARRIED_NONE
#define PORT(text) .name = text, T_FLOATS, .rank_max = IR_MAX_RANK

const ir_op ir_op_scaled_dot_product_attention_13 = {
    .dialect = IR_OPENVINO,
    .type = "ScaledDotProductAttention",
    .version = 13,
    .spec = IR_SPEC_PAGE("sequence/scaled-dot-product-attention"),
    .params_size = sizeof(ir_attention_params),
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
    .cost = cost,
    .multiplies = true,
};
