/* Changes single places of an edited model's text. */
#include "parser/ir_tag.h"
#include "parser/ir_write.h"
#include "runtime/edit/editing.h"

#include <stdio.h>
#include <string.h>

ir_code ir_replace(ir_editing *e, int64_t begin, int64_t end, const char *text) {
  if (text == NULL)
    return ir_out_of_memory(e->diags);
  if (end > begin && end <= (int64_t)e->text.n && ir_bytes_are(e->text.data, begin, end, text))
    return IR_OK;
  e->n_changes++;
  return ir_add_edit(&e->edits, begin, end, text, strlen(text));
}

/* ---- attributes ---- */

bool ir_add_escaped(ir_buffer *buffer, const char *text, size_t length) {
  static const char *const references[256] = {['&'] = "&amp;",   ['<'] = "&lt;",   ['>'] = "&gt;",  ['"'] = "&quot;",
                                              ['\''] = "&apos;", ['\n'] = "&#10;", ['\t'] = "&#9;", ['\r'] = "&#13;"};
  for (size_t i = 0; i < length && !buffer->out_of_memory; i++) {
    const char *reference = references[(unsigned char)text[i]];
    if (reference != NULL)
      ir_buffer_add_text(buffer, reference);
    else
      ir_buffer_add(buffer, text + i, 1);
  }
  return !buffer->out_of_memory;
}

ir_code ir_set_value(ir_editing *e, ir_at at, const char *value) {
  ir_buffer escaped = {.memory = &e->scope->model->context->memory};
  if (value == NULL || !ir_buffer_add_text(&escaped, "") || !ir_add_escaped(&escaped, value, strlen(value))) {
    ir_buffer_reset(&escaped);
    return ir_out_of_memory(e->diags);
  }
  ir_code code = ir_replace(e, at.begin, (int64_t)at.begin + at.length, escaped.data);
  ir_buffer_reset(&escaped);
  return code;
}

/* Adds ` NAME="VALUE"` at `place`, between `before` and `after`. */
static ir_code add_attribute(ir_editing *e, int64_t place, const char *before, const char *name, const char *value,
                             const char *after) {
  ir_buffer text = {.memory = &e->scope->model->context->memory};
  ir_buffer_add_text(&text, before);
  ir_buffer_add_text(&text, " ");
  ir_buffer_add_text(&text, name);
  ir_buffer_add_text(&text, "=\"");
  ir_add_escaped(&text, value, strlen(value));
  ir_buffer_add_text(&text, "\"");
  ir_buffer_add_text(&text, after);
  ir_code code = text.out_of_memory ? ir_out_of_memory(e->diags) : ir_replace(e, place, place, text.data);
  ir_buffer_reset(&text);
  return code;
}

int64_t ir_attributes_end(const char *text, const ir_element *element) {
  int64_t end = element->tag_end - 1;
  end -= element->end == element->tag_end; /* the slash of an empty element */
  while (ir_is_blank(text[end - 1]))
    end--;
  return end;
}

/* Returns false if the text has no such element, which means that the file was changed. */
static bool element_at(const ir_editing *e, ir_at at, ir_element *out) {
  return ir_element_at(e->text.data, (int64_t)e->text.n, at.begin, out);
}

static ir_code report_changed(const ir_editing *e) {
  return ir_report(e->diags, IR701_FILE_NOT_READABLE,
                   (ir_where){.source = e->scope->model->graph.source, .at = IR_NOWHERE},
                   "cannot read the model again: it changed while it was read");
}

/* Returns the <data> that an edit adds at a place of the file, up to its last "/>", and takes it out of the edits: the
 * caller adds it again. Returns "<data" if no edit adds one, and NULL if memory is out. */
static const char *take_added_data(ir_editing *e, int64_t place) {
  for (size_t i = e->edits.n; i > 0; i--) {
    ir_edit *edit = &e->edits.items[i - 1];
    const char *text = edit->text;
    if (edit->begin != place || edit->end != place || strncmp(text, "<data", strlen("<data")) != 0)
      continue;
    edit->text = "";
    return ir_arena_text(&e->arena, text, strlen(text) - strlen("/>"));
  }
  return "<data";
}

ir_code ir_set_attribute(ir_editing *e, const ir_layer *layer, const char *name, const char *value) {
  const ir_raw_attr *attr = ir_layer_attr(layer, name);
  ir_element element, data = {0};
  if (attr != NULL)
    return ir_set_value(e, attr->at, value);
  if (!element_at(e, layer->at, &element))
    return report_changed(e);
  if (ir_next_child(e->text.data, &element, "data", &data))
    return add_attribute(e, ir_attributes_end(e->text.data, &data), "", name, value, "");
  if (element.end == element.tag_end) /* <layer ... /> has no content */
    return ir_edit_fault(e, "layer '%s' has no ports", layer->name);
  const char *added = take_added_data(e, element.tag_end);
  return added == NULL ? ir_out_of_memory(e->diags) : add_attribute(e, element.tag_end, added, name, value, "/>");
}

ir_code ir_set_port_names(ir_editing *e, const ir_port *port, const char *names) {
  ir_element element;
  if (!element_at(e, port->at, &element))
    return report_changed(e);
  return add_attribute(e, ir_attributes_end(e->text.data, &element), "", "names", names, "");
}

/* ---- elements ---- */

ir_code ir_remove_element(ir_editing *e, ir_at at) {
  ir_element element;
  if (!element_at(e, at, &element))
    return report_changed(e);
  while (element.begin > 0 && ir_is_blank(e->text.data[element.begin - 1]))
    element.begin--;
  return ir_replace(e, element.begin, element.end, "");
}

bool ir_put_inside(const char *text, const ir_element *element, const char *content, ir_buffer *out, int64_t place[2]) {
  const char *name = text + element->begin + 1;
  const bool is_open = element->end > element->tag_end;
  place[0] = is_open ? element->content_end : ir_attributes_end(text, element);
  place[1] = is_open ? element->content_end : element->tag_end;
  ir_buffer_add_text(out, is_open ? "" : ">");
  ir_buffer_add_text(out, content);
  if (!is_open) {
    ir_buffer_add_text(out, "</");
    ir_buffer_add(out, name, strcspn(name, " \t\r\n/>"));
    ir_buffer_add_text(out, ">");
  }
  return !out->out_of_memory;
}

/* Finds the <attribute name="layout"> of a port; `rt_info` is the <rt_info> around it, or has `end` 0. */
static bool find_layout(const char *text, const ir_element *port, ir_element *rt_info, int64_t place[2]) {
  *rt_info = (ir_element){0};
  if (!ir_next_child(text, port, "rt_info", rt_info)) {
    *rt_info = (ir_element){0};
    return false;
  }
  ir_element attribute = {0};
  int64_t name[2];
  while (ir_next_child(text, rt_info, "attribute", &attribute))
    if (ir_element_attribute(text, &attribute, "name", &name[0], &name[1]) &&
        ir_bytes_are(text, name[0], name[1], "layout") &&
        ir_element_attribute(text, &attribute, "layout", &place[0], &place[1]))
      return true;
  return false;
}

bool ir_layout_at(const ir_buffer *text, ir_at port, int64_t place[2]) {
  ir_element element, rt_info;
  return ir_element_at(text->data, (int64_t)text->n, port.begin, &element) &&
         find_layout(text->data, &element, &rt_info, place);
}

bool ir_port_layout(const ir_editing *e, const ir_port *port, ir_axes *out) {
  int64_t place[2];
  *out = (ir_axes){""};
  return !ir_layout_at(&e->text, port->at, place) ||
         ir_axes_from_text(e->text.data + place[0], (size_t)(place[1] - place[0]), out);
}

ir_code ir_set_layout(ir_editing *e, const ir_port *port, const char *layout) {
  ir_element element, rt_info;
  ir_buffer text = {.memory = &e->scope->model->context->memory};
  char content[2 * IR_MAX_RANK + 128];
  int64_t place[2];
  if (!element_at(e, port->at, &element))
    return report_changed(e);
  if (find_layout(e->text.data, &element, &rt_info, place))
    return ir_replace(e, place[0], place[1], layout);
  const bool has_info = rt_info.end > 0;
  snprintf(content, sizeof content, "%s<attribute name=\"layout\" version=\"0\" layout=\"%s\"/>%s",
           has_info ? "" : "<rt_info>", layout, has_info ? "" : "</rt_info>");
  ir_code code = ir_put_inside(e->text.data, has_info ? &rt_info : &element, content, &text, place)
                     ? ir_replace(e, place[0], place[1], text.data)
                     : ir_out_of_memory(e->diags);
  ir_buffer_reset(&text);
  return code;
}

/* ---- layers and edges that are added ---- */

/* Adds the part of `written` in element `name` behind the element at `last`. */
static ir_code insert_part(ir_editing *e, const ir_buffer *written, const char *name, ir_at last) {
  const ir_element root = {.tag_end = 0, .content_end = (int64_t)written->n, .end = (int64_t)written->n};
  ir_element net = {0}, part = {0}, element;
  if (!element_at(e, last, &element) || !ir_next_child(written->data, &root, "net", &net) ||
      !ir_next_child(written->data, &net, name, &part))
    return report_changed(e);
  while (part.content_end > part.tag_end && ir_is_blank(written->data[part.content_end - 1]))
    part.content_end--;
  if (part.content_end == part.tag_end)
    return IR_OK;
  return ir_add_edit(&e->edits, element.end, element.end, written->data + part.tag_end,
                     (size_t)(part.content_end - part.tag_end));
}

ir_code ir_insert_added(ir_editing *e) {
  const ir_graph *graph = &e->scope->model->graph;
  ir_buffer written = {.memory = &e->scope->model->context->memory};
  if (e->scope->added.n_layers == 0)
    return IR_OK;
  if (graph->n_edges == 0)
    return ir_report(e->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                     "the model has no edge, so no layer can be added");
  ir_code code = ir_write_graph(&e->scope->added, NULL, ir_sink_of_buffer(&written), e->diags);
  if (code == IR_OK && written.out_of_memory)
    code = ir_out_of_memory(e->diags);
  if (code == IR_OK)
    code = insert_part(e, &written, "layers", graph->layers[graph->n_layers - 1].at);
  if (code == IR_OK)
    code = insert_part(e, &written, "edges", graph->edges[graph->n_edges - 1].at);
  ir_buffer_reset(&written);
  return code;
}
