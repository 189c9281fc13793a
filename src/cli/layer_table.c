#include "cli.h"
#include "irrun_debug.h"
#include "table.h"

#include <string.h>

#define MAX_PORTS_SHOWN  4
#define MAX_VALUES_SHOWN 8 /* maximum number of elements that are printed of a constant */

typedef enum column { ID, LAYER, OP, INPUTS, OUTPUT, DECLARED, COST, BYTES, N_COLUMNS } column;

typedef struct layer_rows {
  irrun_model *model;
  bool verbose;
  const int64_t *layers; /* indices of the layers to print; NULL: all layers */
  int64_t n_layers;
} layer_rows;

static void add_declared(cli_string *cell, const irrun_value *value) {
  switch (value->declared) {
  case IRRUN_NOT_DECLARED:
    cli_add(cell, "-");
    break;
  case IRRUN_DECLARED_OK:
    cli_add(cell, "ok");
    break;
  case IRRUN_DECLARED_BELIEVED:
    cli_add(cell, "believed");
    break;
  case IRRUN_DECLARED_DIFFERS:
    cli_add_typed_shape(cell, value->declared_type, &value->declared_shape);
    cli_add(cell, " differs");
    break;
  case IRRUN_DECLARED_UNCHECKED:
    cli_add(cell, "not checked");
    break;
  }
}

static void add_ports(irrun_model *model, int64_t index, const irrun_layer *layer, cli_string *cells) {
  irrun_value value = {.size = sizeof value};
  int64_t bytes = layer->constant_bytes;
  for (int port = 0; port < layer->n_inputs && irrun_model_get_layer_input(model, index, port, &value); port++) {
    if (port == MAX_PORTS_SHOWN) {
      cli_add(&cells[INPUTS], ", ... (%d)", layer->n_inputs);
      break;
    }
    cli_add(&cells[INPUTS], "%s", port > 0 ? ", " : "");
    cli_add_value(&cells[INPUTS], &value);
  }
  for (int port = 0; port < layer->n_outputs && irrun_model_get_layer_output(model, index, port, &value); port++) {
    const int64_t more = layer->constant_bytes > 0 && value.bytes > 0 ? 0 : value.bytes;
    bytes = bytes < 0 || more < 0 || more > INT64_MAX - bytes ? -1 : bytes + more;
    if (port > MAX_PORTS_SHOWN)
      continue;
    if (port == MAX_PORTS_SHOWN) {
      cli_add(&cells[OUTPUT], ", ... (%d)", layer->n_outputs);
      continue;
    }
    cli_add(&cells[OUTPUT], "%s", port > 0 ? ", " : "");
    cli_add(&cells[DECLARED], "%s", port > 0 ? ", " : "");
    cli_add_value(&cells[OUTPUT], &value);
    add_declared(&cells[DECLARED], &value);
  }
  if (bytes >= 0 && layer->n_outputs > 0)
    cli_add(&cells[BYTES], "%lld", (long long)bytes);
}

static void add_details(irrun_model *model, int64_t index, const irrun_layer *layer, cli_string *details) {
  const char *name, *text;
  if (layer->n_attributes > 0)
    cli_add(details, "       ");
  for (int i = 0; irrun_model_get_layer_attribute(model, index, i, &name, &text); i++) {
    if (text == NULL)
      continue;
    cli_add(details, " ");
    cli_add_name(details, name);
    cli_add(details, "=\"");
    cli_add_name(details, text);
    cli_add(details, "\"");
  }
  if (layer->n_attributes > 0)
    cli_add(details, "\n");
  if (layer->formula != NULL) {
    cli_add(details, "        ");
    cli_add_name(details, layer->formula);
    cli_add(details, "\n");
  }
}

/* Adds the elements of a constant, "= 0.5, 1, 2"; of a larger constant the first elements and statistics. Adds nothing
 * if the .bin is missing. */
static void add_contents(irrun_model *model, int64_t index, cli_string *details) {
  irrun_tensor *tensor = irrun_model_is_constant(model, index) ? irrun_model_get_constant(model, index) : NULL;
  const int64_t n = tensor != NULL ? irrun_tensor_get_info(tensor).elements : 0;
  char text[48];
  for (int64_t i = 0; i < n && i < MAX_VALUES_SHOWN; i++)
    cli_add(details, "%s%s", i > 0 ? ", " : "        = ", irrun_tensor_text(tensor, i, text, sizeof text));
  if (n > MAX_VALUES_SHOWN) {
    cli_add(details, ", ...");
    cli_add_statistics(details, tensor);
  }
  cli_add(details, "%s", n > 0 ? "\n" : "");
  irrun_tensor_free(tensor);
}

static bool fill_row(void *user, int64_t row, cli_string *cells, cli_string *details) {
  layer_rows *rows = user;
  irrun_layer layer = {.size = sizeof layer};
  if (rows->layers != NULL && row >= rows->n_layers)
    return false;
  const int64_t index = rows->layers != NULL ? rows->layers[row] : row;
  if (!irrun_model_get_layer(rows->model, index, &layer))
    return false;
  cli_add_name(&cells[ID], layer.id);
  cli_add_layer_path(&cells[LAYER], &layer);
  cli_add_name(&cells[OP], layer.type);
  if (layer.version >= 0) {
    cli_add(&cells[OP], "-%d", layer.version);
  } else if (*layer.opset != '\0') {
    cli_add(&cells[OP], " (");
    cli_add_name(&cells[OP], layer.opset);
    cli_add(&cells[OP], ")");
  }
  if (rows->verbose) {
    add_details(rows->model, index, &layer, details);
    add_contents(rows->model, index, details);
  }
  add_ports(rows->model, index, &layer, cells);
  if (layer.cost > 0)
    cli_add(&cells[COST], "%lld", (long long)layer.cost);
  return true;
}

int cli_results_width(const cli *c) {
  return c->options.verbose ? CLI_ANY_WIDTH : cli_line_width(c->results);
}

void cli_print_layers(cli *c, irrun_model *model, const int64_t *layers, int64_t n_layers) {
  static const cli_column columns[N_COLUMNS] = {
      [ID] = {"id", true},
      [LAYER] = {"layer", false, CLI_CUT_MIDDLE},
      [OP] = {"op", false},
      [INPUTS] = {"inputs", false, CLI_CUT_LIST, true},
      [OUTPUT] = {"output", false, CLI_CUT_LIST},
      [DECLARED] = {"declared", false},
      [COST] = {"macs", true},
      [BYTES] = {"bytes", true},
  };
  layer_rows rows = {model, c->options.verbose, layers, n_layers};
  cli_print_table(c->results, cli_results_width(c), columns, c->options.verbose ? N_COLUMNS : COST, fill_row, &rows);
}

const char *cli_verdict(irrun_status status) {
  switch (status) {
  case IRRUN_USAGE:
    return "wrong-command-line";
  case IRRUN_IO:
    return "unreadable";
  case IRRUN_INTERNAL:
    return "internal-error";
  default:
    return irrun_status_name(status);
  }
}

/* Adds ", 3 layers, 1 input, 1 output" and, within the rest of `width`, the ops that irrun lacks. */
static void add_counts(const cli *c, cli_string *line, irrun_model *model, irrun_status status, int width) {
  irrun_model_info info = cli_model_info(model);
  int64_t counts[] = {info.n_layers,
                      info.n_inputs,
                      info.n_outputs,
                      info.errors - c->n_known_here[IRRUN_ERROR],
                      info.warnings - c->n_known_here[IRRUN_WARNING],
                      c->n_known_here[IRRUN_ERROR] + c->n_known_here[IRRUN_WARNING]};
  static const char *const nouns[] = {"layer", "input", "output", "error", "warning", "known finding"};
  for (int i = 0; i < 6; i++) {
    if (i >= 3 && counts[i] == 0)
      continue;
    cli_add(line, ", ");
    cli_add_count(line, counts[i], nouns[i]);
  }
  cli_string missing = {0};
  const char *word = status == IRRUN_OK ? "; not checked: " : "; missing: ";
  cli_add_missing_ops(&missing, model, width - cli_width(cli_text(line)) - cli_width(word));
  if (missing.length > 0)
    cli_add(line, "%s%s", word, cli_text(&missing));
  cli_reset(&missing);
}

void cli_print_verdict(cli *c, irrun_model *model, const char *path, irrun_status status) {
  cli_string name = {0}, counts = {0};
  const char *verdict = cli_verdict(status);
  cli_add_name(&name, path);
  cli_add(&name, ": ");
  if (model != NULL)
    add_counts(c, &counts, model, status, cli_results_width(c) - cli_width(cli_text(&name)) - cli_width(verdict));
  fprintf(c->results, "%s%s%s%s%s\n", cli_text(&name),
          cli_paint(c->color_results, status == IRRUN_OK ? CLI_GREEN : CLI_RED), verdict,
          cli_paint(c->color_results, CLI_PLAIN), cli_text(&counts));
  cli_reset(&name);
  cli_reset(&counts);
}
