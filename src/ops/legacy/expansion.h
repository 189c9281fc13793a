/* The expansion of a layer of IR versions 2 to 7 into ops of the opsets. A row of such a layer (legacy.h) has a
 * function `expand`, which makes the ops with the functions below. None of them fails: if memory is out, they set
 * `failed` and do nothing more. */
#ifndef IR_EXPANSION_H
#define IR_EXPANSION_H

#include "ops/op.h"

/* An output: of a made layer (index in the new graph), or of an old layer (index in the old graph). */
typedef struct ir_wire {
  int32_t layer, port;
  bool is_old;
} ir_wire;

typedef struct ir_made_edge {
  ir_wire from;
  int32_t layer, port; /* index of the made layer, and of its input */
} ir_made_edge;

typedef struct ir_expansion {
  ir_graph *graph;      /* gets the made layers */
  const ir_graph *old;  /* the graph as the file states it */
  const ir_node *nodes; /* the nodes of `old` */
  const ir_node *node;  /* the layer to expand, with bound attributes */
  ir_scope *scope;
  ir_wire **outputs; /* of each old node: what takes the place of its outputs */
  ir_made_edge *edges;
  size_t n_edges, edges_capacity;
  const ir_layer *preprocessed; /* the Input whose <pre-process> becomes part of the model; NULL: none */
  size_t first;                 /* index of the first layer made for `node` */
  int32_t main;                 /* index of the layer that got the id and name of `node`; -1: none yet */
  struct ir_made_name *names;   /* what layers made for `node` are named after */
  int64_t next_id;              /* of a made layer that is not the old one's main layer */
  bool failed;                  /* memory is out, or a limit was reached */
} ir_expansion;

/* Begins the expansion of a layer. */
void ir_expansion_begin(ir_expansion *x, const ir_node *node);

/* ---- the old layer ---- */

/* The output that feeds input i. */
ir_wire ir_old_input(const ir_expansion *x, int32_t i);
/* The same, converted to the type of input 0 if both are floats. */
ir_wire ir_old_input_like(ir_expansion *x, int32_t i);
/* All inputs, in an array that `expand` may change. If memory is out, returns NULL and sets `failed`. */
ir_wire *ir_old_inputs(ir_expansion *x);
/* Whether input i is there. */
bool ir_has_old_input(const ir_expansion *x, int32_t i);
/* The declared type of what feeds input i, and of output p. */
ir_type ir_old_type(const ir_expansion *x, int32_t i);
ir_type ir_old_output_type(const ir_expansion *x, int32_t p);
/* The declared rank of input i; dim `axis` of it, 0 if there is none. */
int ir_old_rank(const ir_expansion *x, int32_t i);
int64_t ir_old_dim(const ir_expansion *x, int32_t i, int axis);
/* The declared rank of output p, and dim `axis` of it. */
int ir_old_output_rank(const ir_expansion *x, int32_t p);
int64_t ir_old_output_dim(const ir_expansion *x, int32_t p, int axis);
/* Copies all dims of output p to `dims`, which has room for IR_MAX_RANK, and returns the rank. */
int ir_old_output_dims(const ir_expansion *x, int32_t p, int64_t *dims);
/* The blob of that name; NULL: none. */
const ir_blob *ir_old_blob(const ir_expansion *x, const char *name);
/* Sum and product of numbers of the file. One that does not fit becomes the number nearest to it. */
int64_t ir_plus(int64_t a, int64_t b);
int64_t ir_times(int64_t a, int64_t b);
/* Number of elements of a blob; 0 for NULL. */
int64_t ir_blob_elements(const ir_expansion *x, const ir_blob *blob);

/* ---- new layers ---- */

/* Makes a layer of an op, with one output or n_outputs. The op's name stands as in the opset of that number. */
ir_wire ir_new_op(ir_expansion *x, const char *type, int opset, int n_outputs, int n_inputs, const ir_wire *inputs);
/* Makes a layer with one output from the inputs that follow. */
#define IR_NEW(x, type, opset, ...)                                                                                    \
  ir_new_op(x, type, opset, 1, (int)(sizeof((ir_wire[]){__VA_ARGS__}) / sizeof(ir_wire)), (ir_wire[]){__VA_ARGS__})
ir_wire ir_port_of(ir_wire wire, int32_t port);

/* Make a Const: of a blob in the given shape, with floats of the type of input 0, of integers (i64) with shape [n] or
 * [], and of floats of a float type. */
ir_wire ir_new_blob(ir_expansion *x, const ir_blob *blob, int rank, const int64_t *dims);
/* A blob of one item for each channel, as [1, C, 1..] with `rank` axes; of one item in all, as [1..]. */
ir_wire ir_new_channel_blob(ir_expansion *x, const ir_blob *blob, int rank);
ir_wire ir_new_ints(ir_expansion *x, int64_t n, const int64_t *items);
ir_wire ir_new_int(ir_expansion *x, int64_t item);
ir_wire ir_new_floats(ir_expansion *x, ir_type type, int64_t n, const double *items);
ir_wire ir_new_number(ir_expansion *x, ir_type type, double item);
#define IR_NEW_INTS(x, ...)                                                                                            \
  ir_new_ints(x, (int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[]){__VA_ARGS__})

/* Set an attribute of a made layer. Its place in the file is that of the old layer's attribute `name`, if there is one.
 */
void ir_set_text(ir_expansion *x, ir_wire wire, const char *name, const char *text);
void ir_set_int(ir_expansion *x, ir_wire wire, const char *name, int64_t number);
void ir_set_ints(ir_expansion *x, ir_wire wire, const char *name, int64_t n, const int64_t *items);
void ir_set_float(ir_expansion *x, ir_wire wire, const char *name, double number);
void ir_set_floats(ir_expansion *x, ir_wire wire, const char *name, ir_floats list);
void ir_set_bool(ir_expansion *x, ir_wire wire, const char *name, bool value);
/* Sets the attributes that the row has as text (IR_LEGACY_TEXT): as the file states them, else their defaults. */
void ir_copy_attributes(ir_expansion *x, ir_wire wire);

/* Make common ops: a Convert, unless the wire has the type already; a Reshape to `dims`, where 0 keeps a dim and -1
 * takes the rest; a Broadcast as in NumPy; a Transpose; a Squeeze and an Unsqueeze of one axis. */
ir_wire ir_new_convert(ir_expansion *x, ir_wire wire, ir_type from, ir_type to);
ir_wire ir_new_reshape(ir_expansion *x, ir_wire wire, int64_t n, const int64_t *dims);
ir_wire ir_new_broadcast(ir_expansion *x, ir_wire wire, ir_wire dims);
ir_wire ir_new_transpose(ir_expansion *x, ir_wire wire, int64_t n, const int64_t *order);
ir_wire ir_new_squeeze(ir_expansion *x, ir_wire wire, int64_t axis);
ir_wire ir_new_unsqueeze(ir_expansion *x, ir_wire wire, int64_t axis);
/* Input i, reshaped to `dims` if it has another rank. */
ir_wire ir_old_input_of_rank(ir_expansion *x, int32_t i, int rank, const int64_t *dims);
/* Input i as indices, axes or sizes: a Convert to i64 if it has floats. */
ir_wire ir_old_input_as_ints(ir_expansion *x, int32_t i);

/* `wire` takes the place of output p of the old layer. The first layer made for it that gives an output gets its name.
 * Floats are converted from the type of input 0 to the declared type. */
void ir_give_output(ir_expansion *x, int32_t p, ir_wire wire);
/* The same, for an output whose op gives type `type`: converts it to the declared type. */
void ir_give_converted(ir_expansion *x, int32_t p, ir_wire wire, ir_type type);

/* Reports that the old layer cannot be expressed by ops of the opsets (IR210), and gives nothing to its outputs. */
void ir_refuse_layer(ir_expansion *x, const char *why);

#endif
