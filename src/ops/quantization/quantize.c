#include "ops/quantization/quantize.h"
#include "ops/kernels/elementwise.h"
#include "ops/prepare.h"
#include <math.h>
#include <string.h>

bool ir_quantization_of(const double limits[4], int64_t levels, ir_quantization *out) {
  const double low = limits[2], high = limits[3];
  if (levels < 2 || levels > 256 || !(limits[0] < limits[1]) || !(low < high))
    return false;
  const int last = (int)levels - 1;
  const double step = (high - low) / last, zero = -low / step;
  /* the limits are f32, so that a level of 0 can be off by the rounding of them */
  const double most_off = last * 0x1p-22;
  if (!(zero > -0.5 && zero < last + 0.5) || fabs(zero - rint(zero)) > most_off)
    return false;
  *out = (ir_quantization){.in_low = (float)limits[0],
                           .in_high = (float)limits[1],
                           .out_low = (float)low,
                           .out_high = (float)high,
                           .last = last,
                           .zero = (int)rint(zero)};
  /* signed elements need no zero point, if the levels on both sides of 0 fit i8 */
  if (out->zero > 0 && out->zero <= 128 && last - out->zero <= 127) {
    out->offset = out->zero;
    out->zero = 0;
  }
  return true;
}

bool ir_quantizations_equal(const ir_quantization *a, const ir_quantization *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* ---- kernels ---- */

typedef struct quantize_work {
  const ir_quantization *q;
  const void *in;
  void *out;
} quantize_work;

/* A level before it is rounded, from 0 for x up to `low` to `last` for x above `high`. */
static inline float level_of(float x, float low, float high, float last, ir_level_line line) {
  const float level = x * line.scale + line.shift;
  return x <= low ? 0 : x > high ? last : level;
}

/* Adding to_whole rounds a level to the nearest integer, ties to even, which is then in the low bits. */
IR_LOOP void quantize_loop(const ir_quantization *q, const float *x, uint8_t *out, int64_t n) {
  const float to_whole = 0x1.8p23f, low = q->in_low, high = q->in_high, last = (float)q->last;
  const ir_level_line line = ir_level_line_of(low, high, last);
  const uint32_t offset = (uint32_t)q->offset;
  for (int64_t i = 0; i < n; i++)
    out[i] = (uint8_t)(ir_f32_bits(level_of(x[i], low, high, last, line) + to_whole) - offset);
}
IR_EACH_ISA(quantize, (const ir_quantization *q, const float *x, uint8_t *out, int64_t n), (q, x, out, n))

IR_LOOP void dequantize_loop(const ir_quantization *q, const uint8_t *x, float *out, int64_t n) {
  const float low = q->out_low, high = q->out_high, step = (high - low) / (float)q->last;
  const uint8_t offset = (uint8_t)q->offset, last = (uint8_t)q->last;
  for (int64_t i = 0; i < n; i++) {
    const uint8_t level = (uint8_t)(x[i] + offset);
    out[i] = level == last ? high : (float)level * step + low;
  }
}
IR_EACH_ISA(dequantize, (const ir_quantization *q, const uint8_t *x, float *out, int64_t n), (q, x, out, n))

static void quantize_part(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const quantize_work *work = user;
  quantize(work->q, (const float *)work->in + begin, (uint8_t *)work->out + begin, end - begin);
}

static void dequantize_part(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const quantize_work *work = user;
  dequantize(work->q, (const uint8_t *)work->in + begin, (float *)work->out + begin, end - begin);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  quantize_work work = {step->state, in[0]->data, out[0]->data};
  exec->share(exec, ir_tensor_elements(in[0]), (int64_t)(in[0]->bytes + out[0]->bytes),
              in[0]->type == IR_F32 ? quantize_part : dequantize_part, &work);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernels[] = {{.name = "quantize", .isa = "any", .run = run},
                                      {.name = "dequantize", .isa = "any", .run = run}};
  (void)scope;
  return ir_plan_step(plan, node, &kernels[in[0]->type != IR_F32], node->params, 0);
}

static inline float stored_level(float x, float low, float high, const ir_quantization *q) {
  const float last = (float)q->last;
  return rintf(level_of(x, low, high, last, ir_level_line_of(low, high, last))) - (float)q->offset;
}
IR_ELEMENTWISE_3(levels_f32, float, float, stored_level(a, b, c, call->params))
static const ir_elementwise levels = {.name = "levels", .rows = {levels_f32}};

const ir_op ir_op_quantize = {.dialect = IR_OPENVINO,
                              .type = "Quantize",
                              .params_size = sizeof(ir_quantization),
                              .run = {IR_RUN_PREPARED, .prepare = prepare},
                              .takes_channels_last = ir_always_channels_last,
                              .function = IR_FUNCTION_QUANTIZE};
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
