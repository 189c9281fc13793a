/* Implements the functions of irrun.h that return facts about a model: its layers, ports, inputs and outputs. */
#include "irrun_debug.h"
#include "runtime/model/body_models.h"
#include "runtime/model/names.h"
#include "runtime/model/node_values.h"
#include "runtime/tensor/tensor_block.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A layer that was found by its public number. The layers of the model itself are numbered first, then those of each
 * body. */
typedef struct place_of_layer {
  const irrun_model *model; /* the model or body that contains the layer; NULL: there is no such layer */
  ir_node *node;
} place_of_layer;

/* Binary search: the bodies are sorted by the numbers of their layers. */
static place_of_layer find_layer(const irrun_model *root, int64_t index) {
  const irrun_model *model = root;
  for (size_t low = 0, high = root->graph.n_bodies; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (root->bodies[middle]->first_layer <= index) {
      model = root->bodies[middle];
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (index < 0 || index - model->first_layer >= (int64_t)model->graph.n_layers)
    return (place_of_layer){.model = NULL};
  return (place_of_layer){model, &model->nodes[index - model->first_layer]};
}

static void set_inside(irrun_model *model, const ir_scope_path *scope_path, irrun_layer *out) {
  for (const ir_scope_path *at = scope_path; at != NULL; at = at->outer)
    out->n_inside++;
  int i = out->n_inside;
  for (const ir_scope_path *at = scope_path; at != NULL; at = at->outer)
    model->inside[--i] = at->name;
  out->inside = model->inside;
}

static int64_t value_bytes(const ir_value *value) {
  size_t bytes;
  if (value->poisoned || !ir_shape_known(&value->shape) || !ir_tensor_bytes(value->type, &value->shape, &bytes))
    return -1;
  return (int64_t)bytes;
}

/* Sets costs and formula of a node in `of`, the model or a body. */
static void add_costs(irrun_model *model, const irrun_model *of, const ir_node *node, irrun_layer *out) {
  const ir_memory *memory = &model->context->memory;
  const ir_value *few[IR_MAX_OP_PORTS], **in = few;
  const bool inferred = ir_is_inferred(node);
  if (inferred && node->n_inputs > IR_MAX_OP_PORTS)
    in = ir_alloc_zero(memory, (size_t)node->n_inputs, sizeof *in);
  if (!inferred || in == NULL)
    return;
  ir_gather_inputs(of->nodes, node, in);
  if (node->op->cost != NULL)
    out->cost = node->op->cost(node, in);
  if (node->op->formula != NULL) {
    node->op->formula(node, in, model->formula, sizeof model->formula);
    out->formula = model->formula[0] == '\0' ? NULL : model->formula;
  }
  if (in != few)
    ir_free(memory, in);
  if (ir_op_is(node->op, IR_RUN_CONSTANT) && value_bytes(&node->outputs[0]) > 0)
    out->constant_bytes = value_bytes(&node->outputs[0]);
}

bool irrun_model_get_layer(irrun_model *model, int64_t index, irrun_layer *out_layer) {
  const place_of_layer at = find_layer(model, index);
  const ir_node *node = at.node;
  if (at.model == NULL)
    return false;
  const ir_layer *layer = node->layer;
  ir_place place = {0, 0, 0};
  ir_source_place(model->graph.source, ir_span_of(layer->at), &place);
  snprintf(model->id_text, sizeof model->id_text, "%lld", (long long)layer->id);
  irrun_layer out = {.id = layer->id >= 0 ? model->id_text : "?",
                     .name = layer->name,
                     .type = layer->type,
                     .opset = layer->opset,
                     .version = layer->has_version ? layer->op_version : -1,
                     .runnable = node->op != NULL,
                     .live = node->live,
                     .varies = node->varies,
                     .owner = -1,
                     .line = place.line,
                     .column = place.column,
                     .n_inputs = node->n_inputs,
                     .n_outputs = node->n_outputs,
                     .n_attributes = layer->n_attrs,
                     .cost = -1};
  if (at.model->outer != NULL) {
    out.owner = at.model->outer->first_layer + ir_node_index(at.model->outer, at.model->owner);
    out.body = at.model->graph.number;
  }
  set_inside(model, layer->scope_path, &out);
  add_costs(model, at.model, node, &out);
  return ir_give_struct(&model->context->diags, &out, sizeof out, out_layer) == IR_OK;
}

bool irrun_model_get_layer_attribute(const irrun_model *model, int64_t layer, int attribute, const char **out_name,
                                     const char **out_value) {
  const ir_node *node = find_layer(model, layer).node;
  if (node == NULL || attribute < 0 || attribute >= node->layer->n_attrs)
    return false;
  *out_name = node->layer->attrs[attribute].name;
  *out_value = node->layer->attrs[attribute].value;
  return true;
}

static const ir_line *find_line(const irrun_model *model, int64_t layer, int line) {
  const ir_node *node = find_layer(model, layer).node;
  const ir_bodies *bodies = node == NULL ? NULL : node->layer->bodies;
  return bodies == NULL || line < 0 || line >= bodies->n_lines ? NULL : bodies->numbered[line];
}

const char *irrun_model_get_line(const irrun_model *model, int64_t layer, int line) {
  static const char *const kinds[IR_MOST_BODIES][3] = {{"port_map input", "port_map output", "back edge"},
                                                       {"else_port_map input", "else_port_map output", "back edge"}};
  const ir_line *found = find_line(model, layer, line);
  return found == NULL ? NULL : kinds[found->body][found->kind];
}

bool irrun_model_get_line_attribute(const irrun_model *model, int64_t layer, int line, int attribute,
                                    const char **out_name, const char **out_value) {
  const ir_line *found = find_line(model, layer, line);
  if (found == NULL || attribute < 0 || attribute >= found->layer.n_attrs)
    return false;
  const ir_raw_attr *attr = &found->layer.attrs[attribute];
  const ir_graph *body = find_layer(model, layer).node->layer->bodies->graphs[found->body];
  *out_name = attr->name;
  *out_value = attr->value;
  if (attr->value == NULL || body == NULL || strstr(attr->name, "layer") == NULL)
    return true;
  const ir_node *inner = ir_node_with_id(model->bodies[body->index], strtoll(attr->value, NULL, 10));
  if (inner != NULL)
    *out_value = inner->layer->name;
  return true;
}

bool irrun_model_keeps_elements(irrun_model *model, int64_t layer) {
  const ir_node *node = find_layer(model, layer).node;
  return node != NULL && node->op != NULL &&
         (node->op->function == IR_FUNCTION_VIEW || node->op->function == IR_FUNCTION_TRANSPOSE);
}

bool irrun_model_is_constant(irrun_model *model, int64_t layer) {
  const ir_node *node = find_layer(model, layer).node;
  return node != NULL && ir_op_is(node->op, IR_RUN_CONSTANT);
}

irrun_tensor *irrun_model_get_constant(irrun_model *model, int64_t layer) {
  const ir_node *node = find_layer(model, layer).node;
  if (!irrun_model_is_constant(model, layer) || node->n_outputs == 0 || node->params == NULL ||
      node->outputs[0].poisoned || value_bytes(&node->outputs[0]) < 0)
    return NULL;
  ir_scope scope = ir_model_scope(model);
  irrun_tensor *tensor = ir_tensor_handle(model->context);
  if (tensor == NULL)
    return NULL;
  scope.diags->muted++;
  ir_code code = node->op->run.contents(node, &node->outputs[0], &scope, &tensor->tensor);
  if (code == IR_OK && !ir_tensor_align(scope.memory, &tensor->tensor))
    code = IR_NO_MEMORY;
  scope.diags->muted--;
  if (code == IR_OK)
    return tensor;
  irrun_tensor_free(tensor);
  if (code == IR_NO_MEMORY)
    ir_out_of_memory(scope.diags);
  return NULL;
}

/* ---- values ---- */

static irrun_shape to_public_shape(const ir_shape *shape) {
  irrun_shape out = {.rank = shape->rank};
  for (int i = 0; i < shape->rank; i++) {
    out.dims[i].lo = shape->dims[i].lo;
    out.dims[i].hi = shape->dims[i].hi;
  }
  return out;
}

static ir_shape from_public_shape(const irrun_shape *shape) {
  ir_shape out = {.rank = shape->rank > IR_MAX_RANK ? IR_RANK_UNKNOWN : shape->rank};
  for (int i = 0; i < out.rank; i++)
    out.dims[i] = (ir_dim){shape->dims[i].lo, shape->dims[i].hi};
  return out;
}

const char *irrun_shape_text(const irrun_shape *shape, char *buffer, size_t size) {
  ir_shape internal = from_public_shape(shape);
  return ir_shape_text(&internal, buffer, size);
}

static void set_value(const ir_value *value, irrun_value *out) {
  *out = (irrun_value){
      .known = !value->poisoned, .from_layer = -1, .shape = {.rank = -1}, .declared_shape = {.rank = -1}, .bytes = -1};
  if (value->poisoned)
    return;
  out->type = (irrun_element_type)value->type;
  out->shape = to_public_shape(&value->shape);
  out->bytes = value_bytes(value);
}

static void set_declared(const ir_port *port, const ir_value *value, bool assumed, irrun_value *out) {
  ir_value declared = ir_port_value(port);
  if (declared.poisoned)
    return;
  out->declared_type = (irrun_element_type)declared.type;
  out->declared_shape = to_public_shape(&declared.shape);
  if (assumed)
    out->declared = IRRUN_DECLARED_BELIEVED;
  else if (value->poisoned)
    out->declared = IRRUN_DECLARED_UNCHECKED;
  else
    out->declared = ir_port_agrees(port, value) ? IRRUN_DECLARED_OK : IRRUN_DECLARED_DIFFERS;
}

static bool find_input(irrun_model *model, int64_t layer, int port, irrun_value *out) {
  const place_of_layer at = find_layer(model, layer);
  const ir_node *node = at.node;
  if (node == NULL || port < 0 || port >= node->n_inputs)
    return false;
  const ir_node *nodes = at.model->nodes;
  ir_link link = node->inputs[port];
  static const ir_value poisoned = {.poisoned = true};
  const ir_value *value = link.layer >= 0 ? &nodes[link.layer].outputs[link.port] : &poisoned;
  set_value(value, out);
  set_declared(&node->layer->inputs[port], value, false, out);
  if (link.layer < 0)
    return true;
  snprintf(model->from_text, sizeof model->from_text, "%lld", (long long)nodes[link.layer].layer->id);
  out->from_id = model->from_text;
  out->from_layer = at.model->first_layer + link.layer;
  out->from_port = link.port;
  return true;
}

static bool find_output(irrun_model *model, int64_t layer, int port, irrun_value *out) {
  const place_of_layer at = find_layer(model, layer);
  const ir_node *node = at.node;
  if (node == NULL || port < 0 || port >= node->n_outputs)
    return false;
  set_value(&node->outputs[port], out);
  if (port >= node->layer->n_outputs)
    return true;
  out->names = node->layer->outputs[port].names;
  const ir_declared_check *check = &at.model->declared[layer - at.model->first_layer];
  set_declared(&node->layer->outputs[port], &node->outputs[port],
               node->assumed || (check->assumed & ir_port_bit(port)) != 0, out);
  if (out->declared == IRRUN_DECLARED_OK && (check->differs & ir_port_bit(port)) != 0)
    out->declared = IRRUN_DECLARED_DIFFERS; /* a Parameter, whose shape was widened to both */
  return true;
}

bool irrun_model_get_layer_input(irrun_model *model, int64_t layer, int port, irrun_value *out) {
  irrun_value value;
  return find_input(model, layer, port, &value) &&
         ir_give_struct(&model->context->diags, &value, sizeof value, out) == IR_OK;
}

bool irrun_model_get_layer_output(irrun_model *model, int64_t layer, int port, irrun_value *out) {
  irrun_value value;
  return find_output(model, layer, port, &value) &&
         ir_give_struct(&model->context->diags, &value, sizeof value, out) == IR_OK;
}

bool irrun_model_get_io(irrun_model *model, irrun_side side, int64_t index, irrun_io *out) {
  if (index < 0 || index >= ir_names_count(model, side))
    return false;
  int32_t layer = side == IRRUN_INPUTS ? model->inputs[index] : model->outputs[index];
  irrun_io io = {.name = ir_name_shown(model, side, index), .layer = layer};
  if (!(side == IRRUN_INPUTS ? find_output : find_input)(model, layer, 0, &io.value))
    set_value(&(ir_value){.poisoned = true}, &io.value);
  io.value.size = out->size > offsetof(irrun_io, value) ? out->size - offsetof(irrun_io, value) : 0;
  return ir_give_struct(&model->context->diags, &io, sizeof io, out) == IR_OK;
}

bool irrun_model_get_info(const irrun_model *model, irrun_model_info *out) {
  const ir_weights *weights = model->graph.weights;
  size_t n_layers = model->graph.n_layers;
  for (size_t i = 0; i < model->graph.n_bodies; i++)
    n_layers += model->bodies[i]->graph.n_layers;
  const irrun_model_info info = {.path = model->path,
                                 .kind = model->graph.dialect == IR_NGRAPH ? "ngraph-json" : "openvino-ir",
                                 .name = model->graph.name != NULL ? model->graph.name : "",
                                 .weights = weights != NULL && weights->present ? weights->path : NULL,
                                 .ir_version = model->graph.version,
                                 .n_layers = (int64_t)n_layers,
                                 .n_inputs = model->n_inputs,
                                 .n_outputs = model->n_outputs,
                                 .n_missing = model->n_missing,
                                 .status = model->status,
                                 .errors = model->errors,
                                 .warnings = model->warnings};
  return ir_give_struct(&model->context->diags, &info, sizeof info, out) == IR_OK;
}
