/* Resample, Upsampling and Interp. Their output size comes from attributes, a second input, or else from the declared
 * output. */
#include "ops/legacy/legacy.h"

/* The factor of an Interpolate: sizes, or scales if `is_scales`. */
typedef struct target {
  ir_wire wire;
  bool is_scales;
} target;

/* Whether each of the last `n` declared dims is `factor` times that of the input. Only then a scale of f32 keeps the
 * rule for inputs of other sizes. */
static bool is_scaled(const ir_expansion *x, int n, double factor) {
  const int rank = ir_old_rank(x, 0);
  bool is = factor > 0 && (double)(float)factor == factor;
  for (int i = rank - n; i < rank; i++)
    is = is && (double)ir_old_dim(x, 0, i) * factor == (double)ir_old_output_dim(x, 0, i);
  return is;
}

/* The target of the last `n` axes. The second input has the sizes of these, or of all axes. */
static target target_of(ir_expansion *x, int n, double factor) {
  const int rank = ir_old_rank(x, 0);
  double scales[IR_MAX_RANK];
  int64_t sizes[IR_MAX_RANK];
  if (ir_has_old_input(x, 1))
    return (target){.wire = IR_NEW(x, "Slice", 8, ir_old_input_as_ints(x, 1), IR_NEW_INTS(x, -n),
                                   IR_NEW_INTS(x, INT64_MAX), IR_NEW_INTS(x, 1))};
  for (int i = 0; i < n; i++) {
    scales[i] = factor;
    sizes[i] = ir_old_output_dim(x, 0, rank - n + i);
  }
  if (is_scaled(x, n, factor))
    return (target){ir_new_floats(x, IR_F32, n, scales), true};
  return (target){.wire = ir_new_ints(x, n, sizes)};
}

/* Resizes the last `n` axes. */
static ir_wire resized(ir_expansion *x, ir_wire data, int n, target to, const char *mode, const char *coordinates) {
  int64_t axes[IR_MAX_RANK];
  for (int i = 0; i < n; i++)
    axes[i] = ir_old_rank(x, 0) - n + i;
  const ir_wire made = IR_NEW(x, "Interpolate", 11, data, to.wire, ir_new_ints(x, n, axes));
  ir_set_text(x, made, "mode", mode);
  ir_set_text(x, made, "shape_calculation_mode", to.is_scales ? "scales" : "sizes");
  ir_set_text(x, made, "coordinate_transformation_mode", coordinates);
  ir_set_text(x, made, "nearest_mode", "floor");
  return made;
}

/* ---- Resample and Upsampling ---- */

typedef struct resample_params {
  int type;
  double factor;
  bool antialias;
} resample_params;

static const char *const types[] = {"caffe.ResampleParameter.NEAREST", "caffe.ResampleParameter.LINEAR", NULL};
enum { NEAREST, LINEAR };

static const ir_attr_spec resample_attrs[] = {
    IR_LEGACY_ENUM("type", resample_params, type, types, .required = true),
    IR_LEGACY_FLOAT("factor", resample_params, factor, .fallback = "0"),
    IR_LEGACY_BOOL("antialias", resample_params, antialias, .fallback = "false"), IR_LEGACY_END};
static const ir_attr_spec upsampling_attrs[] = {IR_LEGACY_FLOAT("scale", resample_params, factor, .required = true),
                                                IR_LEGACY_END};

/* The nearest element is that at floor(o * in / out). The linear kernel has half-pixel centres. */
static void expand_resample(ir_expansion *x) {
  const resample_params *p = x->node->params;
  const int n = ir_old_rank(x, 0) - 2;
  if (n < 1) {
    ir_refuse_layer(x, "its input has no spatial axes");
    return;
  }
  const bool is_linear = p->type == LINEAR;
  const ir_wire made = resized(x, ir_old_input(x, 0), n, target_of(x, n, p->factor), is_linear ? "linear" : "nearest",
                               is_linear ? "half_pixel" : "asymmetric");
  if (is_linear)
    ir_set_bool(x, made, "antialias", p->antialias);
  ir_give_output(x, 0, made);
}

/* ---- Interp ---- */

typedef struct interp_params {
  int64_t height, width, pad_begin, pad_end;
  double factor, shrink, zoom;
  bool align_corners;
} interp_params;

static const ir_attr_spec interp_attrs[] = {
    IR_LEGACY_INT("height", interp_params, height, .fallback = "0"),
    IR_LEGACY_INT("width", interp_params, width, .fallback = "0"),
    IR_LEGACY_INT("pad_beg", interp_params, pad_begin, .fallback = "0"),
    IR_LEGACY_INT("pad_end", interp_params, pad_end, .fallback = "0"),
    IR_LEGACY_FLOAT("factor", interp_params, factor, .fallback = "0"),
    IR_LEGACY_FLOAT("shrink_factor", interp_params, shrink, .fallback = "0"),
    IR_LEGACY_FLOAT("zoom_factor", interp_params, zoom, .fallback = "0"),
    IR_LEGACY_BOOL("align_corners", interp_params, align_corners, .fallback = "true"),
    IR_LEGACY_END};

static double factor_of(const interp_params *p) {
  const double zoom = p->zoom != 0 ? p->zoom : p->factor;
  return p->shrink != 0 ? zoom / p->shrink : zoom;
}

/* A negative pad cuts rows and columns off. */
static ir_wire cropped(ir_expansion *x, const interp_params *p) {
  if (p->pad_begin == 0 && p->pad_end == 0)
    return ir_old_input(x, 0);
  const int64_t start = ir_times(p->pad_begin, -1), stop = p->pad_end == 0 ? INT64_MAX : p->pad_end;
  return IR_NEW(x, "Slice", 8, ir_old_input(x, 0), IR_NEW_INTS(x, start, start), IR_NEW_INTS(x, stop, stop),
                IR_NEW_INTS(x, 1, 1), IR_NEW_INTS(x, 2, 3));
}

/* Linear in the plane: with align_corners, the outer elements stay in place; without, o lies at o * in / out. */
static void expand_interp(ir_expansion *x) {
  const interp_params *p = x->node->params;
  if (ir_old_rank(x, 0) != 4 || p->pad_begin > 0 || p->pad_end > 0) {
    ir_refuse_layer(x, ir_old_rank(x, 0) != 4 ? "its input does not have 4 axes" : "pad_beg or pad_end is positive");
    return;
  }
  const bool is_cropped = p->pad_begin != 0 || p->pad_end != 0;
  const int64_t pads = ir_plus(p->pad_begin, p->pad_end);
  if (is_cropped && (pads <= -ir_old_dim(x, 0, 2) || pads <= -ir_old_dim(x, 0, 3))) {
    ir_refuse_layer(x, "pad_beg and pad_end leave nothing of its input");
    return;
  }
  const bool has_size = p->height > 0 || p->width > 0;
  const int64_t height = p->height > 0 ? p->height : ir_old_output_dim(x, 0, 2);
  const int64_t width = p->width > 0 ? p->width : ir_old_output_dim(x, 0, 3);
  const target to =
      !has_size ? target_of(x, 2, is_cropped ? 0 : factor_of(p)) : (target){.wire = IR_NEW_INTS(x, height, width)};
  const char *coordinates = p->align_corners ? "align_corners" : "asymmetric";
  ir_give_output(x, 0, resized(x, cropped(x, p), 2, to, "linear_onnx", coordinates));
}

#define INPUTS IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("sizes"))

IR_LEGACY_ROW(resample, "Resample", sizeof(resample_params), resample_attrs, INPUTS, IR_LEGACY_ONE_OUT,
              expand_resample);
IR_LEGACY_ROW(upsampling, "Upsampling", sizeof(resample_params), upsampling_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT,
              expand_resample);
IR_LEGACY_ROW(interp, "Interp", sizeof(interp_params), interp_attrs, INPUTS, IR_LEGACY_ONE_OUT, expand_interp);
