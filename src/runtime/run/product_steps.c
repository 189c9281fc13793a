/* The steps of products, and around them those that copy what lies in another layout and convert what is not f32. */
#include "ops/math/convert_values.h"
#include "runtime/run/passes.h"
#include <stdio.h>
#include <string.h>

typedef struct product_state {
  const ir_chain *chain;
  bool has_weights; /* they were laid out */
  ir_diags *diags;
} product_state;

static ir_code run_chain(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  product_state *state = *(product_state *const *)step->state;
  const ir_chain *chain = state->chain;
  const ir_fast_module *module = ir_fast();
  const float *b = in[1]->data;
  if (chain->desc.b_is_weights && !(state->has_weights && chain->are_weights_fixed)) {
    if (!module->set_weights(chain->primitive, b, exec->n_workers))
      return ir_out_of_memory(state->diags);
    state->has_weights = true;
  }
  const ir_fast_tensors tensors = {.in = in[0]->data,
                                   .b = chain->desc.b_is_weights ? NULL : b,
                                   .bias = chain->bias.layer >= 0 ? in[2]->data : NULL,
                                   .added = chain->add.layer >= 0 ? in[step->n_in - 1]->data : NULL,
                                   .out = out[0]->data};
  return module->run(chain->primitive, &tensors, exec->n_workers) ? IR_OK : ir_out_of_memory(state->diags);
}

/* Adds an input of the step, if there is one; `last`: the product reads it with channels last. */
static ir_code add_input(ir_plan *plan, ir_link from, bool last, int32_t *slots, int32_t *n) {
  if (from.layer < 0)
    return IR_OK;
  const ir_node *node = &plan->nodes[from.layer];
  const ir_value *value = &node->outputs[from.port];
  const bool lies_last = ir_plan_lies_last(plan, from);
  int32_t slot = ir_plan_output_slot(plan, node, from.port);
  ir_code code = IR_OK;
  if (lies_last != last && !ir_lies_alike(&value->shape)) {
    code = ir_make_turned(plan, from);
    slot = plan->turned_of[plan->first_slot[from.layer] + from.port];
  }
  if (code == IR_OK && value->type != IR_F32) {
    const int32_t wide = ir_plan_temporary(plan, IR_F32, &value->shape);
    code = wide < 0 ? IR_IO : ir_convert_step_on(plan, node, slot, wide);
    slot = wide;
  }
  slots[(*n)++] = slot;
  return code;
}

/* Converts and copies what the product made, f32 in its own layout, to the output of the node. */
static ir_code add_output(ir_plan *plan, const ir_node *node, int32_t made, bool is_copied) {
  const ir_value *value = &node->outputs[0];
  const int32_t out = ir_plan_output_slot(plan, node, 0);
  int32_t narrow = made;
  ir_code code = IR_OK;
  if (value->type != IR_F32) {
    narrow = is_copied ? ir_plan_temporary(plan, value->type, &value->shape) : out;
    code = narrow < 0 ? IR_IO : ir_convert_step_on(plan, node, made, narrow);
  }
  return code == IR_OK && is_copied ? ir_copy_laid(plan, node, &value->shape, false, narrow, out) : code;
}

/* "convolution+bias+add+relu". */
static const ir_kernel *make_kernel(const ir_chain *chain, ir_plan *plan) {
  static const char *const kinds[] = {
      [IR_FAST_CONVOLUTION] = "convolution", [IR_FAST_BACKPROP] = "convolution_backprop", [IR_FAST_MATMUL] = "mat_mul"};
  static const char *const post_op_names[] = {
      [IR_POST_ADD] = "add",         [IR_POST_RELU] = "relu", [IR_POST_CLAMP] = "clamp",
      [IR_POST_SIGMOID] = "sigmoid", [IR_POST_TANH] = "tanh", [IR_POST_SWISH] = "swish",
      [IR_POST_HSWISH] = "hswish",   [IR_POST_ELU] = "elu",   [IR_POST_GELU_ERF] = "gelu"};
  enum { MOST = 96 };
  ir_kernel *kernel = ir_arena_alloc(plan->arena, sizeof *kernel);
  char *text = ir_arena_alloc(plan->arena, MOST);
  if (kernel == NULL || text == NULL)
    return NULL;
  int used = snprintf(text, MOST, "%s%s", kinds[chain->desc.kind], chain->desc.has_bias ? "+bias" : "");
  for (int i = 0; i < chain->desc.n_post_ops; i++)
    used += snprintf(text + used, (size_t)(MOST - used), "+%s", post_op_names[chain->desc.post_ops[i].kind]);
  *kernel = (ir_kernel){.name = text, .isa = "onednn", .run = run_chain};
  return kernel;
}

ir_code ir_primitive_chain_step(ir_plan *plan, const ir_chain *chain) {
  const ir_kernel *kernel = make_kernel(chain, plan);
  int32_t slots[4], n = 0;
  const int32_t out = ir_plan_output_slot(plan, chain->last, 0);
  product_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  product_state **place = ir_arena_alloc(plan->arena, sizeof *place);
  if (state == NULL || place == NULL || kernel == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (product_state){.chain = chain, .diags = plan->diags};
  *place = state;
  ir_code code = add_input(plan, chain->data, chain->desc.in_channels_last, slots, &n);
  if (code == IR_OK)
    code = add_input(plan, chain->weights, false, slots, &n);
  if (code == IR_OK)
    code = add_input(plan, chain->bias, false, slots, &n);
  if (code == IR_OK)
    code = add_input(plan, chain->add, chain->desc.out_channels_last, slots, &n);
  const ir_value *value = &chain->last->outputs[0];
  const bool is_copied =
      chain->desc.out_channels_last && !ir_plan_is_channels_last(plan, chain->last) && !ir_lies_alike(&value->shape);
  const bool is_own = !is_copied && value->type == IR_F32;
  const int32_t made = is_own ? out : ir_plan_temporary(plan, IR_F32, &value->shape);
  if (code != IR_OK || made < 0)
    return IR_IO;
  code = ir_plan_step_on(plan, chain->first, kernel, place, 0, slots, n, &made, 1);
  return code == IR_OK ? add_output(plan, chain->last, made, is_copied) : code;
}
