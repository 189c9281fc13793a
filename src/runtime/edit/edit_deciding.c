/* Finds constants whose elements decide shapes. weights=f16 leaves them, like OpenVINO's save_model: 1.6667 would
 * become 1.667. */
#include "runtime/edit/editing.h"
#include "runtime/infer/contents.h"

#include <string.h>

/* Sets is_data[i] for each layer whose elements depend on those of an input or variable. ShapeOf reads no elements. */
static void find_data(const irrun_model *model, bool *is_data) {
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const int32_t layer = model->order[i];
    const ir_node *node = &model->nodes[layer];
    is_data[layer] = ir_op_is(node->op, IR_RUN_INPUT) || ir_op_has_variable(node->op);
    for (int32_t p = 0; p < node->n_inputs && strcmp(node->layer->type, "ShapeOf") != 0; p++)
      is_data[layer] = is_data[layer] || (node->inputs[p].layer >= 0 && is_data[node->inputs[p].layer]);
  }
}

/* Sets decides[i] for each layer whose elements decide shapes, such as scales of Interpolate, also through layers that
 * compute no data. */
static void find_deciding(const irrun_model *model, const bool *is_data, bool *decides) {
  for (size_t i = model->graph.n_layers; i-- > 0;) {
    const int32_t layer = model->order[i];
    const ir_node *node = &model->nodes[layer];
    for (int32_t p = 0; p < node->n_inputs && node->op != NULL; p++) {
      const ir_port_spec *port = ir_op_input(node->op, p);
      const bool is_read = port != NULL && ir_contents_decide(node->op, port);
      if (node->inputs[p].layer >= 0 && (is_read || (decides[layer] && !is_data[layer])))
        decides[node->inputs[p].layer] = true;
    }
  }
}

const bool *ir_find_deciding(const irrun_model *model, ir_arena *arena) {
  bool *decides = ir_arena_array(arena, model->graph.n_layers + 1, sizeof *decides);
  bool *is_data = ir_arena_array(arena, model->graph.n_layers + 1, sizeof *is_data);
  if (decides == NULL || is_data == NULL)
    return NULL;
  find_data(model, is_data);
  find_deciding(model, is_data, decides);
  return decides;
}
