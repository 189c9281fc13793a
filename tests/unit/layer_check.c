#include "layer_check.h"
#include "naive_number.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_NUMBERS 8192

/* Parses the numbers in `text`, in the format of layer_check.h. Returns their count. */
static int64_t parse(const char *text, ir_type type, long double *numbers) {
  int64_t n = 0;
  for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
    assert_true(n < MAX_NUMBERS);
    if (*text == 'L' || *text == 'G') {
      numbers[n++] = *text == 'L' ? naive_lowest(type) : naive_greatest(type);
      text++;
    } else {
      char *end;
      numbers[n] = strtold(text, &end);
      assert_true(end != text);
      text = end;
      if (*text == '/') {
        numbers[n] /= strtold(text + 1, &end);
        text = end;
      }
      if (naive_is_float(type))
        numbers[n] = naive_round(type, numbers[n]);
      n++;
    }
  }
  return n;
}

static void compare(const layer_case *c, const irrun_tensor *tensor, ir_type type, const char *expected,
                    const char *what) {
  static long double numbers[MAX_NUMBERS];
  char layer[640];
  int64_t n = parse(expected, type, numbers);
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  assert_string_equal(irrun_type_name(info.type), ir_type_name(type));
  if (info.elements != n)
    fail_msg("%s: %lld %s, expected %lld", layer_text(c, layer, sizeof layer), (long long)info.elements, what,
             (long long)n);
  for (int64_t i = 0; i < n; i++) {
    long double got = naive_load(type, info.data, i);
    if (!naive_equal(got, numbers[i]))
      fail_msg("%s: %s %lld is %.20Lg, expected %.20Lg of %s", layer_text(c, layer, sizeof layer), what, (long long)i,
               got, numbers[i], expected);
  }
}

static void run_one(const layer_case *c, const char *x, const char *values, const char *indices, const char *rules) {
  static long double numbers[MAX_NUMBERS];
  static uint64_t bytes[MAX_NUMBERS];
  ir_type type = c->layer.type;
  int64_t n = parse(x, type, numbers);
  assert_int_equal(n, naive_count(c->layer.in, c->layer.rank));
  for (int64_t i = 0; i < n; i++)
    naive_store(type, bytes, i, numbers[i]);
  model_run run = layer_run_begin(c, bytes);
  assert_string_equal(model_run_rules(&run), rules);
  assert_int_equal(run.status, IRRUN_OK);
  if (values != NULL)
    compare(c, run.values, type, values, "values");
  if (indices != NULL)
    compare(c, run.indices, c->index_i32 ? IR_I32 : IR_I64, indices, "indices");
  model_run_end(&run);
}

void layer_check(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                 const char *rules) {
  c.without_values = values == NULL;
  c.with_indices = indices != NULL;
  for (int type = 0; type < IR_TYPE_COUNT; type++) {
    if (!ir_type_in((ir_type)type, types))
      continue;
    c.layer.type = (ir_type)type;
    for (int i32 = 0; i32 <= (indices != NULL); i32++) {
      c.index_i32 = i32 != 0;
      run_one(&c, x, values, indices, rules);
    }
  }
}

layer_case layer_with_axis(const layer_case *c) {
  layer_case longer = *c;
  naive_layer *layer = &longer.layer;
  layer->rank++;
  layer->in[2] = 1;
  layer->windows[0] = (naive_window){1, 1, 1, 0, 0};
  layer->sizes[0] = 1;
  for (int a = 0; a < c->layer.rank - 2; a++) {
    layer->in[a + 3] = c->layer.in[a + 2];
    layer->windows[a + 1] = c->layer.windows[a];
    layer->sizes[a + 1] = c->layer.sizes[a];
  }
  return longer;
}

void layer_check_ranks(layer_case c, uint64_t types, const char *x, const char *values, const char *indices,
                       const char *rules) {
  for (;; c = layer_with_axis(&c)) {
    layer_check(c, types, x, values, indices, rules);
    if (c.layer.rank == 5)
      return;
  }
}
