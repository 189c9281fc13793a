#include "ops/kernels/resample.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/isa.h"
#include <math.h>

/* ---- taps ---- */

ir_taps *ir_taps_new(ir_plan *plan, int64_t n_out, int64_t most, bool weighted, void (*add_all)(ir_taps *, int64_t j),
                     const void *rule) {
  int64_t n;
  ir_taps *taps = ir_arena_alloc(plan->arena, sizeof *taps);
  if (taps != NULL && ir_mul(n_out, most, &n) && n < INT64_MAX) {
    *taps = (ir_taps){.n_out = n_out,
                      .begin = ir_arena_uncleared(plan->arena, (size_t)n_out + 1, sizeof *taps->begin),
                      .from = ir_arena_uncleared(plan->arena, (size_t)n + 1, sizeof *taps->from),
                      .add_all = add_all,
                      .rule = rule};
    if (weighted) {
      taps->weights = ir_arena_uncleared(plan->arena, (size_t)n + 1, sizeof *taps->weights);
      taps->floats = ir_arena_uncleared(plan->arena, (size_t)n + 1, sizeof *taps->floats);
    }
    if (taps->begin != NULL && taps->from != NULL && weighted == (taps->weights != NULL && taps->floats != NULL))
      return taps;
  }
  ir_out_of_memory(plan->diags);
  return NULL;
}

void ir_taps_add(ir_taps *taps, int64_t j, int64_t from, double weight) {
  int64_t *end = &taps->begin[j + 1];
  taps->from[*end] = from;
  if (taps->weights != NULL) {
    taps->weights[*end] = weight;
    taps->floats[*end] = (float)weight;
  }
  ++*end;
}

/* Makes the taps, unless they are made. Returns false if `stop` is set; a later call begins again. */
static bool make_taps(ir_taps *taps, ir_stop *stop) {
  if (taps->are_made)
    return true;
  taps->stop = stop;
  taps->since = taps->begin[0] = 0;
  for (int64_t j = 0; j < taps->n_out && !ir_stop_asked_after(stop, 0, 1, &taps->since); j++) {
    taps->begin[j + 1] = taps->begin[j];
    taps->add_all(taps, j);
  }
  taps->are_made = !ir_stop_asked(stop);
  return taps->are_made;
}

/* ---- one axis ---- */

typedef struct axis_state {
  ir_taps *taps;
  ir_shape shape; /* shape of the input, axes in memory order */
  int axis;       /* index in `shape` */
} axis_state;

/* Treats the input as [outer, n_in, inner], and the output as [outer, n_out, inner]. A row is `inner` elements; the
 * output has outer * n_out rows. */
typedef struct axis_work {
  const ir_taps *taps;
  int64_t n_in, inner;
  const void *in;
  void *out;
} axis_work;

/* Defines `name`, which computes output rows [begin, end). For each row it calls row(taps, k, k_end, line, to, inner),
 * which writes the row at `to` from taps [k, k_end) and the input block `line`, [n_in, inner]. If `inner` is 1, `name`
 * stores the result of element(taps, k, k_end, line) instead. */
#define ROWS(name, type, row, element)                                                                                 \
  IR_LOOP void name##_rows_loop(const axis_work *work, int64_t begin, int64_t end) {                                   \
    const ir_taps *taps = work->taps;                                                                                  \
    const int64_t inner = work->inner;                                                                                 \
    const type *line = (const type *)work->in + begin / taps->n_out * work->n_in * inner;                              \
    type *to = (type *)work->out + begin * inner;                                                                      \
    for (int64_t j = begin % taps->n_out, behind; begin < end;                                                         \
         begin += behind - j, j = 0, line += work->n_in * inner) {                                                     \
      behind = taps->n_out - j < end - begin ? taps->n_out : j + end - begin;                                          \
      for (int64_t i = j; inner == 1 && i < behind; i++)                                                               \
        *to++ = element(taps, taps->begin[i], taps->begin[i + 1], line);                                               \
      for (int64_t i = j; inner != 1 && i < behind; i++, to += inner)                                                  \
        row(taps, taps->begin[i], taps->begin[i + 1], line, to, inner);                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name##_rows, (const axis_work *work, int64_t begin, int64_t end), (work, begin, end))                    \
  static void name(void *user, int64_t begin, int64_t end, int worker) {                                               \
    (void)worker;                                                                                                      \
    name##_rows(user, begin, end);                                                                                     \
  }

/* Defines `name` for weighted sums of taps, by ROWS. In a row, the first one or two taps set the elements, and the
 * other taps are added two at a time. */
#define RESAMPLE(name, type, weights)                                                                                  \
  static inline void name##_row(const ir_taps *taps, int64_t k, int64_t end, const type *line, type *restrict to,      \
                                int64_t inner) {                                                                       \
    bool sets = (end - k) % 2 == 0;                                                                                    \
    for (int64_t i = 0; k == end && i < inner; i++)                                                                    \
      to[i] = 0;                                                                                                       \
    if (!sets) {                                                                                                       \
      const type *a = line + taps->from[k] * inner, of_a = taps->weights[k];                                           \
      for (int64_t i = 0; i < inner; i++)                                                                              \
        to[i] = of_a * a[i];                                                                                           \
      k++;                                                                                                             \
    }                                                                                                                  \
    for (; k < end; k += 2, sets = false) {                                                                            \
      const type *a = line + taps->from[k] * inner, of_a = taps->weights[k];                                           \
      const type *b = line + taps->from[k + 1] * inner, of_b = taps->weights[k + 1];                                   \
      for (int64_t i = 0; sets && i < inner; i++)                                                                      \
        to[i] = of_a * a[i] + of_b * b[i];                                                                             \
      for (int64_t i = 0; !sets && i < inner; i++)                                                                     \
        to[i] = to[i] + of_a * a[i] + of_b * b[i];                                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  static inline type name##_element(const ir_taps *taps, int64_t k, int64_t end, const type *line) {                   \
    type sum = k < end ? taps->weights[k] * line[taps->from[k]] : 0;                                                   \
    for (k++; k < end; k++)                                                                                            \
      sum += taps->weights[k] * line[taps->from[k]];                                                                   \
    return sum;                                                                                                        \
  }                                                                                                                    \
  ROWS(name, type, name##_row, name##_element)

#define MOVE(name, type)                                                                                               \
  static inline void name##_row(const ir_taps *taps, int64_t k, int64_t end, const type *line, type *restrict to,      \
                                int64_t inner) {                                                                       \
    const type *from = line + (k < end ? taps->from[k] * inner : 0);                                                   \
    for (int64_t i = 0; i < inner; i++)                                                                                \
      to[i] = k < end ? from[i] : 0;                                                                                   \
  }                                                                                                                    \
  static inline type name##_element(const ir_taps *taps, int64_t k, int64_t end, const type *line) {                   \
    return k < end ? line[taps->from[k]] : 0;                                                                          \
  }                                                                                                                    \
  ROWS(name, type, name##_row, name##_element)

RESAMPLE(resample_f32, float, floats)
RESAMPLE(resample_f64, double, weights)
MOVE(move_1, uint8_t)
MOVE(move_2, uint16_t)
MOVE(move_4, uint32_t)
MOVE(move_8, uint64_t)

static ir_work *work_of(const ir_taps *taps, ir_type type) {
  if (taps->weights != NULL)
    return type == IR_F64 ? resample_f64 : resample_f32;
  const size_t size = ir_type_size(type);
  return size == 1 ? move_1 : size == 2 ? move_2 : size == 4 ? move_4 : move_8;
}

static ir_code run_axis(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const axis_state *state = step->state;
  axis_work work = {state->taps, state->shape.dims[state->axis].lo, 1, in[0]->data, out[0]->data};
  const int64_t n = ir_tensor_elements(out[0]);
  if (n == 0 || !make_taps(state->taps, exec->stop))
    return IR_OK;
  for (int i = state->axis + 1; i < state->shape.rank; i++)
    work.inner *= state->shape.dims[i].lo;
  exec->share(exec, n / work.inner, (int64_t)(in[0]->bytes + out[0]->bytes), work_of(work.taps, out[0]->type), &work);
  return IR_OK;
}

static const ir_kernel axis_kernel = {.name = "resample_axis", .isa = "any", .run = run_axis};

/* ---- rounding to integers ---- */

typedef struct narrow_work {
  const ir_tensor *in, *out;
  bool goes_away; /* true: ties are rounded away from zero; false: to even */
} narrow_work;

static void narrow(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const narrow_work *work = user;
  const ir_type from = work->in->type, to = work->out->type;
  double piece[IR_PIECE];
  for (int64_t n; begin < end; begin += n) {
    n = end - begin < IR_PIECE ? end - begin : IR_PIECE;
    const void *elements = (const char *)work->in->data + (size_t)begin * ir_type_size(from);
    const double *sums = elements;
    if (from == IR_F64)
      for (int64_t i = 0; i < n; i++)
        piece[i] = ir_rounded(work->goes_away ? round(sums[i]) : sums[i], to);
    ir_compute_store(from == IR_F64 ? IR_COMPUTE_F64 : IR_COMPUTE_F32, from == IR_F64 ? piece : elements, to,
                     (char *)work->out->data + (size_t)begin * ir_type_size(to), n);
  }
}

static ir_code run_narrow(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  narrow_work work = {in[0], out[0], *(const ir_resample_rounding *)step->state == IR_ROUND_EACH_AXIS};
  exec->share(exec, ir_tensor_elements(in[0]), (int64_t)(in[0]->bytes + out[0]->bytes), narrow, &work);
  return IR_OK;
}

static const ir_kernel narrow_kernel = {.name = "resample_narrow", .isa = "any", .run = run_narrow};

/* ---- steps ---- */

/* A chain of steps under construction. Each step reads the tensor that the step before wrote; the last step writes the
 * node's output. */
typedef struct step_chain {
  ir_plan *plan;
  const ir_node *node;
  ir_shape shape; /* shape of the current tensor */
  int32_t slot;
  int n_left; /* steps that are still to be appended */
} step_chain;

static ir_code add_step(step_chain *chain, const ir_kernel *kernel, const void *state, ir_type type) {
  const int32_t from = chain->slot;
  chain->slot =
      --chain->n_left == 0 ? ir_plan_output_slot(chain->plan, 0) : ir_plan_temporary(chain->plan, type, &chain->shape);
  return chain->slot < 0 ? IR_NO_MEMORY
                         : ir_plan_step_on(chain->plan, chain->node, kernel, state, 0, &from, 1, &chain->slot, 1);
}

static ir_code add_axis(step_chain *chain, int axis, ir_taps *taps, ir_type type) {
  axis_state *state = ir_arena_alloc(chain->plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(chain->plan->diags);
  *state = (axis_state){taps, ir_laid_shape(chain->node->outputs[0].layout, &chain->shape),
                        ir_laid_axis(chain->node->outputs[0].layout, axis, chain->shape.rank)};
  chain->shape.dims[axis] = ir_dim_of(taps->n_out);
  return add_step(chain, &axis_kernel, state, type);
}

ir_code ir_resample_steps(ir_plan *plan, const ir_node *node, const ir_value *in, ir_taps *const *taps,
                          ir_resample_rounding rounding) {
  static const ir_resample_rounding roundings[] = {IR_ROUND_LAST, IR_ROUND_EACH_AXIS};
  step_chain chain = {plan, node, in->shape, ir_plan_input_slot(plan, 0), 0};
  bool is_moved = true;
  int n_axes = 0;
  for (int i = 0; i < in->shape.rank; i++)
    if (taps[i] != NULL) {
      is_moved = taps[i]->weights == NULL;
      n_axes++;
    }
  const bool are_floats = ir_type_in(in->type, IR_SET_FLOATS);
  const ir_type type = is_moved ? in->type : are_floats && in->type != IR_F64 ? IR_F32 : IR_F64;
  const int n_rounded = rounding == IR_ROUND_EACH_AXIS && !are_floats ? n_axes : 1;
  chain.n_left = n_axes + (type == in->type ? 0 : n_rounded);
  if (n_axes == 0) {
    ir_plan_view(plan);
    return IR_OK;
  }
  ir_code code = IR_OK;
  int n_done = 0;
  for (int i = in->shape.rank - 1; i >= 0 && code == IR_OK; i--) {
    if (taps[i] == NULL)
      continue;
    if (type != in->type && n_done < n_rounded)
      chain.slot = ir_widened(plan, node, chain.slot);
    n_done++;
    code = chain.slot < 0 ? IR_NO_MEMORY : add_axis(&chain, i, taps[i], type);
    if (code == IR_OK && type != in->type && (n_rounded > 1 || n_done == n_axes))
      code = add_step(&chain, &narrow_kernel, &roundings[rounding], in->type);
  }
  return code;
}
