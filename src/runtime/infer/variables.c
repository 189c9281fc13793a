#include "runtime/infer/variables.h"
#include "base/index_map.h"
#include "runtime/infer/infer.h"
#include <string.h>

static bool same_variable(const void *key, int32_t value, const void *user) {
  return strcmp(ir_variable_of(&((const ir_node *)user)[value]), key) == 0;
}

static void report_differing(irrun_model *model, const ir_node *assign, const ir_value *assigned, const ir_node *read) {
  ir_scope scope = ir_model_scope(model);
  const ir_value *variable = &read->outputs[0];
  char found[IR_SHAPE_TEXT], expected[IR_SHAPE_TEXT];
  ir_report(scope.diags, IR330_VARIABLE_MISUSED, ir_input_where(&scope, assign, 0, -1),
            "'%s' is assigned %s%s and read as %s%s", ir_variable_of(assign), ir_type_name(assigned->type),
            ir_shape_text(&assigned->shape, found, sizeof found), ir_type_name(variable->type),
            ir_shape_text(&variable->shape, expected, sizeof expected));
  ir_note(scope.diags, ir_node_where(&scope, read), "it is read by layer '%s' (id %lld)", read->layer->name,
          (long long)read->layer->id);
}

static void check_assign(irrun_model *model, const ir_node *assign, const ir_index_map *variables) {
  ir_scope scope = ir_model_scope(model);
  const char *id = ir_variable_of(assign);
  const int32_t at = ir_index_map_find(variables, ir_hash_text(id), id, same_variable, model->nodes);
  if (at < 0) {
    ir_report(scope.diags, IR330_VARIABLE_MISUSED, ir_attr_where(&scope, assign, "variable_id"),
              "'%s' is assigned and never read", id);
    return;
  }
  const ir_node *read = &model->nodes[at];
  const ir_value *assigned;
  if (assign->n_inputs != 1 || read->n_outputs == 0 || assign->broken || read->broken)
    return;
  ir_gather_inputs(model->nodes, assign, &assigned);
  const ir_value *variable = &read->outputs[0];
  if (assigned->poisoned || variable->poisoned)
    return;
  const bool types_fit =
      assigned->type == IR_DYNAMIC || variable->type == IR_DYNAMIC || assigned->type == variable->type;
  if (!types_fit || !ir_shapes_meet(&assigned->shape, &variable->shape))
    report_differing(model, assign, assigned, read);
}

ir_code ir_check_variables(irrun_model *model) {
  size_t n_assigned = 0;
  for (size_t i = 0; i < model->graph.n_layers; i++)
    n_assigned += ir_op_is(model->nodes[i].op, IR_RUN_ASSIGNS);
  if (n_assigned == 0)
    return IR_OK;
  ir_index_map variables;
  if (!ir_index_map_init(&variables, model->graph.memory, model->graph.n_layers))
    return ir_out_of_memory(&model->context->diags);
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const char *id = ir_op_is(model->nodes[i].op, IR_RUN_READS) ? ir_variable_of(&model->nodes[i]) : NULL;
    if (id != NULL)
      ir_index_map_add(&variables, ir_hash_text(id), id, (int32_t)i, same_variable, model->nodes);
  }
  for (size_t i = 0; i < model->graph.n_layers; i++)
    if (ir_op_is(model->nodes[i].op, IR_RUN_ASSIGNS) && ir_variable_of(&model->nodes[i]) != NULL)
      check_assign(model, &model->nodes[i], &variables);
  ir_index_map_reset(&variables);
  return IR_OK;
}
