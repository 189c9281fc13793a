/* Tests the passes of fast plans. Small networks, planned with all passes and without each, have to give the results
 * of plain kernels. The steps have to show each pass's effect, and no effect of a skipped pass. */
#include "irrun_debug.h"
#include "irrun_program.h"
#include "passes_net.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { ALL = 2 * IRRUN_PASS_LAYOUT - 1 }; /* layout is the last pass */

/* ---- networks ---- */

#define POOL "strides='1,1' kernel='3,3' pads_begin='1,1' pads_end='1,1' "
#define CONV(stride, pad)                                                                                              \
  "strides='" #stride "," #stride "' dilations='1,1' pads_begin='" #pad "," #pad "' pads_end='" #pad "," #pad "'"
#define TWICE                                                                                                          \
  "mode='linear_onnx' shape_calculation_mode='scales' coordinate_transformation_mode='asymmetric' "                    \
  "nearest_mode='floor' antialias='false' pads_begin='0' pads_end='0' cube_coeff='-0.75'"

/* Builds convolutions with biases, activations, additions and pools; a chain has a Result inside. */
static void build_chains(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int a = net_op(n, "ReLU", "", net_bias(n, net_conv(n, x, 32, 32, 3, 1), 32));
  const int b = net_op(n, "Clamp", "min='-0.25' max='0.5'", net_bias(n, net_conv(n, a, 32, 17, 1, 1), 17));
  const int c = net_bias(n, net_conv(n, b, 17, 32, 3, 1), 32);
  const int swish = net_op(n, "Multiply", "", c, net_op(n, "Sigmoid", "", c));
  const int sum = net_op(n, "Add", "", a, net_conv(n, swish, 32, 32, 1, 1));
  const int most = net_op(n, "MaxPool", POOL "rounding_type='floor'", sum);
  const int mean = net_op(n, "AvgPool", POOL "rounding_type='floor' exclude-pad='true'", sum);
  const int both = net_op(n, "Concat", "axis='1'", most, mean);
  const int middle = net_bias(n, net_conv(n, both, 64, 8, 3, 2), 8);
  net_result(n, net_op(n, "ReLU", "", middle));
  net_result(n, middle);
  net_result(n, net_op(n, "Add", "", a, sum));
  /* oneDNN 2 would use the first limits for both */
  net_result(n, net_op(n, "Clamp", "min='0.0625' max='1'",
                       net_op(n, "Clamp", "min='-0.125' max='0.125'", net_conv(n, a, 32, 8, 1, 1))));
  net_result(n, x);
  /* for a kernel of height 1 with pads, the first and last output rows see only padding */
  const int outer = net_op(n, "Convolution", CONV(1, 1), sum, net_weights(n, "16,32,1,3", 1536, 96));
  const int other = net_op(n, "Convolution", CONV(1, 1), a, net_weights(n, "16,32,1,3", 1536, 96));
  net_result(n, net_op(n, "ReLU", "", net_op(n, "Add", "", outer, other)));
}

/* Builds ops that move elements between convolutions, one with an unread output, and ops with axes. */
static void build_axes(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int a = net_op(n, "ReLU", "", net_conv(n, x, 32, 32, 3, 1));
  const int rows = net_op(n, "Concat", "axis='2'", a, a);
  const int most = net_op(n, "ReduceMax", "keep_dims='false'", a, net_integers(n, 1));
  const int split =
      net_add(n, "Split", "num_splits='2'", 2, NET_ITEMS(int, net_conv(n, rows, 32, 32, 1, 2), net_axis(n, 1)));
  const int grouped =
      net_op(n, "GroupConvolution", CONV(1, 1), net_port(split, 0), net_weights(n, "16,1,1,3,3", 144, 9));
  const int five = net_op(n, "Reshape", "special_zero='false'", grouped, net_integers(n, 1, 4, 4, 24, 12));
  const int turned = net_op(n, "Transpose", "", five, net_integers(n, 0, 2, 1, 3, 4));
  const int shuffled = net_op(n, "Reshape", "special_zero='false'", turned, net_integers(n, 1, 16, 24, 12));
  const int sum = net_op(n, "Add", "", net_conv(n, shuffled, 16, 16, 3, 1), net_port(split, 1));
  const int wide =
      net_bias(n, net_op(n, "ConvolutionBackpropData", CONV(2, 0), sum, net_weights(n, "16,8,2,2", 512, 64)), 8);
  const int scales = net_op(n, "ConvertLike", "", net_floats(n, 2, 2), x); /* `prepare` reads them in any type */
  const int larger = net_op(n, "Interpolate-4", TWICE, wide, net_integers(n, 96, 48), scales, net_integers(n, 2, 3));
  net_result(n, net_op(n, "SoftMax", "axis='1'", net_conv(n, larger, 8, 4, 3, 2)));
  const int means = net_op(n, "ReduceMean", "keep_dims='true'", larger, net_integers(n, 2, 3));
  const int flat = net_op(n, "Reshape", "special_zero='false'", means, net_integers(n, 1, 8));
  const int product = net_op(n, "MatMul", "transpose_b='true'", flat, net_weights(n, "10,8", 80, 8));
  net_result(n, net_op(n, "Tanh", "", net_op(n, "Add", "", product, net_weights(n, "10", 10, 2))));
  const int part = net_port(net_add(n, "Split", "num_splits='2'", 2, NET_ITEMS(int, sum, net_axis(n, 1))), 1);
  net_result(n, net_conv(n, part, 8, 4, 3, 1));
  net_result(n, larger);
  net_result(n, net_op(n, "Tanh", "", most));
}

/* Builds convolutions whose weights are computed or an input, and additions that are no biases. */
static void build_weights(net *n) {
  const int x = net_parameter(n, "2,32,24,24"), w = net_parameter(n, "16,32,1,1");
  const int half = net_op(n, "Multiply", "", net_weights(n, "32,32,3,3", 9216, 144), net_weights(n, "1", 1, 4));
  const int a = net_op(n, "ReLU", "", net_conv_of(n, x, half, 1, 1));
  const int given = net_conv_of(n, a, net_converted(n, "16,32,1,1", 512, 32), 0, 1);
  const int b = net_op(n, "Sigmoid", "", net_conv_of(n, a, w, 0, 1));
  const int pdpd = net_op(n, "Add", "auto_broadcast='pdpd' auto_broadcast.auto_broadcast_axis='1'", given,
                          net_weights(n, "16,24", 384, 2));
  net_result(n, net_conv(n, net_op(n, "Add", "", pdpd, b), 16, 5, 3, 1));
  const int rows = net_op(n, "MatMul", "", b, net_weights(n, "24", 24, 24));
  net_result(n, net_op(n, "Add", "", rows, net_weights(n, "24", 24, 2)));
}

/* Builds a network of two stages: the number of nonzero elements decides the shape of the second. */
static void build_stages(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int a = net_conv(n, net_op(n, "ReLU", "", net_bias(n, net_conv(n, x, 32, 32, 3, 1), 32)), 32, 32, 1, 1);
  const int row = net_op(n, "ReduceMean", "keep_dims='false'", x, net_integers(n, 0, 1, 2));
  const int where = net_where(n, net_op(n, "ReLU", "", row));
  const int some = net_op(n, "Gather-8", "", a, where, net_integers(n, 3));
  net_result(n, net_op(n, "ReLU", "", net_bias(n, net_conv(n, some, 32, 96, 3, 1), 96)));
  net_result(n, a);
}

static void build_then(net *n) {
  const int a = net_bias(n, net_conv(n, 0, 32, 32, 3, 1), 32);
  net_result(n, net_conv(n, net_op(n, "ReLU", "", a), 32, 32, 1, 1));
}

static void build_else(net *n) {
  net_result(n, net_op(n, "ReLU", "", net_conv(n, 0, 32, 32, 1, 1)));
}

static void build_bodies(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int a = net_conv(n, net_op(n, "ReLU", "", net_conv(n, x, 32, 32, 3, 1)), 32, 32, 1, 1);
  net_result(n, net_op(n, "Tanh", "", net_conv(n, net_if(n, a, build_then, build_else), 32, 8, 1, 1)));
}

/* ---- running the networks ---- */

typedef struct network {
  void (*build)(net *n);
  int n_places; /* roundings in sequence if the network is computed in f32: at outputs, stages and bodies */
  bool has_once, is_staged;
  const char *fused[8]; /* expected names of fused steps, then NULL */
} network;

/* Counts of one execution's steps. */
typedef struct seen {
  int n_fast, n_fused, n_copies, n_converts;
  int n_named; /* steps whose name is in `fused` */
  int n_steps;
} seen;

/* The outputs' elements, for two seeds of the input. */
static net_outcome expected[2], got[2], again;

static bool is_named(const network *of, const char *kernel) {
  for (int i = 0; of->fused[i] != NULL; i++)
    if (strcmp(of->fused[i], kernel) == 0)
      return true;
  return false;
}

static seen look(const irrun_run *run, const network *of) {
  seen s = {0};
  irrun_step step = {.size = sizeof step};
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++) {
    const bool is_fast = strcmp(step.isa, "onednn") == 0;
    s.n_fast += is_fast;
    s.n_fused += is_fast && strchr(step.kernel, '+') != NULL;
    s.n_named += is_named(of, step.kernel);
    s.n_copies += strcmp(step.kernel, "strided_copy") == 0;
    s.n_converts += strncmp(step.kernel, "convert", 7) == 0;
    s.n_steps++;
  }
  return s;
}

/* Expects that the plan can be shown after each pass, and that each row of the plan has a reason (`why`). */
static void show_it(irrun_run *run) {
  irrun_plan_row row = {.size = sizeof row};
  irrun_plan_info info = {.size = sizeof info};
  irrun_plan_tensor tensor = {.size = sizeof tensor};
  static const char *const after[] = {"lower", "widen", "fold", "quantize", "fuse", "layout", NULL};
  for (int i = 0; i < (int)(sizeof after / sizeof after[0]); i++) {
    assert_int_equal(irrun_run_show(run, after[i]), IRRUN_OK);
    assert_true(irrun_run_get_plan_info(run, &info));
    assert_true(info.n_rows > 0 && info.n_rows >= info.n_steps && (info.n_steps > 0) == (after[i] == NULL));
    for (int64_t r = 0; irrun_run_get_plan_row(run, r, &row); r++) {
      assert_true(row.why != NULL || (after[i] != NULL && strcmp(row.op, "Contraction") != 0));
      for (int p = 0; irrun_run_get_plan_tensor(run, r, true, p, &tensor); p++)
        assert_true(tensor.number < 0 || row.step < 0 || tensor.offset + tensor.bytes <= info.block_bytes);
    }
  }
}

/* Executes with the inputs of seed 0, seed 1 and seed 0. Both executions of seed 0 must have the same bits. */
static seen run_it(const net_fixture *f, const network *of, unsigned skipped, int threads, net_outcome *out) {
  irrun_run *run;
  irrun_context_skip_passes(f->context, skipped);
  assert_int_equal(irrun_context_set_threads(f->context, threads), IRRUN_OK);
  assert_int_equal(irrun_run_create(f->model, &run), IRRUN_OK);
  irrun_run_profile(run, true);
  net_execute(f, run, 0, &out[0]);
  net_execute(f, run, 1, &out[1]);
  show_it(run);
  net_execute(f, run, 0, &again);
  const seen s = look(run, of);
  irrun_run_free(run);
  assert_int_equal(again.n, out[0].n);
  assert_memory_equal(again.elements, out[0].elements, (size_t)again.n * sizeof again.elements[0]);
  return s;
}

/* ---- results ---- */

enum { SUMS = 32 };
/* The relative error of one rounding to the type; f32 counts as exact. */
static double rounding(irrun_element_type type) {
  return type == IRRUN_F32 ? 0 : type == IRRUN_F16 ? 0x1p-11 : 0x1p-8;
}

static double largest(const net_outcome *a) {
  double most = 0;
  for (int64_t i = 0; i < a->n; i++)
    most = fmax(most, fabs((double)a->elements[i]));
  return most;
}

/* Compares with plain kernels in f32. The bound allows SUMS roundings of f32, because sums can have another order. It
 * also allows `n_rounded` roundings to `type`. Errors do not grow from layer to layer, because each output's weights
 * sum to at most 1 in magnitude. */
static void check_values(const net_outcome *a, irrun_element_type type, int n_rounded, const char *what) {
  for (int s = 0; s < 2; s++) {
    const double bound = (SUMS * 0x1p-24 + n_rounded * rounding(type)) * fmax(1, largest(&expected[s]));
    assert_int_equal(a[s].n, expected[s].n);
    for (int64_t i = 0; i < a[s].n; i++)
      if (!(fabs((double)a[s].elements[i] - (double)expected[s].elements[i]) <= bound))
        fail_msg("%s, %s: element %lld of input %d is %g, and %g by plain kernels in f32", what, irrun_type_name(type),
                 (long long)i, s, (double)a[s].elements[i], (double)expected[s].elements[i]);
  }
}

static void expect_plain(net_fixture *f, const network *of) {
  net_begin(f, IRRUN_F32, of->build);
  irrun_context_set_kernels(f->context, IRRUN_KERNELS_PLAIN);
  const seen s = run_it(f, of, 0, 1, expected);
  assert_int_equal(s.n_fast, 0);
  net_end(f);
}

static void check_steps(const network *of, irrun_element_type type, unsigned skipped, const seen *all, const seen *s) {
  const bool is_narrow = type != IRRUN_F32;
  assert_true(s->n_fast > 0);
  int n_names = 0;
  while (of->fused[n_names] != NULL)
    n_names++;
  assert_int_equal(s->n_named, (skipped & IRRUN_PASS_FUSE) == 0 ? n_names : 0);
  assert_int_equal(s->n_fused > 0, (skipped & IRRUN_PASS_FUSE) == 0);
  if (skipped == IRRUN_PASS_FOLD && (of->has_once || is_narrow))
    assert_true(s->n_steps > all->n_steps);
  if ((skipped & IRRUN_PASS_LAYOUT) != 0)
    assert_true(s->n_copies > all->n_copies);
  if (skipped == IRRUN_PASS_FUSE || skipped == IRRUN_PASS_FOLD)
    assert_true(s->n_copies >= all->n_copies);
  if (is_narrow && !of->is_staged && skipped == IRRUN_PASS_WIDEN)
    assert_true(s->n_converts > all->n_converts);
}

static void check_type(net_fixture *f, const network *of, irrun_element_type type) {
  static const unsigned skips[] = {0,  0, 0, 0, IRRUN_PASS_FOLD, IRRUN_PASS_FUSE, IRRUN_PASS_LAYOUT, IRRUN_PASS_WIDEN,
                                   ALL};
  char what[32];
  seen all = {0};
  net_begin(f, type, of->build);
  for (int i = 0; i < (int)(sizeof skips / sizeof skips[0]); i++) {
    const seen s = run_it(f, of, skips[i], i % 4 + 1, got);
    all = i == 0 ? s : all;
    snprintf(what, sizeof what, "without passes %u", skips[i]);
    check_values(got, type, (skips[i] & IRRUN_PASS_WIDEN) != 0 ? f->net.own.n_layers : of->n_places, what);
    check_steps(of, type, skips[i], &all, &s);
  }
  irrun_context_set_kernels(f->context, IRRUN_KERNELS_PLAIN);
  const seen s = run_it(f, of, 0, 2, got);
  assert_int_equal(s.n_fast + s.n_fused, 0);
  check_values(got, type, f->net.own.n_layers, "plain");
  net_end(f);
}

static void check(const network *of) {
  static net_fixture f;
  if (irrun_fast_library() == NULL)
    skip();
  expect_plain(&f, of);
  check_type(&f, of, IRRUN_F32);
  check_type(&f, of, IRRUN_F16);
  check_type(&f, of, IRRUN_BF16);
}

#define NETWORK_TEST(name, ...)                                                                                        \
  static void name(void **state) {                                                                                     \
    (void)state;                                                                                                       \
    check(&(network){.build = build_##name, __VA_ARGS__});                                                             \
  }
NETWORK_TEST(chains, .n_places = 1,
             .fused = {"convolution+bias+relu", "convolution+bias+clamp", "convolution+bias+swish", "convolution+add",
                       "convolution+bias", "convolution+clamp"})
NETWORK_TEST(axes, .n_places = 1, .fused = {"convolution+relu", "convolution+add", "mat_mul+bias+tanh"})
NETWORK_TEST(weights, .n_places = 1, .has_once = true, .fused = {"convolution+relu", "convolution+sigmoid"})
NETWORK_TEST(stages, .n_places = 2, .is_staged = true, .fused = {"convolution+bias+relu", "convolution+bias+relu"})
NETWORK_TEST(bodies, .n_places = 3, .is_staged = true, .fused = {"convolution+relu"})

#define BACKPROP(n, type, stride, pad, from, shape, elements)                                                          \
  net_op(n, type, CONV(stride, pad), from, net_weights(n, shape, elements, 288))

/* Builds transposed convolutions with post-ops. oneDNN 2 computes all element by element, oneDNN 3 some. */
static void build_backprops(net *n) {
  const int x = net_parameter(n, "1,32,48,48");
  const int a = BACKPROP(n, "ConvolutionBackpropData", 2, 0, x, "32,32,2,2", 4096);
  const int b = BACKPROP(n, "ConvolutionBackpropData", 2, 0, x, "32,32,2,2", 4096);
  const int c = BACKPROP(n, "ConvolutionBackpropData", 2, 1, x, "32,32,3,3", 9216);
  const int d = BACKPROP(n, "GroupConvolutionBackpropData", 2, 1, x, "4,8,8,3,3", 2304);
  const int e = BACKPROP(n, "GroupConvolutionBackpropData", 2, 1, x, "32,1,1,4,4", 512);
  net_result(n, net_op(n, "Add", "", net_op(n, "ReLU", "", net_bias(n, a, 32)), b));
  net_result(n, net_op(n, "ReLU", "", c));
  net_result(n, net_op(n, "Sigmoid", "", net_bias(n, d, 32)));
  net_result(n, net_op(n, "Tanh", "", e));
}

/* Builds convolutions with a fused addition. Without AVX-512, oneDNN computes the addition element by element. */
static void build_additions(net *n) {
  const int x = net_parameter(n, "1,64,1024"), y = net_parameter(n, "1,16,12,12,12");
  const int a = net_op(n, "GroupConvolution", "strides='1' dilations='1' pads_begin='1' pads_end='1'", x,
                       net_weights(n, "64,1,1,3", 192, 3));
  const int b = net_op(n, "Convolution", "strides='1,1,1' dilations='1,1,1' pads_begin='1,1,1' pads_end='1,1,1'", y,
                       net_weights(n, "16,16,3,3,3", 6912, 432));
  net_result(n, net_op(n, "ReLU", "", net_op(n, "Add", "", a, x)));
  net_result(n, net_op(n, "ReLU", "", net_op(n, "Add", "", b, y)));
}

/* Returns the time that this thread has computed, in ns. Time of other processes does not count. */
static int64_t time_once(irrun_run *run) {
  struct timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return (int64_t)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec;
}

/* Compares the fastest of alternating executions. oneDNN's reference implementation takes ten times as long. */
static void what_is_fused_is_not_slower(void **state) {
  (void)state;
  enum { ROUNDS = 24 };
  static void (*const builds[])(net *) = {build_backprops, build_additions};
  static const unsigned skipped[] = {IRRUN_PASS_FUSE, 0};
  static net_fixture f;
  if (irrun_fast_library() == NULL)
    skip();
  for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) {
    int64_t best[] = {INT64_MAX, INT64_MAX};
    irrun_run *runs[2];
    net_begin(&f, IRRUN_F32, builds[i]);
    assert_int_equal(irrun_context_set_threads(f.context, 1), IRRUN_OK);
    for (int k = 0; k < 2; k++) {
      irrun_context_skip_passes(f.context, skipped[k]);
      assert_int_equal(irrun_run_create(f.model, &runs[k]), IRRUN_OK);
      net_set_inputs(&f, runs[k], 0);
      assert_int_equal(irrun_run_execute(runs[k]), IRRUN_OK); /* the first execution makes the plan */
    }
    for (int round = 0; round < 2 * ROUNDS; round++) {
      const int64_t ns = time_once(runs[round % 2]);
      best[round % 2] = ns < best[round % 2] ? ns : best[round % 2];
    }
    irrun_run_free(runs[0]);
    irrun_run_free(runs[1]);
    net_end(&f);
    if (best[1] > 2 * best[0])
      fail_msg("network %d takes %lld us fused, and %lld in parts", (int)i, (long long)best[1] / 1000,
               (long long)best[0] / 1000);
  }
}

/* ---- constants in later executions ---- */

/* Builds a convolution with constant weights, and an output that depends on constants only. */
static void build_constants(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  net_result(n, net_conv(n, x, 32, 32, 3, 1));
  net_result(n, net_op(n, "Add", "", net_weights(n, "64", 64, 1), net_weights(n, "64", 64, 1)));
}

/* Changes the .bin between two executions. The constants are computed again only without the pass "fold". */
static void constants_are_read_once(void **state) {
  (void)state;
  static net_fixture f;
  if (irrun_fast_library() == NULL)
    skip();
  for (int skips = 0; skips < 2; skips++) {
    irrun_run *run;
    net_begin(&f, IRRUN_F32, build_constants);
    irrun_context_skip_passes(f.context, skips == 1 ? IRRUN_PASS_FOLD : 0);
    assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
    net_execute(&f, run, 0, &got[0]);
    memset(f.net.weights, 0, f.net.n_weights);
    net_execute(&f, run, 0, &got[1]);
    assert_int_equal(memcmp(got[0].elements, got[1].elements, (size_t)got[0].n * sizeof got[0].elements[0]) != 0,
                     skips);
    irrun_run_free(run);
    net_end(&f);
  }
}

/* Sets an output's memory after its constants were computed. Later executions have to write them there. */
static void constants_get_to_the_callers_memory(void **state) {
  (void)state;
  static net_fixture f;
  float place[2][64] = {{0}};
  irrun_run *run;
  net_begin(&f, IRRUN_F32, build_constants);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  net_execute(&f, run, 0, &got[0]);
  const float *values = got[0].elements + got[0].n - 64;
  for (int i = 0; i < 3; i++) {
    memset(place, 0, sizeof place);
    assert_int_equal(irrun_run_set_output(run, 1, i < 2 ? place[i] : NULL, sizeof place[i]), IRRUN_OK);
    net_execute(&f, run, 0, &got[1]);
    assert_memory_equal(got[1].elements + got[1].n - 64, values, 64 * sizeof values[0]);
    if (i < 2)
      assert_memory_equal(place[i], values, 64 * sizeof values[0]);
  }
  irrun_run_free(run);
  net_end(&f);
}

/* Builds an update at index 8 * x, which fails above 3. The constants have more steps than the index. */
static void build_misses(net *n) {
  const int x = net_parameter(n, "1");
  int at = x, sum = net_weights(n, "4", 4, 1);
  for (int i = 0; i < 3; i++)
    at = net_op(n, "Add", "", at, at);
  for (int i = 0; i < 12; i++)
    sum = net_op(n, "Add", "", sum, net_weights(n, "4", 4, 1));
  const int list = net_weights(n, "4", 4, 1);
  net_result(
      n, net_op(n, "Add", "", sum, net_op(n, "ScatterUpdate-3", "", list, net_as_integers(n, at), x, net_axis(n, 0))));
}

static uint32_t seed_of(const net_input *input, float least, float most) {
  float value = most + 1;
  uint32_t seed = 0;
  for (; !(value >= least && value <= most); seed++)
    net_fill(input, seed + 1, &value);
  return seed;
}

/* The first execution fails before it has computed all constants. The next one has to compute them. */
static void constants_are_computed_behind_a_failure(void **state) {
  (void)state;
  static net_fixture f;
  irrun_run *run;
  net_begin(&f, IRRUN_F32, build_misses);
  const uint32_t misses = seed_of(f.net.inputs, 0.5F, 1), hits = seed_of(f.net.inputs, 0, 0.375F);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  net_execute(&f, run, hits, &expected[0]);
  irrun_run_free(run);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  net_set_inputs(&f, run, misses);
  assert_int_equal(irrun_run_execute(run), IRRUN_BAD_DATA);
  net_execute(&f, run, hits, &got[0]);
  assert_int_equal(got[0].n, 4);
  assert_memory_equal(got[0].elements, expected[0].elements, 4 * sizeof got[0].elements[0]);
  irrun_run_free(run);
  net_end(&f);
}

/* Builds activations after convolutions. oneDNN's own ReLU and Clamp would replace NaN by their lower bound. */
static void build_functions(net *n) {
  const int x = net_parameter(n, "1,32,16,32");
  const int weights = net_weights(n, "32,32,2,2", 4096, 32);
  const int wide = net_op(n, "ConvolutionBackpropData", CONV(2, 0), x, weights);
  net_result(n, net_op(n, "Sigmoid", "", wide));
  net_result(n, net_op(n, "Tanh", "", net_conv(n, x, 32, 32, 3, 1)));
  net_result(n, net_op(n, "Sigmoid", "", net_conv(n, x, 32, 32, 3, 1)));
  net_result(n, net_op(n, "Gelu-7", "approximation_mode='tanh'", net_conv(n, x, 32, 32, 3, 1)));
}

static void nan_stays_behind_a_product(void **state) {
  (void)state;
  static net_fixture f;
  static float x[32 * 16 * 32] = {NAN};
  irrun_run *run;
  irrun_tensor *nan;
  net_begin(&f, IRRUN_F32, build_functions);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_F32, 4, f.net.inputs[0].dims, x, sizeof x, &nan), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, 0, nan, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  for (int i = 0; i < f.n_outputs; i++)
    assert_true(isnan(*(const float *)irrun_tensor_get_info(irrun_run_output(run, i)).data));
  irrun_run_free(run);
  net_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains),
      cmocka_unit_test(axes),
      cmocka_unit_test(weights),
      cmocka_unit_test(stages),
      cmocka_unit_test(bodies),
      cmocka_unit_test(what_is_fused_is_not_slower),
      cmocka_unit_test(constants_are_read_once),
      cmocka_unit_test(constants_get_to_the_callers_memory),
      cmocka_unit_test(constants_are_computed_behind_a_failure),
      cmocka_unit_test(nan_stays_behind_a_product),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
