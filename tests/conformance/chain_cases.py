"""Draws chains of small ops around pools and reductions, as converters write them. All chains are valid, and some have
open dims."""

import dataclasses
import random

import numpy as np

from case import Case, Deviation, Family, Input, draw_declared
from layout_cases import draw_target
from oracle import ir
from oracle.ops import OPS

MOST_AXES = 6  # for more axes with open sizes, the runtime concatenates wrongly
TYPES = ("f32", "f32", "f32", "i32", "u8", "i8")


class Chain:
    """Holds a model under construction. Knows the output of the last layer, and its shape in the run."""

    def __init__(self, model, source, shape):
        self.model, self.end, self.shape = model, source, tuple(shape)
        self.known = {}  # {id of an output: contents} of constants
        self.layers = 0

    def constant(self, array):
        output = self.model.const(f"c{len(self.model.layers)}", array)
        self.known[id(output)] = array
        return output

    def add(self, op, data=None, more=(), opset="opset1", element_type=None):
        """Adds a layer after the last one. `more` are further inputs, as (output, shape)."""
        inputs = [(self.end, self.shape), *more]
        output = ir.Output(element_type or self.end.type, ())
        layer = ir.Layer(0, "", op, opset, data or {}, [source for source, _ in inputs], [output])
        shape = OPS[op].shapes(layer, [shape for _, shape in inputs], [self.known.get(id(source)) for source, _ in inputs])[0]
        output.shape = [-1] * len(shape)
        self.layers += 1
        self.end = self.model.layer(op, f"layer{self.layers}", opset, layer.data, layer.inputs, output)
        self.shape = shape

    def with_list(self, op, items, data=None, opset="opset1"):
        array = np.array(items, np.int64)
        self.add(op, data, [(self.constant(array), array.shape)], opset)


# ---- links, which add a layer or two to a chain ----


def transpose(rng, chain):
    """Transposes at least two axes, because the runtime fails with fewer."""
    if len(chain.shape) < 2:
        return
    chain.with_list("Transpose", rng.sample(range(len(chain.shape)), len(chain.shape)))


def reshape(rng, chain):
    target = draw_target(rng, chain.shape, True)
    if len(target) <= MOST_AXES:
        chain.with_list("Reshape", target, {"special_zero": "true"})


def unsqueeze(rng, chain):
    if len(chain.shape) < MOST_AXES:
        chain.with_list("Unsqueeze", [rng.randint(-len(chain.shape) - 1, len(chain.shape))])


def squeeze(rng, chain):
    ones = [i for i, n in enumerate(chain.shape) if n == 1]
    if ones:
        chain.with_list("Squeeze", rng.sample(ones, rng.randint(1, len(ones))), opset=rng.choice(("opset1", "opset15")))


def concat(rng, chain):
    """Concatenates the last tensor with its ReLU, and sometimes with a constant."""
    if not chain.shape:
        return
    axis = rng.randrange(len(chain.shape))
    before = chain.end, chain.shape
    chain.add("ReLU")
    more = [before]
    if rng.random() < 0.4:
        array = small_numbers(rng, chain, [rng.randint(1, 3) if i == axis else n for i, n in enumerate(chain.shape)])
        more.append((chain.constant(array), array.shape))
    chain.add("Concat", {"axis": str(axis)}, more)


def small_numbers(rng, chain, shape):
    numbers = np.random.default_rng(rng.getrandbits(32))
    return np.asarray(numbers.integers(0, 4, shape)).astype(ir.dtype_of(chain.end.type))


def arithmetic(rng, chain):
    """Adds or multiplies by a constant. 8-bit types are left out, because the runtime saturates their sums."""
    if chain.end.type in ("i8", "u8"):
        return
    shape = [n if rng.random() < 0.5 else 1 for n in chain.shape[rng.randint(0, len(chain.shape)) :]]
    array = small_numbers(rng, chain, shape)
    chain.add(rng.choice(("Add", "Multiply")), {"auto_broadcast": "numpy"}, [(chain.constant(array), array.shape)])


def square_root(_rng, chain):
    """Squares and takes the root, as an LpPool does."""
    if chain.end.type != "f32":
        return
    for exponent in (2, 0.5):
        array = np.array(exponent, np.float32)
        chain.add("Power", {}, [(chain.constant(array), array.shape)])


def unary(rng, chain):
    chain.add(rng.choice(("Abs", "ReLU")))


def pool(rng, chain):
    """Adds a pool. Averages of integers are left to the cases of pools."""
    spatial = chain.shape[2:]
    average = chain.end.type == "f32" and rng.random() < 0.5
    kernel = [rng.randint(1, min(n, 3)) for n in spatial]
    data = {
        "kernel": ir.join(kernel),
        "strides": ir.join(rng.randint(1, 2) for _ in spatial),
        "pads_begin": ir.join(rng.randint(0, k - 1) for k in kernel),
        "pads_end": ir.join(rng.randint(0, k - 1) for k in kernel),
        "rounding_type": "floor",
    }
    if average:
        data["exclude-pad"] = rng.choice(("true", "false"))
    chain.add("AvgPool" if average else "MaxPool", data)


def adaptive(rng, chain):
    if chain.end.type == "f32":
        chain.with_list("AdaptiveAvgPool", [rng.randint(1, n + 1) for n in chain.shape[2:]], opset="opset8")


def reduction(rng, chain):
    op = rng.choice(("ReduceMean", "ReduceMax")) if chain.end.type == "f32" else "ReduceMax"
    axes = rng.sample(range(len(chain.shape)), rng.randint(1, len(chain.shape)))
    chain.with_list(op, axes, {"keep_dims": rng.choice(("true", "false"))})


def convert(rng, chain):
    """Converts to a type that represents all values of the current type."""
    wider = {"u8": ("i32", "f32"), "i8": ("i32", "f32"), "i32": ("f32",)}.get(chain.end.type)
    if wider:
        element_type = rng.choice(wider)
        chain.add("Convert", {"destination_type": element_type}, element_type=element_type)


def convert_like(_rng, chain):
    like = np.zeros([1], np.float32)
    chain.add("ConvertLike", {}, [(chain.constant(like), like.shape)], element_type="f32")


LINKS = (transpose, reshape, unsqueeze, concat, arithmetic, square_root, unary, convert, convert_like)
POOLS = (pool, pool, adaptive)


# ---- cases ----


@dataclasses.dataclass
class ChainCase(Case):
    number: int
    x: Input
    seed: int
    length: int

    def parameters(self):
        return [self.x]

    def tight(self):
        """Returns False: inference treats dims as independent, even if they depend on each other."""
        return False

    def model(self):
        rng = random.Random(self.seed)
        model = ir.Model("chain")
        chain = Chain(model, self.x.add(model), self.x.shape)
        while chain.layers < self.length:
            choices = [*LINKS, *(POOLS * 2 if 3 <= len(chain.shape) <= 5 else ()), *((reduction,) if chain.shape else ())]
            # In a Squeeze of open dims, the runtime removes the dims that are 1 in the run.
            choices += [] if self.x.declared else [squeeze]
            rng.choice(choices)(rng, chain)
        model.result("y", chain.end)
        return model

    def ops(self):
        return {layer.type for layer in self.model().layers}


def draw(rng, number):
    shape = [rng.choice((1, 2, 3)), rng.choice((1, 2, 4)), *(rng.choice((1, 3, 5, 6)) for _ in range(rng.choice((1, 2, 2, 3))))]
    x = Input("x", rng.choice(TYPES), shape, kind=rng.choice(("usual", "ties")))
    if rng.random() < 0.3:
        x.declared = draw_declared(rng, shape)
    return ChainCase(number, x, rng.getrandbits(32), rng.randint(3, 8))


REDUCTIONS = {"ReduceMean", "ReduceMax", "AdaptiveAvgPool"}  # AdaptiveAvgPool: with one bin


def moves_reductions(case):
    return bool(case.ops() & REDUCTIONS and case.ops() & {"Reshape", "Squeeze", "Unsqueeze", "Transpose"})


def behind_units(layer):
    """Returns the layer that feeds `layer`, without counting elementwise ones."""
    source = layer.inputs[0].layer
    while source.type in ("Abs", "ReLU", "Convert", "ConvertLike", "Squeeze", "Transpose"):
        source = source.inputs[0].layer
    return source


def absolute_of_joined(case):
    """Returns whether an Abs follows a Concat of another Concat and its ReLU."""
    joined = [behind_units(layer) for layer in case.model().layers if layer.type == "Abs"]
    return any(layer.type == "Concat" and layer.inputs[1].layer.type == "Concat" for layer in joined)


DEVIATIONS = [
    Deviation(
        "absolute-of-joined",
        "values",
        "of Abs(Concat(ReLU(c), c)), where c is a Concat, the runtime computes Abs(Concat(c, c))",
        absolute_of_joined,
    ),
    Deviation(
        "moved-reductions-values",
        "values",
        "the runtime moves layout ops through reductions, or drops them, and gets other values",
        moves_reductions,
    ),
    Deviation(
        "moved-reductions-refused",
        "runtime",
        "or, with dims that only a run knows, a model that it refuses",
        lambda case: case.dynamic() and moves_reductions(case),
    ),
    Deviation(
        "absolute-of-i8",
        "values",
        "the absolute value of -128 is 127 in the runtime; irrun wraps as for other integers",
        lambda case: case.x.element_type == "i8" and "Abs" in case.ops(),
    ),
]

FAMILY = Family("chains", 14, draw, DEVIATIONS)
