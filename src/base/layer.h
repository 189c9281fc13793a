/* A layer as it is in the model's file: its ports and attributes, each with its place in the text. */
#ifndef IR_LAYER_H
#define IR_LAYER_H

#include "base/dtype.h"
#include "base/shape.h"
#include "base/source.h"

/* A place in the model's text: bytes [begin, begin + length). It has only 8 bytes, because a graph has millions of
 * places. 0 with length 0 means that there is no place. */
typedef struct ir_at {
  uint32_t begin, length;
} ir_at;

static inline ir_span ir_span_of(ir_at at) {
  return at.begin == 0 && at.length == 0 ? IR_NOWHERE : (ir_span){at.begin, (int64_t)at.begin + at.length};
}

/* An attribute of <data>, or a field of an nGraph node. `value` is decoded text. The reader of the op's attributes
 * splits lists (ops/bind.c); the text of an nGraph list has no brackets. If the field had the wrong kind of value,
 * this was reported and `value` is NULL. */
typedef struct ir_raw_attr {
  const char *name, *value;
  ir_at name_at, at; /* `at`: the text between the quotes; longer than `value` if it contains references such as &lt; */
} ir_raw_attr;

typedef struct ir_port {
  int64_t id;
  ir_type type;         /* declared type; IR_DYNAMIC if none is declared */
  int rank;             /* declared rank: the number of <dim>s; IR_RANK_UNKNOWN if there is no <dim> */
  const ir_dim *dims;   /* declared dims; `?` and -1 become 0..IR_DIM_MAX */
  const ir_at *dims_at; /* places of the texts of the <dim>s */
  const char *names;    /* tensor names as in the file: separated by commas, with `\,` for a comma in a name; or NULL */
  ir_at at, type_at, names_at;
} ir_port;

/* A blob of a layer of IR versions 2 to 7: bytes of the .bin, such as its weights. */
typedef struct ir_blob {
  struct ir_blob *next;
  const char *name; /* "weights", "biases", or a name that the layer's type knows, such as "custom" */
  ir_type type;     /* IR_DYNAMIC: that of the layer */
  int64_t offset, size;
  ir_at at, offset_at, size_at;
} ir_blob;

/* The nesting path of a layer, from the inside out. For layer `add` in the body of `loop`, `name` is "loop" and
 * `outer` NULL. */
typedef struct ir_scope_path {
  const char *name;
  const struct ir_scope_path *outer; /* NULL: the layer `name` is in the model itself */
} ir_scope_path;

typedef struct ir_layer {
  int64_t id;                      /* -1: missing or unreadable, which was reported */
  const char *name, *type, *opset; /* "" if missing, which was reported. nGraph: `opset` is op_version as text */
  const char *rt_attribute; /* for a layer that irrun adds: the attribute of its <rt_info>, "decompression"; or NULL */
  const char *output_names; /* tensor names that a Result declares; NULL for other layers */
  const ir_scope_path *scope_path; /* NULL: the layer is in the model itself */
  struct ir_bodies *bodies;        /* bodies and port maps of an If, Loop or TensorIterator; or NULL */
  ir_blob *blobs;                  /* only in IR versions 2 to 7 */
  ir_type precision;               /* only in IR versions 2 to 7: the type of ports and blobs that state none */
  /* In the arena: elements of an nGraph Constant that are stored outside of the text, or of a Const that
   * runtime/read/modernize.c made; or NULL. */
  const void *data;
  int64_t data_bytes;
  ir_raw_attr *attrs;
  ir_port *inputs, *outputs;
  int32_t n_attrs, n_inputs, n_outputs;
  int32_t op_version; /* version of the op, found by type and opset: 1 for AvgPool-1; nGraph's versions begin at 0 */
  bool has_version;   /* `op_version` is set; false before the look-up, and for an unknown op */
  bool has_data;
  bool passes_bytes; /* an element in it that irrun passes over has a <data> with an offset in the .bin */
  bool made;         /* a Result that the reader added, for a node that an nGraph file lists as a result */
  bool broken;       /* a fault of the layer's ports or type was reported, so both are unreliable */
  ir_at at, id_at, name_at, type_at, opset_at, data_at, output_names_at;
} ir_layer;

#endif
