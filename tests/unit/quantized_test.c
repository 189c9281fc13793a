/* Networks quantised to 8 bits: products of integers give the results of FakeQuantize, but for levels at ties. */
#include "draw.h"
#include "irrun.h"
#include "irrun_debug.h"
#include "irrun_program.h"
#include "model_text.h"
#include "ops/kernels/isa.h"
#include "scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHANNELS = 32, SIZE = 24, ELEMENTS = CHANNELS * SIZE * SIZE, MOST_EDGES = 8192, MOST_BYTES = 1 << 17 };

/* A model under construction. */
typedef struct builder {
  FILE *file;
  int n_layers;
  char edges[MOST_EDGES];
  size_t n_edges; /* characters */
  unsigned char bin[MOST_BYTES];
  size_t n_bytes;
} builder;

/* Adds a layer with one output of the type `precision` and returns its id; the outputs of `from` are its inputs. */
static int add_typed(builder *b, const char *precision, const char *type, int opset, const char *data, int n,
                     const int *from) {
  const int id = b->n_layers++;
  fprintf(b->file, "<layer id=\"%d\" name=\"l%d\" type=\"%s\" version=\"opset%d\"><data %s/><input>", id, id, type,
          opset, data);
  for (int i = 0; i < n; i++) {
    fprintf(b->file, "<port id=\"%d\"/>", i);
    b->n_edges +=
        (size_t)snprintf(b->edges + b->n_edges, MOST_EDGES - b->n_edges,
                         "<edge from-layer=\"%d\" from-port=\"9\" to-layer=\"%d\" to-port=\"%d\"/>", from[i], id, i);
  }
  fprintf(b->file, "</input><output><port id=\"9\" precision=\"%s\"/></output></layer>\n", precision);
  return id;
}

static int add(builder *b, const char *type, int opset, const char *data, int n, const int *from) {
  return add_typed(b, "FP32", type, opset, data, n, from);
}

static int constant(builder *b, const char *type, const char *shape, const void *data, size_t bytes) {
  char text[200];
  const size_t at = b->n_bytes;
  memcpy(b->bin + at, data, bytes);
  b->n_bytes += (bytes + 7) / 8 * 8;
  snprintf(text, sizeof text, "element_type=\"%s\" shape=\"%s\" offset=\"%zu\" size=\"%zu\"", type, shape, at, bytes);
  return add_typed(b, type[0] == 'f' ? "FP32" : strcmp(type, "i8") == 0 ? "I8" : "I64", "Const", 1, text, 0, NULL);
}

static int number(builder *b, float x) {
  return constant(b, "f32", "", &x, sizeof x);
}

static int quantize(builder *b, int from, int levels, float low, float high) {
  char data[40];
  const int limits[] = {number(b, low), number(b, high)};
  snprintf(data, sizeof data, "levels=\"%d\"", levels);
  return add(b, "FakeQuantize", 1, data, 5, (int[]){from, limits[0], limits[1], limits[0], limits[1]});
}

/* Rounds to 256 levels. Channel c has limits of (1 + c % 3) times `low` and `high`; `more` times c / 32 is added to the
 * higher one. */
static int quantize_channels(builder *b, int from, float low, float high, float more) {
  float lows[CHANNELS], highs[CHANNELS];
  for (int c = 0; c < CHANNELS; c++) {
    lows[c] = low * (float)(1 + c % 3);
    highs[c] = high * (float)(1 + c % 3) + more * (float)c / CHANNELS;
  }
  const int limits[] = {constant(b, "f32", "1,32,1,1", lows, sizeof lows),
                        constant(b, "f32", "1,32,1,1", highs, sizeof highs)};
  return add(b, "FakeQuantize", 1, "levels=\"256\"", 5, (int[]){from, limits[0], limits[1], limits[0], limits[1]});
}

/* Adds i8 weights with a scale per output channel, as compressed networks have them. If is_fake, the weights are f32,
 * and a FakeQuantize rounds them to the same levels. */
static int weights(builder *b, const char *shape, int terms, bool is_fake) {
  static int8_t levels[CHANNELS * CHANNELS * 9];
  static float floats[CHANNELS * CHANNELS * 9];
  float scales[CHANNELS], lows[CHANNELS], highs[CHANNELS];
  for (int c = 0; c < CHANNELS; c++) {
    scales[c] = (float)between(1, 8) / 8192;
    lows[c] = -127 * scales[c];
    highs[c] = 127 * scales[c];
    for (int i = c * terms; i < (c + 1) * terms; i++) {
      levels[i] = (int8_t)between(-127, 127);
      floats[i] = (float)levels[i] * scales[c];
    }
  }
  const size_t n = (size_t)CHANNELS * (size_t)terms;
  if (!is_fake) {
    const int from = constant(b, "i8", shape, levels, n);
    const int converted = add(b, "Convert", 1, "destination_type=\"f32\"", 1, &from);
    const bool has_groups = strcmp(shape, "32,1,1,3,3") == 0;
    const int scale = constant(b, "f32", has_groups ? "32,1,1,1,1" : "32,1,1,1", scales, sizeof scales);
    return add(b, "Multiply", 1, "", 2, (int[]){converted, scale});
  }
  const int from = constant(b, "f32", shape, floats, n * sizeof(float));
  const int low = constant(b, "f32", "32,1,1,1", lows, sizeof lows);
  const int high = constant(b, "f32", "32,1,1,1", highs, sizeof highs);
  return add(b, "FakeQuantize", 1, "levels=\"255\"", 5, (int[]){from, low, high, low, high});
}

#define WITH_PADS    "strides=\"1,1\" dilations=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\""
#define WITHOUT_PADS "strides=\"1,1\" dilations=\"1,1\" pads_begin=\"0,0\" pads_end=\"0,0\""

static int add_bias(builder *b, int product) {
  float bias[CHANNELS];
  for (int c = 0; c < CHANNELS; c++)
    bias[c] = (float)between(-64, 64) / 64;
  return add(b, "Add", 1, "", 2, (int[]){product, constant(b, "f32", "1,32,1,1", bias, sizeof bias)});
}

static int convolution(builder *b, int from, int size, bool is_fake) {
  const char *const shape = size == 3 ? "32,32,3,3" : "32,32,1,1";
  return add_bias(b, add(b, "Convolution", 1, size == 3 ? WITH_PADS : WITHOUT_PADS, 2,
                         (int[]){from, weights(b, shape, CHANNELS * size * size, is_fake)}));
}

/* Each output channel reads one channel. */
static int depthwise(builder *b, int from) {
  return add_bias(b, add(b, "GroupConvolution", 1, WITH_PADS, 2, (int[]){from, weights(b, "32,1,1,3,3", 9, false)}));
}

static int relu(builder *b, int from) {
  return add(b, "ReLU", 1, "", 1, &from);
}

/* Each network begins with a FakeQuantize of the input `x` and ends with the layer that it returns. */
static int build_block(builder *b, int x) {
  const int first = quantize(b, x, 256, 0, 4);
  const int second = quantize(b, relu(b, convolution(b, first, 3, false)), 256, 0, 8);
  const int third = convolution(b, second, 1, true);
  return quantize(b, relu(b, add(b, "Add", 1, "", 2, (int[]){third, first})), 256, 0, 8);
}

/* The levels are signed, and some do not fill a byte. */
static int build_signed(builder *b, int x) {
  const int first = quantize(b, x, 255, -4, 4);
  const int second = quantize(b, convolution(b, first, 3, false), 255, -8, 8);
  return quantize(b, convolution(b, second, 1, false), 256, -8, 8 - 1.0F / 16);
}

/* The level of 0 is neither the first nor the middle one, so padding needs a zero point. */
static int build_zero_point(builder *b, int x) {
  const int first = quantize(b, x, 256, -1, 4.1F);
  return quantize(b, convolution(b, first, 3, true), 256, -2, 8.2F);
}

/* Ops between the FakeQuantize and the products only move elements. */
static int build_moves(builder *b, int x) {
  const int first = quantize(b, x, 256, 0, 4);
  const int pool =
      add(b, "MaxPool", 1, "kernel=\"3,3\" strides=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\" rounding_type=\"floor\"",
          1, &first);
  const int64_t order[] = {0, 1, 3, 2};
  const int turned = add(b, "Transpose", 1, "", 2, (int[]){pool, constant(b, "i64", "4", order, sizeof order)});
  const int both = add(b, "Concat", 1, "axis=\"0\"", 2, (int[]){turned, turned});
  return quantize(b, convolution(b, both, 3, false), 256, -8, 8 - 1.0F / 16);
}

/* Each channel has its own limits where a depthwise convolution reads. */
static int build_depthwise(builder *b, int x) {
  const int first = quantize_channels(b, x, 0, 1.5F, 0);
  const int clamp = add(b, "Clamp", 1, "min=\"0\" max=\"6\"", 1, (int[]){depthwise(b, first)});
  const int third = quantize_channels(b, relu(b, convolution(b, quantize(b, clamp, 256, 0, 6), 3, false)), 0, 2, 0);
  return quantize(b, depthwise(b, third), 256, -8, 8 - 1.0F / 16);
}

/* Both tensors are quantized before they are added. */
static int build_sum(builder *b, int x) {
  const int first = quantize(b, x, 256, -4, 127.0F / 32);
  const int second = quantize(b, convolution(b, first, 3, false), 255, -8, 8);
  const int sum = add(b, "Add", 1, "", 2, (int[]){first, second});
  const int third = quantize(b, relu(b, sum), 256, 0, 9);
  return quantize(b, add(b, "Add", 1, "", 2, (int[]){third, first}), 100, -3, 8.88F);
}

static int max_pool(builder *b, int from) {
  return add(b, "MaxPool", 1,
             "kernel=\"3,3\" strides=\"2,1\" pads_begin=\"1,0\" pads_end=\"1,1\" rounding_type=\"floor\"", 1, &from);
}

static int build_maxima(builder *b, int x) {
  return max_pool(b, quantize(b, convolution(b, quantize(b, x, 256, 0, 4), 3, false), 256, 0, 4));
}

static int build_signed_maxima(builder *b, int x) {
  return max_pool(b, quantize(b, convolution(b, quantize(b, x, 256, 0, 4), 3, false), 256, -4, 127.0F / 32));
}

/* Multiplies and adds numbers along an axis, some factors negative, before the ReLU and the FakeQuantize. */
static int normalize(builder *b, int from, const char *shape, int n) {
  float factors[CHANNELS], terms[CHANNELS];
  for (int i = 0; i < n; i++) {
    factors[i] = (float)between(-64, 64) / 64;
    terms[i] = (float)between(-64, 64) / 64;
  }
  const int product =
      add(b, "Multiply", 1, "", 2, (int[]){from, constant(b, "f32", shape, factors, (size_t)n * sizeof(float))});
  const int sum =
      add(b, "Add", 1, "", 2, (int[]){constant(b, "f32", shape, terms, (size_t)n * sizeof(float)), product});
  return quantize(b, relu(b, add(b, "Multiply", 1, "", 2, (int[]){sum, number(b, 0.75F)})), 256, 0, 4);
}

static int build_channel_lines(builder *b, int x) {
  return quantize(b, convolution(b, normalize(b, x, "1,32,1,1", CHANNELS), 3, false), 256, -8, 8 - 1.0F / 16);
}

static int build_column_lines(builder *b, int x) {
  return quantize(b, convolution(b, normalize(b, x, "24", SIZE), 3, false), 256, -8, 8 - 1.0F / 16);
}

/* The operations behind the MaxPool have channels last. */
static int build_last_lines(builder *b, int x) {
  return normalize(b, max_pool(b, convolution(b, quantize(b, x, 256, 0, 4), 3, false)), "1,32,1,1", CHANNELS);
}

/* Multiplies by a number for each channel. */
static int gate(builder *b, int x) {
  const int64_t axes[] = {2, 3};
  const int mean =
      add(b, "ReduceMean", 1, "keep_dims=\"true\"", 2, (int[]){x, constant(b, "i64", "2", axes, sizeof axes)});
  const int sigmoid = quantize(b, add(b, "Sigmoid", 1, "", 1, &mean), 256, 0, 1);
  return quantize(b, add(b, "Multiply", 1, "", 2, (int[]){sigmoid, x}), 256, -1, 4.1F);
}

/* One product lies plain, the other with channels last. */
static int build_gates(builder *b, int x) {
  return gate(b, quantize(b, convolution(b, gate(b, quantize(b, x, 256, -4, 127.0F / 32)), 3, false), 256, 0, 4));
}

/* Signed limits for each channel; a convolution that is not depthwise cannot be one of integers. */
static int build_signed_channels(builder *b, int x) {
  const int first = quantize_channels(b, x, -2, 127.0F / 64, 0);
  const int second = quantize_channels(b, depthwise(b, first), -4, 127.0F / 32, 0);
  return quantize(b, convolution(b, second, 3, false), 256, -8, 8 - 1.0F / 16);
}

/* The level of 0 differs by channel: the depthwise product stays one of floats, but the FakeQuantize becomes two
 * steps that keep channels last. */
static int build_many_zeros(builder *b, int x) {
  return depthwise(b, quantize_channels(b, convolution(b, quantize(b, x, 256, 0, 4), 3, false), -1, 3, 2));
}

/* The forms of weights in older files: a zero point of 0, and a Reshape to groups. */
static int build_old_weights(builder *b, int x) {
  static int8_t levels[CHANNELS * CHANNELS * 9];
  const float zeros[CHANNELS] = {0};
  for (size_t i = 0; i < sizeof levels; i++)
    levels[i] = (int8_t)between(-127, 127);
  const int64_t groups[] = {32, 1, 1, 3, 3};
  const int reshaped = add(b, "Reshape", 1, "special_zero=\"false\"", 2,
                           (int[]){weights(b, "32,1,3,3", 9, true), constant(b, "i64", "5", groups, sizeof groups)});
  const int first =
      quantize(b, add(b, "GroupConvolution", 1, WITH_PADS, 2, (int[]){quantize(b, x, 256, 0, 4), reshaped}), 256, -8,
               8 - 1.0F / 16);
  const int converted = add(b, "Convert", 1, "destination_type=\"f32\"", 1,
                            (int[]){constant(b, "i8", "32,32,3,3", levels, sizeof levels)});
  const int shifted =
      add(b, "Subtract", 1, "", 2, (int[]){converted, constant(b, "f32", "32,1,1,1", zeros, sizeof zeros)});
  const int scaled = add(b, "Multiply", 1, "", 2, (int[]){shifted, number(b, 1.0F / 1024)});
  return quantize(b, add(b, "Convolution", 1, WITH_PADS, 2, (int[]){first, scaled}), 256, -8, 8 - 1.0F / 16);
}

/* A channel whose weights have the scale 0 has only its bias, which no scale multiplies. */
static int build_scale_of_0(builder *b, int x) {
  int8_t levels[CHANNELS * CHANNELS * 9] = {1};
  float scales[CHANNELS] = {0};
  for (int c = 1; c < CHANNELS; c++)
    scales[c] = (float)between(1, 8) / 8192;
  const int converted = add(b, "Convert", 1, "destination_type=\"f32\"", 1,
                            (int[]){constant(b, "i8", "32,32,3,3", levels, sizeof levels)});
  const int scaled =
      add(b, "Multiply", 1, "", 2, (int[]){converted, constant(b, "f32", "32,1,1,1", scales, sizeof scales)});
  return add_bias(b, add(b, "Convolution", 1, WITHOUT_PADS, 2, (int[]){quantize(b, x, 256, 0, 4), scaled}));
}

/* The scales are those of the input channels: the product stays one of floats. */
static int build_scales_of_inputs(builder *b, int x) {
  static int8_t levels[CHANNELS * CHANNELS * 9];
  float scales[CHANNELS];
  for (size_t i = 0; i < sizeof levels; i++)
    levels[i] = (int8_t)between(-127, 127);
  for (int c = 0; c < CHANNELS; c++)
    scales[c] = (float)between(1, 8) / 8192;
  const int from = constant(b, "i8", "32,32,3,3", levels, sizeof levels);
  const int converted = add(b, "Convert", 1, "destination_type=\"f32\"", 1, &from);
  const int scale = constant(b, "f32", "1,32,1,1", scales, sizeof scales);
  const int scaled = add(b, "Multiply", 1, "", 2, (int[]){converted, scale});
  return add(b, "Convolution", 1, WITHOUT_PADS, 2, (int[]){quantize(b, x, 256, 0, 4), scaled});
}

/* No level is 0: the product stays one of floats. */
static int build_without_zero(builder *b, int x) {
  return convolution(b, quantize(b, x, 256, -1.01F, 4), 3, false);
}

typedef struct fixture {
  scratch_model files;
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} fixture;

static void begin(fixture *f, int (*build)(builder *b, int x)) {
  static builder b;
  b = (builder){.n_layers = 0};
  draw_from(1);
  *f = (fixture){.files = scratch_model_make(), .context = irrun_context_create(NULL)};
  b.file = model_begin(f->files.xml);
  const int x = add(&b, "Parameter", 1, "element_type=\"f32\" shape=\"1,32,24,24\"", 0, NULL);
  const int y = build(&b, x);
  fprintf(b.file,
          "<layer id=\"%d\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>",
          b.n_layers);
  model_edges(b.file);
  fprintf(b.file, "%s<edge from-layer=\"%d\" from-port=\"9\" to-layer=\"%d\" to-port=\"0\"/>", b.edges, y, b.n_layers);
  model_end(b.file);
  scratch_write(f->files.bin, b.bin, b.n_bytes);
  irrun_diagnostic d = {.size = sizeof d};
  if (irrun_model_read(f->context, f->files.xml, NULL, IRRUN_TO_RUN, &f->model) != IRRUN_OK &&
      irrun_context_get_diagnostic(f->context, 0, &d))
    fail_msg("%s: %s", d.layer_name, d.message);
}

static void end(fixture *f) {
  irrun_model_free(f->model);
  irrun_context_free(f->context);
  scratch_model_remove(&f->files);
}

/* Numbers of steps. */
typedef struct steps {
  int products; /* products of integers */
  int quantize; /* tensors of floats that become bytes in a step of its own */
  int floats;   /* elementwise operations on floats */
  int bytes;    /* sums and products of tensors of bytes, and maxima of those with channels last */
} steps;

/* Runs the model and copies the output. */
static steps execute(const fixture *f, unsigned skipped, int64_t *n, float *y) {
  static float x[ELEMENTS];
  irrun_run *run;
  irrun_tensor *tensor;
  irrun_step step = {.size = sizeof step};
  steps found = {0};
  draw_from(7);
  for (int i = 0; i < ELEMENTS; i++)
    x[i] = (float)between(-5000, 5000) / 1000;
  irrun_context_skip_passes(f->context, skipped);
  assert_int_equal(irrun_run_create(f->model, &run), IRRUN_OK);
  irrun_run_profile(run, true);
  const int64_t dims[] = {1, CHANNELS, SIZE, SIZE};
  assert_int_equal(irrun_tensor_create(f->context, IRRUN_F32, 4, dims, x, sizeof x, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, 0, tensor, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++) {
    found.products += strncmp(step.kernel, "convolution_i8", 14) == 0;
    found.quantize += strcmp(step.kernel, "quantize") == 0;
    found.floats += strcmp(step.kernel, "add_f32") == 0 || strcmp(step.kernel, "multiply_f32") == 0 ||
                    strcmp(step.kernel, "relu_f32") == 0;
    found.bytes += strstr(step.kernel, "_quantized") != NULL || strcmp(step.kernel, "maximum.last") == 0;
  }
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(run, 0));
  *n = (int64_t)(info.bytes / sizeof(float));
  assert_true(*n <= 2 * ELEMENTS);
  memcpy(y, info.data, info.bytes);
  irrun_run_free(run);
  return found;
}

/* Expects as many steps, and results that differ by one level at most, in one element of a thousand. All instruction
 * sets give the same bits. */
static void check(int (*build)(builder *b, int x), steps expected, float level) {
  static float exact[2 * ELEMENTS], got[2 * ELEMENTS], again[2 * ELEMENTS];
  fixture f;
  int64_t n, n_exact, n_other = 0;
  if (irrun_fast_library() == NULL)
    skip();
  begin(&f, build);
  assert_int_equal(execute(&f, IRRUN_PASS_QUANTIZE, &n_exact, exact).products, 0);
  const steps found = execute(&f, 0, &n, got);
  assert_int_equal(found.products, expected.products);
  assert_int_equal(found.quantize, expected.quantize);
  assert_int_equal(found.floats, expected.floats);
  assert_int_equal(found.bytes, expected.bytes);
  assert_int_equal(n, n_exact);
  for (int64_t i = 0; i < n; i++) {
    const float difference = fabsf(got[i] - exact[i]);
    n_other += difference > 1e-4F;
    if (!(difference <= level * 1.001F + 1e-4F))
      fail_msg("element %lld is %g; FakeQuantize gives %g", (long long)i, (double)got[i], (double)exact[i]);
  }
  assert_in_range(n_other, 0, n / 1000);
  ir_isa_limit(IR_ISA_ANY);
  execute(&f, 0, &n, again);
  ir_isa_limit(IR_ISA_AVX512);
  assert_memory_equal(again, got, (size_t)n * sizeof *got);
  end(&f);
}

static void a_block_with_a_residual_is_computed_in_integers(void **state) {
  (void)state;
  check(build_block, (steps){2, 1, 0, 0}, 8.0F / 255);
}

static void signed_levels_are_computed_in_integers(void **state) {
  (void)state;
  check(build_signed, (steps){2, 1, 0, 0}, 16.0F / 255);
}

static void padding_is_the_zero_point(void **state) {
  (void)state;
  check(build_zero_point, (steps){1, 1, 0, 0}, 10.2F / 255);
}

static void ops_that_move_elements_move_bytes(void **state) {
  (void)state;
  check(build_moves, (steps){1, 1, 0, 0}, 16.0F / 255);
}

static void without_a_level_of_zero_floats_are_multiplied(void **state) {
  (void)state;
  check(build_without_zero, (steps){0, 1, 0, 0}, 0);
}

static void scales_of_input_channels_stay_in_the_weights(void **state) {
  (void)state;
  check(build_scales_of_inputs, (steps){0, 1, 0, 0}, 0);
}

static void limits_of_channels_are_scales_of_depthwise_products(void **state) {
  (void)state;
  check(build_depthwise, (steps){3, 1, 0, 0}, 16.0F / 255);
  check(build_many_zeros, (steps){1, 2, 0, 0}, 0.2F);
  check(build_signed_channels, (steps){1, 2, 0, 0}, 16.0F / 255);
}

static void sums_and_products_of_bytes_become_bytes(void **state) {
  (void)state;
  check(build_sum, (steps){1, 1, 0, 2}, 0.12F);
  check(build_gates, (steps){1, 3, 0, 2}, 5.1F / 255);
}

static void maxima_of_bytes_have_channels_last(void **state) {
  (void)state;
  check(build_maxima, (steps){1, 1, 0, 1}, 4.0F / 255);
  check(build_signed_maxima, (steps){1, 1, 0, 1}, 1.0F / 32);
}

static void factors_and_terms_become_a_part_of_quantize(void **state) {
  (void)state;
  check(build_channel_lines, (steps){1, 1, 0, 0}, 16.0F / 255);
  check(build_column_lines, (steps){1, 1, 0, 0}, 16.0F / 255);
  check(build_last_lines, (steps){1, 2, 0, 1}, 4.0F / 255);
}

static void a_zero_point_of_0_and_a_reshape_leave_weights_of_8_bits(void **state) {
  (void)state;
  check(build_old_weights, (steps){2, 1, 0, 0}, 16.0F / 255);
}

static void a_scale_can_be_0(void **state) {
  (void)state;
  check(build_scale_of_0, (steps){1, 1, 1, 0}, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_with_a_residual_is_computed_in_integers),
      cmocka_unit_test(signed_levels_are_computed_in_integers),
      cmocka_unit_test(padding_is_the_zero_point),
      cmocka_unit_test(ops_that_move_elements_move_bytes),
      cmocka_unit_test(without_a_level_of_zero_floats_are_multiplied),
      cmocka_unit_test(scales_of_input_channels_stay_in_the_weights),
      cmocka_unit_test(limits_of_channels_are_scales_of_depthwise_products),
      cmocka_unit_test(sums_and_products_of_bytes_become_bytes),
      cmocka_unit_test(maxima_of_bytes_have_channels_last),
      cmocka_unit_test(factors_and_terms_become_a_part_of_quantize),
      cmocka_unit_test(a_zero_point_of_0_and_a_reshape_leave_weights_of_8_bits),
      cmocka_unit_test(a_scale_can_be_0),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
