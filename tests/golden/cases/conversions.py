"""Makes the cases of Convert-1 and ConvertLike-1."""

import dataclasses
import math

import numpy as np

from cases.case import TO_THE_BIT, Case, draw, filled, random
from oracle import conversions, ir

BEYOND = "what does not fit an integer type is left open by the page, and differs from type to type in the runtime"
# KNOWN holds, by type, the results of converting the floats in OUTSIDE. They were worked out by hand.
OUTSIDE = (-1.5, 300.5, 3e9, -3e9, 5e9, 1e19, 2e19, math.inf, -math.inf, math.nan)
KNOWN = {
    "i8": (-1, 44, 0, 0, 0, 0, 0, 0, 0, 0),
    "u8": (255, 44, 0, 0, 0, 0, 0, 0, 0, 0),
    "i16": (-1, 300, 0, 0, 0, 0, 0, 0, 0, 0),
    "u16": (65535, 300, 0, 0, 0, 0, 0, 0, 0, 0),
    "i32": (-1, 300, *[-(2**31)] * 8),
    "u32": (2**32 - 1, 300, 3 * 10**9, 1294967296, 705032704, 0, 0, 0, 0, 0),
    "i64": (-1, 300, 3 * 10**9, -3 * 10**9, 5 * 10**9, *[-(2**63)] * 5),
    "u64": (2**64 - 1, 300, 3 * 10**9, 2**64 - 3 * 10**9, 5 * 10**9, 10**19, *[2**63] * 4),
}
HALVES = [2048.5, 2049, 2051, 2050.999, 65519.99, 65520, 2**-25, 1.5 * 2**-25, -(2**-24)]


def to_all(name, x, types=tuple(ir.TYPES), **more):
    """Makes a model with a Convert of x to each of `types`."""
    model = ir.Model(name)
    source = model.parameter("x", ir.type_of(x), x.shape)
    for element_type in types:
        model.result(element_type, conversions.add_convert(model, f"to_{element_type}", source, element_type))
    return Case(name, model, [x], **more)


def types():
    """Yields, for each type, a case with numbers that all types can hold. If the type is a floating-point type, some
    numbers have fractions."""
    for element_type in ir.TYPES:
        fractions = [0, 0.5, 1, 1.5, 2.5, 100.75, 127] if element_type in ir.FLOATS else [0, 1, 2, 3, 99, 100, 127]
        yield to_all(f"convert_from_{element_type}", filled(element_type, [7], fractions))


def beyond():
    x = filled("f64", [len(OUTSIDE)], OUTSIDE)
    yield to_all("convert_beyond_f64", x, tuple(KNOWN), known=list(KNOWN.values()), exact_because=BEYOND)
    x = filled("i64", [6], [-1, 300, -129, 2**31, 2**40 + 5, -(2**63)])
    known = {
        "i8": (-1, 44, 127, 0, 5, 0),
        "u8": (255, 44, 127, 0, 5, 0),
        "i16": (-1, 300, -129, 0, 5, 0),
        "u16": (65535, 300, 65407, 0, 5, 0),
        "i32": (-1, 300, -129, -(2**31), 5, 0),
        "u32": (2**32 - 1, 300, 2**32 - 129, 2**31, 5, 0),
        "u64": (2**64 - 1, 300, 2**64 - 129, 2**31, 2**40 + 5, 2**63),
    }
    because = "2.7, D15: integers of more than 32 bits are 32 in the runtime"
    yield to_all("convert_wraps_i64", x, tuple(known), known=list(known.values()), exact_because=because)


def rounding():
    floats = ("f32", "f16", "bf16")
    because = "2.7, D15: an f64 passes f32 in the runtime"
    yield to_all("convert_rounds_f32", filled("f32", [len(HALVES)], HALVES), ("f16", "bf16"))
    yield to_all("convert_rounds_f64", filled("f64", [3], [2049 + 2**-40, 1 + 2**-8 + 2**-40, 1 + 2**-24 + 2**-50]), floats, exact_because=because)
    x = filled("i64", [4], [2**24 + 1, 2**24 + 2**16 + 1, 2**53 + 1, -(2**24) - 3])
    known = [[2**24, 2**24 + 2**16, 2**53, -(2**24) - 4], [math.inf] * 3 + [-math.inf], [2**24, 2**24 + 2**17, 2**53, -(2**24)]]
    yield to_all("convert_rounds_i64", x, floats, known=known, exact_because="an i64 passes f32 in the runtime")


def special_values():
    x = [math.nan, math.inf, -math.inf, -0.0, 0.0, 1e-30]
    for element_type in ("f32", "f16", "bf16"):
        yield to_all(f"convert_special_{element_type}", filled(element_type, [6], x), ("f32", "f16", "bf16"))
    known = [[True, True, True, False, False, True]]
    because = "NaN is not 0, which the runtime takes it for"
    yield to_all("convert_to_boolean", filled("f32", [6], x), ("boolean",), known=known, exact_because=because)


def like():
    """Makes a ConvertLike for each kind of second input: a Parameter, a constant, and a constant without elements.
    OpenVINO writes size 1 for a constant without elements. ConvertLike uses only the type of its second input."""
    model = ir.Model("convert_like")
    x, other = model.parameter("x", "f32", [2, 3]), model.parameter("other", "i8", [1])
    likes = {"parameter": other, "constant": model.const("c", np.array(7, np.uint16))}
    likes["empty"] = model.const("nothing", np.zeros([0], np.float64), size=1)
    model.blob += b"\0"
    for label, source in likes.items():
        model.result(label, conversions.add_convert_like(model, f"as_{label}", x, source))
    x = np.array([[0, 1.5, 2.5], [3.5, 100, 127]], np.float32)
    yield Case("convert_like", model, [x, draw(random("like"), "i8", [1])])


def all_cases():
    for group in (types, beyond, rounding, special_values, like):
        for case in group():
            yield dataclasses.replace(case, options=list(TO_THE_BIT))
