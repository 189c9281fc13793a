/* Gives constants other elements. */
#include "irrun_debug.h"
#include "ops/const.h"
#include "runtime/edit/editing.h"
#include "runtime/files/tensor_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ir_code ir_set_constant(ir_editing *e, const ir_node *node, ir_type type, const ir_shape *shape, const void *elements,
                        size_t bytes) {
  const ir_const_params *params = node->params;
  if (bytes == 0) { /* OpenVINO writes one byte for a constant without elements */
    elements = "";
    bytes = 1;
  }
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

/* Whether a constant has these elements already. */
static bool has_elements(const ir_editing *e, const ir_const_params *params, const ir_tensor *tensor) {
  ir_weights *weights = e->scope->model->graph.weights;
  const ir_shape shape = ir_tensor_shape(tensor);
  if (tensor->bytes == 0)
    return ir_shapes_equal(&shape, &params->shape);
  const unsigned char *bytes =
      weights == NULL || !ir_shapes_equal(&shape, &params->shape) || params->size != (int64_t)tensor->bytes
          ? NULL
          : ir_weights_bytes(weights, params->offset, params->size);
  return bytes != NULL && memcmp(bytes, tensor->data, tensor->bytes) == 0;
}

/* Gives a constant the elements of item `index` of a file; `path` and `key` name it in messages. */
static ir_code read_constant(ir_editing *e, const ir_node *node, ir_tensor_file *file, int64_t index, const char *path,
                             const char *key) {
  const ir_const_params *params = node->params;
  const ir_type type = params->element_type;
  ir_tensor tensor = {.data = NULL};
  ir_code code = ir_tensor_file_read(file, index, type, NULL, &tensor);
  if (code != IR_OK)
    return code;
  const ir_shape shape = ir_tensor_shape(&tensor);
  if (tensor.type != type)
    code = ir_edit_fault(e, "'%s%s%s' has elements of type %s, expected %s", path, key[0] == '\0' ? "" : ":", key,
                         ir_type_name(tensor.type), ir_type_name(type));
  else if (!has_elements(e, params, &tensor))
    code = ir_set_constant(e, node, tensor.type, &shape, tensor.data, tensor.bytes);
  ir_tensor_release(&tensor);
  return code;
}

/* Finds a constant by its name, or by "#ID.PORT": as --save-all calls one whose name another tensor has. */
static ir_code find_constant(ir_editing *e, const char *name, const ir_node **out) {
  ir_subject subject = {.layer = -1, .kind = IR_EDIT_LAYER};
  int64_t layer = -1;
  int port;
  ir_code code = IR_OK;
  if (*name == '#')
    code = (ir_code)irrun_model_find_tensor(e->scopes->model, name, &layer, &port);
  if (layer >= 0) {
    e->scope = e->scopes;
    subject.layer = (int32_t)layer;
  } else if (code == IR_OK) {
    code = ir_find_layer(e, name, &subject);
  }
  if (code != IR_OK)
    return code;
  *out = &e->scope->model->nodes[subject.layer];
  return ir_op_is((*out)->op, IR_RUN_CONSTANT)
             ? IR_OK
             : ir_edit_fault(e, "layer '%s' is %s, expected a Const", name, (*out)->layer->type);
}

static ir_code read_constants(ir_editing *e, const ir_subject *subject, ir_tensor_file *file, const char *path) {
  const bool is_npz = subject->kind == IR_EDIT_MODEL;
  if (file->form != (is_npz ? IR_FORM_NPZ : IR_FORM_NPY))
    return ir_edit_fault(e, "'%s' is no %s", path, is_npz ? ".npz, whose keys name constants" : ".npy");
  if (!is_npz)
    return read_constant(e, &e->scope->model->nodes[subject->layer], file, 0, path, "");
  const ir_node *node;
  ir_code code = IR_OK;
  for (int64_t i = 0; i < ir_npz_count(file->npz) && code != IR_NO_MEMORY; i++) {
    const char *key = ir_npz_key(file->npz, i);
    const ir_code found = find_constant(e, key, &node);
    code = ir_code_worse(code, found == IR_OK ? read_constant(e, node, file, i, path, key) : found);
  }
  e->scope = e->scopes;
  return code;
}

ir_code ir_edit_read(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)word;
  ir_tensor_file file;
  const ir_node *node = subject->kind == IR_EDIT_MODEL ? NULL : &e->scope->model->nodes[subject->layer];
  if (node != NULL && !ir_op_is(node->op, IR_RUN_CONSTANT))
    return ir_edit_fault(e, "the layer is %s, expected a Const", node->layer->type);
  ir_code code = ir_tensor_file_open(&file, e->diags, &e->scope->model->context->memory, value);
  if (code != IR_OK)
    return code;
  code = read_constants(e, subject, &file, value);
  ir_tensor_file_reset(&file);
  return code;
}

ir_code ir_edit_compact(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)subject;
  (void)word;
  (void)value;
  e->compacts = true;
  e->compact_edit = e->edit;
  e->n_changes++; /* whether it changes anything is known when the constants are laid out */
  return IR_OK;
}
