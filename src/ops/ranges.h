/* Elements of a small tensor as intervals, if they are partly known before a run. Exported models compute shapes in the
 * graph (ShapeOf -> Gather -> Multiply -> Concat -> Reshape), where an open size is one of several elements. For floats
 * see ops/float_ranges.h. */
#ifndef IR_RANGES_H
#define IR_RANGES_H

#include "ops/op.h"

enum { IR_MAX_RANGES = 64 }; /* elements; tensors that hold shapes have only a few */

/* Number of elements, if the value may have ranges: numbers or booleans, small, of known shape; else -1. */
int64_t ir_ranges_count(const ir_value *value);
/* Whether the value has `ranges` or known contents. */
bool ir_has_ranges(const ir_value *value);
/* Range of element i, in row-major order; an open one if nothing is known. */
ir_dim ir_range_at(const ir_value *value, int64_t i);

/* Sets the n = ir_ranges_count(out) ranges of an output. If each is a single number they become contents; if all are
 * open they are dropped. Reports if memory is out. */
ir_code ir_ranges_set(ir_value *out, const ir_dim *ranges, ir_scope *scope);

/* Calls node->op->ranges for the outputs; an output without elements is known. */
ir_code ir_infer_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* ir_op.ranges of an output with input 0's elements in the same order and its own type: Reshape, Squeeze, Unsqueeze,
 * Convert. */
ir_code ir_ranges_same(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* Sets ranges of an output whose elements are the input's: element [i, j, ..] is at first + i * steps[0] + j * steps[1]
 * .. in row-major order. */
ir_code ir_ranges_strided(const ir_value *in, int64_t first, const int64_t *steps, ir_value *out, ir_scope *scope);
/* Whether `in` has ranges and `out` may have them. */
bool ir_ranges_pass(const ir_value *in, const ir_value *out);
/* The input's element that becomes element `at` of the output, if the input is aligned at the last axis and repeated a
 * whole number of times along its axes. */
int64_t ir_ranges_source(const ir_shape *in, const ir_shape *out, int64_t at);
/* Product of the dims [from, to) of a known shape: stride of axis `to - 1`, times its size. */
int64_t ir_ranges_between(const ir_shape *shape, int from, int to);

/* Sums, products, .. of intervals within int64_t; open if an end does not fit. */
ir_dim ir_range_add(ir_dim a, ir_dim b);
ir_dim ir_range_subtract(ir_dim a, ir_dim b);
ir_dim ir_range_multiply(ir_dim a, ir_dim b);
/* Quotients: rounded down, or toward zero. */
ir_dim ir_range_floor_divide(ir_dim a, ir_dim b);
ir_dim ir_range_divide(ir_dim a, ir_dim b);
ir_dim ir_range_least(ir_dim a, ir_dim b);
ir_dim ir_range_most(ir_dim a, ir_dim b);

#endif
