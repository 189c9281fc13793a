/* Writes a picture in Graphviz's language: https://graphviz.org/doc/info/lang.html. The font is one in which all
 * characters are equally wide: then texts fit their boxes also where a picture is shown in another such font. */
#include "picture.h"

/* Adds a label in quotes, and escapes quotes, backslashes and ampersands. Replaces a line break by `newline`: "\n"
 * centres the line before it, "\l" aligns that line left. */
static void add_quoted(cli_string *out, const char *text, const char *newline) {
  cli_add(out, "\"");
  for (; *text != '\0'; text++) {
    if (*text == '\n')
      cli_add(out, "%s", newline);
    else if (*text == '&')
      cli_add(out, "&amp;");
    else
      cli_add(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
  }
  cli_add(out, "%s\"", newline[1] == 'l' ? newline : "");
}

static void begin(cli_string *out, const cli_picture *picture) {
  cli_string title = {0};
  cli_add_title(&title, picture);
  cli_add(out, "digraph model {\n  compound=true; ranksep=0.3; nodesep=0.2; fontname=\"Courier\"; fontsize=10;\n"
               "  node [shape=box, fontname=\"Courier\", fontsize=9, margin=\"0.12,0.05\", height=0.2, "
               "style=filled, fillcolor=white];\n"
               "  edge [arrowsize=0.6];\n  label=");
  add_quoted(out, cli_text(&title), "\\n");
  cli_add(out, ";\n");
  cli_reset(&title);
}

static void begin_group(cli_string *out, const char *id, const char *title, bool is_body) {
  cli_add(out, "  subgraph \"cluster_%s\" {\n  label=", id);
  add_quoted(out, title, "\\n");
  cli_add(out, "; fontsize=9; style=\"%s\"; color=\"#4070a0\"; bgcolor=\"%s\";\n", is_body ? "rounded" : "dashed",
          is_body ? "#f2f7fc" : "#f8f8f8");
}

static void box(cli_string *out, const cli_picture *picture, int64_t index) {
  const cli_drawn_layer *layer = &picture->layers[index];
  cli_string text = {0};
  cli_add_box_text(&text, picture, index);
  cli_add(out, "  n%lld [label=", (long long)index);
  add_quoted(out, cli_text(&text), layer->next >= 0 ? "\\l" : "\\n");
  if (layer->is_end)
    cli_add(out, ", style=\"filled,rounded\"");
  if (layer->fault != NULL)
    cli_add(out, ", fillcolor=\"#ffb0b0\", color=red");
  else if (layer->is_missing)
    cli_add(out, ", fillcolor=lightgrey, color=grey");
  else if (!layer->is_end)
    cli_add(out, ", fillcolor=\"%s\"", cli_box_color(picture, index));
  if (picture->has_tooltips) {
    cli_clear(&text);
    cli_add_box_tooltip(&text, picture, index);
    cli_add(out, ", tooltip=");
    add_quoted(out, cli_text(&text), "\\n");
  }
  cli_add(out, "];\n");
  cli_reset(&text);
}

static void end_group(cli_string *out) {
  cli_add(out, "  }\n");
}

static void line(cli_string *out, const cli_line *at) {
  cli_add(out, "  n%lld -> n%lld%s;\n", (long long)at->from, (long long)at->to,
          at->is_back ? " [style=dashed, constraint=false]" : "");
}

static void body_line(cli_string *out, int64_t owner, const char *id, int64_t first) {
  cli_add(out, "  n%lld -> n%lld [style=dotted, lhead=\"cluster_%s\"];\n", (long long)owner, (long long)first, id);
}

static void end(cli_string *out) {
  cli_add(out, "}\n");
}

const cli_pen cli_dot_pen = {begin, begin_group, box, end_group, line, body_line, end};
