/* Writes a picture as Mermaid, which GitHub and GitLab show: https://mermaid.js.org/syntax/flowchart.html. */
#include "picture.h"

#include <ctype.h>
#include <string.h>

/* Whether the character at `at` needs escaping. Labels are Markdown: an underscore at the edge of a word begins or ends
 * emphasis. */
static bool is_special(const char *text, const char *at) {
  if (*at == '_')
    return at == text || !isalnum((unsigned char)at[-1]) || !isalnum((unsigned char)at[1]);
  return strchr("\"#&;<>`\\*", *at) != NULL;
}

/* Adds a label in quotes, with special characters as "#NUMBER;". */
static void add_quoted(cli_string *out, const char *text) {
  cli_add(out, "\"");
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '\n')
      cli_add(out, "<br>");
    else if (is_special(text, at))
      cli_add(out, "#%d;", *at);
    else
      cli_add(out, "%c", *at);
  }
  cli_add(out, "\"");
}

/* Writes the title as a YAML string, with single quotes doubled. Then writes the styles of boxes. */
static void begin(cli_string *out, const cli_picture *picture) {
  cli_string title = {0};
  cli_add_title(&title, picture);
  cli_add(out, "---\ntitle: '");
  for (const char *at = cli_text(&title); *at != '\0'; at++)
    cli_add(out, "%s%c", *at == '\'' ? "'" : "", *at);
  cli_add(out, "'\n---\nflowchart TB\n"
               "  classDef fault fill:#ffb0b0,stroke:#d00000,color:#000000\n"
               "  classDef missing fill:#d3d3d3,stroke:#808080,color:#000000\n");
  cli_reset(&title);
}

static void begin_group(cli_string *out, const char *id, const char *title, bool is_body) {
  (void)is_body;
  cli_add(out, "  subgraph %s [", id);
  add_quoted(out, title);
  cli_add(out, "]\n");
}

static void box(cli_string *out, const cli_picture *picture, int64_t index) {
  const cli_drawn_layer *layer = &picture->layers[index];
  cli_string text = {0};
  cli_add_box_text(&text, picture, index);
  cli_add(out, "  n%lld%s", (long long)index, layer->is_end ? "([" : "[");
  add_quoted(out, cli_text(&text));
  cli_add(out, "%s%s\n", layer->is_end ? "])" : "]",
          layer->fault != NULL ? ":::fault"
          : layer->is_missing  ? ":::missing"
                               : "");
  cli_reset(&text);
}

static void end_group(cli_string *out) {
  cli_add(out, "  end\n");
}

static void line(cli_string *out, const cli_line *at) {
  cli_add(out, "  n%lld %s n%lld\n", (long long)at->from, at->is_back ? "-.->" : "-->", (long long)at->to);
}

static void body_line(cli_string *out, int64_t owner, const char *id, int64_t first) {
  (void)first;
  cli_add(out, "  n%lld -.-> %s\n", (long long)owner, id);
}

static void end(cli_string *out) {
  (void)out;
}

const cli_pen cli_mermaid_pen = {begin, begin_group, box, end_group, line, body_line, end};
