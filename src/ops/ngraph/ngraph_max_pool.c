/* Rows of nGraph's MaxPool, versions 0 and 1. */
#include "ops/ngraph/ngraph_pool.h"
#include "ops/pool/pool.h"

#define PADS(name, field, other)                                                                                       \
  IR_POOL_LIST(name, field, 0, .fallback = "0", .fallback_if_empty = true, .required_with = other)

static const ir_attr_spec attrs_0[] = {IR_NGRAPH_POOL_0_WINDOW_ROWS,
                                       PADS("padding_below", pads_begin, "padding_above"),
                                       PADS("padding_above", pads_end, "padding_below"),
                                       IR_NGRAPH_POOL_0_MODE_ROWS,
                                       {.name = NULL}};
static const ir_attr_spec attrs_1[] = {IR_NGRAPH_POOL_1_ROWS, {.name = NULL}};

#define COUNTERPART .counterpart = &ir_op_max_pool_1, .translate = ir_ngraph_pool_translate
#define PAGE        IR_NGRAPH_PAGE("max_pool")

const ir_op ir_op_ngraph_max_pool_0 = IR_NGRAPH_POOL("MaxPool", 0, attrs_0, &ir_ngraph_max_pool_0_rules, PAGE,
                                                     ir_max_pool_infer, ir_max_pool_prepare, COUNTERPART);
const ir_op ir_op_ngraph_max_pool_1 = IR_NGRAPH_POOL("MaxPool", 1, attrs_1, &ir_ngraph_pool_rules, PAGE,
                                                     ir_max_pool_infer, ir_max_pool_prepare, COUNTERPART);
