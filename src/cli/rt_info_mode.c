/* --rt-info: prints what describes a model and changes no result: its <rt_info>, tensor names and layouts. */
#include "irrun_edit.h"
#include "report_json.h"
#include "report_text.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

typedef enum column { OF, REMARK, VALUE, N_COLUMNS } column;

/* An output of a layer. */
typedef struct place {
  int64_t layer, port;
} place;

/* The next remark to print. */
typedef struct remark_rows {
  irrun_model *model;
  int64_t next;
  bool all;      /* of all layers, not only of inputs and outputs */
  place *places; /* what feeds the outputs of the model, sorted: the tensor names and layouts of outputs stand there */
  size_t n_places;
} remark_rows;

static int compare_places(const void *a, const void *b) {
  const place *x = a, *y = b;
  const int order = (x->layer > y->layer) - (x->layer < y->layer);
  return order != 0 ? order : (x->port > y->port) - (x->port < y->port);
}

static void list_places(remark_rows *rows) {
  irrun_model_info info = {.size = sizeof info};
  irrun_io io = {.size = sizeof io};
  if (rows->model == NULL || !irrun_model_get_info(rows->model, &info))
    return;
  rows->places = cli_allocate((size_t)info.n_outputs + 1, sizeof *rows->places);
  for (int64_t i = 0; irrun_model_get_io(rows->model, IRRUN_OUTPUTS, i, &io); i++)
    rows->places[rows->n_places++] = (place){io.value.from_layer, io.value.from_port};
  qsort(rows->places, rows->n_places, sizeof *rows->places, compare_places);
}

static bool is_shown(const remark_rows *rows, const irrun_remark *remark) {
  irrun_layer layer = {.size = sizeof layer};
  const place at = {remark->layer, remark->port};
  if (remark->layer < 0 || rows->all || !irrun_model_get_layer(rows->model, remark->layer, &layer) ||
      bsearch(&at, rows->places, rows->n_places, sizeof at, compare_places) != NULL)
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
  list_places(&rows);
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
  free(rows.places);
  irrun_model_free(model);
  return status;
}
