#include "ops/pool/pool_windows.h"
#include "ops/kernels/numbers.h"
#include <string.h>

enum { MOST_LISTED = 4096 };

static bool are_proportionate(const ir_windows_axis *axis) {
  const ir_wide span = (ir_wide)(axis->n_out - 1) * axis->stride + (ir_wide)(axis->kernel - 1) * axis->step + 1;
  return span <= (ir_wide)4 * (axis->n_in + axis->n_out);
}

static bool is_listed(const ir_windows_axis *axis) {
  return axis->n_out <= MOST_LISTED || axis->kernel == 0 || !are_proportionate(axis);
}

ir_tap_range ir_windows_clipped(const ir_windows_axis *axis, int64_t o) {
  const ir_window_axis window = {axis->kernel, axis->stride, axis->step, axis->pad_begin, 0};
  return ir_window_range(window, axis->n_in, o);
}

static bool make_list(ir_plan *plan, const ir_windows_rule *rule, ir_windows_axis *axis) {
  axis->ranges = ir_arena_array(plan->arena, (size_t)axis->n_out, sizeof *axis->ranges);
  if (axis->ranges == NULL)
    return ir_out_of_memory(plan->diags), false;
  for (int64_t o = 0; o < axis->n_out && axis->n_in > 0; o++)
    axis->ranges[o] = rule->range != NULL ? rule->range(axis, o) : ir_windows_clipped(axis, o);
  return true;
}

void ir_windows_settle(ir_windows_axis *axis) {
  axis->stride = axis->n_out > 1 ? axis->stride : most(least(axis->stride, axis->n_in), 1);
  if (axis->kernel == 0 || are_proportionate(axis))
    return;
  bool has_steps = false;
  for (int64_t o = 0; o < axis->n_out && axis->n_in > 0; o++)
    has_steps = has_steps || axis->ranges[o].count > 1;
  axis->step = has_steps ? axis->step : 1;
  axis->kernel = axis->stride = axis->pad_begin = 0;
}

ir_code ir_windows_make(ir_plan *plan, const ir_node *node, const ir_shape *in, const ir_shape *out, int n_plane_axes,
                        const ir_windows_rule *rule, ir_windows *windows) {
  int64_t n_inputs, n_outputs;
  *windows = (ir_windows){.n_axes = in->rank - n_plane_axes};
  /* Where a dim is 0 the product of the others may be beyond any number. */
  if (!ir_shape_elements(out, &n_outputs) || n_outputs == 0)
    return IR_OK;
  bool empty = !ir_shape_elements(in, &n_inputs) || n_inputs == 0; /* and so is every window, on any axis */
  windows->n_planes = 1;
  for (int i = 0; i < n_plane_axes; i++)
    windows->n_planes *= in->dims[i].lo;
  for (int i = 0; i < windows->n_axes; i++) {
    ir_windows_axis *axis = &windows->axes[i];
    *axis = (ir_windows_axis){
        .n_in = empty ? 0 : in->dims[n_plane_axes + i].lo, .n_out = out->dims[n_plane_axes + i].lo, .step = 1};
    if (!empty && rule->set != NULL)
      rule->set(node, i, axis);
    if (!is_listed(axis))
      continue;
    if (!make_list(plan, rule, axis))
      return IR_IO;
    ir_windows_settle(axis);
  }
  return IR_OK;
}

bool ir_windows_is_whole(const ir_windows_axis *axis) {
  const ir_tap_range first = ir_windows_range(axis, 0);
  return axis->n_out == 1 && first.begin == 0 && first.count == axis->n_in && (axis->step == 1 || axis->n_in == 1);
}

bool ir_windows_is_identity(const ir_windows_axis *axis) {
  if (axis->ranges == NULL)
    return axis->kernel == 1 && axis->stride == 1 && axis->pad_begin == 0 && axis->n_in == axis->n_out;
  bool same = axis->n_in == axis->n_out;
  for (int64_t o = 0; o < axis->n_out && same; o++)
    same = ir_windows_range(axis, o).begin == o && ir_windows_range(axis, o).count == 1;
  return same;
}

bool ir_windows_make_whole(ir_plan *plan, int64_t n_in, ir_windows_axis *out) {
  ir_tap_range *range = ir_arena_alloc(plan->arena, sizeof *range);
  if (range == NULL)
    return ir_out_of_memory(plan->diags), false;
  *range = (ir_tap_range){0, n_in};
  *out = (ir_windows_axis){.n_in = n_in, .n_out = 1, .step = 1, .ranges = range};
  return true;
}

int64_t ir_windows_most_taps(const ir_windows_axis *axis) {
  int64_t taps = axis->ranges == NULL ? axis->kernel : 0;
  for (int64_t o = 0; o < axis->n_out && axis->ranges != NULL; o++)
    taps = most(taps, axis->ranges[o].count);
  return taps;
}

ir_tap_range ir_windows_span(const ir_windows_axis *axis, int64_t o, int64_t end) {
  int64_t begin = INT64_MAX, behind = 0;
  for (; o < end; o++) {
    const ir_tap_range range = ir_windows_range(axis, o);
    const int64_t last = range.begin + (range.count - 1) * axis->step;
    begin = range.count > 0 && range.begin < begin ? range.begin : begin;
    behind = range.count > 0 && last >= behind ? last + 1 : behind;
  }
  return behind > 0 ? (ir_tap_range){begin, behind - begin} : (ir_tap_range){0, 0};
}

int64_t ir_windows_longest_span(const ir_windows_axis *axis, int64_t n_out) {
  if (axis->kernel > 0)
    return (n_out - 1) * axis->stride + (axis->kernel - 1) * axis->step + 1;
  int64_t span = 0;
  for (int64_t o = 0; o < axis->n_out; o += n_out)
    span = most(span, ir_windows_span(axis, o, least(o + n_out, axis->n_out)).count);
  return span;
}

int64_t ir_windows_plane_in(const ir_windows *windows) {
  int64_t n = 1;
  for (int i = 0; i < windows->n_axes; i++)
    n *= windows->axes[i].n_in;
  return n;
}

int64_t ir_windows_plane_out(const ir_windows *windows) {
  int64_t n = 1;
  for (int i = 0; i < windows->n_axes; i++)
    n *= windows->axes[i].n_out;
  return n;
}

int64_t ir_walk_taps(const ir_windows *windows, ir_row_walk *walk) {
  int64_t taps = 1;
  for (int i = 0; i < windows->n_axes - 1; i++) {
    taps *= ir_windows_range(&windows->axes[i], walk->at[i]).count;
    walk->tap[i] = 0;
  }
  return taps;
}

int64_t ir_walk_row(const ir_windows *windows, const ir_row_walk *walk) {
  int64_t row = 0;
  for (int i = 0; i < windows->n_axes - 1; i++) {
    const ir_windows_axis *axis = &windows->axes[i];
    row = row * axis->n_in + ir_windows_range(axis, walk->at[i]).begin + walk->tap[i] * axis->step;
  }
  return row;
}

void ir_walk_next_tap(const ir_windows *windows, ir_row_walk *walk) {
  for (int i = windows->n_axes - 2; i >= 0; i--) {
    if (++walk->tap[i] < ir_windows_range(&windows->axes[i], walk->at[i]).count)
      return;
    walk->tap[i] = 0;
  }
}

bool ir_walk_next(const ir_windows *windows, ir_row_walk *walk) {
  for (int i = windows->n_axes - 2; i >= 0; i--) {
    if (++walk->at[i] < windows->axes[i].n_out)
      return true;
    walk->at[i] = 0;
  }
  return false;
}
