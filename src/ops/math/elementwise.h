/* What ops share that make each element of their output of one element of their input: Abs, ReLU, Convert,
 * ConvertLike. */
#ifndef IR_ELEMENTWISE_H
#define IR_ELEMENTWISE_H

#include "ops/plan.h"

/* to[i] from from[i], for n elements. */
typedef void ir_elementwise_row(const void *from, void *to, int64_t n);

/* Defines such a function: each element of one C type is `value(element)` of another. */
#define IR_ELEMENTWISE_ROW(name, from_type, to_type, value)                                                            \
  static void name(const void *from, void *to, int64_t n) {                                                            \
    const from_type *x = from;                                                                                         \
    to_type *y = to;                                                                                                   \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      y[i] = value(x[i]);                                                                                              \
  }

typedef struct ir_elementwise_kernel {
  ir_kernel kernel;        /* of no types: the end */
  ir_elementwise_row *row; /* NULL: the elements stay as they are */
} ir_elementwise_kernel;

/* ir_kernel.run of every such kernel. */
ir_code ir_elementwise_run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec);

/* The output has the input's type and shape. */
ir_code ir_elementwise_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
/* Appends the step with the kernel for the output's type. */
ir_code ir_elementwise_step(ir_plan *plan, const ir_node *node, const ir_elementwise_kernel *kernels, ir_scope *scope);
/* Elements of the output, also of a broadcast: each is computed once. */
int64_t ir_elementwise_cost(const ir_node *node, const ir_value *const *in);

/* An input of arithmetic. */
#define IR_PORT_OF_NUMBERS(port)                                                                                       \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_carried = IR_CARRIED_NUMBERS,                       \
    .rank_max = IR_MAX_RANK                                                                                            \
  }

#endif
