/* Prints the sizes of a model: its weights and how they are stored, the work of a run, its state, and its memory. */
#include "irrun_state.h"
#include "report_json.h"
#include "table.h"

enum { TYPE, PARAMETERS, SCALES, BYTES, N_COLUMNS };
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

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  irrun_weights weights = {.size = sizeof weights};
  (void)details;
  if (!irrun_model_get_weights(user, index, &weights))
    return false;
  cli_add(&cells[TYPE], "%s", irrun_type_name(weights.type));
  add_large(&cells[PARAMETERS], weights.parameters);
  add_scales(&cells[SCALES], &weights);
  cli_add_bytes(&cells[BYTES], (double)(weights.bytes + weights.scale_bytes));
  return true;
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
  static const cli_column columns[N_COLUMNS] = {[TYPE] = {"weights", false},
                                                [PARAMETERS] = {"parameters", true},
                                                [SCALES] = {"scales", false},
                                                [BYTES] = {"bytes", true}};
  const bool shows_all = c->options.verbose || cli_options_have(&c->options, CLI_OPTION_STATS);
  irrun_sizes sizes = {.size = sizeof sizes};
  cli_string line = {0};
  if (!irrun_model_get_sizes(model, &sizes) || (sizes.variables == 0 && !shows_all && !is_summary))
    return;
  if (sizes.parameters > 0 && (sizes.variables > 0 || shows_all))
    cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_row, model);
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
  }
}
