/* Contents that an op wants to know before anything is computed: axes, target shapes, sizes. They are a constant's, an
 * input's of a run, or what small ops make of those, computed by the ops' own kernels or, where they have none, by
 * their rules on elements (ir_op.ranges). */
#ifndef IR_CONTENTS_H
#define IR_CONTENTS_H

#include "ops/op.h"

/* Where the walk through the producers of one value stands. */
typedef struct ir_contents_visit {
  int32_t from, next_input, pass;
  bool needs_all; /* of its inputs: a kernel computes it. Else those that its row asks for */
  enum { IR_CONTENTS_UNASKED, IR_CONTENTS_OPEN, IR_CONTENTS_TRIED } state;
} ir_contents_visit;

/* Passes over a model's nodes, in order: each value is tried once in each. */
typedef struct ir_contents {
  ir_node *nodes;
  size_t n_nodes;
  ir_scope scope;            /* what is found lives in its arena */
  ir_contents_visit *visits; /* one a node, made when the first value is asked for */
  int32_t pass;
  int64_t work_left; /* of IR_MAX_KNOWN_WORK in each pass; what would take more stays unknown */
} ir_contents;

ir_contents ir_contents_begin(ir_node *nodes, size_t n_nodes, const ir_scope *scope);
/* Begins another pass, with the contents that are known by now. */
void ir_contents_again(ir_contents *contents);
void ir_contents_end(ir_contents *contents);

/* Looks for the contents of the node's inputs whose rows ask for them, and sets `contents` where they can be had; what
 * lies before the node has been inferred. Reports a constant that cannot be read, and when memory is out (IR_IO). */
ir_code ir_contents_want(ir_contents *contents, const ir_node *node);
/* Copies the inputs of the run that the node, all of whose inputs are there, asks for. */
ir_code ir_contents_hold(ir_contents *contents, const ir_node *node);
/* As ir_contents_want, of one input, whatever its row says. */
ir_code ir_contents_want_input(ir_contents *contents, const ir_node *node, int32_t input);
/* True when a shape of the op's outputs may depend on what an input holds. */
bool ir_contents_shape(const ir_op *op);

#endif
