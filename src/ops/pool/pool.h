/* The shape rule of all versions of AvgPool and MaxPool, with their formula and cost. */
#ifndef IR_POOL_H
#define IR_POOL_H

#include "ops/pool/pool_facts.h"

/* Infers shape and type of output 0 from in[0] [N, C, D..]; `average` adds the rule that windows are larger than
 * excluded pads. Reports faults of the window, and surprises (empty windows, ceil against ceil_torch). */
ir_code ir_pool_infer(const ir_node *node, const ir_value *in, ir_value *out, bool average, ir_scope *scope);
/* Formula of every axis: "floor((32 + 0 + 1 - 2) / 2) + 1 = 16". */
void ir_pool_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
/* Number of taps of all windows: additions of an average, comparisons of a maximum. -1 if a size is unknown or the
 * number exceeds 64 bits. */
int64_t ir_pool_cost(const ir_node *node, const ir_value *const *in);

/* True for a pool with rounding_type 'ceil' whose declared dims are output 0's, or on some axes those of 'ceil_torch',
 * which drops a last window that begins in the end padding. */
bool ir_pool_declares_torch(const ir_node *node, const ir_value *const *in, const ir_shape *declared);

/* Shared by all versions of AvgPool, in each dialect: rows with ir_pool_params and a `family`. */
ir_code ir_avg_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_avg_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
/* Whether any axis has pads after resolution, for an input of that rank; its sizes are known if pads are same_*. */
bool ir_avg_pool_has_pads(const ir_node *node, const ir_shape *in);

/* The same for all versions of MaxPool. */
/* For versions with one output. */
ir_code ir_max_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_max_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
