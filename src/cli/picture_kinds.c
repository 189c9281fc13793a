/* Colours boxes by the kind of their ops, and makes the texts that appear under the mouse. */
#include "picture.h"
#include "report_json.h"

#include <string.h>

#define VALUE_COLUMNS 100 /* longer values of attributes are cut */

/* The folders of the specification, "pooling" of ".../operation-specs/pooling/avg-pool-14.html", with the kind of their
 * ops and a colour for each. A chain has the colour of its first kind in this order. Other kinds of op have OTHER. */
static const struct {
  const char *folder, *kind, *color;
} kinds[] = {{"convolution", "convolution", "#bcd6f7"},
             {"matrix", "matrix", "#a9c3f2"},
             {"pooling", "pooling", "#b4e3e0"},
             {"sequence", "sequence", "#f6c5d3"},
             {"condition", "sequence", "#f6c5d3"},
             {"activation", "activation", "#f9d3ae"},
             {"reduction", "normalization", "#dccbf3"},
             {"normalization", "normalization", "#dccbf3"},
             {"arithmetic", "arithmetic", "#cbe7bd"},
             {"comparison", "arithmetic", "#cbe7bd"},
             {"logical", "arithmetic", "#cbe7bd"},
             {"bitwise", "arithmetic", "#cbe7bd"},
             {"movement", "movement", "#e3dccd"},
             {"shape", "movement", "#e3dccd"},
             {"quantization", "conversion", "#d9dee4"},
             {"type", "conversion", "#d9dee4"},
             {"infrastructure", "infrastructure", "#e6e9ec"}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };
#define OTHER "#f3e6a4"

/* Finds the op of a layer in the op table. An op of nGraph has the page of OpenVINO's op of the same type. */
static bool find_op(const cli_drawn_layer *layer, irrun_op *out) {
  irrun_op op = {.size = sizeof op};
  bool is_found = false;
  for (int64_t i = 0; irrun_op_get(i, &op); i++) {
    if (strcmp(op.type, layer->type) != 0 || strcmp(op.dialect, "openvino") != 0 ||
        (is_found && op.version != layer->version))
      continue;
    *out = op;
    is_found = true;
  }
  return is_found;
}

/* Returns the index of the kind; N_KINDS for another one. */
static int find_kind(const cli_drawn_layer *layer) {
  static const char folders[] = "/operation-specs/";
  irrun_op op;
  const char *at = find_op(layer, &op) ? strstr(op.spec, folders) : NULL;
  int kind = 0;
  if (at == NULL)
    return N_KINDS;
  at += sizeof folders - 1;
  while (kind < N_KINDS &&
         (strncmp(at, kinds[kind].folder, strlen(kinds[kind].folder)) != 0 || at[strlen(kinds[kind].folder)] != '/'))
    kind++;
  return kind;
}

const char *cli_box_color(const cli_picture *picture, int64_t box) {
  int first = N_KINDS;
  for (int64_t i = box; i >= 0; i = picture->layers[i].next) {
    const int kind = find_kind(&picture->layers[i]);
    first = kind < first ? kind : first;
  }
  return first < N_KINDS ? kinds[first].color : OTHER;
}

void cli_json_kinds(cli_node *parent) {
  cli_node *node = cli_node_object(parent, "kinds");
  for (int i = 0; i < N_KINDS; i++)
    cli_node_text(node, kinds[i].folder, kinds[i].kind);
}

static void add_layer(cli_string *string, const cli_picture *picture, int64_t index) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_value value = {.size = sizeof value};
  const char *name, *text;
  if (!irrun_model_get_layer(picture->model, index, &layer))
    return;
  cli_add_name(string, layer.name);
  cli_add(string, "\n");
  cli_add_name(string, layer.type);
  cli_add(string, layer.version >= 0 ? "-%d, id " : ", id ", layer.version);
  cli_add_name(string, layer.id);
  if (layer.line > 0)
    cli_add(string, ", line %lld", (long long)layer.line);
  for (int i = 0; irrun_model_get_layer_attribute(picture->model, index, i, &name, &text); i++) {
    cli_string cut = {0};
    cli_add_name(&cut, text != NULL ? text : "");
    cli_cut_middle(&cut, VALUE_COLUMNS);
    cli_add(string, "\n");
    cli_add_name(string, name);
    cli_add(string, ": %s", cli_text(&cut));
    cli_reset(&cut);
  }
  for (int port = 0; irrun_model_get_layer_output(picture->model, index, port, &value); port++) {
    cli_add(string, "\noutput %d: ", port);
    cli_add_value(string, &value);
  }
}

void cli_add_box_tooltip(cli_string *string, const cli_picture *picture, int64_t box) {
  for (int64_t i = box; i >= 0; i = picture->layers[i].next) {
    cli_add(string, "%s", i != box ? "\n\n" : "");
    add_layer(string, picture, i);
  }
}
