#include "ops/quantization/quantize.h"
#include "ops/kernels/elementwise.h"
#include "ops/prepare.h"
#include <math.h>
#include <string.h>

double ir_whole_level(double level, int last) {
  const double most_off = last * 0x1p-22;
  return fabs(level - rint(level)) > most_off ? level : rint(level);
}

static bool are_usual(const ir_limits *limits, int last) {
  const ir_level_line line = ir_level_line_of(limits->in_low, limits->in_high, (float)last);
  return limits->in_low < limits->in_high && limits->out_low < limits->out_high && isfinite(line.scale) &&
         isfinite(line.shift);
}

/* The level whose output is 0; -1: there is none. */
static int zero_level(const ir_limits *limits, int last) {
  const double low = (double)limits->out_low, high = (double)limits->out_high;
  const double zero = ir_whole_level(-low / ((high - low) / last), last);
  return zero >= 0 && zero <= last && zero == rint(zero) ? (int)zero : -1;
}

bool ir_quantization_of(const ir_limits *limits, int64_t n, int64_t levels, ir_quantization *out) {
  if (levels < 2 || levels > 256 || n < 1)
    return false;
  const int last = (int)levels - 1, zero = zero_level(&limits[0], last);
  *out = (ir_quantization){.limits = limits, .n = n, .last = last, .has_zero = zero >= 0};
  for (int64_t i = 0; i < n; i++) {
    if (!are_usual(&limits[i], last))
      return false;
    out->has_zero = out->has_zero && zero_level(&limits[i], last) == zero;
  }
  out->zero = out->has_zero ? zero : 0;
  /* signed elements need no zero point, if the levels on both sides of 0 fit i8 */
  if (out->zero > 0 && out->zero <= 128 && last - out->zero <= 127) {
    out->offset = out->zero;
    out->zero = 0;
  }
  return true;
}

bool ir_quantizations_equal(const ir_quantization *a, const ir_quantization *b) {
  return a->n == b->n && a->last == b->last && a->offset == b->offset && a->zero == b->zero &&
         memcmp(a->limits, b->limits, (size_t)a->n * sizeof *a->limits) == 0;
}

/* ---- kernels ---- */

/* The tensor is n_rows rows of `length` elements. If are_channels, each element of a row has its own range. Else row r
 * has the range r modulo n_ranges. */
typedef struct quantize_state {
  int64_t n_rows, length, n_ranges;
  bool are_channels;
  int64_t n_alike;                   /* rows that are computed at once; 1 unless are_channels */
  float *low, *high, *scale, *shift; /* n_ranges numbers, n_alike times */
  int last, offset;
} quantize_state;

static inline ir_level_range range_at(const float *low, const float *high, const float *scale, const float *shift,
                                      int64_t i) {
  return (ir_level_range){low[i], high[i], scale[i], shift[i]};
}

/* Defines a loop over n elements of a row. Their ranges are the first n if are_channels, else all are range `at`. */
#define ROW_LOOP(name, from, to, element)                                                                              \
  IR_LOOP void name##_loop(const quantize_state *s, int64_t at, const from *x, to *out, int64_t n) {                   \
    const float *low = s->low, *high = s->high, *scale = s->scale, *shift = s->shift;                                  \
    const ir_level_range one = range_at(low, high, scale, shift, at);                                                  \
    const int last = s->last, offset = s->offset;                                                                      \
    if (s->are_channels) {                                                                                             \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        out[i] = element(x[i], range_at(low, high, scale, shift, i), last, offset);                                    \
    } else {                                                                                                           \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        out[i] = element(x[i], one, last, offset);                                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const quantize_state *s, int64_t at, const from *x, to *out, int64_t n), (s, at, x, out, n))
#define QUANTIZED(x, range, last, offset)   ir_quantized(x, range, (float)(last), (uint32_t)(offset))
#define DEQUANTIZED(x, range, last, offset) ir_dequantized(x, range, (uint8_t)(last), (uint8_t)(offset))
ROW_LOOP(quantize, float, uint8_t, QUANTIZED)
ROW_LOOP(dequantize, uint8_t, float, DEQUANTIZED)

typedef struct quantize_work {
  const quantize_state *state;
  const void *in;
  void *out;
  bool is_quantize;
} quantize_work;

/* Computes n elements from `begin` on: a part of row number `row`, or some rows from that one on. */
static void run_row(const quantize_work *w, int64_t row, int64_t begin, int64_t n) {
  const int64_t at = row % w->state->n_ranges;
  if (w->is_quantize)
    quantize(w->state, at, (const float *)w->in + begin, (uint8_t *)w->out + begin, n);
  else
    dequantize(w->state, at, (const uint8_t *)w->in + begin, (float *)w->out + begin, n);
}

static void run_rows(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const quantize_work *w = user;
  const int64_t step = w->state->n_alike, length = w->state->length;
  for (int64_t row = begin; row < end; row += step)
    run_row(w, row, row * length, (end - row < step ? end - row : step) * length);
}

static void run_elements(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  run_row(user, 0, begin, end - begin);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const quantize_state *state = step->state;
  quantize_work work = {state, in[0]->data, out[0]->data, in[0]->type == IR_F32};
  const bool is_flat = state->n_rows == 1 && !state->are_channels;
  exec->share(exec, is_flat ? state->length : state->n_rows, (int64_t)(in[0]->bytes + out[0]->bytes),
              is_flat ? run_elements : run_rows, &work);
  return IR_OK;
}

/* Makes the state for ranges along the axis, without the numbers of the ranges. NULL: memory is out (reported). */
static quantize_state *make_state(ir_plan *plan, const ir_value *in, int axis, int64_t n, int last, int offset) {
  quantize_state *s = ir_arena_alloc(plan->arena, sizeof *s);
  float *numbers = NULL;
  if (s != NULL) {
    *s = (quantize_state){.n_rows = 1, .n_ranges = n, .n_alike = 1, .last = last, .offset = offset};
    ir_shape_elements(&in->shape, &s->length);
    if (n > 1) {
      const ir_shape laid = ir_laid_shape(in->layout, &in->shape);
      const int64_t elements = s->length;
      s->length = 1;
      for (int i = ir_laid_axis(in->layout, axis, laid.rank) + 1; i < laid.rank; i++)
        s->length *= laid.dims[i].lo;
      s->are_channels = s->length == 1;
      if (s->are_channels) {
        s->length = n;
        s->n_alike += IR_LONG_ROW / n;
      }
      s->n_rows = s->length == 0 ? 0 : elements / s->length;
    }
    numbers = ir_arena_array(plan->arena, 4 * (size_t)(n * s->n_alike), sizeof *numbers);
  }
  if (numbers == NULL) {
    ir_out_of_memory(plan->diags);
    return NULL;
  }
  s->low = numbers;
  s->high = numbers + n * s->n_alike;
  s->scale = numbers + 2 * n * s->n_alike;
  s->shift = numbers + 3 * n * s->n_alike;
  return s;
}

static void set_range(quantize_state *s, int64_t i, ir_level_range r) {
  for (int64_t at = i; at < s->n_ranges * s->n_alike; at += s->n_ranges) {
    s->low[at] = r.low;
    s->high[at] = r.high;
    s->scale[at] = r.scale;
    s->shift[at] = r.shift;
  }
}

static const ir_kernel kernels[] = {{.name = "quantize", .isa = "any", .run = run},
                                    {.name = "dequantize", .isa = "any", .run = run}};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)scope;
  const ir_quantization *q = node->params;
  const bool is_quantize = in[0]->type == IR_F32;
  quantize_state *s = make_state(plan, in[0], 1, q->n, q->last, q->offset);
  if (s == NULL)
    return IR_NO_MEMORY;
  for (int64_t i = 0; i < q->n; i++)
    set_range(s, i, is_quantize ? ir_input_range(&q->limits[i], q->last) : ir_output_range(&q->limits[i], q->last));
  return ir_plan_step(plan, node, &kernels[!is_quantize], s, 0);
}

static ir_code prepare_lines(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)scope;
  const ir_quantize_lines *lines = node->params;
  quantize_state *s = make_state(plan, in[0], lines->axis, lines->n, lines->last, lines->offset);
  if (s == NULL)
    return IR_NO_MEMORY;
  for (int64_t i = 0; i < lines->n; i++)
    set_range(s, i, (ir_level_range){.scale = lines->lines[i].scale, .shift = lines->lines[i].shift});
  return ir_plan_step(plan, node, &kernels[0], s, 0);
}

/* Weights can have any limits, even equal ones, whose line is infinite. */
static inline float stored_level(float x, float low, float high, const ir_quantization *q) {
  const float last = (float)q->last;
  const ir_level_line line = ir_level_line_of(low, high, last);
  const float level = rintf(x * line.scale + line.shift);
  return (!(x > low) ? 0 : x > high ? last : level) - (float)q->offset;
}
IR_ELEMENTWISE_3(levels_f32, float, float, stored_level(a, b, c, call->params))
static const ir_elementwise levels = {.name = "levels", .rows = {levels_f32}};

const ir_op ir_op_quantize = {.dialect = IR_OPENVINO,
                              .type = "Quantize",
                              .params_size = sizeof(ir_quantization),
                              .run = {IR_RUN_PREPARED, .prepare = prepare},
                              .takes_channels_last = ir_always_channels_last,
                              .function = IR_FUNCTION_QUANTIZE};
const ir_op ir_op_quantize_lines = {.dialect = IR_OPENVINO,
                                    .type = "QuantizeLines",
                                    .params_size = sizeof(ir_quantize_lines),
                                    .run = {IR_RUN_PREPARED, .prepare = prepare_lines},
                                    .takes_channels_last = ir_always_channels_last};
const ir_op ir_op_dequantize = {.dialect = IR_OPENVINO,
                                .type = "Dequantize",
                                .params_size = sizeof(ir_quantization),
                                .run = {IR_RUN_PREPARED, .prepare = prepare},
                                .takes_channels_last = ir_always_channels_last,
                                .function = IR_FUNCTION_DEQUANTIZE};
const ir_op ir_op_levels = {.dialect = IR_OPENVINO,
                            .type = "Levels",
                            .params_size = sizeof(ir_quantization),
                            .run = {IR_RUN_PREPARED, .prepare = ir_elementwise_prepare},
                            .elementwise = &levels};
