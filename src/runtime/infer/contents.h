/* Finds contents that inference needs: axes, target shapes, sizes. Contents come from a constant, from an input of a
 * run, or from small ops on such contents. The op's kernel computes them; an op without a kernel infers ranges by its
 * rule (ir_op.ranges). */
#ifndef IR_CONTENTS_H
#define IR_CONTENTS_H

#include "ops/op.h"

/* The state of one node in the depth-first walk from a value to its producers. */
typedef struct ir_contents_visit {
  int32_t from, next_input, pass;
  bool needs_all; /* the kernel needs all inputs; if false, only the inputs that the op's row asks for are visited */
  enum { IR_CONTENTS_UNASKED, IR_CONTENTS_OPEN, IR_CONTENTS_TRIED } state;
} ir_contents_visit;

/* The search for contents in a model whose nodes are inferred in order. In each pass, each node is visited once. */
typedef struct ir_contents {
  ir_node *nodes;
  size_t n_nodes;
  ir_scope scope;            /* its arena owns the contents that are found */
  ir_contents_visit *visits; /* one for each node; allocated with the first request */
  int32_t pass;
  int64_t work_left; /* rest of IR_MAX_KNOWN_WORK in this pass; contents that take more work stay unknown */
} ir_contents;

ir_contents ir_contents_begin(ir_node *nodes, size_t n_nodes, const ir_scope *scope);
/* Begins another pass, in which all nodes are visited again. Contents that are already known remain. */
void ir_contents_again(ir_contents *contents);
void ir_contents_end(ir_contents *contents);

/* Finds the contents of the inputs that the node's row asks for, and sets ir_value.contents if they are available. All
 * earlier nodes must be inferred. Reports a constant that cannot be read. Returns IR_NO_MEMORY if memory is out, else
 * IR_OK. */
ir_code ir_contents_want(ir_contents *contents, const ir_node *node);
/* Copies the contents that the node's row asks for and that belong to the caller of the run, because the caller can
 * change them. All inputs of the node must be connected. */
ir_code ir_contents_hold(ir_contents *contents, const ir_node *node);
/* Finds the contents of one input of the node, even if its row does not ask for them. */
ir_code ir_contents_want_input(ir_contents *contents, const ir_node *node, int32_t input);
/* Whether output shapes of the op depend on the contents of the input, or `prepare` reads these contents. */
bool ir_contents_decide(const ir_op *op, const ir_port_spec *port);

#endif
