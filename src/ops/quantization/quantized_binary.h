/* QuantizedBinary: an addition or multiplication of two quantized tensors whose result is quantized. No file contains
 * this op: the pass "quantize" makes it. A tensor of floats is neither written nor read. */
#ifndef IR_QUANTIZED_BINARY_H
#define IR_QUANTIZED_BINARY_H

#include "ops/quantization/quantize.h"

/* out = quantize(clamp(dequantize(a) op dequantize(b))). Each quantization has one range for its tensor. `b` has the
 * shape of `a`, or one element for each channel: [N, C, 1..]. */
typedef struct ir_quantized_binary {
  const ir_quantization *a, *b, *out;
  bool is_product;
  float least, most; /* ends of the clamp */
} ir_quantized_binary;

extern const ir_op ir_op_quantized_binary;

#endif
