#include "ops/movement/slicing.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/strided_copy.h"
#include <string.h>

/* Starts, stops, sizes and steps are clamped to these limits, so that sums of two of them do not overflow. */
#define MOST_END  (INT64_MAX / 2)
#define MOST_SIZE (INT64_MAX / 4)
#define MOST_STEP (INT64_MAX / 8)

static int64_t clamp(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}

/* Returns the first position of a slice in a dim of `size`. A backward slice starts within the dim, like in the
 * specification of StridedSlice and in OpenVINO: 2[-9:-8:-1] has one element. In Python it has none. */
static int64_t start_of(int64_t start, int64_t size, bool is_back) {
  const int64_t at = start < 0 ? start + size : start;
  return clamp(at, 0, is_back ? size - 1 : size);
}

static int64_t stop_of(int64_t stop, int64_t size, bool is_back) {
  const int64_t at = stop < 0 ? stop + size : stop;
  return is_back ? clamp(at, -1, size - 1) : clamp(at, 0, size);
}

static int64_t length_of(int64_t size, int64_t start, int64_t stop, int64_t step) {
  const bool is_back = step < 0;
  const int64_t from = start_of(start, size, is_back), to = stop_of(stop, size, is_back);
  const int64_t distance = is_back ? from - to : to - from;
  return distance > 0 && size > 0 ? ir_ceil_div(distance, is_back ? -step : step) : 0;
}

/* Widens *out by the lengths of the slice for all sizes in `dim`. Between two of the sizes in `places` the length is
 * monotonic in the size. So its minimum and maximum are at or next to `places`. */
static void widen(ir_dim dim, int64_t start, int64_t stop, int64_t step, ir_dim *out) {
  const int64_t most = dim.hi < MOST_SIZE ? dim.hi : MOST_SIZE;
  const int64_t places[] = {dim.lo, most, start, -start, stop, -stop, start - stop, stop - start};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    for (int64_t near = -1; near <= 1; near++) {
      const int64_t size = clamp(places[i] + near, dim.lo < most ? dim.lo : most, most);
      *out = ir_dims_hull(*out, ir_dim_of(length_of(size, start, stop, step)));
    }
  const int64_t stride = step > 0 ? step : -step;
  if (dim.hi == IR_DIM_MAX && length_of(most, start, stop, step) > length_of(most - stride, start, stop, step))
    out->hi = IR_DIM_MAX;
}

/* Lists candidates for a start or stop at which the slice is shortest or longest. The length is monotonic in a start or
 * stop of constant sign. So the candidates are the ends of the interval, and -1 and 0 if the interval has both. */
static int ends_of(ir_dim interval, int64_t *out) {
  int n = 0;
  out[n++] = clamp(interval.lo, -MOST_END, MOST_END);
  if (!ir_dim_known(interval))
    out[n++] = clamp(interval.hi, -MOST_END, MOST_END);
  if (interval.lo < 0 && interval.hi >= 0) {
    out[n++] = -1;
    out[n++] = 0;
  }
  return n;
}

ir_dim ir_slice_dim(ir_dim dim, ir_dim start, ir_dim stop, int64_t step) {
  if (step == 0)
    return (ir_dim){0, dim.hi};
  int64_t starts[4], stops[4];
  const int n_starts = ends_of(start, starts), n_stops = ends_of(stop, stops);
  ir_dim out = {IR_DIM_MAX, 0};
  for (int i = 0; i < n_starts; i++)
    for (int j = 0; j < n_stops; j++)
      widen(dim, starts[i], stops[j], clamp(step, -MOST_STEP, MOST_STEP), &out);
  return out;
}

ir_dim ir_slice_end(const ir_value *list, int64_t i) {
  ir_dim end = ir_range_at(list, i);
  if (list->type == IR_I32 && end.hi == INT32_MAX)
    end.hi = IR_SLICE_BEHIND;
  if (list->type == IR_I32 && end.lo == INT32_MAX)
    end.lo = IR_SLICE_BEHIND;
  return end;
}

bool ir_slice_step(const ir_node *node, int port, const ir_value *list, int64_t i, int64_t *out, ir_scope *scope) {
  const ir_dim step = ir_range_at(list, i);
  *out = ir_dim_known(step) ? step.lo : 0;
  if (!ir_dim_known(step) || step.lo != 0)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' holds 0 at %lld; a step is not 0", ir_op_input(node->op, port)->name, (long long)i);
  return false;
}

bool ir_slicing_shape(const ir_node *node, const ir_slicing *slicing, const ir_shape *in, ir_shape *out,
                      ir_scope *scope) {
  int from = 0, rank = 0;
  ir_dim dims[2 * IR_MAX_RANK];
  for (int i = 0; i < slicing->n; i++) {
    const ir_sliced_axis *axis = &slicing->axes[i];
    const ir_dim dim = axis->is_new ? ir_dim_of(1) : in->dims[from++];
    if (!axis->is_removed)
      dims[rank++] = axis->is_new || axis->is_whole ? dim : ir_slice_dim(dim, axis->start, axis->stop, axis->step);
  }
  if (!ir_rank_fits(node, rank, scope))
    return false;
  out->rank = rank;
  for (int i = 0; i < rank; i++)
    out->dims[i] = dims[i];
  return true;
}

/* Finds the offset of the slice's first element in a tensor with strides `in_steps`, and the strides of the slice in
 * that tensor. Returns false if a start or step is unknown, or the start of a removed axis is out of range. */
static bool find_steps(const ir_slicing *slicing, const ir_shape *in, const int64_t *in_steps, int64_t *first,
                       int64_t *steps) {
  int from = 0, to = 0;
  *first = 0;
  for (int i = 0; i < slicing->n; i++) {
    const ir_sliced_axis *axis = &slicing->axes[i];
    if (axis->is_new) {
      steps[to++] = 0;
      continue;
    }
    const int64_t size = in->dims[from].lo, step = in_steps[from];
    from++;
    if (axis->is_whole) {
      steps[to++] = step;
      continue;
    }
    const int64_t start = clamp(axis->start.lo, -MOST_END, MOST_END);
    const int64_t at = start_of(start, size, axis->step < 0);
    if (!ir_dim_known(axis->start) || (axis->is_removed ? start < -size || start >= size : axis->step == 0))
      return false;
    *first += at * step;
    if (!axis->is_removed)
      steps[to++] = clamp(axis->step, -size, size) * step; /* any larger step also takes only the first element */
  }
  return true;
}

ir_code ir_slicing_ranges(const ir_slicing *slicing, const ir_value *in, ir_value *out, ir_scope *scope) {
  int64_t in_steps[IR_MAX_RANK], steps[IR_MAX_RANK], first;
  if (!ir_ranges_pass(in, out))
    return IR_OK;
  ir_nd_iter_steps(&in->shape, 0, in->shape.rank, in_steps);
  if (!find_steps(slicing, &in->shape, in_steps, &first, steps))
    return IR_OK;
  return ir_ranges_strided(in, first, steps, out, scope);
}

/* Sizes of a slice, its strides in the whole tensor and in the slice, and its offset in the whole tensor. */
typedef struct slice_steps {
  int64_t dims[IR_MAX_RANK], of_whole[IR_MAX_RANK], of_slice[IR_MAX_RANK], first;
} slice_steps;

static bool steps_of(const ir_slicing *slicing, const ir_node *node, const ir_value *whole, const ir_shape *shape,
                     slice_steps *out, ir_scope *scope) {
  char text[IR_SHAPE_TEXT];
  int64_t whole_steps[IR_MAX_RANK];
  int64_t elements;
  *out = (slice_steps){.first = 0};
  const bool is_empty = ir_shape_elements(shape, &elements) && elements == 0;
  ir_laid_steps(node->outputs[0].layout, &whole->shape, whole_steps);
  if (!is_empty && !find_steps(slicing, &whole->shape, whole_steps, &out->first, out->of_whole)) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
              "'%s' holds an index that %s%s has not", ir_op_input(node->op, 1)->name, ir_type_name(whole->type),
              ir_shape_text(&whole->shape, text, sizeof text));
    return false;
  }
  for (int i = 0; i < shape->rank; i++)
    out->dims[i] = shape->dims[i].lo;
  ir_laid_steps(node->outputs[0].layout, shape, out->of_slice);
  return true;
}

ir_code ir_slicing_step(const ir_slicing *slicing, const ir_node *node, const ir_value *in, ir_plan *plan,
                        ir_scope *scope) {
  const ir_shape *shape = &node->outputs[0].shape;
  slice_steps steps;
  if (!steps_of(slicing, node, in, shape, &steps, scope))
    return IR_INVALID;
  ir_strided_copy copy = ir_strided_copy_of(shape->rank, steps.dims, steps.of_whole, steps.of_slice);
  copy.from_first = steps.first;
  return ir_strided_copy_step(plan, node, &copy);
}

static ir_code run_replace(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  if (out[0]->bytes > 0)
    memcpy(out[0]->data, in[0]->data, out[0]->bytes);
  ir_strided_copy_run(step->state, ir_type_size(out[0]->type), in[1]->data, out[0]->data, exec);
  return IR_OK;
}

static const ir_kernel replace_kernel = {.name = "replace", .isa = "any", .run = run_replace};

ir_code ir_slicing_replace_step(const ir_slicing *slicing, const ir_node *node, const ir_value *const *in,
                                ir_plan *plan, ir_scope *scope) {
  const ir_shape *shape = &in[1]->shape;
  slice_steps steps;
  if (!steps_of(slicing, node, in[0], shape, &steps, scope))
    return IR_INVALID;
  ir_strided_copy *copy = ir_arena_alloc(plan->arena, sizeof *copy);
  if (copy == NULL)
    return ir_out_of_memory(scope->diags);
  *copy = ir_strided_copy_of(shape->rank, steps.dims, steps.of_slice, steps.of_whole);
  copy->to_first = steps.first;
  const int32_t slots[] = {ir_plan_input_slot(plan, 0), ir_plan_input_slot(plan, 1)};
  const int32_t out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &replace_kernel, copy, 0, slots, 2, &out, 1);
}
