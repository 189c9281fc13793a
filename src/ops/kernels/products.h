/* Products of small matrices of f32, for kernels that keep their blocks in the caches. The order of summation depends
 * only on the sizes, so the bits are the same for each instruction set. */
#ifndef IR_PRODUCTS_H
#define IR_PRODUCTS_H

#include <stdint.h>

enum {
  IR_LANES = 32,   /* columns of a tile whose sums stay in registers; sums that ir_product_fold adds */
  IR_COLUMNS = 32, /* columns whose lanes are added together */
};

/* m rows of `a` times n columns of `b`, which have k terms each. Steps are distances in elements. */
typedef struct ir_product {
  int64_t m, n, k;
  const float *a, *b;
  int64_t a_row, a_term; /* steps of a from row to row, and from term to term */
  int64_t b_step;        /* step of b from term to term for ir_product_add, from column to column for ir_product_dots */
  float *c;              /* [m, n], with the step c_row from row to row */
  int64_t c_row;
} ir_product;

/* c[i][j] += sum over k of a[i][k] * b[k][j]. The columns of b are neighbours. */
void ir_product_add(const ir_product *product);
/* c[i][j] = sum over k of a[i][k] * b[j][k]. The terms of a and of b are neighbours; a_term is not used. Each b[j] is
 * read once for each row, so it suits few rows. */
void ir_product_dots(const ir_product *product);

/* Sets out[j] to the sum of lanes[j][0 .. IR_LANES) for n columns, at most IR_COLUMNS. Overwrites `lanes`. */
void ir_product_fold(float *lanes, int64_t n, float *out);

/* Transpose the rows at `*x` from [2^bits, n] to [n, 2^bits], and back. They swap `*x` and `*spare`, two arrays of that
 * size. */
void ir_transpose(float **x, float **spare, int bits, int64_t n);
void ir_transpose_back(float **x, float **spare, int bits, int64_t n);

#endif
