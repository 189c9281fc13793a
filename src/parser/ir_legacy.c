#include "ir_legacy.h"
#include "base/number_text.h"
#include "ir_elements.h"
#include "ir_fields.h"
#include "ir_legacy_types.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *text_of(ir_reader *reader, const ir_text *text) {
  return ir_arena_text(&reader->graph->arena, text->text, text->length);
}

/* ---- <data> and blobs ---- */

bool ir_is_legacy_data(const ir_reader *reader, const ir_text *name) {
  static const char *const others[] = {"fc", "lrn", "norm", "batch_norm", "crop-data", "elementwise"};
  const char *type = reader->layer->type;
  const size_t n = strlen(type);
  if (!ir_is_legacy(reader->root))
    return false;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (ir_text_is(name, others[i], strlen(others[i])))
      return true;
  if (name->length > 5 && memcmp(name->text + name->length - 5, "_data", 5) == 0)
    return true;
  return n > 0 && name->length == n && strncasecmp(name->text, type, n) == 0;
}

/* Reads a number that need not be there. False: it is there and unreadable, which was reported. */
static bool read_number(ir_reader *reader, const ir_text *text, const char *attribute, int64_t *out) {
  const ir_field field = {reader->graph, reader->layer, attribute, text};
  return text->text == NULL || ir_field_number(&field, reader->diags, out) == IR_OK;
}

ir_code ir_begin_blob(ir_reader *reader, const ir_tag *tag) {
  ir_fields fields;
  ir_code code = ir_find_fields(reader, tag, IR_ELEMENT_BLOB, &fields);
  if (code != IR_OK)
    return code;
  ir_blob *blob = ir_arena_alloc(&reader->graph->arena, sizeof *blob);
  const char *name = text_of(reader, &tag->name);
  if (blob == NULL || name == NULL)
    return ir_out_of_memory(reader->diags);
  *blob = (ir_blob){.name = name, .at = tag->at};
  blob->offset_at = fields.at[IR_BLOB_OFFSET].at;
  blob->size_at = fields.at[IR_BLOB_SIZE].at;
  const bool read = read_number(reader, &fields.at[IR_BLOB_OFFSET], "offset", &blob->offset) &&
                    read_number(reader, &fields.at[IR_BLOB_SIZE], "size", &blob->size);
  reader->layer->broken = reader->layer->broken || !read;
  blob->type = ir_legacy_precision(reader, &fields.at[IR_BLOB_PRECISION], "precision", IR_DYNAMIC);
  if (fields.has_unknown)
    ir_report_unknown(reader, tag, IR_ELEMENT_BLOB);
  /* the tools of the time passed over a blob without bytes */
  if (blob->size == 0)
    return IR_OK;
  ir_blob **end = &reader->layer->blobs;
  while (*end != NULL)
    end = &(*end)->next;
  *end = blob;
  return IR_OK;
}

/* Adds the attribute that was read last to an earlier one of the same name, with a comma between. */
static bool join_last(ir_reader *reader) {
  const ir_raw_attr *last = &reader->attrs[reader->n_attrs - 1];
  for (size_t i = 0; i + 1 < reader->n_attrs; i++) {
    if (strcmp(reader->attrs[i].name, last->name) != 0)
      continue;
    const size_t size = strlen(reader->attrs[i].value) + strlen(last->value) + 2;
    char *joined = ir_arena_alloc(&reader->graph->arena, size);
    if (joined == NULL)
      return false;
    snprintf(joined, size, "%s,%s", reader->attrs[i].value, last->value);
    reader->attrs[i].value = joined;
    reader->n_attrs--;
    break;
  }
  return true;
}

static int count_items(const char *list) {
  int n = 1;
  for (; *list != '\0'; list++)
    n += *list == ',';
  return n;
}

ir_code ir_begin_crop(ir_reader *reader, const ir_tag *tag) {
  ir_tag_attr attr;
  /* each <crop> copies the lists of those before it */
  for (size_t i = 0; i < reader->n_attrs; i++)
    if (count_items(reader->attrs[i].value) >= IR_MAX_AXES)
      return ir_report_limit(reader, tag->at, "items in the crops of a layer", IR_MAX_AXES);
  reader->repeated.length = 0; /* layers with the same <data> can have other crops */
  reader->n_decoded = 0;
  for (size_t cursor = 0; ir_tag_next(tag, &cursor, &attr);)
    if (!ir_add_attr(reader, tag, &attr) || !join_last(reader))
      return ir_out_of_memory(reader->diags);
  return IR_OK;
}

/* ---- <pre-process> ---- */

ir_code ir_begin_pre_process(ir_reader *reader, const ir_tag *tag) {
  ir_graph *graph = reader->graph;
  ir_fields fields;
  ir_code code = ir_find_fields(reader, tag, IR_ELEMENT_PRE_PROCESS, &fields);
  if (code != IR_OK)
    return code;
  if (graph->has_pre_process)
    ir_report_repeated(reader, tag, "pre-process", graph->pre_process_at, false);
  graph->has_pre_process = true;
  graph->pre_process_at = tag->at;
  const ir_text *layer = &fields.at[IR_PRE_PROCESS_LAYER];
  if (layer->text != NULL && layer->length > 0 && (graph->pre_processed = text_of(reader, layer)) == NULL)
    return ir_out_of_memory(reader->diags);
  graph->mean_precision =
      ir_legacy_precision(reader, &fields.at[IR_PRE_PROCESS_PRECISION], "mean-precision", graph->precision);
  if (fields.has_unknown)
    ir_report_unknown(reader, tag, IR_ELEMENT_PRE_PROCESS);
  return IR_OK;
}

ir_code ir_begin_channel(ir_reader *reader, const ir_tag *tag) {
  ir_graph *graph = reader->graph;
  ir_fields fields;
  void *channels = graph->channels;
  ir_code code = ir_find_fields(reader, tag, IR_ELEMENT_CHANNEL, &fields);
  if (code != IR_OK)
    return code;
  if (!ir_reserve(graph->memory, &channels, graph->n_channels, &graph->channels_capacity, sizeof *graph->channels))
    return ir_out_of_memory(reader->diags);
  graph->channels = channels;
  /* a channel without an id follows the one before it */
  const int64_t before = graph->n_channels == 0 ? -1 : graph->channels[graph->n_channels - 1].id;
  const int64_t id = before < INT64_MAX ? before + 1 : before;
  ir_channel *channel = &graph->channels[graph->n_channels++];
  *channel = (ir_channel){.id = id, .scale = 1, .at = tag->at};
  read_number(reader, &fields.at[0], "id", &channel->id);
  if (fields.has_unknown)
    ir_report_unknown(reader, tag, IR_ELEMENT_CHANNEL);
  return IR_OK;
}

/* Reads a float that need not be there. Returns whether there is one. */
static bool read_float(ir_reader *reader, const ir_text *text, double *out) {
  if (text->text == NULL || ir_text_double(text->text, text->length, out))
    return text->text != NULL;
  ir_where where = ir_reader_where(reader, text->at);
  where.attribute = "value";
  ir_report(reader->diags, IR206_ATTRIBUTE_NOT_PARSABLE, where, "'value' is no number");
  return false;
}

ir_code ir_begin_mean(ir_reader *reader, ir_element element, const ir_tag *tag) {
  ir_fields fields;
  ir_channel *channel = &reader->graph->channels[reader->graph->n_channels - 1];
  ir_code code = ir_find_fields(reader, tag, element, &fields);
  if (code != IR_OK)
    return code;
  if (element == IR_ELEMENT_MEAN) {
    channel->has_mean = read_float(reader, &fields.at[IR_MEAN_VALUE], &channel->mean) || channel->has_mean;
    read_number(reader, &fields.at[IR_MEAN_OFFSET], "offset", &channel->image_offset);
    read_number(reader, &fields.at[IR_MEAN_SIZE], "size", &channel->image_size);
  } else {
    read_float(reader, &fields.at[IR_MEAN_VALUE], &channel->scale);
  }
  if (fields.has_unknown)
    ir_report_unknown(reader, tag, element);
  return IR_OK;
}
