/* ScaledDotProductAttention-13: query [N.., L, E], key [N.., S, E] and value [N.., S, EV] give [N.., L, EV]; the axes
 * N.. are broadcast by numpy's rules. A mask [N.., L, S] may be a scalar; L and S of 1 stretch there. Page:
 * operation-specs/sequence/scaled-dot-product-attention. */
#include "ops/math/broadcast.h"
#include "ops/op.h"

typedef struct attention_params {
  bool causal;
} attention_params;

enum { QUERY, KEY, VALUE, MASK, SCALE };

/* What the inputs agree on so far. */
typedef struct attention_sizes {
  ir_shape batch;
  ir_dim l, s, e, ev;
} attention_sizes;

static const ir_broadcast numpy = {.mode = IR_BROADCAST_NUMPY};

/* Dim `from_end` of an input, 1 the last, as an interval that another one narrows. */
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

/* The same of the mask, where 1 stretches. */
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

/* A mask of booleans, or of the query's type. */
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

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool is_causal = ((const attention_params *)node->params)->causal;
  out->type = in[QUERY]->type;
  out->unknown = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->unknown = out->unknown || in[i]->unknown;
  if (out->unknown)
    return IR_OK;
  const ir_dim any = ir_dim_any();
  attention_sizes sizes = {ir_shape_of(0, NULL), any, any, any, any};
  bool fine = join_inputs(node, in, &sizes, scope);
  if (node->n_inputs > MASK)
    fine = check_mask_type(node, in, scope) && (is_causal || !fine || join_mask(node, in, &sizes, scope)) && fine;
  if (node->n_inputs > SCALE)
    fine = check_scale(node, in, scope) && fine;
  out->unknown = !fine;
  if (!fine || sizes.batch.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->shape = sizes.batch;
  out->shape.dims[out->shape.rank++] = sizes.l;
  out->shape.dims[out->shape.rank++] = sizes.ev;
  return IR_OK;
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
    .inputs = {{PORT("query"), .rank_min = 3},
               {PORT("key"), .rank_min = 3},
               {PORT("value"), .rank_min = 3},
               {.name = "attention_mask",
                .type_var = "T_MASK",
                .types = IR_SET_FLOATS | IR_SET(IR_BOOLEAN),
                .types_carried = IR_CARRIED_NONE,
                .rank_max = IR_MAX_RANK,
                .optional = true},
               {.name = "scale", T_FLOATS, .rank_max = 1, .optional = true}},
    .outputs = {{PORT("output"), .rank_min = 3}},
    .infer = infer,
};
