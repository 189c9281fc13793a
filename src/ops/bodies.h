/* Ops with bodies: If, Loop and TensorIterator. A body is a graph. A port map says which input of the layer feeds each
 * Parameter of the body, and which output each Result gives. A back edge feeds a Result to a Parameter of the next
 * iteration. Pages: condition/if-8, infrastructure/loop-5 and tensor-iterator-1. */
#ifndef IR_BODIES_H
#define IR_BODIES_H

#include "ops/op.h"

/* The attributes of a line of a port map; -1 for absent ones. */
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
  const ir_node *line; /* a node of the line's attributes; its params are ir_line_params */
  int32_t port, inner;
  bool is_sliced; /* along `axis`: each iteration gets one part */
} ir_body_link;

/* First value of a Parameter of a body. */
typedef struct ir_body_param {
  ir_value value;
  bool is_given;       /* false: the Parameter counts iterations and has its declared value */
  int32_t port;        /* the layer's input that feeds it; -1: none */
  int32_t next;        /* the Result that feeds it in the next iteration; -1: its value stays */
  const ir_node *back; /* the back edge from that Result */
} ir_body_param;

/* A body, bound to its layer. Parameters and Results are numbered in file order. */
typedef struct ir_body {
  ir_body_link *inputs, *outputs;
  int32_t n_inputs, n_outputs, n_params, n_results;
  ir_body_param *params;
  const ir_value **results; /* the values that fed the Results when the body was last inferred */
  int32_t *param_of;        /* for each Result, the Parameter that feeds it directly; -1: none */
  const ir_layer **param_layers;
  int32_t condition; /* the Result that decides whether another iteration follows; -1: none */
} ir_body;

/* Differences between the ops of this family. */
typedef struct ir_body_rule {
  int n_bodies;
  int n_own_inputs;   /* inputs before those for bodies: an If's condition; a Loop's trip_count and condition */
  bool takes_all;     /* every other input of the layer has a place in the port map */
  bool has_condition; /* a Result decides whether another iteration follows */
  const char *names[IR_MOST_BODIES], *map_names[IR_MOST_BODIES]; /* names of the elements in the file */
  const ir_op *const *line_rows; /* schemas of lines, by ir_line_kind; NULL: no such lines */
  /* Sets the values of the Parameters in iteration `round`, counted from 0: first from the layer's inputs, then from
   * the bodies' Results. False: the bodies need not be inferred again. */
  bool (*enter)(const ir_node *node, const ir_value *const *in, int round, ir_scope *scope);
} ir_body_rule;

extern const ir_op *const ir_lines_of_if[], *const ir_lines_of_loop[], *const ir_lines_of_tensor_iterator[];

/* Gives the Parameter of `link` the type and shape of `value`. */
void ir_body_give(const ir_body_link *link, const ir_value *value, ir_body *body);
/* Number of iterations over a sliced input of a TensorIterator: parts from `start` to `end`, inclusive, of an axis of
 * that size. */
ir_dim ir_body_rounds(const ir_line_params *line, ir_dim size);
/* The same for an output that iterations concatenate, if no input is sliced. False: beyond 64 bits. */
bool ir_body_output_rounds(const ir_line_params *line, int64_t *out);
/* Reads an input of the layer's own, a scalar or [1], if its contents are known. Reports other ranks and sizes. */
bool ir_body_scalar(const ir_node *node, int port, const ir_value *value, ir_scope *scope, int64_t *out);

#endif
