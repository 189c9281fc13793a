#include "runtime/model/narrow.h"
#include "ops/attr_text.h"
#include "runtime/model/names.h"
#include <string.h>

/* ---- texts ---- */

static int64_t count_items(const char *text) {
  int64_t n = 1;
  for (const char *c = text; *c != '\0'; c++)
    n += *c == ',';
  return text[strspn(text, " \t")] == '\0' ? 0 : n;
}

bool ir_shape_from_text(const ir_memory *memory, const char *text, ir_shape *out) {
  ir_diags silent;
  ir_diags_init(&silent, memory);
  ir_text_value value = {.name = "shape", .text = text, .n_items = count_items(text)};
  ir_code code = ir_text_shape(&value, true, out, &silent);
  ir_diags_reset(&silent);
  return code == IR_OK;
}

bool ir_value_from_text(const ir_memory *memory, const char *text, ir_type *out_type, ir_shape *out_shape) {
  const size_t length = strcspn(text, "[");
  *out_type = IR_DYNAMIC;
  *out_shape = ir_shape_unknown();
  return (length == 0 || ir_type_from_name(text, length, out_type)) &&
         (text[length] == '\0' ? length > 0 : ir_shape_from_text(memory, text + length, out_shape));
}

static ir_code read_shape(irrun_model *model, const char *text, const char *dims, ir_narrowing *out) {
  const ir_memory *memory = &model->context->memory;
  if (ir_shape_from_text(memory, dims, &out->shape) || ir_value_from_text(memory, dims, &out->type, &out->shape))
    return IR_OK;
  return ir_report(&model->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                   "'--shape %s': '%s' is no shape, expected dims as 1,3,?,1..640, or with a type, f32[1,3]", text,
                   dims);
}

static ir_code report_no_name(irrun_model *model, const char *text) {
  ir_diags *diags = &model->context->diags;
  if (model->n_inputs == 0)
    return ir_report(diags, IR801_COMMAND_LINE, (ir_where){0}, "'--shape %s': the model has no input", text);
  ir_code code = ir_report(diags, IR801_COMMAND_LINE, (ir_where){0},
                           "'--shape %s': the model has %d inputs, say which one it is", text, model->n_inputs);
  ir_hint(diags, "--shape '%s=%s'", ir_name_shown(model, IRRUN_INPUTS, 0), text);
  return code;
}

/* Finds the input of "NAME=DIMS" and the position of DIMS. If the text has no NAME, the model must have one input. */
static ir_code find_input(irrun_model *model, const char *text, int64_t *out_input, const char **out_dims) {
  irrun_status status = irrun_model_match_name(model, IRRUN_INPUTS, text, out_input, out_dims);
  const char *equals = strchr(text, '=');
  if (status != IRRUN_OK || *out_input >= 0)
    return (ir_code)status;
  if (equals == NULL && model->n_inputs != 1)
    return report_no_name(model, text);
  *out_input = 0;
  if (equals == NULL)
    return IR_OK;
  char *name = ir_arena_text(&model->arena, text, (size_t)(equals - text));
  if (name == NULL)
    return ir_out_of_memory(&model->context->diags);
  return (ir_code)irrun_model_find_name(model, IRRUN_INPUTS, name, NULL, out_input);
}

static ir_code add_narrowing(irrun_model *model, const char *text) {
  int64_t input;
  const char *dims;
  ir_narrowing narrowing = {.text = text};
  ir_code code = find_input(model, text, &input, &dims);
  if (code == IR_OK)
    code = read_shape(model, text, dims, &narrowing);
  if (code != IR_OK)
    return code;
  narrowing.node = model->inputs[input];
  for (size_t i = 0; i < model->n_narrowings; i++)
    if (model->narrowings[i].node == narrowing.node)
      return ir_report(&model->context->diags, IR801_COMMAND_LINE, (ir_where){0},
                       "'--shape %s' and '--shape %s' are for one input", model->narrowings[i].text, text);
  model->narrowings[model->n_narrowings++] = narrowing;
  return IR_OK;
}

ir_code ir_model_narrow(irrun_model *model) {
  if (model->n_shape_texts == 0)
    return IR_OK;
  model->narrowings = ir_arena_array(&model->arena, model->n_shape_texts, sizeof *model->narrowings);
  if (model->narrowings == NULL)
    return ir_out_of_memory(&model->context->diags);
  ir_code code = IR_OK;
  for (size_t i = 0; i < model->n_shape_texts && code != IR_NO_MEMORY; i++)
    code = add_narrowing(model, model->shape_texts[i]);
  return code == IR_NO_MEMORY ? IR_NO_MEMORY : IR_OK;
}

/* ---- applying ---- */

static bool lies_within(ir_dim inner, ir_dim outer) {
  return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

static bool is_open(ir_dim dim) {
  return ir_dims_equal(dim, ir_dim_any());
}

static void report_outside(irrun_model *model, const ir_node *node, const ir_narrowing *narrowing) {
  char shape[IR_SHAPE_TEXT];
  const ir_value *value = &node->outputs[0];
  ir_diags *diags = &model->context->diags;
  ir_report(diags, IR503_INPUT_SHAPE_DIFFERS, (ir_where){0}, "'--shape %s': the model has %s%s there, expected %s",
            narrowing->text, ir_type_name(value->type), ir_shape_text(&value->shape, shape, sizeof shape),
            value->shape.rank == narrowing->shape.rank ? "sizes within that" : "as many dims");
  ir_note(diags, ir_layer_where(&model->graph, node->layer, node->layer->at), "the input is layer '%s'",
          node->layer->name);
  ir_hint(diags, "it can make open sizes known; a '?' leaves a size as it is");
}

/* Sets the type if the model leaves it open. Reports a type that differs from the model's. */
static void apply_type(irrun_model *model, ir_node *node, const ir_narrowing *narrowing) {
  ir_value *value = &node->outputs[0];
  if (narrowing->type == IR_DYNAMIC || narrowing->type == value->type)
    return;
  if (value->type == IR_DYNAMIC) {
    value->type = narrowing->type;
    return;
  }
  ir_report(&model->context->diags, IR503_INPUT_SHAPE_DIFFERS, (ir_where){0},
            "'--shape %s': the model has the element type %s there", narrowing->text, ir_type_name(value->type));
  ir_hint(&model->context->diags, "it can make an open type known, and changes none");
}

static void apply(irrun_model *model, ir_node *node, const ir_narrowing *narrowing) {
  ir_shape *shape = &node->outputs[0].shape;
  const ir_shape *given = &narrowing->shape;
  apply_type(model, node, narrowing);
  if (given->rank == IR_RANK_UNKNOWN)
    return;
  bool fits = shape->rank == IR_RANK_UNKNOWN || shape->rank == given->rank;
  for (int i = 0; fits && i < given->rank && shape->rank != IR_RANK_UNKNOWN; i++)
    fits = is_open(given->dims[i]) || lies_within(given->dims[i], shape->dims[i]);
  if (!fits) {
    report_outside(model, node, narrowing);
    node->outputs[0].poisoned = true;
    return;
  }
  if (shape->rank == IR_RANK_UNKNOWN)
    *shape = *given;
  for (int i = 0; i < given->rank; i++)
    if (!is_open(given->dims[i]))
      shape->dims[i] = given->dims[i];
}

void ir_narrow_input(irrun_model *model, ir_node *node) {
  for (size_t i = 0; i < model->n_narrowings; i++)
    if (model->narrowings[i].node == ir_node_index(model, node) && !node->outputs[0].poisoned)
      apply(model, node, &model->narrowings[i]);
}
