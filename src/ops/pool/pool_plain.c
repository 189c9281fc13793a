#include "ops/pool/pool_plain.h"
#include "ops/kernels/numbers.h"
#include <math.h>

/* ---- plans ---- */

/* Whether each window is the single element at the window's own position, and has no pads. */
static bool is_untouched(const ir_windows_axis *axis) {
  return axis->kernel <= 1 && ir_windows_is_identity(axis);
}

/* Copies `windows`, but merges adjacent axes whose windows are single elements. If joins_whole, also merges adjacent
 * axes that have one window each, which covers the axis. The second merge changes the order of additions. */
static bool join_axes(ir_plan *plan, const ir_windows *windows, bool joins_whole, ir_windows *out) {
  *out = (ir_windows){.n_planes = windows->n_planes};
  for (int a = 0; a < windows->n_axes; a++) {
    ir_windows_axis axis = windows->axes[a], *last = &out->axes[a > 0 ? out->n_axes - 1 : 0];
    const bool is_identity = is_untouched(&axis);
    const bool joins = a > 0 && is_identity && is_untouched(last);
    const int64_t n = joins ? last->n_in * axis.n_in : axis.n_in;
    if (is_identity)
      axis = (ir_windows_axis){.n_in = n, .n_out = n, .step = 1, .kernel = 1, .stride = 1};
    if (joins)
      *last = axis;
    else if (a == 0 || !joins_whole || !ir_windows_is_whole(last) || !ir_windows_is_whole(&axis))
      out->axes[out->n_axes++] = axis;
    else if (!ir_windows_make_whole(plan, last->n_in * axis.n_in, last))
      return false;
  }
  return true;
}

static void set_along(ir_plain *plain) {
  /* Windows of up to SHORT taps slide, that is, share terms, at strides up to SHORT; longer windows at strides up to
   * half their taps. */
  enum { SHORT = 8 };
  const ir_windows_axis *axis = &plain->windows.axes[plain->windows.n_axes - 1];
  const int64_t extent = (axis->kernel - 1) * axis->step + 1;
  plain->along = *axis;
  plain->slides = axis->kernel > 0 && (axis->n_out > 1 || axis->kernel == 1) &&
                  axis->stride <= (axis->kernel <= SHORT ? SHORT : axis->kernel / 2);
  plain->pitch = plain->slides ? most(IR_PLAIN_SPAN, 2 * extent) : IR_PLAIN_SPAN;
  plain->tile_out = plain->slides ? (plain->pitch - extent) / axis->stride + 1 : IR_PLAIN_SPAN;
}

/* Returns the kind of the operation's terms. Sums of integers are doubles if they are at most 2^51: doubles represent
 * these sums exactly, and means are rounded correctly. */
static ir_plain_kind kind_of(const ir_plain_what *what, int64_t most_taps) {
  if (what->op == IR_PLAIN_MAXIMUM || what->op == IR_PLAIN_INDICES)
    return what->op == IR_PLAIN_MAXIMUM ? IR_PLAIN_MAXIMA : IR_PLAIN_PLACES;
  const bool is_wide =
      ir_type_in(what->type, IR_SET_INTEGERS) && ldexp((double)most_taps, ir_type_bits(what->type)) > 0x1p51;
  return is_wide ? IR_PLAIN_WIDE_SUMS : IR_PLAIN_SUMS;
}

bool ir_plain_make(ir_plan *plan, const ir_windows *windows, const ir_plain_what *what, ir_plain *out) {
  *out = (ir_plain){.what = *what, .most_taps = 1, .plane_rows = 1, .n_lines = 3};
  out->what.nan_if_empty = what->nan_if_empty && ir_type_in(what->type, IR_SET_FLOATS);
  const bool keeps_order = what->op == IR_PLAIN_AVERAGE && ir_type_in(what->type, IR_SET_FLOATS);
  if (windows->n_planes > 0) {
    if (!join_axes(plan, windows, !keeps_order, &out->windows))
      return false;
    set_along(out);
    for (int64_t a = out->windows.n_axes - 1, apart = 1; a >= 0; apart *= out->windows.axes[a--].n_in) {
      const ir_windows_axis *axis = &out->windows.axes[a];
      const int64_t taps = most(ir_windows_most_taps(axis), 1);
      const bool is_across = a < out->windows.n_axes - 1;
      out->apart[a] = apart;
      out->most_taps *= taps;
      out->plane_rows *= is_across ? axis->n_out : 1;
      for (int64_t left = most(taps, axis->kernel); is_across && left > 0;
           left /= 2) /* one line per level of partial results */
        out->n_lines++;
    }
    out->n_rows = out->plane_rows * windows->n_planes;
  }
  out->kernel = ir_plain_kernel_of(what->type, kind_of(what, out->most_taps));
  return true;
}

/* The scratch has n_lines lines of terms, a line of divisors and a line of zeros. */
size_t ir_plain_scratch(const ir_plain *plain) {
  return plain->n_rows == 0 ? 0 : (size_t)plain->pitch * ((size_t)plain->n_lines * IR_PLAIN_TERM + 2 * sizeof(double));
}

/* ---- the step ---- */

typedef struct plain_state {
  ir_kernel row;
  ir_plain plain;
} plain_state;

typedef struct plain_work {
  ir_plain_job job;
  const ir_exec *exec;
} plain_work;

static void make_rows(void *user, int64_t begin, int64_t end, int worker) {
  const plain_work *work = user;
  ir_plain_job job = work->job;
  job.worker = worker;
  ir_plain_rows(&job, ir_exec_scratch(work->exec, worker), begin, end);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_plain *plain = &((const plain_state *)step->state)->plain;
  const ir_tensor *indices = plain->what.op == IR_PLAIN_INDICES ? out[1] : NULL;
  const size_t bytes = in[0]->bytes + (out[0] != NULL ? out[0]->bytes : 0) + (indices != NULL ? indices->bytes : 0);
  enum { EFFORT = 8 }; /* cost of computing a byte, relative to copying it */
  plain_work work = {.exec = exec,
                     .job = {.plain = plain,
                             .in = in[0]->data,
                             .out = out[0] != NULL ? out[0]->data : NULL,
                             .indices = indices != NULL ? indices->data : NULL,
                             .is_i64 = indices != NULL && indices->type == IR_I64,
                             .stop = exec->stop}};
  exec->share(exec, plain->n_rows, EFFORT * (int64_t)bytes, make_rows, &work);
  return IR_OK;
}

ir_code ir_plain_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, const ir_plain_what *what,
                      ir_scope *scope) {
  static const char *const names[] = {"average", "average", "maximum", "maximum_indices"};
  plain_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  if (!ir_plain_make(plan, windows, what, &state->plain))
    return IR_NO_MEMORY;
  if (state->plain.kernel == NULL)
    return ir_report_no_kernel(scope, ir_node_where(scope, node), what->type);
  state->row = (ir_kernel){
      .name = names[what->op], .isa = "any", .run = run, .why = "no vector kernel takes this type and these windows"};
  const int32_t from = ir_plan_input_slot(plan, 0);
  const int32_t to[2] = {ir_plan_output_slot(plan, 0),
                         what->op == IR_PLAIN_INDICES ? ir_plan_output_slot(plan, 1) : -1};
  return ir_plan_step_on(plan, node, &state->row, state, ir_plain_scratch(&state->plain), &from, 1, to,
                         node->n_outputs > 1 ? 2 : 1);
}
