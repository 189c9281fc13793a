/* Tests inference with less knowledge: for each input of each op in the models of tests/golden/families, and for all of
 * its inputs, the layer adds no error, and its outputs can still be those of before, or are poisoned. */
#include "family.h"
#include "irrun_state.h"
#include "runtime/infer/infer.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PORTS = 64 };

/* The knowledge of an input that is taken away. */
typedef enum less { CONTENTS, SIZES, RANK, TYPE, ALL, N_LESS } less;
static const char *const less_names[] = {"contents", "sizes", "rank", "type", "anything"};

static ir_value forget(const ir_value *value, less what) {
  ir_value open = *value;
  if (what == ALL)
    return *ir_poisoned_value();
  open.contents = NULL;
  open.ranges = NULL;
  open.is_constant = false;
  for (int i = 0; i < open.shape.rank && what == SIZES; i++)
    open.shape.dims[i] = ir_dim_any();
  if (what == RANK)
    open.shape = ir_shape_unknown();
  if (what == TYPE)
    open.type = IR_DYNAMIC;
  return open;
}

/* Input -1: all inputs. */
static void infer_with_less(irrun_model *model, const ir_node *from, int32_t input, less what) {
  const ir_value *in[MOST_PORTS];
  ir_value open[MOST_PORTS], out[MOST_PORTS];
  ir_node node = *from;
  ir_scope scope = ir_model_scope(model);
  const int64_t n_errors = scope.diags->n_errors;
  ir_gather_inputs(model->nodes, &node, in);
  for (int32_t i = 0; i < node.n_inputs; i++) {
    open[i] = forget(in[i], what);
    in[i] = input < 0 || i == input ? &open[i] : in[i];
  }
  node.outputs = out;
  assert_int_equal(ir_infer_node(&node, in, &scope), IR_OK);
  if (scope.diags->n_errors != n_errors)
    fail_msg("%s '%s' without %s of input %d: %s", node.op->type, node.layer->name, less_names[what], input,
             scope.diags->last_error->message);
  for (int32_t p = 0; p < node.n_outputs; p++) {
    const ir_value *before = &from->outputs[p];
    if (what != ALL && out[p].poisoned)
      fail_msg("%s '%s' without %s of input %d: output %d is poisoned", node.op->type, node.layer->name,
               less_names[what], input, p);
    if (!out[p].poisoned &&
        (!ir_shapes_meet(&out[p].shape, &before->shape) || (out[p].type != before->type && out[p].type != IR_DYNAMIC)))
      fail_msg("%s '%s' without %s of input %d: output %d differs", node.op->type, node.layer->name, less_names[what],
               input, p);
  }
}

static void outputs_may_be_those_of_before(void **state) {
  (void)state;
  for (size_t f = 0; f < FAMILIES; f++) {
    char path[FAMILY_PATH];
    irrun_context *context = irrun_context_create(NULL);
    irrun_model *model;
    assert_int_equal(irrun_model_read(context, family_model(families[f], path), NULL, IRRUN_TO_RUN, &model), IRRUN_OK);
    for (size_t i = 0; i < model->graph.n_layers; i++) {
      const ir_node *node = &model->nodes[i];
      assert_true(node->n_inputs <= MOST_PORTS && node->n_outputs <= MOST_PORTS);
      /* The outputs of an op with bodies are theirs. The shape of a ReadValue has to hold that of its input. */
      if (ir_op_is(node->op, IR_RUN_BODIES) || strcmp(node->op->type, "ReadValue") == 0)
        continue;
      for (int32_t p = -1; p < node->n_inputs; p++)
        for (int what = 0; what < N_LESS; what++)
          infer_with_less(model, node, p, (less)what);
    }
    irrun_model_free(model);
    irrun_context_free(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_may_be_those_of_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
