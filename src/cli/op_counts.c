/* Counts the layers of each op in a model. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Whether an output needs the layer, and irrun lacks its op. A misspelt op does not count: no opset has it, so it has
 * no version. */
static bool is_missing(const irrun_layer *layer) {
  return !layer->runnable && layer->version >= 0 && layer->live;
}

int cli_count_ops(irrun_model *model, cli_layer_filter *wanted, cli_op_count *out_ops) {
  int n_ops = 0;
  irrun_layer layer = {.size = sizeof layer};
  for (int64_t i = 0; irrun_model_get_layer(model, i, &layer); i++) {
    if (!wanted(&layer))
      continue;
    int at = 0;
    while (at < n_ops && (out_ops[at].version != layer.version || strcmp(out_ops[at].type, layer.type) != 0))
      at++;
    if (at == n_ops && n_ops < CLI_MAX_OPS)
      out_ops[n_ops++] = (cli_op_count){layer.type, layer.version, 0};
    if (at < n_ops)
      out_ops[at].n_layers++;
  }
  return n_ops;
}

int cli_find_missing_ops(irrun_model *model, cli_op_count *out_ops) {
  return cli_count_ops(model, is_missing, out_ops);
}

static int compare_counts(const void *a, const void *b) {
  const cli_op_count *one = a, *other = b;
  if (one->n_layers != other->n_layers)
    return one->n_layers > other->n_layers ? -1 : 1;
  return strcmp(one->type, other->type);
}

void cli_sort_ops(cli_op_count *ops, int n_ops) {
  qsort(ops, (size_t)n_ops, sizeof *ops, compare_counts);
}

static void add_op(cli_string *string, const cli_op_count *op, const char *separator) {
  cli_add(string, "%s", separator);
  cli_add_name(string, op->type);
  cli_add(string, "-%d (", op->version);
  cli_add_count(string, op->n_layers, "layer");
  cli_add(string, ")");
}

static void add_rest(cli_string *string, int n_ops) {
  if (n_ops == 0)
    return;
  cli_add(string, " and ");
  cli_add_count(string, n_ops, "more type");
}

void cli_add_missing_ops(cli_string *string, irrun_model *model, int width) {
  cli_op_count ops[CLI_MAX_OPS];
  cli_string item = {0}, rest = {0};
  const int n_ops = cli_find_missing_ops(model, ops);
  cli_sort_ops(ops, n_ops);
  int i = 0;
  for (; i < n_ops; i++) {
    cli_clear(&item);
    add_op(&item, &ops[i], i > 0 ? ", " : "");
    cli_clear(&rest);
    add_rest(&rest, n_ops - i - 1);
    if (i > 0 && cli_width(cli_text(&item)) + cli_width(cli_text(&rest)) > width)
      break;
    cli_add(string, "%s", cli_text(&item));
    width -= cli_width(cli_text(&item));
  }
  add_rest(string, n_ops - i);
  cli_reset(&item);
  cli_reset(&rest);
}
