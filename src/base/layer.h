/* A layer as it stands in a model's file: its ports and raw attributes, each with its place. */
#ifndef IR_LAYER_H
#define IR_LAYER_H

#include "base/dtype.h"
#include "base/shape.h"
#include "base/source.h"

/* A place in the model's text, 8 bytes: a graph keeps millions of them. Length 0 at 0 is no place. */
typedef struct ir_at {
  uint32_t begin, length;
} ir_at;

static inline ir_span ir_span_of(ir_at at) {
  return at.begin == 0 && at.length == 0 ? IR_NOWHERE : (ir_span){at.begin, (int64_t)at.begin + at.length};
}

/* An attribute of <data>, or a field of an nGraph node: decoded text, where it stands. Lists are split where they are
 * read (ops/bind.c); of an nGraph one the text has no brackets. `value` is NULL when it was of the wrong kind, and
 * reported. */
typedef struct ir_raw_attr {
  const char *name, *value;
  ir_at name_at, at; /* `at` is the text between the quotes; when at.length != strlen(value) it held a reference */
} ir_raw_attr;

typedef struct ir_port {
  int64_t id;
  ir_type type;         /* as declared; IR_DYNAMIC when not stated, or stated as dynamic */
  int rank;             /* number of <dim>; IR_RANK_UNKNOWN when there is none: nothing is declared */
  const ir_dim *dims;   /* as declared, `?` and -1 as 0..IR_DIM_MAX */
  const ir_at *dims_at; /* text of each <dim> */
  const char *names;    /* tensor names as in the file, comma separated, `\,` kept; or NULL */
  ir_at at, type_at, names_at;
} ir_port;

/* The layers whose bodies a layer lies in: of `add` in the body of `loop` the name is "loop". */
typedef struct ir_scope_path {
  const char *name;
  const struct ir_scope_path *outer; /* NULL: that one is a layer of the model itself */
} ir_scope_path;

typedef struct ir_layer {
  int64_t id;                      /* -1: missing or unreadable, and reported */
  const char *name, *type, *opset; /* "" when missing, and reported. Of nGraph `opset` is op_version's text */
  const char *output_names;        /* a Result's, or NULL */
  const ir_scope_path *scope_path; /* NULL: a layer of the model itself */
  struct ir_bodies *bodies;        /* of an If, Loop or TensorIterator that has some or a port map; or NULL */
  const void *data;                /* a Constant's elements that stand beside the model's text, in the arena; or NULL */
  int64_t data_bytes;
  ir_raw_attr *attrs;
  ir_port *inputs, *outputs;
  int32_t n_attrs, n_inputs, n_outputs;
  int32_t op_version; /* that type and opset mean: AvgPool-1; nGraph's begin at 0 */
  bool has_version;   /* false until it is looked up, and for an op that there is not */
  bool has_data;
  bool made;   /* the file has no such layer: the reader made it, a Result where the file names another node */
  bool broken; /* the reader reported a fault that leaves its ports or type unreliable */
  ir_at at, id_at, name_at, type_at, opset_at, data_at, output_names_at;
} ir_layer;

#endif
