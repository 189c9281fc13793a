"""Evaluates a whole model exactly, with the op types of oracle/ops.py."""

import dataclasses
from collections.abc import Callable

import numpy as np

SOURCES = ("Parameter", "Const")


def no_doubt(_layer, _inputs, outputs):
    return [False] * len(outputs)


@dataclasses.dataclass(frozen=True)
class Op:
    """Describes an op type in the exact model. If the op's rules forbid a layer, all three functions raise Refused.

    shapes(layer, shapes, contents) returns the outputs' shapes. `contents` holds the inputs' arrays, or None if unknown.
    values(layer, inputs) returns the outputs' arrays.
    doubts(layer, inputs, outputs) returns, for each output, true for the elements that the runtime is known to get wrong."""

    shapes: Callable
    values: Callable
    doubts: Callable = no_doubt


def walk(model, ops):
    """Returns (layer, its op) for all layers that compute, in the order of the model, where inputs precede their
    users."""
    return [(layer, ops[layer.type]) for layer in model.layers if layer.type not in (*SOURCES, "Result")]


def key(output):
    return output.layer.id, output.port


class Evaluation:
    """Computes the values of a model's outputs, and marks the elements for which the runtime is known to give other
    values."""

    def __init__(self, model, inputs, ops):
        self.values, self.doubts = {}, {}
        for layer, array in zip(model.in_order("Parameter"), inputs):
            self.keep(layer, [array], [False])
        for layer in model.in_order("Const"):
            self.keep(layer, [model.constant(layer)], [False])
        for layer, op in walk(model, ops):
            self.evaluate(layer, op)
        sources = [key(layer.inputs[0]) for layer in model.in_order("Result")]
        self.outputs = [self.values[source] for source in sources]
        self.output_doubts = [self.doubts[source] for source in sources]

    def keep(self, layer, values, doubts):
        for output, value, doubt in zip(layer.outputs, values, doubts):
            self.values[key(output)] = value
            self.doubts[key(output)] = np.broadcast_to(doubt, value.shape)

    def evaluate(self, layer, op):
        """Computes a layer's outputs. If any input element is in doubt, all output elements are in doubt."""
        sources = [key(source) for source in layer.inputs]
        inputs = [self.values[source] for source in sources]
        outputs = op.values(layer, inputs)
        inherited = any(self.doubts[source].any() for source in sources)
        self.keep(layer, outputs, [doubt | inherited for doubt in op.doubts(layer, inputs, outputs)])


def output_shapes(model, shapes, contents, ops):
    """Returns the shapes of the model's outputs, given the Parameters' shapes and contents. A content is an array or
    None."""
    known = {}
    for layer, shape, content in zip(model.in_order("Parameter"), shapes, contents):
        known[key(layer.outputs[0])] = tuple(shape), content
    for layer in model.in_order("Const"):
        content = model.constant(layer)
        known[key(layer.outputs[0])] = content.shape, content
    for layer, op in walk(model, ops):
        sources = [known[key(source)] for source in layer.inputs]
        results = op.shapes(layer, [shape for shape, _ in sources], [content for _, content in sources])
        known.update((key(output), (tuple(shape), None)) for output, shape in zip(layer.outputs, results))
    return [known[key(layer.inputs[0])][0] for layer in model.in_order("Result")]
