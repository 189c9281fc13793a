/* Computes contractions: out[m, n] = sum over k of a[m, k] * b[k, n], for each matrix of a batch. MatMul, Einsum and
 * convolutions use them; for a convolution, a is the kernel and b has the input elements under its taps.
 *
 * f32, f16 and bf16 are summed in f32, f64 in f64, and integers exactly, modulo 2^bits. The order of summation
 * depends only on the shapes. */
#ifndef IR_CONTRACTION_H
#define IR_CONTRACTION_H

#include "ops/kernels/compute_type.h"
#include "ops/kernels/nd_iter.h"
#include "ops/prepare.h"

/* IR_TILE_K is large, so that rows of weights are read from memory in pieces of 1 KiB, not in a few bytes of each page.
 */
enum { IR_TILE_M = 64, IR_TILE_N = 64, IR_TILE_K = 256 };

typedef struct ir_contraction ir_contraction;

/* A unit of work: some rows of a times some columns of b. Offsets count elements from the start of a tensor. */
typedef struct ir_tile {
  const ir_contraction *contraction;
  const ir_tensor *a, *b;
  int64_t batch, column; /* index of the matrix in the batch; index of the tile's first column */
  int64_t turn; /* the part of the sum that is being added, of contraction->n_turns; in a convolution, the tap */
  int64_t n_m, n_n, n_k;      /* rows, columns and loaded terms of the tile */
  int64_t a_at, b_at, out_at; /* offset of the matrix in a, b and out */
  int64_t a_m[IR_TILE_M], a_k[IR_TILE_K];
  int64_t b_k[IR_TILE_K], b_n[IR_TILE_N]; /* offsets in b of terms and of columns; b_n -1: the column is zero */
  int64_t out_m[IR_TILE_M], out_n[IR_TILE_N];
  union ir_numbers {
    float f32[IR_TILE_N * IR_TILE_K];
    double f64[IR_TILE_N * IR_TILE_K];
    uint64_t u64[IR_TILE_N * IR_TILE_K];
  } left, right, sums; /* in the compute type: left [n_m, IR_TILE_K], right [n_k, IR_TILE_N], sums [n_m, IR_TILE_N] */
  float spare[IR_TILE_N * IR_TILE_K];
} ir_tile;

struct ir_contraction {
  ir_compute_type compute;
  ir_nd_iter batch; /* iterates over the matrices of a, b and out */
  ir_nd_iter m;     /* iterates over rows, in a and out */
  ir_nd_iter n;     /* iterates over columns, in b and out */
  ir_nd_iter k;     /* iterates over the terms of a sum, in a and b */
  int64_t out_begin;
  /* A sum consists of n_turns turns, each over all of k; in a convolution, a turn is one tap. Before a turn, `take`
   * sets tile->b_n, and *a_begin to the offset of the turn's first element in a. If all products of the turn are 0,
   * `take` returns false, and can advance tile->turn past further such turns. If `take` is NULL, there is one turn. */
  int64_t n_turns;
  bool (*take)(ir_tile *tile, int64_t *a_begin);
  /* Loads terms [k, k + n_k) of all columns into tile->right. If `load` is NULL, they are loaded from b, at offsets b_k
   * + b_n. */
  void (*load)(ir_tile *tile, int64_t k);
  const void *user; /* data for `take` and `load` */
};

/* Loads n <= IR_PIECE elements, from offsets at[0], at[1], .., as a compute type. If an offset is -1, the element is 0.
 */
void ir_compute_gather(const ir_tensor *tensor, const int64_t *at, int64_t n, ir_compute_type compute, void *to);

/* Computes `out`. Each worker needs scratch for an ir_tile, and after it for `load`. */
void ir_contraction_run(const ir_contraction *contraction, const ir_tensor *a, const ir_tensor *b, ir_tensor *out,
                        ir_exec *exec);

/* ---- tensors with labelled axes ---- */

enum { IR_N_LABELS = 52 + IR_MAX_RANK };

/* A tensor with a label for each axis, as in Einsum. Axes with the same label have the same size, or size 1, which
 * broadcasts. If a label occurs twice in a tensor, the diagonal is used. */
typedef struct ir_labelled {
  int32_t slot;
  ir_type type;
  ir_shape shape;
  int labels[IR_MAX_RANK]; /* label of each axis, below IR_N_LABELS */
} ir_labelled;

ir_labelled ir_labelled_input(const ir_plan *plan, const ir_value *const *in, int port);
ir_labelled ir_labelled_output(const ir_plan *plan, const ir_node *node);
/* Appends the step that sums a * b over all labels that `out` lacks. If b is NULL, the step sums elements of a. `out`
 * has each label at most once. */
ir_code ir_contraction_step(ir_plan *plan, const ir_node *node, const char *name, const ir_labelled *a,
                            const ir_labelled *b, const ir_labelled *out, ir_scope *scope);

#endif
