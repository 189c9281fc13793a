#include "ops/kernels/concat_split.h"
#include "ops/kernels/strided_copy.h"

/* Treats tensors as [outer, inner]; the split axis is the first of the inner axes. */
typedef struct joined_state {
  int64_t outer, whole; /* `whole`: inner elements of all parts together */
  int32_t n;
  int64_t inner[]; /* inner elements of each part */
} joined_state;

static void copy_part(const joined_state *state, int32_t i, int64_t first, bool is_apart, const ir_tensor *from,
                      const ir_tensor *to, ir_exec *exec) {
  const int64_t dims[] = {state->outer, state->inner[i]};
  const int64_t of_part[] = {state->inner[i], 1}, of_whole[] = {state->whole, 1};
  ir_strided_copy copy = ir_strided_copy_of(2, dims, is_apart ? of_whole : of_part, is_apart ? of_part : of_whole);
  *(is_apart ? &copy.from_first : &copy.to_first) = first;
  ir_strided_copy_run(&copy, ir_type_size(from->type), from->data, to->data, exec);
}

static ir_code join(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const joined_state *state = step->state;
  for (int64_t i = 0, first = 0; i < state->n; first += state->inner[i++])
    copy_part(state, (int32_t)i, first, false, in[i], out[0], exec);
  return IR_OK;
}

static ir_code part(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const joined_state *state = step->state;
  for (int64_t i = 0, first = 0; i < state->n; first += state->inner[i++])
    if (out[i] != NULL)
      copy_part(state, (int32_t)i, first, true, in[0], out[i], exec);
  return IR_OK;
}

/* Returns the product of dims [from, to). Returns 0 if any dim of `shape` is 0: the product of the other dims may not
 * fit int64_t. */
static int64_t elements_of(const ir_shape *shape, int from, int to) {
  int64_t elements, n = 1;
  if (!ir_shape_elements(shape, &elements) || elements == 0)
    return 0;
  for (int i = from; i < to; i++)
    n *= shape->dims[i].lo;
  return n;
}

static joined_state *make_state(ir_plan *plan, const ir_shape *whole, int axis, int32_t n) {
  joined_state *state = ir_arena_alloc(plan->arena, sizeof *state + (size_t)n * sizeof state->inner[0]);
  if (state != NULL)
    *state = (joined_state){elements_of(whole, 0, axis), elements_of(whole, axis, whole->rank), n};
  return state;
}

ir_code ir_concat_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, int axis) {
  static const ir_kernel kernel = {.name = "join", .isa = "any", .run = join};
  const ir_shape whole = ir_laid_shape(node->outputs[0].layout, &node->outputs[0].shape);
  axis = ir_laid_axis(node->outputs[0].layout, axis, whole.rank);
  joined_state *state = make_state(plan, &whole, axis, node->n_inputs);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  for (int32_t i = 0; i < state->n; i++) {
    const ir_shape part = ir_laid_shape(node->outputs[0].layout, &in[i]->shape);
    state->inner[i] = elements_of(&part, axis, part.rank);
  }
  return ir_plan_step(plan, node, &kernel, state, 0);
}

ir_code ir_split_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, int axis) {
  static const ir_kernel kernel = {.name = "part", .isa = "any", .run = part};
  const ir_shape whole = ir_laid_shape(node->outputs[0].layout, &in[0]->shape);
  axis = ir_laid_axis(node->outputs[0].layout, axis, whole.rank);
  joined_state *state = make_state(plan, &whole, axis, node->n_outputs);
  int32_t *outs = ir_arena_array(plan->arena, (size_t)node->n_outputs, sizeof *outs);
  if (state == NULL || outs == NULL)
    return ir_out_of_memory(plan->diags);
  for (int32_t i = 0; i < state->n; i++) {
    const ir_shape made = ir_laid_shape(node->outputs[0].layout, &node->outputs[i].shape);
    state->inner[i] = elements_of(&made, axis, made.rank);
    outs[i] = ir_plan_output_slot(plan, i);
  }
  const int32_t slot = ir_plan_input_slot(plan, 0);
  return ir_plan_step_on(plan, node, &kernel, state, 0, &slot, 1, outs, node->n_outputs);
}
