/* Squeeze drops all dims of 1, or the dims that `axes` lists. A listed dim other than 1 stays. A listed open dim that
 * can be 1 is dropped; with allow_axis_skip (version 15) the output's rank is unknown. */
#include "ops/attr_text.h"
#include "ops/axes.h"
#include "ops/op.h"
#include "ops/shape/same_elements.h"
#include <stdio.h>

typedef struct squeeze_params {
  bool allow_axis_skip;
} squeeze_params;

typedef enum dim_fate { STAYS, GOES, OPEN } dim_fate;

static bool may_be_one(ir_dim dim) {
  return ir_dims_meet(dim, ir_dim_of(1));
}

/* Returns whether a dim goes, stays, or is unknown before a run (OPEN). The file promises that a `listed` dim is 1, so
 * an open listed dim goes. */
static dim_fate fate_of(ir_dim dim, bool listed) {
  if (!may_be_one(dim))
    return STAYS;
  return ir_dim_known(dim) || listed ? GOES : OPEN;
}

/* Returns the output shape, of unknown rank if an open dim can be 1. `axes` NULL means all axes. With `promised`, a
 * listed open dim counts as 1. */
static ir_shape squeezed_shape(const ir_shape *in, const ir_axes *axes, bool promised) {
  ir_shape out = {.rank = 0};
  for (int i = 0; i < in->rank; i++) {
    bool listed = axes != NULL && ir_axes_hold(axes, i);
    dim_fate fate = axes == NULL || listed ? fate_of(in->dims[i], listed && promised) : STAYS;
    if (fate == OPEN)
      return ir_shape_unknown();
    if (fate == STAYS)
      out.dims[out.rank++] = in->dims[i];
  }
  return out;
}

/* Returns the output shape if the axes are unknown: the input's shape if no dim can be 1, otherwise an unknown rank. */
static ir_shape possible_shape(const ir_shape *in) {
  for (int i = 0; i < in->rank; i++)
    if (may_be_one(in->dims[i]))
      return ir_shape_unknown();
  return *in;
}

/* Writes text such as "axis 1 of the input f32[1,3] is" or "axes 1, 2 of the input f32[1,3,4] are". */
static void axes_text(const ir_value *in, const ir_axes *axes, char *buffer, size_t size) {
  char shape[IR_SHAPE_TEXT];
  size_t used = (size_t)snprintf(buffer, size, axes->n > 1 ? "axes" : "axis");
  for (int i = 0; i < axes->n && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s %d", i > 0 ? "," : "", axes->items[i]);
  if (used < size)
    snprintf(buffer + used, size - used, " of the input %s%s %s", ir_type_name(in->type),
             ir_shape_text(&in->shape, shape, sizeof shape), axes->n > 1 ? "are" : "is");
}
#define AXES_TEXT (IR_SHAPE_TEXT + IR_MAX_RANK * 4 + 64)

/* Warns of listed axes whose size is not 1. In a run, such an axis is an error if its size was open when the model was
 * checked. The check counted the size as 1 and inferred ranks from it. */
static bool check_listed(const ir_node *node, const ir_value *const *in, const ir_axes *axes, ir_scope *scope) {
  ir_axes stay = {.n = 0}, broken = {.n = 0};
  bool known = ir_axes_were_known(scope);
  for (int i = 0; i < axes->n; i++) {
    int axis = axes->items[i];
    if (may_be_one(in[0]->shape.dims[axis]))
      continue;
    if (!known)
      stay.items[stay.n++] = axis;
    else if (may_be_one(scope->checked[0]->shape.dims[axis]))
      broken.items[broken.n++] = axis;
  }
  char text[AXES_TEXT];
  ir_where where = ir_input_where(scope, node, 1, -1);
  if (stay.n > 0) {
    axes_text(in[0], &stay, text, sizeof text);
    ir_report(scope->diags, IR319_DIMENSION_NOT_ONE, where, "%s not 1, and %s", text, stay.n > 1 ? "stay" : "stays");
  }
  if (broken.n > 0) {
    axes_text(in[0], &broken, text, sizeof text);
    ir_report_as(scope->diags, IR319_DIMENSION_NOT_ONE, IR_ERROR, where,
                 "%s not 1; the model leaves the size open, and was checked with 1 there", text);
    ir_hint(scope->diags, "give an input that has 1 there; a Squeeze-15 with allow_axis_skip=\"true\" takes any");
  }
  return broken.n == 0;
}

static bool infer_listed(const ir_node *node, const ir_value *const *in, ir_shape *out, ir_scope *scope) {
  bool allow_skip = ((const squeeze_params *)node->params)->allow_axis_skip;
  ir_axes axes;
  ir_axes_rule rule = {.rank = in[0]->shape.rank, .of_scalar = true};
  rule.repeats = ir_axes_were_known(scope) ? IR_REPEATS_TAKEN : IR_REPEATS_WARNED;
  if (!ir_axes_read(node, 1, in[1]->contents, rule, scope, &axes))
    return false;
  *out = squeezed_shape(&in[0]->shape, &axes, !allow_skip);
  return allow_skip || check_listed(node, in, &axes, scope);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  bool has_axes = node->n_inputs > 1;
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || (has_axes && in[1]->poisoned);
  if (out->poisoned || in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  if (!has_axes || ir_axes_count(in[1]).hi == 0)
    out->shape = squeezed_shape(&in[0]->shape, NULL, false);
  else if (in[1]->contents == NULL)
    out->shape = possible_shape(&in[0]->shape);
  else if (!ir_attr_usable(node, "allow_axis_skip") || !infer_listed(node, in, &out->shape, scope))
    out->poisoned = true;
  return IR_OK;
}

/* ---- the rows ---- */

static const ir_attr_spec attrs_15[] = {{.name = "allow_axis_skip",
                                         .kind = IR_ATTR_BOOL,
                                         .offset = offsetof(squeeze_params, allow_axis_skip),
                                         .fallback = "false"},
                                        {.name = NULL}};

#define SQUEEZE(number, schema)                                                                                        \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "Squeeze", .version = number, .spec = IR_SPEC_PAGE("shape/squeeze-" #number),      \
    .params_size = sizeof(squeeze_params), .attrs = schema,                                                            \
    .inputs = IR_PORTS(IR_MOVED_T("data"), {.name = "axes",                                                            \
                                            .type_var = "T_INT",                                                       \
                                            .types = IR_SET_INTEGERS,                                                  \
                                            .rank_min = 0,                                                             \
                                            .rank_max = 1,                                                             \
                                            .contents = true,                                                          \
                                            .optional = true}),                                                        \
    .outputs = IR_PORTS(IR_MOVED_T("output")), .narrow = IR_SET_NARROW, .infer = infer, .ranges = ir_ranges_same,      \
    .run = {IR_RUN_PREPARED, .prepare = ir_same_elements_prepare}, .function = IR_FUNCTION_VIEW,                       \
  }

const ir_op ir_op_squeeze_1 = SQUEEZE(1, NULL);
const ir_op ir_op_squeeze_15 = SQUEEZE(15, attrs_15);
