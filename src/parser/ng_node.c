/* Reads a node of `ops`: its names, op, inputs and outputs. */
#include "base/limits.h"
#include "base/number_text.h"
#include "ng_reader.h"
#include <string.h>

static bool keep_text(ng_reader *reader, const ng_value *string, const char **out_text, ir_at *out_at) {
  const char *text = ng_string_of(string);
  *out_text = ir_intern_text(reader->intern, text, strlen(text));
  *out_at = ng_inner_at(reader->tree, string);
  return *out_text != NULL;
}

/* ---- names and op ---- */

/* Reads a required field that must not be empty. */
static const ng_value *read_word(ng_reader *reader, const ng_node *node, const char *field, bool *at_fault) {
  const ng_value *word = ng_field(reader, &node->layer, node->object, field, true, at_fault);
  if (word != NULL && *ng_string_of(word) == '\0') {
    ir_where where = ng_where(reader, &node->layer, ng_at(reader->tree, word));
    where.attribute = field;
    ir_report(reader->diags, IR206_ATTRIBUTE_NOT_PARSABLE, where, "the %s of the node is empty", field);
    *at_fault = true;
  }
  return word;
}

static ir_code read_names(ng_reader *reader, ng_node *node) {
  ir_layer *layer = &node->layer;
  bool at_fault = false;
  layer->name = layer->type = layer->opset = "";
  const ng_value *name = read_word(reader, node, "name", &at_fault);
  reader->names_unreliable = reader->names_unreliable || at_fault;
  if (name != NULL) {
    node->name = ng_string_of(name);
    if (!keep_text(reader, name, &layer->name, &layer->name_at))
      return ir_out_of_memory(reader->diags);
    layer->id_at = layer->name_at;
  }
  const ng_value *friendly = ng_field(reader, layer, node->object, "friendly_name", false, &at_fault);
  if (friendly != NULL && *ng_string_of(friendly) != '\0' &&
      !keep_text(reader, friendly, &layer->name, &layer->name_at))
    return ir_out_of_memory(reader->diags);
  layer->broken = layer->broken || at_fault;
  if (strlen(layer->name) > IR_MAX_LAYER_NAME)
    return ir_report(reader->diags, IR004_LIMIT_EXCEEDED, ng_where(reader, NULL, layer->name_at),
                     "more than %d bytes in the name of a node", IR_MAX_LAYER_NAME);
  return IR_OK;
}

static ir_code read_op(ng_reader *reader, ng_node *node) {
  ir_layer *layer = &node->layer;
  bool at_fault = false;
  const ng_value *op = read_word(reader, node, "op", &at_fault);
  const ng_value *version = ng_field(reader, layer, node->object, "op_version", false, &at_fault);
  if (op != NULL && !keep_text(reader, op, &layer->type, &layer->type_at))
    return ir_out_of_memory(reader->diags);
  const char *text = "0";
  size_t length = 1;
  if (version != NULL) {
    int64_t number;
    at_fault = !ng_field_number(reader, layer, version, &number) || at_fault;
    layer->opset_at = ng_at(reader->tree, version);
    text = ng_bytes(reader->tree, layer->opset_at);
    length = layer->opset_at.length;
  } else {
    layer->opset_at = layer->type_at;
  }
  layer->opset = at_fault ? "" : ir_intern_text(reader->intern, text, length);
  layer->broken = layer->broken || at_fault;
  node->is_parameter = strcmp(layer->type, "Parameter") == 0;
  node->is_result = strcmp(layer->type, "Result") == 0;
  return layer->opset == NULL ? ir_out_of_memory(reader->diags) : IR_OK;
}

/* ---- inputs ---- */

/* Returns the field `n` of a GetOutputElement; NULL for another op. */
static const ng_value *element_of(const ng_node *node) {
  return strcmp(node->layer.type, "GetOutputElement") == 0 ? ng_member(node->object, "n") : NULL;
}

/* Returns the number in field `n`; -1 if it is unreadable, which is reported later, with the node's attributes. */
static int64_t element_number(const ng_reader *reader, const ng_value *n) {
  const ir_at at = ng_at(reader->tree, n);
  int64_t number;
  const bool ok = ng_kind_of(n) == NG_NUMBER &&
                  ir_text_number(ng_bytes(reader->tree, at), at.length, &number) == IR_NUMBER_OK && number >= 0;
  return ok ? number : -1;
}

/* Sets the output port of the producer. If the item is a plain name, the port is the `n` of a GetOutputElement, else 0.
 * If the item has its own index, the port is that index, and a different `n` is reported. */
static void take_element(ng_reader *reader, const ng_node *node, const ng_value *item, ng_input *input) {
  const ng_value *n = element_of(node);
  const int64_t number = n == NULL ? 0 : element_number(reader, n);
  if (ng_kind_of(item) == NG_STRING) {
    input->port = number;
    return;
  }
  if (n == NULL || number < 0 || input->port < 0 || number == input->port)
    return;
  ir_where where = ng_where(reader, &node->layer, ng_at(reader->tree, n));
  where.attribute = "n";
  ir_report_as(reader->diags, IR209_ATTRIBUTE_WITHOUT_EFFECT, IR_WARNING, where,
               "'n' is %lld, and the input names output %lld, which holds", (long long)number, (long long)input->port);
}

static void read_input(ng_reader *reader, ng_node *node, const ng_value *item, ng_input *input) {
  ir_layer *layer = &node->layer;
  bool at_fault = false;
  *input = (ng_input){.from = -1, .at = ng_at(reader->tree, item)};
  input->node_at = input->port_at = input->at;
  if (ng_kind_of(item) == NG_STRING) {
    input->name = ng_string_of(item);
    input->node_at = ng_inner_at(reader->tree, item);
    take_element(reader, node, item, input);
  } else if (ng_kind_of(item) == NG_OBJECT) {
    const ng_value *name = ng_field(reader, layer, item, "node", true, &at_fault);
    const ng_value *index = ng_field(reader, layer, item, "index", true, &at_fault);
    if (name != NULL) {
      input->name = ng_string_of(name);
      input->node_at = ng_inner_at(reader->tree, name);
    }
    if (index != NULL) {
      input->port_at = ng_at(reader->tree, index);
      at_fault = !ng_field_number(reader, layer, index, &input->port) || at_fault;
      take_element(reader, node, item, input);
    }
  } else {
    ng_report_kind(reader, layer, item, "an input", "the name of a node, or an object with 'node' and 'index'");
    at_fault = true;
  }
  if (at_fault || input->port < 0) {
    input->name = NULL;
    layer->broken = true;
  }
}

static ir_code report_ports(ng_reader *reader, const ir_layer *layer, const ng_value *item) {
  return ir_report(reader->diags, IR004_LIMIT_EXCEEDED, ng_where(reader, layer, ng_at(reader->tree, item)),
                   "more than %lld inputs or outputs of one node", (long long)IR_MAX_PORTS);
}

/* Appends an input to `reader->inputs`. A code other than IR_OK ends the reading of the file. */
static ir_code add_input(ng_reader *reader, ng_node *node, const ng_value *item) {
  void *inputs = reader->inputs;
  if (node->n_inputs >= IR_MAX_PORTS)
    return report_ports(reader, &node->layer, item);
  if (reader->n_inputs >= (size_t)IR_MAX_EDGES)
    return ir_report(reader->diags, IR004_LIMIT_EXCEEDED, ng_where(reader, &node->layer, ng_at(reader->tree, item)),
                     "more than %lld inputs in the model", (long long)IR_MAX_EDGES);
  if (!ir_reserve(reader->graph->memory, &inputs, reader->n_inputs, &reader->inputs_capacity, sizeof *reader->inputs))
    return ir_out_of_memory(reader->diags);
  reader->inputs = inputs;
  read_input(reader, node, item, &reader->inputs[reader->n_inputs++]);
  node->n_inputs++;
  return IR_OK;
}

static ir_code read_inputs(ng_reader *reader, ng_node *node) {
  ir_layer *layer = &node->layer;
  node->first_input = reader->n_inputs;
  const ng_value *inputs = ng_field(reader, layer, node->object, "inputs", false, &layer->broken);
  const bool is_list = inputs != NULL && ng_kind_of(inputs) == NG_ARRAY;
  for (const ng_value *item = is_list ? ng_first(inputs) : NULL; item != NULL; item = ng_next(item)) {
    ir_code code = add_input(reader, node, item);
    if (code != IR_OK)
      return code;
  }
  layer->n_inputs = node->n_inputs;
  layer->inputs = ir_arena_array(&reader->graph->arena, (size_t)node->n_inputs, sizeof *layer->inputs);
  if (node->n_inputs > 0 && layer->inputs == NULL)
    return ir_out_of_memory(reader->diags);
  for (int32_t i = 0; i < node->n_inputs; i++)
    layer->inputs[i] = (ir_port){
        .id = i, .type = IR_DYNAMIC, .rank = IR_RANK_UNKNOWN, .at = reader->inputs[node->first_input + (size_t)i].at};
  return IR_OK;
}

/* ---- outputs ---- */

const char *ng_name_list(ng_reader *reader, const char *name) {
  size_t n = 0;
  for (const char *c = name; *c != '\0'; c++)
    n += *c == ',' ? 2 : 1;
  char *list = ir_arena_alloc(&reader->graph->arena, n + 1), *to = list;
  for (const char *c = name; list != NULL && *c != '\0'; c++) {
    if (*c == ',')
      *to++ = '\\';
    *to++ = *c;
  }
  return list;
}

static bool read_output(ng_reader *reader, ng_node *node, const ng_value *item, ir_port *port) {
  port->at = ng_at(reader->tree, item);
  if (ng_kind_of(item) != NG_STRING) {
    ng_report_kind(reader, &node->layer, item, "an output", "the name of a tensor");
    node->layer.broken = true;
    return true;
  }
  port->names_at = ng_inner_at(reader->tree, item);
  port->names = ng_name_list(reader, ng_string_of(item));
  return port->names != NULL;
}

static ir_code read_outputs(ng_reader *reader, ng_node *node) {
  ir_layer *layer = &node->layer;
  const ng_value *outputs = ng_field(reader, layer, node->object, "outputs", false, &layer->broken);
  const ng_value *first = outputs != NULL && ng_kind_of(outputs) == NG_ARRAY ? ng_first(outputs) : NULL;
  int32_t n = 0;
  for (const ng_value *item = first; item != NULL; item = ng_next(item))
    if (++n > IR_MAX_PORTS)
      return report_ports(reader, layer, item);
  layer->n_outputs = n > 0 ? n : 1;
  layer->outputs = ir_arena_array(&reader->graph->arena, (size_t)layer->n_outputs, sizeof *layer->outputs);
  if (layer->outputs == NULL)
    return ir_out_of_memory(reader->diags);
  for (int32_t i = 0; i < layer->n_outputs; i++)
    layer->outputs[i] = (ir_port){.id = i, .type = IR_DYNAMIC, .rank = IR_RANK_UNKNOWN, .at = layer->at};
  n = 0;
  for (const ng_value *item = first; item != NULL; item = ng_next(item))
    if (!read_output(reader, node, item, &layer->outputs[n++]))
      return ir_out_of_memory(reader->diags);
  if (node->is_result) {
    layer->output_names = layer->outputs[0].names;
    layer->output_names_at = layer->outputs[0].names_at;
    layer->n_outputs = 0;
  }
  return IR_OK;
}

ir_code ng_read_node(ng_reader *reader, ng_node *node) {
  ir_layer *layer = &node->layer;
  layer->at = ng_at(reader->tree, node->object);
  ir_code code = read_names(reader, node);
  if (code == IR_OK)
    code = read_op(reader, node);
  if (code == IR_OK)
    code = read_inputs(reader, node);
  if (code == IR_OK)
    code = read_outputs(reader, node);
  return code == IR_OK ? ng_read_attrs(reader, node) : code;
}
