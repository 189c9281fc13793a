#include "ops/kernels/strided_copy.h"
#include "ops/kernels/nd_iter.h"
#include <assert.h>
#include <string.h>

enum {
  TILE = 32,   /* rows and columns that are copied together, so that both sides stay in the cache */
  BAND = 4096, /* most columns of a band, and fewest elements; a band is the part of a plane that one call copies */
  LARGE_COPY = 4 << 20 /* bytes that take about a ms */
};

static void add_axis(ir_strided_copy *copy, int64_t n, int64_t from, int64_t to) {
  int last = copy->rank - 1;
  if (copy->rank > 0 && copy->from[last] == from * n && copy->to[last] == to * n) {
    copy->dims[last] *= n;
    copy->from[last] = from;
    copy->to[last] = to;
    return;
  }
  assert(copy->rank < IR_MOST_STRIDES);
  copy->dims[copy->rank] = n;
  copy->from[copy->rank] = from;
  copy->to[copy->rank++] = to;
}

static void swap(int64_t *values, int a, int b) {
  int64_t value = values[a];
  values[a] = values[b];
  values[b] = value;
}

static int64_t length_of(int64_t stride) {
  return stride < 0 ? -stride : stride;
}

/* Writes the axes of more than one element to `order`, by descending stride in `to`; returns their number. */
static int sort_axes(int rank, const int64_t *dims, const int64_t *to, int *order) {
  int n = 0;
  for (int i = 0; i < rank; i++) {
    int at = n;
    if (dims[i] == 1)
      continue;
    for (; at > 0 && length_of(to[order[at - 1]]) < length_of(to[i]); at--)
      order[at] = order[at - 1];
    order[at] = i;
    n++;
  }
  return n;
}

/* Adds an axis of size 1 in front. */
static void add_front(ir_strided_copy *copy) {
  for (int i = copy->rank++; i > 0; i--) {
    copy->dims[i] = copy->dims[i - 1];
    copy->from[i] = copy->from[i - 1];
    copy->to[i] = copy->to[i - 1];
  }
  copy->dims[0] = 1;
  copy->from[0] = copy->to[0] = 0;
}

ir_strided_copy ir_strided_copy_of(int rank, const int64_t *dims, const int64_t *from, const int64_t *to) {
  ir_strided_copy copy = {.rank = 0};
  int order[IR_MOST_STRIDES], least = 0;
  for (int i = 0; i < rank; i++)
    if (dims[i] == 0)
      return (ir_strided_copy){.rank = 2};
  const int n = sort_axes(rank, dims, to, order);
  for (int i = 0; i < n; i++)
    add_axis(&copy, dims[order[i]], from[order[i]], to[order[i]]);
  while (copy.rank < 2)
    add_front(&copy);
  for (int i = 1; i < copy.rank - 1; i++)
    if (length_of(copy.from[i]) < length_of(copy.from[least]))
      least = i;
  swap(copy.dims, least, copy.rank - 2);
  swap(copy.from, least, copy.rank - 2);
  swap(copy.to, least, copy.rank - 2);
  return copy;
}

/* ---- planes ---- */

/* A plane, or a part of one, along two axes; strides are in bytes. */
typedef struct plane {
  int64_t rows, columns;
  int64_t from_row, from_column, to_row, to_column;
} plane;

/* Callers pass a constant `element`, so that memcpy becomes a load or a store, and the loop one of vectors. */
static inline void fill_size(size_t element, const void *value, void *to, int64_t n) {
  uint64_t bits = 0;
  memcpy(&bits, value, element);
  for (int64_t i = 0; i < n; i++)
    memcpy((char *)to + (size_t)i * element, &bits, element);
}

void ir_fill_elements(size_t element, const void *value, void *to, int64_t n) {
  if (element == 1)
    memset(to, *(const unsigned char *)value, (size_t)n);
  else if (element == 2)
    fill_size(2, value, to, n);
  else if (element == 4)
    fill_size(4, value, to, n);
  else
    fill_size(8, value, to, n);
}

static void copy_rows(const plane *p, size_t element, const char *from, char *to) {
  for (int64_t i = 0; i < p->rows; i++)
    memcpy(to + i * p->to_row, from + i * p->from_row, (size_t)p->columns * element);
}

/* Callers pass a constant `element`, so that memcpy becomes a load and a store. */
static inline void copy_tiles(const plane *p, size_t element, const char *from, char *to) {
  for (int64_t row = 0; row < p->rows; row += TILE)
    for (int64_t column = 0; column < p->columns; column += TILE) {
      int64_t last_row = row + TILE < p->rows ? row + TILE : p->rows;
      int64_t last_column = column + TILE < p->columns ? column + TILE : p->columns;
      for (int64_t i = row; i < last_row; i++)
        for (int64_t j = column; j < last_column; j++)
          memcpy(to + i * p->to_row + j * p->to_column, from + i * p->from_row + j * p->from_column, element);
    }
}

static void copy_plane(const plane *p, size_t element, const char *from, char *to) {
  assert(element == 1 || element == 2 || element == 4 || element == 8);
  if (p->from_column == (int64_t)element && p->to_column == (int64_t)element)
    copy_rows(p, element, from, to);
  else if (p->from_column == 0 && p->to_column == (int64_t)element)
    for (int64_t i = 0; i < p->rows; i++)
      ir_fill_elements(element, from + i * p->from_row, to + i * p->to_row, p->columns);
  else if (element == 1)
    copy_tiles(p, 1, from, to);
  else if (element == 2)
    copy_tiles(p, 2, from, to);
  else if (element == 4)
    copy_tiles(p, 4, from, to);
  else
    copy_tiles(p, 8, from, to);
}

/* ---- the block ---- */

typedef struct copy_work {
  const ir_strided_copy *copy;
  size_t element;
  const char *from;
  char *to;
  int64_t rows, columns; /* size of a band, the part of a plane that is copied at once */
  ir_strided_copy bands; /* the block with a band as unit: number of bands, and strides between bands, on each axis */
} copy_work;

static int64_t least_of(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Returns the size and the strides of the band at positions at[row], at[column] of its plane. */
static plane band_of(const copy_work *work, const int64_t *at) {
  const ir_strided_copy *copy = work->copy;
  const int row = copy->rank - 2, column = copy->rank - 1;
  const int64_t bytes = (int64_t)work->element;
  return (plane){.rows = least_of(work->rows, copy->dims[row] - at[row] * work->rows),
                 .columns = least_of(work->columns, copy->dims[column] - at[column] * work->columns),
                 .from_row = copy->from[row] * bytes,
                 .from_column = copy->from[column] * bytes,
                 .to_row = copy->to[row] * bytes,
                 .to_column = copy->to[column] * bytes};
}

static void copy_bands(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const copy_work *work = user;
  const ir_strided_copy *bands = &work->bands;
  const int64_t bytes = (int64_t)work->element;
  int64_t at[IR_MOST_STRIDES], from = 0, to = 0, rest = begin;
  for (int i = bands->rank - 1; i >= 0; i--) {
    at[i] = rest % bands->dims[i];
    rest /= bands->dims[i];
    from += at[i] * bands->from[i];
    to += at[i] * bands->to[i];
  }
  for (int64_t item = begin; item < end; item++) {
    const plane p = band_of(work, at);
    copy_plane(&p, work->element, work->from + from * bytes, work->to + to * bytes);
    for (int i = bands->rank - 1; i >= 0; i--) {
      from += bands->from[i];
      to += bands->to[i];
      if (++at[i] < bands->dims[i])
        break;
      at[i] = 0;
      from -= bands->dims[i] * bands->from[i];
      to -= bands->dims[i] * bands->to[i];
    }
  }
}

static void cut_axis(ir_strided_copy *bands, int axis, int64_t length) {
  bands->dims[axis] = ir_ceil_div(bands->dims[axis], length);
  bands->from[axis] *= length;
  bands->to[axis] *= length;
}

void ir_strided_copy_run(const ir_strided_copy *copy, size_t element, const void *from, void *to, ir_exec *exec) {
  const int row = copy->rank - 2, column = copy->rank - 1;
  int64_t elements = 1, n = 1;
  if (copy->dims[row] == 0)
    return;
  copy_work work = {.copy = copy,
                    .element = element,
                    .from = (const char *)from + copy->from_first * (int64_t)element,
                    .to = (char *)to + copy->to_first * (int64_t)element,
                    .columns = least_of(copy->dims[column], BAND),
                    .bands = *copy};
  work.rows = ir_ceil_div(ir_ceil_div(BAND, work.columns), TILE) * TILE;
  cut_axis(&work.bands, row, work.rows);
  cut_axis(&work.bands, column, work.columns);
  for (int i = 0; i < copy->rank; i++) {
    elements *= copy->dims[i];
    n *= work.bands.dims[i];
  }
  if (exec == NULL)
    copy_bands(&work, 0, n, 0);
  else
    exec->share(exec, n, 2 * elements * (int64_t)element, copy_bands, &work);
}

ir_exec *ir_strided_copy_exec(const ir_tensor *out, int64_t n, ir_exec *exec) {
  return (int64_t)out->bytes / LARGE_COPY >= n ? exec : NULL;
}

void ir_fill_tensor(const ir_tensor *out, const void *value, ir_exec *exec) {
  const int64_t n = ir_tensor_elements(out), from_step = 0, to_step = 1;
  const ir_strided_copy copy = ir_strided_copy_of(1, &n, &from_step, &to_step);
  ir_strided_copy_run(&copy, ir_type_size(out->type), value, out->data, exec);
}

/* ---- the step ---- */

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  ir_strided_copy_run(step->state, ir_type_size(in[0]->type), in[0]->data, out[0]->data, exec);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "strided_copy", .isa = "any", .run = run};

ir_strided_copy ir_strided_copy_between(const ir_shape *shape, ir_layout from, ir_layout to) {
  int64_t dims[IR_MAX_RANK], from_steps[IR_MAX_RANK], to_steps[IR_MAX_RANK];
  ir_laid_steps(from, shape, from_steps);
  ir_laid_steps(to, shape, to_steps);
  for (int i = 0; i < shape->rank; i++)
    dims[i] = shape->dims[i].lo;
  return ir_strided_copy_of(shape->rank, dims, from_steps, to_steps);
}

ir_code ir_strided_copy_step_on(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy, int32_t in,
                                int32_t out) {
  ir_strided_copy *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  *state = *copy;
  return ir_plan_step_on(plan, node, &kernel, state, 0, &in, 1, &out, 1);
}

ir_code ir_strided_copy_step(ir_plan *plan, const ir_node *node, const ir_strided_copy *copy) {
  return ir_strided_copy_step_on(plan, node, copy, ir_plan_input_slot(plan, 0), ir_plan_output_slot(plan, 0));
}
