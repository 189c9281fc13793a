#include "ops/kernels/products.h"
#include "ops/kernels/isa.h"

/* ---- rows times columns that are neighbours ---- */

enum {
  ROWS = 4,   /* rows of a tile: its ROWS x IR_LANES sums, and one row of b, fit 32 registers of 16 floats */
  TERMS = 64, /* most terms that are summed in registers before the sum is added to c. Short sums have smaller rounding
                 errors, and a part of b, TERMS x IR_LANES floats, stays in the L1 cache */
};

/* Adds n_terms terms, from term k on, to the sums of n_rows rows and of IR_LANES columns. */
IR_LOOP void add_tile(const ir_product *p, int64_t i, int64_t j, int64_t k, int64_t n_terms, const int n_rows) {
  const int64_t a_row = p->a_row, a_term = p->a_term, b_step = p->b_step, c_row = p->c_row;
  const float *a = p->a + i * a_row + k * a_term, *b = p->b + k * b_step + j;
  float *c = p->c + i * p->c_row + j;
  float sums[ROWS][IR_LANES];
  IR_UNROLL for (int r = 0; r < n_rows; r++) for (int l = 0; l < IR_LANES; l++) sums[r][l] = 0;
  for (int64_t t = 0; t < n_terms; t++, a += a_term, b += b_step)
    IR_UNROLL for (int r = 0; r < n_rows; r++) {
      const float x = a[r * a_row];
      for (int l = 0; l < IR_LANES; l++)
        sums[r][l] += x * b[l];
    }
  IR_UNROLL for (int r = 0; r < n_rows; r++) for (int l = 0; l < IR_LANES; l++) c[r * c_row + l] += sums[r][l];
}

/* Does the same for one row and fewer than IR_LANES columns. */
IR_LOOP void add_few(const ir_product *p, int64_t i, int64_t j, int64_t k, int64_t n_terms) {
  const int64_t n = p->n - j;
  const float *a = p->a + i * p->a_row + k * p->a_term, *b = p->b + k * p->b_step + j;
  float *c = p->c + i * p->c_row + j, sums[IR_LANES] = {0};
  for (int64_t t = 0; t < n_terms; t++, a += p->a_term, b += p->b_step)
    for (int64_t l = 0; l < n; l++)
      sums[l] += *a * b[l];
  for (int64_t l = 0; l < n; l++)
    c[l] += sums[l];
}

IR_LOOP void add_loop(const ir_product *p) {
  for (int64_t k = 0; k < p->k; k += TERMS) {
    const int64_t n_terms = p->k - k < TERMS ? p->k - k : TERMS;
    int64_t j = 0;
    for (; j + IR_LANES <= p->n; j += IR_LANES) {
      int64_t i = 0;
      for (; i + ROWS <= p->m; i += ROWS)
        add_tile(p, i, j, k, n_terms, ROWS);
      for (; i < p->m; i++)
        add_tile(p, i, j, k, n_terms, 1);
    }
    for (int64_t i = 0; j < p->n && i < p->m; i++)
      add_few(p, i, j, k, n_terms);
  }
}
IR_EACH_ISA(add, (const ir_product *p), (p))

void ir_product_add(const ir_product *product) {
  add(product);
}

/* ---- rows times columns whose terms are neighbours ---- */

/* Sums the terms of n_columns columns in IR_LANES lanes each: lane l has the terms l, l + IR_LANES, .. */
IR_LOOP void sum_lanes(const float *a, const float *b, int64_t b_step, int64_t n_terms, float *lanes,
                       const int n_columns) {
  float sums[2][IR_LANES];
  int64_t t = 0;
  IR_UNROLL for (int r = 0; r < n_columns; r++) for (int l = 0; l < IR_LANES; l++) sums[r][l] = 0;
  for (; t + IR_LANES <= n_terms; t += IR_LANES)
    IR_UNROLL for (int r = 0; r < n_columns; r++) for (int l = 0; l < IR_LANES; l++) sums[r][l] +=
        a[t + l] * b[r * b_step + t + l];
  IR_UNROLL for (int r = 0; r < n_columns; r++) {
    for (int64_t l = 0; l < n_terms - t; l++)
      sums[r][l] += a[t + l] * b[r * b_step + t + l];
    for (int l = 0; l < IR_LANES; l++)
      lanes[r * IR_LANES + l] = sums[r][l];
  }
}

IR_LOOP void add_neighbours(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    to[i] = from[2 * i] + from[2 * i + 1];
}

/* Adds the lanes of n columns, at most IR_COLUMNS. Overwrites `lanes`. */
IR_LOOP void fold_loop(float *lanes, int64_t n, float *out) {
  float pairs[IR_COLUMNS * IR_LANES / 2];
  add_neighbours(lanes, pairs, n * 16);
  add_neighbours(pairs, lanes, n * 8);
  add_neighbours(lanes, pairs, n * 4);
  add_neighbours(pairs, lanes, n * 2);
  add_neighbours(lanes, out, n);
}
IR_EACH_ISA(fold, (float *lanes, int64_t n, float *out), (lanes, n, out))

void ir_product_fold(float *lanes, int64_t n, float *out) {
  fold(lanes, n, out);
}

IR_LOOP void dots_loop(const ir_product *p) {
  float lanes[IR_COLUMNS * IR_LANES];
  for (int64_t j = 0; j < p->n; j += IR_COLUMNS)
    for (int64_t i = 0; i < p->m; i++) {
      const int64_t n = p->n - j < IR_COLUMNS ? p->n - j : IR_COLUMNS;
      const float *a = p->a + i * p->a_row, *b = p->b + j * p->b_step;
      int64_t r = 0;
      for (; r + 2 <= n; r += 2)
        sum_lanes(a, b + r * p->b_step, p->b_step, p->k, lanes + r * IR_LANES, 2);
      if (r < n)
        sum_lanes(a, b + r * p->b_step, p->b_step, p->k, lanes + r * IR_LANES, 1);
      fold_loop(lanes, n, p->c + i * p->c_row + j);
    }
}
IR_EACH_ISA(dots, (const ir_product *p), (p))

void ir_product_dots(const ir_product *product) {
  dots(product);
}

/* ---- transposing ---- */

/* A pass over 2^bits rows moves the upper one or two bits of an element's index to its end: after `bits` bits, row r is
 * column r. Compilers vectorize such passes, but no transposition in one loop. */
IR_LOOP void interleave_2_loop(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    to[2 * i] = from[i];
    to[2 * i + 1] = from[n + i];
  }
}
IR_EACH_ISA(interleave_2, (const float *restrict from, float *restrict to, int64_t n), (from, to, n))

IR_LOOP void interleave_4_loop(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    to[4 * i] = from[i];
    to[4 * i + 1] = from[n + i];
    to[4 * i + 2] = from[2 * n + i];
    to[4 * i + 3] = from[3 * n + i];
  }
}
IR_EACH_ISA(interleave_4, (const float *restrict from, float *restrict to, int64_t n), (from, to, n))

/* The inverse passes. */
IR_LOOP void separate_2_loop(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    to[i] = from[2 * i];
    to[n + i] = from[2 * i + 1];
  }
}
IR_EACH_ISA(separate_2, (const float *restrict from, float *restrict to, int64_t n), (from, to, n))

IR_LOOP void separate_4_loop(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    to[i] = from[4 * i];
    to[n + i] = from[4 * i + 1];
    to[2 * n + i] = from[4 * i + 2];
    to[3 * n + i] = from[4 * i + 3];
  }
}
IR_EACH_ISA(separate_4, (const float *restrict from, float *restrict to, int64_t n), (from, to, n))

typedef void transpose_pass(const float *restrict from, float *restrict to, int64_t n);

static void transpose(float **x, float **spare, int bits, int64_t n, transpose_pass *pass_2, transpose_pass *pass_4) {
  const int64_t elements = n << bits;
  while (bits > 0) {
    float *from = *x;
    if (bits == 1)
      pass_2(from, *spare, elements / 2);
    else
      pass_4(from, *spare, elements / 4);
    *x = *spare;
    *spare = from;
    bits -= bits == 1 ? 1 : 2;
  }
}

void ir_transpose(float **x, float **spare, int bits, int64_t n) {
  transpose(x, spare, bits, n, interleave_2, interleave_4);
}

void ir_transpose_back(float **x, float **spare, int bits, int64_t n) {
  transpose(x, spare, bits, n, separate_2, separate_4);
}
