"""Draws Convert-1 and ConvertLike-1 between all types, with faults, and lists their deviations."""

import dataclasses
import math

import numpy as np

from case import SPECIAL, Deviation, Family, Input, draw_declared, spelled
from layer_case import LayerCase, type_of
from oracle import ir

OPS = ("Convert", "Convert", "ConvertLike")
TYPES = tuple(ir.TYPES)
# Exponents near the ends of integer types and of f16, and numbers that are rounded.
LANDMARKS = (0.4, 0.5, 1.5, 2.5, 7, 8, 15, 16, 31, 32, 63, 64)


@dataclasses.dataclass
class ConvertCase(LayerCase):
    fits: bool = True  # whether every element is in the range of both types, as the runtime limits them

    def exactly(self):
        return True

    def types(self):
        return type_of(self.sources[0]), self.result_type


# ---- valid cases ----


def draw_shape(rng):
    return [rng.randint(1, 6) for _ in range(rng.choice((0, 1, 2, 2, 3, 4)))]


def draw_number(rng):
    """Draws powers of two and their neighbours, because types end there, and numbers of any size."""
    if rng.random() < 0.3:
        return rng.choice((-1, 1)) * rng.choice(LANDMARKS[:4])
    power = 1 << rng.choice(LANDMARKS[4:])
    near = power + rng.choice((-2, -1, -0.5, 0, 0, 0.5, 1, 2))
    return rng.choice((-1, 1, 1)) * (near if rng.random() < 0.6 else rng.uniform(0, 2 * power))


def draw_contents(rng, element_type, shape, within):
    """Draws elements in the interval `within`, or any elements of the type if `within` is None."""
    dtype = ir.dtype_of(element_type)
    out = np.empty(math.prod(shape), dtype)
    for i in range(out.size):
        out[i] = draw_element(rng, dtype, within)
    return out.reshape(shape)


def draw_element(rng, dtype, within):
    if dtype.kind == "b":
        return rng.random() < 0.5
    if dtype.kind not in "iu":
        if within is None and rng.random() < 0.2:
            return rng.choice(SPECIAL)
        with np.errstate(over="ignore"):
            number = np.float64(draw_number(rng)).astype(dtype)
        return number if within is None or within[0] <= float(number) <= within[1] else rng.choice((0, 1, 2.25))
    limits = np.iinfo(dtype)
    low, high = within or (limits.min, limits.max)
    number = math.floor(draw_number(rng))
    return number if max(low, limits.min) <= number <= min(high, limits.max) else rng.choice((0, 1, 2))


def range_of(element_type):
    """Returns the range that the runtime gives a type: 32 bits for wide integers, the range of f16 for floats."""
    dtype = ir.dtype_of(element_type)
    if dtype.kind == "b":
        return 0, 1
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return max(limits.min, -(1 << 31)), min(limits.max, (1 << 31) - 128)
    return -65504, 65504


def draw(rng, number):
    op, source_type, result_type = rng.choice(OPS), rng.choice(TYPES), rng.choice(TYPES)
    fits = rng.random() < 0.5
    ranges = list(zip(range_of(source_type), range_of(result_type)))
    within = (max(ranges[0]), min(ranges[1])) if fits else None
    shape = draw_shape(rng)
    x = Input("x", source_type, shape, contents=draw_contents(rng, source_type, shape, within))
    case = ConvertCase(number, op, f"opset{rng.randint(1, 17 if op == 'Convert' else 16)}", [x], {}, result_type, fits)
    if op == "Convert":
        case.data["destination_type"] = spelled(rng, result_type)
    else:
        case.sources.append(draw_like(rng, result_type))
    if rng.random() < 0.15:
        rng.choice(FAULTS[op])(rng, case)
    if rng.random() < 0.25:
        for source in case.parameters():
            source.declared = draw_declared(rng, source.shape)
    if rng.random() < 0.15:
        case.sources[0] = case.sources[0].contents
    return case


def draw_like(rng, element_type):
    like = Input("like", element_type, draw_shape(rng))
    return like if rng.random() < 0.3 else np.zeros(like.shape, ir.dtype_of(element_type))


# ---- faults ----


def opset_without(rng, case):
    case.opset = rng.choice(("opset0", "opset18", "opset99"))


def type_missing(_rng, case):
    del case.data["destination_type"]


def type_unreadable(rng, case):
    case.data["destination_type"] = rng.choice(("", "FP32", "float", "f8", "i32 ", "dynamic"))


def attribute_unknown(rng, case):
    """Adds an unknown attribute, which causes a warning but no error."""
    case.data[rng.choice(("type", "foo"))] = "f32"


FAULTS = {
    "Convert": [opset_without, type_missing, type_unreadable, type_unreadable, attribute_unknown],
    "ConvertLike": [opset_without, attribute_unknown],
}

# ---- deviations ----


def any_of(names):
    return lambda case: any(name in names for name in case.types())


DEVIATIONS = [
    Deviation(
        "convert-f64",
        "values",
        "2.7, D15: irrun computes f64 in f64, the runtime in f32",
        any_of(("f64",)),
    ),
    Deviation(
        "convert-range",
        "values",
        "what does not fit the integer type, which the page leaves open, is what the lowest number of 32 bits, of 64 for u32, "
        "i64 and u64, has as its low bits; the runtime's 64 bits are 32, and between some types it saturates",
        lambda case: not case.fits,
    ),
]

FAMILY = Family("conversions", 8, draw, DEVIATIONS)
