#include "ops/sequence/rnn_state.h"

ir_code ir_rnn_check_lengths(const ir_rnn_state *state, const ir_tensor *const *in) {
  for (int64_t i = 0; i < state->batch && state->is_sequence; i++) {
    const int64_t length = ir_index_at(in[state->lengths], i);
    if (length < 0 || length > state->length)
      return ir_index_report(&state->lengths_input, i, length, 0, state->length + 1);
  }
  return IR_OK;
}
