/* Prints the sizes of a model: its weights and how they are stored, the work of a run, its state, and its memory. */
#include "irrun_state.h"
#include "report_json.h"
#include "table.h"

enum { TYPE, CONSTANTS, PARAMETERS, SCALES, BYTES, SHARE, N_COLUMNS };
enum { OP, OP_LAYERS, OP_MACS, OP_FLOPS, OP_PARAMETERS, OP_BYTES, N_OP_COLUMNS };
enum { TOKENS = 4096 }; /* the memory is that of a run with so many tokens */

/* Adds a large number with up to four significant digits: "433.8 M". */
static void add_large(cli_string *string, int64_t n) {
  static const char *const units[] = {"", " K", " M", " G", " T"};
  double number = (double)n;
  int unit = 0;
  for (; number >= 999.95 && unit < 4; unit++)
    number /= 1000;
  cli_add(string, unit == 0 ? "%.0f%s" : "%.1f%s", number, units[unit]);
}

static void add_scales(cli_string *string, const irrun_weights *weights) {
  static const char *const words[] = {[IRRUN_SCALES_NONE] = "",
                                      [IRRUN_SCALES_TENSOR] = "a scale a tensor",
                                      [IRRUN_SCALES_CHANNEL] = "a scale a channel",
                                      [IRRUN_SCALES_GROUP] = "groups of "};
  cli_add(string, "%s", words[weights->scales]);
  if (weights->scales == IRRUN_SCALES_GROUP)
    cli_add(string, "%lld", (long long)weights->group);
  if (weights->has_codebook)
    cli_add(string, "%scodebook", string->length > 0 ? ", " : "");
  if (weights->has_zero_points)
    cli_add(string, "%szero points", string->length > 0 ? ", " : "");
}

typedef struct weight_rows {
  irrun_model *model;
  bool names_constants;
  double bytes; /* of all weights, with their scales */
} weight_rows;

/* Adds the names of all constants of a row. */
static void add_constants(cli_string *details, irrun_model *model, int64_t row) {
  irrun_layer layer = {.size = sizeof layer};
  const char *between = "        ";
  for (int64_t i = 0; irrun_model_get_layer(model, i, &layer); i++) {
    if (irrun_model_get_weights_of(model, i) != row)
      continue;
    cli_add(details, "%s", between);
    cli_add_layer_path(details, &layer);
    between = ", ";
  }
  cli_add(details, "\n");
}

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  const weight_rows *rows = user;
  irrun_weights weights = {.size = sizeof weights};
  if (!irrun_model_get_weights(rows->model, index, &weights))
    return false;
  if (rows->names_constants)
    add_constants(details, rows->model, index);
  cli_add(&cells[TYPE], "%s", irrun_type_name(weights.type));
  cli_add(&cells[CONSTANTS], "%lld", (long long)weights.constants);
  add_large(&cells[PARAMETERS], weights.parameters);
  add_scales(&cells[SCALES], &weights);
  const double bytes = (double)weights.bytes + (double)weights.scale_bytes;
  cli_add_bytes(&cells[BYTES], bytes);
  if (rows->bytes > 0)
    cli_add(&cells[SHARE], "%.1f %%", 100 * bytes / rows->bytes);
  return true;
}

static void print_weights(cli *c, irrun_model *model) {
  static const cli_column columns[N_COLUMNS] = {
      [TYPE] = {"weights", false},  [CONSTANTS] = {"constants", true}, [PARAMETERS] = {"parameters", true},
      [SCALES] = {"scales", false}, [BYTES] = {"bytes", true},         [SHARE] = {"share", true}};
  weight_rows rows = {model, c->options.verbose, 0};
  irrun_weights weights = {.size = sizeof weights};
  for (int64_t i = 0; irrun_model_get_weights(model, i, &weights); i++)
    rows.bytes += (double)weights.bytes + (double)weights.scale_bytes;
  cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_row, &rows);
}

/* ---- by op ---- */

typedef struct op_rows {
  irrun_model *model;
  double macs, flops, parameters, bytes; /* of all ops */
} op_rows;

/* Adds a number and its share: "4.1 G  99.2 %". Adds nothing for 0. */
static void add_part(cli_string *cell, int64_t part, double whole, bool is_bytes) {
  if (part == 0)
    return;
  if (is_bytes)
    cli_add_bytes(cell, (double)part);
  else
    add_large(cell, part);
  cli_add(cell, " %5.1f %%", 100 * (double)part / whole);
}

static bool fill_op(void *user, int64_t index, cli_string *cells, cli_string *details) {
  const op_rows *rows = user;
  irrun_op_sizes op = {.size = sizeof op};
  (void)details;
  if (!irrun_model_get_op_sizes(rows->model, index, &op))
    return false;
  cli_add(&cells[OP], "%s-%d", op.type, op.version);
  cli_add(&cells[OP_LAYERS], "%lld", (long long)op.layers);
  add_part(&cells[OP_MACS], op.macs, rows->macs, false);
  add_part(&cells[OP_FLOPS], op.flops, rows->flops, false);
  add_part(&cells[OP_PARAMETERS], op.parameters, rows->parameters, false);
  add_part(&cells[OP_BYTES], op.bytes, rows->bytes, true);
  return true;
}

static void print_ops(cli *c, irrun_model *model, const irrun_sizes *sizes) {
  static const cli_column columns[N_OP_COLUMNS] = {
      [OP] = {"op", false},         [OP_LAYERS] = {"layers", true},         [OP_MACS] = {"macs", true},
      [OP_FLOPS] = {"flops", true}, [OP_PARAMETERS] = {"parameters", true}, [OP_BYTES] = {"bytes of weights", true}};
  op_rows rows = {model, (double)sizes->macs, (double)sizes->flops, (double)sizes->parameters, 0};
  irrun_op_sizes op = {.size = sizeof op};
  int64_t n = 0;
  for (; irrun_model_get_op_sizes(model, n, &op); n++)
    rows.bytes += (double)op.bytes;
  if (n > 0)
    cli_print_table(c->results, cli_results_width(c), columns, N_OP_COLUMNS, fill_op, &rows);
}

static void add_state(cli_string *line, const irrun_sizes *sizes) {
  if (sizes->token_bytes < 0) {
    cli_add(line, "of unknown size, in ");
  } else {
    if (sizes->token_bytes > 0 || sizes->fixed_bytes == 0) {
      cli_add_bytes(line, (double)sizes->token_bytes);
      cli_add(line, " a token%s", sizes->fixed_bytes > 0 ? " and " : "");
    }
    if (sizes->fixed_bytes > 0)
      cli_add_bytes(line, (double)sizes->fixed_bytes);
    cli_add(line, " for one sequence, in ");
  }
  cli_add_count(line, sizes->variables, "variable");
}

static void add_memory(cli_string *line, const irrun_sizes *sizes) {
  const double state = (double)sizes->fixed_bytes + (double)sizes->token_bytes * TOKENS;
  cli_add_bytes(line, (double)sizes->constant_bytes + state);
  cli_add(line, " with %d,%03d tokens: weights ", TOKENS / 1000, TOKENS % 1000);
  cli_add_bytes(line, (double)sizes->constant_bytes);
  cli_add(line, " and state ");
  cli_add_bytes(line, state);
  cli_add(line, "; estimated: ");
  cli_add_bytes(line, (double)sizes->step_bytes);
  cli_add(line, " or more for each token of a step");
}

/* Prints a line, in the columns of the summary if it follows one, and clears its text. */
static void print_line(cli *c, const char *label, bool is_summary, cli_string *text) {
  fprintf(c->results, " %-*s  %s\n", is_summary ? 11 : 6, label, cli_text(text));
  cli_clear(text);
}

/* Adds the work of one execution: "4.1 G MACs, 8.3 G FLOPs; activations: 12.3 MB at their peak". */
static void add_work(cli_string *line, const irrun_sizes *sizes) {
  add_large(line, sizes->macs);
  cli_add(line, " MACs, ");
  add_large(line, sizes->flops);
  cli_add(line, " FLOPs");
  if (sizes->uncounted > 0) {
    cli_add(line, " without ");
    cli_add_count(line, sizes->uncounted, "layer");
    cli_add(line, " of unknown work");
  }
  cli_add(line, "; activations: ");
  if (sizes->peak_bytes < 0)
    cli_add(line, "of open size");
  else
    cli_add_bytes(line, (double)sizes->peak_bytes);
  cli_add(line, "%s", sizes->peak_bytes < 0 ? "" : " at their peak");
}

void cli_print_sizes(cli *c, irrun_model *model, bool is_summary) {
  const bool shows_all = c->options.verbose || cli_options_have(&c->options, CLI_OPTION_STATS);
  irrun_sizes sizes = {.size = sizeof sizes};
  cli_string line = {0};
  if (!irrun_model_get_sizes(model, &sizes) || (sizes.variables == 0 && !shows_all && !is_summary))
    return;
  if (shows_all)
    print_ops(c, model, &sizes);
  if (sizes.parameters > 0 && (sizes.variables > 0 || shows_all))
    print_weights(c, model);
  if (sizes.parameters > 0 || sizes.variables > 0) {
    add_large(&line, sizes.parameters);
    cli_add(&line, " parameter%s, ", sizes.parameters == 1 ? "" : "s");
    cli_add_bytes(&line, (double)sizes.constant_bytes);
    cli_add(&line, " with scales and all other constants");
    print_line(c, "sum", is_summary, &line);
  }
  add_work(&line, &sizes);
  print_line(c, "run", is_summary, &line);
  if (sizes.variables > 0) {
    add_state(&line, &sizes);
    print_line(c, "state", is_summary, &line);
  }
  if (sizes.variables > 0 && sizes.token_bytes >= 0) {
    add_memory(&line, &sizes);
    print_line(c, "memory", is_summary, &line);
  }
  cli_reset(&line);
}

static void json_ops(cli_node *node, irrun_model *model) {
  cli_node *list = cli_node_array(node, "ops");
  irrun_op_sizes op = {.size = sizeof op};
  for (int64_t i = 0; irrun_model_get_op_sizes(model, i, &op); i++) {
    cli_node *item = cli_node_object(list, NULL);
    cli_node_text(item, "op", op.type);
    cli_node_integer(item, "version", op.version);
    cli_node_integer(item, "layers", op.layers);
    cli_node_integer(item, "macs", op.macs);
    cli_node_integer(item, "flops", op.flops);
    cli_node_integer(item, "parameters", op.parameters);
    cli_node_integer(item, "bytes", op.bytes);
  }
}

static void json_constants(cli_node *node, irrun_model *model, int64_t weights) {
  cli_node *list = cli_node_array(node, "constants");
  irrun_layer layer = {.size = sizeof layer};
  for (int64_t i = 0; irrun_model_get_layer(model, i, &layer); i++)
    if (irrun_model_get_weights_of(model, i) == weights)
      cli_node_text(list, NULL, layer.name);
}

void cli_json_sizes(cli_node *model_node, irrun_model *model) {
  static const char *const words[] = {[IRRUN_SCALES_NONE] = NULL,
                                      [IRRUN_SCALES_TENSOR] = "tensor",
                                      [IRRUN_SCALES_CHANNEL] = "channel",
                                      [IRRUN_SCALES_GROUP] = "group"};
  irrun_sizes sizes = {.size = sizeof sizes};
  irrun_weights weights = {.size = sizeof weights};
  if (!irrun_model_get_sizes(model, &sizes))
    return;
  cli_node *node = cli_node_object(model_node, "sizes");
  cli_node_integer(node, "parameters", sizes.parameters);
  cli_node_integer(node, "constant_bytes", sizes.constant_bytes);
  cli_node_integer(node, "gathered_bytes", sizes.gathered_bytes);
  cli_node_integer(node, "variables", sizes.variables);
  cli_node_count(node, "fixed_bytes", sizes.fixed_bytes);
  cli_node_count(node, "token_bytes", sizes.token_bytes);
  cli_node_integer(node, "step_bytes", sizes.step_bytes);
  cli_node_integer(node, "macs", sizes.macs);
  cli_node_integer(node, "flops", sizes.flops);
  cli_node_integer(node, "uncounted", sizes.uncounted);
  cli_node_count(node, "peak_bytes", sizes.peak_bytes);
  cli_node *list = cli_node_array(node, "weights");
  for (int64_t i = 0; irrun_model_get_weights(model, i, &weights); i++) {
    cli_node *item = cli_node_object(list, NULL);
    cli_node_text(item, "type", irrun_type_name(weights.type));
    cli_node_text(item, "scales", words[weights.scales]);
    cli_node_integer(item, "group", weights.group);
    cli_node_flag(item, "zero_points", weights.has_zero_points);
    cli_node_flag(item, "codebook", weights.has_codebook);
    cli_node_integer(item, "parameters", weights.parameters);
    cli_node_integer(item, "bytes", weights.bytes);
    cli_node_integer(item, "scale_bytes", weights.scale_bytes);
    json_constants(item, model, i);
  }
  json_ops(node, model);
}
