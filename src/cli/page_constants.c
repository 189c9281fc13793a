/* Describes the constants of a model for a page. */
#include "page.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_VALUES = 8, SAMPLES = 1000, BINS = 24 };

/* Adds the texts of the first elements. */
static void add_first(cli_node *node, const irrun_tensor *tensor, int64_t n) {
  cli_node *list = cli_node_array(node, "first");
  for (int64_t i = 0; i < n && i < FIRST_VALUES; i++) {
    char text[48];
    cli_node_text(list, NULL, irrun_tensor_text(tensor, i, text, sizeof text));
  }
}

/* Adds a histogram of up to SAMPLES elements at equal distances: the counts of BINS bins from min to max. */
static void add_histogram(cli_node *node, const irrun_tensor *tensor, int64_t n, irrun_statistics statistics) {
  const double range = statistics.max - statistics.min;
  const int64_t n_samples = n < SAMPLES ? n : SAMPLES;
  int64_t counts[BINS] = {0};
  if (n <= FIRST_VALUES || !(range > 0) || !isfinite(range))
    return;
  for (int64_t i = 0; i < n_samples; i++) {
    char text[48];
    const int64_t at = (int64_t)((double)i / (double)n_samples * (double)n);
    const double x = strtod(irrun_tensor_text(tensor, at, text, sizeof text), NULL);
    const double bin = (x - statistics.min) / range * BINS;
    if (isfinite(x))
      counts[bin >= BINS ? BINS - 1 : bin > 0 ? (int)bin : 0]++;
  }
  cli_node_integer(node, "samples", n_samples);
  cli_node *bins = cli_node_array(node, "bins");
  for (int i = 0; i < BINS; i++)
    cli_node_integer(bins, NULL, counts[i]);
}

void cli_page_add_constants(cli_node *page, irrun_model *model) {
  cli_node *list = cli_node_array(page, "constants");
  const int64_t n_layers = cli_model_info(model).n_layers;
  for (int64_t i = 0; i < n_layers; i++) {
    irrun_tensor *tensor = irrun_model_is_constant(model, i) ? irrun_model_get_constant(model, i) : NULL;
    if (tensor == NULL)
      continue;
    const irrun_tensor_info info = irrun_tensor_get_info(tensor);
    cli_node *node = cli_node_object(list, NULL);
    cli_node_integer(node, "layer", i);
    if (info.data != NULL && info.type != IRRUN_STRING) {
      const irrun_statistics statistics = cli_json_tensor(node, tensor);
      add_first(node, tensor, info.elements);
      add_histogram(node, tensor, info.elements, statistics);
    }
    irrun_tensor_free(tensor);
  }
}
