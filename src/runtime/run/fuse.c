/* The pass "fuse": what stands behind a product is done with its elements before they are stored. */
#include "ops/math/binary.h"
#include "runtime/run/passes.h"
#include <string.h>

static bool is_op(const ir_node *node, const char *type) {
  return node->op != NULL && node->op->dialect == IR_OPENVINO && strcmp(node->op->type, type) == 0;
}

/* The one node that reads output 0; NULL: several do, or it is kept. */
static const ir_node *only_user(const ir_finder *f, const ir_node *node) {
  const int32_t layer = ir_finder_index(f, node);
  if (node->n_outputs != 1 || f->is_kept[layer] || f->n_uses[layer] != 1)
    return NULL;
  return ir_finder_node(f, f->users[layer][0]);
}

static bool have_one_shape(const ir_finder *f, const ir_node *a, ir_link from) {
  const ir_value *b = ir_finder_value(f, from);
  return b->type == a->outputs[0].type && ir_shapes_equal(&a->outputs[0].shape, &b->shape);
}

/* One number for each channel of a convolution, or each column: all other axes have size 1. */
static bool is_bias(const ir_finder *f, const ir_chain *chain, ir_link from) {
  const ir_value *value = ir_finder_value(f, from);
  const ir_shape *shape = &value->shape, *out = &chain->first->outputs[0].shape;
  const bool is_matmul = chain->desc.kind == IR_FAST_MATMUL;
  const int channel = is_matmul ? out->rank - 1 : 1;
  if (is_matmul && out->rank > 0 && out->dims[channel].lo != chain->desc.n) /* b is a vector: the last axis is rows */
    return false;
  if (value->type != chain->first->outputs[0].type || shape->rank > out->rank || channel < out->rank - shape->rank)
    return false;
  for (int i = 0; i < shape->rank; i++) {
    const int axis = out->rank - shape->rank + i;
    if (shape->dims[i].lo != (axis == channel ? out->dims[axis].lo : 1))
      return false;
  }
  return true;
}

/* Behind a backprop oneDNN 2.6 makes 0 of NaN by a Sigmoid. */
static bool append(ir_chain *chain, ir_post_op post_op) {
  if (chain->desc.n_post_ops == IR_FAST_MOST_POST_OPS ||
      (chain->desc.kind == IR_FAST_BACKPROP && post_op.kind == IR_POST_SIGMOID))
    return false;
  chain->desc.post_ops[chain->desc.n_post_ops++] = post_op;
  return true;
}

static bool take_add(const ir_finder *f, ir_chain *chain, const ir_node *user) {
  const int32_t last = ir_finder_index(f, chain->last);
  const ir_link from = user->inputs[user->inputs[0].layer == last ? 1 : 0];
  const ir_binary_params *params = user->params;
  if (params->auto_broadcast == IR_BROADCAST_PDPD || !have_one_shape(f, user, (ir_link){last, 0}))
    return false;
  if (chain->bias.layer < 0 && chain->desc.n_post_ops == 0 && is_bias(f, chain, from)) {
    chain->bias = from;
    chain->desc.has_bias = true;
    return true;
  }
  if (chain->add.layer >= 0 || !have_one_shape(f, user, from) || !append(chain, (ir_post_op){.kind = IR_POST_ADD}))
    return false;
  chain->add = from;
  return true;
}

/* x * Sigmoid(x), as two layers: the last of them, or NULL. */
static const ir_node *find_swish(const ir_finder *f, const ir_node *node) {
  const int32_t layer = ir_finder_index(f, node);
  if (node->n_outputs != 1 || f->is_kept[layer] || f->n_uses[layer] != 2)
    return NULL;
  for (int i = 0; i < 2; i++) {
    const ir_node *sigmoid = ir_finder_node(f, f->users[layer][i]);
    const ir_node *product = ir_finder_node(f, f->users[layer][1 - i]);
    if (is_op(sigmoid, "Sigmoid") && is_op(product, "Multiply") && only_user(f, sigmoid) == product)
      return product;
  }
  return NULL;
}

/* Takes one more node, or two, into the chain; false: nothing fits. */
static bool take_next(const ir_finder *f, ir_chain *chain) {
  const ir_node *user = only_user(f, chain->last), *end = user;
  ir_post_op post_op;
  bool taken = false;
  if (user != NULL && f->chain_of[ir_finder_index(f, user)] != NULL)
    return false; /* another product's */
  if (user == NULL) {
    end = find_swish(f, chain->last);
    taken = end != NULL && append(chain, (ir_post_op){.kind = IR_POST_SWISH, .a = 1});
  } else if (is_op(user, "Add")) {
    taken = take_add(f, chain, user);
  } else if (user->op != NULL && user->op->post_op != NULL &&
             user->inputs[0].layer == ir_finder_index(f, chain->last)) {
    taken = user->op->post_op(user, &post_op) && append(chain, post_op);
  }
  if (taken)
    chain->last = end;
  return taken;
}

void ir_fuse(const ir_finder *f, ir_chain *chain, int most) {
  for (int n = 0; n < most && take_next(f, chain); n++)
    ;
}

void ir_mark_chain(const ir_finder *f, const ir_chain *chain, ir_chain *as) {
  ir_chain **chain_of = f->chain_of;
  for (const ir_node *node = chain->first; node != chain->last;) {
    const int32_t layer = ir_finder_index(f, node);
    const int32_t first = f->users[layer][0], second = f->users[layer][1];
    chain_of[layer] = as;
    if (f->n_uses[layer] == 2) { /* Sigmoid and Multiply */
      chain_of[first] = chain_of[second] = as;
      node = ir_finder_node(f, is_op(ir_finder_node(f, first), "Multiply") ? first : second);
    } else {
      node = ir_finder_node(f, first);
    }
  }
  chain_of[ir_finder_index(f, chain->last)] = as;
}
