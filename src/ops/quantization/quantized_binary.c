#include "ops/quantization/quantized_binary.h"
#include "ops/kernels/isa.h"
#include "ops/prepare.h"
#include "ops/quantization/levels.h"
#include <string.h>

/* Levels `a` and `b` become the level a * of_a + b * of_b + shift or, of a product, (a - zero_a) * (b - zero_b) * of_a
 * + shift. It is clamped to `least` and `most`, and rounded. */
typedef struct binary_state {
  float of_a, of_b, zero_a, zero_b, shift, least, most;
  uint8_t offset_a, offset_b, offset; /* a level is a stored element and its offset */
  bool is_product;
  /* Row number r has `length` elements of `a`. `b` has as many elements for r / n_alike, or (is_one) one. */
  int64_t n_rows, length, n_alike;
  bool is_one;
} binary_state;

static inline uint8_t result_of(const binary_state *s, uint8_t stored_a, uint8_t stored_b) {
  const float a = (uint8_t)(stored_a + s->offset_a), b = (uint8_t)(stored_b + s->offset_b);
  const float product = (a - s->zero_a) * (b - s->zero_b) * s->of_a, sum = a * s->of_a + b * s->of_b;
  const float level = (s->is_product ? product : sum) + s->shift;
  return ir_stored(level < s->least ? s->least : level > s->most ? s->most : level, s->offset);
}

IR_LOOP void binary_loop(const binary_state *state, const uint8_t *a, const uint8_t *b, uint8_t *out, int64_t n) {
  const binary_state s = *state;
  const uint8_t one = b[0];
  if (s.is_one) {
    for (int64_t i = 0; i < n; i++)
      out[i] = result_of(&s, a[i], one);
  } else {
    for (int64_t i = 0; i < n; i++)
      out[i] = result_of(&s, a[i], b[i]);
  }
}
IR_EACH_ISA(binary, (const binary_state *state, const uint8_t *a, const uint8_t *b, uint8_t *out, int64_t n),
            (state, a, b, out, n))

typedef struct binary_work {
  const binary_state *state;
  const uint8_t *a, *b;
  uint8_t *out;
} binary_work;

/* Short rows that read the same elements of `b` are computed at once, with copies of these in a row. */
static void run_rows(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const binary_work *w = user;
  const binary_state *s = w->state;
  const int64_t step = s->is_one ? 1 : 1 + IR_LONG_ROW / s->length, width = s->is_one ? 1 : s->length;
  uint8_t copies[2 * IR_LONG_ROW];
  for (int64_t row = begin, n; row < end; row += n) {
    const int64_t at = row / s->n_alike, left = (at + 1) * s->n_alike - row;
    const uint8_t *b = w->b + at * width;
    n = end - row < step ? end - row : step;
    n = left < n ? left : n;
    if (step > 1 && (row == begin || row % s->n_alike == 0))
      for (int64_t i = 0; i < step; i++)
        memcpy(copies + i * width, b, (size_t)width);
    binary(s, w->a + row * s->length, step > 1 ? copies : b, w->out + row * s->length, n * s->length);
  }
}

static void run_elements(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const binary_work *w = user;
  binary(w->state, w->a + begin, w->b + begin, w->out + begin, end - begin);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const binary_state *s = step->state;
  binary_work work = {s, in[0]->data, in[1]->data, out[0]->data};
  const bool is_flat = s->n_rows == 1 && !s->is_one;
  if (s->length > 0)
    exec->share(exec, is_flat ? s->length : s->n_rows, (int64_t)(in[0]->bytes + in[1]->bytes + out[0]->bytes),
                is_flat ? run_elements : run_rows, &work);
  return IR_OK;
}

/* Finds the rows, for tensors of one shape or for one `b` for each channel. */
static void set_rows(binary_state *s, const ir_value *const *in) {
  const ir_shape *shape = &in[0]->shape;
  ir_shape_elements(shape, &s->length);
  s->n_rows = s->n_alike = 1;
  if (ir_shapes_equal(shape, &in[1]->shape) || s->length == 0)
    return;
  const int64_t n = shape->dims[0].lo, channels = shape->dims[1].lo, inner = s->length / (n * channels);
  s->is_one = in[0]->layout != IR_LAYOUT_CHANNELS_LAST;
  s->length = s->is_one ? inner : channels;
  s->n_rows = n * (s->is_one ? channels : inner);
  s->n_alike = s->is_one ? 1 : inner;
}

static float clamped_level(float x, const ir_level_line *line, float last) {
  const float level = x * line->scale + line->shift;
  return level < 0 ? 0 : level > last ? last : level;
}

static void set_numbers(binary_state *s, const ir_quantized_binary *params) {
  const ir_quantization *a = params->a, *b = params->b, *out = params->out;
  const ir_level_line line = ir_level_line_of(out->limits->in_low, out->limits->in_high, (float)out->last);
  const double step_a = ir_quantization_step(a, 0), step_b = ir_quantization_step(b, 0), scale = (double)line.scale;
  const double zero_a = a->zero + a->offset, zero_b = b->zero + b->offset;
  s->is_product = params->is_product;
  s->of_a = (float)(step_a * (s->is_product ? step_b : 1) * scale);
  s->of_b = (float)(step_b * scale);
  s->zero_a = (float)zero_a;
  s->zero_b = (float)zero_b;
  s->shift = (float)((double)line.shift - (s->is_product ? 0 : (zero_a * step_a + zero_b * step_b) * scale));
  s->least = clamped_level(params->least, &line, (float)out->last);
  s->most = clamped_level(params->most, &line, (float)out->last);
  s->offset_a = (uint8_t)a->offset;
  s->offset_b = (uint8_t)b->offset;
  s->offset = (uint8_t)out->offset;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernels[] = {{.name = "add_quantized", .isa = "any", .run = run},
                                      {.name = "multiply_quantized", .isa = "any", .run = run}};
  (void)scope;
  const ir_quantized_binary *params = node->params;
  binary_state *s = ir_arena_alloc(plan->arena, sizeof *s);
  if (s == NULL)
    return ir_out_of_memory(plan->diags);
  *s = (binary_state){0};
  set_numbers(s, params);
  set_rows(s, in);
  return ir_plan_step(plan, node, &kernels[params->is_product], s, 0);
}

const ir_op ir_op_quantized_binary = {.dialect = IR_OPENVINO,
                                      .type = "QuantizedBinary",
                                      .params_size = sizeof(ir_quantized_binary),
                                      .run = {IR_RUN_PREPARED, .prepare = prepare},
                                      .takes_channels_last = ir_always_channels_last};
