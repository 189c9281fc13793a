#include "cli.h"
#include "table.h"

#include <string.h>

#define MAX_PORTS_SHOWN 4
#define MAX_OPS_SHOWN   16

typedef enum column { ID, LAYER, OP, INPUTS, OUTPUT, DECLARED, COST, BYTES, N_COLUMNS } column;

typedef struct layer_rows {
  irrun_model *model;
  bool verbose;
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
  irrun_value value;
  int64_t bytes = layer->constant_bytes;
  for (int port = 0; port < layer->n_inputs && irrun_get_layer_input(model, index, port, &value); port++) {
    if (port == MAX_PORTS_SHOWN) {
      cli_add(&cells[INPUTS], ", ... (%d)", layer->n_inputs);
      break;
    }
    cli_add(&cells[INPUTS], "%s", port > 0 ? ", " : "");
    cli_add_value(&cells[INPUTS], &value);
  }
  for (int port = 0; port < layer->n_outputs && irrun_get_layer_output(model, index, port, &value); port++) {
    bytes = bytes < 0 || value.bytes < 0 ? -1 : bytes + (layer->constant_bytes > 0 ? 0 : value.bytes);
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
  for (int i = 0; irrun_get_layer_attribute(model, index, i, &name, &text); i++) {
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

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  layer_rows *rows = user;
  irrun_layer layer;
  if (!irrun_get_layer(rows->model, index, &layer))
    return false;
  cli_add_name(&cells[ID], layer.id);
  cli_add_name(&cells[LAYER], layer.name);
  cli_add_name(&cells[OP], layer.type);
  if (layer.version >= 0) {
    cli_add(&cells[OP], "-%d", layer.version);
  } else {
    cli_add(&cells[OP], " (");
    cli_add_name(&cells[OP], layer.opset);
    cli_add(&cells[OP], ")");
  }
  if (rows->verbose)
    add_details(rows->model, index, &layer, details);
  add_ports(rows->model, index, &layer, cells);
  if (layer.cost > 0)
    cli_add(&cells[COST], "%lld", (long long)layer.cost);
  return true;
}

int cli_results_width(const cli *c) {
  return c->options.verbose ? 0 : cli_line_width(c->results);
}

void cli_print_layers(cli *c, irrun_model *model) {
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
  layer_rows rows = {model, c->options.verbose};
  cli_print_table(c->results, cli_results_width(c), columns, c->options.verbose ? N_COLUMNS : COST, fill_row, &rows);
}

const char *cli_verdict(irrun_status status) {
  switch (status) {
  case IRRUN_OK:
    return "ok";
  case IRRUN_DIFFERS:
    return "differs";
  case IRRUN_USAGE:
    return "wrong-command-line";
  case IRRUN_INVALID:
    return "invalid";
  case IRRUN_UNSUPPORTED:
    return "unsupported";
  case IRRUN_BAD_DATA:
    return "bad-data";
  case IRRUN_IO:
    return "unreadable";
  case IRRUN_INTERNAL:
    break;
  }
  return "internal-error";
}

/* An op that some opset has and irrun has not; a misspelt one is none of them. */
static bool is_missing(const irrun_layer *layer) {
  return !layer->runnable && layer->version >= 0 && layer->live;
}

int cli_find_missing_ops(irrun_model *model, cli_missing_op *out_ops) {
  int n_ops = 0;
  irrun_layer layer;
  for (int64_t i = 0; irrun_get_layer(model, i, &layer); i++) {
    if (!is_missing(&layer))
      continue;
    int at = 0;
    while (at < n_ops && (out_ops[at].version != layer.version || strcmp(out_ops[at].type, layer.type) != 0))
      at++;
    if (at == n_ops && n_ops < CLI_MAX_MISSING_OPS)
      out_ops[n_ops++] = (cli_missing_op){layer.type, layer.version, 0};
    if (at < n_ops)
      out_ops[at].n_layers++;
  }
  return n_ops;
}

void cli_add_missing_ops(cli_string *string, irrun_model *model) {
  cli_missing_op ops[CLI_MAX_MISSING_OPS];
  int n_ops = cli_find_missing_ops(model, ops);
  for (int i = 0; i < n_ops && i < MAX_OPS_SHOWN; i++) {
    cli_add(string, "%s", i > 0 ? ", " : "");
    cli_add_name(string, ops[i].type);
    cli_add(string, "-%d (", ops[i].version);
    cli_add_count(string, ops[i].n_layers, "layer");
    cli_add(string, ")");
  }
  if (n_ops > MAX_OPS_SHOWN)
    cli_add(string, " and %d more", n_ops - MAX_OPS_SHOWN);
}

void cli_print_verdict(cli *c, irrun_model *model, const char *path, irrun_status status) {
  cli_string line = {0};
  cli_add_name(&line, path);
  cli_add(&line, ": %s%s%s", cli_paint(c->color_results, status == IRRUN_OK ? CLI_GREEN : CLI_RED), cli_verdict(status),
          cli_paint(c->color_results, CLI_PLAIN));
  if (model != NULL) {
    irrun_model_info info = irrun_get_model(model);
    int64_t counts[] = {info.n_layers, info.n_inputs, info.n_outputs, info.errors, info.warnings};
    static const char *const nouns[] = {"layer", "input", "output", "error", "warning"};
    for (int i = 0; i < 5; i++) {
      if (i >= 3 && counts[i] == 0)
        continue;
      cli_add(&line, ", ");
      cli_add_count(&line, counts[i], nouns[i]);
    }
    if (info.n_missing > 0) {
      cli_add(&line, "; missing: ");
      cli_add_missing_ops(&line, model);
    }
  }
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}
