#include "ops/axes.h"
#include <stdio.h>

/* Lists wrong values: "3, -5". */
typedef struct value_list {
  char text[256];
  size_t used;
} value_list;

static void add_value(value_list *list, const ir_tensor *contents, int64_t index) {
  char number[IR_NUMBER_TEXT];
  if (list->used < sizeof list->text)
    list->used +=
        (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s", list->used > 0 ? ", " : "",
                         ir_number_text(contents->type, ir_tensor_get(contents, index), number, sizeof number));
}

/* False for a value outside [-rank, rank - 1]. */
static bool axis_of(const ir_tensor *contents, int64_t index, int rank, int *out) {
  ir_number number = ir_tensor_get(contents, index);
  int64_t value = number.kind == IR_NUMBER_SIGNED                             ? number.i
                  : number.kind == IR_NUMBER_UNSIGNED && number.u < INT32_MAX ? (int64_t)number.u
                                                                              : INT64_MAX;
  if (value < -rank || value >= rank)
    return false;
  *out = (int)(value < 0 ? value + rank : value);
  return true;
}

bool ir_axes_read(const ir_node *node, int port, const ir_tensor *contents, int rank, ir_scope *scope, ir_axes *out) {
  value_list outside = {.used = 0}, repeated = {.used = 0};
  const char *name = ir_op_input(node->op, port)->name;
  *out = (ir_axes){.n = 0};
  for (int64_t i = 0; i < ir_tensor_elements(contents); i++) {
    int axis = 0;
    if (!axis_of(contents, i, rank, &axis))
      add_value(&outside, contents, i);
    else if (ir_axes_hold(out, axis))
      add_value(&repeated, contents, i);
    else
      out->items[out->n++] = axis;
  }
  ir_where where = ir_input_where(scope, node, port, -1);
  if (outside.used > 0)
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where, "'%s' holds %s; rank %d takes %d to %d", name, outside.text,
              rank, -rank, rank - 1);
  else if (repeated.used > 0)
    ir_report(scope->diags, IR315_AXES_UNUSABLE, where, "'%s' holds an axis twice: %s", name, repeated.text);
  return outside.used + repeated.used == 0;
}

bool ir_axes_fit(const ir_node *node, int port, ir_dim n_axes, int rank, ir_scope *scope) {
  if (n_axes.lo <= rank)
    return true;
  char n[IR_DIM_TEXT];
  ir_report(scope->diags, IR315_AXES_UNUSABLE, ir_input_where(scope, node, port, -1),
            "'%s' holds %s axes; rank %d has %d", ir_op_input(node->op, port)->name, ir_dim_text(n_axes, n, sizeof n),
            rank, rank);
  return false;
}
