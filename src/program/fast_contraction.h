/* A convolution or matrix product that the fast module computes, with what a pass put behind it: an operation of its
 * own, which no file has. */
#ifndef IR_FAST_CONTRACTION_H
#define IR_FAST_CONTRACTION_H

#include "ops/fast/fast.h"
#include "program/program.h"

/* Its params. Inputs: the data, the weights, then the bias and what is added, as far as there are. */
typedef struct ir_contraction {
  ir_fast_desc desc;
  ir_fast_primitive *primitive; /* the plan's own */
  bool has_constant_weights;    /* they are laid out once for the model */
  ir_constant_key weights_key;
  bool are_weights_local;
  ir_fast_weights *weights; /* laid out; NULL: not yet, or they serve as they are given */
} ir_contraction;

extern const ir_op ir_op_contraction;

static inline bool ir_is_contraction(const ir_operation *operation) {
  return operation->node.op == &ir_op_contraction;
}
/* Whether its constant weights have to be laid out before the plan is executed. */
static inline bool ir_lacks_weights(const ir_contraction *contraction) {
  return contraction->has_constant_weights && contraction->weights == NULL &&
         ir_fast()->weights_bytes(contraction->primitive) > 0;
}

/* Appends the step to `plan` that lays the weights of a contraction out, which are in `slot`: for all programs of the
 * model, or for its own plan where they are local. */
ir_code ir_lay_out_step(ir_plan *plan, const ir_operation *operation, int32_t slot, const ir_program_request *request);

#endif
