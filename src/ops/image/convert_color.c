/* NV12toBGR-8, NV12toRGB-8, I420toBGR-8 and I420toRGB-8 output pictures [N, H, W, 3]. Inputs are a single plane
 * [N, H * 3 / 2, W, 1], or a luma plane [N, H, W, 1] and colour planes of half the height and width: one plane with two
 * channels (NV12), or two planes with one channel (I420). Pages: operation-specs/image. */
#include "ops/image/convert_color.h"
#include "base/stop.h"
#include "ops/kernels/floats.h"
#include "ops/math/elementwise_infer.h"

/* Chroma planes, if they are inputs of their own, after the Y plane: n planes of `channels` channels. is_bgr: order of
 * the output's channels. ir_op.family points here. */
typedef struct color_planes {
  int n, channels;
  bool is_bgr;
} color_planes;
static const color_planes nv12_rgb = {1, 2, false}, i420_rgb = {2, 1, false};
static const color_planes nv12_bgr = {1, 2, true}, i420_bgr = {2, 1, true};

static bool check_channels(const ir_node *node, const ir_value *const *in, int port, int channels, ir_scope *scope) {
  const ir_shape *shape = &in[port]->shape;
  char text[IR_DIM_TEXT];
  if (shape->rank == IR_RANK_UNKNOWN || ir_dims_meet(shape->dims[3], ir_dim_of(channels)))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, 3),
            "C (channels) of '%s' is %s, expected %d", node->op->inputs[port].name,
            ir_dim_text(shape->dims[3], text, sizeof text), channels);
  return false;
}

/* Replaces the single plane's height by the picture's, which is two thirds of it. Reports a height that is no multiple
 * of 3. */
static bool picture_height(const ir_node *node, ir_dim *height, ir_scope *scope) {
  const ir_dim plane = *height;
  height->lo = plane.lo - plane.lo / 3;
  height->hi = plane.hi == IR_DIM_MAX ? IR_DIM_MAX : plane.hi - ir_ceil_div(plane.hi, 3);
  if (height->lo <= height->hi)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, 1),
            "the height %lld cannot be divided by 3: one plane is half as high again as its picture",
            (long long)plane.lo);
  return false;
}

static bool join_plane(const ir_node *node, const ir_value *const *in, int port, ir_shape *out, ir_scope *scope) {
  static const char *const names[] = {"N (batch)", "the height", "the width"};
  const ir_shape *shape = &in[port]->shape;
  for (int i = 0; shape->rank != IR_RANK_UNKNOWN && i < 3; i++) {
    const ir_dim dim = i == 0 ? shape->dims[0] : ir_dims_product(shape->dims[i], ir_dim_of(2));
    if (ir_dims_meet(dim, out->dims[i])) {
      out->dims[i] = ir_dims_common(dim, out->dims[i]);
      continue;
    }
    char dims[2][IR_DIM_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, i),
              "%s of '%s' is %s; expected %s%s", names[i], node->op->inputs[port].name,
              ir_dim_text(shape->dims[i], dims[0], sizeof dims[0]), i == 0 ? "" : "half of ",
              ir_dim_text(out->dims[i], dims[1], sizeof dims[1]));
    return false;
  }
  return true;
}

bool ir_check_even(const ir_node *node, const ir_shape *picture, int axis, ir_scope *scope) {
  const ir_dim dim = picture->dims[axis];
  if (dim.lo < dim.hi || dim.lo % 2 == 0)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, axis),
            "the picture's %s is %lld, expected an even number", axis == 1 ? "height" : "width", (long long)dim.lo);
  return false;
}

static bool check_count(const ir_node *node, const color_planes *planes, ir_scope *scope) {
  if (node->n_inputs == 1 || node->n_inputs == 1 + planes->n)
    return true;
  ir_report(scope->diags, IR110_PORT_COUNT_DIFFERS, ir_node_where(scope, node), "%s-%d has %d inputs, expected 1 or %d",
            node->op->type, node->op->version, node->n_inputs, 1 + planes->n);
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const color_planes *planes = node->op->family;
  out->type = in[0]->type;
  out->poisoned = !check_count(node, planes, scope);
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  if (out->poisoned)
    return IR_OK;
  out->shape = in[0]->shape.rank == IR_RANK_UNKNOWN ? ir_shape_of_rank(4) : in[0]->shape;
  bool fine = check_channels(node, in, 0, 1, scope);
  if (node->n_inputs == 1)
    fine = picture_height(node, &out->shape.dims[1], scope) && fine;
  for (int port = 1; port < node->n_inputs; port++) {
    fine = check_channels(node, in, port, planes->channels, scope) && fine;
    fine = join_plane(node, in, port, &out->shape, scope) && fine;
  }
  for (int axis = 1; axis <= 2 && fine; axis++)
    fine = ir_check_even(node, &out->shape, axis, scope);
  out->shape.dims[3] = ir_dim_of(3);
  out->poisoned = !fine;
  return IR_OK;
}

/* ---- running ---- */

typedef struct color_work {
  const color_planes *planes;
  const ir_tensor *const *in;
  int32_t n_in;
  const ir_tensor *out;
  ir_stop *stop;
} color_work;

/* Returns the colour u (k = 0) or v (k = 1) of pixel (y, x). A square of four pixels shares one colour, which lies in
 * a separate colour plane or, if there is a single plane, after the luma. */
static double color_at(const color_work *work, int k, int64_t image, int64_t y, int64_t x) {
  const bool is_pair = work->planes->channels == 2;
  const int64_t height = work->out->dims[1], width = work->out->dims[2], quarter = height / 2 * (width / 2);
  const int64_t square = y / 2 * (width / 2) + x / 2, at = is_pair ? 2 * square + k : square;
  if (work->n_in > 1)
    return ir_number_at(work->in[is_pair ? 1 : 1 + k], image * quarter * (is_pair ? 2 : 1) + at);
  return ir_number_at(work->in[0], (image * height * 3 / 2 + height) * width + (is_pair ? 0 : k * quarter) + at);
}

/* Converts rows of pixels by the formula of ITU-R BT.601. */
static void make_rows(void *user, int64_t begin, int64_t end, int worker) {
  const color_work *work = user;
  const int64_t height = work->out->dims[1], width = work->out->dims[2];
  const int64_t plane = (work->n_in > 1 ? height : height * 3 / 2) * width;
  int64_t since = 0;
  for (int64_t row = begin; row < end; row++)
    for (int64_t x = 0; x < width && !ir_stop_asked_after(work->stop, worker, 1, &since); x++) {
      const int64_t image = row / height, y = row % height;
      const double light = 1.164 * (ir_number_at(work->in[0], image * plane + y * width + x) - 16);
      const double u = color_at(work, 0, image, y, x) - 128, v = color_at(work, 1, image, y, x) - 128;
      const double rgb[3] = {light + 1.596 * v, light - 0.391 * u - 0.813 * v, light + 2.018 * u};
      double color[3];
      for (int k = 0; k < 3; k++)
        color[k] = ir_rounded(ir_color_held(rgb[work->planes->is_bgr ? 2 - k : k]), work->out->type);
      ir_floats_store(work->out, (row * width + x) * 3, color, 3);
    }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  color_work work = {step->state, in, step->n_in, out[0], exec->stop};
  if (ir_tensor_elements(out[0]) > 0)
    exec->share(exec, out[0]->dims[0] * out[0]->dims[1], 2 * (int64_t)out[0]->bytes, make_rows, &work);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "convert_color", .isa = "any", .run = run};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in, (void)scope;
  return ir_plan_step(plan, node, &kernel, node->op->family, 0);
}

/* ---- rows of the op table ---- */

#define TYPES (IR_SET_FLOATS | IR_SET(IR_U8))
#define PLANE(text, left_out)                                                                                          \
  { .name = text, .type_var = "T", .types = TYPES, .rank_min = 4, .rank_max = 4, .optional = left_out }
#define COLOR(text, page, planes, ...)                                                                                 \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = text, .version = 8, .spec = IR_SPEC_PAGE("image/" page), .family = &planes,        \
    .infer = infer, .run = {IR_RUN_PREPARED, .prepare = prepare}, .cost = ir_elementwise_cost,                         \
    .inputs = IR_PORTS(__VA_ARGS__), .outputs = IR_PORTS(PLANE("output", false))                                       \
  }
#define NV12(text, page, planes) COLOR(text, page, planes, PLANE("y", false), PLANE("uv", true))
#define I420(text, page, planes) COLOR(text, page, planes, PLANE("y", false), PLANE("u", true), PLANE("v", true))

const ir_op ir_op_nv12_to_bgr_8 = NV12("NV12toBGR", "nv12-to-bgr-8", nv12_bgr);
const ir_op ir_op_nv12_to_rgb_8 = NV12("NV12toRGB", "nv12-to-rgb-8", nv12_rgb);
const ir_op ir_op_i420_to_bgr_8 = I420("I420toBGR", "i420-to-bgr-8", i420_bgr);
const ir_op ir_op_i420_to_rgb_8 = I420("I420toRGB", "i420-to-rgb-8", i420_rgb);
