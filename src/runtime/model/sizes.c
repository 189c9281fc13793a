/* Sums over the constants, the ops and the variables of a model: irrun_model_get_weights, irrun_model_get_op_sizes and
 * irrun_model_get_sizes. */
#include "runtime/model/sizes.h"
#include "base/index_map.h"
#include "irrun_state.h"
#include "ops/const.h"
#include "runtime/model/body_models.h"
#include "runtime/model/weight_parts.h"
#include "runtime/model/work.h"
#include <string.h>

/* The result, in the arena of the model. */
typedef struct ir_model_sizes {
  irrun_weights *weights; /* in descending order of bytes */
  size_t n_weights, capacity;
  int32_t
      *weights_of; /* one per layer of the model and its bodies: the number in `weights`; -1: no constant of weights */
  ir_op_sums ops;
  irrun_sizes total;
} ir_model_sizes;

/* A constant of the model or of a body. */
typedef struct place {
  const irrun_model *model;
  int64_t offset; /* in the .bin; of nGraph's constants, which do not share bytes: a number below 0 */
} place;

typedef struct summing {
  ir_model_sizes *sizes;
  const ir_memory *memory;
  ir_arena arena; /* of what only the sum needs */
  ir_index_map by_offset;
  place *places; /* distinct constants */
  int32_t n_places;
  const irrun_model *model; /* whose constants are added: the model or a body */
  int64_t first_layer;      /* the number of its layer 0, as irrun_model_get_layer counts */
  ir_reader *readers;
  bool *is_number; /* one per layer: a scale, zero point or codebook of other constants */
} summing;

static int64_t bytes_of(const ir_node *node) {
  size_t bytes = 0;
  return ir_tensor_bytes(node->outputs[0].type, &node->outputs[0].shape, &bytes) ? (int64_t)bytes : 0;
}

static bool is_constant(const ir_node *node) {
  return node->op != NULL && ir_op_is(node->op, IR_RUN_CONSTANT) && node->n_outputs == 1 &&
         !node->outputs[0].poisoned && ir_shape_known(&node->outputs[0].shape);
}

static bool has_offset(const void *key, int32_t value, const void *user) {
  const place *places = user;
  return places[value].offset == *(const int64_t *)key;
}

/* Whether no constant before this one has the same bytes of the file. */
static bool is_new(summing *s, const ir_node *node) {
  const ir_const_params *params = node->params;
  const int32_t n = s->n_places;
  const bool is_in_file = s->model->graph.dialect == IR_OPENVINO && params != NULL && params->size > 0;
  s->places[n] = (place){s->model, is_in_file ? params->offset : -1 - n};
  const int64_t *offset = &s->places[n].offset;
  if (ir_index_map_add(&s->by_offset, ir_hash_number(*offset), offset, n, has_offset, s->places) >= 0)
    return false;
  s->n_places++;
  return true;
}

/* ---- weights ---- */

/* Describes which elements share a scale. */
static void describe_scales(const summing *s, const ir_node *constant, const ir_weight_parts *parts,
                            irrun_weights *out) {
  int64_t n_elements, n_scales;
  int n_axes = 0; /* with more than one scale */
  if (parts->scales < 0)
    return;
  const ir_shape *scales = &s->model->nodes[parts->scales].outputs[0].shape;
  if (!ir_shape_elements(&constant->outputs[0].shape, &n_elements) || !ir_shape_elements(scales, &n_scales) ||
      n_scales == 0)
    return;
  for (int i = 0; i < scales->rank; i++)
    n_axes += scales->dims[i].lo > 1;
  out->scales = n_axes == 0 ? IRRUN_SCALES_TENSOR : n_axes == 1 ? IRRUN_SCALES_CHANNEL : IRRUN_SCALES_GROUP;
  out->group = n_axes > 1 ? n_elements / n_scales : 0;
}

static bool are_alike(const irrun_weights *a, const irrun_weights *b) {
  return a->type == b->type && a->scales == b->scales && a->group == b->group &&
         a->has_zero_points == b->has_zero_points && a->has_codebook == b->has_codebook;
}

/* The item for weights that are stored as `like`; NULL if memory is out. */
static irrun_weights *find_item(summing *s, const irrun_weights *like) {
  ir_model_sizes *sizes = s->sizes;
  for (size_t i = 0; i < sizes->n_weights; i++)
    if (are_alike(&sizes->weights[i], like))
      return &sizes->weights[i];
  void *items = sizes->weights;
  if (!ir_reserve(s->memory, &items, sizes->n_weights, &sizes->capacity, sizeof *sizes->weights))
    return NULL;
  sizes->weights = items;
  sizes->weights[sizes->n_weights] = *like;
  return &sizes->weights[sizes->n_weights++];
}

/* Adds the bytes of the constant to the sum, and returns them. 0: another constant with the same bytes was added. */
static int64_t add_bytes(summing *s, int32_t layer) {
  const int64_t bytes = is_new(s, &s->model->nodes[layer]) ? bytes_of(&s->model->nodes[layer]) : 0;
  ir_add_to(bytes, &s->sizes->total.constant_bytes);
  return bytes;
}

/* Adds a constant that is no scale, zero point or codebook, and those that belong to it. */
static bool add_constant(summing *s, int32_t layer) {
  const ir_node *node = &s->model->nodes[layer];
  ir_weight_parts parts;
  int64_t n_elements;
  const int64_t bytes = add_bytes(s, layer);
  if (!ir_find_weight_parts(s->model, s->readers, layer, &parts) ||
      !ir_shape_elements(&node->outputs[0].shape, &n_elements))
    return true;
  int64_t number_bytes = 0;
  for (int i = 0; i < parts.n_numbers; i++)
    ir_add_to(add_bytes(s, parts.numbers[i]), &number_bytes);
  irrun_weights like = {.type = (irrun_element_type)node->outputs[0].type,
                        .has_zero_points = parts.has_zeros,
                        .has_codebook = parts.has_codebook};
  describe_scales(s, node, &parts, &like);
  irrun_weights *item = find_item(s, &like);
  if (item == NULL)
    return false;
  const int64_t n_parameters = bytes > 0 ? n_elements : 0;
  ir_add_to(n_parameters, &item->parameters);
  ir_add_to(bytes, &item->bytes);
  ir_add_to(number_bytes, &item->scale_bytes);
  item->constants++;
  s->sizes->weights_of[s->first_layer + layer] = (int32_t)(item - s->sizes->weights);
  ir_add_to(n_parameters, &s->sizes->total.parameters);
  const int32_t reader = s->readers[parts.end].layer;
  if (reader >= 0 && s->model->nodes[reader].op != NULL) {
    irrun_op_sizes *op = ir_op_sums_of(&s->sizes->ops, s->model->nodes[reader].op);
    ir_add_to(n_parameters, &op->parameters);
    ir_add_to(bytes, &op->bytes);
    ir_add_to(number_bytes, &op->bytes);
  }
  if (s->readers[parts.end].layer >= 0 && s->readers[parts.end].only_gathers) {
    ir_add_to(bytes, &s->sizes->total.gathered_bytes);
    ir_add_to(number_bytes, &s->sizes->total.gathered_bytes);
  }
  return true;
}

/* Marks scales, zero points and codebooks. */
static void mark_numbers(summing *s) {
  ir_weight_parts parts;
  for (size_t i = 0; i < s->model->graph.n_layers; i++)
    if (is_constant(&s->model->nodes[i]) && ir_find_weight_parts(s->model, s->readers, (int32_t)i, &parts))
      for (int k = 0; k < parts.n_numbers; k++)
        s->is_number[parts.numbers[k]] = true;
}

static bool add_constants(summing *s, const irrun_model *model) {
  const size_t n = model->graph.n_layers;
  s->first_layer = model->first_layer;
  s->model = model;
  s->readers = ir_arena_array(&s->arena, n + 1, sizeof *s->readers);
  s->is_number = ir_arena_array(&s->arena, n + 1, sizeof *s->is_number);
  if (s->readers == NULL || s->is_number == NULL)
    return false;
  ir_find_readers(model, s->readers);
  mark_numbers(s);
  bool done = true;
  for (size_t i = 0; i < n && done; i++)
    done = !is_constant(&model->nodes[i]) || s->is_number[i] || add_constant(s, (int32_t)i);
  return done;
}

/* ---- variables ---- */

/* The variable that the layer reads; NULL: none, or a fault of its name was reported. */
static const char *variable_of(const ir_node *node) {
  return ir_op_is(node->op, IR_RUN_READS) && node->n_outputs == 1 ? ir_variable_of(node) : NULL;
}

/* The number of open sizes behind the first axis. */
static int count_open(const ir_shape *shape) {
  int n = 0;
  for (int axis = 1; axis < shape->rank; axis++)
    n += !ir_dim_known(shape->dims[axis]);
  return n;
}

int ir_token_axis(const ir_shape *shape) {
  int axis = shape->rank - 1;
  while (axis > 0 && ir_dim_known(shape->dims[axis]))
    axis--;
  return count_open(shape) == 1 ? axis : -1;
}

static void add_variable(const ir_value *value, irrun_sizes *out) {
  const int64_t bytes = ir_bytes_with_ones(value);
  int64_t *sum = ir_token_axis(&value->shape) >= 0 ? &out->token_bytes : &out->fixed_bytes;
  out->variables++;
  if (bytes < 0 || count_open(&value->shape) > 1)
    out->fixed_bytes = out->token_bytes = -1;
  else if (*sum >= 0)
    ir_add_to(bytes, sum);
}

static bool is_variable(const void *key, int32_t value, const void *user) {
  const irrun_model *model = user;
  return strcmp(variable_of(&model->nodes[value]), key) == 0;
}

/* Adds each variable once, with the output of the first layer that reads it. */
static bool add_variables(const summing *s, const irrun_model *model) {
  ir_index_map by_id;
  if (!ir_index_map_init(&by_id, s->memory, model->graph.n_layers + 1))
    return false;
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const char *id = variable_of(&model->nodes[i]);
    if (id != NULL && ir_index_map_add(&by_id, ir_hash_text(id), id, (int32_t)i, is_variable, model) < 0)
      add_variable(&model->nodes[i].outputs[0], &s->sizes->total);
  }
  ir_index_map_reset(&by_id);
  return true;
}

/* ---- the sums ---- */

static size_t count_layers(const irrun_model *model) {
  size_t n = model->graph.n_layers;
  for (size_t i = 0; i < model->graph.n_bodies; i++)
    n += model->bodies[i]->graph.n_layers;
  return n;
}

static bool sum_up(summing *s, const irrun_model *model) {
  const size_t n = count_layers(model);
  s->places = ir_arena_array(&s->arena, n + 1, sizeof *s->places);
  if (s->places == NULL || !ir_index_map_init(&s->by_offset, s->memory, n + 1))
    return false;
  bool done = add_constants(s, model);
  for (size_t i = 0; i < model->graph.n_bodies && done; i++)
    done = add_constants(s, model->bodies[i]);
  done = done && add_variables(s, model) && ir_sum_work(model, &s->arena, &s->sizes->total, &s->sizes->ops);
  ir_index_map_reset(&s->by_offset);
  return done;
}

/* Sorts the weights, the most bytes first, and moves their numbers in `weights_of` along. */
static void sort_weights(ir_model_sizes *sizes, int32_t *moved_to, size_t n_layers) {
  irrun_weights *items = sizes->weights;
  for (size_t i = 0; i < sizes->n_weights; i++) {
    const irrun_weights item = items[i];
    size_t at = i;
    for (; at > 0 && item.bytes > items[at - 1].bytes; at--)
      items[at] = items[at - 1];
    items[at] = item;
    for (size_t k = 0; k < i; k++)
      moved_to[k] += moved_to[k] >= (int32_t)at;
    moved_to[i] = (int32_t)at;
  }
  for (size_t i = 0; i < n_layers; i++)
    if (sizes->weights_of[i] >= 0)
      sizes->weights_of[i] = moved_to[sizes->weights_of[i]];
}

/* Moves the result to the arena of the model. Returns NULL if memory is out. */
static ir_model_sizes *keep(irrun_model *model, const ir_model_sizes *sizes) {
  irrun_weights *weights = ir_arena_array(&model->arena, sizes->n_weights + 1, sizeof *weights);
  irrun_op_sizes *ops = ir_arena_array(&model->arena, sizes->ops.n + 1, sizeof *ops);
  ir_model_sizes *kept = ir_arena_alloc(&model->arena, sizeof *kept);
  if (weights == NULL || ops == NULL || kept == NULL)
    return NULL;
  for (size_t i = 0; i < sizes->n_weights; i++)
    weights[i] = sizes->weights[i];
  for (size_t i = 0; i < sizes->ops.n; i++)
    ops[i] = sizes->ops.items[i];
  *kept = *sizes;
  kept->weights = weights;
  kept->ops = (ir_op_sums){.items = ops, .n = sizes->ops.n};
  return kept;
}

/* Returns NULL if memory is out (reported). */
static const ir_model_sizes *sizes_of(irrun_model *model) {
  if (model->sizes != NULL)
    return model->sizes;
  const size_t n_layers = count_layers(model);
  ir_model_sizes sizes = {.n_weights = 0};
  summing s = {.sizes = &sizes, .memory = &model->context->memory};
  ir_arena_init(&s.arena, s.memory, SIZE_MAX);
  sizes.weights_of = ir_arena_array(&model->arena, n_layers + 1, sizeof *sizes.weights_of);
  for (size_t i = 0; sizes.weights_of != NULL && i < n_layers; i++)
    sizes.weights_of[i] = -1;
  const bool done = sizes.weights_of != NULL && ir_op_sums_init(&sizes.ops, &s.arena) && sum_up(&s, model);
  int32_t *moved_to = ir_arena_array(&s.arena, sizes.n_weights + 1, sizeof *moved_to);
  if (done && moved_to != NULL) {
    sort_weights(&sizes, moved_to, n_layers);
    ir_op_sums_end(&sizes.ops);
    model->sizes = keep(model, &sizes);
  }
  ir_free(s.memory, sizes.weights);
  ir_arena_reset(&s.arena);
  if (model->sizes == NULL)
    ir_out_of_memory(&model->context->diags);
  return model->sizes;
}

int64_t irrun_model_get_weights_of(irrun_model *model, int64_t layer) {
  const ir_model_sizes *sizes = sizes_of(model);
  return sizes == NULL || layer < 0 || (size_t)layer >= count_layers(model) ? -1 : sizes->weights_of[layer];
}

bool irrun_model_get_op_sizes(irrun_model *model, int64_t index, irrun_op_sizes *out) {
  const ir_model_sizes *sizes = sizes_of(model);
  return sizes != NULL && index >= 0 && (size_t)index < sizes->ops.n &&
         ir_give_struct(&model->context->diags, &sizes->ops.items[index], sizeof sizes->ops.items[index], out) == IR_OK;
}

bool irrun_model_get_weights(irrun_model *model, int64_t index, irrun_weights *out) {
  const ir_model_sizes *sizes = sizes_of(model);
  return sizes != NULL && index >= 0 && (size_t)index < sizes->n_weights &&
         ir_give_struct(&model->context->diags, &sizes->weights[index], sizeof sizes->weights[index], out) == IR_OK;
}

bool irrun_model_get_sizes(irrun_model *model, irrun_sizes *out) {
  const ir_model_sizes *sizes = sizes_of(model);
  return sizes != NULL && ir_give_struct(&model->context->diags, &sizes->total, sizeof sizes->total, out) == IR_OK;
}
