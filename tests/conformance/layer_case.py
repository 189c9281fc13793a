"""Draws random cases of one layer between Parameters or Consts and a Result, for the families of small ops."""

import dataclasses

import numpy as np

from case import Case, Input
from oracle import ir
from oracle.evaluation import output_shapes
from oracle.ops import OPS
from oracle.windows import Refused


@dataclasses.dataclass
class LayerCase(Case):
    number: int
    op: str
    opset: str
    sources: list  # an Input becomes a Parameter, an array a Const
    data: dict = dataclasses.field(default_factory=dict)
    result_type: str = None  # None: the type of the first source

    def parameters(self):
        return [source for source in self.sources if isinstance(source, Input)]

    def model(self):
        model = ir.Model("random")
        inputs = [
            source.add(model) if isinstance(source, Input) else model.const(f"c{i}", source)
            for i, source in enumerate(self.sources)
        ]
        output = model.layer(self.op, "layer", self.opset, self.data, inputs, ir.Output(self.result_type or inputs[0].type, ()))
        model.result("y", output)
        # The ports declare no sizes, so that these have to be inferred.
        shape = self.shape_of_run(model)
        output.shape = [-1] * (self.rank_of_refused() if shape is None else len(shape))
        return model

    def rank_of_refused(self):
        """Returns the output's rank if no shape is legal."""
        return len(shape_of(self.sources[0]))

    def guesses(self):
        """Yields the sizes of a Const, aligned with those of the Parameters at the last axis, as far as the bounds
        allow."""
        for source in self.sources:
            if isinstance(source, np.ndarray):
                rows = [row for parameter in self.parameters() for row in aligned(source.shape, parameter)]
                yield [fitting(size, bound) for size, bound in rows]

    def shape_of_run(self, model):
        """Returns the output's shape in the run, or None if the op's rules forbid the run."""
        parameters = self.parameters()
        try:
            return output_shapes(model, [p.shape for p in parameters], [p.contents for p in parameters], OPS)[0]
        except Refused:
            return None

    def second(self):
        """Returns the contents of the second input, or None if the layer has one input."""
        source = self.sources[1] if len(self.sources) > 1 else None
        return source.contents if isinstance(source, Input) else source

    def second_at_run_time(self):
        return len(self.sources) > 1 and isinstance(self.sources[1], Input)


def aligned(shape, parameter):
    """Returns [(size of the shape, bounds of the Parameter's dim)]. If the shape lacks the axis, the size is 1."""
    bounds = parameter.bounds()
    return list(zip(((1,) * len(bounds) + shape)[len(shape) :], bounds))


def fitting(size, bound):
    least, most = bound
    return size if least <= size <= most else 1 if least <= 1 <= most else least


def type_of(source):
    return source.element_type if isinstance(source, Input) else ir.type_of(source)


def shape_of(source):
    return source.shape


def constant(rng, source):
    """Draws the Input's elements as an array."""
    return np.asarray(source.array(np.random.default_rng(rng.getrandbits(32))))
