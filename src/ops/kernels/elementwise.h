/* Elementwise ops: each element of the output depends on one element of each input (arithmetic, comparisons,
 * activations, Select, FakeQuantize). An op supplies its formula; iteration, loading and storing are here. */
#ifndef IR_ELEMENTWISE_H
#define IR_ELEMENTWISE_H

#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/nd_iter.h"
#include "ops/prepare.h"

#define IR_ELEMENTWISE_MOST (IR_ND_ITER_MOST - 1) /* inputs; the output is the iterator's last tensor */

/* Arguments of a formula: `n` elements of each input, in the row's compute type, and the output. */
typedef struct ir_elementwise_call {
  const void *in[IR_ELEMENTWISE_MOST];
  void *out;
  int64_t n;
  const void *params; /* params of the node */
  ir_type type;       /* type of the tensors that selects the row */
} ir_elementwise_call;

typedef void ir_elementwise_row(const ir_elementwise_call *call);

typedef struct ir_elementwise {
  const char *name; /* prefix of its kernels: "maximum" gives maximum_f32 for f32 */
  /* Formulas by compute type. Without one for integers they are computed as f64 and rounded to nearest, as OpenVINO
   * does. */
  ir_elementwise_row *rows[IR_N_COMPUTE_TYPES];
  int chosen_by;  /* the input whose type selects the row; other inputs use their own compute types */
  bool cuts;      /* truncate integers that are computed as f64, do not round them */
  bool of_truths; /* rows write booleans, as bytes */
} ir_elementwise;

/* Formulas. The expression sees the elements as x, or a and b, or a, b and c, and `call`; its result is cast. */
#define IR_ELEMENTWISE_1(name, from, to, ...)                                                                          \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const from *xs = call->in[0];                                                                                      \
    to *out = call->out;                                                                                               \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const from x = xs[i];                                                                                            \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))
#define IR_ELEMENTWISE_2(name, from, to, ...)                                                                          \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const from *as = call->in[0], *bs = call->in[1];                                                                   \
    to *out = call->out;                                                                                               \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const from a = as[i], b = bs[i];                                                                                 \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))
#define IR_ELEMENTWISE_3(name, from, to, ...)                                                                          \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const from *as = call->in[0], *bs = call->in[1], *cs = call->in[2];                                                \
    to *out = call->out;                                                                                               \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const from a = as[i], b = bs[i], c = cs[i];                                                                      \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))

/* Appends the step. Axis 0 of input i aligns with axis offsets[i] of the output; axes of size 1 broadcast. */
ir_code ir_elementwise_step(ir_plan *plan, const ir_node *node, const ir_value *const *in,
                            const ir_elementwise *elementwise, const int *offsets, ir_scope *scope);
/* ir_op.prepare for rows with an `elementwise` whose inputs align at their last axes. */
ir_code ir_elementwise_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
