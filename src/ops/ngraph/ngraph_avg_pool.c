/* nGraph's AvgPool, versions 0 and 1. */
#include "ops/ngraph/ngraph_pool.h"
#include "ops/pool/avg_pool.h"
#include "ops/pool/pool_facts.h"

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

/* Where the dialects differ in value: NaN of a window with nothing but padding, and a window past the padding (which
 * --allow let pass) where there is no pad, for then an IR counts the elements inside. */
static ir_code translate(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope) {
  const ir_pool_facts facts = ir_pool_facts_of(node, in[0], true, scope);
  const ir_shape *out = &node->outputs[0].shape;
  char window[IR_SHAPE_TEXT];
  int64_t first;
  if (in[0]->shape.rank < 3 || facts.auto_pad != ir_pool_auto_pad(node, true))
    return ir_ngraph_pool_translate(node, in, out_params, scope); /* no window can be told */
  int axis = ir_pool_average_is_nan(node) ? ir_pool_first_empty(&facts, out, &first) : -1;
  if (axis >= 0)
    ir_report(scope->diags, IR214_VALUE_DIFFERS_IN_IR,
              ir_attr_item_where(scope, node, ir_pool_kernel_name(&facts), axis),
              "window [%s] holds no input element: its average is NaN here, and 0 in an IR",
              ir_pool_window_text(&facts, axis, first, window, sizeof window));
  const bool counts_padding = !((const ir_pool_params *)node->params)->exclude_pad;
  axis = counts_padding && !ir_avg_pool_has_pads(node, &in[0]->shape) ? ir_pool_first_past_pads(&facts, out) : -1;
  if (axis >= 0)
    ir_report(scope->diags, IR213_NOT_IN_AN_IR,
              ir_attr_where(scope, node, ir_pool_name(node, offsetof(ir_pool_params, rounding_type))),
              "window [%s] ends past an input without padding: an IR divides by what it holds of the input alone",
              ir_pool_window_text(&facts, axis, out->dims[2 + axis].lo - 1, window, sizeof window));
  return ir_ngraph_pool_translate(node, in, out_params, scope);
}

#define COUNTERPART .counterpart = &ir_op_avg_pool_1, .translate = translate
#define PAGE        IR_NGRAPH_PAGE("avg_pool")

const ir_op ir_op_ngraph_avg_pool_0 = IR_NGRAPH_POOL("AvgPool", 0, attrs_0, &ir_ngraph_pool_rules, PAGE,
                                                     ir_avg_pool_infer, ir_avg_pool_prepare, COUNTERPART);
const ir_op ir_op_ngraph_avg_pool_1 = IR_NGRAPH_POOL("AvgPool", 1, attrs_1, &ir_ngraph_pool_rules, PAGE,
                                                     ir_avg_pool_infer, ir_avg_pool_prepare, COUNTERPART);
