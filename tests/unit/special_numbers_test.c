/* Tests that NaN stays NaN, in any order of elements. Tests results that fit the type although terms of the formula
 * overflow. Tests the coordinates of Interpolate. */
#include "naive_number.h"
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

/* ---- NaN ---- */

static const float map[] = {1, 2, 3, 4}, numbers[] = {-1, -1, -1, -1, -1, -1}, first_nan[] = {NAN, -1, -1},
                   second_nan[] = {-1, NAN, -1}, third_nan[] = {-1, -1, NAN};
static const int64_t zeros[] = {0, 0, 0};

#define FLOATS(values, n_axes, ...)                                                                                    \
  {                                                                                                                    \
    .type = IR_F32, .data = values, .rank = n_axes, .dims = { __VA_ARGS__ }                                            \
  }
#define WHOLE(n_axes, ...)                                                                                             \
  {                                                                                                                    \
    .type = IR_I64, .data = zeros, .rank = n_axes, .dims = { __VA_ARGS__ }                                             \
  }
#define AXES                                                                                                           \
  { .type = IR_I64, .data = zeros, .rank = 1, .dims = {1}, .constant = true }

static const float region[] = {0, 0, 3, 1}, nan_region[] = {0, NAN, 1, 1}, image_region[] = {0, 0, NAN, 1, 1},
                   nan_x[] = {NAN, 0}, nan_y[] = {0, NAN}, nan_luma[] = {NAN, 0, 0, 0},
                   nan_width[] = {0, 0, 0, 0, 0, 0, NAN, 0};
#define POOLED "pooled_h=\"1\" pooled_w=\"1\" spatial_scale=\"1\" "
#define WINDOWS                                                                                                        \
  "strides=\"1,1\" pads_begin=\"0,0\" pads_end=\"0,0\" dilations=\"1,1\" group=\"1\" deformable_group=\"1\""

/* Ops with a NaN in an input. The first output element has to be NaN. */
static const op_model of_nan[] = {
    {.type = "ReLU", .n_inputs = 1, .inputs = {FLOATS(first_nan, 1, 3)}},
    {.type = "Clamp", .data = "min=\"0\" max=\"1\"", .n_inputs = 1, .inputs = {FLOATS(first_nan, 1, 3)}},
    {.type = "HSigmoid", .opset = 5, .n_inputs = 1, .inputs = {FLOATS(first_nan, 1, 3)}},
    {.type = "HSwish", .opset = 4, .n_inputs = 1, .inputs = {FLOATS(first_nan, 1, 3)}},
    {.type = "Gelu", .opset = 7, .n_inputs = 1, .inputs = {FLOATS(first_nan, 1, 3)}},
    {.type = "Maximum", .n_inputs = 2, .inputs = {FLOATS(first_nan, 1, 3), FLOATS(numbers, 1, 3)}},
    {.type = "Maximum", .n_inputs = 2, .inputs = {FLOATS(numbers, 1, 3), FLOATS(first_nan, 1, 3)}},
    {.type = "Minimum", .n_inputs = 2, .inputs = {FLOATS(first_nan, 1, 3), FLOATS(numbers, 1, 3)}},
    {.type = "Minimum", .n_inputs = 2, .inputs = {FLOATS(numbers, 1, 3), FLOATS(first_nan, 1, 3)}},
    {.type = "ReduceMax", .n_inputs = 2, .inputs = {FLOATS(first_nan, 1, 3), AXES}},
    {.type = "ReduceMax", .n_inputs = 2, .inputs = {FLOATS(second_nan, 1, 3), AXES}},
    {.type = "ReduceMax", .n_inputs = 2, .inputs = {FLOATS(third_nan, 1, 3), AXES}},
    {.type = "ReduceMin", .n_inputs = 2, .inputs = {FLOATS(first_nan, 1, 3), AXES}},
    {.type = "ReduceMin", .n_inputs = 2, .inputs = {FLOATS(second_nan, 1, 3), AXES}},
    {.type = "ReduceMin", .n_inputs = 2, .inputs = {FLOATS(third_nan, 1, 3), AXES}},
    {.type = "SegmentMax",
     .opset = 16,
     .data = "fill_mode=\"zero\"",
     .n_inputs = 2,
     .inputs = {FLOATS(second_nan, 1, 3), {.type = IR_I64, .data = zeros, .rank = 1, .dims = {3}, .constant = true}}},
    {.type = "ScatterNDUpdate",
     .opset = 15,
     .data = "reduction=\"max\"",
     .n_inputs = 3,
     .inputs = {FLOATS(numbers, 1, 3), WHOLE(2, 3, 1), FLOATS(second_nan, 1, 3)}},
    {.type = "ScatterNDUpdate",
     .opset = 15,
     .data = "reduction=\"min\"",
     .n_inputs = 3,
     .inputs = {FLOATS(first_nan, 1, 3), WHOLE(2, 3, 1), FLOATS(numbers, 1, 3)}},
    {.type = "GridSample",
     .opset = 9,
     .n_inputs = 2,
     .inputs = {FLOATS(map, 4, 1, 1, 2, 2), FLOATS(nan_x, 4, 1, 1, 1, 2)}},
    {.type = "GridSample",
     .opset = 9,
     .data = "mode=\"nearest\" padding_mode=\"reflection\"",
     .n_inputs = 2,
     .inputs = {FLOATS(map, 4, 1, 1, 2, 2), FLOATS(nan_y, 4, 1, 1, 1, 2)}},
    {.type = "GridSample",
     .opset = 9,
     .data = "mode=\"bicubic\" padding_mode=\"border\"",
     .n_inputs = 2,
     .inputs = {FLOATS(map, 4, 1, 1, 2, 2), FLOATS(nan_x, 4, 1, 1, 1, 2)}},
    {.type = "ROIAlign",
     .opset = 9,
     .data = POOLED "sampling_ratio=\"0\" mode=\"max\"",
     .n_inputs = 3,
     .inputs = {FLOATS(map, 4, 1, 1, 2, 2), FLOATS(nan_region, 2, 1, 4), WHOLE(1, 1)}},
    {.type = "ROIAlign",
     .opset = 9,
     .data = POOLED "sampling_ratio=\"2\" mode=\"max\"",
     .n_inputs = 3,
     .inputs = {FLOATS(second_nan, 4, 1, 1, 1, 3), FLOATS(region, 2, 1, 4), WHOLE(1, 1)}},
    {.type = "ROIPooling",
     .opset = 2,
     .data = "output_roi=\"1,1\" method=\"max\" " POOLED,
     .n_inputs = 2,
     .inputs = {FLOATS(map, 4, 1, 1, 2, 2), FLOATS(image_region, 2, 1, 5)}},
    {.type = "PSROIPooling",
     .data = "output_dim=\"1\" group_size=\"1\" spatial_scale=\"1\" mode=\"average\" spatial_bins_x=\"1\" "
             "spatial_bins_y=\"1\"",
     .n_inputs = 2,
     .inputs = {FLOATS(map, 4, 1, 1, 2, 2), FLOATS(image_region, 2, 1, 5)}},
    {.type = "DeformableConvolution",
     .opset = 8,
     .data = WINDOWS,
     .n_inputs = 3,
     .inputs = {FLOATS(map, 4, 1, 1, 1, 1), FLOATS(nan_x, 4, 1, 2, 1, 1), FLOATS(map, 4, 1, 1, 1, 1)}},
    {.type = "NV12toRGB",
     .opset = 8,
     .n_inputs = 2,
     .inputs = {FLOATS(nan_luma, 4, 1, 2, 2, 1), FLOATS(map, 4, 1, 1, 1, 2)}},
    {.type = "I420toBGR",
     .opset = 8,
     .n_inputs = 3,
     .inputs = {FLOATS(map, 4, 1, 2, 2, 1), FLOATS(first_nan, 4, 1, 1, 1, 1), FLOATS(map, 4, 1, 1, 1, 1)}},
    {.type = "ExperimentalDetectronDetectionOutput",
     .opset = 6,
     .data =
         "score_threshold=\"0.5\" nms_threshold=\"0.5\" max_delta_log_wh=\"4\" num_classes=\"2\" post_nms_count=\"1\" "
         "max_detections_per_image=\"1\" class_agnostic_box_regression=\"false\" deltas_weights=\"1,1,1,1\"",
     .n_inputs = 4,
     .n_outputs = 3,
     .inputs = {FLOATS(region, 2, 1, 4), FLOATS(nan_width, 2, 1, 8), FLOATS(map, 2, 1, 2), FLOATS(map, 2, 1, 3)}},
};

static void nan_stays(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof of_nan / sizeof *of_nan; i++)
    for (int plain = 0; plain < 2; plain++) {
      op_model c = of_nan[i];
      c.plain = plain == 1;
      model_run run = op_model_run(&c);
      if (run.status != IRRUN_OK)
        fail_msg("case %zu, %s: %s", i, c.type, model_run_rules(&run));
      const float found = *(const float *)irrun_tensor_get_info(run.values).data;
      if (!isnan(found))
        fail_msg("case %zu, %s: %g, not NaN", i, c.type, (double)found);
      model_run_end(&run);
    }
}

/* ---- finite results with overflowing terms ---- */

typedef struct fitting_case {
  const char *type;
  int opset;
  const char *data;
  float x;
  double expected;
} fitting_case;

static void results_that_fit_are_there(void **state) {
  (void)state;
  static const char erf_mode[] = "approximation_mode=\"erf\"", tanh_mode[] = "approximation_mode=\"tanh\"";
  const fitting_case cases[] = {
      {"HSwish", 4, NULL, 3e38f, 3e38},
      {"HSwish", 4, NULL, FLT_MAX, FLT_MAX},
      {"HSwish", 4, NULL, -3e38f, 0},
      {"Gelu", 7, erf_mode, 3e38f, 3e38},
      {"Gelu", 7, erf_mode, -3e38f, 0},
      {"Gelu", 7, erf_mode, -6, -6 * erfc(6 * M_SQRT1_2) / 2},
      {"Gelu", 7, erf_mode, -1, -erfc(M_SQRT1_2) / 2},
      {"Gelu", 7, tanh_mode, 3e38f, 3e38},
      {"Gelu", 7, tanh_mode, -3e38f, 0},
      {"Gelu", 7, tanh_mode, -5, -5 / (1 + exp(5 * M_2_SQRTPI * M_SQRT2 * (1 + 0.044715 * 25)))},
      {"Swish", 4, NULL, 3e38f, 3e38},
      {"Mish", 4, NULL, 3e38f, 3e38},
      {"SoftPlus", 4, NULL, 3e38f, 3e38},
      {"SoftSign", 9, NULL, 3e38f, 1},
      {"Elu", 1, "alpha=\"1\"", -1e-20f, -1e-20},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    op_model c = {.type = cases[i].type,
                  .opset = cases[i].opset,
                  .data = cases[i].data,
                  .n_inputs = 1,
                  .inputs = {{.type = IR_F32, .data = &cases[i].x}}};
    model_run run = op_model_run(&c);
    assert_int_equal(run.status, IRRUN_OK);
    const double found = *(const float *)irrun_tensor_get_info(run.values).data,
                 expected = (double)(float)cases[i].expected;
    if (!(fabs(found - expected) <= 4 * (double)naive_ulp(IR_F32, (long double)expected)))
      fail_msg("%s of %g is %g, expected %g", c.type, (double)cases[i].x, found, expected);
    model_run_end(&run);
  }
}

/* ---- coordinates ---- */

enum { MOST_SIZE = 24, N_MODES = 5 };

static const char *const transformations[] = {"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn",
                                              "align_corners"};
static const char *const nearest_modes[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"};

/* Computes the coordinate of output element j in the input, as the fraction above / below. */
static void place(int transformation, int64_t n_in, int64_t n_out, int64_t j, int64_t *above, int64_t *below) {
  const int64_t places[N_MODES][2] = {{(2 * j + 1) * n_in - n_out, 2 * n_out},
                                      {n_out > 1 ? (2 * j + 1) * n_in - n_out : 0, 2 * n_out},
                                      {j * n_in, n_out},
                                      {(2 * j + 1) * n_in, 2 * n_out},
                                      {n_out > 1 ? j * (n_in - 1) : 0, n_out > 1 ? n_out - 1 : 1}};
  *above = n_in == n_out ? j : places[transformation][0];
  *below = n_in == n_out ? 1 : places[transformation][1];
}

static int64_t floor_of(int64_t above, int64_t below) {
  int64_t whole = above / below;
  return whole * below > above ? whole - 1 : whole;
}

static int64_t ceil_of(int64_t above, int64_t below) {
  return -floor_of(-above, below);
}

static int64_t nearest(int mode, int64_t n_in, int64_t n_out, int64_t above, int64_t below) {
  const int64_t found[N_MODES] = {ceil_of(2 * above - below, 2 * below), floor_of(2 * above + below, 2 * below),
                                  floor_of(above, below), ceil_of(above, below),
                                  n_out < n_in ? ceil_of(above, below) : floor_of(above, below)};
  return found[mode] < 0 ? 0 : found[mode] < n_in ? found[mode] : n_in - 1;
}

/* Compares the elements that Interpolate picks with the exact coordinates. The output size is given directly or, if
 * `by_scale`, by the float closest to the ratio. */
static void check_nearest(int transformation, int mode, int64_t n_in, int64_t n_out, bool by_scale) {
  static const float elements[MOST_SIZE] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                            12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
  char data[200];
  const float scale = (float)n_out / (float)n_in;
  snprintf(data, sizeof data,
           "mode=\"nearest\" shape_calculation_mode=\"%s\" coordinate_transformation_mode=\"%s\" nearest_mode=\"%s\"",
           by_scale ? "scales" : "sizes", transformations[transformation], nearest_modes[mode]);
  op_model c = {.type = "Interpolate",
                .opset = 11,
                .data = data,
                .n_inputs = 2,
                .inputs = {{.type = IR_F32, .rank = 1, .dims = {n_in}, .data = elements},
                           {.type = by_scale ? IR_F32 : IR_I64,
                            .rank = 1,
                            .dims = {1},
                            .data = by_scale ? (const void *)&scale : (const void *)&n_out,
                            .constant = true}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const irrun_tensor_info out = irrun_tensor_get_info(run.values);
  for (int64_t j = 0; j < n_out && out.elements == n_out; j++) {
    int64_t above, below;
    place(transformation, n_in, n_out, j, &above, &below);
    if (((const float *)out.data)[j] != (float)nearest(mode, n_in, n_out, above, below))
      fail_msg("%s, %d to %d: element %d is %g", data, (int)n_in, (int)n_out, (int)j,
               (double)((const float *)out.data)[j]);
  }
  model_run_end(&run);
}

static void ties_of_sizes_are_exact(void **state) {
  (void)state;
  for (int64_t n_in = 1; n_in <= MOST_SIZE; n_in += n_in < 6 ? 1 : 2)
    for (int64_t n_out = 1; n_out <= MOST_SIZE; n_out += n_out < 6 ? 1 : 3)
      for (int i = 0; i < N_MODES; i++)
        check_nearest(i, (int)((n_in + n_out + i) % N_MODES), n_in, n_out, (n_in + n_out) % 2 == 0);
  check_nearest(0, 1, 20, 6, false);
  check_nearest(0, 1, 20, 6, true);
  check_nearest(0, 0, 20, 6, false);
  check_nearest(2, 3, 21, 7, true);
}

/* Ops along axis 0 whose squares or sums exceed a float: the first output element is `expected`. */
static void results_along_an_axis_that_fit_are_there(void **state) {
  (void)state;
  static const float large[] = {3e38f, 3e38f, 3e38f}, opposite[] = {3e38f, -3e38f, 0}, tenth[] = {3e37f, 3e37f, 3e37f};
  static const struct {
    op_model model;
    double expected;
  } cases[] = {
      {{.type = "ReduceMean", .n_inputs = 2, .inputs = {FLOATS(large, 1, 3), AXES}}, 3e38},
      {{.type = "ReduceL2", .opset = 4, .n_inputs = 2, .inputs = {FLOATS(tenth, 1, 3), AXES}}, 5.1961524e37},
      {{.type = "ReduceSum", .n_inputs = 2, .inputs = {FLOATS(opposite, 1, 3), AXES}}, 0},
      {{.type = "CumSum", .opset = 3, .n_inputs = 1, .inputs = {FLOATS(large, 1, 3)}}, 3e38},
      {{.type = "SoftMax", .opset = 8, .data = "axis=\"0\"", .n_inputs = 1, .inputs = {FLOATS(opposite, 1, 3)}}, 1},
      {{.type = "NormalizeL2",
        .data = "eps=\"0.1\" eps_mode=\"add\"",
        .n_inputs = 2,
        .inputs = {FLOATS(large, 1, 3), AXES}},
       0.57735026918962576},
      {{.type = "MVN",
        .opset = 6,
        .data = "eps=\"0.1\" eps_mode=\"INSIDE_SQRT\" normalize_variance=\"true\"",
        .n_inputs = 2,
        .inputs = {FLOATS(opposite, 1, 3), AXES}},
       1.2247448713915890},
      {{.type = "LRN",
        .data = "alpha=\"1\" beta=\"0.75\" bias=\"1\" size=\"1\"",
        .n_inputs = 2,
        .inputs = {FLOATS(large, 1, 3), AXES}},
       5.7735027e-20},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model_run run = op_model_run(&cases[i].model);
    if (run.status != IRRUN_OK)
      fail_msg("case %zu, %s: %s", i, cases[i].model.type, model_run_rules(&run));
    const double found = (double)*(const float *)irrun_tensor_get_info(run.values).data;
    if (fabs(found - cases[i].expected) > 1e-6 * fabs(cases[i].expected))
      fail_msg("case %zu, %s: %g, expected %g", i, cases[i].model.type, found, cases[i].expected);
    model_run_end(&run);
  }
}

/* The cubic sum of u8 250, 255, 255, 250 is 255.9375, that of i8 -123, -128, -128, -123 is -128.9375. */
static void rounded_integers_stay_in_range(void **state) {
  (void)state;
  static const uint8_t high[] = {250, 255, 255, 250};
  static const int8_t low[] = {-123, -128, -128, -123};
  static const int64_t one = 1;
  for (int is_low = 0; is_low < 2; is_low++) {
    op_model c = {.type = "Interpolate",
                  .opset = 11,
                  .data = "mode=\"cubic\" shape_calculation_mode=\"sizes\"",
                  .n_inputs = 2,
                  .inputs = {{.type = is_low ? IR_I8 : IR_U8,
                              .rank = 1,
                              .dims = {4},
                              .data = is_low ? (const void *)low : (const void *)high},
                             {.type = IR_I64, .rank = 1, .dims = {1}, .data = &one, .constant = true}}};
    model_run run = op_model_run(&c);
    assert_int_equal(run.status, IRRUN_OK);
    const uint8_t found = *(const uint8_t *)irrun_tensor_get_info(run.values).data;
    assert_int_equal(found, is_low ? 128 : 255); /* 128: the bits of -128 */
    model_run_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nan_stays),
      cmocka_unit_test(results_that_fit_are_there),
      cmocka_unit_test(results_along_an_axis_that_fit_are_there),
      cmocka_unit_test(ties_of_sizes_are_exact),
      cmocka_unit_test(rounded_integers_stay_in_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
