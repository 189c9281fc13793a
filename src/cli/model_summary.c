/* Prints a summary of a large model instead of its table: inputs and outputs, ops, constants, and layers whose
 * declarations differ from inference. */
#include "cli.h"
#include "table.h"

#include <string.h>

#define LABEL_WIDTH 11 /* length of the longest label, "irrun lacks" */
#define TEXT_COLUMN (1 + LABEL_WIDTH + 2)
#define MAX_SHOWN   8 /* maximum number of inputs, outputs and differing layers to list */

/* ---- inputs and outputs ---- */

enum { LABEL, NAME, SHAPE, N_COLUMNS };

/* Makes the rows of inputs, then of outputs. Of more than MAX_SHOWN inputs or outputs, the last row counts the rest:
 * "and 3 more". */
static bool fill_io(void *user, int64_t index, cli_string *cells, cli_string *details) {
  irrun_model *model = user;
  irrun_model_info info = cli_model_info(model);
  irrun_io io = {.size = sizeof io};
  (void)details;
  const int64_t n_input_rows = info.n_inputs > MAX_SHOWN ? MAX_SHOWN + 1 : info.n_inputs;
  const bool is_input = index < n_input_rows;
  const int64_t at = is_input ? index : index - n_input_rows, n = is_input ? info.n_inputs : info.n_outputs;
  if (at > MAX_SHOWN || at >= n)
    return false;
  cli_add(&cells[LABEL], "%-*s", LABEL_WIDTH, at > 0 ? "" : is_input ? "inputs" : "outputs");
  if (at == MAX_SHOWN) {
    cli_add(&cells[NAME], "and %lld more", (long long)(n - MAX_SHOWN));
  } else if (irrun_model_get_io(model, is_input ? IRRUN_INPUTS : IRRUN_OUTPUTS, at, &io)) {
    cli_add_name(&cells[NAME], io.name);
    cli_add_value(&cells[SHAPE], &io.value);
  }
  return true;
}

/* ---- ops ---- */

static bool is_had(const irrun_layer *layer) {
  return layer->runnable;
}

static bool is_lacked(const irrun_layer *layer) {
  return !layer->runnable && layer->version >= 0;
}

/* Whether irrun checks the op but cannot run it, in IR and in nGraph. */
static bool is_only_checked(const cli_op_count *count) {
  irrun_op op = {.size = sizeof op};
  bool found = false;
  for (int64_t i = 0; irrun_op_get(i, &op); i++) {
    if (op.version != count->version || strcmp(op.type, count->type) != 0)
      continue;
    if (op.is_run)
      return false;
    found = true;
  }
  return found;
}

/* Prints "irrun has  131 layers: 62 Const-1, 20 Multiply-1", wrapped to the width of results. */
static void print_ops(cli *c, const char *label, cli_op_count *ops, int n_ops) {
  const int limit = cli_results_width(c);
  int64_t n_layers = 0;
  cli_string text = {0};
  if (n_ops == 0)
    return;
  cli_sort_ops(ops, n_ops);
  for (int i = 0; i < n_ops; i++)
    n_layers += ops[i].n_layers;
  cli_add_count(&text, n_layers, "layer");
  cli_add(&text, ":");
  int column = TEXT_COLUMN + cli_width(cli_text(&text));
  fprintf(c->results, " %-*s  %s", LABEL_WIDTH, label, cli_text(&text));
  for (int i = 0; i < n_ops; i++) {
    cli_clear(&text);
    cli_add(&text, " %lld ", (long long)ops[i].n_layers);
    cli_add_name(&text, ops[i].type);
    cli_add(&text, "-%d%s", ops[i].version, i + 1 < n_ops ? "," : "");
    const int width = cli_width(cli_text(&text));
    if (column + width > limit) {
      fprintf(c->results, "\n%*s", TEXT_COLUMN - 1, "");
      column = TEXT_COLUMN - 1;
    }
    fputs(cli_text(&text), c->results);
    column += width;
  }
  fputc('\n', c->results);
  cli_reset(&text);
}

static void print_all_ops(cli *c, irrun_model *model) {
  cli_op_count ops[CLI_MAX_OPS];
  const int n_had = cli_count_ops(model, is_had, ops);
  int n_checked = 0;
  print_ops(c, "irrun has", ops, n_had);
  for (int i = 0; i < n_had; i++)
    if (is_only_checked(&ops[i]))
      ops[n_checked++] = ops[i];
  print_ops(c, "only checks", ops, n_checked);
  print_ops(c, "irrun lacks", ops, cli_count_ops(model, is_lacked, ops));
}

/* ---- statistics of all layers ---- */

typedef struct totals {
  int64_t n_unknown; /* layers whose op is in no opset, or is an extension */
  int64_t n_constants;
  int64_t n_unsized; /* constants whose size is unknown because of a fault */
  double constant_bytes;
  int64_t n_differing; /* layers that declare an output's type or shape differently from inference */
  int64_t differing[MAX_SHOWN];
} totals;

/* Whether the layer is a constant; an IR calls its op "Const", nGraph "Constant". */
static bool is_constant(const irrun_layer *layer) {
  return strcmp(layer->type, "Const") == 0 || strcmp(layer->type, "Constant") == 0;
}

static bool differs(irrun_model *model, int64_t index) {
  irrun_value value = {.size = sizeof value};
  for (int port = 0; irrun_model_get_layer_output(model, index, port, &value); port++)
    if (value.declared == IRRUN_DECLARED_DIFFERS)
      return true;
  return false;
}

static totals sum_up(irrun_model *model) {
  totals sum = {.n_unknown = 0};
  irrun_layer layer = {.size = sizeof layer};
  irrun_value value = {.size = sizeof value};
  for (int64_t i = 0; irrun_model_get_layer(model, i, &layer); i++) {
    sum.n_unknown += !layer.runnable && layer.version < 0;
    if (is_constant(&layer)) {
      sum.n_constants++;
      sum.n_unsized += !irrun_model_get_layer_output(model, i, 0, &value) || value.bytes < 0;
      sum.constant_bytes += (double)layer.constant_bytes;
    }
    if (differs(model, i) && sum.n_differing++ < MAX_SHOWN)
      sum.differing[sum.n_differing - 1] = i;
  }
  return sum;
}

static void print_line(cli *c, const char *label, const cli_string *text) {
  fprintf(c->results, " %-*s  %s\n", LABEL_WIDTH, label, cli_text(text));
}

static void print_totals(cli *c, const totals *sum) {
  cli_string text = {0};
  if (sum->n_unknown > 0) {
    cli_add_count(&text, sum->n_unknown, "layer");
    cli_add(&text, " of ops that no opset has, or of extensions");
    print_line(c, "unknown", &text);
  }
  if (sum->n_constants > 0) {
    cli_clear(&text);
    cli_add(&text, "%lld, ", (long long)sum->n_constants);
    cli_add_bytes(&text, sum->constant_bytes);
    if (sum->n_unsized > 0)
      cli_add(&text, " and %lld whose size is not known", (long long)sum->n_unsized);
    print_line(c, "constants", &text);
  }
  cli_clear(&text);
  if (sum->n_differing == 0)
    cli_add(&text, "no layer declares another shape or type than was inferred");
  else
    cli_add_count(&text, sum->n_differing, "layer");
  if (sum->n_differing > MAX_SHOWN)
    cli_add(&text, ", the first %d of them:", MAX_SHOWN);
  print_line(c, "differing", &text);
  cli_reset(&text);
}

void cli_print_summary(cli *c, irrun_model *model) {
  static const cli_column columns[N_COLUMNS] = {[NAME] = {.cut = CLI_CUT_MIDDLE}};
  const totals sum = sum_up(model);
  cli_string layers = {0};
  cli_add(&layers, "%lld; -v lists them", (long long)cli_model_info(model).n_layers);
  print_line(c, "layers", &layers);
  cli_reset(&layers);
  cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_io, model);
  print_all_ops(c, model);
  print_totals(c, &sum);
  if (sum.n_differing > 0)
    cli_print_layers(c, model, sum.differing, sum.n_differing < MAX_SHOWN ? sum.n_differing : MAX_SHOWN);
}
