/* Describes the constants of a model for a page. */
#include "page.h"
#include "stats.h"

enum { FIRST_VALUES = 8 };

/* Adds the texts of the first elements. */
static void add_first(cli_node *node, const irrun_tensor *tensor, int64_t n) {
  cli_node *list = cli_node_array(node, "first");
  for (int64_t i = 0; i < n && i < FIRST_VALUES; i++) {
    char text[48];
    cli_node_text(list, NULL, irrun_tensor_text(tensor, i, text, sizeof text));
  }
}

/* Adds the statistics of a constant, or why it has none. */
static void add_contents(cli *c, cli_node *node, const irrun_tensor *tensor) {
  irrun_stats *stats = NULL;
  const irrun_tensor_info info = tensor != NULL ? irrun_tensor_get_info(tensor) : (irrun_tensor_info){.data = NULL};
  if (tensor == NULL) {
    cli_node_text(node, "why", "not read: a fault, or the .bin or memory for it is lacking");
  } else if (info.type == IRRUN_STRING || info.data == NULL) {
    cli_node_text(node, "why", "not shown: strings have no range");
  } else if (irrun_stats_create(c->context, &stats) != IRRUN_OK || irrun_stats_add(stats, tensor) != IRRUN_OK) {
    cli_node_text(node, "why", "not shown: memory for its statistics is lacking");
  } else {
    cli_page_stats(node, stats);
    add_first(node, tensor, info.elements);
  }
  irrun_stats_free(stats);
}

void cli_page_add_constants(cli *c, cli_node *page, irrun_model *model) {
  cli_node *list = cli_node_array(page, "constants");
  const int64_t n_layers = cli_model_info(model).n_layers;
  for (int64_t i = 0; i < n_layers; i++) {
    if (!irrun_model_is_constant(model, i))
      continue;
    irrun_tensor *tensor = irrun_model_get_constant(model, i);
    cli_node *node = cli_node_object(list, NULL);
    cli_node_integer(node, "layer", i);
    add_contents(c, node, tensor);
    irrun_tensor_free(tensor);
  }
  cli_node_tabulate(page, "constants");
}
