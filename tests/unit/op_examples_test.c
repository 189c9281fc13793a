/* Tests ops with a few worked examples, where these show more than random models do. */
#include "op_case.h"
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fixed_size of 5 with density 2 gives two boxes on each axis, 2 pixels apart. The cell's centre is 8, and the first
 * box's centre is 8 - 5 / 2 + 2 / 2 = 6.5. */
static void boxes_of_a_density_are_spread_over_the_box(void **state) {
  (void)state;
  static const int64_t cells[] = {1, 1}, pixels[] = {16, 16};
  static const float centers[4][2] = {{6.5f, 6.5f}, {8.5f, 6.5f}, {6.5f, 8.5f}, {8.5f, 8.5f}};
  op_model c = {.type = "PriorBox",
                .data = "min_size=\"\" max_size=\"\" aspect_ratio=\"\" flip=\"false\" clip=\"false\" step=\"16\" "
                        "offset=\"0.5\" variance=\"0.1\" fixed_size=\"5\" density=\"2\"",
                .n_inputs = 2,
                .inputs = {{.type = IR_I64, .rank = 1, .dims = {2}, .data = cells, .constant = true},
                           {.type = IR_I64, .rank = 1, .dims = {2}, .data = pixels, .constant = true}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const irrun_tensor_info out = irrun_tensor_get_info(run.values);
  assert_int_equal(out.elements, 32);
  const float *box = out.data;
  for (int i = 0; i < 16; i++) {
    const float side = i % 4 < 2 ? -2.5f : 2.5f;
    assert_true(box[i] == (centers[i / 4][i % 2] + side) / 16);
  }
  model_run_end(&run);
}

/* Pillow's modes round ties away from zero, after each axis. The linear modes round ties to even. */
static int8_t mean_of_two(const char *data, int8_t a, int8_t b) {
  static const int64_t sizes[] = {1};
  const int8_t two[] = {a, b};
  op_model c = {.type = "Interpolate",
                .opset = 11,
                .data = data,
                .n_inputs = 2,
                .inputs = {{.type = IR_I8, .rank = 1, .dims = {2}, .data = two},
                           {.type = IR_I64, .rank = 1, .dims = {1}, .data = sizes, .constant = true}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const int8_t mean = *(const int8_t *)irrun_tensor_get_info(run.values).data;
  model_run_end(&run);
  return mean;
}

static void halves_go_where_the_mode_says(void **state) {
  (void)state;
  static const char pillow[] = "mode=\"bilinear_pillow\" shape_calculation_mode=\"sizes\"";
  static const char linear[] = "mode=\"linear_onnx\" shape_calculation_mode=\"sizes\"";
  assert_int_equal(mean_of_two(pillow, 0, 1), 1);
  assert_int_equal(mean_of_two(pillow, 0, -1), -1);
  assert_int_equal(mean_of_two(linear, 0, 1), 0);
  assert_int_equal(mean_of_two(linear, 1, 2), 2);
}

/* Returns the element of an axis that StridedSlice removes: the element at `begin`, or the first one if begin_mask
 * is set. */
static float element_that_stays(const char *data) {
  static const int64_t begin[] = {2}, end[] = {3};
  static const float elements[] = {5, 6, 7, 8};
  op_model c = {.type = "StridedSlice",
                .data = data,
                .n_inputs = 3,
                .inputs = {{.type = IR_F32, .rank = 1, .dims = {4}, .data = elements},
                           {.type = IR_I64, .rank = 1, .dims = {1}, .data = begin, .constant = true},
                           {.type = IR_I64, .rank = 1, .dims = {1}, .data = end, .constant = true}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const irrun_tensor_info out = irrun_tensor_get_info(run.values);
  assert_int_equal(out.rank, 0);
  const float element = *(const float *)out.data;
  model_run_end(&run);
  return element;
}

static void begin_mask_holds_for_an_axis_that_goes(void **state) {
  (void)state;
  assert_true(element_that_stays("begin_mask=\"0\" end_mask=\"1\" shrink_axis_mask=\"1\"") == 7);
  assert_true(element_that_stays("begin_mask=\"1\" end_mask=\"0\" shrink_axis_mask=\"1\"") == 5);
}

/* Pools two regions of a single image, the second with image number `image`. Returns the reported rules, or "" and
 * the results if the model runs. */
static const char *rules_of_region(float image, float *out_pooled) {
  static const float map[] = {1, 2, 3, 4};
  const float regions[] = {0, 0, 0, 1, 1, image, 0, 0, 1, 1};
  static char rules[32];
  op_model c = {.type = "ROIPooling",
                .opset = 2,
                .data = "output_roi=\"1,1\" spatial_scale=\"1\" method=\"max\" pooled_h=\"1\" pooled_w=\"1\"",
                .n_inputs = 2,
                .inputs = {{.type = IR_F32, .rank = 4, .dims = {1, 1, 2, 2}, .data = map},
                           {.type = IR_F32, .rank = 2, .dims = {2, 5}, .data = regions}}};
  model_run run = op_model_run(&c);
  snprintf(rules, sizeof rules, "%s", model_run_rules(&run));
  if (run.status == IRRUN_OK)
    memcpy(out_pooled, irrun_tensor_get_info(run.values).data, 2 * sizeof *out_pooled);
  model_run_end(&run);
  return rules;
}

/* Image number -1 is the mark that Proposal writes after its last region. ROIPooling gives 0 for the region. */
static void regions_are_of_an_image_or_the_end(void **state) {
  (void)state;
  float pooled[2] = {0};
  assert_string_equal(rules_of_region(0, pooled), "");
  assert_true(pooled[0] == 4 && pooled[1] == 4);
  assert_string_equal(rules_of_region(-1, pooled), "");
  assert_true(pooled[0] == 4 && pooled[1] == 0);
  assert_string_equal(rules_of_region(1, pooled), "IR509");
  assert_string_equal(rules_of_region(-2, pooled), "IR509");
  assert_string_equal(rules_of_region(NAN, pooled), "IR509");
}

/* Priors that are not normalized come from Proposal. The row of image -1 ends them, so the second prior and its score
 * of 0.9 do not count. */
static void priors_end_where_proposals_do(void **state) {
  (void)state;
  static const float deltas[8] = {0}, scores[] = {0.1f, 0.6f, 0.1f, 0.9f}, priors[] = {0, 0, 0, 8, 8, -1, 8, 8, 16, 16};
  op_model c = {.type = "DetectionOutput",
                .data = "num_classes=\"2\" keep_top_k=\"2\" nms_threshold=\"0.5\" confidence_threshold=\"0.5\" "
                        "normalized=\"false\" input_height=\"16\" input_width=\"16\" "
                        "variance_encoded_in_target=\"true\"",
                .n_inputs = 3,
                .inputs = {{.type = IR_F32, .rank = 2, .dims = {1, 8}, .data = deltas},
                           {.type = IR_F32, .rank = 2, .dims = {1, 4}, .data = scores},
                           {.type = IR_F32, .rank = 3, .dims = {1, 1, 10}, .data = priors}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const float *rows = irrun_tensor_get_info(run.values).data;
  assert_true(rows[0] == 0 && rows[1] == 1 && rows[2] == 0.6f);
  assert_true(rows[7] == -1);
  model_run_end(&run);
}

/* Each prior takes part with its best class alone, and classes are counted from the one behind the background. By
 * classes, the first prior would also have a row for class 2. */
static void a_prior_has_one_class(void **state) {
  (void)state;
  static const float deltas[8] = {0}, scores[] = {0.2f, 0.7f, 0.5f, 0.1f, 0.3f, 0.6f};
  static const float priors[] = {0, 0, 0.25f, 0.25f, 0.5f, 0.5f, 1, 1};
  static const float expected[] = {0, 0, 0.7f, 0, 0, 0.25f, 0.25f, 0, 1, 0.6f, 0.5f, 0.5f, 1, 1, -1};
  op_model c = {.type = "DetectionOutput",
                .opset = 8,
                .data = "background_label_id=\"0\" keep_top_k=\"4\" nms_threshold=\"0.5\" "
                        "confidence_threshold=\"0.1\" normalized=\"true\" decrease_label_id=\"true\" "
                        "variance_encoded_in_target=\"true\"",
                .n_inputs = 3,
                .inputs = {{.type = IR_F32, .rank = 2, .dims = {1, 8}, .data = deltas},
                           {.type = IR_F32, .rank = 2, .dims = {1, 6}, .data = scores},
                           {.type = IR_F32, .rank = 3, .dims = {1, 1, 8}, .data = priors}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  assert_memory_equal(irrun_tensor_get_info(run.values).data, expected, sizeof expected);
  model_run_end(&run);
}

/* Returns how many of two squares with sides 2 and the same centre are kept. The second is turned by 45 degrees. */
static int64_t squares_kept(float threshold) {
  static const float boxes[] = {5, 5, 2, 2, 0, 5, 5, 2, 2, 0.785398163f}, scores[] = {0.9f, 0.8f}, least = 0;
  static const int64_t most = 10;
  op_model c = {.type = "NMSRotated",
                .opset = 13,
                .n_inputs = 5,
                .inputs = {{.type = IR_F32, .rank = 3, .dims = {1, 2, 5}, .data = boxes},
                           {.type = IR_F32, .rank = 3, .dims = {1, 1, 2}, .data = scores},
                           {.type = IR_I64, .data = &most, .constant = true},
                           {.type = IR_F32, .data = &threshold, .constant = true},
                           {.type = IR_F32, .data = &least, .constant = true}},
                .n_outputs = 3,
                .output = 2};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const int64_t n = *(const int64_t *)irrun_tensor_get_info(run.values).data;
  model_run_end(&run);
  return n;
}

/* The squares have an octagon of area 8 * (sqrt(2) - 1) = 3.314 in common, of 8 - 3.314 in all: 0.7071. */
static void turned_boxes_overlap_in_a_polygon(void **state) {
  (void)state;
  assert_int_equal(squares_kept(0.7072f), 2);
  assert_int_equal(squares_kept(0.7070f), 1);
}

/* ---- work ---- */

typedef struct cost_case {
  const char *type, *opset;
  int n_inputs;
  struct {
    int rank;
    int64_t dims[3];
    int64_t number; /* the contents of an integer input; 0: unknown, of floats */
  } inputs[4];
  const char *shape;
  int64_t cost;
} cost_case;

/* Transforms take three additions for each number and halving, decoders a step for each logit. */
static void work_follows_from_shapes(void **state) {
  (void)state;
  static const cost_case cases[] = {
      {"DFT", "opset7", 2, {{2, {8, 2}, 0}, {1, {1}, -1}}, "[8,2]", 16 * 3 * 4},
      {"RDFT", "opset9", 2, {{1, {8}, 0}, {1, {1}, -1}}, "[5,2]", 10 * 3 * 3},
      {"STFT", "opset15", 4, {{2, {1, 16}, 0}, {1, {8}, 0}, {0, {0}, 8}, {0, {0}, 4}}, "[1,3,5,2]", 30 * 3 * 3},
      {"CTCGreedyDecoder", "opset1", 2, {{3, {5, 2, 4}, 0}, {2, {5, 2}, 0}}, "[2,5,1,1]", 40},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const cost_case *expected = &cases[i];
    const ir_value *in[4];
    char shape[IR_SHAPE_TEXT];
    op_case c;
    op_case_begin(
        &c, expected->type, expected->opset,
        (const char *const[]){strcmp(expected->type, "STFT") == 0 ? "transpose_frames" : NULL, "false", NULL});
    for (int k = 0; k < expected->n_inputs; k++) {
      const int64_t number = expected->inputs[k].number;
      c.in[k] = number != 0 ? op_case_list(&c, IR_I64, expected->inputs[k].rank, &number, 1)
                            : op_case_value(IR_F32, ir_shape_of(expected->inputs[k].rank, expected->inputs[k].dims));
      in[k] = &c.in[k];
    }
    op_case_infer(&c, expected->n_inputs, false);
    assert_string_equal(op_case_rules(&c), "");
    assert_string_equal(ir_shape_text(&c.out[0].shape, shape, sizeof shape), expected->shape);
    if (c.node.op->cost(&c.node, in) != expected->cost)
      fail_msg("%s: %lld", expected->type, (long long)c.node.op->cost(&c.node, in));
    op_case_end(&c);
  }
}

/* Which axes a transform shortens is not known without the contents of `axes`; a complex one keeps all sizes. */
static void axes_that_are_not_known_can_be_any(void **state) {
  (void)state;
  static const char *const ops[] = {"DFT", "IDFT"};
  char shape[IR_SHAPE_TEXT];
  for (size_t i = 0; i < 2; i++) {
    op_case c;
    op_case_begin(&c, ops[i], "opset7", (const char *const[]){NULL});
    c.in[0] = op_case_value(IR_F32, ir_shape_of(3, (int64_t[]){8, 3, 2}));
    c.in[1] = op_case_value(IR_I64, ir_shape_of(1, (int64_t[]){1}));
    op_case_infer(&c, 2, false);
    assert_string_equal(ir_shape_text(&c.out[0].shape, shape, sizeof shape), "[8,3,2]");
    c.in[2] = c.in[1];
    op_case_infer(&c, 3, false);
    assert_string_equal(ir_shape_text(&c.out[0].shape, shape, sizeof shape), "[?,?,2]");
    op_case_end(&c);
  }
  op_case c;
  op_case_begin(&c, "RDFT", "opset9", (const char *const[]){NULL});
  c.in[0] = op_case_value(IR_F32, ir_shape_of(2, (int64_t[]){8, 3}));
  c.in[1] = op_case_value(IR_I64, ir_shape_of(1, (int64_t[]){1}));
  op_case_infer(&c, 2, false);
  assert_string_equal(ir_shape_text(&c.out[0].shape, shape, sizeof shape), "[?,?,2]");
  c.in[1] = op_case_list(&c, IR_I64, 1, NULL, 0);
  op_case_infer(&c, 2, false);
  assert_string_equal(op_case_rules(&c), "IR315");
  op_case_end(&c);
}

/* ---- types ---- */

/* ConvertPromoteTypes of a tensor of type `a` and one of type `b`, or a scalar. IR_DYNAMIC: refused if promotions that
 * can lose a number are not allowed. */
static void types_are_promoted(void **state) {
  (void)state;
  const struct {
    ir_type a, b;
    int b_rank;
    ir_type promoted, safely;
  } cases[] = {
      {IR_U8, IR_I8, 1, IR_I16, IR_DYNAMIC},
      {IR_I32, IR_U8, 1, IR_I32, IR_I32},
      {IR_U16, IR_I16, 1, IR_I32, IR_DYNAMIC},
      {IR_U32, IR_I8, 1, IR_I64, IR_DYNAMIC},
      {IR_U4, IR_I4, 1, IR_I8, IR_DYNAMIC},
      {IR_U64, IR_I64, 1, IR_F64, IR_DYNAMIC},
      {IR_U8, IR_U32, 1, IR_U32, IR_U32},
      {IR_I64, IR_I16, 1, IR_I64, IR_I64},
      {IR_F16, IR_BF16, 1, IR_F32, IR_DYNAMIC},
      {IR_F8E4M3, IR_F8E5M2, 1, IR_F16, IR_DYNAMIC},
      {IR_F16, IR_F64, 1, IR_F64, IR_F64},
      {IR_BOOLEAN, IR_U8, 1, IR_U8, IR_U8},
      {IR_F32, IR_I64, 1, IR_F32, IR_DYNAMIC},
      {IR_F32, IR_I16, 1, IR_F32, IR_F32},
      {IR_U8, IR_I64, 0, IR_U8, IR_DYNAMIC},
      {IR_F16, IR_F32, 0, IR_F16, IR_DYNAMIC},
      {IR_I16, IR_U16, 0, IR_I16, IR_I16},
      {IR_I64, IR_I64, 0, IR_I64, IR_I64},
      {IR_STRING, IR_I8, 1, IR_DYNAMIC, IR_DYNAMIC},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int safe = 0; safe < 2; safe++) {
      op_case c;
      op_case_begin(&c, "ConvertPromoteTypes", "opset14",
                    (const char *const[]){"promote_unsafe", safe ? "false" : "true", "pytorch_scalar_promotion", "true",
                                          "u64_integer_promotion_target", "f64", NULL});
      c.in[0] = op_case_value(cases[i].a, ir_shape_of(1, (int64_t[]){3}));
      c.in[1] = op_case_value(cases[i].b, ir_shape_of(cases[i].b_rank, (int64_t[]){3}));
      op_case_infer(&c, 2, false);
      const ir_type expected = safe ? cases[i].safely : cases[i].promoted;
      assert_string_equal(op_case_rules(&c), expected == IR_DYNAMIC ? "IR306" : "");
      if (expected != IR_DYNAMIC && (c.out[0].type != expected || c.out[1].type != expected))
        fail_msg("%s and %s: %s", ir_type_name(cases[i].a), ir_type_name(cases[i].b), ir_type_name(c.out[0].type));
      op_case_end(&c);
    }
}

/* irrun checks the ops of strings, and cannot run them. */
static void strings_are_packed_and_unpacked(void **state) {
  (void)state;
  op_case c;
  op_case_begin(&c, "StringTensorPack", "opset15", (const char *const[]){NULL});
  c.in[0] = c.in[1] = op_case_value(IR_I64, ir_shape_of(2, (int64_t[]){2, 3}));
  c.in[2] = op_case_value(IR_U8, ir_shape_of(1, (int64_t[]){40}));
  op_case_infer(&c, 3, false);
  assert_string_equal(op_case_rules(&c), "");
  assert_true(c.out[0].type == IR_STRING && ir_shapes_equal(&c.out[0].shape, &c.in[0].shape));
  c.in[1] = op_case_value(IR_I64, ir_shape_of(2, (int64_t[]){2, 4}));
  op_case_infer(&c, 3, false);
  assert_true(c.out[0].poisoned && op_case_rules(&c)[0] != '\0');
  op_case_end(&c);
  op_case_begin(&c, "StringTensorUnpack", "opset15", (const char *const[]){NULL});
  c.in[0] = op_case_value(IR_STRING, ir_shape_of(2, (int64_t[]){2, 3}));
  op_case_infer(&c, 1, false);
  assert_string_equal(op_case_rules(&c), "");
  for (int i = 0; i < 2; i++)
    assert_true(c.out[i].type == IR_I32 && ir_shapes_equal(&c.out[i].shape, &c.in[0].shape));
  assert_true(c.out[2].type == IR_U8 && c.out[2].shape.rank == 1);
  op_case_end(&c);
}

/* A box with a NaN has no area, so it overlaps no other box. */
static void a_box_of_nan_suppresses_none(void **state) {
  (void)state;
  static const float boxes[] = {0, 0, NAN, 1, 0, 0, 1, 1, 0, 0, 1, 1}, scores[] = {0.9f, 0.8f, 0.7f};
  op_model c = {.type = "MulticlassNms",
                .opset = 8,
                .data = "iou_threshold=\"0.5\" sort_result_type=\"score\"",
                .n_inputs = 2,
                .inputs = {{.type = IR_F32, .rank = 3, .dims = {1, 3, 4}, .data = boxes},
                           {.type = IR_F32, .rank = 3, .dims = {1, 1, 3}, .data = scores}},
                .n_outputs = 3,
                .output = 1};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const irrun_tensor_info out = irrun_tensor_get_info(run.values);
  assert_int_equal(out.elements, 2);
  assert_int_equal(((const int64_t *)out.data)[0], 0);
  assert_int_equal(((const int64_t *)out.data)[1], 1);
  model_run_end(&run);
}

/* OpenVINO takes any types; irrun converts the slope to the type in which it computes. */
static void a_slope_of_another_type_is_converted(void **state) {
  (void)state;
  static const int32_t whole[] = {-3, 5, -7}, slopes[] = {2, 2, 3};
  static const float parts[] = {-0.5f, 0.5f, -1.5f};
  static const bool truths[] = {true, true, false};
  op_model c = {.type = "PReLU",
                .n_inputs = 2,
                .inputs = {{.type = IR_I32, .rank = 1, .dims = {3}, .data = whole},
                           {.type = IR_BOOLEAN, .rank = 1, .dims = {3}, .data = truths}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  assert_memory_equal(irrun_tensor_get_info(run.values).data, ((int32_t[]){-3, 5, 0}), sizeof whole);
  model_run_end(&run);
  c.inputs[0].type = IR_F32, c.inputs[0].data = parts;
  c.inputs[1].type = IR_I32, c.inputs[1].data = slopes;
  run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const float *sloped = irrun_tensor_get_info(run.values).data;
  assert_true(sloped[0] == -1 && sloped[1] == 0.5f && sloped[2] == -4.5f);
  model_run_end(&run);
}

/* The mean of one element is the element, so nothing but the bias is left. */
static void groups_of_one_element_are_their_bias(void **state) {
  (void)state;
  static const float data[] = {1, 2, 3, 4, 5, 6}, scale[] = {3, 3, 3}, bias[] = {0.5f, -1, 2};
  op_model c = {.type = "GroupNormalization",
                .opset = 12,
                .data = "num_groups=\"3\" epsilon=\"0.001\"",
                .n_inputs = 3,
                .inputs = {{.type = IR_F32, .rank = 2, .dims = {2, 3}, .data = data},
                           {.type = IR_F32, .rank = 1, .dims = {3}, .data = scale},
                           {.type = IR_F32, .rank = 1, .dims = {3}, .data = bias}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  const float *normalized = irrun_tensor_get_info(run.values).data;
  for (int i = 0; i < 6; i++)
    assert_true(normalized[i] == bias[i % 3]);
  model_run_end(&run);
}

/* An index without numbers selects all of `data`; random models have none. */
static void an_index_of_no_numbers_selects_all(void **state) {
  (void)state;
  static const float data[] = {1, 2, 3}, updates[] = {4, 5, 6, 7, 8, 9};
  op_model c = {.type = "GatherND",
                .opset = 8,
                .n_inputs = 2,
                .inputs = {{.type = IR_F32, .rank = 1, .dims = {3}, .data = data},
                           {.type = IR_I64, .rank = 2, .dims = {2, 0}, .data = ""}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  assert_memory_equal(irrun_tensor_get_info(run.values).data, ((float[]){1, 2, 3, 1, 2, 3}), 2 * sizeof data);
  model_run_end(&run);
  c.type = "ScatterNDUpdate", c.opset = 4, c.n_inputs = 3;
  c.inputs[2] = (op_input){.type = IR_F32, .rank = 2, .dims = {2, 3}, .data = updates};
  run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  assert_memory_equal(irrun_tensor_get_info(run.values).data, ((float[]){7, 8, 9}), sizeof data);
  model_run_end(&run);
}

static void a_blank_is_a_class(void **state) {
  (void)state;
  static const float logits[3];
  static const int32_t one = 1, zero, blank = 3;
  op_model c = {.type = "CTCLoss",
                .opset = 4,
                .n_inputs = 5,
                .inputs = {{.type = IR_F32, .rank = 3, .dims = {1, 1, 3}, .data = logits},
                           {.type = IR_I32, .rank = 1, .dims = {1}, .data = &one},
                           {.type = IR_I32, .rank = 2, .dims = {1, 1}, .data = &zero},
                           {.type = IR_I32, .rank = 1, .dims = {1}, .data = &one},
                           {.type = IR_I32, .data = &blank}}};
  model_run run = op_model_run(&c);
  assert_non_null(strstr(irrun_context_last_error(run.context), "'blank_index' is 3; expected one from 0 to 2 [IR509"));
  model_run_end(&run);
}

/* The logits of two steps have more classes than a piece of elements. Only the first step counts. */
static void a_loss_of_many_classes(void **state) {
  (void)state;
  static const float logits[2 * 600];
  static const int32_t one = 1, labels[2];
  op_model c = {.type = "CTCLoss",
                .opset = 4,
                .n_inputs = 4,
                .inputs = {{.type = IR_F32, .rank = 3, .dims = {1, 2, 600}, .data = logits},
                           {.type = IR_I32, .rank = 1, .dims = {1}, .data = &one},
                           {.type = IR_I32, .rank = 2, .dims = {1, 2}, .data = labels},
                           {.type = IR_I32, .rank = 1, .dims = {1}, .data = &one}}};
  model_run run = op_model_run(&c);
  assert_int_equal(run.status, IRRUN_OK);
  assert_true(fabs(*(const float *)irrun_tensor_get_info(run.values).data - log(600)) < 1e-4);
  model_run_end(&run);
}

/* No matrices need no memory. */
static void an_inverse_of_nothing(void **state) {
  (void)state;
  const ir_shape shape = ir_shape_of(3, (int64_t[]){0, 2, 2});
  ir_tensor in = ir_tensor_borrow(IR_F32, &shape, NULL, 0);
  op_case c;
  op_case_begin(&c, "Inverse", "opset14", (const char *const[]){NULL});
  c.in[0] = op_case_value(IR_F32, shape);
  op_case_infer(&c, 1, false);
  assert_int_equal(op_case_run(&c, &in, 1)->bytes, 0);
  assert_int_equal(c.plan.scratch_bytes, 0);
  op_case_end(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_of_a_density_are_spread_over_the_box),
      cmocka_unit_test(halves_go_where_the_mode_says),
      cmocka_unit_test(begin_mask_holds_for_an_axis_that_goes),
      cmocka_unit_test(regions_are_of_an_image_or_the_end),
      cmocka_unit_test(priors_end_where_proposals_do),
      cmocka_unit_test(a_prior_has_one_class),
      cmocka_unit_test(turned_boxes_overlap_in_a_polygon),
      cmocka_unit_test(work_follows_from_shapes),
      cmocka_unit_test(axes_that_are_not_known_can_be_any),
      cmocka_unit_test(types_are_promoted),
      cmocka_unit_test(strings_are_packed_and_unpacked),
      cmocka_unit_test(a_box_of_nan_suppresses_none),
      cmocka_unit_test(a_slope_of_another_type_is_converted),
      cmocka_unit_test(groups_of_one_element_are_their_bias),
      cmocka_unit_test(an_index_of_no_numbers_selects_all),
      cmocka_unit_test(a_blank_is_a_class),
      cmocka_unit_test(a_loss_of_many_classes),
      cmocka_unit_test(an_inverse_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
