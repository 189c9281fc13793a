/* The fast kernels of LSTM, GRU and RNN, compiled for each instruction set: products with matrices that lie in panels,
 * and the gates of one step. All are of f32. */
#ifndef IR_RNN_VECTORS_H
#define IR_RNN_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

/* to[row][column] = from[row][column] + the sum of x[row][i] * panels[column / panel][i][column % panel]. What the sum
 * of a row is depends on no other row. */
typedef struct ir_rnn_product {
  const float *panels;
  int64_t n_panels, n_terms, n_rows;
  const float *x, *from;
  float *to;
  int64_t x_step, from_step, to_step; /* from one row to the next */
} ir_rnn_product;

/* One step of one line: `n` numbers of each gate and state. Of the last vector the kernels read and write numbers
 * behind them, which mean nothing. */
typedef struct ir_rnn_gates {
  const float *sums[4]; /* LSTM: f, i, c, o; GRU: z, r, h and, where the reset comes after the product, that product */
  float *h, *c;         /* the states; c of a GRU: its state as it is reset */
  int64_t n;
  float clip;
} ir_rnn_gates;

typedef struct ir_rnn_vectors {
  const char *isa;
  bool (*available)(void);
  int64_t panel; /* columns */
  void (*multiply)(const ir_rnn_product *product);
  void (*rnn)(const ir_rnn_gates *gates);
  void (*lstm)(const ir_rnn_gates *gates);
  void (*gru_reset)(const ir_rnn_gates *gates); /* makes c */
  void (*gru)(const ir_rnn_gates *gates);
} ir_rnn_vectors;

enum { IR_RNN_MOST_LANES = 16 }; /* numbers of a vector */

extern const ir_rnn_vectors ir_rnn_vectors_any;
#if defined(__x86_64__)
extern const ir_rnn_vectors ir_rnn_vectors_avx2, ir_rnn_vectors_avx512;
#endif
extern const ir_rnn_vectors *const ir_rnn_vectors_list[]; /* the best first; NULL at the end */

#endif
