/* --rt-info: prints what describes a model and changes no result: its <rt_info>, tensor names and layouts. */
#include "irrun_edit.h"
#include "report_json.h"
#include "report_text.h"
#include "table.h"

#include <string.h>

typedef enum column { OF, REMARK, VALUE, N_COLUMNS } column;

/* The next remark to print. */
typedef struct remark_rows {
  irrun_model *model;
  int64_t next;
  bool all; /* of all layers, not only of inputs and outputs */
} remark_rows;

static bool is_shown(const remark_rows *rows, const irrun_remark *remark) {
  irrun_layer layer = {.size = sizeof layer};
  if (remark->layer < 0 || rows->all || !irrun_model_get_layer(rows->model, remark->layer, &layer))
    return true;
  return layer.n_inside == 0 && (strcmp(layer.type, "Parameter") == 0 || strcmp(layer.type, "Result") == 0);
}

static void add_layer(cli_string *string, irrun_model *model, int64_t index) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_model_get_layer(model, index, &layer);
  cli_add_layer_path(string, &layer);
}

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  remark_rows *rows = user;
  irrun_remark remark = {.size = sizeof remark};
  (void)details;
  if (index == 0)
    rows->next = 0;
  do
    if (!irrun_model_get_remark(rows->model, rows->next++, &remark))
      return false;
  while (!is_shown(rows, &remark));
  if (remark.layer < 0)
    cli_add(&cells[OF], "model");
  else
    add_layer(&cells[OF], rows->model, remark.layer);
  if (remark.port >= 0)
    cli_add(&cells[OF], ", output %d", remark.port);
  cli_add_name(&cells[REMARK], remark.path);
  cli_add_name(&cells[VALUE], remark.value);
  return true;
}

static bool has_rows(const remark_rows *rows) {
  irrun_remark remark = {.size = sizeof remark};
  for (int64_t i = 0; irrun_model_get_remark(rows->model, i, &remark); i++)
    if (is_shown(rows, &remark))
      return true;
  return false;
}

static void print_none(cli *c, const remark_rows *rows) {
  cli_string line = {0};
  cli_add_name(&line, c->options.models[0]);
  fprintf(c->results, "%s: no rt_info, and no tensor names or layouts of %s\n", cli_text(&line),
          rows->all ? "layers" : "inputs and outputs");
  cli_reset(&line);
}

static void add_json(cli_node *node, irrun_model *model) {
  cli_node *list = cli_node_array(node, "remarks");
  irrun_remark remark = {.size = sizeof remark};
  for (int64_t i = 0; irrun_model_get_remark(model, i, &remark); i++) {
    cli_node *item = cli_node_object(list, NULL);
    cli_string layer = {0};
    if (remark.layer >= 0)
      add_layer(&layer, model, remark.layer);
    cli_node_text(item, "layer", layer.text);
    cli_node_count(item, "output", remark.port);
    cli_node_text(item, "path", remark.path);
    cli_node_text(item, "value", remark.value);
    cli_reset(&layer);
  }
}

irrun_status cli_rt_info_mode(cli *c) {
  static const cli_column columns[N_COLUMNS] = {
      [OF] = {"of", false, CLI_CUT_MIDDLE}, [REMARK] = {"remark", false}, [VALUE] = {"value", false}};
  irrun_model *model;
  irrun_status status = cli_read_model(c, c->options.models[0], IRRUN_TO_CHECK, &model);
  remark_rows rows = {.model = model, .all = c->options.verbose};
  if (c->json != NULL) {
    cli_node *node = cli_json_next_model(c->json);
    cli_json_model(c, node, model, c->options.models[0], status);
    if (model != NULL)
      add_json(node, model);
  } else {
    if (model != NULL && has_rows(&rows))
      cli_print_table(c->results, cli_results_width(c), columns, N_COLUMNS, fill_row, &rows);
    else if (status == IRRUN_OK)
      print_none(c, &rows);
    cli_show_diagnostics(c);
    if (status != IRRUN_OK)
      cli_print_verdict(c, model, c->options.models[0], status);
  }
  irrun_model_free(model);
  return status;
}
