/* Tests random layers of the pooling family, of every version and element type, against the naive reference. irrun
 * reads them from IR files and runs them. Maxima, indices and integers must be equal, float averages within their
 * bound, or equal if the sum is exact. */
#include "draw.h"
#include "element_types.h"
#include "layer_run.h"
#include "naive_number.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define CASES        1200
#define MAX_ELEMENTS 8192
#define MAX_OUTPUTS  65536

/* ---- layers ---- */

static void draw_windows(layer_case *c) {
  static const int opsets[2][3][2] = {{{1, 13}, {14, 15}, {16, 16}}, {{1, 7}, {8, 13}, {14, 16}}};
  naive_layer *layer = &c->layer;
  int64_t row = between(0, 2);
  const int *range = opsets[layer->op == NAIVE_MAX_POOL][row];
  c->opset = (int)between(range[0], range[1]);
  bool dilated = layer->op == NAIVE_MAX_POOL ? row > 0 : row == 2,
       torch = layer->op == NAIVE_MAX_POOL ? row == 2 : row > 0;
  for (int a = 0; a < layer->rank - 2; a++)
    layer->windows[a] = (naive_window){.kernel = between(1, 4),
                                       .stride = between(1, 4),
                                       .dilation = dilated && !one_in(3) ? between(1, 3) : 1,
                                       .pad_begin = one_in(2) ? 0 : between(0, 3),
                                       .pad_end = one_in(2) ? 0 : between(0, 3)};
  layer->auto_pad = one_in(2) ? NAIVE_EXPLICIT : (naive_auto_pad)between(0, 3);
  layer->rounding = (naive_rounding)between(0, torch ? 2 : 1);
  layer->exclude_pad = one_in(2);
  if (layer->op == NAIVE_MAX_POOL && row > 0) {
    layer->axis = between(-layer->rank, layer->rank - 1);
    c->index_i32 = one_in(2);
    c->with_indices = !one_in(3);
  }
}

static void draw_adaptive(layer_case *c) {
  naive_layer *layer = &c->layer;
  c->opset = (int)between(8, 16);
  c->allow = naive_is_float(layer->type) ? NULL : "IR306";
  for (int a = 0; a < layer->rank - 2; a++)
    layer->sizes[a] = between(1, 9);
  if (layer->op == NAIVE_ADAPTIVE_MAX_POOL) {
    c->index_i32 = one_in(2);
    c->with_indices = !one_in(3);
  }
}

/* Draws axes in any order, counted from either end. */
static void draw_reduction(layer_case *c) {
  naive_layer *layer = &c->layer;
  c->opset = (int)between(1, 16);
  layer->keep_dims = one_in(2);
  for (int64_t tries = layer->rank == 0 ? 0 : between(0, 6); tries > 0; tries--) {
    int64_t axis = between(0, layer->rank - 1);
    if (layer->reduced[axis])
      continue;
    layer->reduced[axis] = true;
    c->axes[c->n_axes++] = one_in(2) ? axis : axis - layer->rank;
  }
}

/* Prints the Parameter's shape. If nothing is printed, the model has the exact shape; otherwise some dims are open
 * until the run. */
static void draw_shape_text(layer_case *c, char *buffer, size_t size) {
  size_t used = 0;
  if (one_in(2) || c->layer.rank == 0)
    return;
  for (int i = 0; i < c->layer.rank; i++) {
    static const char *const forms[] = {"%s%lld", "%s?", "%s-1", "%s%lld..", "%s..%lld", "%s%lld..%lld"};
    int64_t n = c->layer.in[i], form = between(0, 5), low = form == 4 ? n + between(0, 9) : n - between(0, n);
    used += (size_t)snprintf(buffer + used, size - used, forms[form], i > 0 ? "," : "",
                             (long long)(form == 0 ? n : low), (long long)(n + between(0, 9)));
  }
  c->shape = buffer;
}

static layer_case draw_case(char *shape, size_t size) {
  layer_case c = {.layer = {.op = (naive_op)between(0, 5), .rank = (int)between(3, 5)}};
  naive_layer *layer = &c.layer;
  if (naive_is_reduction(layer->op))
    layer->rank = (int)(one_in(20) ? 0 : one_in(20) ? 16 : between(1, 6));
  layer->type = element_types[between(0, (layer->op == NAIVE_MAX_POOL ? N_ELEMENT_TYPES : N_NUMBER_TYPES) - 1)];
  for (int i = 0; i < layer->rank; i++)
    layer->in[i] = between(1, i < 2 ? 3 : layer->rank < 5 ? 12 : layer->rank == 5 ? 6 : i < 8 ? 2 : 1);
  if (naive_is_adaptive(layer->op))
    draw_adaptive(&c);
  else if (naive_is_reduction(layer->op))
    draw_reduction(&c);
  else
    draw_windows(&c);
  c.without_values = c.with_indices && one_in(4);
  c.list_i32 = one_in(2);
  c.list_at_run_time = (naive_is_adaptive(layer->op) || c.n_axes > 0) && one_in(4);
  draw_shape_text(&c, shape, size);
  return c;
}

/* ---- elements ---- */

typedef enum element_kind {
  ON_A_GRID, /* floats: small multiples of 1/16, whose sums are exact */
  WILD,      /* floats: any exponent for which sums are finite; integers: any */
  FEW,       /* ties, signed zeros, and the limits of the type */
  SPECIAL,   /* floats: also infinities and NaN */
  N_KINDS
} element_kind;

static long double draw_special(ir_type type, bool finite) {
  int64_t which = between(0, finite ? 6 : 11);
  if (which == 0)
    return naive_lowest(type);
  if (which == 1)
    return naive_is_float(type) ? -0.0L : naive_greatest(type);
  if (which < 7 || !naive_is_float(type))
    return (long double)between(0, type == IR_BOOLEAN ? 1 : 2);
  return which < 10 ? (long double)NAN : which == 10 ? (long double)INFINITY : -(long double)INFINITY;
}

static long double draw_wild(ir_type type) {
  if (!naive_is_float(type)) {
    uint64_t bits = draw();
    return type == IR_BOOLEAN ? (long double)(bits & 1) : naive_load(type, &bits, 0);
  }
  int least = type == IR_F16 ? -24 : -140, most = type == IR_F16 ? 15 : 110;
  long double x = (long double)between(0, INT64_MAX - 1) * (one_in(2) ? 1 : -1);
  return naive_round(type, ldexpl(x, (int)between(least, most) - 63));
}

static long double draw_element(ir_type type, element_kind kind) {
  switch (kind) {
  case ON_A_GRID:
    return naive_is_float(type) ? (long double)between(-127, 127) / 16 : draw_wild(type);
  case WILD:
    return draw_wild(type);
  case FEW:
    return draw_special(type, true);
  default:
    return draw_special(type, false);
  }
}

/* ---- comparing ---- */

/* Returns the error bound of an average. For f32 it is 4 ulp of the mean of |x|. For other types it is the rounding
 * of n additions and a division; 16-bit floats are computed in f32 and rounded once more. */
static long double average_bound(ir_type type, const naive_mean *exact) {
  long double size = exact->total / (long double)exact->divisor;
  if (type == IR_F32)
    return 4 * naive_ulp(IR_F32, size);
  long double lost = ldexpl((long double)(exact->taps + 1) * size, type == IR_F64 ? -53 : -24);
  return lost + naive_ulp(type, fabsl(exact->mean) + lost) / 2;
}

static bool average_close(ir_type type, element_kind kind, long double got, const naive_mean *exact) {
  if (!naive_is_float(type))
    return got == exact->mean;
  if (exact->taps == 0)
    return naive_equal(got, 0);
  /* if the sum can overflow the type of the computation, any result is accepted */
  if (exact->total > naive_greatest(type == IR_F16 || type == IR_BF16 ? IR_F32 : IR_F64))
    return true;
  if (kind == ON_A_GRID || !isfinite(exact->mean))
    return isnan(exact->mean) ? isnan(got) : got == naive_round(type, exact->mean);
  return fabsl(got - exact->mean) <= average_bound(type, exact);
}

static void check_tensor_shape(const naive_layer *layer, const irrun_tensor *tensor, const char *type,
                               const char *what) {
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  if (strcmp(irrun_type_name(info.type), type) != 0)
    fail_msg("%s: the output is %s, not %s", what, irrun_type_name(info.type), type);
  if (info.rank != layer->out_rank || memcmp(info.dims, layer->out, (size_t)info.rank * sizeof(int64_t)) != 0)
    fail_msg("%s: the shape of the output differs", what);
}

static long double x[MAX_ELEMENTS];
/* Results of the reference: means, or maxima with indices. */
static naive_mean means[MAX_OUTPUTS];
static long double maxima[MAX_OUTPUTS];
static int64_t indices[MAX_OUTPUTS];

static void compare_values(const naive_layer *layer, element_kind kind, const irrun_tensor *tensor, const char *what) {
  check_tensor_shape(layer, tensor, ir_type_name(layer->type), what);
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  for (int64_t i = 0; i < info.elements; i++) {
    long double got = naive_load(layer->type, info.data, i);
    bool maximum = naive_is_maximum(layer->op);
    if (maximum ? !naive_equal(got, maxima[i]) : !average_close(layer->type, kind, got, &means[i]))
      fail_msg("%s: output %lld is %.20Lg, the reference has %.20Lg", what, (long long)i, got,
               maximum ? maxima[i] : means[i].mean);
  }
}

static void compare_indices(const layer_case *c, const naive_layer *layer, const irrun_tensor *tensor,
                            const char *what) {
  ir_type type = c->index_i32 ? IR_I32 : IR_I64;
  check_tensor_shape(layer, tensor, ir_type_name(type), what);
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  for (int64_t i = 0; i < info.elements; i++) {
    long double got = naive_load(type, info.data, i);
    if (got != (long double)indices[i])
      fail_msg("%s: index %lld is %.0Lf, the reference has %lld", what, (long long)i, got, (long long)indices[i]);
  }
}

/* Runs a case. Returns whether the layer is valid. */
static bool run_case(const layer_case *c, const char *what) {
  static uint64_t bytes[MAX_ELEMENTS];
  naive_layer layer = c->layer;
  bool valid = naive_shape(&layer);
  element_kind kind = (element_kind)between(0, N_KINDS - 1);
  for (int64_t i = 0, n = naive_count(layer.in, layer.rank); i < n; i++) {
    x[i] = draw_element(layer.type, kind);
    naive_store(layer.type, bytes, i, x[i]);
  }
  model_run run = layer_run_begin(c, bytes);
  /* if the model leaves a size open, the input can be at fault instead of the model */
  const bool refused = run.status == IRRUN_INVALID || (run.status == IRRUN_BAD_DATA && c->shape != NULL);
  if (valid ? run.status != IRRUN_OK : !refused)
    fail_msg("%s: irrun says %d, the reference %s", what, (int)run.status, valid ? "accepts it" : "refuses it");
  if (valid && naive_is_maximum(layer.op))
    naive_maximum(&layer, x, maxima, indices);
  else if (valid)
    naive_average(&layer, x, means);
  if (valid && !c->without_values)
    compare_values(&layer, kind, run.values, what);
  if (valid && c->with_indices)
    compare_indices(c, &layer, run.indices, what);
  model_run_end(&run);
  return valid;
}

static void random_layers_equal_the_reference(void **state) {
  (void)state;
  int n_drawn[6] = {0}, n_valid[6] = {0};
  for (int i = 0; i < CASES; i++) {
    char shape[128], layer[640], what[704];
    layer_case c = draw_case(shape, sizeof shape);
    snprintf(what, sizeof what, "case %d: %s", i, layer_text(&c, layer, sizeof layer));
    n_drawn[c.layer.op]++;
    n_valid[c.layer.op] += run_case(&c, what);
  }
  /* enough layers have to be valid, or the test would prove little */
  for (int op = 0; op < 6; op++)
    assert_true(n_valid[op] > CASES / 12 && n_valid[op] > n_drawn[op] / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_layers_equal_the_reference)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
