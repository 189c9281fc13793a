/* Tests irrun_tensor_compare as a caller of the library sees it: rules, texts and statuses. */
#include "irrun_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const irrun_tolerance by_type = {-1, -1, -1};

static irrun_tensor *make(irrun_context *context, irrun_element_type type, int64_t n, const void *data, size_t bytes) {
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_create(context, type, 1, &n, data, bytes, &tensor), IRRUN_OK);
  return tensor;
}

/* Returns the context's only diagnostic. Fails if the context has none or several. */
static irrun_diagnostic only_fault(irrun_context *context) {
  irrun_diagnostic fault = {.size = sizeof fault};
  assert_int_equal(irrun_context_count(context).kept, 1);
  assert_true(irrun_context_get_diagnostic(context, 0, &fault));
  return fault;
}

static void compare_floats(irrun_tolerance tolerance, const float *got, const float *expected, irrun_status status,
                           const char *rule, const char *text) {
  irrun_context *context = irrun_context_create(NULL);
  irrun_tensor *a = make(context, IRRUN_F32, 4, got, 4 * sizeof *got);
  irrun_tensor *b = make(context, IRRUN_F32, 4, expected, 4 * sizeof *expected);
  irrun_comparison c = {.size = sizeof c};
  assert_int_equal(irrun_tensor_compare(context, "y", "y.npy", a, b, false, tolerance, &c), status);
  if (rule == NULL) {
    assert_int_equal(irrun_context_count(context).kept, 0);
  } else {
    irrun_diagnostic fault = only_fault(context);
    assert_string_equal(fault.rule, rule);
    assert_string_equal(fault.file, "y.npy");
    if (strstr(fault.message, text) == NULL)
      fail_msg("'%s' lacks '%s'", fault.message, text);
  }
  assert_int_equal(c.comparable, status != IRRUN_USAGE);
  assert_int_equal(c.match, status == IRRUN_OK);
  irrun_tensor_free(a);
  irrun_tensor_free(b);
  irrun_context_free(context);
}

static void values_decide(void **state) {
  (void)state;
  const float expected[] = {1, 2, 3, NAN}, same[] = {1, 2, 3, NAN}, other[] = {1, 2.5F, 3.25F, NAN};
  compare_floats(by_type, same, expected, IRRUN_OK, NULL, NULL);
  compare_floats((irrun_tolerance){0.5, -1, -1}, other, expected, IRRUN_OK, NULL, NULL);
  compare_floats(
      by_type, other, expected, IRRUN_DIFFERS, "IR601",
      "output 'y' differs in 2 of 4 elements (atol 1e-06, rtol 1e-05); the worst at [1]: got 2.5, expected 2");
}

/* Compares f32 tensors [3, 2] that differ, and compares the note with `text`; NULL: no note. */
static void compare_rows(const float *got, const float *expected, const char *text) {
  irrun_context *context = irrun_context_create(NULL);
  irrun_tensor *a, *b;
  const int64_t dims[] = {3, 2};
  irrun_comparison c = {.size = sizeof c};
  irrun_diagnostic note = {.size = sizeof note};
  assert_int_equal(irrun_tensor_create(context, IRRUN_F32, 2, dims, got, 6 * sizeof *got, &a), IRRUN_OK);
  assert_int_equal(irrun_tensor_create(context, IRRUN_F32, 2, dims, expected, 6 * sizeof *expected, &b), IRRUN_OK);
  assert_int_equal(irrun_tensor_compare(context, "y", NULL, a, b, false, by_type, &c), IRRUN_DIFFERS);
  const bool has_note = irrun_context_get_note(context, 0, 0, &note);
  assert_int_equal(has_note, text != NULL);
  if (text != NULL)
    assert_non_null(strstr(note.message, text));
  irrun_tensor_free(a);
  irrun_tensor_free(b);
  irrun_context_free(context);
}

static void another_order_is_noted(void **state) {
  (void)state;
  const float expected[] = {1, 2, 3, 4, 5, NAN};
  compare_rows((const float[]){5, NAN, 3, 4, 1.000001F, 2}, expected, "these are the same rows in another order");
  compare_rows((const float[]){2, 1, 3, 4, NAN, 5}, expected, "each row has the same elements in another order");
  compare_rows((const float[]){5, NAN, 3, 4, 1.1F, 2}, expected, NULL);
  compare_rows((const float[]){1, 2, 1, 2, 5, NAN}, expected, NULL); /* a row of `expected` agrees once only */
}

static void what_is_not_finite_is_one_fault(void **state) {
  (void)state;
  const float expected[] = {1, 2, NAN, INFINITY}, got[] = {NAN, 5, 7, INFINITY}, finite[] = {1, 2, 7, INFINITY};
  compare_floats(by_type, got, expected, IRRUN_DIFFERS, "IR604",
                 "output 'y' is not finite in 1 of 4 elements where the expected tensor is and differs in 2 more; "
                 "the first at [0]: got nan, expected 1");
  compare_floats(
      (irrun_tolerance){0, 0, 3}, finite, expected, IRRUN_DIFFERS, "IR601",
      "output 'y' differs in 1 of 4 elements (atol 0, rtol 0, ulp 3); the worst at [2]: got 7, expected nan");
}

static void a_tolerance_that_is_no_number_is_refused(void **state) {
  (void)state;
  const float some[4] = {1, 2, 3, 4};
  compare_floats((irrun_tolerance){NAN, -1, -1}, some, some, IRRUN_USAGE, "IR801", "tolerance");
}

static void shape_and_type_come_first(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  const float floats[4] = {0};
  const int32_t integers[2] = {0};
  irrun_tensor *a = make(context, IRRUN_F32, 4, floats, sizeof floats);
  irrun_tensor *b = make(context, IRRUN_I32, 2, integers, sizeof integers);
  irrun_comparison c = {.size = sizeof c};
  irrun_diagnostic shape = {.size = sizeof shape}, type = shape;
  assert_int_equal(irrun_tensor_compare(context, "y", NULL, a, b, false, by_type, &c), IRRUN_DIFFERS);
  assert_false(c.comparable || c.match);
  assert_int_equal(irrun_context_count(context).errors, 2);
  assert_true(irrun_context_get_diagnostic(context, 0, &shape) && irrun_context_get_diagnostic(context, 1, &type));
  assert_string_equal(shape.rule, "IR602");
  assert_non_null(strstr(shape.message, "output 'y' is f32[4], the expected tensor i32[2]"));
  assert_string_equal(shape.file, "");
  assert_string_equal(type.rule, "IR603");
  irrun_tensor_free(a);
  irrun_tensor_free(b);
  irrun_context_free(context);
}

static void another_type_is_cast_when_asked_for(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  const float floats[2] = {0.1f, 2};
  const double doubles[2] = {0.1, 2}, wide[2] = {0.1, 1e300};
  irrun_tensor *a = make(context, IRRUN_F32, 2, floats, sizeof floats);
  irrun_tensor *b = make(context, IRRUN_F64, 2, doubles, sizeof doubles);
  irrun_tensor *far = make(context, IRRUN_F64, 2, wide, sizeof wide);
  irrun_tensor *longer = make(context, IRRUN_F64, 1, doubles, sizeof *doubles);
  irrun_comparison c = {.size = sizeof c};
  irrun_diagnostic found = {.size = sizeof found};
  assert_int_equal(irrun_tensor_compare(context, "y", NULL, a, b, true, by_type, &c), IRRUN_OK);
  assert_true(c.comparable && c.match);
  assert_true(irrun_context_get_diagnostic(context, 0, &found));
  assert_string_equal(found.rule, "IR603");
  assert_int_equal(found.severity, IRRUN_WARNING);
  assert_non_null(strstr(found.message, "rounds 1 of 2 values"));
  assert_int_equal(irrun_tensor_compare(context, "y", NULL, a, far, true, by_type, &c), IRRUN_DIFFERS);
  assert_true(irrun_context_get_diagnostic(context, 1, &found));
  assert_string_equal(found.rule, "IR603");
  assert_false(c.comparable);
  assert_int_equal(irrun_tensor_compare(context, "y", NULL, a, longer, true, by_type, &c), IRRUN_DIFFERS);
  assert_int_equal(irrun_tensor_compare(context, "y", NULL, a, b, false, by_type, &c), IRRUN_DIFFERS);
  irrun_tensor_free(a);
  irrun_tensor_free(b);
  irrun_tensor_free(far);
  irrun_tensor_free(longer);
  irrun_context_free(context);
}

static irrun_comparison similarity(irrun_element_type type, int64_t n, const void *got, const void *expected,
                                   size_t bytes) {
  irrun_context *context = irrun_context_create(NULL);
  irrun_tensor *a = make(context, type, n, got, bytes), *b = make(context, type, n, expected, bytes);
  irrun_comparison c = {.size = sizeof c};
  (void)!irrun_tensor_compare(context, "y", "y.npy", a, b, false, by_type, &c);
  irrun_tensor_free(a);
  irrun_tensor_free(b);
  irrun_context_free(context);
  return c;
}

static bool is_near(double x, double y) {
  return fabs(x - y) <= 1e-12 * fabs(y);
}

static void measures_of_similarity(void **state) {
  (void)state;
  const float got[] = {1, 2, 3, 0}, expected[] = {1, 2, 4, 0.001F}, zeros[4] = {0};
  irrun_comparison c = similarity(IRRUN_F32, 4, got, expected, sizeof got);
  const double e = (double)0.001F, dd = 1 + e * e, ee = 21 + e * e;
  assert_true(is_near(c.cosine, 17 / sqrt(14 * ee)));
  assert_true(is_near(c.snr, 10 * log10(ee / dd)));
  assert_true(is_near(c.psnr, 10 * log10(4 * (4 - e) * (4 - e) / dd)));
  assert_true(is_near(c.max_rel_floored, e / 0.004)); /* 0.001 counts as 0.004 */
  assert_true(is_near(c.l2, sqrt(dd)) && is_near(c.rel_l2, sqrt(dd / ee)));
  c = similarity(IRRUN_F32, 4, got, got, sizeof got);
  assert_true(c.cosine == 1 && isinf(c.snr) && isinf(c.psnr) && c.max_rel_floored == 0 && c.l2 == 0 && c.rel_l2 == 0);
  c = similarity(IRRUN_F32, 4, got, zeros, sizeof got);
  assert_true(c.cosine == 0 && isinf(c.snr) && c.snr < 0 && isinf(c.max_rel_floored));
  assert_true(is_near(c.l2, sqrt(14)) && isinf(c.rel_l2));
  c = similarity(IRRUN_F32, 0, got, got, 0);
  assert_true(c.cosine == 1 && isinf(c.snr));
  const float odd[] = {1, 2, INFINITY, NAN}, same[] = {1, 3, INFINITY, NAN};
  c = similarity(IRRUN_F32, 4, same, odd, sizeof odd);
  assert_true(is_near(c.cosine, 7 / sqrt(10 * 5)) && is_near(c.snr, 10 * log10(5)));
  c = similarity(IRRUN_F32, 4, got, odd, sizeof odd);
  assert_true(isnan(c.cosine) && isnan(c.snr) && isnan(c.psnr) && isinf(c.max_rel_floored));
  assert_true(isnan(c.l2) && isnan(c.rel_l2));
  c = similarity(IRRUN_F64, 2, (const double[]){1e300, 2e300}, (const double[]){2e300, 1e300}, 16);
  assert_true(is_near(c.cosine, 0.8) && is_near(c.snr, 10 * log10(2.5)));
  assert_true(is_near(c.l2, sqrt(2) * 1e300) && is_near(c.rel_l2, sqrt(0.4)));
  c = similarity(IRRUN_I8, 2, (const int8_t[]){-128, 127}, (const int8_t[]){127, -128}, 2);
  assert_true(c.cosine < -0.9999 && is_near(c.psnr, 0));
  c = similarity(IRRUN_BOOLEAN, 2, (const uint8_t[]){1, 1}, (const uint8_t[]){1, 0}, 2);
  assert_true(is_near(c.cosine, sqrt(0.5)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_decide),
      cmocka_unit_test(another_order_is_noted),
      cmocka_unit_test(what_is_not_finite_is_one_fault),
      cmocka_unit_test(a_tolerance_that_is_no_number_is_refused),
      cmocka_unit_test(shape_and_type_come_first),
      cmocka_unit_test(another_type_is_cast_when_asked_for),
      cmocka_unit_test(measures_of_similarity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
