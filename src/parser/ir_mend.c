#include "ir_mend.h"
#include "ir_element.h"
#include "ir_tag.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 1 << 14, NUMBER_BYTES = 24 };

void ir_edits_init(ir_edits *edits, const ir_graph *graph, ir_arena *arena, ir_diags *diags) {
  *edits = (ir_edits){.graph = graph, .arena = arena, .diags = diags};
}

void ir_edits_reset(ir_edits *edits) {
  ir_free(edits->graph->memory, edits->items);
  *edits = (ir_edits){.graph = edits->graph};
}

static ir_code report_unreadable(const ir_edits *edits, int error) {
  return ir_report(edits->diags, IR701_FILE_NOT_READABLE, (ir_where){.source = edits->graph->source, .at = IR_NOWHERE},
                   "cannot read the model again: %s", error != 0 ? strerror(error) : "it changed while it was read");
}

ir_code ir_add_edit(ir_edits *edits, int64_t begin, int64_t end, const char *text, size_t length) {
  void *items = edits->items;
  const char *copy = ir_arena_text(edits->arena, text, length);
  if (copy == NULL || !ir_reserve(edits->graph->memory, &items, edits->n, &edits->capacity, sizeof *edits->items))
    return ir_out_of_memory(edits->diags);
  edits->items = items;
  edits->items[edits->n] = (ir_edit){begin, end, copy, edits->asker, edits->n};
  edits->n++;
  return IR_OK;
}

/* ---- the text of a port ---- */

/* A port_text has the bytes of the file from a port's start tag to the end tag of its last <dim>. */
typedef struct port_text {
  char *bytes;
  int64_t begin, length;
} port_text;

static const char *find(const char *at, const char *end, const char *text) {
  return at >= end ? NULL : memmem(at, (size_t)(end - at), text, strlen(text));
}

/* Reads the file from `begin` up to the first `>` at or after offset `least`. */
static ir_code read_port(const ir_edits *edits, int64_t begin, int64_t least, port_text *out) {
  const ir_memory *memory = edits->graph->memory;
  *out = (port_text){.begin = begin};
  for (int64_t more = 64;; more *= 2) {
    const int64_t wanted = least - begin + more;
    out->bytes = ir_alloc(memory, (size_t)wanted);
    if (out->bytes == NULL)
      return ir_out_of_memory(edits->diags);
    errno = 0;
    const int64_t got = ir_source_read(edits->graph->source, begin, out->bytes, wanted);
    const char *close = got < least - begin ? NULL : find(out->bytes + (least - begin), out->bytes + got, ">");
    if (close != NULL) {
      out->length = close + 1 - out->bytes;
      return IR_OK;
    }
    ir_free(memory, out->bytes);
    out->bytes = NULL;
    if (got < wanted)
      return report_unreadable(edits, got < 0 ? errno : 0);
  }
}

/* ---- the number in a <dim> ---- */

/* Returns the end of the text that begins at `at`. CDATA belongs to the text; a comment or processing instruction ends
 * it. */
static const char *end_of_text(const char *at, const char *end) {
  while (at < end && ir_markup_end(at, end) == NULL) {
    const char *close = *at == '<' ? find(at, end, "]]>") : NULL; /* end of a CDATA section */
    at = close == NULL ? at + 1 : close + 3;
  }
  return at;
}

/* Replaces the first text in a <dim> by the number, and removes other texts. Comments stay. */
static ir_code replace_number(ir_edits *edits, const port_text *port, ir_at content, const char *number) {
  const char *at = port->bytes + (content.begin - port->begin), *const end = at + content.length;
  ir_code code = IR_OK;
  while (at < end && code == IR_OK) {
    const char *behind = ir_markup_end(at, end);
    if (behind != NULL) {
      at = behind;
      continue;
    }
    behind = end_of_text(at, end);
    const char *first = at, *last = behind;
    while (first < last && ir_is_blank(*first))
      first++;
    while (last > first && ir_is_blank(last[-1]))
      last--;
    if (first < last) {
      code = ir_add_edit(edits, port->begin + (first - port->bytes), port->begin + (last - port->bytes), number,
                         strlen(number));
      number = "";
    }
    at = behind;
  }
  return code;
}

/* ---- <dim> elements ---- */

/* A dim_element is a <dim> in port_text: `blanks` begin before the element, which is [begin, end). */
typedef struct dim_element {
  const char *blanks, *begin, *end;
} dim_element;

static dim_element element_of(const port_text *port, ir_at content) {
  const char *const text = port->bytes + (content.begin - port->begin), *begin = text - 1;
  dim_element element;
  while (begin > port->bytes && *begin != '<')
    begin--;
  element.begin = element.blanks = begin;
  while (element.blanks > port->bytes && ir_is_blank(element.blanks[-1]))
    element.blanks--;
  const char *close = find(text + content.length, port->bytes + port->length, ">");
  element.end = close == NULL ? port->bytes + port->length : close + 1;
  return element;
}

static ir_code remove_dims(ir_edits *edits, const ir_port *port, const port_text *text, int from) {
  ir_code code = IR_OK;
  for (int i = from; i < port->rank && code == IR_OK; i++) {
    const dim_element element = element_of(text, port->dims_at[i]);
    code = ir_add_edit(edits, text->begin + (element.blanks - text->bytes), text->begin + (element.end - text->bytes),
                       "", 0);
  }
  return code;
}

static const char *dim_number(ir_dim dim, char buffer[NUMBER_BYTES]) {
  snprintf(buffer, NUMBER_BYTES, "%" PRId64, ir_dim_known(dim) ? dim.lo : -1);
  return buffer;
}

/* Adds <dim> elements after the last <dim>, with the same blanks before each. */
static ir_code append_dims(ir_edits *edits, const ir_port *port, const port_text *text, const ir_shape *shape) {
  const dim_element last = element_of(text, port->dims_at[port->rank - 1]);
  const int64_t at = text->begin + (last.end - text->bytes);
  const size_t n_blanks = (size_t)(last.begin - last.blanks);
  const size_t size = (size_t)(shape->rank - port->rank) * (n_blanks + NUMBER_BYTES + sizeof "<dim></dim>");
  char *elements = ir_alloc(edits->graph->memory, size), number[NUMBER_BYTES];
  size_t used = 0;
  if (elements == NULL)
    return ir_out_of_memory(edits->diags);
  for (int i = port->rank; i < shape->rank; i++) {
    memcpy(elements + used, last.blanks, n_blanks);
    used += n_blanks;
    used += (size_t)snprintf(elements + used, size - used, "<dim>%s</dim>", dim_number(shape->dims[i], number));
  }
  ir_code code = ir_add_edit(edits, at, at, elements, used);
  ir_free(edits->graph->memory, elements);
  return code;
}

static ir_code mend_dims(ir_edits *edits, const ir_port *port, const ir_shape *shape) {
  port_text text;
  const int rank = shape->rank < 0 ? 0 : shape->rank; /* a port cannot declare that its rank is unknown */
  ir_at last = port->dims_at[port->rank - 1];
  ir_code code = read_port(edits, port->at.begin, (int64_t)last.begin + last.length, &text);
  for (int i = 0; i < port->rank && i < shape->rank && code == IR_OK; i++) {
    char number[NUMBER_BYTES];
    if (!ir_dims_equal(port->dims[i], shape->dims[i]))
      code = replace_number(edits, &text, port->dims_at[i], dim_number(shape->dims[i], number));
  }
  if (code == IR_OK && rank < port->rank)
    code = remove_dims(edits, port, &text, rank);
  if (code == IR_OK && rank > port->rank)
    code = append_dims(edits, port, &text, shape);
  ir_free(edits->graph->memory, text.bytes);
  return code;
}

static bool same_shape(const ir_port *port, const ir_shape *shape) {
  bool same = port->rank == shape->rank;
  for (int i = 0; i < port->rank && same; i++)
    same = ir_dims_equal(port->dims[i], shape->dims[i]);
  return same;
}

ir_code ir_mend_port(ir_edits *edits, const ir_port *port, ir_type type, const ir_shape *shape) {
  ir_code code = IR_OK;
  if (type != port->type && port->type_at.length > 0) { /* an input port need not declare its type */
    const char *word = ir_type_precision(type);
    const int64_t begin = port->type_at.begin;
    code = ir_add_edit(edits, begin, begin + port->type_at.length, word, strlen(word));
  }
  if (code == IR_OK && port->rank > 0 && !same_shape(port, shape))
    code = mend_dims(edits, port, shape);
  return code;
}

/* ---- writing ---- */

static int by_place(const void *a, const void *b) {
  const ir_edit *first = a, *second = b;
  const int order = (first->begin > second->begin) - (first->begin < second->begin);
  return order != 0 ? order : (first->number > second->number) - (first->number < second->number);
}

void ir_sort_edits(ir_edits *edits) {
  if (edits->n > 0)
    qsort(edits->items, edits->n, sizeof *edits->items, by_place);
}

/* Copies bytes [begin, end) of the file to the sink; if the sink fails, sets `*writes` to false. If the file cannot be
 * read, returns false: errno is the reason, or 0 if the file is too short. */
static bool copy_text(const ir_source *source, int64_t begin, int64_t end, ir_byte_sink sink, bool *writes) {
  char bytes[COPY_BYTES];
  for (int64_t at = begin; at < end && *writes;) {
    const int64_t wanted = end - at < COPY_BYTES ? end - at : COPY_BYTES;
    errno = 0;
    const int64_t n = ir_source_read(source, at, bytes, wanted);
    if (n <= 0)
      return false;
    *writes = sink.write(sink.user, bytes, (size_t)n);
    at += n;
  }
  return true;
}

ir_code ir_write_mended(ir_edits *edits, ir_byte_sink sink) {
  const ir_source *source = edits->graph->source;
  int64_t at = 0;
  bool writes = true;
  ir_sort_edits(edits);
  for (size_t i = 0; i <= edits->n && writes; i++) {
    const int64_t end = i < edits->n ? edits->items[i].begin : source->size;
    if (!copy_text(source, at, end, sink, &writes))
      return report_unreadable(edits, errno);
    if (i == edits->n || !writes)
      break;
    writes = sink.write(sink.user, edits->items[i].text, strlen(edits->items[i].text));
    at = edits->items[i].end;
  }
  return IR_OK;
}
