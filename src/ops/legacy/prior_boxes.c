/* PriorBox and PriorBoxClustered. Their inputs are a feature map and an image, of which they read only the sizes. The
 * output is [1, 2, N], and that of the ops [2, N]. */
#include "ops/legacy/legacy.h"

/* Height and width of input i, as i64 [2]. */
static ir_wire size_of(ir_expansion *x, int32_t i) {
  return IR_NEW(x, "Gather", 1, IR_NEW(x, "ShapeOf", 1, ir_old_input(x, i)), IR_NEW_INTS(x, 2, 3), ir_new_int(x, 0));
}

static void give_boxes(ir_expansion *x, ir_wire boxes) {
  const ir_type type = ir_old_output_type(x, 0);
  ir_give_output(x, 0, ir_new_unsqueeze(x, ir_new_convert(x, boxes, IR_F32, type), 0));
}

/* ---- PriorBox ---- */

typedef struct params {
  ir_floats min_size, max_size, aspect_ratio;
  bool scale_all_sizes;
} params;

static const ir_attr_spec attrs[] = {
    IR_LEGACY_FLOATS("min_size", params, min_size),
    IR_LEGACY_FLOATS("max_size", params, max_size),
    IR_LEGACY_FLOATS("aspect_ratio", params, aspect_ratio),
    IR_LEGACY_BOOL("scale_all_sizes", params, scale_all_sizes, .fallback = "true"),
    IR_LEGACY_TEXT("flip"),
    IR_LEGACY_TEXT("clip"),
    IR_LEGACY_TEXT("step"),
    IR_LEGACY_TEXT("offset"),
    IR_LEGACY_TEXT("variance"),
    IR_LEGACY_TEXT("density"),
    IR_LEGACY_TEXT("fixed_ratio"),
    IR_LEGACY_TEXT("fixed_size"),
    IR_LEGACY_END,
};

/* Boxes of the given sizes and ratios, [2, N]. */
static ir_wire boxes_of(ir_expansion *x, ir_floats min_size, ir_floats max_size, ir_floats aspect_ratio) {
  const ir_wire made = IR_NEW(x, "PriorBox", 1, size_of(x, 0), size_of(x, 1));
  ir_set_floats(x, made, "min_size", min_size);
  ir_set_floats(x, made, "max_size", max_size);
  ir_set_floats(x, made, "aspect_ratio", aspect_ratio);
  ir_copy_attributes(x, made);
  return made;
}

/* Without scale_all_sizes, the ratios apply to the first size only, and their boxes follow those of all sizes. The op
 * takes such sizes as parts of the image. So one op makes the boxes of the sizes, and another those of the ratios. */
static ir_wire boxes_of_first_ratios(ir_expansion *x) {
  const params *p = x->node->params;
  const int64_t n_points = ir_times(ir_old_dim(x, 0, 2), ir_old_dim(x, 0, 3));
  const int64_t n = n_points == 0 ? 0 : ir_old_output_dim(x, 0, 2) / 4 / n_points;
  const int64_t n_sizes = p->min_size.n + p->max_size.n, n_ratios = n - n_sizes + 1;
  const ir_floats first = {p->min_size.items, 1}, none = {NULL, 0};
  const ir_wire sizes =
      ir_new_reshape(x, boxes_of(x, p->min_size, p->max_size, none), 3, (int64_t[]){2, -1, 4 * n_sizes});
  const ir_wire ratios =
      ir_new_reshape(x, boxes_of(x, first, none, p->aspect_ratio), 3, (int64_t[]){2, -1, 4 * n_ratios});
  const ir_wire rest =
      IR_NEW(x, "Slice", 8, ratios, IR_NEW_INTS(x, 4), IR_NEW_INTS(x, INT64_MAX), IR_NEW_INTS(x, 1), IR_NEW_INTS(x, 2));
  const ir_wire all = IR_NEW(x, "Concat", 1, sizes, rest);
  ir_set_int(x, all, "axis", 2);
  return ir_new_reshape(x, all, 2, (int64_t[]){2, -1});
}

static void expand_prior_box(ir_expansion *x) {
  const params *p = x->node->params;
  if (p->scale_all_sizes || p->min_size.n < 2 || p->aspect_ratio.n == 0)
    give_boxes(x, boxes_of(x, p->min_size, p->max_size, p->aspect_ratio));
  else
    give_boxes(x, boxes_of_first_ratios(x));
}

/* ---- PriorBoxClustered ---- */

typedef struct clustered_params {
  int64_t img_h, img_w; /* 0: the image's */
} clustered_params;

static const ir_attr_spec clustered_attrs[] = {
    IR_LEGACY_INT("img_h", clustered_params, img_h, .fallback = "0"),
    IR_LEGACY_INT("img_w", clustered_params, img_w, .fallback = "0"),
    IR_LEGACY_TEXT("width"),
    IR_LEGACY_TEXT("height"),
    IR_LEGACY_TEXT("clip", .required = true),
    IR_LEGACY_TEXT("step"),
    IR_LEGACY_TEXT("step_h"),
    IR_LEGACY_TEXT("step_w"),
    IR_LEGACY_TEXT("offset"),
    IR_LEGACY_TEXT("variance"),
    IR_LEGACY_END,
};

static void expand_clustered(ir_expansion *x) {
  const clustered_params *p = x->node->params;
  const int64_t height = p->img_h != 0 ? p->img_h : ir_old_dim(x, 1, 2);
  const int64_t width = p->img_w != 0 ? p->img_w : ir_old_dim(x, 1, 3);
  const bool is_stated = p->img_h != 0 || p->img_w != 0;
  const ir_wire image = is_stated ? IR_NEW_INTS(x, height, width) : size_of(x, 1);
  const ir_wire made = IR_NEW(x, "PriorBoxClustered", 1, size_of(x, 0), image);
  ir_copy_attributes(x, made);
  give_boxes(x, made);
}

#define INPUTS IR_PORTS(IR_LEGACY_PORT("map"), IR_LEGACY_PORT("image"))

IR_LEGACY_ROW(prior_box, "PriorBox", sizeof(params), attrs, INPUTS, IR_LEGACY_ONE_OUT, expand_prior_box);
IR_LEGACY_ROW(prior_box_clustered, "PriorBoxClustered", sizeof(clustered_params), clustered_attrs, INPUTS,
              IR_LEGACY_ONE_OUT, expand_clustered);
