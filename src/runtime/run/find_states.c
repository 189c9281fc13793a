/* Finds attention on states in the nodes of a model. */
#include "ops/attention/attention.h"
#include "runtime/run/states.h"
#include <stdlib.h>
#include <string.h>

enum { RANK = 4, LENGTH_AXIS = 2 };

/* The search: the model, how often each layer's outputs are read, and by how many ShapeOf. */
typedef struct state_search {
  const irrun_model *model;
  int32_t *n_uses, *n_shape_uses, *assign_of; /* assign_of: the Assign that reads the layer; -1: none */
  int32_t *stack;                             /* room for a walk */
  bool *seen;
} state_search;

static const ir_node *node_at(const state_search *search, int32_t layer) {
  return &search->model->nodes[layer];
}

static bool is_type(const ir_node *node, const char *type) {
  return node->op != NULL && node->op->dialect == IR_OPENVINO && strcmp(node->op->type, type) == 0;
}

/* Whether the attribute is the integer, or is missing and the integer is 0. */
static bool has_attr(const ir_node *node, const char *name, long number) {
  const ir_raw_attr *attr = ir_layer_attr(node->layer, name);
  return attr == NULL ? number == 0 : strtol(attr->value, NULL, 10) == number;
}

/* Whether the input is one constant number. */
static bool is_number(const state_search *search, const ir_node *node, int32_t input, int64_t number) {
  const ir_node *from = node_at(search, node->inputs[input].layer);
  const ir_tensor *contents = from->outputs[node->inputs[input].port].contents;
  return ir_op_is(from->op, IR_RUN_CONSTANT) && contents != NULL && ir_tensor_elements(contents) == 1 &&
         ir_index_at(contents, 0) == number;
}

static bool is_f32(const ir_value *value) {
  return value->type == IR_F32 && value->shape.rank == RANK;
}

static bool is_size(const ir_value *value, int axis, int64_t size) {
  return ir_dims_equal(value->shape.dims[axis], ir_dim_of(size));
}

/* Whether the input depends on constants alone, or if `or_shapes`, on them and on shapes. */
static bool comes_from_constants(const state_search *search, const ir_node *node, int32_t input, bool or_shapes) {
  const size_t n_layers = search->model->graph.n_layers;
  int32_t n = 0;
  bool fine = true;
  memset(search->seen, 0, n_layers * sizeof *search->seen);
  search->stack[n++] = node->inputs[input].layer;
  while (n > 0 && fine) {
    const ir_node *from = node_at(search, search->stack[--n]);
    const bool ends = or_shapes && is_type(from, "ShapeOf");
    fine = ends || from->n_inputs > 0 || ir_op_is(from->op, IR_RUN_CONSTANT);
    fine = fine && !ir_op_has_dynamic_output(from->op);
    for (int32_t p = 0; p < from->n_inputs && fine && !ends; p++) {
      const int32_t layer = from->inputs[p].layer;
      if (!search->seen[layer])
        search->stack[n++] = layer;
      search->seen[layer] = true;
    }
  }
  return fine;
}

/* Whether the Reshape keeps the batch of `rows` as its first size, so that the length stays apart from it. */
static bool keeps_batch(const state_search *search, const ir_node *reshape, int32_t rows) {
  const ir_node *target = node_at(search, reshape->inputs[1].layer);
  const ir_tensor *contents = target->outputs[reshape->inputs[1].port].contents;
  const ir_dim batch = node_at(search, rows)->outputs[0].shape.dims[0];
  if (contents != NULL) /* 0 copies the size */
    return ir_index_at(contents, 0) == 0 || ir_dims_equal(batch, ir_dim_of(ir_index_at(contents, 0)));
  const ir_node *first = is_type(target, "Concat") ? node_at(search, target->inputs[0].layer) : target;
  if (is_type(first, "Unsqueeze") || is_type(first, "Reshape"))
    first = node_at(search, first->inputs[0].layer);
  return is_type(first, "Gather") && is_number(search, first, 1, 0) &&
         is_type(node_at(search, first->inputs[0].layer), "ShapeOf") &&
         node_at(search, first->inputs[0].layer)->inputs[0].layer == rows;
}

/* If `*layer` repeats heads, by Unsqueeze, Broadcast and Reshape, replaces it by the layer whose heads are repeated.
 * Sets the number of repeats. The sizes of Broadcast come from shapes, as those of batch and length do. */
static bool skip_repeats(const state_search *search, int32_t *layer, int64_t *repeats) {
  const ir_node *reshape = node_at(search, *layer);
  *repeats = 1;
  if (!is_type(reshape, "Reshape"))
    return true;
  const ir_node *broadcast = node_at(search, reshape->inputs[0].layer);
  if (!is_type(broadcast, "Broadcast"))
    return false;
  const ir_node *unsqueeze = node_at(search, broadcast->inputs[0].layer);
  if (!is_type(unsqueeze, "Unsqueeze") || search->n_uses[*layer] != 1 ||
      search->n_uses[reshape->inputs[0].layer] != 1 || search->n_uses[broadcast->inputs[0].layer] != 1)
    return false;
  const ir_value *out = &reshape->outputs[0], *wide = &broadcast->outputs[0], *thin = &unsqueeze->outputs[0];
  const ir_value *rows = &node_at(search, unsqueeze->inputs[0].layer)->outputs[0];
  if (out->shape.rank != RANK || wide->shape.rank != RANK + 1 || thin->shape.rank != RANK + 1 ||
      rows->shape.rank != RANK || !ir_dim_known(wide->shape.dims[2]) || !ir_dim_known(rows->shape.dims[1]) ||
      !ir_dim_known(rows->shape.dims[3]))
    return false;
  const int64_t heads = rows->shape.dims[1].lo, features = rows->shape.dims[3].lo;
  *repeats = wide->shape.dims[2].lo;
  *layer = unsqueeze->inputs[0].layer;
  return is_number(search, unsqueeze, 1, 2) && ir_dims_equal(wide->shape.dims[0], rows->shape.dims[0]) &&
         ir_dims_equal(wide->shape.dims[3], rows->shape.dims[LENGTH_AXIS]) && is_size(thin, 1, heads) &&
         is_size(wide, 1, heads) && is_size(wide, 4, features) && is_size(out, 1, heads * *repeats) &&
         is_size(out, 3, features) && comes_from_constants(search, broadcast, 1, true) &&
         comes_from_constants(search, reshape, 1, true) && keeps_batch(search, reshape, *layer);
}

/* Whether no other layer reads or assigns the variable. */
static bool is_only_user(const state_search *search, const char *id) {
  int n = 0;
  for (size_t i = 0; i < search->model->graph.n_layers; i++) {
    const char *other = ir_variable_of(&search->model->nodes[i]);
    n += other != NULL && strcmp(other, id) == 0;
  }
  return n == 2;
}

/* Finds the ReadValue of `past`, which is itself or the input of a Gather of matrices. NULL: there is none. */
static const ir_node *find_reader(const state_search *search, ir_state_source *source) {
  const ir_node *node = node_at(search, source->past);
  source->beams = -1;
  if (is_type(node, "Gather")) {
    const ir_node *beams = node_at(search, node->inputs[1].layer);
    if (node->op->version != 8 || !is_number(search, node, 2, 0) || !has_attr(node, "batch_dims", 0) ||
        !ir_op_is(beams->op, IR_RUN_INPUT) || beams->outputs[0].shape.rank != 1 ||
        search->n_uses[node->inputs[0].layer] != 1)
      return NULL;
    source->beams = node->inputs[1].layer;
    node = node_at(search, node->inputs[0].layer);
  }
  return ir_op_is(node->op, IR_RUN_READS) ? node : NULL;
}

/* Whether the variable can have any length and the batch of `rows`, and its first value has no rows. Without that and
 * without Gather, its first value has an unknown batch. */
static bool begins_empty(const state_search *search, const ir_node *reader, const ir_value *rows, bool has_beams) {
  const ir_dim *dims = reader->outputs[0].shape.dims, batch = rows->shape.dims[0];
  if (dims[LENGTH_AXIS].lo > 0 || dims[LENGTH_AXIS].hi != IR_DIM_MAX || dims[0].lo > batch.lo || dims[0].hi < batch.hi)
    return false;
  if (reader->n_inputs == 0)
    return has_beams || ir_dim_known(dims[0]);
  const ir_value *first = &node_at(search, reader->inputs[0].layer)->outputs[reader->inputs[0].port];
  return first->shape.rank == RANK && is_size(first, LENGTH_AXIS, 0);
}

/* Finds the state that `input` of the attention reads. */
static bool find_source(const state_search *search, const ir_node *attention, int32_t input, ir_state_source *out) {
  int32_t layer = attention->inputs[input].layer;
  if (!skip_repeats(search, &layer, &out->repeats))
    return false;
  const ir_node *concat = node_at(search, layer);
  if (!is_type(concat, "Concat") || concat->n_inputs != 2 || !is_f32(&concat->outputs[0]) ||
      !(has_attr(concat, "axis", LENGTH_AXIS) || has_attr(concat, "axis", LENGTH_AXIS - RANK)) ||
      search->n_uses[layer] != 2 + search->n_shape_uses[layer] || search->assign_of[layer] < 0)
    return false;
  out->past = concat->inputs[0].layer;
  out->now = concat->inputs[1];
  out->assign = search->assign_of[layer];
  const ir_node *reader = find_reader(search, out);
  if (reader == NULL || search->n_uses[out->assign] != 0 ||
      search->n_uses[out->past] != 1 + search->n_shape_uses[out->past] ||
      (out->beams < 0 && search->n_shape_uses[out->past] > 0)) /* the batch is unknown before the first rows */
    return false;
  const ir_value *now = &node_at(search, out->now.layer)->outputs[out->now.port], *state = &reader->outputs[0];
  out->id = ir_variable_of(reader);
  if (!is_f32(now) || !is_f32(state) || !ir_dim_known(now->shape.dims[1]) || !ir_dim_known(now->shape.dims[3]))
    return false;
  out->heads = now->shape.dims[1].lo;
  return is_size(state, 1, out->heads) && is_size(state, 3, now->shape.dims[3].lo) &&
         begins_empty(search, reader, &concat->outputs[0], out->beams >= 0) &&
         strcmp(ir_variable_of(node_at(search, out->assign)), out->id) == 0 && is_only_user(search, out->id);
}

static bool find_attention(const state_search *search, int32_t layer, ir_attention_of_states *out) {
  const ir_node *node = node_at(search, layer);
  *out = (ir_attention_of_states){.layer = layer, .mask = -1};
  if (!is_type(node, "ScaledDotProductAttention") || ((const ir_attention_params *)node->params)->is_causal)
    return false;
  const ir_value *query = &node_at(search, node->inputs[IR_QUERY].layer)->outputs[node->inputs[IR_QUERY].port];
  if (!is_f32(query) || !ir_dim_known(query->shape.dims[1]))
    return false;
  ir_state_source *key = &out->sources[IR_STATE_KEY], *value = &out->sources[IR_STATE_VALUE];
  if (!find_source(search, node, IR_KEY, key) || !find_source(search, node, IR_VALUE, value) ||
      key->heads != value->heads || key->repeats != value->repeats || key->beams != value->beams)
    return false;
  if (key->heads == 1 && key->repeats == 1) /* one head broadcasts to all */
    key->repeats = value->repeats = query->shape.dims[1].lo;
  if (!is_size(query, 1, key->heads * key->repeats))
    return false;
  for (int i = IR_MASK; i < node->n_inputs; i++) {
    const ir_value *in = &node_at(search, node->inputs[i].layer)->outputs[node->inputs[i].port];
    if (in->shape.rank == IR_RANK_UNKNOWN || in->shape.rank > RANK ||
        (in->type != IR_F32 && !(i == IR_MASK && in->type == IR_BOOLEAN)))
      return false;
  }
  if (node->n_inputs > IR_MASK) {
    const ir_node *mask = node_at(search, node->inputs[IR_MASK].layer);
    const bool is_fixed = comes_from_constants(search, node, IR_MASK, false);
    if (!is_fixed && (!ir_op_is_computed(mask->op) || mask->n_outputs != 1))
      return false;
    out->mask = is_fixed ? -1 : node->inputs[IR_MASK].layer;
  }
  return true;
}

static bool begin(state_search *search, ir_arena *arena) {
  const irrun_model *model = search->model;
  const size_t n = model->graph.n_layers + 1;
  search->n_uses = ir_arena_array(arena, n, sizeof *search->n_uses);
  search->n_shape_uses = ir_arena_array(arena, n, sizeof *search->n_shape_uses);
  search->assign_of = ir_arena_array(arena, n, sizeof *search->assign_of);
  search->stack = ir_arena_array(arena, n, sizeof *search->stack);
  search->seen = ir_arena_array(arena, n, sizeof *search->seen);
  if (search->n_uses == NULL || search->n_shape_uses == NULL || search->assign_of == NULL || search->stack == NULL ||
      search->seen == NULL)
    return false;
  for (size_t i = 0; i < model->graph.n_layers; i++)
    search->assign_of[i] = -1;
  for (size_t i = 0; i < model->graph.n_layers; i++)
    for (int32_t p = 0; p < model->nodes[i].n_inputs; p++) {
      const int32_t from = model->nodes[i].inputs[p].layer;
      if (from < 0)
        continue;
      search->n_uses[from]++;
      search->n_shape_uses[from] += is_type(&model->nodes[i], "ShapeOf");
      if (ir_op_is(model->nodes[i].op, IR_RUN_ASSIGNS) && search->assign_of[from] < 0)
        search->assign_of[from] = (int32_t)i;
    }
  return true;
}

static ir_node *copy_nodes(const irrun_model *model, ir_arena *arena) {
  ir_node *nodes = ir_arena_array(arena, model->graph.n_layers + 1, sizeof *nodes);
  if (nodes != NULL)
    memcpy(nodes, model->nodes, model->graph.n_layers * sizeof *nodes);
  return nodes;
}

/* Replaces the nodes of the attentions. Whether they keep their states or not, they have the same results. */
static bool make_nodes(const irrun_model *model, ir_arena *arena, ir_states *states) {
  ir_attention_params *plain = ir_arena_alloc(arena, sizeof *plain);
  states->nodes = copy_nodes(model, arena);
  states->plain_nodes = copy_nodes(model, arena);
  if (plain == NULL || states->nodes == NULL || states->plain_nodes == NULL)
    return false;
  *plain = (ir_attention_params){.hidden_row_is_finite = true};
  for (size_t i = 0; i < states->n; i++) {
    ir_attention_of_states *attention = &states->attentions[i];
    ir_node *node = &states->nodes[attention->layer];
    ir_state_attention_params *params = ir_arena_alloc(arena, sizeof *params);
    ir_link *inputs = ir_arena_array(arena, (size_t)node->n_inputs + 1, sizeof *inputs);
    if (params == NULL || inputs == NULL)
      return false;
    *params = (ir_state_attention_params){&attention->rows, attention->sources[IR_STATE_KEY].repeats};
    memcpy(inputs, node->inputs, (size_t)node->n_inputs * sizeof *inputs);
    inputs[IR_KEY] = attention->sources[IR_STATE_KEY].now;
    inputs[IR_VALUE] = attention->sources[IR_STATE_VALUE].now;
    states->plain_nodes[attention->layer].params = plain;
    node->op = &ir_op_state_attention;
    node->params = params;
    node->inputs = inputs;
  }
  return true;
}

static bool make_lists(const irrun_model *model, ir_arena *arena, ir_states *states) {
  bool **const flags[] = {&states->is_attention, &states->is_past,    &states->is_mask,   &states->is_assign,
                          &states->is_given,     &states->masks_need, &states->rest_needs};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    *flags[i] = ir_arena_array(arena, model->graph.n_layers + 1, sizeof **flags[i]);
    if (*flags[i] == NULL)
      return false;
  }
  states->masks = ir_arena_array(arena, states->n + 1, sizeof *states->masks);
  if (states->masks == NULL)
    return false;
  for (size_t i = 0; i < states->n; i++) {
    const ir_attention_of_states *attention = &states->attentions[i];
    states->is_attention[attention->layer] = true;
    for (int k = 0; k < IR_STATE_KINDS; k++) {
      states->is_past[attention->sources[k].past] = states->is_given[attention->sources[k].past] = true;
      states->is_assign[attention->sources[k].assign] = true;
    }
    if (attention->mask >= 0 && !states->is_mask[attention->mask])
      states->masks[states->n_masks++].layer = attention->mask;
    if (attention->mask >= 0)
      states->is_mask[attention->mask] = states->is_given[attention->mask] = true;
  }
  return true;
}

bool ir_states_find(const irrun_model *model, ir_arena *arena, ir_states *out) {
  state_search search = {.model = model};
  ir_attention_of_states attention;
  size_t n = 0;
  *out = (ir_states){.plain_nodes = model->nodes};
  for (size_t i = 0; i < model->graph.n_layers; i++)
    n += is_type(&model->nodes[i], "ScaledDotProductAttention");
  out->attentions = ir_arena_array(arena, n + 1, sizeof *out->attentions);
  if (out->attentions == NULL || (n > 0 && !begin(&search, arena)))
    return false;
  for (size_t i = 0; i < model->graph.n_layers && n > 0; i++)
    if (find_attention(&search, model->order[i], &attention))
      out->attentions[out->n++] = attention;
  return out->n == 0 || (make_nodes(model, arena, out) && make_lists(model, arena, out));
}
