"""Draws cases of AdaptiveAvgPool-8 and AdaptiveMaxPool-8, with faults, and lists their deviations."""

import dataclasses

import numpy as np

from case import F64, Case, Deviation, Family, Input, draw_declared, draw_kind, one_edit, spelled
from oracle import ir, pools
from window_cases import draw_shape
from window_faults import dim_zero, rank_outside, type_boolean

KNOWN = {"AdaptiveAvgPool": {"output_type"}, "AdaptiveMaxPool": {"output_type", "index_element_type"}}
TYPES = (*ir.FLOATS, "f32", "f32", "f32")
LARGEST = np.iinfo(np.int32).max


@dataclasses.dataclass
class AdaptiveCase(Case):
    """Holds one adaptive pool. The output sizes are a Const or a second Parameter."""

    number: int
    op: str
    opset: str
    x: Input
    sizes: np.ndarray
    sizes_at_run_time: bool
    data: dict = dataclasses.field(default_factory=dict)
    results: tuple = (0,)
    input_blocks: int = 1
    integers_allowed: bool = False

    def parameters(self):
        size = Input("size", ir.type_of(self.sizes), list(self.sizes.shape), contents=self.sizes)
        return [self.x, size] if self.sizes_at_run_time else [self.x]

    def options(self):
        return ["--allow=IR306"] if self.integers_allowed else []

    def exactly(self):
        return self.op == "AdaptiveMaxPool"

    def dynamic(self):
        return self.sizes_at_run_time or super().dynamic()

    def model(self):
        model = ir.Model("random")
        inputs = [parameter.add(model) for parameter in self.parameters()]
        if not self.sizes_at_run_time:
            inputs.append(model.const("size", self.sizes))
        outputs = self.add(model, inputs, "pool")
        for port in self.results:
            model.result(f"y{port}", outputs[port])
        return model

    def add(self, model, inputs, name):
        """Adds the layer to a model. Returns the layer's outputs."""
        kinds = [self.x.element_type, self.index_type()][: len(KNOWN[self.op])]
        outputs = [ir.Output(kind, [-1] * len(self.x.shape)) for kind in kinds]
        return model.layer(self.op, name, self.opset, self.data, inputs, outputs, input_blocks=self.input_blocks)

    def index_type(self):
        word = self.data.get("index_element_type", "i64").lower()
        return word if word in pools.INDEX_TYPES else "i64"

    def trials(self):
        if not self.sizes_at_run_time:
            return [[None]]
        return [[None, np.full(self.sizes.shape, size, np.int64)] for size in (1, 7, LARGEST)]


# ---- faults ----


def opset_without(rng, case):
    case.opset = rng.choice(("opset17", "opset7", "opset99", "opset"))


def attribute_unknown(rng, case):
    case.data[rng.choice(("axis", "pads", "kernel", "foo"))] = "1"


def attribute_misspelt(rng, case):
    name = rng.choice(sorted(KNOWN[case.op]))
    case.data[rng.choice((name[:-1], name.replace("_", "-", 1)))] = "i64"


def type_integer(rng, case):
    case.x.element_type, case.x.kind = rng.choice(ir.INTEGERS), "usual"


def size_below_one(rng, case):
    case.sizes[rng.randrange(len(case.sizes))] = rng.choice((0, -1, -2))


def sizes_wrong_length(rng, case):
    case.sizes = np.append(case.sizes, case.sizes[:1]) if rng.random() < 0.5 or len(case.sizes) == 1 else case.sizes[:-1]


def sizes_wrong_rank(rng, case):
    case.sizes = case.sizes.reshape(1, -1) if rng.random() < 0.7 else case.sizes[0].reshape(())


def sizes_of_other_type(rng, case):
    case.sizes = case.sizes.astype(rng.choice((np.uint8, np.int16, np.uint64, np.float32)))


def output_type_unknown(rng, case):
    case.data["output_type"] = rng.choice(("f32", "i16", ""))


def index_type_unknown(rng, case):
    case.data["index_element_type"] = rng.choice(("u8", "f32", "i16", "", "long"))


def two_input_blocks(_rng, case):
    case.input_blocks = 2


FAULTS = [rank_outside, dim_zero, opset_without, attribute_unknown, attribute_misspelt, type_boolean, type_integer]
FAULTS += [size_below_one, sizes_wrong_length, sizes_wrong_rank, sizes_of_other_type, output_type_unknown, two_input_blocks]


def draw(rng, number):
    op = rng.choice(tuple(KNOWN))
    element_type = rng.choice(ir.INTEGERS if rng.random() < 0.2 else TYPES)
    x = Input("x", element_type, draw_shape(rng, rng.choice((3, 4, 4, 5))), kind=draw_kind(rng, element_type))
    sizes = np.array([rng.choice((rng.randint(1, n), rng.randint(1, n + 4))) for n in x.shape[2:]],
                     rng.choice((np.int32, np.int64)))
    case = AdaptiveCase(number, op, f"opset{rng.randint(8, 16)}", x, sizes, rng.random() < 0.3)
    case.integers_allowed = element_type in ir.INTEGERS and rng.random() < 0.8
    if rng.random() < 0.2:
        case.data["output_type"] = spelled(rng, rng.choice(pools.INDEX_TYPES))
    if op == "AdaptiveMaxPool":
        if rng.random() < 0.85:
            case.data["index_element_type"] = spelled(rng, rng.choice(("i32", "i32", "i32", "i64")))
        case.results = rng.choice(((0,), (0, 1), (0, 1), (1,)))
    if rng.random() < 0.2:
        x.declared = draw_declared(rng, x.shape)
    if rng.random() < 0.25:
        rng.choice(FAULTS + [index_type_unknown] * 2 if op == "AdaptiveMaxPool" else FAULTS)(rng, case)
    return case


# ---- deviations ----


def misspelt_attribute(case):
    return any(one_edit(name, right) for name in set(case.data) - KNOWN[case.op] for right in KNOWN[case.op])


def unusable_sizes(case):
    return case.sizes.dtype.kind in "iu" and bool(np.any(case.sizes.astype(object) < 1))


def one_bin(case):
    return bool((case.sizes == 1).all())


def integers(case):
    return case.x.element_type in (*ir.INTEGERS, "boolean")


DEVIATIONS = [
    # only irrun refuses
    Deviation(
        "misspelt-attributes",
        "IR211",
        "decision 7: an unknown attribute one edit from a known one is an error, the runtime does not know it",
        misspelt_attribute,
    ),
    Deviation(
        "integers", "IR306", "decision 10, 2.8: the pages allow floating-point types only, the runtime any", integers
    ),
    Deviation("sizes", "IR313", "2.6: an output size below 1 gives an empty output in the runtime", unusable_sizes),
    Deviation(
        "size-type",
        "IR313",
        "2.6: the output size has to be of an integer type, the runtime takes any",
        lambda case: case.sizes.dtype.kind == "f",
    ),
    Deviation(
        "size-rank",
        "IR313",
        "2.6: the page has a list for the output size; of tables, the runtime takes those of one element",
        lambda case: case.sizes.ndim > 1 and case.sizes.size == 1,
    ),
    Deviation(
        "empty-input",
        "IR307",
        "1.12, 2.6: bins of an empty axis hold nothing; the runtime returns uninitialised memory",
        lambda case: 0 in case.x.shape[2:],
    ),
    Deviation(
        "output-type",
        "IR207",
        "decision 2: output_type is checked, the runtime does not know it",
        lambda case: case.data.get("output_type", "i64").lower() not in pools.INDEX_TYPES,
    ),
    # only the runtime refuses
    Deviation(
        "i64-indices",
        "runtime",
        "2.6, D17: the runtime does not compile AdaptiveMaxPool with indices of i64, the default",
        lambda case: case.op == "AdaptiveMaxPool" and case.index_type() == "i64",
    ),
    # the values differ
    Deviation(
        "maximum-of-all",
        "values",
        "2.8: with one bin and unused indices the runtime takes a ReduceMax, where -inf never wins and a NaN counts otherwise",
        lambda case: case.op == "AdaptiveMaxPool" and case.x.kind == "special" and case.results == (0,) and one_bin(case),
    ),
    Deviation(
        "mean-of-all",
        "values",
        "2.8: with one bin the runtime takes a ReduceMean, which adds integers in their own type and truncates",
        lambda case: case.op == "AdaptiveAvgPool" and case.x.element_type in ir.INTEGERS and one_bin(case),
    ),
    Deviation(
        "wide-integers",
        "values",
        "2.7, D14, D15: integers are exact, the runtime's pass i32 and f32",
        lambda case: case.x.element_type in ir.INTEGERS and case.x.kind == "wide",
    ),
    F64,
]

FAMILY = Family("adaptive", 22, draw, DEVIATIONS)
