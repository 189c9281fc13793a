/* Tests elements of 1 to 8 bits: where their bits lie, which numbers they are, and a run with them. */
#include "base/low_bit_types.h"
#include "draw.h"
#include "model_run.h"
#include "model_text.h"
#include "op_model.h"
#include "scratch.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void packs_fill_bytes(void **state) {
  (void)state;
  static const struct {
    ir_type type;
    int64_t elements, bytes;
  } cases[] = {{IR_U1, 9, 2}, {IR_U2, 5, 2},  {IR_U3, 8, 3},   {IR_U3, 9, 6},     {IR_U6, 4, 3}, {IR_U6, 5, 6},
               {IR_U4, 3, 2}, {IR_NF4, 2, 1}, {IR_F32, 3, 12}, {IR_F8E4M3, 3, 3}, {IR_I4, 0, 0}, {IR_BOOLEAN, 5, 5}};
  int64_t bytes;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_true(ir_packed_bytes(cases[i].type, cases[i].elements, &bytes));
    assert_int_equal(bytes, cases[i].bytes);
  }
  assert_false(ir_packed_bytes(IR_F32, INT64_MAX, &bytes));
}

static void assert_bits(ir_type type, const unsigned char *bytes, const unsigned *expected, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    assert_int_equal(ir_narrow_bits(type, bytes, i), expected[i]);
}

static void bits_stand_as_in_a_bin(void **state) {
  (void)state;
  const unsigned char ones[2] = {0xA0, 0x01}, pairs[2] = {0xE4, 0x1B}, halves[2] = {0x21, 0xF3};
  assert_bits(IR_U1, ones, (const unsigned[]){1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 16);
  assert_bits(IR_U2, pairs, (const unsigned[]){0, 1, 2, 3, 3, 2, 1, 0}, 8);
  assert_bits(IR_U4, halves, (const unsigned[]){1, 2, 3, 15}, 4);
  /* u3, 8 elements in 3 bytes: low 2 bits 0 1 2 3 and 3 2 1 0; the high bits of elements 0, 6 and 7 are 1; then a
   * second group */
  const unsigned char threes[6] = {0x1B, 0xE4, 0x83, 0x40, 0, 0};
  assert_bits(IR_U3, threes, (const unsigned[]){4, 1, 2, 3, 3, 2, 5, 4, 1}, 9);
  /* u6, 4 elements in 3 bytes: low 4 bits 1 2 and 3 4; high 2 bits 0 1 2 3 */
  const unsigned char sixes[6] = {0x12, 0x34, 0x1B, 0x50, 0, 0xC0};
  assert_bits(IR_U6, sixes, (const unsigned[]){1, 18, 35, 52, 53}, 5);
}

static void numbers_are_those_of_the_types(void **state) {
  (void)state;
  static const double halves[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned i = 0; i < 16; i++) {
    assert_true(ir_narrow_number(IR_F4E2M1, i) == (i < 8 ? halves[i] : -halves[i - 8]));
    assert_true(ir_narrow_number(IR_I4, i) == (i < 8 ? (double)i : (double)i - 16));
    assert_true(ir_narrow_number(IR_U4, i) == (double)i);
    assert_true(i == 0 || ir_narrow_number(IR_NF4, i - 1) < ir_narrow_number(IR_NF4, i));
  }
  assert_true(ir_narrow_number(IR_NF4, 0) == -1 && ir_narrow_number(IR_NF4, 7) == 0 &&
              ir_narrow_number(IR_NF4, 15) == 1);
  assert_true(ir_narrow_number(IR_F8E4M3, 0x7E) == 448 && ir_narrow_number(IR_F8E4M3, 0x81) == -0x1p-9);
  assert_true(ir_narrow_number(IR_F8E4M3, 0x08) == 0x1p-6 && ir_narrow_number(IR_F8E4M3, 0x39) == 1.125);
  assert_true(isnan(ir_narrow_number(IR_F8E4M3, 0x7F)) && isnan(ir_narrow_number(IR_F8E4M3, 0xFF)));
  assert_true(ir_narrow_number(IR_F8E5M2, 0x7B) == 57344 && isinf(ir_narrow_number(IR_F8E5M2, 0xFC)));
  assert_true(ir_narrow_number(IR_F8E5M2, 0x01) == 0x1p-16 && isnan(ir_narrow_number(IR_F8E5M2, 0x7D)));
  assert_true(ir_narrow_number(IR_F8E8M0, 0) == 0x1p-127 && ir_narrow_number(IR_F8E8M0, 0xFE) == 0x1p127);
  assert_true(ir_narrow_number(IR_F8E8M0, 127) == 1 && isnan(ir_narrow_number(IR_F8E8M0, 0xFF)));
}

/* Setting an element keeps the bits of its neighbours, and reading it returns the same bits. */
static void bits_are_set_where_they_are_read(void **state) {
  (void)state;
  for (ir_type type = IR_I4; type < IR_STRING; type++) {
    enum { N = 40 };
    unsigned char bytes[N] = {0}, ones[N];
    const unsigned mask = (1U << ir_type_bits(type)) - 1;
    memset(ones, 0xFF, N);
    for (int i = 0; i < N; i++) {
      ir_narrow_set_bits(type, bytes, i, (unsigned)i * 37);
      ir_narrow_set_bits(type, ones, i, ~mask);
    }
    for (int i = 0; i < N; i++) {
      assert_int_equal(ir_narrow_bits(type, bytes, i), (unsigned)i * 37 & mask);
      assert_int_equal(ir_narrow_bits(type, ones, i), 0);
    }
  }
}

static void a_number_of_the_type_is_its_code(void **state) {
  (void)state;
  for (ir_type type = IR_NF4; type < IR_STRING; type++)
    for (unsigned bits = 0; bits < 1U << ir_type_bits(type); bits++) {
      const double number = ir_narrow_number(type, bits);
      if (!isnan(number))
        assert_int_equal(ir_narrow_of(type, number), bits);
    }
}

static void other_numbers_are_rounded(void **state) {
  (void)state;
  static const struct {
    ir_type type;
    double number;
    unsigned bits;
  } cases[] = {
      {IR_F8E4M3, 1.0625, 0x38}, {IR_F8E4M3, -1.1875, 0xBA}, {IR_F8E4M3, 0x1p-10, 0x00},  {IR_F8E4M3, 0x1.8p-9, 0x02},
      {IR_F8E4M3, 464, 0x7E},    {IR_F8E4M3, -464.5, 0xFF},  {IR_F8E4M3, INFINITY, 0x7F}, {IR_F8E4M3, NAN, 0x7F},
      {IR_F8E4M3, 3.1255, 0x44}, /* rounding to f16 first would give the tie 3.125 */
      {IR_F8E5M2, 1.125, 0x3C},  {IR_F8E5M2, 61439, 0x7C},   {IR_F8E5M2, 61408, 0x7B},    {IR_F8E5M2, -INFINITY, 0xFC},
      {IR_F8E5M2, NAN, 0x7E},    {IR_F8E8M0, 0, 0},          {IR_F8E8M0, -3, 0},          {IR_F8E8M0, 0.75, 126},
      {IR_F8E8M0, 1.5, 128},     {IR_F8E8M0, 1e300, 254},    {IR_F8E8M0, NAN, 255},       {IR_F4E2M1, 0.25, 0},
      {IR_F4E2M1, -5, 0xE},      {IR_F4E2M1, -100, 0xF},     {IR_F4E2M1, NAN, 7},         {IR_NF4, 2, 15},
      {IR_NF4, -0.01, 7},        {IR_NF4, NAN, 7},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_equal(ir_narrow_of(cases[i].type, cases[i].number), cases[i].bits);
}

/* ---- a run ---- */

/* Runs a model of a Const [n], with a Convert to f32 if `converts`. */
static model_run run_constant(scratch_model *files, ir_type type, const void *bytes, size_t size, int n,
                              bool converts) {
  char dims[16];
  snprintf(dims, sizeof dims, "%d", n);
  scratch_write(files->bin, bytes, size);
  FILE *file = model_begin(files->xml);
  model_const(file, 0, "c", type, dims, 0, size);
  fprintf(file, "<layer id=\"1\" name=\"v\" type=\"Convert\" version=\"opset1\"><data destination_type=\"f32\"/>"
                "<input><port id=\"0\"/></input><output><port id=\"1\" precision=\"FP32\"/></output></layer>\n");
  model_result(file, 2, "y");
  model_edges(file);
  model_edge(file, 0, 0, 1, 0);
  model_edge(file, converts ? 1 : 0, converts ? 1 : 0, 2, 0);
  model_end(file);
  model_run run = model_run_read(files->xml, IRRUN_TO_RUN, NULL);
  if (run.status == IRRUN_OK)
    run.status = irrun_run_create(run.model, &run.run);
  if (run.status == IRRUN_OK)
    run.status = irrun_run_execute(run.run);
  return run;
}

/* 600 elements exceed the piece that a Convert kernel converts at once. 8 u3 elements have 3 bytes. */
static void a_run_converts_constants(void **state) {
  (void)state;
  unsigned char bytes[3 * 75];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(i * 37 + 11);
  scratch_model files = scratch_model_make();
  model_run run = run_constant(&files, IR_U3, bytes, sizeof bytes, 600, true);
  assert_int_equal(run.status, IRRUN_OK);
  const float *made = irrun_tensor_get_info(irrun_run_output(run.run, 0)).data;
  for (int i = 0; i < 600; i++)
    assert_true(made[i] == (float)ir_narrow_bits(IR_U3, bytes, i));
  model_run_end(&run);
  scratch_model_remove(&files);
}

/* N elements fill no whole piece, and no whole pack of any type. */
enum { N = 1037 };

static model_run convert_run(ir_type from, const void *data, ir_type to) {
  char text[64];
  snprintf(text, sizeof text, "destination_type=\"%s\"", ir_type_name(to));
  op_model c = {.type = "Convert", .data = text, .n_inputs = 1};
  c.inputs[0] = (op_input){.type = from, .rank = 1, .dims = {N}, .data = data};
  model_run run = op_model_run(&c);
  if (run.status != IRRUN_OK)
    fail_msg("%s to %s ends with %d, %s", ir_type_name(from), ir_type_name(to), (int)run.status, model_run_rules(&run));
  return run;
}

static bool same(double a, double b) {
  return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static void every_element_becomes_its_number(void **state) {
  (void)state;
  unsigned char bytes[N];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)between(0, 255);
  for (ir_type type = IR_I4; type < IR_STRING; type++) {
    model_run floats = convert_run(type, bytes, IR_F32), halves = convert_run(type, bytes, IR_F16);
    model_run integers = convert_run(type, bytes, IR_I32);
    const float *f32 = irrun_tensor_get_info(floats.values).data;
    const uint16_t *f16 = irrun_tensor_get_info(halves.values).data;
    const int32_t *i32 = irrun_tensor_get_info(integers.values).data;
    for (int i = 0; i < N; i++) {
      const double number = ir_narrow_number(type, ir_narrow_bits(type, bytes, i));
      assert_true(same((double)f32[i], number));
      assert_int_equal(f16[i], ir_f64_to_f16(number));
      assert_int_equal(i32[i], ir_f64_to_i32(number));
    }
    model_run_end(&floats);
    model_run_end(&halves);
    model_run_end(&integers);
  }
}

/* Returns the code of the number of `type` that is nearest to `number`, ties to the even code, among the codes 0 to n -
 * 1, whose numbers ascend. */
static unsigned nearest_code(ir_type type, unsigned n, double number) {
  unsigned best = 0;
  for (unsigned code = 1; code < n; code++) {
    const double old = fabs(number - ir_narrow_number(type, best)), new = fabs(number - ir_narrow_number(type, code));
    if (new < old || (new == old &&code % 2 == 0))
      best = code;
  }
  return best;
}

static unsigned expected_code(ir_type type, float x) {
  const double half = fabs((double)ir_f16_to_f32(ir_f32_to_f16(x)));
  const unsigned sign = signbit(x) ? 1U << (ir_type_bits(type) - 1) : 0;
  switch (type) {
  case IR_F8E4M3:
    return sign | (half > 464 ? 0x7F : nearest_code(type, 0x7F, half));
  case IR_F8E5M2:
    return sign | (half >= 61440 ? 0x7C : nearest_code(type, 0x7C, half));
  case IR_F4E2M1:
    return sign | nearest_code(type, 8, fabs((double)x));
  case IR_F8E8M0:
    return x > 0 ? nearest_code(type, 0xFF, (double)x) : 0;
  case IR_NF4:
    return nearest_code(type, 16, (double)x);
  default:
    return (unsigned)ir_f32_to_i32(x) & ((1U << ir_type_bits(type)) - 1);
  }
}

/* Every third float is a tie, or near one: halfway between two multiples of a power of 2. */
static void every_float_becomes_the_nearest_number(void **state) {
  (void)state;
  float x[N];
  for (int i = 0; i < N; i++)
    x[i] = (float)ldexp((double)between(-1000, 1000) / (i % 3 == 0 ? 32 : 999), (int)between(-12, 8));
  for (ir_type type = IR_I4; type < IR_STRING; type++) {
    model_run run = convert_run(IR_F32, x, type);
    const irrun_tensor_info made = irrun_tensor_get_info(run.values);
    for (int i = 0; i < N; i++)
      if (ir_narrow_bits(type, made.data, i) != expected_code(type, x[i]))
        fail_msg("%a as %s is %x, expected %x", (double)x[i], ir_type_name(type), ir_narrow_bits(type, made.data, i),
                 expected_code(type, x[i]));
    for (int64_t i = N; (i + 1) * ir_type_bits(type) <= (int64_t)made.bytes * 8; i++)
      assert_int_equal(ir_narrow_bits(type, made.data, i), 0);
    model_run_end(&run);
  }
}

static void a_run_shows_constants(void **state) {
  (void)state;
  const unsigned char bytes[2] = {0x21, 0x43};
  scratch_model files = scratch_model_make();
  model_run run = run_constant(&files, IR_U4, bytes, sizeof bytes, 4, false);
  assert_int_equal(run.status, IRRUN_OK);
  const irrun_tensor_info shown = irrun_tensor_get_info(irrun_run_output(run.run, 0));
  assert_int_equal(shown.bytes, sizeof bytes);
  assert_memory_equal(shown.data, bytes, sizeof bytes);
  model_run_end(&run);
  scratch_model_remove(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packs_fill_bytes),
      cmocka_unit_test(bits_stand_as_in_a_bin),
      cmocka_unit_test(numbers_are_those_of_the_types),
      cmocka_unit_test(bits_are_set_where_they_are_read),
      cmocka_unit_test(a_number_of_the_type_is_its_code),
      cmocka_unit_test(other_numbers_are_rounded),
      cmocka_unit_test(a_run_converts_constants),
      cmocka_unit_test(every_element_becomes_its_number),
      cmocka_unit_test(every_float_becomes_the_nearest_number),
      cmocka_unit_test(a_run_shows_constants),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
