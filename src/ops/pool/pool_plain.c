#include "ops/pool/pool_plain.h"
#include "ops/pool/pool_max_first.h"
#include "ops/pool/pool_numbers.h"
#include "ops/pool/pool_order.h"
#include <math.h>

/* ---- plans ---- */

/* Axes of an element a window that are next to each other become one, and so do whole ones, but not where the order of
 * additions shows. */
static bool join_axes(ir_plan *plan, const ir_windows *windows, bool joins_whole, ir_windows *out) {
  *out = (ir_windows){.n_planes = windows->n_planes};
  for (int a = 0; a < windows->n_axes; a++) {
    const ir_windows_axis *axis = &windows->axes[a];
    ir_windows_axis *last = out->n_axes > 0 ? &out->axes[out->n_axes - 1] : NULL;
    const int64_t n_in = last != NULL ? last->n_in * axis->n_in : 0;
    if (last != NULL && joins_whole && ir_windows_is_whole(last) && ir_windows_is_whole(axis)) {
      if (!ir_windows_make_whole(plan, n_in, last))
        return false;
    } else if (last != NULL && ir_windows_is_identity(last) && ir_windows_is_identity(axis)) {
      *last = (ir_windows_axis){.n_in = n_in, .n_out = n_in, .step = 1, .kernel = 1, .stride = 1};
    } else {
      out->axes[out->n_axes++] = *axis;
    }
  }
  return true;
}

/* Windows of as many taps each, evenly apart, although nobody said so. */
static void find_kernel(ir_windows_axis *axis) {
  const ir_range first = ir_windows_range(axis, 0);
  const int64_t stride = axis->n_out > 1 ? ir_windows_range(axis, 1).begin - first.begin : 1;
  bool even = first.count > 0 && stride > 0;
  for (int64_t o = 1; o < axis->n_out && even; o++)
    even =
        ir_windows_range(axis, o).count == first.count && ir_windows_range(axis, o).begin == first.begin + o * stride;
  if (!even)
    return;
  axis->kernel = first.count;
  axis->stride = stride;
  axis->pad_begin = -first.begin;
}

static void set_along(ir_plain *plain) {
  enum { SHORT = 8 }; /* is not worth to go one by one */
  ir_windows_axis *axis = &plain->along;
  *axis = plain->windows.axes[plain->windows.n_axes - 1];
  if (axis->kernel == 0)
    find_kernel(axis);
  const int64_t extent = (axis->kernel - 1) * axis->step + 1;
  plain->slides = axis->kernel > 0 && (axis->n_out > 1 || axis->kernel == 1) &&
                  axis->stride <= (axis->kernel <= SHORT ? SHORT : axis->kernel / 2);
  plain->tile_out = least(axis->n_out, IR_PLAIN_SPAN);
  plain->pitch = IR_PLAIN_SPAN;
  if (plain->slides) {
    plain->pitch = most(IR_PLAIN_SPAN, 2 * extent);
    plain->tile_out = least(axis->n_out, (plain->pitch - extent) / axis->stride + 1);
  }
  plain->chunk = ir_order_half(most(1, IR_PLAIN_SPAN / axis->step));
}

static void set_kernels(ir_plain *plain) {
  const ir_type type = plain->what.type;
  const ir_plain_op op = plain->what.op;
  if (op == IR_PLAIN_INDICES) {
    plain->quick = plain->sure = ir_plain_kernel_of(type, IR_PLAIN_PLACES);
  } else {
    const bool is_maximum = op == IR_PLAIN_MAXIMUM;
    plain->quick = ir_plain_kernel_of(type, is_maximum ? IR_PLAIN_MAXIMA : IR_PLAIN_SUMS);
    plain->sure = ir_plain_kernel_of(type, is_maximum ? IR_PLAIN_PLACES : IR_PLAIN_WIDE_SUMS);
    if (plain->quick != NULL &&
        (plain->quick->has_odd == NULL || (!is_maximum && plain->quick->greatest * (double)plain->most_taps <= 0x1p51)))
      plain->sure = plain->quick;
  }
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
      const int64_t taps = most(ir_windows_most_taps(axis), axis->kernel);
      const bool is_across = a < out->windows.n_axes - 1;
      out->apart[a] = apart;
      out->most_taps *= taps;
      out->plane_rows *= is_across ? axis->n_out : 1;
      for (int64_t left = taps; is_across && left > 0; left /= 2) /* lines that wait for as many taps */
        out->n_lines++;
    }
    out->n_rows = out->plane_rows * windows->n_planes;
  }
  set_kernels(out);
  return true;
}

/* Lines of terms, one of divisors and one of zeros. */
size_t ir_plain_scratch(const ir_plain *plain) {
  const size_t bytes =
      plain->sure->term_bytes > plain->quick->term_bytes ? plain->sure->term_bytes : plain->quick->term_bytes;
  return plain->n_rows == 0
             ? 0
             : (size_t)plain->pitch * ((size_t)plain->n_lines * bytes + sizeof(double) + sizeof(int64_t));
}

/* ---- runs ---- */

typedef struct plain_work {
  const ir_plain_job *job;
  const ir_exec *exec;
  const ir_plain_kernel *kernel;
  double limit; /* see has_odd */
  bool has_odd;
} plain_work;

enum { LOOKED_AT = 4096 }; /* elements at once */

static int64_t count_inputs(const ir_plain *plain) {
  return plain->windows.n_planes * ir_windows_plane_in(&plain->windows);
}

/* Parts of the input. What is found is the worker's own, at the begin of its scratch. */
static void look(void *user, int64_t begin, int64_t end, int worker) {
  const plain_work *work = user;
  const ir_plain *plain = work->job->plain;
  bool *found = ir_exec_scratch(work->exec, worker);
  const int64_t from = begin * LOOKED_AT, n = least(end * LOOKED_AT, count_inputs(plain)) - from;
  const char *elements = (const char *)work->job->in + (size_t)from * ir_type_size(plain->what.type);
  *found = *found || plain->quick->has_odd(elements, n, work->limit);
}

static bool find_odd(plain_work *work, int64_t bytes, ir_exec *exec) {
  const ir_plain *plain = work->job->plain;
  bool found = false;
  for (int i = 0; i < exec->n_workers; i++)
    *(bool *)ir_exec_scratch(exec, i) = false;
  exec->share(exec, (count_inputs(plain) + LOOKED_AT - 1) / LOOKED_AT, bytes, look, work);
  for (int i = 0; i < exec->n_workers; i++)
    found = found || *(const bool *)ir_exec_scratch(exec, i);
  return found;
}

static void make_rows(void *user, int64_t begin, int64_t end, int worker) {
  const plain_work *work = user;
  const ir_plain_job *job = work->job;
  const ir_plain *plain = job->plain;
  void *scratch = ir_exec_scratch(work->exec, worker);
  ir_plain_rows(job, work->kernel, scratch, begin, end);
  if (plain->what.op != IR_PLAIN_MAXIMUM)
    return;
  const int64_t n_out = plain->along.n_out;
  const size_t size = ir_type_size(plain->what.type);
  /* Rows without zeros are right. */
  for (int64_t u = begin; u < end && work->has_odd; u++)
    if (plain->quick->has_odd((const char *)job->out + (size_t)(u * n_out) * size, n_out, 1))
      ir_plain_rows(job, plain->sure, scratch, u, u + 1);
  if (plain->what.start == IR_MAX_FROM_FIRST)
    ir_max_from_first(&plain->windows, plain->what.type, job->in, job->out, NULL, begin, end);
}

void ir_plain_run(const ir_plain_job *job, int64_t bytes, ir_exec *exec) {
  enum { EFFORT = 8 }; /* of a byte, in times that it takes to copy it */
  const ir_plain *plain = job->plain;
  const bool is_maximum = plain->what.op == IR_PLAIN_MAXIMUM;
  plain_work work = {.job = job,
                     .exec = exec,
                     .kernel = plain->quick,
                     .limit = is_maximum ? -1 : floor(0x1p51 / (double)plain->most_taps)};
  if (plain->n_rows == 0)
    return;
  work.has_odd = plain->sure != plain->quick && find_odd(&work, bytes, exec);
  work.kernel = work.has_odd && !is_maximum ? plain->sure : plain->quick;
  exec->share(exec, plain->n_rows, EFFORT * bytes, make_rows, &work);
}

/* ---- the step ---- */

typedef struct plain_state {
  ir_kernel row;
  ir_plain plain;
} plain_state;

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_plain *plain = &((const plain_state *)step->state)->plain;
  const ir_tensor *indices = plain->what.op == IR_PLAIN_INDICES ? out[1] : NULL;
  const size_t bytes = in[0]->bytes + (out[0] != NULL ? out[0]->bytes : 0) + (indices != NULL ? indices->bytes : 0);
  const ir_plain_job job = {.plain = plain,
                            .in = in[0]->data,
                            .out = out[0] != NULL ? out[0]->data : NULL,
                            .indices = indices != NULL ? indices->data : NULL,
                            .is_i64 = indices != NULL && indices->type == IR_I64};
  ir_plain_run(&job, (int64_t)bytes, exec);
  return IR_OK;
}

ir_code ir_plain_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, const ir_plain_what *what,
                      ir_scope *scope) {
  static const char *const names[] = {"average", "average", "maximum", "maximum_indices"};
  plain_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  if (!ir_plain_make(plan, windows, what, &state->plain))
    return IR_IO;
  if (state->plain.quick == NULL)
    return ir_report_no_kernel(scope, ir_node_where(scope, node), what->type);
  state->row = (ir_kernel){.types = IR_SET(what->type), .name = names[what->op], .isa = "any", .run = run};
  const int32_t from = ir_plan_input_slot(plan, node, 0);
  const int32_t to[2] = {ir_plan_output_slot(plan, node, 0),
                         what->op == IR_PLAIN_INDICES ? ir_plan_output_slot(plan, node, 1) : -1};
  return ir_plan_step_on(plan, node, &state->row, state, ir_plain_scratch(&state->plain), &from, 1, to,
                         node->n_outputs > 1 ? 2 : 1);
}
