/* Ranges: intervals for the elements of a small tensor, if they are partly known before a run. Exported models
 * compute shapes in the graph (ShapeOf -> Gather -> Multiply -> Concat -> Reshape). If one size is open, the other
 * elements of these tensors are still known. An open end of a range is INT64_MIN or INT64_MAX. ops/float_ranges.h
 * explains ranges of floats. */
#ifndef IR_RANGES_H
#define IR_RANGES_H

#include "ops/op.h"

enum { IR_MAX_RANGES = 64 }; /* elements of a tensor with ranges; tensors that contain shapes have only a few */

/* Number of elements, if the value can have ranges: a small tensor of known shape, of numbers or booleans. Else -1. */
int64_t ir_ranges_count(const ir_value *value);
/* Whether the value has `ranges` or known contents. */
bool ir_has_ranges(const ir_value *value);
/* Range of element i in row-major order; open if nothing is known about the element. */
ir_dim ir_range_at(const ir_value *value, int64_t i);

/* Sets the ranges of an output; there are ir_ranges_count(out) of them. If all are single numbers, sets the contents
 * instead. If all are open, sets nothing. Reports if memory is out. */
ir_code ir_ranges_set(ir_value *out, const ir_dim *ranges, ir_scope *scope);

/* Calls node->op->ranges to set the ranges of all outputs. An output without elements gets empty contents. */
ir_code ir_infer_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* ir_op.ranges of ops whose output has the elements of input 0 in the same order, converted to the output's type:
 * Reshape, Squeeze, Unsqueeze, Convert. */
ir_code ir_ranges_same(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* Sets the ranges of an output that selects elements of `in` by strides: output element [i, j, ..] is input element
 * first + i * steps[0] + j * steps[1] + ... */
ir_code ir_ranges_strided(const ir_value *in, int64_t first, const int64_t *steps, ir_value *out, ir_scope *scope);
/* Whether `in` has ranges and `out` can have them. */
bool ir_ranges_pass(const ir_value *in, const ir_value *out);
/* Index of the input element that output element `at` repeats, for an input that is broadcast or tiled to the
 * output's shape. Shapes are aligned at the last axis; the output's size is a multiple of the input's on each axis. */
int64_t ir_ranges_source(const ir_shape *in, const ir_shape *out, int64_t at);
/* Product of the dims [from, to) of a known shape. */
int64_t ir_ranges_between(const ir_shape *shape, int from, int to);

/* The interval of all sums, differences or products of numbers from two intervals. Open if an end does not fit
 * int64_t. */
ir_dim ir_range_add(ir_dim a, ir_dim b);
ir_dim ir_range_subtract(ir_dim a, ir_dim b);
ir_dim ir_range_multiply(ir_dim a, ir_dim b);
/* The interval of all quotients of numbers from two intervals. Open if an end does not fit int64_t. floor_divide
 * rounds down, divide toward zero. */
ir_dim ir_range_floor_divide(ir_dim a, ir_dim b);
ir_dim ir_range_divide(ir_dim a, ir_dim b);
ir_dim ir_range_least(ir_dim a, ir_dim b);
ir_dim ir_range_most(ir_dim a, ir_dim b);

#endif
