/* Pooling. Without rounding_type its output size is rounded up. A window that begins behind the input and pads_begin is
 * left out, as in AvgPool-14 and MaxPool-14 with rounding_type "ceil_torch". */
#include "ops/legacy/windows.h"

typedef struct params {
  ir_legacy_window window;
  int method, rounding, old_rounding;
  bool exclude_pad;
} params;

static const char *const methods[] = {"max", "avg", NULL};
enum { METHOD_MAX, METHOD_AVG };
static const char *const roundings[] = {"ceil", "floor", NULL};
enum { ROUNDING_CEIL, ROUNDING_FLOOR };

static const ir_attr_spec attrs[] = {
    IR_LEGACY_WINDOW_ROWS(params),
    IR_LEGACY_ENUM("pool-method", params, method, methods, .fallback = "max"),
    IR_LEGACY_ENUM("rounding_type", params, rounding, roundings, .fallback = "ceil"),
    IR_LEGACY_ENUM("rounding-type", params, old_rounding, roundings, .fallback = "ceil"),
    IR_LEGACY_BOOL("exclude-pad", params, exclude_pad, .fallback = "false"),
    IR_LEGACY_END};

/* Whether rounding up gives a last window that begins behind the input and pads_begin: only "ceil_torch" leaves it out.
 */
static bool has_outer_window(const ir_expansion *x, const ir_legacy_full_window *w) {
  for (int i = 0; i < w->n; i++) {
    const int64_t size = ir_plus(ir_old_dim(x, 0, 2 + i), w->pads_begin[i]);
    const int64_t room = ir_plus(size, w->pads_end[i]) - w->kernel[i];
    if (room > 0 && ir_times(ir_ceil_div(room, w->strides[i]), w->strides[i]) >= size)
      return true;
  }
  return false;
}

static void expand_pooling(ir_expansion *x) {
  const params *p = x->node->params;
  const int rank = ir_old_rank(x, 0);
  if (rank < 3) {
    ir_refuse_layer(x, "its input has no spatial axes");
    return;
  }
  /* with auto_pad, the rounding is that of the pads */
  const bool is_floor = p->window.auto_pad != IR_LEGACY_PAD_EXPLICIT || p->rounding == ROUNDING_FLOOR ||
                        p->old_rounding == ROUNDING_FLOOR;
  const ir_legacy_full_window window = ir_legacy_fill_window(&p->window, rank - 2);
  const bool is_max = p->method == METHOD_MAX;
  const bool is_torch = !is_floor && has_outer_window(x, &window);
  const int n_outputs = is_max && is_torch ? 2 : 1; /* MaxPool-1 has no indices */
  const ir_wire input = ir_old_input(x, 0);
  const ir_wire made = ir_new_op(x, is_max ? "MaxPool" : "AvgPool", is_torch ? 14 : 1, n_outputs, 1, &input);
  ir_set_ints(x, made, "kernel", window.n, window.kernel);
  ir_legacy_set_window(x, made, &p->window, &window, false);
  ir_set_text(x, made, "rounding_type", is_floor ? "floor" : is_torch ? "ceil_torch" : "ceil");
  if (n_outputs == 2)
    ir_set_text(x, made, "index_element_type", "i64");
  if (!is_max)
    ir_set_bool(x, made, "exclude-pad", p->exclude_pad);
  ir_give_output(x, 0, made);
}

IR_LEGACY_ROW(pooling, "Pooling", sizeof(params), attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_pooling);
