/* Sizes that the inputs of an op share, as [N, T, C] and [N] do: each is in all of them, and so in the output. */
#ifndef IR_SIZES_H
#define IR_SIZES_H

#include "ops/op.h"

/* What the inputs gone through tell of a size. */
typedef struct ir_size {
  const char *name; /* "num_boxes" */
  ir_dim dim;
  int port, axis; /* that told it first; -1: none yet */
} ir_size;

static inline ir_size ir_size_of(const char *name) {
  return (ir_size){.name = name, .dim = {0, IR_DIM_MAX}, .port = -1, .axis = -1};
}

/* Input `port` is there, and its rank is known. */
bool ir_input_ranked(const ir_node *node, const ir_value *const *in, int port);
/* Its dim `axis`; an open one when it has no known rank. */
ir_dim ir_input_dim(const ir_node *node, const ir_value *const *in, int port, int axis);

/* Dim `axis` of input `port`, if its rank is known, is `size` too. False, and reported (IR322), when it cannot be. */
bool ir_size_join(const ir_node *node, const ir_value *const *in, int port, int axis, ir_size *size, ir_scope *scope);
/* The same of a dim that has to lie in `expected`: `what` says what that is. */
bool ir_size_check(const ir_node *node, const ir_value *const *in, int port, int axis, ir_dim expected,
                   const char *what, ir_scope *scope);

/* Every product of two sizes; one that 64 bits do not hold is the largest number. */
ir_dim ir_size_times(ir_dim a, ir_dim b);

/* Nothing can be told, for an input or an attribute is at fault: every output is unknown then. */
bool ir_outputs_unknown(const ir_node *node, const ir_value *const *in, ir_value *out);
/* Every output is unknown; for a fault that was reported. */
void ir_outputs_set_unknown(const ir_node *node, ir_value *out);
/* The type that inputs `first` to `last` have, of those that tell one. */
ir_type ir_inputs_type(const ir_node *node, const ir_value *const *in, int first, int last);

/* Attribute `name` is not given, and its default on the page is not the one that OpenVINO takes: IR212. */
void ir_warn_of_default(const ir_node *node, const char *name, const char *taken, const char *by_openvino,
                        ir_scope *scope);

/* The real number `value` of attribute `name` is wrong: IR207, "'scale' is 0; expected a number above 0". */
void ir_report_number(const ir_node *node, const char *name, double value, const char *expected, ir_scope *scope);

#endif
