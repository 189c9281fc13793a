/* Defines zTestCut-1, an op that exists only in tests. The op joins the elements of all `data` inputs and splits them
 * into pieces of sizes[0] and sizes[1]. Few other ops have two outputs, any number of inputs, and a shape from an
 * input's contents. */
#include "ops/prepare.h"
#include <string.h>

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  for (int i = 0; i < 2; i++) {
    out[i].type = node->n_inputs > 1 ? in[1]->type : IR_DYNAMIC;
    out[i].shape.rank = 1;
    out[i].shape.dims[0] = in[0]->contents != NULL ? ir_dim_of(ir_tensor_get(in[0]->contents, i).i) : ir_dim_any();
  }
  return IR_OK;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)exec;
  const int64_t *sizes = step->state;
  size_t at = 0, element = ir_type_size(in[1]->type);
  for (int32_t i = 1; i < step->n_in; i++)
    for (size_t b = 0; b < in[i]->bytes; b++, at++) {
      size_t first = (size_t)sizes[0] * element;
      if (at < first && out[0] != NULL)
        ((char *)out[0]->data)[at] = ((const char *)in[i]->data)[b];
      else if (at >= first && at < first + (size_t)sizes[1] * element && out[1] != NULL)
        ((char *)out[1]->data)[at - first] = ((const char *)in[i]->data)[b];
    }
  return IR_OK;
}

static const ir_kernel kernel = {.name = "test_cut", .isa = "any", .run = run};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  int64_t *sizes = ir_arena_array(plan->arena, 2, sizeof *sizes);
  if (sizes == NULL)
    return ir_out_of_memory(scope->diags);
  for (int i = 0; i < 2; i++)
    sizes[i] = ir_tensor_get(in[0]->contents, i).i;
  return ir_plan_step(plan, node, &kernel, sizes, 0);
}

#define DATA .type_var = "T", .types = IR_SET_NUMBERS, .rank_min = 0, .rank_max = IR_MAX_RANK

const ir_op ir_op_test_cut_1 = {
    .dialect = IR_OPENVINO,
    .type = "zTestCut",
    .version = 1,
    .spec = "tests",
    .inputs = IR_PORTS({.name = "sizes", .types = IR_SET(IR_I64), .rank_min = 1, .rank_max = 1, .contents = true},
                       {.name = "data", DATA, .variadic = true}),
    .outputs = IR_PORTS({.name = "first", DATA}, {.name = "second", DATA}),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
};
