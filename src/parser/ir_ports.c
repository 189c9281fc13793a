#include "ir_ports.h"
#include "base/index_map.h"
#include "base/limits.h"
#include "base/number_text.h"
#include "ir_attributes.h"
#include "ir_fields.h"
#include <string.h>

/* ---- one port ---- */

static void read_precision(ir_reader *reader, const ir_text *text, ir_port *port) {
  if (text->length > 0 && text->length == reader->n_precision &&
      memcmp(reader->precision, text->text, text->length) == 0) {
    port->type = reader->precision_type;
    return;
  }
  const ir_field field = {reader->graph, reader->layer, "precision", text};
  if (ir_field_precision(&field, reader->diags, &port->type) != IR_OK) {
    reader->layer->broken = true;
    return;
  }
  reader->n_precision = text->length < sizeof reader->precision ? text->length : 0;
  memcpy(reader->precision, text->text, reader->n_precision);
  reader->precision_type = port->type;
}

static bool fill_port(ir_reader *reader, const ir_tag *tag, const ir_fields *fields, ir_read_port *read) {
  ir_port *port = &read->port;
  ir_layer *layer = reader->layer;
  const ir_text *id = &fields->at[IR_PORT_ID], *precision = &fields->at[IR_PORT_PRECISION];
  const ir_text *names = &fields->at[IR_PORT_NAMES];
  *port = (ir_port){.id = -1, .type = IR_DYNAMIC, .rank = IR_RANK_UNKNOWN, .at = tag->at};
  read->id_at = id->at;
  port->type_at = precision->at;
  port->names_at = names->at;
  const ir_field id_field = {reader->graph, layer, "id", id};
  if (ir_report_missing(reader, tag, IR_ELEMENT_PORT, fields, IR_PORT_ID) ||
      ir_field_number(&id_field, reader->diags, &port->id) != IR_OK)
    layer->broken = true;
  if (precision->text != NULL)
    read_precision(reader, precision, port);
  else if (ir_is_legacy(reader->graph)) {
    port->type = layer->precision;
    port->type_at = tag->at;
  } else if (reader->list == &reader->outputs &&
             ir_report_missing(reader, tag, IR_ELEMENT_PORT, fields, IR_PORT_PRECISION))
    layer->broken = true;
  if (names->text != NULL)
    port->names = ir_arena_text(&reader->graph->arena, names->text, names->length);
  return names->text == NULL || port->names != NULL;
}

static const char *skip_blanks(const char *c, const char *end) {
  while (c < end && ir_is_blank(*c))
    c++;
  return c;
}

/* Reads the dims of a port directly from the bytes after its tag, because parser events take four times as long. If the
 * port contains anything other than `<dim>n</dim>`, which is rare, reads nothing, and parser events read the dims. */
static void read_ahead(ir_reader *reader, const ir_tag *tag) {
  const char *const end = tag->rest_end, *c = tag->bytes + tag->at.length;
  int rank = 0;
  for (c = skip_blanks(c, end); end - c > 7 && memcmp(c, "</port>", 7) != 0; c = skip_blanks(c, end)) {
    const char *const text = c + 5;
    if (rank == IR_MAX_RANK || memcmp(c, "<dim>", 5) != 0)
      return;
    for (c = text; c < end && *c != '<';)
      c++;
    if (end - c < 6 || memcmp(c, "</dim>", 6) != 0 ||
        ir_text_dim(text, (size_t)(c - text), IR_DIM_IN_PORT, &reader->dims[rank]) != IR_DIM_OK)
      return;
    reader->dims_at[rank++] = (ir_at){tag->at.begin + (uint32_t)(text - tag->bytes), (uint32_t)(c - text)};
    c += 6;
  }
  reader->port_is_read = end - c > 7;
  reader->rank = reader->port_is_read ? rank : 0;
}

ir_code ir_begin_port(ir_reader *reader, const ir_tag *tag) {
  ir_port_list *list = reader->list;
  if (list->n >= (size_t)IR_MAX_PORTS)
    return ir_report_limit(reader, tag->at, "ports in one layer", IR_MAX_PORTS);
  ir_fields fields;
  ir_code code = ir_find_fields(reader, tag, IR_ELEMENT_PORT, &fields);
  if (code != IR_OK)
    return code;
  void *ports = list->ports;
  if (!ir_reserve(reader->graph->memory, &ports, list->n, &list->capacity, sizeof *list->ports))
    return ir_out_of_memory(reader->diags);
  list->ports = ports;
  reader->rank = 0;
  if (!fill_port(reader, tag, &fields, &list->ports[list->n++]))
    return ir_out_of_memory(reader->diags);
  if (fields.has_unknown)
    ir_report_unknown(reader, tag, IR_ELEMENT_PORT);
  if (tag->at.length == tag->length + 1)
    read_ahead(reader, tag);
  return IR_OK;
}

ir_code ir_end_port(ir_reader *reader) {
  reader->port_is_read = false;
  if (reader->rank == 0)
    return IR_OK;
  ir_port *port = &reader->list->ports[reader->list->n - 1].port;
  const int rank = reader->rank < IR_MAX_RANK ? reader->rank : IR_MAX_RANK;
  ir_at *places = ir_arena_array(&reader->graph->arena, (size_t)rank, sizeof *places);
  port->dims = ir_intern_dims(reader->intern, reader->dims, rank);
  if (places == NULL || port->dims == NULL)
    return ir_out_of_memory(reader->diags);
  memcpy(places, reader->dims_at, (size_t)rank * sizeof *places);
  port->dims_at = places;
  port->rank = rank;
  return IR_OK;
}

/* ---- one dim ---- */

ir_code ir_end_dim(ir_reader *reader, ir_at at) {
  const int index = reader->rank++;
  if (index >= IR_MAX_RANK) {
    reader->layer->broken = true;
    if (index == IR_MAX_RANK)
      ir_report_limit(reader, at, "dims in one port", IR_MAX_RANK);
    return IR_OK;
  }
  size_t n = reader->n_text < sizeof reader->text ? reader->n_text : sizeof reader->text;
  while (n > 0 && ir_is_blank(reader->text[n - 1]))
    n--;
  const ir_text text = {reader->text, n, at};
  const ir_field field = {reader->graph, reader->layer, NULL, &text};
  reader->dims_at[index] = at;
  if (ir_field_dim(&field, reader->diags, &reader->dims[index]) != IR_OK)
    reader->layer->broken = true;
  return IR_OK;
}

/* ---- all ports of a layer ---- */

static bool ids_rise(const ir_port_list *list) {
  for (size_t i = 1; i < list->n; i++)
    if (list->ports[i].port.id <= list->ports[i - 1].port.id)
      return false;
  return true;
}

static void report_repeated_id(ir_reader *reader, ir_severity severity, const ir_read_port *second,
                               const ir_read_port *first) {
  ir_where where = ir_reader_where(reader, second->id_at);
  where.attribute = "id";
  ir_report_as(reader->diags, IR111_PORT_ID_REPEATED, severity, where,
               severity == IR_ERROR ? "port id %lld is already taken in this layer"
                                    : "port id %lld is that of an input of this layer as well",
               (long long)second->port.id);
  ir_note(reader->diags, (ir_where){.source = reader->graph->source, .at = ir_span_of(first->id_at)},
          "it is taken here");
}

static bool same_id(const void *key, int32_t value, const void *user) {
  return ((const ir_read_port *)user)[value].port.id == *(const int64_t *)key;
}

/* Adds the port ids of `list` to `ids`, and reports repeated ids. Returns false if memory is out. */
static bool check_list(ir_reader *reader, const ir_port_list *list, ir_index_map *ids) {
  if (!ir_index_map_init(ids, reader->graph->memory, list->n))
    return false;
  for (size_t i = 0; i < list->n; i++) {
    const int64_t id = list->ports[i].port.id;
    if (id < 0)
      continue;
    int32_t before = ir_index_map_add(ids, ir_hash_number(id), &id, (int32_t)i, same_id, list->ports);
    if (before < 0)
      continue;
    reader->layer->broken = true;
    report_repeated_id(reader, IR_ERROR, &list->ports[i], &list->ports[before]);
  }
  return true;
}

/* Reports repeated port ids. If ids ascend through inputs and outputs, as all known exporters number them, no id is
 * repeated. */
bool ir_check_port_ids(ir_reader *reader) {
  const ir_port_list *inputs = &reader->inputs, *outputs = &reader->outputs;
  const bool rise = ids_rise(inputs) && ids_rise(outputs);
  if (rise && (inputs->n == 0 || outputs->n == 0 || inputs->ports[inputs->n - 1].port.id < outputs->ports[0].port.id))
    return true;
  ir_index_map of_inputs = {.cells = NULL}, of_outputs = {.cells = NULL};
  bool ok = check_list(reader, inputs, &of_inputs) && check_list(reader, outputs, &of_outputs);
  for (size_t i = 0; ok && i < outputs->n; i++) {
    const int64_t id = outputs->ports[i].port.id;
    int32_t input = ir_index_map_find(&of_inputs, ir_hash_number(id), &id, same_id, inputs->ports);
    if (input >= 0)
      report_repeated_id(reader, IR_WARNING, &outputs->ports[i], &inputs->ports[input]);
  }
  ir_index_map_reset(&of_inputs);
  ir_index_map_reset(&of_outputs);
  return ok;
}

bool ir_take_ports(ir_reader *reader, const ir_port_list *list, ir_port **out_ports, int32_t *out_n) {
  *out_ports = NULL;
  *out_n = (int32_t)list->n;
  if (list->n == 0)
    return true;
  *out_ports = ir_arena_array(&reader->graph->arena, list->n, sizeof **out_ports);
  for (size_t i = 0; *out_ports != NULL && i < list->n; i++)
    (*out_ports)[i] = list->ports[i].port;
  return *out_ports != NULL;
}
