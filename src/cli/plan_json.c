/* Adds the plan that irrun_run_show shows to a JSON document. */
#include "run.h"

static void add_json_layer(cli_node *node, const char *key, irrun_model *model, int64_t number) {
  irrun_layer layer = {.size = sizeof layer};
  cli_node_text(node, key, irrun_model_get_layer(model, number, &layer) ? layer.name : NULL);
}

static void add_json_tensors(const cli_run *r, cli_node *node, const char *key, int64_t row, bool output) {
  cli_node *list = cli_node_array(node, key);
  irrun_plan_tensor tensor = {.size = sizeof tensor};
  for (int p = 0; irrun_run_get_plan_tensor(r->run, row, output, p, &tensor); p++) {
    if (tensor.number < 0) {
      cli_node_null(list, NULL);
      continue;
    }
    cli_node *item = cli_node_object(list, NULL);
    cli_node_integer(item, "number", tensor.number);
    add_json_layer(item, "layer", r->model, tensor.layer);
    cli_node_integer(item, "port", tensor.port);
    cli_node_text(item, "type", irrun_type_name(tensor.type));
    cli_json_shape(item, "shape", &tensor.shape);
    cli_node_text(item, "layout", tensor.has_channels_last ? "channels last" : "plain");
    cli_node_flag(item, "constant", tensor.is_constant);
    cli_node_flag(item, "input", tensor.is_input);
    cli_node_flag(item, "output", tensor.is_output);
    cli_node_flag(item, "view", tensor.is_view);
    cli_node_count(item, "bytes", tensor.bytes);
    cli_node_count(item, "offset", tensor.offset);
    cli_node_count(item, "first_step", tensor.first_step);
    cli_node_count(item, "last_step", tensor.last_step);
  }
}

void cli_json_plan(const cli_run *r, cli_node *model, const char *after, const char *picture) {
  cli_node *plan = cli_node_object(model, "plan");
  irrun_plan_row row = {.size = sizeof row};
  irrun_plan_info info = {.size = sizeof info};
  irrun_run_get_plan_info(r->run, &info);
  cli_node_text(plan, "after", after);
  cli_node_text(plan, "picture", picture);
  cli_node_text(plan, "why_plain", info.why_plain);
  cli_node_integer(plan, "steps", info.n_steps);
  cli_node_integer(plan, "block_bytes", info.block_bytes);
  cli_node_integer(plan, "scratch_bytes", info.scratch_bytes);
  cli_node_flag(plan, "needs_contents", info.needs_contents);
  cli_node *awaited = cli_node_array(plan, "awaited");
  for (int64_t i = 0; i < info.n_awaited; i++)
    add_json_layer(awaited, NULL, r->model, irrun_run_get_awaited(r->run, i));
  cli_node *rows = cli_node_array(plan, "rows");
  for (int64_t i = 0; irrun_run_get_plan_row(r->run, i, &row); i++) {
    cli_node *node = cli_node_object(rows, NULL);
    cli_node_count(node, "step", row.step);
    add_json_layer(node, "layer", r->model, row.layer);
    cli_node_text(node, "op", row.op);
    cli_node_text(node, "kernel", row.kernel);
    cli_node_text(node, "isa", row.isa);
    cli_node_text(node, "why", row.why);
    cli_node_text(node, "fused", row.fused);
    cli_node_flag(node, "constant", row.is_constant);
    cli_node_integer(node, "moved_bytes", row.moved_bytes);
    add_json_tensors(r, node, "inputs", i, false);
    add_json_tensors(r, node, "outputs", i, true);
  }
}
