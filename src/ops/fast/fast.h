/* Fast products: convolutions and matrix products of f32 by oneDNN, which lies in a module of its own that is loaded
 * when a plan first needs it. Beside it each has a plain kernel, which serves where the module is not, and for what it
 * lacks. This is what the two sides of the module know of each other. */
#ifndef IR_FAST_H
#define IR_FAST_H

#include "exec/omp_pool.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IR_FAST_VERSION 5
enum { IR_FAST_AXES = 3, IR_FAST_MOST_POST_OPS = 8 };

/* What is done with each element behind the product, before it is stored. */
typedef enum ir_post_op_kind {
  IR_POST_ADD,   /* of a tensor of the output's shape, that lies as the output does; once */
  IR_POST_RELU,  /* below 0 times a */
  IR_POST_CLAMP, /* between a and b */
  IR_POST_SIGMOID,
  IR_POST_TANH,
  IR_POST_SWISH, /* x * sigmoid(a * x) */
  IR_POST_HSWISH,
  IR_POST_ELU, /* of a */
  IR_POST_GELU_ERF,
  IR_POST_COUNT
} ir_post_op_kind;

typedef struct ir_post_op {
  ir_post_op_kind kind;
  float a, b;
} ir_post_op;

typedef struct ir_fast_desc {
  enum { IR_FAST_CONVOLUTION, IR_FAST_BACKPROP, IR_FAST_MATMUL } kind;
  /* Convolutions, of n_axes spatial axes: tensors [batch, groups * channels, axes..], the kernel
   * [groups, channels_out, channels_in, axes..], of a backprop [groups, channels_in, channels_out, axes..]. The
   * channels of a tensor may lie last in memory. */
  int n_axes;
  int64_t batch, groups, channels_in, channels_out; /* channels of a group */
  int64_t in[IR_FAST_AXES], out[IR_FAST_AXES], kernel[IR_FAST_AXES];
  int64_t strides[IR_FAST_AXES], dilations[IR_FAST_AXES], pads_begin[IR_FAST_AXES], pads_end[IR_FAST_AXES];
  bool in_channels_last, out_channels_last;
  /* A matrix product: batch x [m, k] by batch x [k, n]; each matrix transposed in memory where its flag says so. */
  int64_t m, k, n;
  bool a_transposed, b_transposed;
  bool b_is_weights; /* its b is the same in every run: it is laid out once */
  bool has_bias;     /* one for each channel that comes out, or each column */
  int n_threads;     /* that it is split for */
  int n_post_ops;
  ir_post_op post_ops[IR_FAST_MOST_POST_OPS];
} ir_fast_desc;

typedef struct ir_fast_primitive ir_fast_primitive;

/* Weights as primitives of one shape want them. */
typedef struct ir_fast_weights ir_fast_weights;

typedef struct ir_fast_tensors {
  const float *in;
  const float *b;                 /* as it is given; NULL: `weights` serve */
  const ir_fast_weights *weights; /* as they were laid out; or NULL */
  const float *bias, *added;
  float *out;
} ir_fast_tensors;

/* What the module exports, as `irrun_fast`. */
typedef struct ir_fast_module {
  int version;      /* IR_FAST_VERSION */
  const char *name; /* of the library and its version, "oneDNN 2.6.3" */
  /* False: memory is out. `*out` is NULL where the library cannot do that, or so slowly that it is better done in
   * parts. */
  bool (*create)(const ir_fast_desc *desc, ir_fast_primitive **out);
  void (*free)(ir_fast_primitive *primitive);
  /* Of memory that it takes for itself while it runs; and of its weights when they are laid out, 0: they serve as they
   * are given. */
  size_t (*bytes)(const ir_fast_primitive *primitive);
  size_t (*weights_bytes)(const ir_fast_primitive *primitive);
  /* Lays the kernel out as the primitive wants it, in `*io_weights`, which it makes where that is NULL. False: memory
   * is out. */
  bool (*lay_out)(const ir_fast_primitive *primitive, const float *weights, int n_threads,
                  ir_fast_weights **io_weights);
  /* Whether weights that were laid out for another primitive serve this one. */
  bool (*takes)(const ir_fast_primitive *primitive, const ir_fast_weights *weights);
  void (*free_weights)(ir_fast_weights *weights);
  /* By so many threads at once. False: it failed. */
  bool (*run)(ir_fast_primitive *primitive, const ir_fast_tensors *tensors, int n_threads);
  /* The threads that products run in, for what is computed between them: others would wait for their processors. */
  ir_omp_pool *omp_pool;
} ir_fast_module;

/* The module; NULL when it cannot be loaded. The first call loads it. */
const ir_fast_module *ir_fast(void);

#endif
