#include "ops/pool/pool_max.h"
#include "ops/pool/pool_fold_step.h"
#include "ops/pool/pool_sweep_indices_step.h"
#include "ops/pool/pool_sweep_step.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  MOST_WINDOWS = 128,
  MOST_TAPS = 8,         /* that are compared window by window */
  KEPT = 16384,          /* windows of which parts are kept, of all slots together: as many as stay in a cache */
  MOST_SLOTS = INT32_MAX /* so that their bytes can be counted */
};

/* Planes of a run, and where their indices go. */
typedef struct indices_work {
  const ir_maximum *maximum;
  const ir_exec *exec;
  const void *in;
  void *out; /* NULL: nobody reads the values */
  ir_tensor *indices;
} indices_work;

/* Windows next to each other, of which all rows are made before the next ones are. What is kept lies behind it. */
typedef struct max_line {
  int64_t begin, n, step;
  int64_t kernel, stride; /* of the windows [whole, whole_end), which are of one kernel at one stride */
  int64_t whole, whole_end;
  ir_range ranges[MOST_WINDOWS];
  int64_t where[MOST_WINDOWS];
  uint64_t best[MOST_WINDOWS]; /* in case that nobody reads the values */
  int64_t *kept_row;           /* of each slot */
  uint64_t *kept_best;         /* of each slot and window, or as many of less */
  int64_t *kept_where;
} max_line;

/* Bytes of a line and of what it keeps; one slot is there without any as well. */
static size_t line_bytes(const ir_maximum *maximum) {
  const size_t n = maximum->n_slots > 0 ? (size_t)maximum->n_slots : 1;
  return sizeof(max_line) + n * sizeof(int64_t) + n * (size_t)maximum->width * (sizeof(uint64_t) + sizeof(int64_t));
}

static max_line *begin_lines(const ir_maximum *maximum, void *scratch) {
  const int64_t n = maximum->n_slots > 0 ? maximum->n_slots : 1;
  max_line *line = scratch;
  line->begin = line->n = 0;
  line->kept_row = (int64_t *)(void *)(line + 1);
  line->kept_where = line->kept_row + n;
  line->kept_best = (uint64_t *)(void *)(line->kept_where + n * maximum->width);
  return line;
}

/* The windows behind those of `line`; false when there are none. */
static bool next_line(const ir_maximum *maximum, max_line *line) {
  const ir_windows_axis *axis = &maximum->windows.axes[maximum->windows.n_axes - 1];
  line->begin += line->n;
  line->n = axis->n_out - line->begin < maximum->width ? axis->n_out - line->begin : maximum->width;
  line->step = axis->step;
  line->kernel = axis->kernel;
  line->stride = axis->stride;
  line->whole = line->whole_end = 0;
  for (int64_t i = 0; i < line->n; i++) {
    line->ranges[i] = ir_windows_range(axis, line->begin + i);
    if (axis->kernel == 0 || line->ranges[i].count != axis->kernel)
      continue;
    line->whole = line->whole_end == 0 ? i : line->whole;
    line->whole_end = i + 1;
  }
  return line->n > 0;
}

static void forget(const ir_maximum *maximum, max_line *line) {
  for (int64_t i = 0; i < maximum->n_slots; i++)
    line->kept_row[i] = -1;
}

/* Slots for all rows of a window, of each axis a ring; 0 when they are too many to be kept. */
static int64_t count_slots(const ir_windows *windows, int64_t lengths[IR_MAX_RANK]) {
  int64_t n = 1;
  for (int a = 0; a < windows->n_axes - 1; a++) {
    const ir_windows_axis *axis = &windows->axes[a];
    lengths[a] = 1;
    for (int64_t o = 0; o < axis->n_out; o++) {
      const int64_t length = (ir_windows_range(axis, o).count - 1) * axis->step + 1;
      lengths[a] = length > lengths[a] ? length : lengths[a];
    }
    if (lengths[a] > MOST_SLOTS / n)
      return 0;
    n *= lengths[a];
  }
  return n;
}

/* That of the row at the walk's tap. */
static int64_t slot_of(const ir_maximum *maximum, const ir_row_walk *walk) {
  int64_t slot = 0;
  for (int a = 0; a < maximum->windows.n_axes - 1 && maximum->n_slots > 0; a++) {
    const ir_windows_axis *axis = &maximum->windows.axes[a];
    const int64_t at = ir_windows_range(axis, walk->at[a]).begin + walk->tap[a] * axis->step;
    slot = slot * maximum->slots[a] + at % maximum->slots[a];
  }
  return slot;
}

/* Those of a line: `at` is its first in the output, `plane_at` the plane's first element in the input. */
static void write_indices(const indices_work *work, const int64_t *where, int64_t n, int64_t at, int64_t plane_at) {
  const int64_t modulus = work->maximum->index_modulus, above = plane_at % modulus;
  const bool is_within = modulus < ir_windows_plane_in(&work->maximum->windows); /* a plane */
  for (int64_t i = 0; i < n; i++) {
    const int64_t index = is_within ? where[i] % modulus : above + where[i];
    if (work->indices->type == IR_I32)
      ((int32_t *)work->indices->data)[at + i] = (int32_t)index;
    else
      ((int64_t *)work->indices->data)[at + i] = index;
  }
}

static ir_code share_planes(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec,
                            ir_work *planes) {
  enum { EFFORT = 8 }; /* of a byte, in times that it takes to copy it */
  const ir_maximum *maximum = step->state;
  indices_work work = {.maximum = maximum,
                       .exec = exec,
                       .in = in[0]->data,
                       .out = out[0] != NULL ? out[0]->data : NULL,
                       .indices = out[1]};
  exec->share(exec, maximum->windows.n_planes, EFFORT * (int64_t)(in[0]->bytes + out[1]->bytes), planes, &work);
  return IR_OK;
}

/* ---- the variants ---- */

#define SAME(x) (x)

#define NAME(part) f32_##part
#define ELEMENT    float
#define LOAD       SAME
#define IS_NAN(x)  (isnan(x) != 0)
#define LOWEST     (-FLT_MAX)
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) f64_##part
#define ELEMENT    double
#define LOAD       SAME
#define IS_NAN(x)  (isnan(x) != 0)
#define LOWEST     (-DBL_MAX)
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) f16_##part
#define ELEMENT    uint16_t
#define LOAD       ir_f16_to_f32
#define IS_NAN(x)  (isnan(ir_f16_to_f32(x)) != 0)
#define LOWEST     0xFBFF
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) bf16_##part
#define ELEMENT    uint16_t
#define LOAD       ir_bf16_to_f32
#define IS_NAN(x)  (isnan(ir_bf16_to_f32(x)) != 0)
#define LOWEST     0xFF7F
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i8_##part
#define ELEMENT    int8_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
#define LOWEST     INT8_MIN
#include "ops/pool/pool_max_rows.inc"

/* A boolean's maximum is their disjunction. */
#define NAME(part) u8_##part
#define ELEMENT    uint8_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
#define LOWEST     0
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i16_##part
#define ELEMENT    int16_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
#define LOWEST     INT16_MIN
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) u16_##part
#define ELEMENT    uint16_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
#define LOWEST     0
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i32_##part
#define ELEMENT    int32_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
#define LOWEST     INT32_MIN
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) u32_##part
#define ELEMENT    uint32_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
#define LOWEST     0
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) i64_##part
#define ELEMENT    int64_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
#define LOWEST     INT64_MIN
#include "ops/pool/pool_max_rows.inc"

#define NAME(part) u64_##part
#define ELEMENT    uint64_t
#define LOAD       SAME
#define IS_NAN(x)  ((void)(x), false)
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
  const ir_average maxima = {.windows = *windows};
  bool done = false;
  ir_code code = IR_OK;
  if (!reads_indices)
    code = ir_sweep_step(plan, node, &maxima, ir_sweep_maximum, start, scope, &done);
  else
    code = ir_indices_step(plan, node, windows, start, index_modulus, scope, &done);
  if (done || code != IR_OK)
    return code;
  if (!reads_indices)
    return ir_fold_step(plan, node, &maxima, ir_fold_maximum, start, scope);
  const ir_kernel *kernel = ir_kernel_row(node, kernels, sizeof *kernels, scope);
  if (kernel == NULL)
    return IR_UNSUPPORTED;
  ir_maximum *maximum = ir_arena_alloc(plan->arena, sizeof *maximum);
  if (maximum == NULL)
    return ir_out_of_memory(scope->diags);
  *maximum = (ir_maximum){.windows = *windows, .start = start, .index_modulus = index_modulus};
  maximum->n_slots = count_slots(windows, maximum->slots);
  const int64_t width = KEPT / (maximum->n_slots + 1);
  maximum->width = width < 1 ? 1 : width < MOST_WINDOWS ? width : MOST_WINDOWS;
  const int32_t from = ir_plan_input_slot(plan, node, 0),
                to[2] = {ir_plan_output_slot(plan, node, 0), ir_plan_output_slot(plan, node, 1)};
  return ir_plan_step_on(plan, node, kernel, maximum, line_bytes(maximum), &from, 1, to, 2);
}
