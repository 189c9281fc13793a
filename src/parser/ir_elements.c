#include "ir_elements.h"
#include "base/limits.h"
#include "base/message_text.h"
#include "ir_attributes.h"
#include "ir_fields.h"
#include "ir_legacy_types.h"
#include "ir_ports.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Estimates the final length of an array. Bytes [from, to) of the file contained `n` elements; the rest of the file is
 * assumed to have as many elements per byte. The result is 2 n to 32 n: one large step leaves fewer unused pages than
 * several doublings. */
static size_t expect(const ir_reader *reader, size_t n, ir_at from, ir_at to) {
  const double share = (double)(to.begin - from.begin) / (double)(reader->graph->source->size - from.begin);
  const double times = 1.05 / (share > 0 ? share : 1);
  return (size_t)((double)n * (times < 2 ? 2 : times > 32 ? 32 : times));
}

/* Moves a full array to a block for `wanted` elements. If memory is out, returns the old array, whose length the caller
 * doubles instead. */
static void *make_room(const ir_reader *reader, void *array, size_t n, size_t *capacity, size_t size, size_t wanted) {
  size_t bytes;
  void *grown = NULL;
  if (!__builtin_mul_overflow(wanted, size, &bytes))
    grown = ir_grow(reader->graph->memory, array, n * size, bytes);
  if (grown == NULL)
    return array;
  *capacity = wanted;
  return grown;
}

/* ---- net ---- */

static ir_code check_version(ir_reader *reader, const ir_tag *tag, const ir_text *version) {
  static const char *const known[] = {"2", "3", "4", "5", "6", "7", "10", "11"};
  if (version->text == NULL)
    return ir_report(reader->diags, IR003_IR_VERSION_UNSUPPORTED, ir_reader_where(reader, tag->at),
                     "<net> has no 'version'; irrun reads IR versions 2 to 7, 10 and 11");
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (ir_text_is(version, known[i], strlen(known[i]))) {
      reader->graph->version = atoi(known[i]);
      return IR_OK;
    }
  ir_code code = ir_report(reader->diags, IR003_IR_VERSION_UNSUPPORTED, ir_reader_where(reader, version->at),
                           "the IR version is '%s'; irrun reads versions 2 to 7, 10 and 11",
                           ir_shown(version->text, version->length).text);
  if (version->length == 1 && version->text[0] >= '1' && version->text[0] <= '9')
    ir_hint(reader->diags, "convert it anew from the original model");
  return code;
}

ir_code ir_begin_net(ir_reader *reader, const ir_tag *tag) {
  ir_fields fields;
  reader->graph->at = tag->at;
  ir_code code = ir_find_fields(reader, tag, IR_ELEMENT_NET, &fields);
  if (code != IR_OK)
    return code;
  const ir_text *name = &fields.at[IR_NET_NAME];
  if (name->text != NULL)
    reader->graph->name = ir_arena_text(&reader->graph->arena, name->text, name->length);
  if (reader->graph->name == NULL)
    return ir_out_of_memory(reader->diags);
  /* if the version is not supported, reports nothing else */
  code = check_version(reader, tag, &fields.at[IR_NET_VERSION]);
  if (code == IR_OK && ir_is_legacy(reader->graph))
    return ir_begin_legacy_net(reader, tag);
  if (code == IR_OK && fields.has_unknown)
    ir_report_unknown(reader, tag, IR_ELEMENT_NET);
  return code;
}

/* ---- layer ---- */

static bool keep_text(ir_reader *reader, const ir_text *text, const char **out) {
  if (text->text != NULL)
    *out = ir_arena_text(&reader->graph->arena, text->text, text->length);
  return text->text == NULL || *out != NULL;
}

static bool keep_word(ir_reader *reader, const ir_text *text, const char **out) {
  if (text->text != NULL)
    *out = ir_intern_text(reader->intern, text->text, text->length);
  return *out != NULL;
}

/* A layer of an old IR has a precision in place of an opset. */
static bool fill_layer(ir_reader *reader, const ir_fields *fields) {
  static const char legacy[] = IR_OLD_OPSET;
  ir_layer *layer = reader->layer;
  const ir_text opset = {legacy, sizeof legacy - 1, fields->at[IR_LAYER_TYPE].at};
  const bool is_legacy = ir_is_legacy(reader->graph);
  layer->id_at = fields->at[IR_LAYER_ID].at;
  layer->name_at = fields->at[IR_LAYER_NAME].at;
  layer->type_at = fields->at[IR_LAYER_TYPE].at;
  layer->opset_at = fields->at[IR_LAYER_OPSET].at;
  layer->output_names_at = fields->at[IR_LAYER_OUTPUT_NAMES].at;
  return keep_text(reader, &fields->at[IR_LAYER_NAME], &layer->name) &&
         keep_word(reader, &fields->at[IR_LAYER_TYPE], &layer->type) &&
         keep_word(reader, is_legacy ? &opset : &fields->at[IR_LAYER_OPSET], &layer->opset) &&
         (is_legacy || keep_text(reader, &fields->at[IR_LAYER_OUTPUT_NAMES], &layer->output_names));
}

/* Checks that the layer's type or opset is present and not empty. */
static void check_word(ir_reader *reader, const ir_tag *tag, const ir_fields *fields, int index) {
  const ir_text *text = &fields->at[index];
  if (text->text != NULL && text->length > 0)
    return;
  reader->layer->broken = true;
  if (text->text == NULL && index == IR_LAYER_OPSET)
    /* ir_end_layer reports the missing opset, because <data> can show that the file is an execution graph. */
    reader->lacks_opset = true;
  if (reader->lacks_opset || ir_report_missing(reader, tag, IR_ELEMENT_LAYER, fields, index))
    return;
  ir_where where = ir_reader_where(reader, text->at);
  where.attribute = ir_attribute_name(IR_ELEMENT_LAYER, index);
  ir_report(reader->diags, IR206_ATTRIBUTE_NOT_PARSABLE, where, "'%s' is empty", where.attribute);
}

/* Checks that only a Result has the attribute 'output_names'. */
static void check_output_names(ir_reader *reader) {
  ir_layer *layer = reader->layer;
  if (layer->output_names == NULL || layer->type[0] == '\0' || strcasecmp(layer->type, "Result") == 0)
    return;
  ir_where where = ir_reader_where(reader, layer->output_names_at);
  where.attribute = "output_names";
  ir_report(reader->diags, IR205_UNKNOWN_ATTRIBUTE, where, "'output_names' has a meaning only on a Result, not on a %s",
            layer->type);
  layer->output_names = NULL;
}

static void check_layer(ir_reader *reader, const ir_tag *tag, const ir_fields *fields) {
  if (!ir_report_missing(reader, tag, IR_ELEMENT_LAYER, fields, IR_LAYER_ID)) {
    const ir_field id = {reader->graph, reader->layer, "id", &fields->at[IR_LAYER_ID]};
    ir_field_number(&id, reader->diags, &reader->layer->id);
  }
  ir_report_missing(reader, tag, IR_ELEMENT_LAYER, fields, IR_LAYER_NAME);
  reader->lacks_opset = false;
  check_word(reader, tag, fields, IR_LAYER_TYPE);
  if (ir_is_legacy(reader->graph)) {
    ir_take_layer_precision(reader, fields);
  } else {
    check_word(reader, tag, fields, IR_LAYER_OPSET);
    check_output_names(reader);
  }
  if (fields->has_unknown)
    ir_report_unknown(reader, tag, ir_is_legacy(reader->graph) ? IR_ELEMENT_LEGACY_LAYER : IR_ELEMENT_LAYER);
}

/* Checks the length of a layer's path, which reports repeat for each layer. */
static ir_code check_path(ir_reader *reader, const ir_text *name) {
  size_t bytes = name->length;
  for (const ir_scope_path *path = reader->graph->scope_path; path != NULL; path = path->outer)
    bytes += strlen(path->name);
  if (bytes <= IR_MAX_LAYER_NAME)
    return IR_OK;
  return ir_report_limit(reader, name->at, "bytes in the name of a layer and of the layers around it",
                         IR_MAX_LAYER_NAME);
}

ir_code ir_begin_layer(ir_reader *reader, const ir_tag *tag) {
  ir_graph *graph = reader->graph;
  if (graph->n_layers >= (size_t)IR_MAX_LAYERS)
    return ir_report_limit(reader, tag->at, "layers", IR_MAX_LAYERS);
  const size_t n = graph->n_layers;
  if (n > 0 && n == graph->layers_capacity)
    graph->layers = make_room(reader, graph->layers, n, &graph->layers_capacity, sizeof *graph->layers,
                              expect(reader, n, reader->layers_at, tag->at));
  ir_layer *layer = reader->layer = ir_graph_add_layer(graph);
  if (layer == NULL)
    return ir_out_of_memory(reader->diags);
  *layer = (ir_layer){.id = -1, .name = "", .type = "", .opset = "", .at = tag->at, .scope_path = graph->scope_path};
  reader->inputs.n = reader->outputs.n = reader->n_attrs = 0;
  reader->inputs.has_block = reader->outputs.has_block = false;
  reader->n_data = 0;
  ir_fields fields;
  ir_code code = ir_find_fields(reader, tag, ir_is_legacy(graph) ? IR_ELEMENT_LEGACY_LAYER : IR_ELEMENT_LAYER, &fields);
  if (code != IR_OK)
    return code;
  if (!fill_layer(reader, &fields))
    return ir_out_of_memory(reader->diags);
  check_layer(reader, tag, &fields);
  return check_path(reader, &fields.at[IR_LAYER_NAME]);
}

ir_code ir_end_layer(ir_reader *reader) {
  ir_layer *layer = reader->layer;
  if (reader->lacks_opset)
    ir_report_missing(reader, &(ir_tag){.at = layer->at}, IR_ELEMENT_LAYER, &(ir_fields){.has_unknown = false},
                      IR_LAYER_OPSET);
  ir_arena *arena = &reader->graph->arena;
  bool ok = ir_check_port_ids(reader) && ir_take_ports(reader, &reader->inputs, &layer->inputs, &layer->n_inputs) &&
            ir_take_ports(reader, &reader->outputs, &layer->outputs, &layer->n_outputs);
  if (ok && reader->n_attrs > 0) {
    layer->attrs = ir_arena_array(arena, reader->n_attrs, sizeof *layer->attrs);
    ok = layer->attrs != NULL;
  }
  if (ok && reader->n_attrs > 0) {
    memcpy(layer->attrs, reader->attrs, reader->n_attrs * sizeof *layer->attrs);
    layer->n_attrs = (int32_t)reader->n_attrs;
  }
  if (ok && reader->n_data == 1) {
    reader->repeated.attrs = layer->attrs;
    reader->repeated.n_attrs = reader->n_attrs;
    reader->repeated.begin = layer->data_at.begin;
  }
  reader->layer = NULL;
  return ok ? IR_OK : ir_out_of_memory(reader->diags);
}

/* ---- data ---- */

static bool has_attr(const ir_reader *reader, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(reader->attrs[i].name, name) == 0)
      return true;
  return false;
}

/* Appends an attribute to `reader->attrs`. Returns false if memory is out. */
static bool append_attr(ir_reader *reader, const ir_raw_attr *attr) {
  void *attrs = reader->attrs;
  if (!ir_reserve(reader->graph->memory, &attrs, reader->n_attrs, &reader->attrs_capacity, sizeof *reader->attrs))
    return false;
  reader->attrs = attrs;
  reader->attrs[reader->n_attrs++] = *attr;
  return true;
}

bool ir_add_attr(ir_reader *reader, const ir_tag *tag, const ir_tag_attr *attr) {
  ir_text value;
  if (!ir_decode_value(reader, tag, attr, &value))
    return false;
  ir_raw_attr raw = {.name_at = attr->name.at, .at = attr->value.at};
  raw.name = ir_intern_text(reader->intern, attr->name.text, attr->name.length);
  raw.value = ir_intern_text(reader->intern, value.text, value.length);
  return raw.name != NULL && raw.value != NULL && append_attr(reader, &raw);
}

/* If the tag has the same text as the cached <data>, appends the cached attributes to `reader->attrs`. Their places are
 * moved to this tag. */
static ir_code repeat_data(ir_reader *reader, const ir_tag *tag, bool *out_same) {
  const ir_repeated_data *repeated = &reader->repeated;
  *out_same =
      reader->n_data == 1 && tag->length == repeated->length && memcmp(tag->bytes, repeated->text, tag->length) == 0;
  const uint32_t moved = tag->at.begin - repeated->begin;
  for (size_t i = 0; *out_same && i < repeated->n_attrs; i++) {
    ir_raw_attr attr = repeated->attrs[i];
    attr.name_at.begin += moved;
    attr.at.begin += moved;
    if (!append_attr(reader, &attr))
      return ir_out_of_memory(reader->diags);
  }
  return IR_OK;
}

/* Caches the text of a layer's first <data> if the text is short. ir_end_layer adds the attributes to the cache. */
static void keep_data_text(ir_reader *reader, const ir_tag *tag) {
  ir_repeated_data *repeated = &reader->repeated;
  repeated->length = 0;
  if (reader->n_data > 1 || tag->length > sizeof repeated->text)
    return;
  memcpy(repeated->text, tag->bytes, tag->length);
  repeated->length = tag->length;
}

/* Reads the attributes of a <data>. A second <data> is a fault; its attributes are added if the first lacks them, so
 * that they are not reported as missing. */
static ir_code read_data(ir_reader *reader, const ir_tag *tag) {
  const size_t n_before = reader->n_attrs;
  reader->n_decoded = 0;
  ir_tag_attr attr;
  int n = 0;
  for (size_t cursor = 0; ir_tag_next(tag, &cursor, &attr);) {
    if (++n > IR_MAX_ATTRIBUTES)
      return ir_report_limit(reader, tag->at, "attributes in one element", IR_MAX_ATTRIBUTES);
    if (reader->n_data > 2)
      continue;
    if (!ir_add_attr(reader, tag, &attr))
      return ir_out_of_memory(reader->diags);
    if (n_before > 0 && has_attr(reader, n_before, reader->attrs[reader->n_attrs - 1].name))
      reader->n_attrs--;
  }
  return IR_OK;
}

/* Returns whether the file is an execution graph, which OpenVINO writes for a compiled model. Its layers have no opset,
 * but attributes about the execution. */
static bool is_execution_graph(const ir_reader *reader) {
  return reader->lacks_opset &&
         (has_attr(reader, reader->n_attrs, "execOrder") || has_attr(reader, reader->n_attrs, "execTimeMcs") ||
          has_attr(reader, reader->n_attrs, "originalLayersNames"));
}

static ir_code report_execution_graph(ir_reader *reader) {
  const ir_code code = ir_report(reader->diags, IR002_NOT_AN_IR, ir_reader_where(reader, reader->layer->at),
                                 "this is an execution graph, which tells how a device computed a model, and no model");
  ir_hint(reader->diags, "give the .xml that was compiled; get_runtime_model and -exec_graph_path made this one of it");
  return code;
}

ir_code ir_begin_data(ir_reader *reader, const ir_tag *tag) {
  ir_layer *layer = reader->layer;
  if (reader->n_data++ > 0)
    ir_report_repeated(reader, tag, "data", layer->data_at, false);
  else
    layer->data_at = tag->at;
  layer->has_data = true;
  bool same;
  ir_code code = repeat_data(reader, tag, &same);
  if (code == IR_OK && !same) {
    keep_data_text(reader, tag);
    code = read_data(reader, tag);
  }
  return code == IR_OK && is_execution_graph(reader) ? report_execution_graph(reader) : code;
}

/* ---- edge ---- */

static void read_end(ir_reader *reader, const ir_tag *tag, const ir_fields *fields, int index, int64_t *out,
                     ir_at *out_at) {
  *out = -1;
  if (ir_report_missing(reader, tag, IR_ELEMENT_EDGE, fields, index))
    return;
  const ir_field field = {reader->graph, NULL, ir_attribute_name(IR_ELEMENT_EDGE, index), &fields->at[index]};
  *out_at = field.text->at;
  int64_t number;
  if (ir_field_number(&field, reader->diags, &number) == IR_OK)
    *out = number;
}

/* Returns whether `edge` belongs to a second <edges> and equals an earlier edge. Such an edge is dropped, because the
 * second <edges> itself was reported. */
static bool repeats(ir_reader *reader, const ir_edge *edge) {
  enum { MOST_COMPARED = 1 << 26 };
  const ir_graph *graph = reader->graph;
  for (size_t i = 0; reader->edges_repeated && i < graph->n_edges && reader->n_compared++ < MOST_COMPARED; i++) {
    const ir_edge *other = &graph->edges[i];
    if (other->from_layer == edge->from_layer && other->from_port == edge->from_port &&
        other->to_layer == edge->to_layer && other->to_port == edge->to_port)
      return true;
  }
  return false;
}

ir_code ir_begin_edge(ir_reader *reader, const ir_tag *tag) {
  ir_graph *graph = reader->graph;
  if (graph->n_edges >= (size_t)IR_MAX_EDGES)
    return ir_report_limit(reader, tag->at, "edges", IR_MAX_EDGES);
  ir_fields fields;
  ir_code code = ir_find_fields(reader, tag, IR_ELEMENT_EDGE, &fields);
  if (code != IR_OK)
    return code;
  if (fields.has_unknown)
    ir_report_unknown(reader, tag, IR_ELEMENT_EDGE);
  ir_edge edge = {.at = tag->at};
  read_end(reader, tag, &fields, IR_EDGE_FROM_LAYER, &edge.from_layer, &edge.from_layer_at);
  read_end(reader, tag, &fields, IR_EDGE_FROM_PORT, &edge.from_port, &edge.from_port_at);
  read_end(reader, tag, &fields, IR_EDGE_TO_LAYER, &edge.to_layer, &edge.to_layer_at);
  read_end(reader, tag, &fields, IR_EDGE_TO_PORT, &edge.to_port, &edge.to_port_at);
  if (repeats(reader, &edge))
    return IR_OK;
  const size_t n = graph->n_edges;
  if (n > 0 && n == graph->edges_capacity)
    graph->edges = make_room(reader, graph->edges, n, &graph->edges_capacity, sizeof *graph->edges,
                             expect(reader, n, reader->edges_at, tag->at));
  ir_edge *added = ir_graph_add_edge(graph);
  if (added == NULL)
    return ir_out_of_memory(reader->diags);
  *added = edge;
  return IR_OK;
}
