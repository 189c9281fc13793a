/* Prints the FakeQuantize layers of a model, with levels, and ranges if they are constant, and the FakeConvert layers,
 * with types, scales and shifts. */
#include "stats.h"
#include "table.h"

#include <string.h>

enum { LAYER, LEVELS, INPUT, OUTPUT, SHARED, N_COLUMNS };

/* An op that rounds as a quantized model does. Each of two ranges begins with the least element of one input, and ends
 * with the greatest of another one. */
typedef struct quantizer {
  const char *type, *attribute;
  struct {
    int low, high; /* inputs */
    const char *name;
  } ranges[2];
  const char *counted, *list; /* what count_ranges counts, and the list in JSON */
} quantizer;

static const quantizer quantizers[] = {
    {"FakeQuantize", "levels", {{1, 2, "input"}, {3, 4, "output"}}, "ranges", "fake_quantize"},
    {"FakeConvert", "destination_type", {{1, 1, "scale"}, {2, 2, "shift"}}, "scales", "fake_convert"}};
enum { N_QUANTIZERS = sizeof quantizers / sizeof quantizers[0] };

/* Finds the layer that feeds an input, or, if that converts f16 to f32, the layer that feeds the Convert. -1: none. */
static int64_t find_source(irrun_model *model, int64_t layer, int input) {
  irrun_value value = {.size = sizeof value}, stored = {.size = sizeof stored};
  irrun_layer from = {.size = sizeof from};
  if (!irrun_model_get_layer_input(model, layer, input, &value) ||
      !irrun_model_get_layer(model, value.from_layer, &from))
    return -1;
  const bool is_stored_as_half = strcmp(from.type, "Convert") == 0 && value.type == IRRUN_F32 &&
                                 irrun_model_get_layer_input(model, value.from_layer, 0, &stored) &&
                                 (stored.type == IRRUN_F16 || stored.type == IRRUN_BF16);
  return is_stored_as_half ? stored.from_layer : value.from_layer;
}

/* The least element of the low bounds and the greatest of the high bounds, if they are constant. */
typedef struct bounds {
  bool is_constant;
  double least, most;
} bounds;

static irrun_statistics statistics_of(irrun_model *model, int64_t layer, int input) {
  const int64_t from = find_source(model, layer, input);
  irrun_tensor *tensor = irrun_model_is_constant(model, from) ? irrun_model_get_constant(model, from) : NULL;
  const irrun_statistics found = tensor != NULL ? irrun_tensor_statistics(tensor) : (irrun_statistics){0};
  irrun_tensor_free(tensor);
  return found;
}

static bounds range_of(irrun_model *model, int64_t layer, const quantizer *kind, int range) {
  const irrun_statistics lows = statistics_of(model, layer, kind->ranges[range].low),
                         highs = statistics_of(model, layer, kind->ranges[range].high);
  return (bounds){lows.finite > 0 && highs.finite > 0, lows.min, highs.max};
}

/* The number of elements of the first range's low bound; -1: it is unknown. */
static int64_t count_ranges(irrun_model *model, int64_t layer, const quantizer *kind) {
  irrun_value value = {.size = sizeof value};
  int64_t n = 1;
  if (!irrun_model_get_layer_input(model, layer, kind->ranges[0].low, &value) || !value.known || value.shape.rank < 0)
    return -1;
  for (int i = 0; i < value.shape.rank; i++) {
    if (value.shape.dims[i].lo != value.shape.dims[i].hi)
      return -1;
    n *= value.shape.dims[i].lo;
  }
  return n;
}

/* Finds the next layer of the kind from layer `*io_at` on. */
static bool find_next(irrun_model *model, const quantizer *kind, int64_t *io_at, irrun_layer *out) {
  for (; irrun_model_get_layer(model, *io_at, out); ++*io_at)
    if (strcmp(out->type, kind->type) == 0)
      return true;
  return false;
}

static const char *levels_of(irrun_model *model, int64_t layer, const quantizer *kind) {
  const char *levels = cli_find_attribute(model, layer, kind->attribute);
  return levels != NULL ? levels : "?";
}

/* Adds the range: "-1..0.99". */
static void add_range(cli_string *cell, bounds range) {
  if (range.is_constant)
    cli_add(cell, "%.4g..%.4g", range.least, range.most);
  else
    cli_add(cell, "not constant");
}

typedef struct layers {
  irrun_model *model;
  const quantizer *kind;
  int64_t next; /* the layer after that of the last row */
  int64_t most; /* rows */
} layers;

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  layers *at = user;
  irrun_layer layer = {.size = sizeof layer};
  (void)details;
  at->next = index == 0 ? 0 : at->next;
  if (index >= at->most || !find_next(at->model, at->kind, &at->next, &layer))
    return false;
  cli_add_layer_path(&cells[LAYER], &layer);
  cli_add_name(&cells[LEVELS], levels_of(at->model, at->next, at->kind));
  for (int i = 0; i < 2; i++)
    if (at->kind->ranges[i].high < layer.n_inputs) /* a shift is optional */
      add_range(&cells[INPUT + i], range_of(at->model, at->next, at->kind, i));
  const int64_t n = count_ranges(at->model, at->next, at->kind);
  if (n >= 0)
    cli_add(&cells[SHARED], "%lld", (long long)n);
  at->next++;
  return true;
}

static void print_kind(cli *c, irrun_model *model, const quantizer *kind) {
  const cli_column columns[N_COLUMNS] = {[LAYER] = {kind->type, false, CLI_CUT_MIDDLE},
                                         [LEVELS] = {kind->attribute, true},
                                         [INPUT] = {kind->ranges[0].name, true},
                                         [OUTPUT] = {kind->ranges[1].name, true},
                                         [SHARED] = {kind->counted, true}};
  irrun_layer layer = {.size = sizeof layer};
  layers rows = {.model = model, .kind = kind, .most = c->options.verbose ? INT64_MAX : CLI_MOST_LAYERS};
  int64_t n = 0;
  for (int64_t i = 0; find_next(model, kind, &i, &layer); i++)
    n++;
  if (n > 0)
    cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_row, &rows);
  cli_print_more(c, n - rows.most);
}

void cli_print_quantized(cli *c, irrun_model *model) {
  for (int k = 0; k < N_QUANTIZERS; k++)
    print_kind(c, model, &quantizers[k]);
}

static void json_range(cli_node *node, const char *key, bounds range) {
  if (!range.is_constant) {
    cli_node_null(node, key);
    return;
  }
  cli_node *list = cli_node_array(node, key);
  cli_node_number(list, NULL, range.least);
  cli_node_number(list, NULL, range.most);
}

static void json_kind(cli_node *model_node, irrun_model *model, const quantizer *kind) {
  irrun_layer layer = {.size = sizeof layer};
  cli_node *list = cli_node_array(model_node, kind->list);
  for (int64_t i = 0; find_next(model, kind, &i, &layer); i++) {
    cli_node *node = cli_node_object(list, NULL);
    cli_node_text(node, "name", layer.name);
    cli_node_integer(node, "layer", i);
    cli_node_scalar(node, kind->attribute, levels_of(model, i, kind));
    for (int k = 0; k < 2; k++)
      if (kind->ranges[k].high < layer.n_inputs)
        json_range(node, kind->ranges[k].name, range_of(model, i, kind, k));
    cli_node_count(node, kind->counted, count_ranges(model, i, kind));
  }
}

void cli_json_quantized(cli_node *model_node, irrun_model *model) {
  for (int k = 0; k < N_QUANTIZERS; k++)
    json_kind(model_node, model, &quantizers[k]);
}
