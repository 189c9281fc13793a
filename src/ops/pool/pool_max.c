#include "ops/pool/pool_max.h"
#include "ops/pool/pool_sweep_indices_step.h"
#include "ops/pool/pool_sweep_step.h"
#include <float.h>
#include <string.h>

/* Where the indices of a run go. */
typedef struct index_sink {
  ir_tensor *tensor;  /* NULL: nobody reads them */
  int64_t written;    /* rows are written one behind the other */
  void *scratch_best; /* room for a row of values that nobody reads; NULL: they are read */
} index_sink;

/* Room for one row of positions, or NULL when nobody reads them. */
static int64_t *begin_indices(const ir_step *step, const ir_maximum *maximum, ir_tensor *const *out,
                              const ir_exec *exec, index_sink *sink) {
  int64_t n_row = maximum->windows.axes[maximum->windows.n_axes - 1].n_out;
  int64_t *where = exec->scratch;
  *sink = (index_sink){.tensor = step->n_out > 1 ? out[1] : NULL};
  if (out[0] == NULL)
    sink->scratch_best = where + n_row;
  return sink->tensor == NULL ? NULL : where;
}

static void write_indices(index_sink *sink, const int64_t *where, int64_t n, int64_t plane_at, int64_t modulus) {
  for (int64_t i = 0; i < n; i++) {
    int64_t index = (plane_at + where[i]) % modulus;
    if (sink->tensor->type == IR_I32)
      ((int32_t *)sink->tensor->data)[sink->written + i] = (int32_t)index;
    else
      ((int64_t *)sink->tensor->data)[sink->written + i] = index;
  }
  sink->written += n;
}

/* ---- the variants ---- */

#define SAME(x) (x)

#define NAME(part) f32_##part
#define ELEMENT    float
#define LOAD       SAME
#define LOWEST     (-FLT_MAX)
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) f64_##part
#define ELEMENT    double
#define LOAD       SAME
#define LOWEST     (-DBL_MAX)
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) f16_##part
#define ELEMENT    uint16_t
#define LOAD       ir_f16_to_f32
#define LOWEST     0xFBFF
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) bf16_##part
#define ELEMENT    uint16_t
#define LOAD       ir_bf16_to_f32
#define LOWEST     0xFF7F
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i8_##part
#define ELEMENT    int8_t
#define LOAD       SAME
#define LOWEST     INT8_MIN
#include "ops/pool/pool_max_rows.inc"

/* A boolean's maximum is their disjunction. */
#define NAME(part) u8_##part
#define ELEMENT    uint8_t
#define LOAD       SAME
#define LOWEST     0
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i16_##part
#define ELEMENT    int16_t
#define LOAD       SAME
#define LOWEST     INT16_MIN
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) u16_##part
#define ELEMENT    uint16_t
#define LOAD       SAME
#define LOWEST     0
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i32_##part
#define ELEMENT    int32_t
#define LOAD       SAME
#define LOWEST     INT32_MIN
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) u32_##part
#define ELEMENT    uint32_t
#define LOAD       SAME
#define LOWEST     0
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i64_##part
#define ELEMENT    int64_t
#define LOAD       SAME
#define LOWEST     INT64_MIN
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) u64_##part
#define ELEMENT    uint64_t
#define LOAD       SAME
#define LOWEST     0
#include "ops/pool/pool_max_rows.inc"

static const ir_kernel kernels[] = {
    {.types = IR_SET(IR_F32), .name = "maximum_f32", .isa = "any", .run = f32_run},
    {.types = IR_SET(IR_F64), .name = "maximum_f64", .isa = "any", .run = f64_run},
    {.types = IR_SET(IR_F16), .name = "maximum_f16", .isa = "any", .run = f16_run},
    {.types = IR_SET(IR_BF16), .name = "maximum_bf16", .isa = "any", .run = bf16_run},
    {.types = IR_SET(IR_I8), .name = "maximum_i8", .isa = "any", .run = i8_run},
    {.types = IR_SET(IR_U8), .name = "maximum_u8", .isa = "any", .run = u8_run},
    {.types = IR_SET(IR_BOOLEAN), .name = "maximum_boolean", .isa = "any", .run = u8_run},
    {.types = IR_SET(IR_I16), .name = "maximum_i16", .isa = "any", .run = i16_run},
    {.types = IR_SET(IR_U16), .name = "maximum_u16", .isa = "any", .run = u16_run},
    {.types = IR_SET(IR_I32), .name = "maximum_i32", .isa = "any", .run = i32_run},
    {.types = IR_SET(IR_U32), .name = "maximum_u32", .isa = "any", .run = u32_run},
    {.types = IR_SET(IR_I64), .name = "maximum_i64", .isa = "any", .run = i64_run},
    {.types = IR_SET(IR_U64), .name = "maximum_u64", .isa = "any", .run = u64_run},
    {.types = 0},
};

ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope) {
  const bool reads_indices = node->n_outputs > 1 && ir_plan_output_slot(plan, node, 1) >= 0;
  if (start == IR_MAX_FROM_LOWEST) {
    bool done = false;
    ir_code code = reads_indices
                       ? ir_indices_step(plan, node, windows, index_modulus, scope, &done)
                       : ir_sweep_step(plan, node, &(ir_average){.windows = *windows}, ir_sweep_maximum, scope, &done);
    if (done || code != IR_OK)
      return code;
  }
  const ir_kernel *kernel = ir_kernel_row(node, kernels, sizeof *kernels, scope);
  if (kernel == NULL)
    return IR_UNSUPPORTED;
  ir_maximum *maximum = ir_arena_alloc(plan->arena, sizeof *maximum);
  if (maximum == NULL)
    return ir_out_of_memory(scope->diags);
  *maximum = (ir_maximum){.windows = *windows, .start = start, .index_modulus = index_modulus};
  int32_t from = ir_plan_input_slot(plan, node, 0), to[2] = {ir_plan_output_slot(plan, node, 0), -1};
  int32_t n_out = node->n_outputs > 1 ? 2 : 1;
  if (n_out > 1)
    to[1] = ir_plan_output_slot(plan, node, 1);
  /* For indices a row of positions, and one of values in case that nobody reads those. */
  size_t n_row = to[1] < 0 ? 0 : (size_t)windows->axes[windows->n_axes - 1].n_out;
  return ir_plan_step_on(plan, node, kernel, maximum, n_row * 2 * sizeof(int64_t), &from, 1, to, n_out);
}
