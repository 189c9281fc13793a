/* The state of the reader of an IR, which several files share. An element is open from its start tag to its end tag. A
 * skipped element is ignored together with its content. */
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
  IR_ELEMENT_BODY, /* BODY to BACK_EDGE occur in an If, Loop or TensorIterator */
  IR_ELEMENT_PORT_MAP,
  IR_ELEMENT_BACK_EDGES,
  IR_ELEMENT_MAP_INPUT,
  IR_ELEMENT_MAP_OUTPUT,
  IR_ELEMENT_BACK_EDGE,
  IR_ELEMENT_RT_INFO, /* child of a layer or a port */
  IR_ELEMENT_BLOBS,   /* BLOBS to SCALE occur in IR versions 2 to 7 */
  IR_ELEMENT_BLOB,
  IR_ELEMENT_CROP,
  IR_ELEMENT_PRE_PROCESS,
  IR_ELEMENT_CHANNEL,
  IR_ELEMENT_MEAN,
  IR_ELEMENT_SCALE,
  IR_ELEMENT_COUNT, /* elements above are read, elements below are skipped */
  IR_ELEMENT_EXTRA = IR_ELEMENT_COUNT,
  /* Lists of attributes, but no elements: those of <net> and <layer> in IR versions 2 to 7. */
  IR_ELEMENT_LEGACY_NET,
  IR_ELEMENT_LEGACY_LAYER,
  IR_ELEMENT_LIST_COUNT
} ir_element;

enum {
  IR_MAX_NESTING = 8,  /* nesting of the elements that are read: net, layers, layer, output, port, dim are 6 */
  IR_RT_ATTRIBUTES = 9 /* number of attributes that OpenVINO reads in <rt_info> */
};

typedef struct ir_level {
  ir_element element;
  bool text_reported, has_rt_info;
  ir_at at;
  const char *stray; /* name of the first child that belongs to an outer element; NULL if none */
  ir_at stray_at;
  int64_t n_strays;
} ir_level;

typedef struct ir_read_port {
  ir_port port;
  ir_at id_at;
} ir_read_port;

/* The inputs, or the outputs, of the open layer. */
typedef struct ir_port_list {
  ir_read_port *ports;
  size_t n, capacity;
  bool has_block;
  ir_at block_at; /* place of the layer's first <input>, or <output> */
} ir_port_list;

/* A cache of one short <data> with its decoded attributes, because many layers have the same <data>. A layer of the
 * graph owns `attrs`. If `length` is 0, the cache is empty. */
typedef struct ir_repeated_data {
  char text[256];
  size_t length;
  uint32_t begin; /* offset of the <data> from which `attrs` were read */
  const ir_raw_attr *attrs;
  size_t n_attrs;
} ir_repeated_data;

typedef struct ir_reader {
  struct ir_reader *inner; /* the reader of the open body; NULL if no body is open */
  int n_outer;             /* nesting depth: 0 for the model's reader, 1 for the reader of a body in the model */
  ir_graph *root, *graph;  /* the model's graph; the graph that this reader fills */
  ir_diags *diags;
  ir_intern *intern;
  ir_level levels[IR_MAX_NESTING];
  int n_levels;
  int64_t n_passed; /* number of open elements that are skipped */
  bool in_stranger; /* the outermost skipped element is an unknown child of <net> */
  ir_at layers_at, edges_at;
  bool has_edges;
  bool edges_repeated; /* the file has a second <edges>, whose start tag was read */
  int64_t n_compared;  /* number of comparisons between edges of a second <edges> and earlier edges */
  ir_at misspelt_at;   /* place of the last element that was read despite a wrong name or parent */
  ir_layer *layer;     /* the open layer, or NULL */
  bool lacks_opset;    /* the open layer has no attribute 'version' */
  ir_port_list inputs, outputs, *list;
  ir_raw_attr *attrs;
  size_t n_attrs, attrs_capacity;
  int n_data;
  ir_repeated_data repeated;
  int map_body; /* index of the body to which the open port map belongs */
  ir_dim dims[IR_MAX_RANK];
  ir_at dims_at[IR_MAX_RANK];
  int rank;                                /* number of <dim>s of the open port; can exceed IR_MAX_RANK */
  bool port_is_read;                       /* the <dim>s of the open port were read together with its start tag */
  ir_at rt_attribute_at[IR_RT_ATTRIBUTES]; /* places of the known attributes of the open <rt_info> */
  char text[64];                           /* text of the open <dim>, without leading blanks */
  /* The length of the open <dim>'s text, which can exceed the size of `text`. Blanks beyond that size do not count. */
  size_t n_text;
  char *decoded; /* buffer for the decoded attribute values of the current tag */
  size_t decoded_capacity, n_decoded;
  char precision[16]; /* the last `precision` of a port, which most ports repeat; `precision_type` is its type */
  size_t n_precision;
  ir_type precision_type;
} ir_reader;

/* Returns the reader of the innermost open body. If no body is open, returns `reader` itself. */
static inline ir_reader *ir_innermost(ir_reader *reader) {
  while (reader->inner != NULL)
    reader = reader->inner;
  return reader;
}

static inline ir_where ir_reader_where(const ir_reader *reader, ir_at at) {
  return (ir_where){.source = reader->graph->source, .at = ir_span_of(at), .layer = reader->layer};
}

#endif
