/* The passes over the nodes of a plan, each of which sees all nodes before any is prepared, and what they share. */
#ifndef IR_PASSES_H
#define IR_PASSES_H

#include "ops/fast/fast.h"
#include "runtime/run/plan_request.h"

/* A product, and the nodes behind it that the fast module computes with it: a bias, an addition, functions of each
 * element. */
typedef struct ir_chain {
  const ir_node *first, *last;
  ir_link data, weights, bias, add; /* layer -1: there is none */
  ir_fast_desc desc;
  ir_fast_primitive *primitive;
  bool are_weights_fixed; /* they are laid out in the first execution only */
} ir_chain;

/* What is known of the nodes; arrays have one entry a node. */
typedef struct ir_finder {
  const ir_plan_request *request;
  ir_plan *plan;
  ir_chain **chain_of; /* NULL: the node is of none */
  int32_t *n_uses;     /* ports that read its output 0 */
  int32_t (*users)[2]; /* the first two that read it */
  bool *is_fixed;      /* it is computed of constants alone */
  bool *is_kept;       /* a Result or a later plan reads one of its outputs */
  const ir_value **in; /* room for the inputs of any node */
} ir_finder;

static inline const ir_node *ir_finder_node(const ir_finder *f, int32_t layer) {
  return &f->request->nodes[layer];
}

static inline int32_t ir_finder_index(const ir_finder *f, const ir_node *node) {
  return (int32_t)(node - f->request->nodes);
}

static inline const ir_value *ir_finder_value(const ir_finder *f, ir_link from) {
  return &f->request->nodes[from.layer].outputs[from.port];
}

/* ---- fuse ---- */

/* Adds to the chain the nodes behind its product that work on elements before they are stored: a bias, an addition and
 * functions, so many at most. */
void ir_fuse(const ir_finder *f, ir_chain *chain, int most);
/* Sets chain_of to `as` for all nodes of the chain. */
void ir_mark_chain(const ir_finder *f, const ir_chain *chain, ir_chain *as);

/* ---- layout ---- */

/* Whether the node reads a tensor with channels last, and can read and write all its tensors so. */
bool ir_follows_layout(const ir_finder *f, const ir_node *node);
/* Appends a step that copies a tensor [N, C, D..] from one slot to another: to channels last, or from there. */
ir_code ir_copy_laid(ir_plan *plan, const ir_node *node, const ir_shape *shape, bool to_last, int32_t from, int32_t to);
/* Appends the step that makes a copy of an output in the other layout, plan->turned_of, unless there is one. */
ir_code ir_make_turned(ir_plan *plan, ir_link from);
/* Likewise of all outputs that the node reads and wants plain. */
ir_code ir_make_plain(ir_plan *plan, const ir_node *node);

/* ---- products ---- */

/* Whether the request's nodes hold enough products that the fast module is wanted, and it can be had. It is not where
 * somebody looks at all that is computed, for a chain makes its last output alone. */
ir_code ir_wants_products(const ir_plan_request *request, ir_plan *plan, bool *out_wanted);
/* Makes the products of the request's nodes by way of the passes, and sets plan->is_channels_last and plan->turned_of.
 * `*out_chain_of` has one entry a node: the chain that it is part of, or NULL. It is NULL where request->is_fast is not
 * set. */
ir_code ir_find_products(const ir_plan_request *request, ir_plan *plan, ir_chain ***out_chain_of);
/* Appends the step of a chain, and copies of what it reads and writes in another layout or type. */
ir_code ir_primitive_chain_step(ir_plan *plan, const ir_chain *chain);

#endif
