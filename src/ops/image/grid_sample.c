/* GridSample-9: of data [N, C, H, W] what lies at the places of a grid [N, H_OUT, W_OUT, 2]. Page:
 * operation-specs/image/grid-sample-9. */
#include "ops/op.h"

typedef struct grid_sample_params {
  bool align_corners;
  int mode, padding_mode;
} grid_sample_params;

static bool check(const ir_node *node, const ir_shape *data, const ir_shape *grid, ir_scope *scope) {
  char dims[2][IR_DIM_TEXT];
  const ir_dim n = grid->dims[0], numbers = grid->dims[3];
  const bool is_pair = ir_dims_meet(numbers, ir_dim_of(2));
  const bool same_batch = data->rank == IR_RANK_UNKNOWN || ir_dims_meet(n, data->dims[0]);
  if (!is_pair)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, 3),
              "the last axis of 'grid' is %s, expected 2: the coordinates of a place",
              ir_dim_text(numbers, dims[0], sizeof dims[0]));
  if (!same_batch)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, 0),
              "N (batch) of 'grid' is %s, of 'data' %s", ir_dim_text(n, dims[0], sizeof dims[0]),
              ir_dim_text(data->dims[0], dims[1], sizeof dims[1]));
  return is_pair && same_batch;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *data = &in[0]->shape, *grid = &in[1]->shape;
  out->type = in[0]->type;
  out->unknown = in[0]->unknown || in[1]->unknown || node->attrs_at_fault != 0;
  if (out->unknown)
    return IR_OK;
  out->shape = ir_shape_of_rank(4);
  if (data->rank != IR_RANK_UNKNOWN) {
    out->shape.dims[0] = data->dims[0];
    out->shape.dims[1] = data->dims[1];
  }
  if (grid->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->unknown = !check(node, data, grid, scope);
  if (!out->unknown)
    out->shape.dims[0] = ir_dims_common(out->shape.dims[0], grid->dims[0]);
  out->shape.dims[2] = grid->dims[1];
  out->shape.dims[3] = grid->dims[2];
  return IR_OK;
}

static const char *const mode_names[] = {"bilinear", "bicubic", "nearest", NULL};
static const char *const padding_names[] = {"zeros", "border", "reflection", NULL};

static const ir_attr_spec attrs[] = {{.name = "align_corners",
                                      .kind = IR_ATTR_BOOL,
                                      .offset = offsetof(grid_sample_params, align_corners),
                                      .fallback = "false"},
                                     {.name = "mode",
                                      .kind = IR_ATTR_ENUM,
                                      .offset = offsetof(grid_sample_params, mode),
                                      .names = mode_names,
                                      .fallback = "bilinear"},
                                     {.name = "padding_mode",
                                      .kind = IR_ATTR_ENUM,
                                      .offset = offsetof(grid_sample_params, padding_mode),
                                      .names = padding_names,
                                      .fallback = "zeros"},
                                     {.name = NULL}};

#define PORT(text, var, set)                                                                                           \
  { .name = text, .type_var = var, .types = set, .rank_min = 4, .rank_max = 4 }

const ir_op ir_op_grid_sample_9 = {
    .dialect = IR_OPENVINO,
    .type = "GridSample",
    .version = 9,
    .spec = IR_SPEC_PAGE("image/grid-sample-9"),
    .params_size = sizeof(grid_sample_params),
    .attrs = attrs,
    .inputs = {PORT("data", "T", IR_SET_ANY), PORT("grid", "T1", IR_SET_FLOATS)},
    .outputs = {PORT("output", "T", IR_SET_ANY)},
    .infer = infer,
};
