#include "base/stop.h"
#include "ops/detection/roi_max.h"
#include "ops/detection/roi_pooling.h"
#include "ops/detection/roi_samples.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/plane_taps.h"
#include "ops/kernels/strided_copy.h"
#include <float.h>
#include <math.h>

typedef struct roi_state {
  const ir_roi_params *params;
  ir_roi_bins *bins;
  bool batch_is_column, is_channels_last;
  ir_index_input batches; /* where to report an invalid image index */
} roi_state;

struct ir_roi_call {
  const ir_roi_params *params;
  const ir_tensor *map, *rois, *batches, *offsets; /* batches, offsets: NULL if absent */
  const ir_tensor *out;
  bool is_channels_last; /* layout of the map */
  int64_t n_rois;        /* regions before the end of the list; the outputs of later regions are 0 */
  ir_roi_bins *bins;
  ir_stop *stop;
  int worker;
  const ir_exec *exec;
  void *scratch; /* of the worker */
};

/* ---- helpers ---- */

/* Reads number `i` of region `roi`. */
static double number_of(const ir_roi_call *call, int64_t roi, int i) {
  return ir_float_at(call->rois, roi * call->rois->dims[1] + i);
}

static int64_t image_of(const ir_roi_call *call, int64_t roi) {
  return call->batches != NULL ? ir_index_at(call->batches, roi) : (int64_t)number_of(call, roi, 0);
}

static ir_plane plane_of(const ir_tensor *map, int64_t image, int64_t channel) {
  const int64_t height = map->dims[2], width = map->dims[3];
  return (ir_plane){map, (image * map->dims[1] + channel) * height * width, height, width};
}

/* Returns the output element of bin (row, column) of a region, for one output channel. */
typedef double bin_of(const ir_roi_call *call, const void *region, int64_t channel, int64_t row, int64_t column);

/* Calls `bin` for all channels and bins of a region. */
static void make_bins(const ir_roi_call *call, int64_t roi, const void *region, bin_of *bin) {
  const ir_tensor *out = call->out;
  int64_t at = roi * out->dims[1] * out->dims[2] * out->dims[3];
  for (int64_t c = 0; c < out->dims[1]; c++)
    for (int64_t row = 0; row < out->dims[2] && !ir_stop_asked_of(call->stop, call->worker); row++)
      for (int64_t column = 0; column < out->dims[3]; column++) {
        const double value = bin(call, region, c, row, column);
        ir_floats_store(out, at++, &value, 1);
      }
}

static int64_t inside(float place, int64_t n) {
  return !(place > 0) ? 0 : place < (float)n ? (int64_t)place : n;
}

/* Returns the elements in bin `i` on an axis of n elements. Bins begin at `start`; their size is `bin`. Single
 * precision, as in OpenVINO. */
static ir_bin span_of(float start, float bin, int64_t i, int64_t n) {
  return (ir_bin){inside(floorf((float)i * bin + start), n), inside(ceilf((float)(i + 1) * bin + start), n)};
}

/* Region `roi`; coordinates and sizes are in elements of the feature map. */
typedef struct region {
  int64_t roi, image;
  float x, y, width, height;
} region;

static bool is_outside(const ir_tensor *map, double y, double x) {
  return !(y >= 0 && y <= (double)(map->dims[2] - 1) && x >= 0 && x <= (double)(map->dims[3] - 1));
}

/* ---- bins of samples ---- */

/* Computes all channels of region `roi`: the samples of channel c lie in plane c * planes, or further. */
static void pool_sampled(const ir_roi_call *call, int64_t roi, ir_roi_sampled *of) {
  const ir_tensor *out = call->out;
  of->map = call->map;
  of->out = out;
  of->first_out = roi * out->dims[1] * out->dims[2] * out->dims[3];
  of->first_plane = image_of(call, roi) * call->map->dims[1];
  of->n_rows = out->dims[2];
  of->n_columns = out->dims[3];
  of->stop = call->stop;
  of->worker = call->worker;
  if (of->behind == 0)
    of->behind = out->dims[1];
  ir_roi_pool_samples(of, call->scratch);
}

/* ---- ROIPooling ---- */

/* Bin `i` of `n` on an axis of `size` elements of a region, which has `length` elements from `start` on. `start` is an
 * integer, so it is added after floor and ceil, and not before as in span_of. */
static ir_bin max_span(float start, float length, int64_t i, int64_t n, int64_t size) {
  const float bin = length / (float)n;
  return (ir_bin){inside(floorf((float)i * bin) + start, size), inside(ceilf((float)(i + 1) * bin) + start, size)};
}

void ir_roi_pool_max(const ir_roi_call *call, int64_t roi) {
  const float scale = (float)call->params->spatial_scale;
  const int64_t *map = call->map->dims, *out = call->out->dims, image = image_of(call, roi);
  float corner[4];
  for (int i = 0; i < 4; i++)
    corner[i] = roundf((float)number_of(call, roi, i + 1) * scale);
  const float width = fmaxf(corner[2] - corner[0] + 1, 1), height = fmaxf(corner[3] - corner[1] + 1, 1);
  for (int64_t row = 0; row < out[2] && !ir_stop_asked_of(call->stop, call->worker); row++) {
    const ir_bin ys = max_span(corner[1], height, row, out[2], map[2]);
    for (int64_t column = 0, n; column < out[3]; column += n) {
      ir_bin xs[IR_ROI_MAX_BINS];
      double values[IR_ROI_MAX_BINS];
      n = out[3] - column < IR_ROI_MAX_BINS ? out[3] - column : IR_ROI_MAX_BINS;
      for (int64_t i = 0; i < n; i++)
        xs[i] = max_span(corner[0], width, column + i, out[3], map[3]);
      for (int64_t c = 0; c < out[1]; c++) {
        const ir_plane plane = plane_of(call->map, image, c);
        ir_roi_max_of_bins(&plane, ys, xs, n, values);
        ir_floats_store(call->out, ((roi * out[1] + c) * out[2] + row) * out[3] + column, values, n);
      }
    }
  }
}

/* Position of bin i of n on an axis of `size` elements, in elements. Each bin is a single point: the first lies at the
 * region's `start`, the last at its `end`; if n is 1, the bin lies in the middle. `start` and `end` are fractions of
 * size - 1. */
static double point_of(double start, double end, int64_t i, int64_t n, int64_t size) {
  const double last = (double)(size - 1);
  if (n == 1)
    return (start + end) / 2 * last;
  return i == n - 1 ? end * last : start * last + (double)i * (end - start) * last / (double)(n - 1);
}

/* A region with corners that are fractions of the map's size. */
typedef struct relative_region {
  const ir_roi_params *params;
  double x0, y0, x1, y1;
} relative_region;

static bool find_point(const ir_roi_sampled *of, int64_t row, int64_t column, int64_t sample, ir_roi_place *out) {
  (void)sample;
  const relative_region *r = of->user;
  out->y = point_of(r->y0, r->y1, row, of->n_rows, of->map->dims[2]);
  out->x = point_of(r->x0, r->x1, column, of->n_columns, of->map->dims[3]);
  return !is_outside(of->map, out->y, out->x);
}

void ir_roi_pool_bilinear(const ir_roi_call *call, int64_t roi) {
  const relative_region r = {call->params, number_of(call, roi, 1), number_of(call, roi, 2), number_of(call, roi, 3),
                             number_of(call, roi, 4)};
  pool_sampled(call, roi, &(ir_roi_sampled){.user = &r, .planes = 1, .n_samples = 1, .find = find_point});
}

/* ---- PSROIPooling ---- */

static double average_bin(const ir_roi_call *call, const void *user, int64_t c, int64_t row, int64_t column) {
  const region *r = user;
  const int64_t group = call->params->group_size;
  const ir_plane plane = plane_of(call->map, r->image, (c * group + row) * group + column);
  const ir_bin ys = span_of(r->y, r->height / (float)group, row, plane.height);
  const ir_bin xs = span_of(r->x, r->width / (float)group, column, plane.width);
  double sum = 0;
  if (ys.first >= ys.behind || xs.first >= xs.behind)
    return 0;
  for (int64_t y = ys.first; y < ys.behind; y++)
    for (int64_t x = xs.first; x < xs.behind; x++)
      sum += ir_plane_at(&plane, y, x);
  return sum / (double)((ys.behind - ys.first) * (xs.behind - xs.first));
}

/* Returns region `roi` with corners rounded to whole pixels, scaled to the feature map, then moved by -shift. The last
 * pixel belongs to the region. Width and height are at least 0.1. */
static region whole_region(const ir_roi_call *call, int64_t roi, float shift) {
  const float scale = (float)call->params->spatial_scale;
  float corner[4];
  for (int i = 0; i < 4; i++)
    corner[i] = (roundf((float)number_of(call, roi, i + 1)) + (i < 2 ? 0 : 1)) * scale - shift;
  return (region){roi,
                  image_of(call, roi),
                  corner[0],
                  corner[1],
                  fmaxf(corner[2] - corner[0], 0.1f),
                  fmaxf(corner[3] - corner[1], 0.1f)};
}

void ir_roi_average(const ir_roi_call *call, int64_t roi) {
  const region r = whole_region(call, roi, 0);
  make_bins(call, roi, &r, average_bin);
}

/* The region is divided into spatial_bins_y x spatial_bins_x parts, and each part has its own channels. A bin is the
 * mean over the parts of the sample at point (row, column) of the part. */
static bool find_part(const ir_roi_sampled *of, int64_t row, int64_t column, int64_t sample, ir_roi_place *out) {
  const relative_region *r = of->user;
  const ir_roi_params *params = r->params;
  const double width = (r->x1 - r->x0) / (double)params->spatial_bins_x;
  const double height = (r->y1 - r->y0) / (double)params->spatial_bins_y;
  const double y = r->y0 + (double)(sample / params->spatial_bins_x) * height;
  const double x = r->x0 + (double)(sample % params->spatial_bins_x) * width;
  out->at = sample * params->output_dim * of->map->dims[2] * of->map->dims[3];
  out->y = point_of(y, y + height, row, params->group_size, of->map->dims[2]);
  out->x = point_of(x, x + width, column, params->group_size, of->map->dims[3]);
  return !is_outside(of->map, out->y, out->x);
}

void ir_roi_psroi_bilinear(const ir_roi_call *call, int64_t roi) {
  const float scale = (float)call->params->spatial_scale;
  float corner[4];
  for (int i = 0; i < 4; i++)
    corner[i] = (float)number_of(call, roi, i + 1) * scale;
  const relative_region r = {call->params, (double)corner[0], (double)corner[1],
                             (double)corner[0] + (double)(corner[2] - corner[0]),
                             (double)corner[1] + (double)(corner[3] - corner[1])};
  pool_sampled(call, roi,
               &(ir_roi_sampled){.user = &r,
                                 .planes = 1,
                                 .n_samples = call->params->spatial_bins_x * call->params->spatial_bins_y,
                                 .find = find_part});
}

/* ---- DeformablePSROIPooling ---- */

typedef struct deformable_region {
  const ir_roi_call *call;
  region r;
  int64_t class; /* classes of output channels have displacements of their own */
} deformable_region;

static int64_t classes_of(const ir_roi_call *call) {
  return call->offsets == NULL ? 1 : call->offsets->dims[1] / 2;
}

/* Displacement of bin (row, column) on an axis (0: x, 1: y), as a fraction of the region's size. */
static double offset_of(const deformable_region *d, int64_t row, int64_t column, int axis) {
  const ir_roi_call *call = d->call;
  const ir_roi_params *params = call->params;
  if (call->offsets == NULL)
    return 0;
  const int64_t *dims = call->offsets->dims;
  const int64_t y = row * params->other.number[1] / params->group_size;
  const int64_t x = column * params->other.number[1] / params->group_size;
  return ir_float_at(call->offsets, ((d->r.roi * dims[1] + d->class * 2 + axis) * dims[2] + y) * dims[3] + x) *
         (float)params->other.real[0];
}

static bool find_deformed(const ir_roi_sampled *of, int64_t row, int64_t column, int64_t sample, ir_roi_place *out) {
  const deformable_region *d = of->user;
  const ir_roi_params *params = d->call->params;
  const int64_t group = params->group_size, area = of->map->dims[2] * of->map->dims[3];
  const double bin_w = (double)d->r.width / (double)group, bin_h = (double)d->r.height / (double)group;
  const double start_x = d->r.x + (double)column * bin_w + offset_of(d, row, column, 0) * d->r.width;
  const double start_y = d->r.y + (double)row * bin_h + offset_of(d, row, column, 1) * d->r.height;
  const double last_x = (double)(of->map->dims[3] - 1), last_y = (double)(of->map->dims[2] - 1);
  out->x = start_x + (double)(sample % params->spatial_bins_x) * bin_w / (double)params->spatial_bins_x;
  out->y = start_y + (double)(sample / params->spatial_bins_x) * bin_h / (double)params->spatial_bins_y;
  out->at = (row * group + column) * area;
  out->is_nan = isnan(start_x) || isnan(start_y);
  return out->x >= -0.5 && out->x <= last_x + 0.5 && out->y >= -0.5 && out->y <= last_y + 0.5;
}

void ir_roi_deformable(const ir_roi_call *call, int64_t roi) {
  const ir_roi_params *params = call->params;
  deformable_region d = {call, whole_region(call, roi, 0.5f), 0};
  const int64_t n_channels = params->output_dim / classes_of(call);
  for (; d.class < classes_of(call); d.class ++)
    pool_sampled(call, roi,
                 &(ir_roi_sampled){.user = &d,
                                   .channel = d.class * n_channels,
                                   .behind = (d.class + 1) * n_channels,
                                   .planes = params->group_size * params->group_size,
                                   .n_samples = params->spatial_bins_x * params->spatial_bins_y,
                                   .counts_inside = true,
                                   .find = find_deformed});
}

/* ---- ROIAlign ---- */

int64_t ir_roi_samples(int64_t sampling_ratio, double bin) {
  enum { MOST = 1 << 12 }; /* limit for a region that is larger than any feature map */
  return sampling_ratio > 0 ? sampling_ratio : bin >= MOST ? MOST : bin > 0 ? (int64_t)ceil(bin) : 0;
}

/* Whether a sample lies more than one element outside of the map. Such samples are 0. */
static bool is_beyond(double place, int64_t n) {
  return !(place >= -1 && place <= (double)n);
}

static bool find_in_grid(const ir_roi_sampled *of, int64_t row, int64_t column, int64_t sample, ir_roi_place *out) {
  const ir_roi_grid *grid = of->user;
  const int64_t j = sample / grid->n_x, i = sample % grid->n_x;
  const double y = grid->y + ((double)row + ((double)j + 0.5) / (double)grid->n_y) * grid->bin_height;
  const double x = grid->x + ((double)column + ((double)i + 0.5) / (double)grid->n_x) * grid->bin_width;
  out->x = y * grid->sine + x * grid->cosine + grid->center_x;
  out->y = y * grid->cosine - x * grid->sine + grid->center_y;
  return !is_beyond(out->x, of->map->dims[3]) && !is_beyond(out->y, of->map->dims[2]);
}

/* Pools the maximum or mean of each bin's samples. The maximum starts at 0, as in OpenVINO, so it is never negative. */
void ir_roi_grid_pool(const ir_roi_grid *grid, const ir_tensor *map, int64_t image, bool is_max, const ir_tensor *out,
                      int64_t at) {
  const ir_roi_sampled sampled = {.user = grid,
                                  .map = map,
                                  .out = out,
                                  .is_channels_last = grid->is_channels_last,
                                  .first_out = at,
                                  .behind = map->dims[1],
                                  .first_plane = image * map->dims[1],
                                  .planes = 1,
                                  .n_rows = grid->pooled_h,
                                  .n_columns = grid->pooled_w,
                                  .n_samples = grid->n_x * grid->n_y,
                                  .is_max = is_max,
                                  .find = find_in_grid,
                                  .stop = grid->stop,
                                  .worker = grid->worker};
  ir_roi_pool_samples(&sampled, grid->scratch);
}

static void pool_grid(const ir_roi_call *call, int64_t roi, ir_roi_grid *grid, double width, double height) {
  const ir_roi_params *params = call->params;
  const ir_tensor *out = call->out;
  grid->pooled_h = params->pooled_h;
  grid->pooled_w = params->pooled_w;
  grid->bin_width = width / (double)params->pooled_w;
  grid->bin_height = height / (double)params->pooled_h;
  grid->n_x = ir_roi_samples(params->other.number[0], grid->bin_width);
  grid->n_y = ir_roi_samples(params->other.number[0], grid->bin_height);
  grid->is_channels_last = call->is_channels_last;
  grid->stop = call->stop;
  grid->worker = call->worker;
  grid->scratch = call->scratch;
  ir_roi_grid_pool(grid, call->map, image_of(call, roi), params->mode == 1, out,
                   roi * out->dims[1] * out->dims[2] * out->dims[3]);
}

void ir_roi_align(const ir_roi_call *call, int64_t roi) {
  enum { ASYMMETRIC, HALF_PIXEL_FOR_NN, HALF_PIXEL };
  const int aligned = call->params->other.word[0];
  const double before = aligned == HALF_PIXEL ? 0.5 : 0, behind = aligned == ASYMMETRIC ? 0 : 0.5;
  double corner[4];
  for (int i = 0; i < 4; i++)
    corner[i] = (number_of(call, roi, i) + before) * (float)call->params->spatial_scale - behind;
  ir_roi_grid grid = {.x = corner[0], .y = corner[1], .cosine = 1};
  const double least = aligned == ASYMMETRIC ? 1 : -DBL_MAX;
  pool_grid(call, roi, &grid, fmax(corner[2] - corner[0], least), fmax(corner[3] - corner[1], least));
}

void ir_roi_align_rotated(const ir_roi_call *call, int64_t roi) {
  const double scale = (float)call->params->spatial_scale;
  const double angle = number_of(call, roi, 4) * (call->params->other.flag[0] ? -1 : 1);
  const double width = number_of(call, roi, 2) * scale, height = number_of(call, roi, 3) * scale;
  ir_roi_grid grid = {.x = -width / 2,
                      .y = -height / 2,
                      .center_x = number_of(call, roi, 0) * scale - 0.5,
                      .center_y = number_of(call, roi, 1) * scale - 0.5,
                      .cosine = cos(angle),
                      .sine = sin(angle)};
  pool_grid(call, roi, &grid, width, height);
}

/* ---- the step ---- */

static bool has_nan(const ir_roi_call *call, int64_t roi) {
  bool any = false;
  for (int i = 0; i < call->rois->dims[1]; i++)
    any = any || isnan(number_of(call, roi, i));
  return any;
}

/* Pools regions [begin, end). If a coordinate of a region is NaN, all its outputs are NaN. */
static void pool_regions(void *user, int64_t begin, int64_t end, int worker) {
  const ir_roi_call *shared = user;
  ir_roi_call call = *shared;
  const ir_tensor *out = call.out;
  call.worker = worker;
  call.scratch = ir_exec_scratch(call.exec, worker);
  const int64_t n = out->dims[1] * out->dims[2] * out->dims[3];
  for (int64_t roi = begin; roi < end; roi++) {
    const bool is_region = roi < call.n_rois, is_placed = is_region && !has_nan(&call, roi);
    const double none = is_region ? NAN : 0;
    if (is_placed)
      call.bins(&call, roi);
    for (int64_t i = 0; i < n && !is_placed; i++)
      ir_floats_store(out, roi * n + i, &none, 1);
  }
}

/* Sets call->n_rois: all regions, or those before the image index -1 if batch_is_column. Reports an invalid image
 * index. */
static ir_code count_regions(const roi_state *state, ir_roi_call *call) {
  for (call->n_rois = 0; call->n_rois < call->rois->dims[0]; call->n_rois++) {
    const double image =
        state->batch_is_column ? number_of(call, call->n_rois, 0) : (double)image_of(call, call->n_rois);
    if (state->batch_is_column && image == -1)
      return IR_OK;
    if (!(image > -1 && image < (double)call->map->dims[0]))
      return ir_report_firm(state->batches.diags, IR509_INDEX_OUT_OF_RANGE, state->batches.where,
                            "region %lld is of image %.10g; expected one from 0 to %lld", (long long)call->n_rois,
                            image, (long long)call->map->dims[0] - 1);
  }
  return IR_OK;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const roi_state *state = step->state;
  const bool has_more = step->n_in > 2;
  ir_roi_call call = {.params = state->params,
                      .map = in[IR_ROI_FEATURES],
                      .rois = in[IR_ROI_ROIS],
                      .batches = has_more && !state->batch_is_column ? in[IR_ROI_BATCHES] : NULL,
                      .offsets = has_more && state->batch_is_column ? in[IR_ROI_BATCHES] : NULL,
                      .out = out[0],
                      .bins = state->bins,
                      .is_channels_last = state->is_channels_last,
                      .exec = exec,
                      .stop = exec->stop};
  const ir_code code = count_regions(state, &call);
  /* An empty feature map has nothing to sample: all outputs are 0. */
  if (ir_tensor_elements(call.map) == 0)
    call.n_rois = 0;
  if (code == IR_OK && ir_tensor_elements(out[0]) > 0)
    exec->share(exec, out[0]->dims[0], (int64_t)(in[0]->bytes + out[0]->bytes), pool_regions, &call);
  return code;
}

static const ir_kernel kernel = {.name = "roi_pooling", .isa = "any", .run = run};

/* Copies the map of `slot` to [N, H, W, C] if there are as many bins as the map has places, or more: loops over
 * channels then save more than the copy costs. Returns the slot to read; -1 when memory is out (reported). */
static int32_t lay_last(ir_plan *plan, const ir_node *node, int32_t slot) {
  const ir_shape shape = plan->slots[slot].shape, *out = &node->outputs[0].shape;
  int64_t places, bins;
  if (!ir_mul(shape.dims[0].lo, shape.dims[2].lo * shape.dims[3].lo, &places) ||
      !ir_mul(out->dims[0].lo, out->dims[2].lo * out->dims[3].lo, &bins) || bins < places)
    return slot;
  const ir_strided_copy copy = ir_strided_copy_between(&shape, IR_LAYOUT_PLAIN, IR_LAYOUT_CHANNELS_LAST);
  const int32_t laid = ir_plan_temporary(plan, plan->slots[slot].type, &shape);
  return laid >= 0 && ir_strided_copy_step_on(plan, node, &copy, slot, laid) == IR_OK ? laid : -1;
}

ir_code ir_roi_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope,
                       ir_roi_bins *bins, bool batch_is_column) {
  enum { MOST_INPUTS = 3 };
  roi_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  int32_t slots[MOST_INPUTS];
  const int32_t out = ir_plan_output_slot(plan, 0);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (roi_state){.params = node->params,
                       .bins = bins,
                       .is_channels_last = in[IR_ROI_FEATURES]->layout == IR_LAYOUT_CHANNELS_LAST,
                       .batch_is_column = batch_is_column,
                       .batches = ir_index_input_of(plan, node, batch_is_column ? IR_ROI_ROIS : IR_ROI_BATCHES, scope)};
  const ir_code code =
      ir_plane_taps_check(node, IR_ROI_FEATURES, &plan->slots[ir_plan_input_slot(plan, 0)].shape, scope);
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++)
    if ((slots[i] = ir_widened_float(plan, node, ir_plan_input_slot(plan, i))) < 0)
      return IR_NO_MEMORY;
  if (code == IR_OK && node->op->reads_any_layout && !state->is_channels_last) {
    const int32_t plain = slots[0];
    slots[0] = lay_last(plan, node, plain);
    state->is_channels_last = slots[0] != plain;
    if (slots[0] < 0)
      return IR_NO_MEMORY;
  }
  return code == IR_OK ? ir_plan_step_on(plan, node, &kernel, state, ir_roi_scratch(), slots, node->n_inputs, &out, 1)
                       : code;
}
