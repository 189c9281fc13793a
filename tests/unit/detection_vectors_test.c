/* Ops of detectors that compute by vectors: the same boxes, maxima and selections as by their definitions, and the same
 * bits with each instruction set. */
#include "draw.h"
#include "op_model.h"
#include "ops/kernels/isa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_BOXES = 150, MOST_BYTES = 1 << 16 };

/* ---- NonMaxSuppression against its definition ---- */

typedef struct nms_case {
  int64_t n, most;
  float boxes[MOST_BOXES][4], scores[MOST_BOXES]; /* corners [y, x, y, x] */
  float iou, least, sigma;
} nms_case;

/* Draws few different coordinates and scores, so that boxes coincide, have no area, and scores tie. */
static void draw_case(nms_case *c) {
  static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f};
  static const float thresholds[] = {0.5f, 0.3f, 0, 1, -1, NAN};
  c->n = between(0, MOST_BOXES);
  c->most = between(0, c->n + 2);
  c->iou = thresholds[between(0, one_in(3) ? 5 : 1)];
  c->least = one_in(4) ? -10 : (float)between(-2, 10) / 10;
  c->sigma = one_in(2) ? 0 : (float)between(1, 10) / 10;
  for (int64_t i = 0; i < c->n; i++) {
    c->scores[i] = one_in(40) ? odd[between(0, 3)] : (float)between(-3, 20) / 20;
    for (int k = 0; k < 4; k++)
      c->boxes[i][k] = one_in(200) ? odd[between(0, 3)] : (float)between(0, 12);
  }
}

static float overlap_of(const float *a, const float *b) {
  const float height = fminf(fmaxf(a[0], a[2]), fmaxf(b[0], b[2])) - fmaxf(fminf(a[0], a[2]), fminf(b[0], b[2]));
  const float width = fminf(fmaxf(a[1], a[3]), fmaxf(b[1], b[3])) - fmaxf(fminf(a[1], a[3]), fminf(b[1], b[3]));
  const float area_a = (fmaxf(a[1], a[3]) - fminf(a[1], a[3])) * (fmaxf(a[0], a[2]) - fminf(a[0], a[2]));
  const float area_b = (fmaxf(b[1], b[3]) - fminf(b[1], b[3])) * (fmaxf(b[0], b[2]) - fminf(b[0], b[2]));
  const float both = (width > 0 ? width : 0) * (height > 0 ? height : 0);
  return area_a > 0 && area_b > 0 ? both / (area_a + area_b - both) : 0;
}

/* Selects boxes by the definition: the best box, again and again. Returns their number. */
static int64_t select_plainly(nms_case *c, int64_t *selected) {
  int64_t n = 0;
  bool is_dropped[MOST_BOXES] = {false};
  while (n < c->most) {
    int64_t best = -1;
    for (int64_t i = 0; i < c->n; i++)
      if (!is_dropped[i] && c->scores[i] > c->least && (best < 0 || c->scores[i] > c->scores[best]))
        best = i;
    if (best < 0)
      break;
    selected[n++] = best;
    is_dropped[best] = true;
    for (int64_t i = 0; i < c->n; i++) {
      const float overlap = overlap_of(c->boxes[best], c->boxes[i]);
      if (is_dropped[i])
        continue;
      if (c->sigma > 0)
        c->scores[i] *= expf(-0.5f / c->sigma * overlap * overlap);
      else
        is_dropped[i] = overlap >= c->iou;
    }
  }
  return n;
}

static void boxes_are_selected_as_defined(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    static nms_case c;
    int64_t expected[MOST_BOXES];
    draw_case(&c);
    op_model model = {.type = "NonMaxSuppression",
                      .opset = 9,
                      .data = "box_encoding='corner' sort_result_descending='false' output_type='i64'",
                      .n_inputs = 6,
                      .n_outputs = 3,
                      .inputs = {{IR_F32, 3, {1, c.n, 4}, c.boxes, false, false},
                                 {IR_F32, 3, {1, 1, c.n}, c.scores, false, false},
                                 {IR_I64, 0, {0}, &c.most, false, false},
                                 {IR_F32, 0, {0}, &c.iou, false, false},
                                 {IR_F32, 0, {0}, &c.least, false, false},
                                 {IR_F32, 0, {0}, &c.sigma, false, false}}};
    ir_isa_limit((ir_isa)between(IR_ISA_ANY, IR_ISA_AVX512));
    model_run run = op_model_run(&model);
    const irrun_tensor_info info = irrun_tensor_get_info(run.values);
    const int64_t n = select_plainly(&c, expected);
    assert_int_equal(info.dims[0], n);
    for (int64_t i = 0; i < n; i++)
      assert_int_equal(((const int64_t *)info.data)[3 * i + 2], expected[i]);
    model_run_end(&run);
  }
  ir_isa_limit(IR_ISA_AVX512);
}

/* ---- the same bits with each instruction set ---- */

static float map[2 * 5 * 9 * 13], grid[2 * 7 * 11 * 2], regions[6 * 4], image_regions[6 * 5], offsets[2 * 18 * 9 * 13],
    kernel[5 * 5 * 9];
static const int32_t images[6] = {0, 1, 0, 1, 1, 0};

#define MAP                                                                                                            \
  { IR_F32, 4, {2, 5, 9, 13}, map, false, false }
#define ROIS                                                                                                           \
  {IR_F32, 2, {6, 4}, regions, false, false}, {                                                                        \
    IR_I32, 1, {6}, images, false, false                                                                               \
  }
#define POOLED "pooled_h='9' pooled_w='9' spatial_scale='1' "
#define WINDOW "strides='1,1' dilations='1,1' pads_begin='1,1' pads_end='1,1'"

static const op_model models[] = {
    {.type = "ROIAlign",
     .opset = 9,
     .data = POOLED "sampling_ratio='5' mode='avg'",
     .n_inputs = 3,
     .inputs = {MAP, ROIS}},
    {.type = "ROIAlign",
     .opset = 9,
     .data = POOLED "sampling_ratio='0' mode='max'",
     .n_inputs = 3,
     .inputs = {MAP, ROIS}},
    {.type = "ROIPooling",
     .opset = 2,
     .data = "pooled_h='4' pooled_w='70' method='max' spatial_scale='1'",
     .n_inputs = 2,
     .inputs = {MAP, {IR_F32, 2, {6, 5}, image_regions, false, false}}},
    {.type = "GridSample",
     .opset = 9,
     .data = "mode='bilinear' padding_mode='zeros'",
     .n_inputs = 2,
     .inputs = {MAP, {IR_F32, 4, {2, 7, 11, 2}, grid, false, false}}},
    {.type = "GridSample",
     .opset = 9,
     .data = "mode='bicubic' padding_mode='reflection'",
     .n_inputs = 2,
     .inputs = {MAP, {IR_F32, 4, {2, 7, 11, 2}, grid, false, false}}},
    {.type = "DeformableConvolution",
     .opset = 8,
     .data = WINDOW,
     .n_inputs = 3,
     .inputs = {MAP,
                {IR_F32, 4, {2, 18, 9, 13}, offsets, false, false},
                {IR_F32, 4, {5, 5, 3, 3}, kernel, false, false}}},
};

static void fill(float *x, size_t n, int64_t least, int64_t most) {
  for (size_t i = 0; i < n; i++)
    x[i] = (float)between(least * 1000, most * 1000) / 1000.0f;
}

/* ---- ROIPooling with maxima against its definition ---- */

/* Returns the number of the first element of a bin, or of the element behind it, on an axis of n elements. */
static int64_t edge_of(float place, int64_t n) {
  return place <= 0 ? 0 : place >= (float)n ? n : (int64_t)place;
}

static float max_of_bin(const float *plane, int64_t height, int64_t width, const float *region, int64_t bins,
                        int64_t row, int64_t column) {
  const float x = roundf(region[1]), y = roundf(region[2]);
  const float bin_w = fmaxf(roundf(region[3]) - x + 1, 1) / (float)bins;
  const float bin_h = fmaxf(roundf(region[4]) - y + 1, 1) / (float)bins;
  float largest = -INFINITY;
  int64_t n = 0;
  for (int64_t i = edge_of(floorf((float)row * bin_h) + y, height);
       i < edge_of(ceilf((float)(row + 1) * bin_h) + y, height); i++)
    for (int64_t j = edge_of(floorf((float)column * bin_w) + x, width);
         j < edge_of(ceilf((float)(column + 1) * bin_w) + x, width); j++, n++)
      if (plane[i * width + j] > largest || isnan(plane[i * width + j]) || isnan(largest))
        largest = isnan(largest) ? largest : plane[i * width + j];
  return n == 0 ? 0 : largest;
}

/* Widths: below one unit of lanes, several units, and more columns than are computed by vectors. */
static void regions_have_the_maxima_as_defined(void **state) {
  (void)state;
  static const int64_t widths[] = {1, 7, 31, 32, 33, 100, 511, 512, 513, 600};
  enum { MOST_WIDTH = 600, HEIGHT = 5, BINS = 3 };
  static float planes[2 * HEIGHT * MOST_WIDTH];
  for (int i = 0; i < 200; i++) {
    const int64_t width = widths[between(0, 9)];
    float region[5] = {0};
    fill(planes, (size_t)(2 * HEIGHT * width), -10, 10);
    if (one_in(3))
      planes[between(0, 2 * HEIGHT * width - 1)] = NAN;
    for (int k = 1; k < 5; k++)
      region[k] = (float)between(-3, (k % 2 == 1 ? width : HEIGHT) + 2) + (one_in(2) ? 0.25f : 0);
    const op_model model = {.type = "ROIPooling",
                            .opset = 2,
                            .data = "pooled_h='3' pooled_w='3' method='max' spatial_scale='1'",
                            .n_inputs = 2,
                            .inputs = {{IR_F32, 4, {1, 2, HEIGHT, width}, planes, false, false},
                                       {IR_F32, 2, {1, 5}, region, false, false}}};
    ir_isa_limit((ir_isa)between(IR_ISA_ANY, IR_ISA_AVX512));
    model_run run = op_model_run(&model);
    const float *got = irrun_tensor_get_info(run.values).data;
    for (int64_t n = 0; n < 2 * BINS * BINS; n++) {
      const float expected = max_of_bin(planes + n / (BINS * BINS) * HEIGHT * width, HEIGHT, width, region, BINS,
                                        n / BINS % BINS, n % BINS);
      if (isnan(expected) ? !isnan(got[n]) : got[n] != expected)
        fail_msg("width %lld: bin %lld is %g, expected %g", (long long)width, (long long)n, (double)got[n],
                 (double)expected);
    }
    model_run_end(&run);
  }
  ir_isa_limit(IR_ISA_AVX512);
}

/* ---- TopK along an axis that is not the last ---- */

static bool is_before(const float *line, int64_t step, int64_t a, int64_t b, bool of_greatest) {
  const float x = line[a * step], y = line[b * step];
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y) ? a < b : of_greatest ? isnan(x) : isnan(y);
  return x == y ? a < b : of_greatest ? x > y : x < y;
}

/* Checks element `s` of the line: as many elements as `s` precede it. */
static void check_selected(const float *line, int64_t step, int64_t n, int64_t s, bool of_greatest, int64_t index,
                           float value) {
  int64_t before = 0;
  assert_in_range(index, 0, n - 1);
  for (int64_t i = 0; i < n; i++)
    before += is_before(line, step, i, index, of_greatest);
  if (before != s || memcmp(&value, &line[index * step], sizeof value) != 0)
    fail_msg("element %lld of %lld is number %lld, with %lld before it", (long long)s, (long long)n, (long long)index,
             (long long)before);
}

static void lines_side_by_side_are_sorted(void **state) {
  (void)state;
  enum { OUTER = 2, MOST_N = 40, MOST_INNER = 150 };
  static const float few[] = {0, -0.0f, 1, -1, 2.5f, INFINITY, -INFINITY, NAN};
  static float x[OUTER * MOST_N * MOST_INNER];
  for (int round = 0; round < 100; round++) {
    const int64_t n = between(1, MOST_N), inner = between(1, MOST_INNER), k = between(1, n < 18 ? n : 18);
    const bool of_greatest = one_in(2);
    for (int64_t i = 0; i < OUTER * n * inner; i++)
      x[i] = one_in(3) ? few[between(0, 7)] : (float)between(-20, 20);
    op_model model = {.type = "TopK",
                      .opset = 11,
                      .data = of_greatest ? "axis='1' mode='max' sort='value' index_element_type='i64'"
                                          : "axis='1' mode='min' sort='value' index_element_type='i64'",
                      .n_inputs = 2,
                      .n_outputs = 2,
                      .inputs = {{IR_F32, 3, {OUTER, n, inner}, x, false, false}, {IR_I64, 0, {0}, &k, true, false}}};
    ir_isa_limit((ir_isa)between(IR_ISA_ANY, IR_ISA_AVX512));
    model_run run = op_model_run(&model);
    model.output = 1;
    model_run other = op_model_run(&model);
    const float *values = irrun_tensor_get_info(run.values).data;
    const int64_t *indices = irrun_tensor_get_info(other.values).data;
    for (int64_t at = 0; at < OUTER * k * inner; at++)
      check_selected(x + at / (k * inner) * n * inner + at % inner, inner, n, at / inner % k, of_greatest, indices[at],
                     values[at]);
    model_run_end(&run);
    model_run_end(&other);
  }
  ir_isa_limit(IR_ISA_AVX512);
}

static void all_sets_sample_the_same_bits(void **state) {
  (void)state;
  static unsigned char bytes[3][MOST_BYTES];
  fill(map, sizeof map / sizeof *map, -10, 10);
  fill(grid, sizeof grid / sizeof *grid, -2, 2);
  fill(regions, sizeof regions / sizeof *regions, -3, 16);
  fill(image_regions, sizeof image_regions / sizeof *image_regions, -3, 16);
  for (int i = 0; i < 6; i++)
    image_regions[5 * i] = (float)images[i];
  fill(offsets, sizeof offsets / sizeof *offsets, -3, 3);
  fill(kernel, sizeof kernel / sizeof *kernel, -1, 1);
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    for (ir_isa isa = IR_ISA_ANY; isa <= IR_ISA_AVX512; isa++) {
      ir_isa_limit(isa);
      model_run run = op_model_run(&models[i]);
      const irrun_tensor_info info = irrun_tensor_get_info(run.values);
      assert_true(info.bytes > 0 && info.bytes <= MOST_BYTES);
      memcpy(bytes[isa], info.data, info.bytes);
      if (memcmp(bytes[isa], bytes[0], info.bytes) != 0)
        fail_msg("%s (%s) with set %d has other bits", models[i].type, models[i].data, (int)isa);
      model_run_end(&run);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_are_selected_as_defined), cmocka_unit_test(regions_have_the_maxima_as_defined),
      cmocka_unit_test(lines_side_by_side_are_sorted), cmocka_unit_test(all_sets_sample_the_same_bits)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
