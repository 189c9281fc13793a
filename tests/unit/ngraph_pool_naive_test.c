/* Tests nGraph's AvgPool and MaxPool against the naive reference on random layers: refusals, shapes and values, in
 * both versions, every element type and one to six spatial axes. Floats are multiples of 1/16, so sums are exact. */
#include "draw.h"
#include "naive_number.h"
#include "naive_pool.h"
#include "op_case.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CASES        12000
#define MAX_ELEMENTS 8192
#define MAX_OUTPUTS  65536
#define MAX_ATTRS    8

/* ---- layers ---- */

static naive_layer draw_layer(void) {
  static const ir_type types[] = {IR_F32, IR_F64, IR_F16, IR_BF16, IR_I8,  IR_I16,    IR_I32,
                                  IR_I64, IR_U8,  IR_U16, IR_U32,  IR_U64, IR_BOOLEAN};
  naive_layer layer = {.op = one_in(2) ? NAIVE_AVG_POOL : NAIVE_MAX_POOL, .rank = (int)between(3, 8), .ngraph = true};
  const int64_t most = layer.rank < 5 ? 9 : layer.rank == 5 ? 5 : 3;
  layer.type = types[between(0, 12)];
  for (int i = 0; i < layer.rank; i++)
    layer.in[i] = between(i >= 2 && one_in(20) ? 0 : 1, i < 2 ? 2 : most);
  for (int a = 0; a < layer.rank - 2; a++)
    layer.windows[a] = (naive_window){.kernel = between(1, layer.rank < 6 ? 4 : 2),
                                      .stride = one_in(3) ? 1 : between(1, 4),
                                      .dilation = 1,
                                      .pad_begin = one_in(2) ? 0 : between(0, layer.rank < 6 ? 2 : 1),
                                      .pad_end = one_in(2) ? 0 : between(0, layer.rank < 6 ? 2 : 1)};
  layer.auto_pad = one_in(2) ? NAIVE_EXPLICIT : (naive_auto_pad)between(0, 3);
  layer.rounding = one_in(3) ? NAIVE_CEIL : NAIVE_FLOOR;
  layer.exclude_pad = one_in(2);
  layer.axis = 0;
  return layer;
}

typedef struct attr_texts {
  const char *items[2 * MAX_ATTRS + 1]; /* alternating names and values */
  int n;
  char lists[4][64];
  int n_lists;
} attr_texts;

static void add(attr_texts *attrs, const char *name, const char *value) {
  attrs->items[attrs->n++] = name;
  attrs->items[attrs->n++] = value;
}

/* Adds a list of one window member for all axes. If all items are the default `usual`, the list can be empty. */
static void add_list(attr_texts *attrs, const char *name, const naive_layer *layer, size_t field, int64_t usual) {
  char *text = attrs->lists[attrs->n_lists++];
  size_t used = 0;
  bool all_usual = true;
  text[0] = '\0';
  for (int a = 0; a < layer->rank - 2; a++) {
    int64_t value;
    memcpy(&value, (const char *)&layer->windows[a] + field, sizeof value);
    all_usual = all_usual && value == usual;
    used += (size_t)snprintf(text + used, sizeof attrs->lists[0] - used, "%s%lld", a > 0 ? ", " : "", (long long)value);
  }
  if (all_usual && one_in(2))
    text[0] = '\0';
  add(attrs, name, text);
}

static void attrs_0(attr_texts *attrs, naive_layer *layer) {
  static const char *const pad_types[] = {"0", "2", "1", "3"};
  bool padless = layer->op == NAIVE_MAX_POOL && one_in(3);
  add_list(attrs, "window_shape", layer, offsetof(naive_window, kernel), -1);
  add_list(attrs, "window_movement_strides", layer, offsetof(naive_window, stride), 1);
  if (!padless) {
    /* MaxPool has both lists of pads or neither, so neither can be empty */
    int64_t usual = layer->op == NAIVE_MAX_POOL ? -1 : 0;
    add_list(attrs, "padding_below", layer, offsetof(naive_window, pad_begin), usual);
    add_list(attrs, "padding_above", layer, offsetof(naive_window, pad_end), usual);
  }
  if (layer->op == NAIVE_AVG_POOL)
    add(attrs, "include_padding_in_avg_computation", layer->exclude_pad ? "false" : "true");
  if (layer->auto_pad != NAIVE_EXPLICIT || one_in(2))
    add(attrs, "pad_type", pad_types[layer->auto_pad]);
  if (layer->rounding == NAIVE_CEIL)
    add(attrs, "ceil_mode", "true");
  if (padless) {
    layer->auto_pad = NAIVE_EXPLICIT;
    for (int a = 0; a < layer->rank - 2; a++)
      layer->windows[a].pad_begin = layer->windows[a].pad_end = 0;
  }
}

static void attrs_1(attr_texts *attrs, const naive_layer *layer) {
  static const char *const words[] = {"EXPLICIT", "SAME_UPPER", "SAME_LOWER", "VALID"};
  static const char *const numbers[] = {"0", "2", "1", "3"};
  bool old = one_in(2), ceil = layer->rounding == NAIVE_CEIL;
  add_list(attrs, "kernel", layer, offsetof(naive_window, kernel), -1);
  add_list(attrs, "strides", layer, offsetof(naive_window, stride), 1);
  add_list(attrs, "pads_begin", layer, offsetof(naive_window, pad_begin), 0);
  add_list(attrs, "pads_end", layer, offsetof(naive_window, pad_end), 0);
  if (layer->auto_pad != NAIVE_EXPLICIT || one_in(2))
    add(attrs, "auto_pad", old ? numbers[layer->auto_pad] : words[layer->auto_pad]);
  if (ceil || one_in(2))
    add(attrs, "rounding_type", old ? (ceil ? "1" : "0") : ceil ? "CEIL" : "FLOOR");
  if (layer->op == NAIVE_AVG_POOL && (!layer->exclude_pad || one_in(2)))
    add(attrs, "exclude_pad", layer->exclude_pad ? "true" : "false");
}

/* ---- values ---- */

static long double x[MAX_ELEMENTS];
static naive_mean means[MAX_OUTPUTS];
static long double maxima[MAX_OUTPUTS];

static ir_tensor draw_input(const naive_layer *layer, const ir_memory *memory) {
  ir_shape shape = ir_shape_of(layer->rank, layer->in);
  ir_tensor in;
  assert_true(ir_tensor_alloc(&in, memory, layer->type, &shape));
  assert_true(ir_tensor_elements(&in) <= MAX_ELEMENTS);
  for (int64_t i = 0; i < ir_tensor_elements(&in); i++) {
    uint64_t bits = draw();
    x[i] = (long double)between(-127, 127) / 16;
    if (!naive_is_float(layer->type))
      x[i] = layer->type == IR_BOOLEAN ? (long double)one_in(4) : naive_load(layer->type, &bits, 0);
    naive_store(layer->type, in.data, i, x[i]);
  }
  return in;
}

static bool has_empty_window(const naive_layer *layer) {
  for (int64_t i = 0; i < naive_count(layer->out, layer->rank); i++)
    if (means[i].taps == 0)
      return true;
  return false;
}

static void compare(const naive_layer *layer, const ir_tensor *out, const char *what) {
  assert_int_equal(out->type, layer->type);
  for (int64_t i = 0; i < ir_tensor_elements(out); i++) {
    long double got = naive_load(layer->type, out->data, i), expected = maxima[i];
    if (layer->op == NAIVE_AVG_POOL)
      expected = naive_is_float(layer->type) ? naive_round(layer->type, means[i].mean) : means[i].mean;
    /* a mean of zeros can be 0 or -0 */
    if (!naive_equal(got, expected) && !(got == 0 && expected == 0))
      fail_msg("%s: output %lld is %.20Lg, the reference has %.20Lg", what, (long long)i, got, expected);
  }
}

/* ---- cases ---- */

typedef struct tally {
  int valid[9], refused, past_pads, nan, without_average;
} tally;

static void run_case(int number, tally *seen) {
  naive_layer layer = draw_layer();
  attr_texts attrs = {.n = 0};
  char version[2] = {one_in(2) ? '0' : '1', '\0'}, what[64];
  snprintf(what, sizeof what, "case %d, version %s, rank %d", number, version, layer.rank);
  if (version[0] == '0')
    attrs_0(&attrs, &layer);
  else
    attrs_1(&attrs, &layer);
  op_case c;
  op_case_begin_in(&c, IR_NGRAPH, layer.op == NAIVE_AVG_POOL ? "AvgPool" : "MaxPool", version, attrs.items);
  ir_tensor in = draw_input(&layer, &c.memory);
  c.in[0] = op_case_value(layer.type, ir_tensor_shape(&in));
  op_case_infer(&c, 1, false);
  bool valid = naive_shape(&layer), past_pads = valid && naive_past_pads(&layer);
  if (valid && naive_count(layer.in, layer.rank) == 0)
    past_pads = false; /* all windows are empty */
  if (valid && layer.op == NAIVE_AVG_POOL)
    naive_average(&layer, x, means);
  else if (valid)
    naive_maximum(&layer, x, maxima, NULL);
  bool no_average = valid && layer.op == NAIVE_AVG_POOL && layer.exclude_pad && has_empty_window(&layer);
  bool refused = !valid || past_pads || (no_average && !naive_is_float(layer.type));
  if ((c.diags.status != IR_OK) != refused)
    fail_msg("%s: irrun says '%s', the reference %s", what, op_case_rules(&c), refused ? "refuses it" : "accepts it");
  if (valid && (c.out[0].poisoned || c.out[0].shape.rank != layer.rank))
    fail_msg("%s: no shape, or one of another rank", what);
  for (int i = 0; valid && i < layer.rank; i++)
    assert_true(ir_dims_equal(c.out[0].shape.dims[i], ir_dim_of(layer.out[i])));
  c.diags.policy[IR320_WINDOW_PAST_PADDING] = IR_POLICY_ALLOW;
  if (valid && (!no_average || naive_is_float(layer.type)))
    compare(&layer, op_case_run(&c, &in, 1), what);
  seen->valid[layer.rank] += valid;
  seen->refused += !valid;
  seen->past_pads += past_pads;
  seen->nan += no_average && naive_is_float(layer.type);
  seen->without_average += no_average && !naive_is_float(layer.type);
  ir_tensor_release(&in);
  op_case_end(&c);
}

static void random_layers_equal_the_reference(void **state) {
  (void)state;
  tally seen = {.refused = 0};
  for (int i = 0; i < CASES; i++)
    run_case(i, &seen);
  for (int rank = 3; rank <= 8; rank++)
    assert_true(seen.valid[rank] > CASES / 20);
  assert_true(seen.refused > 100 && seen.past_pads > 100 && seen.nan > 10 && seen.without_average > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_layers_equal_the_reference)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
