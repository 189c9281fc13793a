/* Fast kernels of LSTM, GRU and RNN for each instruction set, all f32: products with matrices in panels, and the gates
 * of one step. */
#ifndef IR_RNN_VECTORS_H
#define IR_RNN_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

/* to[row][column] = from[row][column] + sum over i of x[row][i] * panels[column / panel][i][column % panel]. The sum of
 * a row does not depend on the other rows. */
typedef struct ir_rnn_product {
  const float *panels;
  int64_t n_panels, n_terms, n_rows;
  const float *x, *from;
  float *to;
  int64_t x_step, from_step, to_step; /* distances between rows */
} ir_rnn_product;

/* One step of one line: `n` numbers of each gate and state. In the last vector kernels also read and write padding
 * after them. */
typedef struct ir_rnn_gates {
  const float *sums[4]; /* LSTM: f, i, c, o; GRU: z, r, h and, if the reset follows the product, the product */
  float *h, *c;         /* the states; a GRU's c is its reset state */
  int64_t n;
  float clip;
} ir_rnn_gates;

typedef struct ir_rnn_vectors {
  const char *isa;
  bool (*available)(void);
  int64_t panel; /* columns in a panel */
  void (*multiply)(const ir_rnn_product *product);
  void (*rnn)(const ir_rnn_gates *gates);
  void (*lstm)(const ir_rnn_gates *gates);
  void (*gru_reset)(const ir_rnn_gates *gates); /* computes c */
  void (*gru)(const ir_rnn_gates *gates);
} ir_rnn_vectors;

enum { IR_RNN_MOST_LANES = 16 }; /* floats in a vector */

extern const ir_rnn_vectors ir_rnn_vectors_any;
#if defined(__x86_64__)
extern const ir_rnn_vectors ir_rnn_vectors_avx2, ir_rnn_vectors_avx512;
#endif
extern const ir_rnn_vectors *const ir_rnn_vectors_list[]; /* best first; NULL at the end */

#endif
