/* The pass "layout": where tensors [N, C, D..] lie as [N, D.., C], as convolutions of the fast module read and write
 * them. */
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/strided_copy.h"
#include "runtime/run/passes.h"

/* Whether a node of rank `rank` can read the output with channels last. Axes of one of a lower rank may meet any of the
 * node's: it has to lie alike whichever they are, with one axis at most that is longer than 1. */
static bool may_lie_last(const ir_finder *f, ir_link from, int rank) {
  const ir_shape *shape = &ir_finder_value(f, from)->shape;
  const bool lies_last = ir_plan_lies_last(f->plan, from);
  int n_long = 0;
  if (lies_last || shape->rank >= rank)
    return shape->rank == rank && (lies_last || ir_lies_alike(shape));
  for (int i = 0; i < shape->rank; i++)
    n_long += shape->dims[i].lo != 1;
  return n_long <= 1;
}

bool ir_follows_layout(const ir_finder *f, const ir_node *node) {
  bool any = false;
  if (node->op == NULL || node->n_outputs == 0 ||
      (node->op->elementwise == NULL && node->op->takes_channels_last == NULL) ||
      (node->op->takes_channels_last != NULL && !node->op->takes_channels_last(node)))
    return false;
  /* Formulas stretch their inputs to the output; other ops look at the rank of the first. */
  const int rank =
      node->op->elementwise != NULL ? node->outputs[0].shape.rank : ir_finder_value(f, node->inputs[0])->shape.rank;
  for (int32_t p = 0; p < node->n_outputs; p++) {
    const ir_shape *shape = &node->outputs[p].shape;
    /* Of another rank, axes are not those of the input: a reduction that does not keep its own may leave [N, D..]. */
    if (shape->rank != rank || (f->is_kept[ir_finder_index(f, node)] && !ir_lies_alike(shape)))
      return false;
  }
  for (int32_t i = 0; i < node->n_inputs; i++) {
    if (!may_lie_last(f, node->inputs[i], rank))
      return false;
    any = any || ir_plan_lies_last(f->plan, node->inputs[i]);
  }
  return any;
}

ir_code ir_copy_laid(ir_plan *plan, const ir_node *node, const ir_shape *shape, bool to_last, int32_t from,
                     int32_t to) {
  int64_t dims[IR_MAX_RANK], plain[IR_MAX_RANK], last[IR_MAX_RANK];
  ir_nd_iter_steps(shape, 0, shape->rank, plain);
  ir_nd_iter_steps_last(shape, last);
  for (int i = 0; i < shape->rank; i++)
    dims[i] = shape->dims[i].lo;
  const ir_strided_copy copy = ir_strided_copy_of(shape->rank, dims, to_last ? plain : last, to_last ? last : plain);
  return ir_strided_copy_step_on(plan, node, &copy, from, to);
}

ir_code ir_make_turned(ir_plan *plan, ir_link from) {
  const ir_node *node = &plan->nodes[from.layer];
  const ir_value *value = &node->outputs[from.port];
  int32_t *turned = &plan->turned_of[plan->first_slot[from.layer] + from.port];
  if (*turned >= 0)
    return IR_OK;
  *turned = ir_plan_temporary(plan, value->type, &value->shape);
  return *turned < 0 ? IR_IO
                     : ir_copy_laid(plan, node, &value->shape, !ir_plan_lies_last(plan, from),
                                    ir_plan_output_slot(plan, node, from.port), *turned);
}

ir_code ir_make_plain(ir_plan *plan, const ir_node *node) {
  ir_code code = IR_OK;
  if (ir_plan_is_channels_last(plan, node))
    return IR_OK;
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++)
    if (ir_plan_lies_last(plan, node->inputs[i]))
      code = ir_make_turned(plan, node->inputs[i]);
  return code;
}
