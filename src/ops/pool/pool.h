/* The shape rule that all versions of AvgPool and MaxPool share, and what they have beside it. */
#ifndef IR_POOL_H
#define IR_POOL_H

#include "ops/pool/pool_facts.h"

/* Shape and type of output 0 from in[0] [N, C, D..]; `average` adds the rule that exclude-pad windows are larger than
 * their pads. Reports all that is wrong with the window, and what may surprise (empty windows, ceil against
 * ceil_torch). */
ir_code ir_pool_infer(const ir_node *node, const ir_value *in, ir_value *out, bool average, ir_scope *scope);
/* "floor((32 + 0 + 1 - 2) / 2) + 1 = 16" for every axis. */
void ir_pool_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
/* Taps of all windows: additions of an average, comparisons of a maximum. -1 when a size is not known, or
 * their number does not fit 64 bits. */
int64_t ir_pool_cost(const ir_node *node, const ir_value *const *in);

/* True for a pool with rounding_type 'ceil' whose declared dims are those of output 0, or on some axes what
 * 'ceil_torch' counts: without a last window that begins in the end padding. */
bool ir_pool_declares_torch(const ir_node *node, const ir_value *const *in, const ir_shape *declared);

/* What all versions of AvgPool share, of every dialect: rows with ir_pool_params and `family`. */
ir_code ir_avg_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_avg_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
/* Pads in force on any axis of an input of that rank, whose sizes are known where pads are of same_*. */
bool ir_avg_pool_has_pads(const ir_node *node, const ir_shape *in);

/* What all versions of MaxPool share, likewise. */
/* Of the versions with one output. */
ir_code ir_max_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_max_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
