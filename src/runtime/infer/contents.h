/* Contents that inference needs: axes, target shapes, sizes. They come from a constant, from an input of a run, or from
 * small ops on those, computed by the ops' kernels or, without a kernel, by their range rules (ir_op.ranges). */
#ifndef IR_CONTENTS_H
#define IR_CONTENTS_H

#include "ops/op.h"

/* Position of the depth-first walk through the producers of a value. */
typedef struct ir_contents_visit {
  int32_t from, next_input, pass;
  bool needs_all; /* a kernel computes it from all inputs; else only the inputs are needed that its row asks for */
  enum { IR_CONTENTS_UNASKED, IR_CONTENTS_OPEN, IR_CONTENTS_TRIED } state;
} ir_contents_visit;

/* Passes over a model's nodes in order. Each pass tries a value once. */
typedef struct ir_contents {
  ir_node *nodes;
  size_t n_nodes;
  ir_scope scope;            /* its arena holds the contents found */
  ir_contents_visit *visits; /* one per node; allocated when the first value is requested */
  int32_t pass;
  int64_t work_left; /* what remains of IR_MAX_KNOWN_WORK in this pass; values that need more stay unknown */
} ir_contents;

ir_contents ir_contents_begin(ir_node *nodes, size_t n_nodes, const ir_scope *scope);
/* Begins another pass, with the contents known by now. */
void ir_contents_again(ir_contents *contents);
void ir_contents_end(ir_contents *contents);

/* Finds the contents of those inputs that the node's row asks for, and sets `contents` if they are available. Earlier
 * nodes must be inferred. Reports a constant that cannot be read. IR_NO_MEMORY when memory is out. */
ir_code ir_contents_want(ir_contents *contents, const ir_node *node);
/* Copies those inputs of the run whose contents the node needs, if all of its inputs are available. */
ir_code ir_contents_hold(ir_contents *contents, const ir_node *node);
/* Like ir_contents_want, for one input, whatever its row says. */
ir_code ir_contents_want_input(ir_contents *contents, const ir_node *node, int32_t input);
/* Whether that input's contents may decide an output shape, or the kernel inspects them in `prepare`. */
bool ir_contents_decide(const ir_op *op, const ir_port_spec *port);

#endif
