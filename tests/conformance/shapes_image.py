"""Draws ops on images."""

import numpy as np
import openvino as ov
from openvino import opset1, opset10
from openvino import opset16 as ops
from openvino.utils.node_factory import NodeFactory

from draw_shapes import FLOATS, NUMBERS, constant, draw_sizes, model_of, parameter, standing_for

MODES = ["half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"]
NEAREST = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"]
SCALES = [0.3, 0.5, 1.0, 1.5, 2.0, 2.7, 3.0]


def known_or_not(rng, values, kind, parameters):
    """Returns a Constant of these values or, rarely, a Parameter of the same length."""
    if rng.random() < 0.85:
        return constant(values, kind)
    parameters.append(standing_for(ops.parameter([len(values)], getattr(ov.Type, kind)), values))
    return parameters[-1]


def interpolate_1(rng):
    sizes = draw_sizes(rng, 1, 5)
    axes = rng.sample(range(len(sizes)), rng.randint(1, len(sizes)))
    inputs = [parameter(rng, rng.choice(FLOATS), sizes)]
    target = known_or_not(rng, draw_sizes(rng, len(axes), len(axes)), rng.choice(["i32", "i64"]), inputs)
    attributes = {
        "axes": np.array(axes), "mode": rng.choice(["nearest", "linear", "cubic", "area"]), "align_corners": rng.random() < 0.5,
        "antialias": rng.random() < 0.5,
    }
    return model_of(opset1.interpolate(inputs[0], target, attributes), inputs)


def later_attributes(rng, rank):
    """Draws the attributes that versions 4 and 11 share."""
    attributes = {
        "shape_calculation_mode": rng.choice(["sizes", "scales"]), "coordinate_transformation_mode": rng.choice(MODES),
        "nearest_mode": rng.choice(NEAREST), "antialias": rng.random() < 0.5, "cube_coeff": -0.5,
    }
    for name in ("pads_begin", "pads_end"):
        if rng.random() < 0.4:
            attributes[name] = np.array([rng.randint(0, 2) for _ in range(rng.choice([1, rank]))])
    return attributes


def later_axes(rng, rank):
    """Returns the axes, and whether they are an input."""
    return (list(range(rank)), False) if rng.random() < 0.3 else (rng.sample(range(rank), rng.randint(1, rank)), True)


def interpolate_4(rng):
    sizes = draw_sizes(rng, 1, 5)
    attributes, (axes, listed) = later_attributes(rng, len(sizes)), later_axes(rng, len(sizes))
    inputs = [parameter(rng, rng.choice(["f32", "f16", "bf16", "i8", "i64", "u8"]), sizes)]
    target = known_or_not(rng, draw_sizes(rng, len(axes), len(axes)), rng.choice(["i32", "i64"]), inputs)
    scales = known_or_not(rng, [rng.choice(SCALES) for _ in axes], rng.choice(["f32", "f16"]), inputs)
    mode = rng.choice(["nearest", "linear", "linear_onnx", "cubic"])
    more = known_or_not(rng, axes, rng.choice(["i32", "i64"]), inputs) if listed else None
    return model_of(opset10.interpolate(inputs[0], target, scales, mode, axes=more, **attributes), inputs)


def interpolate_11(rng):
    sizes = draw_sizes(rng, 1, 5)
    attributes, (axes, listed) = later_attributes(rng, len(sizes)), later_axes(rng, len(sizes))
    inputs = [parameter(rng, rng.choice(["f32", "f16", "bf16", "i8", "i64", "u8"]), sizes)]
    if attributes["shape_calculation_mode"] == "sizes":
        target = known_or_not(rng, draw_sizes(rng, len(axes), len(axes)), rng.choice(["i32", "i64"]), inputs)
    else:
        target = known_or_not(rng, [rng.choice(SCALES) for _ in axes], rng.choice(["f32", "f16"]), inputs)
    more = known_or_not(rng, axes, rng.choice(["i32", "i64"]), inputs) if listed else None
    mode = rng.choice(["nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"])
    return model_of(ops.interpolate(inputs[0], target, mode, axes=more, **attributes), inputs)


def grid_sample(rng):
    batch, channels, *sizes = draw_sizes(rng, 6, 6)
    inputs = [parameter(rng, rng.choice(NUMBERS), [batch, channels, *sizes[:2]]), parameter(rng, rng.choice(FLOATS), [batch, *sizes[2:], 2])]
    attributes = {
        "align_corners": rng.random() < 0.5, "mode": rng.choice(["bilinear", "bicubic", "nearest"]),
        "padding_mode": rng.choice(["zeros", "border", "reflection"]),
    }
    return model_of(ops.grid_sample(*inputs, attributes), inputs)


def color(make, planes, channels):
    def draw(rng):
        kind, batch, height, width = rng.choice([*FLOATS, "u8"]), rng.randint(1, 3), 2 * rng.randint(1, 5), 2 * rng.randint(1, 5)
        if rng.random() < 0.5:
            inputs = [parameter(rng, kind, [batch, height * 3 // 2, width, 1])]
        else:
            inputs = [parameter(rng, kind, [batch, height, width, 1])]
            inputs += [parameter(rng, kind, [batch, height // 2, width // 2, channels]) for _ in range(planes)]
        return model_of(make(*inputs), inputs)

    return draw


def to_nv12(op):
    def draw(rng):
        sizes = [rng.randint(1, 3), 2 * rng.randint(1, 5), 2 * rng.randint(1, 5), 3]
        inputs = [parameter(rng, rng.choice([*FLOATS, "u8"]), sizes)]
        attributes = rng.choice([{}, {"single_plane": True}, {"single_plane": False}])
        return model_of(NodeFactory("opset17").create(op, [inputs[0].output(0)], attributes), inputs)

    return draw


DRAWS = {
    "Interpolate-1": interpolate_1,
    "Interpolate-4": interpolate_4,
    "Interpolate-11": interpolate_11,
    "GridSample-9": grid_sample,
    "NV12toBGR-8": color(ops.nv12_to_bgr, 1, 2),
    "NV12toRGB-8": color(ops.nv12_to_rgb, 1, 2),
    "I420toBGR-8": color(ops.i420_to_bgr, 2, 1),
    "I420toRGB-8": color(ops.i420_to_rgb, 2, 1),
    "RGBtoNV12-17": to_nv12("RGBtoNV12"),
    "BGRtoNV12-17": to_nv12("BGRtoNV12"),
}
