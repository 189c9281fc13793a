/* RGBtoNV12-17 and BGRtoNV12-17 convert pictures [N, H, W, 3] to a single plane [N, H * 3 / 2, W, 1], or to a luma
 * plane [N, H, W, 1] and a colour plane [N, H / 2, W / 2, 2]. H and W are even. The colours of four pixels are rounded
 * and clamped to [0, 255], then averaged, as in OpenVINO's reference. Page: operation-specs/image/rgb-to-nv12-17. */
#include "base/stop.h"
#include "ops/agree.h"
#include "ops/image/convert_color.h"
#include "ops/kernels/floats.h"
#include "ops/math/elementwise_infer.h"
#include <math.h>

typedef struct nv12_params {
  bool single_plane;
} nv12_params;

enum { LIGHT, COLOURS };
static const bool is_bgr = true, is_rgb = false; /* data of ir_op.family: whether input channels are in the order BGR */

/* Narrows an interval to its smallest and largest even size. */
static ir_dim even_sizes(ir_dim dim) {
  return (ir_dim){dim.lo + dim.lo % 2, dim.hi == IR_DIM_MAX ? dim.hi : dim.hi - dim.hi % 2};
}

static ir_dim half(ir_dim dim) {
  return (ir_dim){dim.lo / 2, dim.hi == IR_DIM_MAX ? dim.hi : dim.hi / 2};
}

/* Sets the output shapes. A single plane has H rows of luma and H / 2 rows of colours. */
static ir_code set_shapes(const ir_node *node, const ir_shape *picture, ir_value *out, ir_scope *scope) {
  const bool is_single = ((const nv12_params *)node->params)->single_plane;
  const ir_dim height = even_sizes(picture->dims[1]), width = even_sizes(picture->dims[2]);
  ir_shape *light = &out[LIGHT].shape;
  *light = *picture;
  light->dims[1] = height;
  light->dims[2] = width;
  light->dims[3] = ir_dim_of(1);
  if (!is_single) {
    ir_shape *colours = &out[COLOURS].shape;
    *colours = *picture;
    colours->dims[1] = half(height);
    colours->dims[2] = half(width);
    colours->dims[3] = ir_dim_of(2);
  } else if (!ir_add(height.lo, height.lo / 2, &light->dims[1].lo) ||
             (height.hi != IR_DIM_MAX && !ir_add(height.hi, height.hi / 2, &light->dims[1].hi))) {
    ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_node_where(scope, node),
              "the output's height, H * 3 / 2, does not fit 64 bits");
    ir_poison_outputs(node, out);
  }
  return IR_OK;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int n_outputs = ((const nv12_params *)node->params)->single_plane ? 1 : 2;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  bool fine = node->n_outputs == n_outputs;
  if (!fine)
    ir_report(scope->diags, IR110_PORT_COUNT_DIFFERS, ir_node_where(scope, node),
              "%s-%d with single_plane=\"%s\" has %d outputs, expected %d", node->op->type, node->op->version,
              n_outputs == 1 ? "true" : "false", node->n_outputs, n_outputs);
  ir_shape picture = in[0]->shape;
  if (picture.rank == IR_RANK_UNKNOWN)
    picture = ir_shape_of_rank(4);
  else {
    fine = ir_size_check(node, in, 0, 3, ir_dim_of(3), "C (channels)", scope) && fine;
    fine = ir_check_even(node, &picture, 1, scope) && fine;
    fine = ir_check_even(node, &picture, 2, scope) && fine;
  }
  if (!fine) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  for (int i = 0; i < n_outputs; i++)
    out[i].type = in[0]->type;
  return set_shapes(node, &picture, out, scope);
}

/* ---- running ---- */

/* light (luma) and colours are the outputs. An output that nothing reads is NULL. If the op has a single output plane,
 * light and colours are both this plane. */
typedef struct nv12_work {
  const ir_tensor *in, *light, *colours;
  bool is_bgr, is_single;
  ir_stop *stop;
} nv12_work;

/* Clamps x to [0, 255] and, if the type is an integer type, rounds it; ties go away from 0. */
static double held(double x, ir_type type) {
  const double color = ir_color_held(x);
  return (IR_SET(type) & IR_SET_FLOATS) != 0 ? color : round(color);
}

/* Returns the luma of a pixel, and adds its colours u and v to `sums`. The formula is that of ITU-R BT.601. */
static double take_point(const nv12_work *work, int64_t point, double sums[2]) {
  double rgb[3];
  for (int k = 0; k < 3; k++)
    rgb[work->is_bgr ? 2 - k : k] = ir_number_at(work->in, point * 3 + k);
  const ir_type type = work->in->type;
  sums[0] += held(-0.148 * rgb[0] - 0.291 * rgb[1] + 0.439 * rgb[2] + 128, type);
  sums[1] += held(0.439 * rgb[0] - 0.368 * rgb[1] - 0.071 * rgb[2] + 128, type);
  return held(0.257 * rgb[0] + 0.504 * rgb[1] + 0.098 * rgb[2] + 16, type);
}

/* Converts pairs of rows. In a pair, each square of four pixels shares its colours. */
static void make_rows(void *user, int64_t begin, int64_t end, int worker) {
  const nv12_work *work = user;
  int64_t since = 0;
  const int64_t height = work->in->dims[1], width = work->in->dims[2], pairs = height / 2;
  const bool is_single = work->is_single;
  for (int64_t pair = begin; pair < end; pair++) {
    const int64_t image = pair / pairs, row = pair % pairs;
    const int64_t lights_at = image * (is_single ? height / 2 * 3 : height) * width + 2 * row * width;
    const int64_t colours_at =
        is_single ? (image * pairs * 3 + height) * width + row * width : (image * pairs + row) * width;
    for (int64_t x = 0; x < width && !ir_stop_asked_after(work->stop, worker, 1, &since); x += 2) {
      double sums[2] = {0, 0};
      for (int64_t i = 0; i < 4; i++) {
        const int64_t in_row = i / 2 * width + x + i % 2;
        const double light = take_point(work, (image * height + 2 * row) * width + in_row, sums);
        if (work->light != NULL)
          ir_floats_store(work->light, lights_at + in_row, &light, 1);
      }
      for (int k = 0; k < 2; k++)
        sums[k] = held(sums[k] / 4, work->in->type);
      if (work->colours != NULL)
        ir_floats_store(work->colours, colours_at + x, sums, 2);
    }
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const bool is_single = step->n_out == 1;
  nv12_work work = {in[0],     out[LIGHT], out[is_single ? LIGHT : COLOURS], *(const bool *)step->state,
                    is_single, exec->stop};
  if (ir_tensor_elements(in[0]) > 0)
    exec->share(exec, in[0]->dims[0] * (in[0]->dims[1] / 2), 2 * (int64_t)in[0]->bytes, make_rows, &work);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "convert_color_to_nv12", .isa = "any", .run = run};
  (void)in, (void)scope;
  return ir_plan_step(plan, node, &kernel, node->op->family, 0);
}

/* ---- rows of the op table ---- */

static const ir_attr_spec attrs[] = {
    {.name = "single_plane", .kind = IR_ATTR_BOOL, .offset = offsetof(nv12_params, single_plane), .fallback = "true"},
    {.name = NULL}};

#define PLANE(text, repeats)                                                                                           \
  {                                                                                                                    \
    .name = text, .type_var = "T", .types = IR_SET_FLOATS | IR_SET(IR_U8), .rank_min = 4, .rank_max = 4,               \
    .variadic = repeats                                                                                                \
  }
#define TO_NV12(text, page, order)                                                                                     \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = text, .version = 17, .spec = IR_SPEC_PAGE("image/" page), .family = &order,        \
    .params_size = sizeof(nv12_params), .attrs = attrs, .infer = infer, .run = {IR_RUN_PREPARED, .prepare = prepare},  \
    .cost = ir_elementwise_cost, .inputs = IR_PORTS(PLANE("image", false)),                                            \
    .outputs = IR_PORTS(PLANE("y", false), PLANE("uv", true))                                                          \
  }

const ir_op ir_op_bgr_to_nv12_17 = TO_NV12("BGRtoNV12", "bgr-to-nv12-17", is_bgr);
const ir_op ir_op_rgb_to_nv12_17 = TO_NV12("RGBtoNV12", "rgb-to-nv12-17", is_rgb);
