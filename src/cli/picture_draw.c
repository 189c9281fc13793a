/* Draws the parts of a picture in the order that all formats need: boxes and groups of boxes first, then lines. */
#include "picture.h"

static void add_body_id(cli_string *id, const cli_drawn_layer *layer) {
  cli_add(id, "body_%lld_%d", (long long)layer->owner, layer->body);
}

/* Draws the boxes of the layers [first, end), which all lie in the same body, or all in the model itself. */
static void draw_boxes(const cli_picture *p, const cli_pen *pen, int64_t first, int64_t end, cli_string *out) {
  int64_t block = -1;
  for (int64_t i = first; i < end; i++) {
    if (!cli_picture_has_box(p, i))
      continue;
    if (block >= 0 && p->boxes[i].block != block)
      pen->end_group(out);
    if (p->boxes[i].block >= 0 && p->boxes[i].block != block) {
      cli_string id = {0}, title = {0};
      cli_add(&id, "block_%lld", (long long)i);
      cli_add_block_title(&title, p, i);
      pen->begin_group(out, cli_text(&id), cli_text(&title), false);
      cli_reset(&id);
      cli_reset(&title);
    }
    block = p->boxes[i].block;
    pen->box(out, p, i);
  }
  if (block >= 0)
    pen->end_group(out);
}

static int64_t find_box(const cli_picture *p, int64_t first, int64_t end) {
  while (first < end && !cli_picture_has_box(p, first))
    first++;
  return first < end ? first : -1;
}

static void draw_body(const cli_picture *p, const cli_pen *pen, int64_t first, int64_t end, cli_string *out) {
  const cli_drawn_layer *layer = &p->layers[first];
  const int64_t first_box = find_box(p, first, end);
  cli_string id = {0}, title = {0};
  if (first_box < 0)
    return;
  add_body_id(&id, layer);
  cli_add_body_title(&title, p, first);
  pen->begin_group(out, cli_text(&id), cli_text(&title), true);
  draw_boxes(p, pen, first, end, out);
  pen->end_group(out);
  pen->body_line(out, layer->owner, cli_text(&id), first_box);
  cli_reset(&id);
  cli_reset(&title);
}

void cli_picture_draw(const cli_picture *picture, const cli_pen *pen, cli_string *out) {
  pen->begin(out, picture);
  for (int64_t first = 0, end = 0; first < picture->n_layers; first = end) {
    const cli_drawn_layer *layer = &picture->layers[first];
    while (end < picture->n_layers && picture->layers[end].owner == layer->owner &&
           picture->layers[end].body == layer->body)
      end++;
    if (layer->owner >= 0)
      draw_body(picture, pen, first, end, out);
    else
      draw_boxes(picture, pen, first, end, out);
  }
  for (int64_t i = 0; i < picture->n_lines; i++)
    pen->line(out, &picture->lines[i]);
  pen->end(out);
}
