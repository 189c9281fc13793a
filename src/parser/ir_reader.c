#include "ir_reader.h"
#include "base/message_text.h"
#include "ir_attributes.h"
#include "ir_bodies.h"
#include "ir_elements.h"
#include "ir_legacy.h"
#include "ir_ports.h"
#include "ir_rt_info.h"
#include <string.h>
#include <strings.h>

typedef struct child {
  const char *name;
  uint8_t length;
  uint8_t element;
} child;

#define CHILD(name, element)                                                                                           \
  { name, sizeof name - 1, IR_ELEMENT_##element }
#define END                                                                                                            \
  { NULL, 0, 0 }

static const child roots[] = {CHILD("net", NET), END};
static const child of_net[] = {CHILD("layers", LAYERS),
                               CHILD("edges", EDGES),
                               CHILD("rt_info", EXTRA),
                               CHILD("meta_data", EXTRA),
                               CHILD("framework_meta", EXTRA),
                               CHILD("quantization_parameters", EXTRA),
                               CHILD("statistics", EXTRA),
                               CHILD("pre-process", PRE_PROCESS),
                               END};
/* The parts that layers of IR versions 2 to 7 have more. */
#define LEGACY_PARTS CHILD("blobs", BLOBS), CHILD("weights", BLOB), CHILD("biases", BLOB)
static const child of_legacy_layer[] = {
    CHILD("data", DATA),         CHILD("input", INPUT),           CHILD("output", OUTPUT), LEGACY_PARTS,
    CHILD("port_map", PORT_MAP), CHILD("back_edges", BACK_EDGES), CHILD("body", BODY),     END};
static const child of_legacy_data[] = {CHILD("crop", CROP), END};
static const child of_pre_process[] = {CHILD("channel", CHANNEL), END};
static const child of_channel[] = {CHILD("mean", MEAN), CHILD("scale", SCALE), END};
static const child of_layers[] = {CHILD("layer", LAYER), END};
static const child of_layer[] = {CHILD("data", DATA),         CHILD("input", INPUT),
                                 CHILD("output", OUTPUT),     CHILD("rt_info", RT_INFO),
                                 CHILD("port_map", PORT_MAP), CHILD("back_edges", BACK_EDGES),
                                 CHILD("body", BODY),         CHILD("then_port_map", PORT_MAP),
                                 CHILD("then_body", BODY),    CHILD("else_port_map", PORT_MAP),
                                 CHILD("else_body", BODY),    END};
static const child of_body[] = {CHILD("layers", LAYERS), CHILD("edges", EDGES), CHILD("rt_info", EXTRA), END};
static const child of_port_map[] = {CHILD("input", MAP_INPUT), CHILD("output", MAP_OUTPUT), END};
static const child of_back_edges[] = {CHILD("edge", BACK_EDGE), END};
static const child of_list[] = {CHILD("port", PORT), END};
static const child of_port[] = {CHILD("dim", DIM), CHILD("rt_info", RT_INFO), END};
static const child of_edges[] = {CHILD("edge", EDGE), END};
static const child of_none[] = {END};

enum { MAX_CHILDREN = 13 };

typedef struct element_row {
  const char *name;
  const child *children;
} element_row;

static const element_row rows[IR_ELEMENT_COUNT] = {
    [IR_ELEMENT_NET] = {"net", of_net},
    [IR_ELEMENT_LAYERS] = {"layers", of_layers},
    [IR_ELEMENT_LAYER] = {"layer", of_layer},
    [IR_ELEMENT_DATA] = {"data", of_none},
    [IR_ELEMENT_INPUT] = {"input", of_list},
    [IR_ELEMENT_OUTPUT] = {"output", of_list},
    [IR_ELEMENT_PORT] = {"port", of_port},
    [IR_ELEMENT_DIM] = {"dim", of_none},
    [IR_ELEMENT_EDGES] = {"edges", of_edges},
    [IR_ELEMENT_EDGE] = {"edge", of_none},
    [IR_ELEMENT_BODY] = {"body", of_body},
    [IR_ELEMENT_PORT_MAP] = {"port_map", of_port_map},
    [IR_ELEMENT_BACK_EDGES] = {"back_edges", of_back_edges},
    [IR_ELEMENT_MAP_INPUT] = {"input", of_none},
    [IR_ELEMENT_MAP_OUTPUT] = {"output", of_none},
    [IR_ELEMENT_BACK_EDGE] = {"edge", of_none},
    [IR_ELEMENT_RT_INFO] = {"rt_info", of_none},
    [IR_ELEMENT_BLOBS] = {"blobs", of_none},
    [IR_ELEMENT_BLOB] = {"blob", of_none},
    [IR_ELEMENT_CROP] = {"crop", of_none},
    [IR_ELEMENT_PRE_PROCESS] = {"pre-process", of_pre_process},
    [IR_ELEMENT_CHANNEL] = {"channel", of_channel},
    [IR_ELEMENT_MEAN] = {"mean", of_none},
    [IR_ELEMENT_SCALE] = {"scale", of_none},
};

static const child *children_of(const ir_reader *reader, ir_element element) {
  if (ir_is_legacy(reader->root) && element == IR_ELEMENT_LAYER)
    return of_legacy_layer;
  if (ir_is_legacy(reader->root) && element == IR_ELEMENT_DATA)
    return of_legacy_data;
  return rows[element].children;
}

bool ir_reader_init(ir_reader *reader, ir_graph *graph, ir_diags *diags) {
  *reader = (ir_reader){.root = graph, .graph = graph, .diags = diags};
  reader->intern = ir_alloc_zero(graph->memory, 1, sizeof *reader->intern);
  if (reader->intern == NULL)
    return false;
  reader->intern->arena = &graph->arena;
  return true;
}

static void close_inner(ir_reader *reader) {
  ir_reader *inner = reader->inner;
  reader->inner = inner->inner;
  inner->inner = NULL;
  inner->intern = NULL; /* the outermost reader owns it */
  ir_reader_reset(inner);
  ir_free(reader->graph->memory, inner);
}

void ir_reader_reset(ir_reader *reader) {
  if (reader->graph == NULL)
    return;
  const ir_memory *memory = reader->graph->memory;
  while (reader->inner != NULL)
    close_inner(reader);
  ir_free(memory, reader->intern);
  ir_free(memory, reader->inputs.ports);
  ir_free(memory, reader->outputs.ports);
  ir_free(memory, reader->attrs);
  ir_free(memory, reader->decoded);
  *reader = (ir_reader){.graph = NULL};
}

/* ---- recognizing elements ---- */

static const child *find_child(const child *children, const ir_text *name) {
  for (; children->name != NULL; children++)
    if (ir_text_is(name, children->name, children->length))
      return children;
  return NULL;
}

static const child *find_in_any_case(const child *children, const ir_text *name) {
  for (; children->name != NULL; children++)
    if (children->length == name->length && strncasecmp(children->name, name->text, name->length) == 0)
      return children;
  return NULL;
}

static bool is_known_in_any_case(const ir_text *name) {
  bool known = find_in_any_case(roots, name) != NULL && find_child(roots, name) == NULL;
  for (size_t i = 0; i < IR_ELEMENT_COUNT; i++)
    known = known || (find_in_any_case(rows[i].children, name) != NULL && find_child(rows[i].children, name) == NULL);
  return known;
}

static void hint_at_child(ir_reader *reader, const child *children, const char *name) {
  const char *names[MAX_CHILDREN];
  size_t n = 0;
  for (; children->name != NULL; children++)
    names[n++] = children->name;
  const char *meant = ir_did_you_mean(name, names, n);
  if (meant != NULL)
    ir_hint(reader->diags, "did you mean <%s>?", meant);
}

/* Returns whether the model or the open layer already has an element of this kind. A second element would be reported
 * as repeated. */
static bool has_block(const ir_reader *reader, uint8_t element) {
  switch (element) {
  case IR_ELEMENT_LAYERS:
    return reader->graph->has_layers_section;
  case IR_ELEMENT_EDGES:
    return reader->has_edges;
  case IR_ELEMENT_DATA:
    return reader->n_data > 0;
  case IR_ELEMENT_INPUT:
    return reader->inputs.has_block;
  case IR_ELEMENT_OUTPUT:
    return reader->outputs.has_block;
  default:
    return false;
  }
}

static bool is_body_part(uint8_t element) {
  return element == IR_ELEMENT_BODY || element == IR_ELEMENT_PORT_MAP || element == IR_ELEMENT_BACK_EDGES;
}

/* Records an element that belongs in an outer element, such as a <layer> in a <port>; returns false for any other
 * element. Usually an end tag is missing, which the XML parser reports. If all end tags exist, report_strays reports
 * the element at the end of its parent. */
static bool hold_stray(ir_reader *reader, const ir_tag *tag) {
  ir_level *level = &reader->levels[reader->n_levels - 1];
  const child *found = NULL;
  for (int i = 0; i < reader->n_levels - 1 && found == NULL; i++)
    found = find_child(children_of(reader, reader->levels[i].element), &tag->name);
  if (found != NULL && level->n_strays++ == 0) {
    level->stray = found->name;
    level->stray_at = tag->at;
  }
  return found != NULL;
}

static void report_strays(const ir_reader *reader, const ir_level *level) {
  if (level->n_strays == 0)
    return;
  ir_report(reader->diags, IR008_UNKNOWN_ELEMENT, ir_reader_where(reader, level->stray_at),
            "unknown element <%s> in <%s>, passed over with all that it holds", level->stray,
            rows[level->element].name);
  if (level->n_strays > 1)
    ir_note(reader->diags, (ir_where){.source = NULL}, "and %lld more in this <%s>", (long long)(level->n_strays - 1),
            rows[level->element].name);
}

/* Reports an unknown element. If its name is that of an expected element in another case, returns the expected element,
 * to read it; else IR_ELEMENT_EXTRA, to skip it. A body, a port map, back edges, <pre-process> and an element that
 * exists already are always skipped. */
static ir_element read_unknown(ir_reader *reader, ir_element element, const ir_tag *tag) {
  const element_row *parent = &rows[element];
  const child *children = children_of(reader, element);
  const ir_text *name = &tag->name;
  const ir_words shown = ir_shown(name->text, name->length);
  const char *text = shown.text;
  const child *meant = find_child(children, name) != NULL ? NULL : find_in_any_case(children, name);
  if (meant != NULL || is_known_in_any_case(name)) {
    ir_report_as(reader->diags, IR008_UNKNOWN_ELEMENT, IR_ERROR, ir_reader_where(reader, tag->at),
                 "unknown element <%s> in <%s>; upper and lower case differ, and a runtime would pass over it", text,
                 parent->name);
  } else {
    ir_report(reader->diags, IR008_UNKNOWN_ELEMENT, ir_reader_where(reader, tag->at),
              "unknown element <%s> in <%s>, passed over with all that it holds", text, parent->name);
  }
  if (find_child(children, name) == NULL)
    hint_at_child(reader, children, text);
  if (meant == NULL || meant->element == IR_ELEMENT_PRE_PROCESS || is_body_part(meant->element) ||
      has_block(reader, meant->element)) {
    reader->in_stranger = element == IR_ELEMENT_NET;
    return IR_ELEMENT_EXTRA;
  }
  reader->misspelt_at = tag->at;
  return (ir_element)meant->element;
}

static ir_element element_of(ir_reader *reader, const ir_tag *tag) {
  const ir_element parent = reader->levels[reader->n_levels - 1].element;
  const child *found = find_child(children_of(reader, parent), &tag->name);
  if (found == NULL && parent == IR_ELEMENT_BLOBS)
    return IR_ELEMENT_BLOB;
  if (found == NULL && parent == IR_ELEMENT_LAYER && ir_is_legacy_data(reader, &tag->name))
    return IR_ELEMENT_DATA;
  if (found == NULL && hold_stray(reader, tag))
    return IR_ELEMENT_EXTRA;
  bool misplaced = found != NULL && is_body_part(found->element) && !ir_takes_body_part(reader->layer, &tag->name);
  return found == NULL || misplaced ? read_unknown(reader, parent, tag) : (ir_element)found->element;
}

/* ---- known elements ---- */

static void begin_section(ir_reader *reader, const ir_tag *tag, const char *name, bool *seen, ir_at *first) {
  if (*seen)
    ir_report_repeated(reader, tag, name, *first, false);
  else
    *first = tag->at;
  *seen = true;
}

static void begin_list(ir_reader *reader, const ir_tag *tag, const char *name, ir_port_list *list) {
  if (list->has_block)
    ir_report_repeated(reader, tag, name, list->block_at, true);
  else
    list->block_at = tag->at;
  list->has_block = true;
  reader->list = list;
}

static ir_code begin(ir_reader *reader, ir_element element, const ir_tag *tag) {
  switch (element) {
  case IR_ELEMENT_NET:
    return ir_begin_net(reader, tag);
  case IR_ELEMENT_LAYERS:
    begin_section(reader, tag, "layers", &reader->graph->has_layers_section, &reader->layers_at);
    return IR_OK;
  case IR_ELEMENT_LAYER:
    return ir_begin_layer(reader, tag);
  case IR_ELEMENT_DATA:
    return ir_begin_data(reader, tag);
  case IR_ELEMENT_INPUT:
    begin_list(reader, tag, "input", &reader->inputs);
    return IR_OK;
  case IR_ELEMENT_OUTPUT:
    begin_list(reader, tag, "output", &reader->outputs);
    return IR_OK;
  case IR_ELEMENT_PORT:
    return ir_begin_port(reader, tag);
  case IR_ELEMENT_DIM:
    reader->n_text = 0;
    return IR_OK;
  case IR_ELEMENT_EDGES:
    reader->edges_repeated = reader->has_edges;
    begin_section(reader, tag, "edges", &reader->has_edges, &reader->edges_at);
    return IR_OK;
  case IR_ELEMENT_EDGE:
    return ir_begin_edge(reader, tag);
  case IR_ELEMENT_PORT_MAP:
  case IR_ELEMENT_BACK_EDGES:
    return ir_begin_map(reader, element, tag);
  case IR_ELEMENT_MAP_INPUT:
    return ir_begin_line(reader, IR_LINE_INPUT, tag);
  case IR_ELEMENT_MAP_OUTPUT:
    return ir_begin_line(reader, IR_LINE_OUTPUT, tag);
  case IR_ELEMENT_BACK_EDGE:
    return ir_begin_line(reader, IR_LINE_BACK_EDGE, tag);
  case IR_ELEMENT_RT_INFO:
    memset(reader->rt_attribute_at, 0, sizeof reader->rt_attribute_at);
    return IR_OK;
  case IR_ELEMENT_BLOBS:
    return IR_OK;
  case IR_ELEMENT_BLOB:
    return ir_begin_blob(reader, tag);
  case IR_ELEMENT_CROP:
    return ir_begin_crop(reader, tag);
  case IR_ELEMENT_PRE_PROCESS:
    return ir_begin_pre_process(reader, tag);
  case IR_ELEMENT_CHANNEL:
    return ir_begin_channel(reader, tag);
  case IR_ELEMENT_MEAN:
  case IR_ELEMENT_SCALE:
    return ir_begin_mean(reader, element, tag);
  default:
    return IR_INTERNAL;
  }
}

/* Whether the element is skipped. Of the skipped ones, <pre-process> is remembered, and <statistics> in an old IR. */
static bool passes_over(ir_reader *reader, ir_element element, const ir_tag *tag) {
  ir_graph *graph = reader->graph;
  if (element == IR_ELEMENT_EXTRA && ir_text_is(&tag->name, "statistics", 10))
    graph->statistics_at = tag->at;
  if (element != IR_ELEMENT_PRE_PROCESS || ir_is_legacy(graph))
    return element == IR_ELEMENT_EXTRA;
  if (!graph->has_pre_process)
    graph->pre_process_at = tag->at;
  graph->has_pre_process = true;
  return true;
}

/* Makes a body, and a reader for it. */
static ir_code begin_body(ir_reader *reader, const ir_tag *tag) {
  ir_graph *body;
  ir_code code = ir_begin_body(reader, tag, &body);
  if (code != IR_OK || body == NULL)
    return code;
  ir_reader *inner = ir_alloc_zero(reader->graph->memory, 1, sizeof *inner);
  if (inner == NULL)
    return ir_out_of_memory(reader->diags);
  inner->root = reader->root;
  inner->graph = body;
  inner->diags = reader->diags;
  inner->intern = reader->intern;
  inner->n_outer = reader->n_outer + 1;
  inner->levels[inner->n_levels++] = (ir_level){.element = IR_ELEMENT_BODY, .at = tag->at};
  reader->inner = inner;
  return IR_OK;
}

/* If the tag is <layers> or <edges> in an unknown child of <net>, reports the wrong place, prepares to read the
 * element, and returns true. If the element were skipped, its layers would be reported as missing. */
static bool takes_in(ir_reader *reader, const ir_tag *tag) {
  const child *found = reader->in_stranger && reader->n_passed == 1 ? find_child(of_net, &tag->name) : NULL;
  if (found == NULL || (found->element != IR_ELEMENT_LAYERS && found->element != IR_ELEMENT_EDGES) ||
      has_block(reader, found->element))
    return false;
  ir_report_as(reader->diags, IR008_UNKNOWN_ELEMENT, IR_ERROR, ir_reader_where(reader, tag->at),
               "<%s> stands in an unknown element, and a runtime would pass over it", found->name);
  ir_hint(reader->diags, "put it into <net> itself");
  reader->misspelt_at = tag->at;
  reader->n_passed = 0;
  reader->in_stranger = false;
  reader->levels[reader->n_levels++] = (ir_level){.element = IR_ELEMENT_NET, .at = tag->at};
  return true;
}

/* Returns whether to read an <rt_info>. OpenVINO reads only the first <rt_info> of a layer or port, and only in IR
 * version 11. */
static bool reads_rt_info(ir_reader *reader) {
  ir_level *parent = &reader->levels[reader->n_levels - 1];
  const bool reads = reader->root->version > 10 && !parent->has_rt_info;
  parent->has_rt_info = true;
  return reads;
}

/* ---- events of the XML parser ---- */

void ir_reader_pass_element(ir_reader *outermost, const char *name, int n_attributes,
                            const unsigned char **attributes) {
  const ir_reader *reader = ir_innermost(outermost);
  ir_reader_pass(outermost);
  for (int i = 0; i < n_attributes && reader->layer != NULL && strcmp(name, "data") == 0; i++)
    if (strcmp((const char *)attributes[5 * i], "offset") == 0)
      reader->layer->passes_bytes = true;
}

ir_code ir_reader_start(ir_reader *outermost, const ir_tag *tag) {
  ir_reader *reader = ir_innermost(outermost);
  if (ir_reader_passes(reader) || (reader->n_passed > 0 && !takes_in(reader, tag))) {
    ir_reader_pass(reader);
    return IR_OK;
  }
  if (reader->n_levels > 0 && reader->levels[reader->n_levels - 1].element == IR_ELEMENT_RT_INFO) {
    ir_reader_pass(outermost);
    return ir_begin_rt_attribute(reader, tag);
  }
  ir_element element = reader->n_levels == 0 ? IR_ELEMENT_NET : element_of(reader, tag);
  if (element == IR_ELEMENT_RT_INFO && !reads_rt_info(reader))
    element = IR_ELEMENT_EXTRA;
  if (passes_over(reader, element, tag)) {
    reader->n_passed = 1;
    return IR_OK;
  }
  if (element == IR_ELEMENT_BODY)
    return begin_body(reader, tag);
  reader->levels[reader->n_levels++] = (ir_level){.element = element, .at = tag->at};
  return begin(reader, element, tag);
}

/* Returns the reader whose field `inner` is `inner`. */
static ir_reader *find_outer(ir_reader *reader, const ir_reader *inner) {
  while (reader->inner != inner)
    reader = reader->inner;
  return reader;
}

ir_code ir_reader_end(ir_reader *outermost, ir_at at) {
  ir_reader *reader = ir_innermost(outermost);
  if (reader->n_passed > 0) {
    reader->n_passed--;
    reader->in_stranger = reader->in_stranger && reader->n_passed > 0;
    return IR_OK;
  }
  const ir_level *level = &reader->levels[--reader->n_levels];
  report_strays(reader, level);
  switch (level->element) {
  case IR_ELEMENT_LAYER:
    return ir_end_layer(reader);
  case IR_ELEMENT_PORT:
    return ir_end_port(reader);
  case IR_ELEMENT_DIM:
    return ir_end_dim(reader, at.length > 0 ? at : level->at);
  case IR_ELEMENT_BODY:
    close_inner(find_outer(outermost, reader));
    return IR_OK;
  default:
    return IR_OK;
  }
}

void ir_reader_add_text(ir_reader *outermost, const char *text, size_t length) {
  ir_reader *reader = ir_innermost(outermost);
  for (size_t i = 0; i < length; i++) {
    const bool fits = reader->n_text < sizeof reader->text;
    if (ir_is_blank(text[i]) && (reader->n_text == 0 || !fits))
      continue;
    if (fits)
      reader->text[reader->n_text] = text[i];
    reader->n_text++;
  }
}

void ir_reader_stray_text(ir_reader *outermost, ir_at at) {
  ir_reader *reader = ir_innermost(outermost);
  if (reader->n_passed > 0 || reader->n_levels == 0)
    return;
  ir_level *level = &reader->levels[reader->n_levels - 1];
  if (level->text_reported || level->element == IR_ELEMENT_RT_INFO)
    return;
  level->text_reported = true;
  ir_report(reader->diags, IR008_UNKNOWN_ELEMENT, ir_reader_where(reader, at),
            "text in <%s>, where only elements have a meaning, is passed over", rows[level->element].name);
}
