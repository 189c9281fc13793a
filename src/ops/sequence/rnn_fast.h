/* The vector kernels of LSTM, GRU and RNN. */
#ifndef IR_RNN_FAST_H
#define IR_RNN_FAST_H

#include "ops/sequence/rnn_state.h"

/* Whether the fast kernels apply and are faster. They compute f32 with the page's default functions. */
bool ir_rnn_is_worth_it(const ir_rnn_state *state, const ir_value *const *in);
/* Appends the fast step, with the same slots as the plain one. */
ir_code ir_rnn_fast_step(const ir_rnn_state *state, const ir_node *node, ir_plan *plan, int32_t *in, int32_t n_in,
                         const int32_t *out, int32_t n_out);

#endif
