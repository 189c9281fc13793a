/* What is known of the elements of a small tensor before a run: an interval each. Exports compute shapes in the graph,
 * ShapeOf -> Gather -> Multiply -> Concat -> Reshape, and an open size is one number of many there. Intervals of floats
 * are those of ops/float_parts.h. */
#ifndef IR_PARTS_H
#define IR_PARTS_H

#include "ops/op.h"

enum { IR_MAX_PARTS = 64 }; /* elements: shapes and their kin have a few */

/* Elements of a value that may have parts: of numbers or booleans, of a known shape and small; else -1. */
int64_t ir_parts_count(const ir_value *value);
/* Whether something is told of the elements: by `parts`, or by contents that are known. */
bool ir_has_parts(const ir_value *value);
/* Element i, in row-major order; any number where nothing is told of it. */
ir_dim ir_part_at(const ir_value *value, int64_t i);

/* Sets the n = ir_parts_count(out) parts of an output; where all of them are one number, they are contents that are
 * known. Of intervals that are all open nothing is kept. Reports when memory is out. */
ir_code ir_parts_set(ir_value *out, const ir_dim *parts, ir_scope *scope);

/* What node->op->parts tells of the outputs; one without elements is known. */
ir_code ir_parts_tell(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* An output that has the elements of input 0 in the same order, as its own type: Reshape, Squeeze, Unsqueeze, Convert.
 * As ir_op.parts. */
ir_code ir_parts_same(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

/* An output whose elements are the input's: element [i, j, ..] is the one at first + i * steps[0] + j * steps[1] .. in
 * row-major order. */
ir_code ir_parts_strided(const ir_value *in, int64_t first, const int64_t *steps, ir_value *out, ir_scope *scope);
/* Whether elements of `in` tell something of those of `out`. */
bool ir_parts_pass(const ir_value *in, const ir_value *out);
/* The element of an input, aligned with the output at the last axis, that element `at` of the output is: the input is
 * repeated along its axes, once or more often. */
int64_t ir_parts_source(const ir_shape *in, const ir_shape *out, int64_t at);
/* Elements of the dims from axis `from` to before `to` of a known shape: the step of axis `to - 1`, times its size. */
int64_t ir_parts_between(const ir_shape *shape, int from, int to);

/* A sum, a product, .. of intervals of all of int64_t: open where an end does not fit. */
ir_dim ir_part_add(ir_dim a, ir_dim b);
ir_dim ir_part_subtract(ir_dim a, ir_dim b);
ir_dim ir_part_multiply(ir_dim a, ir_dim b);
/* Divided and rounded down, or cut toward zero. */
ir_dim ir_part_floor_divide(ir_dim a, ir_dim b);
ir_dim ir_part_divide(ir_dim a, ir_dim b);
ir_dim ir_part_least(ir_dim a, ir_dim b);
ir_dim ir_part_most(ir_dim a, ir_dim b);

#endif
