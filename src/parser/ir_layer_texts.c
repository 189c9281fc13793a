#include "ir_layer_texts.h"
#include "ir_element.h"
#include <errno.h>
#include <string.h>

enum { COPY_BYTES = 1 << 16 };

ir_code ir_read_text(ir_source *source, ir_buffer *out, ir_diags *diags) {
  char bytes[COPY_BYTES];
  for (int64_t n = 1; n > 0 && (int64_t)out->n < source->size;) {
    errno = 0;
    n = ir_source_read(source, (int64_t)out->n, bytes, COPY_BYTES);
    if (n <= 0)
      return ir_report(diags, IR701_FILE_NOT_READABLE, (ir_where){.source = source}, "cannot read the model again: %s",
                       errno != 0 ? strerror(errno) : "the file became shorter");
    if (!ir_buffer_add(out, bytes, (size_t)n))
      return ir_out_of_memory(diags);
  }
  return IR_OK;
}

/* Adds the text of a layer, with the edits from `*next` on. Returns false if the file was changed since it was read. */
static bool add_layer(const ir_edits *edits, const ir_buffer *text, int64_t begin, size_t *next, ir_buffer *out) {
  ir_element element;
  if (!ir_element_at(text->data, (int64_t)text->n, begin, &element))
    return false;
  for (; *next < edits->n && edits->items[*next].begin < element.end; (*next)++) {
    const ir_edit *edit = &edits->items[*next];
    if (edit->begin < begin || edit->end > element.end)
      return false;
    ir_buffer_add(out, text->data + begin, (size_t)(edit->begin - begin));
    ir_buffer_add_text(out, edit->text);
    begin = edit->end;
  }
  ir_buffer_add(out, text->data + begin, (size_t)(element.end - begin));
  return true;
}

ir_code ir_layer_texts(ir_edits *edits, const bool *wanted, ir_arena *arena, const char **out_texts) {
  const ir_graph *graph = edits->graph;
  ir_buffer text = {.memory = graph->memory}, layer = {.memory = graph->memory};
  size_t next = 0;
  ir_sort_edits(edits);
  ir_code code = ir_read_text(graph->source, &text, edits->diags);
  for (size_t i = 0; i < graph->n_layers && code == IR_OK; i++) {
    if (!wanted[i])
      continue;
    layer.n = 0;
    if (!add_layer(edits, &text, graph->layers[i].at.begin, &next, &layer))
      code = ir_report(edits->diags, IR701_FILE_NOT_READABLE, (ir_where){.source = graph->source, .at = IR_NOWHERE},
                       "cannot read the model again: it changed while it was read");
    else if (layer.out_of_memory || (out_texts[i] = ir_arena_text(arena, layer.data, layer.n)) == NULL)
      code = ir_out_of_memory(edits->diags);
  }
  ir_buffer_reset(&text);
  ir_buffer_reset(&layer);
  return code;
}
