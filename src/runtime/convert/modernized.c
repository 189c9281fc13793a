#include "runtime/convert/modernized.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* bytes of a cache line */

/* ---- ports ---- */

static bool declare(ir_arena *arena, ir_port *port, const ir_value *value) {
  if (value->poisoned)
    return true;
  ir_dim *dims = ir_arena_array(arena, IR_MAX_RANK, sizeof *dims);
  if (dims == NULL)
    return false;
  memcpy(dims, value->shape.dims, sizeof value->shape.dims);
  port->type = value->type;
  port->rank = value->shape.rank;
  port->dims = dims;
  return true;
}

static bool declare_ports(irrun_model *model) {
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[i];
    ir_layer *layer = &model->graph.layers[i];
    for (int32_t p = 0; p < layer->n_outputs && p < node->n_outputs; p++)
      if (!declare(&model->arena, &layer->outputs[p], &node->outputs[p]))
        return false;
    for (int32_t p = 0; p < layer->n_inputs; p++) {
      const ir_link from = node->inputs[p];
      if (from.layer >= 0 && !declare(&model->arena, &layer->inputs[p], &model->nodes[from.layer].outputs[from.port]))
        return false;
    }
  }
  return true;
}

ir_code ir_declare_outputs(irrun_model *model) {
  bool done = declare_ports(model);
  for (size_t i = 0; i < model->graph.n_bodies && done; i++)
    done = declare_ports(model->bodies[i]);
  return done ? IR_OK : ir_out_of_memory(&model->context->diags);
}

/* ---- constants ---- */

typedef struct constant_writer {
  irrun_model *model;
  ir_byte_sink sink;
  int64_t end; /* bytes of the .bin so far */
} constant_writer;

static bool pad_to(constant_writer *w, int64_t begin) {
  static const char zeros[ALIGNMENT];
  const int64_t n = begin - w->end;
  w->end = begin;
  return n == 0 || w->sink.write(w->sink.user, zeros, (size_t)n);
}

static bool set_offset(constant_writer *w, ir_layer *layer) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, w->end);
  const char *kept = ir_arena_text(&w->model->arena, text, strlen(text));
  for (int32_t i = 0; i < layer->n_attrs; i++)
    if (strcmp(layer->attrs[i].name, "offset") == 0)
      layer->attrs[i].value = kept;
  return kept != NULL;
}

/* Returns false if memory is out. A failed write is reported when the files are committed. */
static bool write_constants(constant_writer *w, const ir_graph *graph) {
  for (size_t i = 0; i < graph->n_layers; i++) {
    ir_layer *layer = &graph->layers[i];
    if (layer->data == NULL)
      continue;
    if (!pad_to(w, (w->end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT))
      return true;
    if (!set_offset(w, layer))
      return false;
    if (layer->data_bytes > 0 && !w->sink.write(w->sink.user, layer->data, (size_t)layer->data_bytes))
      return true;
    w->end += layer->data_bytes;
  }
  return true;
}

ir_code ir_write_made_constants(irrun_model *model, int64_t size, ir_byte_sink sink, int64_t *out_bytes) {
  constant_writer w = {.model = model, .sink = sink, .end = size};
  bool done = write_constants(&w, &model->graph);
  for (size_t i = 0; i < model->graph.n_bodies && done; i++)
    done = write_constants(&w, model->graph.bodies[i]);
  *out_bytes = w.end;
  return done ? IR_OK : ir_out_of_memory(&model->context->diags);
}
