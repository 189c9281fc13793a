/* Prints the statistics of tensors: the odd ones first. */
#include "stats.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>

enum { TENSOR, VALUE, MIN, MEAN, MAX, DEVIATION, RANGE, ODD, N_COLUMNS };
enum { N_PARTS = 10, N_PAGE_PARTS = 20 }; /* of the histograms that -v prints, and that a page shows */

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

static irrun_stats_info info_of(const irrun_stats *stats) {
  irrun_stats_info info = {.size = sizeof info};
  irrun_stats_get(stats, &info);
  if (!is_wide_float(&info))
    info.f16_overflows = info.f16_vanishes = 0;
  return info;
}

static int compare_oddness(const void *a, const void *b) {
  const shown *x = a, *y = b;
  if (x->oddness != y->oddness)
    return x->oddness > y->oddness ? -1 : 1;
  return x->row < y->row ? -1 : 1; /* in running order */
}

/* Lists all rows, the odd ones first. The caller frees `rows`. */
static shown_rows list_rows(cli_stats *stats) {
  shown_rows out = {.stats = stats, .n = stats->n_rows};
  out.rows = cli_allocate((size_t)out.n + 1, sizeof *out.rows);
  for (int64_t i = 0; i < out.n; i++) {
    const irrun_stats_info info = info_of(stats->rows[i].stats);
    out.rows[i] = (shown){&stats->rows[i], info, oddness_of(&info)};
  }
  qsort(out.rows, (size_t)out.n, sizeof *out.rows, compare_oddness);
  return out;
}

static void add_name(cli_string *cell, irrun_model *model, const cli_stats_row *row) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_model_get_layer(model, row->layer, &layer);
  cli_add_layer_path(cell, &layer);
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

/* Counts the elements in n equal parts from min to max. The elements of a bin count as evenly spread. Returns false if
 * there is no range. */
static bool fill_parts(const irrun_stats *stats, const irrun_stats_info *info, int n, double *parts) {
  double least, most;
  const double width = (info->max - info->min) / n;
  int64_t count;
  if (!(width > 0) || width > 1e300)
    return false;
  for (int k = 0; k < n; k++)
    parts[k] = 0;
  for (int64_t i = 0; irrun_stats_get_bin(stats, i, &least, &most, &count); i++) {
    for (int k = 0; k < n; k++) {
      const double from = info->min + k * width, to = from + width;
      const double shared = (most < to ? most : to) - (least > from ? least : from);
      if (most > least && shared > 0)
        parts[k] += (double)count * shared / (most - least);
      else if (most <= least && least >= from && (least < to || k == n - 1))
        parts[k] += (double)count;
    }
  }
  return true;
}

static void add_histogram(cli_string *details, const shown *row) {
  double parts[N_PARTS];
  if (!fill_parts(row->row->stats, &row->info, N_PARTS, parts))
    return;
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
  shown_rows rows = list_rows(stats);
  if (!c->options.verbose && rows.n > CLI_MOST_LAYERS)
    rows.n = CLI_MOST_LAYERS;
  if (rows.n > 0)
    cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_row, &rows);
  cli_print_more(c, stats->n_rows - rows.n);
  free(rows.rows);
}

/* ---- JSON ---- */

static void json_finite(cli_node *node, const irrun_stats_info *info) {
  cli_node_integer(node, "finite", info->finite);
  cli_node_integer(node, "nan", info->nans);
  cli_node_integer(node, "inf", info->infinities - info->negative_infinities);
  cli_node_integer(node, "negative_inf", info->negative_infinities);
}

/* Adds the numbers by `add`, exact or rounded. */
static void json_numbers(cli_node *node, const irrun_stats_info *info, void (*add)(cli_node *, const char *, double)) {
  const bool any = info->finite > 0;
  const struct {
    const char *key;
    double number;
  } items[] = {{"min", info->min},       {"mean", info->mean}, {"max", info->max},
               {"std", info->deviation}, {"low", info->low},   {"high", info->high}};
  for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
    if (any)
      add(node, items[i].key, items[i].number);
    else
      cli_node_null(node, items[i].key);
  }
}

static void json_row(cli_node *list, irrun_model *model, const cli_stats_row *row) {
  const irrun_stats_info info = info_of(row->stats);
  cli_node *node = cli_node_object(list, NULL);
  cli_string name = {0};
  double least, most;
  int64_t count;
  add_name(&name, model, row);
  cli_node_text(node, "name", cli_text(&name));
  cli_reset(&name);
  cli_node_integer(node, "layer", row->layer);
  cli_node_integer(node, "port", row->port);
  cli_node_text(node, "type", irrun_type_name(info.type));
  cli_node_integer(node, "tensors", info.tensors);
  json_finite(node, &info);
  cli_node_integer(node, "zeros", info.zeros);
  cli_node_integer(node, "subnormals", info.subnormals);
  cli_node_integer(node, "f16_overflows", info.f16_overflows);
  cli_node_integer(node, "f16_vanishes", info.f16_vanishes);
  json_numbers(node, &info, cli_node_number);
  cli_node_count(node, "unique", info.unique);
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

static void add_page_stats(cli_node *node, const irrun_stats *stats, const irrun_stats_info *info) {
  cli_string odd = {0};
  double parts[N_PAGE_PARTS], sum = 0;
  add_odd(&odd, info);
  json_finite(node, info);
  json_numbers(node, info, cli_node_rounded);
  cli_node_text(node, "odd", cli_text(&odd));
  cli_reset(&odd);
  cli_node *bins = cli_node_array(node, "bins");
  const int n_parts = fill_parts(stats, info, N_PAGE_PARTS, parts) ? N_PAGE_PARTS : 0;
  for (int k = 0; k < n_parts; k++) {
    const int64_t before = llround(sum); /* rounded sums lose no element */
    sum += parts[k];
    cli_node_integer(bins, NULL, llround(sum) - before);
  }
}

void cli_page_stats(cli_node *node, const irrun_stats *stats) {
  const irrun_stats_info info = info_of(stats);
  add_page_stats(node, stats, &info);
}

void cli_page_all_stats(cli_node *list, cli_stats *stats) {
  const shown_rows rows = list_rows(stats);
  for (int64_t i = 0; i < rows.n; i++) {
    cli_node *node = cli_node_object(list, NULL);
    cli_node_integer(node, "layer", rows.rows[i].row->layer);
    cli_node_integer(node, "port", rows.rows[i].row->port);
    add_page_stats(node, rows.rows[i].row->stats, &rows.rows[i].info);
  }
  free(rows.rows);
}
