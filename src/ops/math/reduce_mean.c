/* ReduceMean-1: the mean over the axes that the second input lists; of nothing it is 0. Floats are averaged as in a
 * pool. Integers are not: an exact sum is divided toward zero, as OpenVINO, onnxruntime and ONNX's reference do. */
#include "ops/math/reduce.h"
#include "ops/pool/pool_average.h"
#include <string.h>

enum {
  TILE = 256,     /* outputs next to each other whose sums are made together */
  PART = 1 << 15, /* elements of 16 bits that 32 bits can hold the sum of */
};

typedef struct mean_work mean_work;

/* Adds to each of the sums of outputs [begin, end) of the row that `walk` is at. */
typedef void add_rows(const mean_work *work, ir_row_walk *walk, int64_t begin, int64_t end, ir_wide *sums);

struct mean_work {
  const ir_windows *windows;
  add_rows *add;
  const void *in;
  char *out;
  size_t size; /* of an element */
};

/* Along the row either everything is one output's, or each element is one's own. Up to PART elements are added in
 * `term` before they go to the wide sum. */
#define ADD_ROWS(name, element, term)                                                                                  \
  static void name(const mean_work *work, ir_row_walk *walk, int64_t begin, int64_t end, ir_wide *sums) {              \
    const ir_windows_axis *axis = &work->windows->axes[work->windows->n_axes - 1];                                     \
    const int64_t rows = ir_walk_taps(work->windows, walk), n = end - begin, n_in = axis->n_in;                        \
    const bool sums_up = axis->n_out == 1;                                                                             \
    for (int64_t r = 0; r < rows;) {                                                                                   \
      term parts[TILE] = {0};                                                                                          \
      for (int64_t behind = rows - r < PART ? rows : r + PART; r < behind; r++) {                                      \
        const element *x = (const element *)work->in + ir_walk_row(work->windows, walk) * n_in;                        \
        ir_walk_next_tap(work->windows, walk);                                                                         \
        for (int64_t i = 0; i < n && !sums_up; i++)                                                                    \
          parts[i] += (term)x[begin + i];                                                                              \
        for (int64_t at = 0, to; at < n_in && sums_up; at = to) {                                                      \
          term sum = 0;                                                                                                \
          to = n_in - at < PART ? n_in : at + PART;                                                                    \
          for (int64_t i = at; i < to; i++)                                                                            \
            sum += (term)x[i];                                                                                         \
          sums[0] += sum;                                                                                              \
        }                                                                                                              \
      }                                                                                                                \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        sums[i] += parts[i];                                                                                           \
    }                                                                                                                  \
  }
ADD_ROWS(add_i8, int8_t, int32_t)
ADD_ROWS(add_u8, uint8_t, int32_t)
ADD_ROWS(add_i16, int16_t, int32_t)
ADD_ROWS(add_u16, uint16_t, int32_t)
ADD_ROWS(add_i32, int32_t, int64_t)
ADD_ROWS(add_u32, uint32_t, int64_t)
ADD_ROWS(add_i64, int64_t, ir_wide)
ADD_ROWS(add_u64, uint64_t, ir_wide)

typedef struct mean_kernel {
  ir_kernel kernel; /* of no types: the end */
  add_rows *add;
} mean_kernel;

typedef struct mean_state {
  ir_windows windows;
  const mean_kernel *kernel;
} mean_state;

/* Toward zero. A division of 128 bits takes several times as long. */
static ir_wide quotient(ir_wide sum, ir_wide taps) {
  return sum == (int64_t)sum && taps == (int64_t)taps ? (int64_t)sum / (int64_t)taps : sum / taps;
}

/* Outputs [begin, end) of output row `unit`, which `walk` is at. */
static void average_tile(const mean_work *work, ir_row_walk *walk, int64_t unit, int64_t begin, int64_t end) {
  const ir_windows_axis *axis = &work->windows->axes[work->windows->n_axes - 1];
  const ir_wide taps = (ir_wide)ir_walk_taps(work->windows, walk) * (axis->n_out > 1 ? 1 : axis->n_in);
  ir_wide sums[TILE] = {0};
  if (taps > 0)
    work->add(work, walk, begin, end, sums);
  for (int64_t o = begin; o < end; o++) {
    const uint64_t mean = taps == 0 ? 0 : (uint64_t)quotient(sums[o - begin], taps);
    memcpy(work->out + (size_t)(unit * axis->n_out + o) * work->size, &mean, work->size);
  }
}

static void average_rows(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const mean_work *work = user;
  const int64_t n_out = work->windows->axes[work->windows->n_axes - 1].n_out;
  ir_row_walk walk = {.at = {0}};
  int64_t rest = begin;
  for (int a = work->windows->n_axes - 2; a >= 0; a--) {
    walk.at[a] = rest % work->windows->axes[a].n_out;
    rest /= work->windows->axes[a].n_out;
  }
  for (int64_t unit = begin; unit < end; unit++) {
    for (int64_t o = 0; o < n_out; o += TILE)
      average_tile(work, &walk, unit, o, n_out - o < TILE ? n_out : o + TILE);
    ir_walk_next(work->windows, &walk);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const mean_state *state = step->state;
  const ir_windows *windows = &state->windows;
  if (windows->n_planes == 0)
    return IR_OK;
  mean_work work = {windows, state->kernel->add, in[0]->data, out[0]->data, ir_type_size(in[0]->type)};
  const int64_t n_rows = ir_windows_plane_out(windows) / windows->axes[windows->n_axes - 1].n_out;
  exec->share(exec, n_rows, (int64_t)(in[0]->bytes + out[0]->bytes), average_rows, &work);
  return IR_OK;
}

static const mean_kernel kernels[] = {
    {{.types = IR_SET(IR_I8), .name = "mean_i8", .isa = "any", .run = run}, add_i8},
    {{.types = IR_SET(IR_U8), .name = "mean_u8", .isa = "any", .run = run}, add_u8},
    {{.types = IR_SET(IR_I16), .name = "mean_i16", .isa = "any", .run = run}, add_i16},
    {{.types = IR_SET(IR_U16), .name = "mean_u16", .isa = "any", .run = run}, add_u16},
    {{.types = IR_SET(IR_I32), .name = "mean_i32", .isa = "any", .run = run}, add_i32},
    {{.types = IR_SET(IR_U32), .name = "mean_u32", .isa = "any", .run = run}, add_u32},
    {{.types = IR_SET(IR_I64), .name = "mean_i64", .isa = "any", .run = run}, add_i64},
    {{.types = IR_SET(IR_U64), .name = "mean_u64", .isa = "any", .run = run}, add_u64},
    {{.types = 0}, NULL},
};

/* Axes next to each other that are all reduced, or all kept, are one: rows become longer. */
static bool join_axes(ir_plan *plan, ir_windows *windows) {
  int n = 0;
  for (int i = 0; i < windows->n_axes; i++) {
    const ir_windows_axis next = windows->axes[i];
    ir_windows_axis *last = &windows->axes[n > 0 ? n - 1 : 0];
    if (n > 0 && ir_windows_is_whole(last) && ir_windows_is_whole(&next)) {
      if (!ir_windows_make_whole(plan, last->n_in * next.n_in, last))
        return false;
    } else if (n > 0 && ir_windows_is_identity(last) && ir_windows_is_identity(&next)) {
      const int64_t size = last->n_in * next.n_in;
      *last = (ir_windows_axis){.n_in = size, .n_out = size, .step = 1, .kernel = 1, .stride = 1};
    } else {
      windows->axes[n++] = next;
    }
  }
  windows->n_axes = n;
  return true;
}

static ir_code integer_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_scope *scope) {
  mean_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (mean_state){.windows = *windows, .kernel = ir_kernel_row(node, kernels, sizeof *kernels, scope)};
  if (windows->n_planes > 0 && !join_axes(plan, &state->windows))
    return IR_IO;
  return state->kernel == NULL ? IR_UNSUPPORTED : ir_plan_step(plan, node, &state->kernel->kernel, state, 0);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_windows windows;
  ir_code code = ir_reduce_windows(node, in, plan, scope, &windows);
  if (code != IR_OK)
    return code;
  return ir_type_in(node->outputs[0].type, IR_SET_INTEGERS)
             ? integer_step(plan, node, &windows, scope)
             : ir_average_step(plan, node, &(ir_average){.windows = windows}, scope);
}

const ir_op ir_op_reduce_mean_1 = {
    .dialect = IR_OPENVINO,
    .type = "ReduceMean",
    .version = 1,
    .spec = IR_SPEC_PAGE("reduction/reduce-mean-1"),
    .params_size = sizeof(ir_reduce_params),
    .attrs = ir_reduce_attrs,
    .inputs = {IR_REDUCE_INPUTS},
    .outputs = {IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)},
    .infer = ir_reduce_infer,
    .prepare = prepare,
    .cost = ir_reduce_cost,
};
