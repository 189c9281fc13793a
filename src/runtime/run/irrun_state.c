/* The functions of irrun_state.h. */
#include "irrun_state.h"
#include "runtime/model/sizes.h"
#include "runtime/run/run_state.h"
#include <string.h>

/* The variable that the node reads; NULL if it is no ReadValue. */
static const char *variable_id(const ir_node *node) {
  return ir_op_is(node->op, IR_RUN_READS) ? ir_variable_of(node) : NULL;
}

bool irrun_run_get_variable(irrun_run *run, int64_t index, irrun_variable *out) {
  if (index < 0 || (size_t)index >= run->n_readers)
    return false;
  const int32_t reader = run->readers[index];
  const ir_node *node = &run->model->nodes[reader];
  irrun_variable variable = {
      .id = variable_id(node), .layer = reader, .token_axis = ir_token_axis(&node->outputs[0].shape)};
  ir_tensor value;
  variable.is_set = ir_run_variable_outline(run, variable.id, &value);
  if (variable.is_set)
    variable.info = irrun_tensor_get_info(&(irrun_tensor){.tensor = value});
  return ir_give_struct(&run->context->diags, &variable, sizeof variable, out) == IR_OK;
}

int64_t irrun_run_find_variable(const irrun_run *run, const char *id) {
  const ir_variable *variable = ir_run_find_variable(run, id);
  const int64_t number = variable == NULL ? -1 : variable - run->variables;
  return number < (int64_t)run->n_readers ? number : -1; /* behind them: only assigned */
}

const irrun_tensor *irrun_run_read_variable(irrun_run *run, int64_t index) {
  ir_tensor value;
  if (index < 0 || (size_t)index >= run->n_readers)
    return NULL;
  const char *id = variable_id(&run->model->nodes[run->readers[index]]);
  if (!ir_run_variable_outline(run, id, &value))
    return NULL;
  if (!ir_run_move_rows(run, id)) {
    ir_out_of_memory(&run->context->diags);
    return NULL;
  }
  run->values_read[index] = (irrun_tensor){.context = run->context, .tensor = run->variables[index].value};
  return &run->values_read[index];
}

static ir_code report_unknown(irrun_run *run, const char *id, ir_where where) {
  ir_diags *diags = &run->context->diags;
  irrun_variable variable = {.size = sizeof variable};
  const ir_code code = ir_report(diags, IR502_NAME_UNKNOWN, where, "the model has no variable '%s'", id);
  if (irrun_run_get_variable(run, 0, &variable))
    ir_hint(diags, "its first variable is '%s'", variable.id);
  return code;
}

/* Compares the tensor with the output of the variable's ReadValue. */
static ir_code check_fit(irrun_run *run, const ir_node *reader, const ir_tensor *tensor, ir_where where) {
  const ir_value *value = &reader->outputs[0];
  const ir_shape shape = ir_tensor_shape(tensor);
  const char *id = variable_id(reader);
  ir_diags *diags = &run->context->diags;
  char found[IR_SHAPE_TEXT], expected[IR_SHAPE_TEXT];
  if (value->type != IR_DYNAMIC && value->type != tensor->type)
    return ir_report(diags, IR504_INPUT_TYPE_DIFFERS, where, "the tensor for variable '%s' is %s, expected %s", id,
                     ir_type_name(tensor->type), ir_type_name(value->type));
  if (ir_tensor_is_outline(tensor) || !ir_shapes_meet(&shape, &value->shape))
    return ir_report(diags, IR503_INPUT_SHAPE_DIFFERS, where, "the tensor for variable '%s' has shape %s, expected %s",
                     id, ir_shape_text(&shape, found, sizeof found),
                     ir_shape_text(&value->shape, expected, sizeof expected));
  return IR_OK;
}

static ir_code set_variable(irrun_run *run, const char *id, const ir_tensor *tensor, ir_where where) {
  const int64_t number = irrun_run_find_variable(run, id);
  if (number < 0)
    return report_unknown(run, id, where);
  ir_variable *variable = &run->variables[number];
  const ir_node *node = &run->model->nodes[run->readers[number]];
  const ir_code code = check_fit(run, node, tensor, where);
  if (code != IR_OK)
    return code;
  ir_tensor copy = {.data = NULL};
  if (!ir_tensor_copy(ir_run_memory(run), tensor, &copy))
    return ir_out_of_memory(&run->context->diags);
  ir_run_drop_rows(run, variable->id);
  ir_tensor_release(&variable->value);
  variable->value = copy;
  variable->is_set = true;
  return IR_OK;
}

irrun_status irrun_run_set_variable(irrun_run *run, const char *id, irrun_tensor *tensor, const char *file) {
  ir_source *source;
  ir_code code = ir_name_file(&run->context->diags, file, &source);
  if (code == IR_OK)
    code = set_variable(run, id, &tensor->tensor, (ir_where){.source = source});
  ir_source_free(source);
  irrun_tensor_free(tensor);
  return ir_status(code);
}
