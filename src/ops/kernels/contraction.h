/* Sums of products: out[m, n] = the sum over k of a[m, k] * b[k, n], for each matrix of a batch. MatMul, Einsum and
 * convolutions are such: of a convolution a is the kernel and b what the input holds under its taps.
 *
 * Floats are summed in f32, those of f64 in f64; integers exactly, modulo 2^bits. In which order depends on the shapes
 * alone. */
#ifndef IR_CONTRACTION_H
#define IR_CONTRACTION_H

#include "ops/kernels/compute_type.h"
#include "ops/kernels/nd_iter.h"
#include "ops/plan.h"

enum { IR_TILE_M = 64, IR_TILE_N = 128, IR_TILE_K = 64 };

typedef struct ir_contraction ir_contraction;

/* What is computed at once: some rows of a by some columns of b. Offsets are in elements from where a tensor begins. */
typedef struct ir_tile {
  const ir_contraction *contraction;
  const ir_tensor *a, *b;
  int64_t batch, column;      /* number of the matrix, of the first column */
  int64_t turn;               /* under way */
  int64_t n_m, n_n, n_k;      /* sizes of the tile; n_k of the terms that are loaded */
  int64_t a_at, b_at, out_at; /* where the matrix begins */
  int64_t a_m[IR_TILE_M], a_k[IR_TILE_K];
  int64_t b_k[IR_TILE_K], b_n[IR_TILE_N]; /* a column at -1 holds zeros */
  int64_t out_m[IR_TILE_M], out_n[IR_TILE_N];
  union ir_numbers {
    float f32[IR_TILE_N * IR_TILE_K];
    double f64[IR_TILE_N * IR_TILE_K];
    uint64_t u64[IR_TILE_N * IR_TILE_K];
  } left, right, sums; /* rows of IR_TILE_K, of IR_TILE_N, of IR_TILE_N; of the compute type */
} ir_tile;

struct ir_contraction {
  ir_compute_type compute;
  ir_nd_iter batch; /* of a, b and out */
  ir_nd_iter m;     /* of a and out */
  ir_nd_iter n;     /* of b and out */
  ir_nd_iter k;     /* of a and b */
  int64_t out_begin;
  /* The sum is made of so many turns, each over all of k. `take` places a turn: tile->b_n, and where the matrix of a
   * begins for it; false: all its products are 0, and so are those of the turns that it moves tile->turn over. NULL:
   * there is one turn. */
  int64_t n_turns;
  bool (*take)(ir_tile *tile, int64_t *a_begin);
  /* Loads terms [k, k + n_k) of the columns into tile->right; NULL: from b, at b_k + b_n. */
  void (*load)(ir_tile *tile, int64_t k);
  const void *user; /* of the two */
};

/* Elements at[0..n) of a tensor in a compute type, at most a piece; where `at` is -1, a 0. */
void ir_compute_gather(const ir_tensor *tensor, const int64_t *at, int64_t n, ir_compute_type compute, void *to);

/* Scratch that it wants of each worker: an ir_tile, and what `load` uses behind it. */
void ir_contraction_run(const ir_contraction *contraction, const ir_tensor *a, const ir_tensor *b, ir_tensor *out,
                        ir_exec *exec);

/* ---- tensors whose axes have labels ---- */

enum { IR_N_LABELS = 52 + IR_MAX_RANK };

/* An axis of size 1 stretches to the size that others have under its label. Axes of one label are one: a diagonal. */
typedef struct ir_labelled {
  int32_t slot;
  ir_type type;
  ir_shape shape;
  int labels[IR_MAX_RANK]; /* below IR_N_LABELS */
} ir_labelled;

ir_labelled ir_labelled_input(const ir_plan *plan, const ir_node *node, const ir_value *const *in, int port);
ir_labelled ir_labelled_output(const ir_plan *plan, const ir_node *node);
/* Appends the step that sums products over all labels that the output has not; without b, the elements of a. No label
 * stands in the output twice. */
ir_code ir_contraction_step(ir_plan *plan, const ir_node *node, const char *name, const ir_labelled *a,
                            const ir_labelled *b, const ir_labelled *out, ir_scope *scope);

#endif
