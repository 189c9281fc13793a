/* Tests output sizes inferred from intervals against all sizes in the intervals. The inferred interval must be the
 * exact hull of all legal output sizes. An interval without a legal size is an error. */
#include "base/shape.h"
#include "draw.h"
#include "layer_run.h"
#include "ops/pool/pool_windows.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FAR 64 /* for an open interval, the number of sizes that are tried; the smallest legal size is among them */

/* Finds the smallest and greatest output size over all sizes in `n`. Returns false if no size is legal. If `n` is
 * open, the output is open, because output sizes grow with the input. */
static bool try_sizes(naive_window window, naive_auto_pad auto_pad, naive_rounding rounding, ir_dim n, ir_dim *out) {
  bool open = n.hi == IR_DIM_MAX;
  *out = (ir_dim){IR_DIM_MAX, -1};
  for (int64_t size = n.lo; size <= (open ? n.lo + FAR : n.hi); size++) {
    int64_t count = naive_out_size(naive_pads(window, auto_pad, size), rounding, size);
    if (count < 0)
      continue;
    out->lo = count < out->lo ? count : out->lo;
    out->hi = count > out->hi ? count : out->hi;
  }
  bool legal = out->hi >= 0;
  if (open)
    out->hi = IR_DIM_MAX;
  return legal;
}

/* ---- the rule of one axis ---- */

static void check_interval(naive_window window, naive_auto_pad auto_pad, naive_rounding rounding, ir_dim n) {
  ir_window_axis axis = {window.kernel, window.stride, window.dilation, window.pad_begin, window.pad_end};
  ir_dim expected, got;
  bool legal = try_sizes(window, auto_pad, rounding, n, &expected);
  bool told = ir_window_count_interval(axis, (ir_auto_pad)auto_pad, (ir_rounding)rounding, n, &got);
  if (told != legal || (legal && !ir_dims_equal(got, expected)))
    fail_msg("sizes %lld..%lld, kernel %lld, stride %lld, dilation %lld, pads %lld and %lld, auto_pad %d, rounding %d: "
             "%lld..%lld, trying gives %lld..%lld",
             (long long)n.lo, (long long)n.hi, (long long)window.kernel, (long long)window.stride,
             (long long)window.dilation, (long long)window.pad_begin, (long long)window.pad_end, (int)auto_pad,
             (int)rounding, (long long)got.lo, (long long)got.hi, (long long)expected.lo, (long long)expected.hi);
}

static void check_intervals(naive_window window) {
  for (int auto_pad = NAIVE_EXPLICIT; auto_pad <= NAIVE_VALID; auto_pad++)
    for (int rounding = NAIVE_FLOOR; rounding <= NAIVE_CEIL_TORCH; rounding++)
      for (int64_t lo = 0; lo <= 7; lo++) {
        for (int64_t hi = lo; hi <= 7; hi++)
          check_interval(window, (naive_auto_pad)auto_pad, (naive_rounding)rounding, (ir_dim){lo, hi});
        check_interval(window, (naive_auto_pad)auto_pad, (naive_rounding)rounding, (ir_dim){lo, IR_DIM_MAX});
      }
}

static void every_interval_of_a_small_grid(void **state) {
  (void)state;
  for (int64_t k = 1; k <= 4; k++)
    for (int64_t s = 1; s <= 4; s++)
      for (int64_t d = 1; d <= 3; d++)
        for (int64_t pb = 0; pb <= 3; pb++)
          for (int64_t pe = 0; pe <= 5; pe++)
            check_intervals((naive_window){k, s, d, pb, pe});
}

/* An input size whose output size exceeds int64_t is illegal. Smaller sizes stay legal. */
static void an_upper_end_that_overflows_is_open(void **state) {
  (void)state;
  ir_window_axis axis = {.kernel = 1, .stride = 1, .dilation = 1, .pad_begin = 1, .pad_end = 1};
  ir_dim out;
  assert_true(ir_window_count_interval(axis, IR_PAD_EXPLICIT, IR_ROUND_FLOOR, (ir_dim){3, INT64_MAX - 1}, &out));
  assert_true(ir_dims_equal(out, (ir_dim){5, IR_DIM_MAX}));
  assert_false(ir_window_count_interval(axis, IR_PAD_EXPLICIT, IR_ROUND_FLOOR, ir_dim_of(INT64_MAX - 1), &out));
}

/* ---- whole models ---- */

/* Draws an interval and prints it as a Parameter's shape has it. */
static ir_dim draw_dim(char *text, size_t size) {
  int64_t a = between(0, 9), b = between(a, 9);
  switch (between(0, 5)) {
  case 0:
    snprintf(text, size, "%lld", (long long)a);
    return ir_dim_of(a);
  case 1:
    snprintf(text, size, one_in(2) ? "?" : "-1");
    return ir_dim_any();
  case 2:
    snprintf(text, size, "..%lld", (long long)b);
    return (ir_dim){0, b};
  case 3:
    snprintf(text, size, "%lld..", (long long)a);
    return (ir_dim){a, IR_DIM_MAX};
  default:
    snprintf(text, size, "%lld..%lld", (long long)a, (long long)b);
    return (ir_dim){a, b};
  }
}

static void draw_shape(int rank, ir_dim *dims, char *text, size_t size) {
  size_t used = 0;
  for (int i = 0; i < rank; i++) {
    char dim[48];
    dims[i] = draw_dim(dim, sizeof dim);
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "," : "", dim);
  }
}

static irrun_value output_of(const model_run *run, int port) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_value value = {.size = sizeof value};
  for (int64_t i = 0; irrun_model_get_layer(run->model, i, &layer); i++)
    if (strcmp(layer.name, "layer") == 0)
      assert_true(irrun_model_get_layer_output(run->model, i, port, &value));
  return value;
}

/* Expects `expected` as the shape of each output. */
static void expect_shape(const layer_case *c, const ir_shape *expected, int n_outputs) {
  char layer[640], want[IRRUN_SHAPE_TEXT], got[IRRUN_SHAPE_TEXT];
  model_run run = layer_run_begin(c, NULL);
  if (run.status != IRRUN_OK)
    fail_msg("%s: refused, expected %s", layer_text(c, layer, sizeof layer),
             ir_shape_text(expected, want, sizeof want));
  for (int port = 0; port < n_outputs; port++) {
    irrun_value value = output_of(&run, port);
    assert_true(value.known);
    irrun_shape_text(&value.shape, got, sizeof got);
    if (strcmp(got, ir_shape_text(expected, want, sizeof want)) != 0)
      fail_msg("%s: output %d is %s, expected %s", layer_text(c, layer, sizeof layer), port, got, want);
  }
  model_run_end(&run);
}

/* Expects exactly one error, of `rule`. Warnings and notes are allowed. */
static void expect_error(const layer_case *c, const char *rule) {
  char layer[640];
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  model_run run = layer_run_begin(c, NULL);
  int n = 0;
  for (int64_t i = 0; irrun_context_get_diagnostic(run.context, i, &diagnostic); i++)
    if (diagnostic.severity == IRRUN_ERROR && (n++ > 0 || strcmp(diagnostic.rule, rule) != 0))
      fail_msg("%s: reports %s, expected one %s", layer_text(c, layer, sizeof layer), diagnostic.rule, rule);
  if (n == 0)
    fail_msg("%s: reports nothing, expected %s", layer_text(c, layer, sizeof layer), rule);
  model_run_end(&run);
}

static layer_case draw_window_layer(void) {
  static const int opsets[2][3] = {{1, 14, 16}, {1, 8, 14}};
  layer_case c = {
      .layer = {.op = one_in(2) ? NAIVE_AVG_POOL : NAIVE_MAX_POOL, .type = IR_F32, .rank = (int)between(3, 5)}};
  bool maximum = c.layer.op == NAIVE_MAX_POOL;
  c.opset = opsets[maximum][between(0, 2)];
  bool dilated = c.opset >= (maximum ? 8 : 16);
  c.with_indices = maximum && dilated && one_in(2);
  for (int a = 0; a < c.layer.rank - 2; a++)
    c.layer.windows[a] =
        (naive_window){between(1, 4), between(1, 4), dilated ? between(1, 3) : 1, between(0, 2), between(0, 2)};
  c.layer.auto_pad = (naive_auto_pad)between(0, 3);
  c.layer.rounding = (naive_rounding)between(0, c.opset >= 14 ? 2 : 1);
  return c;
}

static void pools_of_intervals(void **state) {
  (void)state;
  int n_legal = 0, n_refused = 0;
  for (int i = 0; i < 1500; i++) {
    char text[256];
    ir_dim dims[5];
    layer_case c = draw_window_layer();
    draw_shape(c.layer.rank, dims, text, sizeof text);
    c.shape = text;
    /* a batch of 0 would be another fault */
    if (dims[0].hi == 0 || dims[1].hi == 0)
      continue;
    ir_shape expected = {.rank = c.layer.rank};
    bool legal = true;
    for (int a = 0; a < c.layer.rank; a++) {
      expected.dims[a] = (ir_dim){dims[a].lo > 1 ? dims[a].lo : 1, dims[a].hi};
      if (a >= 2)
        legal =
            try_sizes(c.layer.windows[a - 2], c.layer.auto_pad, c.layer.rounding, dims[a], &expected.dims[a]) && legal;
    }
    if (legal)
      expect_shape(&c, &expected, c.layer.op == NAIVE_MAX_POOL && c.opset >= 8 ? 2 : 1);
    else
      expect_error(&c, "IR304");
    n_legal += legal;
    n_refused += !legal;
  }
  assert_true(n_legal > 500 && n_refused > 50);
}

static void a_batch_or_channels_of_none_are_refused(void **state) {
  (void)state;
  layer_case c = {.layer = {.op = NAIVE_MAX_POOL, .type = IR_F32, .rank = 3, .windows = {{1, 1, 1, 0, 0}}}, .opset = 8};
  for (size_t i = 0; i < 3; i++) {
    c.shape = (const char *const[]){"0,1..2,3", "1..2,0,3", "0,0,3"}[i];
    expect_error(&c, "IR307");
  }
}

static void pools_of_an_unknown_rank(void **state) {
  (void)state;
  for (int rank = 3; rank <= 5; rank++) {
    layer_case c = {.layer = {.op = NAIVE_MAX_POOL, .type = IR_F32, .rank = rank}, .opset = 14, .shape = "..."};
    ir_shape expected = {.rank = rank};
    for (int i = 0; i < rank; i++)
      expected.dims[i] = (ir_dim){1, IR_DIM_MAX};
    for (int a = 0; a < rank - 2; a++)
      c.layer.windows[a] = (naive_window){2, 2, 1, 0, 0};
    expect_shape(&c, &expected, 2);
    c.layer.op = NAIVE_AVG_POOL;
    expect_shape(&c, &expected, 1);
  }
}

/* ---- adaptive pools ---- */

static void adaptive_pools_of_intervals(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    char text[256];
    ir_dim dims[5];
    bool empty = false;
    layer_case c = {.opset = 8, .layer = {.type = IR_F32, .rank = (int)between(3, 5)}, .shape = text};
    c.layer.op = one_in(2) ? NAIVE_ADAPTIVE_AVG_POOL : NAIVE_ADAPTIVE_MAX_POOL;
    c.list_at_run_time = one_in(2);
    draw_shape(c.layer.rank, dims, text, sizeof text);
    ir_shape expected = {.rank = c.layer.rank};
    for (int a = 0; a < c.layer.rank; a++) {
      if (a >= 2)
        c.layer.sizes[a - 2] = between(1, 9);
      expected.dims[a] = a < 2                ? dims[a]
                         : c.list_at_run_time ? (ir_dim){1, IR_DIM_MAX}
                                              : ir_dim_of(c.layer.sizes[a - 2]);
      empty = empty || (a >= 2 && dims[a].hi == 0);
    }
    if (empty)
      expect_error(&c, "IR307");
    else
      expect_shape(&c, &expected, c.layer.op == NAIVE_ADAPTIVE_MAX_POOL ? 2 : 1);
  }
}

/* The number of sizes determines the input's rank. */
static void adaptive_pools_of_an_unknown_rank(void **state) {
  (void)state;
  for (int rank = 3; rank <= 5; rank++)
    for (int at_run_time = 0; at_run_time <= 1; at_run_time++) {
      layer_case c = {
          .opset = 8, .layer = {.op = NAIVE_ADAPTIVE_MAX_POOL, .type = IR_F32, .rank = rank}, .shape = "..."};
      c.list_at_run_time = at_run_time != 0;
      ir_shape expected = {.rank = rank, .dims = {ir_dim_any(), ir_dim_any()}};
      for (int a = 0; a < rank - 2; a++) {
        c.layer.sizes[a] = a + 2;
        expected.dims[a + 2] = c.list_at_run_time ? (ir_dim){1, IR_DIM_MAX} : ir_dim_of(a + 2);
      }
      expect_shape(&c, &expected, 2);
    }
  layer_case c = {.opset = 8, .layer = {.op = NAIVE_ADAPTIVE_MAX_POOL, .type = IR_F32, .rank = 4, .sizes = {1, 1}}};
  c.shape = "...";
  c.list_at_run_time = true;
  c.list_shape = "?";
  ir_shape unknown = ir_shape_unknown();
  expect_shape(&c, &unknown, 2);
}

/* ---- reductions ---- */

static ir_dim hull(ir_dim a, ir_dim b) {
  return (ir_dim){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static int members(unsigned set) {
  int n = 0;
  for (; set != 0; set &= set - 1)
    n++;
  return n;
}

/* Returns the shape after reducing the axes in `set`. */
static ir_shape reduce(const ir_dim *dims, int rank, unsigned set, bool keep_dims) {
  ir_shape shape = {.rank = 0};
  for (int i = 0; i < rank; i++)
    if ((set >> i & 1) == 0)
      shape.dims[shape.rank++] = dims[i];
    else if (keep_dims)
      shape.dims[shape.rank++] = ir_dim_of(1);
  return shape;
}

/* Returns the hull of all shapes that result from reducing `least` to `most` axes. If their ranks differ, the shape
 * is unknown. */
static ir_shape reduce_over_any(const ir_dim *dims, int rank, int least, int most, bool keep_dims) {
  ir_shape all = {.rank = IR_RANK_UNKNOWN};
  for (unsigned set = 0, first = 1; set < 1U << rank; set++) {
    if (members(set) < least || members(set) > most)
      continue;
    ir_shape shape = reduce(dims, rank, set, keep_dims);
    if (first == 0 && shape.rank != all.rank)
      return ir_shape_unknown();
    for (int i = 0; i < shape.rank && first == 0; i++)
      shape.dims[i] = hull(shape.dims[i], all.dims[i]);
    all = shape;
    first = 0;
  }
  return all;
}

static layer_case draw_reduction(char *text, size_t size, ir_dim *dims) {
  layer_case c = {.opset = 1, .layer = {.type = IR_F32, .rank = (int)between(1, 5)}, .shape = text};
  c.layer.op = one_in(2) ? NAIVE_REDUCE_MEAN : NAIVE_REDUCE_MAX;
  c.layer.keep_dims = one_in(2);
  draw_shape(c.layer.rank, dims, text, size);
  return c;
}

static void reductions_over_known_axes(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    char text[256];
    ir_dim dims[5];
    layer_case c = draw_reduction(text, sizeof text, dims);
    unsigned set = (unsigned)between(0, (INT64_C(1) << c.layer.rank) - 1);
    for (int a = 0; a < c.layer.rank; a++)
      if ((set >> a & 1) != 0)
        c.axes[c.n_axes++] = one_in(2) ? a : a - c.layer.rank;
    ir_shape expected = reduce(dims, c.layer.rank, set, c.layer.keep_dims);
    expect_shape(&c, &expected, 1);
  }
}

static void reductions_over_axes_of_the_run(void **state) {
  (void)state;
  static const struct {
    const char *shape;
    int least, most;
  } lists[] = {{"", 1, 1},     {"0", 0, 0},   {"1", 1, 1},   {"2", 2, 2},    {"3", 3, 3}, {"4", 4, 4},  {"?", 0, 5},
               {"1..2", 1, 2}, {"..1", 0, 1}, {"2..", 2, 5}, {"0..9", 0, 5}, {"5", 5, 5}, {"...", 0, 5}};
  for (int i = 0; i < 500; i++) {
    char text[256];
    ir_dim dims[5];
    layer_case c = draw_reduction(text, sizeof text, dims);
    size_t list = (size_t)between(0, (int64_t)(sizeof lists / sizeof lists[0]) - 1);
    c.list_at_run_time = true;
    c.list_shape = lists[list].shape;
    if (lists[list].least > c.layer.rank) {
      expect_error(&c, "IR315");
      continue;
    }
    ir_shape expected = reduce_over_any(dims, c.layer.rank, lists[list].least, lists[list].most, c.layer.keep_dims);
    expect_shape(&c, &expected, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_interval_of_a_small_grid),
      cmocka_unit_test(an_upper_end_that_overflows_is_open),
      cmocka_unit_test(pools_of_intervals),
      cmocka_unit_test(a_batch_or_channels_of_none_are_refused),
      cmocka_unit_test(pools_of_an_unknown_rank),
      cmocka_unit_test(adaptive_pools_of_intervals),
      cmocka_unit_test(adaptive_pools_of_an_unknown_rank),
      cmocka_unit_test(reductions_over_known_axes),
      cmocka_unit_test(reductions_over_axes_of_the_run),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
