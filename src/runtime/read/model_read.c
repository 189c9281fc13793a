/* Reads a model: parses its file, then looks up ops, links inputs to outputs, orders layers, checks names, reads
 * attributes, makes the models of bodies, reads the shapes of --shape and infers shapes. */
#include "runtime/read/model_read.h"
#include "parser/read_model.h"
#include "runtime/model/body_models.h"
#include "runtime/model/name_checks.h"
#include "runtime/model/names.h"
#include "runtime/model/narrow.h"
#include "runtime/read/modernize.h"
#include <errno.h>
#include <string.h>

static irrun_model *model_create(irrun_context *context, const char *path, irrun_purpose purpose) {
  irrun_model *model = ir_alloc_zero(&context->memory, 1, sizeof *model);
  if (model == NULL)
    return NULL;
  model->context = context;
  model->purpose = purpose;
  ir_arena_init(&model->arena, &context->memory, (size_t)IR_MAX_ARENA_BYTES);
  ir_graph_init(&model->graph, &context->memory);
  model->constants = ir_constants_create(&context->memory, NULL, &model->graph.n_layers);
  model->path = ir_arena_text(&model->arena, path, strlen(path));
  if (model->path != NULL && model->constants != NULL)
    return model;
  irrun_model_free(model);
  return NULL;
}

void irrun_model_free(irrun_model *model) {
  if (model == NULL)
    return;
  ir_names_free(model);
  ir_model_free_bodies(model);
  ir_constants_free(model->constants);
  ir_graph_reset(&model->graph);
  ir_arena_reset(&model->arena);
  ir_free(&model->context->memory, model->remarks);
  ir_free(&model->context->memory, model);
}

/* The files or the bytes from which a model is read. */
typedef struct model_input {
  const char *path, *weights;
  const irrun_buffer *text, *constants; /* bytes in memory; NULL: read the file */
  const ir_edited_text *edited;         /* NULL: the model is not edited */
} model_input;

/* Makes weights with the bytes of the model that was edited, from the same file or memory, and the new constants. */
static ir_code set_edited_weights(irrun_model *model, const ir_edited_text *edited) {
  const ir_memory *memory = &model->context->memory;
  const ir_weights *from = edited->weights;
  const irrun_buffer *tail = &edited->tail;
  ir_weights *weights = NULL;
  if (from == NULL && tail->bytes == 0)
    return IR_OK;
  weights = from == NULL ? ir_weights_of_bytes(memory, edited->name, "", 0) : ir_weights_again(memory, from);
  model->graph.weights = weights;
  const bool ok = weights != NULL && (tail->bytes == 0 || ir_weights_add_tail(weights, edited->tail_begin, tail->data,
                                                                              (int64_t)tail->bytes));
  return ok ? IR_OK : ir_out_of_memory(&model->context->diags);
}

static ir_code set_weights(irrun_model *model, const model_input *input) {
  const ir_memory *memory = &model->context->memory;
  const char *path = input->path, *weights = input->weights;
  if (input->edited != NULL)
    return set_edited_weights(model, input->edited);
  if (input->constants != NULL) {
    model->graph.weights = ir_weights_of_bytes(memory, path, input->constants->data, input->constants->bytes);
    return model->graph.weights == NULL ? ir_out_of_memory(&model->context->diags) : IR_OK;
  }
  if (input->text != NULL)
    return IR_OK;
  if (weights == NULL && strcmp(path, "-") == 0)
    return IR_OK;
  char *beside = weights == NULL ? ir_weights_path_beside(memory, path) : NULL;
  const char *used = weights != NULL ? weights : beside;
  if (used != NULL)
    model->graph.weights = ir_weights_create(memory, used, weights != NULL);
  ir_free(memory, beside);
  return model->graph.weights != NULL ? IR_OK : ir_out_of_memory(&model->context->diags);
}

static ir_code read_graph(irrun_model *model, const model_input *input) {
  irrun_context *context = model->context;
  const char *path = input->path;
  int error = input->text == NULL ? 0 : ENOMEM; /* with bytes in memory, the only error is lack of memory */
  ir_source *source = input->text == NULL ? ir_source_open(&context->memory, IR_SOURCE_TEXT, path, &error)
                                          : ir_source_of_bytes(&context->memory, IR_SOURCE_TEXT, path,
                                                               input->text->data, input->text->bytes);
  if (source == NULL && error == ENOMEM)
    return ir_out_of_memory(&context->diags);
  if (source == NULL) {
    char text[IR_SOURCE_ERROR_TEXT];
    ir_source *name;
    ir_code code = ir_name_file(&context->diags, path, &name);
    if (code != IR_OK)
      return code;
    code = ir_report(&context->diags, IR701_FILE_NOT_READABLE, (ir_where){.source = name}, "cannot read the model: %s",
                     ir_source_error_text(error, text, sizeof text));
    if (error == EISDIR)
      ir_hint(&context->diags, "it is a folder; irrun --check-shapes FOLDER checks the models in it");
    ir_source_free(name);
    return code;
  }
  return ir_read_model(source, &model->graph, &context->diags);
}

static ir_code check_graph(irrun_model *model) {
  if (model->graph.dialect == IR_LEGACY && ir_modernize(model) == IR_NO_MEMORY)
    return IR_NO_MEMORY;
  ir_code (*const stages[])(irrun_model *) = {ir_model_lookup, ir_model_link,        ir_model_order,  ir_check_names,
                                              ir_model_bind,   ir_model_make_bodies, ir_model_narrow, ir_model_infer};
  ir_code code = IR_OK;
  for (size_t i = 0; i < sizeof stages / sizeof stages[0] && code != IR_NO_MEMORY; i++)
    code = stages[i](model);
  return code;
}

/* Rules whose faults are notes if an IR is to be converted. The conversion corrects such a fault, or copies it. The
 * others than the first one are errors in an edited text whose ports are checked. */
static const ir_rule left_to_conversion[] = {IR210_NOT_RUNNABLE_HERE, IR301_DECLARED_SHAPE_DIFFERS,
                                             IR302_DECLARED_TYPE_DIFFERS};
enum { N_LEFT = sizeof left_to_conversion / sizeof left_to_conversion[0] };

/* Checks an IR that is to be converted: faults of the first `n_left` rules in left_to_conversion become notes. A rule
 * that the caller denied stays an error. */
static ir_code check_to_convert(irrun_model *model, ir_diags *diags, int n_left) {
  ir_rule_policy before[N_LEFT];
  for (int i = 0; i < n_left; i++) {
    ir_rule_policy *policy = &diags->policy[left_to_conversion[i]];
    before[i] = *policy;
    *policy = *policy == IR_POLICY_DENY ? IR_POLICY_DENY : IR_POLICY_NOTE;
  }
  ir_code code = check_graph(model);
  for (int i = 0; i < n_left; i++)
    diags->policy[left_to_conversion[i]] = before[i];
  return code;
}

static irrun_status read_model(irrun_context *context, const model_input *input, irrun_purpose purpose,
                               const char *const *shapes, size_t n_shapes, irrun_model **out_model) {
  *out_model = NULL;
  ir_diags *diags = &context->diags;
  if (context->n_models++ > 0)
    ir_diags_next_group(diags);
  irrun_model *model = model_create(context, input->path, purpose);
  if (model == NULL)
    return ir_status(ir_out_of_memory(diags));
  model->shape_texts = shapes;
  model->n_shape_texts = n_shapes;
  /* save the status of earlier reports, so that `status` is this model's own */
  ir_code before = diags->status;
  int64_t errors = diags->n_errors, warnings = diags->n_warnings;
  diags->status = IR_OK;
  diags->is_for_run = purpose == IRRUN_TO_RUN;
  ir_code code = set_weights(model, input);
  if (code == IR_OK)
    code = read_graph(model, input);
  bool readable = code == IR_OK;
  if (readable)
    code = purpose == IRRUN_TO_CONVERT && model->graph.dialect == IR_OPENVINO
               ? check_to_convert(model, diags, input->edited != NULL && input->edited->checks_ports ? 1 : N_LEFT)
               : check_graph(model);
  model->shape_texts = NULL;
  model->n_shape_texts = model->n_narrowings = 0; /* the caller's texts are valid only during this call */
  model->status = ir_status(diags->status);
  model->errors = diags->n_errors - errors;
  model->warnings = diags->n_warnings - warnings;
  diags->status = ir_code_worse(before, diags->status);
  irrun_status status = model->status;
  if (readable && code != IR_NO_MEMORY)
    *out_model = model;
  else
    irrun_model_free(model);
  return status;
}

irrun_status irrun_model_read(irrun_context *context, const char *path, const char *weights, irrun_purpose purpose,
                              irrun_model **out_model) {
  return irrun_model_read_shaped(context, path, weights, purpose, NULL, 0, out_model);
}

irrun_status irrun_model_read_shaped(irrun_context *context, const char *path, const char *weights,
                                     irrun_purpose purpose, const char *const *shapes, size_t n_shapes,
                                     irrun_model **out_model) {
  const model_input input = {.path = path, .weights = weights};
  return read_model(context, &input, purpose, shapes, n_shapes, out_model);
}

irrun_status irrun_model_read_memory(irrun_context *context, const char *name, irrun_buffer text,
                                     const irrun_buffer *weights, irrun_purpose purpose, const char *const *shapes,
                                     size_t n_shapes, irrun_model **out_model) {
  const model_input input = {.path = name, .text = &text, .constants = weights};
  return read_model(context, &input, purpose, shapes, n_shapes, out_model);
}

irrun_status ir_read_edited(irrun_context *context, const ir_edited_text *edited, irrun_model **out_model) {
  const model_input input = {.path = edited->name, .text = &edited->text, .edited = edited};
  return read_model(context, &input, IRRUN_TO_CONVERT, NULL, 0, out_model);
}
