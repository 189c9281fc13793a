/* Finds softmax(query x key * scale + mask) x value in f32, f16 or bf16. Scale and mask can be missing. The key is
 * [N.., E, S], or [N.., S, E] if the first MatMul transposes it. */
#include "program/fuse_attention.h"
#include "ops/attention/attention.h"
#include "ops/fast/fast.h"
#include "ops/kernels/compute_type.h"
#include "ops/math/binary.h"
#include "ops/normalization/soft_max.h"
#include "program/fuse_chain.h"
#include <stdio.h>

extern const ir_op ir_op_mat_mul_1;

enum { MOST_OPERATIONS = 5, MOST_TEXT = 64 };

typedef struct found_attention {
  int32_t operations[MOST_OPERATIONS], n; /* from the SoftMax on, backwards; then the second MatMul */
  int32_t in[MOST_OPERATIONS], n_in;      /* query, key, value, mask, scale: those that exist */
  ir_attention_params params;
} found_attention;

/* Returns the operation that makes the value, if it has the wanted op or function and only one reader; else NULL. */
static const ir_operation *only_maker(const ir_program *program, int32_t value, const ir_op *op, ir_function function) {
  const ir_program_value *v = &program->values[value];
  if (v->producer < 0 || v->n_uses != 1 || v->is_kept)
    return NULL;
  const ir_operation *maker = &program->operations[v->producer];
  const bool fits = op != NULL ? maker->node.op == op : maker->node.op->function == function;
  return fits && !maker->is_dead && maker->n_out == 1 ? maker : NULL;
}

/* Whether the operation is a MatMul of two stacks of matrices that does not transpose the first. Sets `*transposes_b`
 * to whether it transposes the second. */
static bool is_product(ir_program *program, const ir_value **in, int32_t at, bool *transposes_b) {
  ir_operation *operation = &program->operations[at];
  ir_scope scope = ir_program_scope(program);
  ir_fast_desc desc;
  if (operation->is_dead || operation->node.op != &ir_op_mat_mul_1)
    return false;
  ir_program_gather(program, operation, in);
  if (in[0]->shape.rank < 2 || in[1]->shape.rank < 2 ||
      !operation->node.op->contraction(&operation->node, in, &scope, &desc) || desc.a.is_transposed)
    return false;
  *transposes_b = desc.b.is_transposed;
  return true;
}

/* Whether the binary operation broadcasts its other input `other` to the shape of `value`, by numpy's rules. */
static bool keeps_shape(const ir_program *program, const ir_operation *binary, int32_t value, int32_t other) {
  const ir_binary_params *params = binary->node.params;
  const ir_value *x = ir_program_value_of(program, value), *y = ir_program_value_of(program, binary->out[0]);
  return params->auto_broadcast != IR_BROADCAST_PDPD && ir_shapes_equal(&x->shape, &y->shape) &&
         ir_program_value_of(program, other)->type == x->type;
}

/* If a binary operation of the function makes `*value`, and one of its inputs leads on to the first MatMul, replaces
 * `*value` by that input and returns the other input; else -1. */
static int32_t take_binary(const ir_program *program, ir_function function, int32_t *value, found_attention *found) {
  const ir_operation *binary = only_maker(program, *value, NULL, function);
  for (int i = 0; binary != NULL && i < 2; i++) {
    const int32_t from = binary->in[i], other = binary->in[1 - i];
    const bool leads_on =
        only_maker(program, from, &ir_op_mat_mul_1, IR_FUNCTION_OTHER) != NULL ||
        (function == IR_FUNCTION_ADD && only_maker(program, from, NULL, IR_FUNCTION_MULTIPLY) != NULL);
    if (!leads_on || !keeps_shape(program, binary, from, other))
      continue;
    found->operations[found->n++] = program->values[*value].producer;
    *value = from;
    return other;
  }
  return -1;
}

static bool find_at(ir_program *program, const ir_value **in, int32_t soft_max, found_attention *found) {
  const ir_operation *operation = &program->operations[soft_max];
  const ir_program_value *weights = &program->values[operation->out[0]];
  bool transposes_key, transposes_value;
  if (operation->is_dead || operation->n_in != 1 || weights->is_kept || weights->n_uses != 1 ||
      ir_compute_type_of(weights->value.type) != IR_COMPUTE_F32 || weights->value.is_constant ||
      !ir_is_soft_max_of_rows(&operation->node, weights->value.shape.rank))
    return false;
  int32_t scores = operation->in[0];
  const ir_use last = program->uses[weights->first_use];
  *found = (found_attention){.operations = {soft_max}, .n = 1, .params = {.is_written_out = true}};
  const int32_t mask = take_binary(program, IR_FUNCTION_ADD, &scores, found);
  const int32_t scale = take_binary(program, IR_FUNCTION_MULTIPLY, &scores, found);
  const ir_operation *first = only_maker(program, scores, &ir_op_mat_mul_1, IR_FUNCTION_OTHER);
  if (first == NULL || last.port != 0 || (scale >= 0 && !ir_is_one_number(program, scale, IR_MAX_RANK)) ||
      !is_product(program, in, program->values[scores].producer, &transposes_key) ||
      !is_product(program, in, last.operation, &transposes_value) || transposes_value)
    return false;
  found->operations[found->n++] = program->values[scores].producer;
  found->operations[found->n++] = last.operation;
  found->params.is_key_transposed = !transposes_key;
  found->params.has_mask = mask >= 0;
  found->params.has_scale = scale >= 0;
  const int32_t inputs[] = {first->in[0], first->in[1], program->operations[last.operation].in[1], mask, scale};
  for (int i = 0; i < MOST_OPERATIONS; i++)
    if (inputs[i] >= 0)
      found->in[found->n_in++] = inputs[i];
  return true;
}

/* Adds the attention in front of the second MatMul, in place of all operations that were found. */
static ir_code replace(ir_program *program, const found_attention *found) {
  ir_attention_params *params = ir_arena_alloc(program->arena, sizeof *params);
  char *text = ir_arena_alloc(program->arena, MOST_TEXT);
  if (params == NULL || text == NULL)
    return ir_out_of_memory(program->diags);
  *params = found->params;
  snprintf(text, MOST_TEXT, "MatMul%s%s+SoftMax+MatMul", params->has_scale ? "+Multiply" : "",
           params->has_mask ? "+Add" : "");
  const int32_t at = found->operations[found->n - 1];
  const ir_operation last = program->operations[at];
  const int32_t added = ir_program_add(program, at, &ir_op_scaled_dot_product_attention_13, params, &last.node,
                                       last.layer, found->in, found->n_in, last.out, 1);
  if (added < 0)
    return IR_NO_MEMORY;
  program->operations[added].fused = text;
  program->operations[added].why = "attention in one step needs no matrix of scores";
  for (int i = 0; i < found->n; i++) {
    ir_operation *replaced = &program->operations[found->operations[i]];
    program->operations[added].macs += replaced->macs;
    replaced->is_dead = true;
  }
  return IR_OK;
}

ir_code ir_fuse_attention(ir_program *program, int64_t *count) {
  const ir_value **in = ir_program_room(program);
  ir_code code = in == NULL ? IR_NO_MEMORY : IR_OK;
  const int64_t before = *count;
  for (int32_t at = program->first; at >= 0 && code == IR_OK; at = program->operations[at].next) {
    found_attention found;
    if (!find_at(program, in, at, &found))
      continue;
    code = replace(program, &found);
    *count += found.n - 1;
  }
  return code == IR_OK && *count > before && !ir_program_prune(program) ? IR_NO_MEMORY : code;
}
