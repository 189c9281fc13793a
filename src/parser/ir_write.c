#include "ir_write.h"
#include "xml_error.h"
#include <inttypes.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <string.h>

uint32_t ir_xml_forbids(const char *text) {
  for (const xmlChar *at = (const xmlChar *)text; at != NULL && *at != '\0';) {
    int length = 4;
    const int character = xmlGetUTF8Char(at, &length);
    if (character < 0 || !IS_CHAR(character))
      return character < 0 ? *at : (uint32_t)character;
    at += length;
  }
  return 0;
}

/* ---- elements ---- */

typedef struct xml_output {
  xmlTextWriter *xml;
  ir_byte_sink sink;
  bool sink_failed, failed;
} xml_output;

static int write_bytes(void *user, const char *bytes, int n) {
  xml_output *output = user;
  if (!output->sink_failed && !output->sink.write(output->sink.user, bytes, (size_t)n))
    output->sink_failed = true;
  /* Returns success even after a failure, because libxml2 would print a message on stderr. `sink_failed` records the
   * failure. */
  return n;
}

static int close_output(void *user) {
  (void)user;
  return 0;
}

static void on_error(void *user, ir_xml_error error) {
  (void)error;
  ((xml_output *)user)->failed = true;
}

static void note_failure(xml_output *output, int result) {
  output->failed = output->failed || result < 0;
}

static void begin(xml_output *output, const char *name) {
  note_failure(output, xmlTextWriterStartElement(output->xml, (const xmlChar *)name));
}

static void end(xml_output *output) {
  note_failure(output, xmlTextWriterEndElement(output->xml));
}

static void write_text(xml_output *output, const char *name, const char *value) {
  if (value != NULL)
    note_failure(output, xmlTextWriterWriteAttribute(output->xml, (const xmlChar *)name, (const xmlChar *)value));
}

static void write_number(xml_output *output, const char *name, int64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, number);
  write_text(output, name, text);
}

static void write_dims(xml_output *output, const ir_port *port) {
  char text[24];
  for (int i = 0; i < port->rank; i++) {
    snprintf(text, sizeof text, "%" PRId64, ir_dim_known(port->dims[i]) ? port->dims[i].lo : -1);
    note_failure(output, xmlTextWriterWriteElement(output->xml, (const xmlChar *)"dim", (const xmlChar *)text));
  }
}

static void write_ports(xml_output *output, const char *side, const ir_port *ports, int32_t n) {
  if (n == 0)
    return;
  begin(output, side);
  for (int32_t i = 0; i < n; i++) {
    begin(output, "port");
    write_number(output, "id", ports[i].id);
    write_text(output, "precision", ir_type_precision(ports[i].type));
    write_text(output, "names", ports[i].names);
    write_dims(output, &ports[i]);
    end(output);
  }
  end(output);
}

static void write_net_parts(xml_output *output, const ir_graph *graph, const char *const *texts);

/* Writes the items of a port map, or back edges, of the given kinds. */
static void write_lines(xml_output *output, const ir_bodies *bodies, bool back_edges) {
  static const char *const names[] = {
      [IR_LINE_INPUT] = "input", [IR_LINE_OUTPUT] = "output", [IR_LINE_BACK_EDGE] = "edge"};
  begin(output, back_edges ? "back_edges" : "port_map");
  for (const ir_line *line = bodies->lines; line != NULL; line = line->next) {
    if ((line->kind == IR_LINE_BACK_EDGE) != back_edges)
      continue;
    begin(output, names[line->kind]);
    for (int32_t i = 0; i < line->layer.n_attrs; i++)
      write_text(output, line->layer.attrs[i].name, line->layer.attrs[i].value);
    end(output);
  }
  end(output);
}

/* Writes the body, port map and back edges of a TensorIterator. */
static void write_body(xml_output *output, const ir_bodies *bodies) {
  if (bodies == NULL || bodies->graphs[0] == NULL)
    return;
  write_lines(output, bodies, false);
  write_lines(output, bodies, true);
  begin(output, "body");
  write_net_parts(output, bodies->graphs[0], NULL);
  end(output);
}

static void write_layer(xml_output *output, const ir_layer *layer) {
  begin(output, "layer");
  write_number(output, "id", layer->id);
  write_text(output, "name", layer->name);
  write_text(output, "type", layer->type);
  write_text(output, "version", layer->opset);
  write_text(output, "output_names", layer->output_names);
  if (layer->n_attrs > 0) {
    begin(output, "data");
    for (int32_t i = 0; i < layer->n_attrs; i++)
      write_text(output, layer->attrs[i].name, layer->attrs[i].value);
    end(output);
  }
  if (layer->rt_attribute != NULL) {
    begin(output, "rt_info");
    begin(output, "attribute");
    write_text(output, "name", layer->rt_attribute);
    write_text(output, "version", "0");
    end(output);
    end(output);
  }
  write_ports(output, "input", layer->inputs, layer->n_inputs);
  write_ports(output, "output", layer->outputs, layer->n_outputs);
  write_body(output, layer->bodies);
  end(output);
}

static void write_edge(xml_output *output, const ir_edge *edge) {
  begin(output, "edge");
  write_number(output, "from-layer", edge->from_layer);
  write_number(output, "from-port", edge->from_port);
  write_number(output, "to-layer", edge->to_layer);
  write_number(output, "to-port", edge->to_port);
  end(output);
}

/* Writes the XML of a layer on lines of its own. The first layer needs a line end before it, after the tag <layers>,
 * and the last one the indentation of the end tag behind it. */
static void write_layer_text(xml_output *output, const char *text, bool first, bool last) {
  const char *const parts[] = {first ? "\n    " : "    ", text, last ? "\n  " : "\n"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    note_failure(output, xmlTextWriterWriteRaw(output->xml, (const xmlChar *)parts[i]));
}

static void write_net_parts(xml_output *output, const ir_graph *graph, const char *const *texts) {
  begin(output, "layers");
  for (size_t i = 0; i < graph->n_layers && !output->failed && !output->sink_failed; i++)
    if (texts != NULL && texts[i] != NULL)
      write_layer_text(output, texts[i], i == 0, i + 1 == graph->n_layers);
    else
      write_layer(output, &graph->layers[i]);
  end(output);
  begin(output, "edges");
  for (size_t i = 0; i < graph->n_edges && !output->failed && !output->sink_failed; i++)
    write_edge(output, &graph->edges[i]);
  end(output);
}

static void write_net(xml_output *output, const ir_graph *graph, const char *const *texts) {
  begin(output, "net");
  write_text(output, "name", graph->name);
  write_number(output, "version", graph->version);
  write_net_parts(output, graph, texts);
  end(output);
}

/* Records a failure, and prints no message: libxml2 reports some out-of-memory failures only by a message. */
static void on_message(void *user, const char *format, ...) {
  (void)format;
  ((xml_output *)user)->failed = true;
}

static void write_document(xml_output *output, const ir_graph *graph, const char *const *texts) {
  xmlOutputBuffer *buffer = xmlOutputBufferCreateIO(write_bytes, close_output, output, NULL);
  output->xml = buffer == NULL ? NULL : xmlNewTextWriter(buffer);
  if (output->xml == NULL) {
    if (buffer != NULL)
      xmlOutputBufferClose(buffer);
    output->failed = true;
    return;
  }
  note_failure(output, xmlTextWriterSetIndent(output->xml, 1));
  note_failure(output, xmlTextWriterSetIndentString(output->xml, (const xmlChar *)"  "));
  note_failure(output, xmlTextWriterStartDocument(output->xml, NULL, "UTF-8", NULL));
  write_net(output, graph, texts);
  note_failure(output, xmlTextWriterEndDocument(output->xml));
  note_failure(output, xmlTextWriterFlush(output->xml));
  xmlFreeTextWriter(output->xml);
}

ir_code ir_write_graph(const ir_graph *graph, const char *const *texts, ir_byte_sink sink, ir_diags *diags) {
  xml_output output = {.sink = sink};
  if (!ir_xml_has_variables())
    return ir_out_of_memory(diags);
  /* The output is always well-formed, so libxml2 fails only if memory is out. The handlers below also record failures
   * that libxml2 does not return. */
  const xmlStructuredErrorFunc handler_before = xmlStructuredError;
  void *const user_before = xmlStructuredErrorContext;
  const xmlGenericErrorFunc printer_before = xmlGenericError;
  void *const printer_user_before = xmlGenericErrorContext;
  xmlSetStructuredErrorFunc(&output, on_error);
  xmlSetGenericErrorFunc(&output, on_message);
  write_document(&output, graph, texts);
  xmlSetGenericErrorFunc(printer_user_before, printer_before);
  xmlSetStructuredErrorFunc(user_before, handler_before);
  return output.failed ? ir_out_of_memory(diags) : IR_OK;
}
