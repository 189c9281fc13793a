/* Parts that all edits need: reports, layouts as text, and layers by name. */
#include "runtime/edit/editing.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ir_code ir_edit_fault(const ir_editing *e, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return ir_report(e->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "'--edit %s': %s", e->edit, message);
}

ir_code ir_edit_nothing(const ir_editing *e, const char *edit) {
  return ir_report_as(e->diags, IR801_COMMAND_LINE, IR_WARNING, (ir_where){.at = IR_NOWHERE},
                      "'--edit %s' finds nothing to change", edit);
}

bool ir_axes_from_text(const char *text, size_t length, ir_axes *out) {
  int n = 0;
  *out = (ir_axes){""};
  for (size_t i = 0; i < length; i++) {
    const char c = (char)toupper((unsigned char)text[i]);
    if (strchr("[], ", c) != NULL)
      continue;
    if (n == IR_MAX_RANK || (c != '?' && (!isalpha((unsigned char)c) || strchr(out->letters, c) != NULL))) {
      *out = (ir_axes){""};
      return false;
    }
    out->letters[n++] = c;
    out->letters[n] = '\0';
  }
  return n > 0;
}

/* ---- layers ---- */

/* Whether `name` is the layer's name; in a body, behind the names of the layers around it: "loop > add". */
static bool is_named(const ir_layer *layer, const char *name) {
  static const char between[] = " > ";
  const size_t gap = sizeof between - 1;
  const ir_scope_path *around = layer->scope_path;
  size_t left = strlen(name);
  for (const char *part = layer->name;; part = around->name, around = around->outer) {
    const size_t length = strlen(part);
    if (left < length || memcmp(name + left - length, part, length) != 0)
      return false;
    left -= length;
    if (around == NULL)
      return left == 0;
    if (left < gap || memcmp(name + left - gap, between, gap) != 0)
      return false;
    left -= gap;
  }
}

static ir_code report_no_layer(ir_editing *e, const char *name) {
  const ir_graph *graph = &e->scopes[0].model->graph;
  const char **names = ir_arena_array(&e->arena, graph->n_layers + 1, sizeof *names);
  if (names == NULL)
    return ir_out_of_memory(e->diags);
  for (size_t i = 0; i < graph->n_layers; i++)
    names[i] = graph->layers[i].name;
  ir_code code = ir_edit_fault(e, "the model has no layer '%s'", name);
  const char *near = ir_did_you_mean(name, names, graph->n_layers);
  if (near != NULL)
    ir_hint(e->diags, "did you mean '%s'?", near);
  return code;
}

ir_code ir_find_layer(ir_editing *e, const char *name, ir_subject *out) {
  out->port = IR_ALL_PORTS;
  for (size_t s = 0; s < e->n_scopes; s++)
    for (size_t i = 0; i < e->scopes[s].model->graph.n_layers; i++) {
      const ir_layer *layer = &e->scopes[s].model->graph.layers[i];
      if (!is_named(layer, name))
        continue;
      if (out->layer >= 0)
        return ir_edit_fault(e, "several layers are named '%s'", name);
      out->layer = (int32_t)i;
      out->name = name + strlen(name) - strlen(layer->name);
      e->scope = &e->scopes[s];
    }
  return out->layer >= 0 ? IR_OK : report_no_layer(e, name);
}
