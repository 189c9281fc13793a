"""Draws Abs-1, ReLU-1, Add-1, Multiply-1 and Power-1, with faults, and lists their deviations."""

import itertools

import numpy as np

from case import Deviation, Family, Input, draw_declared, draw_kind, spelled
from layer_case import LayerCase, constant, shape_of, type_of
from oracle import elementwise, ir
from oracle.elementwise import AXIS

TYPES = (*ir.FLOATS, *ir.INTEGERS, *["f32"] * 6)
EXPONENTS = (0, 1, 2, 3, 5, 7, 31, 64)


class ElementwiseCase(LayerCase):
    def joint(self):
        """Returns groups of dims that broadcasting aligns."""
        ranks = [len(parameter.shape) for parameter in self.parameters()]
        if len(ranks) < 2:
            return super().joint()
        a, b = ([*range(ranks[0])], [*range(ranks[0], sum(ranks))])
        offset = self.axis() if self.rule() == "pdpd" and self.axis() != -1 else None
        if offset is not None:
            pairs = itertools.zip_longest(a, [None] * offset + b)
        else:
            pairs = itertools.zip_longest(a[::-1], b[::-1])
        return [[i for i in pair if i is not None] for pair in pairs]

    def exactly(self):
        """Returns False for powers of floats, whose last bit depends on the C library."""
        return self.op != "Power" or self.type() in ir.INTEGERS

    def ulps(self):
        return 2

    def rank_of_refused(self):
        return max(len(shape_of(source)) for source in self.sources)

    def rule(self):
        return self.data.get("auto_broadcast", "numpy").lower()

    def axis(self):
        """Returns the axis of PDPD broadcasting, or -1 if the attribute is absent."""
        text = self.data.get(AXIS, "-1")
        return int(text) if text.isdigit() else -1

    def type(self):
        return type_of(self.sources[0])

    def has_scalar_constant(self):
        return any(isinstance(source, np.ndarray) and source.size == 1 for source in self.sources)

    def has_zero(self):
        return any(0 in shape_of(source) for source in self.sources)

    def wide(self):
        return any(not isinstance(source, Input) or source.kind == "wide" for source in self.sources)


# ---- valid cases ----


def draw_shape(rng):
    return [rng.choice((1, 2, 3, 4, 5, 7)) for _ in range(rng.choice((0, 1, 2, 2, 3, 4, 5)))]


def narrowed(rng, shape):
    """Returns a shape that broadcasts to `shape` by numpy's rules."""
    dims = shape[rng.randint(0, len(shape)) :] if rng.random() < 0.5 else shape
    return [1 if rng.random() < 0.3 else n for n in dims]


def draw_binary_shapes(rng, data):
    shape = draw_shape(rng)
    rule = rng.choice((None, None, "numpy", "numpy", "none", "pdpd"))
    if rule:
        data["auto_broadcast"] = spelled(rng, rule)
    if rule == "none":
        return [shape, list(shape)]
    if rule == "pdpd":
        return [shape, laid_onto(rng, shape, data)]
    shapes = [shape, narrowed(rng, shape)]
    if rng.random() < 0.2:
        shapes[0] = [1 if rng.random() < 0.2 else n for n in shape]
    rng.shuffle(shapes)
    return shapes


def laid_onto(rng, shape, data):
    axis = rng.randint(0, len(shape))
    end = rng.randint(axis, len(shape))
    part = [1 if rng.random() < 0.2 else n for n in shape[axis:end]]
    if end < len(shape) or rng.random() < 0.5:
        data[AXIS] = str(axis)
    elif rng.random() < 0.5:
        data[AXIS] = "-1"
    return part


def draw_source(rng, element_type, shape):
    return Input("x", element_type, shape, kind=draw_kind(rng, element_type))


def exponent(rng, source):
    """Replaces most exponents by small ones, because powers with large ones are infinity, 0 or 1."""
    dtype = ir.dtype_of(source.element_type)
    numbers = np.random.default_rng(rng.getrandbits(32))
    if dtype.kind in "iu" and rng.random() < 0.9:
        source.contents = numbers.choice(EXPONENTS, source.shape).astype(dtype)
    elif dtype.kind not in "iu" and rng.random() < 0.6:
        source.contents = numbers.choice((-2, -1, -0.5, 0, 0.5, 1, 2, 3), source.shape).astype(dtype)


def draw(rng, number):
    op = rng.choice((*elementwise.UNARY, *elementwise.BINARY, *elementwise.BINARY))
    element_type, data = rng.choice(TYPES), {}
    shapes = [draw_shape(rng)] if op in elementwise.UNARY else draw_binary_shapes(rng, data)
    sources = [draw_source(rng, element_type, shape) for shape in shapes]
    for name, source in zip("ab", sources):
        source.name = name
    if op == "Power":
        exponent(rng, sources[1])
    case = ElementwiseCase(number, op, f"opset{rng.randint(1, 16)}", sources, data)
    if rng.random() < 0.2:
        rng.choice(BINARY_FAULTS if len(sources) > 1 else FAULTS)(rng, case)
    if rng.random() < 0.25:
        for source in sources:
            source.declared = draw_declared(rng, source.shape)
    if len(sources) > 1 and rng.random() < 0.3:
        i = rng.choice((0, 1, 1))
        case.sources[i] = constant(rng, sources[i])
    return case


# ---- faults ----


def type_boolean(_rng, case):
    for source in case.sources:
        source.element_type, source.kind, source.contents = "boolean", "usual", None


def opset_without(rng, case):
    case.opset = rng.choice(("opset17", "opset0", "opset99"))


def dim_zero(rng, case):
    """Sets a dim to 0. A size of 0 alone is valid, but 0 broadcasts only with 0 and 1."""
    source = rng.choice([source for source in case.sources if source.shape] or case.sources)
    if source.shape:
        source.shape[rng.randrange(len(source.shape))] = 0
        source.contents = None


def types_differ(rng, case):
    source = rng.choice(case.sources)
    source.element_type = rng.choice([kind for kind in (*ir.FLOATS, *ir.INTEGERS) if kind != source.element_type])
    source.kind, source.contents = "usual", None


def shapes_differ(rng, case):
    source = rng.choice(case.sources)
    source.shape.insert(0, 2) if rng.random() < 0.3 else source.shape.append(rng.choice((6, 8)))
    source.contents = None


def rule_unreadable(rng, case):
    case.data["auto_broadcast"] = rng.choice(("", "npy", "bidirectional", "numpy "))


def axis_outside(rng, case):
    case.data.update({"auto_broadcast": "pdpd", AXIS: rng.choice(("-2", "9", "x", "1.5"))})


FAULTS = [type_boolean, opset_without, dim_zero]
BINARY_FAULTS = [*FAULTS, types_differ, types_differ, shapes_differ, shapes_differ, shapes_differ]
BINARY_FAULTS += [rule_unreadable, axis_outside]


# ---- deviations ----

SATURATED = ("i8", "u8")
WIDE = ("i32", "u32", "i64", "u64")


def pdpd_by_default(case):
    return case.rule() == "pdpd" and AXIS not in case.data


DEVIATIONS = [
    Deviation(
        "elementwise-f64",
        "values",
        "2.7, D15: irrun computes f64 in f64, the runtime in f32",
        lambda case: case.type() == "f64",
    ),
    Deviation(
        "eight-bit-sums",
        "values",
        "sums and products of 8 bits, and the absolute value of -128, saturate in the runtime; irrun wraps as for other integers",
        lambda case: case.op in ("Add", "Multiply", "Abs") and case.type() in SATURATED,
    ),
    Deviation(
        "wide-elements",
        "values",
        "2.7, D15: the runtime computes them as i32, a ReLU in f32",
        lambda case: case.type() in WIDE and case.wide(),
    ),
    Deviation(
        "integer-powers",
        "values",
        "irrun's powers are exact modulo 2^bits, the runtime's pass f32 and saturate",
        lambda case: case.op == "Power" and case.type() in ir.INTEGERS,
    ),
    Deviation(
        "root-of-minus-zero",
        "values",
        "-0 to the power of -0.5 is infinity; the runtime divides 1 by the root, which is -0",
        lambda case: case.op == "Power" and case.type() in ir.FLOATS and case.has_scalar_constant(),
    ),
    Deviation(
        "pdpd-default",
        "runtime",
        "the page's default for the axis is -1, the runtime's 0: there it may not fit",
        pdpd_by_default,
    ),
    Deviation(
        "nan-of-a-relu",
        "values",
        "NaN stays NaN, and the runtime makes 0 of it",
        lambda case: case.op == "ReLU" and any(source.kind == "special" for source in case.sources),
    ),
    Deviation("pdpd-default-misfit", "IR316", "or only there", pdpd_by_default),
    Deviation("pdpd-default-values", "values", "or fit elsewhere", pdpd_by_default),
    Deviation(
        "pdpd-default-shape",
        "shape",
        "or, where only a run knows the sizes, become sizes of 0",
        lambda case: case.dynamic() and pdpd_by_default(case),
    ),
    Deviation(
        "pdpd-8-bits",
        "runtime",
        "the runtime computes products and powers of 8 bits in ways that do not have `pdpd`",
        lambda case: case.op in ("Multiply", "Power") and case.rule() == "pdpd" and case.type() in SATURATED,
    ),
    Deviation(
        "axis-text",
        "IR206",
        "1.4: the runtime reads leading digits and ignores what follows",
        lambda case: not case.data.get(AXIS, "0").removeprefix("-").isdigit(),
    ),
    Deviation(
        "one-element-constants",
        "runtime",
        "the runtime makes constants of one element rank 1, which `none` and `pdpd` then refuse",
        lambda case: case.rule() != "numpy" and case.has_scalar_constant(),
    ),
    Deviation(
        "misfit-at-run-time",
        "IR316",
        "a dynamic model of the runtime does not look whether the inputs of a run fit each other",
        lambda case: case.dynamic() and case.shape_of_run(case.model()) is None,
    ),
    Deviation(
        "empty-at-run-time",
        "shape",
        "with `pdpd` and a dim of 0, a dynamic model of the runtime takes 0 for its neighbours too",
        lambda case: case.dynamic() and case.rule() == "pdpd" and case.has_zero(),
    ),
]

FAMILY = Family("elementwise", 20, draw, DEVIATIONS)
