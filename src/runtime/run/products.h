/* Products that the fast module (ops/fast) computes for a plan, with what is done behind them, and where channels lie
 * last between them. */
#ifndef IR_PRODUCTS_H
#define IR_PRODUCTS_H

#include "ops/fast/fast.h"
#include "runtime/run/plan_request.h"

/* A product, and the nodes behind it that are done with it: a bias, an addition, functions of each element. */
typedef struct ir_chain {
  const ir_node *first, *last;
  ir_link data, weights, bias, add; /* layer -1: there is none */
  ir_fast_what what;
  ir_fast_product *product;
  bool are_weights_fixed;
} ir_chain;

/* Finds the products of the request's nodes, and sets plan->is_channels_last and plan->plain_of. `*out_chain_of` has
 * one entry a node: the chain that it is part of, or NULL. It is NULL where the module is not wanted, cannot be had or
 * is not worth it. */
ir_code ir_find_products(const ir_plan_request *request, ir_plan *plan, ir_chain ***out_chain_of);
/* Appends the step of a chain. */
ir_code ir_product_chain_step(const ir_chain *chain, ir_plan *plan);
/* Copies that lie plain, of what the node reads and wants plain. */
ir_code ir_make_plain(const ir_node *node, ir_plan *plan);

#endif
