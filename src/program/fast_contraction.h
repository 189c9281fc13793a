/* A convolution or matrix product that the fast module computes, with the operations that pass "fuse" merged into it.
 * No file contains this op. */
#ifndef IR_FAST_CONTRACTION_H
#define IR_FAST_CONTRACTION_H

#include "ops/fast/fast.h"
#include "program/program.h"

/* Params of a contraction. Its inputs: the data, the weights, then the bias and the added tensor, if there are any. */
typedef struct ir_contraction {
  ir_fast_desc desc;
  ir_fast_primitive *primitive; /* owned by the plan */
  bool has_constant_weights;    /* the weights are constant: they are laid out once for the model */
  ir_constant_key weights_key;
  bool are_weights_local;
  ir_fast_weights *weights; /* laid-out weights; NULL: not laid out yet, or the primitive uses the plain ones */
} ir_contraction;

extern const ir_op ir_op_contraction;

static inline bool ir_is_contraction(const ir_operation *operation) {
  return operation->node.op == &ir_op_contraction;
}
/* Whether the contraction's constant weights have to be laid out before the plan is executed. */
static inline bool ir_lacks_weights(const ir_contraction *contraction) {
  return contraction->has_constant_weights && contraction->weights == NULL &&
         ir_fast()->weights_bytes(contraction->primitive) > 0;
}

/* Gives a primitive to the program's plan. */
ir_code ir_own_primitive(ir_program *program, ir_fast_primitive *primitive);

/* Appends the step that lays out a contraction's weights from `slot`: for all programs of the model, or only for this
 * plan if the weights are local. */
ir_code ir_lay_out_step(ir_plan *plan, const ir_operation *operation, int32_t slot, const ir_program_request *request);

#endif
