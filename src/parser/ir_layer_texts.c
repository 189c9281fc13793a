#include "ir_layer_texts.h"
#include "xml_error.h"
#include <errno.h>
#include <inttypes.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = 2 }; /* indentation depth of a <layer>, which is in <layers> in <net> */

typedef struct texts {
  const ir_graph *graph;
  ir_move_constant move;
  void *user;
  ir_arena *arena;
  ir_diags *diags;
  int64_t at; /* offset in the file of the next byte to read */
  int error;  /* errno of a failed read */
  bool failed;
} texts;

/* Records a failure of libxml2, which its functions do not always return. The text was parsed before, so memory is out
 * or the file cannot be read. */
static void on_error(void *user, ir_xml_error error) {
  (void)error;
  ((texts *)user)->failed = true;
}

static void on_message(void *user, const char *format, ...) {
  (void)format;
  ((texts *)user)->failed = true;
}

static int read_source(void *user, char *buffer, int bytes) {
  texts *t = user;
  const int64_t n = ir_source_read(t->graph->source, t->at, buffer, bytes);
  t->at += n > 0 ? n : 0;
  t->error = n < 0 ? errno : t->error;
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

/* Parses a number that every layer without faults has as an attribute. If libxml2 does not return it, memory is out:
 * sets `failed`. */
static int64_t number_of(texts *t, xmlNode *node, const char *name) {
  xmlChar *text = xmlGetProp(node, (const xmlChar *)name);
  const int64_t number = text == NULL ? 0 : strtoll((const char *)text, NULL, 10);
  t->failed = t->failed || text == NULL;
  xmlFree(text);
  return number;
}

static bool is_constant(texts *t, xmlNode *layer) {
  xmlChar *type = xmlGetProp(layer, (const xmlChar *)"type");
  const bool is = type != NULL && strcmp((const char *)type, "Const") == 0;
  t->failed = t->failed || type == NULL;
  xmlFree(type);
  return is;
}

static ir_code move_constant(texts *t, xmlNode *data) {
  char text[24];
  int64_t offset = number_of(t, data, "offset");
  const int64_t size = number_of(t, data, "size");
  ir_code code = t->failed ? ir_out_of_memory(t->diags) : t->move(t->user, &offset, size);
  snprintf(text, sizeof text, "%" PRId64, offset);
  if (code == IR_OK && xmlSetProp(data, (const xmlChar *)"offset", (const xmlChar *)text) == NULL)
    code = ir_out_of_memory(t->diags);
  return code;
}

/* Calls `move` for each Const layer in `element`: the layer itself, and the layers in its bodies. */
static ir_code move_constants(texts *t, xmlNode *element) {
  xmlNode *data = is_element(element, "layer") && is_constant(t, element) ? child(element, "data") : NULL;
  ir_code code = data == NULL || t->move == NULL ? IR_OK : move_constant(t, data);
  for (xmlNode *at = element->children; at != NULL && code == IR_OK; at = at->next)
    if (at->type == XML_ELEMENT_NODE)
      code = move_constants(t, at);
  return code;
}

/* Not by xmlNodeDump, which without memory leaves a buffer that is freed twice. */
static ir_code write_layer(texts *t, xmlNode *layer, const char **out_text) {
  ir_code code = move_constants(t, layer);
  xmlBuffer *buffer = code == IR_OK ? xmlBufferCreate() : NULL;
  xmlOutputBuffer *output = buffer == NULL ? NULL : xmlOutputBufferCreateBuffer(buffer, NULL);
  if (output != NULL)
    xmlNodeDumpOutput(output, layer->doc, layer, LEVEL, 1, NULL);
  if (output != NULL && xmlOutputBufferClose(output) >= 0 && !t->failed)
    *out_text = ir_arena_text(t->arena, (const char *)xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer));
  xmlBufferFree(buffer);
  return code == IR_OK && *out_text == NULL ? ir_out_of_memory(t->diags) : code;
}

static ir_code report_unreadable(const texts *t) {
  return ir_report(t->diags, IR701_FILE_NOT_READABLE, (ir_where){.source = t->graph->source, .at = IR_NOWHERE},
                   "cannot read the model again: %s",
                   t->error != 0 ? strerror(t->error) : "it changed while it was read");
}

static ir_code find_texts(texts *t, const bool *wanted, const char **out_texts) {
  const int options = XML_PARSE_NOBLANKS | XML_PARSE_NONET | XML_PARSE_HUGE;
  xmlDoc *doc = xmlReadIO(read_source, NULL, t, NULL, NULL, options);
  const xmlNode *layers = doc == NULL ? NULL : child(xmlDocGetRootElement(doc), "layers");
  size_t i = 0;
  ir_code code = IR_OK;
  for (xmlNode *at = layers == NULL ? NULL : layers->children; at != NULL && code == IR_OK; at = at->next) {
    if (!is_element(at, "layer"))
      continue;
    if (i < t->graph->n_layers && wanted[i])
      code = write_layer(t, at, &out_texts[i]);
    i++;
  }
  if (code == IR_OK && t->error == 0 && (doc == NULL || t->failed))
    code = ir_out_of_memory(t->diags);
  else if (code == IR_OK && i != t->graph->n_layers)
    code = report_unreadable(t);
  xmlFreeDoc(doc);
  return code;
}

ir_code ir_layer_texts(const ir_graph *graph, const bool *wanted, ir_move_constant move, void *user, ir_arena *arena,
                       ir_diags *diags, const char **out_texts) {
  texts t = {.graph = graph, .move = move, .user = user, .arena = arena, .diags = diags};
  if (!ir_xml_has_variables())
    return ir_out_of_memory(diags);
  const xmlStructuredErrorFunc handler_before = xmlStructuredError;
  void *const user_before = xmlStructuredErrorContext;
  const xmlGenericErrorFunc printer_before = xmlGenericError;
  void *const printer_user_before = xmlGenericErrorContext;
  xmlSetStructuredErrorFunc(&t, on_error);
  xmlSetGenericErrorFunc(&t, on_message);
  ir_code code = find_texts(&t, wanted, out_texts);
  xmlSetGenericErrorFunc(printer_user_before, printer_before);
  xmlSetStructuredErrorFunc(user_before, handler_before);
  return code;
}
