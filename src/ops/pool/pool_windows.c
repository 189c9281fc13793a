#include "ops/pool/pool_windows.h"
#include <string.h>

ir_code ir_windows_make(ir_plan *plan, const ir_node *node, const ir_shape *in, const ir_shape *out, int n_plane_axes,
                        ir_windows_rule *rule, ir_windows *windows) {
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
    axis->ranges = ir_arena_array(plan->arena, (size_t)axis->n_out, sizeof *axis->ranges);
    if (axis->ranges == NULL)
      return ir_out_of_memory(plan->diags);
    if (!empty)
      rule(node, i, axis);
  }
  return IR_OK;
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
    taps *= windows->axes[i].ranges[walk->at[i]].count;
    walk->tap[i] = 0;
  }
  return taps;
}

int64_t ir_walk_row(const ir_windows *windows, const ir_row_walk *walk) {
  int64_t row = 0;
  for (int i = 0; i < windows->n_axes - 1; i++) {
    const ir_windows_axis *axis = &windows->axes[i];
    row = row * axis->n_in + axis->ranges[walk->at[i]].begin + walk->tap[i] * axis->step;
  }
  return row;
}

void ir_walk_next_tap(const ir_windows *windows, ir_row_walk *walk) {
  for (int i = windows->n_axes - 2; i >= 0; i--) {
    if (++walk->tap[i] < windows->axes[i].ranges[walk->at[i]].count)
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
