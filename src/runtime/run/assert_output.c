/* irrun_model_assert_output and irrun_model_check_assertion of the public header. */
#include "irrun_debug.h"
#include "runtime/context.h"
#include "runtime/model/names.h"
#include "runtime/model/narrow.h"

#include <string.h>

typedef struct assertion {
  const char *text; /* the whole text */
  int64_t output;
  ir_type type;   /* IR_DYNAMIC: any */
  ir_shape shape; /* unknown rank: any */
} assertion;

/* Finds the output that the text names, and the value after the name. */
static ir_code find_output(irrun_model *model, assertion *a, const char **out_value) {
  irrun_status status = irrun_model_match_name(model, IRRUN_OUTPUTS, a->text, &a->output, out_value);
  const char *equals = strchr(a->text, '=');
  if (status != IRRUN_OK || a->output >= 0)
    return (ir_code)status;
  if (equals != NULL) {
    char *name = ir_arena_text(&model->arena, a->text, (size_t)(equals - a->text));
    return name == NULL ? ir_out_of_memory(&model->context->diags)
                        : (ir_code)irrun_model_find_name(model, IRRUN_OUTPUTS, name, NULL, &a->output);
  }
  a->output = 0;
  if (model->n_outputs == 1)
    return IR_OK;
  ir_code code =
      ir_report(&model->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                "'%s' is asserted of an output, and the model has %d, say which one it is", a->text, model->n_outputs);
  if (model->n_outputs > 0)
    ir_hint(&model->context->diags, "'%s=%s'", ir_name_shown(model, IRRUN_OUTPUTS, 0), a->text);
  return code;
}

static bool lies_within(const ir_shape *inner, const ir_shape *outer) {
  if (outer->rank == IR_RANK_UNKNOWN)
    return true;
  bool within = inner->rank == outer->rank;
  for (int i = 0; within && i < outer->rank; i++)
    within = inner->dims[i].lo >= outer->dims[i].lo && inner->dims[i].hi <= outer->dims[i].hi;
  return within;
}

static ir_code check(irrun_model *model, const irrun_run *run, const assertion *a, const char *expected) {
  const ir_node *node = &model->nodes[model->outputs[a->output]];
  const irrun_tensor *tensor = run == NULL ? NULL : irrun_run_output(run, a->output);
  const bool connected = node->n_inputs > 0 && node->inputs[0].layer >= 0;
  ir_value value = {.poisoned = true};
  if (connected)
    value = model->nodes[node->inputs[0].layer].outputs[node->inputs[0].port];
  if (value.poisoned)
    return IR_OK; /* an earlier fault was reported */
  if (tensor != NULL)
    value.shape = ir_tensor_shape(&tensor->tensor);
  if ((a->type == IR_DYNAMIC || a->type == value.type) && lies_within(&value.shape, &a->shape))
    return IR_OK;
  char shape[IR_SHAPE_TEXT];
  ir_code code = ir_report(&model->context->diags, IR606_OUTPUT_NOT_AS_ASSERTED,
                           ir_layer_where(&model->graph, node->layer, node->layer->at),
                           "output '%s' is %s%s, expected %s", ir_name_shown(model, IRRUN_OUTPUTS, a->output),
                           ir_type_name(value.type), ir_shape_text(&value.shape, shape, sizeof shape), expected);
  if (tensor == NULL && !ir_shape_known(&value.shape))
    ir_hint(&model->context->diags, "sizes that the model leaves open are told by --shape, or by the inputs of a run");
  return code;
}

static ir_code read_assertion(irrun_model *model, const char *text, assertion *out, const char **out_value) {
  *out = (assertion){.text = text};
  ir_code code = find_output(model, out, out_value);
  if (code != IR_OK || ir_value_from_text(&model->context->memory, *out_value, &out->type, &out->shape))
    return code;
  return ir_report(&model->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                   "'%s' is asserted, expected a type and shape as f32[1,?,10], [1,1..9] or f32", text);
}

irrun_status irrun_model_check_assertion(irrun_model *model, const char *text) {
  assertion a;
  const char *value;
  return ir_status(read_assertion(model, text, &a, &value));
}

irrun_status irrun_model_assert_output(irrun_model *model, const irrun_run *run, const char *text) {
  assertion a;
  const char *value;
  ir_code code = read_assertion(model, text, &a, &value);
  return ir_status(code == IR_OK ? check(model, run, &a, value) : code);
}
