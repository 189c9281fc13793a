"""Builds layers of Reshape-1, Squeeze-1 and -15, Unsqueeze-1, Transpose-1 and Concat-1, and computes them in the exact
model."""

import math

import numpy as np

from oracle import ir
from oracle.evaluation import Op
from oracle.windows import Refused

# ---- layers ----


def add_layout(model, op, name, sources, declared, opset="opset1", **data):
    """Adds a layer. `data` holds its attributes; an attribute that is None is not written."""
    return model.layer(op, name, opset, data, sources, ir.Output(sources[0].type, declared))


def integers(layer, content, scalar=True):
    """Returns the integers in the second input, or None if its content is unknown. The content has rank 1 or, if
    `scalar`, rank 0."""
    if layer.inputs[1].type not in ir.INTEGERS:
        raise Refused(f"a list of {layer.inputs[1].type}")
    if content is None:
        return None
    if content.ndim > 1 or (content.ndim == 0 and not scalar):
        raise Refused(f"a list of rank {content.ndim}")
    return [int(item) for item in content.ravel()]


def from_front(axes, rank):
    if any(not -rank <= axis < rank for axis in axes):
        raise Refused(f"axes {axes} of rank {rank}")
    return [axis % rank for axis in axes]


# ---- Reshape ----


def reshaped(shape, target, special_zero):
    """Returns the dims of a Reshape. Dims that a 0 copies are left out on both sides of "element counts are equal".
    If the input has a size of 0, the dim of the -1 is 1."""
    copies = [i for i, item in enumerate(target) if item == 0 and special_zero]
    if min(target, default=0) < -1 or target.count(-1) > 1 or any(i >= len(shape) for i in copies):
        raise Refused(f"shape {target} for {shape}")
    dims = [shape[i] if i in copies else item for i, item in enumerate(target)]
    volume = math.prod(shape)
    if -1 not in dims:
        if math.prod(dims) != volume:
            raise Refused(f"{volume} elements as {dims}")
        return tuple(dims)
    sizes = math.prod(item for i, item in enumerate(target) if i not in copies and item != -1)
    beside = math.prod(n for i, n in enumerate(shape) if i not in copies)
    if volume != 0 if sizes == 0 else beside % sizes != 0:
        raise Refused(f"{volume} elements as {dims}")
    return tuple((1 if sizes == 0 else beside // sizes) if dim == -1 else dim for dim in dims)


def reshape_shapes(layer, shapes, contents):
    word = layer.data.get("special_zero", "").lower()
    if word not in ("true", "1", "false", "0"):
        raise Refused(f"special_zero '{word}'")
    return [reshaped(shapes[0], integers(layer, contents[1], scalar=False), word in ("true", "1"))]


# ---- Squeeze, Unsqueeze ----


def squeezed(shape, axes, promised):
    """Returns the squeezed shape. `promised` lists the axes that must be 1, because the model has open dims and
    constant axes.
    As in the runtime, a scalar counts as having one axis."""
    if not shape and all(axis in (0, -1) for axis in axes):
        return ()
    dropped = from_front(axes, len(shape)) if axes else range(len(shape))
    if any(shape[axis] != 1 for axis in dropped if axis in promised):
        raise Refused(f"{shape} squeezed at {axes}")
    return tuple(n for i, n in enumerate(shape) if n != 1 or i not in dropped)


def open_axes(source):
    """Returns the axes of a Parameter whose dims are unknown and can be 1."""
    if source.layer.type != "Parameter":
        return []
    dims = [item.strip() for item in source.layer.data["shape"].split(",")]
    return [i for i, dim in enumerate(dims) if not dim.isdigit() and may_be_one(dim)]


def may_be_one(dim):
    least, _, most = dim.partition("..")
    return dim in ("?", "-1") or (int(least or 0) <= 1 <= int(most or 1))


def skips_axes(layer):
    version = int(layer.opset.removeprefix("opset"))
    return version >= 15 and layer.data.get("allow_axis_skip", "false").lower() in ("true", "1")


def squeeze_shapes(layer, shapes, contents):
    axes = integers(layer, contents[1]) if len(shapes) > 1 else []
    fixed = bool(axes) and layer.inputs[1].layer.type == "Const" and not skips_axes(layer)
    promised = open_axes(layer.inputs[0]) if fixed else []
    return [squeezed(shapes[0], axes, promised)]


def unsqueezed(shape, axes):
    rank = len(shape) + len(axes)
    places = from_front(axes, rank)
    if len(set(places)) != len(places):
        raise Refused(f"an axis twice: {axes}")
    rest = iter(shape)
    return tuple(1 if i in places else next(rest) for i in range(rank))


def unsqueeze_shapes(layer, shapes, contents):
    return [unsqueezed(shapes[0], integers(layer, contents[1]))]


# ---- Transpose, Concat ----


def order_of(layer, content, rank):
    order = integers(layer, content, scalar=False) or list(range(rank))[::-1]
    if sorted(order) != list(range(rank)):
        raise Refused(f"order {order} of rank {rank}")
    return order


def transpose_shapes(layer, shapes, contents):
    return [tuple(shapes[0][axis] for axis in order_of(layer, contents[1], len(shapes[0])))]


def transpose_values(layer, inputs):
    """Moves every element: output[i[order[0]], i[order[1]], ..] = input[i[0], i[1], ..]"""
    x, order = inputs[0], order_of(layer, inputs[1], inputs[0].ndim)
    out = np.empty([x.shape[axis] for axis in order], x.dtype)
    for where in np.ndindex(*x.shape):
        out[tuple(where[axis] for axis in order)] = x[where]
    return [out]


def concat_axis(layer, rank):
    try:
        return from_front([int(layer.data["axis"])], rank)[0]
    except (KeyError, ValueError) as error:
        raise Refused(f"axis: {error}") from error


def concat_shapes(layer, shapes, _contents):
    first = shapes[0]
    if len({source.type for source in layer.inputs}) > 1 or any(len(shape) != len(first) for shape in shapes):
        raise Refused("types or ranks")
    axis = concat_axis(layer, len(first))
    if any(shape[:axis] != first[:axis] or shape[axis + 1 :] != first[axis + 1 :] for shape in map(tuple, shapes)):
        raise Refused(f"shapes {shapes}")
    return [(*first[:axis], sum(shape[axis] for shape in shapes), *first[axis + 1 :])]


def concat_values(layer, inputs):
    """Copies the inputs one behind another along the axis."""
    shape = concat_shapes(layer, [x.shape for x in inputs], None)[0]
    axis, at = concat_axis(layer, len(shape)), 0
    out = np.empty(shape, inputs[0].dtype)
    for x in inputs:
        for where in np.ndindex(*x.shape):
            out[(*where[:axis], where[axis] + at, *where[axis + 1 :])] = x[where]
        at += x.shape[axis]
    return [out]


# ---- the ops ----


def same_elements(shapes):
    def values(layer, inputs):
        shape = shapes(layer, [x.shape for x in inputs], inputs)[0]
        out = np.empty(inputs[0].size, inputs[0].dtype)
        out[:] = inputs[0].ravel()
        return [out.reshape(shape)]

    return values


OPS = {
    "Reshape": Op(reshape_shapes, same_elements(reshape_shapes)),
    "Squeeze": Op(squeeze_shapes, same_elements(squeeze_shapes)),
    "Unsqueeze": Op(unsqueeze_shapes, same_elements(unsqueeze_shapes)),
    "Transpose": Op(transpose_shapes, transpose_values),
    "Concat": Op(concat_shapes, concat_values),
}
