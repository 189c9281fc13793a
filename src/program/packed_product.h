/* A matrix product whose weights stay packed: a MatMul, with the operations merged into it that unpack its second
 * input. No file contains this op. */
#ifndef IR_PACKED_PRODUCT_H
#define IR_PACKED_PRODUCT_H

#include "ops/fast/fast.h"
#include "ops/kernels/packed_rows.h"
#include "program/program.h"

/* Products of more rows unpack the weights to tiles, which the fast module multiplies if it is there. */
enum { IR_PACKED_FEW_ROWS = 8 };

/* Params of a packed product of m rows [m, k] and weights [n, k]. Its inputs: the rows in f32, the weights, the zero
 * points and the scales, if there are any. Its output is [m, n] in f32. */
typedef struct ir_packed_product {
  ir_packed_rows weights; /* the data of its elements are inputs of the step */
  int64_t m;
  int64_t tile; /* rows of the weights in a tile of the fast module; 0: it is not used */
  int n_threads;
  ir_fast_primitive *whole; /* multiplies a tile; owned by the plan */
} ir_packed_product;

extern const ir_op ir_op_packed_product;

/* Moves the last axis of a constant to the front. No file contains this op. */
extern const ir_op ir_op_packed_transpose;

#endif
