/* Vector kernels of LSTM, GRU and RNN in f32, with the specification's default functions. */
#ifndef IR_RNN_FAST_H
#define IR_RNN_FAST_H

#include "ops/sequence/rnn_state.h"

/* Returns true if the vector kernels are faster than the plain one. The caller checks types and functions. */
bool ir_rnn_is_worth_it(const ir_rnn_state *state, const ir_value *const *in);
/* Appends the step of a vector kernel, with the same slots as the plain step. Replaces the weights in `in` by
 * panels. */
ir_code ir_rnn_fast_step(const ir_rnn_state *state, const ir_node *node, ir_plan *plan, int32_t *in, int32_t n_in,
                         const int32_t *out, int32_t n_out);

#endif
