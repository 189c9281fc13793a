/* Rows of nGraph's AvgPool, versions 0 and 1. */
#include "ops/ngraph/ngraph_pool.h"
#include "ops/pool/pool.h"
#include "ops/pool/pool_notes.h"

#define PADS(name, field) IR_POOL_LIST(name, field, 0, .required = true, .fallback = "0", .fallback_if_empty = true)

static const ir_attr_spec attrs_0[] = {IR_NGRAPH_POOL_0_WINDOW_ROWS,
                                       PADS("padding_below", pads_begin),
                                       PADS("padding_above", pads_end),
                                       {.name = "include_padding_in_avg_computation",
                                        .kind = IR_ATTR_BOOL,
                                        .offset = offsetof(ir_pool_params, exclude_pad),
                                        .required = true,
                                        .inverted = true},
                                       IR_NGRAPH_POOL_0_MODE_ROWS,
                                       {.name = NULL}};
static const ir_attr_spec attrs_1[] = {
    IR_NGRAPH_POOL_1_ROWS,
    {.name = "exclude_pad", .kind = IR_ATTR_BOOL, .offset = offsetof(ir_pool_params, exclude_pad), .fallback = "true"},
    {.name = NULL}};

/* Returns the first axis of open size on which a window can have only padding, or -1. Such windows come from rounding
 * type ceil, and from an input size of 0 with explicit pads. */
static int first_maybe_empty(const ir_pool_facts *facts) {
  const bool ceil = facts->params->rounding_type == IR_ROUND_CEIL;
  const bool as_given = ir_pool_auto_pad(facts->node, true) == IR_PAD_EXPLICIT;
  for (int i = 0; i < facts->n_spatial; i++) {
    const ir_window_axis axis = ir_pool_axis(facts->params, i);
    const ir_wide begin = as_given ? axis.pad_begin : 0, end = as_given ? axis.pad_end : 0;
    const bool open = facts->in->shape.rank < 0 || !ir_dim_known(facts->in->shape.dims[2 + i]);
    if (open && ((ceil && end + axis.stride > axis.kernel) || begin + end >= axis.kernel))
      return i;
  }
  return -1;
}

/* Warns that the average of a window of only padding is NaN in nGraph, but 0 in an IR. */
static void warn_of_nan(const ir_pool_facts *facts, bool told, const ir_shape *out) {
  ir_scope *scope = facts->scope;
  char window[IR_SHAPE_TEXT], name[IR_AXIS_NAME];
  int64_t first;
  if (!ir_pool_average_is_nan(facts->node))
    return;
  int axis = told ? ir_pool_first_empty(facts, out, &first) : -1;
  if (axis >= 0) {
    ir_report(scope->diags, IR214_VALUE_DIFFERS_IN_IR,
              ir_attr_item_where(scope, facts->node, ir_pool_kernel_name(facts), axis),
              "window [%s] holds no input element: its average is NaN here, and 0 in an IR",
              ir_pool_window_text(facts, axis, first, window, sizeof window));
    return;
  }
  axis = first_maybe_empty(facts);
  if (axis >= 0)
    ir_report(scope->diags, IR214_VALUE_DIFFERS_IN_IR,
              ir_attr_item_where(scope, facts->node, ir_pool_kernel_name(facts), axis),
              "some size of %s, which is open, gives a window that holds no input element: its average is %s, and 0 in "
              "an IR",
              ir_axis_name(facts->n_spatial, axis, name, sizeof name),
              ir_type_in(facts->in->type, IR_SET_FLOATS) ? "NaN here" : "refused here");
}

/* Returns true if an open size can give a last window that ends past the input. */
static bool end_is_open(const ir_pool_facts *facts) {
  bool open = facts->in->shape.rank < 0;
  for (int i = 0; i < facts->n_spatial; i++)
    open = open || (!ir_dim_known(facts->in->shape.dims[2 + i]) && ir_pool_axis(facts->params, i).stride > 1);
  return open && facts->params->rounding_type == IR_ROUND_CEIL;
}

/* Reports an average that an IR cannot express. Without pads, an IR divides by the number of elements in the window,
 * but nGraph by the window's size. The divisors differ only if --allow=IR320 lets a window end past the input. */
static void refuse_own_divisor(const ir_pool_facts *facts, bool told, const ir_shape *out) {
  ir_diags *diags = facts->scope->diags;
  const ir_where where =
      ir_attr_where(facts->scope, facts->node, ir_pool_name(facts->node, offsetof(ir_pool_params, rounding_type)));
  char window[IR_SHAPE_TEXT];
  if (facts->params->exclude_pad || (told && ir_avg_pool_has_pads(facts->node, &facts->in->shape)))
    return;
  const int axis = told ? ir_pool_first_past_pads(facts, out) : -1;
  if (axis >= 0)
    ir_report(diags, IR213_NOT_IN_AN_IR, where,
              "window [%s] ends past an input without padding: an IR divides by what it holds of the input alone",
              ir_pool_window_text(facts, axis, out->dims[2 + axis].lo - 1, window, sizeof window));
  else if (diags->policy[IR320_WINDOW_PAST_PADDING] == IR_POLICY_ALLOW && end_is_open(facts))
    ir_report(diags, IR213_NOT_IN_AN_IR, where,
              "a window may end past an input without padding, for a size is open: an IR divides by what it holds of "
              "the input alone");
}

static ir_code translate(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope) {
  const ir_pool_facts facts = ir_pool_facts_of(node, in[0], true, scope);
  const bool told = in[0]->shape.rank >= 3 && facts.auto_pad == ir_pool_auto_pad(node, true);
  warn_of_nan(&facts, told, &node->outputs[0].shape);
  refuse_own_divisor(&facts, told, &node->outputs[0].shape);
  return ir_ngraph_pool_translate(node, in, out_params, scope);
}

#define COUNTERPART .counterpart = &ir_op_avg_pool_1, .translate = translate
#define PAGE        IR_NGRAPH_PAGE("avg_pool")

const ir_op ir_op_ngraph_avg_pool_0 = IR_NGRAPH_POOL("AvgPool", 0, attrs_0, &ir_ngraph_pool_rules, PAGE,
                                                     ir_avg_pool_infer, ir_avg_pool_prepare, COUNTERPART);
const ir_op ir_op_ngraph_avg_pool_1 = IR_NGRAPH_POOL("AvgPool", 1, attrs_1, &ir_ngraph_pool_rules, PAGE,
                                                     ir_avg_pool_infer, ir_avg_pool_prepare, COUNTERPART);
