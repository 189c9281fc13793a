/* Prints the statistics of tensors: the odd ones first. */
#include "stats.h"
#include "table.h"

#include <stdlib.h>

enum { TENSOR, VALUE, MIN, MEAN, MAX, DEVIATION, RANGE, ODD, N_COLUMNS };
enum { N_PARTS = 10 }; /* of the histogram that -v prints */

/* A row with its results. */
typedef struct shown {
  const cli_stats_row *row;
  irrun_stats_info info;
  int oddness; /* the higher, the earlier */
} shown;

typedef struct shown_rows {
  cli_stats *stats;
  shown *rows;
  int64_t n;
} shown_rows;

/* Whether several floats are all the same number. Equal integers are usual, such as sizes. */
static bool is_one_number(const irrun_stats_info *info) {
  return info->unique < 0 && info->finite > 1 && info->nans + info->infinities == 0 && info->min == info->max;
}

static int oddness_of(const irrun_stats_info *info) {
  return info->nans > 0            ? 6
         : info->infinities > 0    ? 5
         : info->f16_overflows > 0 ? 4
         : is_one_number(info)     ? 3
         : info->subnormals > 0    ? 2
         : info->f16_vanishes > 0  ? 1
                                   : 0;
}

/* Types that a conversion of the model to f16 would round. */
static bool is_wide_float(const irrun_stats_info *info) {
  return info->type == IRRUN_F32 || info->type == IRRUN_F64 || info->type == IRRUN_BF16;
}

static shown show_row(const cli_stats_row *row) {
  shown out = {.row = row, .info.size = sizeof out.info};
  irrun_stats_get(row->stats, &out.info);
  if (!is_wide_float(&out.info))
    out.info.f16_overflows = out.info.f16_vanishes = 0;
  out.oddness = oddness_of(&out.info);
  return out;
}

static int compare_oddness(const void *a, const void *b) {
  const shown *x = a, *y = b;
  if (x->oddness != y->oddness)
    return x->oddness > y->oddness ? -1 : 1;
  return x->row < y->row ? -1 : 1; /* in running order */
}

static void add_name(cli_string *cell, irrun_model *model, const cli_stats_row *row) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_model_get_layer(model, row->layer, &layer);
  cli_add_layer_name(cell, layer.inside, layer.n_inside, CLI_INSIDE, layer.name);
  if (layer.n_outputs > 1)
    cli_add(cell, ".%d", row->port);
}

static void add_odd(cli_string *cell, const irrun_stats_info *info) {
  const struct {
    int64_t count;
    const char *words;
  } items[] = {{info->nans, "nan"},
               {info->infinities - info->negative_infinities, "inf"},
               {info->negative_infinities, "-inf"},
               {info->f16_overflows, "overflow f16"},
               {info->subnormals, "subnormal"},
               {info->f16_vanishes, "vanish in f16"}};
  for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
    if (items[i].count > 0)
      cli_add(cell, "%s%lld %s", cell->length > 0 ? ", " : "", (long long)items[i].count, items[i].words);
  if (is_one_number(info))
    cli_add(cell, "%sall equal", cell->length > 0 ? ", " : "");
  const double zeros = info->finite > 0 ? 100.0 * (double)info->zeros / (double)info->finite : 0;
  if (zeros >= 0.5 && info->zeros < info->finite)
    cli_add(cell, "%s%.0f %% zeros", cell->length > 0 ? ", " : "", zeros);
  if (info->unique > 1)
    cli_add(cell, "%s%lld different", cell->length > 0 ? ", " : "", (long long)info->unique);
}

/* Adds the histogram in equal parts from min to max. The elements of a bin count as evenly spread. */
static void add_histogram(cli_string *details, const shown *row) {
  double parts[N_PARTS] = {0}, least, most;
  const double width = (row->info.max - row->info.min) / N_PARTS;
  int64_t count;
  if (!(width > 0) || width > 1e300)
    return;
  for (int64_t i = 0; irrun_stats_get_bin(row->row->stats, i, &least, &most, &count); i++) {
    least = least < row->info.min ? row->info.min : least;
    most = most > row->info.max ? row->info.max : most;
    for (int k = 0; k < N_PARTS; k++) {
      const double from = row->info.min + k * width, to = from + width;
      const double shared = (most < to ? most : to) - (least > from ? least : from);
      if (most > least && shared > 0)
        parts[k] += (double)count * shared / (most - least);
      else if (most <= least && least >= from && (least < to || k == N_PARTS - 1))
        parts[k] += (double)count;
    }
  }
  cli_add(details, "        percent of each tenth:");
  for (int k = 0; k < N_PARTS; k++)
    cli_add(details, " %.0f", 100 * parts[k] / (double)row->info.finite);
  cli_add(details, "\n");
}

/* Adds a number with four significant digits. */
static void add_short(cli_string *cell, double number) {
  cli_add(cell, "%.4g", number == 0 ? 0.0 : number);
}

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  const shown_rows *rows = user;
  if (index >= rows->n)
    return false;
  const shown *row = &rows->rows[index];
  add_name(&cells[TENSOR], rows->stats->model, row->row);
  cli_add_value(&cells[VALUE], &row->row->value);
  if (row->info.finite > 0) {
    add_short(&cells[MIN], row->info.min);
    add_short(&cells[MEAN], row->info.mean);
    add_short(&cells[MAX], row->info.max);
    add_short(&cells[DEVIATION], row->info.deviation);
    add_short(&cells[RANGE], row->info.low);
    cli_add(&cells[RANGE], "..");
    add_short(&cells[RANGE], row->info.high);
  }
  add_odd(&cells[ODD], &row->info);
  if (rows->stats->c->options.verbose)
    add_histogram(details, row);
  return true;
}

void cli_print_more(const cli *c, int64_t n) {
  if (n > 0)
    fprintf(c->results, " and %lld more; -v lists them\n", (long long)n);
}

void cli_print_stats(cli_stats *stats) {
  static const cli_column columns[N_COLUMNS] = {[TENSOR] = {"tensor", false, CLI_CUT_MIDDLE},
                                                [VALUE] = {"value", false},
                                                [MIN] = {"min", true},
                                                [MEAN] = {"mean", true},
                                                [MAX] = {"max", true},
                                                [DEVIATION] = {"std", true},
                                                [RANGE] = {"0.1..99.9 %", true},
                                                [ODD] = {"", false}};
  if (stats == NULL)
    return;
  cli *c = stats->c;
  shown_rows rows = {.stats = stats, .rows = cli_allocate((size_t)stats->n_rows + 1, sizeof *rows.rows)};
  for (int64_t i = 0; i < stats->n_rows; i++)
    rows.rows[i] = show_row(&stats->rows[i]);
  qsort(rows.rows, (size_t)stats->n_rows, sizeof *rows.rows, compare_oddness);
  rows.n = stats->n_rows;
  if (!c->options.verbose && rows.n > CLI_MOST_LAYERS)
    rows.n = CLI_MOST_LAYERS;
  if (rows.n > 0)
    cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_row, &rows);
  cli_print_more(c, stats->n_rows - rows.n);
  free(rows.rows);
}

/* ---- JSON ---- */

static void json_numbers(cli_node *node, const irrun_stats_info *info) {
  const bool any = info->finite > 0;
  const struct {
    const char *key;
    double number;
  } items[] = {{"min", info->min},       {"mean", info->mean}, {"max", info->max},
               {"std", info->deviation}, {"low", info->low},   {"high", info->high}};
  for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
    if (any)
      cli_node_number(node, items[i].key, items[i].number);
    else
      cli_node_null(node, items[i].key);
  }
}

static void json_row(cli_node *list, irrun_model *model, const cli_stats_row *row) {
  const shown s = show_row(row);
  cli_node *node = cli_node_object(list, NULL);
  cli_string name = {0};
  double least, most;
  int64_t count;
  add_name(&name, model, row);
  cli_node_text(node, "name", cli_text(&name));
  cli_reset(&name);
  cli_node_integer(node, "layer", row->layer);
  cli_node_integer(node, "port", row->port);
  cli_node_text(node, "type", irrun_type_name(s.info.type));
  cli_node_integer(node, "tensors", s.info.tensors);
  cli_node_integer(node, "finite", s.info.finite);
  cli_node_integer(node, "nan", s.info.nans);
  cli_node_integer(node, "inf", s.info.infinities - s.info.negative_infinities);
  cli_node_integer(node, "negative_inf", s.info.negative_infinities);
  cli_node_integer(node, "zeros", s.info.zeros);
  cli_node_integer(node, "subnormals", s.info.subnormals);
  cli_node_integer(node, "f16_overflows", s.info.f16_overflows);
  cli_node_integer(node, "f16_vanishes", s.info.f16_vanishes);
  json_numbers(node, &s.info);
  cli_node_count(node, "unique", s.info.unique);
  cli_node *bins = cli_node_array(node, "histogram");
  for (int64_t i = 0; irrun_stats_get_bin(row->stats, i, &least, &most, &count); i++) {
    cli_node *bin = cli_node_array(bins, NULL);
    cli_node_number(bin, NULL, least);
    cli_node_number(bin, NULL, most);
    cli_node_integer(bin, NULL, count);
  }
}

void cli_json_stats(cli_stats *stats, cli_node *model_node) {
  if (stats == NULL)
    return;
  cli_node *list = cli_node_array(model_node, "stats");
  for (int64_t i = 0; i < stats->n_rows; i++)
    json_row(list, stats->model, &stats->rows[i]);
}
