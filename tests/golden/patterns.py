"""Makes small graphs of several layers as converters write them for today's networks: PATTERNS is {name: function that
returns an OpenVINO model}. MAKE_FAMILIES.py joins them to the family `patterns`.

No size is a multiple of the lanes of a vector. Weights depend on the pattern's name alone."""

import math
import zlib

import numpy as np
import openvino as ov
import openvino.opset16 as op

F32, F16, I32, I64 = np.float32, np.float16, np.int32, np.int64


class Weights:
    """Draws weights and makes Parameters."""

    def __init__(self, name):
        self.rng, self.parameters = np.random.default_rng(zlib.crc32(name.encode())), []

    def parameter(self, shape, element_type=F32):
        self.parameters.append(op.parameter(shape, element_type))
        return self.parameters[-1]

    def normal(self, *shape, scale=1.0, mean=0.0):
        return op.constant((mean + scale * self.rng.standard_normal(shape)).astype(F32))

    def halved(self, *shape, scale=1.0, mean=0.0):
        """Makes weights of f16, which a Convert widens, as compressed models have them."""
        return op.convert(op.constant((mean + scale * self.rng.standard_normal(shape)).astype(F16)), F32)

    def product(self, x, n_in, n_out, bias=True):
        y = op.matmul(x, self.normal(n_out, n_in, scale=n_in**-0.5), False, True)
        return op.add(y, self.normal(1, 1, n_out, scale=0.5)) if bias else y

    def convolution(self, x, n_in, n_out, kernel=3):
        pads = [kernel // 2] * 2
        y = op.convolution(x, self.normal(n_out, n_in, kernel, kernel, scale=1 / (kernel * n_in**0.5)), [1, 1], pads, pads, [1, 1])
        return op.add(y, self.normal(1, n_out, 1, 1, scale=0.5))


def number(value):
    return op.constant(np.array(value, F32))


def integer(value):
    return op.constant(np.array(value, I64))


def integers(*values):
    return op.constant(np.array(values, I64))


def mean(x, *axes):
    return op.reduce_mean(x, integers(*axes), True)


def slices(x, start, stop, axis=-1):
    return op.slice(x, integers(start), integers(stop), integers(1), integers(axis))


# ---- normalization ----


def layer_norm(w):
    """y = (x - mean) / sqrt(variance + eps) * scale + bias, written out."""
    x = w.parameter([2, 7, 37])
    centred = op.subtract(x, mean(x, -1))
    variance = mean(op.power(centred, number(2)), -1)
    return [op.add(op.multiply(op.divide(centred, op.sqrt(op.add(variance, number(1e-5)))), w.normal(37, mean=1)), w.normal(37))]


def layer_norm_of_channels(w):
    """The same over the channels of an image, by MVN between Transposes, and over its squared differences."""
    x = w.parameter([1, 19, 3, 5])
    last = op.transpose(x, integers(0, 2, 3, 1))
    y = op.add(op.multiply(op.mvn(last, integers(-1), True, 1e-6, "INSIDE_SQRT"), w.normal(19, mean=1)), w.normal(19))
    variance = mean(op.squared_difference(x, mean(x, 1)), 1)
    z = op.multiply(op.subtract(x, mean(x, 1)), op.power(op.add(variance, number(1e-6)), number(-0.5)))
    return [op.transpose(y, integers(0, 3, 1, 2)), z]


def rms_norm(w):
    """y = x / sqrt(mean(x^2) + eps) * scale, with weights of f16, and with (1 + scale) in another form."""
    x = w.parameter([2, 5, 43])
    root = op.sqrt(op.add(mean(op.power(x, number(2)), -1), number(1e-6)))
    y = op.multiply(w.halved(43, mean=1), op.multiply(x, op.divide(number(1), root)))
    z = op.multiply(x, op.power(op.add(mean(op.multiply(x, x), -1), number(1e-6)), number(-0.5)))
    return [y, op.multiply(z, op.add(number(1), w.halved(43, scale=0.1)))]


def group_norm(w):
    """As old exports write it, MVN of groups between Reshapes, and as the op, then Swish."""
    x = w.parameter([2, 12, 5, 7])
    grouped = op.mvn(op.reshape(x, integers(0, 3, -1), True), integers(2), True, 1e-5, "INSIDE_SQRT")
    y = op.reshape(grouped, op.shape_of(x), False)
    y = op.add(op.multiply(y, w.normal(1, 12, 1, 1, mean=1)), w.normal(1, 12, 1, 1))
    z = op.group_normalization(x, w.normal(12, mean=1), w.normal(12), 4, 1e-5)
    return [y, op.swish(z)]


# ---- activations ----


def gelu_erf(w):
    """x / 2 * (1 + erf(x / sqrt(2))) after a product, and the op between two products."""
    x = w.parameter([1, 9, 23])
    a, b = w.product(x, 23, 31), w.product(x, 23, 31)
    y = op.multiply(op.multiply(a, number(0.5)), op.add(op.erf(op.divide(a, number(math.sqrt(2)))), number(1)))
    return [y, w.product(op.gelu(b, "ERF"), 31, 17)]


def gelu_tanh(w):
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) after a product, and the op between two products."""
    x = w.parameter([1, 9, 23])
    a, b = w.product(x, 23, 31), w.product(x, 23, 31)
    inner = op.multiply(number(math.sqrt(2 / math.pi)), op.add(a, op.multiply(number(0.044715), op.power(a, number(3)))))
    y = op.multiply(op.multiply(number(0.5), a), op.add(number(1), op.tanh(inner)))
    return [y, w.product(op.gelu(b, "TANH"), 31, 17)]


def hswish(w):
    """x * clamp(x + 3, 0, 6) / 6 and HSwish, each after a convolution."""
    x = w.parameter([1, 5, 6, 7])
    a, b = w.convolution(x, 5, 11), w.convolution(x, 5, 11)
    y = op.multiply(a, op.divide(op.clamp(op.add(a, number(3)), 0, 6), number(6)))
    return [y, op.hswish(b)]


def swiglu(w):
    """A feed-forward block of a language model: products of f16 weights, swish(gate) * up, and the residual."""
    x = w.parameter([-1, -1, 24])
    gate, up = (op.matmul(x, w.halved(41, 24, scale=0.3), False, True) for _ in range(2))
    down = op.matmul(op.multiply(op.multiply(gate, op.sigmoid(gate)), up), w.halved(24, 41, scale=0.2), False, True)
    return [op.add(x, down)]


def squeeze_excite(w):
    """Channels scaled by two small products of their means: with Sigmoid, and with HSigmoid after a depthwise
    convolution."""
    x = w.parameter([2, 13, 6, 5])

    def gates(y, last):
        inner = op.relu(w.convolution(mean(y, 2, 3), 13, 4, 1))
        return op.multiply(y, last(w.convolution(inner, 4, 13, 1)))
    depthwise = op.group_convolution(x, w.normal(13, 1, 1, 3, 3, scale=0.3), [1, 1], [1, 1], [1, 1], [1, 1])
    return [gates(x, op.sigmoid), gates(op.hswish(depthwise), op.hsigmoid)]


# ---- attention ----


def heads(x, count):
    """[N, tokens, count * size] -> [N, count, tokens, size]"""
    return op.transpose(op.reshape(x, integers(0, 0, count, -1), True), integers(0, 2, 1, 3))


def joined_heads(x, width):
    return op.reshape(op.transpose(x, integers(0, 2, 1, 3)), integers(0, 0, width), True)


def attention_written_out(w):
    """softmax(q k^T / sqrt(size) + mask) v with the mask of a text: hidden tokens get -10000."""
    x, mask = w.parameter([-1, -1, 36]), w.parameter([-1, -1], I64)
    q, k, v = (heads(w.product(x, 36, 36), 4) for _ in range(3))
    hidden = op.multiply(op.subtract(number(1), op.convert(op.unsqueeze(mask, integers(1, 2)), F32)), number(-10000))
    scores = op.add(op.divide(op.matmul(q, k, False, True), number(3)), hidden)
    return [w.product(joined_heads(op.matmul(op.softmax(scores, -1), v, False, False), 36), 36, 36)]


def attention_masks(w):
    """ScaledDotProductAttention with a causal mask of booleans, made of positions; with a mask of -inf; causal by its
    attribute; with a scale."""
    x = w.parameter([1, 11, 30])
    q, k, v = (heads(w.product(x, 30, 30), 3) for _ in range(3))
    positions = op.range(integer(0), op.gather(op.shape_of(x), integer(1), integer(0)), integer(1), "i64")
    causal = op.less_equal(op.unsqueeze(positions, integers(0)), op.unsqueeze(positions, integers(1)))
    added = op.select(op.unsqueeze(causal, integers(0, 1)), number(0), number(-np.inf))
    attend = op.scaled_dot_product_attention
    return [joined_heads(y, 30) for y in (attend(q, k, v, op.unsqueeze(causal, integers(0))), attend(q, k, v, added), attend(q, k, v, causal=True),
                                          attend(q, k, v, op.unsqueeze(op.constant(w.rng.standard_normal((11, 11)).astype(F32)), integers(0)), number(0.25)))]


def rotary_attention(w):
    """Causal attention of a language model: rotary positions from position ids, and two query heads for each key
    head."""
    x, ids = w.parameter([1, -1, 32]), w.parameter([1, -1], I64)
    frequencies = op.constant((100.0 ** (-np.arange(4) / 4)).astype(F32).reshape(1, 4, 1))
    angles = op.transpose(op.matmul(frequencies, op.unsqueeze(op.convert(ids, F32), integers(1)), False, False), integers(0, 2, 1))
    angles = op.unsqueeze(op.concat([angles, angles], -1), integers(1))
    q, k, v = (heads(w.product(x, 32, 8 * count, bias=False), count) for count in (4, 2, 2))

    def turned(y):
        half = op.concat([op.negative(slices(y, 4, 2**31 - 1)), slices(y, 0, 4)], -1)
        return op.add(op.multiply(y, op.cos(angles)), op.multiply(half, op.sin(angles)))

    def repeated(y):
        five = op.broadcast(op.unsqueeze(y, integers(2)), integers(1, 2, 2, 1, 1), broadcast_spec="BIDIRECTIONAL")
        return op.reshape(five, integers(0, 4, -1, 8), True)
    y = op.scaled_dot_product_attention(turned(q), repeated(turned(k)), repeated(v), causal=True)
    return [w.product(joined_heads(y, 32), 32, 32, bias=False)]


def rotary_pairs(w):
    """Rotary positions of neighbouring elements: (x0, x1) -> (x0 cos - x1 sin, x1 cos + x0 sin)."""
    x = w.parameter([1, 5, 3, 14])
    angles = np.outer(np.arange(5), 100.0 ** (-np.arange(7) / 7)).reshape(1, 5, 1, 7)
    cosines, sines = op.constant(np.cos(angles).astype(F32)), op.constant(np.sin(angles).astype(F32))
    even, odd = (op.slice(x, integers(i), integers(2**31 - 1), integers(2), integers(-1)) for i in (0, 1))
    first = op.subtract(op.multiply(even, cosines), op.multiply(odd, sines))
    second = op.add(op.multiply(odd, cosines), op.multiply(even, sines))
    return [op.reshape(op.concat([op.unsqueeze(first, integers(-1)), op.unsqueeze(second, integers(-1))], -1), integers(0, 0, 0, -1), True)]


def window_attention(w):
    """A block of Swin: shifted windows of 3 x 3, a bias gathered by relative positions, and a mask of -100 between
    parts of the image that the shift makes neighbours."""
    x = w.parameter([1, 6, 6, 20])
    shifted = op.roll(x, integers(-1, -1), integers(1, 2))
    windows = op.reshape(op.transpose(op.reshape(shifted, integers(1, 2, 3, 2, 3, 20), False), integers(0, 1, 3, 2, 4, 5)), integers(4, 9, 20), False)
    three = op.transpose(op.reshape(w.product(windows, 20, 60), integers(4, 9, 3, 2, 10), False), integers(2, 0, 3, 1, 4))
    q, k, v = (op.squeeze(part, integers(0)) for part in op.split(three, integer(0), 3).outputs())
    at = np.stack(np.meshgrid(np.arange(3), np.arange(3), indexing="ij")).reshape(2, 9)
    relative = ((at[:, :, None] - at[:, None, :] + 2) * np.array([5, 1]).reshape(2, 1, 1)).sum(axis=0)
    table = op.gather(w.normal(25, 2), op.constant(relative.reshape(-1)), integer(0))
    bias = op.unsqueeze(op.transpose(op.reshape(table, integers(9, 9, 2), False), integers(2, 0, 1)), integers(0))
    parts = np.add.outer(np.array([0, 0, 0, 0, 0, 1]) * 2, np.array([0, 0, 0, 0, 0, 1])).reshape(2, 3, 2, 3).transpose(0, 2, 1, 3).reshape(4, 9)
    mask = op.constant(np.where(parts[:, None, :] != parts[:, :, None], -100, 0).astype(F32).reshape(4, 1, 9, 9))
    scores = op.add(op.add(op.matmul(op.multiply(q, number(10**-0.5)), k, False, True), bias), mask)
    y = w.product(joined_heads(op.matmul(op.softmax(scores, -1), v, False, False), 20), 20, 20)
    y = op.reshape(op.transpose(op.reshape(y, integers(1, 2, 2, 3, 3, 20), False), integers(0, 1, 3, 2, 4, 5)), integers(1, 6, 6, 20), False)
    return [op.add(x, op.roll(y, integers(1, 1), integers(1, 2)))]


# ---- detection ----


def boxes_of(w, count):
    """Makes `count` boxes of at least 4 x 4 within 24 x 24 from a Parameter of shifts."""
    corners = w.rng.uniform(0, 16, (count, 2))
    base = op.constant(np.concatenate([corners, corners + 5], axis=1).astype(F32))
    return op.add(base, op.multiply(op.tanh(w.parameter([count, 4])), number(0.5)))


def nms_in_if(w):
    """NonMaxSuppression inside an If that asks whether there is a box, as batched_nms of torchvision becomes: boxes of
    other classes are moved apart. The model also has the branch without boxes."""
    boxes, scores = boxes_of(w, 21), op.sigmoid(w.parameter([21]))
    classes = op.constant(w.rng.integers(0, 3, 21).astype(F32))
    found = []
    for least in (0.3, 2.0):  # 2.0: no box
        rows = op.squeeze(op.non_zero(op.greater(scores, number(least)), "i64"), integers(0))
        chosen = [op.gather(value, rows, integer(0)) for value in (boxes, scores, classes)]
        condition = op.greater(op.squeeze(op.shape_of(rows), integers(0)), integer(0))
        node = op.if_op(condition.output(0))
        inner, other = ([op.parameter([-1, 4], F32), op.parameter([-1], F32), op.parameter([-1], F32)] for _ in range(2))
        apart = op.add(inner[0], op.unsqueeze(op.multiply(inner[2], op.add(op.reduce_max(inner[0], integers(0, 1), False), number(1))), integers(1)))
        nms = op.non_max_suppression(op.unsqueeze(apart, integers(0)), op.unsqueeze(inner[1], integers(0, 1)), integer(100), number(0.4), number(0),
                                     box_encoding="corner", output_type="i64")
        kept = op.result(op.squeeze(slices(nms.output(0), 2, 3, 1), integers(1)))
        none = op.result(op.convert(slices(other[1], 0, 0), I64))
        node.set_then_body(ov.Model([kept], inner, "some"))
        node.set_else_body(ov.Model([none], other, "none"))
        for value, *parameters in zip(chosen, inner, other):
            node.set_input(value.output(0), *parameters)
        found.append(node.set_output(kept, none))
        node.validate_and_infer_types()
    return [*found, op.gather(boxes, found[0], integer(0))]


def roi_align_of_levels(w):
    """Regions of two levels of a feature pyramid: NonZero finds each level's boxes, ScatterUpdate joins the results."""
    boxes = boxes_of(w, 9)
    large = op.greater(op.gather(boxes, integer(0), integer(1)), number(8))
    joined = op.constant(np.zeros((9, 5, 3, 3), F32))
    for side, scale, chosen in ((24, 1.0, large), (12, 0.5, op.logical_not(large))):
        rows = op.squeeze(op.non_zero(chosen, "i64"), integers(0))
        images = op.broadcast(integer(0), op.shape_of(rows))
        features = w.parameter([1, 5, side, side])
        regions = op.roi_align(features, op.gather(boxes, rows, integer(0)), images, 3, 3, 2, scale, "avg", "half_pixel" if scale < 1 else "asymmetric")
        joined = op.scatter_update(joined, rows, regions, integer(0))
    return [joined]


# ---- quantization ----


def quantize(x, low, high):
    low, high = number(low), number(high)
    return op.fake_quantize(x, low, high, low, high, 256)


def quantized_weights(w, *shape):
    """Makes weights of i8 with a scale for each row."""
    count = int(np.prod(shape[1:]))
    scales = (w.rng.uniform(0.5, 1.5, (shape[0],) + (1,) * (len(shape) - 1)) * 0.02 / count**0.5 * 2).astype(F32)
    return op.multiply(op.convert(op.constant(w.rng.integers(-127, 128, shape).astype(np.int8)), F32), op.constant(scales))


def quantized_convolutions(w):
    """Convolutions of quantized tensors and i8 weights: u8 after ReLU, a depthwise one, and a residual sum."""
    x = quantize(w.parameter([1, 8, 7, 6]), -3.2, 3.175)
    ones, pads = [1, 1], [1, 1]
    a = op.add(op.convolution(x, quantized_weights(w, 12, 8, 3, 3), ones, pads, pads, ones), w.normal(1, 12, 1, 1, scale=0.3))
    a = quantize(op.relu(a), 0, 2.55)
    b = quantize(op.group_convolution(a, quantized_weights(w, 12, 1, 1, 3, 3), ones, pads, pads, ones), -1.28, 1.27)
    c = op.convolution(op.max_pool(b, [2, 2], ones, [0, 0], [0, 0], [2, 2]).output(0), quantized_weights(w, 12, 12, 1, 1), ones, [0, 0], [0, 0], ones)
    small = op.max_pool(a, [2, 2], ones, [0, 0], [0, 0], [2, 2]).output(0)
    return [op.add(c, small), op.concat([b, quantize(a, -1.28, 1.27)], 1)]


def quantized_products(w):
    """Products of quantized activations: with i8 weights, and q k^T of two quantized activations."""
    x = quantize(w.parameter([1, 7, 26]), -3.2, 3.175)
    q, k = (quantize(op.add(op.matmul(x, quantized_weights(w, 22, 26), False, True), w.normal(1, 1, 22, scale=0.3)), -2.56, 2.54) for _ in range(2))
    return [op.matmul(q, k, False, True), op.matmul(x, quantized_weights(w, 15, 26), False, True)]


def decompressed(w, kind, shape):
    """Makes weights of u8 or u4 with a zero point and a scale for each group, (weights - zero point) * scale in f16.
    Scales are powers of two, so that f16 rounds nothing."""
    def numbers(*dims):
        tensor = ov.Tensor(kind, ov.Shape(dims))  # with memory of its own: a tensor of an array borrows
        bits = tensor.data.reshape(-1).view(np.uint8)
        bits[...] = w.rng.integers(0, 256, bits.size)
        return op.convert(op.constant(tensor), F16)
    scales = 2.0 ** (w.rng.integers(-3, 0, (*shape[:-1], 1)) - kind.bitwidth)
    return op.multiply(op.subtract(numbers(*shape), numbers(*shape[:-1], 1)), op.constant(scales.astype(F16)))


def compressed_weights(w):
    """Products of f32 activations with weights of u8, and with weights of u4 in groups of 16."""
    x = w.parameter([-1, 3, 32])
    eight, four = decompressed(w, ov.Type.u8, (19, 32)), op.reshape(decompressed(w, ov.Type.u4, (19, 2, 16)), integers(19, 32), False)
    return [op.matmul(x, op.convert(weights, F32), False, True) for weights in (eight, four)]


PATTERNS = [layer_norm, layer_norm_of_channels, rms_norm, group_norm, gelu_erf, gelu_tanh, hswish, swiglu, squeeze_excite, attention_written_out, attention_masks,
            rotary_attention, rotary_pairs, window_attention, nms_in_if, roi_align_of_levels, quantized_convolutions, quantized_products, compressed_weights]
OPEN = [2, 6]  # sizes of open axes


def make(pattern):
    """Returns (model, {name: array} of its inputs)."""
    w = Weights(pattern.__name__)
    outputs = pattern(w)
    model = ov.Model([op.result(output) for output in outputs], w.parameters, pattern.__name__)
    inputs = {}
    for i, parameter in enumerate(w.parameters):
        parameter.set_friendly_name(f"x{i}")
        shape = [OPEN[axis % 2] if dim.is_dynamic else dim.get_length() for axis, dim in enumerate(parameter.get_partial_shape())]
        if parameter.get_element_type() == ov.Type.i64:  # a mask of a text, or positions
            inputs[f"x{i}"] = (np.arange(np.prod(shape)).reshape(shape) % 7 < 5).astype(I64) if shape[0] > 1 else 3 + np.arange(shape[1], dtype=I64).reshape(shape)
        else:
            inputs[f"x{i}"] = w.rng.standard_normal(shape).astype(F32)
    for i, result in enumerate(model.get_results()):
        result.set_friendly_name(f"y{i}")
    return model, inputs
