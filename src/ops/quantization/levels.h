/* Formulas of levels for one element, for the kernels of Quantize, Dequantize and QuantizedBinary. */
#ifndef IR_LEVELS_H
#define IR_LEVELS_H

#include "ops/kernels/floats.h"

typedef struct ir_limits {
  float in_low, in_high;   /* inputs of the first and of the last level */
  float out_low, out_high; /* outputs of the same levels */
} ir_limits;

/* A level before it is rounded: x * scale + shift, as in FakeQuantize-1 (fake_quantize.c). */
typedef struct ir_level_line {
  float scale, shift;
} ir_level_line;
static inline ir_level_line ir_level_line_of(float low, float high, float last) {
  const float scale = last / (high - low);
  return (ir_level_line){scale, -low * scale};
}
/* Quantize: level = x * scale + shift. Dequantize: output = level * scale + low, and `high` for the last level. */
typedef struct ir_level_range {
  float low, high, scale, shift;
} ir_level_range;

/* Rows with fewer elements are computed together, because the last elements of a row fill no vector. */
enum { IR_LONG_ROW = 512 };

/* The range of a Quantize. */
static inline ir_level_range ir_input_range(const ir_limits *l, int last) {
  const ir_level_line line = ir_level_line_of(l->in_low, l->in_high, (float)last);
  return (ir_level_range){l->in_low, l->in_high, line.scale, line.shift};
}
/* The range of a Dequantize. */
static inline ir_level_range ir_output_range(const ir_limits *l, int last) {
  return (ir_level_range){l->out_low, l->out_high, (l->out_high - l->out_low) / (float)last, 0};
}

/* Rounds a level from 0 to 255 to the nearest integer, ties to even, and returns the stored element. The sum has the
 * integer in its low bits. */
static inline uint8_t ir_stored(float level, uint32_t offset) {
  const float to_whole = 0x1.8p23f;
  return (uint8_t)(ir_f32_bits(level + to_whole) - offset);
}

/* Inputs up to the first limit have levels up to 0, and inputs above the last limit have levels of nearly `last` and
 * more. So the clamp has the same effect as comparisons with the limits. NaN becomes level 0. */
static inline uint8_t ir_quantized(float x, ir_level_range r, float last, uint32_t offset) {
  const float level = x * r.scale + r.shift;
  const float from_0 = level > 0 ? level : 0;
  return ir_stored(from_0 > last ? last : from_0, offset);
}

static inline float ir_dequantized(uint8_t stored, ir_level_range r, uint8_t last, uint8_t offset) {
  const uint8_t level = (uint8_t)(stored + offset);
  return level == last ? r.high : (float)level * r.scale + r.low;
}

#endif
