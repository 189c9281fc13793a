/* Reshape-1 changes the shape of `data` to the target, the contents of input `shape`. -1 in the target is the size that
 * the other sizes leave. With special_zero, a 0 copies the input's dim at the same position. */
#include "base/message_text.h"
#include "ops/agree.h"
#include "ops/attr_text.h"
#include "ops/op.h"
#include "ops/shape/reshape_target.h"
#include "ops/shape/same_elements.h"
#include "ops/value_list.h"
#include <stdarg.h>
#include <stdio.h>

typedef struct reshape_params {
  bool special_zero;
} reshape_params;

/* Facts for reports. `contents` is the target as in the file, `data` the input. */
typedef struct reshape_facts {
  const ir_node *node;
  const ir_tensor *contents;
  const ir_value *data;
  ir_scope *scope;
} reshape_facts;

static const char *contents_text(const ir_tensor *contents, char *buffer, size_t size) {
  size_t used = (size_t)snprintf(buffer, size, "[");
  int64_t n = ir_tensor_elements(contents);
  char number[IR_NUMBER_TEXT];
  for (int64_t i = 0; i < n && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? "," : "",
                             ir_number_text(contents->type, ir_tensor_get(contents, i), number, sizeof number));
  if (used < size)
    snprintf(buffer + used, size - used, "]");
  return buffer;
}
#define CONTENTS_TEXT (IR_MAX_RANK * IR_NUMBER_TEXT)

static bool report(const reshape_facts *facts, const char *fault) {
  char text[CONTENTS_TEXT];
  ir_report(facts->scope->diags, IR317_RESHAPE_IMPOSSIBLE, ir_input_where(facts->scope, facts->node, 1, -1),
            "'shape' is %s: %s", contents_text(facts->contents, text, sizeof text), fault);
  return false;
}

/* ---- the target ---- */

/* Converts a number of the file to a size or IR_RESHAPE_REST. An invalid number becomes INT64_MIN. */
static int64_t size_of(ir_number number) {
  if (number.kind == IR_NUMBER_UNSIGNED)
    return number.u <= INT64_MAX ? (int64_t)number.u : INT64_MIN;
  return number.i >= IR_RESHAPE_REST ? number.i : INT64_MIN;
}

/* The text of all faulty entries of the target, for one report. */
typedef struct entry_faults {
  char text[IR_VALUE_LIST_TEXT + IR_SHAPE_TEXT + 256];
  size_t used;
} entry_faults;

static void add_fault(entry_faults *faults, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_fault(entry_faults *faults, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (faults->used > 0)
    faults->used += (size_t)snprintf(faults->text + faults->used, sizeof faults->text - faults->used, "; ");
  faults->used += (size_t)vsnprintf(faults->text + faults->used, sizeof faults->text - faults->used, format, arguments);
  va_end(arguments);
}

static void check_sizes(const reshape_facts *facts, entry_faults *faults) {
  ir_value_list wrong = {.n = 0};
  for (int64_t i = 0; i < ir_tensor_elements(facts->contents); i++)
    if (size_of(ir_tensor_get(facts->contents, i)) < IR_RESHAPE_REST)
      ir_value_list_add(&wrong, facts->contents, i);
  if (wrong.n > 0)
    add_fault(faults, "expected sizes of 0 or more, or -1, found %s", wrong.text);
}

static void check_rest(const reshape_facts *facts, entry_faults *faults) {
  int64_t n = 0;
  for (int64_t i = 0; i < ir_tensor_elements(facts->contents); i++)
    n += size_of(ir_tensor_get(facts->contents, i)) == IR_RESHAPE_REST;
  if (n > 1)
    add_fault(faults, "-1 stands there %lld times; one size at most can be what the others leave", (long long)n);
}

/* Adds a fault, and returns true, if a 0 copies a dim that the input lacks. */
static bool check_copies(const reshape_facts *facts, entry_faults *faults) {
  int rank = facts->data->shape.rank;
  if (facts->data->poisoned || rank == IR_RANK_UNKNOWN)
    return false;
  for (int64_t i = rank; i < ir_tensor_elements(facts->contents); i++) {
    if (size_of(ir_tensor_get(facts->contents, i)) != 0)
      continue;
    char shape[IR_SHAPE_TEXT];
    add_fault(faults, "the 0 at %lld copies a dim that the input %s%s does not have", (long long)i,
              ir_type_name(facts->data->type), ir_shape_text(&facts->data->shape, shape, sizeof shape));
    return true;
  }
  return false;
}

static bool check_entries(const reshape_facts *facts, bool zero_copies) {
  entry_faults faults = {.used = 0};
  check_sizes(facts, &faults);
  check_rest(facts, &faults);
  bool copies_nothing = zero_copies && check_copies(facts, &faults);
  if (faults.used == 0)
    return true;
  report(facts, faults.text);
  if (copies_nothing)
    ir_hint(facts->scope->diags, "with special_zero=\"true\" a 0 is the input's dim at the same place");
  return false;
}

static bool has_zero(const ir_tensor *contents) {
  for (int64_t i = 0; i < ir_tensor_elements(contents); i++)
    if (size_of(ir_tensor_get(contents, i)) == 0)
      return true;
  return false;
}

static bool read_target(const reshape_facts *facts, bool zero_copies, ir_reshape_target *out) {
  int64_t n = ir_tensor_elements(facts->contents);
  if (!ir_rank_fits(facts->node, n, facts->scope) || !check_entries(facts, zero_copies))
    return false;
  *out = (ir_reshape_target){.n = (int)n};
  for (int i = 0; i < n; i++) {
    int64_t size = size_of(ir_tensor_get(facts->contents, i));
    out->sizes[i] = size == 0 && zero_copies ? IR_RESHAPE_COPY : size;
    out->has_rest = out->has_rest || size == IR_RESHAPE_REST;
  }
  return true;
}

/* ---- target and input ---- */

/* Computes the product of the input's dims that the target does not copy. An entry of -1 is this product divided by the
 * other sizes. */
static bool count_beside_copies(const ir_reshape_target *target, const ir_shape *in, int64_t *out) {
  ir_shape others = {.rank = 0};
  for (int i = 0; i < in->rank; i++)
    if (i >= target->n || target->sizes[i] != IR_RESHAPE_COPY)
      others.dims[others.rank++] = in->dims[i];
  return ir_shape_elements(&others, out);
}

static void report_never(const reshape_facts *facts, const ir_reshape_target *target, const ir_shape *out) {
  const ir_shape *in = &facts->data->shape;
  char shape[IR_SHAPE_TEXT], fault[IR_SHAPE_TEXT + 160];
  const char *type = ir_type_name(facts->data->type);
  int64_t elements, beside, fixed, wanted;
  ir_shape_text(in, shape, sizeof shape);
  bool known = ir_shape_elements(in, &elements) && count_beside_copies(target, in, &beside);
  bool countable = ir_reshape_fixed(target, &fixed) && (target->has_rest || ir_shape_elements(out, &wanted));
  if (!known)
    snprintf(fault, sizeof fault, "no sizes that the input %s%s can have fit that", type, shape);
  else if (!countable)
    snprintf(fault, sizeof fault, "more elements than 64 bits can count, but the input %s%s has %lld", type, shape,
             (long long)elements);
  else if (fixed == 0)
    snprintf(fault, sizeof fault, "no elements, but the input %s%s has %lld", type, shape, (long long)elements);
  else if (target->has_rest)
    snprintf(fault, sizeof fault, "for -1 there is left %lld / %lld of the input %s%s, which is no whole number",
             (long long)beside, (long long)fixed, type, shape);
  else
    snprintf(fault, sizeof fault, "%s, but the input %s%s has %lld", ir_count(wanted, "element").text, type, shape,
             (long long)elements);
  report(facts, fault);
  if (countable && fixed == 0)
    ir_hint(facts->scope->diags, "with special_zero=\"true\" a 0 is the input's dim at the same place");
  else if (known && !target->has_rest)
    ir_hint(facts->scope->diags, "the sizes have to multiply to %lld; -1 in place of one is what the others leave",
            (long long)elements);
}

static bool report_fit(const reshape_facts *facts, const ir_reshape_target *target, ir_reshape_fit fit,
                       const ir_shape *out) {
  char text[CONTENTS_TEXT] = "", shape[IR_SHAPE_TEXT];
  ir_where where = ir_input_where(facts->scope, facts->node, 1, -1);
  ir_shape_text(&facts->data->shape, shape, sizeof shape);
  if (facts->contents != NULL)
    contents_text(facts->contents, text, sizeof text);
  if (fit == IR_RESHAPE_NEVER)
    report_never(facts, target, out);
  else if (fit == IR_RESHAPE_FITS_EMPTY)
    ir_report_as(facts->scope->diags, IR317_RESHAPE_IMPOSSIBLE, IR_WARNING, where,
                 "'shape' is %s: only an input without elements fits that, and %s%s may have some", text,
                 ir_type_name(facts->data->type), shape);
  else if (fit == IR_RESHAPE_TOO_LARGE)
    ir_report(facts->scope->diags, IR308_SIZE_OVERFLOW, where,
              "the number of elements of %s%s, or of the shape it is given, does not fit 64 bits",
              ir_type_name(facts->data->type), shape);
  return fit == IR_RESHAPE_FITS || fit == IR_RESHAPE_FITS_EMPTY;
}

/* Sets the target to [-1]. Returns true if the unknown target has one entry: then the only possible size is the number
 * of all elements. */
static bool open_target(const ir_shape *shape, ir_reshape_target *out) {
  *out = (ir_reshape_target){.n = 1, .sizes = {IR_RESHAPE_REST}, .has_rest = true};
  return shape->rank == 1 && ir_dims_equal(shape->dims[0], ir_dim_of(1));
}

static bool is_entry(ir_dim entry, int64_t number) {
  return ir_dims_equal(entry, ir_dim_of(number));
}

/* Returns the interval of the output dim for a target entry other than -1. With special_zero, an entry of 0 copies the
 * input's dim. */
static ir_dim open_entry(ir_dim entry, int i, bool zero_copies, const ir_shape *in) {
  if (entry.lo < 0)
    return ir_dim_any();
  if (!zero_copies || entry.lo > 0)
    return entry;
  const ir_dim copied = i < in->rank ? in->dims[i] : ir_dim_any();
  return entry.hi == 0 ? copied : ir_dims_hull((ir_dim){1, entry.hi}, copied);
}

/* Returns the interval of the output dim for -1: the product of the input's dims that are not copied, divided by the
 * other sizes. */
static ir_dim open_rest(const ir_dim *entries, int n, bool zero_copies, const ir_shape *in) {
  ir_dim all = ir_dim_of(1), others = ir_dim_of(1);
  if (in->rank == IR_RANK_UNKNOWN)
    return ir_dim_any();
  for (int i = 0; i < in->rank; i++)
    if (i >= n || !zero_copies || !is_entry(entries[i], 0))
      all = ir_range_multiply(all, in->dims[i]);
  for (int i = 0; i < n; i++)
    if (!is_entry(entries[i], IR_RESHAPE_REST) && !(zero_copies && is_entry(entries[i], 0)))
      others = ir_range_multiply(others, open_entry(entries[i], i, zero_copies, in));
  if (all.lo < 0 || others.lo < 0)
    return ir_dim_any();
  return (ir_dim){others.hi == IR_DIM_MAX || others.hi == 0 ? all.lo > 0 : ir_ceil_div(all.lo, others.hi),
                  all.hi == IR_DIM_MAX || others.lo == 0 ? IR_DIM_MAX : all.hi / others.lo};
}

static bool report_no_rest(const ir_node *node, const ir_value *data, ir_scope *scope) {
  char shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR317_RESHAPE_IMPOSSIBLE, ir_input_where(scope, node, 1, -1),
            "no sizes that the input %s%s can have leave one for the -1 of 'shape'", ir_type_name(data->type),
            ir_shape_text(&data->shape, shape, sizeof shape));
  return false;
}

/* Infers the output shape if the target's contents are unknown or only known as ranges. */
static bool open_shape(const ir_node *node, const ir_value *const *in, bool zero_copies, ir_shape *out,
                       ir_scope *scope) {
  const ir_shape *shape = &in[1]->shape;
  ir_dim entries[IR_MAX_RANK];
  if (shape->rank != 1)
    return true;
  if (!ir_rank_fits(node, shape->dims[0].lo, scope) || !ir_elements_check(node, in, 1, IR_RESHAPE_REST, scope))
    return false;
  if (!ir_dim_known(shape->dims[0]))
    return true;
  *out = ir_shape_of_rank((int)shape->dims[0].lo);
  for (int i = 0; i < out->rank && ir_has_ranges(in[1]); i++)
    entries[i] = ir_range_at(in[1], i);
  for (int i = 0; i < out->rank && ir_has_ranges(in[1]); i++)
    out->dims[i] = is_entry(entries[i], IR_RESHAPE_REST) ? open_rest(entries, out->rank, zero_copies, &in[0]->shape)
                                                         : open_entry(entries[i], i, zero_copies, &in[0]->shape);
  for (int i = 0; i < out->rank; i++)
    if (out->dims[i].lo > out->dims[i].hi)
      return report_no_rest(node, in[0], scope);
  return true;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const reshape_params *params = node->params;
  reshape_facts facts = {.node = node, .contents = in[1]->contents, .data = in[0], .scope = scope};
  ir_reshape_target target;
  bool zero_known = ir_attr_usable(node, "special_zero");
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned;
  if (in[1]->poisoned)
    return IR_OK;
  if (facts.contents == NULL && !open_target(&in[1]->shape, &target)) {
    out->poisoned = !open_shape(node, in, !zero_known || params->special_zero, &out->shape, scope) || out->poisoned;
    return IR_OK;
  }
  if (facts.contents != NULL && (!read_target(&facts, zero_known && params->special_zero, &target) ||
                                 (!zero_known && has_zero(facts.contents)))) {
    out->poisoned = true;
    return IR_OK;
  }
  if (out->poisoned)
    return IR_OK;
  ir_reshape_fit fit = ir_reshape_solve(&target, &in[0]->shape, &out->shape);
  out->poisoned = !report_fit(&facts, &target, fit, &out->shape);
  return IR_OK;
}

/* ---- the row ---- */

static size_t add_product(const ir_shape *shape, char *buffer, size_t size) {
  size_t used = 0;
  char dim[IR_DIM_TEXT];
  for (int i = 0; i < shape->rank && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? "*" : "",
                             ir_dim_text(shape->dims[i], dim, sizeof dim));
  if (shape->rank == 0)
    used = (size_t)snprintf(buffer, size, "1");
  return used;
}

static void formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size) {
  const ir_shape *from = &in[0]->shape, *to = &node->outputs[0].shape;
  buffer[0] = '\0';
  if (from->rank == IR_RANK_UNKNOWN || to->rank == IR_RANK_UNKNOWN || node->outputs[0].poisoned)
    return;
  size_t used = add_product(from, buffer, size);
  if (used < size)
    used += (size_t)snprintf(buffer + used, size - used, " = ");
  if (used < size)
    add_product(to, buffer + used, size - used);
}

static const ir_attr_spec attrs[] = {{.name = "special_zero",
                                      .kind = IR_ATTR_BOOL,
                                      .offset = offsetof(reshape_params, special_zero),
                                      .required = true,
                                      .fallback = "false",
                                      .fallback_if_allowed = true},
                                     {.name = NULL}};

const ir_op ir_op_reshape_1 = {
    .dialect = IR_OPENVINO,
    .type = "Reshape",
    .version = 1,
    .spec = IR_SPEC_PAGE("shape/reshape-1"),
    .params_size = sizeof(reshape_params),
    .attrs = attrs,
    .inputs = IR_PORTS(IR_MOVED_T("data"), {.name = "shape",
                                            .type_var = "T_SHAPE",
                                            .types = IR_SET_INTEGERS,
                                            .rank_min = 1,
                                            .rank_max = 1,
                                            .contents = true}),
    .outputs = IR_PORTS(IR_MOVED_T("output")),
    .narrow = IR_SET_NARROW,
    .infer = infer,
    .ranges = ir_ranges_same,
    .run = {IR_RUN_PREPARED, .prepare = ir_same_elements_prepare},
    .function = IR_FUNCTION_VIEW,
    .formula = formula,
};
