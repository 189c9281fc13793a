#include "page_run.h"

/* Adds a tensor, if it has a place in the block. */
static void add_tensor(cli_node *list, const irrun_plan_tensor *tensor) {
  if (tensor->number < 0 || tensor->offset < 0 || tensor->is_view || tensor->bytes <= 0)
    return;
  cli_node *node = cli_node_object(list, NULL);
  cli_node_integer(node, "number", tensor->number);
  cli_node_count(node, "layer", tensor->layer);
  cli_node_text(node, "type", irrun_type_name(tensor->type));
  cli_json_shape(node, "shape", &tensor->shape);
  cli_node_integer(node, "bytes", tensor->bytes);
  cli_node_integer(node, "offset", tensor->offset);
  cli_node_integer(node, "first_step", tensor->first_step);
  cli_node_integer(node, "last_step", tensor->last_step);
}

/* Adds why a layer has its kernel, and what it fuses. `last`: the layer whose result the row computes. */
static void add_choice(cli_node *list, cli_node *reasons, const irrun_plan_row *row, int64_t last) {
  cli_node *node = cli_node_object(list, NULL);
  cli_node_integer(node, "layer", row->layer);
  cli_node_count(node, "why", row->why != NULL ? cli_node_place_of(reasons, row->why) : -1);
  cli_node_text(node, "fused", row->fused);
  cli_node_count(node, "last", last);
}

irrun_status cli_page_add_plan(cli_run *r, cli_node *page) {
  irrun_plan_info info = {.size = sizeof info};
  irrun_plan_row row = {.size = sizeof row};
  irrun_plan_tensor tensor = {.size = sizeof tensor};
  const irrun_status status = irrun_run_show(r->run, NULL);
  if (status != IRRUN_OK)
    return status;
  irrun_run_get_plan_info(r->run, &info);
  cli_node *plan = cli_node_object(page, "plan"), *reasons = cli_node_array(plan, "reasons");
  cli_node *choices = cli_node_array(plan, "choices"), *tensors = cli_node_array(plan, "tensors");
  cli_node_integer(plan, "steps", info.n_steps);
  cli_node_integer(plan, "block_bytes", info.block_bytes);
  cli_node_integer(plan, "scratch_bytes", info.scratch_bytes);
  for (int64_t i = 0; irrun_run_get_plan_row(r->run, i, &row); i++) {
    int64_t last = -1;
    for (int p = 0; irrun_run_get_plan_tensor(r->run, i, true, p, &tensor); p++) {
      last = p == 0 ? tensor.layer : last;
      if (row.step >= 0)
        add_tensor(tensors, &tensor);
    }
    if (row.layer >= 0 && (row.why != NULL || row.fused != NULL))
      add_choice(choices, reasons, &row, last);
  }
  cli_node_tabulate(plan, "choices");
  cli_node_tabulate(plan, "tensors");
  return IRRUN_OK;
}
