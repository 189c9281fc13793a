/* Computes elementwise ops: each element of the output depends on one element of each input (arithmetic, comparisons,
 * activations, Select, FakeQuantize). An op supplies its formula; the code here iterates, loads and stores. */
#ifndef IR_ELEMENTWISE_H
#define IR_ELEMENTWISE_H

#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/nd_iter.h"
#include "ops/prepare.h"

#define IR_ELEMENTWISE_MOST (IR_ND_ITER_MOST - 1) /* most inputs; the iterator's last tensor is the output */

/* Arguments of a formula: n elements of each input, in the input's compute type, and memory for n results. */
typedef struct ir_elementwise_call {
  const void *in[IR_ELEMENTWISE_MOST];
  void *out;
  int64_t n;
  const void *params;                /* params of the node */
  bool repeats[IR_ELEMENTWISE_MOST]; /* the n elements of the input are equal, in each call for this step */
  ir_type type;                      /* type of the input that selects the formula */
} ir_elementwise_call;

/* Index of a formula for booleans, behind those for the compute types. */
enum { IR_ELEMENTWISE_TRUTHS = IR_N_COMPUTE_TYPES, IR_N_ELEMENTWISE_ROWS };

typedef void ir_elementwise_row(const ir_elementwise_call *call);

typedef struct ir_elementwise {
  const char *name; /* prefix of kernel names: "maximum" gives maximum_f32 for f32 */
  /* The formula for each compute type. If integers have none, they are computed in f64, and results are rounded to
   * nearest, as in OpenVINO. The formula IR_ELEMENTWISE_TRUTHS reads and writes booleans as bytes (uint8_t; not 0 is
   * true); without it booleans are computed as IR_COMPUTE_U64. */
  ir_elementwise_row *rows[IR_N_ELEMENTWISE_ROWS];
  int chosen_by;      /* number of the input whose type selects the formula */
  bool has_condition; /* input 0 is boolean, and each formula reads its bytes */
  bool cuts;          /* integers that are computed in f64 are truncated, not rounded */
  bool of_truths;     /* the output is boolean; formulas write one byte each */
} ir_elementwise;

/* Define a formula `name` for 1, 2 or 3 inputs of type `from` and results of type `to`. Its expression can use `call`
 * and the elements: x for one input, a and b for two, a, b and c for three. */
#define IR_ELEMENTWISE_1(name, from, to, ...)                                                                          \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const from *xs = call->in[0];                                                                                      \
    to *out = call->out;                                                                                               \
    const int64_t n = call->n;                                                                                         \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const from x = xs[i];                                                                                            \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))
#define IR_ELEMENTWISE_2(name, from, to, ...)                                                                          \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const from *as = call->in[0], *bs = call->in[1];                                                                   \
    to *out = call->out;                                                                                               \
    const int64_t n = call->n;                                                                                         \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const from a = as[i], b = bs[i];                                                                                 \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))
#define IR_ELEMENTWISE_3(name, from, to, ...)                                                                          \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const from *as = call->in[0], *bs = call->in[1], *cs = call->in[2];                                                \
    to *out = call->out;                                                                                               \
    const int64_t n = call->n;                                                                                         \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const from a = as[i], b = bs[i], c = cs[i];                                                                      \
      out[i] = (to)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))

/* Appends the step that computes output 0 from all inputs. Axis 0 of input i is axis offsets[i] of the output; axes of
 * size 1 broadcast. */
ir_code ir_elementwise_step(ir_plan *plan, const ir_node *node, const ir_value *const *in,
                            const ir_elementwise *elementwise, const int *offsets, ir_scope *scope);
/* Implements ir_op.prepare for ops that have ir_op.elementwise and align all inputs at the last axis. */
ir_code ir_elementwise_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
