#include "stats.h"

#include <stdlib.h>

cli_stats *cli_stats_begin(cli *c, irrun_model *model) {
  if (!cli_options_have(&c->options, CLI_OPTION_STATS))
    return NULL;
  const int64_t n_layers = cli_model_info(model).n_layers;
  cli_stats *stats = cli_allocate(1, sizeof *stats);
  *stats = (cli_stats){.c = c, .model = model, .first = cli_allocate((size_t)n_layers + 1, sizeof *stats->first)};
  for (int64_t i = 0; i < n_layers; i++)
    stats->first[i] = -1;
  return stats;
}

/* The row of an output; NULL: memory is out (reported). */
static cli_stats_row *find_row(cli_stats *stats, int64_t layer, int port) {
  int64_t at = stats->first[layer];
  while (at >= 0 && stats->rows[at].port != port)
    at = stats->rows[at].next;
  if (at >= 0)
    return &stats->rows[at];
  cli_stats_row row = {.layer = layer, .port = port, .next = stats->first[layer], .value.size = sizeof row.value};
  if (irrun_stats_create(stats->c->context, &row.stats) != IRRUN_OK)
    return NULL;
  irrun_model_get_layer_output(stats->model, layer, port, &row.value);
  stats->rows = cli_with_room(stats->rows, (size_t)stats->n_rows, &stats->capacity, sizeof *stats->rows);
  stats->first[layer] = stats->n_rows;
  stats->rows[stats->n_rows] = row;
  return &stats->rows[stats->n_rows++];
}

irrun_status cli_stats_add(cli_stats *stats, int64_t layer, int port, const irrun_tensor *tensor) {
  cli_stats_row *row = find_row(stats, layer, port);
  return row == NULL ? IRRUN_IO : irrun_stats_add(row->stats, tensor);
}

irrun_status cli_stats_add_constants(cli_stats *stats) {
  irrun_status status = IRRUN_OK;
  for (int64_t i = 0; i < cli_model_info(stats->model).n_layers && status == IRRUN_OK; i++) {
    irrun_tensor *tensor = irrun_model_is_constant(stats->model, i) ? irrun_model_get_constant(stats->model, i) : NULL;
    if (tensor != NULL)
      status = cli_stats_add(stats, i, 0, tensor);
    irrun_tensor_free(tensor);
  }
  return status;
}

void cli_stats_free(cli_stats *stats) {
  if (stats == NULL)
    return;
  for (int64_t i = 0; i < stats->n_rows; i++)
    irrun_stats_free(stats->rows[i].stats);
  free(stats->rows);
  free(stats->first);
  free(stats);
}
