/* nGraph's AvgPool, versions 0 and 1. */
#include "ops/ngraph/ngraph_pool.h"
#include "ops/pool/avg_pool.h"

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

#define PAGE IR_NGRAPH_PAGE("avg_pool")

const ir_op ir_op_ngraph_avg_pool_0 =
    IR_NGRAPH_POOL("AvgPool", 0, attrs_0, &ir_ngraph_pool_rules, PAGE, ir_avg_pool_infer, ir_avg_pool_prepare);
const ir_op ir_op_ngraph_avg_pool_1 =
    IR_NGRAPH_POOL("AvgPool", 1, attrs_1, &ir_ngraph_pool_rules, PAGE, ir_avg_pool_infer, ir_avg_pool_prepare);
