#include "ops/pool/pool_windows.h"
#include <string.h>

ir_code ir_windows_make(ir_plan *plan, const ir_node *node, const ir_shape *in, const ir_shape *out, int n_plane_axes,
                        ir_windows_rule *rule, ir_windows *windows) {
  *windows = (ir_windows){.n_planes = 1, .n_axes = in->rank - n_plane_axes};
  for (int i = 0; i < n_plane_axes; i++)
    windows->n_planes *= in->dims[i].lo;
  for (int i = 0; i < windows->n_axes; i++) {
    ir_windows_axis *axis = &windows->axes[i];
    *axis =
        (ir_windows_axis){.n_in = in->dims[n_plane_axes + i].lo, .n_out = out->dims[n_plane_axes + i].lo, .step = 1};
    axis->ranges = ir_arena_array(plan->arena, (size_t)axis->n_out, sizeof *axis->ranges);
    if (axis->ranges == NULL)
      return ir_out_of_memory(plan->diags);
    rule(node, i, axis);
    if (axis->n_out == 0)
      windows->n_planes = 0;
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
