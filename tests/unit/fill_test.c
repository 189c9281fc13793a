/* Tests fills: their values and ranges, equality on all machines, and reports of invalid fills. */
#include "element_types.h"
#include "io_fixture.h"
#include "runtime/tensor/fill.h"

#include <locale.h>
#include <math.h>

#define N 4096

static ir_tensor make(io_fixture *f, ir_type type, int64_t n) {
  ir_tensor tensor;
  ir_shape shape = ir_shape_of(1, &n);
  assert_true(ir_tensor_alloc(&tensor, &f->memory, type, &shape));
  return tensor;
}

static ir_tensor filled(io_fixture *f, const char *kind, ir_type type, int64_t n) {
  ir_tensor tensor = make(f, type, n);
  ir_code code = ir_tensor_fill(&f->diags, kind, &tensor);
  io_expect_nothing(f);
  assert_int_equal(code, IR_OK);
  return tensor;
}

static double at(const ir_tensor *tensor, int64_t index) {
  return ir_number_as_double(ir_tensor_get(tensor, index));
}

static void expect_text(const ir_tensor *tensor, int64_t index, const char *text) {
  char buffer[IR_NUMBER_TEXT];
  assert_string_equal(ir_number_text(tensor->type, ir_tensor_get(tensor, index), buffer, sizeof buffer), text);
}

/* ---- values ---- */

static void test_constants(void **state) {
  static const struct {
    const char *kind;
    ir_type type;
    const char *text;
  } cases[] = {
      {"zeros", IR_F32, "0"},
      {"ones", IR_BF16, "1"},
      {"ones", IR_BOOLEAN, "1"},
      {"2", IR_I8, "2"},
      {"-128", IR_I8, "-128"},
      {"18446744073709551615", IR_U64, "18446744073709551615"},
      {"-9223372036854775808", IR_I64, "-9223372036854775808"},
      {"0.1", IR_F32, "0.100000001"},
      {".5", IR_F16, "0.5"},
      {"-1.5e2", IR_F64, "-150"},
      {"+3", IR_U8, "3"},
      {"1e3", IR_I32, "1000"},
      {"5.0", IR_I64, "5"},
      {"nan", IR_F16, "nan"},
      {"inf", IR_F32, "inf"},
      {"-inf", IR_F64, "-inf"},
      {"1e-999", IR_F64, "0"},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_tensor tensor = filled(&f, cases[i].kind, cases[i].type, 3);
    for (int64_t k = 0; k < 3; k++)
      expect_text(&tensor, k, cases[i].text);
    ir_tensor_release(&tensor);
  }
  ir_tensor empty = filled(&f, "iota", IR_BOOLEAN, 0);
  ir_tensor_release(&empty);
  io_end(&f);
}

static void test_iota(void **state) {
  static const struct {
    ir_type type;
    int64_t most; /* elements of the longest iota in the type */
  } cases[] = {{IR_I8, 128},    {IR_U8, 256},    {IR_BF16, 257},  {IR_F16, 2049},
               {IR_I16, 32768}, {IR_U16, 65536}, {IR_BOOLEAN, 2}, {IR_F32, 16777217}};
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_tensor tensor = filled(&f, "iota", cases[i].type, cases[i].most);
    for (int64_t k = 0; k < cases[i].most; k += k < 70000 ? 1 : 997)
      if (at(&tensor, k) != (double)k)
        fail_msg("%s: element %d", ir_type_name(cases[i].type), (int)k);
    ir_tensor_release(&tensor);
    tensor = make(&f, cases[i].type, cases[i].most + 1);
    assert_int_equal(ir_tensor_fill(&f.diags, "iota", &tensor), IR_USAGE);
    io_expect(&f, IR801_COMMAND_LINE, "the type counts exactly to");
    ir_tensor_release(&tensor);
  }
  io_end(&f);
}

/* ---- random fills ---- */

static void test_random_ranges(void **state) {
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t t = 0; t < N_ELEMENT_TYPES; t++) {
    const ir_type type = element_types[t];
    const bool is_float = ir_type_in(type, IR_SET_FLOATS);
    const double most = type == IR_BOOLEAN ? 1 : type == IR_I8 ? 127 : 255;
    ir_tensor tensor = filled(&f, "random", type, N);
    double sum = 0, least = 1e9, largest = -1e9;
    for (int64_t i = 0; i < N; i++) {
      double value = at(&tensor, i);
      sum += value;
      least = fmin(least, value);
      largest = fmax(largest, value);
    }
    const double middle = is_float ? 0.5 : most / 2, spread = is_float ? 1 : most + 1;
    assert_true(least >= 0 && (is_float ? largest < 1 : largest <= most));
    assert_true(least < 0.01 * spread && largest > 0.98 * spread - 1 * !is_float);
    assert_true(fabs(sum / N - middle) < 0.03 * spread);
    ir_tensor_release(&tensor);
  }
  io_end(&f);
}

static void test_seeds(void **state) {
  io_fixture f;
  (void)state;
  io_begin(&f);
  ir_tensor plain = filled(&f, "random", IR_F32, N), zero = filled(&f, "random:0", IR_F32, N);
  ir_tensor one = filled(&f, "random:1", IR_F32, N), last = filled(&f, "random:18446744073709551615", IR_F32, N);
  assert_memory_equal(plain.data, zero.data, plain.bytes);
  int same = 0;
  for (int64_t i = 0; i < N; i++)
    same += (at(&one, i) == at(&plain, i)) + (at(&one, i) == at(&last, i)) +
            (i > 0 && at(&one, i) == at(&plain, i - 1)) + (i > 0 && at(&plain, i) == at(&one, i - 1));
  assert_true(same < 5);
  /* The elements of a shorter tensor are the first elements of a longer tensor. */
  ir_tensor more = filled(&f, "random", IR_F32, N + 5);
  assert_memory_equal(plain.data, more.data, plain.bytes);
  ir_tensor *all[] = {&plain, &zero, &one, &last, &more};
  for (size_t i = 0; i < 5; i++)
    ir_tensor_release(all[i]);
  io_end(&f);
}

/* Users' expected outputs depend on these values, which must never change. */
static void test_values_stay(void **state) {
  static const struct {
    const char *kind;
    ir_type type;
    const char *texts[3];
  } cases[] = {
      {"random", IR_F32, {"0.883310795", "0.431527972", "0.0264337659"}},
      {"random:7", IR_F64, {"0.52434594167793136", "0.30213903321684277", "0.94099623129000132"}},
      {"random:7", IR_F16, {"0.523925781", "0.301757812", "0.940917969"}},
      {"random", IR_U8, {"57", "106", "24"}},
      {"random:7", IR_BOOLEAN, {"1", "0", "1"}},
      {"-3..3:1", IR_I32, {"0", "-1", "2"}},
      {"-1.5..2.5:1", IR_F32, {"1.49899292", "-0.010426308", "0.253135622"}},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_tensor tensor = filled(&f, cases[i].kind, cases[i].type, 3);
    for (int64_t k = 0; k < 3; k++)
      expect_text(&tensor, k, cases[i].texts[k]);
    ir_tensor_release(&tensor);
  }
  io_end(&f);
}

static void test_ranges(void **state) {
  static const struct {
    const char *kind;
    ir_type type;
    double lo, hi;
    bool with_hi; /* whether `hi` itself can occur */
  } cases[] = {
      {"-3..3", IR_I32, -3, 3, true},
      {"250..255", IR_U8, 250, 255, true},
      {"7..7", IR_I16, 7, 7, true},
      {"0..1", IR_BOOLEAN, 0, 1, true},
      {"-1..1", IR_F32, -1, 1, false},
      {"1..2:9", IR_F16, 1, 2, false},
      {"1..2", IR_BF16, 1, 2, false},
      {"-1.5..-.5:3", IR_F64, -1.5, -0.5, false},
      {"1e-3..2e-3", IR_F32, 0.000999999, 0.002000001, false},
      {"1..1.0009765625", IR_F16, 1, 1.0009765625, false},
      {"-128..127", IR_I8, -128, 127, true},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_tensor tensor = filled(&f, cases[i].kind, cases[i].type, N);
    bool met_hi = false;
    for (int64_t k = 0; k < N; k++) {
      double value = at(&tensor, k);
      assert_true(value >= cases[i].lo && value <= cases[i].hi);
      met_hi = met_hi || value == cases[i].hi;
    }
    assert_int_equal(met_hi, cases[i].with_hi);
    ir_tensor_release(&tensor);
  }
  /* ranges over all 64-bit integers, and over nearly all doubles */
  ir_tensor wide = filled(&f, "-9223372036854775808..9223372036854775807", IR_I64, N);
  ir_tensor all = filled(&f, "0..18446744073709551615", IR_U64, N);
  ir_tensor floats = filled(&f, "-1.7e308..1.7e308", IR_F64, N);
  int64_t signs = 0;
  uint64_t bits = 0;
  for (int64_t i = 0; i < N; i++) {
    signs |= ir_tensor_get(&wide, i).i;
    bits |= ir_tensor_get(&all, i).u;
    assert_true(isfinite(at(&floats, i)));
  }
  assert_true(signs < 0 && bits == UINT64_MAX);
  ir_tensor_release(&wide);
  ir_tensor_release(&all);
  ir_tensor_release(&floats);
  io_end(&f);
}

/* ---- refusals ---- */

static void test_refusals(void **state) {
  static const struct {
    const char *kind;
    ir_type type;
    const char *message;
  } cases[] = {
      {"", IR_F32, "there is no fill ''"},
      {"foo", IR_F32, "there is no fill 'foo'"},
      {"zero", IR_F32, "there is no fill 'zero'"},
      {"ones ", IR_F32, "there is no fill 'ones '"},
      {" 1", IR_F32, "there is no fill ' 1'"},
      {"0x10", IR_F32, "there is no fill '0x10'"},
      {"1.", IR_F32, "there is no fill '1.'"},
      {"1,5", IR_F32, "there is no fill '1,5'"},
      {"1e", IR_F32, "there is no fill '1e'"},
      {"random1", IR_F32, "there is no fill 'random1'"},
      {"random:", IR_F32, "the seed is not a whole number"},
      {"random:-1", IR_F32, "the seed is not a whole number"},
      {"random:1.5", IR_F32, "the seed is not a whole number"},
      {"random:18446744073709551616", IR_F32, "the seed is not a whole number"},
      {"1..", IR_F32, "there is no fill '1..'"},
      {"..1", IR_F32, "there is no fill '..1'"},
      {"1...2", IR_I32, "the type has no such number"},
      {"1..2..3", IR_F32, "there is no fill '1..2..3'"},
      {"1..2:", IR_F32, "the seed is not a whole number"},
      {"3..1", IR_I32, "the first number is greater than the second"},
      {"1..1", IR_F32, "the first number has to be less than the second"},
      {"3..1", IR_F32, "the first number has to be less than the second"},
      {"1..1.0001", IR_BF16, "the first number has to be less than the second"},
      {"nan..1", IR_F32, "there is no fill"},
      {"300", IR_U8, "the type has no such number"},
      {"-1", IR_U8, "the type has no such number"},
      {"0.5", IR_I32, "the type has no such number"},
      {"2", IR_BOOLEAN, "the type has no such number"},
      {"nan", IR_I32, "the type has no such number"},
      {"1e5", IR_F16, "the type has no such number"},
      {"1e999", IR_F64, "as large as 1e999"},
      {"0..300", IR_U8, "the type has no such number"},
      {"0.5..3", IR_U8, "the type has no such number"},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_tensor tensor = make(&f, cases[i].type, 4);
    assert_int_equal(ir_tensor_fill(&f.diags, cases[i].kind, &tensor), IR_USAGE);
    io_expect(&f, IR801_COMMAND_LINE, cases[i].message);
    ir_tensor_release(&tensor);
  }
  ir_tensor tensor = make(&f, IR_F32, 1);
  ir_tensor_fill(&f.diags, "randm", &tensor);
  assert_string_equal(f.diags.first->hint, "did you mean 'random'?");
  ir_diags_reset(&f.diags);
  ir_tensor_fill(&f.diags, "gaussian", &tensor);
  assert_string_equal(f.diags.first->hint, "fills are random[:SEED], zeros, ones, iota, LO..HI[:SEED] and numbers");
  ir_tensor_release(&tensor);
  io_end(&f);
}

/* A locale with a decimal comma does not change how fills are read. */
static void test_locale(void **state) {
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  const char *found = NULL;
  (void)state;
  for (size_t i = 0; i < 3 && found == NULL; i++)
    found = setlocale(LC_NUMERIC, locales[i]);
  if (found == NULL)
    skip();
  io_fixture f;
  io_begin(&f);
  ir_tensor tensor = filled(&f, "1.5", IR_F64, 1);
  expect_text(&tensor, 0, "1.5");
  ir_tensor_release(&tensor);
  io_end(&f);
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constants), cmocka_unit_test(test_iota),        cmocka_unit_test(test_random_ranges),
      cmocka_unit_test(test_seeds),     cmocka_unit_test(test_values_stay), cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_refusals),  cmocka_unit_test(test_locale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
