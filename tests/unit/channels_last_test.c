/* Tests channels-last kernels: compares ops between oneDNN primitives with plain kernels, and tests the pools of each
 * instruction set. */
#include "draw.h"
#include "irrun_program.h"
#include "ops/pool/pool_kernels.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- ops ---- */

enum { IN = 512, ROWS = 28, COLUMNS = 30, MOST_CHANNELS = 100, MOST_LIST = 8, MOST_TEXT = 8192 };
enum { N_IN = 2 * IN * ROWS * COLUMNS, N_WEIGHTS = MOST_CHANNELS * IN };

/* An i64 vector that the op gets as an input, such as axes. */
typedef struct list {
  int n; /* 0: no list */
  int64_t items[MOST_LIST];
} list;

typedef struct op_layer {
  const char *type, *opset, *data; /* `data` has the op's attributes */
  list lists[3];                   /* inputs after input 0 */
} op_layer;

static const op_layer layers[] = {
    {"LRN", "opset1", "alpha=\"0.5\" beta=\"0.75\" bias=\"1\" size=\"5\"", {{1, {1}}}},
    {"LRN", "opset1", "alpha=\"0.5\" beta=\"0.5\" bias=\"1\" size=\"3\"", {{2, {3, 1}}}},
    {"LRN", "opset1", "alpha=\"0.5\" beta=\"0.6\" bias=\"1\" size=\"7\"", {{1, {2}}}},
    {"LRN", "opset1", "alpha=\"0.5\" beta=\"1\" bias=\"1\" size=\"999\"", {{1, {1}}}},
    {"SoftMax", "opset8", "axis=\"1\"", {{0}}},
    {"LogSoftmax", "opset5", "axis=\"-1\"", {{0}}},
    {"MVN", "opset6", "eps=\"0.01\" normalize_variance=\"true\" eps_mode=\"inside_sqrt\"", {{2, {2, 3}}}},
    {"MVN", "opset6", "eps=\"0.01\" normalize_variance=\"true\" eps_mode=\"inside_sqrt\"", {{2, {1, 3}}}},
    {"NormalizeL2", "opset1", "eps=\"0.01\" eps_mode=\"add\"", {{1, {1}}}},
    {"ReduceSum", "opset1", "keep_dims=\"true\"", {{1, {3}}}},
    {"ReduceMin", "opset1", "keep_dims=\"true\"", {{2, {0, 2}}}},
    {"ReduceMean", "opset1", "keep_dims=\"true\"", {{1, {2}}}},
    {"ReduceMax", "opset1", "keep_dims=\"true\"", {{2, {0, 3}}}},
    {"Pad", "opset12", "pad_mode=\"constant\"", {{4, {0, 2, 1, -1}}, {4, {0, -1, 0, 3}}}},
    {"Pad", "opset1", "pad_mode=\"reflect\"", {{4, {0, 2, 1, 3}}, {4, {1, 1, 0, 0}}}},
    {"Slice", "opset8", "", {{2, {1, 20}}, {2, {4, 0}}, {2, {1, -2}}}},
    {"StridedSlice",
     "opset1",
     "begin_mask=\"0,0,0,0\" end_mask=\"0,0,1,0\"",
     {{4, {0, 1, 3, 2}}, {4, {2, 5, 0, 29}}, {4, {1, 2, 3, 1}}}},
    {"VariadicSplit", "opset1", "", {{1, {1}}, {1, {-1}}}},
    {"Interpolate",
     "opset11",
     "mode=\"linear_onnx\" shape_calculation_mode=\"sizes\" coordinate_transformation_mode=\"half_pixel\"",
     {{2, {40, 41}}, {2, {2, 3}}}},
    {"Interpolate",
     "opset11",
     "mode=\"cubic\" shape_calculation_mode=\"sizes\" coordinate_transformation_mode=\"half_pixel\" "
     "pads_begin=\"0,0,1,0\" pads_end=\"0,0,0,0\"",
     {{1, {31}}, {1, {3}}}},
    {"Interpolate", "opset11", "mode=\"nearest\" shape_calculation_mode=\"sizes\"", {{2, {56, 20}}, {2, {2, 3}}}},
    {"MaxPool",
     "opset1",
     "kernel=\"3,3\" strides=\"2,2\" pads_begin=\"1,0\" pads_end=\"0,1\" rounding_type=\"ceil\"",
     {{0}}},
    {"AvgPool",
     "opset1",
     "kernel=\"3,2\" strides=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\" exclude-pad=\"true\"",
     {{0}}},
};

static float weights[N_WEIGHTS], input[N_IN];

static int put(char *text, int used, const char *format, ...) {
  va_list args;
  va_start(args, format);
  used += vsnprintf(text + used, (size_t)(MOST_TEXT - used), format, args);
  va_end(args);
  assert_true(used < MOST_TEXT);
  return used;
}

#define PORT "<port id=\"%d\" precision=\"%s\"/>"
#define EDGE "<edge from-layer=\"%d\" from-port=\"0\" to-layer=\"%d\" to-port=\"%d\"/>"

/* Writes a model of 9 layers: Parameter 0, weights 1, Convolution 2, lists 3 to 5, the op 6, Negative 7, Result 8. */
static void write_model(const op_layer *op, int channels, char *text) {
  const int weight_bytes = channels * IN * (int)sizeof(float);
  int used = put(text, 0, "<net name=\"m\" version=\"11\"><layers>"), n_lists = 0;
  used = put(text, used,
             "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"2,%d,%d,%d\" "
             "element_type=\"f32\"/><output>" PORT "</output></layer>",
             IN, ROWS, COLUMNS, 0, "FP32");
  used = put(text, used,
             "<layer id=\"1\" name=\"w\" type=\"Const\" version=\"opset1\"><data shape=\"%d,%d,1,1\" "
             "element_type=\"f32\" offset=\"0\" size=\"%d\"/><output>" PORT "</output></layer>",
             channels, IN, weight_bytes, 0, "FP32");
  used = put(text, used,
             "<layer id=\"2\" name=\"conv\" type=\"Convolution\" version=\"opset1\"><data strides=\"1,1\" "
             "dilations=\"1,1\" pads_begin=\"0,0\" pads_end=\"0,0\"/><input>" PORT PORT "</input><output>" PORT
             "</output></layer>",
             1, "FP32", 2, "FP32", 0, "FP32");
  for (; n_lists < 3 && op->lists[n_lists].n > 0; n_lists++)
    used = put(text, used,
               "<layer id=\"%d\" name=\"list%d\" type=\"Const\" version=\"opset1\"><data shape=\"%d\" "
               "element_type=\"i64\" offset=\"%d\" size=\"%d\"/><output>" PORT "</output></layer>",
               3 + n_lists, n_lists, op->lists[n_lists].n, weight_bytes + n_lists * (int)sizeof op->lists[0].items,
               op->lists[n_lists].n * 8, 0, "I64");
  used = put(text, used, "<layer id=\"6\" name=\"op\" type=\"%s\" version=\"%s\"><data %s/><input>" PORT, op->type,
             op->opset, op->data, 1, "FP32");
  for (int i = 0; i < n_lists; i++)
    used = put(text, used, PORT, 2 + i, "I64");
  used = put(text, used, "</input><output>" PORT "</output></layer>", 0, "FP32");
  used = put(text, used,
             "<layer id=\"7\" name=\"minus\" type=\"Negative\" version=\"opset1\"><input>" PORT "</input><output>" PORT
             "</output></layer><layer id=\"8\" name=\"y\" type=\"Result\" version=\"opset1\"><input>" PORT
             "</input></layer></layers><edges>" EDGE EDGE EDGE EDGE EDGE,
             1, "FP32", 0, "FP32", 0, "FP32", 0, 2, 1, 1, 2, 2, 2, 6, 1, 6, 7, 1, 7, 8, 0);
  for (int i = 0; i < n_lists; i++)
    used = put(text, used, EDGE, 3 + i, 6, 2 + i);
  put(text, used, "</edges></net>");
}

/* Runs the model. Returns a copy of its output and whether a strided_copy step belongs to the op. */
static float *run_model(const char *text, irrun_buffer bin, irrun_kernels kernels, int64_t *out_n,
                        bool *out_is_copied) {
  static const int64_t dims[] = {2, IN, ROWS, COLUMNS};
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  irrun_run *run;
  irrun_tensor *tensor;
  irrun_step step = {.size = sizeof step};
  irrun_layer of = {.size = sizeof of};
  irrun_context_set_kernels(context, kernels);
  assert_int_equal(irrun_model_read_memory(context, "in memory", (irrun_buffer){text, strlen(text)}, &bin, IRRUN_TO_RUN,
                                           NULL, 0, &model),
                   IRRUN_OK);
  assert_int_equal(irrun_run_create(model, &run), IRRUN_OK);
  assert_int_equal(irrun_tensor_borrow(context, IRRUN_F32, 4, dims, input, sizeof input, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, 0, tensor, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(run, 0));
  float *copy = malloc((size_t)info.elements * sizeof *copy);
  assert_non_null(copy);
  memcpy(copy, info.data, (size_t)info.elements * sizeof *copy);
  *out_n = info.elements;
  *out_is_copied = false;
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++) {
    assert_true(irrun_model_get_layer(model, step.layer, &of));
    *out_is_copied = *out_is_copied || (strcmp(of.name, "op") == 0 && strcmp(step.kernel, "strided_copy") == 0);
  }
  irrun_run_free(run);
  irrun_model_free(model);
  irrun_context_free(context);
  return copy;
}

/* The convolution's sums are multiples of 1/2^15 that a float represents exactly. The order of summation therefore
 * does not matter, and both layouts give the same bits. */
static void ops_are_the_same_in_both_layouts(void **state) {
  static const int channels[] = {5, 20, MOST_CHANNELS};
  static char text[MOST_TEXT], bin[sizeof weights + 3 * MOST_LIST * sizeof(int64_t)];
  (void)state;
  if (irrun_fast_library() == NULL)
    skip();
  for (int i = 0; i < N_IN; i++)
    input[i] = (float)between(-100, 100) / 64;
  for (int i = 0; i < N_WEIGHTS; i++)
    weights[i] = (float)between(-100, 100) / 512;
  for (size_t l = 0; l < sizeof layers / sizeof *layers; l++)
    for (int c = 0; c < 3; c++) {
      const size_t weight_bytes = (size_t)channels[c] * IN * sizeof(float);
      int64_t n, n_plain;
      bool is_copied, plain_is_copied;
      memcpy(bin, weights, weight_bytes);
      for (int i = 0; i < 3; i++)
        memcpy(bin + weight_bytes + (size_t)i * sizeof layers[l].lists[i].items, layers[l].lists[i].items,
               sizeof layers[l].lists[i].items);
      write_model(&layers[l], channels[c], text);
      float *fast = run_model(text, (irrun_buffer){bin, sizeof bin}, IRRUN_KERNELS_FAST, &n, &is_copied);
      float *plain = run_model(text, (irrun_buffer){bin, sizeof bin}, IRRUN_KERNELS_PLAIN, &n_plain, &plain_is_copied);
      assert_int_equal(n, n_plain);
      if (!is_copied) /* the op keeps channels-last, so a copy to plain follows */
        fail_msg("%s, layer %zu, has a copy before it", layers[l].type, l);
      for (int64_t i = 0; i < n; i++)
        if (fast[i] != plain[i])
          fail_msg("%s, layer %zu of %d channels: element %lld is %g, and %g in a plain run", layers[l].type, l,
                   channels[c], (long long)i, (double)fast[i], (double)plain[i]);
      free(fast);
      free(plain);
    }
}

/* ---- pools ---- */

static ir_windows_axis draw_axis(void) {
  ir_windows_axis axis = {
      .kernel = between(1, 4), .stride = between(1, 3), .step = between(1, 2), .n_in = between(1, 8)};
  axis.pad_begin = between(0, axis.kernel - 1);
  const int64_t left = axis.n_in + axis.pad_begin - (axis.kernel - 1) * axis.step;
  axis.n_out = left < 1 ? 1 : (left - 1) / axis.stride + 1;
  return axis;
}

static float naive_pool(const ir_pool_last *pool, const float *in, const int64_t *at, int64_t c) {
  float made = pool->is_average ? 0 : -FLT_MAX;
  int64_t n = 0;
  ir_tap_range r[3];
  for (int i = 0; i < 3; i++)
    r[i] = ir_windows_range(&pool->axes[i], at[i]);
  for (int64_t z = 0; z < r[0].count; z++)
    for (int64_t y = 0; y < r[1].count; y++)
      for (int64_t x = 0; x < r[2].count; x++, n++) {
        const ir_windows_axis *a = pool->axes;
        const int64_t place = ((r[0].begin + z * a[0].step) * a[1].n_in + r[1].begin + y * a[1].step) * a[2].n_in;
        const float tap = in[(place + r[2].begin + x * a[2].step) * pool->channels + c];
        made = pool->is_average ? made + tap : tap > made ? tap : made;
      }
  if (!pool->is_average)
    return made;
  return n == 0 ? (pool->nan_if_empty ? NAN : 0) : made / (float)(pool->divisor > 0 ? pool->divisor : n);
}

static void check_pool(const ir_pool_kernel *kernel, const ir_pool_last *pool, const float *in, const float *out) {
  const ir_windows_axis *axes = pool->axes;
  for (int64_t at[3] = {0}; at[0] < axes[0].n_out; at[0]++)
    for (at[1] = 0; at[1] < axes[1].n_out; at[1]++)
      for (at[2] = 0; at[2] < axes[2].n_out; at[2]++)
        for (int64_t c = 0; c < pool->channels; c++, out++) {
          const float expected = naive_pool(pool, in, at, c);
          if (*out != expected && !(isnan(*out) && isnan(expected)))
            fail_msg("%s: channel %lld of %lld is %g, expected %g", kernel->isa, (long long)c,
                     (long long)pool->channels, (double)*out, (double)expected);
        }
}

static void pools_of_each_instruction_set(void **state) {
  enum { MOST = 8 * 8 * 8 * 150 };
  static float in[MOST], out[MOST];
  (void)state;
  for (int i = 0; i < MOST; i++)
    in[i] = (float)between(-1000, 1000) / 7;
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    for (int i = 0; i < 100 && kernel->type == IR_F32 && kernel->available(); i++) {
      ir_pool_last pool = {.channels = between(1, 150), .is_average = kernel->op == IR_POOL_SUM};
      pool.divisor = one_in(2) ? 0 : between(1, 9);
      pool.nan_if_empty = one_in(2);
      int64_t n_rows = 1;
      for (int a = 0; a < 3; a++) {
        pool.axes[a] = draw_axis();
        n_rows *= a < 2 ? pool.axes[a].n_out : 1;
      }
      kernel->last(&pool, in, out, 0, n_rows);
      check_pool(kernel, &pool, in, out);
    }
}

static void averages_hold_sums_that_no_float_holds(void **state) {
  enum { MOST = 2 * 2 * 70 };
  float in[MOST], out[MOST];
  (void)state;
  for (int i = 0; i < MOST; i++)
    in[i] = 3e38f;
  const ir_windows_axis one = {.n_in = 1, .n_out = 1, .step = 1, .kernel = 1, .stride = 1};
  const ir_windows_axis both = {.n_in = 2, .n_out = 1, .step = 1, .kernel = 2, .stride = 1};
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    for (int64_t channels = 1; channels <= 70 && kernel->type == IR_F32 && kernel->op == IR_POOL_SUM; channels++) {
      const ir_pool_last pool = {.channels = channels, .is_average = true, .axes = {one, both, both}};
      if (!kernel->available())
        break;
      in[channels - 1] = -3e38f; /* the last channel is a sum of 3e38 and -3e38 */
      in[3 * channels - 1] = -3e38f;
      kernel->last(&pool, in, out, 0, 1);
      for (int64_t c = 0; c < channels; c++)
        assert_true(out[c] == (c == channels - 1 ? 0 : 3e38f));
      in[channels - 1] = in[3 * channels - 1] = 3e38f;
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(averages_hold_sums_that_no_float_holds),
                                     cmocka_unit_test(ops_are_the_same_in_both_layouts),
                                     cmocka_unit_test(pools_of_each_instruction_set)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
