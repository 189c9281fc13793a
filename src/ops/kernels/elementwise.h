/* Ops that make each element of their output of one element of each input: arithmetic, comparisons, activations,
 * Select, FakeQuantize. An op is its formula; how elements are found, loaded and stored stands here once. */
#ifndef IR_ELEMENTWISE_H
#define IR_ELEMENTWISE_H

#include "ops/kernels/compute_type.h"
#include "ops/kernels/nd_iter.h"
#include "ops/plan.h"

#define IR_ELEMENTWISE_MOST (IR_ND_ITER_MOST - 1) /* inputs; the output is the walk's last tensor */

/* What a formula is computed on: `n` elements of each input, as the wide type of the row, and of the output. */
typedef struct ir_elementwise_call {
  const void *in[IR_ELEMENTWISE_MOST];
  void *out;
  int64_t n;
  const void *params; /* the node's */
  ir_type type;       /* of the tensors that the row is chosen by */
} ir_elementwise_call;

typedef void ir_elementwise_row(const ir_elementwise_call *call);

typedef struct ir_elementwise {
  const char *name; /* of its kernels: "maximum" is maximum_f32 for f32 */
  /* Formulas in each wide type. Where integers have none they are computed as f64, and rounded to nearest as OpenVINO
   * has it. */
  ir_elementwise_row *rows[IR_N_COMPUTE_TYPES];
  int chosen_by;  /* the input whose type decides the row; the others are loaded as their own type's wide one */
  bool cuts;      /* integers that are computed as f64 are cut toward zero instead */
  bool of_truths; /* rows write the bytes of booleans */
} ir_elementwise;

/* Formulas. In the expression x, or a and b, or a, b and c are the elements, and `call` is there; the result is cast.
 */
#define IR_ELEMENTWISE_1(name, from, to, ...)                                                                          \
  static void name(const ir_elementwise_call *call) {                                                                  \
    const from *xs = call->in[0];                                                                                      \
    to *out = call->out;                                                                                               \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const from x = xs[i];                                                                                            \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }
#define IR_ELEMENTWISE_2(name, from, to, ...)                                                                          \
  static void name(const ir_elementwise_call *call) {                                                                  \
    const from *as = call->in[0], *bs = call->in[1];                                                                   \
    to *out = call->out;                                                                                               \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const from a = as[i], b = bs[i];                                                                                 \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }
#define IR_ELEMENTWISE_3(name, from, to, ...)                                                                          \
  static void name(const ir_elementwise_call *call) {                                                                  \
    const from *as = call->in[0], *bs = call->in[1], *cs = call->in[2];                                                \
    to *out = call->out;                                                                                               \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const from a = as[i], b = bs[i], c = cs[i];                                                                      \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }

/* Appends the step. Axis 0 of input i is axis offsets[i] of the output; sizes of 1 are stretched. */
ir_code ir_elementwise_step(ir_plan *plan, const ir_node *node, const ir_value *const *in,
                            const ir_elementwise *elementwise, const int *offsets, ir_scope *scope);
/* ir_op.prepare of a row with an `elementwise`, whose inputs are aligned at their last axes. */
ir_code ir_elementwise_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
