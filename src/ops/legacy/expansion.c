#include "ops/legacy/expansion.h"
#include "ops/attr_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ATTRIBUTES = 24 }; /* of a made layer; DetectionOutput-1 has 17 */

/* ---- numbers ---- */

int64_t ir_plus(int64_t a, int64_t b) {
  int64_t sum;
  return ir_add(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

int64_t ir_times(int64_t a, int64_t b) {
  int64_t product;
  return ir_mul(a, b, &product) ? product : (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

void ir_expansion_begin(ir_expansion *x, const ir_node *node) {
  x->node = node;
  x->first = x->graph->n_layers;
  x->main = -1;
  x->names = NULL;
}

/* ---- the old layer ---- */

bool ir_has_old_input(const ir_expansion *x, int32_t i) {
  return i < x->node->n_inputs && x->node->inputs[i].layer >= 0;
}

ir_wire ir_old_input(const ir_expansion *x, int32_t i) {
  if (!ir_has_old_input(x, i))
    return (ir_wire){.layer = -1};
  return (ir_wire){x->node->inputs[i].layer, x->node->inputs[i].port, true};
}

/* The output port that feeds input i; else the input port itself. */
static const ir_port *port_of(const ir_expansion *x, int32_t i) {
  if (!ir_has_old_input(x, i))
    return i < x->node->n_inputs ? &x->node->layer->inputs[i] : NULL;
  const ir_link link = x->node->inputs[i];
  return &x->nodes[link.layer].layer->outputs[link.port];
}

static const ir_port *output_of(const ir_expansion *x, int32_t p) {
  return p < x->node->layer->n_outputs ? &x->node->layer->outputs[p] : NULL;
}

static int64_t dim_of(const ir_port *port, int axis) {
  return port != NULL && axis >= 0 && axis < port->rank && ir_dim_known(port->dims[axis]) ? port->dims[axis].lo : 0;
}

ir_type ir_old_type(const ir_expansion *x, int32_t i) {
  const ir_port *port = port_of(x, i);
  return port == NULL ? x->node->layer->precision : port->type;
}

ir_type ir_old_output_type(const ir_expansion *x, int32_t p) {
  const ir_port *port = output_of(x, p);
  return port == NULL ? x->node->layer->precision : port->type;
}

int ir_old_rank(const ir_expansion *x, int32_t i) {
  const ir_port *port = port_of(x, i);
  return port == NULL || port->rank < 0 ? 0 : port->rank;
}

int64_t ir_old_dim(const ir_expansion *x, int32_t i, int axis) {
  return dim_of(port_of(x, i), axis);
}

int ir_old_output_rank(const ir_expansion *x, int32_t p) {
  const ir_port *port = output_of(x, p);
  return port == NULL || port->rank < 0 ? 0 : port->rank;
}

int64_t ir_old_output_dim(const ir_expansion *x, int32_t p, int axis) {
  return dim_of(output_of(x, p), axis);
}

int ir_old_output_dims(const ir_expansion *x, int32_t p, int64_t *dims) {
  const int rank = ir_old_output_rank(x, p);
  for (int i = 0; i < rank; i++)
    dims[i] = ir_old_output_dim(x, p, i);
  return rank;
}

const ir_blob *ir_old_blob(const ir_expansion *x, const char *name) {
  const ir_blob *blob = x->node->layer->blobs;
  while (blob != NULL && strcmp(blob->name, name) != 0)
    blob = blob->next;
  return blob;
}

static ir_type blob_type(const ir_expansion *x, const ir_blob *blob) {
  return blob->type != IR_DYNAMIC ? blob->type : x->node->layer->precision;
}

int64_t ir_blob_elements(const ir_expansion *x, const ir_blob *blob) {
  const int bits = blob == NULL ? 0 : ir_type_bits(blob_type(x, blob));
  return bits == 0 || blob->size > INT64_MAX / 8 ? 0 : blob->size * 8 / bits;
}

/* ---- new layers ---- */

/* The layer of a wire; NULL if it was not made. */
static ir_layer *layer_of(const ir_expansion *x, ir_wire wire) {
  return wire.is_old || wire.layer < 0 ? NULL : &x->graph->layers[wire.layer];
}

ir_wire ir_port_of(ir_wire wire, int32_t port) {
  wire.port = port;
  return wire;
}

/* "OLD:TYPE", "OLD:TYPE.2" and so on, up to number n, are names of layers that were made for the old layer OLD. */
struct ir_made_name {
  const char *what;
  int n;
  struct ir_made_name *next;
};

/* Names a layer after the old one: "conv1:Add", then "conv1:Add.2". */
static const char *make_name(ir_expansion *x, const char *what) {
  const char *old = x->node->layer->name;
  const size_t size = strlen(old) + strlen(what) + 16;
  char *name = ir_arena_alloc(&x->graph->arena, size);
  struct ir_made_name *made = x->names;
  while (made != NULL && strcmp(made->what, what) != 0)
    made = made->next;
  if (made == NULL) {
    made = ir_arena_alloc(&x->graph->arena, sizeof *made);
    if (made == NULL || name == NULL)
      return NULL;
    *made = (struct ir_made_name){.what = what, .next = x->names};
    x->names = made;
  }
  if (name != NULL)
    snprintf(name, size, made->n == 0 ? "%s:%s" : "%s:%s.%d", old, what, made->n + 1);
  made->n++;
  return name;
}

static bool add_edge(ir_expansion *x, ir_wire from, int32_t layer, int32_t port) {
  void *edges = x->edges;
  if (!ir_reserve(x->graph->memory, &edges, x->n_edges, &x->edges_capacity, sizeof *x->edges))
    return false;
  x->edges = edges;
  x->edges[x->n_edges++] = (ir_made_edge){from, layer, port};
  return true;
}

static bool fill_layer(ir_expansion *x, ir_layer *layer, const char *type, int opset, const char *what) {
  ir_arena *arena = &x->graph->arena;
  const ir_layer *old = x->node->layer;
  char text[16];
  snprintf(text, sizeof text, "opset%d", opset);
  *layer = (ir_layer){.id = x->next_id++, .type = type, .scope_path = x->graph->scope_path};
  layer->at = old->at;
  layer->id_at = old->id_at;
  layer->name_at = old->name_at;
  layer->type_at = layer->opset_at = old->type_at;
  layer->data_at = old->has_data ? old->data_at : old->at;
  layer->name = make_name(x, what);
  layer->opset = ir_arena_text(arena, text, strlen(text));
  layer->attrs = ir_arena_array(arena, MOST_ATTRIBUTES, sizeof *layer->attrs);
  return layer->name != NULL && layer->opset != NULL && layer->attrs != NULL;
}

static bool fill_ports(ir_expansion *x, ir_layer *layer, int n_inputs, int n_outputs) {
  ir_arena *arena = &x->graph->arena;
  layer->n_inputs = n_inputs;
  layer->n_outputs = n_outputs;
  layer->inputs = ir_arena_array(arena, (size_t)n_inputs + 1, sizeof *layer->inputs);
  layer->outputs = ir_arena_array(arena, (size_t)n_outputs + 1, sizeof *layer->outputs);
  for (int i = 0; layer->inputs != NULL && i < n_inputs; i++)
    layer->inputs[i] = (ir_port){.id = i, .rank = IR_RANK_UNKNOWN, .at = layer->at};
  for (int p = 0; layer->outputs != NULL && p < n_outputs; p++)
    layer->outputs[p] = (ir_port){.id = n_inputs + p, .rank = IR_RANK_UNKNOWN, .at = layer->at};
  return layer->inputs != NULL && layer->outputs != NULL;
}

static ir_wire new_layer(ir_expansion *x, const char *type, int opset, const char *what, int n_outputs, int n_inputs,
                         const ir_wire *inputs) {
  ir_layer *layer = x->failed ? NULL : ir_graph_add_layer(x->graph);
  const ir_wire made = {.layer = (int32_t)x->graph->n_layers - 1};
  bool done = layer != NULL && fill_layer(x, layer, type, opset, what) && fill_ports(x, layer, n_inputs, n_outputs);
  for (int i = 0; done && i < n_inputs; i++)
    done = add_edge(x, inputs[i], made.layer, i);
  x->failed = x->failed || !done;
  return done ? made : (ir_wire){.layer = -1};
}

ir_wire ir_new_op(ir_expansion *x, const char *type, int opset, int n_outputs, int n_inputs, const ir_wire *inputs) {
  return new_layer(x, type, opset, type, n_outputs, n_inputs, inputs);
}

ir_wire *ir_old_inputs(ir_expansion *x) {
  const int32_t n = x->node->n_inputs;
  ir_wire *inputs = ir_arena_array(&x->graph->arena, (size_t)n + 1, sizeof *inputs);
  x->failed = x->failed || inputs == NULL;
  for (int32_t i = 0; inputs != NULL && i < n; i++)
    inputs[i] = ir_old_input(x, i);
  return inputs;
}

/* ---- attributes ---- */

static void set(ir_expansion *x, ir_wire wire, const char *name, const char *text, ir_at at) {
  ir_layer *layer = layer_of(x, wire);
  const ir_raw_attr *old = ir_layer_attr(x->node->layer, name);
  const char *kept = layer == NULL ? NULL : ir_arena_text(&x->graph->arena, text, strlen(text));
  x->failed = x->failed || (layer != NULL && kept == NULL);
  if (kept == NULL || layer->n_attrs == MOST_ATTRIBUTES)
    return;
  ir_raw_attr attr = {.name = name, .value = kept, .name_at = at, .at = at};
  if (old != NULL) {
    attr.name_at = old->name_at;
    attr.at = old->at;
  }
  layer->attrs[layer->n_attrs++] = attr;
  layer->has_data = true;
}

void ir_set_text(ir_expansion *x, ir_wire wire, const char *name, const char *text) {
  set(x, wire, name, text, x->node->layer->at);
}

static void set_number(ir_expansion *x, ir_wire wire, const char *name, int64_t number, ir_at at) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, number);
  set(x, wire, name, text, at);
}

void ir_set_int(ir_expansion *x, ir_wire wire, const char *name, int64_t number) {
  set_number(x, wire, name, number, x->node->layer->at);
}

void ir_set_ints(ir_expansion *x, ir_wire wire, const char *name, int64_t n, const int64_t *items) {
  enum { MOST = 24 }; /* characters of a number and a comma */
  const size_t size = (size_t)n * MOST + 1;
  char *text = ir_alloc_zero(x->graph->memory, size, 1);
  size_t used = 0;
  x->failed = x->failed || text == NULL;
  for (int64_t i = 0; text != NULL && i < n; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, i > 0 ? "," : "", items[i]);
  if (text != NULL)
    ir_set_text(x, wire, name, text);
  ir_free(x->graph->memory, text);
}

void ir_set_float(ir_expansion *x, ir_wire wire, const char *name, double number) {
  char text[IR_NUMBER_TEXT];
  ir_set_text(x, wire, name,
              ir_number_text(IR_F64, (ir_number){.kind = IR_NUMBER_FLOAT, .f = number}, text, sizeof text));
}

void ir_set_floats(ir_expansion *x, ir_wire wire, const char *name, ir_floats list) {
  const size_t size = (size_t)list.n * IR_NUMBER_TEXT + 1;
  char *text = ir_alloc_zero(x->graph->memory, size, 1), number[IR_NUMBER_TEXT];
  size_t used = 0;
  x->failed = x->failed || text == NULL;
  for (int64_t i = 0; text != NULL && i < list.n; i++)
    used += (size_t)snprintf(
        text + used, size - used, "%s%s", i > 0 ? "," : "",
        ir_number_text(IR_F64, (ir_number){.kind = IR_NUMBER_FLOAT, .f = list.items[i]}, number, sizeof number));
  if (text != NULL)
    ir_set_text(x, wire, name, text);
  ir_free(x->graph->memory, text);
}

void ir_set_bool(ir_expansion *x, ir_wire wire, const char *name, bool value) {
  ir_set_text(x, wire, name, value ? "true" : "false");
}

void ir_copy_attributes(ir_expansion *x, ir_wire wire) {
  for (const ir_attr_spec *spec = x->node->op->attrs; spec->name != NULL; spec++) {
    const ir_raw_attr *old = ir_layer_attr(x->node->layer, spec->name);
    const char *text = old != NULL ? old->value : spec->fallback;
    if (spec->kind == IR_ATTR_TEXT && text != NULL)
      ir_set_text(x, wire, spec->name, text);
  }
}

/* ---- constants ---- */

/* Sets type and shape of a Const. */
static void set_constant(ir_expansion *x, ir_wire wire, ir_type type, int rank, const int64_t *dims) {
  ir_set_text(x, wire, "element_type", ir_type_name(type));
  ir_set_ints(x, wire, "shape", rank, dims);
}

/* Floats of another type than the data's: the tools of the time mixed f16 and f32. */
static ir_wire as_float_type(ir_expansion *x, ir_wire wire, ir_type from, ir_type to) {
  return ir_type_in(from, IR_SET_FLOATS) && ir_type_in(to, IR_SET_FLOATS) ? ir_new_convert(x, wire, from, to) : wire;
}

ir_wire ir_old_input_like(ir_expansion *x, int32_t i) {
  return as_float_type(x, ir_old_input(x, i), ir_old_type(x, i), ir_old_type(x, 0));
}

ir_wire ir_new_blob(ir_expansion *x, const ir_blob *blob, int rank, const int64_t *dims) {
  const ir_wire wire = new_layer(x, "Const", 1, blob->name, 1, 0, NULL);
  set_constant(x, wire, blob_type(x, blob), rank, dims);
  set_number(x, wire, "offset", blob->offset, blob->offset_at);
  set_number(x, wire, "size", blob->size, blob->size_at);
  return as_float_type(x, wire, blob_type(x, blob),
                       x->node->n_inputs > 0 ? ir_old_type(x, 0) : ir_old_output_type(x, 0));
}

ir_wire ir_new_channel_blob(ir_expansion *x, const ir_blob *blob, int rank) {
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < rank; i++)
    dims[i] = 1;
  dims[rank > 1 ? 1 : 0] = ir_blob_elements(x, blob);
  return ir_new_blob(x, blob, rank, dims);
}

/* Makes a Const whose bytes are in memory. */
static ir_wire new_constant(ir_expansion *x, ir_type type, int rank, int64_t n, const void *bytes) {
  const ir_wire wire = new_layer(x, "Const", 1, "Const", 1, 0, NULL);
  ir_layer *layer = layer_of(x, wire);
  const int64_t size = n * (int64_t)ir_type_size(type);
  set_constant(x, wire, type, rank, &n);
  ir_set_int(x, wire, "offset", 0);
  ir_set_int(x, wire, "size", size);
  void *data = layer == NULL ? NULL : ir_arena_alloc(&x->graph->arena, (size_t)size + 1);
  x->failed = x->failed || data == NULL;
  if (data == NULL)
    return wire;
  if (size > 0)
    memcpy(data, bytes, (size_t)size);
  layer->data = data;
  layer->data_bytes = size;
  return wire;
}

ir_wire ir_new_ints(ir_expansion *x, int64_t n, const int64_t *items) {
  return new_constant(x, IR_I64, 1, n, items);
}

ir_wire ir_new_int(ir_expansion *x, int64_t item) {
  return new_constant(x, IR_I64, 0, 1, &item);
}

static ir_wire new_numbers(ir_expansion *x, ir_type type, int rank, int64_t n, const double *items) {
  const size_t size = ir_type_size(type);
  unsigned char *bytes = ir_alloc_zero(x->graph->memory, (size_t)n + 1, 8);
  ir_wire wire = {.layer = -1};
  x->failed = x->failed || bytes == NULL;
  for (int64_t i = 0; bytes != NULL && i < n; i++) {
    const float narrow = (float)items[i];
    const uint16_t half = type == IR_BF16 ? ir_f32_to_bf16(narrow) : ir_f32_to_f16(narrow);
    const void *from = type == IR_F64 ? (const void *)&items[i] : type == IR_F32 ? (const void *)&narrow : &half;
    memcpy(bytes + (size_t)i * size, from, size);
  }
  if (bytes != NULL)
    wire = new_constant(x, type, rank, n, bytes);
  ir_free(x->graph->memory, bytes);
  return wire;
}

/* A float type stays; integers are made as f32, and converted. */
ir_wire ir_new_floats(ir_expansion *x, ir_type type, int64_t n, const double *items) {
  const ir_type made = ir_type_in(type, IR_SET_FLOATS) ? type : IR_F32;
  return ir_new_convert(x, new_numbers(x, made, 1, n, items), made, type);
}

ir_wire ir_new_number(ir_expansion *x, ir_type type, double item) {
  const ir_type made = ir_type_in(type, IR_SET_FLOATS) ? type : IR_F32;
  return ir_new_convert(x, new_numbers(x, made, 0, 1, &item), made, type);
}

/* ---- common ops ---- */

ir_wire ir_new_convert(ir_expansion *x, ir_wire wire, ir_type from, ir_type to) {
  if (from == to)
    return wire;
  const ir_wire made = IR_NEW(x, "Convert", 1, wire);
  ir_set_text(x, made, "destination_type", ir_type_name(to));
  return made;
}

ir_wire ir_new_reshape(ir_expansion *x, ir_wire wire, int64_t n, const int64_t *dims) {
  const ir_wire made = IR_NEW(x, "Reshape", 1, wire, ir_new_ints(x, n, dims));
  ir_set_bool(x, made, "special_zero", true);
  return made;
}

ir_wire ir_old_input_of_rank(ir_expansion *x, int32_t i, int rank, const int64_t *dims) {
  const ir_wire input = ir_old_input(x, i);
  return !ir_has_old_input(x, i) || ir_old_rank(x, i) == rank ? input : ir_new_reshape(x, input, rank, dims);
}

ir_wire ir_new_broadcast(ir_expansion *x, ir_wire wire, ir_wire dims) {
  const ir_wire made = IR_NEW(x, "Broadcast", 1, wire, dims);
  ir_set_text(x, made, "mode", "numpy");
  return made;
}

ir_wire ir_new_transpose(ir_expansion *x, ir_wire wire, int64_t n, const int64_t *order) {
  return IR_NEW(x, "Transpose", 1, wire, ir_new_ints(x, n, order));
}

ir_wire ir_new_squeeze(ir_expansion *x, ir_wire wire, int64_t axis) {
  return IR_NEW(x, "Squeeze", 1, wire, IR_NEW_INTS(x, axis));
}

ir_wire ir_new_unsqueeze(ir_expansion *x, ir_wire wire, int64_t axis) {
  return IR_NEW(x, "Unsqueeze", 1, wire, IR_NEW_INTS(x, axis));
}

ir_wire ir_old_input_as_ints(ir_expansion *x, int32_t i) {
  const ir_type type = ir_old_type(x, i);
  return ir_new_convert(x, ir_old_input(x, i), type, ir_type_in(type, IR_SET_INTEGERS) ? type : IR_I64);
}

/* ---- outputs ---- */

/* The tensor name of output p, which the tools of the time used: the layer's name, and ".p" if it has several outputs.
 * NULL in a body, and for a name that is no tensor name. */
static const char *tensor_name(ir_expansion *x, int32_t p) {
  const ir_layer *old = x->node->layer;
  char number[16] = "";
  if (x->graph->outer != NULL || strchr(old->name, ',') != NULL)
    return NULL;
  if (old->n_outputs == 1)
    return old->name;
  snprintf(number, sizeof number, ".%d", p);
  const size_t size = strlen(old->name) + strlen(number) + 1;
  char *name = ir_arena_alloc(&x->graph->arena, size);
  x->failed = x->failed || name == NULL;
  if (name != NULL)
    snprintf(name, size, "%s%s", old->name, number);
  return name;
}

static void give(ir_expansion *x, int32_t p, ir_wire wire) {
  /* an input that is passed on needs a layer that has the old one's name */
  if (wire.is_old && wire.layer >= 0) {
    wire = IR_NEW(x, "Convert", 1, wire);
    ir_set_text(x, wire, "destination_type", ir_type_name(ir_old_output_type(x, p)));
  }
  ir_layer *layer = layer_of(x, wire);
  const ir_layer *old = x->node->layer;
  x->outputs[x->node - x->nodes][p] = wire;
  if (layer == NULL || wire.layer < (int32_t)x->first)
    return;
  ir_port *port = &layer->outputs[wire.port];
  const int64_t id = port->id;
  *port = old->outputs[p];
  port->id = id;
  port->names = tensor_name(x, p);
  port->names_at = old->name_at;
  ir_layer *main = x->main < 0 ? NULL : &x->graph->layers[x->main];
  if (main == NULL) {
    layer->name = old->name;
    layer->id = old->id;
    x->main = wire.layer;
  } else if (main != layer && main->n_outputs > p) {
    /* "NAME.p" would be another output than that of the tensor name */
    main->name = make_name(x, main->type);
    main->id = x->next_id++;
    x->main = -1;
    x->failed = x->failed || main->name == NULL;
  }
}

/* An early Model Optimizer left out outputs that nobody reads. */
void ir_give_converted(ir_expansion *x, int32_t p, ir_wire wire, ir_type type) {
  if (p < x->node->layer->n_outputs)
    give(x, p, ir_new_convert(x, wire, type, ir_old_output_type(x, p)));
}

void ir_give_output(ir_expansion *x, int32_t p, ir_wire wire) {
  const ir_type declared = ir_old_output_type(x, p);
  if (p < x->node->layer->n_outputs)
    give(x, p, x->node->n_inputs > 0 ? as_float_type(x, wire, ir_old_type(x, 0), declared) : wire);
}

void ir_refuse_layer(ir_expansion *x, const char *why) {
  ir_report(x->scope->diags, IR210_NOT_RUNNABLE_HERE, ir_layer_where(x->old, x->node->layer, x->node->layer->type_at),
            "no op of the opsets does what this %s does: %s", x->node->layer->type, why);
}
