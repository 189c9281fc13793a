/* Words that concern names, outputs and attributes. */
#include "runtime/edit/editing.h"
#include "runtime/model/names.h"

#include <ctype.h>
#include <string.h>

/* ---- words that ir_edit_input does ---- */

ir_code ir_edit_note_type(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)value;
  ir_type_from_name(word, strlen(word), &subject->input.type);
  if (!ir_type_in(subject->input.type, IR_SET_STORED))
    return ir_edit_fault(e, "'%s' is no type that data of an input can have, such as u8, f16 or i64", word);
  return IR_OK;
}

ir_code ir_edit_note_axes(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  const char *text = value == NULL ? word : value;
  if (!ir_axes_from_text(text, strlen(text), value == NULL ? &subject->input.tensor : &subject->input.model))
    return ir_edit_fault(e, "'%s' is no layout, expected a letter for each axis, such as NCHW", text);
  return IR_OK;
}

ir_code ir_edit_note(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)e;
  ir_input_edit *input = &subject->input;
  const struct {
    const char *word, **place;
  } texts[] = {{"shape", &input->shape},
               {"batch", &input->batch},
               {"resize", &input->resize},
               {"mean", &input->mean},
               {"scale", &input->scale}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (strcmp(word, texts[i].word) == 0)
      *texts[i].place = value;
  input->reverse = input->reverse || value == NULL; /* the only such word without a value */
  return IR_OK;
}

/* ---- the tensor behind a name ---- */

bool ir_subject_tensor(const ir_editing *e, const ir_subject *subject, ir_link *out) {
  const ir_node *node = &e->scope->model->nodes[subject->layer];
  *out = (ir_link){subject->layer, subject->port == IR_ALL_PORTS ? 0 : subject->port};
  if (subject->kind == IR_EDIT_OUTPUT && node->n_inputs == 1)
    *out = node->inputs[0];
  return out->layer >= 0 && (subject->port != IR_ALL_PORTS || node->n_outputs == 1) &&
         out->port < e->scope->model->nodes[out->layer].layer->n_outputs;
}

ir_code ir_edit_layout(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)word;
  ir_axes axes;
  ir_link from;
  char text[2 * IR_MAX_RANK + 3] = "[";
  if (!ir_axes_from_text(value, strlen(value), &axes))
    return ir_edit_fault(e, "'layout=%s': expected a letter for each axis, such as NCHW", value);
  for (size_t i = 0; axes.letters[i] != '\0'; i++) {
    const char item[] = {axes.letters[i], axes.letters[i + 1] == '\0' ? ']' : ',', '\0'};
    strcat(text, item);
  }
  if (!ir_subject_tensor(e, subject, &from))
    return ir_edit_fault(e, "nothing feeds the output");
  if (subject->kind == IR_EDIT_OUTPUT)
    return ir_set_layout(e, &e->scope->model->nodes[from.layer].layer->outputs[from.port], text);
  subject->input.layout = ir_arena_text(&e->arena, text, strlen(text));
  return subject->input.layout == NULL ? ir_out_of_memory(e->diags) : IR_OK;
}

/* ---- names ---- */

/* A name that an edit gives. */
struct ir_new_name {
  const char *name, *edit;
  struct ir_new_name *next;
};

/* Notes a name down, for ir_check_new_names. Returns false if memory is out. */
static bool note_name(ir_editing *e, const char *name) {
  if (e->scope != e->scopes) /* names in a body are its own */
    return true;
  struct ir_new_name *item = ir_arena_alloc(&e->arena, sizeof *item);
  if (item == NULL)
    return false;
  *item = (struct ir_new_name){.name = name, .edit = e->edit, .next = e->new_names};
  e->new_names = item;
  return true;
}

ir_code ir_check_new_names(ir_editing *e, irrun_model *edited) {
  ir_code code = IR_OK;
  for (const struct ir_new_name *item = e->new_names; item != NULL && code != IR_NO_MEMORY; item = item->next) {
    bool is_one = true;
    e->edit = item->edit;
    code = ir_code_worse(code, ir_names_one_tensor(edited, item->name, &is_one));
    if (!is_one)
      code = ir_edit_fault(e, "several layers or tensors would be named '%s'", item->name);
  }
  return code;
}

/* Adds a name to a list of tensor names, in which a comma is `\,`. */
static void add_to_list(ir_buffer *list, const char *name) {
  if (list->n > 0)
    ir_buffer_add_text(list, ",");
  for (; *name != '\0'; name++) {
    if (*name == ',')
      ir_buffer_add_text(list, "\\");
    ir_buffer_add(list, name, 1);
  }
}

static ir_code find_in_list(ir_editing *e, const char *names, const char *wanted, bool *out_found) {
  const ir_memory *memory = &e->scope->model->context->memory;
  const size_t size = names == NULL ? 1 : strlen(names) + 1;
  char *name = ir_alloc(memory, size);
  if (name == NULL)
    return ir_out_of_memory(e->diags);
  for (const char *cursor = names; ir_next_tensor_name(&cursor, name, size);)
    *out_found = *out_found || strcmp(name, wanted) == 0;
  ir_free(memory, name);
  return IR_OK;
}

/* Reports a list of tensor names that was to get the name, and is read without it. */
static ir_code check_list(ir_editing *e, const ir_buffer *list, const char *name) {
  bool has_it = false;
  ir_code code = list->out_of_memory ? ir_out_of_memory(e->diags) : find_in_list(e, list->data, name, &has_it);
  if (code != IR_OK || has_it)
    return code;
  code = ir_edit_fault(e, "the tensor names would be '%s', which are read as names without '%s'", list->data, name);
  ir_hint(e->diags, "blanks at the ends of a name are skipped, and '\\,' is a comma in a name: choose another name");
  return code;
}

/* Replaces `from` in a list of tensor names, whose text lies at `at`. Sets `*any` if it is there. */
static ir_code rename_in_list(ir_editing *e, const char *names, ir_at at, const char *from, const char *to, bool *any) {
  ir_buffer list = {.memory = &e->scope->model->context->memory};
  const size_t size = names == NULL ? 1 : strlen(names) + 1;
  char *name = ir_alloc(list.memory, size);
  bool found = false;
  if (name == NULL)
    return ir_out_of_memory(e->diags);
  for (const char *cursor = names; ir_next_tensor_name(&cursor, name, size);) {
    const bool is_it = strcmp(name, from) == 0;
    found = found || is_it;
    add_to_list(&list, is_it ? to : name);
  }
  ir_code code = found ? check_list(e, &list, to) : IR_OK;
  if (found && code == IR_OK)
    code = ir_set_value(e, at, list.data);
  *any = *any || found;
  ir_free(list.memory, name);
  ir_buffer_reset(&list);
  return code;
}

/* Renames a layer, its outputs and the names that it declares as a Result, as far as they are `from`. */
static ir_code rename_layer(ir_editing *e, const ir_layer *layer, const char *from, const char *to, bool *any) {
  ir_code code = IR_OK;
  if (strcmp(layer->name, from) == 0) {
    *any = true;
    code = ir_set_value(e, layer->name_at, to);
  }
  if (code == IR_OK)
    code = rename_in_list(e, layer->output_names, layer->output_names_at, from, to, any);
  for (int32_t p = 0; p < layer->n_outputs && code == IR_OK; p++)
    code = rename_in_list(e, layer->outputs[p].names, layer->outputs[p].names_at, from, to, any);
  return code;
}

/* The next Result that reads the output from item `*i` of model->outputs on; NULL: there is none. A Result can have
 * names of its own, by which OpenVINO knows the output then, and not by those of the tensor. */
static const ir_layer *next_result(const irrun_model *model, ir_link tensor, int32_t *i) {
  while (*i < model->n_outputs) {
    const ir_node *node = &model->nodes[model->outputs[(*i)++]];
    if (node->n_inputs == 1 && node->inputs[0].layer == tensor.layer &&
        (tensor.port == IR_ALL_PORTS || node->inputs[0].port == tensor.port))
      return node->layer;
  }
  return NULL;
}

ir_code ir_edit_rename(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)word;
  ir_link from;
  bool any = false;
  const ir_layer *layer = e->scope->model->nodes[subject->layer].layer, *result;
  ir_code code = rename_layer(e, layer, subject->name, value, &any);
  from = (ir_link){subject->layer, IR_ALL_PORTS};
  for (int32_t i = 0; code == IR_OK && (result = next_result(e->scope->model, from, &i)) != NULL;)
    code = rename_in_list(e, result->output_names, result->output_names_at, subject->name, value, &any);
  if (code == IR_OK && subject->kind == IR_EDIT_OUTPUT && ir_subject_tensor(e, subject, &from))
    code = rename_layer(e, e->scope->model->nodes[from.layer].layer, subject->name, value, &any);
  if (code == IR_OK && any && !note_name(e, value))
    code = ir_out_of_memory(e->diags);
  if (code == IR_OK && !any)
    code = ir_edit_fault(e, "'%s' is no name, but stands for one: give the name that changes", subject->name);
  return code;
}

/* ---- outputs ---- */

ir_code ir_edit_drop(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)word;
  (void)value;
  e->n_changes++;
  e->scope->is_dropped[subject->layer] = true; /* ir_remove_dropped does it, when all edits are known */
  return IR_OK;
}

/* Adds a name to the tensor names of a port or a Result. If `names` is NULL, the port has none. */
static ir_code add_tensor_name(ir_editing *e, const ir_port *port, const char *names, ir_at at, const char *name) {
  ir_buffer list = {.memory = &e->scope->model->context->memory};
  bool has_it = false;
  ir_code found = find_in_list(e, names, name, &has_it);
  if (found != IR_OK || has_it)
    return found;
  if (!note_name(e, name))
    return ir_out_of_memory(e->diags);
  ir_buffer_add_text(&list, names == NULL ? "" : names);
  add_to_list(&list, name);
  ir_code code = check_list(e, &list, name);
  if (code == IR_OK)
    code = names == NULL ? ir_set_port_names(e, port, list.data) : ir_set_value(e, at, list.data);
  ir_buffer_reset(&list);
  return code;
}

/* Names a tensor, and the outputs that it is. */
static ir_code name_output(ir_editing *e, ir_link tensor, const char *name) {
  const ir_port *port = &e->scope->model->nodes[tensor.layer].layer->outputs[tensor.port];
  const ir_layer *result;
  ir_code code = add_tensor_name(e, port, port->names, port->names_at, name);
  for (int32_t i = 0; code == IR_OK && (result = next_result(e->scope->model, tensor, &i)) != NULL;)
    if (result->output_names != NULL)
      code = add_tensor_name(e, NULL, result->output_names, result->output_names_at, name);
  return code;
}

ir_code ir_edit_output(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)word;
  ir_link from;
  if (e->scope != e->scopes)
    return ir_edit_fault(e, "the layer is in a body, and an output of the model cannot come from there");
  if (!ir_subject_tensor(e, subject, &from))
    return ir_edit_fault(e, "the layer has %d outputs: name one of them, as NAME.0",
                         e->scope->model->nodes[subject->layer].n_outputs);
  const ir_layer *layer = e->scope->model->nodes[from.layer].layer;
  const ir_port *port = &layer->outputs[from.port];
  const ir_edit_value tensor = ir_edit_value_of(e, from.layer, from.port);
  const bool is_given = value != NULL && *value != '\0', is_named = port->names != NULL && port->names[0] != '\0';
  const char *name = is_given ? value : subject->name;
  e->scope->is_output[from.layer] = true;
  if (next_result(e->scope->model, from, &(int32_t){0}) == NULL &&
      !ir_add_op(e, "Result", "opset1", name, "sink_port_0", NULL, 0, &tensor, 1, NULL))
    return ir_out_of_memory(e->diags);
  return is_given || !is_named ? name_output(e, from, name) : IR_OK;
}

/* ---- attributes ---- */

ir_code ir_edit_attribute(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  const ir_node *node = &e->scope->model->nodes[subject->layer];
  const char *names[64];
  size_t n = 0;
  if (ir_layer_attr(node->layer, word) != NULL || (node->op != NULL && ir_op_attr_index(node->op, word) >= 0))
    return ir_set_attribute(e, node->layer, word, value);
  ir_code code = ir_edit_fault(e, "%s has no attribute '%s'", node->layer->type, word);
  for (int i = 0; node->op != NULL && i < ir_op_n_attrs(node->op) && n < sizeof names / sizeof names[0]; i++)
    names[n++] = node->op->attrs[i].name;
  const char *near = ir_did_you_mean(word, names, n);
  if (near != NULL)
    ir_hint(e->diags, "did you mean '%s'?", near);
  return code;
}
