/* A layer as in the model's file: its ports and raw attributes, each with its place. */
#ifndef IR_LAYER_H
#define IR_LAYER_H

#include "base/dtype.h"
#include "base/shape.h"
#include "base/source.h"

/* A place in the model's text, in 8 bytes because a graph has millions of them. Offset 0 with length 0 is no place. */
typedef struct ir_at {
  uint32_t begin, length;
} ir_at;

static inline ir_span ir_span_of(ir_at at) {
  return at.begin == 0 && at.length == 0 ? IR_NOWHERE : (ir_span){at.begin, (int64_t)at.begin + at.length};
}

/* An attribute of <data>, or a field of an nGraph node: decoded text and its place. Its reader splits lists
 * (ops/bind.c); the text of an nGraph list has no brackets. `value` is NULL if it had the wrong kind, which was
 * reported. */
typedef struct ir_raw_attr {
  const char *name, *value;
  ir_at name_at, at; /* `at` is the text between the quotes; if at.length != strlen(value) it contained a reference */
} ir_raw_attr;

typedef struct ir_port {
  int64_t id;
  ir_type type;         /* as declared; IR_DYNAMIC if missing or dynamic */
  int rank;             /* number of <dim>s; IR_RANK_UNKNOWN if there are none: nothing is declared */
  const ir_dim *dims;   /* as declared; `?` and -1 become 0..IR_DIM_MAX */
  const ir_at *dims_at; /* place of each <dim>'s text */
  const char *names;    /* tensor names as in the file, comma separated, `\,` kept; or NULL */
  ir_at at, type_at, names_at;
} ir_port;

/* The nesting path of a layer: `add` in the body of `loop` has the name "loop". */
typedef struct ir_scope_path {
  const char *name;
  const struct ir_scope_path *outer; /* NULL: the layer of that name is in the model itself */
} ir_scope_path;

typedef struct ir_layer {
  int64_t id;                      /* -1: missing or unreadable, and reported */
  const char *name, *type, *opset; /* "" if missing, and reported. `opset` of an nGraph layer is op_version as text */
  const char *output_names;        /* set for a Result; else NULL */
  const ir_scope_path *scope_path; /* NULL: the layer is in the model itself */
  struct ir_bodies *bodies;        /* of an If, Loop or TensorIterator that has bodies or a port map; else NULL */
  const void *data;                /* a Constant's elements from outside of the text, in the arena; else NULL */
  int64_t data_bytes;
  ir_raw_attr *attrs;
  ir_port *inputs, *outputs;
  int32_t n_attrs, n_inputs, n_outputs;
  int32_t op_version; /* version of the op by type and opset: AvgPool-1; nGraph's begin at 0 */
  bool has_version;   /* false before the look-up, and for an unknown op */
  bool has_data;
  bool made;   /* the reader added the layer: a Result for another node that the file lists as a result */
  bool broken; /* the reader reported a fault that makes its ports or type unreliable */
  ir_at at, id_at, name_at, type_at, opset_at, data_at, output_names_at;
} ir_layer;

#endif
