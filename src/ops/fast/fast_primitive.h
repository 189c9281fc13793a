/* Primitives of the module, and how they describe their tensors and post-ops to oneDNN. */
#ifndef IR_FAST_PRIMITIVE_H
#define IR_FAST_PRIMITIVE_H

#include "ops/fast/fast.h"
#include "ops/fast/fast_dnnl.h"

struct ir_fast_primitive {
  ir_fast_desc desc;
  dnnl_stream_t stream;
  dnnl_primitive_t primitive;
  dnnl_memory_t in, weights, scales, bias, added, out, scratch, zero_point;
  ir_dnnl_layout plain_weights;
  float *scratchpad;
  size_t bytes, weights_bytes; /* sizes of scratchpad and laid-out weights; weights_bytes 0: no lay_out is needed */
};

struct ir_fast_weights {
  ir_dnnl_layout layout;
  void *data;
};

/* A primitive under construction. end_making releases all members but `p`, after success and after failure. */
typedef struct ir_fast_making {
  ir_fast_primitive *p;
  dnnl_engine_t engine; /* all primitives share it */
  ir_dnnl_layout in, weights, bias, out;
  ir_dnnl_layout added, scales; /* the added tensor, of the output's shape, and desc.scales */
  int channels_mask;            /* the bit of the output's channel axis */
  dnnl_post_ops_t post_ops;
  dnnl_primitive_attr_t attributes;
  dnnl_primitive_desc_t description;
  dnnl_status_t status; /* status of the last oneDNN call */
} ir_fast_making;

/* Keeps the status of a call of oneDNN; true if it succeeded. */
bool ir_fast_is_done(ir_fast_making *m, dnnl_status_t status);
/* Describe the tensors and the primitive (m->description). False: oneDNN refuses them. */
bool ir_fast_describe_convolution(ir_fast_making *m);
bool ir_fast_describe_matmul(ir_fast_making *m);
/* The name of the implementation that oneDNN chose for the description; "": unknown. */
const char *ir_fast_implementation(const ir_fast_making *m);

#endif
