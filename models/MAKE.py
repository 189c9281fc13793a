#!/usr/bin/env python3
"""Makes every model in this folder, and checks that OpenVINO reads each.

    $(tests/venv.sh build/venv) models/MAKE.py
"""

import pathlib
import sys
import tempfile

import numpy as np
import openvino
from openvino import opset1, opset8

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from oracle import files, ir, pages, pools  # noqa: E402
from oracle.pools import add_avg_pool, add_max_pool, one_adaptive, one_pool  # noqa: E402
from oracle.windows import Pool  # noqa: E402

# {model that OpenVINO does not read: reason}
UNREADABLE = {"spec/P6": "two <input> blocks in one layer, as its page prints them"}


def avg_pools():
    half = Pool([2, 2], [2, 2], [0, 0], [0, 0], True)
    same = Pool([3, 3], [1, 1], [0, 0], [0, 0], False, auto_pad="same_lower")
    overhang = Pool([3, 3], [2, 2], [1, 1], [1, 1], False, "ceil")
    return {
        "rank3": one_pool("One spatial axis", "f32", [1, 2, 9], Pool([3], [2], [1], [0], True)),
        "rank5": one_pool(
            "Three spatial axes", "f32", [1, 1, 4, 6, 6], Pool([2, 3, 3], [2, 2, 1], [0, 1, 1], [0, 1, 1], True)
        ),
        "asymmetric_pads": one_pool(
            "Other pads at each side", "f32", [1, 1, 5, 7], Pool([3, 4], [2, 3], [2, 0], [1, 3], True)
        ),
        "include_pad": one_pool(
            "Pads count as zeros: every window divides by 9", "f32", [1, 1, 5, 5], Pool([3, 3], [1, 1], [1, 1], [1, 1], False)
        ),
        "ceil_overhang": one_pool(
            "rounding_type ceil with pads that count: the last window reaches past the end padding",
            "f32",
            [1, 1, 6, 6],
            overhang,
        ),
        "same_lower": one_pool("auto_pad same_lower keeps the size at stride 1", "f32", [1, 1, 5, 5], same),
        "window_without_input": one_pool(
            "The last window holds padding only; its average is 0", "f32", [1, 1, 4], Pool([2], [3], [1], [1], True, "ceil")
        ),
        "f16": one_pool("Element type f16", "f16", [1, 2, 6, 6], half),
        "bf16": one_pool("Element type bf16", "bf16", [1, 2, 6, 6], half),
        "i8": one_pool("Integer averages are rounded half to even", "i8", [1, 2, 6, 6], half),
        "i64": one_pool("Exact averages of 64-bit integers", "i64", [1, 2, 6, 6], half),
        "ir_v10": version_10(half),
        "two_branches": two_branches(),
        "any_order": any_order(half),
        "dynamic": dynamic(),
        "ceil_torch": newer_avg_pool(
            "AvgPool-14: ceil_torch drops the last window where it would begin in the end padding",
            "opset14",
            [1, 1, 5, 5],
            Pool([2, 2], [2, 2], [1, 1], [1, 1], True, "ceil_torch"),
        ),
        "dilations": newer_avg_pool(
            "AvgPool-16: every other element under a window of 3x3",
            "opset16",
            [1, 1, 9, 9],
            Pool([3, 3], [2, 2], [1, 1], [1, 1], True, "ceil_torch", dilations=[2, 2]),
        ),
    }


def newer_avg_pool(comment, opset, shape, pool):
    model = ir.Model("pool", 11, comment)
    x = model.parameter("x", "f32", shape)
    model.result("y", add_avg_pool(model, "pool", x, pool, opset=opset))
    return model


def max_pools():
    half = Pool([2, 2], [2, 2], [0, 0], [0, 0], None)
    padded = Pool([3, 3], [2, 2], [1, 1], [1, 1], None)
    dilated = Pool([2, 2], [1, 1], [1, 1], [1, 1], None, dilations=[2, 2])
    torch = Pool([3, 3], [2, 2], [1, 1], [1, 1], None, "ceil_torch", dilations=[1, 1])
    empty = Pool([2], [2], [1], [1], None, "ceil")
    same = Pool([3, 3], [1, 1], [0, 0], [0, 0], None, auto_pad="same_upper", dilations=[2, 1])
    return {
        "values": one_max_pool("MaxPool-1 has the values alone", "opset1", "f32", [1, 2, 6, 6], half),
        "padded": one_max_pool("Padding never wins", "opset1", "f32", [1, 1, 7, 7], padded),
        "u8": one_max_pool("Integers", "opset7", "u8", [1, 2, 6, 6], half),
        "indices": one_max_pool("MaxPool-8: where each maximum is, in the whole tensor", "opset8", "f32", [2, 3, 4, 4], half),
        "indices_in_plane": one_max_pool(
            "Indices from axis 2 on: within a channel; i32", "opset13", "f32", [1, 2, 6, 6], half, axis=2, index_element_type="i32"
        ),
        "dilations": one_max_pool("Windows with gaps", "opset8", "f16", [1, 1, 6, 6], dilated, axis=-2),
        "ceil_torch": one_max_pool("MaxPool-14, as PyTorch's exporter writes it", "opset14", "f32", [1, 2, 8, 8], torch, axis=2),
        "same_upper": one_max_pool("auto_pad with dilations", "opset14", "bf16", [1, 1, 5, 6], same),
        "window_without_input": one_max_pool(
            "The last window holds padding only; its maximum is the lowest number", "opset8", "f32", [1, 1, 5], empty
        ),
        "dynamic": dynamic_max_pool(),
    }


def one_max_pool(comment, opset, element_type, shape, pool, **data):
    model = ir.Model("pool", 11, comment)
    x = model.parameter("x", element_type, shape)
    outputs = add_max_pool(model, "pool", x, pool, opset, **data)
    for name, output in zip(("y", "indices"), outputs if isinstance(outputs, list) else [outputs]):
        model.result(name, output)
    return model


def dynamic_max_pool():
    model = ir.Model("dynamic", 11, "An image of any size; the table shows what is known of each shape")
    image = model.parameter("image", "f32", "1,3,32..640,?", declared=(1, 3, -1, -1))
    open_dims = (1, 3, -1, -1)
    values, _ = add_max_pool(model, "pool", image, Pool([3, 3], [2, 2], [1, 1], [1, 1], None), "opset8", declared=open_dims)
    pool = Pool([2, 2], [2, 2], [0, 0], [0, 0], True)
    model.result("y", add_avg_pool(model, "average", values, pool, declared=open_dims))
    return model


def adaptive_max_pools():
    return {
        "indices": one_adaptive_max("Bins and where their maxima are, within a channel", "f32", [1, 2, 5, 7], [2, 3]),
        "rank5": one_adaptive_max("Three spatial axes, i32 indices", "f16", [1, 1, 4, 6, 5], [2, 3, 2], "i32"),
        "larger_output": one_adaptive_max("The output may be larger than the input", "bf16", [1, 1, 3], [5]),
    }


def one_adaptive_max(comment, element_type, shape, sizes, index_type="i64"):
    model = ir.Model("adaptive", 11, comment)
    x = model.parameter("x", element_type, shape)
    size = model.const("size", np.array(sizes, np.int64))
    data = {"index_element_type": index_type}
    declared = (*shape[:2], *sizes)
    values, indices = pools.add_adaptive(model, "pool", x, size, declared, "AdaptiveMaxPool", data=data)
    model.result("y", values)
    model.result("indices", indices)
    return model


def adaptive_pools():
    return {
        "divides": one_adaptive("Bins of one size: 8 into 4", "f32", [1, 2, 8, 8], [4, 4]),
        "overlapping": one_adaptive("Bins overlap where the size does not divide: 7 into 4", "f32", [1, 1, 5, 7], [3, 4]),
        "larger_output": one_adaptive("The output may be larger than the input", "f32", [1, 1, 3, 4], [5, 6]),
        "rank3": one_adaptive("One spatial axis; the size is an i32 constant", "f32", [1, 2, 9], [4], "i32"),
        "rank5": one_adaptive("Three spatial axes", "f32", [1, 1, 4, 6, 5], [2, 3, 2]),
        "size_at_run_time": pools.one_adaptive_at_run_time("The output size is an input of the model", "f32", [1, 2, 6, 9]),
    }


def networks():
    return {
        "spatial_pyramid": spatial_pyramid(),
        "lp_pool": lp_pool(),
        "global_pools": global_pools(),
        "pool_mixer": pool_mixer(),
        "digits": digits(),
        "residual": residual(),
        "repeater": repeater(),
    }


def spatial_pyramid():
    """Makes a row of 84 features from an image of any size: the maxima of 1, 4 and 16 bins in each of 4 channels."""
    model = ir.Model("spatial_pyramid", 11, "Maxima of 1, 4 and 16 bins in a row of 84 features, for images of any size")
    image = model.parameter("image", "f32", "?,4,8..64,?", declared=(-1, 4, -1, -1))
    torch = Pool([3, 3], [2, 2], [1, 1], [1, 1], None, "ceil_torch", dilations=[1, 1])
    values, _ = add_max_pool(model, "pool", image, torch, "opset14", declared=(-1, 4, -1, -1), axis=2)
    target = model.const("target", np.array([0, -1]))
    rows = []
    for n in (1, 2, 4):
        size = model.const(f"size{n}", np.array([n, n]))
        data = {"index_element_type": "i32"}
        bins, _ = pools.add_adaptive(model, f"bins{n}", values, size, (-1, 4, n, n), "AdaptiveMaxPool", data=data)
        row = ir.Output("f32", (-1, 4 * n * n))
        rows.append(model.layer("Reshape", f"row{n}", "opset1", {"special_zero": "true"}, [bins, target], row))
    features = model.layer("Concat", "features", "opset1", {"axis": 1}, rows, ir.Output("f32", (-1, 84)))
    model.result("y", model.layer("ReLU", "relu", "opset1", {}, [features], ir.Output("f32", (-1, 84))))
    return model


def lp_pool():
    """Computes sqrt(sum of x^2) over each window, as converters write LpPool: Abs, Power 2, AvgPool, Multiply by the
    window's volume, Power 1/2."""
    model = ir.Model("lp_pool", 11, "LpPool, as a converter writes it: Abs, Power, AvgPool, Multiply, Power")
    x = model.parameter("x", "f32", [1, 2, 5, 5])
    two, volume, half = (model.const(name, np.array(v, np.float16)) for name, v in (("p", 2), ("volume", 4), ("half", 0.5)))
    two, volume, half = (as_f32(model, constant) for constant in (two, volume, half))
    numpy = {"auto_broadcast": "numpy"}
    shape, pooled = (1, 2, 5, 5), (1, 2, 4, 4)
    absolute = model.layer("Abs", "abs", "opset1", {}, [x], ir.Output("f32", shape))
    powers = model.layer("Power", "power", "opset1", numpy, [absolute, two], ir.Output("f32", shape))
    averages = add_avg_pool(model, "average", powers, Pool([2, 2], [1, 1], [0, 0], [0, 0], False))
    sums = model.layer("Multiply", "sum", "opset1", numpy, [averages, volume], ir.Output("f32", pooled))
    model.result("y", model.layer("Power", "root", "opset1", numpy, [sums, half], ir.Output("f32", pooled)))
    return model


def as_f32(model, constant):
    name = f"{constant.layer.name}_f32"
    return model.layer("Convert", name, "opset1", {"destination_type": "f32"}, [constant], ir.Output("f32", constant.shape))


def global_pools():
    """Puts the mean and the maximum of each channel side by side."""
    model = ir.Model("global_pools", 11, "Channels last: mean and maximum of each channel, added to a bias")
    x = model.parameter("x", "f32", [1, 6, 6, 3])
    order = model.const("order", np.array([0, 3, 1, 2]))
    axes = model.const("axes", np.array([2, -1]))
    last = model.const("last", np.array([-1]))
    bias = model.const("bias", np.array([[0.5], [-0.5], [0]], np.float32))
    keep = {"keep_dims": "false"}
    planes = model.layer("Transpose", "planes", "opset1", {}, [x, order], ir.Output("f32", (1, 3, 6, 6)))
    columns = []
    for op in ("ReduceMean", "ReduceMax"):
        reduced = model.layer(op, op, "opset1", keep, [planes, axes], ir.Output("f32", (1, 3)))
        column = model.layer("Unsqueeze", f"{op}_column", "opset1", {}, [reduced, last], ir.Output("f32", (1, 3, 1)))
        columns.append(column)
    both = model.layer("Concat", "both", "opset1", {"axis": -1}, columns, ir.Output("f32", (1, 3, 2)))
    model.result("y", model.layer("Add", "add", "opset1", {}, [both, bias], ir.Output("f32", (1, 3, 2))))
    return model


def pool_mixer():
    """Makes a network of twelve blocks in three stages. A block adds to each point the difference between the mean
    around the point and the point itself."""
    model = ir.Model("pool_mixer", 11, "A network that mixes points by pools, as PoolFormer does: more layers than a table shows")
    x = model.parameter("image", "f32", [1, 3, 32, 32])
    minus = model.const("minus", np.array([[[[-1]]]], np.float32))
    mixer, smaller = Pool([3, 3], [1, 1], [1, 1], [1, 1], True), Pool([2, 2], [2, 2], [0, 0], [0, 0], None)
    for stage in range(3):
        for block in range(4):
            name = f"stages.{stage}/blocks.{block}"
            around = add_avg_pool(model, f"{name}/token_mixer/pool", x, mixer)
            itself = model.layer("Multiply", f"{name}/token_mixer/minus", "opset1", {}, [x, minus], ir.Output("f32", x.shape))
            mixed = model.layer("Add", f"{name}/token_mixer/sub", "opset1", {}, [around, itself], ir.Output("f32", x.shape))
            summed = model.layer("Add", f"{name}/add", "opset1", {}, [x, mixed], ir.Output("f32", x.shape))
            x = model.layer("ReLU", f"{name}/act", "opset1", {}, [summed], ir.Output("f32", x.shape))
        x = add_max_pool(model, f"stages.{stage}/downsample", x, smaller, "opset1")
    model.result("features", x)
    return model


# Each digit has seven rows of five bits.
DIGITS = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111],
    [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
]


def drawn_digits():
    """Returns an array [digit, row, column] with 1 for each set bit of DIGITS, otherwise 0."""
    bits = np.array(DIGITS, np.uint8)[..., None]
    return (bits >> np.arange(4, -1, -1, dtype=np.uint8) & 1).astype(np.float32)


def digits():
    """Finds a digit anywhere in the image. Each digit has a filter; its score is 0 for an exact match, and falls by 1
    for each point that differs."""
    model = ir.Model("digits", 11, "Reads a digit of 7 x 5 points: a convolution, the best place of each digit, probabilities")
    image = model.parameter("image", "f32", [1, 1, 16, 16])
    lit = drawn_digits()
    filters = model.const("filters", 2 * lit[:, None] - 1)
    bias = model.const("bias", -lit.sum(axis=(1, 2)).reshape(1, 10, 1, 1))
    window = {"strides": "1,1", "dilations": "1,1", "pads_begin": "0,0", "pads_end": "0,0"}
    places = ir.Output("f32", (1, 10, 10, 12))
    found = model.layer("Convolution", "match", "opset1", window, [image, filters], places)
    scores = model.layer("Add", "score", "opset1", {}, [found, bias], ir.Output("f32", places.shape))
    best = model.layer(
        "ReduceMax", "best", "opset1", {"keep_dims": "false"}, [scores, model.const("axes", np.array([2, 3]))], ir.Output("f32", (1, 10))
    )
    probabilities = model.layer("SoftMax", "probabilities", "opset8", {"axis": "1"}, [best], ir.Output("f32", (1, 10)))
    first = {"axis": "1", "mode": "max", "sort": "value", "index_element_type": "i64"}
    one = model.const("one", np.array(1))
    ports = [ir.Output("f32", (1, 1)), ir.Output("i64", (1, 1))]
    probability, digit = model.layer("TopK", "top", "opset3", first, [probabilities, one], ports)
    model.result("digit", digit)
    model.result("probability", probability)
    return model


def residual():
    """Makes a model large enough for oneDNN: two convolutions with a shortcut around the second, the mean of each
    channel, a classifier."""
    rng = np.random.default_rng(3)
    model = ir.Model("residual", 11, "A block with a shortcut, and a classifier on the means of its channels")
    image = model.parameter("image", "f32", [1, 8, 96, 96])
    window = {"strides": "1,1", "dilations": "1,1", "pads_begin": "1,1", "pads_end": "1,1"}
    shape = (1, 8, 96, 96)

    def weights(name, dims):
        return model.const(name, rng.uniform(-0.2, 0.2, dims).astype(np.float32))

    def step(kind, name, *inputs, out=shape, opset="opset1", data=None):
        return model.layer(kind, name, opset, data or {}, list(inputs), ir.Output("f32", out))

    first = step("Convolution", "first", image, weights("first_weights", (8, 8, 3, 3)), data=window)
    biased = step("Add", "first_bias", first, weights("first_numbers", (1, 8, 1, 1)))
    shortcut = step("ReLU", "first_relu", biased)
    second = step("Convolution", "second", shortcut, weights("second_weights", (8, 8, 3, 3)), data=window)
    features = step("ReLU", "features", step("Add", "sum", second, shortcut))
    axes = model.const("axes", np.array([2, 3]))
    means = step("ReduceMean", "means", features, axes, out=(1, 8), data={"keep_dims": "false"})
    scores = step("MatMul", "scores", means, weights("score_weights", (8, 4)), out=(1, 4))
    model.result("map", features)
    model.result("y", step("SoftMax", "probabilities", scores, out=(1, 4), opset="opset8", data={"axis": "1"}))
    return model


def repeater():
    """Makes a language model of ten ids: an id gets a logit for each time that it followed the current id, greater the
    later that was. The state holds all ids so far, one-hot."""
    model = ir.Model("repeater", 11, "A language model with a state, which repeats what it has read")
    many = (-1, -1)
    ids, mask, positions = (
        model.parameter(name, "i64", "?,?", declared=many, names=name) for name in ("input_ids", "attention_mask", "position_ids")
    )
    beams = model.parameter("beam_idx", "i32", "?", declared=(-1,), names="beam_idx")

    def step(kind, name, opset, data, *inputs, out=(-1, -1, -1), type="f32"):
        return model.layer(kind, name, opset, data, list(inputs), ir.Output(type, out))

    def part(name, tensor, start, stop, out=(-1, -1, 10), type="f32"):
        ends = [model.const(f"{name}_{end}", np.array([at])) for end, at in (("start", start), ("stop", stop), ("step", 1), ("axis", 1))]
        return step("Slice", name, "opset8", {}, tensor, *ends, out=out, type=type)

    def column(name, tensor, axis, out):
        return step("Unsqueeze", name, "opset1", {}, tensor, model.const(f"{name}_axis", np.array([axis])), out=out, type="i64")

    numbers = [model.const("vocabulary", np.array(10)), model.const("on", np.float32(1)), model.const("off", np.float32(0))]
    now = step("OneHot", "now", "opset1", {"axis": "-1"}, ids, *numbers, out=(-1, -1, 10))
    state = {"variable_id": "ids", "variable_shape": "?,?,10", "variable_type": "f32"}
    zero = model.const("batch_axis", np.array(0))
    # OpenVINO refuses a first value whose shape has a size 0, so the slice behind the last id has an open size.
    sizes = step("ShapeOf", "sizes", "opset3", {"output_type": "i64"}, ids, out=(2,), type="i64")
    length = step("Gather", "length", "opset8", {"batch_dims": "0"}, sizes, model.const("one", np.array([1])), zero, out=(1,), type="i64")
    ends = [model.const(f"nothing_{end}", np.array([at])) for end, at in (("stop", 2**31), ("step", 1), ("axis", 1))]
    nothing = step("Slice", "nothing", "opset8", {}, now, length, *ends, out=(-1, -1, 10))
    read = step("ReadValue", "read", "opset6", state, nothing, out=(-1, -1, 10))
    past = step("Gather", "past", "opset8", {"batch_dims": "0"}, read, beams, zero, out=(-1, -1, 10))
    seen = step("Concat", "seen", "opset1", {"axis": "1"}, past, now, out=(-1, -1, 10))
    step("Assign", "keep", "opset6", {"variable_id": "ids"}, seen, out=(-1, -1, 10))
    same = step("MatMul", "same", "opset1", {"transpose_b": "true"}, now, part("before", seen, 0, -1))
    count = step("CumSum", "count", "opset3", {}, mask, model.const("length_axis", np.array(1)), out=many, type="i64")
    order = column("order", part("order_before", count, 0, -1, many, "i64"), 1, (-1, 1, -1))
    earlier = step("LessEqual", "earlier", "opset1", {}, order, column("at", positions, 2, (-1, -1, 1)), type="boolean")
    weight = step("Convert", "weight", "opset1", {"destination_type": "f32"}, order, out=(-1, 1, -1))
    recent = step("Select", "recent", "opset1", {}, earlier, weight, model.const("never", np.float32(0)))
    votes = step("Multiply", "votes", "opset1", {}, same, recent)
    scores = ir.Output("f32", (-1, -1, 10), names="logits")
    model.layer("MatMul", "scores", "opset1", {}, [votes, part("after", seen, 1, 2**31)], scores)
    model.result("result", scores, output_names="logits")
    return model


def picture_of_seven():
    """Draws a picture of a 7 on paper with spots, at a place that is not the center."""
    rng = np.random.default_rng(1)
    picture = rng.uniform(0, 0.25, (1, 1, 16, 16)).astype(np.float32)
    picture[0, 0, 5:12, 8:13] += drawn_digits()[7] * 0.7
    return picture


def version_10(pool):
    model = one_pool("IR version 10 with the meta_data of old converters", "f32", [1, 2, 6, 6], pool, version=10)
    model.extra = (
        '<meta_data>\n  <MO_version value="2021.4.0"/>\n  <cli_parameters>\n    <data_type value="FP32"/>\n'
        '    <input_shape value="[1,2,6,6]"/>\n  </cli_parameters>\n</meta_data>'
    )
    return model


def two_branches():
    model = ir.Model("two_branches", 11, "Two inputs and two outputs with tensor names; one pool feeds both a pool and an output")
    left = model.parameter("left", "f32", [1, 2, 8, 8], names="left")
    right = model.parameter("right", "f32", [1, 1, 6], names="right,r")
    first = add_avg_pool(model, "first", left, Pool([2, 2], [2, 2], [0, 0], [0, 0], True), names="first")
    second = add_avg_pool(model, "second", first, Pool([3, 3], [1, 1], [1, 1], [1, 1], True), names="second")
    third = add_avg_pool(model, "third", right, Pool([3], [3], [0], [0], True), names="third")
    model.result("out_a", second, output_names="second")
    model.result("out_b", third, output_names="third")
    return model


def any_order(pool):
    comment = "Layers and edges in any order, ids with gaps, names with references"
    model = ir.Model("any_order", 11, comment, ids=[40, 7, 123456789012])
    x = model.parameter("a & b", "f32", [1, 2, 6, 6])
    model.result("y", add_avg_pool(model, "<pool>", x, pool))
    model.layer_order, model.edge_order = [2, 0, 1], [1, 0]
    return model


def dynamic():
    model = ir.Model("dynamic", 11, "Dims that only a run knows: any batch, a height from 4 to 64")
    x = model.parameter("x", "f32", "?,3,4..64,8", declared=(-1, 3, -1, 8))
    data = pools.pool_data(Pool([2, 2], [2, 2], [0, 0], [0, 0], True))
    model.result("y", model.layer("AvgPool", "pool", "opset1", data, [x], ir.Output("f32", (-1, 3, -1, 4))))
    return model


def serialized():
    """Returns (xml, bin) as OpenVINO's own serializer writes them. Layers, ports and the model have rt_info."""
    x = opset1.parameter([1, 3, 12, 12], openvino.Type.f32, name="image")
    x.set_layout(openvino.Layout("[N,C,H,W]"))
    x.output(0).set_names({"image", "image:0"})
    pool = opset1.avg_pool(x, [2, 2], [0, 0], [0, 0], [3, 3], False, "ceil", name="pool/AvgPool")
    size = opset1.constant(np.array([2, 2], np.int64), name="size")
    adaptive_pool = opset8.adaptive_avg_pool(pool, size, name="adaptive")
    adaptive_pool.output(0).set_names({"features"})
    model = openvino.Model([adaptive_pool], [x], "serialized")
    model.set_rt_info("made for irrun", ["conversion_parameters", "purpose"])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.xml"
        openvino.serialize(model, path)
        head, body = path.read_text(encoding="utf-8").split("\n", 1)
        return f"{head}\n<!-- What the serializer of OpenVINO writes -->\n{body}", path.with_suffix(".bin").read_bytes()


def old_colors():
    """Returns (xml, bin) of IR version 5, as the Model Optimizer of 2019 wrote it: a picture is of which of 4 colors."""
    rng = np.random.default_rng(5)
    weights = [rng.normal(0, 0.02, n).astype(np.float32) for n in (6 * 3 * 3 * 3, 6, 4 * 6, 4)]
    offsets = [4 * sum(map(len, weights[:i])) for i in range(5)]

    def port(number, *dims):
        return f'<port id="{number}">' + "".join(f"<dim>{dim}</dim>" for dim in dims) + "</port>"

    def blobs(first):
        return "".join(f'<{name} offset="{offsets[first + i]}" size="{4 * len(weights[first + i])}"/>'
                       for i, name in enumerate(("weights", "biases")))

    steps = [("data", "Input", "", (1, 3, 16, 16), None),
             ("conv", "Convolution", 'kernel="3,3" strides="2,2" pads_begin="1,1" pads_end="1,1" dilations="1,1" output="6" group="1"', (1, 6, 8, 8), 0),
             ("relu", "ReLU", "", (1, 6, 8, 8), None),
             ("pool", "Pooling", 'kernel="8,8" strides="1,1" pads_begin="0,0" pads_end="0,0" pool-method="avg" exclude-pad="true"', (1, 6, 1, 1), None),
             ("fc", "FullyConnected", 'out-size="4"', (1, 4), 2),
             ("prob", "SoftMax", 'axis="1"', (1, 4), None)]
    lines = ['<?xml version="1.0" ?>', '<net batch="1" name="colors" version="5">', "\t<layers>"]
    for i, (name, kind, data, dims, first) in enumerate(steps):
        lines.append(f'\t\t<layer id="{i}" name="{name}" precision="FP32" type="{kind}">')
        lines += [f"\t\t\t<data {data}/>"] if data else []
        lines += [f"\t\t\t<input>{port(0, *steps[i - 1][3])}</input>"] if i > 0 else []
        lines.append(f"\t\t\t<output>{port(1 if i > 0 else 0, *dims)}</output>")
        lines += [f"\t\t\t<blobs>{blobs(first)}</blobs>"] if first is not None else []
        lines.append("\t\t</layer>")
    lines += ["\t</layers>", "\t<edges>"]
    lines += [f'\t\t<edge from-layer="{i}" from-port="{min(i, 1)}" to-layer="{i + 1}" to-port="0"/>' for i in range(len(steps) - 1)]
    lines += ["\t</edges>", '\t<pre-process reference-layer-name="data">']
    lines += [f'\t\t<channel id="{i}"><mean value="{mean}"/></channel>' for i, mean in enumerate((104, 117, 123))]
    lines += ["\t</pre-process>", "</net>", ""]
    return "\n".join(lines), b"".join(part.tobytes() for part in weights)


def demo():
    """Makes a pool with padded windows, whose averages print exactly."""
    pool = Pool([2, 2], [2, 2], [1, 1], [1, 1], True)
    return one_pool("2x2 averages at stride 2 with one pad on each side that does not count", "f32", [1, 1, 4, 4], pool)


def check(folder, names):
    core = openvino.Core()
    for name in names:
        weights = folder / f"{name}.bin"
        try:
            core.read_model(folder / f"{name}.xml", weights if weights.exists() else "")
            readable = True
        except RuntimeError as error:
            readable, reason = False, error
        if readable == (name in UNREADABLE):
            raise SystemExit(f"{name}: " + ("OpenVINO reads it, UNREADABLE says it does not" if readable else str(reason)))


def main():
    models = {"demo/pool": demo()}
    models |= {f"spec/{name}": model for name, model in pages.page_examples().items()}
    models |= {f"avg_pool/{name}": model for name, model in avg_pools().items()}
    models |= {f"max_pool/{name}": model for name, model in max_pools().items()}
    models |= {f"adaptive_avg_pool/{name}": model for name, model in adaptive_pools().items()}
    models |= {f"adaptive_max_pool/{name}": model for name, model in adaptive_max_pools().items()}
    models |= {f"networks/{name}": model for name, model in networks().items()}
    folder = files.Folder(HERE, ["*/*.xml", "*/*.bin", "demo/*.npy"])
    for name, model in models.items():
        folder.write(f"{name}.xml", model.xml())
        if model.blob:
            folder.write(f"{name}.bin", model.blob)
    folder.write("demo/x.npy", files.npy(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)))
    folder.write("demo/seven.npy", files.npy(picture_of_seven()))
    xml, weights = serialized()
    folder.write("avg_pool/serialized.xml", xml)
    folder.write("avg_pool/serialized.bin", weights)
    xml, weights = old_colors()
    folder.write("old/colors.xml", xml)
    folder.write("old/colors.bin", weights)
    folder.finish()
    check(HERE, [*models, "avg_pool/serialized"])


if __name__ == "__main__":
    main()
