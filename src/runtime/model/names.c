/* Finds inputs and outputs by tensor names, layer names and numbers. */
#include "runtime/model/names.h"
#include "base/message_text.h"
#include "irrun_debug.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct name_list {
  irrun_model *model;
  ir_name *names;
  size_t n, capacity;
  bool out_of_memory;
} name_list;

static void add_name(name_list *list, const char *text, ir_name_class class, int64_t index) {
  ir_arena *arena = &list->model->arena;
  const char *copy = ir_arena_text(arena, text, strlen(text));
  void *names = list->names;
  if (copy == NULL ||
      !ir_reserve(&list->model->context->memory, &names, list->n, &list->capacity, sizeof *list->names)) {
    list->out_of_memory = true;
    return;
  }
  list->names = names;
  list->names[list->n++] = (ir_name){.text = copy, .class = class, .index = index};
}

static void add_tensor_names(name_list *list, const char *names, int64_t index) {
  size_t size = names == NULL ? 0 : strlen(names) + 1;
  char *name = size == 0 ? NULL : ir_alloc(&list->model->context->memory, size);
  list->out_of_memory = list->out_of_memory || (size > 0 && name == NULL);
  while (name != NULL && ir_next_tensor_name(&names, name, size))
    add_name(list, name, IR_NAME_TENSOR, index);
  ir_free(&list->model->context->memory, name);
}

/* Adds the tensor names of the output that feeds a Result. Returns the layer of that output, or NULL. */
static const ir_layer *add_producer_names(name_list *list, const ir_node *result, int64_t index) {
  const ir_link link = ir_node_source(result);
  if (link.layer < 0)
    return NULL;
  const ir_layer *from = list->model->nodes[link.layer].layer;
  if (link.port < from->n_outputs)
    add_tensor_names(list, from->outputs[link.port].names, index);
  return from;
}

static void add_names_of(name_list *list, irrun_side side, int64_t index) {
  const irrun_model *model = list->model;
  const ir_node *node = &model->nodes[side == IRRUN_INPUTS ? model->inputs[index] : model->outputs[index]];
  const ir_layer *layer = node->layer, *from = NULL;
  if (side == IRRUN_INPUTS) {
    add_tensor_names(list, layer->n_outputs > 0 ? layer->outputs[0].names : NULL, index);
  } else {
    add_tensor_names(list, layer->output_names, index);
    from = add_producer_names(list, node, index);
  }
  if (layer->name[0] != '\0')
    add_name(list, layer->name, IR_NAME_LAYER, index);
  if (from != NULL && from->name[0] != '\0')
    add_name(list, from->name, IR_NAME_PRODUCER, index);
  char number[24];
  snprintf(number, sizeof number, "%lld", (long long)index);
  add_name(list, number, IR_NAME_NUMBER, index);
}

/* Compares by text, then by class, then by index. */
static int compare_names(const void *a, const void *b) {
  const ir_name *x = *(const ir_name *const *)a, *y = *(const ir_name *const *)b;
  int order = strcmp(x->text, y->text);
  if (order == 0)
    order = (x->class > y->class) - (x->class < y->class);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static const ir_name **sort_names(name_list *list) {
  const ir_name **sorted = ir_arena_array(&list->model->arena, list->n + 1, sizeof *sorted);
  list->out_of_memory = sorted == NULL;
  if (sorted == NULL)
    return NULL;
  for (size_t i = 0; i < list->n; i++)
    sorted[i] = &list->names[i];
  qsort(sorted, list->n, sizeof *sorted, compare_names);
  return sorted;
}

int64_t ir_names_count(const irrun_model *model, irrun_side side) {
  return side == IRRUN_INPUTS ? model->n_inputs : side == IRRUN_OUTPUTS ? model->n_outputs : 0;
}

ir_code ir_names_make(irrun_model *model, irrun_side side) {
  if (side != IRRUN_INPUTS && side != IRRUN_OUTPUTS)
    return ir_report_call(model->context, "a name is looked for on a side that is neither inputs nor outputs");
  if (model->names[side] != NULL)
    return IR_OK;
  name_list list = {.model = model};
  int64_t n = ir_names_count(model, side);
  model->first_name[side] = ir_arena_array(&model->arena, (size_t)n + 1, sizeof *model->first_name[side]);
  list.out_of_memory = model->first_name[side] == NULL;
  for (int64_t i = 0; i < n && !list.out_of_memory; i++) {
    model->first_name[side][i] = list.n;
    add_names_of(&list, side, i);
  }
  if (!list.out_of_memory)
    model->names_by_text[side] = sort_names(&list);
  if (list.out_of_memory) {
    ir_free(&model->context->memory, list.names);
    return ir_out_of_memory(&model->context->diags);
  }
  model->names[side] = list.names;
  model->n_names[side] = list.n;
  return IR_OK;
}

void ir_names_free(irrun_model *model) {
  ir_free(&model->context->memory, model->tensor_names);
  ir_free(&model->context->memory, model->names[IRRUN_INPUTS]);
  ir_free(&model->context->memory, model->names[IRRUN_OUTPUTS]);
}

const char *ir_name_shown(irrun_model *model, irrun_side side, int64_t index) {
  if (ir_names_make(model, side) != IR_OK)
    return "";
  return model->names[side][model->first_name[side][index]].text;
}

/* ---- finding ---- */

enum { MOST_CANDIDATES = 8 }; /* largest number of candidates in a message */

typedef struct name_match {
  const ir_name *name, *rival; /* rival: a name of another input or output that equals `name` in text and ir_name_class,
                                   so `name` is ambiguous; NULL: none */
} name_match;

static int compare_text(const ir_name *name, const char *text, size_t length) {
  int order = strncmp(name->text, text, length);
  return order != 0 ? order : name->text[length] != '\0';
}

/* Finds the input or output that the first `length` characters of `text` name. */
static name_match find(const irrun_model *model, irrun_side side, const char *text, size_t length) {
  const ir_name *const *names = model->names_by_text[side];
  size_t first = 0, end = model->n_names[side];
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (compare_text(names[middle], text, length) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  name_match match = {NULL, NULL};
  for (; first < model->n_names[side] && compare_text(names[first], text, length) == 0; first++) {
    const ir_name *name = names[first];
    if (match.name == NULL)
      match.name = name;
    if (name->class != match.name->class || match.rival != NULL)
      break;
    if (name->index != match.name->index)
      match.rival = name;
  }
  return match;
}

/* Prints the inputs or outputs with the text and class of `shared`: "number 0, layer 'a'; number 2, layer 'b'". Returns
 * their number. */
static int list_candidates(const irrun_model *model, irrun_side side, const ir_name *shared, char *buffer,
                           size_t size) {
  const int32_t *nodes = side == IRRUN_INPUTS ? model->inputs : model->outputs;
  int n = 0;
  size_t used = 0;
  int64_t last = -1;
  for (size_t i = 0; i < model->n_names[side]; i++) {
    const ir_name *name = &model->names[side][i];
    if (name->class != shared->class || name->index == last || strcmp(name->text, shared->text) != 0)
      continue;
    last = name->index;
    if (n++ < MOST_CANDIDATES && used < size)
      used +=
          (size_t)snprintf(buffer + used, size - used, "%snumber %lld, layer '%s'", n > 1 ? "; " : "",
                           (long long)name->index, ir_shown_text(model->nodes[nodes[name->index]].layer->name).text);
  }
  if (n > MOST_CANDIDATES && used < size)
    snprintf(buffer + used, size - used, "; and %d more", n - MOST_CANDIDATES);
  return n;
}

/* Reports an ambiguous name: IR801 if the name is from the command line (`file` is NULL), IR502 if it is a key of
 * `file`. */
static irrun_status report_shared(irrun_model *model, const char *file, irrun_side side, const name_match *match) {
  static const char *const whats[] = {"inputs", "outputs"};
  char candidates[128 * MOST_CANDIDATES];
  int n = list_candidates(model, side, match->name, candidates, sizeof candidates);
  ir_source *source;
  ir_code code = ir_name_file(&model->context->diags, file, &source);
  if (code != IR_OK)
    return ir_status(code);
  code = ir_report(&model->context->diags, file == NULL ? IR801_COMMAND_LINE : IR502_NAME_UNKNOWN,
                   (ir_where){.source = source}, "'%s' is the name of %d %s: %s", match->name->text, n, whats[side],
                   candidates);
  ir_hint(&model->context->diags, "choose by number: %lld=... or %lld=...", (long long)match->name->index,
          (long long)match->rival->index);
  ir_source_free(source);
  return ir_status(code);
}

irrun_status irrun_model_match_name(irrun_model *model, irrun_side side, const char *text, int64_t *out_index,
                                    const char **out_rest) {
  *out_index = -1;
  *out_rest = text;
  const ir_code made = ir_names_make(model, side);
  if (made != IR_OK)
    return ir_status(made);
  for (size_t length = strlen(text); length > 0; length--) {
    if (text[length] != '=')
      continue;
    name_match match = find(model, side, text, length);
    if (match.rival != NULL)
      return report_shared(model, NULL, side, &match);
    if (match.name == NULL)
      continue;
    *out_index = match.name->index;
    *out_rest = text + length + 1;
    break;
  }
  return IRRUN_OK;
}

static void list_names(irrun_model *model, irrun_side side, char *buffer, size_t size) {
  size_t used = 0;
  int64_t n = ir_names_count(model, side);
  snprintf(buffer, size, "none");
  for (int64_t i = 0; i < n && i < 20 && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s'%s'", i > 0 ? ", " : "", ir_name_shown(model, side, i));
  if (n > 20 && used < size)
    snprintf(buffer + used, size - used, " and %lld more", (long long)n - 20);
}

static void hint_at_name(irrun_model *model, irrun_side side, const char *text) {
  const char **texts = ir_alloc_zero(&model->context->memory, model->n_names[side] + 1, sizeof *texts);
  if (texts == NULL) {
    ir_out_of_memory(&model->context->diags);
    return;
  }
  for (size_t i = 0; i < model->n_names[side]; i++)
    texts[i] = model->names[side][i].text;
  const char *meant = ir_did_you_mean(text, texts, model->n_names[side]);
  if (meant != NULL)
    ir_hint(&model->context->diags, "did you mean '%s'?", meant);
  ir_free(&model->context->memory, texts);
}

/* Whether the text names input or output `index`, and no other tensor of the model, so that an .npz with this key can
 * be read back. If memory is out, returns false and sets `*out_status`. */
static bool leads_to(irrun_model *model, irrun_side side, const char *text, int64_t index, irrun_status *out_status) {
  name_match match = find(model, side, text, strlen(text));
  if (match.rival != NULL || match.name == NULL || match.name->index != index)
    return false;
  const int32_t own = side == IRRUN_INPUTS ? model->inputs[index] : model->outputs[index];
  const ir_node *node = &model->nodes[own];
  const ir_link shown = side == IRRUN_INPUTS ? (ir_link){own, 0} : ir_node_source(node);
  int64_t layer;
  int port;
  *out_status = irrun_model_find_tensor(model, text, &layer, &port);
  return *out_status == IRRUN_OK && (layer < 0 || (layer == shown.layer && port == shown.port));
}

const char *irrun_model_get_key(irrun_model *model, irrun_side side, int64_t index) {
  if (index < 0 || index >= ir_names_count(model, side) || ir_names_make(model, side) != IR_OK)
    return NULL;
  irrun_status status = IRRUN_OK;
  const char *shown = ir_name_shown(model, side, index), *key = shown;
  if (leads_to(model, side, shown, index, &status))
    return shown;
  /* try the layer's own name, then its number, the last of its names */
  for (size_t i = model->first_name[side][index]; i < model->n_names[side] && key == shown && status == IRRUN_OK; i++) {
    const ir_name *name = &model->names[side][i];
    if (name->class == IR_NAME_NUMBER ||
        (name->class == IR_NAME_LAYER && leads_to(model, side, name->text, index, &status)))
      key = name->text;
  }
  return status == IRRUN_OK ? key : NULL;
}

irrun_status irrun_model_find_name(irrun_model *model, irrun_side side, const char *text, const char *file,
                                   int64_t *out_index) {
  *out_index = -1;
  const ir_code made = ir_names_make(model, side);
  if (made != IR_OK)
    return ir_status(made);
  name_match match = find(model, side, text, strlen(text));
  if (match.rival != NULL)
    return report_shared(model, file, side, &match);
  if (match.name != NULL) {
    *out_index = match.name->index;
    return IRRUN_OK;
  }
  char names[1024];
  list_names(model, side, names, sizeof names);
  ir_source *source;
  ir_code code = ir_name_file(&model->context->diags, file, &source);
  if (code != IR_OK)
    return ir_status(code);
  code = ir_report(&model->context->diags, IR502_NAME_UNKNOWN, (ir_where){.source = source},
                   "the model has no %s '%s'; it has %s", side == IRRUN_INPUTS ? "input" : "output", text, names);
  hint_at_name(model, side, text);
  ir_source_free(source);
  return ir_status(code);
}
