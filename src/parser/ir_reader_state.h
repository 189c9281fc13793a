/* The state of reading an IR, shared by the reader and its parts. */
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
  IR_ELEMENT_BODY, /* in an If, Loop or TensorIterator, like the ones up to BACK_EDGE */
  IR_ELEMENT_PORT_MAP,
  IR_ELEMENT_BACK_EDGES,
  IR_ELEMENT_MAP_INPUT,
  IR_ELEMENT_MAP_OUTPUT,
  IR_ELEMENT_BACK_EDGE,
  IR_ELEMENT_RT_INFO, /* in a layer or a port */
  IR_ELEMENT_COUNT,   /* elements above are read, elements below are skipped with their content */
  IR_ELEMENT_PRE_PROCESS = IR_ELEMENT_COUNT,
  IR_ELEMENT_EXTRA
} ir_element;

enum {
  IR_MAX_NESTING = 8,  /* nesting of elements that are read: net, layers, layer, output, port, dim */
  IR_RT_ATTRIBUTES = 9 /* attributes that OpenVINO reads in <rt_info> */
};

typedef struct ir_level {
  ir_element element;
  bool text_reported, has_rt_info;
  ir_at at;
  const char *stray; /* the first child element that belongs outside, and the number of such elements */
  ir_at stray_at;
  int64_t n_strays;
} ir_level;

typedef struct ir_read_port {
  ir_port port;
  ir_at id_at;
} ir_read_port;

/* The ports of the current layer. */
typedef struct ir_port_list {
  ir_read_port *ports;
  size_t n, capacity;
  bool has_block;
  ir_at block_at; /* place of the first <input> or <output> */
} ir_port_list;

/* The last short <data> and its decoded attributes. Many layers repeat it, so it is decoded once. `attrs` is the array
 * of its layer, which no longer changes. `length` is 0 if there is none. */
typedef struct ir_repeated_data {
  char text[256];
  size_t length;
  uint32_t begin; /* offset of the <data> of `attrs` */
  const ir_raw_attr *attrs;
  size_t n_attrs;
} ir_repeated_data;

typedef struct ir_reader {
  struct ir_reader *inner; /* the reader of the open body of the open layer; NULL if none is open */
  int n_outer;             /* number of enclosing readers */
  ir_graph *root, *graph;  /* the model's graph, and the graph that is being read */
  ir_diags *diags;
  ir_intern *intern;
  ir_level levels[IR_MAX_NESTING];
  int n_levels;
  int64_t n_passed; /* number of open elements, counted from the one that is skipped */
  bool in_stranger; /* the skipped element is an unknown child of <net> */
  ir_at layers_at, edges_at;
  bool has_edges;
  bool edges_repeated; /* there is or was a second <edges> */
  int64_t n_compared;  /* edges compared while a second <edges> is read */
  ir_at misspelt_at;   /* the last misspelt element that was read as the intended one */
  ir_layer *layer;     /* the open layer, or NULL */
  bool lacks_opset;    /* the open layer has no attribute 'version' */
  ir_port_list inputs, outputs, *list;
  ir_raw_attr *attrs;
  size_t n_attrs, attrs_capacity;
  int n_data;
  ir_repeated_data repeated;
  int map_body; /* number of the body to which the open port map belongs */
  ir_dim dims[IR_MAX_RANK];
  ir_at dims_at[IR_MAX_RANK];
  int rank;                                /* number of <dim>s of the open port, including those above the limit */
  bool port_is_read;                       /* the content of the open port was read in advance */
  ir_at rt_attribute_at[IR_RT_ATTRIBUTES]; /* places of attributes in the open <rt_info> */
  char text[64];                           /* text of the open <dim>, without leading blanks */
  size_t n_text; /* may exceed the size of `text`; trailing blanks beyond it are not counted */
  char *decoded; /* decoded values of the current tag that had references */
  size_t decoded_capacity, n_decoded;
  char precision[16]; /* the last precision and its type: most ports repeat it */
  size_t n_precision;
  ir_type precision_type;
} ir_reader;

/* The reader of the innermost open body; `reader` itself if none is open. */
static inline ir_reader *ir_innermost(ir_reader *reader) {
  while (reader->inner != NULL)
    reader = reader->inner;
  return reader;
}

static inline ir_where ir_reader_where(const ir_reader *reader, ir_at at) {
  return (ir_where){.source = reader->graph->source, .at = ir_span_of(at), .layer = reader->layer};
}

#endif
