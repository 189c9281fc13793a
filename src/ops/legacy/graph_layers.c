/* Input, Const, and the ends that irrun adds (runtime/read/modernize.c). */
#include "ops/legacy/legacy.h"

static void expand_input(ir_expansion *x) {
  const ir_wire made = ir_new_op(x, "Parameter", 1, 1, 0, NULL);
  int64_t dims[IR_MAX_RANK];
  const int rank = ir_old_output_rank(x, 0);
  for (int i = 0; i < rank; i++)
    dims[i] = ir_old_output_dim(x, 0, i);
  ir_set_text(x, made, "element_type", ir_type_name(ir_old_output_type(x, 0)));
  ir_set_ints(x, made, "shape", rank, dims);
  ir_give_output(x, 0, made);
}

static void expand_const(ir_expansion *x) {
  const ir_blob *blob = x->node->layer->blobs;
  int64_t dims[IR_MAX_RANK];
  const int rank = ir_old_output_rank(x, 0);
  for (int i = 0; i < rank; i++)
    dims[i] = ir_old_output_dim(x, 0, i);
  if (blob == NULL)
    ir_refuse_layer(x, "it has no blob");
  else
    ir_give_output(x, 0, ir_new_blob(x, blob, rank, dims));
}

static void expand_result(ir_expansion *x) {
  const ir_wire input = ir_old_input(x, 0), made = ir_new_op(x, "Result", 1, 0, 1, &input);
  if (x->failed)
    return;
  x->graph->layers[made.layer].id = x->node->layer->id;
  x->graph->layers[made.layer].name = x->node->layer->name;
}

IR_LEGACY_ROW(input, "Input", 0, NULL, NULL, IR_LEGACY_ONE_OUT, expand_input);
IR_LEGACY_ROW(const, "Const", 0, NULL, NULL, IR_LEGACY_ONE_OUT, expand_const);
IR_LEGACY_ROW(result, "Result", 0, NULL, IR_LEGACY_ONE_IN, NULL, expand_result);
