/* ReduceMean-1: the mean over the axes that the second input lists; of nothing it is 0. Floats are averaged as in a
 * pool. Integers are not: an exact sum is divided toward zero, as OpenVINO, onnxruntime and ONNX's reference do. */
#include "ops/math/reduce.h"
#include "ops/pool/pool_average.h"
#include <string.h>

enum { TILE = 64 }; /* outputs next to each other whose sums are made together */

/* Adds a row of `n` elements: all to sums[0] where it is summed up itself, else one to each. */
typedef void add_row(const void *row, int64_t n, bool sums_up, ir_wide *sums);

/* `partial` is of one row, which no memory is large enough to overflow it with. */
#define ADD_ROW(name, element, partial)                                                                                \
  static void name(const void *row, int64_t n, bool sums_up, ir_wide *sums) {                                          \
    const element *x = row;                                                                                            \
    partial sum = 0;                                                                                                   \
    for (int64_t i = 0; i < n && sums_up; i++)                                                                         \
      sum += x[i];                                                                                                     \
    sums[0] += sum;                                                                                                    \
    for (int64_t i = 0; i < n && !sums_up; i++)                                                                        \
      sums[i] += x[i];                                                                                                 \
  }
ADD_ROW(add_i8, int8_t, int64_t)
ADD_ROW(add_u8, uint8_t, int64_t)
ADD_ROW(add_i16, int16_t, int64_t)
ADD_ROW(add_u16, uint16_t, int64_t)
ADD_ROW(add_i32, int32_t, ir_wide)
ADD_ROW(add_u32, uint32_t, ir_wide)
ADD_ROW(add_i64, int64_t, ir_wide)
ADD_ROW(add_u64, uint64_t, ir_wide)

typedef struct mean_kernel {
  ir_kernel kernel; /* of no types: the end */
  add_row *add;
} mean_kernel;

typedef struct mean_state {
  ir_windows windows;
  const mean_kernel *kernel;
} mean_state;

typedef struct mean_work {
  const ir_windows *windows;
  add_row *add;
  const char *in;
  char *out;
  size_t size; /* of an element */
} mean_work;

/* Outputs [begin, end) of the row that `walk` is at, which is output row `unit`. */
static void average_tile(const mean_work *work, ir_row_walk *walk, int64_t unit, int64_t begin, int64_t end) {
  const ir_windows_axis *axis = &work->windows->axes[work->windows->n_axes - 1];
  const ir_range range = ir_windows_range(axis, begin);
  const bool sums_up = axis->n_out == 1;
  const int64_t rows = ir_walk_taps(work->windows, walk), n = sums_up ? range.count : end - begin;
  ir_wide sums[TILE] = {0};
  for (int64_t r = 0; r < rows && range.count > 0; r++) {
    const int64_t at = ir_walk_row(work->windows, walk) * axis->n_in + range.begin;
    work->add(work->in + (size_t)at * work->size, n, sums_up, sums);
    ir_walk_next_tap(work->windows, walk);
  }
  for (int64_t o = begin; o < end; o++) {
    const ir_wide taps = (ir_wide)rows * range.count;
    const uint64_t mean = taps == 0 ? 0 : (uint64_t)(sums[o - begin] / taps);
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

static ir_code integer_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_scope *scope) {
  mean_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (mean_state){.windows = *windows, .kernel = ir_kernel_row(node, kernels, sizeof *kernels, scope)};
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
