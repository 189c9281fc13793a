/* Tests MatMul, Convolution and ConvolutionBackpropData in every type against sequential sums, with sizes around a
 * tile's size. Elements are small integers, so float sums are exact until the last rounding. */
#include "draw.h"
#include "element_types.h"
#include "naive_number.h"
#include "op_case.h"
#include "op_model.h"
#include "ops/fast/fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 1 << 18 };

static char a_data[MOST_ELEMENTS * 8], b_data[MOST_ELEMENTS * 8];
static long double a_of[MOST_ELEMENTS], b_of[MOST_ELEMENTS], sums[MOST_ELEMENTS];

static int64_t count(const op_input *in) {
  int64_t n = 1;
  for (int i = 0; i < in->rank; i++)
    n *= in->dims[i];
  assert_true(n <= MOST_ELEMENTS);
  return n;
}

static void fill(op_input *in, char *data, long double *numbers) {
  const int64_t n = count(in), least = naive_lowest(in->type) < 0 ? -2 : 0;
  for (int64_t i = 0; i < n; i++) {
    numbers[i] = (long double)between(least, 3);
    naive_store(in->type, data, i, numbers[i]);
  }
  in->data = data;
}

static void check(const op_model *c, const char *what) {
  const ir_type type = c->inputs[0].type;
  model_run run = op_model_run(c);
  if (run.status != IRRUN_OK)
    fail_msg("%s ends with %d, %s", what, (int)run.status, model_run_rules(&run));
  const irrun_tensor_info out = irrun_tensor_get_info(run.values);
  for (int64_t i = 0; i < out.elements; i++) {
    const long double sum = sums[i];
    const long double expected = naive_is_float(type) ? naive_round(type, sum) : naive_wrap(type, naive_bits_of(sum));
    if (naive_load(type, out.data, i) != expected)
      fail_msg("%s of %s: element %lld is %Lg, expected %Lg", what, ir_type_name(type), (long long)i,
               naive_load(type, out.data, i), expected);
  }
  model_run_end(&run);
}

static int64_t draw_size(void) {
  static const int64_t sizes[] = {1, 3, 5, 8, 33, 63, 64, 65, 130, 257};
  return sizes[between(0, sizeof sizes / sizeof sizes[0] - 1)];
}

static void products_are_exact(void **state) {
  (void)state;
  for (int i = 0; i < 5 * N_NUMBER_TYPES; i++) {
    const ir_type type = element_types[i % N_NUMBER_TYPES];
    const int64_t m = draw_size(), k = draw_size(), n = draw_size(), batch = between(1, 2);
    const bool turns_a = one_in(2), turns_b = one_in(2);
    char text[96];
    snprintf(text, sizeof text, "transpose_a=\"%s\" transpose_b=\"%s\"", turns_a ? "true" : "false",
             turns_b ? "true" : "false");
    op_model c = {.type = "MatMul", .data = text, .n_inputs = 2, .threads = (int)between(1, 3)};
    c.inputs[0] = (op_input){type, .rank = 3, .dims = {batch, turns_a ? k : m, turns_a ? m : k}};
    c.inputs[1] = (op_input){type, .rank = 2, .dims = {turns_b ? n : k, turns_b ? k : n}};
    fill(&c.inputs[0], a_data, a_of);
    fill(&c.inputs[1], b_data, b_of);
    memset(sums, 0, sizeof sums);
    for (int64_t row = 0; row < batch * m; row++)
      for (int64_t column = 0; column < n; column++)
        for (int64_t term = 0; term < k; term++) {
          const int64_t from = row / m * m * k + (turns_a ? term * m + row % m : row % m * k + term);
          sums[row * n + column] += a_of[from] * b_of[turns_b ? column * k + term : term * n + column];
        }
    check(&c, "MatMul");
  }
}

/* Windows on a line of n_whole elements. Tap t of window o sees element o * stride - pad + t * dilation. A
 * convolution sums the elements of each window; a transposed one (`is_turned`) adds each window to its elements. */
typedef struct lines {
  int64_t n_whole, n_windows, n_taps, stride, pad, dilation, in, out; /* in, out: channels per group */
  int64_t batch, groups;
  bool is_turned;
} lines;

static void sum_windows(const lines *l) {
  const int64_t n_in = l->is_turned ? l->n_windows : l->n_whole, n_out = l->is_turned ? l->n_whole : l->n_windows;
  memset(sums, 0, sizeof sums);
  for (int64_t group = 0; group < l->batch * l->groups; group++)
    for (int64_t pair = 0; pair < l->in * l->out; pair++)
      for (int64_t at = 0; at < l->n_windows * l->n_taps; at++) {
        const int64_t in = pair / l->out, out = pair % l->out, window = at / l->n_taps, tap = at % l->n_taps;
        const int64_t seen = window * l->stride - l->pad + tap * l->dilation;
        const int64_t kernel = group % l->groups * l->in * l->out + (l->is_turned ? pair : out * l->in + in);
        if (seen < 0 || seen >= l->n_whole)
          continue;
        sums[(group * l->out + out) * n_out + (l->is_turned ? seen : window)] +=
            a_of[(group * l->in + in) * n_in + (l->is_turned ? window : seen)] * b_of[kernel * l->n_taps + tap];
      }
}

static void convolutions_are_exact(void **state) {
  (void)state;
  for (int i = 0; i < 6 * N_NUMBER_TYPES; i++) {
    const ir_type type = element_types[i % N_NUMBER_TYPES];
    lines l = {.n_taps = between(1, 4), .stride = between(1, 3), .dilation = between(1, 2), .pad = between(0, 3)};
    const int64_t extent = (l.n_taps - 1) * l.dilation + 1;
    l.groups = between(1, 2);
    l.batch = between(1, 2);
    l.in = one_in(2) ? between(63, 65) : between(1, 5);
    l.out = one_in(2) ? between(63, 65) : between(1, 5);
    l.n_windows = one_in(2) ? between(127, 129) : between(4, 9);
    l.n_whole = (l.n_windows - 1) * l.stride + extent - 2 * l.pad;
    l.is_turned = one_in(2);
    char text[160];
    snprintf(text, sizeof text, "strides=\"%d\" pads_begin=\"%d\" pads_end=\"%d\" dilations=\"%d\"", (int)l.stride,
             (int)l.pad, (int)l.pad, (int)l.dilation);
    if (l.n_whole < 1)
      continue;
    op_model c = {.type = l.is_turned ? "GroupConvolutionBackpropData" : "GroupConvolution",
                  .data = text,
                  .n_inputs = 2,
                  .threads = (int)between(1, 3)};
    c.inputs[0] =
        (op_input){type, .rank = 3, .dims = {l.batch, l.groups * l.in, l.is_turned ? l.n_windows : l.n_whole}};
    c.inputs[1] = (op_input){type, .rank = 4,
                             .dims = {l.groups, l.is_turned ? l.in : l.out, l.is_turned ? l.out : l.in, l.n_taps}};
    fill(&c.inputs[0], a_data, a_of);
    fill(&c.inputs[1], b_data, b_of);
    sum_windows(&l);
    check(&c, c.type);
  }
}

/* The fast module may take a product of one element, and takes none without elements. */
static void the_fast_module_takes_no_product_of_nothing(void **state) {
  (void)state;
  for (int64_t rows = 0; rows <= 1; rows++) {
    ir_fast_desc desc;
    op_case c;
    op_case_begin(&c, "GroupedMatMul", "opset17", (const char *const[]){NULL});
    c.in[0] = op_case_value(IR_F32, ir_shape_of(3, (int64_t[]){1, rows, 5}));
    c.in[1] = op_case_value(IR_F32, ir_shape_of(3, (int64_t[]){1, 1, 5}));
    op_case_infer(&c, 2, false);
    ir_scope scope = {.graph = &c.graph, .diags = &c.diags, .arena = &c.arena, .memory = &c.memory};
    const ir_value *in[] = {&c.in[0], &c.in[1]};
    assert_int_equal(c.node.op->contraction(&c.node, in, &scope, &desc), rows > 0);
    op_case_end(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_exact),
      cmocka_unit_test(convolutions_are_exact),
      cmocka_unit_test(the_fast_module_takes_no_product_of_nothing),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
