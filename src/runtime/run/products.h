/* Products that the fast module (ops/fast) computes for a plan, with what is done behind them, and where channels lie
 * last between them. */
#ifndef IR_PRODUCTS_H
#define IR_PRODUCTS_H

#include "runtime/run/plan_request.h"

struct ir_chain;

/* Whether the request's nodes hold enough products that the fast module is wanted, and it can be had. */
bool ir_wants_products(const ir_plan_request *request, ir_plan *plan);
/* Finds the products of the request's nodes, and sets plan->is_channels_last and plan->plain_of. `*out_chain_of` has
 * one entry a node: the chain that it is part of, or NULL. It is NULL where products are not wanted. */
ir_code ir_find_products(const ir_plan_request *request, ir_plan *plan, struct ir_chain ***out_chain_of);
/* Appends the step of a chain. */
ir_code ir_product_chain_step(const struct ir_chain *chain, ir_plan *plan);
/* Copies that lie plain, of what the node reads and wants plain. */
ir_code ir_make_plain(const ir_node *node, ir_plan *plan);

#endif
