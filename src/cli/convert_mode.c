/* --convert: reads and checks a model and writes it as an IR. */
#include "cli.h"
#include "oom_report.h"
#include "report_json.h"
#include "report_text.h"

#include <string.h>

/* Prints "out.xml: written, 3 layers; out.bin, 24 bytes". */
static void print_conversion(cli *c, const char *path, irrun_model *model, const irrun_conversion *conversion) {
  cli_string line = {0};
  const irrun_model_info info = cli_model_info(model);
  const bool is_old = info.ir_version > 0 && info.ir_version < 10; /* its layers became ops of today */
  const bool translated = is_old || strcmp(info.kind, "ngraph-json") == 0;
  cli_add_written(&line, c, path);
  cli_add(&line, ", ");
  if (translated) {
    cli_add_count(&line, conversion->n_layers, "layer");
    if (is_old)
      cli_add(&line, " of a model of IR version %d", info.ir_version);
  } else if (conversion->n_ports == 0) {
    cli_add(&line, "nothing to correct");
  } else {
    cli_add_count(&line, conversion->n_ports, "port");
    cli_add(&line, " of ");
    cli_add_count(&line, conversion->n_layers, "layer");
    cli_add(&line, " corrected");
  }
  if (conversion->n_left_out > 0) {
    cli_add(&line, ", ");
    cli_add_count(&line, conversion->n_left_out, "layer");
    cli_add(&line, " left out that no result needs");
  }
  cli_add_written_weights(&line, conversion);
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void print_failure(cli *c, const char *path) {
  cli_string line = {0};
  cli_add_name(&line, path);
  cli_add(&line, ": %snot written%s", cli_paint(c->color_results, CLI_RED), cli_paint(c->color_results, CLI_PLAIN));
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void add_conversion(cli_node *model, const char *path, const irrun_conversion *conversion) {
  cli_node *node = cli_node_object(model, "converted");
  cli_node_printable(node, "path", path);
  if (conversion->weights != NULL)
    cli_node_printable(node, "weights", conversion->weights);
  else
    cli_node_null(node, "weights");
  cli_node_integer(node, "weight_bytes", conversion->bin_bytes);
  cli_node_integer(node, "layers", conversion->n_layers);
  cli_node_integer(node, "ports", conversion->n_ports);
  cli_node_integer(node, "left_out", conversion->n_left_out);
}

irrun_status cli_convert_mode(cli *c) {
  int at = 0;
  const char *path = cli_options_next(&c->options, CLI_OPTION_CONVERT, &at), *from = c->options.models[0];
  irrun_model *model;
  irrun_conversion conversion = {.size = sizeof conversion};
  irrun_status of_model = cli_read_model(c, from, IRRUN_TO_CONVERT, &model), status = of_model;
  if (status == IRRUN_OK)
    status = cli_check_kept_model(c, CLI_OPTION_CONVERT, path);
  if (status == IRRUN_OK)
    status = irrun_model_convert(model, path, &conversion);
  if (status == IRRUN_OK)
    cli_choose_oom_report(c, true);
  if (status == IRRUN_UNSUPPORTED)
    of_model = status; /* the model cannot be converted; any other failure concerns the output file */
  if (c->json != NULL) {
    cli_node *node = cli_json_next_model(c->json);
    cli_json_model(c, node, model, from, of_model);
    if (status == IRRUN_OK)
      add_conversion(node, path, &conversion);
  } else {
    cli_show_diagnostics(c);
    if (status == IRRUN_OK)
      print_conversion(c, path, model, &conversion);
    else if (of_model != IRRUN_OK)
      cli_print_verdict(c, model, from, of_model);
    else
      print_failure(c, path);
  }
  irrun_model_free(model);
  return status;
}
