#include "ops/attention/state_attention.h"
#include "ops/attention/attention.h"

enum { RANK = 4 };

static bool same(const ir_value *const *in, int a, int axis_a, int b, int axis_b) {
  return ir_dims_meet(in[a]->shape.dims[axis_a], in[b]->shape.dims[axis_b]);
}

/* The run makes such a node only from inputs of rank 4 and type f32. */
static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *query = &in[IR_QUERY]->shape;
  const ir_dim heads = in[IR_KEY]->shape.dims[1];
  const int64_t repeats = ((const ir_state_attention_params *)node->params)->repeats;
  char texts[3][IR_SHAPE_TEXT];
  out->type = IR_F32;
  out->poisoned = in[IR_QUERY]->poisoned || in[IR_KEY]->poisoned || in[IR_VALUE]->poisoned;
  if (out->poisoned)
    return IR_OK;
  out->shape = *query;
  out->shape.dims[3] = in[IR_VALUE]->shape.dims[3];
  if (same(in, IR_QUERY, 0, IR_KEY, 0) && same(in, IR_QUERY, 0, IR_VALUE, 0) && same(in, IR_QUERY, 3, IR_KEY, 3) &&
      same(in, IR_KEY, 2, IR_VALUE, 2) && ir_dims_meet(query->dims[1], ir_dim_of(heads.lo * repeats)))
    return IR_OK;
  out->poisoned = true;
  return ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, IR_KEY, -1),
                   "the query is %s, and the keys and values that follow the kept ones are %s and %s",
                   ir_shape_text(query, texts[0], sizeof texts[0]),
                   ir_shape_text(&in[IR_KEY]->shape, texts[1], sizeof texts[1]),
                   ir_shape_text(&in[IR_VALUE]->shape, texts[2], sizeof texts[2]));
}

typedef struct state_step {
  const ir_state_attention_params *params;
  ir_attention attention; /* without the members that depend on S */
  ir_index_input beams;   /* for reports */
  ir_where mask;
} state_step;

/* Sets the steps of a mask or sink [N, H * r, L, S], of which leading axes can be missing, along N, H, r, L and S.
 * False if a dim is neither 1 nor that of the attention. */
static bool set_steps(const ir_tensor *tensor, const int64_t *sizes, int64_t *steps) {
  const ir_shape shape = ir_tensor_shape(tensor);
  int64_t own[RANK] = {0};
  if (tensor->rank > RANK)
    return false;
  ir_nd_iter_steps(&shape, RANK - tensor->rank, RANK, own);
  const int64_t dims[RANK] = {sizes[0], sizes[1] * sizes[2], sizes[3], sizes[4]};
  for (int i = 0; i < tensor->rank; i++)
    if (tensor->dims[i] != 1 && tensor->dims[i] != dims[RANK - tensor->rank + i])
      return false;
  steps[0] = own[0];
  steps[1] = own[1] * sizes[2];
  steps[2] = own[1];
  steps[3] = own[2];
  steps[4] = own[3];
  return true;
}

static ir_code report_mask(const state_step *state, const ir_tensor *mask, const int64_t *sizes) {
  const ir_shape shape = ir_tensor_shape(mask);
  char text[IR_SHAPE_TEXT];
  return ir_report_firm(state->beams.diags, IR322_SHAPES_DO_NOT_FIT, state->mask,
                        "the mask is %s; %lld rows of keys are kept and new, for queries [%lld,%lld,%lld]",
                        ir_shape_text(&shape, text, sizeof text), (long long)sizes[4], (long long)sizes[0],
                        (long long)(sizes[1] * sizes[2]), (long long)sizes[3]);
}

/* Sets the sizes of the attention and its steps along [N, H, r]. The r rows of a new token read the same keys: they
 * become the rows of one matrix if they have the same mask. */
static ir_code set_sizes(const state_step *state, const ir_tensor *const *tensors, const int64_t *sizes,
                         ir_attention *attention) {
  int64_t steps[IR_ATTENTION_INPUTS][IR_MAX_RANK] = {{0}};
  const int64_t query = sizes[3] * attention->features;
  const int64_t inner[IR_ATTENTION_INPUTS] = {[IR_QUERY] = query};
  for (int i = IR_QUERY; i <= IR_VALUE; i++) {
    const int64_t matrix = i == IR_QUERY ? query * sizes[2] : tensors[i]->dims[2] * tensors[i]->dims[3];
    steps[i][0] = sizes[1] * matrix;
    steps[i][1] = matrix;
    steps[i][2] = inner[i];
  }
  for (int i = IR_MASK; i <= IR_SINK; i += IR_SINK - IR_MASK)
    if (tensors[i] != NULL && !set_steps(tensors[i], sizes, steps[i]))
      return report_mask(state, tensors[i], sizes);
  attention->places = sizes[3];
  attention->sources = sizes[4];
  attention->mask_row = steps[IR_MASK][3];
  attention->mask_source = steps[IR_MASK][4];
  attention->sink_row = steps[IR_SINK][3];
  int64_t dims[] = {sizes[0], sizes[1], sizes[2]};
  if (sizes[3] == 1 && steps[IR_MASK][2] == 0) {
    attention->places = sizes[2];
    attention->mask_row = 0;
    attention->sink_row = steps[IR_SINK][2];
    dims[2] = 1;
  }
  attention->matrices = ir_nd_iter_of(3, dims, IR_ATTENTION_INPUTS, steps);
  return IR_OK;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const state_step *state = step->state;
  ir_kept_rows *rows = state->params->rows;
  ir_attention attention = state->attention;
  const ir_tensor *tensors[IR_ATTENTION_INPUTS];
  for (int i = 0; i < IR_ATTENTION_INPUTS; i++)
    tensors[i] = attention.input[i] >= 0 ? in[attention.input[i]] : NULL;
  ir_code code = ir_state_append(&rows->key, tensors[IR_KEY], rows->beams, &state->beams, exec->memory);
  if (code == IR_OK)
    code = ir_state_append(&rows->value, tensors[IR_VALUE], rows->beams, &state->beams, exec->memory);
  if (code != IR_OK)
    return code;
  if (rows->key.next_length != rows->value.next_length)
    return ir_report_firm(state->beams.diags, IR322_SHAPES_DO_NOT_FIT, state->mask,
                          "%lld rows of keys are kept and new, and %lld rows of values",
                          (long long)rows->key.next_length, (long long)rows->value.next_length);
  const ir_tensor *query = tensors[IR_QUERY];
  const int64_t sizes[] = {query->dims[0], tensors[IR_KEY]->dims[1], state->params->repeats, query->dims[2],
                           rows->key.next_length};
  tensors[IR_KEY] = ir_state_room(&rows->key);
  tensors[IR_VALUE] = ir_state_room(&rows->value);
  code = set_sizes(state, tensors, sizes, &attention);
  return code == IR_OK && out[0] != NULL ? ir_attend(&attention, tensors, out[0], exec) : code;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "attention_on_state", .isa = "any", .run = run};
  state_step *state = ir_arena_alloc(plan->arena, sizeof *state);
  size_t scratch;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (state_step){.params = node->params,
                        .attention = {.features = in[IR_KEY]->shape.dims[3].lo,
                                      .values = in[IR_VALUE]->shape.dims[3].lo,
                                      .hidden_row_is_finite = true},
                        .beams = {plan->diags, ir_node_where(scope, node), "beam_idx"},
                        .mask = ir_input_where(scope, node, IR_MASK, -1)};
  for (int i = 0; i < IR_ATTENTION_INPUTS; i++)
    state->attention.input[i] = i < node->n_inputs ? i : -1;
  if (!ir_attention_scratch(&state->attention, IR_F32, &scratch))
    return ir_out_of_memory(scope->diags);
  if (node->n_inputs > IR_MASK)
    plan->slots[ir_plan_input_slot(plan, IR_MASK)].is_open = true;
  return ir_plan_step(plan, node, &kernel, state, scratch);
}

#define PORT(text) .name = text, .type_var = "T", .types = IR_SET(IR_F32)

const ir_op ir_op_state_attention = {
    .dialect = IR_OPENVINO,
    .type = "ScaledDotProductAttention",
    .version = 13,
    .spec = IR_SPEC_PAGE("sequence/scaled-dot-product-attention"),
    .params_size = sizeof(ir_state_attention_params),
    .attrs = (const ir_attr_spec[]){{.name = NULL}},
    .inputs =
        IR_PORTS({PORT("query"), .rank_min = RANK, .rank_max = RANK}, {PORT("key"), .rank_min = RANK, .rank_max = RANK},
                 {PORT("value"), .rank_min = RANK, .rank_max = RANK},
                 {.name = "attention_mask",
                  .type_var = "T_MASK",
                  .types = IR_SET(IR_F32) | IR_SET(IR_BOOLEAN),
                  .rank_max = RANK,
                  .optional = true},
                 {PORT("scale"), .rank_max = 1, .optional = true}, {PORT("sink"), .rank_max = RANK, .optional = true}),
    .outputs = IR_PORTS({PORT("output"), .rank_min = RANK, .rank_max = RANK}),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .is_impure = true,
};
