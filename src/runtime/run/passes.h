/* What passes over the nodes of a plan share: each sees all nodes before any is prepared. */
#ifndef IR_PASSES_H
#define IR_PASSES_H

#include "ops/fast/fast.h"
#include "runtime/run/plan_request.h"

/* A product, and the nodes behind it that are done with it: a bias, an addition, functions of each element. */
typedef struct ir_chain {
  const ir_node *first, *last;
  ir_link data, weights, bias, add; /* layer -1: there is none */
  ir_fast_what what;
  ir_fast_product *product;
  bool are_weights_fixed; /* they are laid out in the first run only */
} ir_chain;

/* What is known of the nodes. One of each a node. */
typedef struct ir_finder {
  const ir_plan_request *request;
  ir_plan *plan;
  ir_chain **chain_of;
  int32_t *n_uses;     /* ports that read its output 0 */
  int32_t (*users)[2]; /* the first two that read it */
  bool *is_fixed;      /* it is computed of constants alone */
  bool *is_kept;       /* a Result or a later plan reads one of its outputs */
  const ir_value **in;
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

/* Takes what can be done with the product's elements before they are stored into the chain. */
void ir_fuse(const ir_finder *f, ir_chain *chain);
/* Sets the chain of its nodes; NULL: of none. */
void ir_mark_chain(const ir_finder *f, const ir_chain *chain, ir_chain *as);

/* ---- layout ---- */

/* Whether the node reads and writes tensors with channels last because it reads one. */
bool ir_follows_layout(const ir_finder *f, const ir_node *node);
/* Appends a copy of a tensor [N, C, D..] that lies in the other layout; false: from channels last. */
ir_code ir_copy_laid(ir_plan *plan, const ir_node *node, const ir_shape *shape, bool to_last, int32_t from, int32_t to);
/* Sees to the plain copy of an output that lies with channels last. */
ir_code ir_make_plain_of(ir_plan *plan, ir_link from);

#endif
