/* Ops with bodies: If, Loop and TensorIterator. A body is a graph of its own. A port map connects inputs of the
 * layer to Parameters of the body, and Results of the body to outputs of the layer. A back edge connects a Result to
 * a Parameter of the next iteration. "Line" means one element of a port map, or one back edge, in the file. Pages:
 * condition/if-8, infrastructure/loop-5 and tensor-iterator-1. */
#ifndef IR_BODIES_H
#define IR_BODIES_H

#include "ops/op.h"

/* The attributes of a line of a port map. If `external_port_id` is -1 (Loop only), the line has no port and
 * `purpose` says what it means. `axis` is valid only if the line has that attribute. */
typedef struct ir_line_params {
  int64_t external_port_id, internal_layer_id;
  int64_t axis, start, end, stride, part_size;
  int purpose;
} ir_line_params;

typedef struct ir_back_edge_params {
  int64_t from_layer, to_layer;
} ir_back_edge_params;

enum { IR_PURPOSE_CURRENT_ITERATION, IR_PURPOSE_EXECUTION_CONDITION };

/* A line that connects input or output `port` of the layer with Parameter or Result `inner` of the body. */
typedef struct ir_body_link {
  const ir_node *line; /* a node made for the line's attributes; its params are ir_line_params */
  int32_t port, inner;
  bool is_sliced; /* the tensor is sliced along `axis`: one slice for each iteration */
} ir_body_link;

/* The value of a Parameter of a body in the first iteration, and its sources. */
typedef struct ir_body_param {
  ir_value value;
  bool is_given;       /* a port map sets `value`; false: the Parameter has its declared value, or counts iterations */
  int32_t port;        /* the layer's input that feeds the Parameter at first; -1: none */
  int32_t next;        /* the Result that feeds the Parameter in the next iteration; -1: the value stays */
  const ir_node *back; /* the back edge from that Result; NULL: none */
} ir_body_param;

/* A body, bound to its layer. Parameters and Results are numbered in file order. */
typedef struct ir_body {
  ir_body_link *inputs, *outputs;
  int32_t n_inputs, n_outputs, n_params, n_results;
  ir_body_param *params;
  const ir_value **results; /* one for each Result: the value that fed it when the body was last inferred */
  int32_t *param_of;        /* one for each Result: the Parameter that feeds it directly; -1: none */
  const ir_layer **param_layers;
  int32_t condition; /* the Result with the condition for another iteration; -1: none */
} ir_body;

/* The differences between If, Loop and TensorIterator. */
typedef struct ir_body_rule {
  int n_bodies;
  int n_own_inputs;   /* first inputs that no body gets: an If's condition; a Loop's trip_count and condition */
  bool takes_all;     /* each further input of the layer must be in the port map */
  bool has_condition; /* the body must have a Result with the condition for another iteration */
  /* Names of the XML elements: those of the bodies, and those of the port maps. */
  const char *names[IR_MOST_BODIES], *map_names[IR_MOST_BODIES];
  const ir_op *const *line_rows; /* schemas of the lines, indexed by ir_line_kind; NULL: the op has no such lines */
  /* Sets the values of the Parameters for inference round `round`: in round 0 from the layer's inputs, later from
   * the Results of the last round. Returns false if no value changed, so that the bodies need not be inferred again. */
  bool (*enter)(const ir_node *node, const ir_value *const *in, int round, ir_scope *scope);
  /* The number of iterations. NULL: it depends on data whether a body is executed. */
  ir_dim (*rounds)(const ir_node *node, const ir_value *const *in, ir_scope *scope);
} ir_body_rule;

extern const ir_op *const ir_lines_of_if[], *const ir_lines_of_loop[], *const ir_lines_of_tensor_iterator[];

/* Sets type, shape and poison of the Parameter of `link` to those of `value`. */
void ir_body_give(const ir_body_link *link, const ir_value *value, ir_body *body);
/* Number of iterations over a sliced input of a TensorIterator: (|end - start| + 1) / part_size, where negative
 * bounds count from `size`, the size of the axis. */
ir_dim ir_body_rounds(const ir_line_params *line, ir_dim size);
/* Number of iterations of a TensorIterator without sliced inputs, from the line of a concatenated output: |end -
 * start| / part_size. False if it exceeds 64 bits. */
bool ir_body_output_rounds(const ir_line_params *line, int64_t *out);
/* Reads input `port` of the layer, a scalar or [1], if its contents are known. Reports other shapes. */
bool ir_body_scalar(const ir_node *node, int port, const ir_value *value, ir_scope *scope, int64_t *out);

#endif
