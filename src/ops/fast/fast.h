/* Interface of the fast module, which computes convolutions and matrix products by oneDNN: of floats, with sums in f32,
 * or of 8-bit integers, with exact sums. irrun loads the module when a plan first needs it. Each op also has a plain
 * kernel, for machines without the module and for cases that the module cannot compute. */
#ifndef IR_FAST_H
#define IR_FAST_H

#include "exec/omp_pool.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IR_FAST_VERSION 7
enum { IR_FAST_AXES = 3, IR_FAST_MOST_POST_OPS = 8 };

/* A post-op: an operation on each element of the result before it is stored. */
typedef enum ir_post_op_kind {
  IR_POST_ADD,   /* adds a tensor of the output's shape and layout; at most one per primitive */
  IR_POST_RELU,  /* x < 0 ? a * x : x */
  IR_POST_CLAMP, /* clamps to [a, b] */
  IR_POST_SIGMOID,
  IR_POST_TANH,
  IR_POST_SWISH, /* x * sigmoid(a * x) */
  IR_POST_HSWISH,
  IR_POST_ELU, /* ELU with alpha = a */
  IR_POST_GELU_ERF,
  IR_POST_GELU_TANH,
  IR_POST_LINEAR, /* a * x + b */
  IR_POST_COUNT
} ir_post_op_kind;

typedef struct ir_post_op {
  ir_post_op_kind kind;
  float a, b;
} ir_post_op;

typedef enum ir_fast_type { IR_FAST_F32, IR_FAST_BF16, IR_FAST_F16, IR_FAST_U8, IR_FAST_I8 } ir_fast_type;

/* How the matrices [batch, heads, rows, columns] of a product lie in memory. The flags can be combined: then the order
 * in memory is batch, columns, heads, rows. */
typedef struct ir_fast_matrices {
  bool is_transposed; /* columns lie before rows; never set for the output */
  bool are_beside;    /* the heads lie side by side: batch, rows, heads, columns */
} ir_fast_matrices;

/* Lists the axes 0 (batch), 1 (heads), 2 (rows) and 3 (columns) from the outermost in memory to the innermost. */
static inline void ir_fast_order(ir_fast_matrices lie, int *order) {
  const int first = lie.is_transposed ? 3 : 2;
  order[0] = 0;
  order[1] = lie.are_beside ? first : 1;
  order[2] = lie.are_beside ? 1 : first;
  order[3] = 5 - first;
}

typedef struct ir_fast_desc {
  enum { IR_FAST_CONVOLUTION, IR_FAST_BACKPROP, IR_FAST_MATMUL } kind;
  /* A convolution with n_axes spatial axes. Tensors are [batch, groups * channels, axes..], in plain or channels-last
   * layout. The kernel is [groups, channels_out, channels_in, axes..]; in a backprop, the two channel axes are
   * swapped. */
  int n_axes;
  int64_t batch, groups, channels_in, channels_out; /* channels_*: channels in a group */
  int64_t in[IR_FAST_AXES], out[IR_FAST_AXES], kernel[IR_FAST_AXES];
  int64_t strides[IR_FAST_AXES], dilations[IR_FAST_AXES], pads_begin[IR_FAST_AXES], pads_end[IR_FAST_AXES];
  bool in_channels_last, out_channels_last;
  /* A matrix product of a [batch, heads, m, k] and b [batch, heads, k, n]. */
  int64_t heads, m, k, n;
  ir_fast_matrices a, b, c; /* c: the output */
  bool b_is_weights;        /* b (or the kernel) has to be laid out: once if it is constant, else in each run */
  bool has_bias;            /* one bias per output channel of a convolution, or per column of a matrix product */
  /* Element types. If `in` is an integer type, the weights are i8, the sum of (in - in_zero_point) * weights is exact,
   * and post-ops compute in f32 with (sum + bias) * scales. An integer output is rounded to nearest, ties to even, and
   * clamped. */
  ir_fast_type in_type, weights_type, out_type, added_type;
  int32_t in_zero_point;
  const float *scales; /* one number, or one per output channel; NULL in f32. They must outlive the primitive */
  int64_t n_scales;
  int n_threads; /* number of threads among which the primitive splits its work */
  int n_post_ops;
  ir_post_op post_ops[IR_FAST_MOST_POST_OPS];
} ir_fast_desc;

/* Whether the sums of the products are exact sums of integers. */
static inline bool ir_fast_is_integer(const ir_fast_desc *desc) {
  return desc->in_type == IR_FAST_U8 || desc->in_type == IR_FAST_I8;
}

static inline bool ir_fast_is_half(const ir_fast_desc *desc) {
  return desc->in_type == IR_FAST_BF16 || desc->in_type == IR_FAST_F16;
}

/* Returns the index of the first post-op of this kind; -1 if absent. */
static inline int ir_fast_find(const ir_fast_desc *desc, ir_post_op_kind kind) {
  for (int i = 0; i < desc->n_post_ops; i++)
    if (desc->post_ops[i].kind == kind)
      return i;
  return -1;
}

typedef struct ir_fast_primitive ir_fast_primitive;

/* Weights (a kernel or b) in the memory layout that a primitive prefers. */
typedef struct ir_fast_weights ir_fast_weights;

typedef struct ir_fast_tensors {
  const void *in;
  const void *b;                  /* b or the kernel, in the layout of ir_fast_desc; NULL: `weights` replaces it */
  const ir_fast_weights *weights; /* made by lay_out; NULL: `b` is used */
  const float *bias;
  const void *added;
  void *out;
} ir_fast_tensors;

/* The module exports one object of this type, `irrun_fast`. */
typedef struct ir_fast_module {
  int version;      /* the module's IR_FAST_VERSION; irrun ignores a module with another version than its own */
  const char *name; /* the library's name and version, "oneDNN 2.6.3" */
  /* Whether the processor has instructions for products of this type, and the library uses them. */
  bool (*has_type)(ir_fast_type type);
  /* Creates a primitive. If the library lacks the primitive, or separate steps are faster, sets `*out` to NULL. False:
   * memory is out. */
  bool (*create)(const ir_fast_desc *desc, ir_fast_primitive **out);
  void (*free)(ir_fast_primitive *primitive);
  /* bytes: size of the primitive's scratch memory. weights_bytes: size of the weights that lay_out makes; 0: the
   * primitive takes `b` of ir_fast_tensors, without lay_out. */
  size_t (*bytes)(const ir_fast_primitive *primitive);
  size_t (*weights_bytes)(const ir_fast_primitive *primitive);
  /* Copies `weights` to `*io_weights`, in the primitive's layout. If `*io_weights` is NULL, allocates it. False: oneDNN
   * failed, or memory is out. */
  bool (*lay_out)(const ir_fast_primitive *primitive, const void *weights, int n_threads, ir_fast_weights **io_weights);
  /* Whether the primitive can use weights that were laid out for another primitive. */
  bool (*takes)(const ir_fast_primitive *primitive, const ir_fast_weights *weights);
  void (*free_weights)(ir_fast_weights *weights);
  /* Runs the primitive on n_threads threads. False: oneDNN failed. */
  bool (*run)(ir_fast_primitive *primitive, const ir_fast_tensors *tensors, int n_threads);
  /* Runs work on oneDNN's threads. Steps between primitives use them, because two thread pools would compete for the
   * cores. */
  ir_omp_pool *omp_pool;
} ir_fast_module;

/* Receives a path where the module may be. Returns false to end the search. */
typedef bool ir_fast_visit(const char *path, void *user);
/* Calls `visit` with each path where the module may be, in the order of the search. */
void ir_fast_visit_paths(ir_fast_visit *visit, void *user);
/* Returns the module; NULL if it cannot be loaded. The first call loads the module. */
const ir_fast_module *ir_fast(void);

#endif
