#include "ops/pool/pool_average.h"
#include "ops/pool/pool_sweep_step.h"
#include <math.h>
#include <string.h>

ir_wide ir_round_half_even(ir_wide sum, ir_wide n) {
  ir_wide quotient = sum / n, rest = sum % n;
  if (rest < 0) {
    quotient--;
    rest += n;
  }
  bool up = rest > n - rest || (rest == n - rest && (quotient & 1) != 0);
  return quotient + up;
}

/* ---- the variants ---- */

#define SAME(x)             (x)
#define DIVIDE_F32(sum, n)  ((float)((sum) / (double)(n)))
#define DIVIDE_F64(sum, n)  ((sum) / (double)(n))
#define DIVIDE_F16(sum, n)  ir_f32_to_f16((sum) / (float)(n))
#define DIVIDE_BF16(sum, n) ir_f32_to_bf16((sum) / (float)(n))

#define NAME(part) f32_##part
#define ELEMENT    float
#define SUM        double
#define LOAD       (double)
#define STORE      DIVIDE_F32
#define EMPTY      NAN
#include "ops/pool/pool_average_rows.inc"

#define NAME(part) f64_##part
#define ELEMENT    double
#define SUM        double
#define LOAD       SAME
#define STORE      DIVIDE_F64
#define EMPTY      ((double)NAN)
#include "ops/pool/pool_average_rows.inc"

#define NAME(part) f16_##part
#define ELEMENT    uint16_t
#define SUM        float
#define LOAD       ir_f16_to_f32
#define STORE      DIVIDE_F16
#define EMPTY      0x7E00
#include "ops/pool/pool_average_rows.inc"

#define NAME(part) bf16_##part
#define ELEMENT    uint16_t
#define SUM        float
#define LOAD       ir_bf16_to_f32
#define STORE      DIVIDE_BF16
#define EMPTY      0x7FC0
#include "ops/pool/pool_average_rows.inc"

/* Integers: exact sums, rounded half to even. A window in memory has under 2^47 elements, so that 64 bits hold sums of
 * 16-bit ones; wider ones take 128. */

#define NAME(part)    i8_##part
#define ELEMENT       int8_t
#define SUM           int64_t
#define LOAD          SAME
#define STORE(sum, n) ((int8_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

#define NAME(part)    u8_##part
#define ELEMENT       uint8_t
#define SUM           int64_t
#define LOAD          SAME
#define STORE(sum, n) ((uint8_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

#define NAME(part)    i16_##part
#define ELEMENT       int16_t
#define SUM           int64_t
#define LOAD          SAME
#define STORE(sum, n) ((int16_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

#define NAME(part)    u16_##part
#define ELEMENT       uint16_t
#define SUM           int64_t
#define LOAD          SAME
#define STORE(sum, n) ((uint16_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

#define NAME(part)    i32_##part
#define ELEMENT       int32_t
#define SUM           ir_wide
#define LOAD          SAME
#define STORE(sum, n) ((int32_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

#define NAME(part)    u32_##part
#define ELEMENT       uint32_t
#define SUM           ir_wide
#define LOAD          SAME
#define STORE(sum, n) ((uint32_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

#define NAME(part)    i64_##part
#define ELEMENT       int64_t
#define SUM           ir_wide
#define LOAD          SAME
#define STORE(sum, n) ((int64_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

#define NAME(part)    u64_##part
#define ELEMENT       uint64_t
#define SUM           ir_wide
#define LOAD          SAME
#define STORE(sum, n) ((uint64_t)ir_round_half_even(sum, n))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

/* Of 0s and 1s, true where it is not 0. */
#define NAME(part)    boolean_##part
#define ELEMENT       uint8_t
#define SUM           int64_t
#define LOAD          SAME
#define STORE(sum, n) ((uint8_t)((sum) != 0))
#define EMPTY         0
#include "ops/pool/pool_average_rows.inc"

typedef struct average_row {
  ir_kernel kernel;
  size_t sum_bytes;
} average_row;

static const average_row rows[] = {
    {{.types = IR_SET(IR_F32), .name = "average_f32", .isa = "any", .run = f32_run}, sizeof(double)},
    {{.types = IR_SET(IR_F64), .name = "average_f64", .isa = "any", .run = f64_run}, sizeof(double)},
    {{.types = IR_SET(IR_F16), .name = "average_f16", .isa = "any", .run = f16_run}, sizeof(float)},
    {{.types = IR_SET(IR_BF16), .name = "average_bf16", .isa = "any", .run = bf16_run}, sizeof(float)},
    {{.types = IR_SET(IR_I8), .name = "average_i8", .isa = "any", .run = i8_run}, sizeof(int64_t)},
    {{.types = IR_SET(IR_U8), .name = "average_u8", .isa = "any", .run = u8_run}, sizeof(int64_t)},
    {{.types = IR_SET(IR_I16), .name = "average_i16", .isa = "any", .run = i16_run}, sizeof(int64_t)},
    {{.types = IR_SET(IR_U16), .name = "average_u16", .isa = "any", .run = u16_run}, sizeof(int64_t)},
    {{.types = IR_SET(IR_I32), .name = "average_i32", .isa = "any", .run = i32_run}, sizeof(ir_wide)},
    {{.types = IR_SET(IR_U32), .name = "average_u32", .isa = "any", .run = u32_run}, sizeof(ir_wide)},
    {{.types = IR_SET(IR_I64), .name = "average_i64", .isa = "any", .run = i64_run}, sizeof(ir_wide)},
    {{.types = IR_SET(IR_U64), .name = "average_u64", .isa = "any", .run = u64_run}, sizeof(ir_wide)},
    {{.types = IR_SET(IR_BOOLEAN), .name = "average_boolean", .isa = "any", .run = boolean_run}, sizeof(int64_t)},
    {{.types = 0}, 0},
};

ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope) {
  bool done = false;
  ir_code code = ir_sweep_step(plan, node, average, ir_sweep_average, scope, &done);
  if (done || code != IR_OK)
    return code;
  const average_row *row = ir_kernel_row(node, rows, sizeof *rows, scope);
  if (row == NULL)
    return IR_UNSUPPORTED;
  ir_average *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = *average;
  const ir_windows *windows = &state->windows;
  size_t scratch = (size_t)windows->axes[windows->n_axes - 1].n_in * row->sum_bytes;
  /* A second input, sizes or axes, did its work when the shape was inferred. */
  int32_t from = ir_plan_input_slot(plan, node, 0), to = ir_plan_output_slot(plan, node, 0);
  return ir_plan_step_on(plan, node, &row->kernel, state, scratch, &from, 1, &to, 1);
}
