#include "ir_attributes.h"
#include "base/limits.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct attribute_list {
  const char *element, *names[IR_MAX_FIELDS];
  uint8_t lengths[IR_MAX_FIELDS];
  int n;
} attribute_list;

static const attribute_list lists[IR_ELEMENT_LIST_COUNT] = {
    [IR_ELEMENT_NET] = {"net", {"name", "version"}, {4, 7}, 2},
    [IR_ELEMENT_LAYER] = {"layer", {"id", "name", "type", "version", "output_names"}, {2, 4, 4, 7, 12}, 5},
    [IR_ELEMENT_PORT] = {"port", {"id", "precision", "names"}, {2, 9, 5}, 3},
    [IR_ELEMENT_EDGE] = {"edge", {"from-layer", "from-port", "to-layer", "to-port"}, {10, 9, 8, 7}, 4},
    [IR_ELEMENT_BLOB] = {"blob", {"offset", "size", "precision"}, {6, 4, 9}, 3},
    [IR_ELEMENT_PRE_PROCESS] = {"pre-process", {"reference-layer-name", "mean-precision"}, {20, 14}, 2},
    [IR_ELEMENT_CHANNEL] = {"channel", {"id"}, {2}, 1},
    [IR_ELEMENT_MEAN] = {"mean", {"value", "offset", "size"}, {5, 6, 4}, 3},
    [IR_ELEMENT_SCALE] = {"scale", {"value"}, {5}, 1},
    [IR_ELEMENT_LEGACY_NET] = {"net", {"name", "version", "precision", "batch"}, {4, 7, 9, 5}, 4},
    [IR_ELEMENT_LEGACY_LAYER] = {"layer", {"id", "name", "type", "precision", "version"}, {2, 4, 4, 9, 7}, 5},
};

const char *ir_attribute_name(ir_element element, int index) {
  return lists[element].names[index];
}

ir_code ir_report_limit(ir_reader *reader, ir_at at, const char *what, int64_t most) {
  return ir_report(reader->diags, IR004_LIMIT_EXCEEDED, ir_reader_where(reader, at), "more than %lld %s",
                   (long long)most, what);
}

/* ---- decoding ---- */

bool ir_decode_value(ir_reader *reader, const ir_tag *tag, const ir_tag_attr *attr, ir_text *out_text) {
  *out_text = attr->value;
  if (attr->plain)
    return true;
  /* Allocates the buffer once for each tag. All decoded values together are shorter than the tag, so the buffer never
   * moves. */
  if (reader->n_decoded == 0 && reader->decoded_capacity < tag->length) {
    ir_free(reader->graph->memory, reader->decoded);
    reader->decoded = ir_alloc(reader->graph->memory, tag->length);
    reader->decoded_capacity = reader->decoded == NULL ? 0 : tag->length;
  }
  if (reader->decoded == NULL)
    return false;
  out_text->text = reader->decoded + reader->n_decoded;
  out_text->length = ir_tag_decode(attr->value.text, attr->value.length, reader->decoded + reader->n_decoded);
  reader->n_decoded += out_text->length;
  return true;
}

/* ---- finding attributes ---- */

static int find_name(const attribute_list *list, const ir_text *name) {
  for (int i = 0; i < list->n; i++)
    if (ir_text_is(name, list->names[i], list->lengths[i]))
      return i;
  return -1;
}

/* A short_name is a NUL-terminated copy of a name, cut to 63 bytes. All known names are far shorter, so the cut does
 * not matter. */
typedef struct short_name {
  char text[64];
} short_name;

static short_name short_name_of(const ir_text *name) {
  short_name copy;
  const size_t length = name->length < sizeof copy.text ? name->length : sizeof copy.text - 1;
  memcpy(copy.text, name->text, length);
  copy.text[length] = '\0';
  return copy;
}

/* Returns the index of the attribute that `name` misspells, or -1. */
static int find_misspelt(const attribute_list *list, const ir_text *name) {
  const short_name text = short_name_of(name);
  for (int i = 0; i < list->n; i++)
    if (ir_misspells(text.text, list->names[i]))
      return i;
  return -1;
}

static ir_code take_misspelt(ir_reader *reader, const ir_tag *tag, const attribute_list *list, ir_fields *fields) {
  ir_tag_attr attr;
  for (size_t cursor = 0; ir_tag_next(tag, &cursor, &attr);) {
    if (find_name(list, &attr.name) >= 0)
      continue;
    const int meant = find_misspelt(list, &attr.name);
    if (meant >= 0 && fields->at[meant].text == NULL && !ir_decode_value(reader, tag, &attr, &fields->at[meant]))
      return ir_out_of_memory(reader->diags);
  }
  return IR_OK;
}

ir_code ir_find_fields(ir_reader *reader, const ir_tag *tag, ir_element element, ir_fields *out_fields) {
  const attribute_list *list = &lists[element];
  *out_fields = (ir_fields){.has_unknown = false};
  reader->n_decoded = 0;
  ir_tag_attr attr;
  int n = 0;
  for (size_t cursor = 0; ir_tag_next(tag, &cursor, &attr);) {
    const int index = find_name(list, &attr.name);
    if (index < 0)
      out_fields->has_unknown = true;
    else if (!ir_decode_value(reader, tag, &attr, &out_fields->at[index]))
      return ir_out_of_memory(reader->diags);
    if (++n > IR_MAX_ATTRIBUTES)
      return ir_report_limit(reader, tag->at, "attributes in one element", IR_MAX_ATTRIBUTES);
  }
  return out_fields->has_unknown ? take_misspelt(reader, tag, list, out_fields) : IR_OK;
}

/* ---- reports ---- */

static void list_names(const attribute_list *list, char *buffer, size_t size) {
  size_t used = 0;
  for (int i = 0; i < list->n && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s'%s'", i > 0 ? ", " : "", list->names[i]);
}

static bool is_namespace(const ir_text *name) {
  return ir_text_is(name, "xmlns", 5) || (name->length > 6 && memcmp(name->text, "xmlns:", 6) == 0);
}

void ir_report_unknown(ir_reader *reader, const ir_tag *tag, ir_element element) {
  const attribute_list *list = &lists[element];
  ir_tag_attr attr;
  for (size_t cursor = 0; ir_tag_next(tag, &cursor, &attr);) {
    if (find_name(list, &attr.name) >= 0 || is_namespace(&attr.name))
      continue;
    const short_name text = short_name_of(&attr.name);
    const int meant = find_misspelt(list, &attr.name);
    ir_where where = ir_reader_where(reader, attr.name.at);
    where.attribute = text.text;
    if (meant >= 0) {
      ir_report(reader->diags, IR211_ATTRIBUTE_REFUSED, where, "unknown attribute '%s'; a runtime would ignore it",
                text.text);
      ir_hint(reader->diags, "did you mean '%s'?", list->names[meant]);
      continue;
    }
    char known[128];
    list_names(list, known, sizeof known);
    ir_report(reader->diags, IR205_UNKNOWN_ATTRIBUTE, where, "unknown attribute '%s'; <%s> has %s", text.text,
              list->element, known);
  }
}

/* Describes the element that lacks an attribute: "layer 'pool'", "layer 7" if the layer has no name, else "this
 * <edge>". */
static void describe_owner(const ir_reader *reader, ir_element element, char *buffer, size_t size) {
  const ir_layer *layer = reader->layer;
  if (element == IR_ELEMENT_LAYER && layer->name[0] != '\0')
    snprintf(buffer, size, "layer '%s'", layer->name);
  else if (element == IR_ELEMENT_LAYER && layer->id >= 0)
    snprintf(buffer, size, "layer %lld", (long long)layer->id);
  else
    snprintf(buffer, size, "this <%s>", lists[element].element);
}

bool ir_report_missing(ir_reader *reader, const ir_tag *tag, ir_element element, const ir_fields *fields, int index) {
  if (fields->at[index].text != NULL)
    return false;
  char owner[256];
  describe_owner(reader, element, owner, sizeof owner);
  ir_where where = ir_reader_where(reader, tag->at);
  where.attribute = lists[element].names[index];
  ir_report_firm(reader->diags, IR204_MISSING_REQUIRED_ATTRIBUTE, where, "%s has no attribute '%s'", owner,
                 where.attribute);
  return true;
}

void ir_report_repeated(ir_reader *reader, const ir_tag *tag, const char *name, ir_at first, bool allowed) {
  const ir_where where = ir_reader_where(reader, tag->at);
  /* if the first element was misspelt, that was reported already, and the second element is correct */
  if (first.begin == reader->misspelt_at.begin && reader->misspelt_at.length > 0)
    return;
  if (allowed)
    ir_report(reader->diags, IR007_ELEMENT_REPEATED, where,
              "a second <%s> in the layer; OpenVINO reads only the first and refuses the model", name);
  else
    ir_report_firm(reader->diags, IR007_ELEMENT_REPEATED, where, "a second <%s>; OpenVINO reads only the first", name);
  ir_hint(reader->diags, "move what it holds to the end of the first <%s>, and delete this one", name);
  ir_note(reader->diags, (ir_where){.source = reader->graph->source, .at = ir_span_of(first)}, "the first <%s>", name);
}
