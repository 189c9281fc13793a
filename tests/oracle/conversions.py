"""Builds layers of Convert-1 and ConvertLike-1, and computes them in the exact model.

The specification does not define the result for a float outside of an integer type's range. The rule here is irrun's.
The runtime has the same rule with other numbers of bits."""

import math

import numpy as np

from oracle import ir
from oracle.evaluation import Op
from oracle.rounding import exact_of, nearest, wrapped
from oracle.windows import Refused


def add_convert(model, name, source, element_type, opset="opset1"):
    data = {"destination_type": element_type}
    return model.layer("Convert", name, opset, data, [source], ir.Output(element_type, source.shape))


def add_convert_like(model, name, source, like, opset="opset1"):
    return model.layer("ConvertLike", name, opset, {}, [source, like], ir.Output(like.type, source.shape))


def destination(layer):
    if layer.type == "ConvertLike":
        return layer.inputs[1].type
    word = layer.data.get("destination_type", "").lower()
    if word not in ir.TYPES:
        raise Refused(f"destination_type '{word}'")
    return word


def shapes(layer, inputs, _contents):
    destination(layer)
    return [inputs[0]]


def converted(element, dtype):
    """Converts one Python number to an element of the type `dtype`."""
    if dtype.kind == "b":
        return element != 0
    if isinstance(element, float) and not math.isfinite(element) and dtype.kind not in "iu":
        return element
    if dtype.kind in "iu":
        return whole(element, dtype)
    rounded = nearest(exact_of(element), dtype)
    return math.copysign(rounded, element) if isinstance(element, float) else rounded


def whole(element, dtype):
    """Returns the whole part of `element`, wrapped to the bits of `dtype`.
    A float must fit i32 before wrapping; for u32 and i64 it must fit i64, for u64 fit i64 or u64.
    If a float does not fit, or is NaN, the result is the lowest i32 or i64, wrapped."""
    if not isinstance(element, float):
        return wrapped(int(element), dtype)
    wide = dtype.itemsize == 8 or dtype == np.uint32
    lowest = -(1 << 63) if wide else -(1 << 31)
    most = (1 << 64) if dtype == np.uint64 else -lowest
    fits = math.isfinite(element) and lowest <= math.trunc(element) < most
    return wrapped(math.trunc(element) if fits else lowest, dtype)


def values(layer, inputs):
    dtype = ir.dtype_of(destination(layer))
    out = np.empty(inputs[0].size, dtype)
    out[:] = [converted(element, dtype) for element in inputs[0].ravel().tolist()]
    return [out.reshape(inputs[0].shape)]


OPS = {"Convert": Op(shapes, values), "ConvertLike": Op(shapes, values)}
