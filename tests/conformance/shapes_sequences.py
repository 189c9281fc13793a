"""Draws cells and sequences of LSTM, GRU and RNN."""

from openvino import opset1, opset3, opset4, opset5

from draw_shapes import model_of, parameter

FUNCTIONS = ["relu", "sigmoid", "tanh"]
KINDS = ["f32", "f16", "bf16", "f64"]


def drawn(rng, kind, shapes):
    return [parameter(rng, kind, shape, 0.3) for shape in shapes]


def functions(rng, count):
    """Returns activation functions, mostly the default ones."""
    if rng.random() < 0.6:
        return ["sigmoid", "tanh", "tanh"][:count] if count > 1 else ["tanh"]
    return [rng.choice(FUNCTIONS) for _ in range(count)]


def sizes(rng):
    return rng.randint(1, 4), rng.randint(1, 6), rng.randint(1, 5)


def cell(rng, gates, states, more=0):
    batch, size, hidden = sizes(rng)
    shapes = [[batch, size], *[[batch, hidden]] * states, [gates * hidden, size], [gates * hidden, hidden], [(gates + more) * hidden]]
    return drawn(rng, rng.choice(KINDS), shapes), hidden


def lstm_cell(opset):
    def draw(rng):
        inputs, hidden = cell(rng, 4, 2)
        return model_of(opset.lstm_cell(*inputs, hidden, functions(rng, 3), [], [], rng.choice([0.0, 2.5])), inputs)

    return draw


def gru_cell(rng):
    reset = rng.random() < 0.5
    inputs, hidden = cell(rng, 3, 1, reset)
    return model_of(opset3.gru_cell(*inputs, hidden, functions(rng, 2), [], [], 0.0, reset), inputs)


def rnn_cell(rng):
    inputs, hidden = cell(rng, 1, 1)
    return model_of(opset3.rnn_cell(*inputs, hidden, functions(rng, 1), [], []), inputs)


def sequence(rng, gates, states, more=0):
    (batch, size, hidden), length = sizes(rng), rng.randint(1, 7)
    direction = rng.choice(["forward", "reverse", "bidirectional"])
    n = 2 if direction == "bidirectional" else 1
    kind = rng.choice(KINDS)
    inputs = drawn(rng, kind, [[batch, length, size], *[[batch, n, hidden]] * states])
    inputs += drawn(rng, rng.choice(["i32", "i64"]), [[batch]])
    inputs += drawn(rng, kind, [[n, gates * hidden, size], [n, gates * hidden, hidden], [n, (gates + more) * hidden]])
    return inputs, hidden, direction


def lstm_sequence(rng):
    inputs, hidden, direction = sequence(rng, 4, 2)
    return model_of(opset5.lstm_sequence(*inputs, hidden, direction, functions(rng, 3)), inputs)


def gru_sequence(rng):
    reset = rng.random() < 0.5
    inputs, hidden, direction = sequence(rng, 3, 1, reset)
    return model_of(opset5.gru_sequence(*inputs, hidden, direction, functions(rng, 2), [], [], 0.0, reset), inputs)


def rnn_sequence(rng):
    inputs, hidden, direction = sequence(rng, 1, 1)
    return model_of(opset5.rnn_sequence(*inputs, hidden, direction, functions(rng, 1)), inputs)


DRAWS = {
    "GRUCell-3": gru_cell,
    "GRUSequence-5": gru_sequence,
    "LSTMCell-1": lstm_cell(opset1),
    "LSTMCell-4": lstm_cell(opset4),
    "LSTMSequence-5": lstm_sequence,
    "RNNCell-1": rnn_cell,
    "RNNSequence-5": rnn_sequence,
}

DEVIATIONS = [
    (
        "warning",
        "LSTMCell-1",
        "^LSTMCell .*weights_format=fico",
        r"IR109: no Result needs layer 'Constant_\d+'",
        "OpenVINO writes a constant that the cell of version 1 has no input for",
    )
]
