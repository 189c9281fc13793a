/* --stats: statistics of the results of layers, over all steps of a run, or of constants. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include "irrun_stats.h"
#include "report_json.h"

/* The statistics of one output of a layer. */
typedef struct cli_stats_row {
  int64_t layer;
  int port;
  irrun_value value;
  irrun_stats *stats;
  bool is_shared; /* `stats` belongs to another row, whose tensor has the same elements */
} cli_stats_row;

typedef struct cli_stats {
  cli *c;
  irrun_model *model;
  cli_stats_row *rows;
  int64_t n_rows;
  size_t capacity;
  int64_t *first;       /* one per layer: the place of its output 0 in row_of */
  int64_t *row_of;      /* one per output: its row; -1: none */
  bool *varies;         /* one per layer: irrun_layer.varies */
  int64_t n_own_layers; /* the layers after them are those of bodies */
} cli_stats;

/* Makes empty statistics for --stats. */
cli_stats *cli_stats_begin(cli *c, irrun_model *model);
/* Adds a tensor of a run, unless it depends on constants alone. */
irrun_status cli_stats_add(cli_stats *stats, int64_t layer, int port, const irrun_tensor *tensor);
/* Adds all constants of the model and its bodies. */
irrun_status cli_stats_add_constants(cli_stats *stats);
void cli_stats_free(cli_stats *stats);

/* stats_print.c: does nothing if `stats` is NULL. */
void cli_print_stats(cli_stats *stats);
/* Prints how many rows the table lacks, if n > 0. */
void cli_print_more(const cli *c, int64_t n);
/* Adds "stats" to a model. */
void cli_json_stats(cli_stats *stats, cli_node *model_node);
/* Adds the statistics of a tensor that the page of --report shows. */
void cli_page_stats(cli_node *node, const irrun_stats *stats);
/* Adds those of all rows, the odd ones first. `stats` is not NULL. */
void cli_page_all_stats(cli_node *list, cli_stats *stats);

/* quantized_print.c: prints the FakeQuantize layers, with levels and ranges, and the FakeConvert layers, with types,
 * scales and shifts. Adds "fake_quantize" and "fake_convert" to a model. */
void cli_print_quantized(cli *c, irrun_model *model);
void cli_json_quantized(cli_node *model_node, irrun_model *model);

#endif
