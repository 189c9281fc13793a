#include "passes_net.h"
#include "base/dtype.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_OUTPUTS = 16 }; /* a link to output k of layer id is the number id * MOST_OUTPUTS + k */

/* ---- elements ---- */

static void put(irrun_element_type type, float value, void *to, size_t at) {
  if (type == IRRUN_F32)
    ((float *)to)[at] = value;
  else
    ((uint16_t *)to)[at] = type == IRRUN_F16 ? ir_f32_to_f16(value) : ir_f32_to_bf16(value);
}

double net_get(irrun_element_type type, const void *data, int64_t at) {
  if (type == IRRUN_F32)
    return (double)((const float *)data)[at];
  const uint16_t bits = ((const uint16_t *)data)[at];
  return (double)(type == IRRUN_F16 ? ir_f16_to_f32(bits) : ir_bf16_to_f32(bits));
}

/* Draws an integer from -8 to 8. */
static int draw_small(uint32_t *state) {
  *state = *state * 1664525 + 1013904223;
  return (int)(*state >> 16) % 17 - 8;
}

void net_fill(const net_input *input, uint32_t seed, void *to) {
  uint32_t state = seed * 7919;
  if (input->type == IRRUN_BOOLEAN)
    *(uint8_t *)to = seed % 2 == 0;
  for (int64_t i = 0; i < input->elements && input->type != IRRUN_BOOLEAN; i++)
    put(input->type, (float)draw_small(&state) / 8, to, (size_t)i);
}

/* ---- layers ---- */

static int begin_layer(net *n, const char *type, const char *attributes, int n_inputs) {
  const char *dash = strchr(type, '-');
  const int id = n->own.n_layers++, length = dash == NULL ? (int)strlen(type) : (int)(dash - type);
  assert_true(id < NET_MOST_LAYERS);
  n->own.n_inputs_of[id] = n_inputs;
  fprintf(n->own.layers, "<layer id='%d' name='l%d' type='%.*s' version='opset%s'>", id, id, length, type,
          dash == NULL ? "1" : dash + 1);
  if (attributes[0] != '\0')
    fprintf(n->own.layers, "<data %s/>", attributes);
  return id;
}

static void write_ports(net *n, int id, irrun_element_type type, int n_outputs, const int *inputs) {
  const int n_inputs = n->own.n_inputs_of[id];
  fputs(n_inputs > 0 ? "<input>" : "", n->own.layers);
  for (int i = 0; i < n_inputs; i++) {
    const int from = inputs[i] / MOST_OUTPUTS;
    fprintf(n->own.layers, "<port id='%d'/>", i);
    fprintf(n->own.edges, "<edge from-layer='%d' from-port='%d' to-layer='%d' to-port='%d'/>", from,
            n->own.n_inputs_of[from] + inputs[i] % MOST_OUTPUTS, id, i);
  }
  fprintf(n->own.layers, "%s%s", n_inputs > 0 ? "</input>" : "", n_outputs > 0 ? "<output>" : "");
  for (int i = 0; i < n_outputs; i++)
    fprintf(n->own.layers, "<port id='%d' precision='%s'/>", n_inputs + i, ir_type_precision((ir_type)type));
  fputs(n_outputs > 0 ? "</output>" : "", n->own.layers);
}

int net_port(int layer, int port) {
  return layer + port;
}

static int add_layer(net *n, const char *type, const char *attributes, irrun_element_type made, int n_outputs,
                     int n_inputs, const int *inputs) {
  const int id = begin_layer(n, type, attributes, n_inputs);
  write_ports(n, id, made, n_outputs, inputs);
  fputs("</layer>", n->own.layers);
  return id * MOST_OUTPUTS;
}

int net_add(net *n, const char *type, const char *attributes, int n_outputs, int n_inputs, const int *inputs) {
  return add_layer(n, type, attributes, n->type, n_outputs, n_inputs, inputs);
}

int net_as_integers(net *n, int from) {
  return add_layer(n, "Convert", "destination_type='i64'", IRRUN_I64, 1, 1, &from);
}

void net_result(net *n, int from) {
  net_add(n, "Result", "", 0, 1, &from);
}

static int add_parameter(net *n, irrun_element_type type, const char *shape) {
  char text[128];
  snprintf(text, sizeof text, "element_type='%s' shape='%s'", irrun_type_name(type), shape);
  return add_layer(n, "Parameter", text, type, 1, 0, NULL);
}

int net_parameter(net *n, const char *shape) {
  assert_true(n->n_inputs < NET_MOST_INPUTS);
  net_input *input = &n->inputs[n->n_inputs++];
  *input = (net_input){.type = n->type, .elements = 1};
  for (const char *at = shape; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    input->dims[input->rank] = strtoll(at, NULL, 10);
    input->elements *= input->dims[input->rank++];
  }
  return add_parameter(n, n->type, shape);
}

/* Adds a Const and returns the place of its bytes in the .bin. */
static void *add_const(net *n, irrun_element_type type, const char *shape, size_t bytes, int *out) {
  char text[192];
  const size_t offset = (n->n_weights + 63) / 64 * 64;
  assert_true(offset + bytes <= sizeof n->weights);
  n->n_weights = offset + bytes;
  snprintf(text, sizeof text, "element_type='%s' shape='%s' offset='%zu' size='%zu'", irrun_type_name(type), shape,
           offset, bytes);
  *out = add_layer(n, "Const", text, type, 1, 0, NULL);
  return n->weights + offset;
}

static int add_weights(net *n, irrun_element_type type, const char *shape, int64_t elements, int terms) {
  uint32_t state = (uint32_t)n->own.n_layers;
  int link, scale = 8;
  while (scale < 8 * terms)
    scale *= 2;
  void *to = add_const(n, type, shape, (size_t)elements * (type == IRRUN_F32 ? 4 : 2), &link);
  for (int64_t i = 0; i < elements; i++)
    put(type, (float)draw_small(&state) / (float)scale, to, (size_t)i);
  return link;
}

int net_weights(net *n, const char *shape, int64_t elements, int terms) {
  return add_weights(n, n->type, shape, elements, terms);
}

int net_converted(net *n, const char *shape, int64_t elements, int terms) {
  char text[64];
  snprintf(text, sizeof text, "destination_type='%s'", irrun_type_name(n->type));
  return net_op(n, "Convert", text, add_weights(n, IRRUN_F16, shape, elements, terms));
}

int net_list(net *n, int count, const int64_t *items) {
  char shape[16];
  int link;
  snprintf(shape, sizeof shape, "%d", count);
  memcpy(add_const(n, IRRUN_I64, shape, (size_t)count * sizeof *items, &link), items, (size_t)count * sizeof *items);
  return link;
}

int net_axis(net *n, int64_t axis) {
  int link;
  memcpy(add_const(n, IRRUN_I64, "", sizeof axis, &link), &axis, sizeof axis);
  return link;
}

int net_floats(net *n, int count, float item) {
  char shape[16];
  int link;
  snprintf(shape, sizeof shape, "%d", count);
  float *to = add_const(n, IRRUN_F32, shape, (size_t)count * sizeof item, &link);
  for (int i = 0; i < count; i++)
    to[i] = item;
  return link;
}

int net_where(net *n, int from) {
  const int where = add_layer(n, "NonZero-3", "output_type='i64'", IRRUN_I64, 1, 1, &from);
  const int inputs[] = {where, net_integers(n, -1)};
  return add_layer(n, "Reshape", "special_zero='false'", IRRUN_I64, 1, 2, inputs);
}

int net_conv_of(net *n, int from, int weights, int pad, int stride) {
  char text[192];
  snprintf(text, sizeof text, "strides='%d,%d' dilations='1,1' pads_begin='%d,%d' pads_end='%d,%d'", stride, stride,
           pad, pad, pad, pad);
  return net_op(n, "Convolution", text, from, weights);
}

int net_conv(net *n, int from, int in, int out, int size, int stride) {
  char shape[64];
  snprintf(shape, sizeof shape, "%d,%d,%d,%d", out, in, size, size);
  return net_conv_of(n, from, net_weights(n, shape, (int64_t)out * in * size * size, in * size * size), size / 2,
                     stride);
}

int net_bias(net *n, int from, int channels) {
  char shape[64];
  snprintf(shape, sizeof shape, "1,%d,1,1", channels);
  return net_op(n, "Add", "", from, net_weights(n, shape, channels, 2));
}

/* ---- texts of networks and bodies ---- */

static void begin_text(net *n, const char *head) {
  net_text *own = &n->own;
  *own = (net_text){.layers = open_memstream(&own->text, &own->bytes),
                    .edges = open_memstream(&own->edges_text, &own->edges_bytes)};
  assert_true(own->layers != NULL && own->edges != NULL);
  fprintf(own->layers, "%s<layers>", head);
}

static void end_text(net *n, const char *tail) {
  assert_int_equal(fclose(n->own.edges), 0);
  fprintf(n->own.layers, "</layers><edges>%s</edges>%s", n->own.edges_text, tail);
  assert_int_equal(fclose(n->own.layers), 0);
  free(n->own.edges_text);
}

static void write_body(net *n, const char *name, void (*build)(net *n)) {
  const net_text outer = n->own;
  begin_text(n, "");
  add_parameter(n, n->type, "1,32,24,24");
  build(n);
  end_text(n, "");
  fprintf(outer.layers,
          "<%s_port_map><input external_port_id='1' internal_layer_id='0'/><output external_port_id='0' "
          "internal_layer_id='%d'/></%s_port_map><%s_body>%s</%s_body>",
          name, n->own.n_layers - 1, name, name, n->own.text, name);
  free(n->own.text);
  n->own = outer;
}

int net_if(net *n, int from, void (*then_body)(net *n), void (*else_body)(net *n)) {
  const int go = add_parameter(n, IRRUN_BOOLEAN, "");
  n->inputs[n->n_inputs++] = (net_input){.type = IRRUN_BOOLEAN, .elements = 1};
  const int inputs[] = {go, from};
  const int id = begin_layer(n, "If-8", "", 2);
  write_ports(n, id, n->type, 1, inputs);
  write_body(n, "then", then_body);
  write_body(n, "else", else_body);
  fputs("</layer>", n->own.layers);
  return id * MOST_OUTPUTS;
}

void net_build(net *n, irrun_element_type type, void (*build)(net *n)) {
  *n = (net){.type = type};
  begin_text(n, "<net name='m' version='11'>");
  build(n);
  end_text(n, "</net>");
}

void net_free(net *n) {
  free(n->own.text);
}

/* ---- reading and executing ---- */

void net_begin(net_fixture *f, irrun_element_type type, void (*build)(net *n)) {
  irrun_model_info info = {.size = sizeof info};
  net_build(&f->net, type, build);
  const irrun_buffer text = {f->net.own.text, f->net.own.bytes}, bin = {f->net.weights, f->net.n_weights};
  const ir_memory memory = failing_memory_of(&f->counts);
  const irrun_allocator allocator = {sizeof allocator, memory.alloc, memory.release, memory.user};
  f->context = irrun_context_create(&allocator);
  const irrun_status status =
      irrun_model_read_memory(f->context, "in memory", text, &bin, IRRUN_TO_RUN, NULL, 0, &f->model);
  irrun_diagnostic d = {.size = sizeof d};
  char line[512];
  for (int64_t i = 0; status != IRRUN_OK && irrun_context_get_diagnostic(f->context, i, &d); i++)
    print_error("%s\n", irrun_diagnostic_text(&d, line, sizeof line));
  assert_int_equal(status, IRRUN_OK);
  assert_true(irrun_model_get_info(f->model, &info));
  f->n_outputs = (int)info.n_outputs;
}

void net_end(net_fixture *f) {
  irrun_model_free(f->model);
  irrun_context_free(f->context);
  assert_int_equal(f->counts.n_alive, 0);
  net_free(&f->net);
}

void net_set_inputs(const net_fixture *f, irrun_run *run, uint32_t seed) {
  static double places[NET_MOST_INPUTS][NET_MOST_ELEMENTS]; /* aligned for all types */
  for (int i = 0; i < f->net.n_inputs; i++) {
    const net_input *input = &f->net.inputs[i];
    irrun_tensor *tensor;
    net_fill(input, seed + (uint32_t)i, places[i]);
    const size_t size = input->type == IRRUN_BOOLEAN ? 1 : input->type == IRRUN_F32 ? 4 : 2;
    assert_int_equal(irrun_tensor_borrow(f->context, input->type, input->rank, input->dims, places[i],
                                         (size_t)input->elements * size, &tensor),
                     IRRUN_OK);
    assert_int_equal(irrun_run_set_input(run, i, tensor, false, NULL), IRRUN_OK);
  }
}

void net_execute(const net_fixture *f, irrun_run *run, uint32_t seed, net_outcome *out) {
  net_set_inputs(f, run, seed);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  out->n = 0;
  for (int i = 0; i < f->n_outputs; i++) {
    const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(run, i));
    assert_int_equal(info.type, f->net.type);
    assert_true(out->n + info.elements <= NET_MOST_ELEMENTS);
    for (int64_t k = 0; k < info.elements; k++)
      out->elements[out->n++] = (float)net_get(info.type, info.data, k);
  }
}
