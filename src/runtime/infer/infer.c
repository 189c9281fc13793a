#include "runtime/infer/infer.h"
#include "ops/bind.h"
#include "ops/ranges.h"
#include "runtime/infer/input_types.h"
#include <stdio.h>
#include <string.h>

bool ir_own_outputs(ir_node *node, ir_arena *arena) {
  ir_value *own = ir_arena_array(arena, (size_t)node->n_outputs, sizeof *own);
  if (own == NULL)
    return false;
  if (node->n_outputs > 0)
    memcpy(own, node->outputs, (size_t)node->n_outputs * sizeof *own);
  node->outputs = own;
  return true;
}

bool ir_reads_input(const ir_node *nodes, const ir_node *node) {
  bool reads = false;
  for (int32_t i = 0; i < node->n_inputs && !reads; i++) {
    const ir_link from = node->inputs[i];
    const ir_port_spec *spec = ir_op_input(node->op, i);
    reads = from.layer >= 0 && nodes[from.layer].outputs[from.port].reads_input && !(spec != NULL && spec->shape_only);
  }
  return reads;
}

/* ---- inputs against the rows ---- */

static bool check_rank(const ir_node *node, int32_t i, const ir_port_spec *spec, const ir_value *value,
                       ir_scope *scope) {
  int rank = value->shape.rank;
  if (rank == IR_RANK_UNKNOWN || (rank >= spec->rank_min && rank <= spec->rank_max))
    return true;
  char shape[IR_SHAPE_TEXT], ranks[32];
  int used = snprintf(ranks, sizeof ranks, "%d", spec->rank_min);
  if (spec->rank_max > spec->rank_min)
    snprintf(ranks + used, sizeof ranks - (size_t)used, " to %d", spec->rank_max);
  ir_report(scope->diags, spec->fault != 0 ? spec->fault : IR303_RANK_NOT_ALLOWED, ir_input_where(scope, node, i, -1),
            "input %d ('%s') has rank %d: %s%s; %s-%d takes rank %s", i, spec->name, rank, ir_type_name(value->type),
            ir_shape_text(&value->shape, shape, sizeof shape), node->op->type, node->op->version, ranks);
  return false;
}

/* Checks ranks and types of the inputs. Points use[i] at in[i], or at a poisoned value if in[i] is wrong. False if any
 * input is wrong. */
static bool check_inputs(const ir_node *node, const ir_value *const *in, const ir_value **use, ir_scope *scope) {
  bool fine = true;
  for (int32_t i = 0; i < node->n_inputs; i++) {
    const ir_port_spec *spec = ir_op_input(node->op, i);
    use[i] = in[i];
    if (spec == NULL || in[i]->poisoned)
      continue;
    bool rank = check_rank(node, i, spec, in[i], scope);
    bool type = ir_check_input_type(node, i, in[i], scope);
    if (!rank || !type)
      use[i] = ir_poisoned_value();
    fine = fine && rank && type;
  }
  return ir_check_type_variables(node, in, scope) && fine;
}

/* ---- outputs ---- */

static void check_outputs(ir_node *node, ir_scope *scope) {
  for (int32_t p = 0; p < node->n_outputs; p++) {
    ir_value *value = &node->outputs[p];
    size_t bytes;
    if (value->poisoned || !ir_op_is_computed(node->op) || ir_type_bits(value->type) == 0 ||
        !ir_shape_known(&value->shape) || ir_tensor_bytes(value->type, &value->shape, &bytes))
      continue;
    char shape[IR_SHAPE_TEXT];
    ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_node_where(scope, node),
              "the bytes of output %d, %s%s, do not fit 64 bits", p, ir_type_name(value->type),
              ir_shape_text(&value->shape, shape, sizeof shape));
    value->poisoned = true;
  }
}

static bool check_lengths(ir_node *node, const ir_value *first, ir_scope *scope) {
  if (node->params == NULL)
    return true;
  bool rank_known = first != NULL && !first->poisoned && first->shape.rank >= 2;
  return ir_check_spatial_lengths(node, rank_known ? first->shape.rank - 2 : -1, scope);
}

ir_code ir_infer_node(ir_node *node, const ir_value *const *in, ir_scope *scope) {
  if (node->op == NULL)
    return IR_OK;
  /* the bodies of a layer in a cycle are not inferred */
  if (ir_node_is_broken(node) || (node->in_cycle && node->bodies != NULL)) {
    ir_poison_outputs(node, node->outputs);
    return IR_OK;
  }
  /* infer sees a poisoned value for a wrong input, and still finds the layer's other faults */
  const ir_value *few[IR_MAX_OP_PORTS], **use = few;
  if (node->n_inputs > IR_MAX_OP_PORTS)
    use = ir_alloc_zero(scope->memory, (size_t)node->n_inputs, sizeof *use);
  if (use == NULL)
    return ir_out_of_memory(scope->diags);
  bool fine = check_inputs(node, in, use, scope);
  bool lengths = check_lengths(node, node->n_inputs > 0 ? use[0] : NULL, scope);
  for (int32_t p = 0; p < node->n_outputs; p++)
    node->outputs[p] = (ir_value){.shape = ir_shape_unknown()};
  ir_code code = IR_OK;
  if (lengths || !scope->running)
    code = node->op->infer(node, use, node->outputs, scope);
  if (!fine || !lengths)
    ir_poison_outputs(node, node->outputs);
  if (code != IR_NO_MEMORY) {
    check_outputs(node, scope);
    code = node->op->ranges != NULL && fine && lengths ? ir_infer_ranges(node, use, node->outputs, scope) : IR_OK;
  }
  if (use != few)
    ir_free(scope->memory, use);
  return code == IR_NO_MEMORY ? code : IR_OK;
}
