/* Infers the output shape of every version of AvgPool and MaxPool, and computes its formula text and its cost. */
#ifndef IR_POOL_H
#define IR_POOL_H

#include "ops/pool/pool_facts.h"

/* Infers shape and type of output 0 from input 0, `in`, of shape [N, C, D..]. If `average` and pads are excluded,
 * checks that each explicit pad is smaller than the window. Reports faults of the window, and legal but surprising
 * windows, such as those without input elements. */
ir_code ir_pool_infer(const ir_node *node, const ir_value *in, ir_value *out, bool average, ir_scope *scope);
/* Writes the size formula of each spatial axis to `buffer`, such as "floor((32 + 0 + 1 - 2) / 2) + 1 = 16". */
void ir_pool_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
/* Returns the number of taps of all windows, including pads: additions of an average, comparisons of a maximum. Returns
 * -1 if a size is unknown or the number exceeds 64 bits. */
int64_t ir_pool_cost(const ir_node *node, const ir_value *const *in);

/* For a pool with rounding_type 'ceil': whether each dim of `declared` fits the dim of output 0, or the dim that
 * 'ceil_torch' would give. 'ceil_torch' drops a last window that begins in the end padding. Returns false for all other
 * nodes. */
bool ir_pool_declares_torch(const ir_node *node, const ir_value *const *in, const ir_shape *declared);

/* Callbacks of the op table for all versions of AvgPool, in OpenVINO and in nGraph. The op's params must be
 * ir_pool_params, and its `family` must point to ir_pool_rules. */
ir_code ir_avg_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_avg_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
/* Whether any spatial axis has pads after auto_pad is resolved for input shape `in`. If auto_pad is same_*, the spatial
 * sizes of `in` must be known. */
bool ir_avg_pool_has_pads(const ir_node *node, const ir_shape *in);

/* Callbacks of the op table for all versions of MaxPool, in OpenVINO and in nGraph. */
/* Infers output 0, for versions without indices. */
ir_code ir_max_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_max_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
