/* Contractions: out[m, n] = sum over k of a[m, k] * b[k, n], for each matrix of a batch. MatMul, Einsum and
 * convolutions use them: for a convolution, a is the kernel and b the input under its taps.
 *
 * Floats are summed in f32, f64 in f64, integers exactly modulo 2^bits. The order of summation depends on the shapes
 * only. */
#ifndef IR_CONTRACTION_H
#define IR_CONTRACTION_H

#include "ops/kernels/compute_type.h"
#include "ops/kernels/nd_iter.h"
#include "ops/prepare.h"

enum { IR_TILE_M = 64, IR_TILE_N = 128, IR_TILE_K = 64 };

typedef struct ir_contraction ir_contraction;

/* The unit of work: some rows of a times some columns of b. Offsets count elements from the start of a tensor. */
typedef struct ir_tile {
  const ir_contraction *contraction;
  const ir_tensor *a, *b;
  int64_t batch, column;      /* index of the matrix, of the first column */
  int64_t turn;               /* current turn */
  int64_t n_m, n_n, n_k;      /* sizes of the tile; n_k: loaded terms */
  int64_t a_at, b_at, out_at; /* start of the matrix in each tensor */
  int64_t a_m[IR_TILE_M], a_k[IR_TILE_K];
  int64_t b_k[IR_TILE_K], b_n[IR_TILE_N]; /* offsets; -1: the column is zero */
  int64_t out_m[IR_TILE_M], out_n[IR_TILE_N];
  union ir_numbers {
    float f32[IR_TILE_N * IR_TILE_K];
    double f64[IR_TILE_N * IR_TILE_K];
    uint64_t u64[IR_TILE_N * IR_TILE_K];
  } left, right, sums; /* rows of IR_TILE_K, IR_TILE_N and IR_TILE_N elements of the compute type */
} ir_tile;

struct ir_contraction {
  ir_compute_type compute;
  ir_nd_iter batch; /* steps in a, b and out */
  ir_nd_iter m;     /* steps in a and out */
  ir_nd_iter n;     /* steps in b and out */
  ir_nd_iter k;     /* steps in a and b */
  int64_t out_begin;
  /* The sum has n_turns turns, each over all of k. `take` sets tile->b_n for a turn and the start of its matrix in a.
   * False: all products of the turn are 0, and so are those of any turns that it advances tile->turn over. NULL: there
   * is one turn. */
  int64_t n_turns;
  bool (*take)(ir_tile *tile, int64_t *a_begin);
  /* Loads terms [k, k + n_k) of the columns into tile->right. NULL: loads them from b, at b_k + b_n. */
  void (*load)(ir_tile *tile, int64_t k);
  const void *user; /* argument of both */
};

/* Loads elements at[0..n) of a tensor, at most a piece, as a compute type; 0 where `at` is -1. */
void ir_compute_gather(const ir_tensor *tensor, const int64_t *at, int64_t n, ir_compute_type compute, void *to);

/* Needs scratch for each worker: an ir_tile, then what `load` uses. */
void ir_contraction_run(const ir_contraction *contraction, const ir_tensor *a, const ir_tensor *b, ir_tensor *out,
                        ir_exec *exec);

/* ---- tensors with labelled axes ---- */

enum { IR_N_LABELS = 52 + IR_MAX_RANK };

/* An axis of size 1 broadcasts to the size of others with its label. Equal labels in one tensor take its diagonal. */
typedef struct ir_labelled {
  int32_t slot;
  ir_type type;
  ir_shape shape;
  int labels[IR_MAX_RANK]; /* below IR_N_LABELS */
} ir_labelled;

ir_labelled ir_labelled_input(const ir_plan *plan, const ir_value *const *in, int port);
ir_labelled ir_labelled_output(const ir_plan *plan, const ir_node *node);
/* Appends the step that sums products over all labels that the output lacks; without b, sums elements of a. The output
 * has each label at most once. */
ir_code ir_contraction_step(ir_plan *plan, const ir_node *node, const char *name, const ir_labelled *a,
                            const ir_labelled *b, const ir_labelled *out, ir_scope *scope);

#endif
