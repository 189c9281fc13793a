/* Implements irrun_model_find_cut. A cut is a part of a model: some layers, the constants that feed them, and the
 * tensors that enter and leave it. */
#include "base/index_map.h"
#include "irrun_debug.h"
#include "runtime/convert/tensor_numbers.h"
#include "runtime/model/model.h"
#include "runtime/model/names.h"
#include "runtime/model/weight_parts.h"

#include <stdio.h>
#include <string.h>

enum { NONE = -1 };

/* A layer, or one of its outputs, at which a cut begins or ends. If `layer` is NONE, the cut has no such end. */
typedef struct cut_end {
  int64_t layer;
  int port;
} cut_end;

typedef struct cutting {
  irrun_model *model;
  bool *fixed;   /* for each layer: it depends on constants only */
  bool *inside;  /* for each layer: the cut computes it */
  bool *has;     /* for each layer: it is inside, or is fixed and feeds a layer of the cut; Results, if is_whole */
  bool is_whole; /* the cut is the whole model, with all its inputs and outputs */
  irrun_cut_tensor *inputs, *outputs;
  int64_t n_inputs, n_outputs;
  size_t inputs_capacity, outputs_capacity;
  ir_tensor_numbers numbers; /* indices in `inputs` or `outputs`; no tensor is in both */
} cutting;

/* ---- names ---- */

/* Resolves a name; a layer's name means all its outputs. If the name is unknown or ambiguous, out->layer is NONE. */
static ir_code find_end(irrun_model *model, const char *text, cut_end *out) {
  ir_tensor_name name, other;
  *out = (cut_end){NONE, IR_ALL_PORTS};
  ir_code code = ir_tensor_named(model, text, 0, &name);
  if (code == IR_OK)
    code = ir_tensor_named(model, text, 1, &other);
  if (code == IR_OK && other.layer < 0)
    *out = (cut_end){name.layer, name.port};
  return code;
}

static ir_code refuse(irrun_model *model, const char *text, const char *what) {
  return ir_report(&model->context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "cannot cut '%s': %s",
                   text, what);
}

/* Finds a layer of that name in a body, or NULL. */
static const ir_layer *find_in_bodies(const ir_graph *graph, const char *text) {
  for (size_t b = 0; b < graph->n_bodies; b++)
    for (size_t i = 0; i < graph->bodies[b]->n_layers; i++)
      if (strcmp(graph->bodies[b]->layers[i].name, text) == 0)
        return &graph->bodies[b]->layers[i];
  return NULL;
}

static ir_code report_unknown(irrun_model *model, const char *text) {
  const ir_graph *graph = &model->graph;
  ir_diags *diags = &model->context->diags;
  int64_t n;
  char candidates[1024];
  ir_code code = (ir_code)irrun_model_list_tensors(model, text, candidates, sizeof candidates, &n);
  if (code != IR_OK)
    return code;
  const ir_layer *inner = find_in_bodies(graph, text);
  code = refuse(model, text,
                n > 0           ? "several layers have that name"
                : inner != NULL ? "it lies in a body, which is cut as a whole"
                                : "no layer and no tensor has that name");
  if (n > 0) {
    ir_hint(diags, "give one of %s", candidates);
  } else if (inner != NULL) {
    const ir_scope_path *scope_path = inner->scope_path;
    while (scope_path->outer != NULL)
      scope_path = scope_path->outer;
    ir_hint(diags, "cut the layer that holds it: '%s'", scope_path->name);
  } else {
    code = ir_code_worse(code, ir_graph_hint_at_layer(graph, text, diags));
  }
  return code;
}

/* Replaces a Result by the output that feeds it. */
static cut_end behind_result(const irrun_model *model, cut_end end) {
  const ir_node *node = end.layer == NONE ? NULL : &model->nodes[end.layer];
  if (node == NULL || !ir_op_is(node->op, IR_RUN_OUTPUT) || node->n_inputs != 1 || node->inputs[0].layer < 0)
    return end;
  return (cut_end){node->inputs[0].layer, node->inputs[0].port};
}

/* Resolves the names before and after the ".." at `dots`. If a name is empty, the end's layer is NONE and counts as
 * known: the cut reaches the model's inputs or outputs. */
static ir_code find_ends(irrun_model *model, const char *text, const char *dots, cut_end ends[2], const char *names[2],
                         bool known[2]) {
  names[0] = ir_arena_text(&model->arena, text, (size_t)(dots - text));
  names[1] = dots + 2;
  if (names[0] == NULL)
    return ir_out_of_memory(&model->context->diags);
  ir_code code = IR_OK;
  for (int side = 0; side < 2 && code == IR_OK; side++) {
    code = find_end(model, names[side], &ends[side]);
    known[side] = names[side][0] == '\0' || ends[side].layer != NONE;
    if (names[side][0] == '\0')
      ends[side].layer = NONE;
  }
  return code;
}

/* ---- layers ---- */

/* Sets `fixed`. If irrun lacks a layer's op, the layer is fixed if all its inputs are. */
static void find_fixed(cutting *c) {
  for (size_t o = 0; o < c->model->graph.n_layers; o++) {
    const int32_t i = c->model->order[o];
    const ir_node *node = &c->model->nodes[i];
    bool fixed = node->n_inputs > 0 && (node->op == NULL || ir_op_folds(node->op));
    for (int32_t p = 0; p < node->n_inputs && fixed; p++)
      fixed = node->inputs[p].layer >= 0 && c->fixed[node->inputs[p].layer];
    c->fixed[i] = fixed || ir_op_is(node->op, IR_RUN_CONSTANT);
  }
}

/* Marks the layers that need the outputs of `start`, directly or indirectly. */
static void mark_behind(const cutting *c, cut_end start, bool *marks) {
  for (size_t o = 0; o < c->model->graph.n_layers; o++) {
    const int32_t i = c->model->order[o];
    const ir_node *node = &c->model->nodes[i];
    for (int32_t p = 0; p < node->n_inputs; p++) {
      const ir_link link = node->inputs[p];
      if (link.layer >= 0 &&
          (marks[link.layer] || (link.layer == start.layer && (start.port < 0 || start.port == link.port))))
        marks[i] = true;
    }
  }
}

/* Marks layer `end`, and all layers that feed it directly or indirectly. */
static void mark_before(const cutting *c, int64_t end, bool *marks) {
  marks[end] = true;
  for (size_t o = c->model->graph.n_layers; o-- > 0;) {
    const int32_t i = c->model->order[o];
    const ir_node *node = &c->model->nodes[i];
    for (int32_t p = 0; marks[i] && p < node->n_inputs; p++)
      if (node->inputs[p].layer >= 0)
        marks[node->inputs[p].layer] = true;
  }
}

/* Sets `inside` for the layers between both ends, without Parameters, Results and fixed layers. The cut gets Parameters
 * and Results of its own; add_fixed adds the fixed layers that feed the cut. */
static ir_code mark_between(cutting *c, const cut_end ends[2]) {
  const size_t n = c->model->graph.n_layers;
  bool *behind = ir_arena_array(&c->model->arena, n + 1, sizeof *behind);
  bool *before = ir_arena_array(&c->model->arena, n + 1, sizeof *before);
  if (behind == NULL || before == NULL)
    return ir_out_of_memory(&c->model->context->diags);
  memset(behind, ends[0].layer == NONE, n);
  memset(before, ends[1].layer == NONE, n);
  if (ends[0].layer != NONE)
    mark_behind(c, ends[0], behind);
  if (ends[1].layer != NONE)
    mark_before(c, ends[1].layer, before);
  for (size_t i = 0; i < n; i++) {
    const ir_node *node = &c->model->nodes[i];
    c->inside[i] = behind[i] && before[i] && !c->fixed[i] && !ir_op_is(node->op, IR_RUN_INPUT) &&
                   !ir_op_is(node->op, IR_RUN_OUTPUT);
  }
  return IR_OK;
}

static bool has_variable(const void *key, int32_t value, const void *user) {
  const cutting *c = user;
  return strcmp(ir_variable_of(&c->model->nodes[value]), key) == 0;
}

static bool is_inside(const cutting *c, size_t layer, ir_run_kind kind) {
  return c->inside[layer] && ir_op_is(c->model->nodes[layer].op, kind);
}

/* Leaves out each Assign whose ReadValue is outside, because a model needs both. The assigned tensor becomes an output
 * of the cut. */
static ir_code leave_out_assigns(cutting *c) {
  const size_t n = c->model->graph.n_layers;
  size_t n_reads = 0;
  ir_index_map reads; /* the variables that are read inside */
  for (size_t i = 0; i < n; i++)
    n_reads += is_inside(c, i, IR_RUN_READS);
  if (!ir_index_map_init(&reads, &c->model->context->memory, n_reads))
    return ir_out_of_memory(&c->model->context->diags);
  for (size_t i = 0; i < n; i++) {
    const char *variable = is_inside(c, i, IR_RUN_READS) ? ir_variable_of(&c->model->nodes[i]) : NULL;
    if (variable != NULL)
      ir_index_map_add(&reads, ir_hash_text(variable), variable, (int32_t)i, has_variable, c);
  }
  for (size_t i = 0; i < n; i++) {
    const char *variable = is_inside(c, i, IR_RUN_ASSIGNS) ? ir_variable_of(&c->model->nodes[i]) : NULL;
    if (variable != NULL && ir_index_map_find(&reads, ir_hash_text(variable), variable, has_variable, c) < 0)
      c->inside[i] = false;
  }
  ir_index_map_reset(&reads);
  return IR_OK;
}

static void add_fixed(cutting *c) {
  for (int32_t i = 0; c->is_whole && i < c->model->n_outputs; i++)
    c->has[c->model->outputs[i]] = true;
  for (size_t o = c->model->graph.n_layers; o-- > 0;) {
    const int32_t i = c->model->order[o];
    const ir_node *node = &c->model->nodes[i];
    c->has[i] = c->has[i] || c->inside[i];
    for (int32_t p = 0; c->has[i] && p < node->n_inputs; p++)
      if (node->inputs[p].layer >= 0 && c->fixed[node->inputs[p].layer])
        c->has[node->inputs[p].layer] = true;
  }
}

/* ---- tensors ---- */

static bool add_tensor(cutting *c, bool is_input, int64_t layer, int port, const char *name) {
  irrun_cut_tensor **list = is_input ? &c->inputs : &c->outputs;
  int64_t *n = is_input ? &c->n_inputs : &c->n_outputs;
  size_t *capacity = is_input ? &c->inputs_capacity : &c->outputs_capacity;
  void *items = *list;
  if (name == NULL || !ir_reserve(&c->model->context->memory, &items, (size_t)*n, capacity, sizeof **list))
    return false;
  *list = items;
  (*list)[(*n)++] = (irrun_cut_tensor){layer, port, name};
  return true;
}

/* Makes the name of an input or output: its key. In IR version 10, the name of a Parameter must be that of no other
 * tensor (IR118). NULL when memory is out. */
static const char *new_name(const cutting *c, bool is_input, int64_t layer, int port) {
  irrun_model *model = c->model;
  const char *key = irrun_model_get_tensor_key(model, layer, port);
  bool is_one;
  if (key == NULL || !is_input || c->is_whole || model->graph.version != 10)
    return key;
  if (ir_names_one_tensor(model, key, &is_one) != IR_OK)
    return NULL;
  return is_one ? key : ir_key_by_id(model, layer, port);
}

/* Adds a tensor, if it is no input or output of the cut yet. */
static bool add_once(cutting *c, bool is_input, int64_t layer, int port) {
  int64_t *number = ir_tensor_number(&c->numbers, layer, port);
  if (*number >= 0)
    return true;
  *number = is_input ? c->n_inputs : c->n_outputs;
  return add_tensor(c, is_input, layer, port, new_name(c, is_input, layer, port));
}

/* Adds all inputs and outputs of the model, also those that no layer reads or computes. */
static bool add_whole(cutting *c) {
  const irrun_model *model = c->model;
  bool ok = ir_tensor_numbers_init(&c->numbers, model);
  for (int32_t i = 0; i < model->n_inputs && ok; i++)
    ok = add_once(c, true, model->inputs[i], 0);
  for (int32_t i = 0; i < model->n_outputs && ok; i++) {
    const ir_node *result = &model->nodes[model->outputs[i]];
    const ir_link link = ir_node_source(result);
    ok = add_tensor(c, false, link.layer, link.port, result->layer->name);
  }
  return ok;
}

/* Names the outputs of the cut. A tensor that feeds a Result of the model has the name of the first one, another one a
 * new name. */
static bool name_outputs(const cutting *c) {
  const irrun_model *model = c->model;
  for (int64_t i = 0; i < c->n_outputs; i++) {
    const size_t size = strlen(c->outputs[i].name) + sizeof "/sink_port_0";
    char *name = ir_arena_alloc(&c->model->arena, size);
    if (name == NULL)
      return false;
    snprintf(name, size, "%s/sink_port_0", c->outputs[i].name);
    c->outputs[i].name = name;
  }
  for (int32_t i = model->n_outputs; i-- > 0;) {
    const ir_node *result = &model->nodes[model->outputs[i]];
    const ir_link link = result->n_inputs == 1 ? result->inputs[0] : (ir_link){NONE, 0};
    const int64_t number =
        link.layer >= 0 && c->inside[link.layer] ? *ir_tensor_number(&c->numbers, link.layer, link.port) : -1;
    if (number >= 0)
      c->outputs[number].name = result->layer->name;
  }
  return true;
}

static bool add_ends(cutting *c, cut_end end) {
  const irrun_model *model = c->model;
  bool ok = ir_tensor_numbers_init(&c->numbers, model);
  for (int32_t p = 0; end.layer != NONE && p < model->nodes[end.layer].n_outputs && ok; p++)
    if (end.port < 0 || end.port == p)
      ok = add_once(c, false, end.layer, p);
  for (size_t i = 0; i < model->graph.n_layers && ok; i++) {
    const ir_node *node = &model->nodes[i];
    for (int32_t p = 0; p < node->n_inputs && ok; p++) {
      const ir_link link = node->inputs[p];
      if (link.layer >= 0 && c->has[i] && !c->has[link.layer])
        ok = add_once(c, true, link.layer, link.port);
      else if (link.layer >= 0 && !c->has[i] && c->inside[link.layer])
        ok = add_once(c, false, link.layer, link.port);
    }
  }
  return ok && name_outputs(c);
}

/* ---- the call ---- */

static ir_code find_layers(cutting *c, const char *text, cut_end *out_end) {
  irrun_model *model = c->model;
  cut_end ends[2];
  const char *names[2], *dots = strstr(text, "..");
  bool known[2] = {false, false};
  ir_code code = find_end(model, text, out_end);
  if (code != IR_OK)
    return code;
  if (out_end->layer != NONE) {
    out_end->port = IR_ALL_PORTS;
    c->inside[out_end->layer] = true;
    const ir_node *node = &model->nodes[out_end->layer];
    return ir_op_is(node->op, IR_RUN_INPUT)     ? refuse(model, text, "it is an input of the model")
           : ir_op_is(node->op, IR_RUN_OUTPUT)  ? refuse(model, text, "it is an output of the model")
           : ir_op_is(node->op, IR_RUN_ASSIGNS) ? refuse(model, text, "it only assigns a variable")
                                                : IR_OK;
  }
  if (dots == NULL)
    return report_unknown(model, text);
  /* names can contain dots too: try each ".." as the separator */
  for (const char *at = dots; at != NULL && code == IR_OK && !(known[0] && known[1]); at = strstr(at + 1, ".."))
    code = find_ends(model, text, at, ends, names, known);
  if (code == IR_OK && !(known[0] && known[1])) {
    code = find_ends(model, text, dots, ends, names, known);
    return code == IR_OK ? report_unknown(model, names[known[0] ? 1 : 0]) : code;
  }
  c->is_whole = code == IR_OK && names[0][0] == '\0' && names[1][0] == '\0';
  ends[1] = behind_result(model, ends[1]);
  if (code == IR_OK)
    code = mark_between(c, ends);
  if (code == IR_OK)
    code = leave_out_assigns(c);
  *out_end = ends[1];
  if (code == IR_OK && ends[1].layer != NONE && !c->inside[ends[1].layer])
    code = refuse(model, text,
                  ir_op_is(model->nodes[ends[1].layer].op, IR_RUN_ASSIGNS)
                      ? "what stands behind the dots only assigns a variable"
                  : ends[0].layer != NONE ? "what stands behind the dots does not need what stands before"
                                          : "what stands behind the dots is no layer that computes");
  return code;
}

static ir_code find_cut(cutting *c, const char *text, irrun_cut *out) {
  irrun_model *model = c->model;
  const size_t n = model->graph.n_layers;
  cut_end end;
  if (model->graph.dialect != IR_OPENVINO || ir_is_legacy(&model->graph)) {
    ir_code code = refuse(model, text, "the model is no IR of version 10 or 11");
    ir_hint(&model->context->diags, "convert it first: --convert OUT.xml");
    return code;
  }
  find_fixed(c);
  ir_code code = find_layers(c, text, &end);
  if (code == IR_OK && end.layer != NONE && ir_node_lacks_ports(&model->nodes[end.layer]))
    code = refuse(model, text, "the file leaves out an output port of this layer");
  if (code == IR_OK) {
    add_fixed(c);
    if (!(c->is_whole ? add_whole(c) : add_ends(c, end)))
      code = ir_out_of_memory(&model->context->diags);
  }
  const ir_layer *foreign = code == IR_OK ? ir_find_foreign_bytes(model, c->has) : NULL;
  if (foreign != NULL) {
    code = refuse(model, text, "where a layer of an extension has its bytes in the .bin is not known");
    ir_note(&model->context->diags, ir_layer_where(&model->graph, foreign, foreign->type_at), "it is layer '%s'",
            foreign->name);
  }
  if (code == IR_OK && c->n_outputs == 0)
    code = refuse(model, text, "nothing is computed there");
  if (code != IR_OK)
    return code;
  *out = (irrun_cut){.n_inputs = c->n_inputs, .n_outputs = c->n_outputs, .has_layer = c->has};
  for (size_t i = 0; i < n; i++)
    out->n_layers += c->inside[i];
  irrun_cut_tensor *tensors = ir_arena_array(&model->arena, (size_t)(c->n_inputs + c->n_outputs), sizeof *tensors);
  if (tensors == NULL)
    return ir_out_of_memory(&model->context->diags);
  if (c->n_inputs > 0)
    memcpy(tensors, c->inputs, (size_t)c->n_inputs * sizeof *tensors);
  memcpy(tensors + c->n_inputs, c->outputs, (size_t)c->n_outputs * sizeof *tensors);
  out->inputs = tensors;
  out->outputs = tensors + c->n_inputs;
  return IR_OK;
}

irrun_status irrun_model_find_cut(irrun_model *model, const char *text, irrun_cut *out) {
  const size_t n = model->graph.n_layers;
  irrun_cut cut = {0};
  ir_code code = ir_give_struct(&model->context->diags, &cut, sizeof cut, out);
  if (code != IR_OK)
    return ir_status(code);
  if (model->status != IRRUN_OK)
    return model->status;
  bool *marks = ir_arena_array(&model->arena, 3 * n + 1, sizeof *marks);
  if (marks == NULL)
    return ir_status(ir_out_of_memory(&model->context->diags));
  memset(marks, 0, 3 * n + 1);
  cutting c = {.model = model,
               .fixed = marks,
               .inside = marks + n,
               .has = marks + 2 * n,
               .numbers.memory = &model->context->memory};
  code = find_cut(&c, text, &cut);
  if (code == IR_OK)
    ir_give_struct(&model->context->diags, &cut, sizeof cut, out);
  ir_free(&model->context->memory, c.inputs);
  ir_free(&model->context->memory, c.outputs);
  ir_tensor_numbers_reset(&c.numbers);
  return ir_status(code);
}
