"""Draws MatMul."""

from openvino import opset16 as ops

from draw_shapes import NUMBERS, draw_sizes, model_of, parameter, stretched


def mat_mul(rng):
    kind, batch = rng.choice(NUMBERS), draw_sizes(rng, 0, 3)
    rows, terms, columns = draw_sizes(rng, 3, 3)
    turn_a, turn_b = rng.random() < 0.4, rng.random() < 0.4
    a = [*stretched(rng, batch), *((terms, rows) if turn_a else (rows, terms))]
    b = [*stretched(rng, batch), *((columns, terms) if turn_b else (terms, columns))]
    if rng.random() < 0.15:
        a = [terms]
    if rng.random() < 0.15:
        b = [terms]
    inputs = [parameter(rng, kind, a), parameter(rng, kind, b)]
    return model_of(ops.matmul(*inputs, turn_a, turn_b), inputs)


DRAWS = {"MatMul-1": mat_mul}
