#include "runtime/model/weight_parts.h"
#include "ops/const.h"
#include <string.h>

static bool is_gather(const ir_node *node) {
  return node->op != NULL && strcmp(node->op->type, "Gather") == 0;
}

void ir_find_readers(const irrun_model *model, ir_reader *readers) {
  for (size_t i = 0; i < model->graph.n_layers; i++)
    readers[i] = (ir_reader){-1, -1, true};
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[i];
    for (int32_t port = 0; port < node->n_inputs; port++) {
      ir_reader *reader = node->inputs[port].layer >= 0 ? &readers[node->inputs[port].layer] : NULL;
      if (reader == NULL)
        continue;
      if (reader->layer < 0)
        *reader = (ir_reader){(int32_t)i, port, reader->only_gathers};
      reader->only_gathers = reader->only_gathers && port == 0 && is_gather(node);
    }
  }
}

static ir_function function_of(const ir_node *node) {
  return node->op == NULL ? IR_FUNCTION_OTHER : node->op->function;
}

/* The layer that feeds an input; NULL: a fault was reported, or the layer has other outputs than one. */
static const ir_node *maker(const irrun_model *model, const ir_node *node, int32_t port) {
  const int32_t layer = port < node->n_inputs ? node->inputs[port].layer : -1;
  return layer >= 0 && model->nodes[layer].n_outputs == 1 ? &model->nodes[layer] : NULL;
}

/* Adds the constants from which conversions, products and other shapes make the input. False: something else makes
 * it. */
static bool add_numbers(const irrun_model *model, const ir_node *node, int32_t port, ir_weight_parts *out) {
  const int n_before = out->n_numbers;
  const ir_node *at = maker(model, node, port);
  while (at != NULL && out->n_numbers < IR_MOST_WEIGHT_NUMBERS) {
    const ir_function function = function_of(at);
    if (at->op != NULL && ir_op_is(at->op, IR_RUN_CONSTANT)) {
      out->numbers[out->n_numbers++] = ir_node_index(model, at);
      return true;
    }
    if (function == IR_FUNCTION_MULTIPLY && at->n_inputs == 2) { /* scales with a scale of their own */
      const ir_node *factor = maker(model, at, 1);
      if (factor == NULL || factor->op == NULL || !ir_op_is(factor->op, IR_RUN_CONSTANT))
        break;
      out->numbers[out->n_numbers++] = ir_node_index(model, factor);
    } else if (function != IR_FUNCTION_CONVERT && function != IR_FUNCTION_VIEW) {
      break;
    }
    at = maker(model, at, 0);
  }
  out->n_numbers = n_before;
  return false;
}

/* Whether an input has the shape of the output. Scales and zero points have fewer elements. */
static bool has_all_elements(const irrun_model *model, const ir_node *node, int32_t port) {
  const ir_node *from = maker(model, node, port);
  return from != NULL && ir_shapes_equal(&from->outputs[0].shape, &node->outputs[0].shape);
}

/* Whether the layer unpacks the weights at its input `port`. Adds its other input. */
static bool unpacks(const irrun_model *model, const ir_node *node, int32_t port, ir_weight_parts *out) {
  switch (function_of(node)) {
  case IR_FUNCTION_CONVERT:
    return true;
  case IR_FUNCTION_VIEW:
    return port == 0 && out->scales >= 0;
  case IR_FUNCTION_SUBTRACT:
    if (port != 0 || out->scales >= 0 || !add_numbers(model, node, 1, out))
      return false;
    out->has_zeros = true;
    return true;
  case IR_FUNCTION_MULTIPLY:
    if (out->scales >= 0 || !has_all_elements(model, node, port) || (port == 1 && has_all_elements(model, node, 0)) ||
        !add_numbers(model, node, 1 - port, out))
      return false;
    out->scales = node->inputs[1 - port].layer;
    return true;
  default:
    if (!is_gather(node) || port != 1 || !add_numbers(model, node, 0, out))
      return false;
    out->has_codebook = true;
    return true;
  }
}

static bool is_usable(const ir_node *node) {
  return node->op != NULL && !node->broken && node->n_outputs == 1 && !node->outputs[0].poisoned &&
         ir_shape_known(&node->outputs[0].shape);
}

bool ir_find_weight_parts(const irrun_model *model, const ir_reader *readers, int32_t layer, ir_weight_parts *out) {
  *out = (ir_weight_parts){.scales = -1, .end = layer};
  const ir_node *constant = &model->nodes[layer];
  if (!is_usable(constant) || !ir_type_in(constant->outputs[0].type, IR_FEW_BITS | IR_SET_FLOATS))
    return false;
  const bool is_packed = ir_type_in(constant->outputs[0].type, IR_FEW_BITS);
  while (is_packed && readers[out->end].layer >= 0) {
    const ir_reader *reader = &readers[out->end];
    const ir_node *node = &model->nodes[reader->layer];
    if (!is_usable(node) || !unpacks(model, node, reader->port, out))
      break;
    out->end = reader->layer;
  }
  return !is_packed || ir_type_in(model->nodes[out->end].outputs[0].type, IR_SET_FLOATS);
}

const ir_layer *ir_find_foreign_bytes(const irrun_model *model, const bool *wanted) {
  const ir_layer *found = NULL;
  for (size_t i = 0; i < model->graph.n_layers && found == NULL; i++)
    if ((wanted == NULL || wanted[i]) && ir_has_foreign_bytes(&model->nodes[i]))
      found = model->nodes[i].layer;
  for (size_t b = 0; b < model->graph.n_bodies && found == NULL; b++) /* bodies have no list of bodies */
    found = ir_find_foreign_bytes(model->bodies[b], NULL);
  return found;
}
