/* Ops with bodies: If, Loop and TensorIterator. A body is a graph of its own; a port map says which input of the layer
 * each of its Parameters gets, and which output each of its Results gives; a back edge feeds a Parameter, from the
 * second iteration on, with what a Result has. Pages: condition/if-8, infrastructure/loop-5 and tensor-iterator-1. */
#ifndef IR_BODIES_H
#define IR_BODIES_H

#include "ops/op.h"

/* A line of a port map, as its attributes say; what they do not say is -1. */
typedef struct ir_line_params {
  int64_t external_port_id, internal_layer_id;
  int64_t axis, start, end, stride, part_size;
  int purpose;
} ir_line_params;

typedef struct ir_back_edge_params {
  int64_t from_layer, to_layer;
} ir_back_edge_params;

enum { IR_PURPOSE_CURRENT_ITERATION, IR_PURPOSE_EXECUTION_CONDITION };

/* A line between input or output `port` of the layer and Parameter or Result `inner` of its body. */
typedef struct ir_body_link {
  const ir_node *line; /* a node made of its attributes; its params are ir_line_params */
  int32_t port, inner;
  bool is_sliced; /* along `axis`: one part an iteration */
} ir_body_link;

/* What a Parameter of a body starts with. */
typedef struct ir_body_param {
  ir_value value;
  bool is_given;       /* else its value is what it declares: the number of the iteration */
  int32_t port;        /* of the layer: the input that it gets; -1: none */
  int32_t next;        /* the Result whose value it has in the next iteration; -1: it keeps its own */
  const ir_node *back; /* that back edge */
} ir_body_param;

/* A body, bound to its layer. Parameters and Results are numbered in the file's order. */
typedef struct ir_body {
  ir_body_link *inputs, *outputs;
  int32_t n_inputs, n_outputs, n_params, n_results;
  ir_body_param *params;
  const ir_value **results; /* what the Results were fed with when the body was inferred last */
  int32_t *param_of;        /* of a Result that a Parameter feeds directly that one; else -1 */
  const ir_layer **param_layers;
  int32_t condition; /* the Result that says whether there is another iteration; -1: none */
} ir_body;

/* What the ops of this family have apart. */
typedef struct ir_body_rule {
  int n_bodies;
  int n_own_inputs; /* before those that only bodies get: the condition of an If; trip_count and condition of a Loop */
  bool takes_all;   /* every other input of the layer has a place in the port map */
  bool has_condition;                                            /* a Result says whether there is another iteration */
  const char *names[IR_MOST_BODIES], *map_names[IR_MOST_BODIES]; /* of the elements */
  const ir_op *const *line_rows; /* the attributes of lines, by ir_line_kind; NULL: there are no such lines */
  /* Sets what the Parameters start with in iteration `round`, counted from 0: from the layer's inputs, then from what
   * the bodies gave. False: the bodies need not be inferred again. */
  bool (*enter)(const ir_node *node, const ir_value *const *in, int round, ir_scope *scope);
} ir_body_rule;

extern const ir_op *const ir_lines_of_if[], *const ir_lines_of_loop[], *const ir_lines_of_tensor_iterator[];

/* The Parameter of a line starts with the type and shape of `value`. */
void ir_body_give(const ir_body_link *link, const ir_value *value, ir_body *body);
/* Iterations that a sliced input of a TensorIterator makes: parts between `start` and `end`, both of them with it, of
 * an axis of that size. */
ir_dim ir_body_rounds(const ir_line_params *line, ir_dim size);
/* Likewise of an output that is put together of parts, where no input is sliced. False: they are beyond 64 bits. */
bool ir_body_output_rounds(const ir_line_params *line, int64_t *out);
/* A scalar or [1] of the layer's own inputs: its contents, where they are known. Reports other ranks and sizes. */
bool ir_body_scalar(const ir_node *node, int port, const ir_value *value, ir_scope *scope, int64_t *out);

#endif
