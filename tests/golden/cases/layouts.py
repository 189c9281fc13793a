"""Makes the cases of Reshape-1, Squeeze-1 and -15, Unsqueeze-1, Transpose-1 and Concat-1."""

import dataclasses

import numpy as np

from cases.case import TO_THE_BIT, Case, draw, one, random, typed
from oracle import ir, layouts

OPEN = "the runtime does not compile what has a rank that only a run knows"


def add(model, label, op, sources, items=None, opset="opset1", index_type=np.int64, declared=None, **data):
    """Adds a layer of `op` and its Result. If `items` is given, the last input is a constant with these contents."""
    sources = list(sources)
    if items is not None:
        sources.append(model.const(f"list_{label}", np.array(items, index_type)))
    output = layouts.add_layout(model, op, f"{op}_{label}", sources, (), opset, **data)
    output.shape = declared if declared is not None else shape_of(model, output.layer)
    model.result(label, output)


def shape_of(model, layer):
    contents = [model.constant(source.layer) if source.layer.type == "Const" else None for source in layer.inputs]
    return layouts.OPS[layer.type].shapes(layer, [source.shape for source in layer.inputs], contents)[0]


def types():
    rows = {
        "Reshape": ([0, -1], {"special_zero": "true"}),
        "Squeeze": ([0, -1], {}),
        "Unsqueeze": ([1, -1], {}),
        "Transpose": ([2, 0, 3, 1], {}),
    }
    for op, (items, data) in rows.items():

        def build(model, x, op=op, items=items, data=data):
            add(model, f"y_{x.type}", op, [x], items, **data)

        yield typed(f"{op.lower()}_types", ir.TYPES, [1, 2, 3, 1], build)

    def concat(model, x):
        more = model.const(f"more_{x.type}", draw(random(x.type), x.type, [1, 2, 2, 1]))
        add(model, f"y_{x.type}", "Concat", [x, more, x], axis="-2")

    yield typed("concat_types", ir.TYPES, [1, 2, 3, 1], concat)


def page_examples():
    model, arrays = ir.Model("layout_page_examples"), []

    def row(op, shape, items, expected, opset="opset1", **data):
        label = f"{op.lower()}{len(arrays)}"
        x = model.parameter(f"x{len(arrays)}", "f32", shape)
        arrays.append(draw(random(label), "f32", shape))
        add(model, label, op, [x], items, opset, **data)
        assert tuple(model.layers[-1].inputs[0].shape) == expected, label

    row("Reshape", [2, 5, 5, 0], [0, 4], (0, 4), special_zero="false")
    row("Reshape", [2, 5, 5, 24], [0, -1, 4], (2, 150, 4), special_zero="true")
    row("Reshape", [2, 2, 3], [0, 0, 1, -1], (2, 2, 1, 3), special_zero="true")
    row("Reshape", [3, 1, 1], [-1, 0], (3, 1), special_zero="true")
    row("Reshape", [3, 1, 1], [0, -1], (3, 1), special_zero="true")
    for opset in ("opset1", "opset15"):
        row("Squeeze", [1, 3, 1, 2], [0, 2], (3, 2), opset)
        row("Squeeze", [1], [0], (), opset)
    row("Unsqueeze", [2, 3], [0, 3], (1, 2, 3, 1))
    row("Unsqueeze", [], [0], (1,))
    row("Transpose", [2, 3, 4], [2, 0, 1], (4, 2, 3))
    row("Transpose", [2, 3, 4], [], (4, 3, 2))
    yield Case(model.name, model, arrays)


def reshapes():
    targets = {
        "as_it_is": [2, 3, 4],
        "rest_first": [-1, 4],
        "rest_last": [6, -1],
        "all": [-1],
        "copied": [0, 12],
        "copied_twice": [0, 0, 2, 2],
        "copy_and_rest": [0, -1],
        "ones": [1, 2, 1, 3, 4, 1],
    }

    def build(model, x):
        for i, (label, items) in enumerate(targets.items()):
            index_type = (np.int64, np.int32, np.int16, np.int8)[i % 4]
            add(model, label, "Reshape", [x], items, index_type=index_type, special_zero="true")
        add(model, "without_copies", "Reshape", [x], [3, 8], special_zero="false", index_type=np.uint8)

    yield one("reshape_targets", "f32", [2, 3, 4], build)

    def empty(model, x):
        add(model, "as_zero", "Reshape", [x], [0, 7], special_zero="false")
        add(model, "copied", "Reshape", [x], [0, -1], special_zero="true")
        add(model, "rest_is_nothing", "Reshape", [x], [-1, 5], special_zero="true")

    yield one("reshape_empty", "f32", [0, 3], empty)

    def scalar(model, x):
        add(model, "one", "Reshape", [x], [1], special_zero="true")
        add(model, "rest", "Reshape", [x], [-1, 1], special_zero="false")
        add(model, "none", "Reshape", [x], [], special_zero="true")

    yield one("reshape_scalar", "f32", [], scalar)


def squeezes():
    def build(model, x):
        for opset in ("opset1", "opset15"):
            add(model, f"all_{opset}", "Squeeze", [x], None, opset)
            add(model, f"none_listed_{opset}", "Squeeze", [x], [], opset)
            add(model, f"one_{opset}", "Squeeze", [x], 0, opset)
            add(model, f"from_end_{opset}", "Squeeze", [x], [-1, -3], opset, np.int32)
            add(model, f"not_one_{opset}", "Squeeze", [x], [0, 1], opset)
            add(model, f"twice_{opset}", "Squeeze", [x], [0, -5, 0], opset)
        add(model, "may_skip", "Squeeze", [x], [0, 1], "opset15", allow_axis_skip="true")

    yield one("squeeze_axes", "f32", [1, 3, 1, 2, 1], build)


def unsqueezes():
    def build(model, x):
        for label, items in {"first": [0], "last": [-1], "unsorted": [3, 0, 1], "both_ends": [-1, 0], "scalar": 1}.items():
            add(model, label, "Unsqueeze", [x], items)

    yield one("unsqueeze_axes", "f32", [2, 3], build)


def transposes():
    orders = {"same": [0, 1, 2, 3], "back": [3, 2, 1, 0], "nhwc": [0, 2, 3, 1], "nchw": [0, 3, 1, 2], "inner": [1, 0, 2, 3], "outer": [0, 1, 3, 2]}

    def build(model, x):
        for i, (label, items) in enumerate(orders.items()):
            add(model, label, "Transpose", [x], items, index_type=(np.int64, np.int32, np.uint8)[i % 3])
        add(model, "reversed", "Transpose", [x], [])

    yield one("transpose_orders", "f32", [2, 3, 4, 5], build)

    def large(model, x):
        add(model, "y", "Transpose", [x], [1, 0])

    yield one("transpose_large", "i16", [67, 131], large)


def concats():
    model = ir.Model("concat_axes")
    shapes = {"a": [2, 1, 4], "b": [2, 3, 4], "c": [2, 0, 4]}
    a, b, c = (model.parameter(name, "f32", shape) for name, shape in shapes.items())
    add(model, "one", "Concat", [a], axis="1")
    add(model, "two", "Concat", [a, b], axis="1")
    add(model, "from_end", "Concat", [b, a, b], axis="-2")
    add(model, "with_nothing", "Concat", [c, a, c, b], axis="1")
    add(model, "twice", "Concat", [a, a], axis="0")
    add(model, "last", "Concat", [b, b], axis="2")
    yield Case("concat_axes", model, [draw(random(name), "f32", shape) for name, shape in shapes.items()])


def dynamic():
    model = ir.Model("layouts_dynamic")
    x = model.parameter("x", "f32", "?,1..3,4,-1", declared=[-1, -1, 4, -1])
    add(model, "reshaped", "Reshape", [x], [0, -1, 8], declared=[-1, -1, 8], special_zero="true")
    add(model, "transposed", "Transpose", [x], [3, 0, 2, 1], declared=[-1, -1, 4, -1])
    add(model, "unsqueezed", "Unsqueeze", [x], [2], declared=[-1, -1, 1, 4, -1])
    add(model, "squeezed", "Squeeze", [x], [1], declared=[-1, 4, -1])
    add(model, "joined", "Concat", [x, x], axis="3", declared=[-1, -1, 4, -1])
    yield Case(model.name, model, [draw(random(model.name), "f32", [3, 1, 4, 6])])
    model = ir.Model("lists_at_run_time")
    x = model.parameter("x", "f32", [2, 3, 4])
    target, order = model.parameter("target", "i64", [2]), model.parameter("order", "i32", [3])
    add(model, "reshaped", "Reshape", [x, target], declared=[-1, -1], special_zero="true")
    add(model, "transposed", "Transpose", [x, order], declared=[-1, -1, -1])
    lists = [np.array([0, -1]), np.array([1, 2, 0], np.int32)]
    yield Case(model.name, model, [draw(random(model.name), "f32", [2, 3, 4]), *lists])
    model = ir.Model("ranks_at_run_time")
    x, axes = model.parameter("x", "f32", [1, 3, 1]), model.parameter("axes", "i64", "?", declared=[-1])
    add(model, "squeezed", "Squeeze", [x, axes], declared=())
    add(model, "unsqueezed", "Unsqueeze", [x, axes], declared=())
    yield Case(model.name, model, [draw(random(model.name), "f32", [1, 3, 1]), np.array([0])], exact_because=OPEN)


def all_cases():
    for group in (types, page_examples, reshapes, squeezes, unsqueezes, transposes, concats, dynamic):
        for case in group():
            yield dataclasses.replace(case, options=list(TO_THE_BIT))
