#include "ops/pool/pool_max.h"
#include "ops/pool/pool_places_step.h"
#include "ops/pool/pool_plain.h"
#include "ops/pool/pool_step.h"

ir_code ir_maximum_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, ir_max_start start,
                        int64_t index_modulus, ir_scope *scope) {
  const bool reads_indices = node->n_outputs > 1 && ir_plan_output_slot(plan, node, 1) >= 0;
  const ir_average maxima = {.windows = *windows};
  bool done = false;
  const ir_code code = reads_indices ? ir_places_step(plan, node, windows, start, index_modulus, scope, &done)
                                     : ir_pool_step(plan, node, &maxima, IR_POOL_MAX, start, scope, &done);
  const ir_plain_what what = {.op = reads_indices ? IR_PLAIN_INDICES : IR_PLAIN_MAXIMUM,
                              .type = node->outputs[0].type,
                              .start = start,
                              .modulus = index_modulus};
  return done || code != IR_OK ? code : ir_plain_step(plan, node, windows, &what, scope);
}
