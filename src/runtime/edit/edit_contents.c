/* Gives constants other elements. */
#include "ops/const.h"
#include "runtime/edit/editing.h"
#include "runtime/files/tensor_file.h"

#include <inttypes.h>
#include <stdio.h>

ir_code ir_set_constant(ir_editing *e, const ir_node *node, ir_type type, const ir_shape *shape, const void *elements,
                        size_t bytes) {
  const ir_const_params *params = node->params;
  const int64_t offset = ir_add_bytes(e, elements, bytes);
  char numbers[2][24];
  if (offset < 0)
    return ir_out_of_memory(e->diags);
  if (e->scope->model->graph.weights != NULL) /* the old elements have been read */
    ir_weights_release(e->scope->model->graph.weights, params->offset, params->size);
  snprintf(numbers[0], sizeof numbers[0], "%" PRId64, offset);
  snprintf(numbers[1], sizeof numbers[1], "%zu", bytes);
  ir_code code = ir_set_attribute(e, node->layer, "offset", numbers[0]);
  if (code == IR_OK && (int64_t)bytes != params->size)
    code = ir_set_attribute(e, node->layer, "size", numbers[1]);
  if (code == IR_OK && type != params->element_type)
    code = ir_set_attribute(e, node->layer, "element_type", ir_type_name(type));
  if (code == IR_OK && !ir_shapes_equal(shape, &params->shape)) {
    const char *dims = ir_dims_attribute(&e->arena, shape);
    code = dims == NULL ? ir_out_of_memory(e->diags) : ir_set_attribute(e, node->layer, "shape", dims);
  }
  return code;
}

static ir_code read_tensor(ir_editing *e, const ir_node *node, const char *path, ir_tensor *out) {
  const ir_memory *memory = &e->scope->model->context->memory;
  const ir_const_params *params = node->params;
  ir_tensor_file file;
  ir_code code = ir_tensor_file_open(&file, e->diags, memory, path);
  if (code != IR_OK)
    return code;
  if (file.form != IR_FORM_NPY)
    code = ir_edit_fault(e, "'%s' is no .npy", path);
  else
    code = ir_tensor_file_read(&file, 0, params->element_type, NULL, out);
  ir_tensor_file_reset(&file);
  return code;
}

ir_code ir_edit_read(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)word;
  const ir_node *node = &e->scope->model->nodes[subject->layer];
  ir_tensor tensor = {.data = NULL};
  if (!ir_op_is(node->op, IR_RUN_CONSTANT))
    return ir_edit_fault(e, "the layer is %s, expected a Const", node->layer->type);
  const ir_const_params *params = node->params;
  ir_code code = read_tensor(e, node, value, &tensor);
  if (code != IR_OK)
    return code;
  const ir_shape shape = ir_tensor_shape(&tensor);
  if (tensor.type != params->element_type)
    code = ir_edit_fault(e, "'%s' has elements of type %s, expected %s", value, ir_type_name(tensor.type),
                         ir_type_name(params->element_type));
  else
    code = ir_set_constant(e, node, tensor.type, &shape, tensor.data, tensor.bytes);
  ir_tensor_release(&tensor);
  return code;
}

ir_code ir_edit_compact(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)subject;
  (void)word;
  (void)value;
  e->compacts = true;
  return IR_OK;
}
