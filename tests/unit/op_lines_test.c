/* Tests single cases of ops, a row each: attributes, inputs, and the inferred outputs with the reports, or the elements
 * of output 0. Each case tells a rule or a kernel from a slightly different one. */
#include "op_case.h"
#include "ops/attr_text.h"
#include "ops/kernels/floats.h"
#include "ops/ranges.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct op_line {
  const char *type, *opset;
  const char *attrs;    /* "name=value name=value" */
  const char *inputs;   /* "f32[2,?] i64[2]=7,8 i64[2]~1..3,..4": constant elements; intervals of elements */
  const char *expected; /* "f32[2,4] i64[2]~1..3,4..4 IR303"; "f32[2]=7,8": also runs the op */
} op_line;

enum { MOST_WORDS = 40, MOST_TEXT = 1000 };

/* Splits the text in place. Returns the number of words; the last one is followed by NULL. */
static int split(char *text, const char *separators, char **words) {
  int n = 0;
  for (char *word; (word = strsep(&text, separators)) != NULL;)
    if (*word != '\0')
      words[n++] = word;
  assert_true(n < MOST_WORDS);
  words[n] = NULL;
  return n;
}

/* Reads an interval such as "1..3" or "..3". */
static ir_dim interval_of(const char *text) {
  const char *dots = strstr(text, "..");
  assert_non_null(dots);
  return (ir_dim){dots == text ? INT64_MIN : strtoll(text, NULL, 10),
                  dots[2] == '\0' ? INT64_MAX : strtoll(dots + 2, NULL, 10)};
}

static ir_shape shape_of(const op_case *c, const char *text) {
  ir_text_value value = {.name = "shape", .text = text, .n_items = *text != '\0'};
  for (const char *t = text; *t != '\0'; t++)
    value.n_items += *t == ',';
  ir_diags diags;
  ir_shape shape;
  ir_diags_init(&diags, &c->memory);
  assert_int_equal(ir_text_shape(&value, true, &shape, &diags), IR_OK);
  return shape;
}

/* Reads an input such as "i64[2]=7,8". */
static void read_input(op_case *c, char *word, ir_value *out, ir_tensor *tensor) {
  char *open = strchr(word, '['), *close = strchr(word, ']');
  char *items[MOST_WORDS];
  assert_true(open != NULL && close != NULL && ir_type_from_name(word, (size_t)(open - word), &out->type));
  *close = '\0';
  out->shape = shape_of(c, open + 1);
  if (close[1] == '\0')
    return;
  const int n = split(close + 2, ",", items);
  if (close[1] == '=') {
    assert_true(ir_tensor_alloc(tensor, &c->memory, out->type, &out->shape));
    assert_int_equal(n, ir_tensor_elements(tensor));
    for (int i = 0; i < n; i++)
      ir_floats_store(tensor, i, (double[]){strtod(items[i], NULL)}, 1);
    out->contents = tensor;
    return;
  }
  ir_dim *ranges = ir_arena_array(&c->arena, (size_t)n + 1, sizeof *ranges);
  assert_non_null(ranges);
  for (int i = 0; i < n; i++)
    ranges[i] = interval_of(items[i]);
  out->ranges = ranges;
}

/* Appends to a text of MOST_TEXT bytes. */
static void add(char *text, const char *word) {
  snprintf(text + strlen(text), MOST_TEXT - strlen(text), "%s", word);
}

static void add_output(const ir_value *out, char *text) {
  char word[IR_SHAPE_TEXT], ends[2][24];
  if (out->poisoned) {
    add(text, "poisoned");
    return;
  }
  add(text, ir_type_name(out->type));
  add(text, ir_shape_text(&out->shape, word, sizeof word));
  for (int64_t i = 0; out->ranges != NULL && i < ir_ranges_count(out); i++) {
    snprintf(ends[0], sizeof ends[0], "%lld", (long long)out->ranges[i].lo);
    snprintf(ends[1], sizeof ends[1], "%lld", (long long)out->ranges[i].hi);
    snprintf(word, sizeof word, "%s%s..%s", i > 0 ? "," : "~", out->ranges[i].lo == INT64_MIN ? "" : ends[0],
             out->ranges[i].hi == INT64_MAX ? "" : ends[1]);
    add(text, word);
  }
}

static void add_elements(const ir_tensor *tensor, char *text) {
  char number[40];
  for (int64_t i = 0; i < ir_tensor_elements(tensor); i++) {
    snprintf(number, sizeof number, "%s%.7g", i > 0 ? "," : "=", ir_number_at(tensor, i));
    add(text, number);
  }
}

static void try_line(const op_line *line) {
  char attrs[MOST_TEXT], inputs[MOST_TEXT], text[MOST_TEXT] = "";
  char *pairs[MOST_WORDS], *words[MOST_WORDS];
  ir_tensor tensors[MOST_WORDS] = {{.rank = 0}};
  op_case c;
  snprintf(attrs, sizeof attrs, "%s", line->attrs);
  snprintf(inputs, sizeof inputs, "%s", line->inputs);
  split(attrs, " =", pairs);
  const int n = split(inputs, " ", words);
  op_case_begin(&c, line->type, line->opset, (const char *const *)pairs);
  for (int i = 0; i < n; i++)
    read_input(&c, words[i], &c.in[i], &tensors[i]);
  op_case_infer(&c, n, false);
  for (int i = 0; i < c.node.n_outputs; i++) {
    add(text, i > 0 ? " " : "");
    add_output(&c.out[i], text);
  }
  add(text, *op_case_rules(&c) != '\0' ? " " : "");
  add(text, op_case_rules(&c));
  if (strchr(line->expected, '=') != NULL)
    add_elements(op_case_run(&c, tensors, n), text);
  if (strcmp(text, line->expected) != 0)
    fail_msg("%s of %s with %s: '%s', expected '%s'", line->type, line->inputs, line->attrs, text, line->expected);
  for (int i = 0; i < n; i++)
    ir_tensor_release(&tensors[i]);
  op_case_end(&c);
}

#define TRY(lines)                                                                                                     \
  for (size_t i = 0; i < sizeof(lines) / sizeof((lines)[0]); i++)                                                      \
  try_line(&(lines)[i])

/* ---- rules ---- */

static void movements(void **state) {
  (void)state;
  static const op_line lines[] = {
      {"ScatterUpdate", "opset3", "", "f32[] i64[1]=0 f32[1] i64[]", "poisoned IR303"},
      {"GatherTree", "opset1", "", "f32[?,2,?] f32[3,?,4] f32[2] f32[]", "f32[3,2,4]"},
      {"ScatterNDUpdate", "opset4", "", "f32[3] i64[1,2] f32[1]", "poisoned IR322"},
      {"GatherND", "opset8", "batch_dims=3", "f32[2,3] i64[2,3]", "poisoned IR207"},
      {"Gather", "opset8", "batch_dims=1", "f32[2,3,4,5] i64[2,6] i64[]=2", "f32[2,3,6,5]"},
      {"BatchToSpace", "opset2", "", "f32[4,1,2,3] i64[4]=1,1,2,2 i64[4]=0,0,1,0 i64[4]=0,0,0,2", "f32[1,1,3,4]"},
      {"SpaceToDepth", "opset1", "mode=blocks_first block_size=2", "f32[1,3,4,6]", "f32[1,12,2,3]"},
      {"Col2Im", "opset15", "", "f32[12,9] i64[2]=4,5 i64[2]=2,3",
       "f32[2,4,5] warning IR212 warning IR212 warning IR212 warning IR212"},
      {"Transpose", "opset1", "", "f32[2,3] i64[0]=", "f32[3,2]"},
      {"Broadcast", "opset3", "mode=explicit", "f32[] i64[2]=1,3 i64[1]=0", "f32[1,3]"},
      {"Reshape", "opset1", "special_zero=true", "f32[?,4] i64[2]=0,5", "f32[0,5] warning IR317"},
      {"Unique", "opset10", "index_element_type=i32 sorted=true", "f32[4]", "f32[1..4] i32[1..4] i32[4] i64[1..4]"},
      {"TopK", "opset3", "axis=0 mode=max sort=none", "f32[3] i64[]=5", "poisoned poisoned IR322"},
      {"ReduceSum", "opset1", "keep_dims=false", "f32[2,3,5] i64[1]", "f32[2..3,3..5]"},
      {"SegmentMax", "opset16", "fill_mode=ZERO", "f32[3,2] i64[3]=2,1,0", "poisoned IR322"},
      {"Einsum", "opset7", "equation=a.bc->a", "f32[2,3,4]", "poisoned IR207"},
      {"RandomUniform", "opset8", "output_type=f32", "i64[1]=2 f32[]=1 f32[]=1", "poisoned IR322"},
      {"Eye", "opset9", "output_type=i32", "i64[]=2 i64[]=2 i64[]=-9223372036854775808", "i32[2,2]=0,0,0,0"},
      /* A slice of the highest rank. */
      {"Slice", "opset8", "", "f32[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3]=0,1,2,3,4,5 i64[1]=1 i64[1]=3 i64[1]=1 i64[1]=15",
       "f32[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]=1,2,4,5"},
      {"Slice", "opset8", "", "f32[?] i64[1]=0 i64[1]=-1 i64[1]=2", "f32[?]"},
      {"Slice", "opset8", "", "f32[?] i64[1]=-1 i64[1]=-9223372036854775808 i64[1]=-2", "f32[?]"},
      {"GenerateProposals", "opset9", "min_size=1 nms_threshold=0.5 pre_nms_count=5 post_nms_count=5",
       "f32[1,3] f32[2,3,4,4] f32[1,15,2,3] f32[1,4,2,3]", "poisoned poisoned poisoned IR322"},
      {"StridedSlice", "opset1", "begin_mask=0 end_mask=0",
       "i32[3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]=0,1,2,3,4,5 i64[1]=0 i64[1]=3 i64[1]=2",
       "i32[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]=0,1,4,5"},
      {"ExperimentalDetectronTopKROIs", "opset6", "max_rois=3",
       "f32[4,4]=0,0,1,1,0,0,2,2,0,0,3,3,0,0,4,4 f32[4]=0.5,0.5,0.5,0.5", "f32[3,4]=0,0,1,1,0,0,2,2,0,0,3,3"},
  };
  TRY(lines);
}

static void types(void **state) {
  (void)state;
  static const op_line lines[] = {
      {"StringTensorPack", "opset15", "", "i32[2] i32[?] u8[5]", "string[2]"},
      {"ConvertPromoteTypes", "opset14", "", "i8[2] u8[2]", "poisoned poisoned IR306"},
      {"ConvertPromoteTypes", "opset14", "", "f16[2] bf16[2]", "poisoned poisoned IR306"},
      {"ConvertPromoteTypes", "opset14", "", "u64[2] i8[2]", "poisoned poisoned IR306"},
      {"ConvertPromoteTypes", "opset14", "promote_unsafe=true pytorch_scalar_promotion=true", "i64[] i8[2]",
       "i8[] i8[2]"},
      {"ConvertPromoteTypes", "opset14", "promote_unsafe=true pytorch_scalar_promotion=true", "i8[2] i64[]",
       "i8[2] i8[]"},
      {"FakeConvert", "opset13", "destination_type=f8e4m3", "f32[...] f32[4] f32[4]", "f32[...]"},
      {"FakeConvert", "opset13", "destination_type=f8e4m3", "f32[2,3] f32[4] f32[4]", "poisoned IR316 IR316"},
      {"BatchNormInference", "opset5", "epsilon=0.1", "f32[1,3] f32[2] f32[3] f32[3] f32[3]", "poisoned IR322"},
      {"Interpolate", "opset11", "mode=nearest shape_calculation_mode=sizes", "f32[1,2] f32[2]", "poisoned IR306"},
      {"NV12toRGB", "opset8", "", "u8[1,4,2,1]", "poisoned IR322"},
      {"ExperimentalDetectronPriorGridGenerator", "opset6", "", "f32[3,5] f32[1,1,2,2] f32[1,3,4,4]",
       "poisoned warning IR212 IR322"},
      {"RGBtoNV12", "opset17", "single_plane=false", "u8[1,3,4,3]", "poisoned poisoned IR322"},
      {"RGBtoNV12", "opset17", "single_plane=false", "u8[1,4,3,3]", "poisoned poisoned IR322"},
      {"MatrixNms", "opset8", "", "f32[1,2,4] f32[1,1,3]", "poisoned poisoned poisoned IR322"},
      {"DFT", "opset7", "", "f32[4,2] i64[1]=0 i64[1]=-2", "poisoned IR322"},
      {"DFT", "opset7", "", "f32[4,3] i64[1]=0", "poisoned IR322"},
      {"RDFT", "opset9", "", "f32[0] i64[1]=0", "f32[0,2]"},
      {"RDFT", "opset9", "", "f32[..4] i64[1]=0", "f32[0..3,2]"},
      {"Einsum", "opset7", "equation=a...,a->...", "f32[...] f32[2]", "f32[...]"},
      /* 9 * 2^-10 lies between 2^-7 and 2^-6, where e4m3 has multiples of 2^-9. It is a tie. */
      {"FakeConvert", "opset13", "destination_type=f8e4m3", "f32[1]=0.0087890625 f32[1]=1", "f32[1]=0.0078125"},
  };
  TRY(lines);
}

static void ranges(void **state) {
  (void)state;
  static const op_line lines[] = {
      {"Add", "opset1", "", "i64[1]~1..3 i64[1]=2", "i64[1]~3..5"},
      {"Add", "opset1", "", "i64[1]~..3 i64[1]=2", "i64[1]~..5"},
      {"Minimum", "opset1", "", "i64[1] i64[1]=5", "i64[1]~..5"},
      {"Range", "opset4", "output_type=i64", "i64[]=0 i64[]~0..1 i64[]=1", "i64[0..1]"},
      {"ScatterUpdate", "opset3", "", "i64[2]~1..3,4..4 i64[0] i64[0] i64[]=0", "i64[2]~1..3,4..4"},
      {"ScatterElementsUpdate", "opset3", "", "i64[3]~1..2,3..4,5..6 i64[1]=1 i64[1]~9..9 i64[]=0",
       "i64[3]~1..2,9..9,5..6"},
      {"Select", "opset1", "", "boolean[1] i64[1]=2 i64[1]=3", "i64[1]~2..3"},
      {"Select", "opset1", "", "boolean[1]=0 i64[1]~1..2 i64[1]~5..9", "i64[1]~5..9"},
      {"Select", "opset1", "", "boolean[2] f32[2] f32[...]", "f32[...]"},
      {"Pad", "opset1", "pad_mode=constant", "i64[2]~1..3,4..4 i64[1]=1 i64[1]=0 i64[]=9", "i64[3]~9..9,1..3,4..4"},
      {"Transpose", "opset1", "", "i64[2,2]~1..1,2..2,3..3,4..5 i64[2]=1,0", "i64[2,2]~1..1,3..3,2..2,4..5"},
  };
  TRY(lines);
}

static void windows(void **state) {
  (void)state;
  static const op_line lines[] = {
      {"Convolution", "opset1", "strides=1,1,1 pads_begin=0,0,0 pads_end=0,0,0 dilations=1,1,1", "f32[...] f32[...]",
       "f32[?,?,1..,1..,1..]"},
      {"Convolution", "opset1", "strides=1,1,1,1 pads_begin=0,0,0,0 pads_end=0,0,0,0 dilations=1,1,1,1",
       "f32[...] f32[...]", "f32[...]"},
      {"Convolution", "opset1", "strides=1 pads_begin=0 pads_end=0 dilations=1", "f32[...] f32[1,1,2,2]",
       "poisoned IR208"},
      {"ConvolutionBackpropData", "opset1", "strides=1,1 pads_begin=0,0 pads_end=0,0 dilations=1,1",
       "f32[1,2,4,4] f32[2,3,2,2] i64[2]~..5,5..5", "f32[1,3,0..5,5]"},
      {"AdaptiveAvgPool", "opset8", "", "f32[...] i64[2]", "f32[?,?,1..,1..]"},
      {"MaxPool", "opset1", "kernel=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 strides=1 pads_begin=0 pads_end=0", "f32[...]",
       "poisoned IR208"},
  };
  TRY(lines);
}

/* ---- kernels ---- */

static void images(void **state) {
  (void)state;
  static const op_line lines[] = {
      /* The position of element 9 is exactly 3.5. Division by a float scale gives more. */
      {"Interpolate", "opset4",
       "mode=nearest shape_calculation_mode=sizes coordinate_transformation_mode=tf_half_pixel_for_nn",
       "f32[7]=0,1,2,3,4,5,6 i64[1]=19 f32[1]=1 i64[1]=0", "f32[19]=0,1,1,1,2,2,2,3,3,3,4,4,5,5,5,6,6,6,6"},
      {"ExtractImagePatches", "opset3", "sizes=1,1 strides=2,2 rates=1,1 auto_pad=same_upper",
       "f32[1,1,4,4]=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "f32[1,1,2,2]=0,2,8,10"},
      {"Col2Im", "opset15", "", "f64[2,2]=1,2,3,0.1 i64[2]=1,3 i64[2]=1,2",
       "f64[1,1,3] warning IR212 warning IR212 warning IR212 warning IR212=1,5,0.1"},
      /* A region of 224 x 224 pixels belongs to level 2. There are only the levels 0 and 1. */
      {"ExperimentalDetectronROIFeatureExtractor", "opset6",
       "output_size=1 sampling_ratio=1 pyramid_scales=224,224 aligned=false",
       "f32[1,4]=0,0,224,224 f32[1,1,1,1]=1 f32[1,1,1,1]=2", "f32[1,1,1,1] f32[1,4]=2"},
  };
  TRY(lines);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(movements), cmocka_unit_test(types),  cmocka_unit_test(ranges),
      cmocka_unit_test(windows),   cmocka_unit_test(images),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
