"""Draws chains of small ops that compute a shape from an input's shape, as in exported models.
Sizes are scaled in floats and rounded, chosen, counted, and put into lists. The runtime infers the models with open
sizes, and with a size for each open one. The latter must lie in irrun's intervals."""

import openvino as ov
from openvino import opset8, opset16 as ops
from openvino.utils.node_factory import NodeFactory

from deviations import LESS
from draw_shapes import constant, open_dim

FLOATS = ["f32", "f32", "f32", "f16"]
SCALES = [0.5, 2.0, 0.25, 1.5, 0.33333334, 1.0, 3.0, 0.0625, 0.1]
FACTORS = [1, 2, 3, 4, 8, 16, 32]


def create(op, inputs, attributes=None, opset=8):
    return NodeFactory(f"opset{opset}").create(op, [node.output(0) for node in inputs], attributes or {})


class Chain:
    """Holds a list of numbers under construction. `node` is the last op, with `length` numbers of type `kind`, or a
    scalar if `length` is None."""

    def __init__(self, rng):
        self.rng = rng
        sizes = [rng.choice((1, 2, 3, 5, 8, 17, 64, 300)) for _ in range(rng.randint(2, 4))]
        dims = [open_dim(rng, size) if rng.random() < 0.6 else ov.Dimension(size) for size in sizes]
        self.x = ops.parameter(ov.PartialShape(dims), ov.Type.f32)
        self.sizes = sizes
        self.kind = rng.choice(("i64", "i32"))
        self.shape = ops.shape_of(self.x, self.kind)
        self.node, self.length = self.shape, len(sizes)

    def set(self, node, kind=None, length=0):
        self.node, self.kind = node, kind or self.kind
        self.length = self.length if length == 0 else length

    def is_float(self):
        return self.kind in FLOATS

    def numbers(self, choices):
        """Returns a Constant operand: as long as the list, or one number."""
        count = self.length if self.rng.random() < 0.4 and self.length else 1
        return constant([self.rng.choice(choices) for _ in range(count)] if self.rng.random() < 0.8 else self.rng.choice(choices), self.kind)

    def other(self):
        """Returns another list of the same kind and length."""
        node = self.shape if self.kind in ("i32", "i64") and self.length == len(self.sizes) else None
        same = node is not None and node.get_output_element_type(0) == self.node.get_output_element_type(0)
        return node if same and self.rng.random() < 0.5 else constant([self.rng.choice(FACTORS) for _ in range(self.length or 1)], self.kind)


# ---- links of a chain ----


def in_floats(rng, chain):
    """Converts the list to floats, scales and rounds it, and converts it back."""
    back = chain.kind if not chain.is_float() else "i64"
    if not chain.is_float():
        kind = rng.choice(FLOATS)
        if kind == "f16":
            chain.set(ops.minimum(chain.node, constant(1000, chain.kind)))
        chain.set(ops.convert(chain.node, kind), kind)
    scales = chain.numbers(SCALES)
    op = rng.choice(("Multiply", "Multiply", "Divide", "Add", "Subtract"))
    chain.set(create(op, [chain.node, scales] if rng.random() < 0.85 or op != "Divide" else [scales, chain.node]))
    for op in rng.sample(("Floor", "Ceiling", "Round", "Sqrt", "Abs", "Relu"), rng.randint(0, 2)):
        chain.set(create(op, [chain.node], {"mode": rng.choice(("half_to_even", "half_away_from_zero"))} if op == "Round" else {}))
    if rng.random() < 0.8:
        chain.set(ops.convert(chain.node, back), back)


def arithmetic(rng, chain):
    compute(rng, chain, rng.choice(("Add", "Subtract", "Multiply", "Divide", "Maximum", "Minimum")))


def remainder(rng, chain):
    if not chain.is_float():
        compute(rng, chain, rng.choice(("Mod", "FloorMod")))


def compute(rng, chain, op):
    chain.set(create(op, [chain.node, chain.numbers(FACTORS)] if rng.random() < 0.8 or op == "Subtract" else [chain.node, chain.other()]))


def gather(rng, chain):
    if not chain.length:
        return
    if rng.random() < 0.3:
        chain.set(ops.gather(chain.node, constant(rng.randrange(chain.length)), constant(0)))
        chain.set(ops.unsqueeze(chain.node, constant(0)), length=1)
        return
    indices = [rng.randrange(-chain.length, chain.length) for _ in range(rng.randint(1, 4))]
    chain.set(ops.gather(chain.node, constant(indices), constant(0)), length=len(indices))


def slices(rng, chain):
    if chain.length < 2:
        return
    begin = rng.randrange(chain.length - 1)
    end = rng.randint(begin + 1, chain.length)
    lists = [constant([number]) for number in (begin, end, 1)]
    node = ops.slice(chain.node, *lists) if rng.random() < 0.5 else ops.strided_slice(chain.node, *lists, [0], [0])
    chain.set(node, length=end - begin)


def concat(rng, chain):
    if chain.length > 4:
        return
    nodes = [chain.node, constant([rng.choice(FACTORS) for _ in range(rng.randint(1, 2))], chain.kind)]
    rng.shuffle(nodes)
    chain.set(ops.concat(nodes, 0), length=sum(node.get_output_shape(0)[0] for node in nodes))


def reduction(rng, chain):
    op = rng.choice(("ReduceProd", "ReduceMax", "ReduceMin", *(() if chain.is_float() else ("ReduceSum",))))
    chain.set(create(op, [chain.node, constant([0])], {"keep_dims": True}), length=1)


def tile(rng, chain):
    times = rng.randint(1, 2)
    if chain.length * times <= 6:
        chain.set(ops.tile(chain.node, constant([times])), length=chain.length * times)


def clamp(rng, chain):
    least = rng.choice((-3, 0, 1, 16))
    chain.set(ops.clamp(chain.node, float(least), float(least + rng.choice((0, 3, 200, 1e20)))))


def pad(rng, chain):
    begin, end = rng.randint(0, 1), rng.randint(-1, 2)
    if 1 <= chain.length + begin + end <= 6 and chain.length > 1:
        mode = rng.choice(("constant", "edge", "reflect", "symmetric"))
        value = constant(rng.choice(FACTORS), chain.kind) if mode == "constant" else None
        chain.set(ops.pad(chain.node, constant([begin]), constant([end]), mode, value), length=chain.length + begin + end)


def scatter(rng, chain):
    count = rng.randint(1, min(2, chain.length))
    places = rng.sample(range(chain.length), count)
    updates = constant([rng.choice(FACTORS) for _ in places], chain.kind)
    form = rng.randrange(3)
    if form == 0:
        chain.set(ops.scatter_update(chain.node, constant(places), updates, constant(0)))
    elif form == 1:
        chain.set(ops.scatter_elements_update(chain.node, constant(places), updates, constant(0)))
    else:
        chain.set(create("ScatterNDUpdate", [chain.node, constant([[place] for place in places]), updates]))


def choose(rng, chain):
    test = create(rng.choice(("Greater", "Less", "Equal", "GreaterEqual", "NotEqual", "LessEqual")), [chain.node, chain.numbers(FACTORS)])
    if rng.random() < 0.3:
        test = create("LogicalNot", [test])
    chain.set(ops.select(test, chain.other(), chain.node))


def places(rng, chain):
    """Selects elements by the positions at which a constant is not 0."""
    kept = [int(rng.random() < 0.6) for _ in range(chain.length)]
    if any(kept):
        indices = ops.squeeze(ops.non_zero(constant(kept)), constant([0]))
        chain.set(ops.gather(chain.node, indices, constant(0)), length=sum(kept))


def split(rng, chain):
    if chain.length < 2:
        return
    first = rng.randint(1, chain.length - 1)
    node = ops.variadic_split(chain.node, constant(0), constant([first, -1]))
    at = rng.randrange(2)
    chain.set(ops.concat([node.output(at)], 0), length=first if at == 0 else chain.length - first)


def reshapes(rng, chain):
    rows = ops.broadcast(chain.node, constant([2, chain.length])) if chain.length <= 3 and rng.random() < 0.5 else None
    if rows is None:
        chain.set(ops.reshape(ops.unsqueeze(chain.node, constant(0)), constant([-1]), False))
    else:
        rows = ops.transpose(rows, constant([1, 0]))
        chain.set(create("ReduceMin", [rows, constant([1])], {"keep_dims": False}))


LINKS = [in_floats] * 3 + [arithmetic] * 2
LINKS += [gather, slices, concat, reduction, tile, clamp, pad, places, scatter, choose, split, reshapes]


# ---- uses of the computed list ----


def draw(rng, first=None):
    chain = Chain(rng)
    if first:
        first(rng, chain)
    for _ in range(rng.randint(1, 5)):
        rng.choice(LINKS)(rng, chain)
    if chain.is_float() and rng.random() < 0.3 and chain.length <= 3:
        image = ops.parameter([1] * chain.length, ov.Type.f32)
        node = NodeFactory("opset11").create(
            "Interpolate",
            [image.output(0), ops.convert(ops.absolute(chain.node), "f32").output(0)],
            {"mode": "nearest", "shape_calculation_mode": "scales", "coordinate_transformation_mode": "half_pixel"},
        )
        return ov.Model([ops.result(node)], [chain.x, image], "chain"), {chain.x: chain.sizes}
    target = chain.node if chain.kind in ("i32", "i64") else ops.convert(chain.node, "i64")
    node = opset8.broadcast(ops.constant(0.0, ov.Type.f32), target)
    return ov.Model([ops.result(node)], [chain.x], "chain"), {chain.x: chain.sizes}


DRAWS = {"chains": draw, "chains of remainders": lambda rng: draw(rng, remainder)}
DEVIATIONS = [
    ("looser", "chains of remainders", "FloorMod", LESS, "the runtime takes the remainders of the ends of an interval for its ends"),
    (
        "error",
        "chains of remainders",
        "Divide.*Interpolate",
        r"^IR322: element \d of 'scales_or_sizes' is nan, expected a scale",
        "the runtime makes a size of a scale that is no number",
    ),
]
