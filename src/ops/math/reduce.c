#include "ops/math/reduce.h"
#include "ops/attr_text.h"
#include "ops/op.h"

const ir_attr_spec ir_reduce_attrs[] = {
    {.name = "keep_dims", .kind = IR_ATTR_BOOL, .offset = offsetof(ir_reduce_params, keep_dims), .fallback = "false"},
    {.name = NULL}};

static bool keeps_dims(const ir_node *node) {
  return ((const ir_reduce_params *)node->params)->keep_dims;
}

static ir_axes_rule rule_of(const ir_node *node, const ir_shape *in) {
  return (ir_axes_rule){.rank = in->rank, .of_scalar = !keeps_dims(node)};
}

static ir_shape reduced_shape(const ir_shape *in, const ir_axes *axes, bool keep_dims) {
  ir_shape out = {.rank = 0};
  for (int i = 0; i < in->rank; i++) {
    bool reduced = ir_axes_hold(axes, i);
    if (!reduced || keep_dims)
      out.dims[out.rank++] = reduced ? ir_dim_of(1) : in->dims[i];
  }
  return out;
}

/* Returns the output dim of an axis with keep_dims while the reduced axes are unknown: `dim` if no axis is reduced, 1
 * if all axes are reduced, otherwise the hull of `dim` and 1. */
static ir_dim kept_dim(ir_dim dim, ir_dim n_axes, int rank) {
  return n_axes.hi == 0 ? dim : n_axes.lo == rank ? ir_dim_of(1) : ir_dims_hull(dim, ir_dim_of(1));
}

/* Returns the output shape if `n_axes` axes are reduced and the axes themselves are unknown. Without keep_dims, output
 * dim i is the hull of the input's dims i to i + n_axes. */
static ir_shape possible_shape(const ir_shape *in, ir_dim n_axes, bool keep_dims) {
  ir_shape out = ir_shape_unknown();
  n_axes.hi = n_axes.hi < in->rank ? n_axes.hi : in->rank;
  if (keep_dims) {
    out.rank = in->rank;
    for (int i = 0; i < in->rank; i++)
      out.dims[i] = kept_dim(in->dims[i], n_axes, in->rank);
  } else if (ir_dim_known(n_axes)) {
    out.rank = in->rank - (int)n_axes.lo;
    for (int i = 0; i < out.rank; i++) {
      out.dims[i] = in->dims[i];
      for (int j = 1; j <= n_axes.lo; j++)
        out.dims[i] = ir_dims_hull(out.dims[i], in->dims[i + j]);
    }
  }
  return out;
}

static void warn_of_nothing(const ir_node *node, const ir_shape *in, const ir_axes *axes, const ir_shape *out,
                            ir_scope *scope) {
  int64_t elements;
  if (!ir_shape_known(in) || !ir_shape_elements(out, &elements) || elements == 0)
    return;
  for (int i = 0; i < axes->n; i++)
    if (in->dims[axes->items[i]].lo == 0) {
      ir_report(scope->diags, IR305_WINDOW_WITHOUT_INPUT, ir_node_where(scope, node),
                "axis %d, which is reduced, has no elements; the output does not depend on the input", axes->items[i]);
      return;
    }
}

bool ir_reduce_axes(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_axes *axes) {
  return ir_axes_read(node, 1, in[1]->contents, rule_of(node, &in[0]->shape), scope, axes);
}

ir_code ir_reduce_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  bool keep_dims = keeps_dims(node);
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned || !ir_attr_usable(node, "keep_dims");
  if (shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_axes axes;
  const ir_axes_rule rule = rule_of(node, shape);
  if (in[1]->contents == NULL) {
    ir_dim n_axes = ir_axes_count(in[1]);
    if (rule.of_scalar && rule.rank == 0)
      n_axes = ir_dim_of(0); /* a scalar has no axis: the list can contain only 0 and -1, which are ignored */
    out->poisoned = !ir_axes_fit(node, 1, n_axes, shape->rank, scope) || out->poisoned;
    if (!out->poisoned)
      out->shape = possible_shape(shape, n_axes, keep_dims);
    return IR_OK;
  }
  out->poisoned = !ir_reduce_axes(node, in, scope, &axes) || out->poisoned;
  if (out->poisoned)
    return IR_OK;
  out->shape = reduced_shape(shape, &axes, keep_dims);
  warn_of_nothing(node, shape, &axes, &out->shape, scope);
  return IR_OK;
}

/* ---- windows ---- */

ir_code ir_reduce_windows(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope,
                          ir_windows *windows) {
  ir_axes axes = {.n = 0};
  ir_shape from = ir_laid_shape(node->outputs[0].layout, &in[0]->shape);
  if (from.rank > 0 && !ir_reduce_axes(node, in, scope, &axes))
    return IR_INVALID;
  axes = ir_laid_axes(node->outputs[0].layout, &axes, from.rank);
  ir_shape to = reduced_shape(&from, &axes, true);
  if (from.rank == 0) /* pool kernels need at least one axis */
    from = to = ir_shape_of(1, &(int64_t){1});
  return ir_windows_make(plan, node, &from, &to, 0, NULL, windows);
}

int64_t ir_reduce_cost(const ir_node *node, const ir_value *const *in) {
  (void)node;
  int64_t elements;
  return ir_shape_known(&in[0]->shape) && ir_shape_elements(&in[0]->shape, &elements) ? elements : -1;
}
