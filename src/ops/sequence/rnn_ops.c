/* Rows of LSTMCell, GRUCell, RNNCell and their sequences. Specification: operation-specs/sequence. */
#include "ops/sequence/rnn.h"

#define RNN(name, number, page, schema, rules)                                                                         \
  .dialect = IR_OPENVINO, .type = name, .version = number, .spec = IR_SPEC_PAGE("sequence/" page),                     \
  .params_size = sizeof(ir_rnn_params), .attrs = schema, .family = rules, .check_attributes = ir_rnn_check_attributes, \
  .infer = ir_rnn_infer, .run = {IR_RUN_PREPARED, .prepare = ir_rnn_prepare}, .cost = ir_rnn_cost, .multiplies = true

/* ---- LSTM ---- */

static const char *const weights_formats[] = {"fico", "icof", "ifco", "ifoc", "iofc", NULL};

#define LSTM_ROWS IR_RNN_ROWS, IR_RNN_ACTIVATIONS_ROW("sigmoid,tanh,tanh")
static const ir_attr_spec lstm_attrs[] = {LSTM_ROWS, {.name = NULL}};
static const ir_attr_spec lstm_sequence_attrs[] = {LSTM_ROWS, IR_RNN_DIRECTION_ROW, {.name = NULL}};
/* The specification lacks the last two attributes. OpenVINO writes both. A run ignores both, and input 6 (peepholes):
 * the order of gates is always f, i, c, o. */
static const ir_attr_spec lstm_attrs_1[] = {LSTM_ROWS,
                                            {.name = "input_forget",
                                             .kind = IR_ATTR_BOOL,
                                             .offset = offsetof(ir_rnn_params, input_forget),
                                             .fallback = "false"},
                                            {.name = "weights_format",
                                             .kind = IR_ATTR_ENUM,
                                             .offset = offsetof(ir_rnn_params, weights_format),
                                             .names = weights_formats,
                                             .fallback = "fico"},
                                            {.name = NULL}};

static const ir_rnn_shapes lstm = {4, 3, {"BI", "BH", "BH", "GI", "GH", "G", "P"}, {"BH", "BH"}, ir_lstm_step};
static const ir_rnn_shapes lstm_sequence = {
    4, 3, {"BSI", "BDH", "BDH", "B", "DGI", "DGH", "DG"}, {"BDSH", "BDH", "BDH"}, ir_lstm_step};

#define LSTM_CELL_PORTS                                                                                                \
  IR_RNN_T("X", 2), IR_RNN_T("initial_hidden_state", 2), IR_RNN_T("initial_cell_state", 2), IR_RNN_T("W", 2),          \
      IR_RNN_T("R", 2), IR_RNN_OPTIONAL_T("B", 1)
#define LSTM_CELL_OUTPUTS IR_PORTS(IR_RNN_T("Ho", 2), IR_RNN_T("Co", 2))

const ir_op ir_op_lstm_cell_1 = {RNN("LSTMCell", 1, "lstm-cell-1", lstm_attrs_1, &lstm),
                                 .inputs = IR_PORTS(LSTM_CELL_PORTS, IR_RNN_OPTIONAL_T("P", 1)),
                                 .outputs = LSTM_CELL_OUTPUTS};
const ir_op ir_op_lstm_cell_4 = {RNN("LSTMCell", 4, "lstm-cell-1", lstm_attrs, &lstm),
                                 .inputs = IR_PORTS(LSTM_CELL_PORTS), .outputs = LSTM_CELL_OUTPUTS};
const ir_op ir_op_lstm_sequence_5 = {RNN("LSTMSequence", 5, "lstm-sequence-5", lstm_sequence_attrs, &lstm_sequence),
                                     .inputs = IR_PORTS(IR_RNN_T1("X", 3), IR_RNN_T1("initial_hidden_state", 3),
                                                        IR_RNN_T1("initial_cell_state", 3), IR_RNN_LENGTHS,
                                                        IR_RNN_T1("W", 3), IR_RNN_T1("R", 3), IR_RNN_T1("B", 2)),
                                     .outputs = IR_PORTS(IR_RNN_T1("Y", 4), IR_RNN_T1("Ho", 3), IR_RNN_T1("Co", 3))};

/* ---- GRU ---- */

#define GRU_ROWS IR_RNN_ROWS, IR_RNN_ACTIVATIONS_ROW("sigmoid,tanh"), IR_RNN_RESET_ROW
static const ir_attr_spec gru_attrs[] = {GRU_ROWS, {.name = NULL}};
static const ir_attr_spec gru_sequence_attrs[] = {GRU_ROWS, IR_RNN_DIRECTION_ROW, {.name = NULL}};

static const ir_rnn_shapes gru = {3, 2, {"BI", "BH", "GI", "GH", "U"}, {"BH"}, ir_gru_step};
static const ir_rnn_shapes gru_sequence = {3, 2, {"BSI", "BDH", "B", "DGI", "DGH", "DU"}, {"BDSH", "BDH"}, ir_gru_step};

const ir_op ir_op_gru_cell_3 = {
    RNN("GRUCell", 3, "gru-cell-3", gru_attrs, &gru),
    .inputs = IR_PORTS(
        IR_RNN_T("X", 2), IR_RNN_T("initial_hidden_state", 2),
        /* OpenVINO does not compare the type of W. */
        {.name = "W", .type_var = "T", .types = IR_SET_FLOATS, .types_may_differ = true, .rank_min = 2, .rank_max = 2},
        IR_RNN_T("R", 2), IR_RNN_OPTIONAL_T("B", 1)),
    .outputs = IR_PORTS(IR_RNN_T("Ho", 2))};
const ir_op ir_op_gru_sequence_5 = {RNN("GRUSequence", 5, "gru-sequence-5", gru_sequence_attrs, &gru_sequence),
                                    .inputs = IR_PORTS(IR_RNN_T1("X", 3), IR_RNN_T1("initial_hidden_state", 3),
                                                       IR_RNN_LENGTHS, IR_RNN_T1("W", 3), IR_RNN_T1("R", 3),
                                                       IR_RNN_T1("B", 2)),
                                    .outputs = IR_PORTS(IR_RNN_T1("Y", 4), IR_RNN_T1("Ho", 3))};

/* ---- RNN ---- */

#define RNN_ROWS IR_RNN_ROWS, IR_RNN_ACTIVATIONS_ROW("tanh")
static const ir_attr_spec rnn_attrs[] = {RNN_ROWS, {.name = NULL}};
static const ir_attr_spec rnn_sequence_attrs[] = {RNN_ROWS, IR_RNN_DIRECTION_ROW, {.name = NULL}};

static const ir_rnn_shapes rnn = {1, 1, {"BI", "BH", "GI", "GH", "G"}, {"BH"}, ir_rnn_step};
static const ir_rnn_shapes rnn_sequence = {1, 1, {"BSI", "BDH", "B", "DGI", "DGH", "DG"}, {"BDSH", "BDH"}, ir_rnn_step};

/* OpenVINO also writes RNNCell with opset1. The specification has only the page of version 3. */
#define RNN_CELL(number)                                                                                               \
  {                                                                                                                    \
    RNN("RNNCell", number, "rnn-cell-3", rnn_attrs, &rnn),                                                             \
        .inputs = IR_PORTS(IR_RNN_T("X", 2), IR_RNN_T("H", 2), IR_RNN_T("W", 2), IR_RNN_T("R", 2), IR_RNN_T("B", 1)),  \
        .outputs = IR_PORTS(IR_RNN_T("Ho", 2))                                                                         \
  }
const ir_op ir_op_rnn_cell_1 = RNN_CELL(1);
const ir_op ir_op_rnn_cell_3 = RNN_CELL(3);
const ir_op ir_op_rnn_sequence_5 = {RNN("RNNSequence", 5, "rnn-sequence-5", rnn_sequence_attrs, &rnn_sequence),
                                    .inputs = IR_PORTS(IR_RNN_T1("X", 3), IR_RNN_T1("H", 3), IR_RNN_LENGTHS,
                                                       IR_RNN_T1("W", 3), IR_RNN_T1("R", 3), IR_RNN_T1("B", 2)),
                                    .outputs = IR_PORTS(IR_RNN_T1("Y", 4), IR_RNN_T1("Ho", 3))};
