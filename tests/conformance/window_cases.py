"""Draws AvgPool and MaxPool of all versions, valid or with a fault (window_faults.py)."""

import dataclasses

from case import Case, Family, Input, draw_declared, draw_kind, listed, spelled
from oracle import ir, pools, windows
from oracle.windows import AUTO_PADS, ROUNDINGS, Refused, extent
from window_deviations import DEVIATIONS
from window_faults import faults_of

# {op: {version: opsets that have this version}}
VERSIONS = {
    "AvgPool": {1: range(1, 14), 14: range(14, 16), 16: range(16, 17)},
    "MaxPool": {1: range(1, 8), 8: range(8, 14), 14: range(14, 17)},
}
TYPES = ["f32"] * 12 + [*ir.FLOATS[1:], *ir.INTEGERS]


@dataclasses.dataclass
class WindowCase(Case):
    """Holds one pool between a Parameter and one or two Results."""

    number: int
    op: str
    version: int
    opset: str
    x: Input
    data: dict = dataclasses.field(default_factory=dict)  # attributes as text
    results: tuple = (0,)  # outputs that are used
    ports: list = None  # dims that the output ports declare; None: no dims are declared
    ports_wrong: bool = False  # whether one declared dim is wrong

    def parameters(self):
        return [self.x]

    def n_outputs(self):
        return 2 if self.op == "MaxPool" and self.version >= 8 else 1

    def has_dilations(self):
        return self.version >= (16 if self.op == "AvgPool" else 8)

    def model(self):
        return self.build(self.data)

    def reference(self):
        return self.build(self.reference_data())

    def exactly(self):
        return self.op == "MaxPool"

    def reference_data(self):
        """Returns the attributes for the runtime. Without dilations, its version 1.12 crashes or returns uninitialized
        memory, so the default is added."""
        if not self.has_dilations() or self.data.get("dilations"):
            return self.data
        return {**self.data, "dilations": ir.join([1] * len(self.items("kernel") or self.x.shape[2:]))}

    def build(self, data):
        model = ir.Model("random")
        outputs = self.add(model, self.x.add(model), "pool", data)
        for port in self.results:
            model.result(f"y{port}", outputs[port])
        return model

    def add(self, model, source, name, data):
        """Adds the layer to a model. Returns the layer's outputs."""
        kinds = [self.x.element_type, self.index_type()][: self.n_outputs()]
        outputs = [ir.Output(kind, self.ports or [-1] * len(self.x.shape)) for kind in kinds]
        return model.layer(self.op, name, self.opset, data, [source], outputs)

    def shape(self):
        """Returns the outputs' shape in the run, or None if the rules forbid the layer."""
        pool = self.pool()
        try:
            return windows.pool_shape(self.x.shape, pool) if pool else None
        except Refused:
            return None

    def index_type(self):
        word = self.data.get("index_element_type", "i64").lower()
        return word if word in pools.INDEX_TYPES else "i64"

    def items(self, name):
        """Returns the items of a list attribute as integers. Returns None if the attribute is absent or has other
        items."""
        try:
            return [int(item) for item in self.data[name].split(",")]
        except (KeyError, ValueError):
            return None

    def pool(self):
        """Returns the pool that the attributes describe, with the runtime's defaults, or None if they are unusable."""
        zeros = ir.join([0] * (len(self.x.shape) - 2))
        data = {"pads_begin": zeros, "pads_end": zeros, "exclude-pad": "true"}
        given = {name: value for name, value in self.data.items() if value.strip()}
        try:
            return pools.pool_of(ir.Layer(0, "pool", self.op, self.opset, {**data, **given}, [], []))
        except Refused:
            return None


def draw_shape(rng, rank):
    longest = {3: 24, 4: 10}.get(rank, 6)
    return [rng.randint(1, 3), rng.randint(1, 4), *(rng.randint(1, longest) for _ in range(rank - 2))]


def draw_window(rng, case):
    """Draws a window. Most windows fit the input. If an average excludes pads, they are smaller than the window."""
    spatial = case.x.shape[2:]
    exclude_pad = case.op == "AvgPool" and rng.random() < 0.5
    dilated = case.has_dilations() and rng.random() < 0.5
    dilations = [rng.randint(1, 3) if dilated else 1 for _ in spatial]
    kernel = [rng.randint(1, max(1, min((n - 1) // d + rng.choice((1, 1, 1, 2)), 6))) for n, d in zip(spatial, dilations)]
    extents = [extent(k, d) for k, d in zip(kernel, dilations)]
    high = [window - 1 if exclude_pad or rng.random() < 0.8 else window + 3 for window in extents]
    begin, end = ([rng.choice((0, rng.randint(0, most))) for most in high] for _ in range(2))
    values = {"kernel": kernel, "strides": [rng.randint(1, 5) for _ in spatial], "pads_begin": begin, "pads_end": end}
    if dilated or (case.has_dilations() and rng.random() < 0.5):
        values["dilations"] = dilations
    case.data = {name: listed(rng, items) for name, items in values.items()}
    if case.op == "AvgPool":
        case.data["exclude-pad"] = rng.choice((spelled(rng, str(exclude_pad).lower()), str(int(exclude_pad))))


def draw_words(rng, case):
    torch = case.version >= 14
    if rng.random() < 0.75:
        case.data["rounding_type"] = spelled(rng, rng.choice((*ROUNDINGS, "ceil_torch") if torch else (*ROUNDINGS[:2], "ceil")))
    auto_pad = rng.choice(("explicit", *AUTO_PADS))
    if auto_pad != "explicit" or rng.random() < 0.5:
        case.data["auto_pad"] = spelled(rng, auto_pad)


def draw_outputs(rng, case):
    """Draws the attributes for indices of MaxPool-8 and -14, and which outputs are used."""
    rank = len(case.x.shape)
    if rng.random() < 0.7:
        case.data["axis"] = str(rng.randint(-rank, rank - 1))
    if rng.random() < 0.7:
        case.data["index_element_type"] = spelled(rng, rng.choice(pools.INDEX_TYPES))
    case.results = rng.choice(((0,), (0, 1), (0, 1), (1,)))


def draw_ports(rng, case):
    """Draws declared dims. A wrong dim is one more than the size. If the size is open, it is 0, which no interval
    contains."""
    shape = case.shape()
    if not shape or not (case.ports_wrong or rng.random() < 0.3):
        return
    case.ports = [n if rng.random() < 0.6 else -1 for n in shape]
    if case.ports_wrong:
        axis = rng.randrange(len(shape))
        case.ports[axis] = 0 if case.x.declared else shape[axis] + 1


def draw_valid(rng, number, op, x):
    """Draws a pool on x. Nearly all are valid, but some kernels do not fit."""
    version = rng.choice(tuple(VERSIONS[op]))
    case = WindowCase(number, op, version, f"opset{rng.choice(VERSIONS[op][version])}", x)
    draw_window(rng, case)
    draw_words(rng, case)
    if case.n_outputs() == 2:
        draw_outputs(rng, case)
    return case


def draw(rng, number):
    op = rng.choice(tuple(VERSIONS))
    element_type = rng.choice(TYPES + ["boolean"] if op == "MaxPool" else TYPES)
    x = Input("x", element_type, draw_shape(rng, rng.choice((3, 4, 4, 5))), kind=draw_kind(rng, element_type))
    case = draw_valid(rng, number, op, x)
    if rng.random() < 0.2:
        x.declared = draw_declared(rng, x.shape)
    if rng.random() < 0.25:
        rng.choice(faults_of(case))(rng, case)
    draw_ports(rng, case)
    return case


FAMILY = Family("windows", 60, draw, DEVIATIONS)
