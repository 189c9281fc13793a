#include "ops/attention/state_attention.h"
#include "ops/attention/attention.h"

enum { RANK = 4 };

/* Infers the plain attention on all rows of the keys, with each head repeated. The run makes such a node only from
 * inputs of rank 4 and type f32. */
static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_attention_params plain_params = {.is_causal = false};
  const int64_t repeats = ((const ir_state_attention_params *)node->params)->repeats;
  ir_node plain = *node;
  ir_value rows[] = {*in[IR_KEY], *in[IR_VALUE]};
  const ir_value *all[IR_ATTENTION_INPUTS];
  plain.op = &ir_op_scaled_dot_product_attention_13;
  plain.params = &plain_params;
  for (int i = 0; i < 2; i++) {
    rows[i].shape.dims[1] = ir_dim_of(rows[i].shape.dims[1].lo * repeats);
    rows[i].shape.dims[2] = ir_dim_any();
  }
  for (int32_t i = 0; i < node->n_inputs; i++)
    all[i] = i == IR_KEY ? &rows[0] : i == IR_VALUE ? &rows[1] : in[i];
  return plain.op->infer(&plain, all, out, scope);
}

typedef struct state_step {
  const ir_state_attention_params *params;
  ir_attention attention; /* without the members that depend on S */
  ir_index_input beams;   /* for reports */
  ir_where mask;
} state_step;

/* Sets the steps of a query, mask or sink [N, H * r, L, ..], of which leading axes can be missing, along N, H, r, L and
 * its last axis. */
static void set_steps(const ir_tensor *tensor, int64_t repeats, int64_t *steps) {
  const ir_shape shape = ir_tensor_shape(tensor);
  int64_t own[RANK] = {0};
  ir_nd_iter_steps(&shape, RANK - tensor->rank, RANK, own);
  steps[0] = own[0];
  steps[1] = own[1] * repeats;
  steps[2] = own[1];
  steps[3] = own[2];
  steps[4] = own[3];
}

/* The last size of the mask is known when it is computed. Inference has checked the others. */
static ir_code check_mask(const state_step *state, const ir_tensor *mask, int64_t sources) {
  const int64_t last = mask == NULL || mask->rank == 0 ? 1 : mask->dims[mask->rank - 1];
  if (last == 1 || last == sources)
    return IR_OK;
  ir_report_firm(state->beams.diags, IR322_SHAPES_DO_NOT_FIT, state->mask,
                 "'attention_mask' has %lld sources, and %lld rows of keys are kept and new", (long long)last,
                 (long long)sources);
  return IR_BAD_DATA;
}

/* Sets the sizes of the attention and its steps along [N, H, r]. The r rows of a new token read the same keys: they
 * become the rows of one matrix if they have the same mask. */
static void set_sizes(const ir_tensor *const *tensors, const ir_tensor *out, int64_t sources, ir_attention *attention) {
  int64_t steps[IR_ATTENTION_INPUTS][IR_MAX_RANK] = {{0}};
  const int64_t heads = tensors[IR_KEY]->dims[1], repeats = heads == 0 ? 1 : out->dims[1] / heads;
  int64_t dims[] = {out->dims[0], heads, repeats};
  for (int i = IR_KEY; i <= IR_VALUE; i++) {
    steps[i][1] = tensors[i]->dims[2] * tensors[i]->dims[3];
    steps[i][0] = tensors[i]->dims[0] == 1 ? 0 : heads * steps[i][1];
  }
  for (int i = IR_QUERY; i <= IR_SINK; i++)
    if (tensors[i] != NULL && (i == IR_QUERY || i == IR_MASK || i == IR_SINK))
      set_steps(tensors[i], repeats, steps[i]);
  const int axis = out->dims[2] == 1 && steps[IR_MASK][2] == 0 ? 2 : 3; /* along which the rows of a matrix lie */
  attention->places = axis == 2 ? repeats : out->dims[2];
  attention->sources = sources;
  attention->query_row = steps[IR_QUERY][axis];
  attention->mask_row = steps[IR_MASK][axis];
  attention->mask_source = steps[IR_MASK][4];
  attention->sink_row = steps[IR_SINK][axis];
  dims[2] = axis == 2 ? 1 : repeats;
  attention->matrices = ir_nd_iter_of(3, dims, IR_ATTENTION_INPUTS, steps);
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
  if (rows->key.next_length != rows->value.next_length) {
    ir_report_firm(state->beams.diags, IR322_SHAPES_DO_NOT_FIT, state->mask,
                   "%lld rows of keys are kept and new, and %lld rows of values", (long long)rows->key.next_length,
                   (long long)rows->value.next_length);
    return IR_BAD_DATA;
  }
  const int64_t sources = rows->key.next_length;
  code = check_mask(state, tensors[IR_MASK], sources);
  if (code != IR_OK || out[0] == NULL)
    return code;
  tensors[IR_KEY] = ir_state_room(&rows->key);
  tensors[IR_VALUE] = ir_state_room(&rows->value);
  set_sizes(tensors, out[0], sources, &attention);
  return ir_attend(&attention, tensors, out[0], exec);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "attention_on_state", .isa = "any", .run = run};
  state_step *state = ir_arena_alloc(plan->arena, sizeof *state);
  size_t scratch;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (state_step){.params = node->params,
                        .attention = {.params = {.hidden_row_is_finite = true},
                                      .features = in[IR_KEY]->shape.dims[3].lo,
                                      .values = in[IR_VALUE]->shape.dims[3].lo},
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
