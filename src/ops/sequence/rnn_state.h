/* State of an LSTM, GRU or RNN step of a plan, for the plain kernel (rnn_run.c) and the vector kernels (rnn_fast.c). */
#ifndef IR_RNN_STATE_H
#define IR_RNN_STATE_H

#include "ops/kernels/compute_type.h"
#include "ops/kernels/index_input.h"
#include "ops/sequence/rnn.h"

enum { IR_RNN_FUNCTIONS = 3 };

typedef struct ir_rnn_function {
  double (*of)(double x, double alpha, double beta);
  double alpha, beta;
} ir_rnn_function;

typedef struct ir_rnn_state {
  const ir_rnn_shapes *shapes;
  ir_rnn_function functions[IR_RNN_FUNCTIONS];
  double clip; /* arguments of the gates' functions are clamped to [-clip, clip]; infinite: no clipping */
  ir_compute_type compute;
  bool is_sequence, has_cell, has_biases, linear_before_reset;
  int direction; /* index in ir_rnn_directions */
  int64_t batch, length, input, hidden, n_directions, n_biases;
  int lengths, weights; /* input indices of the lengths and of W; then follow R and the biases */
  ir_index_input lengths_input;
} ir_rnn_state;

/* Returns the length of sequence `batch` of the batch; 1 for a cell. */
static inline int64_t ir_rnn_length(const ir_rnn_state *state, const ir_tensor *const *in, int64_t batch) {
  return state->is_sequence ? ir_index_at(in[state->lengths], batch) : 1;
}
/* Returns the position in the sequence of the i-th computed time step: the reverse direction starts at the end. */
static inline int64_t ir_rnn_time(const ir_rnn_state *state, int64_t direction, int64_t length, int64_t i) {
  return state->direction == 1 || direction == 1 ? length - 1 - i : i;
}
/* Reports a sequence length that is negative or longer than the input. */
ir_code ir_rnn_check_lengths(const ir_rnn_state *state, const ir_tensor *const *in);

#endif
