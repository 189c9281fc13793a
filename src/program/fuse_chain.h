/* A product, and the operations that the pass "fuse" computes with it in one contraction. */
#ifndef IR_FUSE_CHAIN_H
#define IR_FUSE_CHAIN_H

#include "ops/quantization/quantize.h"
#include "program/fast_contraction.h"
#include "program/halves.h"
#include "program/patterns.h"

enum { IR_MOST_LINKS = IR_FAST_MOST_POST_OPS + 8 }; /* scales, a bias, views, Transposes, post-ops */

/* A product and what is computed with it so far. */
typedef struct ir_chain {
  ir_fast_desc desc;
  int32_t product;                  /* the operation of the product */
  int32_t data, weights, bias, add; /* values; -1: there is none */
  bool is_shift;                    /* `bias` was made from an addition to the data; a bias can be added */
  int32_t out;                      /* the value that the chain computes */
  int32_t taken[2 * IR_MOST_LINKS]; /* the fused operations that follow the product */
  int n_taken;
} ir_chain;

typedef struct ir_fusing {
  ir_program *program;
  const ir_value **in;
  int32_t n_original; /* operations that were there before the pass */
  bool *taken;        /* one per original operation: it belongs to a chain */
  ir_halves halves;
} ir_fusing;

/* Whether a tensor of the first shape, broadcast to the shape `to`, has one number for each index of the axis: all
 * other axes have size 1. */
bool ir_is_along(const ir_shape *shape, const ir_shape *to, int axis);

/* Whether the value has one element and at most `most_rank` axes. */
bool ir_is_one_number(const ir_program *program, int32_t value, int most_rank);

/* Whether two values have one type and one shape. */
bool ir_have_one_shape(const ir_program *program, int32_t a, int32_t b);

/* Whether the value has one number for each channel of a convolution, or for each column: all other axes have size
 * 1. */
bool ir_is_per_channel(const ir_program *program, const ir_chain *c, int32_t value);

/* Whether the last two axes of the weights are those of a matrix product, rows and columns. The weights of an Einsum
 * can have several axes of rows. Always true for a convolution. */
bool ir_has_matrices(const ir_program *program, const ir_chain *c);

/* Adds a post-op. Returns false where oneDNN 2.6 computes something else: a Sigmoid after a transposed convolution
 * turns NaN into 0, and two post-ops of one kind both have the numbers of the first. */
bool ir_chain_append(ir_chain *c, ir_post_op post_op);

/* Whether the last operation of the match broadcasts by the rule of PDPD, which aligns axes in another way. */
bool ir_is_pdpd(const ir_program *program, const ir_match *m);

/* fuse_scales.c: scales that are folded into the weights */
/* A scale of the output goes into the weights and the bias that stands before it. */
bool ir_chain_take_scale(ir_program *program, ir_chain *c, const ir_match *m);

/* A scale of the data, which nothing else reads, goes into the weights: padding is 0 with it as without. */
bool ir_chain_take_data_scale(ir_fusing *f, ir_chain *c);
/* Adds a view of a constant, before operation `before`. -1: memory is out (reported). */
int32_t ir_view_constant(ir_program *program, int32_t before, int32_t value, const ir_shape *shape);
/* The shape of numbers, one for each output channel, with which they broadcast to weights of the shape `weights`. */
ir_shape ir_chain_scales_shape(const ir_chain *c, const ir_shape *weights);

/* Takes the addition of a constant to the data, if nothing else reads the sum: W (x + t) = W x + W t. The bias W t is
 * computed once. The products must have the same terms for each output, so a convolution must have no pads. */
bool ir_chain_take_data_shift(ir_fusing *f, ir_chain *c);
/* Adds the constant of the match to a bias that such an addition made. */
bool ir_chain_add_to_shift(ir_program *program, ir_chain *c, const ir_match *m);

/* fuse_quantized.c: products of 8-bit integers */
/* Takes the constant `value` as the bias. The contraction adds a bias before it multiplies by the scales, so the
 * numbers of `value` are divided by them. */
bool ir_chain_divide_bias(ir_program *program, ir_chain *c, int32_t value);

/* Adds the 8-bit elements of a Dequantize that makes `value`. The sum so far is divided by the step of these elements,
 * so the addition needs no other scale, and the result is multiplied by the step. */
bool ir_chain_add_stored(ir_program *program, ir_chain *c, int32_t value);

/* Computes the stored elements of a Quantize: levels minus the offset. The output's type clamps them, if it has as many
 * numbers as there are levels. */
bool ir_chain_take_quantize(ir_program *program, ir_chain *c, const ir_match *m);

/* Whether a ReLU or Clamp changes only numbers that become the first or the last level anyway, by n lines with positive
 * scales. */
bool ir_is_needless(const ir_post_op *post_op, const ir_level_line *lines, int64_t n, int last);

/* Makes the chain a product of 8-bit integers, if its data are quantized, and its weights are i8 with scales, or
 * quantized to i8. The sum times the scales is what the product of the f32 tensors rounds. */
bool ir_chain_quantize(ir_program *program, ir_chain *c);

#endif
