#include "ir_bodies.h"
#include "base/limits.h"
#include "ir_attributes.h"
#include "ir_elements.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool begins_with(const ir_text *name, const char *word) {
  return name->length >= strlen(word) && strncmp(name->text, word, strlen(word)) == 0;
}

bool ir_takes_body_part(const ir_layer *layer, const ir_text *name) {
  const bool of_if = begins_with(name, "then_") || begins_with(name, "else_");
  if (strcasecmp(layer->type, "If") == 0)
    return of_if;
  return !of_if && (strcasecmp(layer->type, "TensorIterator") == 0 || strcasecmp(layer->type, "Loop") == 0);
}

/* Returns the index of the body to which an element belongs: 1 for <else_body> and <else_port_map>, else 0. */
static int number_of_body(const ir_text *name) {
  return begins_with(name, "else_") ? 1 : 0;
}

/* Returns the ir_bodies of the open layer, and makes it on first use. Returns NULL if memory is out. */
static ir_bodies *bodies_of(ir_reader *reader) {
  if (reader->layer->bodies == NULL)
    reader->layer->bodies = ir_arena_alloc(&reader->graph->arena, sizeof *reader->layer->bodies);
  return reader->layer->bodies;
}

/* ---- bodies ---- */

/* If the layer already has a body of that name, reports the second one and skips its content. */
ir_code ir_begin_body(ir_reader *reader, const ir_tag *tag, ir_graph **out_body) {
  ir_bodies *bodies = bodies_of(reader);
  const int number = number_of_body(&tag->name);
  *out_body = NULL;
  if (bodies == NULL)
    return ir_out_of_memory(reader->diags);
  if (bodies->graphs[number] != NULL) {
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)tag->name.length, tag->name.text);
    ir_report_repeated(reader, tag, name, bodies->body_at[number], false);
    reader->n_passed = 1;
    return IR_OK;
  }
  if (reader->n_outer >= IR_MAX_BODY_DEPTH)
    return ir_report_limit(reader, tag->at, "bodies in each other", IR_MAX_BODY_DEPTH);
  if (reader->root->n_bodies >= (size_t)IR_MAX_BODIES)
    return ir_report_limit(reader, tag->at, "bodies", IR_MAX_BODIES);
  ir_graph *body =
      ir_graph_add_body(reader->root, reader->graph, (size_t)(reader->layer - reader->graph->layers), number);
  if (body == NULL)
    return ir_out_of_memory(reader->diags);
  bodies->graphs[number] = body;
  bodies->body_at[number] = tag->at;
  body->at = tag->at;
  *out_body = body;
  return IR_OK;
}

/* ---- port maps and back edges ---- */

ir_code ir_begin_map(ir_reader *reader, ir_element element, const ir_tag *tag) {
  ir_bodies *bodies = bodies_of(reader);
  if (bodies == NULL)
    return ir_out_of_memory(reader->diags);
  const int number = reader->map_body = number_of_body(&tag->name);
  bool *seen = element == IR_ELEMENT_PORT_MAP ? &bodies->has_map[number] : &bodies->has_back_edges;
  ir_at *at = element == IR_ELEMENT_PORT_MAP ? &bodies->map_at[number] : &bodies->back_edges_at;
  if (*seen) {
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)tag->name.length, tag->name.text);
    ir_report_repeated(reader, tag, name, *at, false);
  } else {
    *at = tag->at;
  }
  *seen = true;
  return IR_OK;
}

/* Appends the item's attributes to `reader->attrs`, after those of <data>, then moves them to `line`. */
static ir_code read_line(ir_reader *reader, const ir_tag *tag, ir_layer *line) {
  const size_t n_before = reader->n_attrs;
  ir_tag_attr attr;
  reader->n_decoded = 0;
  for (size_t cursor = 0; ir_tag_next(tag, &cursor, &attr);) {
    if (reader->n_attrs - n_before == IR_MAX_ATTRIBUTES)
      return ir_report_limit(reader, tag->at, "attributes in one element", IR_MAX_ATTRIBUTES);
    if (!ir_add_attr(reader, tag, &attr))
      return ir_out_of_memory(reader->diags);
  }
  const size_t n = reader->n_attrs - n_before;
  reader->n_attrs = n_before;
  line->attrs = ir_arena_array(&reader->graph->arena, n + 1, sizeof *line->attrs);
  if (line->attrs == NULL)
    return ir_out_of_memory(reader->diags);
  if (n > 0)
    memcpy(line->attrs, reader->attrs + n_before, n * sizeof *line->attrs);
  line->n_attrs = (int32_t)n;
  return IR_OK;
}

ir_code ir_begin_line(ir_reader *reader, ir_line_kind kind, const ir_tag *tag) {
  ir_bodies *bodies = bodies_of(reader);
  ir_line *line = ir_arena_alloc(&reader->graph->arena, sizeof *line);
  if (bodies == NULL || line == NULL)
    return ir_out_of_memory(reader->diags);
  const ir_layer *layer = reader->layer;
  *line = (ir_line){.kind = kind, .body = reader->map_body};
  line->layer = (ir_layer){.id = layer->id,
                           .name = layer->name,
                           .type = layer->type,
                           .opset = layer->opset,
                           .scope_path = layer->scope_path,
                           .at = tag->at};
  ir_line **place = bodies->last_line == NULL ? &bodies->lines : &bodies->last_line->next;
  *place = bodies->last_line = line;
  return read_line(reader, tag, &line->layer);
}
