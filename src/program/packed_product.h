/* Ops whose weights stay packed: a MatMul or a Gather, with the operations merged into it that unpack its weights. No
 * file contains these ops. */
#ifndef IR_PACKED_PRODUCT_H
#define IR_PACKED_PRODUCT_H

#include "ops/fast/fast.h"
#include "ops/kernels/packed_rows.h"
#include "program/program.h"

/* Products of more rows unpack the weights to tiles, which the fast module multiplies if it is there. */
enum { IR_PACKED_FEW_ROWS = 8 };

/* Params of a packed product of rows [batch, m, k] and weights [batch, n, k]. Its inputs: the rows in f32, the weights,
 * the zero points and the scales, if there are any. Its output is [batch, m, n] in f32. */
typedef struct ir_packed_product {
  ir_packed_rows weights; /* batch * n rows; the data of its elements are inputs of the step */
  int64_t batch, m, n;
  int64_t tile;  /* rows of the weights in a tile of the fast module; 0: it is not used */
  int n_threads; /* of a primitive for plain weights */
  /* For each worker, a primitive that multiplies a tile. Plain weights have one, which multiplies all. The plan owns
   * them. */
  ir_fast_primitive **primitives;
} ir_packed_product;

extern const ir_op ir_op_packed_product;

/* Gathers rows of packed weights, an ir_packed_rows, and unpacks them. Inputs: the numbers of the rows, and the weights
 * as in a product. Output: f32 [numbers.., k]. */
extern const ir_op ir_op_packed_gather;

/* Moves the last axis of the constant to the front: of each of `batch` parts, if the first axes have so many elements.
 */
typedef struct ir_packed_transpose {
  int64_t batch;
} ir_packed_transpose;

extern const ir_op ir_op_packed_transpose;

#endif
