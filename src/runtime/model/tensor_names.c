/* Names of all that layers compute: irrun_tensor_key and irrun_find_tensor. */
#include "irrun_debug.h"
#include "runtime/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By text, then the names of tensors before those of layers. */
static int compare(const void *a, const void *b) {
  const ir_tensor_name *x = a, *y = b;
  int order = strcmp(x->text, y->text);
  if (order == 0)
    order = (x->is_layer > y->is_layer) - (x->is_layer < y->is_layer);
  if (order == 0)
    order = (x->layer > y->layer) - (x->layer < y->layer);
  return order != 0 ? order : (x->port > y->port) - (x->port < y->port);
}

static bool add_name(irrun_model *model, const char *text, ir_tensor_name name) {
  void *names = model->tensor_names;
  name.text = ir_arena_text(&model->arena, text, strlen(text));
  if (name.text == NULL || !ir_reserve(&model->context->memory, &names, model->n_tensor_names,
                                       &model->tensor_names_capacity, sizeof *model->tensor_names))
    return false;
  model->tensor_names = names;
  model->tensor_names[model->n_tensor_names++] = name;
  return true;
}

/* "NAME", or "NAME.PORT" of a layer with several outputs. */
static const char *layer_key(const ir_node *node, int32_t port, char *buffer, size_t size) {
  if (node->n_outputs == 1)
    snprintf(buffer, size, "%s", node->layer->name);
  else
    snprintf(buffer, size, "%s.%d", node->layer->name, port);
  return buffer;
}

/* `buffer` holds every name of the port. */
static bool add_names_of(irrun_model *model, int32_t layer, int32_t port, char *buffer, size_t size) {
  const ir_node *node = &model->nodes[layer];
  const char *names = port < node->layer->n_outputs ? node->layer->outputs[port].names : NULL;
  bool ok = true;
  while (ok && names != NULL && ir_next_tensor_name(&names, buffer, size))
    ok = add_name(model, buffer, (ir_tensor_name){.layer = layer, .port = port});
  layer_key(node, port, buffer, size);
  return ok && add_name(model, buffer, (ir_tensor_name){.is_layer = true, .layer = layer, .port = port});
}

static bool add_layer(irrun_model *model, int32_t layer) {
  const ir_node *node = &model->nodes[layer];
  bool ok = true;
  for (int32_t port = 0; ok && port < node->n_outputs; port++) {
    const char *names = port < node->layer->n_outputs ? node->layer->outputs[port].names : NULL;
    size_t size = strlen(node->layer->name) + 16 + (names != NULL ? strlen(names) : 0);
    char *buffer = ir_alloc(&model->context->memory, size);
    ok = buffer != NULL && add_names_of(model, layer, port, buffer, size);
    ir_free(&model->context->memory, buffer);
  }
  return ok;
}

static ir_code make_names(irrun_model *model) {
  bool ok = true;
  if (model->has_tensor_names)
    return IR_OK;
  model->n_tensor_names = 0; /* of an attempt that failed */
  for (size_t i = 0; ok && i < model->graph.n_layers; i++)
    if (model->nodes[i].op == NULL || model->nodes[i].op->role != IR_ROLE_OUTPUT)
      ok = add_layer(model, (int32_t)i);
  if (!ok)
    return ir_out_of_memory(&model->context->diags);
  if (model->n_tensor_names > 0)
    qsort(model->tensor_names, model->n_tensor_names, sizeof *model->tensor_names, compare);
  model->has_tensor_names = true;
  return IR_OK;
}

/* The first name of that text, or NULL when it is none, or of several. */
static const ir_tensor_name *find(const irrun_model *model, const char *text) {
  size_t first = 0, end = model->n_tensor_names;
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (strcmp(model->tensor_names[middle].text, text) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  const ir_tensor_name *name = &model->tensor_names[first];
  if (first == model->n_tensor_names || strcmp(name->text, text) != 0)
    return NULL;
  for (size_t i = first + 1; i < model->n_tensor_names; i++) {
    const ir_tensor_name *other = &model->tensor_names[i];
    if (strcmp(other->text, text) != 0 || other->is_layer != name->is_layer)
      break;
    if (other->layer != name->layer || other->port != name->port)
      return NULL;
  }
  return name;
}

/* The layer's name where that will do, else a text of the layer's number; NULL when memory is out. `buffer` has room
 * for either. */
static const char *make_key(irrun_model *model, int32_t layer, int32_t port, char *buffer, size_t size) {
  const ir_node *node = &model->nodes[layer];
  const ir_tensor_name *name = find(model, layer_key(node, port, buffer, size));
  const bool leads_back = name != NULL && name->layer == layer && name->port == port;
  if (leads_back && node->layer->name[0] != '\0')
    return name->text;
  snprintf(buffer, size, "#%lld.%d", (long long)node->layer->id, port);
  return ir_arena_text(&model->arena, buffer, strlen(buffer));
}

const char *irrun_tensor_key(irrun_model *model, int64_t layer, int port) {
  if (layer < 0 || layer >= (int64_t)model->graph.n_layers || port < 0 || port >= model->nodes[layer].n_outputs ||
      make_names(model) != IR_OK)
    return NULL;
  const size_t size = strlen(model->nodes[layer].layer->name) + 48; /* a number and a port */
  char *buffer = ir_alloc(&model->context->memory, size);
  const char *key = buffer == NULL ? NULL : make_key(model, (int32_t)layer, port, buffer, size);
  ir_free(&model->context->memory, buffer);
  if (key == NULL)
    ir_out_of_memory(&model->context->diags);
  return key;
}

irrun_status irrun_find_tensor(irrun_model *model, const char *key, int64_t *out_layer, int *out_port) {
  long long id;
  int port, length = 0;
  *out_layer = -1;
  *out_port = 0;
  if (make_names(model) != IR_OK)
    return IRRUN_IO;
  const ir_tensor_name *name = find(model, key);
  if (name != NULL) {
    *out_layer = name->layer;
    *out_port = name->port;
  } else if (sscanf(key, "#%lld.%d%n", &id, &port, &length) == 2 && key[length] == '\0') {
    for (size_t i = 0; i < model->graph.n_layers && *out_layer < 0; i++)
      if (model->nodes[i].layer->id == id && port >= 0 && port < model->nodes[i].n_outputs)
        *out_layer = (int64_t)i;
    *out_port = port;
  }
  return IRRUN_OK;
}
