"""Draws graphs of several pools in sequence or side by side, some with a global reduction at the end.
All stages are such that irrun and the runtime agree, so this family needs no deviations. No average of integers follows
another, because the runtime does not round between them."""

import dataclasses

import numpy as np

import reduction_cases
import window_cases
from case import Case, Family, Input, draw_declared
from oracle import ir, windows

TYPES = (*["f32"] * 5, "f16", "bf16", "i8", "u8", "i16")


@dataclasses.dataclass
class Stage:
    """Holds a case of another family, used as one layer. Its x has the shape of the source's output in the run."""

    case: Case
    source: int  # number of the stage that feeds this stage; -1: the Parameter
    exact: bool  # whether only maxima precede, so that the indices of ties are known too
    shape: list = None  # shape of the output in the run


@dataclasses.dataclass
class GraphCase(Case):
    number: int
    x: Input
    stages: list

    def parameters(self):
        return [self.x]

    def model(self):
        return self.build(lambda case: case.data)

    def reference(self):
        return self.build(lambda case: case.reference_data())

    def build(self, data_of):
        """Adds all stages. Stages that feed no other are outputs; if no dim is open, every second other stage is an
        output too. A graph with open dims is a chain with one output, because legal sizes of one output would depend on
        another."""
        model = ir.Model("random")
        made = {-1: self.x.add(model)}
        for i, stage in enumerate(self.stages):
            if isinstance(stage.case, reduction_cases.ReductionCase):
                axes = model.const(f"axes{i}", stage.case.axes)
                outputs = [stage.case.add(model, [made[stage.source], axes], f"stage{i}")]
            else:
                outputs = stage.case.add(model, made[stage.source], f"stage{i}", data_of(stage.case))
            made[i] = outputs[0]
            if self.is_end(i) or (i % 2 and not self.x.declared):
                model.result(f"y{i}", outputs[0])
            if len(outputs) > 1 and stage.exact and not self.x.declared:
                model.result(f"at{i}", outputs[1])
        return model

    def is_end(self, i):
        return all(stage.source != i for stage in self.stages)


def has_empty_window(case):
    """Returns whether a window is empty. Its result is the lowest number, with which f32 sums overflow."""
    return windows.empty_windows(case.x.shape, case.pool()).any()


def draw_stage(rng, number, stages, x):
    """Draws a stage without deviations. Returns None if none was found."""
    source = len(stages) - 1
    if not x.declared and rng.random() < 0.3:
        source = rng.randrange(-1, len(stages))
    shape = x.shape if source < 0 else stages[source].shape
    exact = source < 0 or stages[source].exact
    for _ in range(20):
        op = rng.choice(("AvgPool", "MaxPool")) if exact or x.element_type in ir.FLOATS else "MaxPool"
        case = window_cases.draw_valid(rng, number, op, dataclasses.replace(x, shape=list(shape)))
        exact_here = exact and op == "MaxPool"
        case.results = (0, 1) if case.n_outputs() == 2 and exact_here else (0,)
        if case.shape() and not has_empty_window(case) and not any(d.applies(case) for d in window_cases.DEVIATIONS):
            return Stage(case, source, exact_here, list(case.shape()))
    return None


def reduction(rng, number, stages, x):
    shape = stages[-1].shape
    axes = np.arange(2, len(shape))
    data = {"keep_dims": rng.choice(("true", "false"))}
    case = reduction_cases.ReductionCase(number, rng.choice(reduction_cases.OPS), "opset1", x, axes, data=data)
    case.x = dataclasses.replace(x, shape=list(shape))
    if any(d.applies(case) for d in reduction_cases.DEVIATIONS):
        return None
    return Stage(case, len(stages) - 1, False)


def draw(rng, number):
    element_type = rng.choice(TYPES)
    shape = [rng.randint(1, 2), rng.randint(2, 3), *(rng.randint(6, 14) for _ in range(rng.choice((1, 2, 2, 2))))]
    x = Input("x", element_type, shape, kind=rng.choice(("usual", "ties")))
    if rng.random() < 0.4:
        x.declared = draw_declared(rng, shape)
    stages = []
    for _ in range(rng.randint(2, 4)):
        stage = draw_stage(rng, number, stages, x)
        if stage:
            stages.append(stage)
    last = reduction(rng, number, stages, x) if stages and rng.random() < 0.4 else None
    return GraphCase(number, x, stages + [last] if last else stages)


FAMILY = Family("graphs", 8, draw, [])
