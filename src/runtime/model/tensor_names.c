/* Resolves names in the whole model: keys of tensor files, names in --cut, and the keys that --save-all writes. */
#include "base/message_text.h"
#include "irrun_debug.h"
#include "runtime/model/model.h"
#include "runtime/model/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

static int compare(const void *a, const void *b) {
  const ir_tensor_name *x = a, *y = b;
  int order = strcmp(x->text, y->text);
  if (order == 0)
    order = (x->meaning > y->meaning) - (x->meaning < y->meaning);
  if (order == 0)
    order = (x->layer > y->layer) - (x->layer < y->layer);
  return order != 0 ? order : (x->port > y->port) - (x->port < y->port);
}

static bool add_name(irrun_model *model, const char *text, ir_meaning meaning, int32_t layer, int32_t port) {
  const ir_op *op = model->nodes[layer].op;
  void *names = model->tensor_names;
  const char *copy = ir_arena_text(&model->arena, text, strlen(text));
  if (copy == NULL || !ir_reserve(&model->context->memory, &names, model->n_tensor_names, &model->tensor_names_capacity,
                                  sizeof *model->tensor_names))
    return false;
  if (ir_op_is(op, IR_RUN_CONSTANT))
    meaning = IR_MEANS_CONSTANT;
  model->tensor_names = names;
  model->tensor_names[model->n_tensor_names++] = (ir_tensor_name){copy, meaning, layer, port};
  return true;
}

static bool add_tensor_names(irrun_model *model, const char *names, int32_t layer, int32_t port) {
  const size_t size = names == NULL ? 0 : strlen(names) + 1;
  char *buffer = size == 0 ? NULL : ir_alloc(&model->context->memory, size);
  bool ok = size == 0 || buffer != NULL;
  while (ok && names != NULL && ir_next_tensor_name(&names, buffer, size))
    ok = add_name(model, buffer, IR_MEANS_TENSOR, layer, port);
  ir_free(&model->context->memory, buffer);
  return ok;
}

/* Prints "NAME", or "NAME.PORT" if the layer has several outputs. */
static const char *layer_key(const ir_node *node, int32_t port, char *buffer, size_t size) {
  if (node->n_outputs == 1)
    snprintf(buffer, size, "%s", node->layer->name);
  else
    snprintf(buffer, size, "%s.%d", node->layer->name, port);
  return buffer;
}

static bool add_layer(irrun_model *model, int32_t layer) {
  const ir_node *node = &model->nodes[layer];
  const ir_layer *of = node->layer;
  const bool is_result = ir_op_is(node->op, IR_RUN_OUTPUT), has_name = of->name[0] != '\0';
  const size_t size = strlen(of->name) + 16;
  char *buffer = ir_alloc(&model->context->memory, size);
  bool ok = buffer != NULL;
  if (ok && has_name)
    ok = add_name(model, of->name, is_result ? IR_MEANS_RESULT : IR_MEANS_LAYER, layer, IR_ALL_PORTS);
  if (ok && is_result)
    ok = add_tensor_names(model, of->output_names, layer, IR_ALL_PORTS);
  for (int32_t port = 0; ok && port < node->n_outputs && !is_result; port++) {
    if (has_name && node->n_outputs > 1)
      ok = add_name(model, layer_key(node, port, buffer, size), IR_MEANS_PORT, layer, port);
    if (ok && port < of->n_outputs)
      ok = add_tensor_names(model, of->outputs[port].names, layer, port);
  }
  ir_free(&model->context->memory, buffer);
  return ok;
}

static int by_id(const void *a, const void *b) {
  const ir_node *x = *(const ir_node *const *)a, *y = *(const ir_node *const *)b;
  return x->layer->id != y->layer->id ? (x->layer->id > y->layer->id ? 1 : -1) : (x > y) - (x < y);
}

static bool sort_by_id(irrun_model *model) {
  const size_t n = model->graph.n_layers;
  if (model->layers_by_id != NULL)
    return true;
  model->layers_by_id = ir_arena_array(&model->arena, n + 1, sizeof *model->layers_by_id);
  for (size_t i = 0; model->layers_by_id != NULL && i < n; i++)
    model->layers_by_id[i] = &model->nodes[i];
  if (model->layers_by_id != NULL)
    qsort(model->layers_by_id, n, sizeof *model->layers_by_id, by_id);
  return model->layers_by_id != NULL;
}

/* The index in layers_by_id of the first layer whose id is `id` or more. */
static size_t find_id(const irrun_model *model, long long id) {
  size_t first = 0, end = model->graph.n_layers;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (model->layers_by_id[middle]->layer->id < id)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

const ir_node *ir_node_with_id(irrun_model *model, int64_t id) {
  if (!sort_by_id(model))
    return NULL;
  const size_t found = find_id(model, id);
  return found < model->graph.n_layers && model->layers_by_id[found]->layer->id == id ? model->layers_by_id[found]
                                                                                      : NULL;
}

static ir_code make_names(irrun_model *model) {
  bool ok = true;
  if (model->has_tensor_names)
    return IR_OK;
  model->n_tensor_names = 0;
  for (size_t i = 0; ok && i < model->graph.n_layers; i++)
    ok = add_layer(model, (int32_t)i);
  if (!ok || !sort_by_id(model)) { /* an incomplete list could make an ambiguous name look unambiguous */
    ir_free(&model->context->memory, model->tensor_names);
    model->tensor_names = NULL;
    model->n_tensor_names = model->tensor_names_capacity = 0;
    return ir_out_of_memory(&model->context->diags);
  }
  if (model->n_tensor_names > 0)
    qsort(model->tensor_names, model->n_tensor_names, sizeof *model->tensor_names, compare);
  model->has_tensor_names = true;
  return IR_OK;
}

/* ---- the meaning of a name ---- */

/* The output that the name means. The name of a Result means the output that feeds it. `port` stays IR_ALL_PORTS if the
 * name means a layer with several outputs. */
static ir_link meant_by(const irrun_model *model, const ir_tensor_name *name) {
  const ir_node *node = &model->nodes[name->layer];
  if (!ir_op_is(node->op, IR_RUN_OUTPUT))
    return (ir_link){name->layer, name->port == IR_ALL_PORTS && node->n_outputs == 1 ? 0 : name->port};
  return ir_node_source(node);
}

static bool mean_one_tensor(const irrun_model *model, const ir_tensor_name *a, const ir_tensor_name *b) {
  const ir_link x = meant_by(model, a), y = meant_by(model, b);
  return x.layer == y.layer && x.port == y.port;
}

static bool alike(ir_meaning a, ir_meaning b) {
  return a == b || (a <= IR_MEANS_RESULT && b <= IR_MEANS_RESULT);
}

static void find_by_id(const irrun_model *model, const char *text, ir_tensor_name *out) {
  long long id;
  int port, length = 0;
  if (sscanf(text, "#%lld.%d%n", &id, &port, &length) != 2 || text[length] != '\0')
    return;
  for (size_t first = find_id(model, id);
       first < model->graph.n_layers && model->layers_by_id[first]->layer->id == id && out->layer < 0; first++) {
    const ir_node *node = model->layers_by_id[first];
    if (port >= 0 && port < node->n_outputs)
      *out = (ir_tensor_name){text, IR_MEANS_PORT, (int32_t)(node - model->nodes), port};
  }
}

/* The index of the first name that does not precede `text`. */
static size_t find_first(const irrun_model *model, const char *text) {
  size_t first = 0, end = model->n_tensor_names;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (strcmp(model->tensor_names[middle].text, text) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

ir_code ir_tensor_named(irrun_model *model, const char *text, size_t index, ir_tensor_name *out) {
  *out = (ir_tensor_name){.layer = -1};
  ir_code code = make_names(model);
  if (code != IR_OK)
    return code;
  const size_t first = find_first(model, text);
  size_t i = first, n_met = 0;
  for (; i < model->n_tensor_names && out->layer < 0; i++) {
    const ir_tensor_name *name = &model->tensor_names[i];
    if (strcmp(name->text, text) != 0 || !alike(name->meaning, model->tensor_names[first].meaning))
      break;
    if ((i == first || !mean_one_tensor(model, name - 1, name)) && n_met++ == index)
      *out = *name;
  }
  if (i == first && index == 0)
    find_by_id(model, text, out);
  return IR_OK;
}

ir_code ir_names_one_tensor(irrun_model *model, const char *text, bool *out_is_one) {
  ir_code code = make_names(model);
  *out_is_one = true;
  if (code != IR_OK)
    return code;
  const size_t first = find_first(model, text);
  for (size_t i = first; i < model->n_tensor_names && strcmp(model->tensor_names[i].text, text) == 0; i++) {
    const ir_link a = meant_by(model, &model->tensor_names[first]), b = meant_by(model, &model->tensor_names[i]);
    const bool same_port = a.port == b.port || a.port == IR_ALL_PORTS || b.port == IR_ALL_PORTS;
    *out_is_one = *out_is_one && a.layer == b.layer && same_port;
  }
  return code;
}

/* The output that the name means. If it is the name of a layer with several outputs, chooses the output with the same
 * tensor name. If there is no such output, `port` stays IR_ALL_PORTS. */
static ir_link tensor_meant_by(const irrun_model *model, const ir_tensor_name *name) {
  ir_link meant = meant_by(model, name);
  for (size_t i = 0; i < model->n_tensor_names && meant.layer >= 0 && meant.port == IR_ALL_PORTS; i++) {
    const ir_tensor_name *other = &model->tensor_names[i];
    if (other->layer == meant.layer && other->meaning == IR_MEANS_TENSOR && strcmp(other->text, name->text) == 0)
      meant.port = other->port;
  }
  return meant;
}

irrun_status irrun_model_find_tensor(irrun_model *model, const char *key, int64_t *out_layer, int *out_port) {
  ir_tensor_name name, other;
  *out_layer = -1;
  *out_port = 0;
  ir_code code = ir_tensor_named(model, key, 0, &name);
  if (code == IR_OK && name.layer >= 0)
    code = ir_tensor_named(model, key, 1, &other);
  if (code != IR_OK || name.layer < 0 || other.layer >= 0)
    return ir_status(code);
  const ir_link meant = tensor_meant_by(model, &name);
  if (meant.layer >= 0 && meant.port != IR_ALL_PORTS) {
    *out_layer = meant.layer;
    *out_port = meant.port;
  }
  return IRRUN_OK;
}

/* ---- keys ---- */

/* The layer's key for an output (see layer_key) if irrun_model_find_tensor resolves it to this output, else "". NULL
 * when memory is out. */
static const char *name_as_key(irrun_model *model, int32_t layer, int32_t port) {
  const ir_node *node = &model->nodes[layer];
  const size_t size = strlen(node->layer->name) + 16;
  char *name = ir_arena_alloc(&model->arena, size);
  int64_t found;
  int found_port;
  if (name == NULL)
    ir_out_of_memory(&model->context->diags);
  if (name == NULL ||
      irrun_model_find_tensor(model, layer_key(node, port, name, size), &found, &found_port) != IRRUN_OK)
    return NULL;
  return found == layer && found_port == port && node->layer->name[0] != '\0' ? name : "";
}

const char *ir_key_by_id(irrun_model *model, int64_t layer, int port) {
  char number[48];
  snprintf(number, sizeof number, "#%lld.%d", (long long)model->nodes[layer].layer->id, port);
  const char *key = ir_arena_text(&model->arena, number, strlen(number));
  if (key == NULL)
    ir_out_of_memory(&model->context->diags);
  return key;
}

const char *irrun_model_get_tensor_key(irrun_model *model, int64_t layer, int port) {
  if (layer < 0 || layer >= (int64_t)model->graph.n_layers || port < 0 || port >= model->nodes[layer].n_outputs)
    return NULL;
  const char *key = name_as_key(model, (int32_t)layer, port);
  if (key == NULL || key[0] != '\0')
    return key;
  return ir_key_by_id(model, layer, port);
}

enum { MOST_CANDIDATES = 8 }; /* largest number of keys in a message */

irrun_status irrun_model_list_tensors(irrun_model *model, const char *key, char *buffer, size_t size,
                                      int64_t *out_count) {
  ir_tensor_name name;
  size_t used = 0;
  ir_code code = ir_tensor_named(model, key, 0, &name);
  *out_count = 0;
  buffer[0] = '\0';
  for (size_t i = 0; code == IR_OK && name.layer >= 0; code = ir_tensor_named(model, key, ++i, &name)) {
    const ir_link meant = tensor_meant_by(model, &name);
    const int32_t n_ports = meant.layer >= 0 ? model->nodes[meant.layer].n_outputs : 0;
    for (int32_t port = 0; port < n_ports; port++) {
      if (meant.port != IR_ALL_PORTS && meant.port != port)
        continue;
      const char *one = irrun_model_get_tensor_key(model, meant.layer, port);
      if (one == NULL)
        return IRRUN_IO;
      if ((*out_count)++ < MOST_CANDIDATES && used < size)
        used += (size_t)snprintf(buffer + used, size - used, "%s'%s'", used > 0 ? ", " : "", ir_shown_text(one).text);
    }
  }
  if (*out_count > MOST_CANDIDATES && used < size)
    snprintf(buffer + used, size - used, ", ...");
  return ir_status(code);
}
