/* Tensors that are written out: "1,2,3". */
#include "irrun_debug.h"
#include "message_text.h"
#include "runtime/context.h"
#include "runtime/tensor/cast.h"
#include "runtime/tensor/number_read.h"
#include "runtime/tensor/tensor_block.h"

#include <inttypes.h>
#include <string.h>

typedef struct literal {
  irrun_context *context;
  const char *text, *name;
} literal;

/* Moves `*cursor` to behind the next item and its comma; the item is without blanks around it. False at the end. */
static bool next_item(const char **cursor, const char **out_item, size_t *out_length) {
  if (*cursor == NULL)
    return false;
  const char *item = *cursor + strspn(*cursor, " "), *comma = strchr(item, ',');
  size_t length = comma == NULL ? strlen(item) : (size_t)(comma - item);
  *cursor = comma == NULL ? NULL : comma + 1;
  while (length > 0 && item[length - 1] == ' ')
    length--;
  *out_item = item;
  *out_length = length;
  return true;
}

bool irrun_is_literal(const char *text) {
  const char *item;
  size_t length;
  ir_number number;
  while (next_item(&text, &item, &length))
    if (length == 0 || (ir_number_length(item) != length && !ir_read_number_word(item, length, &number)))
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

/* The shape's own sizes; the number of items tells the one that it leaves open. */
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
  if (!ir_read_number_word(item, length, &number)) {
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
    return (irrun_status)code;
  ir_shape given = {.rank = value.shape.rank}, shape;
  for (int axis = 0; axis < given.rank; axis++)
    given.dims[axis] = (ir_dim){value.shape.dims[axis].lo, value.shape.dims[axis].hi};
  code = find_shape(&l, n, &given, &shape);
  if (code != IR_OK)
    return (irrun_status)code;
  for (int axis = 0; axis < shape.rank; axis++)
    dims[axis] = shape.dims[axis].lo;
  irrun_tensor *tensor;
  code = (ir_code)irrun_tensor_fill(context, "zeros", value.type, shape.rank, dims, &tensor);
  const char *cursor = text, *item;
  for (size_t length; code == IR_OK && next_item(&cursor, &item, &length); index++)
    code = set_element(&l, &tensor->tensor, index, item, length);
  if (code == IR_OK)
    *out_tensor = tensor;
  else
    irrun_tensor_free(tensor);
  return (irrun_status)code;
}
