/* What is known of the elements of a small tensor before a run: an interval each. Exports compute shapes in the graph,
 * ShapeOf -> Gather -> Multiply -> Concat -> Reshape, and an open size is one number of many there. Intervals of floats
 * are those of ops/float_ranges.h. */
#ifndef IR_RANGES_H
#define IR_RANGES_H

#include "ops/op.h"

enum { IR_MAX_RANGES = 64 }; /* elements: shapes and their kin have a few */

/* Elements of a value that may have ranges: of numbers or booleans, of a known shape and small; else -1. */
int64_t ir_ranges_count(const ir_value *value);
/* Whether something is told of the elements: by `ranges`, or by contents that are known. */
bool ir_has_ranges(const ir_value *value);
/* Element i, in row-major order; any number where nothing is told of it. */
ir_dim ir_range_at(const ir_value *value, int64_t i);

/* Sets the n = ir_ranges_count(out) ranges of an output; where all of them are one number, they are contents that are
 * known. Of intervals that are all open nothing is kept. Reports when memory is out. */
ir_code ir_ranges_set(ir_value *out, const ir_dim *ranges, ir_scope *scope);

/* What node->op->ranges tells of the outputs; one without elements is known. */
ir_code ir_infer_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* An output that has the elements of input 0 in the same order, as its own type: Reshape, Squeeze, Unsqueeze, Convert.
 * As ir_op.ranges. */
ir_code ir_ranges_same(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* An output whose elements are the input's: element [i, j, ..] is the one at first + i * steps[0] + j * steps[1] .. in
 * row-major order. */
ir_code ir_ranges_strided(const ir_value *in, int64_t first, const int64_t *steps, ir_value *out, ir_scope *scope);
/* Whether elements of `in` tell something of those of `out`. */
bool ir_ranges_pass(const ir_value *in, const ir_value *out);
/* The element of an input, aligned with the output at the last axis, that element `at` of the output is: the input is
 * repeated along its axes, once or more often. */
int64_t ir_ranges_source(const ir_shape *in, const ir_shape *out, int64_t at);
/* Elements of the dims from axis `from` to before `to` of a known shape: the step of axis `to - 1`, times its size. */
int64_t ir_ranges_between(const ir_shape *shape, int from, int to);

/* A sum, a product, .. of intervals of all of int64_t: open where an end does not fit. */
ir_dim ir_range_add(ir_dim a, ir_dim b);
ir_dim ir_range_subtract(ir_dim a, ir_dim b);
ir_dim ir_range_multiply(ir_dim a, ir_dim b);
/* Divided and rounded down, or cut toward zero. */
ir_dim ir_range_floor_divide(ir_dim a, ir_dim b);
ir_dim ir_range_divide(ir_dim a, ir_dim b);
ir_dim ir_range_least(ir_dim a, ir_dim b);
ir_dim ir_range_most(ir_dim a, ir_dim b);

#endif
