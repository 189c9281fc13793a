"""Draws Fourier transforms."""

import numpy as np
from openvino import opset7, opset9, opset15, opset16

from deviations import LESS
from draw_shapes import constant, draw_sizes, model_of, parameter, standing_for

KINDS = ["f32", "f16", "bf16"]
INDICES = ["i32", "i64"]


def list_of(rng, values):
    """Returns a Constant or, sometimes, a Parameter."""
    kind = rng.choice(INDICES)
    if rng.random() < 0.15:
        return standing_for(parameter(rng, kind, [len(values)], 0.2), values)
    return constant(np.array(values, np.int64), kind)


def number(rng, value, shape=()):
    kind = rng.choice(INDICES)
    return standing_for(parameter(rng, kind, list(shape), 0), value) if rng.random() < 0.15 else constant(np.full(shape, value), kind)


def parameters(nodes):
    return [node for node in nodes if node.get_type_name() == "Parameter"]


def transform(op, is_complex):
    def draw(rng):
        sizes = draw_sizes(rng, 1, 4)
        rank = len(sizes)
        data = parameter(rng, rng.choice(KINDS), [*sizes, *([2] if is_complex else [])])
        axes = rng.sample(range(rank), rng.randint(1, rank))
        inputs = [data, list_of(rng, [axis - rank if rng.random() < 0.4 else axis for axis in axes])]
        if rng.random() < 0.6:
            inputs.append(list_of(rng, [rng.choice([-1, 1, 2, 5, 8, 9]) for _ in axes]))
        return model_of(op(*inputs), parameters(inputs))

    return draw


def frames(rng):
    size = rng.randint(1, 12)
    return size, rng.randint(1, 6), rng.randint(1, size)


def stft(rng):
    size, step, window = frames(rng)
    kind = rng.choice(KINDS)
    signal = [size + rng.randint(0, 40)]
    inputs = [parameter(rng, kind, signal if rng.random() < 0.4 else [rng.randint(1, 4), *signal]), parameter(rng, kind, [window])]
    inputs += [number(rng, size), number(rng, step)]
    return model_of(opset15.stft(*inputs, rng.random() < 0.5), parameters(inputs))


def istft(rng):
    size, step, window = frames(rng)
    kind = rng.choice(KINDS)
    data = [size // 2 + 1, rng.randint(1, 16), 2]
    inputs = [parameter(rng, kind, data if rng.random() < 0.4 else [rng.randint(1, 4), *data]), parameter(rng, kind, [window])]
    inputs += [number(rng, size), number(rng, step)]
    length = number(rng, rng.randint(1, 60), rng.choice([(), (1,)])) if rng.random() < 0.4 else None
    node = opset16.istft(*inputs, rng.random() < 0.5, rng.random() < 0.5, *([length] if length else []))
    return model_of(node, parameters([*inputs, *([length] if length else [])]))


DRAWS = {
    "DFT-7": transform(opset7.dft, True),
    "IDFT-7": transform(opset7.idft, True),
    "IRDFT-9": transform(opset9.irdft, True),
    "ISTFT-16": istft,
    "RDFT-9": transform(opset9.rdft, False),
    "STFT-15": stft,
}

NOT_KNOWN = "the runtime keeps the input's size on all axes but the last whose signal_size is not known"
DEVIATIONS = [("looser", f"{op}-9", rf"^{op} : \w+\[[^]]*\], \w+\[\d\]=\S+ \w+\[[^]]*\] ->", LESS, NOT_KNOWN) for op in ("IRDFT", "RDFT")]
