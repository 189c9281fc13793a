#include "ops/kernels/gather_scatter.h"
#include "base/stop.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"
#include <assert.h>
#include <string.h>

/* ---- shapes ---- */

/* Axes for ir_slices.rows: tensor 0 is `data`, tensor 1 the indices. */
typedef struct block {
  int rank;
  int64_t dims[IR_MAX_RANK], steps[IR_ND_ITER_MOST][IR_MAX_RANK];
} block;

static void add_axis(block *b, int64_t n, int64_t data_step, int64_t index_step) {
  b->dims[b->rank] = n;
  b->steps[0][b->rank] = data_step;
  b->steps[1][b->rank++] = index_step;
}

static int64_t elements_behind(const ir_shape *shape, int axis) {
  const ir_shape behind = {.rank = 0};
  ir_shape rest = behind;
  int64_t elements;
  for (int i = axis; i < shape->rank; i++)
    rest.dims[rest.rank++] = shape->dims[i];
  return ir_shape_elements(&rest, &elements) ? elements : 0;
}

ir_slices ir_slices_along(const ir_shape *data, const ir_shape *indices, int axis, int n_batch) {
  int64_t data_steps[IR_MAX_RANK], index_steps[IR_MAX_RANK];
  block b = {.rank = 0};
  ir_nd_iter_steps(data, 0, data->rank, data_steps);
  ir_nd_iter_steps(indices, 0, indices->rank, index_steps);
  for (int i = 0; i < n_batch; i++)
    add_axis(&b, data->dims[i].lo, data_steps[i], index_steps[i]);
  for (int i = n_batch; i < axis; i++)
    add_axis(&b, data->dims[i].lo, data_steps[i], 0);
  for (int i = n_batch; i < indices->rank; i++)
    add_axis(&b, indices->dims[i].lo, 0, index_steps[i]);
  return (ir_slices){.rows = ir_nd_iter_of(b.rank, b.dims, 2, b.steps),
                     .n_numbers = 1,
                     .sizes = {data->dims[axis].lo},
                     .steps = {data_steps[axis]},
                     .slice = elements_behind(data, axis + 1)};
}

ir_slices ir_slices_of_elements(const ir_shape *data, const ir_shape *indices, int axis) {
  int64_t data_steps[IR_MAX_RANK], index_steps[IR_MAX_RANK];
  block b = {.rank = 0};
  ir_nd_iter_steps(data, 0, data->rank, data_steps);
  ir_nd_iter_steps(indices, 0, indices->rank, index_steps);
  for (int i = 0; i < indices->rank; i++)
    add_axis(&b, indices->dims[i].lo, i == axis ? 0 : data_steps[i], index_steps[i]);
  return (ir_slices){.rows = ir_nd_iter_of(b.rank, b.dims, 2, b.steps),
                     .n_numbers = 1,
                     .sizes = {data->dims[axis].lo},
                     .steps = {data_steps[axis]},
                     .slice = 1};
}

ir_slices ir_slices_nd(const ir_shape *data, const ir_shape *indices, int n_batch) {
  int64_t data_steps[IR_MAX_RANK], step = 1;
  const int last = indices->rank - 1, n_numbers = (int)indices->dims[last].lo;
  block b = {.rank = last};
  ir_nd_iter_steps(data, 0, data->rank, data_steps);
  for (int i = last - 1; i >= 0; i--) {
    b.dims[i] = indices->dims[i].lo;
    b.steps[0][i] = i < n_batch ? data_steps[i] : 0;
    b.steps[1][i] = b.dims[i] == 1 ? 0 : step * n_numbers;
    if (!ir_mul(step, b.dims[i], &step))
      step = 0; /* the product overflows only if another dim is 0 */
  }
  ir_slices slices = {.rows = ir_nd_iter_of(b.rank, b.dims, 2, b.steps),
                      .n_numbers = n_numbers,
                      .slice = elements_behind(data, n_batch + n_numbers)};
  for (int k = 0; k < n_numbers; k++) {
    slices.sizes[k] = data->dims[n_batch + k].lo;
    slices.steps[k] = data_steps[n_batch + k];
  }
  return slices;
}

static int64_t count_of(const ir_slices *slices) {
  return ir_nd_iter_count(&slices->rows) * ir_nd_iter_length(&slices->rows);
}

/* ---- offsets ---- */

enum { OUTSIDE = -1 };

/* Returns the position in `numbers` of the first number that is out of range; n_numbers if all are in range. */
static int number_outside(const ir_slices *slices, const int64_t *numbers) {
  int k = 0;
  while (k < slices->n_numbers && numbers[k] >= -slices->sizes[k] && numbers[k] < slices->sizes[k])
    k++;
  return k;
}

static int64_t place_of(const ir_slices *slices, const int64_t *numbers, int64_t base) {
  if (number_outside(slices, numbers) < slices->n_numbers)
    return OUTSIDE;
  for (int k = 0; k < slices->n_numbers; k++)
    base += (numbers[k] < 0 ? numbers[k] + slices->sizes[k] : numbers[k]) * slices->steps[k];
  return base;
}

/* Writes the places of m slices whose index is one number: of numbers[0], numbers[index_step].. The first has the base
 * `base`, the next base + step. */
IR_LOOP void places_of_numbers_loop(const ir_slices *slices, const int64_t *numbers, int64_t index_step, int64_t base,
                                    int64_t m, int64_t *places) {
  const int64_t size = slices->sizes[0], slice_step = slices->steps[0];
  const int64_t step = slices->rows.steps[0][slices->rows.n_axes - 1];
  for (int64_t j = 0; j < m; j++) {
    const int64_t number = numbers[j * index_step];
    const bool is_inside = (number >= -size) & (number < size);
    const int64_t at = is_inside ? number + (number < 0 ? size : 0) : 0;
    places[j] = is_inside ? base + j * step + at * slice_step : OUTSIDE;
  }
}
IR_EACH_ISA(places_of_numbers,
            (const ir_slices *slices, const int64_t *numbers, int64_t index_step, int64_t base, int64_t m,
             int64_t *places),
            (slices, numbers, index_step, base, m, places))

/* Writes the offsets in `data` of slices [at, at + n) of a row; OUTSIDE if an index is out of range. */
static void places_of_row(const ir_slices *slices, const ir_tensor *indices, const ir_nd_iter_place *row, int64_t at,
                          int64_t n, int64_t *places) {
  const int last = slices->rows.n_axes - 1;
  const int64_t step = slices->rows.steps[0][last], index_step = slices->rows.steps[1][last];
  const int64_t most = index_step == 0 ? n : IR_PIECE / slices->n_numbers;
  int64_t numbers[IR_PIECE];
  for (int64_t i = 0, m; i < n; i += m) {
    m = n - i < most ? n - i : most;
    ir_index_load(indices, row->offset[1] + (at + i) * index_step, (index_step == 0 ? 1 : m) * slices->n_numbers,
                  numbers);
    if (slices->n_numbers == 1)
      places_of_numbers(slices, numbers, index_step, row->offset[0] + (at + i) * step, m, places + i);
    else
      for (int64_t j = 0; j < m; j++)
        places[i + j] = place_of(slices, &numbers[j * index_step], row->offset[0] + (at + i + j) * step);
  }
}

/* Writes the offsets in `data` of slices [first, first + n), counted over all rows. */
static void find_places(const ir_slices *slices, const ir_tensor *indices, int64_t first, int64_t n, int64_t *places) {
  const int64_t length = ir_nd_iter_length(&slices->rows);
  ir_nd_iter_place row;
  ir_nd_iter_go(&slices->rows, first / length, &row);
  for (int64_t at = first % length; n > 0; at = 0) {
    const int64_t n_row = length - at < n ? length - at : n;
    places_of_row(slices, indices, &row, at, n_row, places);
    places += n_row;
    n -= n_row;
    ir_nd_iter_next(&slices->rows, &row);
  }
}

/* Reports the first number that is out of range in the index of slice `slice`. */
static ir_code report_outside(const ir_slices *slices, const ir_tensor *indices, int64_t slice,
                              const ir_index_input *input) {
  const int last = slices->rows.n_axes - 1;
  const int64_t length = ir_nd_iter_length(&slices->rows);
  int64_t numbers[IR_MAX_RANK];
  ir_nd_iter_place row;
  ir_nd_iter_go(&slices->rows, slice / length, &row);
  const int64_t at = row.offset[1] + slice % length * slices->rows.steps[1][last];
  ir_index_load(indices, at, slices->n_numbers, numbers);
  const int k = number_outside(slices, numbers);
  if (k == slices->n_numbers)
    return ir_index_report_change(input);
  return ir_index_report(input, at + k, numbers[k], -slices->sizes[k], slices->sizes[k]);
}

/* ---- gathering ---- */

typedef struct gather_state {
  ir_slices slices;
  ir_outside outside;
  ir_index_input indices;
} gather_state;

typedef struct gather_work {
  const gather_state *state;
  const ir_tensor *data, *indices;
  const ir_tensor *out;
  const ir_exec *exec;
} gather_work;

/* Whether no place is OUTSIDE, which is the only negative one. */
static bool all_inside(const int64_t *places, int64_t n) {
  int64_t signs = 0;
  for (int64_t i = 0; i < n; i++)
    signs |= places[i];
  return signs >= 0;
}

/* Callers pass a constant `bytes` for small slices, so that memcpy becomes a load and a store. */
static inline void copy_slices(size_t bytes, size_t element, const int64_t *places, int64_t n, const char *data,
                               char *to) {
  if (all_inside(places, n))
    for (int64_t i = 0; i < n; i++)
      memcpy(to + (size_t)i * bytes, data + (size_t)places[i] * element, bytes);
  else
    for (int64_t i = 0; i < n; i++)
      if (places[i] != OUTSIDE)
        memcpy(to + (size_t)i * bytes, data + (size_t)places[i] * element, bytes);
      else
        memset(to + (size_t)i * bytes, 0, bytes);
}

static void gather(void *user, int64_t begin, int64_t end, int worker) {
  const gather_work *work = user;
  const size_t element = ir_type_size(work->out->type), bytes = element * (size_t)work->state->slices.slice;
  int64_t places[IR_PIECE], *first_outside = ir_exec_scratch(work->exec, worker);
  for (int64_t slice = begin, n; slice < end; slice += n) {
    n = end - slice < IR_PIECE ? end - slice : IR_PIECE;
    find_places(&work->state->slices, work->indices, slice, n, places);
    for (int64_t i = 0; i < n; i++)
      assert(places[i] == OUTSIDE ||
             (places[i] >= 0 && places[i] <= ir_tensor_elements(work->data) - work->state->slices.slice));
    for (int64_t i = all_inside(places, n) ? n : 0; i < n; i++)
      if (places[i] == OUTSIDE && slice + i < *first_outside)
        *first_outside = slice + i;
    char *to = (char *)work->out->data + (size_t)slice * bytes;
    if (bytes == 4)
      copy_slices(4, element, places, n, work->data->data, to);
    else if (bytes == 8)
      copy_slices(8, element, places, n, work->data->data, to);
    else
      copy_slices(bytes, element, places, n, work->data->data, to);
  }
}

static ir_code run_gather(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const gather_state *state = step->state;
  gather_work work = {state, in[0], in[1], out[0], exec};
  int64_t first_outside = INT64_MAX;
  if (ir_tensor_elements(out[0]) == 0)
    return IR_OK;
  for (int i = 0; i < exec->n_workers; i++)
    *(int64_t *)ir_exec_scratch(exec, i) = INT64_MAX;
  exec->share(exec, count_of(&state->slices), (int64_t)(2 * out[0]->bytes + in[1]->bytes), gather, &work);
  for (int i = 0; i < exec->n_workers; i++) {
    const int64_t first = *(int64_t *)ir_exec_scratch(exec, i);
    first_outside = first < first_outside ? first : first_outside;
  }
  if (first_outside == INT64_MAX || state->outside == IR_OUTSIDE_IS_0)
    return IR_OK;
  return report_outside(&state->slices, in[1], first_outside, &state->indices);
}

ir_code ir_gather_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_outside outside,
                       ir_scope *scope) {
  static const ir_kernel kernel = {.name = "gather", .isa = "any", .run = run_gather, .reads_unaligned = true};
  gather_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (gather_state){*slices, outside, ir_index_input_of(plan, node, 1, scope)};
  const int32_t in[2] = {ir_plan_input_slot(plan, 0), ir_plan_input_slot(plan, 1)};
  const int32_t out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &kernel, state, sizeof(int64_t), in, 2, &out, 1);
}

/* ---- scattering ---- */

/* Combines made[at + i] with updates[from + i], for i < n; all elements are of a compute type. */
typedef void combine_row(void *made, int64_t at, const void *updates, int64_t from, int64_t n);

#define COMBINE(name, type, ...)                                                                                       \
  static void name(void *made, int64_t at, const void *updates, int64_t from, int64_t n) {                             \
    type *ys = (type *)made + at;                                                                                      \
    const type *us = (const type *)updates + from;                                                                     \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const type y = ys[i], u = us[i];                                                                                 \
      ys[i] = (type)(__VA_ARGS__);                                                                                     \
    }                                                                                                                  \
  }
#define COMBINE_FLOATS(name, ...) COMBINE(name##_f32, float, __VA_ARGS__) COMBINE(name##_f64, double, __VA_ARGS__)
/* Results of integers keep only their low bits, so the function for unsigned integers serves signed integers, too. */
#define COMBINE_BITS(name, ...) COMBINE_FLOATS(name, __VA_ARGS__) COMBINE(name##_bits, uint64_t, __VA_ARGS__)
#define COMBINE_ALL(name, ...)                                                                                         \
  COMBINE_FLOATS(name, __VA_ARGS__)                                                                                    \
  COMBINE(name##_i64, int64_t, __VA_ARGS__) COMBINE(name##_u64, uint64_t, __VA_ARGS__)
#define ROWS_OF_BITS(name)                                                                                             \
  { name##_f32, name##_f64, name##_bits, name##_bits }
#define ROWS_OF_ALL(name)                                                                                              \
  { name##_f32, name##_f64, name##_i64, name##_u64 }

COMBINE_BITS(take, ((void)y, u))
COMBINE_BITS(sum, y + u)
COMBINE_BITS(subtract, y - u)
COMBINE_BITS(product, y *u)
COMBINE_ALL(least, IR_LESSER(u, y))
COMBINE_ALL(most, IR_GREATER(u, y))

static combine_row *const combine_rows[][IR_N_COMPUTE_TYPES] = {
    [IR_SCATTER_TAKES] = ROWS_OF_BITS(take),        [IR_SCATTER_SUM] = ROWS_OF_BITS(sum),
    [IR_SCATTER_SUBTRACT] = ROWS_OF_BITS(subtract), [IR_SCATTER_PRODUCT] = ROWS_OF_BITS(product),
    [IR_SCATTER_LEAST] = ROWS_OF_ALL(least),        [IR_SCATTER_MOST] = ROWS_OF_ALL(most),
    [IR_SCATTER_MEAN] = ROWS_OF_BITS(sum)};

typedef struct scatter_state {
  ir_slices slices;
  ir_scattering scattering;
  bool from_data;
  ir_index_input indices;
} scatter_state;

/* Outputs of a step. MADE is output 0. Some reductions have temporary outputs: COMPUTED is output 0 in the compute
 * type, COUNTS is the number of updates of each element. */
enum { MADE, COMPUTED, COUNTS, N_SCATTERED };

typedef struct scatter_work {
  const scatter_state *state;
  const ir_tensor *updates;
  ir_compute_type compute;
  void *made;      /* the output's elements; for reductions, in the compute type */
  int64_t n_made;  /* number of these elements */
  int64_t *counts; /* number of updates of each element; NULL if it is not needed */
  ir_stop *stop;
} scatter_work;

/* Combines n loaded updates, `length` elements each, with the elements at places[i] + at. */
static void combine(const scatter_work *work, const int64_t *places, int64_t n, int64_t at, int64_t length,
                    const void *updates) {
  combine_row *const *rows = combine_rows[work->state->scattering], *row = rows[work->compute];
  for (int64_t i = 0; i < n; i++) {
    const int64_t place = places[i] + at;
    const bool is_first = work->counts != NULL && work->counts[place]++ == 0 && !work->state->from_data;
    (is_first ? combine_rows[IR_SCATTER_TAKES][work->compute] : row)(work->made, place, updates, i * length, length);
  }
}

/* Combines updates [first, first + n) with the slices at offsets `places`. */
static void reduce_updates(const scatter_work *work, int64_t first, const int64_t *places, int64_t n) {
  const int64_t slice = work->state->slices.slice, n_together = slice < IR_PIECE ? IR_PIECE / slice : 1;
  const ir_tensor *updates = work->updates;
  const size_t element = ir_type_size(updates->type);
  ir_piece piece;
  for (int64_t i = 0, m; i < n; i += m) {
    m = n - i < n_together ? n - i : n_together;
    for (int64_t at = 0, length; at < slice; at += length) {
      length = slice - at < IR_PIECE ? slice - at : IR_PIECE;
      ir_compute_load(updates->type, (const char *)updates->data + (size_t)((first + i) * slice + at) * element,
                      work->compute, &piece, m * length);
      combine(work, places + i, m, at, length, &piece);
    }
  }
}

/* Callers pass a constant `bytes` for small slices, as for copy_slices. */
static inline void put_slices(size_t bytes, size_t element, const int64_t *places, int64_t n, const char *from,
                              char *made) {
  for (int64_t i = 0; i < n; i++)
    memcpy(made + (size_t)places[i] * element, from + (size_t)i * bytes, bytes);
}

static void take_updates(const scatter_work *work, int64_t first, const int64_t *places, int64_t n) {
  const size_t element = ir_type_size(work->updates->type), bytes = element * (size_t)work->state->slices.slice;
  const char *from = (const char *)work->updates->data + (size_t)first * bytes;
  if (bytes == 4)
    put_slices(4, element, places, n, from, work->made);
  else if (bytes == 8)
    put_slices(8, element, places, n, from, work->made);
  else
    put_slices(bytes, element, places, n, from, work->made);
}

static ir_code scatter_updates(const scatter_work *work, const ir_tensor *indices) {
  const ir_slices *slices = &work->state->slices;
  const int64_t n_slices = slices->slice > 0 ? count_of(slices) : 0;
  const int64_t n_together = slices->slice < IR_PIECE ? IR_PIECE : 1;
  int64_t places[IR_PIECE], since = 0;
  for (int64_t slice = 0, n; slice < n_slices; slice += n) {
    n = n_slices - slice < n_together ? n_slices - slice : n_together;
    if (ir_stop_asked_after(work->stop, 0, n * slices->slice, &since))
      return IR_OK;
    find_places(slices, indices, slice, n, places);
    for (int64_t i = 0; i < n; i++) {
      if (places[i] == OUTSIDE)
        return report_outside(slices, indices, slice + i, &work->state->indices);
      assert(places[i] >= 0 && places[i] <= work->n_made - slices->slice);
    }
    (work->state->scattering == IR_SCATTER_TAKES ? take_updates : reduce_updates)(work, slice, places, n);
  }
  return IR_OK;
}

/* Divides sums by their number of terms; means of integers are truncated. */
static void divide_by_counts(const scatter_work *work, int64_t n) {
  const int more = work->state->from_data;
  int64_t since = 0;
  for (int64_t i = 0; i < n && !ir_stop_asked_after(work->stop, 0, 1, &since); i++) {
    const int64_t count = work->counts[i] + more;
    if (work->counts[i] == 0)
      continue;
    if (work->compute == IR_COMPUTE_F32)
      ((float *)work->made)[i] /= (float)count;
    else if (work->compute == IR_COMPUTE_F64)
      ((double *)work->made)[i] /= (double)count;
    else if (work->compute == IR_COMPUTE_I64)
      ((int64_t *)work->made)[i] /= count;
    else
      ((uint64_t *)work->made)[i] /= (uint64_t)count;
  }
}

/* Copies the data to the output, in the compute type if that is made, and clears the counts. Returns false if the run
 * is stopped. */
static bool begin_scatter(const scatter_work *work, const ir_tensor *data, size_t element, bool is_converted) {
  int64_t since = 0;
  for (int64_t at = 0, n; at < work->n_made; at += n) {
    n = least(work->n_made - at, 1 << 14);
    void *to = (char *)work->made + (size_t)at * element;
    if (ir_stop_asked_after(work->stop, 0, n, &since))
      return false;
    if (is_converted)
      ir_compute_load(data->type, ir_tensor_at(data, at), work->compute, to, n);
    else
      memcpy(to, ir_tensor_at(data, at), (size_t)n * element);
    if (work->counts != NULL)
      memset(work->counts + at, 0, (size_t)n * sizeof *work->counts);
  }
  return true;
}

static ir_code run_scatter(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const scatter_state *state = step->state;
  const int64_t n = ir_tensor_elements(out[MADE]);
  const bool is_converted = step->n_out > COMPUTED && out[COMPUTED] != NULL;
  scatter_work work = {
      state, in[2],     ir_compute_type_of(out[MADE]->type), out[is_converted ? COMPUTED : MADE]->data, n,
      NULL,  exec->stop};
  if (n == 0)
    return IR_OK;
  if (step->n_out > COUNTS && out[COUNTS] != NULL)
    work.counts = out[COUNTS]->data;
  if (!begin_scatter(&work, in[0], ir_type_size(out[is_converted ? COMPUTED : MADE]->type), is_converted))
    return IR_OK;
  const ir_code code = scatter_updates(&work, in[1]);
  if (state->scattering == IR_SCATTER_MEAN)
    divide_by_counts(&work, n);
  if (is_converted && !ir_stop_asked(exec->stop))
    ir_compute_store(work.compute, work.made, out[MADE]->type, out[MADE]->data, n);
  return code;
}

static ir_type stored_as(ir_compute_type compute) {
  static const ir_type types[] = {
      [IR_COMPUTE_F32] = IR_F32, [IR_COMPUTE_F64] = IR_F64, [IR_COMPUTE_I64] = IR_I64, [IR_COMPUTE_U64] = IR_U64};
  return types[compute];
}

ir_code ir_scatter_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_scattering scattering,
                        bool from_data, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "scatter", .isa = "any", .run = run_scatter};
  const ir_value *made = &node->outputs[0];
  const ir_compute_type compute = ir_compute_type_of(made->type);
  const bool reduces = scattering != IR_SCATTER_TAKES;
  scatter_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (scatter_state){*slices, scattering, from_data, ir_index_input_of(plan, node, 1, scope)};
  int32_t in[3], out[N_SCATTERED] = {ir_plan_output_slot(plan, 0), -1, -1};
  for (int i = 0; i < 3; i++)
    in[i] = ir_plan_input_slot(plan, i);
  if (reduces && !ir_compute_type_is(compute, made->type))
    out[COMPUTED] = ir_plan_temporary(plan, stored_as(compute), &made->shape);
  if (reduces && (!from_data || scattering == IR_SCATTER_MEAN))
    out[COUNTS] = ir_plan_temporary(plan, IR_I64, &made->shape);
  return ir_plan_step_on(plan, node, &kernel, state, 0, in, 3, out, reduces ? N_SCATTERED : 1);
}
