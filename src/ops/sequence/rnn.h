/* Shared code of LSTM, GRU and RNN cells and sequences: attributes, activation functions, and sizes that several inputs
 * share. */
#ifndef IR_RNN_H
#define IR_RNN_H

#include "ops/op.h"

typedef struct ir_rnn_params {
  int64_t hidden_size;
  ir_floats alpha, beta;
  double clip;
  int direction;
  bool linear_before_reset, input_forget;
  int weights_format;
} ir_rnn_params;

/* The `family` of an op's row: the differences between these ops. `inputs` and `outputs` have a letter for each axis of
 * a tensor: B batch_size, S seq_length, I input_size, H hidden_size, D num_directions, G gates * hidden_size, U the
 * same with a GRU's separate biases, P 3 * hidden_size (peepholes). */
typedef struct ir_rnn_line ir_rnn_line;
typedef struct ir_rnn_shapes {
  int gates, activations;
  const char *inputs[8], *outputs[3];
  void (*step)(ir_rnn_line *line); /* computes one time step of a line (see rnn_run.c) */
} ir_rnn_shapes;

extern const char *const ir_rnn_directions[];

/* Implement ir_op.check_attributes and ir_op.infer; the op's `family` is an ir_rnn_shapes. */
void ir_rnn_check_attributes(const ir_node *node, ir_scope *scope);
ir_code ir_rnn_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);

ir_code ir_rnn_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
int64_t ir_rnn_cost(const ir_node *node, const ir_value *const *in);
void ir_lstm_step(ir_rnn_line *line);
void ir_gru_step(ir_rnn_line *line);
void ir_rnn_step(ir_rnn_line *line);

/* Schema rows. `functions` is the default of `activations` in the specification. */
#define IR_RNN_ROWS                                                                                                    \
  {.name = "hidden_size",                                                                                              \
   .kind = IR_ATTR_INT,                                                                                                \
   .offset = offsetof(ir_rnn_params, hidden_size),                                                                     \
   .required = true,                                                                                                   \
   .min = 1,                                                                                                           \
   .max = INT32_MAX},                                                                                                  \
      {.name = "activations_alpha",                                                                                    \
       .kind = IR_ATTR_FLOAT,                                                                                          \
       .count = IR_COUNT_ANY,                                                                                          \
       .offset = offsetof(ir_rnn_params, alpha),                                                                       \
       .fallback = ""},                                                                                                \
      {.name = "activations_beta",                                                                                     \
       .kind = IR_ATTR_FLOAT,                                                                                          \
       .count = IR_COUNT_ANY,                                                                                          \
       .offset = offsetof(ir_rnn_params, beta),                                                                        \
       .fallback = ""},                                                                                                \
  {                                                                                                                    \
    .name = "clip", .kind = IR_ATTR_FLOAT, .offset = offsetof(ir_rnn_params, clip), .fallback = "inf"                  \
  }
#define IR_RNN_ACTIVATIONS_ROW(functions)                                                                              \
  { .name = "activations", .kind = IR_ATTR_TEXT, .fallback = functions }
#define IR_RNN_DIRECTION_ROW                                                                                           \
  {                                                                                                                    \
    .name = "direction", .kind = IR_ATTR_ENUM, .offset = offsetof(ir_rnn_params, direction), .required = true,         \
    .names = ir_rnn_directions                                                                                         \
  }
#define IR_RNN_RESET_ROW                                                                                               \
  {                                                                                                                    \
    .name = "linear_before_reset", .kind = IR_ATTR_BOOL, .offset = offsetof(ir_rnn_params, linear_before_reset),       \
    .fallback = "false"                                                                                                \
  }

/* Port row of a tensor of rank `rank`. A cell can lack the inputs B and P. */
#define IR_RNN_PORT(port, variable, set, rank, may_be_absent)                                                          \
  {                                                                                                                    \
    .name = port, .type_var = variable, .types = set, .types_carried = (set) == IR_SET_FLOATS ? IR_CARRIED_NONE : 0,   \
    .rank_min = rank, .rank_max = rank, .optional = may_be_absent                                                      \
  }
#define IR_RNN_T(port, rank)          IR_RNN_PORT(port, "T", IR_SET_FLOATS, rank, false)
#define IR_RNN_OPTIONAL_T(port, rank) IR_RNN_PORT(port, "T", IR_SET_FLOATS, rank, true)
#define IR_RNN_T1(port, rank)         IR_RNN_PORT(port, "T1", IR_SET_FLOATS, rank, false)
#define IR_RNN_LENGTHS                                                                                                 \
  {                                                                                                                    \
    .name = "sequence_lengths", .type_var = "T2", .types = IR_SET_INTEGERS, .rank_min = 1, .rank_max = 1,              \
    .checked = true                                                                                                    \
  }

#endif
