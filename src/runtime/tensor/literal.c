/* Makes tensors from literals: "1,2,3". */
#include "base/message_text.h"
#include "irrun_debug.h"
#include "runtime/context.h"
#include "runtime/tensor/cast.h"
#include "runtime/tensor/number_read.h"
#include "runtime/tensor/tensor_block.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

typedef struct literal {
  irrun_context *context;
  const char *text, *name;
} literal;

/* The unread items of a literal: "1,2,3". Brackets around the items are allowed, as in JSON and Python: "[1, 2, 3]". */
typedef struct items {
  const char *at; /* the next item; NULL: at the end */
  const char *end;
} items;

static items begin_items(const char *text) {
  const size_t length = strlen(text);
  const bool is_list = length >= 2 && text[0] == '[' && text[length - 1] == ']';
  return (items){text + is_list, text + length - is_list};
}

/* Reads the next item without surrounding blanks. False at the end. */
static bool next_item(items *list, const char **out_item, size_t *out_length) {
  if (list->at == NULL)
    return false;
  const char *item = list->at;
  while (item < list->end && *item == ' ')
    item++;
  const char *comma = memchr(item, ',', (size_t)(list->end - item));
  size_t length = (size_t)((comma == NULL ? list->end : comma) - item);
  list->at = comma == NULL ? NULL : comma + 1;
  while (length > 0 && item[length - 1] == ' ')
    length--;
  *out_item = item;
  *out_length = length;
  return true;
}

/* Parses "nan", "inf" and "-inf"; and "true" and "false", as 1 and 0. */
static bool read_word(const char *item, size_t length, ir_number *out) {
  const bool is_true = length == 4 && strncasecmp(item, "true", length) == 0;
  if (!is_true && !(length == 5 && strncasecmp(item, "false", length) == 0))
    return ir_read_number_word(item, length, out);
  *out = (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = is_true};
  return true;
}

bool irrun_tensor_is_literal(const char *text) {
  items list = begin_items(text);
  const char *item;
  size_t length;
  ir_number number;
  while (next_item(&list, &item, &length))
    if (length == 0 || (ir_number_length(item) != length && !read_word(item, length, &number)))
      return false;
  return true;
}

static int64_t count_items(const char *text) {
  int64_t n = 1;
  for (; *text != '\0'; text++)
    n += *text == ',';
  return n;
}

static ir_code report_count(const literal *l, int64_t n, const ir_shape *shape, const char *hint) {
  char expected[IR_SHAPE_TEXT];
  ir_code code = ir_report(&l->context->diags, IR503_INPUT_SHAPE_DIFFERS, (ir_where){.at = IR_NOWHERE},
                           "input '%s' gets %" PRId64 " number%s, expected as many as %s has", l->name, n,
                           n == 1 ? "" : "s", ir_shape_text(shape, expected, sizeof expected));
  ir_hint(&l->context->diags, "%s", hint);
  return code;
}

/* Sets `*out` to the shape of `n` items. If one dim of `given` is open, `n` decides it. An unknown rank becomes [n]. */
static ir_code find_shape(const literal *l, int64_t n, const ir_shape *given, ir_shape *out) {
  int open = -1;
  int64_t known = 1;
  *out = *given;
  if (given->rank == IR_RANK_UNKNOWN) {
    *out = ir_shape_of(1, &n);
    return IR_OK;
  }
  for (int axis = 0; axis < given->rank; axis++) {
    if (given->dims[axis].lo != given->dims[axis].hi && open >= 0)
      return report_count(l, n, given, "say how large it is with --shape, for more than one size is open");
    if (given->dims[axis].lo != given->dims[axis].hi)
      open = axis;
    else if (__builtin_mul_overflow(known, given->dims[axis].lo, &known))
      known = INT64_MAX;
  }
  if (open >= 0 && known > 0 && n % known == 0)
    out->dims[open] = ir_dim_of(n / known);
  bool fits =
      open < 0 ? n == known
               : known > 0 && n % known == 0 && n / known >= given->dims[open].lo && n / known <= given->dims[open].hi;
  return fits ? IR_OK : report_count(l, n, given, "one number for all elements is --fill NUMBER");
}

static ir_code set_element(const literal *l, ir_tensor *tensor, int64_t index, const char *item, size_t length) {
  ir_number number;
  if (!read_word(item, length, &number)) {
    ir_code code = ir_read_number(&l->context->diags, "input", item, length, &number);
    if (code != IR_OK)
      return code;
  }
  ir_fit fit = ir_tensor_set(tensor, index, number);
  if (fit != IR_NO_FIT && (fit != IR_ROUNDED || ir_type_in(tensor->type, IR_SET_ALL_FLOATS)))
    return IR_OK;
  return ir_report(&l->context->diags, IR504_INPUT_TYPE_DIFFERS, (ir_where){.at = IR_NOWHERE},
                   "number %" PRId64 " of input '%s' is %s, and %s has no such number", index, l->name,
                   ir_shown(item, length).text, ir_type_name(tensor->type));
}

irrun_status irrun_tensor_literal(irrun_context *context, const char *text, const char *name,
                                  const irrun_value *given_value, irrun_tensor **out_tensor) {
  const literal l = {context, text, name};
  const int64_t n = count_items(text);
  irrun_value value;
  int64_t dims[IRRUN_MAX_RANK], index = 0;
  *out_tensor = NULL;
  ir_code code = ir_take_struct(&context->diags, given_value, IR_SIZE_TO(irrun_value, shape), sizeof value, &value);
  if (code != IR_OK)
    return ir_status(code);
  ir_shape given = {.rank = value.shape.rank}, shape;
  for (int axis = 0; axis < given.rank; axis++)
    given.dims[axis] = (ir_dim){value.shape.dims[axis].lo, value.shape.dims[axis].hi};
  code = find_shape(&l, n, &given, &shape);
  if (code != IR_OK)
    return ir_status(code);
  for (int axis = 0; axis < shape.rank; axis++)
    dims[axis] = shape.dims[axis].lo;
  irrun_tensor *tensor;
  code = (ir_code)irrun_tensor_fill(context, "zeros", value.type, shape.rank, dims, &tensor);
  items list = begin_items(text);
  const char *item;
  for (size_t length; code == IR_OK && next_item(&list, &item, &length); index++)
    code = set_element(&l, &tensor->tensor, index, item, length);
  if (code == IR_OK)
    *out_tensor = tensor;
  else
    irrun_tensor_free(tensor);
  return ir_status(code);
}
