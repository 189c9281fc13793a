"""Shared by all families of random cases: inputs, dims that only a run knows, spellings, deviations."""

import dataclasses
import math

import numpy as np

from oracle import ir
from program import save

SPECIAL = (math.nan, math.inf, -math.inf, -0.0, 0.0)


@dataclasses.dataclass(frozen=True)
class Deviation:
    """A known difference. `what`: the id of a rule by which only irrun refuses the model; "runtime": only the runtime refuses it;
    "shape" or "values": both accept it. `applies` looks at a case's parameters, never at results. If irrun accepts the model,
    it must agree with the exact one in any case."""

    id: str
    what: str
    reason: str
    applies: callable


# For cases whose input x decides the type.
F64 = Deviation(
    "f64",
    "values",
    "2.7, D15: irrun computes f64 in f64, the runtime in f32",
    lambda case: case.x.element_type == "f64",
)


@dataclasses.dataclass(frozen=True)
class Family:
    """Cases of one kind of ops. `draw(rng, number)` makes a Case; `share` is this family's part of the cases. `judge`: judges a
    case that is no model of an IR, as judge in run.py does."""

    name: str
    share: int
    draw: callable
    deviations: list
    judge: callable = None


@dataclasses.dataclass
class Input:
    """A Parameter of the model, and its tensor in the run."""

    name: str
    element_type: str
    shape: list
    declared: list = None  # dims as text, if some are known only at run time
    kind: str = "usual"  # of values: usual, wide (over the whole type), special (NaN, infinities, -0) or ties
    contents: np.ndarray = None  # the values, if they are not drawn

    def add(self, model):
        if not self.declared:
            return model.parameter(self.name, self.element_type, self.shape)
        dims = [int(dim) if dim.isdigit() else -1 for dim in self.declared]
        return model.parameter(self.name, self.element_type, ir.join(self.declared), declared=dims)

    def bounds(self):
        """(least, most) of each dim, as declared."""
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
    """A random model with its inputs; its `number` and a seed draw it again."""

    number: int

    def parameters(self):
        """The Inputs, in the order of the model's Parameters."""
        raise NotImplementedError

    def model(self):
        raise NotImplementedError

    def reference(self):
        """The model for the runtime, if it cannot take the same one."""
        return self.model()

    def options(self):
        """Options of irrun for the check and the run."""
        return []

    def trials(self):
        """Lists with the contents of each Parameter, None if they do not matter: contents to try if shapes depend on contents
        that only a run knows."""
        return [[None] * len(self.parameters())]

    def joint(self):
        """Groups of dims, numbered through all Parameters, that together determine sizes of an output."""
        return [[i] for i in range(sum(len(parameter.shape) for parameter in self.parameters()))]

    def guesses(self):
        """Lists of sizes for the same dims, one of which may be legal if the run's own are not."""
        return []

    def tight(self):
        """Whether the ends of inferred intervals must be reached by some size."""
        return True

    def exactly(self):
        """Whether irrun has to give the bits of the exact model."""
        return False

    def ulps(self):
        """Units of the last place by which it may miss what is no sum; 0: sums are compared in relation to the sizes of their terms."""
        return 0

    def inputs(self, seed):
        rng = np.random.default_rng([seed, self.number])
        return [parameter.array(rng) for parameter in self.parameters()]

    def save(self, folder, seed):
        save(folder, self.model(), self.inputs(seed))

    def dynamic(self):
        return any(parameter.declared for parameter in self.parameters())


def text_of(case):
    """The case in one line."""
    fields = {name: value for name, value in dataclasses.asdict(case).items() if value is not None}
    return ", ".join(f"{name}={value}" for name, value in fields.items())


def interval(dim):
    """(least, most) of a dim's text: "3", "?", "-1", "1..5", "1..", "..5"."""
    if dim in ("?", "-1"):
        return 0, math.inf
    if ".." not in dim:
        return int(dim), int(dim)
    least, most = dim.split("..")
    return int(least or 0), int(most) if most else math.inf


def draw_declared(rng, shape):
    """Makes each dim known, bounded or open; the run's own size fits."""
    open_ended = ("?", "-1", lambda n: f"{rng.randint(0, n)}..")
    bounded = (lambda n: f"{rng.randint(0, n)}..{n + rng.randint(1, 5)}", lambda n: f"..{n}")
    dims = [rng.choice((str, str, *open_ended, *bounded)) for _ in shape]
    return [dim if isinstance(dim, str) else dim(n) for dim, n in zip(dims, shape)]


def draw_kind(rng, element_type):
    """Draws a kind of values. Few are wide, because the runtime computes those differently."""
    kinds = {"f64": "wide", "i32": "wide", "u32": "wide", "i64": "wide", "u64": "wide"}
    choices = ["usual", "usual", "ties", kinds.get(element_type, "usual")]
    return rng.choice(choices + ["special"] * 2 if element_type in ir.FLOATS else choices)


def listed(rng, values):
    """The list in one of the spellings that a file may have."""
    return rng.choice((",", ",", ", ", " ,")).join(str(value) for value in values)


def spelled(rng, word):
    return rng.choice((word, word, word.upper(), word.capitalize()))


def one_edit(a, b):
    """Whether adding, removing or changing one letter turns one word into the other."""
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), len(a))
    return a[at:] == b[at + 1 :] or (len(a) == len(b) and a[at + 1 :] == b[at + 1 :])
