"""Builds layers of Abs-1, ReLU-1, Add-1, Multiply-1 and Power-1, and computes them in the exact model.

Integers are computed as Python integers and wrapped modulo 2^bits. A sum or product of floats is computed in f64 and
rounded to its type.
The second rounding does no harm, because f64 has more than twice the digits of the other types. A power of floats is
the C library's pow in f64."""

import math

import numpy as np

from oracle import ir
from oracle.evaluation import Op
from oracle.rounding import wrapped
from oracle.windows import Refused

BROADCASTS = ("none", "numpy", "pdpd")
AXIS = "auto_broadcast.auto_broadcast_axis"  # OpenVINO's name of the page's attribute `axis`
NUMBERS = (*ir.FLOATS, *ir.INTEGERS)
UNARY, BINARY = ("Abs", "ReLU"), ("Add", "Multiply", "Power")


# ---- layers ----


def add_elementwise(model, op, name, sources, declared=None, opset="opset1", **data):
    shape = declared if declared is not None else sources[0].shape
    return model.layer(op, name, opset, data, sources, ir.Output(sources[0].type, shape))


def broadcast_of(layer):
    """Returns (rule, axis) of a layer with two inputs."""
    rule = layer.data.get("auto_broadcast", "numpy").lower()
    if rule not in BROADCASTS:
        raise Refused(f"auto_broadcast {rule}")
    try:
        return rule, int(layer.data.get(AXIS, -1))
    except ValueError as error:
        raise Refused(f"axis: {error}") from error


# ---- shapes ----


def check_types(layer):
    types = {source.type for source in layer.inputs}
    if len(types) > 1 or not types <= set(NUMBERS):
        raise Refused(f"element types {types}")


def broadcast_shape(rule, axis, a, b):
    if rule == "none":
        if a != b:
            raise Refused(f"shapes {a} and {b}")
        return a
    if rule == "pdpd":
        return laid_onto(a, b, axis)
    rank = max(len(a), len(b))
    rows = zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b)
    return tuple(joined(n, m) for n, m in rows)


def joined(n, m):
    if n != m and 1 not in (n, m):
        raise Refused(f"sizes {n} and {m}")
    return m if n == 1 else n


def laid_onto(a, b, axis):
    """Returns the shape of the first input, onto which the second is broadcast.
    From `axis` on, each dim of the second input must be 1 or equal to the dim of the first."""
    if len(b) > len(a) or not -1 <= axis <= len(a):
        raise Refused(f"rank or axis of {b} on {a}")
    for i, m in enumerate(b, len(a) - len(b) if axis == -1 else axis):
        if m != 1 and (i >= len(a) or a[i] != m):
            raise Refused(f"{b} on {a}")
    return a


def unary_shapes(layer, shapes, _contents):
    check_types(layer)
    return [shapes[0]]


def binary_shapes(layer, shapes, _contents):
    check_types(layer)
    return [broadcast_shape(*broadcast_of(layer), *(tuple(shape) for shape in shapes))]


# ---- values ----


def put(values, shape, dtype):
    """Makes an array of Python numbers. Numbers of f16 and bf16 are rounded to f32 first."""
    array = np.empty(len(values), np.float64 if dtype.kind not in "iu" else dtype)
    array[:] = values
    with np.errstate(over="ignore"):
        narrow = array if dtype.kind in "iu" or dtype == np.float64 else array.astype(np.float32)
        return narrow.astype(dtype).reshape(shape)


def unary(function):
    def values(_layer, inputs):
        (x,) = inputs
        results = [function(element) for element in x.ravel().tolist()]
        if x.dtype.kind in "iu":
            results = [wrapped(result, x.dtype) for result in results]
        return [put(results, x.shape, x.dtype)]

    return values


def binary(of_integers, of_floats):
    def values(layer, inputs):
        a, b = inputs
        shape = binary_shapes(layer, [a.shape, b.shape], None)[0]
        pairs = zip(*(stretched(x, shape, offset).tolist() for x, offset in zip(inputs, offsets(layer, a, b))))
        if a.dtype.kind in "iu":
            bits = 1 << np.iinfo(a.dtype).bits
            return [put([wrapped(of_integers(x, y, bits), a.dtype) for x, y in pairs], shape, a.dtype)]
        return [put([of_floats(x, y) for x, y in pairs], shape, a.dtype)]

    return values


def offsets(layer, a, b):
    """Returns, for each input, the number of output axes in front of the input's first axis."""
    rule, axis = broadcast_of(layer)
    rank = max(a.ndim, b.ndim)
    return rank - a.ndim, axis if rule == "pdpd" and axis != -1 else rank - b.ndim


def stretched(x, shape, offset):
    """Broadcasts x, whose first axis is axis `offset` of the output, to `shape`, and returns the elements flat."""
    dims = [1] * offset + list(x.shape)
    dims = dims[: len(shape)] + [1] * (len(shape) - len(dims))
    return np.broadcast_to(x.reshape(dims), shape).ravel()


def power_of_integers(x, y, bits):
    """Returns x^y modulo `bits`, which is 2 to the power of the type's bits. If y is negative, returns the whole part
    of 1 / x^-y.
    If y is negative and x is 0, returns the lowest number of 64-bit integers for 64-bit types, otherwise of 32-bit
    integers."""
    if y >= 0:
        return pow(x, y, bits)
    if x == 0:
        return -max(bits, 1 << 32) // 2
    return (1 if y % 2 == 0 else x) if abs(x) == 1 else 0


def power_of_floats(x, y):
    """Returns C's pow(x, y). Python's pow raises errors for division by zero, overflow and complex results; C's pow
    returns inf or NaN."""
    try:
        return math.pow(x, y)
    except OverflowError:
        infinite = True
    except ValueError:
        infinite = x == 0
    odd = math.fmod(y, 2) in (1, -1)
    return (math.copysign(math.inf, x) if odd else math.inf) if infinite else math.nan


def positive(x):
    """Returns max(x, 0), or NaN if x is NaN."""
    return 0 if x <= 0 else x


def absolute(x):
    return math.fabs(x) if isinstance(x, float) else abs(x)


OPS = {
    "Abs": Op(unary_shapes, unary(absolute)),
    "ReLU": Op(unary_shapes, unary(positive)),
    "Add": Op(binary_shapes, binary(lambda x, y, _bits: x + y, lambda x, y: x + y)),
    "Multiply": Op(binary_shapes, binary(lambda x, y, _bits: x * y, lambda x, y: x * y)),
    "Power": Op(binary_shapes, binary(power_of_integers, power_of_floats)),
}
