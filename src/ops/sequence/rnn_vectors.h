/* Vector kernels of LSTM, GRU and RNN in f32, for each instruction set: matrix products with weights in panels, and the
 * gates of one time step. */
#ifndef IR_RNN_VECTORS_H
#define IR_RNN_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

/* Arguments of `multiply`. A panel has weights [n_terms][panel].
 * to[row][column] = from[row][column] + sum over i of x[row][i] * panels[column / panel][i][column % panel].
 * The sum of a row does not depend on the other rows. */
typedef struct ir_rnn_product {
  const float *panels;
  int64_t n_panels, n_terms, n_rows;
  const float *x, *from;
  float *to;
  int64_t x_step, from_step, to_step; /* distances between rows */
} ir_rnn_product;

/* Arguments of one time step of one line. Each gate and state has `n` floats, with padding up to a whole vector. Vector
 * kernels also read and write the padding. */
typedef struct ir_rnn_gates {
  const float *sums[4]; /* LSTM: f, i, c, o; GRU: z, r, h, then the recurrent product of h, or NULL without
                           linear_before_reset */
  float *h, *c;         /* hidden state; cell state of an LSTM, or a GRU's hidden state times gate r */
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
  void (*gru_reset)(const ir_rnn_gates *gates); /* computes `c` of a GRU */
  void (*gru)(const ir_rnn_gates *gates);
} ir_rnn_vectors;

enum { IR_RNN_MOST_LANES = 16 }; /* most floats in a vector of any instruction set */

extern const ir_rnn_vectors ir_rnn_vectors_any;
#if defined(__x86_64__)
extern const ir_rnn_vectors ir_rnn_vectors_avx2, ir_rnn_vectors_avx512;
#endif
extern const ir_rnn_vectors *const ir_rnn_vectors_list[]; /* best first; NULL at the end */

#endif
