/* Makes the texts of a picture. */
#include "picture.h"

#include <string.h>

#define NAME_COLUMNS  40
#define PORTS_COLUMNS 48

static void add_short_name(cli_string *string, const cli_picture *p, const char *name) {
  cli_string text = {0};
  cli_add_name(&text, name);
  if (!p->is_whole)
    cli_cut_middle(&text, NAME_COLUMNS);
  cli_add(string, "%s", cli_text(&text));
  cli_reset(&text);
}

static void add_op(cli_string *string, const cli_drawn_layer *layer) {
  cli_add_name(string, layer->type);
  if (layer->version >= 0) {
    cli_add(string, "-%d", layer->version);
    return;
  }
  cli_add(string, " (");
  cli_add_name(string, layer->opset);
  cli_add(string, ")");
}

static void add_list(cli_string *string, const char *separator, const char *word, cli_string *list) {
  cli_cut_list(list, PORTS_COLUMNS);
  if (list->length > 0)
    cli_add(string, "%s%s%s", separator, word, cli_text(list));
  cli_clear(list);
}

static void add_layer(cli_string *string, const cli_picture *p, int64_t index, bool is_row) {
  const cli_drawn_layer *layer = &p->layers[index];
  const char *separator = is_row ? "  " : "\n";
  cli_string list = {0};
  irrun_value value = {.size = sizeof value};
  if (*layer->name != '\0') {
    add_short_name(string, p, layer->name);
    cli_add(string, "%s", separator);
  }
  add_op(string, layer);
  /* a Result has no output: show its input */
  if (strcmp(layer->type, "Result") == 0 && layer->fault == NULL &&
      irrun_model_get_layer_input(p->model, index, 0, &value))
    cli_add_value(&list, &value);
  for (int port = 0; irrun_model_get_layer_output(p->model, index, port, &value); port++) {
    cli_add(&list, "%s", port > 0 ? ", " : "");
    cli_add_value(&list, &value);
  }
  add_list(string, separator, "", &list);
  for (int port = 0; irrun_model_get_layer_input(p->model, index, port, &value); port++) {
    if (value.from_layer < 0 || !p->layers[value.from_layer].is_folded)
      continue;
    cli_add(&list, "%s", list.length > 0 ? ", " : "");
    cli_add_value(&list, &value);
  }
  add_list(string, separator, "const ", &list);
  if (layer->fault != NULL)
    cli_add(string, "%s%s", separator, layer->fault);
  cli_reset(&list);
}

void cli_add_box_text(cli_string *string, const cli_picture *picture, int64_t box) {
  const bool is_chain = picture->layers[box].next >= 0;
  for (int64_t i = box; i >= 0; i = picture->layers[i].next) {
    if (i != box)
      cli_add(string, "\n");
    add_layer(string, picture, i, is_chain);
  }
}

void cli_add_title(cli_string *string, const cli_picture *picture) {
  bool has_fault = false, has_missing = false;
  for (int64_t i = 0; i < picture->n_layers; i++) {
    has_fault = has_fault || picture->layers[i].fault != NULL;
    has_missing = has_missing || picture->layers[i].is_missing;
  }
  const char *path = cli_model_info(picture->model).path, *slash = strrchr(path, '/');
  cli_add_name(string, *path == '/' ? slash + 1 : path); /* an absolute path says nothing elsewhere */
  cli_add(string, ": %s, ", cli_verdict(picture->status));
  cli_add_count(string, picture->n_layers, "layer");
  if (has_fault)
    cli_add(string, "; red: a fault");
  if (has_missing)
    cli_add(string, "; grey: an op that irrun does not have");
}

void cli_add_body_title(cli_string *string, const cli_picture *picture, int64_t layer) {
  const cli_drawn_layer *owner = &picture->layers[picture->layers[layer].owner];
  const bool is_if = strcmp(owner->type, "If") == 0;
  cli_add(string, "%s of ", !is_if ? "body" : picture->layers[layer].body == 0 ? "then_body" : "else_body");
  add_op(string, owner);
  cli_add(string, " '");
  add_short_name(string, picture, owner->name);
  cli_add(string, "'");
}

void cli_add_block_title(cli_string *string, const cli_picture *picture, int64_t box) {
  int64_t last = box;
  for (int64_t i = box; i < picture->n_layers; i++)
    if (picture->boxes[i].last >= 0 && picture->boxes[i].block == box)
      last = i;
  cli_add(string, "%lld times, up to '", (long long)picture->boxes[last].repeat + 1);
  add_short_name(string, picture, picture->layers[picture->boxes[last].last].name);
  cli_add(string, "'");
}
