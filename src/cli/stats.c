#include "stats.h"

#include <stdlib.h>

cli_stats *cli_stats_begin(cli *c, irrun_model *model) {
  const int64_t n_layers = cli_model_info(model).n_layers;
  cli_stats *stats = cli_allocate(1, sizeof *stats);
  *stats = (cli_stats){.c = c, .model = model};
  stats->first = cli_allocate((size_t)n_layers + 1, sizeof *stats->first);
  stats->varies = cli_allocate((size_t)n_layers + 1, sizeof *stats->varies);
  int64_t n_outputs = 0;
  for (int64_t i = 0; i < n_layers; i++) {
    irrun_layer layer = {.size = sizeof layer};
    stats->first[i] = n_outputs;
    stats->varies[i] = irrun_model_get_layer(model, i, &layer) && layer.varies;
    stats->n_own_layers += layer.owner < 0;
    n_outputs += layer.n_outputs;
  }
  stats->row_of = cli_allocate((size_t)n_outputs, sizeof *stats->row_of);
  for (int64_t i = 0; i < n_outputs; i++)
    stats->row_of[i] = -1;
  return stats;
}

/* The row of an output; NULL: there is none yet. */
static cli_stats_row *find_row(const cli_stats *stats, int64_t layer, int port) {
  const int64_t at = layer >= 0 ? stats->row_of[stats->first[layer] + port] : -1;
  return at >= 0 ? &stats->rows[at] : NULL;
}

/* The statistics of the layer's input 0, if the layer's result has the same elements; else NULL. Layers read another
 * tensor than was computed with --isolate. */
static irrun_stats *stats_of_input(const cli_stats *stats, int64_t layer) {
  irrun_value input = {.size = sizeof input};
  const bool is_same = irrun_model_keeps_elements(stats->model, layer) &&
                       !cli_options_have(&stats->c->options, CLI_OPTION_ISOLATE) &&
                       irrun_model_get_layer_input(stats->model, layer, 0, &input);
  const cli_stats_row *row = is_same ? find_row(stats, input.from_layer, input.from_port) : NULL;
  return row != NULL ? row->stats : NULL;
}

/* Makes the row of an output. Returns NULL if memory is out (reported). */
static cli_stats_row *make_row(cli_stats *stats, int64_t layer, int port) {
  cli_stats_row row = {.layer = layer, .port = port, .value.size = sizeof row.value};
  row.stats = stats_of_input(stats, layer);
  row.is_shared = row.stats != NULL;
  if (!row.is_shared && irrun_stats_create(stats->c->context, &row.stats) != IRRUN_OK)
    return NULL;
  irrun_model_get_layer_output(stats->model, layer, port, &row.value);
  stats->rows = cli_with_room(stats->rows, (size_t)stats->n_rows, &stats->capacity, sizeof *stats->rows);
  stats->row_of[stats->first[layer] + port] = stats->n_rows;
  stats->rows[stats->n_rows] = row;
  return &stats->rows[stats->n_rows++];
}

static irrun_status add(cli_stats *stats, int64_t layer, int port, const irrun_tensor *tensor) {
  cli_stats_row *row = find_row(stats, layer, port);
  if (row == NULL)
    row = make_row(stats, layer, port);
  return row == NULL ? IRRUN_IO : row->is_shared ? IRRUN_OK : irrun_stats_add(row->stats, tensor);
}

irrun_status cli_stats_add(cli_stats *stats, int64_t layer, int port, const irrun_tensor *tensor) {
  return stats->varies[layer] ? add(stats, layer, port, tensor) : IRRUN_OK;
}

irrun_status cli_stats_add_constants(cli_stats *stats) {
  irrun_status status = IRRUN_OK;
  for (int64_t i = 0; i < cli_model_info(stats->model).n_layers && status == IRRUN_OK; i++) {
    irrun_tensor *tensor = irrun_model_is_constant(stats->model, i) ? irrun_model_get_constant(stats->model, i) : NULL;
    if (tensor != NULL)
      status = add(stats, i, 0, tensor);
    irrun_tensor_free(tensor);
  }
  return status;
}

void cli_stats_free(cli_stats *stats) {
  if (stats == NULL)
    return;
  for (int64_t i = 0; i < stats->n_rows; i++)
    if (!stats->rows[i].is_shared)
      irrun_stats_free(stats->rows[i].stats);
  free(stats->rows);
  free(stats->first);
  free(stats->row_of);
  free(stats->varies);
  free(stats);
}
