#include "report_json.h"

#include <stdlib.h>
#include <string.h>

void cli_json_dims(cli_node *parent, const char *key, const int64_t *dims, int rank) {
  cli_node *list = cli_node_array(parent, key);
  for (int axis = 0; axis < rank; axis++)
    cli_node_integer(list, NULL, dims[axis]);
}

void cli_json_shape(cli_node *parent, const char *key, const irrun_shape *shape) {
  if (shape->rank < 0) {
    cli_node_null(parent, key);
    return;
  }
  cli_node *list = cli_node_array(parent, key);
  for (int axis = 0; axis < shape->rank; axis++) {
    int64_t lo = shape->dims[axis].lo, hi = shape->dims[axis].hi;
    if (lo == hi) {
      cli_node_integer(list, NULL, lo);
    } else if (lo <= 0 && hi == INT64_MAX) {
      cli_node_null(list, NULL);
    } else {
      cli_node *dim = cli_node_object(list, NULL);
      cli_node_integer(dim, "min", lo);
      if (hi == INT64_MAX)
        cli_node_null(dim, "max");
      else
        cli_node_integer(dim, "max", hi);
    }
  }
}

static void add_value(cli_node *node, const irrun_value *value) {
  static const irrun_shape none = {.rank = -1};
  static const char *const words[] = {[IRRUN_NOT_DECLARED] = NULL,
                                      [IRRUN_DECLARED_OK] = "ok",
                                      [IRRUN_DECLARED_DIFFERS] = "differs",
                                      [IRRUN_DECLARED_BELIEVED] = "believed",
                                      [IRRUN_DECLARED_UNCHECKED] = "unchecked"};
  bool declared = value->declared != IRRUN_NOT_DECLARED;
  cli_node_text(node, "type", value->known ? irrun_type_name(value->type) : NULL);
  cli_json_shape(node, "shape", value->known ? &value->shape : &none);
  cli_node_text(node, "declared_type", declared ? irrun_type_name(value->declared_type) : NULL);
  cli_json_shape(node, "declared", declared ? &value->declared_shape : &none);
  cli_node_text(node, "declaration", words[value->declared]);
  cli_node_count(node, "bytes", value->bytes);
  if (value->names != NULL)
    cli_node_text(node, "names", value->names);
}

static void add_ports(cli_node *node, irrun_model *model, int64_t index, const irrun_layer *layer) {
  cli_node *inputs = cli_node_array(node, "inputs"), *outputs;
  irrun_value value = {.size = sizeof value};
  for (int port = 0; irrun_model_get_layer_input(model, index, port, &value); port++) {
    cli_node *item = cli_node_object(inputs, NULL);
    cli_string from = {0};
    if (value.from_id != NULL)
      cli_add(&from, "%s:%d", value.from_id, value.from_port);
    cli_node_text(item, "from", from.text);
    add_value(item, &value);
    cli_reset(&from);
  }
  outputs = cli_node_array(node, "outputs");
  for (int port = 0; port < layer->n_outputs && irrun_model_get_layer_output(model, index, port, &value); port++)
    add_value(cli_node_object(outputs, NULL), &value);
}

/* Finds the kind of an attribute in the op table: "int list"; "" if the attribute is unknown. */
static void find_kind(irrun_context *context, const irrun_layer *layer, const char *name, cli_string *out_kind) {
  irrun_op op = {.size = sizeof op};
  irrun_op_attribute attribute = {.size = sizeof attribute};
  cli_clear(out_kind);
  for (int64_t i = 0; irrun_op_get(i, &op); i++) {
    if (op.version != layer->version || strcmp(op.type, layer->type) != 0)
      continue;
    for (int k = 0; irrun_op_get_attribute(context, i, k, &attribute); k++)
      if (strcmp(attribute.name, name) == 0)
        cli_add(out_kind, "%s", attribute.kind);
    return;
  }
}

/* Adds the text "2, 2" as the array [2, 2]. If an item is no integer, adds nothing and returns false. */
static bool add_integers(cli_node *parent, const char *name, const char *text, bool list) {
  int64_t numbers[IRRUN_MAX_RANK];
  int n_numbers = 0;
  while (n_numbers < IRRUN_MAX_RANK) {
    char *end;
    numbers[n_numbers++] = strtoll(text, &end, 10);
    if (end == text)
      return false;
    text = end + strspn(end, " \t\n\r");
    if (*text != ',')
      break;
    text++;
  }
  if (*text != '\0' || (!list && n_numbers != 1))
    return false;
  if (list)
    cli_json_dims(parent, name, numbers, n_numbers);
  else
    cli_node_integer(parent, name, numbers[0]);
  return true;
}

static void add_attributes(cli *c, cli_node *node, irrun_model *model, int64_t index, const irrun_layer *layer) {
  cli_node *attributes = cli_node_object(node, "attributes");
  cli_string kind = {0};
  const char *name, *value;
  for (int i = 0; irrun_model_get_layer_attribute(model, index, i, &name, &value); i++) {
    if (value == NULL)
      continue;
    find_kind(c->context, layer, name, &kind);
    bool is_list = strcmp(cli_text(&kind), "int list") == 0, is_integer = strcmp(cli_text(&kind), "int") == 0;
    bool is_flag = strcmp(cli_text(&kind), "bool") == 0;
    if ((is_list || is_integer) && add_integers(attributes, name, value, is_list))
      continue;
    if (is_flag && (strcmp(value, "true") == 0 || strcmp(value, "false") == 0))
      cli_node_flag(attributes, name, value[0] == 't');
    else
      cli_node_text(attributes, name, value);
  }
  cli_reset(&kind);
}

static void add_layer(cli *c, cli_node *list, irrun_model *model, int64_t index, const irrun_layer *layer) {
  cli_node *node = cli_node_object(list, NULL);
  cli_node_scalar(node, "id", layer->id);
  cli_node_text(node, "name", layer->name);
  cli_node_names(node, "inside", layer->inside, layer->n_inside);
  cli_node_text(node, "op", layer->type);
  cli_node_count(node, "version", layer->version);
  cli_node_text(node, "opset", layer->opset);
  cli_node_integer(node, "line", layer->line);
  cli_node_integer(node, "column", layer->column);
  cli_node_flag(node, "runnable", layer->runnable);
  cli_node_flag(node, "live", layer->live);
  cli_node_text(node, "formula", layer->formula);
  cli_node_count(node, "macs", layer->cost);
  cli_node_integer(node, "constant_bytes", layer->constant_bytes);
  add_ports(node, model, index, layer);
  add_attributes(c, node, model, index, layer);
}

static void add_io(cli_node *node, const char *key, irrun_model *model, irrun_side side) {
  cli_node *list = cli_node_array(node, key);
  irrun_io io = {.size = sizeof io};
  irrun_layer layer = {.size = sizeof layer};
  for (int64_t i = 0; irrun_model_get_io(model, side, i, &io); i++) {
    cli_node *item = cli_node_object(list, NULL);
    cli_node_text(item, "name", io.name);
    cli_node_text(item, "layer", irrun_model_get_layer(model, io.layer, &layer) ? layer.name : NULL);
    static const irrun_shape none = {.rank = -1};
    cli_node_text(item, "type", io.value.known ? irrun_type_name(io.value.type) : NULL);
    cli_json_shape(item, "shape", io.value.known ? &io.value.shape : &none);
  }
}

static void add_missing_ops(cli_node *node, irrun_model *model) {
  cli_op_count ops[CLI_MAX_OPS];
  int n_ops = cli_find_missing_ops(model, ops);
  cli_node *list = cli_node_array(node, "missing_ops");
  for (int i = 0; i < n_ops; i++) {
    cli_node *item = cli_node_object(list, NULL);
    cli_node_text(item, "op", ops[i].type);
    cli_node_integer(item, "version", ops[i].version);
    cli_node_integer(item, "layers", ops[i].n_layers);
  }
}

void cli_json_model(cli *c, cli_node *node, irrun_model *model, const char *path, irrun_status status) {
  cli_node_printable(node, "path", path);
  cli_node_text(node, "verdict", cli_verdict(status));
  if (model == NULL) {
    cli_node_array(node, "diagnostics");
    return;
  }
  irrun_model_info info = cli_model_info(model);
  cli_node_text(node, "kind", info.kind);
  cli_node_text(node, "name", info.name);
  cli_node_integer(node, "ir_version", info.ir_version);
  add_io(node, "inputs", model, IRRUN_INPUTS);
  add_io(node, "outputs", model, IRRUN_OUTPUTS);
  cli_node *layers = cli_node_array(node, "layers");
  irrun_layer layer = {.size = sizeof layer};
  for (int64_t i = 0; irrun_model_get_layer(model, i, &layer); i++)
    add_layer(c, layers, model, i, &layer);
  add_missing_ops(node, model);
  cli_node_array(node, "diagnostics");
}

void cli_json_difference(cli_node *list, const char *layer, const char *what, const char *before, const char *after) {
  cli_node *node = cli_node_object(list, NULL);
  cli_node_text(node, "layer", layer);
  cli_node_text(node, "what", what);
  cli_node_text(node, "old", before);
  cli_node_text(node, "new", after);
}
