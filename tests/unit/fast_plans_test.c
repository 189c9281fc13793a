/* Tests plans by oneDNN: Transposes that products and layouts replace, small networks, and denormal
 * numbers. */
#include "irrun_program.h"
#include "passes_net.h"
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static net_fixture f;
static net_outcome expected, got;

/* Executes the network twice, because the first execution also makes constants. Counts the second one's steps, and
 * those that copy elements. */
static irrun_run *execute(int threads, uint32_t seed, int *out_steps, int *out_copies) {
  irrun_run *run;
  irrun_step step = {.size = sizeof step};
  assert_int_equal(irrun_context_set_threads(f.context, threads), IRRUN_OK);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  irrun_run_profile(run, true);
  net_execute(&f, run, seed, &got);
  net_execute(&f, run, seed, &got);
  *out_steps = *out_copies = 0;
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++) {
    ++*out_steps;
    *out_copies += strcmp(step.kernel, "strided_copy") == 0;
  }
  return run;
}

static void expect_near(double bound, const char *what) {
  assert_int_equal(got.n, expected.n);
  for (int64_t i = 0; i < got.n; i++)
    if (!(fabs((double)got.elements[i] - (double)expected.elements[i]) <= bound))
      fail_msg("%s: element %lld is %g, and %g by plain kernels", what, (long long)i, (double)got.elements[i],
               (double)expected.elements[i]);
}

/* Compares fast plans with plain kernels. Plans with all passes have `n_steps` steps, of which `n_copies` copy. */
static void check(void (*build)(net *n), int n_steps, int n_copies) {
  static const unsigned skips[] = {0, 0, IRRUN_PASS_FUSE, IRRUN_PASS_LAYOUT, IRRUN_PASS_FOLD};
  int steps, copies;
  if (irrun_fast_library() == NULL)
    skip();
  net_begin(&f, IRRUN_F32, build);
  irrun_context_set_kernels(f.context, IRRUN_KERNELS_PLAIN);
  irrun_run_free(execute(1, 1, &steps, &copies));
  expected = got;
  irrun_context_set_kernels(f.context, IRRUN_KERNELS_FAST);
  for (int i = 0; i < (int)(sizeof skips / sizeof skips[0]); i++) {
    char what[32];
    snprintf(what, sizeof what, "without passes %u", skips[i]);
    irrun_context_skip_passes(f.context, skips[i]);
    irrun_run_free(execute(1 + i % 2, 1, &steps, &copies));
    expect_near(0x1p-18, what);
    if (skips[i] == 0) {
      assert_int_equal(steps, n_steps);
      assert_int_equal(copies, n_copies);
    }
  }
  net_end(&f);
}

/* ---- heads side by side ---- */

enum { BATCH = 2, TOKENS = 144, HEADS = 4, DEPTH = 16, WIDTH = HEADS * DEPTH };

#define AS(n, from, ...) net_op(n, "Reshape", "special_zero='false'", from, net_integers(n, __VA_ARGS__))

static int project(net *n, int from, int64_t second, int64_t third, int64_t last) {
  const int product = net_op(n, "MatMul", "transpose_b='true'", from, net_weights(n, "64,64", 4096, 64));
  const int sum = net_op(n, "Add", "", product, net_weights(n, "64", 64, 2));
  return net_op(n, "Transpose", "", AS(n, sum, BATCH, TOKENS, HEADS, DEPTH), net_integers(n, 0, second, third, last));
}

/* Products of heads, a residual addition behind a Reshape, and a Gelu. The SoftMax has another axis than attention has,
 * which would be one operation. */
static void build_heads(net *n) {
  const int x = net_parameter(n, "2,144,64");
  const int q = project(n, x, 2, 1, 3), k = project(n, x, 2, 3, 1), v = project(n, x, 2, 1, 3);
  const int weights = net_op(n, "SoftMax", "axis='2'", net_op(n, "MatMul", "", q, k));
  const int heads = net_op(n, "Transpose", "", net_op(n, "MatMul", "", weights, v), net_integers(n, 0, 2, 1, 3));
  const int flat = AS(n, heads, BATCH * TOKENS, WIDTH);
  const int out = net_op(n, "MatMul", "transpose_b='true'", flat, net_weights(n, "64,64", 4096, 64));
  const int residual = net_op(n, "Add", "", AS(n, out, BATCH, TOKENS, WIDTH), x);
  const int wide = net_op(n, "MatMul", "", residual, net_weights(n, "64,96", 6144, 64));
  net_result(n, net_op(n, "Gelu-7", "approximation_mode='tanh'", wide));
  net_result(n, residual);
}

static void heads_are_not_copied(void **state) {
  (void)state;
  check(build_heads, 8, 0); /* three products and their biases; two products and a SoftMax between; two products */
}

/* Matrices of three axes with heads in the middle, transposed matrices without heads, a Transpose that has two readers,
 * one behind an addition, and one whose order no product can write. */
static void build_orders(net *n) {
  const int x = net_parameter(n, "130,4,64"), y = net_parameter(n, "140,4,64");
  const int small = net_op(n, "Multiply", "", x, net_weights(n, "1", 1, 64));
  const int a = net_op(n, "Transpose", "", small, net_integers(n, 1, 0, 2));
  const int b = net_op(n, "Transpose", "", y, net_integers(n, 1, 2, 0));
  const int scores = net_op(n, "MatMul", "", a, b);
  const int out = net_op(n, "MatMul", "", scores, net_op(n, "Transpose", "", y, net_integers(n, 1, 0, 2)));
  net_result(n, net_op(n, "Transpose", "", out, net_integers(n, 1, 0, 2)));
  const int other = net_op(n, "MatMul", "", scores, net_op(n, "Transpose", "", y, net_integers(n, 1, 0, 2)));
  net_result(n, net_op(n, "Transpose", "", net_op(n, "Add", "", other, a), net_integers(n, 1, 0, 2)));
  const int matrix = AS(n, x, 130, 256);
  const int turned = net_op(n, "Transpose", "", matrix, net_integers(n, 1, 0));
  const int sums = net_op(n, "MatMul", "", turned, net_weights(n, "130,70", 9100, 130));
  net_result(n, net_op(n, "Transpose", "", sums, net_integers(n, 1, 0)));
  net_result(n, net_op(n, "Tanh", "", turned));
  net_result(n, net_op(n, "MatMul", "transpose_a='true'", turned, net_weights(n, "256,30", 7680, 256)));
}

static void orders_are_strides(void **state) {
  (void)state;
  check(build_orders, 11, 4); /* copies: for Tanh, of the transposed sums, for the addition, and behind it */
}

/* ---- weights ---- */

static void build_product(net *n) {
  net_result(n, net_op(n, "MatMul", "", net_parameter(n, "64,256"), net_weights(n, "256,480", 122880, 256)));
}

/* Weights are packed once if oneDNN has a kernel that reads packed weights. Then a later change of the caller's weights
 * has no effect. */
static void weights_are_packed_once(void **state) {
  (void)state;
  irrun_run *run;
  irrun_step step = {.size = sizeof step};
  bool is_packed = false;
  if (irrun_fast_library() == NULL)
    skip();
  net_begin(&f, IRRUN_F32, build_product);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  irrun_run_profile(run, true);
  net_execute(&f, run, 1, &expected);
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++)
    is_packed = is_packed || strcmp(step.kernel, "lay_out_weights") == 0;
#if defined(__x86_64__)
  assert_true(is_packed || !__builtin_cpu_supports("avx512bw"));
#endif
  memset(f.net.weights, 0, f.net.n_weights);
  net_execute(&f, run, 1, &got);
  assert_int_equal(memcmp(got.elements, expected.elements, (size_t)got.n * sizeof *got.elements) == 0, is_packed);
  irrun_run_free(run);
  net_end(&f);
}

/* Factors and summands of the data become factors of the weights and a bias. */
static void build_scaled(net *n) {
  const int x = net_parameter(n, "64,256"), weights = net_weights(n, "256,480", 122880, 256);
  const int scaled = net_op(n, "Multiply", "", x, net_weights(n, "256", 256, 4));
  const int shifted = net_op(n, "Add", "", x, net_weights(n, "256", 256, 4));
  net_result(n, net_op(n, "MatMul", "", scaled, weights));
  net_result(n, net_op(n, "MatMul", "", shifted, weights));
}

static void changes_of_the_data_become_constants(void **state) {
  (void)state;
  check(build_scaled, 2, 0);
}

/* The only operation on constants is a view, which has no step. */
static void build_view(net *n) {
  const int x = net_parameter(n, "130,200");
  net_result(n, net_op(n, "MatMul", "", x, AS(n, net_weights(n, "40000", 40000, 200), 200, 200)));
}

static void views_of_constants_are_bound(void **state) {
  (void)state;
  check(build_view, 1, 0);
}

enum { SIDE = 256, N_LAYERS = 3 };

static void build_narrow(net *n) {
  int at = net_parameter(n, "64,256");
  for (int i = 0; i < N_LAYERS; i++)
    at = net_op(n, "MatMul", "transpose_b='true'", at, net_converted(n, "256,256", SIDE * SIDE, SIDE));
  net_result(n, at);
}

/* Each layer's weights are converted right before they are packed, so that the f32 weights of one layer exist at once.
 */
static void weights_are_converted_one_by_one(void **state) {
  (void)state;
  if (irrun_fast_library() == NULL)
    skip();
#if defined(__x86_64__)
  int steps, copies;
  if (!__builtin_cpu_supports("avx512bw"))
    skip(); /* no weights are packed */
  net_begin(&f, IRRUN_F32, build_narrow);
  irrun_run_free(execute(1, 1, &steps, &copies));
  assert_true(f.counts.largest < 2 * SIDE * SIDE * sizeof(float));
  net_end(&f);
#endif
}

/* ---- Transposes between layouts ---- */

/* A network whose tensors have channels last, converted from a framework with that layout. */
static void build_last(net *n) {
  const int x = net_parameter(n, "1,48,48,16");
  const int first = net_op(n, "Transpose", "", x, net_integers(n, 0, 3, 1, 2));
  const int a = net_op(n, "ReLU", "", net_conv(n, first, 16, 16, 3, 1));
  const int rows = net_op(n, "Transpose", "", a, net_integers(n, 0, 2, 3, 1));
  const int product = net_op(n, "MatMul", "", rows, net_weights(n, "16,16", 256, 16));
  const int back = net_op(n, "Transpose", "", product, net_integers(n, 0, 3, 1, 2));
  const int sum = net_op(n, "Add", "", a, back);
  net_result(n, net_op(n, "Transpose", "", net_conv(n, sum, 16, 8, 3, 1), net_integers(n, 0, 2, 3, 1)));
  net_result(n, net_op(n, "Transpose", "", sum, net_integers(n, 3, 1, 2, 0)));
  net_result(n, net_op(n, "ReduceMean", "keep_dims='false'", sum, net_integers(n, 2, 3)));
}

static void layouts_make_transposes_views(void **state) {
  (void)state;
  check(build_last, 6, 1);
}

/* ---- small networks ---- */

enum { MULTIPLICATIONS = 16 * 16 * 16 * 16 * 9, ENOUGH = 16 << 20 }; /* ENOUGH: as in src/program/passes.c */

static void build_small(net *n) {
  net_result(n, net_conv(n, net_parameter(n, "1,16,16,16"), 16, 16, 3, 1));
}

static void build_tiny_product(net *n) {
  net_result(n, net_op(n, "MatMul", "", net_parameter(n, "1,64"), net_weights(n, "64,8", 512, 64)));
}

/* Returns after how many executions oneDNN computes the network's product, up to `most`. */
static int count_plain(void (*build)(net *n), int most) {
  irrun_run *run;
  irrun_step step = {.size = sizeof step};
  int n = 0;
  net_begin(&f, IRRUN_F32, build);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  for (bool is_fast = false; n < most && !is_fast; n += !is_fast) {
    net_execute(&f, run, 1, &got);
    for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++)
      is_fast = is_fast || strcmp(step.isa, "onednn") == 0;
    if (n == 0)
      expected = got;
    expect_near(0x1p-18, "frequent");
  }
  irrun_run_free(run);
  net_end(&f);
  return n;
}

/* A small plan is made anew when its executions have taken as long as the module takes to load. */
static void frequent_plans_become_fast(void **state) {
  (void)state;
  if (irrun_fast_library() == NULL)
    skip();
  assert_int_equal(count_plain(build_small, ENOUGH), (ENOUGH - 1) / MULTIPLICATIONS + 1);
  assert_int_equal(count_plain(build_tiny_product, ENOUGH / 512 + 2), ENOUGH / 512 + 2);
}

/* ---- denormals ---- */

/* A convolution, and an addition, which no primitive takes over. */
static void build_tiny(net *n) {
  const int x = net_parameter(n, "1,32,32,32");
  net_result(n, net_conv(n, x, 32, 32, 3, 1));
  net_result(n, net_op(n, "Add", "", x, x));
}

static volatile float tiny = 0x1p-130F;

static bool has_denormals(void) {
  return tiny * 0.5F != 0;
}

static void count_thread(void *user) {
  __atomic_fetch_add((int *)user, has_denormals(), __ATOMIC_RELAXED);
}

/* Runs a function on each thread of the caller's OpenMP team, as compiled code does. Returns false without OpenMP. */
static bool count_team(unsigned threads, int *count) {
  void *library = dlopen("libgomp.so.1", RTLD_NOW);
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  if (library == NULL)
    return false;
  *(void **)&parallel = dlsym(library, "GOMP_parallel");
  parallel(count_thread, count, threads, 0);
  dlclose(library);
  return true;
}

/* Products treat denormals as 0, on all threads. Other steps, and the caller's threads after a run, do not. */
static void denormals_are_flushed_in_products_only(void **state) {
  (void)state;
  enum { N = 32 * 32 * 32, THREADS = 2 };
  static float x[N];
  static const int64_t dims[] = {1, 32, 32, 32};
  int steps, copies, n_exact = 0;
  if (irrun_fast_library() == NULL)
    skip();
#if !defined(__x86_64__) && !defined(__aarch64__)
  skip();
#endif
  for (int i = 0; i < N; i++)
    x[i] = 0x1p-128F;
  for (int plain = 0; plain < 2; plain++) {
    irrun_tensor *tensor;
    net_begin(&f, IRRUN_F32, build_tiny);
    irrun_context_set_kernels(f.context, plain == 1 ? IRRUN_KERNELS_PLAIN : IRRUN_KERNELS_FAST);
    irrun_run *run = execute(THREADS, 1, &steps, &copies);
    assert_int_equal(irrun_tensor_borrow(f.context, IRRUN_F32, 4, dims, x, sizeof x, &tensor), IRRUN_OK);
    assert_int_equal(irrun_run_set_input(run, 0, tensor, false, NULL), IRRUN_OK);
    assert_int_equal(irrun_run_execute(run), IRRUN_OK);
    assert_true(has_denormals());
    const float *sums = irrun_tensor_get_info(irrun_run_output(run, 0)).data;
    const float *twice = irrun_tensor_get_info(irrun_run_output(run, 1)).data;
    int n_zero = 0;
    for (int i = 0; i < N; i++) {
      n_zero += sums[i] == 0;
      assert_true(twice[i] == 0x1p-127F);
    }
    assert_true(plain == 1 ? n_zero < N : n_zero == N);
    irrun_run_free(run);
    net_end(&f);
  }
  if (count_team(THREADS, &n_exact))
    assert_int_equal(n_exact, THREADS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heads_are_not_copied),
      cmocka_unit_test(orders_are_strides),
      cmocka_unit_test(weights_are_packed_once),
      cmocka_unit_test(changes_of_the_data_become_constants),
      cmocka_unit_test(views_of_constants_are_bound),
      cmocka_unit_test(weights_are_converted_one_by_one),
      cmocka_unit_test(layouts_make_transposes_views),
      cmocka_unit_test(frequent_plans_become_fast),
      cmocka_unit_test(denormals_are_flushed_in_products_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
