/* Quantize and Dequantize, the two halves of a FakeQuantize-1 with at most 256 levels. No file contains these ops: the
 * pass "quantize" makes them. Between the halves, a tensor has one byte an element. */
#ifndef IR_QUANTIZE_H
#define IR_QUANTIZE_H

#include "ops/op.h"
#include "ops/quantization/levels.h"

/* Params of both ops. A FakeQuantize rounds an input to one of the levels 0, 1, .., last. A stored element is a level
 * minus `offset`, as u8 if `offset` is 0, else as i8. */
typedef struct ir_quantization {
  const ir_limits *limits;
  int64_t n; /* number of limits: 1, or one for each channel, which is axis 1 of the tensor */
  int last, offset;
  bool has_zero; /* one stored element stands for 0 in all channels: */
  int zero;
} ir_quantization;

/* Fills `out`, which keeps the pointer `limits`. Returns false if there are more than 256 levels, or if a limit is not
 * finite or not below its other end. */
bool ir_quantization_of(const ir_limits *limits, int64_t n, int64_t levels, ir_quantization *out);
/* The difference of the outputs of two neighbouring levels in channel `i`. */
static inline double ir_quantization_step(const ir_quantization *q, int64_t i) {
  return ((double)q->limits[i].out_high - (double)q->limits[i].out_low) / q->last;
}
/* The nearest integer to a level, if the level can differ from it by the rounding of limits to f32 alone; else the
 * level itself. */
double ir_whole_level(double level, int last);
static inline ir_type ir_quantization_type(const ir_quantization *q) {
  return q->offset == 0 ? IR_U8 : IR_I8;
}
bool ir_quantizations_equal(const ir_quantization *a, const ir_quantization *b);

/* From f32 to u8 or i8, and back. Both together round as the FakeQuantize does. NaN becomes the lowest level. */
extern const ir_op ir_op_quantize, ir_op_dequantize;

/* From f32 to u8 or i8, by a line for the tensor, or for each index of an axis. */
typedef struct ir_quantize_lines {
  const ir_level_line *lines; /* level = x * scale + shift, before it is rounded and clamped to [0, last] */
  int64_t n;                  /* 1, or the size of the axis */
  int axis, last, offset;
} ir_quantize_lines;
extern const ir_op ir_op_quantize_lines;

/* Params: ir_quantization, of which only `last` and `offset` are read. Inputs: data, input_low, input_high of a
 * FakeQuantize, in f32. Output: the stored elements as f32. */
extern const ir_op ir_op_levels;

/* The attribute `levels` of a FakeQuantize-1. */
int64_t ir_fake_quantize_levels(const ir_node *node);

#endif
