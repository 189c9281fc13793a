/* Adds layers, edges and constants to an edited model. */
#include "parser/ir_write.h"
#include "runtime/edit/editing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* bytes, as in the .bin of a conversion: constants are then mapped without a copy */

/* ---- ports and edges ---- */

static void fill_port(ir_port *port, int64_t id, const ir_edit_value *value) {
  *port = (ir_port){.id = id, .type = value->type, .rank = value->shape.rank};
}

static ir_port *add_ports(ir_editing *e, int64_t first_id, const ir_edit_value *values, int32_t n) {
  ir_port *ports = ir_arena_array(&e->arena, (size_t)n + 1, sizeof *ports);
  for (int32_t i = 0; i < n && ports != NULL; i++) {
    const int rank = values[i].shape.rank < 0 ? 0 : values[i].shape.rank;
    ir_dim *dims = ir_arena_array(&e->arena, (size_t)rank + 1, sizeof *dims);
    if (dims == NULL)
      return NULL;
    memcpy(dims, values[i].shape.dims, (size_t)rank * sizeof *dims);
    fill_port(&ports[i], first_id + i, &values[i]);
    ports[i].dims = dims;
  }
  return ports;
}

static bool add_edge(ir_editing *e, const ir_edit_value *from, int64_t to_layer, int64_t to_port) {
  ir_edge *edge = ir_graph_add_edge(&e->scope->added);
  if (edge != NULL)
    *edge = (ir_edge){.from_layer = from->layer, .from_port = from->port, .to_layer = to_layer, .to_port = to_port};
  return edge != NULL;
}

bool ir_add_op(ir_editing *e, const char *type, const char *opset, const char *base, const char *suffix,
               ir_raw_attr *attrs, int32_t n_attrs, const ir_edit_value *inputs, int32_t n_inputs, ir_edit_value *out) {
  const char *name = ir_new_layer_name(e, base, suffix);
  ir_layer *layer = name == NULL ? NULL : ir_graph_add_layer(&e->scope->added);
  e->n_changes++;
  if (layer == NULL)
    return false;
  *layer = (ir_layer){.id = e->scope->next_id++,
                      .name = name,
                      .type = type,
                      .opset = opset,
                      .attrs = attrs,
                      .n_attrs = n_attrs,
                      .n_inputs = n_inputs,
                      .n_outputs = out != NULL};
  layer->inputs = add_ports(e, 0, inputs, n_inputs);
  layer->outputs = out == NULL ? NULL : add_ports(e, n_inputs, out, 1);
  bool ok = layer->inputs != NULL && (out == NULL || layer->outputs != NULL);
  for (int32_t i = 0; i < n_inputs && ok; i++)
    ok = add_edge(e, &inputs[i], layer->id, i);
  if (ok && out != NULL) {
    out->layer = layer->id;
    out->port = n_inputs;
  }
  return ok;
}

/* ---- constants ---- */

int64_t ir_add_bytes(ir_editing *e, const void *bytes, size_t n) {
  static const char zeros[ALIGNMENT] = {0};
  const size_t padding = -e->tail.n & (ALIGNMENT - 1);
  if (!ir_buffer_add(&e->tail, zeros, padding) || !ir_buffer_add(&e->tail, bytes, n))
    return -1;
  return e->tail_begin + (int64_t)(e->tail.n - n);
}

const char *ir_dims_attribute(ir_arena *arena, const ir_shape *shape) {
  char text[IR_SHAPE_TEXT];
  ir_shape_text(shape, text, sizeof text);
  return ir_arena_text(arena, text + 1, strlen(text) - 2);
}

static const char *number_text(ir_editing *e, int64_t number) {
  char text[24];
  return ir_arena_text(&e->arena, text, (size_t)snprintf(text, sizeof text, "%" PRId64, number));
}

bool ir_add_constant(ir_editing *e, const char *base, const char *suffix, ir_type type, const ir_shape *shape,
                     const void *elements, size_t bytes, ir_edit_value *out) {
  const int64_t offset = ir_add_bytes(e, elements, bytes);
  ir_raw_attr *attrs = ir_arena_array(&e->arena, 4, sizeof *attrs);
  if (offset < 0 || attrs == NULL)
    return false;
  attrs[0] = (ir_raw_attr){.name = "element_type", .value = ir_type_name(type)};
  attrs[1] = (ir_raw_attr){.name = "shape", .value = ir_dims_attribute(&e->arena, shape)};
  attrs[2] = (ir_raw_attr){.name = "offset", .value = number_text(e, offset)};
  attrs[3] = (ir_raw_attr){.name = "size", .value = number_text(e, (int64_t)bytes)};
  *out = (ir_edit_value){.type = type, .shape = *shape};
  return attrs[1].value != NULL && attrs[2].value != NULL && attrs[3].value != NULL &&
         ir_add_op(e, "Const", "opset1", base, suffix, attrs, 4, NULL, 0, out);
}

/* ---- the file's layers ---- */

ir_edit_value ir_edit_value_of(const ir_editing *e, int32_t layer, int32_t port) {
  const ir_node *node = &e->scope->model->nodes[layer];
  return (ir_edit_value){.layer = node->layer->id,
                         .port = node->layer->outputs[port].id,
                         .type = node->outputs[port].type,
                         .shape = node->outputs[port].shape};
}

ir_code ir_redirect_edges(ir_editing *e, int32_t layer, int32_t port, const ir_edit_value *to) {
  const ir_edit_value from = ir_edit_value_of(e, layer, port);
  size_t n;
  const ir_edge *const *edges = ir_edges_from(e, from.layer, from.port, &n);
  ir_code code = edges == NULL ? ir_out_of_memory(e->diags) : IR_OK;
  e->scope->is_replaced[layer] = true;
  for (size_t i = 0; i < n && code == IR_OK; i++) {
    code = ir_set_value(e, edges[i]->from_layer_at, number_text(e, to->layer));
    if (code == IR_OK)
      code = ir_set_value(e, edges[i]->from_port_at, number_text(e, to->port));
  }
  return code;
}
