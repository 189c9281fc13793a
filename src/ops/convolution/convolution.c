/* Convolution-1, GroupConvolution-1 and BinaryConvolution-1. Shapes without and with groups:
 *   data [N, C_IN, D..], kernel [C_OUT, C_IN, D..], output [N, C_OUT, D..]
 *   data [N, GROUPS * C_IN, D..], kernel [GROUPS, C_OUT, C_IN, D..], output [N, GROUPS * C_OUT, D..] */
#include "ops/convolution/convolution_run.h"

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_conv_facts facts;
  out->type = in[0]->type;
  out->poisoned =
      in[0]->poisoned || in[1]->poisoned || node->attrs_at_fault != 0 || !ir_conv_facts_of(node, in, scope, &facts);
  if (out->poisoned || facts.n_spatial == IR_RANK_UNKNOWN)
    return IR_OK;
  out->shape = ir_shape_of_rank(facts.n_spatial + 2);
  out->shape.dims[0] = ir_conv_dim(facts.data, 0);
  bool fine = ir_conv_channels(&facts, &out->shape.dims[1]);
  for (int i = 0; i < facts.n_spatial; i++)
    fine = ir_conv_window(&facts, i, &out->shape.dims[2 + i]) && fine;
  out->poisoned = !fine;
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_conv_facts facts;
  return ir_conv_facts_of(node, in, scope, &facts) ? ir_conv_step(&facts, NULL, plan) : IR_INVALID;
}

static bool contraction(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_fast_desc *out) {
  ir_conv_facts facts;
  return ir_conv_facts_of(node, in, scope, &facts) && ir_conv_product(&facts, NULL, out);
}

static const ir_attr_spec attrs[] = {IR_CONV_ROWS, {.name = NULL}};

static const char *const mode_names[] = {"xnor-popcount", NULL};
static const ir_attr_spec binary_attrs[] = {
    IR_CONV_ROWS,
    {.name = "mode",
     .kind = IR_ATTR_ENUM,
     .offset = offsetof(ir_conv_params, mode),
     .names = mode_names,
     .required = true},
    {.name = "pad_value", .kind = IR_ATTR_FLOAT, .offset = offsetof(ir_conv_params, pad_value), .required = true},
    {.name = NULL}};

static const ir_conv_layout plain = {.port = 1, .out_axis = 0, .in_axis = 1, .n_channel_axes = 2};
static const ir_conv_layout grouped = {.port = 1, .has_groups = true, .out_axis = 1, .in_axis = 2, .n_channel_axes = 3};

static const char *const ignored_attrs[] = {"output_padding", NULL};

#define CONVOLUTION(text, page, schema, layout)                                                                        \
  .dialect = IR_OPENVINO, .type = text, .version = 1, .spec = IR_SPEC_PAGE("convolution/" page),                       \
  .params_size = sizeof(ir_conv_params), .attrs = schema, .family = &layout, .infer = infer, .cost = ir_conv_cost,     \
  .multiplies = true

const ir_op ir_op_convolution_1 = {
    CONVOLUTION("Convolution", "convolution-1", attrs, plain),
    .ignored_attrs = ignored_attrs,
    .inputs = IR_PORTS(IR_CONV_PORT("data", "T", 3, 5), IR_CONV_PORT("kernel", "T", 3, 5)),
    .outputs = IR_PORTS(IR_CONV_PORT("output", "T", 3, 5)),
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .contraction = contraction,
};
const ir_op ir_op_group_convolution_1 = {
    CONVOLUTION("GroupConvolution", "group-convolution-1", attrs, grouped),
    .ignored_attrs = ignored_attrs,
    .inputs = IR_PORTS(IR_CONV_PORT("data", "T", 3, 5), IR_CONV_PORT("kernel", "T", 4, 6)),
    .outputs = IR_PORTS(IR_CONV_PORT("output", "T", 3, 5)),
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .contraction = contraction,
};
const ir_op ir_op_binary_convolution_1 = {
    CONVOLUTION("BinaryConvolution", "binary-convolution-1", binary_attrs, plain),
    .inputs = IR_PORTS(IR_CONV_PORT("data", "T1", 4, 4), {.name = "kernel",
                                                          .type_var = "T2",
                                                          .types = IR_SET(IR_U1),
                                                          .types_noted = IR_SET_STORED,
                                                          .rank_min = 4,
                                                          .rank_max = 4}),
    .outputs = IR_PORTS(IR_CONV_PORT("output", "T1", 4, 4)),
};
