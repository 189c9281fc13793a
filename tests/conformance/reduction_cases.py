"""Draws ReduceMean-1 and ReduceMax-1, with faults, and lists their deviations."""

import dataclasses
import itertools

import numpy as np

from case import F64, Case, Deviation, Family, Input, draw_declared, draw_kind, spelled
from oracle import ir

OPS = ("ReduceMean", "ReduceMax")
AXES_TYPES = (np.int64, np.int64, np.int32, np.int8, np.uint8)


@dataclasses.dataclass
class ReductionCase(Case):
    """Holds one reduction. The axes are a Const or, rarely, a second Parameter."""

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
        model.result("y", self.add(model, inputs, "reduce"))
        return model

    def add(self, model, inputs, name):
        """Adds the layer to a model. Returns the layer's output."""
        rank = len(self.x.shape) - (0 if self.keeps_dims() else self.axes.size)
        return model.layer(self.op, name, self.opset, self.data, inputs, ir.Output(self.x.element_type, [-1] * rank))

    def keeps_dims(self):
        return self.data.get("keep_dims", "false").lower() in ("true", "1")

    def exactly(self):
        return self.op == "ReduceMax"

    def trials(self):
        """Returns every choice of as many axes as the case has."""
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


def axis_repeated(case):
    rank = len(case.x.shape)
    axes = [int(axis) % rank for axis in np.ravel(case.axes)]
    return len(set(axes)) < len(axes)


def axis_outside_at_run_time(case):
    rank = len(case.x.shape)
    return case.axes_at_run_time and any(not -rank <= axis < rank for axis in np.ravel(case.axes))


def integers(case):
    return case.x.element_type in ir.INTEGERS


# Types for which the runtime has no kernel if the axes are a tensor of the run.
WITHOUT_REFERENCE = {"ReduceMean": ("bf16", "i8", "u8"), "ReduceMax": ("bf16",)}


def removes_unknown_axes(case):
    return case.axes_at_run_time and not case.keeps_dims()


DEVIATIONS = [
    # only irrun refuses
    Deviation("axis-twice", "IR315", "the pages have each axis once; the runtime takes it again", axis_repeated),
    Deviation(
        "axis-outside-at-run-time",
        "IR315",
        "fed an axis outside the rank, the runtime reads another dim",
        axis_outside_at_run_time,
    ),
    Deviation(
        "bool-text",
        "IR207",
        "1.4: the runtime keeps the default for any other word",
        lambda case: case.data.get("keep_dims", "0").lower() not in ("true", "false", "1", "0"),
    ),
    # only the runtime refuses
    Deviation(
        "rank-at-run-time",
        "runtime",
        "1.7: the runtime does not compile what has a rank that only a run knows",
        removes_unknown_axes,
    ),
    Deviation(
        "axes-at-run-time",
        "runtime",
        "for the axes of such a type the runtime wants a constant",
        lambda case: case.axes_at_run_time and case.x.element_type in WITHOUT_REFERENCE[case.op],
    ),
    Deviation(
        "no-axes",
        "runtime",
        "a reduction over no axes without keep_dims does not compile",
        lambda case: case.axes.size == 0 and not case.keeps_dims(),
    ),
    # the shapes or values differ
    Deviation(
        "no-axes-at-run-time",
        "shape",
        "a reduction over no axes of a dynamic model ends well and its output was never computed",
        lambda case: case.axes.size == 0 and case.dynamic(),
    ),
    Deviation(
        "nan-in-maximum",
        "values",
        "as in AdaptiveMaxPool a NaN stays where it is the first element; with the runtime, what follows one decides",
        lambda case: case.op == "ReduceMax" and case.x.kind == "special",
    ),
    Deviation(
        "maximum-of-nothing",
        "values",
        "2.5: it is the lowest finite number of the type; the runtime gives -inf for f16, 0 for i16, that of i32 for wider ones",
        lambda case: case.op == "ReduceMax" and 0 in case.x.shape,
    ),
    Deviation(
        "sums-of-8-bits",
        "values",
        "sums of i8 and u8 saturate in the runtime before they are divided; irrun's are exact",
        lambda case: case.op == "ReduceMean" and case.x.element_type in ("i8", "u8"),
    ),
    Deviation(
        "wide-integers",
        "values",
        "2.7, D15: integers are exact, the runtime's pass f32",
        lambda case: integers(case) and case.x.kind == "wide",
    ),
    F64,
]

FAMILY = Family("reductions", 18, draw, DEVIATIONS)
