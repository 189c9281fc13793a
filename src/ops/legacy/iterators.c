/* TensorIterator, and Memory, which keeps a tensor from one execution to the next. */
#include "ops/legacy/legacy.h"

/* ---- TensorIterator ---- */

/* runtime/read/modernize.c moves the body; the port map names the ids of the outputs. */
static void expand_iterator(ir_expansion *x) {
  const ir_layer *old = x->node->layer;
  const ir_wire made = ir_new_op(x, "TensorIterator", 1, old->n_outputs, x->node->n_inputs, ir_old_inputs(x));
  for (int32_t p = 0; p < old->n_outputs && !x->failed; p++) {
    ir_give_output(x, p, ir_port_of(made, p));
    x->graph->layers[made.layer].outputs[p].id = old->outputs[p].id;
  }
}

/* ---- Memory ---- */

typedef struct memory_params {
  int64_t index, size;
} memory_params;

static const ir_attr_spec memory_attrs[] = {
    {.name = "id", .kind = IR_ATTR_TEXT, .required = true},
    IR_LEGACY_ATTR("index", INT, ONE, memory_params, index, .required = true, .max = 1),
    IR_LEGACY_ATTR("size", INT, ONE, memory_params, size, .required = true, .min = 2, .max = 2),
    IR_LEGACY_END};

/* Two layers share an id: the one with index 1 reads, and the other writes. The first value is all zeros. */
static void expand_memory(ir_expansion *x) {
  const memory_params *p = x->node->params;
  const ir_layer *old = x->node->layer;
  const bool reads = p->index == 1;
  const ir_wire input = ir_old_input(x, 0);
  if (!reads && !ir_has_old_input(x, 0)) {
    ir_refuse_layer(x, "it has no input, and its index says that it writes");
    return;
  }
  const ir_wire made = ir_new_op(x, reads ? "ReadValue" : "Assign", 6, reads || old->n_outputs > 0, !reads, &input);
  int64_t dims[IR_MAX_RANK];
  const int rank = ir_old_output_dims(x, 0, dims);
  ir_set_text(x, made, "variable_id", ir_layer_attr(old, "id")->value);
  if (reads) {
    ir_set_text(x, made, "variable_type", ir_type_name(ir_old_output_type(x, 0)));
    ir_set_ints(x, made, "variable_shape", rank, dims);
  }
  ir_give_output(x, 0, made);
  if (x->failed)
    return;
  x->graph->layers[made.layer].name = old->name;
  x->graph->layers[made.layer].id = old->id;
}

IR_LEGACY_ROW(tensor_iterator, "TensorIterator", 0, NULL, IR_PORTS(IR_LEGACY_MANY("inputs")),
              IR_PORTS(IR_LEGACY_MANY("outputs")), expand_iterator);
IR_LEGACY_ROW(memory, "Memory", sizeof(memory_params), memory_attrs, IR_PORTS(IR_LEGACY_MORE("new_value")),
              IR_PORTS(IR_LEGACY_MORE("value")), expand_memory);
