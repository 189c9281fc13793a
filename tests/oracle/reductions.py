"""Builds layers of ReduceMean-1 and ReduceMax-1, and computes them in the exact model."""

import numpy as np

from oracle import exact, ir
from oracle.evaluation import Op
from oracle.windows import Refused


def add_reduction(model, op, name, source, axes, declared, keep_dims=None, opset="opset1"):
    """Adds a reduction. `axes` is the output that holds the axes. If keep_dims is None, the attribute is not written,
    and its default is false."""
    data = {} if keep_dims is None else {"keep_dims": str(keep_dims).lower()}
    return model.layer(op, name, opset, data, [source, axes], ir.Output(source.type, declared))


def keeps_dims(layer):
    return layer.data.get("keep_dims", "false").lower() in ("true", "1")


def reduced_axes(axes, rank):
    """Returns the axes counted from the front, in ascending order."""
    axes = [int(axis) for axis in np.ravel(axes)]
    if any(not -rank <= axis < rank for axis in axes):
        raise Refused("axis outside the rank")
    axes = sorted(axis % rank for axis in axes)
    if len(set(axes)) != len(axes):
        raise Refused("an axis twice")
    return axes


def reduced_shape(shape, axes, keep_dims):
    rows = [(n, i in reduced_axes(axes, len(shape))) for i, n in enumerate(shape)]
    return tuple(1 if reduced else n for n, reduced in rows if keep_dims or not reduced)


def shapes(layer, inputs, contents):
    return [reduced_shape(inputs[0], contents[1], keeps_dims(layer))]


def groups(x, axes):
    """Yields (index of an output element along the axes that are not reduced, the elements that are reduced to it, in
    row-major order)."""
    reduced = reduced_axes(axes, x.ndim)
    kept = [axis for axis in range(x.ndim) if axis not in reduced]
    moved = x.transpose(*kept, *reduced)
    for where in np.ndindex(*moved.shape[: len(kept)]):
        yield where, moved[where].reshape(-1)


def reduced(layer, inputs, reduce):
    x, axes = inputs
    kept = np.zeros(reduced_shape(x.shape, axes, False), x.dtype)
    for where, taps in groups(x, axes):
        kept[where] = reduce(taps)
    return [kept.reshape(reduced_shape(x.shape, axes, keeps_dims(layer)))]


def mean(taps):
    """Returns the mean. A mean of integers is cut toward zero, and the mean of no elements is 0."""
    if taps.size and taps.dtype.kind in "iu":
        total = sum(int(tap) for tap in taps)
        return abs(total) // taps.size * (1 if total >= 0 else -1)
    numbers, scale = exact.scaled(taps)
    return exact.mean(taps, numbers, scale, taps.size) if taps.size else 0


def maximum(taps):
    """Returns the maximum, or NaN if any element is NaN. The maximum of no elements is the lowest finite number."""
    for tap in taps:
        if tap != tap:
            return tap
    return taps[exact.greatest(taps, True)] if taps.size else exact.lowest(taps.dtype)


def mean_doubts(_layer, inputs, _outputs):
    """Marks sums of integers that exceed the type or 32 bits: the runtime adds up integers in at most 32 bits."""
    x = inputs[0]
    return [x.dtype.kind in "iu" and sum(abs(int(v)) for v in x.flat) > min(np.iinfo(x.dtype).max, np.iinfo(np.int32).max)]


def maximum_doubts(_layer, inputs, _outputs):
    """Marks maxima that the runtime gets wrong. With a NaN, the runtime's result depends on the elements after the NaN.
    The runtime never returns -inf, and computes wide integers in f32."""
    x = inputs[0]
    wide = x.dtype.kind in "iu" and max((abs(int(v)) for v in x.flat), default=0) >= 1 << 24
    return [x.size == 0 or wide or (x.dtype.kind not in "iu" and not np.isfinite(x).all())]


OPS = {
    "ReduceMean": Op(shapes, lambda layer, inputs: reduced(layer, inputs, mean), mean_doubts),
    "ReduceMax": Op(shapes, lambda layer, inputs: reduced(layer, inputs, maximum), maximum_doubts),
}
