/* ExtractImagePatches-3: patches of an image in its channels. Col2Im-15: an image put together from columns, each of
 * one patch. */
#include "ops/agree.h"
#include "ops/axes.h"
#include "ops/bind.h"
#include "ops/movement/movement.h"

enum { N_SPATIAL = 2 };

typedef struct patches_params {
  ir_ints sizes, strides, rates;
  int auto_pad;
  ir_ints dilations, pads_begin, pads_end;
} patches_params;

/* ---- ExtractImagePatches ---- */

enum { PAD_VALID, PAD_SAME_UPPER, PAD_SAME_LOWER };

/* Patches along a dim of one size. */
static int64_t patches_in(const patches_params *params, int axis, int64_t size) {
  const int64_t stride = params->strides.items[axis];
  int64_t reach;
  if (params->auto_pad != PAD_VALID)
    return ir_ceil_div(size, stride);
  if (!ir_mul(params->sizes.items[axis] - 1, params->rates.items[axis], &reach) || reach >= size)
    return 0;
  return (size - reach - 1) / stride + 1;
}

static ir_code infer_extract(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  const patches_params *params = node->params;
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->shape = in[0]->shape.rank == IR_RANK_UNKNOWN ? ir_shape_of_rank(N_SPATIAL + 2) : in[0]->shape;
  ir_dim *dims = out->shape.dims;
  for (int i = 0; i < N_SPATIAL; i++) {
    const ir_dim dim = dims[i + 2];
    dims[1] = ir_size_of_part(ir_part_multiply(dims[1], ir_dim_of(params->sizes.items[i])));
    dims[i + 2] =
        (ir_dim){patches_in(params, i, dim.lo), dim.hi == IR_DIM_MAX ? IR_DIM_MAX : patches_in(params, i, dim.hi)};
  }
  return IR_OK;
}

/* ---- Col2Im ---- */

/* Lists of two. */
static bool check_lists(const ir_node *node, ir_scope *scope) {
  const patches_params *params = node->params;
  const ir_ints lists[] = {params->strides, params->dilations, params->pads_begin, params->pads_end};
  static const char *const names[] = {"strides", "dilations", "pads_begin", "pads_end"};
  for (int i = 0; i < 4; i++)
    if (lists[i].n != N_SPATIAL) {
      ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, ir_attr_where(scope, node, names[i]),
                "'%s' has %lld value%s, expected 2: an image has two spatial axes", names[i], (long long)lists[i].n,
                lists[i].n == 1 ? "" : "s");
      return false;
    }
  return true;
}

static bool is_pair(const ir_node *node, int port, const ir_value *value, ir_scope *scope) {
  char text[IR_DIM_TEXT];
  const ir_dim count = ir_axes_count(value);
  if (ir_dims_meet(count, ir_dim_of(N_SPATIAL)))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' holds %s sizes, expected 2: an image has two spatial axes", ir_op_input(node->op, port)->name,
            ir_dim_text(count, text, sizeof text));
  return false;
}

/* Patches of the image; false when one of the sizes is not known. */
static bool count_patches(const patches_params *params, const ir_value *const *in, int64_t *out) {
  *out = 1;
  for (int i = 0; i < N_SPATIAL; i++) {
    const ir_dim image = ir_part_at(in[1], i), kernel = ir_part_at(in[2], i);
    int64_t padded, reach;
    if (!ir_dim_known(image) || !ir_dim_known(kernel) || image.lo < 0 || kernel.lo < 1 ||
        !ir_add(image.lo, params->pads_begin.items[i], &padded) ||
        !ir_add(padded, params->pads_end.items[i], &padded) ||
        !ir_mul(params->dilations.items[i], kernel.lo - 1, &reach) || !ir_add(reach, 1, &reach))
      return false;
    const int64_t n = padded < reach ? 0 : (padded - reach) / params->strides.items[i] + 1;
    if (!ir_mul(*out, n, out))
      return false;
  }
  return true;
}

/* Channels, and as many columns as there are patches. */
static bool fit_columns(const ir_node *node, const ir_value *const *in, ir_dim *channels, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  const ir_dim rows = shape->dims[shape->rank - 2], columns = shape->dims[shape->rank - 1];
  char text[IR_SHAPE_TEXT];
  int64_t n;
  const ir_dim patch = ir_size_of_part(ir_part_multiply(ir_part_at(in[2], 0), ir_part_at(in[2], 1)));
  *channels = ir_dim_any();
  if (ir_dim_known(patch) && patch.lo > 0) {
    *channels = (ir_dim){ir_ceil_div(rows.lo, patch.lo), rows.hi == IR_DIM_MAX ? rows.hi : rows.hi / patch.lo};
    if (channels->lo > channels->hi) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, shape->rank - 2),
                "the columns of %s are no multiple of %lld, the elements of a patch",
                ir_shape_text(shape, text, sizeof text), (long long)patch.lo);
      return false;
    }
  }
  if (!count_patches(node->params, in, &n) || ir_dims_meet(columns, ir_dim_of(n)))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, shape->rank - 1),
            "the image has %lld patches; 'data' is %s, with its columns on the last axis", (long long)n,
            ir_shape_text(shape, text, sizeof text));
  return false;
}

static ir_code infer_col2im(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  ir_dim channels;
  for (const ir_attr_spec *spec = node->op->attrs; spec->name != NULL; spec++)
    ir_warn_of_default(node, spec->name, spec->fallback, "refused", scope);
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->unknown = !check_lists(node, scope) || !is_pair(node, 1, in[1], scope) || !is_pair(node, 2, in[2], scope) ||
                 !ir_elements_check(node, in, 1, 0, scope) || !ir_elements_check(node, in, 2, 1, scope);
  if (out->unknown || shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->unknown = !fit_columns(node, in, &channels, scope);
  out->shape.rank = 0;
  if (shape->rank == N_SPATIAL + 1)
    out->shape.dims[out->shape.rank++] = shape->dims[0];
  out->shape.dims[out->shape.rank++] = channels;
  for (int i = 0; i < N_SPATIAL; i++)
    out->shape.dims[out->shape.rank++] = ir_has_parts(in[1]) ? ir_size_of_part(ir_part_at(in[1], i)) : ir_dim_any();
  return IR_OK;
}

/* ---- the rows ---- */

static const char *const pads[] = {"valid", "same_upper", "same_lower", NULL};

#define SPATIAL(field)                                                                                                 \
  {                                                                                                                    \
    .name = #field, .kind = IR_ATTR_INT, .count = IR_COUNT_SPATIAL, .offset = offsetof(patches_params, field),         \
    .min = 1, .max = INT64_MAX, .required = true                                                                       \
  }
#define PAIR(field, least, absent)                                                                                     \
  {                                                                                                                    \
    .name = #field, .kind = IR_ATTR_INT, .count = IR_COUNT_ANY, .offset = offsetof(patches_params, field),             \
    .min = least, .max = INT32_MAX, .fallback = absent                                                                 \
  }

static const ir_attr_spec extract_attrs[] = {SPATIAL(sizes),
                                             SPATIAL(strides),
                                             SPATIAL(rates),
                                             {.name = "auto_pad",
                                              .kind = IR_ATTR_ENUM,
                                              .offset = offsetof(patches_params, auto_pad),
                                              .names = pads,
                                              .required = true},
                                             {.name = NULL}};
static const ir_attr_spec col2im_attrs[] = {PAIR(strides, 1, "1,1"),
                                            PAIR(dilations, 1, "1,1"),
                                            PAIR(pads_begin, 0, "0,0"),
                                            PAIR(pads_end, 0, "0,0"),
                                            {.name = NULL}};

#define PORT(port, least, most)                                                                                        \
  { .name = port, .type_var = "T", .types = IR_SET_STORED, .rank_min = least, .rank_max = most }

const ir_op ir_op_extract_image_patches_3 = {
    .dialect = IR_OPENVINO,
    .type = "ExtractImagePatches",
    .version = 3,
    .spec = IR_SPEC_PAGE("movement/extract-image-patches-3"),
    .params_size = sizeof(patches_params),
    .attrs = extract_attrs,
    .inputs = {PORT("data", 4, 4)},
    .outputs = {PORT("output", 4, 4)},
    .infer = infer_extract,
};

const ir_op ir_op_col2im_15 = {
    .dialect = IR_OPENVINO,
    .type = "Col2Im",
    .version = 15,
    .spec = IR_SPEC_PAGE("movement/col2im-15"),
    .params_size = sizeof(patches_params),
    .attrs = col2im_attrs,
    .inputs = {PORT("data", 2, 3),
               {IR_INDEX_NUMBERS("output_size", "T_IND", 1, 1), .contents = true},
               {IR_INDEX_NUMBERS("kernel_size", "T_IND", 1, 1), .contents = true}},
    .outputs = {PORT("output", 3, 4)},
    .infer = infer_col2im,
};
