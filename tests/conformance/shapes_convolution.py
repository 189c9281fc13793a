"""Draws convolutions."""

import openvino as ov
from openvino import opset1, opset8
from openvino import opset16 as ops

from draw_shapes import NUMBERS, constant, model_of, parameter, standing_for

PADS = ["explicit", "explicit", "explicit", "same_upper", "same_lower", "valid"]


def window(rng, axes):
    """Draws strides, pads, dilations and auto_pad."""

    def items(least, most):
        return [rng.randint(least, most) for _ in range(axes)]

    return items(1, 3), items(0, 2), items(0, 2), items(1, 2), rng.choice(PADS)


def sizes(rng, axes, least, most):
    return [rng.randint(least, most) for _ in range(axes)]


def places_of(data, kernel, attributes):
    """Returns the spatial sizes of the output. Raises if the kernel does not fit, which the runtime does not check for
    open sizes."""
    parameters = [ops.parameter([1, 1, *axes], ov.Type.f32) for axes in (data, kernel)]
    return list(ops.convolution(*parameters, *attributes).output(0).shape)[2:]


def draw_window(rng, axes):
    """Draws spatial sizes of data and kernel that fit each other, and attributes."""
    data, kernel, attributes = sizes(rng, axes, 1, 12), sizes(rng, axes, 1, 4), window(rng, axes)
    places_of(data, kernel, attributes)
    return data, kernel, attributes


def convolution(rng):
    kind, channels = rng.choice(NUMBERS), rng.randint(1, 5)
    data, kernel, attributes = draw_window(rng, rng.randint(1, 3))
    inputs = [parameter(rng, kind, [rng.randint(0, 3), channels, *data]), parameter(rng, kind, [rng.randint(1, 6), channels, *kernel])]
    return model_of(ops.convolution(*inputs, *attributes), inputs)


def group_convolution(rng):
    kind, groups, channels = rng.choice(NUMBERS), rng.randint(1, 4), rng.randint(1, 3)
    data, kernel, attributes = draw_window(rng, rng.randint(1, 3))
    inputs = [
        parameter(rng, kind, [rng.randint(1, 3), groups * channels, *data]),
        parameter(rng, kind, [groups, rng.randint(1, 3), channels, *kernel]),
    ]
    return model_of(ops.group_convolution(*inputs, *attributes), inputs)


def binary_convolution(rng):
    kind, channels = rng.choice(NUMBERS), rng.randint(1, 5)
    data, kernel, attributes = draw_window(rng, 2)
    inputs = [parameter(rng, kind, [rng.randint(1, 3), channels, *data]), parameter(rng, "u1", [rng.randint(1, 6), channels, *kernel])]
    node = ops.binary_convolution(*inputs, *attributes[:4], "xnor-popcount", 0.0, attributes[4])
    return model_of(node, inputs)


def output_shape(rng, axes):
    """Returns the input output_shape or None, and its Parameters."""
    if rng.random() < 0.6:
        return None, []
    if rng.random() < 0.7:
        return constant(sizes(rng, axes, 1, 20), rng.choice(["i32", "i64"])), []
    given = standing_for(ops.parameter([axes], ov.Type.i64), sizes(rng, axes, 1, 20))
    return given, [given]


def backprop(rng, make, channels, kernel_channels):
    kind, axes = rng.choice(NUMBERS), rng.randint(1, 3)
    strides, begin, end, dilations, auto_pad = window(rng, axes)
    places, kernel_sizes, padding = sizes(rng, axes, 1, 12), sizes(rng, axes, 1, 4), sizes(rng, axes, 0, 2)
    spans = [s * (n - 1) + d * (k - 1) + 1 for n, k, s, d in zip(places, kernel_sizes, strides, dilations)]
    if any(span + more < b + e for span, more, b, e in zip(spans, padding, begin, end)):
        raise ValueError("the runtime lets pads leave sizes below 0")
    data = parameter(rng, kind, [rng.randint(1, 3), channels, *places])
    kernel = parameter(rng, kind, [*kernel_channels, *kernel_sizes])
    given, parameters = output_shape(rng, axes)
    node = make(data, kernel, strides, given, begin, end, dilations, auto_pad, padding)
    return model_of(node, [data, kernel, *parameters])


def convolution_backprop(rng):
    channels = rng.randint(1, 5)
    return backprop(rng, ops.convolution_backprop_data, channels, [channels, rng.randint(1, 5)])


def group_convolution_backprop(rng):
    groups, channels = rng.randint(1, 4), rng.randint(1, 3)
    return backprop(rng, ops.group_convolution_backprop_data, groups * channels, [groups, channels, rng.randint(1, 3)])


def deformable(rng, opset, may_have_mask):
    kind, group, parts, channels = rng.choice(NUMBERS), rng.randint(1, 2), rng.randint(1, 2), rng.randint(1, 2)
    data, kernel, attributes = draw_window(rng, 2)
    batch, places, taps = rng.randint(1, 3), places_of(data, kernel, attributes), parts * kernel[0] * kernel[1]
    inputs = [
        parameter(rng, kind, [batch, group * channels, *data], 0.2),
        parameter(rng, kind, [batch, 2 * taps, *places], 0.2),
        parameter(rng, kind, [group * rng.randint(1, 2), channels, *kernel], 0.2),
    ]
    more = {"group": group, "deformable_group": parts, "auto_pad": attributes[4]}
    if may_have_mask:
        more["bilinear_interpolation_pad"] = rng.random() < 0.5
    if may_have_mask and rng.random() < 0.5:
        inputs.append(parameter(rng, kind, [batch, taps, *places], 0.2))
        more["mask"] = inputs[3]
    return model_of(opset.deformable_convolution(*inputs[:3], *attributes[:4], **more), inputs)


DRAWS = {
    "Convolution-1": convolution,
    "GroupConvolution-1": group_convolution,
    "BinaryConvolution-1": binary_convolution,
    "ConvolutionBackpropData-1": convolution_backprop,
    "GroupConvolutionBackpropData-1": group_convolution_backprop,
    "DeformableConvolution-1": lambda rng: deformable(rng, opset1, False),
    "DeformableConvolution-8": lambda rng: deformable(rng, opset8, True),
}
