"""Draws ReduceMean-1 and ReduceMax-1, with their faults and deviations."""

import dataclasses
import itertools

import numpy as np

from case import Case, Deviation, Family, Input, draw_declared, draw_kind, spelled
from oracle import ir

OPS = ("ReduceMean", "ReduceMax")
AXES_TYPES = (np.int64, np.int64, np.int32, np.int8, np.uint8)


@dataclasses.dataclass
class ReductionCase(Case):
    """One reduction; its axes are a Const or, seldom, a second Parameter."""

    number: int
    op: str
    opset: str
    x: Input
    axes: np.ndarray
    axes_at_run_time: bool = False
    data: dict = dataclasses.field(default_factory=dict)

    def parameters(self):
        axes = Input("axes", ir.type_of(self.axes), list(self.axes.shape), contents=self.axes)
        return [self.x, axes] if self.axes_at_run_time else [self.x]

    def dynamic(self):
        return self.axes_at_run_time or super().dynamic()

    def model(self):
        model = ir.Model("random")
        inputs = [parameter.add(model) for parameter in self.parameters()]
        if not self.axes_at_run_time:
            inputs.append(model.const("axes", self.axes))
        rank = len(self.x.shape) - (0 if self.keeps_dims() else self.axes.size)
        y = model.layer(self.op, "reduce", self.opset, self.data, inputs, ir.Output(self.x.element_type, [-1] * rank))
        model.result("y", y)
        return model

    def keeps_dims(self):
        return self.data.get("keep_dims", "false").lower() in ("true", "1")

    def trials(self):
        """Every choice of so many axes."""
        if not self.axes_at_run_time:
            return [[None]]
        choices = itertools.combinations(range(len(self.x.shape)), self.axes.size)
        return [[None, np.array(axes, np.int64).reshape(self.axes.shape)] for axes in choices]


# ---- faults ----


def axis_outside(rng, case):
    rank = len(case.x.shape)
    case.axes = np.append(case.axes, rng.choice((rank, rank + 3, -rank - 1))).astype(np.int64)


def axis_twice(rng, case):
    rank = len(case.x.shape)
    axis = rng.randrange(rank)
    case.axes = np.array([axis, rng.choice((axis, axis - rank))], np.int64)


def axes_of_rank_2(_rng, case):
    case.axes = case.axes.reshape(1, -1)


def axes_of_float(_rng, case):
    case.axes = case.axes.astype(np.float32)


def keep_dims_unreadable(rng, case):
    case.data["keep_dims"] = rng.choice(("yes", "", "2"))


def type_boolean(_rng, case):
    case.x.element_type, case.x.kind = "boolean", "usual"


def opset_without(rng, case):
    case.opset = rng.choice(("opset17", "opset0", "opset99"))


def dim_zero(rng, case):
    axis = rng.randrange(len(case.x.shape))
    case.x.shape[axis] = 0
    if case.x.declared:
        case.x.declared[axis] = rng.choice(("0", "?", "0..4"))


FAULTS = [axis_outside, axis_twice, axes_of_rank_2, axes_of_float, keep_dims_unreadable, type_boolean, opset_without]
FAULTS += [dim_zero] * 3


def draw(rng, number):
    op = rng.choice(OPS)
    rank = rng.choice((1, 2, 3, 4, 4, 5))
    element_type = rng.choice((*ir.FLOATS, *ir.INTEGERS, *["f32"] * 8))
    x = Input("x", element_type, [rng.randint(1, 7) for _ in range(rank)], kind=draw_kind(rng, element_type))
    axes = rng.sample(range(rank), rng.randint(0, rank))
    axes_type = rng.choice(AXES_TYPES)
    signed = [axis if axes_type is np.uint8 or rng.random() < 0.7 else axis - rank for axis in axes]
    case = ReductionCase(number, op, f"opset{rng.randint(1, 16)}", x, np.array(signed, axes_type), rng.random() < 0.1)
    if len(axes) == 1 and rng.random() < 0.3:
        case.axes = case.axes.reshape(())
    if rng.random() < 0.8:
        case.data["keep_dims"] = spelled(rng, rng.choice(("true", "true", "false", "1", "0")))
    if rng.random() < 0.2:
        x.declared = draw_declared(rng, x.shape)
    if rng.random() < 0.2:
        rng.choice(FAULTS)(rng, case)
    return case


# ---- deviations ----

DEVIATIONS = [
    Deviation(
        "f64",
        "values",
        "2.7, D15: irrun computes f64 in f64, the runtime in f32",
        lambda case: case.x.element_type == "f64",
    ),
]

FAMILY = Family("reductions", 18, draw, DEVIATIONS)
