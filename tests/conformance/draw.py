"""Draws random AvgPool-1 and AdaptiveAvgPool-8 models, valid ones and ones with a fault."""

import dataclasses
import random

import numpy as np

from oracle import exact, ir, pools
from oracle.exact import Pool

LISTS = ("kernel", "strides", "pads_begin", "pads_end")
TYPES = ["f32"] * 12 + [*ir.FLOATS[1:], *ir.INTEGERS]


@dataclasses.dataclass
class Case:
    """One layer between Parameters and a Result."""

    number: int
    op: str
    opset: str
    element_type: str
    shape: list
    data: dict  # attributes as text
    declared: list = None  # dims of the Parameter as text, when some are known at run time only
    wide: bool = False  # integers over the whole range of their type, f64 values beyond f32
    sizes: np.ndarray = None  # second input of AdaptiveAvgPool
    sizes_at_run_time: bool = False
    input_blocks: int = 1

    def model(self):
        model = ir.Model("random")
        inputs = [self.parameter(model)]
        if self.sizes is not None and self.sizes_at_run_time:
            inputs.append(model.parameter("size", ir.type_of(self.sizes), self.sizes.shape))
        elif self.sizes is not None:
            inputs.append(model.const("size", self.sizes))
        # The output declares nothing, so that its shape has to be inferred.
        output = ir.Output(self.element_type, [-1] * len(self.shape))
        y = model.layer(self.op, "pool", self.opset, self.data, inputs, output, input_blocks=self.input_blocks)
        model.result("y", y)
        return model

    def parameter(self, model):
        if not self.declared:
            return model.parameter("x", self.element_type, self.shape)
        dims = [int(dim) if dim.isdigit() else -1 for dim in self.declared]
        return model.parameter("x", self.element_type, ir.join(self.declared), declared=dims)

    def inputs(self, seed):
        rng = np.random.default_rng([seed, self.number])
        dtype = ir.dtype_of(self.element_type)
        if dtype.kind == "b":
            x = rng.integers(0, 2, self.shape).astype(dtype)
        elif dtype.kind in "iu":
            limits = np.iinfo(dtype)
            small = dtype.itemsize > 2 and not self.wide
            low, high = (max(limits.min, -1000), 1000) if small else (limits.min, limits.max)
            x = rng.integers(low, high, self.shape, dtype, endpoint=True)
        else:
            x = (rng.standard_normal(self.shape) * (1e200 if self.wide else 1)).astype(dtype)
        return [x, self.sizes] if self.sizes_at_run_time else [x]

    def items(self, name):
        """Items of a list attribute as integers; None when it is missing or not such a list."""
        try:
            return [int(item) for item in self.data[name].split(",")]
        except (KeyError, ValueError):
            return None

    def pool(self):
        """The attributes with the runtime's defaults; None when they are not usable."""
        spatial = len(self.shape) - 2
        defaults = {"pads_begin": [0] * spatial, "pads_end": [0] * spatial}
        lists = [self.items(name) if name in self.data else defaults.get(name) for name in LISTS]
        if self.op != "AvgPool" or None in lists:
            return None
        exclude_pad = self.data.get("exclude-pad", "true").lower() not in ("false", "0")
        rounding_type = self.data.get("rounding_type", "floor").lower()
        return Pool(*lists, exclude_pad, rounding_type, self.data.get("auto_pad", "explicit").lower())

    def evaluate(self, x):
        if self.op == "AvgPool":
            return exact.avg_pool(x, self.pool())
        return exact.adaptive_avg_pool(x, self.sizes)

    def text(self):
        fields = dataclasses.asdict(self)
        if self.sizes is not None:
            fields["sizes"] = f"{ir.type_of(self.sizes)}{list(self.sizes.shape)} {self.sizes.tolist()}"
        return ", ".join(f"{name}={value}" for name, value in fields.items() if value not in (None, False))


def draw_shape(rng, rank):
    longest = {3: 24, 4: 10}.get(rank, 6)
    return [rng.randint(1, 3), rng.randint(1, 4), *(rng.randint(1, longest) for _ in range(rank - 2))]


def listed(rng, values):
    """The list as a file may spell it."""
    return rng.choice((",", ",", ", ", " ,")).join(str(value) for value in values)


def draw_pool(rng, case):
    spatial = case.shape[2:]
    auto_pad = rng.choice(("explicit", "explicit", "same_upper", "same_lower", "valid"))
    exclude_pad = rng.random() < 0.5
    kernel = [rng.randint(1, min(n + 1, 6)) for n in spatial]
    high = [k - 1 if exclude_pad or rng.random() < 0.8 else k + 3 for k in kernel]
    begin, end = ([rng.choice((0, rng.randint(0, most))) for most in high] for _ in range(2))
    values = (kernel, [rng.randint(1, 5) for _ in spatial], begin, end)
    case.data = {name: listed(rng, items) for name, items in zip(LISTS, values)}
    case.data["exclude-pad"] = rng.choice((str(exclude_pad).lower(), str(exclude_pad), str(int(exclude_pad))))
    if rng.random() < 0.7:
        case.data["rounding_type"] = rng.choice(("floor", "ceil", "ceil", "CEIL"))
    if auto_pad != "explicit" or rng.random() < 0.5:
        case.data["auto_pad"] = rng.choice((auto_pad, auto_pad.upper()))
    case.opset = f"opset{rng.randint(1, 13)}"


def draw_adaptive(rng, case):
    spatial = case.shape[2:]
    case.element_type = rng.choice((*ir.FLOATS, "f32", "f32", "f32", "i8"))
    sizes = [rng.choice((rng.randint(1, n), rng.randint(1, n + 4))) for n in spatial]
    case.sizes = np.array(sizes, rng.choice((np.int32, np.int64)))
    case.sizes_at_run_time = rng.random() < 0.3
    case.opset = f"opset{rng.randint(8, 16)}"
    if rng.random() < 0.2:
        case.data["output_type"] = rng.choice(("i32", "i64"))


def draw_declared(rng, case):
    """Each dim known, bounded or open; the run's own lies within."""
    case.declared = [
        rng.choice((str(n), str(n), "?", f"{rng.randint(0, n)}..{n + rng.randint(1, 5)}", f"{rng.randint(0, n)}..", f"..{n}"))
        for n in case.shape
    ]


# Faults of both ops, of AvgPool, of AdaptiveAvgPool. Each changes a valid case.


def rank_outside(rng, case):
    case.shape = case.shape[:2] if rng.random() < 0.5 else case.shape + [2] * (6 - len(case.shape))


def dim_zero(rng, case):
    case.shape[rng.randrange(len(case.shape))] = 0


def opset_without(rng, case):
    case.opset = rng.choice(("opset17", "opset7" if case.op == "AdaptiveAvgPool" else "opset17", "opset99", "opset"))


def attribute_unknown(rng, case):
    case.data[rng.choice(("dilations", "pads", "kernel_size", "foo"))] = "1"


def type_boolean(rng, case):
    case.element_type = "boolean"


def item_out_of_range(rng, case):
    name = rng.choice(LISTS)
    items = case.items(name)
    low = -1 if name.startswith("pads") else rng.choice((0, -1))
    items[rng.randrange(len(items))] = low
    case.data[name] = ir.join(items)


def kernel_too_large(rng, case):
    items = case.items("kernel")
    axis = rng.randrange(len(items))
    pad = 0 if case.data.get("auto_pad", "explicit").lower() != "explicit" else case.items("pads_begin")[axis] + case.items("pads_end")[axis]
    items[axis] = case.shape[2 + axis] + pad + rng.randint(1, 3)
    case.data["kernel"] = ir.join(items)


def pad_too_large(rng, case):
    name = rng.choice(("pads_begin", "pads_end"))
    items = case.items(name)
    axis = rng.randrange(len(items))
    items[axis] = case.items("kernel")[axis] + rng.randint(0, 2)
    case.data[name] = ir.join(items)


def wrong_length(rng, case):
    name = rng.choice(LISTS)
    items = case.items(name)
    case.data[name] = ir.join(items + [1] if rng.random() < 0.5 or len(items) == 1 else items[:-1])


def attribute_missing(rng, case):
    del case.data[rng.choice((*LISTS, "exclude-pad"))]


def attribute_misspelt(rng, case):
    name = rng.choice((*LISTS, "exclude-pad"))
    wrong = {"kernel": "kernels", "strides": "stride", "exclude-pad": "exclude_pad"}.get(name, name.replace("_", "-"))
    case.data[wrong] = case.data.pop(name)


def list_unreadable(rng, case):
    name = rng.choice(LISTS)
    text = ir.join(case.items(name))
    case.data[name] = rng.choice((text + "x", text + ".5", text + ",", "," + text, "+" + text, "", "abc", text.replace(",", ";") + ";"))


def word_unreadable(rng, case):
    name = rng.choice(("rounding_type", "auto_pad", "exclude-pad"))
    words = {
        "rounding_type": ("ceil_torch", "round", "", " floor"),
        "auto_pad": ("notset", "same", "", "valid "),
        "exclude-pad": ("yes", "2", "", "no"),
    }
    case.data[name] = rng.choice(words[name])


def stride_huge(rng, case):
    items = case.items("strides")
    items[rng.randrange(len(items))] = rng.choice((1000, 2**31, 2**32, 2**33 + 1, 2**62))
    case.data["strides"] = ir.join(items)


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


def type_integer(rng, case):
    case.element_type = rng.choice(ir.INTEGERS)


def two_input_blocks(rng, case):
    case.input_blocks = 2


COMMON_FAULTS = [rank_outside, dim_zero, opset_without, attribute_unknown, type_boolean]
FAULTS = {
    "AvgPool": COMMON_FAULTS
    + [item_out_of_range] * 3
    + [kernel_too_large] * 3
    + [pad_too_large] * 2
    + [wrong_length] * 3
    + [attribute_missing] * 2
    + [attribute_misspelt, list_unreadable, word_unreadable, stride_huge],
    "AdaptiveAvgPool": COMMON_FAULTS
    + [size_below_one, sizes_wrong_length, sizes_wrong_rank, sizes_of_other_type]
    + [output_type_unknown, type_integer, two_input_blocks],
}


def draw(seed, number):
    """The same case for the same two numbers."""
    rng = random.Random(f"{seed}:{number}")
    op = "AvgPool" if rng.random() < 0.65 else "AdaptiveAvgPool"
    case = Case(number, op, "", rng.choice(TYPES), draw_shape(rng, rng.choice((3, 4, 4, 5))), {})
    (draw_pool if op == "AvgPool" else draw_adaptive)(rng, case)
    wide_types = ("f64", "i32", "u32", "i64", "u64")
    case.wide = case.element_type in wide_types and rng.random() < 0.4
    if rng.random() < 0.35:
        rng.choice(FAULTS[op])(rng, case)
    if rng.random() < 0.15:
        draw_declared(rng, case)
    return case
