/* Prints the outputs of a run: for each output a line with type, shape and statistics, and its first elements. */
#include "run.h"

#include <string.h>

#define LINE_WIDTH    76
#define MAX_CELLS     16 /* maximum number of elements that are printed in a row */
#define N_ROWS        4
#define N_ROWS_LONGER 16

/* A tensor as rows along its last axis. The last two axes form planes; the first rows of the first plane are shown. */
typedef struct value_block {
  const irrun_tensor *tensor;
  int64_t n_rows, n_shown_rows, n_cells, n_shown_cells;
  int width;
} value_block;

static value_block make_block(const irrun_tensor *tensor, bool verbose) {
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  value_block block = {.tensor = tensor, .n_rows = 1, .n_cells = 1};
  int64_t plane_rows = info.rank >= 2 ? info.dims[info.rank - 2] : 1;
  int64_t limit = verbose ? N_ROWS_LONGER : N_ROWS;
  if (info.rank >= 1)
    block.n_cells = info.dims[info.rank - 1];
  if (block.n_cells > 0)
    block.n_rows = info.elements / block.n_cells;
  block.n_shown_rows = plane_rows < limit ? plane_rows : limit;
  block.n_shown_cells = block.n_cells < MAX_CELLS ? block.n_cells : MAX_CELLS;
  for (int64_t row = 0; row < block.n_shown_rows; row++) {
    for (int64_t cell = 0; cell < block.n_shown_cells; cell++) {
      char text[48];
      int width = (int)strlen(irrun_tensor_text(tensor, row * block.n_cells + cell, text, sizeof text));
      block.width = width > block.width ? width : block.width;
    }
  }
  int64_t fit = LINE_WIDTH / (block.width + 2);
  block.n_shown_cells = block.n_shown_cells < fit ? block.n_shown_cells : fit;
  return block;
}

/* Prints "[0,0]", the index of the shown plane, if the tensor has more than two axes. Returns the text's length. */
static int print_label(FILE *out, int rank) {
  cli_string label = {0};
  static const int64_t zeros[IRRUN_MAX_RANK];
  if (rank > 2)
    cli_add_index(&label, zeros, rank - 2);
  int length = (int)label.length;
  fputs(cli_text(&label), out);
  cli_reset(&label);
  return length;
}

static void print_values(FILE *out, const irrun_tensor *tensor, bool verbose) {
  value_block block = make_block(tensor, verbose);
  int indent = 0;
  for (int64_t row = 0; row < block.n_shown_rows; row++) {
    fputs("   ", out);
    if (row == 0)
      indent = print_label(out, irrun_tensor_get_info(tensor).rank);
    else
      fprintf(out, "%*s", indent, "");
    for (int64_t cell = 0; cell < block.n_shown_cells; cell++) {
      char text[48];
      irrun_tensor_text(tensor, row * block.n_cells + cell, text, sizeof text);
      fprintf(out, "%*s", block.width + (indent > 0 || cell > 0 ? 2 : 0), text);
    }
    fputs(block.n_shown_cells < block.n_cells ? "  ...\n" : "\n", out);
  }
  if (block.n_shown_rows < block.n_rows)
    fprintf(out, "   ... %lld rows of %lld\n", (long long)block.n_rows, (long long)block.n_cells);
}

/* Returns the next written file that contains the output, or NULL; `*at` is the position, 0 at first. */
static const char *next_file(const cli_run *r, int64_t output, int64_t *at) {
  while (*at < r->n_out_files) {
    const cli_file *file = &r->out_files[(*at)++];
    if (file->written && (file->output < 0 || file->output == output))
      return file->path;
  }
  return NULL;
}

static void print_result(cli_run *r, int64_t output, const irrun_tensor *tensor, bool values) {
  irrun_io io = {.size = sizeof io};
  cli_string line = {0};
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  cli_add_name(&line, io.name);
  cli_add(&line, "  ");
  cli_add_tensor(&line, tensor);
  cli_add_statistics(&line, tensor);
  const char *path, *before = "  -> ";
  for (int64_t at = 0; (path = next_file(r, output, &at)) != NULL; before = ", ") {
    cli_add(&line, "%s", before);
    cli_add_name(&line, strcmp(path, "-") == 0 ? "<stdout>" : path);
  }
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
  if (values && irrun_tensor_get_info(tensor).elements > 0)
    print_values(r->c->results, tensor, r->c->options.verbose);
}

void cli_print_results(cli_run *r) {
  const cli_options *options = &r->c->options;
  bool elsewhere = cli_options_have(options, CLI_OPTION_OUTPUT) || cli_compares(options);
  for (int64_t i = 0; i < r->n_outputs; i++) {
    const irrun_tensor *tensor = irrun_run_output(r->run, i);
    int64_t at = 0;
    bool is_written = next_file(r, i, &at) != NULL;
    if (tensor == NULL || (elsewhere && !(is_written && !options->quiet) && !options->verbose))
      continue;
    print_result(r, i, tensor, !options->quiet && (!elsewhere || options->verbose));
  }
}

irrun_statistics cli_json_tensor(cli_node *node, const irrun_tensor *tensor) {
  const irrun_tensor_info info = irrun_tensor_get_info(tensor);
  const irrun_statistics statistics = irrun_tensor_statistics(tensor);
  const char *const names[] = {"min", "mean", "max"};
  const double numbers[] = {statistics.min, statistics.mean, statistics.max};
  cli_node_text(node, "type", irrun_type_name(info.type));
  cli_json_dims(node, "shape", info.dims, info.rank);
  cli_node_integer(node, "finite", statistics.finite);
  cli_node_integer(node, "nans", statistics.nans);
  cli_node_integer(node, "infinities", statistics.infinities);
  cli_node_integer(node, "negative_infinities", statistics.negative_infinities);
  for (int k = 0; k < 3; k++) {
    if (statistics.finite > 0)
      cli_node_number(node, names[k], numbers[k]);
    else
      cli_node_null(node, names[k]);
  }
  return statistics;
}

void cli_json_results(cli_run *r, cli_node *model) {
  cli_node *list = cli_node_array(model, "results");
  for (int64_t i = 0; i < r->n_outputs; i++) {
    const irrun_tensor *tensor = irrun_run_output(r->run, i);
    irrun_io io = {.size = sizeof io};
    irrun_model_get_io(r->model, IRRUN_OUTPUTS, i, &io);
    if (tensor == NULL)
      continue;
    cli_node *node = cli_node_object(list, NULL);
    cli_node_text(node, "name", io.name);
    cli_json_tensor(node, tensor);
    cli_node *written = cli_node_array(node, "written");
    const char *path;
    for (int64_t at = 0; (path = next_file(r, i, &at)) != NULL;)
      cli_node_text(written, NULL, path);
  }
}
