#include "ir_layer_texts.h"
#include <errno.h>
#include <inttypes.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = 2 }; /* of a <layer>: net, layers */

typedef struct texts {
  const ir_graph *graph;
  ir_move_constant move;
  void *user;
  ir_arena *arena;
  ir_diags *diags;
  int64_t at; /* in the source */
} texts;

static int read_source(void *user, char *buffer, int bytes) {
  texts *t = user;
  const int64_t n = ir_source_read(t->graph->source, t->at, buffer, bytes);
  t->at += n > 0 ? n : 0;
  return (int)n;
}

static bool is_element(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *child(const xmlNode *node, const char *name) {
  xmlNode *at = node == NULL ? NULL : node->children;
  while (at != NULL && !is_element(at, name))
    at = at->next;
  return at;
}

static int64_t number_of(xmlNode *node, const char *name) {
  xmlChar *text = xmlGetProp(node, (const xmlChar *)name);
  const int64_t number = text == NULL ? 0 : strtoll((const char *)text, NULL, 10);
  xmlFree(text);
  return number;
}

static bool is_constant(xmlNode *layer) {
  xmlChar *type = xmlGetProp(layer, (const xmlChar *)"type");
  const bool is = type != NULL && strcmp((const char *)type, "Const") == 0;
  xmlFree(type);
  return is;
}

static ir_code move_constant(const texts *t, xmlNode *data) {
  char text[24];
  int64_t offset = number_of(data, "offset");
  ir_code code = t->move(t->user, &offset, number_of(data, "size"));
  snprintf(text, sizeof text, "%" PRId64, offset);
  if (code == IR_OK && xmlSetProp(data, (const xmlChar *)"offset", (const xmlChar *)text) == NULL)
    code = ir_out_of_memory(t->diags);
  return code;
}

/* Those of the element, and of the layers in its bodies. */
static ir_code move_constants(const texts *t, xmlNode *element) {
  xmlNode *data = is_element(element, "layer") && is_constant(element) ? child(element, "data") : NULL;
  ir_code code = data == NULL || t->move == NULL ? IR_OK : move_constant(t, data);
  for (xmlNode *at = element->children; at != NULL && code == IR_OK; at = at->next)
    if (at->type == XML_ELEMENT_NODE)
      code = move_constants(t, at);
  return code;
}

static ir_code write_layer(const texts *t, xmlNode *layer, const char **out_text) {
  ir_code code = move_constants(t, layer);
  xmlBuffer *buffer = code == IR_OK ? xmlBufferCreate() : NULL;
  if (buffer != NULL && xmlNodeDump(buffer, layer->doc, layer, LEVEL, 1) >= 0)
    *out_text = ir_arena_text(t->arena, (const char *)xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer));
  xmlBufferFree(buffer);
  return code == IR_OK && *out_text == NULL ? ir_out_of_memory(t->diags) : code;
}

ir_code ir_layer_texts(const ir_graph *graph, const bool *wanted, ir_move_constant move, void *user, ir_arena *arena,
                       ir_diags *diags, const char **out_texts) {
  texts t = {.graph = graph, .move = move, .user = user, .arena = arena, .diags = diags};
  const int options = XML_PARSE_NOBLANKS | XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
  xmlDoc *doc = xmlReadIO(read_source, NULL, &t, NULL, NULL, options);
  const xmlNode *layers = doc == NULL ? NULL : child(xmlDocGetRootElement(doc), "layers");
  size_t i = 0;
  ir_code code = IR_OK;
  for (xmlNode *at = layers == NULL ? NULL : layers->children; at != NULL && code == IR_OK; at = at->next) {
    if (!is_element(at, "layer"))
      continue;
    if (i < graph->n_layers && wanted[i])
      code = write_layer(&t, at, &out_texts[i]);
    i++;
  }
  if (code == IR_OK && i != graph->n_layers)
    code = ir_report(diags, IR701_FILE_NOT_READABLE, (ir_where){.source = graph->source, .at = IR_NOWHERE},
                     "cannot read the model again: %s", doc == NULL ? "memory is out, or it changed" : "it changed");
  xmlFreeDoc(doc);
  return code;
}
