/* ScaledDotProductAttention against its formula in f64: blocks of rows and of sources, masks, sinks and numbers that
 * are not finite. */
#include "draw.h"
#include "op_model.h"
#include "ops/kernels/isa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { QUERY, KEY, VALUE, MASK, SCALE, SINK, MOST_ELEMENTS = 1 << 17 };

/* query [2, heads, places, features], or 1 instead of places if it is `single`; key and value [2, kv_heads, sources,
 * ..]. `mask` are the mask's dims; rank 0: none. */
typedef struct attention_case {
  int64_t heads, kv_heads, places, sources, features, values;
  bool causal, boolean, has_sink, single;
  int mask_rank;
  int64_t mask[4];
} attention_case;

/* Blocks have 32 rows and 128 sources; blocks of fewer than 8 rows are computed in another way. */
static const attention_case cases[] = {
    {.heads = 2, .kv_heads = 2, .places = 1, .sources = 300, .features = 64, .values = 64},
    {.heads = 3, .kv_heads = 1, .places = 39, .sources = 129, .features = 33, .values = 7},
    {.heads = 1, .kv_heads = 1, .places = 40, .sources = 128, .features = 1, .values = 80},
    {.heads = 2, .kv_heads = 1, .places = 70, .sources = 260, .features = 32, .values = 32, .causal = true},
    {.heads = 1, .kv_heads = 1, .places = 5, .sources = 3, .features = 256, .values = 40, .causal = true},
    {.heads = 2,
     .kv_heads = 2,
     .places = 49,
     .sources = 49,
     .features = 16,
     .values = 16,
     .mask_rank = 4,
     .mask = {1, 2, 49, 49}},
    {.heads = 2,
     .kv_heads = 1,
     .places = 35,
     .sources = 140,
     .features = 8,
     .values = 9,
     .mask_rank = 4,
     .mask = {2, 1, 1, 140},
     .boolean = true},
    {.heads = 2,
     .kv_heads = 2,
     .places = 33,
     .sources = 5,
     .features = 8,
     .values = 3,
     .mask_rank = 2,
     .mask = {33, 1},
     .has_sink = true},
    {.heads = 2,
     .kv_heads = 2,
     .places = 3,
     .sources = 150,
     .features = 20,
     .values = 20,
     .mask_rank = 2,
     .mask = {3, 150},
     .boolean = true,
     .has_sink = true},
    {.heads = 2,
     .kv_heads = 2,
     .places = 5,
     .sources = 20,
     .features = 6,
     .values = 6,
     .mask_rank = 2,
     .mask = {5, 20},
     .single = true},
    {.heads = 2,
     .kv_heads = 2,
     .places = 37,
     .sources = 9,
     .features = 6,
     .values = 6,
     .mask_rank = 4,
     .mask = {2, 1, 37, 9},
     .single = true},
};

typedef struct attention_data {
  float x[SINK + 1][MOST_ELEMENTS];
  uint8_t allowed[MOST_ELEMENTS];
} attention_data;

static attention_data data;
static double formula[MOST_ELEMENTS];

static void draw_data(void) {
  for (int i = QUERY; i <= SINK; i++)
    for (size_t j = 0; j < MOST_ELEMENTS; j++)
      data.x[i][j] = (float)between(-200000, 200000) / 100000.0F;
  for (size_t j = 0; j < MOST_ELEMENTS; j++)
    data.allowed[j] = one_in(2);
}

static op_input input(int port, int64_t heads, int64_t rows, int64_t columns) {
  return (op_input){.type = IR_F32, .rank = 4, .dims = {2, heads, rows, columns}, .data = data.x[port]};
}

static op_model model_of(const attention_case *c) {
  static const float scale = 0.3F, none = 0;
  op_model model = {.type = "ScaledDotProductAttention",
                    .opset = 13,
                    .data = c->causal ? "causal='true'" : "causal='false'",
                    .n_inputs = c->has_sink        ? 6
                                : c->mask_rank > 0 ? 5
                                                   : 3};
  model.inputs[QUERY] = input(QUERY, c->heads, c->single ? 1 : c->places, c->features);
  model.inputs[KEY] = input(KEY, c->kv_heads, c->sources, c->features);
  model.inputs[VALUE] = input(VALUE, c->kv_heads, c->sources, c->values);
  model.inputs[MASK] = (op_input){.type = IR_F32, .data = &none};
  if (c->mask_rank > 0) {
    model.inputs[MASK].type = c->boolean ? IR_BOOLEAN : IR_F32;
    model.inputs[MASK].rank = c->mask_rank;
    model.inputs[MASK].data = c->boolean ? (const void *)data.allowed : data.x[MASK];
    memcpy(model.inputs[MASK].dims, c->mask, sizeof c->mask);
  }
  model.inputs[SCALE] = (op_input){.type = IR_F32, .data = &scale};
  model.inputs[SINK] = input(SINK, c->heads, c->places, 1);
  return model;
}

/* Returns what the mask adds to the score of a source in a row. */
static double mask_of(const attention_case *c, int64_t batch, int64_t head, int64_t place, int64_t source) {
  const int64_t at[] = {batch, head, place, source};
  int64_t offset = 0;
  for (int i = 0; i < c->mask_rank; i++)
    offset = offset * c->mask[i] + (c->mask[i] == 1 ? 0 : at[4 - c->mask_rank + i]);
  return c->mask_rank == 0 ? 0 : !c->boolean ? data.x[MASK][offset] : data.allowed[offset] != 0 ? 0 : -INFINITY;
}

/* Computes one row of the output. `row` counts the rows of all matrices. */
static void compute_row(const attention_case *c, int64_t row, double *out) {
  static double scores[1024];
  const int64_t place = row % c->places, head = row / c->places % c->heads, batch = row / c->places / c->heads;
  const int64_t matrix = batch * c->kv_heads + (c->kv_heads == 1 ? 0 : head);
  const double scale = c->mask_rank > 0 || c->has_sink ? 0.3F : 1 / sqrt((double)c->features);
  const float *query = data.x[QUERY] + (c->single ? row / c->places : row) * c->features;
  const double sink = c->has_sink ? data.x[SINK][row] : -INFINITY;
  double most = sink, sum = 0;
  for (int64_t j = 0; j < c->sources; j++) {
    double score = 0;
    for (int64_t i = 0; i < c->features; i++)
      score += (double)query[i] * data.x[KEY][(matrix * c->sources + j) * c->features + i];
    scores[j] = c->causal && j > place ? -INFINITY : score * scale + mask_of(c, batch, head, place, j);
    most = scores[j] > most ? scores[j] : most;
  }
  memset(out, 0, (size_t)c->values * sizeof *out);
  for (int64_t j = 0; j < c->sources; j++) {
    const double weight = exp(scores[j] - most);
    sum += weight;
    for (int64_t i = 0; i < c->values; i++)
      out[i] += weight * data.x[VALUE][(matrix * c->sources + j) * c->values + i];
  }
  for (int64_t i = 0; i < c->values; i++)
    out[i] /= sum + exp(sink - most);
}

static bool is_near(double got, double expected, double error) {
  return isnan(expected) ? isnan(got) : got == expected || fabs(got - expected) <= error;
}

/* Runs the case with 1 and with 3 threads, and compares the output with compute_row, within 1e-6 * `greatest`.
 * `greatest` is a bound of the magnitudes of all finite elements in the case. The bits must not depend on the threads.
 */
static void check(const attention_case *c, double greatest, const char *what) {
  const int64_t rows = 2 * c->heads * c->places, n = rows * c->values;
  unsigned char first[sizeof(float) * 20000];
  for (int64_t row = 0; row < rows; row++)
    compute_row(c, row, formula + row * c->values);
  for (int threads = 1; threads <= 3; threads += 2) {
    op_model model = model_of(c);
    model.threads = threads;
    model_run run = op_model_run(&model);
    assert_int_equal(run.status, IRRUN_OK);
    const irrun_tensor_info info = irrun_tensor_get_info(run.values);
    const float *y = info.data;
    assert_int_equal(info.bytes, (size_t)n * sizeof *y);
    for (int64_t i = 0; i < n; i++)
      if (!is_near(y[i], formula[i], 1e-6 * greatest))
        fail_msg("%s: case %td: element %lld is %g, expected %g", what, c - cases, (long long)i, y[i], formula[i]);
    if (threads == 1)
      memcpy(first, info.data, info.bytes);
    assert_memory_equal(first, info.data, info.bytes);
    model_run_end(&run);
  }
}

static void follows_the_formula(void **state) {
  (void)state;
  draw_data();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(&cases[i], 2, "drawn numbers");
}

/* Sums of values overflow f32, their means do not. */
static void large_values_are_averaged(void **state) {
  (void)state;
  draw_data();
  for (size_t i = 0; i < MOST_ELEMENTS; i++)
    data.x[VALUE][i] = data.x[VALUE][i] < 0 ? -3e38F : 3e38F;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(&cases[i], 3e38, "large values");
}

/* A value that is NaN makes each row NaN, even if its source is masked: its weight 0 is multiplied by it. */
static void special_numbers_pass_through(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const attention_case *c = &cases[i];
    draw_data();
    data.x[VALUE][c->sources * c->values - 1] = NAN;
    check(c, 2, "NaN in value");
    draw_data();
    data.x[VALUE][0] = INFINITY;
    check(c, 2, "infinity in value");
    draw_data();
    data.x[KEY][0] = INFINITY;
    data.x[KEY][c->sources * c->features - 1] = NAN;
    check(c, 2, "NaN in key");
    draw_data();
    data.x[MASK][0] = -INFINITY;
    data.x[SINK][0] = -INFINITY;
    memset(data.allowed, 0, (size_t)c->sources);
    check(c, 2, "masked sources");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(follows_the_formula), cmocka_unit_test(large_values_are_averaged),
                                     cmocka_unit_test(special_numbers_pass_through)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
