/* DeformableConvolution-1 and -8: a convolution of [N, C, Y, X] whose taps are moved by `offsets`, two numbers for each
 * tap and place, and from version 8 on weighed by `mask`, one number. */
#include "ops/bind.h"
#include "ops/convolution/convolution.h"
#include <stdio.h>

static bool divides(const ir_conv_facts *facts, const char *attribute, int64_t groups, ir_dim channels,
                    const char *what) {
  int64_t multiple;
  char text[IR_DIM_TEXT];
  if (ir_mul(ir_ceil_div(channels.lo, groups), groups, &multiple) && multiple <= channels.hi)
    return true;
  ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(facts->scope, facts->node, attribute),
            "the %s channels of %s are no multiple of %s, which is %lld", ir_dim_text(channels, text, sizeof text),
            what, attribute, (long long)groups);
  return false;
}

/* An input [N, numbers of all taps, Y, X] against the data and the output. */
static bool check_taps(const ir_conv_facts *facts, const ir_value *const *in, int port, int64_t numbers,
                       const ir_shape *out) {
  const ir_shape *shape = &in[port]->shape;
  if (shape->rank == IR_RANK_UNKNOWN)
    return true;
  const ir_dim taps = ir_dims_product(ir_conv_dim(facts->kernel, 2), ir_conv_dim(facts->kernel, 3));
  ir_dim expected[4] = {out->dims[0], ir_dims_product(taps, ir_dim_of(facts->params->deformable_group)), out->dims[2],
                        out->dims[3]};
  expected[1] = ir_dims_product(expected[1], ir_dim_of(numbers));
  for (int i = 0; i < 4; i++) {
    if (ir_dims_meet(shape->dims[i], expected[i]))
      continue;
    char text[IR_SHAPE_TEXT], dims[2][IR_DIM_TEXT];
    ir_report(facts->scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(facts->scope, facts->node, port, i),
              "'%s' %s has %s on axis %d, expected %s: %s", facts->node->op->inputs[port].name,
              ir_shape_text(shape, text, sizeof text), ir_dim_text(shape->dims[i], dims[0], sizeof dims[0]), i,
              ir_dim_text(expected[i], dims[1], sizeof dims[1]),
              i == 0         ? "N of the input"
              : i > 1        ? "the output's size"
              : numbers == 2 ? "2 for each tap of the kernel and deformable group"
                             : "1 for each tap of the kernel and deformable group");
    return false;
  }
  return divides(facts, "deformable_group", facts->params->deformable_group, shape->dims[1],
                 facts->node->op->inputs[port].name);
}

static void check_groups(const ir_node *node, ir_scope *scope) {
  ir_warn_of_default(node, "group", "1", "refused", scope);
  ir_warn_of_default(node, "deformable_group", "1", "refused", scope);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_conv_facts facts;
  out->type = in[0]->type;
  out->unknown = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->unknown = out->unknown || in[i]->unknown;
  if (out->unknown || !ir_conv_facts_of(node, in, scope, &facts)) {
    out->unknown = true;
    return IR_OK;
  }
  facts.n_spatial = 2;
  out->shape = ir_shape_of_rank(4);
  out->shape.dims[0] = ir_conv_dim(facts.data, 0);
  bool fine = ir_conv_channels(&facts, &out->shape.dims[1]);
  fine = fine && divides(&facts, "group", facts.params->group, ir_conv_dim(facts.data, 1), "the input") &&
         divides(&facts, "group", facts.params->group, ir_conv_dim(facts.kernel, 0), "the kernel");
  for (int i = 0; i < 2; i++)
    fine = ir_conv_window(&facts, i, &out->shape.dims[2 + i]) && fine;
  fine = fine && check_taps(&facts, in, 1, 2, &out->shape);
  fine = fine && (node->n_inputs < 4 || check_taps(&facts, in, 3, 1, &out->shape));
  if (fine && in[1]->shape.rank != IR_RANK_UNKNOWN)
    out->shape.dims[0] = ir_dims_common(out->shape.dims[0], in[1]->shape.dims[0]);
  out->unknown = !fine;
  return IR_OK;
}

#define GROUP_ROW(text, field)                                                                                         \
  {                                                                                                                    \
    .name = text, .kind = IR_ATTR_INT, .offset = offsetof(ir_conv_params, field), .min = 1, .max = INT64_MAX,          \
    .fallback = "1"                                                                                                    \
  }
#define GROUP_ROWS GROUP_ROW("group", group), GROUP_ROW("deformable_group", deformable_group)

static const ir_attr_spec attrs_1[] = {IR_CONV_ROWS, GROUP_ROWS, {.name = NULL}};
static const ir_attr_spec attrs_8[] = {IR_CONV_ROWS,
                                       GROUP_ROWS,
                                       {.name = "bilinear_interpolation_pad",
                                        .kind = IR_ATTR_BOOL,
                                        .offset = offsetof(ir_conv_params, interpolates_pad),
                                        .fallback = "false"},
                                       {.name = NULL}};

static const ir_conv_layout layout = {.port = 2, .out_axis = 0, .in_axis = 1, .n_channel_axes = 2};

#define PORT(text) IR_CONV_PORT(text, "T", 4, 4)
#define DEFORMABLE(number, schema, ...)                                                                                \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "DeformableConvolution", .version = number,                                        \
    .spec = IR_SPEC_PAGE("convolution/deformable-convolution-" #number), .params_size = sizeof(ir_conv_params),        \
    .attrs = schema, .choices = &layout, .check_attributes = check_groups, .infer = infer, .inputs = {__VA_ARGS__},    \
    .outputs = {                                                                                                       \
      PORT("output")                                                                                                   \
    }                                                                                                                  \
  }

const ir_op ir_op_deformable_convolution_1 = DEFORMABLE(1, attrs_1, PORT("data"), PORT("offsets"), PORT("kernel"));
const ir_op ir_op_deformable_convolution_8 = DEFORMABLE(8, attrs_8, PORT("data"), PORT("offsets"), PORT("kernel"),
                                                        {.name = "mask",
                                                         .type_var = "T",
                                                         .types = IR_SET_NUMBERS,
                                                         .types_may_differ = true,
                                                         .rank_min = 4,
                                                         .rank_max = 4,
                                                         .optional = true});
