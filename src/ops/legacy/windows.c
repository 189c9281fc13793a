#include "ops/legacy/windows.h"

const char *const ir_legacy_auto_pads[] = {"", "same_upper", "same_lower", "valid", NULL};

/* Fills a list of `n` axes. Version 2 has at most two axes, Y before X. */
static void fill(int64_t *out, int n, ir_ints list, int64_t x, int64_t y, int64_t otherwise) {
  for (int i = 0; i < n; i++) {
    const int64_t old = i == n - 1 ? x : i == n - 2 ? y : -1;
    out[i] = ir_spatial_item(list, i, old >= 0 ? old : otherwise);
  }
}

/* Version 2 took a stride of 0 for 1. */
static int64_t at_least_1(int64_t stride) {
  return stride == 0 ? 1 : stride;
}

ir_legacy_full_window ir_legacy_fill_window(const ir_legacy_window *window, int n) {
  ir_legacy_full_window full = {.n = n};
  const ir_ints ends = window->pads_end.items != NULL ? window->pads_end : window->pads_begin;
  fill(full.kernel, n, window->kernel, window->kernel_x, window->kernel_y, 1);
  fill(full.strides, n, window->strides, at_least_1(window->stride_x), at_least_1(window->stride_y), 1);
  fill(full.dilations, n, window->dilations, window->dilation_x, window->dilation_y, 1);
  fill(full.pads_begin, n, window->pads_begin, window->pad_x, window->pad_y, 0);
  fill(full.pads_end, n, ends, window->pad_r >= 0 ? window->pad_r : window->pad_x,
       window->pad_b >= 0 ? window->pad_b : window->pad_y, 0);
  return full;
}

int ir_legacy_weight_dims(int64_t groups, int64_t first, int64_t second, const ir_legacy_full_window *window,
                          int64_t *dims) {
  int n = 0;
  if (groups > 1)
    dims[n++] = groups;
  dims[n++] = first / groups;
  dims[n++] = second;
  for (int i = 0; i < window->n; i++)
    dims[n++] = window->kernel[i];
  return n;
}

/* A list of the file has its own length, so that the op reports a wrong one. */
static void set_list(ir_expansion *x, ir_wire made, const char *name, ir_ints list, const int64_t *full, int n) {
  if (list.items != NULL && list.n != IR_REPEATED && list.n != n)
    ir_set_ints(x, made, name, list.n, list.items);
  else
    ir_set_ints(x, made, name, n, full);
}

void ir_legacy_set_window(ir_expansion *x, ir_wire made, const ir_legacy_window *window,
                          const ir_legacy_full_window *full, bool has_dilations) {
  set_list(x, made, "strides", window->strides, full->strides, full->n);
  if (has_dilations)
    set_list(x, made, "dilations", window->dilations, full->dilations, full->n);
  set_list(x, made, "pads_begin", window->pads_begin, full->pads_begin, full->n);
  set_list(x, made, "pads_end", window->pads_end, full->pads_end, full->n);
  if (window->auto_pad != IR_LEGACY_PAD_EXPLICIT)
    ir_set_text(x, made, "auto_pad", ir_legacy_auto_pads[window->auto_pad]);
}
