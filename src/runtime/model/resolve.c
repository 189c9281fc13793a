/* Finds the op table's row for each layer by type and opset, and binds attributes to params. */
#include "base/message_text.h"
#include "ops/bind.h"
#include "ops/registry.h"
#include "runtime/model/node_values.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Sets poisoned outputs. Nodes that inference will set later share model->poisoned_outputs. A node without an op, or
 * with many outputs, gets its own. */
static bool give_outputs(irrun_model *model, ir_node *node) {
  bool own = node->op == NULL || node->n_outputs > IR_MAX_OP_PORTS;
  size_t n = own ? (size_t)node->n_outputs : IR_MAX_OP_PORTS;
  node->outputs = own ? NULL : model->poisoned_outputs;
  if (node->outputs != NULL || n == 0)
    return true;
  node->outputs = ir_arena_array(&model->arena, n, sizeof *node->outputs);
  for (size_t p = 0; node->outputs != NULL && p < n; p++)
    node->outputs[p] = (ir_value){.poisoned = true, .shape = ir_shape_unknown()};
  if (!own)
    model->poisoned_outputs = node->outputs;
  return node->outputs != NULL;
}

/* Warns of a type in the wrong case, and replaces it by the specification's spelling. OpenVINO keeps only the layers
 * that a layer of the exact type Result or Assign needs, so it drops a misspelt Result silently. */
static void take_spelling(irrun_model *model, ir_layer *layer, const char *type) {
  const bool is_end = strcmp(type, "Result") == 0 || strcmp(type, "Assign") == 0;
  ir_report_as(&model->context->diags, IR201_UNKNOWN_OP, IR_WARNING,
               ir_layer_where(&model->graph, layer, layer->type_at),
               is_end ? "the type is '%s', which OpenVINO leaves out in silence; the spec spells it '%s'"
                      : "the type is '%s', which OpenVINO reads; the spec spells it '%s'",
               layer->type, type);
  layer->type = type;
}

ir_code ir_model_lookup(irrun_model *model) {
  ir_graph *graph = &model->graph;
  model->nodes = ir_arena_array(&model->arena, graph->n_layers + 1, sizeof *model->nodes);
  model->declared = ir_arena_array(&model->arena, graph->n_layers + 1, sizeof *model->declared);
  if (model->nodes == NULL || model->declared == NULL)
    return ir_out_of_memory(&model->context->diags);
  ir_op_match match = {.op = NULL};
  const char *type = NULL, *opset = NULL;
  for (size_t i = 0; i < graph->n_layers; i++) {
    ir_node *node = &model->nodes[i];
    ir_layer *layer = &graph->layers[i];
    node->layer = layer;
    /* most layers repeat the type and opset of the previous layer; texts are interned, so pointers are compared */
    if (layer->type != type || layer->opset != opset)
      match = ir_op_find(graph->dialect, layer->type, layer->opset);
    type = layer->type;
    opset = layer->opset;
    layer->op_version = match.version;
    layer->has_version = match.result == IR_OP_FOUND || match.result == IR_OP_NOT_HERE;
    if (match.type != NULL)
      take_spelling(model, layer, match.type);
    node->op = match.op;
    node->n_inputs = node->layer->n_inputs;
    node->n_outputs = node->op == NULL || ir_op_any_outputs(node->op) ? layer->n_outputs : ir_op_n_outputs(node->op);
    if (!give_outputs(model, node))
      return ir_out_of_memory(&model->context->diags);
  }
  return IR_OK;
}

/* Sets the outputs of a layer whose op irrun lacks to their declared values. */
static void assume_declared(ir_node *node) {
  node->assumed = true;
  for (int32_t p = 0; p < node->n_outputs; p++) {
    node->outputs[p] = ir_port_value(&node->layer->outputs[p]);
    node->outputs[p].contents_unavailable = true;
  }
}

/* An op that irrun lacks, and a count of its layers. It is reported once, at its first layer. */
typedef struct missing_op {
  const char *type;
  int version;
  int64_t n_layers, n_live;
  const ir_layer *first;
} missing_op;

typedef struct missing_ops {
  const ir_memory *memory;
  missing_op *ops;
  size_t n, capacity;
} missing_ops;

typedef struct unresolved_ops {
  missing_ops missing, extensions; /* ops of extensions have the version 0 */
} unresolved_ops;

static bool add_missing(missing_ops *missing, const ir_node *node, int version) {
  size_t i = 0;
  while (i < missing->n && (missing->ops[i].version != version || strcmp(missing->ops[i].type, node->layer->type) != 0))
    i++;
  if (i == missing->n) {
    void *ops = missing->ops;
    if (!ir_reserve(missing->memory, &ops, missing->n, &missing->capacity, sizeof *missing->ops))
      return false;
    missing->ops = ops;
    missing->ops[missing->n++] = (missing_op){.type = node->layer->type, .version = version, .first = node->layer};
  }
  missing->ops[i].n_layers++;
  missing->ops[i].n_live += node->live;
  return true;
}

static void report_missing(irrun_model *model, const missing_ops *missing) {
  for (size_t i = 0; i < missing->n; i++) {
    const missing_op *op = &missing->ops[i];
    model->n_missing += op->n_layers;
    char layers[64] = "";
    if (op->n_layers > 1)
      snprintf(layers, sizeof layers, " (%lld layers, the first is here)", (long long)op->n_layers);
    ir_report_as(&model->context->diags, IR210_NOT_RUNNABLE_HERE, op->n_live > 0 ? IR_ERROR : IR_WARNING,
                 ir_layer_where(&model->graph, op->first, op->first->type_at), "irrun does not have %s-%d%s", op->type,
                 op->version, layers);
    ir_hint(&model->context->diags,
            model->graph.dialect == IR_NGRAPH
                ? "nothing behind it can be checked; 'irrun --list-ops' lists what runs"
                : "what its outputs declare is believed, so that the rest is checked; 'irrun --list-ops' lists what "
                  "runs");
  }
}

/* Prints names of ops: "Tokens, Split, and 3 more". */
static void extension_names(const missing_ops *extensions, char *text, size_t size) {
  enum { MOST_NAMES = 12 };
  size_t used = 0;
  for (size_t i = 0; i < extensions->n && i < MOST_NAMES && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", extensions->ops[i].type);
  if (extensions->n > MOST_NAMES && used < size)
    snprintf(text + used, size - used, ", and %zu more", extensions->n - MOST_NAMES);
}

/* Notes that outputs of extension ops are assumed. The model has no fault: irrun cannot know extension ops. */
static void note_extensions(irrun_model *model, const missing_ops *extensions) {
  char names[1024];
  int64_t n_layers = 0;
  const ir_layer *first = extensions->ops[0].first;
  for (size_t i = 0; i < extensions->n; i++)
    n_layers += extensions->ops[i].n_layers;
  extension_names(extensions, names, sizeof names);
  ir_report_as(&model->context->diags, IR210_NOT_RUNNABLE_HERE, IR_NOTE,
               ir_layer_where(&model->graph, first, first->type_at), "%s of %s %s believed: %s",
               ir_count(n_layers, "layer").text, ir_count((int64_t)extensions->n, "extension op").text,
               n_layers == 1 ? "is" : "are", names);
  ir_hint(&model->context->diags, "their outputs are taken as declared; a run that needs one is refused");
}

static void report_extensions(irrun_model *model, const missing_ops *extensions) {
  if (extensions->n > 0 && model->purpose != IRRUN_TO_RUN)
    note_extensions(model, extensions);
  for (size_t i = 0; i < extensions->n && model->purpose == IRRUN_TO_RUN; i++) {
    const missing_op *op = &extensions->ops[i];
    ir_report_as(&model->context->diags, IR210_NOT_RUNNABLE_HERE, op->n_live > 0 ? IR_ERROR : IR_NOTE,
                 ir_layer_where(&model->graph, op->first, op->first->type_at),
                 "'%s' is an op of the extension '%s', which irrun does not have", op->type, op->first->opset);
  }
}

static void report_opset(irrun_model *model, const ir_layer *layer) {
  ir_diags *diags = &model->context->diags;
  ir_report(diags, IR202_UNKNOWN_OPSET, ir_layer_where(&model->graph, layer, layer->opset_at),
            "unknown opset '%s'; there are opset1 to opset%d", layer->opset, ir_opset_last());
  if (strncasecmp(layer->opset, "opset", 5) == 0 && strncmp(layer->opset, "opset", 5) != 0)
    ir_hint(diags, "write it in lower case");
}

/* Reports a type that nGraph does not have, or an op_version that the type does not have. */
static void report_no_ngraph_op(irrun_model *model, const ir_layer *layer, const ir_op_match *match,
                                ir_severity severity) {
  ir_diags *diags = &model->context->diags;
  ir_where opset_where = ir_layer_where(&model->graph, layer, layer->opset_at);
  char versions[48];
  if (match->opset_first == match->opset_last)
    snprintf(versions, sizeof versions, "%d alone", match->opset_first);
  else
    snprintf(versions, sizeof versions, "%d to %d", match->opset_first, match->opset_last);
  if (match->result == IR_OP_UNKNOWN_TYPE) {
    ir_report_as(diags, IR201_UNKNOWN_OP, severity, ir_layer_where(&model->graph, layer, layer->type_at),
                 "nGraph has no op '%s'", layer->type);
    if (match->meant != NULL)
      ir_hint(diags, "did you mean '%s'?", match->meant);
  } else if (match->result == IR_OP_NOT_IN_OPSET) {
    ir_report_as(diags, IR203_OP_NOT_IN_THIS_OPSET, severity, opset_where, "%s has no op_version %s; nGraph has %s",
                 layer->type, layer->opset, versions);
  } else {
    ir_report_as(diags, IR202_UNKNOWN_OPSET, severity, opset_where, "op_version is '%s', expected a whole number: %s",
                 layer->opset, versions);
  }
}

/* Reports the type or opset of a node that has no op. If the op exists but irrun lacks it, only adds the node to
 * `unresolved`. False when memory is out. */
static bool report_unresolved(irrun_model *model, ir_node *node, unresolved_ops *unresolved) {
  ir_diags *diags = &model->context->diags;
  const ir_layer *layer = node->layer;
  /* a node that is not live is never computed, so its unknown op is only a warning */
  ir_severity severity = node->live ? IR_ERROR : IR_WARNING;
  ir_where type_where = ir_layer_where(&model->graph, layer, layer->type_at);
  ir_where opset_where = ir_layer_where(&model->graph, layer, layer->opset_at);
  ir_op_match match = ir_op_find(model->graph.dialect, layer->type, layer->opset);
  if (model->graph.dialect == IR_NGRAPH && match.result != IR_OP_FOUND && match.result != IR_OP_NOT_HERE) {
    report_no_ngraph_op(model, layer, &match, severity);
    return true;
  }
  switch (match.result) {
  case IR_OP_FOUND:
    break;
  case IR_OP_NOT_HERE:
    assume_declared(node);
    return add_missing(&unresolved->missing, node, match.version);
  case IR_OP_NOT_IN_OPSET:
    ir_report_as(diags, IR203_OP_NOT_IN_THIS_OPSET, severity, opset_where,
                 "%s is not in %s; it is in opset%d to opset%d", layer->type, layer->opset, match.opset_first,
                 match.opset_last);
    break;
  case IR_OP_UNKNOWN_TYPE:
    ir_report_as(diags, IR201_UNKNOWN_OP, severity, type_where, "no opset of OpenVINO has an op '%s'", layer->type);
    if (match.meant != NULL)
      ir_hint(diags, "did you mean '%s'?", match.meant);
    if (!ir_opset_exists(layer->opset))
      report_opset(model, layer);
    break;
  case IR_OP_UNKNOWN_OPSET:
    report_opset(model, layer);
    break;
  case IR_OP_OF_EXTENSION:
    assume_declared(node);
    return add_missing(&unresolved->extensions, node, 0);
  }
  return true;
}

/* A cache of params, indexed by a hash of op and attributes. A layer shares the params of an earlier layer with equal
 * op and attributes that was bound without reports. Names and values are interned, so pointers are compared. */
#define N_SHARED 64

static size_t shared_slot(const ir_node *node) {
  uintptr_t hash = (uintptr_t)node->op;
  for (int32_t i = 0; i < node->layer->n_attrs; i++)
    hash = hash * 31 + ((uintptr_t)node->layer->attrs[i].value >> 3);
  return (hash ^ hash >> 7) % N_SHARED;
}

static bool same_attributes(const ir_node *a, const ir_node *b) {
  bool same = a->op == b->op && a->layer->n_attrs == b->layer->n_attrs;
  for (int32_t i = 0; same && i < a->layer->n_attrs; i++)
    same = a->layer->attrs[i].name == b->layer->attrs[i].name && a->layer->attrs[i].value == b->layer->attrs[i].value;
  return same;
}

static ir_code bind_node(ir_node *node, const ir_node **shared, ir_scope *scope) {
  const ir_node **slot = &shared[shared_slot(node)];
  if (*slot != NULL && same_attributes(*slot, node)) {
    node->params = (*slot)->params;
    return IR_OK;
  }
  int64_t before = scope->diags->n_raised;
  ir_code code = ir_bind_attributes(node, scope);
  if (code == IR_OK && scope->diags->n_raised == before && node->attrs_at_fault == 0)
    *slot = node;
  return code;
}

ir_code ir_model_bind(irrun_model *model) {
  const ir_node *shared[N_SHARED] = {NULL};
  ir_scope scope = ir_model_scope(model);
  const ir_memory *memory = model->graph.memory;
  unresolved_ops unresolved = {.missing = {.memory = memory}, .extensions = {.memory = memory}};
  ir_code code = IR_OK;
  for (size_t i = 0; i < model->graph.n_layers && code != IR_NO_MEMORY; i++) {
    ir_node *node = &model->nodes[i];
    /* the reader reported the missing type or opset */
    if (node->layer->type[0] == '\0' || node->layer->opset[0] == '\0')
      continue;
    if (node->op != NULL)
      code = bind_node(node, shared, &scope);
    else if (!report_unresolved(model, node, &unresolved))
      code = ir_out_of_memory(scope.diags);
  }
  report_missing(model, &unresolved.missing);
  report_extensions(model, &unresolved.extensions);
  ir_free(memory, unresolved.missing.ops);
  ir_free(memory, unresolved.extensions.ops);
  return code == IR_NO_MEMORY ? code : IR_OK;
}
