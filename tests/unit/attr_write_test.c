/* Tests that writing attributes from params and binding the written text gives the same params. */
#include "failing_memory.h"
#include "op_case.h"
#include "ops/attr_text.h"
#include "ops/attr_write.h"
#include "ops/bind.h"
#include "ops/registry.h"
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
  MOST_ATTRS = 32,
  N_VARIANTS = 26
}; /* MOST_ATTRS: limit of an op's attributes; N_VARIANTS: size of the longest list of texts below */

/* ---- texts of every kind ---- */

#define HUGE_DIM "9223372036854775805..9223372036854775806"

static const char *const bool_texts[] = {"true", "false", NULL};
static const char *const shape_texts[] = {"", "7", "1,2,3", "?", "-1,0", "...", "[2,?]", "1..640,2..,..9", NULL};
static const char *const dims_texts[] = {"", "0", "1,2,3", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,9223372036854775806", NULL};
static const char *const type_texts[] = {"dynamic", "f32",    "f64",    "f16",    "bf16",   "i8",  "i16",
                                         "i32",     "i64",    "u8",     "u16",    "u32",    "u64", "boolean",
                                         "i4",      "u1",     "u2",     "u3",     "u4",     "u6",  "nf4",
                                         "f8e4m3",  "f8e5m2", "f8e8m0", "f4e2m1", "string", NULL};
static const char *const c_type_texts[] = {"dynamic",  "char",     "bfloat16", "float16", "float",   "double",
                                           "int8_t",   "int16_t",  "int32_t",  "int64_t", "uint8_t", "uint16_t",
                                           "uint32_t", "uint64_t", "uint1_t",  NULL};
static const char *const float_texts[] = {"0", "-1.5", "1e-05", "3.4028234663852886e+38", NULL};
static const char *const float_list_texts[] = {"0.1", "1,2.5,-3", NULL};
static const char *const list_texts[] = {"1", "1,2", "3,9223372036854775807,1", NULL};

static const char *variant_of(const char *const *texts, int variant) {
  int n = 0;
  while (texts[n] != NULL)
    n++;
  return texts[variant % n];
}

/* Returns the smallest or greatest allowed number, or a neighbour of it. */
static const char *number_text(const ir_attr_spec *spec, int variant, char buffer[32]) {
  const int64_t numbers[] = {spec->min, spec->max, spec->min + (spec->max > spec->min),
                             spec->max - (spec->max > spec->min)};
  snprintf(buffer, 32, "%lld", (long long)numbers[variant % 4]);
  return buffer;
}

static const char *text_for(const ir_attr_spec *spec, int variant, char buffer[32]) {
  switch (spec->kind) {
  case IR_ATTR_INT:
    return spec->count == IR_COUNT_SPATIAL ? variant_of(list_texts, variant) : number_text(spec, variant, buffer);
  case IR_ATTR_FLOAT:
    return spec->count != IR_COUNT_ONE ? variant_of(float_list_texts, variant) : variant_of(float_texts, variant);
  case IR_ATTR_BOOL:
    return variant_of(bool_texts, variant);
  case IR_ATTR_ENUM:
    return variant_of(spec->other_names != NULL && variant % 2 == 1 ? spec->other_names : spec->names, variant / 2);
  case IR_ATTR_TYPE:
    return variant_of(spec->c_names ? c_type_texts : type_texts, variant);
  case IR_ATTR_SHAPE:
    return variant_of(shape_texts, variant);
  case IR_ATTR_DIMS:
    return variant_of(dims_texts, variant);
  case IR_ATTR_TEXT:
    break;
  }
  return "";
}

/* ---- one op ---- */

static void begin(op_case *c, const ir_op *op, const char *const *attrs) {
  char opset[16];
  int first = 0, last;
  if (ir_op_opsets(op, &first, &last))
    snprintf(opset, sizeof opset, "opset%d", first);
  else
    snprintf(opset, sizeof opset, "%d", op->version);
  op_case_begin_in(c, op->dialect, op->type, opset, attrs);
  assert_ptr_equal(c->node.op, op);
  if (c->node.attrs_at_fault != 0)
    fail_msg("%s-%d: attributes %llx are at fault", op->type, op->version, (unsigned long long)c->node.attrs_at_fault);
}

static bool same_lists(ir_ints a, ir_ints b, int n) {
  bool same = true;
  for (int i = 0; i < n; i++)
    same = same && ir_spatial_item(a, i, -7) == ir_spatial_item(b, i, -8);
  return same && b.n == n;
}

static bool same_floats(ir_floats a, ir_floats b) {
  bool same = a.n == b.n;
  for (int64_t i = 0; same && i < a.n; i++)
    same = a.items[i] == b.items[i];
  return same;
}

static bool same_field(const ir_attr_spec *spec, const void *a, const void *b, int n_spatial) {
  switch (spec->kind) {
  case IR_ATTR_INT:
    return spec->count != IR_COUNT_ONE
               ? same_lists(*(const ir_ints *)a, *(const ir_ints *)b,
                            spec->count == IR_COUNT_ANY ? (int)((const ir_ints *)a)->n : n_spatial)
               : *(const int64_t *)a == *(const int64_t *)b;
  case IR_ATTR_FLOAT:
    return spec->count != IR_COUNT_ONE ? same_floats(*(const ir_floats *)a, *(const ir_floats *)b)
                                       : *(const double *)a == *(const double *)b;
  case IR_ATTR_BOOL:
    return *(const bool *)a == *(const bool *)b;
  case IR_ATTR_ENUM:
    return *(const int *)a == *(const int *)b;
  case IR_ATTR_TYPE:
    return *(const ir_type *)a == *(const ir_type *)b;
  case IR_ATTR_SHAPE:
  case IR_ATTR_DIMS:
    return ir_shapes_equal(a, b);
  case IR_ATTR_TEXT:
    break;
  }
  return true;
}

/* Writes all attributes that have a field, binds the texts again, and compares the params. */
static void write_and_bind(const op_case *c, int n_spatial) {
  const ir_op *op = c->node.op;
  const char *attrs[2 * MOST_ATTRS + 1] = {NULL};
  op_case again;
  int n = 0;
  assert_in_range(ir_op_n_attrs(op), 0, MOST_ATTRS);
  for (int i = 0; i < ir_op_n_attrs(op); i++) {
    const bool is_text =
        op->attrs[i].kind == IR_ATTR_TEXT; /* only the op can parse the attribute: params have no field for it */
    if (is_text && !op->attrs[i].required)
      continue;
    attrs[n++] = op->attrs[i].name;
    attrs[n] = is_text ? "" : ir_attr_write(&op->attrs[i], c->node.params, n_spatial, (ir_arena *)&c->arena);
    assert_non_null(attrs[n++]);
  }
  begin(&again, op, attrs);
  for (int i = 0; i < ir_op_n_attrs(op); i++) {
    const ir_attr_spec *spec = &op->attrs[i];
    if (!same_field(spec, (const char *)c->node.params + spec->offset, (const char *)again.node.params + spec->offset,
                    n_spatial))
      fail_msg("%s-%d: '%s' is written as '%s', which is bound as something else", op->type, op->version, spec->name,
               ir_attr_write(spec, c->node.params, n_spatial, &again.arena));
  }
  op_case_end(&again);
}

static int items_of(const char *list) {
  int n = 1;
  for (; *list != '\0'; list++)
    n += *list == ',';
  return n;
}

static void every_attribute_reads_back(void **state) {
  (void)state;
  const ir_op *op;
  for (size_t row = 0; (op = ir_op_at(row)) != NULL; row++)
    for (int variant = 0; variant < N_VARIANTS; variant++) {
      const char *attrs[2 * MOST_ATTRS + 1] = {NULL};
      char numbers[MOST_ATTRS][32];
      op_case c;
      assert_in_range(ir_op_n_attrs(op), 0, MOST_ATTRS);
      for (int i = 0; i < ir_op_n_attrs(op); i++) {
        attrs[2 * i] = op->attrs[i].name;
        attrs[2 * i + 1] = text_for(&op->attrs[i], variant + i, numbers[i]);
        if (op->attrs[i].count == IR_COUNT_SPATIAL) /* all spatial lists of a layer have the same length */
          attrs[2 * i + 1] = variant_of(list_texts, variant);
      }
      begin(&c, op, attrs);
      write_and_bind(&c, items_of(variant_of(list_texts, variant)));
      op_case_end(&c);
    }
}

/* A program that uses the library can have set a locale with decimal commas. */
static void numbers_have_points_in_every_locale(void **state) {
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL)
    skip();
  every_attribute_reads_back(state);
  setlocale(LC_NUMERIC, "C");
}

/* Leaves out all optional attributes that have a default, and writes and binds the resulting params. */
static void what_stands_for_an_absent_one_reads_back(void **state) {
  (void)state;
  const ir_op *op;
  for (size_t row = 0; (op = ir_op_at(row)) != NULL; row++)
    for (int n_spatial = 1; n_spatial <= 3; n_spatial++) {
      static const char *const lists[] = {"", "2", "2,2", "2,2,2"};
      const char *attrs[2 * MOST_ATTRS + 1] = {NULL};
      char numbers[MOST_ATTRS][32];
      int n = 0;
      op_case c;
      for (int i = 0; i < ir_op_n_attrs(op); i++) {
        const ir_attr_spec *spec = &op->attrs[i];
        if (!spec->required && spec->fallback != NULL)
          continue;
        attrs[n++] = spec->name;
        attrs[n++] = spec->count == IR_COUNT_SPATIAL ? lists[n_spatial] : text_for(spec, 1, numbers[i]);
      }
      begin(&c, op, attrs);
      write_and_bind(&c, n_spatial);
      op_case_end(&c);
    }
}

/* ---- spellings ---- */

typedef struct spelling {
  ir_dialect dialect;
  const char *type, *opset, *attr, *read; /* read NULL: the attribute is absent */
  const char *written;
} spelling;

static const spelling spellings[] = {
    {IR_OPENVINO, "AvgPool", "opset1", "kernel", " 2 ,03", "2,3"},
    {IR_OPENVINO, "AvgPool", "opset1", "exclude-pad", "TRUE", "true"},
    {IR_OPENVINO, "AvgPool", "opset1", "exclude-pad", "false", "false"},
    {IR_OPENVINO, "AvgPool", "opset1", "auto_pad", NULL, "explicit"},
    {IR_OPENVINO, "AvgPool", "opset1", "auto_pad", "same_lower", "same_lower"},
    {IR_OPENVINO, "AvgPool", "opset14", "rounding_type", "ceil_torch", "ceil_torch"},
    {IR_OPENVINO, "AvgPool", "opset16", "dilations", NULL, "1,1"},
    {IR_OPENVINO, "MaxPool", "opset8", "axis", "-2", "-2"},
    {IR_OPENVINO, "MaxPool", "opset8", "index_element_type", "i32", "i32"},
    {IR_OPENVINO, "Concat", "opset1", "axis", "-1", "-1"},
    {IR_OPENVINO, "ReduceMax", "opset1", "keep_dims", NULL, "false"},
    {IR_OPENVINO, "Reshape", "opset1", "special_zero", "true", "true"},
    {IR_OPENVINO, "Convert", "opset1", "destination_type", "boolean", "boolean"},
    {IR_OPENVINO, "Const", "opset1", "shape", "", ""},
    {IR_OPENVINO, "Const", "opset1", "shape", "1, 2", "1,2"},
    {IR_OPENVINO, "Const", "opset1", "offset", "9223372036854775807", "9223372036854775807"},
    {IR_OPENVINO, "Parameter", "opset1", "element_type", "bf16", "bf16"},
    {IR_OPENVINO, "Parameter", "opset1", "shape", "[]", ""},
    {IR_OPENVINO, "Parameter", "opset1", "shape", "...", "..."},
    {IR_OPENVINO, "Parameter", "opset1", "shape", "[1,-1,?,..9,2..,1..640]", "1,?,?,0..9,2..,1..640"},
    {IR_NGRAPH, "AvgPool", "0", "include_padding_in_avg_computation", "true", "true"},
    {IR_NGRAPH, "AvgPool", "0", "include_padding_in_avg_computation", "false", "false"},
    {IR_NGRAPH, "AvgPool", "0", "padding_below", "", "0,0"},
    {IR_NGRAPH, "AvgPool", "0", "pad_type", "1", "SAME_LOWER"},
    {IR_NGRAPH, "AvgPool", "0", "ceil_mode", NULL, "false"},
    {IR_NGRAPH, "AvgPool", "1", "exclude_pad", NULL, "true"},
    {IR_NGRAPH, "MaxPool", "1", "auto_pad", "2", "SAME_UPPER"},
    {IR_NGRAPH, "MaxPool", "1", "rounding_type", "CEIL", "CEIL"},
    {IR_NGRAPH, "MaxPool", "1", "strides", NULL, "1,1"},
    {IR_NGRAPH, "Parameter", "0", "element_type", "float", "f32"},
    {IR_NGRAPH, "Constant", "0", "element_type", "char", "boolean"},
    {IR_NGRAPH, "GetOutputElement", "0", "n", NULL, "0"},
};

static void spelt_as_a_file_has_it(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
    const spelling *s = &spellings[i];
    op_case c;
    const ir_attr_spec *spec = ir_op_find(s->dialect, s->type, s->opset).op->attrs;
    const char *const pair[] = {s->attr, s->read, NULL};
    op_case_begin_in(&c, s->dialect, s->type, s->opset, s->read == NULL ? &pair[2] : pair);
    while (spec->name != NULL && strcmp(spec->name, s->attr) != 0)
      spec++;
    assert_non_null(spec->name);
    const char *written = ir_attr_write(spec, c.node.params, 2, &c.arena);
    if (strcmp(written, s->written) != 0)
      fail_msg("%s, '%s' read from '%s': written '%s', expected '%s'", s->type, s->attr,
               s->read == NULL ? "nothing" : s->read, written, s->written);
    op_case_end(&c);
  }
}

/* The longest shape text: 16 dims with both ends of 19 digits. */
static void the_longest_shape_is_whole(void **state) {
  (void)state;
  static const char text[] =
      HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM
               "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM "," HUGE_DIM;
  op_case c;
  op_case_begin(&c, "Parameter", "opset1", (const char *const[]){"shape", text, NULL});
  assert_string_equal(ir_attr_write(&c.node.op->attrs[0], c.node.params, 0, &c.arena), text);
  op_case_end(&c);
}

static void memory_that_is_out_gives_no_text(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_arena arena;
  const bool field = true;
  const ir_attr_spec spec = {.name = "flag", .kind = IR_ATTR_BOOL};
  counts.refuse_at = 0;
  ir_arena_init(&arena, &memory, 4096);
  assert_null(ir_attr_write(&spec, &field, 0, &arena));
  ir_arena_reset(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_attribute_reads_back),
      cmocka_unit_test(numbers_have_points_in_every_locale),
      cmocka_unit_test(what_stands_for_an_absent_one_reads_back),
      cmocka_unit_test(spelt_as_a_file_has_it),
      cmocka_unit_test(the_longest_shape_is_whole),
      cmocka_unit_test(memory_that_is_out_gives_no_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
