/* Checks layouts after edits: OpenVINO takes a model only if the layout of each input and output has an axis for each
 * of the tensor's. It does not look at other layouts. */
#include "graph/layer_ids.h"
#include "parser/ir_write.h"
#include "runtime/edit/editing.h"
#include "runtime/model/names.h"

#include <string.h>

typedef struct layout_check {
  const ir_editing *e;
  irrun_model *edited;
  const ir_buffer *text; /* of the edited model */
  ir_layer_ids old_ids;  /* of the model before the edits */
} layout_check;

/* Whether "[N,C]", "[N,...,C]" or "[batch,channels]" has an axis for each of `rank`. */
static bool fits(const char *text, size_t length, int rank) {
  const bool is_open = memmem(text, length, "...", 3) != NULL; /* stands for any number of axes */
  ir_axes axes;
  int n = !is_open;
  if (ir_axes_from_text(text, length, &axes))
    return (int)strlen(axes.letters) == rank;
  for (size_t i = 0; i < length; i++)
    n += text[i] == ',';
  return length == 0 || text[0] != '[' || (is_open ? n <= rank : n == rank);
}

/* Whether output `port` of the layer had the same layout and rank before the edits. */
static bool is_old(const layout_check *c, int64_t id, int32_t port, int rank, const char *layout, size_t length) {
  const int32_t found = ir_layer_ids_find(&c->old_ids, id);
  const ir_node *node = found < 0 ? NULL : &c->e->scopes[0].model->nodes[found];
  const ir_buffer *text = &c->e->text;
  int64_t at[2];
  return node != NULL && port < node->n_outputs && port < node->layer->n_outputs &&
         node->outputs[port].shape.rank == rank && ir_layout_at(text, node->layer->outputs[port].at, at) &&
         at[1] - at[0] == (int64_t)length && memcmp(text->data + at[0], layout, length) == 0;
}

/* Checks the layout of the output that is input or output `index` of the model, or feeds it. */
static ir_code check(const layout_check *c, irrun_side side, int64_t index, ir_link tensor) {
  static const char *const kinds[] = {"input", "output"};
  const ir_node *node = tensor.layer < 0 ? NULL : &c->edited->nodes[tensor.layer];
  int64_t at[2];
  char shape[IR_SHAPE_TEXT];
  if (node == NULL || tensor.port >= node->n_outputs || tensor.port >= node->layer->n_outputs)
    return IR_OK;
  const ir_value *value = &node->outputs[tensor.port];
  if (value->shape.rank < 0 || !ir_layout_at(c->text, node->layer->outputs[tensor.port].at, at))
    return IR_OK;
  const char *layout = c->text->data + at[0];
  const size_t length = (size_t)(at[1] - at[0]);
  if (fits(layout, length, value->shape.rank) ||
      is_old(c, node->layer->id, tensor.port, value->shape.rank, layout, length))
    return IR_OK;
  ir_code code =
      ir_report(c->e->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                "%s '%s' would be %s%s, and its layout %.*s has another number of axes", kinds[side],
                ir_name_shown(c->edited, side, index), ir_type_name(value->type),
                ir_shape_text(&value->shape, shape, sizeof shape), (int)(length < 256 ? length : 256), layout);
  ir_hint(c->e->diags, "give it a layout with a letter for each axis: layout=LAYOUT");
  return code;
}

ir_code ir_check_layouts(const ir_editing *e, irrun_model *edited, const ir_buffer *text) {
  layout_check c = {.e = e, .edited = edited, .text = text};
  ir_code code = ir_layer_ids_init(&c.old_ids, &e->scopes[0].model->graph) ? IR_OK : ir_out_of_memory(e->diags);
  for (int32_t i = 0; i < edited->n_inputs && code != IR_NO_MEMORY; i++)
    code = ir_code_worse(code, check(&c, IRRUN_INPUTS, i, (ir_link){edited->inputs[i], 0}));
  for (int32_t i = 0; i < edited->n_outputs && code != IR_NO_MEMORY; i++) {
    const ir_link from = ir_node_source(&edited->nodes[edited->outputs[i]]);
    code = ir_code_worse(code, check(&c, IRRUN_OUTPUTS, i, from));
  }
  ir_layer_ids_reset(&c.old_ids);
  return code;
}
