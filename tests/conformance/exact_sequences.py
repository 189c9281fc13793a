"""Computes LSTM, GRU, RNN and CTCLoss by the specification, in f64. values_exact.py has other ops. After each step,
states are rounded to the type of the data."""

import math
from collections.abc import Callable

import numpy as np

FUNCTIONS: dict[str, Callable] = {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}


def functions_of(told):
    clip = told["clip"] or math.inf
    return [lambda x, f=FUNCTIONS[name.lower()]: f(np.clip(x, -clip, clip)) for name in told["activations"]]


def lstm_step(told, x, states, w, r, b):
    f, g, _ = functions_of(told)
    h = FUNCTIONS[told["activations"][2].lower()]  # the third function of an LSTM is not clipped
    hidden, memory = states
    forget, into, new, out = np.split(x @ w.T + hidden @ r.T + b, 4, -1)
    memory = f(forget) * memory + f(into) * g(new)
    return [f(out) * h(memory), memory]


def gru_step(told, x, states, w, r, b):
    f, g = functions_of(told)
    (hidden,) = states
    (wz, wr, wh), (rz, rr, rh) = np.split(w, 3), np.split(r, 3)
    bz, br, *bh = np.split(b, 4 if told["linear_before_reset"] else 3)
    update, reset = f(x @ wz.T + hidden @ rz.T + bz), f(x @ wr.T + hidden @ rr.T + br)
    held = reset * (hidden @ rh.T + bh[1]) if told["linear_before_reset"] else (reset * hidden) @ rh.T
    return [(1 - update) * g(x @ wh.T + held + bh[0]) + update * hidden]


def rnn_step(told, x, states, w, r, b):
    (f,) = functions_of(told)
    return [f(x @ w.T + states[0] @ r.T + b)]


def cell(step, n_states):
    def computed(node, arrays):
        x, *rest = (array.astype(np.float64) for array in arrays)
        return step(node.get_attributes(), x, rest[:n_states], *rest[n_states : n_states + 3])

    return computed


def sequence(step, n_states):
    """Makes the function of a sequence op. Its inputs are x, the states, the lengths, W, R and B. Its outputs are all
    hidden states, and the last of each state."""

    def computed(node, arrays):
        told, dtype = node.get_attributes(), arrays[0].dtype
        x, lengths = arrays[0].astype(np.float64), arrays[1 + n_states]
        w, r, b = (array.astype(np.float64) for array in arrays[2 + n_states :])
        states = [array.astype(np.float64) for array in arrays[1 : 1 + n_states]]
        every = np.zeros((x.shape[0], len(w), x.shape[1], told["hidden_size"]))
        for d in range(len(w)):
            back = told["direction"] == "reverse" or d == 1
            for n, length in enumerate(lengths):
                for t in range(length)[::-1] if back else range(length):
                    made = step(told, x[n, t][None], [state[n, d][None] for state in states], w[d], r[d], b[d])
                    for state, new in zip(states, made):
                        state[n, d] = new[0].astype(dtype)
                    every[n, d, t] = states[0][n, d]
        return [every, *states]

    return computed


def without_repeats(labels):
    return [label for i, label in enumerate(labels) if i == 0 or label != labels[i - 1]]


def loss_of(told, logits, labels, blank):
    """Returns -log of the summed probability of all paths that spell the labels. `ways` has {(number of labels spelled,
    last symbol of the path): log of the sum}."""
    shares = logits - np.logaddexp.reduce(logits, -1, keepdims=True)
    ways = {(0, blank): 0.0}
    for row in shares:
        after = {}
        for (count, last), way in ways.items():
            for symbol in {blank, last, *labels[count : count + 1]}:
                held = symbol == blank or (symbol == last and told["ctc_merge_repeated"])
                if held or labels[count : count + 1] == [symbol]:
                    key = (count if held else count + 1, symbol)
                    after[key] = np.logaddexp(after.get(key, -math.inf), way + row[symbol])
        ways = after
    return -np.logaddexp.reduce([way for (count, _), way in ways.items() if count == len(labels)] or [-math.inf])


def ctc_loss(node, arrays):
    told, logits = node.get_attributes(), arrays[0].astype(np.float64)
    blank = int(arrays[4].flat[0]) if len(arrays) > 4 else logits.shape[2] - 1
    losses = []
    for n, (length, count) in enumerate(zip(arrays[1], arrays[3])):
        labels = arrays[2][n, :count].tolist()
        labels = without_repeats(labels) if told["preprocess_collapse_repeated"] else labels
        labels = list(dict.fromkeys(labels)) if told["unique"] else labels
        losses.append(loss_of(told, logits[n, :length], labels, blank))
    return [np.array(losses)]


WITHIN_A_STEP = "the runtime rounds to bf16 within a step too"
# {op: (function, reason for which the runtime differs)}
SEQUENCES = {
    "CTCLoss": (ctc_loss, "the runtime makes f32 of f64, and of what f32 does not hold its largest number"),
    **{
        f"{name}{kind}": (make(step, n_states), WITHIN_A_STEP)
        for name, step, n_states in (("LSTM", lstm_step, 2), ("GRU", gru_step, 1), ("RNN", rnn_step, 1))
        for kind, make in (("Cell", cell), ("Sequence", sequence))
    },
}
