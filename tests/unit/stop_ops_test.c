/* Tests that a time limit stops single ops in the middle of their work. */
#include "stop_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LONG_POOL(kernel) "kernel='" kernel "' strides='1' pads_begin='0' pads_end='0' exclude-pad='true'"

/* Each op has many classes or images of little work, or one item of much work. */
static const stop_op ops[] = {
    {"NonMaxSuppression",
     "9",
     "box_encoding='center' output_type='i64'",
     {{"1,200,4", "f32", "random:1"}, {"1,5000,200", "f32", "random:2"}, {"", "i64", "1"}, {"", "f32", "0.9"}},
     {"i64", "f32", "i64"}},
    {"NMSRotated",
     "13",
     "output_type='i64'",
     {{"5000,200,5", "f32", "random:1"},
      {"5000,1,200", "f32", "random:2"},
      {"", "i64", "1"},
      {"", "f32", "0.9"},
      {"", "f32", "-9"}},
     {"i64", "f32", "i64"}},
    {"MatrixNms",
     "8",
     "score_threshold='-9' nms_top_k='2'",
     {{"1,200,4", "f32", "random:1"}, {"1,5000,200", "f32", "random:2"}},
     {"f32", "i64", "i64"}},
    {"MulticlassNms",
     "9",
     "score_threshold='-9'",
     {{"300000,2,4", "f32", "random:1"}, {"300000,1,2", "f32", "random:2"}},
     {"f32", "i64", "i64"}},
    {"GenerateProposals",
     "9",
     "min_size='-1' nms_threshold='0.9' pre_nms_count='9' post_nms_count='9'",
     {{"120000,3", "f32", "ones"},
      {"1,1,2,4", "f32", "random:1"},
      {"120000,8,1,1", "f32", "random:2"},
      {"120000,2,1,1", "f32", "random:3"}},
     {"f32", "f32", "i64"}},
    {"CTCGreedyDecoderSeqLen", "6", "", {{"1,2000000,1", "f32", "ones"}, {"1", "i32", "2000000"}}, {"i32", "i32"}},
    {"CTCLoss",
     "4",
     "",
     {{"1,1,4000000", "f32", "ones"}, {"1", "i32", "1"}, {"1,1", "i32", "1"}, {"1", "i32", "1"}},
     {"f32"}},
    {"RegionYolo",
     "1",
     "axis='1' coords='4' classes='3999995' end_axis='3' num='1'",
     {{"1,4000000,1,1", "f32", "ones"}},
     {"f32"}},
    {"EmbeddingBagPackedSum", "3", "", {{"9,1000", "f32", "ones"}, {"1,100000", "i32", "ones"}}, {"f32"}},
    {"ScatterElementsUpdate",
     "12",
     "reduction='mean'",
     {{"4000000", "f32", "ones"}, {"4000000", "i32", "ones"}, {"4000000", "f32", "ones"}, {"", "i64", "0"}},
     {"f32"}},
    {"AvgPool", "1", LONG_POOL("200000"), {{"1,1,201500", "f32", "random:1"}}, {"f32"}},
    {"MaxPool", "1", LONG_POOL("200000"), {{"1,1,201500", "f32", "random:1"}}, {"f32"}},
    /* Only the sums exceed f32, so each average is computed again, in double. */
    {"AvgPool", "1", LONG_POOL("10000"), {{"1,1,20000", "f32", "3e38"}}, {"f32"}},
    {"MaxPool",
     "1",
     "kernel='20000,1' strides='1,1' pads_begin='0,0' pads_end='0,0' exclude-pad='true'",
     {{"1,1,32000,1", "i16", "random:1"}},
     {"i16"}},
    {"AdaptiveMaxPool",
     "8",
     "index_element_type='i64'",
     {{"1,1,1000000", "f64", "random:1"}, {"1", "i64", "4000000"}},
     {"f64", "i64"}},
    {"ConvolutionBackpropData",
     "1",
     "strides='1000000' dilations='1' pads_begin='0' pads_end='0'",
     {{"1,1,2", "f64", "ones"}, {"1,1,1", "f64", "ones"}},
     {"f64"}},
    {"GroupedMatMul",
     "17",
     "",
     {{"500000,0", "f32", "ones"}, {"500000,1,0", "f32", "ones"}, {"500000", "i32", "iota"}},
     {"f32"}},
    {"GridSample", "9", "mode='nearest'", {{"1,4000000,1,1", "f32", "ones"}, {"1,1,1,2", "f32", "zeros"}}, {"f32"}},
    {"Col2Im", "15", "", {{"2250000,1", "f32", "ones"}, {"2", "i64", "1500"}, {"2", "i64", "1500"}}, {"f32"}},
    {"OneHot",
     "1",
     "axis='0'",
     {{"4000000", "u8", "zeros"}, {"", "i64", "2"}, {"", "u8", "1"}, {"", "u8", "0"}},
     {"u8"}},
    {"Eye",
     "9",
     "output_type='u8'",
     {{"", "i64", "1"}, {"", "i64", "1"}, {"", "i64", "0"}, {"1", "i64", "4000000"}},
     {"u8"}},
    {"SparseFillEmptyRows",
     "16",
     "",
     {{"1", "u8", "ones"}, {"2", "i32", "4000000"}, {"1,2", "i32", "zeros"}, {"", "u8", "ones"}},
     {"i32", "u8", "boolean"}},
    {"RGBtoNV12", "17", "", {{"1,2,2000000,3", "u8", "ones"}}, {"u8"}},
    {"ExperimentalDetectronPriorGridGenerator",
     "6",
     "flatten='true'",
     {{"1,4", "f32", "ones"}, {"1,1,1000,2000", "f32", "ones"}, {"1,1,9,9", "f32", "ones"}},
     {"f32"}},
    {"Proposal",
     "4",
     "base_size='9' pre_nms_topn='1' post_nms_topn='1' nms_thresh='0.9' feat_stride='1' min_size='1' ratio='1' "
     "scale='1'",
     {{"1,2,1000,1000", "f32", "ones"}, {"1,4,1000,1000", "f32", "zeros"}, {"3", "f32", "9"}},
     {"f32", "f32"}},
    {"ExperimentalDetectronDetectionOutput",
     "6",
     "score_threshold='9' nms_threshold='0.9' num_classes='2' post_nms_count='1' max_detections_per_image='1' "
     "class_agnostic_box_regression='false' max_delta_log_wh='9' deltas_weights='1,1,1,1'",
     {{"1000000,4", "f32", "ones"}, {"1000000,8", "f32", "ones"}, {"1000000,2", "f32", "ones"}, {"1,3", "f32", "ones"}},
     {"f32", "i32", "f32"}},
    {"TopK", "11", "axis='0' mode='max' sort='value'", {{"8000000", "f32", "ones"}, {"", "i64", "1"}}, {"f32", "i32"}}};

static void ops_are_left_in_the_middle(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    stop_model f = stop_model_of_op(&ops[i]);
    stop_model_check(&f, ops[i].type);
    stop_model_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ops_are_left_in_the_middle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
