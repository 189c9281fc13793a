/* Where the reading of an IR stands: what the reader and its parts share. */
#ifndef IR_READER_STATE_H
#define IR_READER_STATE_H

#include "ir_intern.h"
#include "ir_tag.h"

typedef enum ir_element {
  IR_ELEMENT_NET,
  IR_ELEMENT_LAYERS,
  IR_ELEMENT_LAYER,
  IR_ELEMENT_DATA,
  IR_ELEMENT_INPUT,
  IR_ELEMENT_OUTPUT,
  IR_ELEMENT_PORT,
  IR_ELEMENT_DIM,
  IR_ELEMENT_EDGES,
  IR_ELEMENT_EDGE,
  IR_ELEMENT_BODY, /* of an If, Loop or TensorIterator, and what else they hold */
  IR_ELEMENT_PORT_MAP,
  IR_ELEMENT_BACK_EDGES,
  IR_ELEMENT_MAP_INPUT,
  IR_ELEMENT_MAP_OUTPUT,
  IR_ELEMENT_BACK_EDGE,
  IR_ELEMENT_RT_INFO, /* of a layer or a port */
  IR_ELEMENT_COUNT,   /* the ones above are read, those below passed over with all that they hold */
  IR_ELEMENT_PRE_PROCESS = IR_ELEMENT_COUNT,
  IR_ELEMENT_EXTRA
} ir_element;

enum {
  IR_MAX_NESTING = 8,  /* of elements that are read: net, layers, layer, output, port, dim */
  IR_RT_ATTRIBUTES = 9 /* that <rt_info> may have, and OpenVINO knows */
};

typedef struct ir_level {
  ir_element element;
  bool text_reported, has_rt_info;
  ir_at at;
  const char *stray; /* the first element in it that belongs into one around it, and how many there are */
  ir_at stray_at;
  int64_t n_strays;
} ir_level;

typedef struct ir_read_port {
  ir_port port;
  ir_at id_at;
} ir_read_port;

/* The ports of the layer at hand. */
typedef struct ir_port_list {
  ir_read_port *ports;
  size_t n, capacity;
  bool has_block;
  ir_at block_at; /* the first <input> or <output> */
} ir_port_list;

/* The last short <data> and the attributes of its layer: many layers repeat it, and it is decoded once. `attrs` is the
 * layer's own array, which does not change any more. `length` is 0 when there is none. */
typedef struct ir_repeated_data {
  char text[256];
  size_t length;
  uint32_t begin; /* where the <data> of `attrs` stands */
  const ir_raw_attr *attrs;
  size_t n_attrs;
} ir_repeated_data;

typedef struct ir_reader {
  struct ir_reader *inner; /* reads the open body of the open layer; NULL when none is open */
  int n_outer;             /* readers around this one */
  ir_graph *root, *graph;  /* the model's, and the one that is read */
  ir_diags *diags;
  ir_intern *intern;
  ir_level levels[IR_MAX_NESTING];
  int n_levels;
  int64_t n_passed; /* open elements from the one on that is passed over */
  bool in_stranger; /* that one is no element that a <net> has, and stands in it */
  ir_at layers_at, edges_at;
  bool has_edges;
  bool edges_repeated; /* a second <edges> is being read, or was */
  int64_t n_compared;  /* edges of a second <edges> with others */
  ir_at misspelt_at;   /* the element that was read last for what it stands for */
  ir_layer *layer;     /* the open one, or NULL */
  bool lacks_opset;    /* the open layer has no 'version' */
  ir_port_list inputs, outputs, *list;
  ir_raw_attr *attrs;
  size_t n_attrs, attrs_capacity;
  int n_data;
  ir_repeated_data repeated;
  int map_body; /* the number of the body that the open port map is for */
  ir_dim dims[IR_MAX_RANK];
  ir_at dims_at[IR_MAX_RANK];
  int rank;                                /* <dim>s of the open port, those above the cap too */
  bool port_is_read;                       /* all that the open port holds was read ahead */
  ir_at rt_attribute_at[IR_RT_ATTRIBUTES]; /* in the open <rt_info> */
  char text[64];                           /* of the open <dim>, without blanks before it */
  size_t n_text;                           /* may be above what `text` holds; blanks above that are not counted */
  char *decoded;                           /* values of the tag at hand that held references */
  size_t decoded_capacity, n_decoded;
  char precision[16]; /* the one read last, and its type: few ports have another than the one before */
  size_t n_precision;
  ir_type precision_type;
} ir_reader;

/* The reader of the innermost open body, which is `reader` itself when none is open. */
static inline ir_reader *ir_innermost(ir_reader *reader) {
  while (reader->inner != NULL)
    reader = reader->inner;
  return reader;
}

static inline ir_where ir_reader_where(const ir_reader *reader, ir_at at) {
  return (ir_where){.source = reader->graph->source, .at = ir_span_of(at), .layer = reader->layer};
}

#endif
