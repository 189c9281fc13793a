"""Makes the cases of Abs-1, ReLU-1, Add-1, Multiply-1 and Power-1."""

import dataclasses
import math

import numpy as np

from cases.case import TO_THE_BIT, Case, draw, filled, random, typed
from oracle import elementwise, ir
from oracle.elementwise import AXIS

WIDER = ("i16", "u16", "i32", "u32", "i64", "u64")
BYTES = ("i8", "u8")
SATURATES = "sums and products of 8 bits saturate in the runtime"
NAN = "NaN stays NaN, and the runtime makes 0 of it"
NARROW = "the runtime computes integers of more than 32 bits, and f64, in less"
FLOATS_OF_INTEGERS = "integer powers pass f32 in the runtime"
LOWEST, HIGHEST = -(2**63), 2**63 - 1


def add(model, label, op, sources, opset="opset1", **data):
    """Adds a layer of `op` and its Result. The output's declared rank is the greatest rank of the sources."""
    sources = [source if isinstance(source, ir.Output) else model.const(f"c{i}_{label}", source) for i, source in enumerate(sources)]
    declared = [-1] * max(len(source.shape) for source in sources)
    model.result(label, elementwise.add_elementwise(model, op, f"{op}_{label}", sources, declared, opset, **data))


def tabled(name, op, element_type, rows, exact_because=None, with_results=True):
    """Makes a case from a table. Each row has the operands and then, if `with_results`, the result, which is known by
    hand."""
    columns = [list(column) for column in zip(*rows)]
    arrays = [filled(element_type, [len(rows)], column) for column in (columns[:-1] if with_results else columns)]
    model = ir.Model(name)
    sources = [model.parameter("ab"[i], element_type, [len(rows)]) for i in range(len(arrays))]
    add(model, "y", op, sources)
    return Case(name, model, arrays, known=[columns[-1]] if with_results else None, exact_because=exact_because)


def types():
    for op in elementwise.UNARY:

        def unary(model, x, op=op):
            add(model, f"y_{x.type}", op, [x])

        for kind, names in {"floats": ir.FLOATS, "integers": WIDER, "bytes": BYTES}.items():
            more = {"exact_because": "the absolute value of -128 is 127 in the runtime"} if (op, kind) == ("Abs", "bytes") else {}
            yield typed(f"{op.lower()}_{kind}", names, [2, 3, 5], unary, **more)
    for op in ("Add", "Multiply"):

        def binary(model, x, op=op):
            add(model, f"y_{x.type}", op, [x, draw(random(f"{op}{x.type}"), x.type, [3, 1])])

        for kind, names in {"floats": ir.FLOATS, "integers": WIDER, "bytes": BYTES}.items():
            more = {"exact_because": SATURATES} if kind == "bytes" else {}
            yield typed(f"{op.lower()}_{kind}", names, [2, 3, 5], binary, **more)


def powers_of_types():
    def build(model, x):
        exponents = [0, 1, 2, 0.5, -1] if x.type in ir.FLOATS else [0, 1, 2, 3, 1]
        add(model, f"y_{x.type}", "Power", [x, filled(x.type, [5], exponents)])

    yield typed("power_floats", ir.FLOATS, [3, 5], build)
    yield typed("power_integers", WIDER, [3, 5], build, exact_because=FLOATS_OF_INTEGERS)
    yield typed("power_bytes", BYTES, [3, 5], build, exact_because=FLOATS_OF_INTEGERS)


def broadcasts():
    rows = {
        "numpy": ([8, 1, 6, 1], [7, 1, 5], {"auto_broadcast": "numpy"}),
        "default": ([3, 4], [2, 1, 4], {}),
        "scalar": ([2, 3], [], {}),
        "scalar_first": ([], [2, 3], {}),
        "two_scalars": ([], [], {}),
        "none": ([2, 3], [2, 3], {"auto_broadcast": "none"}),
        "pdpd_middle": ([2, 3, 4, 5], [3, 4], {"auto_broadcast": "pdpd", AXIS: "1"}),
        "pdpd_one": ([2, 3, 4, 5], [3, 1], {"auto_broadcast": "pdpd", AXIS: "1"}),
        "pdpd_first": ([2, 3, 4, 5], [1, 3], {"auto_broadcast": "pdpd", AXIS: "0"}),
        "pdpd_last": ([2, 3, 4, 5], [4, 5], {"auto_broadcast": "pdpd", AXIS: "-1"}),
        "empty": ([2, 0], [1], {}),
    }
    for op in elementwise.BINARY:
        model, arrays = ir.Model(f"{op.lower()}_broadcasts"), []
        rng = random(model.name)
        for label, (a, b, data) in rows.items():
            sources = [model.parameter(f"{label}_{i}", "f32", shape) for i, shape in enumerate((a, b))]
            arrays += [np.abs(draw(rng, "f32", shape)) for shape in (a, b)]
            add(model, label, op, sources, **data)
        yield Case(model.name, model, arrays)
    model = ir.Model("add_pdpd_default")
    a, b = model.parameter("a", "f32", [3, 3]), model.parameter("b", "f32", [3])
    add(model, "y", "Add", [a, b], auto_broadcast="pdpd")
    arrays = [np.zeros([3, 3], np.float32), np.array([1, 2, 3], np.float32)]
    yield Case(model.name, model, arrays, known=[[1, 2, 3] * 3], exact_because="without an axis the runtime takes the first, the page the last")


def wrapping():
    yield tabled("add_wraps_i8", "Add", "i8", [(127, 1, -128), (-128, -1, 127), (100, 100, -56), (5, -7, -2)], SATURATES)
    yield tabled("multiply_wraps_u8", "Multiply", "u8", [(255, 255, 1), (16, 16, 0), (100, 3, 44), (15, 17, 255)], SATURATES)
    yield tabled("add_wraps_i32", "Add", "i32", [(2**31 - 1, 1, -(2**31)), (-(2**31), -1, 2**31 - 1)])
    yield tabled("multiply_wraps_u32", "Multiply", "u32", [(2**32 - 1, 2**32 - 1, 1), (65536, 65536, 0), (65537, 65535, 2**32 - 1)])
    rows = [(HIGHEST, 1, LOWEST), (LOWEST, -1, HIGHEST), (2**40, 2**40, 2**41), (-1, LOWEST, HIGHEST)]
    yield tabled("add_wraps_i64", "Add", "i64", rows, NARROW)
    rows = [(2**64 - 1, 2**64 - 1, 1), (2**32, 2**32, 0), (2**32 + 1, 2**32 - 1, 2**64 - 1), (3, 5, 15)]
    yield tabled("multiply_wraps_u64", "Multiply", "u64", rows, NARROW)
    yield tabled("abs_lowest_i64", "Abs", "i64", [(LOWEST, LOWEST), (LOWEST + 1, HIGHEST), (-1, 1), (0, 0)], NARROW)
    yield tabled("relu_wide_u64", "ReLU", "u64", [(2**64 - 1, 2**64 - 1), (2**63, 2**63), (0, 0)], NARROW)


def integer_powers():
    rows = [(2, 7, -128), (2, 8, 0), (3, 5, -13), (-3, 3, -27), (10, 3, -24), (0, 0, 1), (7, -1, 0), (1, -5, 1), (-1, -5, -1), (-1, -4, 1)]
    yield tabled("power_wraps_i8", "Power", "i8", [*rows, (0, -1, 0)], FLOATS_OF_INTEGERS)
    rows = [(3, 31, 1264544299), (10, 10, 1410065408), (2, 31, -(2**31)), (-2, 31, -(2**31)), (2, 64, 0), (0, -1, -(2**31))]
    yield tabled("power_wraps_i32", "Power", "i32", rows, FLOATS_OF_INTEGERS)
    rows = [(3, 40, 12157665459056928801), (10, 19, 10**19), (2, 63, 2**63), (2, 64, 0), (2**32 + 1, 2, 2**33 + 1), (7, 0, 1)]
    yield tabled("power_wraps_u64", "Power", "u64", rows, FLOATS_OF_INTEGERS)
    rows = [(3, 39, 4052555153018976267), (-3, 39, -4052555153018976267), (2, 63, LOWEST), (0, -3, LOWEST), (-1, HIGHEST, -1)]
    yield tabled("power_wraps_i64", "Power", "i64", rows, FLOATS_OF_INTEGERS)


def special_values():
    nan, inf = math.nan, math.inf
    values = (nan, inf, -inf, -0.0, 0.0, 1.0, -1.5, 0.5)
    pairs = [(a, b) for a in values for b in values]
    for element_type in ir.FLOATS:
        because = NARROW if element_type == "f64" else None
        for op in elementwise.BINARY:
            yield tabled(f"{op.lower()}_special_{element_type}", op, element_type, pairs, because, with_results=False)
        rows = [(nan, nan), (inf, inf), (-inf, inf), (-0.0, 0.0), (-1.5, 1.5)]
        yield tabled(f"abs_special_{element_type}", "Abs", element_type, rows, because)
        rows = [(nan, nan), (inf, inf), (-inf, 0.0), (-0.0, 0.0), (-1.5, 0.0), (1.5, 1.5)]
        yield tabled(f"relu_special_{element_type}", "ReLU", element_type, rows, because or NAN)


def one_rounding():
    """Yields sums halfway between two numbers of the type, and sums close to halfway. The f64 sums would lose digits in
    f32."""
    yield tabled("add_rounds_f16", "Add", "f16", [(2048, 1, 2048), (2048, 3, 2052), (2050, 1, 2052), (65504, 16, math.inf), (65504, 8, 65504)])
    yield tabled("add_rounds_bf16", "Add", "bf16", [(256, 1, 256), (256, 3, 260), (258, 1, 260), (1, 2**-8, 1), (1, 2**-7, 1 + 2**-7)])
    yield tabled("add_rounds_f32", "Add", "f32", [(2**24, 1, 2**24), (2**24, 3, 2**24 + 4), (2**24 + 2, 1, 2**24 + 4)])
    yield tabled("add_rounds_f64", "Add", "f64", [(2**53, 1, 2**53), (2**53, 3, 2**53 + 4), (1, 2**-52, 1 + 2**-52)], NARROW)


def all_cases():
    """Yields all cases. Only powers of floats come from a library's pow, so the cases of Power are not compared bit by
    bit."""
    for group in (types, powers_of_types, broadcasts, wrapping, integer_powers, special_values, one_rounding):
        for case in group():
            yield case if case.name.startswith("power") else dataclasses.replace(case, options=list(TO_THE_BIT))
