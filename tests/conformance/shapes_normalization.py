"""Draws ops that normalize or quantize. Their outputs have the input's shape."""

from openvino import opset1, opset2, opset8
from openvino import opset16 as ops

from draw_shapes import FLOATS, NUMBERS, constant, draw_sizes, model_of, parameter, standing_for


def axes_of(rng, rank):
    return [axis - rank * (rng.random() < 0.3) for axis in rng.sample(range(rank), rng.randint(0, rank))]


def axes_input(rng, axes, kinds):
    """Returns axes as a Constant or a Parameter, and the Parameters."""
    if rng.random() < 0.7:
        return constant(axes, rng.choice(kinds)), []
    given = standing_for(parameter(rng, rng.choice(kinds), [len(axes)], 0), axes)
    return given, [given]


def with_axis(make, least, kinds, first_axis):
    def draw(rng):
        sizes = draw_sizes(rng, least, 5)
        data = parameter(rng, rng.choice(kinds), sizes)
        return model_of(make(data, rng.randint(first_axis * len(sizes), len(sizes) - 1)), [data])

    return draw


def mvn_2(rng):
    data = parameter(rng, rng.choice(FLOATS), draw_sizes(rng, 2, 5))
    return model_of(opset2.mvn(data, rng.random() < 0.5, rng.random() < 0.5, 1e-9), [data])


def with_axes(make, kinds=("i32", "i64")):
    def draw(rng):
        sizes = draw_sizes(rng, 1, 5)
        data = parameter(rng, rng.choice(FLOATS), sizes)
        axes, more = axes_input(rng, axes_of(rng, len(sizes)), kinds)
        return model_of(make(rng, data, axes), [data, *more])

    return draw


def mvn_6(rng, data, axes):
    return ops.mvn(data, axes, rng.random() < 0.5, 1e-9, rng.choice(["inside_sqrt", "outside_sqrt"]))


def lrn(rng, data, axes):
    return ops.lrn(data, axes, 1e-4, 0.75, 1.0, rng.randint(1, 5))


def normalize_l2(rng, data, axes):
    return ops.normalize_l2(data, axes, 1e-9, rng.choice(["add", "max"]))


def grn(rng):
    data = parameter(rng, rng.choice(FLOATS), draw_sizes(rng, 2, 4))
    return model_of(ops.grn(data, 1e-3), [data])


def batch_norm(opset):
    def draw(rng):
        kind, sizes = rng.choice(FLOATS), draw_sizes(rng, 2, 5)
        inputs = [parameter(rng, kind, sizes), *(parameter(rng, kind, sizes[1:2]) for _ in range(4))]
        return model_of(opset.batch_norm_inference(*inputs, 1e-3), inputs)

    return draw


def group_norm(rng):
    kind, sizes = rng.choice(FLOATS), draw_sizes(rng, 2, 5)
    groups = rng.choice([n for n in range(1, sizes[1] + 1) if sizes[1] % n == 0])
    inputs = [parameter(rng, kind, sizes), *(parameter(rng, kind, sizes[1:2]) for _ in range(2))]
    return model_of(ops.group_normalization(*inputs, groups, 1e-3), inputs)


def limit_of(rng, sizes, mode):
    """Returns sizes that broadcast to `sizes`, by numpy's rules or, for pdpd, aligned at the first axis."""
    if mode == "none":
        return sizes
    axes = sizes[: rng.randint(0, len(sizes))] if mode == "pdpd" else sizes[rng.randint(0, len(sizes)) :]
    return [1 if rng.random() < 0.4 else size for size in axes]


def fake_quantize(rng):
    kind, mode, sizes = rng.choice(FLOATS), rng.choice(["numpy", "numpy", "none", "pdpd"]), draw_sizes(rng, 0, 5)
    inputs = [parameter(rng, kind, sizes), *(parameter(rng, kind, limit_of(rng, sizes, mode)) for _ in range(4))]
    return model_of(ops.fake_quantize(*inputs, rng.choice([2, 16, 255, 256]), mode), inputs)


def fake_convert(rng):
    kind, sizes = rng.choice(["f16", "bf16", "f32"]), draw_sizes(rng, 0, 5)
    scale = limit_of(rng, sizes, "numpy")
    inputs = [parameter(rng, kind, sizes), *(parameter(rng, kind, scale) for _ in range(rng.randint(1, 2)))]
    return model_of(ops.fake_convert(*inputs, destination_type=rng.choice(["f8e4m3", "f8e5m2"])), inputs)


DRAWS = {
    "SoftMax-1": with_axis(opset1.softmax, 1, NUMBERS, 0),
    "SoftMax-8": with_axis(opset8.softmax, 1, NUMBERS, -1),
    "LogSoftmax-5": with_axis(opset8.log_softmax, 1, FLOATS, -1),
    "MVN-2": mvn_2,
    "MVN-6": with_axes(mvn_6),
    "LRN-1": with_axes(lrn),
    "NormalizeL2-1": with_axes(normalize_l2),
    "GRN-1": grn,
    "BatchNormInference-1": batch_norm(opset1),
    "BatchNormInference-5": batch_norm(ops),
    "GroupNormalization-12": group_norm,
    "FakeQuantize-1": fake_quantize,
    "FakeConvert-13": fake_convert,
}
# The runtime infers the broadcast of scale and shift, which can have open sizes. The output has the data's shape.
