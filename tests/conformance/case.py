"""Defines base classes and helpers of all families of random cases: inputs, open dims, spellings, and deviations."""

import dataclasses
import math
from collections.abc import Callable

import numpy as np

from oracle import ir
from program import save

SPECIAL = (math.nan, math.inf, -math.inf, -0.0, 0.0)


@dataclasses.dataclass(frozen=True)
class Deviation:
    """Describes a known difference between irrun and the runtime. `applies` looks at a case's parameters, never at
    results. `what` is the id of a rule if only irrun refuses the model, "runtime" if only the runtime refuses it, and
    "shape" or "values" if both accept it. If irrun accepts the model, irrun must agree with the exact reference in any
    case."""

    id: str
    what: str
    reason: str
    applies: Callable


# For cases in which the type of input x is the op's type.
F64 = Deviation(
    "f64",
    "values",
    "2.7, D15: irrun computes f64 in f64, the runtime in f32",
    lambda case: case.x.element_type == "f64",
)


@dataclasses.dataclass(frozen=True)
class Family:
    """Describes a family: cases of one kind of ops. `draw(rng, number)` makes a Case. `share` is the family's share of
    all cases. If the cases are no IR models, `judge` compares them, as `judge` in run.py does for others."""

    name: str
    share: int
    draw: Callable
    deviations: list
    judge: Callable = None


@dataclasses.dataclass
class Input:
    """Holds a Parameter of the model, and the tensor that a run gets for it."""

    name: str
    element_type: str
    shape: list
    declared: list = None  # dims as text, such as "1..5", if some are open until the run
    kind: str = "usual"  # kind of values: usual, wide (the type's whole range), special (NaN, infinities, -0) or ties
    contents: np.ndarray = None  # the elements, if they are not random

    def add(self, model):
        if not self.declared:
            return model.parameter(self.name, self.element_type, self.shape)
        dims = [int(dim) if dim.isdigit() else -1 for dim in self.declared]
        return model.parameter(self.name, self.element_type, ir.join(self.declared), declared=dims)

    def bounds(self):
        """Returns (least, most) of each declared dim."""
        return [interval(dim) for dim in self.declared or map(str, self.shape)]

    def array(self, rng):
        if self.contents is not None:
            return self.contents
        dtype = ir.dtype_of(self.element_type)
        if dtype.kind == "b":
            return rng.integers(0, 2, self.shape).astype(dtype)
        if self.kind == "ties":
            low = -2 if self.element_type in ir.FLOATS or dtype.kind == "i" else 0
            return rng.integers(low, 3, self.shape).astype(dtype)
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            small = dtype.itemsize > 2 and self.kind != "wide"
            low, high = (max(limits.min, -1000), 1000) if small else (limits.min, limits.max)
            return rng.integers(low, high, self.shape, dtype, endpoint=True)
        x = rng.standard_normal(self.shape) * (1e200 if self.kind == "wide" else 1)
        if self.kind == "special":
            x = np.where(rng.random(self.shape) < 0.5, rng.choice(SPECIAL, self.shape), x)
        return x.astype(dtype)


class Case:
    """Holds a random model with its inputs. The case's `number` and the seed reproduce it."""

    number: int

    def parameters(self):
        """Returns the Inputs in the order of the model's Parameters."""
        raise NotImplementedError

    def model(self):
        raise NotImplementedError

    def reference(self):
        """Returns the model for the runtime. Overridden if the runtime cannot take irrun's model."""
        return self.model()

    def options(self):
        """Returns irrun's options for the check and the run."""
        return []

    def trials(self):
        """Returns lists with the contents of each Parameter (None: any contents). If shapes depend on contents of
        Parameters, each list is one to try."""
        return [[None] * len(self.parameters())]

    def joint(self):
        """Returns groups of dims that together determine sizes of an output. Dims are numbered through all
        Parameters."""
        return [[i] for i in range(sum(len(parameter.shape) for parameter in self.parameters()))]

    def guesses(self):
        """Returns lists of sizes for all dims. One can be legal if the sizes of the run are not."""
        return []

    def tight(self):
        """Returns whether some legal sizes must reach the ends of the inferred intervals."""
        return True

    def exactly(self):
        """Returns whether irrun must give the same bits as the exact reference."""
        return False

    def ulps(self):
        """Returns the allowed error in units of the last place, for results that are no sums. 0: the allowed error is
        relative to the sizes of a sum's terms."""
        return 0

    def inputs(self, seed):
        rng = np.random.default_rng([seed, self.number])
        return [parameter.array(rng) for parameter in self.parameters()]

    def save(self, folder, seed):
        save(folder, self.model(), self.inputs(seed))

    def dynamic(self):
        return any(parameter.declared for parameter in self.parameters())


def text_of(case):
    """Describes the case in one line."""
    fields = {name: value for name, value in dataclasses.asdict(case).items() if value is not None}
    return ", ".join(f"{name}={value}" for name, value in fields.items())


def interval(dim):
    """Returns (least, most) of a dim such as "3", "?", "-1", "1..5", "1.." or "..5"."""
    if dim in ("?", "-1"):
        return 0, math.inf
    if ".." not in dim:
        return int(dim), int(dim)
    least, most = dim.split("..")
    return int(least or 0), int(most) if most else math.inf


def draw_declared(rng, shape):
    """Draws a text for each dim: exact, bounded or open. The size in `shape` always fits."""
    open_ended = ("?", "-1", lambda n: f"{rng.randint(0, n)}..")
    bounded = (lambda n: f"{rng.randint(0, n)}..{n + rng.randint(1, 5)}", lambda n: f"..{n}")
    dims = [rng.choice((str, str, *open_ended, *bounded)) for _ in shape]
    return [dim if isinstance(dim, str) else dim(n) for dim, n in zip(dims, shape)]


def draw_kind(rng, element_type):
    """Draws a kind of values. Few are wide, because the runtime computes wide values differently."""
    kinds = {"f64": "wide", "i32": "wide", "u32": "wide", "i64": "wide", "u64": "wide"}
    choices = ["usual", "usual", "ties", kinds.get(element_type, "usual")]
    return rng.choice(choices + ["special"] * 2 if element_type in ir.FLOATS else choices)


def listed(rng, values):
    """Prints the list in a random spelling that files can have."""
    return rng.choice((",", ",", ", ", " ,")).join(str(value) for value in values)


def spelled(rng, word):
    return rng.choice((word, word, word.upper(), word.capitalize()))


def one_edit(a, b):
    """Returns whether adding, removing or changing one letter turns one word into the other."""
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), len(a))
    return a[at:] == b[at + 1 :] or (len(a) == len(b) and a[at + 1 :] == b[at + 1 :])
