/* RegionYolo-1: [N, C, H, W] as regions, their axes from `axis` to `end_axis` one with do_softmax. ReorgYolo-2: squares
 * of stride * stride points as channels. Pages: operation-specs/detection/region-yolo-1, reorg-yolo-1. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/axes.h"
#include "ops/bind.h"

/* ---- RegionYolo ---- */

typedef struct region_yolo_params {
  int64_t axis, end_axis, coords, classes;
  bool do_softmax;
  ir_ints mask;
  ir_other_attrs other;
} region_yolo_params;

static ir_shape flattened(const ir_shape *in, int axis, int end_axis) {
  ir_shape out = {.rank = 0};
  for (int i = 0; i < in->rank; i++)
    if (i > axis && i <= end_axis)
      out.dims[axis] = ir_dims_product(out.dims[axis], in->dims[i]);
    else
      out.dims[out.rank++] = in->dims[i];
  return out;
}

static ir_code infer_region(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const region_yolo_params *params = node->params;
  out->type = in[0]->type;
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  ir_warn_of_default(node, "do_softmax", "true", "false", scope);
  if (in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  if (!params->do_softmax) {
    out->shape = in[0]->shape;
    out->shape.dims[1] = ir_dim_of((params->classes + params->coords + 1) * params->mask.n);
    return IR_OK;
  }
  int axis, end_axis;
  out->unknown = !ir_axis_attr(node, "axis", params->axis, in[0]->shape.rank, &axis, scope) ||
                 !ir_axis_attr(node, "end_axis", params->end_axis, in[0]->shape.rank, &end_axis, scope);
  if (!out->unknown)
    out->shape = flattened(&in[0]->shape, axis, end_axis);
  return IR_OK;
}

#define AT(field) offsetof(region_yolo_params, field)
static const ir_attr_spec region_attrs[] = {IR_FLOATS_ROW("anchors", AT(other.reals[0]), .fallback = ""),
                                            IR_INT_ROW("axis", AT(axis), -4, 3, .required = true),
                                            IR_INT_ROW("coords", AT(coords), 0, INT32_MAX, .required = true),
                                            IR_INT_ROW("classes", AT(classes), 0, INT32_MAX, .required = true),
                                            IR_INT_ROW("end_axis", AT(end_axis), -4, 3, .required = true),
                                            IR_INT_ROW("num", AT(other.number[0]), 0, INT32_MAX, .required = true),
                                            IR_BOOL_ROW("do_softmax", AT(do_softmax), "true"),
                                            IR_INTS_ROW("mask", AT(mask), INT32_MIN, INT32_MAX, .fallback = ""),
                                            {.name = NULL}};
#undef AT

const ir_op ir_op_region_yolo_1 = {
    .dialect = IR_OPENVINO,
    .type = "RegionYolo",
    .version = 1,
    .spec = IR_SPEC_PAGE("detection/region-yolo-1"),
    .params_size = sizeof(region_yolo_params),
    .attrs = region_attrs,
    .inputs = {IR_PORT("data", "T", IR_SET_FLOATS, 4)},
    .outputs = {IR_PORT_RANKS("output", "T", IR_SET_FLOATS, 1, 4)},
    .infer = infer_region,
};

/* ---- ReorgYolo ---- */

typedef struct reorg_yolo_params {
  int64_t stride;
} reorg_yolo_params;

/* Dim `axis` divided by the stride; false, and reported, when no size that it can have is a multiple. */
static bool divided(const ir_node *node, const ir_value *in, int axis, ir_dim *out, ir_scope *scope) {
  const int64_t stride = ((const reorg_yolo_params *)node->params)->stride;
  const ir_dim dim = in->shape.dims[axis];
  *out = (ir_dim){ir_ceil_div(dim.lo, stride), dim.hi == IR_DIM_MAX ? IR_DIM_MAX : dim.hi / stride};
  if (out->lo <= out->hi)
    return true;
  char text[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, axis),
            "the input has %s on axis %d: %s%s; expected a multiple of the stride %lld",
            ir_dim_text(dim, text, sizeof text), axis, ir_type_name(in->type),
            ir_shape_text(&in->shape, shape, sizeof shape), (long long)stride);
  return false;
}

static ir_code infer_reorg(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const reorg_yolo_params *params = node->params;
  out->type = in[0]->type;
  if (ir_outputs_unknown(node, in, out) || in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const int64_t area = params->stride * params->stride;
  out->shape = in[0]->shape;
  out->shape.dims[1] = ir_dims_product(out->shape.dims[1], ir_dim_of(area));
  out->unknown = !ir_size_check(node, in, 0, 1, (ir_dim){area, IR_DIM_MAX}, "stride * stride, or more", scope) ||
                 !divided(node, in[0], 2, &out->shape.dims[2], scope) ||
                 !divided(node, in[0], 3, &out->shape.dims[3], scope);
  return IR_OK;
}

static const ir_attr_spec reorg_attrs[] = {
    IR_INT_ROW("stride", offsetof(reorg_yolo_params, stride), 1, INT32_MAX, .required = true), {.name = NULL}};

const ir_op ir_op_reorg_yolo_2 = {
    .dialect = IR_OPENVINO,
    .type = "ReorgYolo",
    .version = 2,
    .spec = IR_SPEC_PAGE("detection/reorg-yolo-1"),
    .params_size = sizeof(reorg_yolo_params),
    .attrs = reorg_attrs,
    .inputs = {IR_PORT("data", "T", IR_SET_ANY, 4)},
    .outputs = {IR_PORT("output", "T", IR_SET_ANY, 4)},
    .infer = infer_reorg,
};
