/* Interface between irrun and the module for fast contractions: f32 convolutions and matrix products by oneDNN. irrun
 * loads the module when a plan first needs it. Each op also has a plain kernel, for what the module lacks or if it is
 * absent. */
#ifndef IR_FAST_H
#define IR_FAST_H

#include "exec/omp_pool.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IR_FAST_VERSION 5
enum { IR_FAST_AXES = 3, IR_FAST_MOST_POST_OPS = 8 };

/* Operation on each element of the result before it is stored. */
typedef enum ir_post_op_kind {
  IR_POST_ADD,   /* adds a tensor of the output's shape and layout; at most once */
  IR_POST_RELU,  /* x * a below 0 */
  IR_POST_CLAMP, /* clamps to [a, b] */
  IR_POST_SIGMOID,
  IR_POST_TANH,
  IR_POST_SWISH, /* x * sigmoid(a * x) */
  IR_POST_HSWISH,
  IR_POST_ELU, /* ELU with alpha = a */
  IR_POST_GELU_ERF,
  IR_POST_COUNT
} ir_post_op_kind;

typedef struct ir_post_op {
  ir_post_op_kind kind;
  float a, b;
} ir_post_op;

typedef struct ir_fast_desc {
  enum { IR_FAST_CONVOLUTION, IR_FAST_BACKPROP, IR_FAST_MATMUL } kind;
  /* Convolutions with n_axes spatial axes: tensors are [batch, groups * channels, axes..], in plain or channels-last
   * layout; the kernel is [groups, channels_out, channels_in, axes..], for a backprop [groups, channels_in,
   * channels_out, axes..]. */
  int n_axes;
  int64_t batch, groups, channels_in, channels_out; /* channels_*: channels in a group */
  int64_t in[IR_FAST_AXES], out[IR_FAST_AXES], kernel[IR_FAST_AXES];
  int64_t strides[IR_FAST_AXES], dilations[IR_FAST_AXES], pads_begin[IR_FAST_AXES], pads_end[IR_FAST_AXES];
  bool in_channels_last, out_channels_last;
  /* A matrix product: batch x [m, k] by batch x [k, n]; flags say which matrices are transposed in memory. */
  int64_t m, k, n;
  bool a_transposed, b_transposed;
  bool b_is_weights; /* b is constant, so it is laid out once */
  bool has_bias;     /* one bias for each output channel, or for each column */
  int n_threads;     /* threads that the primitive splits its work for */
  int n_post_ops;
  ir_post_op post_ops[IR_FAST_MOST_POST_OPS];
} ir_fast_desc;

typedef struct ir_fast_primitive ir_fast_primitive;

/* Weights in the layout of a primitive. */
typedef struct ir_fast_weights ir_fast_weights;

typedef struct ir_fast_tensors {
  const float *in;
  const float *b;                 /* b as given; NULL: use `weights` */
  const ir_fast_weights *weights; /* b laid out for the primitive; or NULL */
  const float *bias, *added;
  float *out;
} ir_fast_tensors;

/* Exports of the module, as `irrun_fast`. */
typedef struct ir_fast_module {
  int version;      /* IR_FAST_VERSION */
  const char *name; /* the library's name and version, "oneDNN 2.6.3" */
  /* False: memory is out. `*out` is NULL if the library has no such primitive, or only one that is slower than separate
   * steps. */
  bool (*create)(const ir_fast_desc *desc, ir_fast_primitive **out);
  void (*free)(ir_fast_primitive *primitive);
  /* Size of the primitive's scratch memory, and of its laid-out weights (0: it uses them as given). */
  size_t (*bytes)(const ir_fast_primitive *primitive);
  size_t (*weights_bytes)(const ir_fast_primitive *primitive);
  /* Lays the kernel out for the primitive in `*io_weights`, allocated if NULL. False: memory is out. */
  bool (*lay_out)(const ir_fast_primitive *primitive, const float *weights, int n_threads,
                  ir_fast_weights **io_weights);
  /* Whether weights laid out for another primitive fit this one. */
  bool (*takes)(const ir_fast_primitive *primitive, const ir_fast_weights *weights);
  void (*free_weights)(ir_fast_weights *weights);
  /* Runs with so many threads. False: it failed. */
  bool (*run)(ir_fast_primitive *primitive, const ir_fast_tensors *tensors, int n_threads);
  /* oneDNN's threads, for the steps between primitives: two pools would compete for the cores. */
  ir_omp_pool *omp_pool;
} ir_fast_module;

/* The module; NULL when it cannot be loaded. The first call loads it. */
const ir_fast_module *ir_fast(void);

#endif
